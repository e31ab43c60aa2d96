//! `textDocument/hover`.

use frank_ide::{FileRange, Hover, HoverPart};
use tower_lsp::ls_types as lsp;

use crate::request_snapshot::{Answer, RequestSnapshot, Target};
use crate::results::{EvaluationKind, is_stale};

pub fn hover(snapshot: &RequestSnapshot, target: &Target) -> Answer<Option<lsp::Hover>> {
    let Some(mut hover) = snapshot.analysis.hover(target.position()) else {
        return Ok(None);
    };
    let results = results(snapshot, target, &hover);
    hover.parts.extend(results.into_iter().map(HoverPart::Text));
    let contents = if snapshot.capabilities.markdown_hover {
        let value = hover.markdown(link(snapshot));
        lsp::MarkupContent {
            kind: lsp::MarkupKind::Markdown,
            value,
        }
    } else {
        lsp::MarkupContent {
            kind: lsp::MarkupKind::PlainText,
            value: hover.plain(),
        }
    };
    Ok(Some(lsp::Hover {
        contents: lsp::HoverContents::Markup(contents),
        range: snapshot.range_in(target.file, hover.range),
    }))
}

/// What the operator at whose beginning a name stands gave last, with all digits.
fn results(snapshot: &RequestSnapshot, target: &Target, hover: &Hover) -> Vec<String> {
    let key = snapshot
        .document(target.file)
        .map(|document| &*document.key);
    let all = key
        .map(|key| snapshot.results.of_file(key))
        .unwrap_or_default();
    let own = all.into_iter().filter(|(subject, _)| {
        let place = snapshot.analysis.operator_place(target.file, &subject.name);
        subject.kind != EvaluationKind::Example
            && place.is_some_and(|place| place.start() == hover.range.start())
    });
    own.map(|(subject, outcome)| {
        let stale = is_stale(&snapshot.analysis, target.file, subject, outcome);
        format!("Last result: `{}`", outcome.label(stale))
    })
    .collect()
}

/// The addresses of places, as clients understand them in Markdown.
pub fn link(snapshot: &RequestSnapshot) -> impl Fn(FileRange) -> Option<String> + '_ {
    |place| {
        let location = snapshot.location(place)?;
        let start = location.range.start;
        Some(format!(
            "{}#L{},{}",
            location.uri.as_str(),
            start.line + 1,
            start.character + 1
        ))
    }
}
