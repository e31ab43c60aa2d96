//! `frank check --watch`.

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use crate::support::{BAD, Dir, GOOD};

/// A command that runs on, with the lines that it writes.
struct Watching {
    child: Child,
    lines: Receiver<String>,
}

impl Watching {
    fn start(dir: &Dir, args: &str) -> Watching {
        let mut child = dir
            .command(args)
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary starts");
        let stdout = child.stdout.take().expect("piped");
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if line.starts_with("checked") && sender.send(line).is_err() {
                    break;
                }
            }
        });
        Watching { child, lines }
    }

    #[track_caller]
    fn next(&self) -> String {
        self.lines
            .recv_timeout(Duration::from_secs(30))
            .expect("another check")
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn changes_are_followed() {
    let dir = Dir::new(&[("sub/a.fk", BAD)]);
    let watching = Watching::start(&dir, "check --watch");
    assert_eq!(watching.next(), "checked 1 file: 1 error");
    dir.write("sub/a.fk", GOOD);
    assert_eq!(watching.next(), "checked 1 file: no errors");
    dir.write("new/b.fk", BAD);
    assert_eq!(watching.next(), "checked 2 files: 1 error");
    std::fs::remove_file(dir.path().join("new/b.fk")).expect("there was one");
    assert_eq!(watching.next(), "checked 1 file: no errors");
    dir.write("frank.toml", "[severity]\nFK0105 = \"warning\"\n");
    assert_eq!(watching.next(), "checked 1 file: no errors");
    dir.write("sub/a.fk", format!("include lib\n{GOOD}"));
    assert_eq!(watching.next(), "checked 1 file: no errors, 1 warning");
    dir.write("sub/lib.fk", "lib : {Int}\nlib! = 'x'\n");
    assert_eq!(watching.next(), "checked 2 files: 1 error");
}

#[test]
fn a_file_outside_of_the_directory_is_followed() {
    let dir = Dir::new(&[
        ("p/a.fk", "include lib\nmain : {Int}\nmain! = lib!\n"),
        ("q/lib.fk", "lib : {Int}\nlib! = 1\n"),
    ]);
    let watching = Watching::start(&dir, "check --watch p/a.fk -I q");
    assert_eq!(watching.next(), "checked 2 files: no errors");
    dir.write("q/lib.fk", "lib : {Char}\nlib! = 'x'\n");
    assert_eq!(watching.next(), "checked 2 files: 1 error");
}
