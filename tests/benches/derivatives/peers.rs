//! The other systems: their programs stand in `tests/benches/peers`, and scripts there get and run
//! them.

use std::collections::HashMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use frank_tests::project_root;

/// The peers, by the name that their script has, and what they are.
const PEERS: [(&str, &str); 7] = [
    ("ocaml", "OCaml bytecode"),
    ("ocaml-native", "OCaml native"),
    ("effekt", "Effekt, V8"),
    ("effekt-llvm", "Effekt, LLVM"),
    ("effekt-chez", "Effekt, Chez"),
    ("chez", "Chez, by hand"),
    ("python", "Python, by hand"),
];

/// What a peer writes when it is given a text.
pub fn answer(peer: &str, input: &str) -> std::io::Result<String> {
    let mut command = Command::new(script("run.sh"));
    let command = command
        .arg(peer)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut child = command.spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(input.as_bytes())?;
    }
    let output = child.wait_with_output()?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// What was measured here.
#[derive(Default)]
pub struct Results {
    rows: Vec<Row>,
}

pub struct Row {
    /// As the peers' programs call it.
    pub name: String,
    pub nanos: f64,
    /// How many rounds of a loop that is.
    pub rounds: u64,
    /// The same in Rust.
    pub rust: f64,
    pub value: f64,
}

impl Results {
    pub fn add(&mut self, row: Row) {
        self.rows.push(row);
    }
}

impl Row {
    /// Another's time, and how many times ours it is; of a loop that a compiler has folded to a closed form, that
    /// word.
    pub fn shown(&self, theirs: f64) -> String {
        const LEAST: f64 = 0.1;
        match theirs / (self.rounds as f64) < LEAST {
            true => format!("{:>22}", "folded"),
            false => beside(Some(theirs), self.nanos),
        }
    }
}

fn script(name: &str) -> PathBuf {
    project_root().join("tests/benches/peers").join(name)
}

/// Gets the peers; says what cannot be had.
pub fn install() -> std::io::Result<()> {
    Command::new(script("install.sh")).status().map(|_| ())
}

/// Runs the peers, and prints their times beside ours.
pub fn compare(results: &Results) {
    if results.rows.is_empty() {
        return;
    }
    let measured: Vec<(&str, HashMap<String, f64>)> = PEERS
        .iter()
        .map(|(peer, title)| (*title, run(peer, results)))
        .collect();
    println!("beside other systems: nanoseconds, and how many times ours that is");
    print!("{:<18} {:>12} {:>22}", "workload", "frank", "Rust");
    for (title, _) in &measured {
        print!(" {title:>22}");
    }
    println!();
    for row in &results.rows {
        if !measured.iter().any(|(_, m)| m.contains_key(&row.name)) {
            continue;
        }
        print!(
            "{:<18} {:>12.1} {}",
            row.name,
            row.nanos,
            row.shown(row.rust)
        );
        for (_, times) in &measured {
            let theirs = times.get(&row.name);
            let shown = theirs.map(|theirs| row.shown(*theirs));
            print!(" {}", shown.unwrap_or_else(|| beside(None, row.nanos)));
        }
        println!();
    }
}

/// Another's time, and how many times ours it is.
pub fn beside(theirs: Option<f64>, ours: f64) -> String {
    match theirs {
        Some(theirs) => format!("{theirs:>12.1} {:>8.2}x", theirs / ours),
        None => format!("{:>22}", "–"),
    }
}

/// The times of a peer by workload, of those whose value is right.
fn run(peer: &str, results: &Results) -> HashMap<String, f64> {
    let mut times = HashMap::new();
    let output = match Command::new(script("run.sh")).arg(peer).output() {
        Ok(output) => output,
        Err(error) => {
            println!("{peer} did not run: {error}");
            return times;
        }
    };
    if !output.status.success() {
        let complaint = String::from_utf8_lossy(&output.stderr);
        println!(
            "{peer} failed: {}",
            complaint.lines().next().unwrap_or_default()
        );
    }
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let mut parts = line.split('\t');
        let (Some(name), Some(nanos), Some(value)) = (parts.next(), parts.next(), parts.next())
        else {
            continue;
        };
        let (Ok(nanos), Ok(value)) = (nanos.parse::<f64>(), value.parse::<f64>()) else {
            continue;
        };
        match results.rows.iter().find(|row| row.name == name) {
            Some(row) if (row.value - value).abs() > 1e-9 * row.value.abs() => {
                println!("{peer}: {name} is {value} where {} is right", row.value);
            }
            _ => {
                times.insert(name.to_owned(), nanos);
            }
        }
    }
    times
}
