//! `textDocument/hover`.

use tower_lsp::ls_types as lsp;

use crate::world::{Answer, Target, World};

pub fn hover(world: &World, target: &Target) -> Answer<Option<lsp::Hover>> {
    let Some(hover) = world.analysis.hover(target.position()) else { return Ok(None) };
    let contents = if world.support.markdown_hover {
        let link = |place| {
            let location = world.location(place)?;
            let start = location.range.start;
            Some(format!("{}#L{},{}", location.uri.as_str(), start.line + 1, start.character + 1))
        };
        lsp::MarkupContent { kind: lsp::MarkupKind::Markdown, value: hover.markdown(link) }
    } else {
        lsp::MarkupContent { kind: lsp::MarkupKind::PlainText, value: hover.plain() }
    };
    Ok(Some(lsp::Hover {
        contents: lsp::HoverContents::Markup(contents),
        range: world.range_in(target.file, hover.range),
    }))
}
