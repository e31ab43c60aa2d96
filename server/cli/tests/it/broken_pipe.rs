//! Commands whose output nobody reads to its end, as in `frank check | head`: the exit code is about
//! the programs.

use crate::support::{BAD, Dir, GOOD, without_reader};

#[test]
fn the_verdict_does_not_depend_on_the_reader() {
    let many: String = (0..2000)
        .map(|i| format!("-- > f{i}!\n-- = 0\nf{i} : {{Int}}\nf{i}! = 'x'\n"))
        .collect();
    let dir = Dir::new(&[
        ("bad.fk", BAD),
        ("good.fk", GOOD),
        ("many.fk", &many),
        ("ugly.fk", "f:Int->Int\nf x=x\n"),
        ("example.fk", "-- > f 1\n-- = 2\nf : Int -> Int\nf x = x\n"),
    ]);
    for (args, code) in [
        ("check bad.fk", 1),
        ("check many.fk", 1),
        ("check bad.fk --format json", 1),
        ("check bad.fk --format github", 1),
        ("check bad.fk --format sarif", 1),
        ("check bad.fk --format junit", 1),
        ("check bad.fk --diff", 1),
        ("check nothing.fk", 2),
        ("check good.fk", 0),
        ("test example.fk", 1),
        ("test many.fk", 1),
        ("test good.fk", 0),
        ("fmt --check ugly.fk bad.fk", 1),
        ("fmt --check good.fk", 0),
        ("run good.fk", 0),
        ("explain FK0201", 0),
        ("derive good.fk main", 2),
        ("check good.fk --watch", 0),
    ] {
        for _ in 0..3 {
            assert_eq!(without_reader(dir.command(args)).0, code, "{args}");
        }
    }
    assert_eq!(
        without_reader(dir.command("check many.fk")),
        (1, String::new())
    );
}

/// Why a program is not run is said on standard error.
#[cfg(unix)]
#[test]
fn nor_do_refusals() {
    let dir = Dir::new(&[("bad.fk", BAD)]);
    let mut command = std::process::Command::new("sh");
    let script = r#"exec "$1" run bad.fk 2>&1"#;
    command
        .args(["-c", script, "sh", env!("CARGO_BIN_EXE_frank")])
        .current_dir(dir.path())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped());
    assert_eq!(without_reader(command).0, 1);
}

/// A program that prints on and on is ended when nobody reads any more, and that is nobody's mistake.
#[test]
fn a_program_ends_with_its_reader() {
    let dir = Dir::new(&[(
        "a.fk",
        "include prelude\n\nmain : [Console] Unit\nmain! = print \"again\\n\"; main!\n\n\
         silent : [Console] Int\nsilent! = print \"a\"; 1 / 0\n",
    )]);
    assert_eq!(without_reader(dir.command("run a.fk")), (0, String::new()));
    // One that comes to grief on its own does so without a reader, too.
    let (code, said) = without_reader(dir.command("run a.fk --entry silent"));
    assert!(
        code == 3 && said.contains("division by zero"),
        "{code}: {said}"
    );
}

#[test]
fn a_session_does_not_panic() {
    let dir = Dir::new(&[]);
    for terminal in ["xterm", "dumb"] {
        let mut command = dir.command("repl");
        command.env("TERM", terminal);
        let mut child = command.spawn().expect("the binary starts");
        drop(child.stdout.take());
        let mut input = child.stdin.take().expect("piped");
        // It may be gone before all is written.
        let lines = b"1 + 1\n:help\n:list\nf x = x + 1\n:type 1\n";
        let _ = std::io::Write::write_all(&mut input, lines);
        drop(input);
        let output = child.wait_with_output().expect("the binary ends");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), &*said), (Some(0), ""), "{terminal}");
    }
}

/// A device that is full is another matter: a report that is not there must not look like success.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported() {
    let dir = Dir::new(&[("bad.fk", BAD), ("good.fk", "f : Int -> Int\nf x = x\n")]);
    for format in ["human", "json", "github", "sarif", "junit"] {
        for (file, code) in [("bad.fk", 1), ("good.fk", 2)] {
            // Some formats have nothing to say of a good program.
            if dir
                .run_with(&["check", file, "--format", format])
                .stdout
                .is_empty()
            {
                continue;
            }
            let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
            let mut command = dir.command_with(&["check", file, "--format", format]);
            command.stdout(full.expect("the device"));
            let run = crate::support::finish(command, "");
            assert_eq!(run.code, code, "{format}");
            assert!(
                run.stderr.contains("the report is not whole")
                    && run.stderr.contains("No space left"),
                "{format}: {}",
                run.stderr
            );
        }
    }
}
