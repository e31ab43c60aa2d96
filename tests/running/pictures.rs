//! Pictures: what the host gets of them, and what is said of those that cannot be drawn.

use frank_interpreter::picture::{Drawn, MOST_PICTURES, Picture};
use frank_interpreter::{Limits, Machine, RunErrorKind, Script};
use frank_semantics::Semantics;
use frank_semantics::trace::run as steps;

use crate::{compiled, error, value};

const START: &str = "include picture\n\n";

/// The pictures of a program, each with the length of what was printed before it.
fn drawn(main: &str) -> Vec<(usize, Picture)> {
    let compiled = compiled(&format!(
        "{START}main : [Console, Picture]Unit\nmain! = {main}\n"
    ));
    let mut host = Script::new("");
    let code = frank_interpreter::compile(&compiled.program).unwrap();
    let mut machine = Machine::new(&code, 0, Limits::default(), &mut host);
    machine.run().unwrap();
    // Both machines, with machine code and without, and whatever they made is dropped.
    compiled.run(Limits::default(), "").value.unwrap();
    drop(machine);
    host.pictures
}

/// Why a picture cannot be drawn, and the text that it points at.
fn refused(main: &str) -> (String, String) {
    let text = format!("{START}main : [Picture]Unit\nmain! = {main}\n");
    let error = error(&text);
    assert_eq!(error.kind, RunErrorKind::Failed, "{}", error.message);
    let place = error.place.unwrap();
    let at = &text[place.start as usize..place.end as usize];
    (error.message.clone(), at.to_owned())
}

#[test]
fn the_host_gets_what_is_to_be_drawn() {
    let all = drawn(
        "ouint 12;
  plot (caption \"A line\" \"x\" \"y\") [pair \"up\" [pair 0.0 1.0, pair 1.0 (0.0 / 0.0), pair 2.0 4.5]];
  ouch 'b';
  image (titled \"land\") [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]",
    );
    assert_eq!(all.iter().map(|(at, _)| *at).collect::<Vec<_>>(), [2, 3]);
    let (_, line) = &all[0];
    assert_eq!(
        (&*line.title, &*line.right, &*line.up),
        ("A line", "x", "y")
    );
    assert_eq!(line.left_out, 1);
    let Drawn::Lines(lines) = &line.drawn else {
        panic!("{line:?}");
    };
    assert_eq!(lines[0].name, "up");
    assert_eq!(
        lines[0].finite().collect::<Vec<_>>(),
        [(0.0, 1.0), (2.0, 4.5)]
    );
    assert_eq!(
        all[1].1.drawn,
        Drawn::Image(vec![vec![1.0, 2.0, 3.0], vec![4.0, 5.0, 6.0]])
    );
}

#[test]
fn texts_that_cannot_be_seen_are_escaped_and_long_ones_cut() {
    let all = drawn("scatter (titled \"a\\ESC[31m\\nb\") [pair \"\" [pair 1.0 2.0]]");
    assert_eq!(all[0].1.title, "a\\ESC[31m\\nb");
    let long = format!("histogram (titled \"{}\") [1.0]", "x".repeat(1000));
    let title = &drawn(&long)[0].1.title;
    assert!(title.ends_with('…') && title.len() < 250, "{title}");
}

#[test]
fn a_handler_of_the_program_takes_pictures() {
    let text = format!(
        "{START}
titles : <Picture>X -> List String
titles x = []
titles <plot (caption t _ _) _ -> k> = t :: titles (k unit)
titles <scatter (caption t _ _) _ -> k> = t :: titles (k unit)
titles <histogram (caption t _ _) _ -> k> = t :: titles (k unit)
titles <image (caption t _ _) _ -> k> = t :: titles (k unit)

main : {{List String}}
main! = titles (plot (titled \"a\") []; image (titled \"b\") [])
"
    );
    assert_eq!(value(&text), "[\"a\", \"b\"]");
}

#[test]
fn what_cannot_be_drawn_is_refused_at_the_command() {
    let nan = "(0.0 / 0.0)";
    let cases = [
        (
            "plot (titled \"\") []".to_owned(),
            "`plot` of an empty list",
        ),
        (
            "scatter (titled \"\") [pair \"a\" []]".to_owned(),
            "`scatter` of no points: there is nothing to draw",
        ),
        (
            format!("plot (titled \"\") [pair \"a\" [pair {nan} 1.0]]"),
            "`plot` of 1 point, none of which has two finite numbers: there is nothing to draw",
        ),
        (
            "plot (titled \"\") [pair \"a\" [pair 0.0 1.7e308, pair 1.0 (-1.7e308)]]".to_owned(),
            "`plot` from -1.7e308 to 1.7e308, which is too far for an axis",
        ),
        (
            "histogram (titled \"\") []".to_owned(),
            "`histogram` of no numbers: there is nothing to count",
        ),
        (
            format!("histogram (titled \"\") [{nan}, 1.0 / 0.0]"),
            "`histogram` of 2 numbers, none of which is finite: there is nothing to draw",
        ),
        (
            "image (titled \"\") []".to_owned(),
            "`image` of no rows: there is nothing to draw",
        ),
        (
            "image (titled \"\") [[], []]".to_owned(),
            "`image` of rows without numbers: there is nothing to draw",
        ),
        (
            "image (titled \"\") [[1.0, 2.0], [1.0]]".to_owned(),
            "`image` of rows of different lengths: the first has 2 numbers, and row 2 has 1",
        ),
        (
            "plot (titled \"\") [pair \"a\" (byPosition (map toFloat (range 0 100000)))]"
                .to_owned(),
            "`plot` of more than 100000 points, which is the most",
        ),
    ];
    for (term, expected) in cases {
        let (message, at) = refused(&term);
        assert!(message.starts_with(expected), "{term}: {message}");
        assert_eq!(at, term);
    }
}

#[test]
fn a_run_has_so_many_pictures() {
    let text = format!(
        "{START}
many : Int -> [Picture]Int
many i = histogram (titled \"\") [1.0, 2.0]; many (i + 1)

main : [Picture]Int
main! = many 0
"
    );
    let error = error(&text);
    let expected = format!("this run has drawn {MOST_PICTURES} pictures, which is the most");
    assert!(error.message.starts_with(&expected), "{}", error.message);
}

/// What drawing takes is asked for before anybody draws: it ends the run at its command as any other limit does.
#[test]
fn drawing_counts_to_the_limits() {
    let main = |picture: &str| {
        compiled(&format!(
            "{START}
many : Int -> List Float -> List Float
many 0 xs = xs
many i xs = many (i - 1) (0.5 :: xs)

main : [Picture]Int
main! = let points = byPosition (many 100000 []) in {picture}; 7
"
        ))
    };
    let picture = "plot (titled \"many\") [pair \"\" points]";
    // All but the drawing.
    let without = main(&format!("withoutPictures ({picture})")).run(Limits::default(), "");
    let (peak, steps) = (without.stats.peak_bytes as usize, without.stats.steps);
    without.value.unwrap();
    let ended = |memory: usize, steps: u64| {
        let limits = Limits {
            memory,
            steps: Some(steps),
            ..Limits::default()
        };
        let ended = main(picture).run(limits, "");
        ended.value.map_err(|error| (error.kind, error.message))
    };
    let plenty = (peak + (32 << 20), steps + 40_000);
    assert_eq!(ended(plenty.0, plenty.1), Ok("7".to_owned()));
    let memory = "the memory limit is reached".to_owned();
    let expected = Err((RunErrorKind::Memory, memory));
    assert_eq!(ended(peak + (8 << 20), plenty.1), expected);
    let step = "the step limit is reached".to_owned();
    let expected = Err((RunErrorKind::Steps, step));
    assert_eq!(ended(plenty.0, steps + 10_000), expected);
}

/// The stepper and the debugger draw nothing, and refuse the same.
#[test]
fn the_semantics_refuses_what_the_machine_refuses() {
    let ended = |term: &str| {
        let compiled = compiled(&format!("{START}main : [Picture]Int\nmain! = {term}; 3\n"));
        let mut semantics = Semantics::new(&compiled.program, "");
        let first = semantics.start(0).unwrap();
        let (ended, last) = steps(&mut semantics, first, 100_000);
        let ended = ended.map(|_| last.pictures.pictures);
        let machine = compiled.run(Limits::default(), "").value;
        (
            ended.map_err(|stuck| stuck.message),
            machine.map_err(|error| error.message),
        )
    };
    let (ours, machine) = ended("scatter (titled \"\") [pair \"\" [pair 1.0 2.0]]");
    assert_eq!((ours, machine), (Ok(1), Ok("3".to_owned())));
    let (ours, machine) = ended("image (titled \"\") [[1.0, 2.0], [1.0]]");
    assert_eq!(ours.unwrap_err(), machine.unwrap_err());
}
