//! `frank step`.

use expect_test::expect;
use serde_json::Value;

use crate::support::Dir;

const COUNTER: &str = "\
include prelude

tick : [State Int] Int
tick! = put (get! + 1); get!

main : [Console] Int
main! = evalState 1 tick!

echo : [Console] Unit
echo! = ouch inch!

half : Int -> Int
half 0 = 0

stuck : {Int}
stuck! = half 7

forever : {Int}
forever! = forever!
";

fn dir() -> Dir {
    Dir::new(&[("c.fk", COUNTER), ("input.txt", "é")])
}

#[test]
fn a_run_state_by_state() {
    dir().run_with(&["step", "c.fk"]).expect(expect![[r#"
        1 start
          main!
          ^^^^^
        2 call
          evalState 1 tick!
                      ^^^^^
        3 call
          evalState 1 (put (get! + 1); get!)
                            ^^^^
        4 perform
          evalState 1 (put (get! + 1); get!)
                            ====
        5 freeze
          evalState 1 (put (get! + 1); get!)
                           ~====~~~~~
        6 freeze
          evalState 1 (put (get! + 1); get!)
                       ~~~~~====~~~~~
        7 freeze
          evalState 1 (put (get! + 1); get!)
                      ~~~~~~====~~~~~~~~~~~~
        8 handle
          evalState 1 ({r -> (put (r + 1); get!)} 1)
                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
        9 resume
          evalState 1 (put (1 + 1); get!)
                            ^
        10 focus
          evalState 1 (put (1 + 1); get!)
                           ^^^^^^^
        11 compute
          evalState 1 (put 2; get!)
                       ^^^^^
        12 perform
          evalState 1 (put 2; get!)
                       =====
        13 freeze
          evalState 1 (put 2; get!)
                      ~=====~~~~~~~
        14 handle
          evalState 2 ({r -> (r; get!)} unit)
                      ^^^^^^^^^^^^^^^^^^^^^^^
        15 resume
          evalState 2 (unit; get!)
                      ^^^^^^^^^^^^
        16 sequence
          evalState 2 get!
                      ^^^^
        17 perform
          evalState 2 get!
                      ====
        18 handle
          evalState 2 ({r -> r} 2)
                      ^^^^^^^^^^^^
        19 resume
          evalState 2 2
                      ^
        20 focus
          evalState 2 2
          ^^^^^^^^^^^^^
        21 call
          2
          ^
        exit 0
    "#]]);
}

#[test]
fn commands_alone() {
    let run = dir().run_with(&["step", "c.fk", "--only", "commands", "--from", "2"]);
    run.expect(expect![[r#"
        2 perform
          evalState 1 (put 2; get!)
                       =====
        3 perform
          evalState 2 get!
                      ====
        exit 0
    "#]]);
}

/// What a program reads and prints, and the places of states.
#[test]
fn states_are_objects() {
    let dir = dir();
    let run = dir.run_with(&[
        "step",
        "c.fk",
        "--entry",
        "echo",
        "--format",
        "json",
        "--input",
        "input.txt",
    ]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let states: Vec<Value> = run
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let all: Vec<String> = states
        .iter()
        .map(|state| {
            let (term, focus) = (state["term"].as_str().unwrap(), &state["focus"]);
            let range = focus[0].as_u64().unwrap() as usize..focus[1].as_u64().unwrap() as usize;
            let focus: String = term.chars().skip(range.start).take(range.len()).collect();
            let place = &state["place"]["range"]["start"];
            let (line, column) = (&place["line"], &place["column"]);
            format!(
                "{} {term} [{focus}] {line}:{column}\n",
                state["rule"].as_str().unwrap()
            )
        })
        .collect();
    expect![[r#"
        start echo! [echo!] 9:1
        call ouch inch! [inch!] 10:14
        host ouch 'é' [ouch 'é'] 10:9
        host unit [unit] null:null
    "#]]
    .assert_eq(&all.concat());
    let frozen = dir.run_with(&["step", "c.fk", "--format", "json", "--only", "commands"]);
    let first: Value = serde_json::from_str(frozen.stdout.lines().next().unwrap()).unwrap();
    assert_eq!(first["frozen"], serde_json::json!([first["focus"]]));
    assert_eq!(first["place"]["file"], "c.fk");
}

/// What a page is made from, its terms written out: there each is written as a change of the one before.
fn page(html: &str) -> Value {
    let (_, data) = html.split_once("id=\"states\">").unwrap();
    let mut data: Value = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
    let mut before: Vec<u16> = Vec::new();
    for state in data["states"].as_array_mut().unwrap() {
        let count = |at: usize| usize::try_from(state["term"][at].as_u64().unwrap()).unwrap();
        let middle = state["term"][1].as_str().unwrap().encode_utf16();
        let (head, tail) = (
            before[..count(0)].to_vec(),
            before[before.len() - count(2)..].to_vec(),
        );
        before = head.into_iter().chain(middle).chain(tail).collect();
        state["term"] = String::from_utf16(&before).unwrap().into();
    }
    data
}

/// The terms of a page are those of the other formats, and each is written once.
#[test]
fn a_page_is_small() {
    let dir = Dir::new(&[(
        "a.fk",
        "include prelude\nmain : {List Char}\nmain! = map {c -> c} \"日本🎉é, and so on, in a long text that stays what it is\"\n",
    )]);
    let html = dir.run_with(&["step", "a.fk", "--format", "html"]).stdout;
    let json = dir.run_with(&["step", "a.fk", "--format", "json"]).stdout;
    let page = page(&html);
    let states = page["states"].as_array().unwrap();
    let one_line = |text: &str| -> String { text.split_whitespace().collect() };
    let mut length = 0;
    for (state, line) in states.iter().zip(json.lines()) {
        let other: Value = serde_json::from_str(line).unwrap();
        let term = state["term"].as_str().unwrap();
        assert_eq!(one_line(term), one_line(other["term"].as_str().unwrap()));
        length += term.len();
    }
    assert_eq!(states.len(), json.lines().count());
    let (_, data) = html.split_once("id=\"states\">").unwrap();
    let data: Value = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
    let written = data["states"].as_array().unwrap().iter();
    let written: usize = written
        .map(|state| state["term"][1].as_str().unwrap().len())
        .sum();
    assert!(written < length / 2, "{written} of {length}");
}

#[test]
fn a_page_shows_the_run_by_itself() {
    let dir = Dir::new(&[(
        "a.fk",
        "include prelude\nmain : [Console] Unit\nmain! = print \"</script>\"\n",
    )]);
    let run = dir.run_with(&["step", "a.fk", "--format", "html"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    // The one element ends where the page ends it.
    assert_eq!(run.stdout.matches("</script>").count(), 2);
    let data = page(&run.stdout);
    let states = data["states"].as_array().unwrap();
    let printed: Vec<&str> = states
        .iter()
        .filter_map(|state| state["printed"].as_str())
        .collect();
    assert_eq!(printed.last(), Some(&"</script>"));
    assert_eq!(data["sources"][0]["name"], "a.fk");
}

/// The page has, for each command on its way, what its continuation gets, and what of a large state is folded.
#[test]
fn a_page_has_captured_parts_and_folds() {
    let dir = Dir::new(&[(
        "a.fk",
        "\
include prelude

interface Gen = yield : Int -> Unit

sum : <Gen> Unit -> Int
sum unit           = 0
sum <yield n -> k> = n + sum (k unit)

all : {[State Int, Gen] Unit}
all! = let n = get! in if (n == 0) {unit} {put (n - 1); yield n; all!}

main : {Int}
main! = sum (evalState 400 all!)
",
    )]);
    let run = dir.run_with(&["step", "a.fk", "--format", "html", "--states", "6000"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let data = page(&run.stdout);
    let states = data["states"].as_array().unwrap();
    let part = |state: &Value, range: &Value| -> String {
        let end = |at: usize| usize::try_from(range[at].as_u64().unwrap()).unwrap();
        let term = state["term"].as_str().unwrap().chars();
        term.skip(end(0)).take(end(1) - end(0)).collect()
    };
    let sets_out = |state: &&Value| state["performed"] == "yield 400";
    let yields = states.iter().find(sets_out).unwrap();
    assert_eq!(
        part(yields, &yields["captured"]),
        "(evalState 399 (yield 400; all!))"
    );
    assert_eq!(yields["handlers"][0]["captured"], true);
    assert_eq!(yields["handlers"][1]["takes"], true);
    assert_eq!(yields["handlers"][1].get("captured"), None);
    // What fits is not folded, what does not is; the focus never is.
    assert_eq!(yields.get("folds"), None);
    let mut count = 0;
    for state in states {
        let Some(folds) = state["folds"].as_array() else {
            continue;
        };
        count += 1;
        assert!(!folds.is_empty());
        let [from, to] = [0, 1].map(|at| state["focus"][at].as_u64().unwrap());
        let hidden = folds.iter().flat_map(|fold| fold.as_array().unwrap());
        for range in hidden {
            let [start, end] = [0, 1].map(|at| range[at].as_u64().unwrap());
            assert!(
                end <= from || to <= start || (from < start && end <= to),
                "{range} {from} {to}"
            );
        }
    }
    assert!(count > 100, "{count} states are large");
}

/// How a run ends that has no value, or is cut.
#[test]
fn the_end() {
    let dir = dir();
    for (arguments, code, word) in [
        (&["--entry", "stuck"][..], 3, "no clause of `half` matches"),
        (&["--entry", "echo"], 3, "`inch` at the end of the input"),
        (&["--states", "3"], 0, "there are more states"),
        (
            &["--entry", "forever", "--states", "7"],
            0,
            "there are more states",
        ),
        (
            &["--entry", "forever", "--steps", "1000"],
            3,
            "the step limit is reached",
        ),
        (
            &[
                "--entry",
                "forever",
                "--only",
                "commands",
                "--timeout",
                "100ms",
            ],
            3,
            "limit is reached",
        ),
        (&["--entry", "nobody"], 2, "there is no operator `nobody`"),
        (&["--entry", "half"], 2, "takes arguments"),
        (&["--input", "missing"], 2, "missing"),
        (&["half 'x'"], 1, "FK0201"),
    ] {
        let run = dir.run_with(&[&["step", "c.fk"], arguments].concat());
        assert_eq!(run.code, code, "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains(word), "{arguments:?}: {}", run.stderr);
    }
    // A failure is told as the run itself tells it, with values and stack.
    for entry in ["stuck", "echo"] {
        let told = |command| dir.run_with(&[command, "c.fk", "--entry", entry]).stderr;
        assert_eq!(told("step"), told("run"), "{entry}");
    }
    // Not one state more than was asked for.
    let run = dir.run_with(&[
        "step", "c.fk", "--entry", "forever", "--states", "7", "--format", "json",
    ]);
    assert_eq!(run.stdout.lines().count(), 7);
}

/// Terms that are large are folded, and nothing recurses over a deep stack.
#[test]
fn deep_runs_are_folded() {
    let dir = Dir::new(&[(
        "deep.fk",
        "include prelude\ncount : Int -> Int\ncount 0 = 0\ncount n = 1 + count (n - 1)\n\
         main : {Int}\nmain! = count 20000\nlong : {List Int}\nlong! = map {x -> x + 1} (range 1 20000)\n",
    )]);
    for entry in ["main", "long"] {
        let run = dir.run_with(&[
            "step", "deep.fk", "--entry", entry, "--format", "json", "--from", "40000", "--states",
            "2",
        ]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(run.stdout.contains('…'), "{entry}");
        assert!(run.stdout.len() < 200_000, "{entry}: {}", run.stdout.len());
    }
}

/// Two cells never have one name, a negated negative number is no comment, and a continuation's variable is no
/// operator that its body mentions.
#[test]
fn what_is_shown_can_be_told_apart() {
    let dir = Dir::new(&[(
        "a.fk",
        "include prelude\nmk : Int -> [RefState] (Ref Int)\nmk n = let r = new n in r\n\
         cells : [RefState] (List Int)\n\
         cells! = let r1 = new 100 in let a = mk 1 in let b = mk 2 in [read r1, read a, read b]\n\
         interface Ask = ask : Int\ngive : Int -> <Ask> Int -> Int\n\
         give _ v = v\ngive a <ask -> k> = give a (k a)\nn : Int -> Int\nn z = z + 100\n\
         add : Int -> Int -> Int\nadd n m = n + m\n",
    )]);
    for (term, shown) in [
        ("cells!", "[read <r1>, read <r2>, read <r3>]"),
        ("let a = -3 in - a", "-(-3)"),
        ("give 3 (add ask! (n 3))", "give 3 ({r -> (add r (n 3))} 3)"),
    ] {
        let run = dir.run_with(&["step", "a.fk", term]);
        assert!(run.stdout.contains(shown), "{term}: {}", run.stdout);
    }
}

/// The marks stand below what they mark, also behind characters that are two columns wide.
#[test]
fn marks_stand_below_wide_characters() {
    let dir = Dir::new(&[(
        "a.fk",
        "include prelude\nmain : {Int}\nmain! = length \"日本é🎉\" + (1 + 2)\n",
    )]);
    let run = dir.run_with(&["step", "a.fk", "--states", "2"]);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines[4], "  length \"日本é🎉\" + (1 + 2)");
    // `length`, a blank, quotes, three wide characters and a narrow one.
    assert_eq!(lines[5], format!("  {}", "^".repeat(6 + 1 + 2 + 7)));
}

/// What `fail` says, what is read that is no UTF-8, and what stands behind a failure are as with `frank run`.
#[test]
fn failures_are_told_as_by_run() {
    let dir = Dir::new(&[(
        "a.fk",
        "include prelude\nmain : {Int}\nmain! = 1 + fail \"b\u{f6}se \\ESC[31m\"\n\
             read1 : [Console] Char\nread1! = inch!; inch!\n",
    )]);
    let by_run = dir.run_with(&["run", "a.fk"]);
    let by_step = dir.run_with(&["step", "a.fk"]);
    assert!(
        by_run.stderr.contains("b\u{f6}se \\ESC[31m"),
        "{}",
        by_run.stderr
    );
    assert_eq!(by_step.stderr, by_run.stderr);
    assert_eq!((by_step.code, by_run.code), (3, 3));
    let run = dir.run_input("step a.fk read1! --input -", b"a\xffb");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("'\u{fffd}'"), "{}", run.stdout);
}

#[test]
fn a_first_state_that_there_is_not_is_said() {
    let dir = dir();
    let none = dir.run_with(&["step", "c.fk", "--from", "99999"]);
    assert_eq!((none.code, &*none.stdout), (0, ""));
    assert_eq!(
        none.stderr,
        "frank: there is no state 99999: those that are asked for end before it\n"
    );
    assert_eq!(dir.run_with(&["step", "c.fk", "--from", "0"]).code, 2);
}

#[test]
fn a_run_is_shown_despite_errors_elsewhere() {
    let dir = Dir::new(&[(
        "a.fk",
        "main : {Int}\nmain! = 1 + 2\n\nother : {Int}\nother! = x\n",
    )]);
    assert_eq!(dir.run_with(&["step", "a.fk"]).code, 1);
    let run = dir.run_with(&["step", "a.fk", "--despite-errors"]);
    assert_eq!(
        (run.code, run.stdout.ends_with("  3\n  ^\n")),
        (0, true),
        "{}",
        run.stdout
    );
    let run = dir.run_with(&["step", "a.fk", "--despite-errors", "--entry", "other"]);
    assert_eq!((run.code, &*run.stdout), (1, ""));
}

/// States of a deep recursion are laid out in lines that a person can read, and are not blanks for the most part.
#[test]
fn deep_runs_are_not_blanks() {
    let dir = Dir::new(&[(
        "a.fk",
        "count : Int -> Int\ncount 0 = 0\ncount n = 1 + count (n - 1)\nmain : {Int}\nmain! = count 300\n",
    )]);
    let text = dir.run_with(&["step", "a.fk"]).stdout;
    let deepest = text
        .lines()
        .map(|line| line.len() - line.trim_start().len());
    assert!(
        deepest.max() <= Some(120),
        "marks stand below what is 80 columns wide"
    );
    let html = dir.run_with(&["step", "a.fk", "--format", "html"]).stdout;
    assert!(html.len() < 4_000_000, "{}", html.len());
}
