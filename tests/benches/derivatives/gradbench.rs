//! The evaluations of GradBench, beside `autograd` and JAX.

use std::collections::HashMap;

use frank_tests::gradbench::{Case, Reference, large, references, shown_numbers};

use crate::{Wanted, best, peers, workloads};

/// The Python libraries that compute them as well.
const PEERS: [&str; 2] = ["autograd", "jax"];

/// What was measured here.
struct Row {
    name: String,
    nanos: f64,
    values: Vec<f64>,
}

/// Runs and prints those that are wanted. Each value is compared with the stored reference; beside
/// the peer, with what that one computes.
pub fn measure(wanted: &Wanted, with_peer: bool) {
    let references = references().unwrap();
    let cases: Vec<Case> = large();
    let cases = cases
        .into_iter()
        .filter(|case| wanted.has(&label(case.evaluation)));
    let cases: Vec<Case> = cases.collect();
    if cases.is_empty() {
        return;
    }
    let mut rows = Vec::new();
    for case in &cases {
        for function in case.functions {
            rows.push(row(case, function, wanted.once, &references));
        }
    }
    let theirs = PEERS.map(|peer| match with_peer {
        true => run_peer(peer, &cases),
        false => HashMap::new(),
    });
    println!("GradBench: microseconds a run, and how many times ours others need");
    print!("{:<32} {:>12}", "evaluation", "frank");
    for peer in PEERS {
        print!(" {peer:>22}");
    }
    println!();
    for row in rows {
        let ours = row.nanos / 1e3;
        print!("{:<32} {ours:>12.1}", row.name);
        for (peer, theirs) in PEERS.into_iter().zip(&theirs) {
            let theirs = theirs.get(&row.name).and_then(|theirs| {
                // Both may be wrong, so each is compared with the other.
                let outcome = theirs.compare(&row.values);
                outcome.map_err(|why| println!("{peer}: {why}")).ok()?;
                Some(theirs.nanos / 1e3)
            });
            print!(" {}", peers::beside(theirs, ours));
        }
        println!();
    }
    println!();
}

/// What the command line can name.
fn label(evaluation: &str) -> String {
    format!("gradbench {evaluation}")
}

fn row(case: &Case, function: &str, once: bool, references: &[Reference]) -> Row {
    let name = case.name(function);
    let prepared = workloads::prepare_files(&case.program(function).unwrap());
    let ((value, _), time) = best(once, || prepared.run());
    let values = shown_numbers(&value).unwrap();
    let reference = references.iter().find(|reference| reference.name == name);
    if let Err(why) = reference.unwrap().compare(&values) {
        panic!("{why}");
    }
    Row {
        name,
        nanos: time.as_secs_f64() * 1e9,
        values,
    }
}

/// What a peer computes of the same cases, by name.
fn run_peer(peer: &str, cases: &[Case]) -> HashMap<String, Reference> {
    // JAX cannot compile loops that end by what was computed, and takes minutes for the expanded determinant.
    let left_out = ["saddle", "particle", "det"];
    let can = |case: &&Case| peer != "jax" || !left_out.contains(&case.evaluation);
    let cases = cases.iter().filter(can);
    let lines: Vec<String> = cases.map(Case::line).collect();
    let input = lines.join("\n") + "\n";
    match peers::answer(peer, &input) {
        Ok(text) => {
            let references = text.lines().filter_map(Reference::parse);
            references.map(|peer| (peer.name.clone(), peer)).collect()
        }
        Err(error) => {
            println!("{peer} did not run: {error}");
            HashMap::new()
        }
    }
}
