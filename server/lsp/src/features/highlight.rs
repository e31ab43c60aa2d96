//! `textDocument/documentHighlight`.

use frank_ide::HighlightKind;
use tower_lsp::ls_types as lsp;

use crate::request_snapshot::{Answer, RequestSnapshot, Target};

pub fn highlight(
    snapshot: &RequestSnapshot,
    target: &Target,
) -> Answer<Option<Vec<lsp::DocumentHighlight>>> {
    let Some(document) = snapshot.document(target.file) else {
        return Ok(None);
    };
    let found = snapshot.analysis.highlights(target.position()).into_iter();
    let shown = found.map(|highlight| lsp::DocumentHighlight {
        range: snapshot.range(document, highlight.range),
        kind: Some(match highlight.kind {
            HighlightKind::Text => lsp::DocumentHighlightKind::TEXT,
            HighlightKind::Read => lsp::DocumentHighlightKind::READ,
            HighlightKind::Write => lsp::DocumentHighlightKind::WRITE,
        }),
    });
    Ok(Some(shown.collect()))
}
