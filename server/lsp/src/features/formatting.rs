//! `textDocument/formatting`, `rangeFormatting`, `onTypeFormatting`.

use std::ops::Range;

use frank_syntax::format::{FormatEdit, FormatOptions, format_items};
use frank_syntax::lines::{lone_returns, unified};
use frank_syntax::notebook::{format_file, format_part, is_notebook};
use frank_syntax::outline::OutlineItem;
use tower_lsp::ls_types as lsp;

use crate::documents::Document;
use crate::request_snapshot::{Answer, RequestError, RequestSnapshot, Target};

type Edits = Option<Vec<lsp::TextEdit>>;

/// The characters after which an item is formatted.
pub const TRIGGERS: &[&str] = &["\n", "}", "]", ")"];

pub fn all(snapshot: &RequestSnapshot, target: &Target) -> Answer<Edits> {
    let document = editable(snapshot, target)?;
    let text = document.text.to_string();
    let mut edits = format_file(&document.key, &unified(&text), &FormatOptions::default()).edits;
    edits.extend(line_ends(&text, &edits));
    edits.sort_by_key(|edit| edit.range.start);
    Ok(Some(edits_of(snapshot, document, edits)))
}

pub fn range(snapshot: &RequestSnapshot, target: &Target) -> Answer<Edits> {
    let document = editable(snapshot, target)?;
    let edits = items(snapshot, target, document, target.range());
    Ok(Some(edits_of(snapshot, document, edits)))
}

pub fn on_type(snapshot: &RequestSnapshot, target: &Target, typed: &str) -> Answer<Edits> {
    let document = editable(snapshot, target)?;
    let cursor = target.range().start;
    // After a line break what is finished is the line above.
    let finished = match typed {
        "\n" => {
            let line = document.text.byte_to_line(cursor);
            document.text.line_to_byte(line).saturating_sub(1)
        }
        _ => cursor,
    };
    let mut edits = items(snapshot, target, document, finished..finished);
    edits.retain(|edit| edit.range.end < cursor || cursor < edit.range.start);
    if typed == "\n" {
        edits.retain(|edit| edit.range.end <= finished);
    }
    Ok(Some(edits_of(snapshot, document, edits)))
}

fn editable<'w>(snapshot: &'w RequestSnapshot, target: &Target) -> Answer<&'w Document> {
    match snapshot.document(target.file) {
        Some(document) if document.library => Err(RequestError::Refused(
            "the built-in library is read-only".to_owned(),
        )),
        Some(document) => Ok(document),
        None => Err(RequestError::Invalid(
            "there is no such document".to_owned(),
        )),
    }
}

/// Formats the items that a range touches.
fn items(
    snapshot: &RequestSnapshot,
    target: &Target,
    document: &Document,
    range: Range<usize>,
) -> Vec<FormatEdit> {
    if is_notebook(&document.key) {
        let text = document.text.to_string();
        let options = FormatOptions::default();
        return format_part(&document.key, &unified(&text), range, &options).edits;
    }
    let files = snapshot.analysis.snapshot();
    let places: Vec<OutlineItem> = files
        .items(target.file)
        .map(|(_, place)| place.clone())
        .collect();
    let Some(last) = places.len().checked_sub(1) else {
        return Vec::new();
    };
    let first = places
        .partition_point(|item| item.range.end <= range.start)
        .min(last);
    let end = places
        .partition_point(|item| item.range.start < range.end)
        .max(first + 1);
    format_items(
        &unified(&document.text.to_string()),
        &places,
        first..end,
        &FormatOptions::default(),
    )
    .edits
}

/// Line ends that the formatter writes in another way, where other edits do not do that.
fn line_ends(text: &str, edits: &[FormatEdit]) -> Vec<FormatEdit> {
    let edited = |at: usize| {
        let next = edits.partition_point(|edit| edit.range.end <= at);
        edits.get(next).is_some_and(|edit| edit.range.contains(&at))
    };
    lone_returns(text)
        .filter(|at| !edited(*at))
        .map(|at| FormatEdit {
            range: at..at + 1,
            text: "\n".to_owned(),
        })
        .collect()
}

fn edits_of(
    snapshot: &RequestSnapshot,
    document: &Document,
    edits: Vec<FormatEdit>,
) -> Vec<lsp::TextEdit> {
    let edits = edits.into_iter().map(|edit| lsp::TextEdit {
        range: snapshot
            .documents
            .encoding
            .range(&document.text, edit.range),
        new_text: edit.text,
    });
    edits.collect()
}
