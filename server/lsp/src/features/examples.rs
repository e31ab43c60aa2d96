//! Examples in comments: `frank/examples` lists those of a file; each can be checked, and the value that
//! it has be written below it.

use frank_ide::evaluate::RunResult;
use frank_ide::{Example, Expected, FileRange, TextEdit, excerpt};
use serde::Serialize;
use text_size::{TextRange, TextSize};
use tower_lsp::ls_types as lsp;

use crate::commands::{self, WRITE_VALUE};
use crate::documents::Document;
use crate::edits::workspace_edit;
use crate::request_snapshot::{Answer, RequestError, RequestSnapshot, Target};

/// An example, as `frank/examples` lists it.
#[derive(Debug, Serialize)]
pub struct Listed {
    /// The term, as it is written.
    term: String,
    range: lsp::Range,
    /// The value that it should have, if one is said.
    value: Option<String>,
}

/// The examples of a file that can be checked.
pub fn list(snapshot: &RequestSnapshot, target: &Target) -> Answer<Vec<Listed>> {
    let Some(document) = snapshot.document(target.file) else {
        return Ok(Vec::new());
    };
    let all = snapshot.analysis.examples(target.file);
    let listed = all.iter().filter_map(|example| {
        Some(Listed {
            term: example.term()?.to_owned(),
            range: snapshot.range(document, text_range(&example.at)),
            value: example.expected().map(|value| value.text.clone()),
        })
    });
    Ok(listed.collect())
}

/// The example whose term begins on a line.
pub fn on_line(
    snapshot: &RequestSnapshot,
    target: &Target,
    document: &Document,
    line: usize,
) -> Answer<Example> {
    let mut all = snapshot.analysis.examples(target.file).into_iter();
    let begins = |example: &Example| {
        let start = example.at.start.min(document.text.len_bytes());
        example.term().is_some() && document.text.byte_to_line(start) == line
    };
    all.find(begins).ok_or_else(|| {
        RequestError::Refused(format!(
            "there is no example on line {}: one begins with `-- >`, above an item or at the end",
            line + 1
        ))
    })
}

/// `✓ 3`, `✗ 4, should be 3`, or what an example without a value has.
pub fn label(expected: Option<&Expected>, result: &RunResult) -> String {
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
