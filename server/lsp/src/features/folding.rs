//! `textDocument/foldingRange`.

use std::collections::HashSet;

use frank_ide::FoldKind;
use tower_lsp::ls_types as lsp;

use crate::request_snapshot::{Answer, RequestSnapshot, Target};

pub fn folding(
    snapshot: &RequestSnapshot,
    target: &Target,
) -> Answer<Option<Vec<lsp::FoldingRange>>> {
    let Some(document) = snapshot.document(target.file) else {
        return Ok(None);
    };
    let folds = snapshot
        .analysis
        .folds(target.file)
        .into_iter()
        .map(|fold| {
            let range = snapshot.range(document, fold.range);
            let columns = !snapshot.capabilities.line_folding_only;
            lsp::FoldingRange {
                start_line: range.start.line,
                start_character: columns.then_some(range.start.character),
                end_line: range.end.line,
                end_character: columns.then_some(range.end.character),
                kind: match fold.kind {
                    FoldKind::Comment => Some(lsp::FoldingRangeKind::Comment),
                    FoldKind::Includes => Some(lsp::FoldingRangeKind::Imports),
                    FoldKind::Region => None,
                },
                collapsed_text: None,
            }
        });
    // Where lines are all that counts, a bracket that goes as far as its item is no fold of its own.
    let columns = !snapshot.capabilities.line_folding_only;
    let mut lines = HashSet::new();
    let is_shown = |fold: &lsp::FoldingRange| {
        fold.start_line < fold.end_line
            && (lines.insert((fold.start_line, fold.end_line)) || columns)
    };
    Ok(Some(folds.filter(is_shown).collect()))
}
