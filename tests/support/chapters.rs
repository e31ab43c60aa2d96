//! Checks the blocks of a chapter: their errors must stand on the lines that say so, and their values
//! and outputs must be the ones that they name.

use std::collections::BTreeSet;

use frank_analysis::check::file_diagnostics;
use frank_analysis::files::Files;
use frank_interpreter::Limits;
use frank_syntax::ast::{Term, TermKind};

use crate::Block;
use crate::run::run_main;

/// Checks a block and, if it says what comes of running it, runs it. An error says all that differs.
pub fn check(block: &Block) -> Result<(), String> {
    check_errors(block, &block.files)?;
    run(block)
}

/// The same, but errors are only looked for in the last file.
pub fn check_last(block: &Block) -> Result<(), String> {
    check_errors(block, last(block))?;
    run(block)
}

fn last(block: &Block) -> &[(String, String)] {
    let start = block.files.len().saturating_sub(1);
    block.files.get(start..).unwrap_or_default()
}

/// Whether a text is no program at all.
pub fn has_syntax_errors(text: &str) -> bool {
    let mut files = Files::new(None);
    let file = files.set_text("main.fk", text);
    let found = file_diagnostics(files.db(), file);
    found
        .iter()
        .any(|problem| problem.code.as_str().starts_with("FK00"))
}

/// Whether there are findings in a block's last file, of whatever severity.
pub fn has_findings(block: &Block) -> bool {
    let mut files = Files::new(None);
    for (name, text) in &block.files {
        files.set_text(name, text);
    }
    let mut checked = last(block).iter().filter_map(|(name, _)| files.file(name));
    checked.any(|file| !file_diagnostics(files.db(), file).is_empty())
}

/// The lines that are marked with `-- error`, as file names and line numbers from 1.
fn expected_errors(files: &[(String, String)]) -> BTreeSet<(String, usize)> {
    let mut expected = BTreeSet::new();
    for (name, text) in files {
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

fn check_errors(block: &Block, judged: &[(String, String)]) -> Result<(), String> {
    let mut files = Files::new(None);
    for (name, text) in &block.files {
        files.set_text(name, text);
    }
    let mut found = BTreeSet::new();
    let mut messages = Vec::new();
    for (name, text) in judged {
        let Some(file) = files.file(name) else {
            continue;
        };
        for problem in file_diagnostics(files.db(), file)
            .iter()
            .filter(|p| p.is_error())
        {
            let start = usize::from(files.range(problem.location).start());
            let before = text.get(..start).unwrap_or(text);
            let line = before.matches('\n').count() + 1;
            found.insert((name.clone(), line));
            messages.push(format!(
                "  {name}:{line}: {}: {}",
                problem.code.as_str(),
                problem.message
            ));
        }
    }
    let expected = expected_errors(judged);
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

/// What a mark such as `-- value: ` says, if the root has it.
fn mark<'a>(block: &'a Block, name: &str) -> Option<&'a str> {
    let (_, root) = block.files.last()?;
    root.lines()
        .find_map(|line| line.strip_prefix(&format!("-- {name}")))
        .map(str::trim)
}

/// The text that a mark writes as a Frank string.
fn unquoted(literal: &str) -> Result<String, String> {
    let parsed = frank_syntax::parse::parse_term(literal);
    match parsed.item.terms.iter().next() {
        Some((
            _,
            Term {
                kind: TermKind::String(text),
                ..
            },
        )) => Ok(text.clone()),
        _ => Err(format!("{literal} is no string")),
    }
}

/// Runs a block that says what comes of it.
fn run(block: &Block) -> Result<(), String> {
    let value = mark(block, "value: ");
    let fails = mark(block, "fails").is_some();
    let output = mark(block, "output: ").map(unquoted).transpose()?;
    if value.is_none() && !fails && output.is_none() {
        return Ok(());
    }
    let mut files = Files::new(None);
    let mut root = None;
    for (name, text) in &block.files {
        root = Some(files.set_text(name, text));
    }
    let root = root.ok_or("a block without files")?;
    let input = mark(block, "input: ").map(unquoted).transpose()?;
    let limits = Limits {
        steps: Some(100_000_000),
        ..Limits::default()
    };
    let outcome = run_main(&files, root, &input.unwrap_or_default(), limits);
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
