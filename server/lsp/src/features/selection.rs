//! `textDocument/selectionRange`.

use frank_ide::FilePosition;
use tower_lsp::ls_types as lsp;

use crate::world::{Answer, Target, World};

pub fn selection(world: &World, target: &Target) -> Answer<Option<Vec<lsp::SelectionRange>>> {
    let Some(document) = world.document(target.file) else {
        return Ok(None);
    };
    let around = target.spots.iter().map(|spot| {
        let at = FilePosition::new(target.file, spot.start);
        let mut found: Option<lsp::SelectionRange> = None;
        for range in world.analysis.selections(at).into_iter().rev() {
            let range = world.range(document, range);
            found = Some(lsp::SelectionRange {
                range,
                parent: found.map(Box::new),
            });
        }
        // There is one answer for each position.
        found.unwrap_or_else(|| lsp::SelectionRange {
            range: world
                .documents
                .encoding
                .range(&document.text, spot.start..spot.start),
            parent: None,
        })
    });
    Ok(Some(around.collect()))
}
