//! `frank build`, and the executables that it makes.

mod damage;

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

use expect_test::expect;

use crate::support::{BAD, Dir, GOOD, Run, command, finish, interrupt, without_reader};

/// Ends in each of the ways that there are.
const PROGRAM: &str = "\
include prelude
include lib

main : [Console] (List Int)
main! = map {x -> ouint x; ouch ' '; double x} (range 1 3)

outside : {Int}
outside! = evalState 1 (put 3; 1 + quotient get! 0)

echo : [Console] Unit
echo! = ouch inch!; echo!

greet : [Console] Int
greet! = print \"name: \"; greet2 inch!

greet2 : Char -> [Console] Int
greet2 c = printLine [c]; loop 0

loop : Int -> Int
loop n = loop (n + 1)

grow : List Int -> Int
grow xs = grow (1 :: xs)

eat : {Int}
eat! = grow []

talk : [Console] Unit
talk! = ouch 'x'; talk!

cells : [Console, RefState] Int
cells! = ouint 1; read (new 2)

lonely : [State Int] Int
lonely! = get! + 1
";
const LIB: &str = "\
double : Int -> Int
double n = n + n

-- Rounds down.
quotient : Int -> Int -> Int
quotient n m = n / m
";

fn programs() -> Dir {
    Dir::new(&[("p.fk", PROGRAM), ("lib.fk", LIB)])
}

/// An executable with some arguments, not yet started.
fn executable(path: impl AsRef<Path>, args: &[&str]) -> Command {
    let path = path.as_ref();
    command(path, args, path.parent().expect("a directory"))
}

fn start(dir: &Dir, name: &str, args: &[&str]) -> Run {
    finish(executable(dir.path().join(name), args), "")
}

fn build(dir: &Dir, args: &str) {
    let run = dir.run(&format!("build {args}"));
    assert_eq!(run.whole(), "exit 0\n", "{args}");
}

#[test]
fn an_executable_does_what_a_run_does() {
    let dir = programs();
    for (entry, input, code) in [
        ("main", "", 0),
        ("outside", "", 3),
        ("echo", "häß→🎉\n", 3),
        ("cells", "", 0),
    ] {
        let run = dir.run_input(&format!("run p.fk --entry {entry}"), input);
        build(&dir, &format!("p.fk --entry {entry} -o out"));
        let built = finish(executable(dir.path().join("out"), &[]), input);
        assert_eq!(built.whole(), run.whole(), "{entry}");
        assert_eq!(built.code, code, "{entry}");
    }
    // What nobody handles is said by who builds.
    let refused = dir.run("build p.fk --entry lonely -o out");
    let warning = "frank: warning: `lonely` needs `State`, which nobody handles here\n";
    assert_eq!((refused.stderr.as_str(), refused.code), (warning, 0));
    let run = dir.run("run p.fk --entry lonely");
    let built = start(&dir, "out", &[]);
    assert_eq!(format!("{warning}{}", built.stderr), run.stderr);
    assert_eq!(built.code, 3);
}

#[test]
fn an_executable_needs_nothing_of_what_it_was_made_of() {
    let dir = programs();
    build(&dir, "p.fk --entry outside");
    fs::remove_file(dir.path().join("p.fk")).expect("it was there");
    fs::remove_file(dir.path().join("lib.fk")).expect("it was there");
    fs::create_dir(dir.path().join("away")).expect("a directory");
    fs::rename(dir.path().join("p"), dir.path().join("away/renamed")).expect("it moves");
    symlink("away/renamed", dir.path().join("link")).expect("a link");
    let moved = start(&dir, "link", &[]);
    assert_eq!(moved.whole(), start(&dir, "away/renamed", &[]).whole());
    moved.expect(expect![[r#"
        stderr: error: division by zero in `3 / 0`
        stderr:  --> lib.fk:6:16
        stderr:   |
        stderr: 6 | quotient n m = n / m
        stderr:   |                ^^^^^
        stderr:   |
        stderr:   = note: with 3, 0
        stderr:   = note: the stack, from the inside:
        stderr:           in `quotient`, lib.fk:6:16
        stderr:           handled by `evalState`, library:/prelude.fk:572:1
        exit 3
    "#]]);
}

#[test]
fn an_executable_says_what_it_is() {
    let dir = programs();
    build(
        &dir,
        "p.fk --entry cells -o out --steps 1_000 --timeout 1500ms --memory 64MiB",
    );
    let said = start(&dir, "out", &["--frank-info"]);
    let (before, code) = said.stdout.split_once("code ").expect("its code");
    assert_eq!(
        before,
        format!(
            "program    p.fk\n\
             entry      cells : {{[Console, RefState]Int}}\n\
             frank      {}\n\
             limits     steps 1000, timeout 1.5s, memory 64MiB, output none\n\
             abilities  Console, RefState\n\
             may read   none\n\
             may write  none\n",
            env!("CARGO_PKG_VERSION")
        )
    );
    assert!(code.contains(" instructions in "), "{code}");
    assert!(code.ends_with("\nsources    p.fk\n"), "{code}");
    let said = start(&dir, "out", &["--frank-info=json"]);
    let said: serde_json::Value = serde_json::from_str(&said.stdout).expect("JSON");
    assert_eq!(
        said["limits"],
        serde_json::json!({
            "steps": 1000, "milliseconds": 1500, "memory": 64 << 20, "output": null
        })
    );
    assert_eq!(
        said["abilities"],
        serde_json::json!(["Console", "RefState"])
    );
    assert_eq!(said["entry"], "cells");
    assert_eq!(said["read"], serde_json::json!([]));
    assert!(said["instructions"].as_u64().is_some_and(|count| count > 0));
}

#[test]
fn an_executable_says_which_files_it_may_touch() {
    let dir = programs();
    dir.write(
        "reads.fk",
        "include file\n\nmain : [File] String\nmain! = readFile \"b.txt\"\n",
    );
    build(&dir, "reads.fk --read a.txt --read in --write out/made.txt");
    let said = start(&dir, "reads", &["--frank-info"]).stdout;
    assert!(
        said.contains("may read   a.txt, in\nmay write  out/made.txt\n"),
        "{said}"
    );
    let said = start(&dir, "reads", &["--frank-info=json"]);
    let said: serde_json::Value = serde_json::from_str(&said.stdout).expect("JSON");
    assert_eq!(said["read"], serde_json::json!(["a.txt", "in"]));
    assert_eq!(said["write"], serde_json::json!(["out/made.txt"]));
    // Its arguments are the program's, so that the advice is for who builds it.
    let refused = start(&dir, "reads", &[]).stderr;
    let advice = "`readFile` of `b.txt`: this executable may not read it; it has to be built with `frank build --read b.txt`";
    assert!(refused.contains(advice), "{refused}");
}

#[test]
fn other_arguments_are_the_programs() {
    let dir = programs();
    build(&dir, "p.fk");
    let plain = start(&dir, "p", &[]);
    assert_eq!(plain.whole(), "1 2 3 \n[2, 4, 6]\nexit 0\n");
    for args in [
        &["--help"][..],
        &["--version"],
        &["check", "."],
        &["--frank-info", "more"],
        &["--frank-information"],
        &["--color", "always"],
        &[""],
    ] {
        assert_eq!(start(&dir, "p", args).whole(), plain.whole(), "{args:?}");
    }
    // A shell asks `frank` for completions, and no program.
    let mut asked = executable(dir.path().join("p"), &["--", "p", ""]);
    asked.env("COMPLETE", "bash");
    assert_eq!(finish(asked, "").whole(), plain.whole());
}

#[test]
fn limits_are_built_in() {
    let dir = programs();
    dir.write("frank.toml", "[limits]\nsteps = 5_000_000\n");
    for (args, message) in [
        ("--entry eat", "the step limit is reached"),
        ("--entry talk --steps 100", "the step limit is reached"),
        (
            "--entry eat --steps 1_000_000_000_000 --memory 50MiB",
            "the memory limit is reached",
        ),
        (
            "--entry talk --steps 1_000_000_000_000 --timeout 100ms",
            "the time limit is reached",
        ),
        ("--entry echo --timeout 100ms", "the time limit is reached"),
    ] {
        build(&dir, &format!("p.fk -o out {args}"));
        // Waits for input until it is ended.
        let mut child = executable(dir.path().join("out"), &[])
            .spawn()
            .expect("it starts");
        let stdin = child.stdin.take();
        let output = child.wait_with_output().expect("it ends");
        drop(stdin);
        let said = String::from_utf8_lossy(&output.stderr);
        let expected = format!("error: {message}\n");
        assert!(said.starts_with(&expected), "{args}: {said}");
        assert_eq!(output.status.code(), Some(3), "{args}");
    }
}

#[test]
fn known_handlers_are_the_builders_choice() {
    let dir = programs();
    let instructions = |args: &str| {
        build(&dir, &format!("p.fk --entry outside -o out {args}"));
        let said = start(&dir, "out", &["--frank-info=json"]);
        let said: serde_json::Value = serde_json::from_str(&said.stdout).expect("JSON");
        said["instructions"].as_u64().expect("a number")
    };
    let text = "\
include prelude

interface Ask = ask : Int -> Int

answer : <Ask> Int -> Int
answer x            = x
answer <ask n -> k> = answer (k (n + 1))

work : Int -> [Ask] Int
work 0 = 0
work n = ask n + work (n - 1)

outside : {Int}
outside! = answer (work 3)
";
    dir.write("p.fk", text);
    assert_ne!(instructions(""), instructions("--no-specialise"));
    assert_eq!(start(&dir, "out", &[]).whole(), "9\nexit 0\n");
}

#[test]
fn equal_programs_are_equal_executables() {
    let dir = programs();
    build(&dir, "p.fk -o one");
    let elsewhere = programs();
    build(&elsewhere, "p.fk -o two");
    let one = dir.path().join("one");
    assert_eq!(first_difference(&one, &elsewhere.path().join("two")), None);
    let mut behind = Vec::new();
    let mut file = File::open(&one).expect("there");
    file.seek(SeekFrom::End(-10_000)).expect("so long");
    file.read_to_end(&mut behind).expect("bytes");
    let place = dir.path().to_str().expect("text").as_bytes();
    let mut parts = behind.windows(place.len());
    assert!(
        parts.all(|part| part != place),
        "it says where it was built"
    );
}

#[test]
fn what_cannot_be_run_is_not_built() {
    let dir = Dir::new(&[
        ("bad.fk", BAD),
        ("good.fk", GOOD),
        ("f.fk", "f : Int -> Int\nf x = x\n"),
        ("nothing/frank.toml", "limtis = 1\n"),
        ("nothing/good.fk", GOOD),
    ]);
    assert_eq!(
        dir.run("build bad.fk").whole(),
        dir.run("run bad.fk").whole()
    );
    dir.run("build good.fk --entry mian").expect(expect![[r#"
        stderr: frank: there is no operator `mian` to run; did you mean `--entry main`?
        exit 2
    "#]]);
    dir.run("build f.fk --entry f").expect(expect![[r#"
        stderr: frank: `f` cannot be run: it takes arguments; an executable begins with an operator that takes none, such as `main : {Int}`, which may call it
        exit 2
    "#]]);
    dir.run("build goood.fk").expect(expect![[r#"
        stderr: frank: goood.fk: there is no such file or directory: did you mean `good.fk`?
        exit 2
    "#]]);
    assert_eq!(dir.run("build nothing/good.fk").code, 2);
    assert_eq!(dir.run("build .").code, 2);
    assert_eq!(dir.run("build").code, 2);
    assert_eq!(dir.run("build good.fk --steps -1").code, 2);
    let left = fs::read_dir(dir.path()).expect("a directory").count();
    assert_eq!(left, 4, "nothing was written");
}

#[test]
fn what_is_in_the_way_stays() {
    let dir = Dir::new(&[
        ("p.fk", "include lib\nmain : {Int}\nmain! = two!\n"),
        ("lib.fk", "two : {Int}\ntwo! = 2\n"),
        ("plain", GOOD),
    ]);
    fs::create_dir(dir.path().join("p")).expect("a directory");
    symlink("lib.fk", dir.path().join("link")).expect("a link");
    for (args, said) in [
        ("p.fk", "p: this is a directory"),
        ("p.fk -o .", ".: this is a directory"),
        ("p.fk -o p.fk", "p.fk: this is a file of the program"),
        ("p.fk -o ./lib.fk", "lib.fk: this is a file of the program"),
        ("p.fk -o link", "link: this is a file of the program"),
        ("plain", "plain: this is a file of the program"),
        (
            "p.fk -o nowhere/out",
            "nowhere/out: not written: the directory that it is to be in is not there; make that first\n",
        ),
        ("p.fk -o /dev/full", "/dev/full: not written, "),
        (
            "- -o",
            "a value is required for '--output <PATH>' but none was supplied",
        ),
    ] {
        let run = dir.run(&format!("build {args}"));
        assert_eq!(run.code, 2, "{args}: {}", run.whole());
        assert!(run.stderr.contains(said), "{args}: {}", run.stderr);
    }
    let own = dir.run_with(&["build", "p.fk", "-o", env!("CARGO_BIN_EXE_frank")]);
    assert!(own.stderr.contains(": this is `frank` itself; "));
    assert_eq!(own.code, 2);
    let full = fs::metadata("/dev/full").expect("a device");
    assert!(!full.is_file(), "a device stays one");
    assert_eq!(dir.read("lib.fk"), "two : {Int}\ntwo! = 2\n");
    assert_eq!(dir.read("plain"), GOOD);
}

#[test]
fn standard_input_has_no_name() {
    let dir = Dir::new(&[]);
    dir.run_input("build -", GOOD).expect(expect![[r#"
        stderr: frank: a program from standard input has no name: `--output PATH` says what to call the executable
        exit 2
    "#]]);
    assert_eq!(dir.run_input("build - -o out", GOOD).whole(), "exit 0\n");
    assert_eq!(start(&dir, "out", &[]).whole(), "2\nexit 0\n");
    let bad = "main : {Int}\nmain! = 1 / 0\n";
    assert_eq!(dir.run_input("build - -o out", bad).code, 0);
    let (built, run) = (start(&dir, "out", &[]), dir.run_input("run -", bad));
    assert_eq!(built.whole(), run.whole());
}

/// A disk that is full while the program is written leaves what was there.
#[test]
fn a_limit_on_files_leaves_the_old_program() {
    let dir = programs();
    build(&dir, "p.fk");
    let mut shell = Command::new("sh");
    let script = "ulimit -f 100; \"$FRANK\" build p.fk --entry cells";
    shell
        .args(["-c", script])
        .env("FRANK", env!("CARGO_BIN_EXE_frank"))
        .current_dir(dir.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let run = finish(shell, "");
    assert_eq!(run.code, 2);
    let said = "frank: p: not written, and left as it was: ";
    assert!(run.stderr.starts_with(said), "{}", run.stderr);
    assert_eq!(start(&dir, "p", &[]).code, 0);
    let mut names: Vec<_> = fs::read_dir(dir.path())
        .expect("a directory")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    names.sort();
    assert_eq!(names, ["lib.fk", "p", "p.fk"]);
}

#[test]
fn a_program_that_runs_is_replaced() {
    let dir = programs();
    build(&dir, "p.fk --entry echo");
    let mut child = executable(dir.path().join("p"), &[])
        .spawn()
        .expect("it starts");
    let (mut stdin, mut stdout) = (
        child.stdin.take().expect("piped"),
        child.stdout.take().expect("piped"),
    );
    let mut answer = [0; 1];
    stdin.write_all(b"a").expect("it reads");
    stdout.read_exact(&mut answer).expect("it answers");
    build(&dir, "p.fk --entry main");
    stdin.write_all(b"b").expect("it reads");
    stdout.read_exact(&mut answer).expect("it answers still");
    assert_eq!(&answer, b"b");
    drop(stdin);
    assert_eq!(child.wait().expect("it ends").code(), Some(3));
    assert_eq!(start(&dir, "p", &[]).stdout, "1 2 3 \n[2, 4, 6]\n");
}

#[test]
fn names_may_be_any_bytes() {
    let dir = programs();
    let name = std::ffi::OsString::from_vec(b"na\xffme".to_vec());
    let path = dir.path().join(name);
    let mut command = dir.command("build p.fk -o");
    command.arg(&path);
    assert_eq!(finish(command, "").whole(), "exit 0\n");
    assert_eq!(finish(executable(&path, &[]), "").code, 0);
    let mut command = dir.command("build p.fk -o");
    command.arg(path.join("below"));
    let run = finish(command, "");
    assert_eq!(run.code, 2, "{}", run.whole());
}

/// Where two files differ first.
pub(crate) fn first_difference(one: &Path, two: &Path) -> Option<u64> {
    let mut readers = [one, two].map(|path| BufReader::new(File::open(path).expect("there")));
    let mut at = 0;
    loop {
        let [one, two] = readers
            .each_mut()
            .map(|reader| reader.fill_buf().expect("bytes"));
        let length = one.len().min(two.len());
        if let Some(differs) = (0..length).find(|i| one[*i] != two[*i]) {
            return Some(at + differs as u64);
        }
        if length == 0 {
            return (one.len() != two.len()).then_some(at);
        }
        for reader in &mut readers {
            reader.consume(length);
        }
        at += length as u64;
    }
}

/// Who may start a program and not read it gets nothing else instead.
#[test]
fn a_program_that_may_not_be_read() {
    let dir = programs();
    build(&dir, "p.fk");
    let path = dir.path().join("p");
    let mode = |path: &Path, mode: u32| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("a mode");
    };
    mode(dir.path(), 0o755);
    mode(&path, 0o111);
    let mut command = executable(&path, &[]);
    if rustix::process::geteuid().is_root() {
        // Who may read everything becomes somebody else.
        std::os::unix::process::CommandExt::uid(&mut command, 65534);
    }
    finish(command, "").expect(expect![[r#"
        stderr: frank: this program cannot read its own file: Permission denied (os error 13); who starts it has to be allowed to read it
        exit 2
    "#]]);
}

#[test]
fn interrupts_and_readers_end_it_as_they_end_a_run() {
    let dir = programs();
    build(&dir, "p.fk --entry greet -o out");
    let mut child = executable(dir.path().join("out"), &[])
        .spawn()
        .expect("it starts");
    let mut stdin = child.stdin.take().expect("piped");
    stdin.write_all(b"x").expect("it reads");
    let mut before = [0; 8];
    let mut stdout = child.stdout.take().expect("piped");
    stdout.read_exact(&mut before).expect("it prints");
    assert_eq!(&before, b"name: x\n");
    interrupt(&child);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("the run was interrupted"), "{said}");

    build(&dir, "p.fk --entry talk -o out");
    let ended = without_reader(executable(dir.path().join("out"), &[]));
    assert_eq!(ended, (0, String::new()));
    let to_full = |mut command: Command| {
        let full = File::options().write(true).open("/dev/full");
        command.stdout(full.expect("a device"));
        finish(command, "").whole()
    };
    let built = to_full(executable(dir.path().join("out"), &[]));
    assert_eq!(built, to_full(dir.command("run p.fk --entry talk")));
    assert!(built.contains("No space left on device"), "{built}");
}

#[test]
fn the_examples_do_as_executables_what_they_do_in_a_run() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/examples");
    let dir = Dir::new(&[]);
    let mut built = 0;
    for entry in fs::read_dir(root).expect("examples") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "fk") {
            continue;
        }
        let path = path.to_str().expect("text");
        let run = dir.run_with(&["run", path]);
        let made = dir.run_with(&["build", path, "-o", "out"]);
        if made.code == 0 {
            assert_eq!(start(&dir, "out", &[]).whole(), run.whole(), "{path}");
            built += 1;
        } else {
            assert_eq!(made.whole(), run.whole(), "{path}");
        }
    }
    assert!(built > 10);
}
