//! `frank plot`: which lines there are, and what is said where there are none. What the pictures look like is tested
//! beside the crate that draws.

use serde_json::Value;

use crate::support::{BAD, Dir, Run};

const SMOOTH: &str = "\
include ad

cube : X -> [Smooth X]X
cube x = times x (times x x)

hyperbola : X -> [Smooth X]X
hyperbola x = recip (minus x (c 0.3))

-- | at 1 2
area : X -> X -> [Smooth X]X
area x y = times x y

both : X -> [Smooth X]List X
both x = [sinS x, cosS x]

root : X -> [Smooth X]X
root x = sqrtS (minus x (c 100))

loud : X -> [Console, Smooth X]X
loud x = ouint 1; x

loop : X -> [Smooth X]X
loop x = loop (times x x)
";

fn plot(arguments: &str) -> Run {
    let dir = Dir::new(&[("smooth.fk", SMOOTH), ("wrong.fk", BAD)]);
    dir.run(&format!("plot {arguments}"))
}

fn numbers(arguments: &str) -> Value {
    let run = plot(&format!("{arguments} --format json"));
    assert_eq!(run.code, 0, "{}", run.whole());
    serde_json::from_str(&run.stdout).expect("an object")
}

/// Whether two numbers differ by no more than reading them from JSON does.
fn close(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-12 * (1.0 + other.abs())
}

/// The points of a curve, piece by piece.
fn pieces(object: &Value, curve: usize) -> Vec<Vec<(f64, f64)>> {
    let pieces = &object["curves"][curve]["pieces"];
    serde_json::from_value(pieces.clone()).expect("pieces of points")
}

#[test]
fn a_function_and_its_derivatives_have_a_curve_each() {
    let found = numbers("smooth.fk cube --from -2 --to 2 --order 2 --at 1.5");
    let labels: Vec<&Value> = (0..3).map(|i| &found["curves"][i]["label"]).collect();
    assert_eq!(labels, ["cube x", "∂cube/∂x", "∂²cube/∂x²"]);
    let expected: [fn(f64) -> f64; 3] = [|x| x * x * x, |x| 3.0 * x * x, |x| 6.0 * x];
    for (curve, of) in expected.iter().enumerate() {
        let pieces = pieces(&found, curve);
        assert_eq!(pieces.len(), 1, "it goes on everywhere");
        let points: Vec<_> = pieces.concat();
        assert!(points.len() >= 97);
        assert_eq!(points.first().map(|point| point.0), Some(-2.0));
        assert_eq!(points.last().map(|point| point.0), Some(2.0));
        for (x, y) in points {
            assert!(close(y, of(x)), "{curve} at {x}: {y}");
        }
        let marked = found["curves"][curve]["at"].as_f64();
        assert_eq!(marked, Some(of(1.5)));
    }
}

#[test]
fn a_pole_is_not_bridged() {
    let found = numbers("smooth.fk hyperbola --from -3 --to 3");
    let pieces = pieces(&found, 0);
    assert_eq!(pieces.len(), 2);
    assert!(pieces.iter().all(|piece| {
        let sides = piece.iter().map(|(x, _)| *x < 0.3);
        let sides: Vec<bool> = sides.collect();
        sides.iter().all(|side| Some(side) == sides.first())
    }));
    let (low, high) = (found["y"][0].as_f64(), found["y"][1].as_f64());
    assert!(
        low > Some(-100.0) && high < Some(100.0),
        "{low:?} to {high:?}"
    );
}

#[test]
fn one_variable_is_varied_and_the_others_are_held() {
    let found = numbers("smooth.fk area --over y --from 0 --to 4 --at 5 --at 2");
    assert_eq!(found["call"], "area (x = 5.0)");
    assert_eq!(found["variable"], "y");
    assert!(
        pieces(&found, 0)
            .concat()
            .iter()
            .all(|(y, value)| close(*value, 5.0 * y))
    );
    assert!(
        pieces(&found, 1)
            .concat()
            .iter()
            .all(|(_, slope)| *slope == 5.0)
    );
}

#[test]
fn two_variables_have_a_surface() {
    let found = numbers("smooth.fk area --order 0 --from 0 --to 6");
    let surface = &found["surface"];
    assert_eq!(
        (&found["variable"], &surface["other"]),
        (&"x".into(), &"y".into())
    );
    let rows: Vec<Vec<f64>> = serde_json::from_value(surface["rows"].clone()).expect("rows");
    let xs: Vec<f64> = serde_json::from_value(surface["xs"].clone()).expect("numbers");
    let ys: Vec<f64> = serde_json::from_value(surface["ys"].clone()).expect("numbers");
    for (row, y) in rows.iter().zip(&ys) {
        for (value, x) in row.iter().zip(&xs) {
            assert!(close(*value, x * y), "{value} at {x} and {y}");
        }
    }
}

#[test]
fn several_results_have_a_curve_each() {
    let found = numbers("smooth.fk both --from 0 --to 3 --at 0");
    let labels: Vec<&Value> = (0..4).map(|i| &found["curves"][i]["label"]).collect();
    assert_eq!(labels, ["both.1 x", "both.2 x", "∂both.1/∂x", "∂both.2/∂x"]);
    assert!(
        pieces(&found, 3)
            .concat()
            .iter()
            .all(|(x, y)| (y + libm::sin(*x)).abs() < 1e-14)
    );
}

#[test]
fn the_paper_s_whole_numbers_are_points() {
    let dir = Dir::new(&[(
        "paper.fk",
        "include ad-paper\n\nf : X -> [Smooth X]X\nf x = t x x\n",
    )]);
    let run = dir.run("plot paper.fk f --from -3.5 --to 3.5 --format json");
    let found: Value = serde_json::from_str(&run.stdout).expect("an object");
    let points = pieces(&found, 1).concat();
    let expected: Vec<(f64, f64)> = (-3..=3).map(|x| (f64::from(x), f64::from(2 * x))).collect();
    assert_eq!(points, expected);
}

#[test]
fn wrong_input_gets_a_sentence() {
    let said = [
        (
            "smooth.fk cube --from 2 --to 1",
            2,
            "2.0 is not smaller than 1.0",
        ),
        ("smooth.fk cube --from nan --to 1", 2, "nan is none"),
        ("smooth.fk cube --at 1e300", 2, "too few numbers to draw"),
        ("smooth.fk cube --at=-1e17", 2, "a point nearer to 0"),
        ("smooth.fk area --over y --at 1 --at 1e300", 2, "too few"),
        ("smooth.fk cube --over z", 2, "it has `x`"),
        ("smooth.fk area --over x --over x", 2, "two different ones"),
        (
            "smooth.fk area --over x --over y --order 1",
            2,
            "values alone",
        ),
        ("smooth.fk loud", 2, "`loud`"),
        ("smooth.fk absent", 2, "`absent`"),
        ("smooth.fk cube --at 1 --at 2", 2, "there are 2 here"),
        ("smooth.fk root --from 0 --to 1", 3, "no finite value"),
        ("smooth.fk loop --steps 1000", 3, "after 1000 steps"),
        ("smooth.fk cube --size 3x3", 2, "720x440"),
        ("smooth.fk cube -o picture.jpeg", 2, "`.svg`"),
        ("wrong.fk main", 1, "String"),
        ("nowhere.fk main", 2, "nowhere.fk"),
    ];
    for (arguments, code, words) in said {
        let run = plot(arguments);
        assert_eq!(run.code, code, "{arguments}: {}", run.whole());
        assert!(
            run.stderr.contains(words) || run.stdout.contains(words),
            "{arguments}: {}",
            run.whole()
        );
        assert!(run.stdout.is_empty() || code == 1, "{}", run.whole());
    }
}

#[cfg(not(feature = "plot"))]
#[test]
fn without_pictures_it_says_what_to_do() {
    let run = plot("smooth.fk cube");
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("--features plot") && run.stderr.contains("json"));
}

#[cfg(feature = "plot")]
mod pictures {
    use super::*;

    #[test]
    fn a_terminal_gets_braille() {
        let run = plot("smooth.fk cube --from -2 --to 2 --size 60x20");
        assert_eq!(run.code, 0, "{}", run.whole());
        let braille = |c: char| ('\u{2801}'..='\u{28ff}').contains(&c);
        let lines: Vec<&str> = run.stdout.lines().collect();
        assert!(lines.len() <= 21 && lines.iter().all(|line| line.chars().count() <= 60));
        assert!(lines.iter().filter(|line| line.contains(braille)).count() > 8);
        assert!(run.stdout.contains("cube x") && run.stdout.contains("∂cube/∂x"));
        assert!(
            !run.stdout.contains('\u{1b}'),
            "nobody who reads it shows colours"
        );
    }

    /// What a terminal gets that says this of itself.
    #[cfg(unix)]
    fn in_terminal(arguments: &[&str], says: &[(&str, &str)]) -> String {
        let dir = Dir::new(&[("smooth.fk", SMOOTH)]);
        let all = [&["plot", "smooth.fk", "cube"], arguments].concat();
        crate::screen::Screen::that_says(&dir, &all, says).written()
    }

    /// The first and the last letters of what is too long to be shown.
    #[cfg(unix)]
    fn ends(text: &str) -> (String, String) {
        let behind = text.chars().count().saturating_sub(80);
        (
            text.chars().take(80).collect(),
            text.chars().skip(behind).collect(),
        )
    }

    #[cfg(unix)]
    #[test]
    fn a_terminal_that_shows_pictures_gets_one() {
        let kitty = [("TERM", "xterm-kitty")];
        let shown = in_terminal(&[], &kitty);
        let (begin, end) = ends(&shown);
        assert!(
            begin.starts_with("\u{1b}_Ga=T,f=100,q=2,c=100,"),
            "{begin:?}"
        );
        // The beginning of a PNG.
        assert!(begin.contains(";iVBORw0KGgo"), "{begin:?}");
        assert!(end.ends_with("\u{1b}\\\r\n"), "{end:?}");
        let shown = in_terminal(&[], &[("TERM", "foot")]);
        let (begin, end) = ends(&shown);
        assert!(begin.starts_with("\u{1b}P"), "{begin:?}");
        assert!(end.ends_with("\u{1b}\\\r\n"), "{end:?}");
        let words = |shown: String| shown.contains("∂cube/∂x") && !shown.contains("\u{1b}_G");
        let nested = [("TERM", "xterm-kitty"), ("TMUX", "/tmp/tmux-0/default")];
        assert!(words(in_terminal(&[], &nested)));
        assert!(words(in_terminal(&["--format", "text"], &kitty)));
        assert!(words(in_terminal(&["--color", "never"], &kitty)));
    }

    #[test]
    fn a_picture_for_a_terminal_can_be_asked_for() {
        let run = plot("smooth.fk cube --format kitty --size 300x200");
        assert_eq!(run.code, 0, "{}", run.whole());
        assert!(run.stdout.starts_with("\u{1b}_Ga=T,f=100,q=2,m="));
        let sixels = plot("smooth.fk cube --format sixel --size 300x200").stdout;
        // The raster's attributes: square pixels, and how many.
        assert!(sixels.contains("\"1;1;300;200"), "{sixels}");
    }

    #[test]
    fn a_file_is_what_its_name_says() {
        let dir = Dir::new(&[("smooth.fk", SMOOTH)]);
        for (name, begin) in [
            ("a.svg", &b"<svg"[..]),
            ("a.PNG", b"\x89PNG"),
            ("a.json", b"{"),
        ] {
            let run = dir.run(&format!("plot smooth.fk cube -o {name}"));
            assert_eq!(run.whole(), "exit 0\n");
            let written = std::fs::read(dir.path().join(name)).expect("a file");
            assert!(written.starts_with(begin), "{name}");
        }
        let run = dir.run("plot smooth.fk cube -o absent/a.svg");
        assert_eq!(run.code, 2);
        assert!(run.stderr.contains("a.svg"), "{}", run.whole());
    }

    #[test]
    fn themes_differ_and_hold_no_scripts() {
        let dark = plot("smooth.fk cube --format svg --theme dark").stdout;
        let neutral = plot("smooth.fk cube --format svg --theme neutral").stdout;
        assert_ne!(dark, neutral);
        for svg in [dark, neutral] {
            assert!(!svg.contains("<script"));
        }
    }
}
