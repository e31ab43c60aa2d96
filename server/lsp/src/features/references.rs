//! `textDocument/references`.

use tower_lsp::ls_types as lsp;

use crate::request_snapshot::{Answer, RequestSnapshot, Target};

pub fn references(
    snapshot: &RequestSnapshot,
    target: &Target,
    declarations: bool,
) -> Answer<Option<Vec<lsp::Location>>> {
    let found = snapshot
        .analysis
        .references(target.position(), declarations);
    Ok(Some(
        found
            .iter()
            .filter_map(|reference| snapshot.location(reference.at))
            .collect(),
    ))
}
