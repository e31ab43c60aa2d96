//! The evaluations of GradBench in `docs/examples/gradbench` give what `autograd` 1.9.1 (NumPy 2.4.6,
//! Python 3.11) gave once: `references.txt`, which
//!
//! ```sh
//! cargo run -p frank-tests --example gradbench_cases |
//!   python3 tests/gradbench/peer.py > tests/gradbench/references.txt
//! ```
//!
//! writes.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use frank_analysis::file_findings::file_diagnostics;
use frank_analysis::files::Files;
use frank_interpreter::Limits;
use frank_tests::gradbench::{Case, Reference, example, references, shown_numbers, small};
use frank_tests::run::run_main;

/// The value of a program without errors, as `frank` shows it.
fn value(program: &[(String, String)]) -> String {
    let mut files = Files::new(None);
    let roots = program
        .iter()
        .map(|(name, text)| files.set_text(name, text));
    let root = roots.last().unwrap();
    let diagnostics = file_diagnostics(files.db(), root);
    if let Some(problem) = diagnostics.iter().find(|problem| problem.is_error()) {
        panic!("{}", problem.message);
    }
    run_main(&files, root, "", Limits::default()).value.unwrap()
}

/// The stored reference for a function of a case.
fn reference<'a>(references: &'a [Reference], case: &Case, function: &str) -> &'a Reference {
    let name = case.name(function);
    let found = references.iter().find(|reference| reference.name == name);
    found.unwrap_or_else(|| panic!("references.txt has no {name}: write it again, as above"))
}

/// Compares all cases of an evaluation, at least so many.
fn compare(evaluation: &str, least: usize) {
    let references = references().unwrap();
    let cases = small().into_iter();
    let mut seen = 0;
    let mut failures = Vec::new();
    for case in cases.filter(|case| case.evaluation == evaluation) {
        seen += 1;
        for function in case.functions {
            let shown = value(&case.program(function).unwrap());
            let Some(numbers) = shown_numbers(&shown) else {
                panic!("{} is {shown}", case.name(function));
            };
            failures.extend(
                reference(&references, &case, function)
                    .compare(&numbers)
                    .err(),
            );
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(seen >= least, "{evaluation} has {seen} cases");
}

#[test]
fn hello() {
    compare("hello", 2);
}

#[test]
fn saddle() {
    compare("saddle", 1);
}

#[test]
fn particle() {
    compare("particle", 1);
}

#[test]
fn ode() {
    compare("ode", 3);
}

#[test]
fn llsq() {
    compare("llsq", 3);
}

#[test]
fn lse() {
    compare("lse", 3);
}

#[test]
fn det() {
    compare("det", 3);
}

#[test]
fn gmm() {
    compare("gmm", 3);
}

/// Each program is one that says its value, and has it.
#[test]
fn examples() {
    for evaluation in [
        "hello", "saddle", "particle", "ode", "llsq", "lse", "det", "gmm",
    ] {
        let program = example(evaluation).unwrap();
        let (_, text) = program.last().unwrap();
        let said = text
            .lines()
            .find_map(|line| line.strip_prefix("-- value: "));
        assert_eq!(Some(value(&program).as_str()), said, "{evaluation}");
    }
}

/// A comparison can fail: in a value, and in how many there are.
#[test]
fn differences_are_found() {
    let reference = Reference::parse("det 2 gradient\t0\t4.0 -3.0").unwrap();
    assert_eq!(reference.compare(&[4.0, -3.0]), Ok(()));
    assert_eq!(reference.compare(&[4.0, -3.000_000_000_1]), Ok(()));
    for wrong in [&[4.0, -3.000_000_1][..], &[4.0, f64::NAN], &[4.0]] {
        assert!(reference.compare(wrong).is_err(), "{wrong:?}");
    }
}
