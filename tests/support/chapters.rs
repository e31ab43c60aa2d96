//! Checks the blocks of a chapter: what is found in them must be what their marks say, and their values
//! and outputs must be the ones that they name.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use frank_analysis::db::SourceFile;
use frank_analysis::diagnostics::{Diagnostic, Severity};
use frank_analysis::file_findings::file_diagnostics;
use frank_analysis::files::Files;
use frank_analysis::snapshot::Snapshot;
use frank_interpreter::Limits;
use frank_syntax::ast::{Term, TermKind};
use frank_workspace::Settings;
use frank_workspace::config::Holes;
use frank_workspace::includes::Unreadable;

use crate::Block;
use crate::run::run_main;

/// Checks a block and, if it says what comes of running it, runs it. An error says all that differs.
pub fn check(block: &Block) -> Result<(), String> {
    check_findings(block, &block.files)?;
    run(block)
}

/// As [`check`], but findings and marks count in the last file only.
pub fn check_last(block: &Block) -> Result<(), String> {
    check_findings(block, last(block))?;
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

/// A finding as a mark names it: the file, the line from 1, the word and the code.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mark {
    pub file: String,
    pub line: usize,
    pub word: &'static str,
    pub code: String,
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}:{}: {} {}",
            self.file, self.line, self.word, self.code
        )
    }
}

/// The word of a mark for findings of a severity.
fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "hint",
    }
}

/// The marks of some files: `-- error FK0101 FK0201` at the end of a line, `-- ^ error FK0101` below
/// it. A mark without a code comes back with an empty one, which no finding has.
fn marks(files: &[(String, String)]) -> BTreeSet<Mark> {
    let mut marks = BTreeSet::new();
    for (name, text) in files {
        for (line, text) in (1..).zip(text.lines()) {
            for part in text.split("-- ").skip(1) {
                let (part, line) = match part.strip_prefix("^ ") {
                    Some(part) => (part, line - 1),
                    None => (part, line),
                };
                let mut words = part.split_whitespace();
                let first = words.next();
                let severities = [Severity::Error, Severity::Warning, Severity::Hint];
                let Some(word) = severities.map(word).into_iter().find(|w| Some(*w) == first)
                else {
                    continue;
                };
                let mark = |code: &str| Mark {
                    file: name.clone(),
                    line,
                    word,
                    code: code.to_owned(),
                };
                let mut codes = words.peekable();
                if codes.peek().is_none() {
                    marks.insert(mark(""));
                }
                marks.extend(codes.map(mark));
            }
        }
    }
    marks
}

/// The findings in a file that comments do not allow.
fn counting(snapshot: &Snapshot, file: SourceFile) -> Vec<Diagnostic> {
    let settings = Settings {
        configs: &[],
        unreadable: &Unreadable::default(),
        holes: Holes::Deny,
        may_suppress: true,
    };
    frank_workspace::findings(snapshot, file, Vec::new(), &settings)
}

/// What is found in some of a block's files, as marks, each with its message.
pub fn findings(block: &Block, judged: &[(String, String)]) -> BTreeMap<Mark, String> {
    let mut files = Files::new(None);
    for (name, text) in &block.files {
        files.set_text(name, text);
    }
    let mut found = BTreeMap::new();
    for (name, text) in judged {
        let Some(file) = files.file(name) else {
            continue;
        };
        for problem in counting(&files.snapshot(), file) {
            let start = usize::from(files.range(problem.location).start());
            let before = text.get(..start).unwrap_or(text);
            let mark = Mark {
                file: name.clone(),
                line: before.matches('\n').count() + 1,
                word: word(problem.severity),
                code: problem.code.as_str().to_owned(),
            };
            found.insert(mark, problem.message);
        }
    }
    found
}

/// Compares findings with marks, both ways.
fn check_findings(block: &Block, judged: &[(String, String)]) -> Result<(), String> {
    let found = findings(block, judged);
    let expected = marks(judged);
    let unmarked = found.iter().filter(|(mark, _)| !expected.contains(mark));
    let unmarked =
        unmarked.map(|(mark, message)| format!("  found, not marked: {mark}: {message}\n"));
    let unmet = expected.iter().filter(|mark| !found.contains_key(mark));
    let unmet = unmet.map(|mark| format!("  marked, not found: {mark}\n"));
    let differences: String = unmarked.chain(unmet).collect();
    if differences.is_empty() {
        return Ok(());
    }
    let texts = block.files.iter();
    let texts = texts.map(|(name, text)| format!("--- {name}\n{text}"));
    Err(format!("\n{differences}{}", texts.collect::<String>()))
}

/// What a mark such as `-- value: ` says, if the root has it.
fn mark<'a>(block: &'a Block, name: &str) -> Option<&'a str> {
    let (_, root) = block.files.last()?;
    root.lines()
        .find_map(|line| line.strip_prefix(&format!("-- {name}")))
        .map(str::trim)
}

/// The text that a mark writes as a Frank string.
///
/// # Errors
/// It is none.
pub fn unquoted(literal: &str) -> Result<String, String> {
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
