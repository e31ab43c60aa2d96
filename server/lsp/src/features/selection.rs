//! `textDocument/selectionRange`.

use frank_ide::FilePosition;
use tower_lsp::ls_types as lsp;

use crate::request_snapshot::{Answer, RequestSnapshot, Target};

pub fn selection(
    snapshot: &RequestSnapshot,
    target: &Target,
) -> Answer<Option<Vec<lsp::SelectionRange>>> {
    let Some(document) = snapshot.document(target.file) else {
        return Ok(None);
    };
    let around = target.ranges.iter().map(|spot| {
        let at = FilePosition::new(target.file, spot.start);
        let mut found: Option<lsp::SelectionRange> = None;
        for range in snapshot.analysis.selections(at).into_iter().rev() {
            let range = snapshot.range(document, range);
            found = Some(lsp::SelectionRange {
                range,
                parent: found.map(Box::new),
            });
        }
        // There is one answer for each position.
        found.unwrap_or_else(|| lsp::SelectionRange {
            range: snapshot
                .documents
                .encoding
                .range(&document.text, spot.start..spot.start),
            parent: None,
        })
    });
    Ok(Some(around.collect()))
}
