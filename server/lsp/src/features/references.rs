//! `textDocument/references`.

use tower_lsp::ls_types as lsp;

use crate::world::{Answer, Target, World};

pub fn references(
    world: &World,
    target: &Target,
    declarations: bool,
) -> Answer<Option<Vec<lsp::Location>>> {
    let found = world.analysis.references(target.position(), declarations);
    Ok(Some(
        found
            .iter()
            .filter_map(|reference| world.location(reference.at))
            .collect(),
    ))
}
