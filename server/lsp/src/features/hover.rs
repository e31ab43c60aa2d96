//! `textDocument/hover`.

use frank_ide::FileRange;
use tower_lsp::ls_types as lsp;

use crate::world::{Answer, Target, World};

pub fn hover(world: &World, target: &Target) -> Answer<Option<lsp::Hover>> {
    let Some(hover) = world.analysis.hover(target.position()) else {
        return Ok(None);
    };
    let contents = if world.support.markdown_hover {
        let value = hover.markdown(link(world));
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
        range: world.range_in(target.file, hover.range),
    }))
}

/// The addresses of places, as clients understand them in Markdown.
pub fn link(world: &World) -> impl Fn(FileRange) -> Option<String> + '_ {
    |place| {
        let location = world.location(place)?;
        let start = location.range.start;
        Some(format!(
            "{}#L{},{}",
            location.uri.as_str(),
            start.line + 1,
            start.character + 1
        ))
    }
}
