//! `textDocument/prepareRename`, `textDocument/rename`.

use frank_ide::Refusal;
use tower_lsp::ls_types as lsp;

use crate::edits::workspace_edit;
use crate::world::{Answer, Failure, Target, World};

pub fn prepare(world: &World, target: &Target) -> Answer<Option<lsp::PrepareRenameResponse>> {
    let found = world
        .analysis
        .prepare_rename(target.position())
        .map_err(refused)?;
    let range = world.range_in(found.at.file, found.at.range);
    Ok(
        range.map(|range| lsp::PrepareRenameResponse::RangeWithPlaceholder {
            range,
            placeholder: found.name,
        }),
    )
}

pub fn rename(world: &World, target: &Target, new: &str) -> Answer<Option<lsp::WorkspaceEdit>> {
    let edits = world
        .analysis
        .rename(target.position(), new)
        .map_err(refused)?;
    Ok(Some(workspace_edit(world, &edits)))
}

fn refused(refusal: Refusal) -> Failure {
    Failure::Refused(refusal.to_string())
}
