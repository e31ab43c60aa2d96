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
    check("check a.fk", &[("a.fk", LOGGED)], expect![[r#""#]]);
}

#[test]
fn verbosely_with_its_goal() {
    check("check -v a.fk", &[("a.fk", LOGGED)], expect![[r#""#]]);
}

#[test]
fn as_json_with_its_goal() {
    check(
        "check --format json a.fk",
        &[("a.fk", LOGGED)],
        expect![[r#""#]],
    );
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
    expect![[r#""#]].assert_eq(&holes.join("\n"));
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
    dir.write("a.fk", LOGGED.replace("log n;", "log _; log n;"));
    let run = dir.run("check a.fk --baseline base.json");
    assert!(run.stdout.contains("1 error"), "{}", run.whole());
}

#[test]
fn a_run_that_comes_to_a_hole_ends_there() {
    check("run a.fk", &[("a.fk", LOGGED)], expect![[r#""#]]);
}

#[test]
fn a_run_that_comes_to_none_ends_well() {
    let text =
        "main : {Int}\nmain! = case true { true -> 1 | false -> _ }\n\nother : {Int}\nother! = _\n";
    check("run a.fk", &[("a.fk", text)], expect![[r#""#]]);
}

#[test]
fn holes_of_a_term() {
    let dir = Dir::new(&[("a.fk", LOGGED)]);
    dir.run_with(&["eval", "a.fk", "1 + _"])
        .expect(expect![[r#""#]]);
}

#[test]
fn other_errors_keep_a_program_with_holes_from_running() {
    let text = "main : {Int}\nmain! = _ + 'x'\n";
    check("run a.fk", &[("a.fk", text)], expect![[r#""#]]);
    let elsewhere = "main : {Int}\nmain! = _\n\nother : {Int}\nother! = 'x'\n";
    check(
        "run --despite-errors a.fk",
        &[("a.fk", elsewhere)],
        expect![[r#""#]],
    );
}

#[test]
fn an_example_that_comes_to_a_hole_fails() {
    let text = "\
-- > half 4
-- = 2
-- > half 0
-- = 0
half : Int -> Int
half 0 = 0
half n = _
";
    check("test a.fk", &[("a.fk", text)], expect![[r#""#]]);
}

#[test]
fn states_end_at_a_hole() {
    let text = "main : {Int}\nmain! = 1 + _ * 2\n";
    check("step a.fk", &[("a.fk", text)], expect![[r#""#]]);
}

/// Whatever they count as.
#[cfg(target_os = "linux")]
#[test]
fn no_executable_has_a_hole() {
    let dir = Dir::new(&[("a.fk", LOGGED)]);
    let refused = dir.run("build a.fk");
    refused.expect(expect![[r#""#]]);
    dir.write("frank.toml", "holes = 'allow'\n");
    assert_eq!(dir.run("build a.fk").whole(), refused.whole());
    assert!(!dir.path().join("a").exists());
}
