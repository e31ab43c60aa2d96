//! Names, settings, programs and arguments that hold what terminals and services obey: it is shown,
//! and never said as it is, by any command in any form.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::support::{Dir, Run, finish};

/// What a terminal obeys, what begins a line, what ends a block of Markdown, and what turns text round.
const EVIL: &str =
    "x\u{1b}]0;t\u{7}\u{9b}31m\u{7f}\r\n::error title=forged::\n````\n\u{202e}\u{200b}\u{2028}y";

/// A name of a file or directory, which `/` would end.
fn evil(extension: &str) -> String {
    format!("{EVIL}{extension}")
}

fn project() -> Dir {
    let string: String = EVIL.chars().filter(|c| !matches!(c, '\r' | '\n')).collect();
    let comment: String = EVIL.replace('\n', "\n-- ");
    let program = format!(
        "-- {comment}\n-- > \"{string}\"\n-- = \"{string}!\"\n-- > '{string}\n\ninclude nowhere\n\nf : Int -> Int\nf \"{string}\" = 1\n\n\
         main : {{String}}\nmain! = \"{string}\"\n\ng : {{Int}}\ng! = {string} 1 + \"{string}\"\n\
         fail : {{Int}}\nfail! = 1\n::error title=forged::x\n````\n"
    );
    let right = format!(
        "include prelude\n\nmain : {{String}}\nmain! = \"{string}\"\n\nbad : {{Int}}\nbad!  = error \"{string}\"\n\n\
         square : Int -> Int\nsquare x = x * x\n"
    );
    let config = format!(
        "include = [{0}, 3]\n[severity]\n{0} = \"error\"\nFK0403 = {0}\n[limits]\n{0} = 1\nsteps = {0}\ntimeout = {0}\n[{0}]\n{0} = 1\n",
        toml(EVIL)
    );
    let dir = Dir::new(&[("frank.toml", &config), ("right.fk", &right)]);
    dir.write(&evil(".fk"), &program);
    dir.write(&format!("{}/inner.fk", evil("")), &program);
    dir.write(&format!("{}/{}", evil(""), evil(".fk")), &right);
    dir.write(&format!("{}/binary.fk", evil("")), "\0");
    dir.write("::error title=forged::.fk", "f  :   {Int}\nf! = 1\n");
    let accepted = serde_json::json!({ "version": 2, "findings": [
        { "file": EVIL, "code": EVIL, "message": EVIL, "line": EVIL, "count": 1 }] });
    dir.write(&evil(".json"), accepted.to_string());
    dir.write(&evil(".toml"), EVIL);
    dir
}

fn toml(text: &str) -> String {
    serde_json::to_string(text)
        .expect("JSON")
        .replace('\u{7f}', "\\u007f")
}

/// What is wrong with a text that people or services read.
fn mistakes(text: &str, ours: &dyn Fn(&str) -> bool) -> Vec<String> {
    let obeyed = |c: &char| {
        (c.is_control() && !matches!(c, '\n' | '\t'))
            || matches!(c, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let characters = text
        .chars()
        .filter(obeyed)
        .map(|c| format!("U+{:04X}", c as u32));
    let lines = text
        .lines()
        .filter(|line| line.trim_start().starts_with("::") && line.trim() != ":::" && !ours(line));
    characters.chain(lines.map(str::to_owned)).collect()
}

#[track_caller]
fn check(what: &str, run: &Run, ours: &dyn Fn(&str) -> bool) {
    for (stream, text) in [("stdout", &run.stdout), ("stderr", &run.stderr)] {
        let mistakes = mistakes(text, ours);
        assert!(
            mistakes.is_empty(),
            "{what}: {stream}: {mistakes:?}\n{text}"
        );
    }
}

/// A workflow command of ours says which file it is about, and what was found there.
fn annotation(line: &str) -> bool {
    [
        "::error file=",
        "::warning file=",
        "::notice file=",
        "::error title=frank::",
    ]
    .iter()
    .any(|start| line.starts_with(start))
}

#[test]
fn no_command_says_as_it_is_what_it_was_given() {
    let (program, json, config) = (evil(".fk"), evil(".json"), evil(".toml"));
    let directory = evil("");
    let inner = format!("{directory}/{program}");
    let option = format!("--{EVIL}");
    let mut commands: Vec<Vec<&str>> = vec![
        vec!["check", "--config", &config],
        vec!["check", "--baseline", EVIL, "right.fk"],
        vec!["check", "-I", EVIL, EVIL],
        vec!["check", "--verbose"],
        vec!["check", EVIL],
        vec!["check", "--warnings", EVIL],
        vec!["check", &option],
        vec!["fmt", "--check"],
        vec!["fmt", "--check", EVIL],
        vec!["test"],
        vec!["test", "--timeout", EVIL],
        vec!["run", "right.fk", "--entry", EVIL],
        vec!["run", "right.fk", "--entry", "bad"],
        vec!["run", &inner],
        vec!["run", &program],
        vec!["run", &directory],
        vec!["run", "right.fk", "--memory", EVIL],
        vec!["eval", EVIL],
        vec!["eval", "right.fk", EVIL],
        vec!["eval", EVIL, "1"],
        vec!["eval", "right.fk", "main!"],
        vec!["derive", "right.fk", EVIL],
        vec!["derive", &inner, "square"],
        vec!["derive", &inner, "square", "--at", EVIL],
        vec!["derive", &inner, "square", "--at", "2", "--json"],
        vec!["derive", &inner, "bad"],
        vec!["find", EVIL],
        vec!["find", "Int -> Int", EVIL],
        vec!["find", "Int -> Int"],
        vec!["find", "Int", "--format", "json"],
        vec!["explain", EVIL],
        vec!["completions", EVIL],
        vec!["lsp", "--tcp", EVIL],
        vec!["lsp", "--log", &inner, "--tcp", "192.0.2.1:1"],
        vec![EVIL],
        vec![EVIL, "--help"],
        vec!["repl", EVIL],
        vec!["repl", &inner],
        vec!["repl", &program],
    ];
    for format in ["human", "json", "github", "sarif", "junit"] {
        commands.push(vec!["check", "--format", format]);
        commands.push(vec![
            "check",
            "--color",
            "never",
            "--format",
            format,
            "--baseline",
            &json,
        ]);
    }
    let input = format!(
        ":type \"{0}\"\n:{0}\n{0} = 1\nf : {{String}}\nf! = \"{0}\"\nf!\n:list\n:load {0}\n",
        EVIL.replace(['\r', '\n'], " ")
    );
    for args in commands {
        let dir = project();
        // What a program is given as an argument is without NUL; all else is allowed.
        let run = finish(dir.command_with(&args), &input);
        check(&format!("{args:?}"), &run, &annotation);
        for word in ["panicked", "internal error"] {
            assert!(!run.stderr.contains(word), "{args:?}: {}", run.stderr);
        }
    }
    let dir = project();
    let fixed = dir.run("check --fix");
    check("--fix", &fixed, &|_| false);
    check("fmt", &dir.run("fmt"), &|_| false);
}

#[test]
fn a_difference_names_files_as_patch_reads_them() {
    let dir = Dir::new(&[]);
    dir.write(&evil(".fk"), "f  :  {Int}\nf! = 1\n");
    let difference = dir.run("fmt --diff");
    check("fmt --diff", &difference, &|_| false);
    assert!(
        difference
            .stdout
            .starts_with("--- \"a/x\\033]0;t\\007\\302\\23331m"),
        "{}",
        difference.stdout
    );
    check("check --diff", &dir.run("check --diff"), &|_| false);
}

#[test]
fn the_name_of_the_program_is_not_said_either() {
    let dir = Dir::new(&[]);
    let program = dir.path().join(evil(""));
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_frank"), &program).expect("a link");
    for args in ["--help", "check --help", "--version", "chekc"] {
        let mut command = Command::new(&program);
        command.args(args.split(' ')).current_dir(dir.path());
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        check(args, &finish(command, ""), &|_| false);
    }
}

#[test]
fn a_summary_is_one_block() {
    let dir = project();
    let root: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("a workspace")
        .to_owned();
    // What the author of a workflow wrote himself has no text that is turned round.
    let typed = EVIL.replace(['\u{202e}', '\u{200b}', '\u{2028}'], "");
    for (variable, value) in [
        ("FRANK_CONFIG", evil(".toml")),
        ("FRANK_BASELINE", evil(".json")),
        ("FRANK_BASELINE", typed.clone()),
        ("FRANK_SARIF", format!("{typed}/none")),
    ] {
        let mut command = Command::new(root.join("action/check"));
        command
            .current_dir(dir.path())
            .env("FRANK", env!("CARGO_BIN_EXE_frank"))
            .env("GITHUB_STEP_SUMMARY", dir.path().join("summary.md"))
            .env(variable, OsStr::new(&value))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let run = finish(command, "");
        let annotations: Run = Run {
            code: run.code,
            stdout: run.stdout,
            stderr: String::new(),
        };
        check("action/check", &annotations, &annotation);
    }
    let summary = dir.read("summary.md");
    let wrong = mistakes(&summary, &|_| false);
    assert!(wrong.is_empty(), "{wrong:?}\n{summary}");
    // Every fence of the file is one that the script wrote: they open and close by turns.
    let fences: Vec<&str> = summary
        .lines()
        .filter(|line| line.trim_start().starts_with("````"))
        .collect();
    assert!(
        fences.len() >= 4 && fences.len().is_multiple_of(2),
        "{summary}"
    );
    for pair in fences.chunks(2) {
        assert_eq!(pair[0], format!("{}text", pair[1]), "{summary}");
    }
}
