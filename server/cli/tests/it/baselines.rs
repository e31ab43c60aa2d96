//! Baselines: findings that are accepted.

use expect_test::expect;
use serde_json::Value;

use crate::support::{BAD, Dir, GOOD, Run, WARNING};

#[test]
fn baselines() {
    let dir = Dir::new(&[("sub/a.fk", BAD), ("b.fk", WARNING)]);
    dir.run("check --baseline base.json --warnings deny")
        .expect(expect![[r#"
            checked 2 files: no errors
            stderr: frank: base.json: written; it accepts 2 findings
            exit 0
        "#]]);
    expect![[r#"
        {
          "version": 2,
          "findings": [
            {
              "file": "b.fk",
              "code": "FK0403",
              "message": "`later` has a signature and no clauses",
              "line": "later : {Int}",
              "count": 1
            },
            {
              "file": "sub/a.fk",
              "code": "FK0210",
              "message": "arithmetic and comparisons take numbers, but this has type `String`",
              "line": "main! = 1 + \"a\"",
              "count": 1
            }
          ]
        }
    "#]]
    .assert_eq(&dir.read("base.json"));
    // Other lines, other columns, another order of files: still the same findings.
    dir.write(
        "sub/a.fk",
        format!("-- a comment\n\n{}", BAD.replace("main!", "main! ")),
    );
    assert_eq!(dir.run("check --baseline base.json b.fk sub").code, 0);
    // A new finding, and a second one like an old one.
    dir.write("c.fk", BAD);
    assert_eq!(dir.run("check --baseline base.json").code, 1);
    std::fs::remove_file(dir.path().join("c.fk")).expect("there was one");
    dir.write(
        "sub/a.fk",
        "main : {Int}\nmain! = 1 + \"a\"\nmore : {Int}\nmore! =\n  1 + \"a\"\n",
    );
    let run = dir.run("check --baseline base.json --format json");
    assert_eq!(
        (run.code, run.stdout.lines().count()),
        (1, 1),
        "{}",
        run.whole()
    );
    // What is mended may be forgotten.
    dir.write("sub/a.fk", GOOD);
    dir.run("check --baseline base.json").expect(expect![[r#"
        checked 2 files: no errors
        stderr: frank: base.json: 1 accepted finding gone; `--update-baseline` forgets what is mended
        exit 0
    "#]]);
    assert_eq!(
        dir.run("check --baseline base.json --update-baseline").code,
        0
    );
    assert!(!dir.read("base.json").contains("sub/a.fk"));
    dir.write("base.json", "{");
    assert_eq!(dir.run("check --baseline base.json").code, 2);
    assert_eq!(dir.run("check --update-baseline").code, 2);
}

/// The messages on standard error, without those of the program.
fn said(run: &Run) -> Vec<&str> {
    let lines = run.stderr.lines();
    lines
        .filter_map(|line| line.strip_prefix("frank: "))
        .collect()
}

/// What was not looked at is neither gone nor to be forgotten.
#[test]
fn a_part_of_the_files() {
    let dir = Dir::new(&[("a.fk", BAD), ("b.fk", WARNING), ("c.fk", BAD)]);
    assert_eq!(dir.run("check --baseline base.json").code, 0);
    let whole = dir.read("base.json");
    let run = dir.run("check b.fk --baseline base.json");
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let run = dir.run("check b.fk --baseline base.json --update-baseline");
    assert_eq!(said(&run), ["base.json: written; it accepts 3 findings"]);
    assert_eq!(dir.read("base.json"), whole);
    // A file that is gone has no findings.
    std::fs::remove_file(dir.path().join("c.fk")).expect("there was one");
    let run = dir.run("check b.fk --baseline base.json");
    assert_eq!(
        said(&run),
        ["base.json: 1 accepted finding gone; `--update-baseline` forgets what is mended"]
    );
    let run = dir.run("check b.fk --baseline base.json --update-baseline");
    assert_eq!(said(&run), ["base.json: written; it accepts 2 findings"]);
    // A file that cannot be read may still have its own.
    dir.write("a.fk", b"\xff");
    let run = dir.run("check --baseline base.json");
    assert_eq!(
        said(&run),
        ["a.fk: this is not UTF-8: the mistake is at byte 0"]
    );
}

/// A baseline means the same wherever the check runs.
#[test]
fn names_are_relative_to_the_baseline() {
    let dir = Dir::new(&[("src/a.fk", BAD), ("ci/x.txt", "")]);
    assert_eq!(dir.run("check src --baseline ci/base.json").code, 0);
    assert!(
        dir.read("ci/base.json")
            .contains("\"file\": \"../src/a.fk\"")
    );
    for (place, path) in [("src", "."), ("ci", "../src"), ("ci", ".."), (".", ".")] {
        let base = dir.path().join("ci/base.json");
        let mut command = dir.command_with(&["check", path, "--baseline"]);
        command.arg(base).current_dir(dir.path().join(place));
        let run = crate::support::finish(command, "");
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{place}");
    }
    // Standard input has one name everywhere.
    assert_eq!(dir.run_input("check - --baseline ci/in.json", BAD).code, 0);
    assert!(dir.read("ci/in.json").contains("\"file\": \"<stdin>\""));
    assert_eq!(
        dir.run_input("check - --baseline ci/in.json", BAD).stderr,
        ""
    );
    assert_eq!(dir.run("check src --baseline ci/in.json").stderr, "");
}

/// Older baselines name files from the directory of the check on.
#[test]
fn the_first_version_is_read() {
    let dir = Dir::new(&[("src/a.fk", BAD), ("ci/x.txt", "")]);
    assert_eq!(dir.run("check --baseline ci/base.json").code, 0);
    let old = dir.read("ci/base.json");
    let old = old
        .replace("\"version\": 2", "\"version\": 1")
        .replace("../src", "src");
    dir.write("ci/base.json", old);
    let run = dir.run("check --baseline ci/base.json");
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert_eq!(
        dir.run("check --baseline ci/base.json --update-baseline")
            .code,
        0
    );
    assert!(
        dir.read("ci/base.json")
            .contains("\"file\": \"../src/a.fk\"")
    );
}

/// Two baselines that were merged may have an entry twice.
#[test]
fn entries_add_up() {
    let twice =
        format!("{BAD}more : {{Int}}\nmore! =\n  1 + \"a\"\n").replace("main! =", "main! =\n ");
    let dir = Dir::new(&[("a.fk", &twice)]);
    assert_eq!(dir.run("check --baseline base.json").code, 0);
    let mut document: Value = serde_json::from_str(&dir.read("base.json")).expect("JSON");
    assert_eq!(document["findings"][0]["count"], 2);
    document["findings"][0]["count"] = Value::from(1);
    let entry = document["findings"][0].clone();
    document["findings"]
        .as_array_mut()
        .expect("a list")
        .push(entry);
    // Editors of another system put a mark before the text.
    dir.write("base.json", format!("\u{feff}{document}"));
    assert_eq!(dir.run("check --baseline base.json").code, 0);
}

/// What is no baseline is neither used nor overwritten, and every report says so.
#[test]
fn what_is_no_baseline() {
    let dir = Dir::new(&[("a.fk", GOOD), ("empty", ""), ("folder/x.txt", "")]);
    dir.write("broken.json", "{\"version\": 2,\n<<<<<<<\n");
    dir.write("other.json", "[]");
    dir.write("wrong.json", "{\"version\": 2, \"findings\": [1]}");
    dir.write("newer.json", "{\"version\": 9, \"items\": []}");
    let advice = "restore the file, or remove it and have `frank check --baseline` write it";
    let none = "this is no baseline, which is JSON with a `version` and `findings`";
    for (name, message) in [
        (
            "broken.json",
            format!("{none}: it is no JSON (key must be a string at line 2 column 1); {advice}"),
        ),
        (
            "other.json",
            format!("{none}: it has no `version`; {advice}"),
        ),
        (
            "wrong.json",
            format!(
                "{none}: its `findings` are no list of objects with `file`, `code`, `message`, \
                 `line` and `count`; {advice}"
            ),
        ),
        (
            "newer.json",
            "this baseline has version 9, and this `frank` reads versions up to 2: use a newer \
             `frank`"
                .to_owned(),
        ),
        (
            "a.fk",
            format!("{none}: it is no JSON (expected value at line 1 column 1); {advice}"),
        ),
        ("folder", "this is a directory".to_owned()),
    ] {
        let before = std::fs::read(dir.path().join(name)).ok();
        for update in ["", " --update-baseline"] {
            let run = dir.run(&format!("check a.fk --baseline {name}{update}"));
            assert_eq!(
                (run.code, said(&run)),
                (2, vec![format!("{name}: {message}").as_str()])
            );
        }
        assert_eq!(std::fs::read(dir.path().join(name)).ok(), before);
    }
    // An empty file holds nothing that could be lost, and accepts nothing.
    assert_eq!(dir.run("check a.fk --baseline empty").code, 2);
    assert_eq!(
        dir.run("check a.fk --baseline empty --update-baseline")
            .code,
        0
    );
    assert_eq!(dir.run("check a.fk --baseline empty").code, 0);
    let github = dir.run("check a.fk --baseline other.json --format github");
    assert!(
        github
            .stdout
            .starts_with("::error file=other.json,title=frank::this is no baseline")
    );
    let sarif = dir
        .run("check a.fk --baseline other.json --format sarif")
        .stdout;
    let sarif: Value = serde_json::from_str(&sarif).expect("JSON");
    let invocation = &sarif["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    assert_eq!(
        invocation["toolExecutionNotifications"]
            .as_array()
            .map(Vec::len),
        Some(1)
    );
    let junit = dir.run("check a.fk --baseline other.json --format junit");
    assert!(
        junit.stdout.contains("failures=\"0\" errors=\"1\""),
        "{}",
        junit.stdout
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_baseline_without_end() {
    let dir = Dir::new(&[("a.fk", GOOD)]);
    let run = dir.run("check --baseline /dev/zero");
    assert_eq!(run.code, 2);
    assert_eq!(said(&run), ["/dev/zero: this is larger than 64 MiB"]);
}
