//! Programs with holes: what they count as, what is said of them, how runs end at them.

use expect_test::{Expect, expect};
use serde_json::Value;

use crate::support::Dir;

const LOGGED: &str = "\
include prelude

interface Log = log : Int -> Unit

note : Int -> {String} -> [Log]Int
note n s = log n; _ + n

main : {Int}
main! = evalState 1 (put 2; _rest)
";

fn check(args: &str, files: &[(&str, &str)], expected: Expect) {
    Dir::new(files).run(args).expect(expected);
}

#[test]
fn a_hole_is_an_error() {
    check(
        "check a.fk",
        &[("a.fk", LOGGED)],
        expect![[r#"
        error[FK0109]: a hole: a value of type `Int` is missing here
         --> a.fk:6:19
          |
        6 | note n s = log n; _ + n
          |                   ^
          |
          = help: write a term in its place; what a pattern `_` throws away has no name to be read by

        error[FK0109]: a hole: a value of type `Int` is missing here
         --> a.fk:9:29
          |
        9 | main! = evalState 1 (put 2; _rest)
          |                             ^^^^^
          |
          = help: write a term in its place; what a pattern `_` throws away has no name to be read by

        checked 1 file: 2 errors
        exit 1
    "#]],
    );
}

#[test]
fn verbosely_with_its_goal() {
    check(
        "check -v a.fk",
        &[("a.fk", LOGGED)],
        expect![[r#"
        error[FK0109]: a hole: a value of type `Int` is missing here
         --> a.fk:6:19
          |
        6 | note n s = log n; _ + n
          |                   ^
          |
          = note: goal: Int
                  ability here, the active instance of each interface first:
                    Log: by the signature of note, from its callers
                    [ε]: from whoever calls
                  in sight:
                    s : {[]String}
                    n : Int: fits as `n`
          = help: write a term in its place; what a pattern `_` throws away has no name to be read by

        error[FK0109]: a hole: a value of type `Int` is missing here
         --> a.fk:9:29
          |
        9 | main! = evalState 1 (put 2; _rest)
          |                             ^^^^^
          |
          = note: goal: Int
                  ability here, the active instance of each interface first:
                    State Int: handled by evalState
                    [ε]: from whoever calls
          = help: write a term in its place; what a pattern `_` throws away has no name to be read by

        checked 1 file: 2 errors
        stderr: frank: checked a.fk
        exit 1
    "#]],
    );
}

#[test]
fn as_json_with_its_goal() {
    check(
        "check --format json a.fk",
        &[("a.fk", LOGGED)],
        expect![[r#"
            {"code":"FK0109","severity":"error","message":"a hole: a value of type `Int` is missing here","file":"a.fk","range":{"start":{"line":6,"column":19},"end":{"line":6,"column":20}},"related":[],"help":["write a term in its place; what a pattern `_` throws away has no name to be read by"],"goal":{"hole":"_","inside":"note","type":"Int","undecided":null,"ability":{"instances":[{"instance":"Log","active":true,"by":[{"message":"by the signature of note, from its callers","file":"a.fk","range":{"start":{"line":5,"column":1},"end":{"line":5,"column":5}}}]}],"rest":"ε"},"locals":[{"name":"s","type":"{[]String}","continuation":false,"fit":null,"written":null},{"name":"n","type":"Int","continuation":false,"fit":"as it is","written":"n"}]}}
            {"code":"FK0109","severity":"error","message":"a hole: a value of type `Int` is missing here","file":"a.fk","range":{"start":{"line":9,"column":29},"end":{"line":9,"column":34}},"related":[],"help":["write a term in its place; what a pattern `_` throws away has no name to be read by"],"goal":{"hole":"_rest","inside":"main","type":"Int","undecided":null,"ability":{"instances":[{"instance":"State Int","active":true,"by":[{"message":"handled by evalState","file":"a.fk","range":{"start":{"line":9,"column":9},"end":{"line":9,"column":18}}}]}],"rest":"ε"},"locals":[]}}
            exit 1
        "#]],
    );
}

/// A clause that does not parse has one finding for people, and its holes as well where goals are asked for; but not where
/// the text is read as another language's.
#[test]
fn holes_of_clauses_that_do_not_parse() {
    let broken = "\
include prelude

f : Int -> Int
f n = _ + (3 *

g : Int -> Int
g n = match n with | _ -> _
";
    let dir = Dir::new(&[("a.fk", broken)]);
    let plain = dir.run("check a.fk");
    assert!(!plain.stdout.contains("FK0109"), "{}", plain.whole());
    let verbose = dir.run("check -v a.fk");
    assert!(verbose.stdout.contains("goal: Int"), "{}", verbose.whole());
    let listed = dir.run("check --format json --holes allow a.fk");
    let objects = listed.stdout.lines();
    let objects = objects.map(|line| serde_json::from_str::<Value>(line).unwrap());
    let holes: Vec<Value> = objects
        .filter(|object| object["code"] == "FK0109")
        .collect();
    let [hole] = &holes[..] else {
        panic!("{}", listed.whole());
    };
    assert_eq!(hole["range"]["start"]["line"], 4);
    assert_eq!(hole["severity"], "hint");
    assert_eq!(hole["goal"]["type"], "Int");
    assert_eq!(hole["goal"]["inside"], "f");
}

/// The list of holes of a project, with a file that does not parse elsewhere.
#[test]
fn json_lists_the_holes_of_all_files() {
    let dir = Dir::new(&[
        (
            "lib.fk",
            "include prelude\n\ntwice : Int -> Int\ntwice n = _\n",
        ),
        (
            "main.fk",
            "include lib\n\nmain : {Int}\nmain! = twice _what\n\nbroken : Int\nbroken = )\n\n\
             last : {List Char}\nlast! = 'ä' :: _\n",
        ),
    ]);
    let run = dir.run("check --format json --holes allow");
    assert_eq!(run.code, 1, "{}", run.whole());
    let objects = run.stdout.lines();
    let objects: Vec<Value> = objects
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let holes: Vec<String> = objects
        .iter()
        .filter(|object| object["code"] == "FK0109")
        .map(|hole| {
            let (goal, start) = (&hole["goal"], &hole["range"]["start"]);
            format!(
                "{}:{}:{} {} {} : {} in {}",
                hole["file"],
                start["line"],
                start["column"],
                hole["severity"],
                goal["hole"],
                goal["type"],
                goal["inside"]
            )
        })
        .collect();
    expect![[r#"
        "lib.fk":4:11 "hint" "_" : "Int" in "twice"
        "main.fk":4:15 "hint" "_what" : "Int" in "main"
        "main.fk":10:16 "hint" "_" : "String" in "last""#]]
    .assert_eq(&holes.join("\n"));
    // Only holes have goals.
    assert!(objects.len() > holes.len());
    for other in objects.iter().filter(|object| object["code"] != "FK0109") {
        assert!(other.get("goal").is_none(), "{other}");
    }
}

#[test]
fn what_holes_count_as() {
    let dir = Dir::new(&[("a.fk", LOGGED)]);
    let counted = |args: &str, config: &str| {
        dir.write("frank.toml", config);
        let run = dir.run(args);
        let summary = run.stdout.lines().last().unwrap_or_default().to_owned();
        format!("{summary}, exit {}", run.code)
    };
    let denied = "checked 1 file: 2 errors, exit 1";
    let allowed = "checked 1 file: no errors, 2 hints, exit 0";
    for (args, config, expected) in [
        ("check a.fk", "", denied),
        ("check a.fk --holes allow", "", allowed),
        ("check a.fk --holes deny", "", denied),
        ("check a.fk", "holes = 'allow'", allowed),
        ("check a.fk", "holes = 'deny'", denied),
        ("check a.fk --holes deny", "holes = 'allow'", denied),
        ("check a.fk --holes allow", "holes = 'deny'", allowed),
        // What is said of the code counts more than what is said of holes.
        (
            "check a.fk",
            "holes = 'allow'\n[severity]\nFK0109 = 'error'",
            denied,
        ),
        (
            "check a.fk",
            "holes = 'deny'\n[severity]\nFK0109 = 'off'",
            "checked 1 file: no errors, exit 0",
        ),
        (
            "check a.fk --warnings deny",
            "[severity]\nFK0109 = 'warning'",
            "checked 1 file: no errors, 2 warnings (denied), exit 1",
        ),
        // And the command line most.
        (
            "check a.fk --holes allow",
            "[severity]\nFK0109 = 'error'",
            allowed,
        ),
    ] {
        assert_eq!(counted(args, config), expected, "{args} with {config}");
    }
    dir.write("frank.toml", "holes = 'some'\n");
    check_mistake(&dir);
}

fn check_mistake(dir: &Dir) {
    let run = dir.run("check a.fk --holes allow");
    assert_eq!(
        run.stderr,
        "frank: frank.toml:1:9: `holes` is \"allow\" or \"deny\"\n"
    );
    assert_eq!(run.code, 2);
}

#[test]
fn in_the_forms_of_services() {
    let dir = Dir::new(&[("a.fk", LOGGED)]);
    for (format, denied, allowed) in [
        (
            "github",
            "::error file=a.fk,line=6",
            "::notice file=a.fk,line=6",
        ),
        ("junit", "failures=\"2\"", "failures=\"0\""),
        ("sarif", "\"level\": \"error\",\n", "\"level\": \"note\",\n"),
    ] {
        let run = dir.run(&format!("check --format {format} a.fk"));
        assert!(
            run.code == 1 && run.stdout.contains(denied),
            "{}",
            run.whole()
        );
        let run = dir.run(&format!("check --holes allow --format {format} a.fk"));
        assert!(
            run.code == 0 && run.stdout.contains(allowed),
            "{}",
            run.whole()
        );
    }
}

#[test]
fn a_baseline_accepts_holes() {
    let dir = Dir::new(&[("a.fk", LOGGED)]);
    assert_eq!(dir.run("check a.fk --baseline base.json").code, 0);
    dir.write("a.fk", format!("{LOGGED}\nother : {{Int}}\nother! = _\n"));
    let run = dir.run("check a.fk --baseline base.json");
    assert!(run.stdout.contains("1 error"), "{}", run.whole());
}

#[test]
fn a_run_that_comes_to_a_hole_ends_there() {
    check(
        "run a.fk",
        &[("a.fk", LOGGED)],
        expect![[r#"
        stderr: error: a hole: a value of type `Int` is missing here
        stderr:  --> a.fk:9:29
        stderr:   |
        stderr: 9 | main! = evalState 1 (put 2; _rest)
        stderr:   |                             ^^^^^
        stderr:   |
        stderr:   = note: the stack, from the inside:
        stderr:           in `main`, a.fk:9:29
        stderr:           handled by `evalState`, library:/prelude.fk:572:1
        exit 3
    "#]],
    );
}

#[test]
fn a_run_that_comes_to_none_ends_well() {
    let text =
        "main : {Int}\nmain! = case true { true -> 1 | false -> _ }\n\nother : {Int}\nother! = _\n";
    check(
        "run a.fk",
        &[("a.fk", text)],
        expect![[r#"
        1
        exit 0
    "#]],
    );
}

#[test]
fn holes_of_a_term() {
    let dir = Dir::new(&[("a.fk", LOGGED)]);
    dir.run_with(&["eval", "a.fk", "1 + _"]).expect(expect![[r#"
            stderr: error: a hole: a value of type `Int` is missing here
            stderr:  --> <term>:1:5
            stderr:   |
            stderr: 1 | 1 + _
            stderr:   |     ^
            stderr:   |
            stderr:   = note: the stack, from the inside:
            stderr:           in the term
            exit 3
        "#]]);
}

#[test]
fn other_errors_keep_a_program_with_holes_from_running() {
    let text = "main : {Int}\nmain! = _ + 'x'\n";
    check(
        "run a.fk",
        &[("a.fk", text)],
        expect![[r#"
        stderr: error[FK0210]: arithmetic and comparisons take numbers, but this has type `Char`
        stderr:  --> a.fk:2:13
        stderr:   |
        stderr: 2 | main! = _ + 'x'
        stderr:   |           - ^^^
        stderr:   |           |
        stderr:   |           both operands of `+` have one number type
        stderr: 
        exit 1
    "#]],
    );
    let elsewhere = "main : {Int}\nmain! = _\n\nother : {Int}\nother! = 'x'\n";
    check(
        "run --despite-errors a.fk",
        &[("a.fk", elsewhere)],
        expect![[r#"
            stderr: error: a hole: a value of type `Int` is missing here
            stderr:  --> a.fk:2:9
            stderr:   |
            stderr: 2 | main! = _
            stderr:   |         ^
            stderr:   |
            stderr:   = note: the stack, from the inside:
            stderr:           in `main`, a.fk:2:9
            exit 3
        "#]],
    );
}

#[test]
fn an_example_that_comes_to_a_hole_is_unfinished() {
    let text = "\
-- > half 4
-- = 2
-- > half 0
-- = 0
half : Int -> Int
half 0 = 0
half n = _
";
    check(
        "test a.fk",
        &[("a.fk", text)],
        expect![[r#"
        a.fk:1:6: half 4
        error: a hole: a value of type `Int` is missing here
         --> a.fk:7:10
          |
        7 | half n = _
          |          ^
          |
          = note: the stack, from the inside:
                  in `half`, a.fk:7:10

        2 examples in 1 file: 1 failed
        exit 3
    "#]],
    );
}

/// What is not written yet is not wrong; what is wrong beside it is.
#[test]
fn an_example_that_differs_counts_more_than_a_hole() {
    let text = "-- > half 4\n-- = 2\n-- > 1 + 1\n-- = 3\nhalf : Int -> Int\nhalf n = _\n";
    let run = Dir::new(&[("a.fk", text)]).run("test a.fk");
    assert_eq!(run.code, 1, "{}", run.whole());
}

#[test]
fn states_end_at_a_hole() {
    let text = "main : {Int}\nmain! = 1 + _ * 2\n";
    check(
        "step a.fk",
        &[("a.fk", text)],
        expect![[r#"
        1 start
          main!
          ^^^^^
        2 call
          1 + _ * 2
              ^
        stderr: error: a hole: a value of type `Int` is missing here
        stderr:  --> a.fk:2:13
        stderr:   |
        stderr: 2 | main! = 1 + _ * 2
        stderr:   |             ^
        stderr:   |
        stderr:   = note: the stack, from the inside:
        stderr:           in `main`, a.fk:2:13
        exit 3
    "#]],
    );
}

/// As they are written.
#[test]
fn states_show_the_names_of_holes() {
    let text = "main : {Int}\nmain! = 1 + _more\n";
    let run = Dir::new(&[("a.fk", text)]).run("step a.fk");
    assert!(run.whole().contains("  1 + _more\n"), "{}", run.whole());
}

/// It ends before anything that the arguments perform.
#[test]
fn a_run_ends_at_a_hole_that_is_called() {
    let text = "include prelude\n\nmain : {Int}\nmain! = _ 4 (put (get! + 1); get!)\n";
    let dir = Dir::new(&[("a.fk", text)]);
    let run = dir.run("run a.fk");
    assert_eq!(run.code, 3, "{}", run.whole());
    let goal = "a hole: a value of type `{Int -> <State Int>Int -> Int}` is missing here";
    assert!(run.whole().contains(goal), "{}", run.whole());
    let check = dir.run("check --holes allow a.fk");
    assert_eq!(check.code, 0, "{}", check.whole());
}

/// An entry has no callers.
#[test]
fn what_nobody_gives_an_entry_is_told() {
    let text = "include prelude\n\nmain : [Console, State Int] Int\nmain! = _\n";
    let dir = Dir::new(&[("a.fk", text)]);
    let said = dir.run("check --holes allow -v a.fk").whole();
    for line in [
        "State Int: by the signature of main, and nobody handles it where a run begins\n",
        "Console: by the signature of main; answered by the host, where main is the entry\n",
    ] {
        assert!(said.contains(line), "{said}");
    }
}

/// Whatever they count as.
#[cfg(target_os = "linux")]
#[test]
fn no_executable_has_a_hole() {
    let dir = Dir::new(&[("a.fk", LOGGED)]);
    let refused = dir.run("build a.fk");
    refused.expect(expect![[r#"
        stderr: error[FK0109]: a hole: a value of type `Int` is missing here
        stderr:  --> a.fk:6:19
        stderr:   |
        stderr: 6 | note n s = log n; _ + n
        stderr:   |                   ^
        stderr:   |
        stderr:   = help: write a term in its place; what a pattern `_` throws away has no name to be read by
        stderr: 
        stderr: error[FK0109]: a hole: a value of type `Int` is missing here
        stderr:  --> a.fk:9:29
        stderr:   |
        stderr: 9 | main! = evalState 1 (put 2; _rest)
        stderr:   |                             ^^^^^
        stderr:   |
        stderr:   = help: write a term in its place; what a pattern `_` throws away has no name to be read by
        stderr: 
        exit 1
    "#]]);
    dir.write("frank.toml", "holes = 'allow'\n");
    assert_eq!(dir.run("build a.fk").whole(), refused.whole());
    assert!(!dir.path().join("a").exists());
}

/// What is said of a finding does not put a term into the hole.
#[test]
fn a_hole_that_is_not_told_is_still_one() {
    let silent = [
        ("[severity]\nFK0109 = 'off'\n", "main! = _"),
        ("", "main! = _ -- frank: allow FK0109"),
    ];
    for (config, clause) in silent {
        let text = format!("main : {{Int}}\n{clause}\n");
        let dir = Dir::new(&[("a.fk", text.as_str()), ("frank.toml", config)]);
        assert_eq!(dir.run("check a.fk").code, 0, "{clause}");
        let refused = dir.run("build a.fk");
        assert_eq!(refused.code, 1, "{}", refused.whole());
        assert!(
            refused.stderr.contains("a.fk:2:9") && refused.stderr.contains("a hole"),
            "{}",
            refused.whole()
        );
        assert!(!dir.path().join("a").exists());
    }
}
