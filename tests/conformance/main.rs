//! Runs the chapters: every block is checked, its errors must stand on the lines that say so, and
//! its value and output must be the ones that it names.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests fail by panicking"
)]

use std::collections::BTreeSet;

use frank_analysis::check::file_diagnostics;
use frank_analysis::files::Files;
use frank_interpreter::Limits;
use frank_syntax::ast::{Term, TermKind};
use frank_tests::run::run_main;
use frank_tests::{Block, blocks, files_under, project_root};

/// The lines that a block marks with `-- error`, as file names and line numbers from 1.
fn expected_errors(block: &Block) -> BTreeSet<(String, usize)> {
    let mut expected = BTreeSet::new();
    for (name, text) in &block.files {
        for (i, line) in text.lines().enumerate() {
            if line.contains("-- error") {
                expected.insert((name.clone(), i + 1));
            } else if line.trim_start().starts_with("-- ^ error") {
                expected.insert((name.clone(), i));
            }
        }
    }
    expected
}

/// What a mark such as `-- value: ` says, if the root has it.
fn mark<'a>(block: &'a Block, name: &str) -> Option<&'a str> {
    let (_, root) = block.files.last()?;
    root.lines()
        .find_map(|line| line.strip_prefix(&format!("-- {name}")))
        .map(str::trim)
}

/// The text that a mark writes as a Frank string.
fn unquoted(literal: &str) -> String {
    let parsed = frank_syntax::parse::parse_term(literal);
    match parsed.item.terms.iter().next() {
        Some((
            _,
            Term {
                kind: TermKind::String(text),
                ..
            },
        )) => text.clone(),
        _ => panic!("{literal} is no string"),
    }
}

/// Runs a block that says what comes of it.
fn run_block(block: &Block) -> Result<(), String> {
    let value = mark(block, "value: ");
    let fails = mark(block, "fails").is_some();
    let output = mark(block, "output: ").map(unquoted);
    if value.is_none() && !fails && output.is_none() {
        return Ok(());
    }
    let mut files = Files::new(None);
    let mut root = None;
    for (name, text) in &block.files {
        root = Some(files.set_text(name, text));
    }
    let root = root.ok_or("a block without files")?;
    let input = mark(block, "input: ").map(unquoted).unwrap_or_default();
    let outcome = run_main(&files, root, &input, Limits::default());
    let expected = output.unwrap_or_default();
    if outcome.output != expected {
        return Err(format!("printed {:?}, not {expected:?}", outcome.output));
    }
    match (outcome.value, value) {
        (Ok(found), Some(value)) if found == value => Ok(()),
        (Ok(found), Some(value)) => Err(format!("the value is {found}, not {value}")),
        (Ok(found), None) if fails => Err(format!("it should fail, but its value is {found}")),
        (Err(_), None) if fails => Ok(()),
        (Ok(_), None) => Ok(()),
        (Err(message), _) => Err(format!("it fails: {message}")),
    }
}

fn check_block(block: &Block) -> Result<(), String> {
    let mut files = Files::new(None);
    for (name, text) in &block.files {
        files.set_text(name, text);
    }
    let mut found = BTreeSet::new();
    let mut messages = Vec::new();
    for (name, text) in &block.files {
        let Some(file) = files.file(name) else {
            continue;
        };
        for problem in file_diagnostics(files.db(), file)
            .iter()
            .filter(|p| p.is_error())
        {
            let start = usize::from(files.range(problem.location).start());
            let line = text[..start.min(text.len())].matches('\n').count() + 1;
            found.insert((name.clone(), line));
            messages.push(format!(
                "  {name}:{line}: {}: {}",
                problem.code.as_str(),
                problem.message
            ));
        }
    }
    let expected = expected_errors(block);
    if found == expected {
        return Ok(());
    }
    Err(format!(
        "errors expected at {expected:?}, found at {found:?}\n{}\n{}",
        messages.join("\n"),
        block
            .files
            .iter()
            .map(|(n, t)| format!("--- {n}\n{t}"))
            .collect::<String>()
    ))
}

#[test]
fn chapters() {
    let mut failures = Vec::new();
    let mut count = 0;
    for path in files_under(&project_root().join("tests/conformance"), "md") {
        let chapter = std::fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        for block in blocks(&chapter) {
            count += 1;
            if let Err(why) = check_block(&block).and_then(|()| run_block(&block)) {
                failures.push(format!("{name}:{}: {why}", block.line));
            }
        }
    }
    assert!(count > 300, "the chapters are gone: {count} blocks");
    let total = failures.len();
    assert!(
        failures.is_empty(),
        "{}\n{total} of {count} blocks fail",
        failures.join("\n\n")
    );
}
