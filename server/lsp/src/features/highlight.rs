//! `textDocument/documentHighlight`.

use frank_ide::HighlightKind;
use tower_lsp::ls_types as lsp;

use crate::world::{Answer, Target, World};

pub fn highlight(world: &World, target: &Target) -> Answer<Option<Vec<lsp::DocumentHighlight>>> {
    let Some(document) = world.document(target.file) else {
        return Ok(None);
    };
    let found = world.analysis.highlights(target.position()).into_iter();
    let shown = found.map(|highlight| lsp::DocumentHighlight {
        range: world.range(document, highlight.range),
        kind: Some(match highlight.kind {
            HighlightKind::Text => lsp::DocumentHighlightKind::TEXT,
            HighlightKind::Read => lsp::DocumentHighlightKind::READ,
            HighlightKind::Write => lsp::DocumentHighlightKind::WRITE,
        }),
    });
    Ok(Some(shown.collect()))
}
