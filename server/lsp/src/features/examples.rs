//! Examples and laws in comments: `frank/examples` lists those of a file; each can be checked, and the value that
//! an example has be written below it.

use std::sync::Arc;

use frank_ide::{Example, Expected, FileRange, TextEdit, excerpt};
use serde::Serialize;
use text_size::{TextRange, TextSize};
use tower_lsp::ls_types as lsp;

use crate::commands::{self, WRITE_VALUE};
use crate::documents::Document;
use crate::edits::workspace_edit;
use crate::request_snapshot::{Answer, RequestError, RequestSnapshot, Target};
use crate::results::{EvaluationKind, Outcome, Subject};

/// An example or a law, as `frank/examples` lists it.
#[derive(Debug, Serialize)]
pub struct Listed {
    kind: Kind,
    /// The term or the law, as it is written.
    term: String,
    range: lsp::Range,
    /// The value that it should have, if one is said.
    value: Option<String>,
}

/// What a comment has that can be checked.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Example,
    Law,
}

/// The examples and laws of a file that can be checked.
pub fn list(snapshot: &RequestSnapshot, target: &Target) -> Answer<Vec<Listed>> {
    let Some(document) = snapshot.document(target.file) else {
        return Ok(Vec::new());
    };
    let all = snapshot.analysis.examples(target.file);
    let listed = all.iter().filter_map(|example| {
        Some(Listed {
            kind: match example.is_law() {
                true => Kind::Law,
                false => Kind::Example,
            },
            term: example.text()?.to_owned(),
            range: snapshot.range(document, text_range(&example.at)),
            value: example.expected().map(|value| value.text.clone()),
        })
    });
    Ok(listed.collect())
}

/// What the results for an example or a law in a document are known by.
pub fn subject(key: &Arc<str>, example: &Example) -> Option<Subject> {
    Some(commands::subject(key, example.text()?, kind(example)))
}

/// How it is evaluated.
pub fn kind(example: &Example) -> EvaluationKind {
    match example.is_law() {
        true => EvaluationKind::Law,
        false => EvaluationKind::Example,
    }
}

/// The example whose term begins on a line, or the law that begins there.
pub fn on_line(
    snapshot: &RequestSnapshot,
    target: &Target,
    document: &Document,
    line: usize,
) -> Answer<Example> {
    let mut all = snapshot.analysis.examples(target.file).into_iter();
    let begins = |example: &Example| {
        let start = example.at.start.min(document.text.len_bytes());
        example.text().is_some() && document.text.byte_to_line(start) == line
    };
    all.find(begins).ok_or_else(|| {
        RequestError::Refused(format!(
            "there is no example on line {}: one begins with `-- >`, and a law with `-- for all x : `, above an item or at \
             the end",
            line + 1
        ))
    })
}

/// `✓ 3`, `✗ 4, should be 3`, or what an example without a value has; of a law whether it holds.
pub fn label(expected: Option<&Expected>, outcome: &Outcome) -> String {
    let Outcome::Run(result) = outcome else {
        return outcome.label(false);
    };
    match (&result.value, expected) {
        (Ok(value), None) => format!("▶ = {}", excerpt(value)),
        (Ok(value), Some(wanted)) if wanted.is(value) => format!("✓ {}", excerpt(value)),
        (Ok(value), Some(wanted)) => {
            format!("✗ {}, should be {}", excerpt(value), excerpt(&wanted.text))
        }
        (Err(failure), _) => format!("✗ {}", failure.message),
    }
}

/// The action that writes the value of an example at a range.
pub fn offer(
    snapshot: &RequestSnapshot,
    target: &Target,
    document: &Document,
    actions: &mut Vec<lsp::CodeAction>,
) {
    let asked = target.range();
    let all = snapshot.analysis.examples(target.file).into_iter();
    let touched = all.filter(|example| {
        let whole = example.whole();
        example.term().is_some() && whole.start <= asked.end && asked.start <= whole.end
    });
    for example in touched {
        let title = match example.expected() {
            Some(_) => "Evaluate, and write the value that it has",
            None => "Evaluate, and write the value below",
        };
        let line = document.text.byte_to_line(example.at.start);
        actions.push(lsp::CodeAction {
            title: title.to_owned(),
            kind: Some(lsp::CodeActionKind::REFACTOR_REWRITE),
            command: Some(lsp::Command {
                title: title.to_owned(),
                command: WRITE_VALUE.to_owned(),
                arguments: Some(commands::example_arguments(&document.uri, line)),
            }),
            ..lsp::CodeAction::default()
        });
    }
}

/// So many characters of a value at most are written into a comment.
const MOST_WRITTEN: usize = 2000;

/// The edit that writes a value below the example on a line, or in the place of the one that is there.
pub fn write(
    snapshot: &RequestSnapshot,
    target: &Target,
    line: usize,
    value: &str,
) -> Answer<Option<lsp::WorkspaceEdit>> {
    let Some(document) = snapshot.document(target.file) else {
        return Err(RequestError::Refused("the file is gone".to_owned()));
    };
    if document.library {
        let reason = "the built-in library is read-only";
        return Err(RequestError::Refused(reason.to_owned()));
    }
    let length = value.chars().count();
    if length > MOST_WRITTEN {
        return Err(RequestError::Refused(format!(
            "the value has {length} characters, and at most {MOST_WRITTEN} are written into a comment: \
             have the example say something shorter of it"
        )));
    }
    let example = on_line(snapshot, target, document, line)?;
    if example.is_law() {
        let reason = "a law has no value that could be written below it";
        return Err(RequestError::Refused(reason.to_owned()));
    }
    let (at, text) = match example.expected() {
        Some(old) if old.text == value => return Ok(None),
        Some(old) => (old.at.clone(), value.to_owned()),
        None => {
            let first = document.text.line(line).to_string();
            let (margin, _) = first.split_once('>').unwrap_or(("-- ", ""));
            let end = example.at.end;
            let newline = if first.ends_with("\r\n") {
                "\r\n"
            } else {
                "\n"
            };
            (end..end, format!("{newline}{margin}= {value}"))
        }
    };
    let edit = TextEdit {
        at: FileRange {
            file: target.file,
            range: text_range(&at),
        },
        text,
    };
    Ok(Some(workspace_edit(snapshot, &[edit])))
}

/// The range of some bytes.
pub fn text_range(range: &std::ops::Range<usize>) -> TextRange {
    let size = |offset: usize| TextSize::new(u32::try_from(offset).unwrap_or(u32::MAX));
    TextRange::new(size(range.start), size(range.end))
}
