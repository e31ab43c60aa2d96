//! The evaluations of GradBench, beside `autograd`.

use std::collections::HashMap;

use frank_tests::gradbench::{Case, Reference, large, references, shown_numbers};

use crate::{Wanted, best, peers, workloads};

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
    let theirs = match with_peer {
        true => run_peer(&cases),
        false => HashMap::new(),
    };
    println!("GradBench: microseconds a run, and how many times ours autograd needs");
    println!("{:<32} {:>12} {:>22}", "evaluation", "frank", "autograd");
    for row in rows {
        let theirs = theirs.get(&row.name).and_then(|peer| {
            // Both may be wrong, so each is compared with the other.
            let outcome = peer.compare(&row.values);
            outcome.map_err(|why| println!("autograd: {why}")).ok()?;
            Some(peer.nanos / 1e3)
        });
        let ours = row.nanos / 1e3;
        println!(
            "{:<32} {ours:>12.1} {}",
            row.name,
            peers::beside(theirs, ours)
        );
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

/// What `autograd` computes of the same cases, by name.
fn run_peer(cases: &[Case]) -> HashMap<String, Reference> {
    let lines: Vec<String> = cases.iter().map(Case::line).collect();
    let input = lines.join("\n") + "\n";
    match peers::answer("autograd", &input) {
        Ok(text) => {
            let references = text.lines().filter_map(Reference::parse);
            references.map(|peer| (peer.name.clone(), peer)).collect()
        }
        Err(error) => {
            println!("autograd did not run: {error}");
            HashMap::new()
        }
    }
}
