//! The forms that programs read.

use expect_test::expect;
use serde_json::Value;

use crate::support::{BAD, Dir, GOOD};

fn two_files() -> Dir {
    Dir::new(&[
        (
            "main.fk",
            "include lib\n\nmain : {Int}\nmain! = twice 'ä' + twice 'y'\n\nlater : {Int}\n",
        ),
        ("lib.fk", "twice : Int -> Int\ntwice n = n + n\n"),
    ])
}

#[test]
fn json() {
    two_files().run("check --format json").expect(expect![[r#"
        {"code":"FK0201","severity":"error","message":"this has type `Char`, but `Int` is needed","file":"main.fk","range":{"start":{"line":4,"column":15},"end":{"line":4,"column":18}},"related":[{"message":"`Int` is required here: the first port of `twice`","file":"lib.fk","range":{"start":{"line":1,"column":9},"end":{"line":1,"column":12}}}],"help":[]}
        {"code":"FK0201","severity":"error","message":"this has type `Char`, but `Int` is needed","file":"main.fk","range":{"start":{"line":4,"column":27},"end":{"line":4,"column":30}},"related":[{"message":"`Int` is required here: the first port of `twice`","file":"lib.fk","range":{"start":{"line":1,"column":9},"end":{"line":1,"column":12}}}],"help":[]}
        {"code":"FK0403","severity":"warning","message":"`later` has a signature and no clauses","file":"main.fk","range":{"start":{"line":6,"column":1},"end":{"line":6,"column":6}},"related":[],"help":["write its clauses: `later … = …`"]}
        exit 1
    "#]]);
}

#[test]
fn json_without_findings_is_empty() {
    let dir = Dir::new(&[("a.fk", GOOD)]);
    assert_eq!(dir.run("check --format json").whole(), "exit 0\n");
}

#[test]
fn github() {
    let dir = two_files();
    dir.write("50%,a:b.fk", BAD);
    dir.run("check --format github").expect(expect![[r#"
        ::error file=50%25%2Ca%3Ab.fk,line=2,endLine=2,col=13,endColumn=16,title=FK0210::arithmetic and comparisons take numbers, but this has type `String`%0A50%25,a:b.fk:2:11: both operands of `+` have one number type%0Ahelp: strings are put together by the prelude's `append`
        ::error file=main.fk,line=4,endLine=4,col=15,endColumn=18,title=FK0201::this has type `Char`, but `Int` is needed%0Alib.fk:1:9: `Int` is required here: the first port of `twice`
        ::error file=main.fk,line=4,endLine=4,col=27,endColumn=30,title=FK0201::this has type `Char`, but `Int` is needed%0Alib.fk:1:9: `Int` is required here: the first port of `twice`
        ::warning file=main.fk,line=6,endLine=6,col=1,endColumn=6,title=FK0403::`later` has a signature and no clauses%0Ahelp: write its clauses: `later … = …`
        exit 1
    "#]]);
    assert!(
        dir.run("check --format github --warnings deny")
            .stdout
            .contains("::error file=main.fk,line=6")
    );
}

#[test]
fn junit() {
    two_files().run("check --format junit").expect(expect![[r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="frank check" tests="4" skipped="0" failures="2" errors="0">
            <testsuite name="lib.fk" tests="1" skipped="0" errors="0" failures="0">
                <testcase name="no findings" classname="lib.fk"/>
            </testsuite>
            <testsuite name="main.fk" tests="3" skipped="0" errors="0" failures="2">
                <testcase name="main.fk:4:15: FK0201" classname="main.fk">
                    <failure message="this has type `Char`, but `Int` is needed" type="FK0201">main.fk:4:15: this has type `Char`, but `Int` is needed
        lib.fk:1:9: `Int` is required here: the first port of `twice`</failure>
                </testcase>
                <testcase name="main.fk:4:27: FK0201" classname="main.fk">
                    <failure message="this has type `Char`, but `Int` is needed" type="FK0201">main.fk:4:27: this has type `Char`, but `Int` is needed
        lib.fk:1:9: `Int` is required here: the first port of `twice`</failure>
                </testcase>
                <testcase name="main.fk:6:1: FK0403" classname="main.fk">
                    <system-out>main.fk:6:1: `later` has a signature and no clauses
        help: write its clauses: `later … = …`</system-out>
                </testcase>
            </testsuite>
        </testsuites>
        exit 1
    "#]]);
}

#[test]
fn sarif_is_what_its_schema_wants() {
    let dir = two_files();
    dir.write(
        "sub/ä b.fk",
        "f : {Int}\nf! = unknwn! + undefned!\n\nunknown : {Int}\nunknown! = 1\n",
    );
    dir.write("empty.fk", "");
    dir.write("binary.fk", "\0");
    dir.write("frank.toml", "[limits]\nsteps = 'many'\n");
    let schema: Value =
        serde_json::from_str(include_str!("../sarif-2.1.0.schema.json")).expect("JSON");
    for args in [
        "check --format sarif",
        "check --format sarif lib.fk",
        "check --format sarif --warnings deny",
    ] {
        let run = dir.run(args);
        let log: Value = serde_json::from_str(&run.stdout).expect("JSON");
        let mistakes = crate::schema::mistakes(&schema, &log);
        assert!(mistakes.is_empty(), "{args}: {mistakes:?}");
    }
    let log: Value = serde_json::from_str(&dir.run("check --format sarif").stdout).expect("JSON");
    let notifications = log
        .pointer("/runs/0/invocations/0/toolExecutionNotifications")
        .and_then(Value::as_array)
        .expect("notifications");
    let places: Vec<String> = notifications
        .iter()
        .map(|notification| {
            let place = &notification["locations"][0]["physicalLocation"];
            let uri = place["artifactLocation"]["uri"].as_str();
            format!("{}:{}", uri.expect("a file"), place["region"]["startLine"])
        })
        .collect();
    assert_eq!(places, ["frank.toml:2", "binary.fk:null"]);
    let results = log
        .pointer("/runs/0/results")
        .and_then(Value::as_array)
        .expect("results");
    assert!(results.len() >= 4, "{log}");
    let uris: Vec<&str> = results
        .iter()
        .filter_map(|result| {
            result
                .pointer("/locations/0/physicalLocation/artifactLocation/uri")?
                .as_str()
        })
        .collect();
    assert!(
        uris.contains(&"main.fk") && uris.contains(&"sub/%C3%A4%20b.fk"),
        "{uris:?}"
    );
    assert!(results.iter().any(|result| {
        result
            .pointer("/fixes/0/artifactChanges/0/replacements/0")
            .is_some()
    }));
}

/// Files that cannot be read are no findings, but a report must not look as if all were well.
#[test]
fn unreadable_files_are_in_every_report() {
    let dir = Dir::new(&[("good.fk", GOOD), ("frank.toml", "inclde = []\n")]);
    dir.write("binary.fk", b"\x7fELF\0\0");
    dir.run("check --format github").expect(expect![[r#"
        ::error file=frank.toml,line=1,col=1,title=frank::there is no setting `inclde`: did you mean `include`?
        ::error file=binary.fk,title=frank::this is no text: byte 4 is 0
        stderr: frank: frank.toml:1:1: there is no setting `inclde`: did you mean `include`?
        stderr: frank: binary.fk: this is no text: byte 4 is 0
        exit 2
    "#]]);
    dir.run("check --format junit").expect(expect![[r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="frank check" tests="3" skipped="0" failures="0" errors="2">
            <testsuite name="good.fk" tests="1" skipped="0" errors="0" failures="0">
                <testcase name="no findings" classname="good.fk"/>
            </testsuite>
            <testsuite name="frank.toml" tests="1" skipped="0" errors="1" failures="0">
                <testcase name="frank.toml: can be used" classname="frank.toml">
                    <error message="there is no setting `inclde`: did you mean `include`?">frank.toml:1:1: there is no setting `inclde`: did you mean `include`?</error>
                </testcase>
            </testsuite>
            <testsuite name="binary.fk" tests="1" skipped="0" errors="1" failures="0">
                <testcase name="binary.fk: can be used" classname="binary.fk">
                    <error message="this is no text: byte 4 is 0">binary.fk: this is no text: byte 4 is 0</error>
                </testcase>
            </testsuite>
        </testsuites>
        stderr: frank: frank.toml:1:1: there is no setting `inclde`: did you mean `include`?
        stderr: frank: binary.fk: this is no text: byte 4 is 0
        exit 2
    "#]]);
    dir.run("check --format json").expect(expect![[r#"
        stderr: frank: frank.toml:1:1: there is no setting `inclde`: did you mean `include`?
        stderr: frank: binary.fk: this is no text: byte 4 is 0
        exit 2
    "#]]);
}

/// GitHub takes names from the root of the repository on, wherever in it the check ran.
#[test]
fn names_are_relative_to_the_repository() {
    let dir = Dir::new(&[
        ("repo/sub/bad.fk", BAD),
        ("repo/other/bad.fk", BAD),
        ("out.fk", BAD),
    ]);
    let run = |args: &[&str], root: &str| {
        let mut command = dir.command_with(args);
        command.current_dir(dir.path().join("repo/sub"));
        command.env("GITHUB_WORKSPACE", dir.path().join(root));
        crate::support::finish(command, "").stdout
    };
    let annotations = ["check", "--format", "github", "bad.fk", "../other"];
    let shown = run(&annotations, "repo");
    assert!(
        shown.contains("::error file=sub/bad.fk,") && shown.contains("::error file=other/bad.fk,"),
        "{shown}"
    );
    // Of a root that the file is not below nothing can be said.
    let shown = run(&["check", "--format", "github", "bad.fk"], "elsewhere");
    assert!(shown.contains("::error file=bad.fk,"), "{shown}");
    let report = |args: &[&str], root: &str| -> Value {
        serde_json::from_str(&run(args, root)).expect("JSON")
    };
    let inside = report(&["check", "--format", "sarif"], "repo");
    let uri = "/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri";
    assert_eq!(
        inside.pointer(uri).and_then(Value::as_str),
        Some("sub/bad.fk")
    );
    let artifact = inside.pointer("/runs/0/artifacts/0/location/uri");
    assert_eq!(artifact.and_then(Value::as_str), Some("sub/bad.fk"));
    // People are where they are.
    assert!(run(&["check"], "repo").contains("--> bad.fk:2:13"));
}
