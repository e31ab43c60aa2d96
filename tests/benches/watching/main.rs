//! What it costs to watch a run: states, the panel, and the debugger, on the real binary.
//!
//! `cargo bench -p frank-cli --bench watching` prints times by the clock, the best of several; words choose among the
//! rows. Every row checks what it has come to.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

// The client does more than is measured here.
#[allow(dead_code)]
#[path = "../../../server/cli/tests/it/dap/client.rs"]
mod client;

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;

use client::Client;

/// A row: its name, and what prints its figures.
type Row = (&'static str, fn(&Programs));

const ROWS: [Row; 6] = [
    ("states", states),
    ("panel", panel),
    ("slider", slider),
    ("far", far),
    ("effects", effects),
    ("steps", steps),
];

const COUNT: &str = "\
count : Int -> Int -> Int
count 0 total = total
count n total = count (n - 1) (total + n)

main : {Int}
main! = count 1000000 0
";

const STATE: &str = "\
include prelude

count : Int -> [State Int]Int
count 0 = get!
count n = put (get! + n); count (n - 1)

main : {Int}
main! = evalState 0 (count 300000)
";

/// The programs on the disk.
struct Programs {
    dir: tempfile::TempDir,
}

impl Programs {
    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }
}

fn main() {
    let chosen: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with("--"))
        .collect();
    let programs = Programs {
        dir: tempfile::tempdir().unwrap(),
    };
    std::fs::write(programs.path("count.fk"), COUNT).unwrap();
    std::fs::write(programs.path("state.fk"), STATE).unwrap();
    for (name, row) in ROWS {
        if chosen.is_empty() || chosen.iter().any(|word| name.contains(word.as_str())) {
            row(&programs);
        }
    }
}

/// The best time of several runs of something.
fn best<T>(times: usize, mut run: impl FnMut() -> T) -> (Duration, T) {
    let timed = |run: &mut dyn FnMut() -> T| {
        let begin = Instant::now();
        let came = run();
        (begin.elapsed(), came)
    };
    let mut best = timed(&mut run);
    for _ in 1..times {
        let next = timed(&mut run);
        if next.0 < best.0 {
            best = next;
        }
    }
    best
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Runs the command with arguments, and gives what it prints.
fn frank(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_frank"))
        .args(arguments)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// States that are written as JSON, each with its whole term.
fn states(programs: &Programs) {
    let path = programs.path("count.fk");
    let path = path.to_str().unwrap();
    let write = |count: &str| {
        let arguments = ["step", path, "--format", "json", "--states", count];
        let arguments = [&arguments[..], &["--from", "5000"]].concat();
        frank(&arguments).lines().count()
    };
    let (few, _) = best(3, || write("1"));
    let (many, lines) = best(3, || write("100000"));
    assert_eq!(lines, 100_000);
    let each = (many.saturating_sub(few)).as_secs_f64() / 1e5;
    println!("states: {:.1} µs for one that is written", each * 1e6);
}

/// The page of the paper's `grad`, as the panel of an editor has it.
fn panel(_: &Programs) {
    let example = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../docs/examples/paper-reverse.fk"
    );
    let (time, page) = best(5, || frank(&["step", example, "--format", "html"]));
    assert!(page.contains("</html>") && page.len() > 10_000);
    let (start, _) = best(5, || frank(&["--version"]));
    println!(
        "panel: {:.0} ms for the page of `paper-reverse.fk`, of which {:.0} are the start of the program",
        millis(time),
        millis(start)
    );
}

/// A page of 100,000 states, from which a slider shows any without asking.
fn slider(programs: &Programs) {
    let path = programs.path("count.fk");
    let path = path.to_str().unwrap();
    let (time, page) = best(2, || {
        frank(&["step", path, "--format", "html", "--states", "100000"])
    });
    assert!(page.contains("</html>"));
    println!(
        "slider: {:.0} ms for a page of 100,000 states, {:.1} MB",
        millis(time),
        page.len() as f64 / 1e6
    );
}

/// A breakpoint that is a million calls away, beside the plain run.
fn far(programs: &Programs) {
    far_away("far", programs, "count.fk", "count 0", "500000500000");
}

/// The same with a handler that answers 600,000 commands on the way.
fn effects(programs: &Programs) {
    far_away("effects", programs, "state.fk", "count 0", "45000150000");
}

fn far_away(row: &str, programs: &Programs, name: &str, at: &str, value: &str) {
    let file = programs.path(name);
    let text = std::fs::read_to_string(&file).unwrap();
    let line = text
        .lines()
        .position(|line| line.starts_with(&format!("{at} ")));
    let line = line.unwrap() as i64 + 1;
    let (plain, printed) = best(5, || frank(&["run", file.to_str().unwrap()]));
    assert_eq!(printed.trim(), value);
    let (stop, _) = best(3, || {
        let mut client = Client::launch(json!({ "program": file }));
        client.lines(&file, &[line]);
        client.configured();
        assert_eq!(client.stopped().0, "breakpoint");
        client.call("continue", json!({ "threadId": 1 }));
        assert_eq!(client.ended(), 0);
        assert_eq!(client.printed("stdout").trim(), value);
    });
    println!(
        "{row}: {:.0} ms to the breakpoint and to the end, {:.1} times the plain run of {:.0} ms",
        millis(stop),
        stop.as_secs_f64() / plain.as_secs_f64(),
        millis(plain)
    );
}

/// Steps of a run that stands: from the request to the stack that is shown.
fn steps(programs: &Programs) {
    let file = programs.path("state.fk");
    let mut client = Client::launch(json!({ "program": file, "stopOnEntry": true }));
    client.configured();
    client.stopped();
    for (command, count) in [("stepIn", 200), ("stepBack", 150)] {
        let mut times: Vec<Duration> = (0..count)
            .map(|_| {
                let (time, stopped) = best(1, || client.go(command));
                assert_eq!(stopped.0, "step");
                time
            })
            .collect();
        times.sort();
        println!(
            "steps: {command} {:.2} ms, the slowest of {count} {:.2}",
            millis(times[count / 2]),
            millis(times[count - 1])
        );
    }
}
