//! A directory of one's own, and the command in it.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use expect_test::Expect;
use tempfile::TempDir;

/// What the command left.
#[derive(Debug)]
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    /// All of it in one text, for snapshots.
    pub fn whole(&self) -> String {
        let mut whole = self.stdout.clone();
        for line in self.stderr.lines() {
            whole += &format!("stderr: {line}\n");
        }
        whole + &format!("exit {}\n", self.code)
    }

    /// Compares what was written to both streams, and the exit code.
    #[track_caller]
    pub fn expect(&self, expect: Expect) {
        expect.assert_eq(&self.whole());
    }
}

/// A directory with some files.
pub struct Dir {
    dir: TempDir,
}

/// A program without errors.
pub const GOOD: &str = "main : {Int}\nmain! = 1 + 1\n";
/// A program with one error, in line 2.
pub const BAD: &str = "main : {Int}\nmain! = 1 + \"a\"\n";
/// A program with one warning, in line 1.
pub const WARNING: &str = "later : {Int}\n";

impl Dir {
    /// Files given as names and texts; directories come to be as needed.
    pub fn new(files: &[(&str, &str)]) -> Dir {
        let dir = Dir {
            dir: tempfile::tempdir().expect("a temporary directory"),
        };
        for (name, text) in files {
            dir.write(name, text);
        }
        dir
    }

    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        std::fs::write(path, text).expect("a file");
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).expect("a file")
    }

    /// The command with some arguments, separated by blanks, not yet started.
    pub fn command(&self, args: &str) -> Command {
        self.command_with(&args.split_whitespace().collect::<Vec<_>>())
    }

    /// The command with arguments that may contain blanks.
    pub fn command_with(&self, args: &[&str]) -> Command {
        command(env!("CARGO_BIN_EXE_frank"), args, self.path())
    }

    pub fn run(&self, args: &str) -> Run {
        finish(self.command(args), "")
    }

    pub fn run_with(&self, args: &[&str]) -> Run {
        finish(self.command_with(args), "")
    }

    pub fn run_input(&self, args: &str, input: impl AsRef<[u8]>) -> Run {
        finish(self.command(args), input)
    }
}

/// A program with some arguments, not yet started, which sees nothing of who runs the tests.
pub fn command(program: impl AsRef<Path>, args: &[&str], dir: &Path) -> Command {
    let mut command = Command::new(program.as_ref());
    command.args(args).current_dir(dir);
    for variable in [
        "NO_COLOR",
        "CLICOLOR_FORCE",
        "COLUMNS",
        "COMPLETE",
        "GITHUB_WORKSPACE",
    ] {
        command.env_remove(variable);
    }
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Does to a process what Ctrl-C does.
#[cfg(unix)]
pub fn interrupt(child: &std::process::Child) {
    // Every shell has `kill`; a program of that name is not everywhere.
    let killed = Command::new("sh")
        .args(["-c", &format!("kill -INT {}", child.id())])
        .status();
    assert!(killed.expect("a shell").success());
}

/// Runs a command whose output nobody reads. Gives its exit code, and what it says beside the output.
pub fn without_reader(mut command: Command) -> (i32, String) {
    // Nobody reads from the beginning: a quick command must not find somebody who still does.
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let child = command.stdout(writer).spawn().expect("the binary starts");
    let output = child.wait_with_output().expect("the binary ends");
    let said = String::from_utf8(output.stderr).expect("text");
    (output.status.code().expect("an exit code"), said)
}

/// Runs a command to its end.
pub fn finish(mut command: Command, input: impl AsRef<[u8]>) -> Run {
    let mut child = command.spawn().expect("the binary starts");
    // A command that reads nothing may be gone before all is written.
    let _ = child.stdin.take().expect("piped").write_all(input.as_ref());
    let output = child.wait_with_output().expect("the binary ends");
    Run {
        code: output.status.code().expect("an exit code"),
        stdout: String::from_utf8(output.stdout).expect("text"),
        stderr: String::from_utf8(output.stderr).expect("text"),
    }
}
