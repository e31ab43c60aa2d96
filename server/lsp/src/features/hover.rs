//! `textDocument/hover`.

use frank_ide::FileRange;
use tower_lsp::ls_types as lsp;

use crate::request_snapshot::{Answer, RequestSnapshot, Target};

pub fn hover(snapshot: &RequestSnapshot, target: &Target) -> Answer<Option<lsp::Hover>> {
    let Some(hover) = snapshot.analysis.hover(target.position()) else {
        return Ok(None);
    };
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
