//! What is right is met with silence: the examples, the library, the paper's programs.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test may panic"
)]

mod support;

use frank_analysis::diagnostics::{Code, Severity};
use frank_library::LIBRARY;
use support::{Program, project_root, render};

fn examples() -> Vec<(String, String)> {
    let dir = project_root().join("docs/examples");
    let mut found: Vec<(String, String)> = std::fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "fk"))
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read_to_string(path).unwrap())
        })
        .collect();
    found.sort();
    found
}

#[test]
fn examples_have_no_findings() {
    for (name, text) in examples() {
        let program = Program {
            files: vec![(name.clone(), text)],
        };
        let found = program.findings();
        match name.as_str() {
            "missing-lift.fk" => assert_eq!(found.len(), 1, "{}", render(&program)),
            // A comment in the example allows them.
            "paper-checkpoint.fk" => {
                let codes: Vec<Code> = found.iter().map(|problem| problem.code).collect();
                assert_eq!(codes, [Code::PaperCheckpoint; 3], "{}", render(&program));
            }
            _ => assert!(found.is_empty(), "{name}\n{}", render(&program)),
        }
    }
}

/// The library's texts, as if they were a user's.
#[test]
fn the_library_has_no_warnings() {
    for (name, text) in LIBRARY {
        let program = Program {
            files: vec![(format!("{name}.fk"), (*text).to_owned())],
        };
        let warnings = program
            .findings()
            .iter()
            .filter(|problem| problem.severity <= Severity::Warning)
            .count();
        assert_eq!(warnings, 0, "{name}\n{}", render(&program));
    }
}

/// The paper's definitions, written out in a user's file.
#[test]
fn the_paper_has_no_warnings() {
    let text = LIBRARY
        .iter()
        .find(|(name, _)| *name == "ad-paper")
        .unwrap()
        .1;
    let program = Program::single(&format!("{text}\nmain : {{Int}}\nmain! = evaluate (c 1)\n"));
    let loud: Vec<_> = program
        .findings()
        .into_iter()
        .filter(|problem| problem.severity <= Severity::Warning)
        .filter(|problem| problem.code != Code::UnusedOperator)
        .collect();
    assert!(loud.is_empty(), "{}", render(&program));
}
