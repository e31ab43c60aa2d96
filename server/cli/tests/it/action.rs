//! The scripts behind the workflow action and the hooks, with the real binary.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use expect_test::expect;

use crate::support::{BAD, Dir, GOOD, Run, WARNING, finish};

fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.ancestors().nth(2).expect("a workspace").to_owned()
}

/// Runs a script of `action` in a directory, with variables.
fn script(dir: &Dir, name: &str, args: &[&str], variables: &[(&str, &str)]) -> Run {
    let mut command = Command::new(root().join("action").join(name));
    command
        .args(args)
        .current_dir(dir.path())
        .env("FRANK", env!("CARGO_BIN_EXE_frank"))
        .env_remove("GITHUB_STEP_SUMMARY")
        .env_remove("GITHUB_WORKSPACE")
        .envs(variables.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    finish(command, "")
}

#[test]
fn a_workflow_gets_annotations_a_summary_and_reports() {
    let dir = Dir::new(&[("a.fk", GOOD), ("sub dir/b.fk", BAD), ("c.fk", WARNING)]);
    let run = script(
        &dir,
        "check",
        &[],
        &[
            ("FRANK_PATHS", "a.fk\nsub dir\n"),
            ("FRANK_SARIF", "frank.sarif"),
            ("FRANK_JUNIT", "frank.xml"),
            ("GITHUB_STEP_SUMMARY", "summary.md"),
        ],
    );
    run.expect(expect![[r#"
        ::error file=sub dir/b.fk,line=2,endLine=2,col=13,endColumn=16,title=FK0210::arithmetic and comparisons take numbers, but this has type `String`%0Asub dir/b.fk:2:11: both operands of `+` have one number type%0Ahelp: strings are put together by the prelude's `append`
        exit 1
    "#]]);
    let log: serde_json::Value = serde_json::from_str(&dir.read("frank.sarif")).expect("JSON");
    assert_eq!(log["runs"][0]["results"][0]["ruleId"], "FK0210");
    assert!(
        dir.read("frank.xml")
            .contains("tests=\"2\" skipped=\"0\" failures=\"1\"")
    );
    let summary = dir.read("summary.md");
    assert!(
        summary.starts_with("## frank check\n````text\nerror[FK0210]")
            && summary.ends_with("checked 2 files: 1 error\n````\n"),
        "{summary}"
    );
}

#[test]
fn a_workflow_ends_as_the_check_does() {
    let dir = Dir::new(&[("c.fk", WARNING), ("good/a.fk", GOOD), ("-x.fk", GOOD)]);
    dir.write("strict.toml", "[severity]\nFK0403 = \"error\"\n");
    let code = |variables: &[(&str, &str)]| script(&dir, "check", &[], variables).code;
    assert_eq!(code(&[]), 0);
    assert_eq!(code(&[("FRANK_WARNINGS", "deny")]), 1);
    assert_eq!(code(&[("FRANK_WARNINGS", "perhaps")]), 2);
    assert_eq!(code(&[("FRANK_CONFIG", "strict.toml")]), 1);
    assert_eq!(
        code(&[("FRANK_CONFIG", "strict.toml"), ("FRANK_PATHS", "good")]),
        0
    );
    assert_eq!(code(&[("FRANK_PATHS", "nowhere")]), 2);
    assert_eq!(code(&[("FRANK_PATHS", "-x.fk")]), 0);
}

/// Workflows are written with blanks and line ends that nobody sees.
#[test]
fn a_workflow_names_paths_as_it_likes() {
    let dir = Dir::new(&[("a b.fk", GOOD), ("c.fk", BAD)]);
    let paths = ("FRANK_PATHS", "  a b.fk \t\r\n\r\n");
    assert_eq!(script(&dir, "check", &[], &[paths]).whole(), "exit 0\n");
}

/// A report that is not there must not look like a check that found nothing.
#[test]
fn a_workflow_fails_without_its_reports() {
    let dir = Dir::new(&[("a.fk", GOOD), ("b.fk", BAD)]);
    let run = |variables: &[(&str, &str)]| script(&dir, "check", &[], variables);
    let good = ("FRANK_PATHS", "a.fk");
    for name in ["FRANK_SARIF", "FRANK_JUNIT"] {
        let nowhere = (name, "no%dir/report");
        let found = run(&[good, nowhere]);
        assert_eq!(found.code, 2, "{}", found.whole());
        assert_eq!(
            found.stdout,
            "::error title=frank::the report no%25dir/report could not be written\n"
        );
        let found = run(&[nowhere]);
        assert!(
            found.code == 1 && found.stdout.contains("could not be written"),
            "{}",
            found.whole()
        );
        // Arguments that make no sense leave no empty report behind.
        assert_eq!(
            run(&[good, ("FRANK_WARNINGS", "perhaps"), (name, "report")]).code,
            2
        );
        assert!(!dir.path().join("report").exists());
        #[cfg(target_os = "linux")]
        assert_eq!(run(&[good, (name, "/dev/full")]).code, 2);
        // A file that cannot be checked is in the report.
        assert_eq!(
            run(&[("FRANK_PATHS", "a.fk\nc.fk"), (name, "report")]).code,
            2
        );
        assert!(dir.read("report").contains("c.fk"));
        std::fs::remove_file(dir.path().join("report")).expect("a report");
    }
}

/// A baseline that somebody forgot to commit must not accept everything.
#[test]
fn a_workflow_needs_the_baseline_that_it_names() {
    let dir = Dir::new(&[("b.fk", BAD)]);
    let variables = [("FRANK_BASELINE", "base.json")];
    let run = script(&dir, "check", &[], &variables);
    assert_eq!(run.code, 2);
    assert!(
        run.stdout.starts_with("::error") && run.stdout.contains("base.json"),
        "{}",
        run.whole()
    );
    assert!(!dir.path().join("base.json").exists());
    assert_eq!(dir.run("check --baseline base.json").code, 0);
    assert_eq!(script(&dir, "check", &[], &variables).code, 0);
    dir.write("c.fk", BAD);
    assert_eq!(script(&dir, "check", &[], &variables).code, 1);
}

#[test]
fn hooks_pass_arguments_on() {
    let dir = Dir::new(&[("b.fk", BAD), ("long.fk", "main : {Int}  \nmain! = 1\n")]);
    assert_eq!(script(&dir, "pre-commit", &["check"], &[]).code, 1);
    assert_eq!(script(&dir, "pre-commit", &["fmt", "long.fk"], &[]).code, 0);
    assert_eq!(dir.read("long.fk"), "main : {Int}\nmain! = 1\n");
    // Names of files come behind the arguments, whatever they begin with.
    dir.write("-dash.fk", "main : {Int}  \nmain! = 1\n");
    let run = script(&dir, "pre-commit", &["fmt", "--check", "-dash.fk"], &[]);
    assert_eq!(run.whole(), "-dash.fk\nexit 1\n");
}

#[test]
fn the_name_of_the_source_changes_with_it() {
    let key = || {
        let script = root().join("action/source-key");
        let output = Command::new(script).output().expect("a script");
        String::from_utf8(output.stdout).expect("text")
    };
    let first = key();
    assert!(
        first.starts_with("key=") && first.trim_end().len() == 44,
        "{first}"
    );
    assert_eq!(key(), first);
}

/// What the action passes is what the script reads, and what it uses is what it declares.
#[test]
fn the_action_and_its_script_agree() {
    let action = std::fs::read_to_string(root().join("action.yml")).expect("the action");
    let read = |name: &str| std::fs::read_to_string(root().join("action").join(name));
    let scripts = ["check", "download"].map(|name| read(name).expect("the script"));
    let words = |text: &str| -> BTreeSet<String> {
        let parts = text.split(|c: char| !c.is_ascii_uppercase() && c != '_');
        let variables = parts.filter(|word| word.starts_with("FRANK"));
        variables.map(str::to_owned).collect()
    };
    assert_eq!(words(&action), words(&scripts.concat()));
    let (_, inputs) = action.split_once("\ninputs:\n").expect("inputs");
    let (inputs, steps) = inputs.split_once("\nruns:\n").expect("steps");
    let declared: BTreeSet<&str> = inputs
        .lines()
        .filter_map(|line| line.strip_prefix("  ")?.strip_suffix(':'))
        .filter(|line| !line.starts_with(' '))
        .collect();
    let page = std::fs::read_to_string(root().join("docs/ci/github.md")).expect("the page");
    for input in &declared {
        assert!(
            page.contains(&format!("\n| `{input}` |")),
            "{input} is not documented"
        );
    }
    let used: BTreeSet<&str> = steps
        .split("inputs.")
        .skip(1)
        .filter_map(|rest| {
            rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '-')
                .next()
        })
        .collect();
    assert_eq!(declared, used);
    let hooks = std::fs::read_to_string(root().join(".pre-commit-hooks.yaml")).expect("the hooks");
    let page = std::fs::read_to_string(root().join("docs/ci/pre-commit.md")).expect("the page");
    for hook in hooks.lines().filter_map(|line| line.strip_prefix("- id: ")) {
        assert!(
            page.contains(&format!("\n| `{hook}` |")),
            "{hook} is not documented"
        );
    }
    let named = action
        .split("$GITHUB_ACTION_PATH/")
        .skip(1)
        .chain(hooks.split("entry: ").skip(1));
    let scripts: Vec<&str> = named
        .filter_map(|rest| rest.split([' ', '"', '\n']).next())
        .collect();
    assert!(scripts.len() >= 6, "{scripts:?}");
    for script in scripts {
        assert!(root().join(script).is_file(), "{script}");
    }
}
