//! What happens to files that commands write: all of it or nothing, and only where the user meant.

use std::fs::{self, hard_link};
use std::io::Write;
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};

use expect_test::expect;

use crate::support::{BAD, Dir, GOOD, finish};

/// A program with a slip that has a safe fix, and one that cannot be formatted to what it is.
const SLIP: &str = "main : {Int}\nmain! = twcie 2\n\ntwice : Int -> Int\ntwice n = n + n\n";
const FIXED: &str = "main : {Int}\nmain! = twice 2\n\ntwice : Int -> Int\ntwice n = n + n\n";
const UNTIDY: &str = "main   : {Int}\nmain!   = 1\n";
const TIDY: &str = "main : {Int}\nmain! = 1\n";

fn pipe(dir: &Dir, name: &str) {
    let made = Command::new("mkfifo").arg(dir.path().join(name)).status();
    assert!(made.expect("mkfifo").success());
}

/// Names in a directory, drafts among them.
fn names(dir: &Dir, directory: &str) -> Vec<String> {
    let entries = fs::read_dir(dir.path().join(directory)).expect("a directory");
    let names = entries.flatten().map(|entry| entry.file_name());
    let mut names: Vec<String> = names.map(|name| name.display().to_string()).collect();
    names.sort();
    names
}

#[test]
fn a_limit_on_files_leaves_them_whole() {
    let untidy = format!("{UNTIDY}{}", "-- a comment\n".repeat(8_000));
    let slip = format!("{SLIP}{}", "-- a comment\n".repeat(8_000));
    let dir = Dir::new(&[("a.fk", &untidy), ("slip.fk", &slip)]);
    let limited = |args: &str| {
        let mut shell = dir.command("");
        let frank = shell.get_program().to_owned();
        let script = format!("ulimit -f 10; \"$FRANK\" {args}");
        shell = Command::new("sh");
        shell
            .args(["-c", &script])
            .env("FRANK", frank)
            .current_dir(dir.path());
        shell
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        finish(shell, "")
    };
    let run = limited("fmt a.fk");
    assert_eq!(run.code, 2);
    assert!(
        run.stderr
            .contains("a.fk: not written, and left as it was: "),
        "{}",
        run.stderr
    );
    assert_eq!(dir.read("a.fk"), untidy);
    let run = limited("check --fix slip.fk");
    assert_eq!(run.code, 1, "{}", run.whole());
    assert!(
        run.stdout.contains("checked 1 file: 1 error"),
        "what is not written is not fixed: {}",
        run.stdout
    );
    assert_eq!(dir.read("slip.fk"), slip);
    assert_eq!(names(&dir, "."), ["a.fk", "slip.fk"]);
}

#[test]
fn what_was_saved_meanwhile_stays() {
    let dir = Dir::new(&[("a.fk", SLIP), ("b.fk", SLIP)]);
    pipe(&dir, "last");
    let child = dir
        .command("check --fix a.fk b.fk last")
        .spawn()
        .expect("the binary starts");
    // The files are read in the order of the arguments: who opens the pipe has read the others.
    let mut last = fs::File::options()
        .write(true)
        .open(dir.path().join("last"))
        .expect("a pipe");
    let newer = format!("-- newer\n{SLIP}");
    dir.write("a.fk", &newer);
    last.write_all(GOOD.as_bytes()).expect("written");
    drop(last);
    let output = child.wait_with_output().expect("the binary ends");
    let said = String::from_utf8(output.stderr).expect("text");
    assert!(said.contains("frank: fixed 1 file of 2\n"), "{said}");
    assert!(
        said.contains("frank: a.fk: not written: it has changed since it was read"),
        "{said}"
    );
    assert_eq!(
        output.status.code(),
        Some(1),
        "the newer text has the error"
    );
    assert_eq!(dir.read("a.fk"), newer);
    assert_eq!(dir.read("b.fk"), FIXED);
}

#[test]
fn fixes_stay_in_the_project() {
    let dir = Dir::new(&[
        ("p/frank.toml", "include = [\"../elsewhere\"]\n"),
        (
            "p/main.fk",
            "include lib\ninclude l\ninclude near\nhere : {Int}\nhere! = near!\n",
        ),
        ("elsewhere/lib.fk", "lib : {Int}\nlib! = lbi!\n"),
        ("secret.txt", "secret : {Int}\nsecret! = scret!\n"),
        ("p/near.fk", "near : {Int}\nnear! = naer!\n"),
    ]);
    symlink("../secret.txt", dir.path().join("p/l.fk")).expect("a link");
    let before = (dir.read("elsewhere/lib.fk"), dir.read("secret.txt"));
    let run = dir.run("check --fix p");
    assert_eq!(run.code, 1, "{}", run.whole());
    assert!(
        run.stderr.contains("frank: fixed 1 finding in 1 file\n"),
        "{}",
        run.stderr
    );
    for name in ["p/l.fk", "elsewhere/lib.fk"] {
        let line = run
            .stderr
            .lines()
            .find(|line| line.contains(&format!("{name}: not fixed")));
        assert!(
            line.is_some_and(|line| line.contains("outside of the project")),
            "{}",
            run.stderr
        );
    }
    assert_eq!(
        (dir.read("elsewhere/lib.fk"), dir.read("secret.txt")),
        before
    );
    assert_eq!(dir.read("p/near.fk"), "near : {Int}\nnear! = near!\n");
    // Without errors the refusal is what is left.
    dir.write(
        "elsewhere/lib.fk",
        "lib : {Int}\nlib! =\n  let unused = 1 in 2\n",
    );
    dir.write("secret.txt", "secret : {Int}\nsecret! = 1\n");
    let run = dir.run("check --fix p");
    assert_eq!(run.code, 2, "{}", run.whole());
    // What the user names is written through.
    dir.write("secret.txt", &before.1);
    let run = dir.run("check --fix p/l.fk");
    assert_eq!(run.code, 0, "{}", run.whole());
    assert_eq!(
        dir.read("secret.txt"),
        "secret : {Int}\nsecret! = secret!\n"
    );
    assert!(
        dir.path()
            .join("p/l.fk")
            .symlink_metadata()
            .expect("there")
            .is_symlink()
    );
}

#[test]
fn formatting_stays_where_it_was_sent() {
    let dir = Dir::new(&[
        ("p/a.fk", UNTIDY),
        ("other/b.fk", UNTIDY),
        ("secret.txt", UNTIDY),
        ("twice/c.fk", UNTIDY),
    ]);
    symlink("../other", dir.path().join("p/lib")).expect("a link");
    symlink("../secret.txt", dir.path().join("p/l.fk")).expect("a link");
    dir.run("fmt p").expect(expect![[r#"
        stderr: frank: p/l.fk: not formatted: the link leads out of what was named
        stderr: frank: p/lib: not formatted: the link leads out of what was named
        stderr: frank: formatted 1 file
        exit 0
    "#]]);
    assert_eq!(
        [dir.read("other/b.fk"), dir.read("secret.txt")],
        [UNTIDY, UNTIDY]
    );
    assert_eq!(dir.run("fmt p/l.fk p/lib").code, 0);
    assert_eq!(
        [dir.read("other/b.fk"), dir.read("secret.txt")],
        [TIDY, TIDY]
    );
    hard_link(dir.path().join("twice/c.fk"), dir.path().join("twice/d.fk")).expect("a link");
    let run = dir.run("fmt twice/c.fk");
    assert_eq!(run.code, 2);
    assert!(
        run.stderr.contains("the file has 2 names (hard links)"),
        "{}",
        run.stderr
    );
    assert_eq!(dir.read("twice/c.fk"), UNTIDY);
}

#[test]
fn what_a_killed_process_left_goes() {
    let dir = Dir::new(&[("a.fk", TIDY), (".frank-x1y2z3.draft", "ma")]);
    assert_eq!(dir.run("check").code, 0);
    assert_eq!(dir.run("fmt --check").code, 0);
    assert_eq!(names(&dir, ".").len(), 2, "who only looks removes nothing");
    assert_eq!(dir.run("fmt").code, 0);
    assert_eq!(names(&dir, "."), ["a.fk"]);
}

#[test]
fn nobody_is_waited_for() {
    let dir = Dir::new(&[
        ("p/a.fk", "include inc\nmain : {Int}\nmain! = 1\n"),
        ("t/b.fk", GOOD),
    ]);
    symlink("/dev/ptmx", dir.path().join("p/pty.fk")).expect("a link");
    pipe(&dir, "p/pipe.fk");
    pipe(&dir, "p/inc.fk");
    pipe(&dir, "t/frank.toml");
    for (args, code, said) in [
        (
            "check p",
            1,
            "p/pipe.fk: this is neither a file nor a directory",
        ),
        (
            "check p/a.fk",
            1,
            "p/inc.fk: this is neither a file nor a directory",
        ),
        (
            "check t",
            2,
            "t/frank.toml: this is neither a file nor a directory",
        ),
        ("check p/pty.fk", 2, "p/pty.fk: this is "),
        (
            "fmt p",
            2,
            "p/inc.fk: this is neither a file nor a directory",
        ),
        (
            "test p",
            2,
            "p/pipe.fk: this is neither a file nor a directory",
        ),
        ("run p/a.fk", 1, "inc"),
    ] {
        let run = dir.run(args);
        assert_eq!(run.code, code, "{args}: {}", run.whole());
        assert!(run.stderr.contains(said), "{args}: {}", run.whole());
    }
}

#[test]
fn pipes_that_are_named_are_read() {
    let dir = Dir::new(&[]);
    let run = dir.run_input("check /dev/stdin", BAD);
    assert_eq!(run.code, 1, "{}", run.whole());
    let run = dir.run_input("check /dev/stdin", GOOD);
    assert_eq!(run.code, 0, "{}", run.whole());
}

#[test]
fn rules_of_git_count() {
    let dir = Dir::new(&[
        (".gitignore", "gen/\n"),
        ("a.fk", GOOD),
        ("gen/b.fk", BAD),
        ("gen/c.fk", "include b\nmore : {Int}\nmore! = main!\n"),
    ]);
    dir.run("check").expect(expect![[r#"
        checked 1 file: no errors; 2 ignored files left out
        exit 0
    "#]]);
    let verbose = dir.run("check -v --format json");
    assert!(
        verbose.stderr.contains("left out 2 files by `.gitignore`"),
        "{}",
        verbose.stderr
    );
    assert_eq!(dir.run("check --no-ignore").code, 1);
    assert_eq!(dir.run("check gen").code, 1, "what is named is checked");
    assert_eq!(
        dir.run("check gen/c.fk").code,
        1,
        "and so is what it includes"
    );
    assert_eq!(dir.run("fmt --check").code, 0);
}

/// Commands that write what a program has made of a file, each with an output's name behind it.
const MAKERS: [&str; 3] = [
    "derive cube.fk cube --emit c -o",
    "derive cube.fk cube --emit json -o",
    "plot cube.fk cube --format json -o",
];

const CUBE: &str = "include ad\n\ncube : X -> [Smooth X] X\ncube x = t x (t x x)\n";

#[test]
fn a_pipe_that_nobody_reads_from_is_not_waited_for() {
    let dir = Dir::new(&[("cube.fk", CUBE)]);
    pipe(&dir, "out");
    for maker in MAKERS {
        let run = dir.run(&format!("{maker} out"));
        assert_eq!((run.code, &*run.stdout), (2, ""), "{maker}");
        let said = "frank: out: not written: this is a pipe that nobody reads from; start what reads from it \
                    first, or name a file\n";
        assert_eq!(run.stderr, said, "{maker}");
    }
}

#[test]
fn what_is_no_file_is_told_before_anything_is_computed() {
    let dir = Dir::new(&[("cube.fk", CUBE)]);
    let _socket = std::os::unix::net::UnixListener::bind(dir.path().join("socket")).expect("one");
    symlink("nowhere", dir.path().join("link")).expect("a link");
    for maker in MAKERS {
        for (output, what) in [
            ("socket", "this is a socket"),
            ("link", "this is a link that leads nowhere"),
            (".", "this is a directory"),
        ] {
            let run = dir.run(&format!("{maker} {output}"));
            assert_eq!((run.code, &*run.stdout), (2, ""), "{maker} {output}");
            let said = format!("frank: {output}: {what}; `--output PATH` gives ");
            assert!(run.stderr.starts_with(&said), "{maker}: {}", run.stderr);
        }
    }
}

/// Devices and pipes take what is written, as far as somebody takes it from them.
#[test]
fn devices_and_pipes_are_written_to() {
    let dir = Dir::new(&[("cube.fk", CUBE)]);
    let maker = MAKERS[0];
    let plain = dir.run(maker.trim_end_matches(" -o")).stdout;
    let run = dir.run(&format!("{maker} /dev/stdout"));
    assert_eq!((run.code, run.stdout), (0, plain.clone()), "{}", run.stderr);
    let run = dir.run(&format!("{maker} /dev/null"));
    assert_eq!((run.code, &*run.whole()), (0, "exit 0\n"));
    pipe(&dir, "out");
    let mut reader = Command::new("cat")
        .arg(dir.path().join("out"))
        .stdout(Stdio::piped())
        .spawn()
        .expect("a reader");
    // Nobody knows when it has opened the pipe, but a writer of this test's own waits for that.
    let writer = fs::OpenOptions::new()
        .write(true)
        .open(dir.path().join("out"));
    let run = dir.run(&format!("{maker} out"));
    assert_eq!((run.code, &*run.whole()), (0, "exit 0\n"));
    drop(writer);
    let mut read = String::new();
    let stdout = reader.stdout.as_mut().expect("piped");
    std::io::Read::read_to_string(stdout, &mut read).expect("text");
    assert_eq!(read, plain);
    assert!(reader.wait().expect("it ends").success());
}
