//! `textDocument/prepareRename`, `textDocument/rename`.

use frank_ide::Refusal;
use tower_lsp::ls_types as lsp;

use crate::edits::workspace_edit;
use crate::request_snapshot::{Answer, RequestError, RequestSnapshot, Target};

pub fn prepare(
    snapshot: &RequestSnapshot,
    target: &Target,
) -> Answer<Option<lsp::PrepareRenameResponse>> {
    let found = snapshot
        .analysis
        .prepare_rename(target.position())
        .map_err(refused)?;
    let range = snapshot.range_in(found.at.file, found.at.range);
    Ok(
        range.map(|range| lsp::PrepareRenameResponse::RangeWithPlaceholder {
            range,
            placeholder: found.name,
        }),
    )
}

pub fn rename(
    snapshot: &RequestSnapshot,
    target: &Target,
    new: &str,
) -> Answer<Option<lsp::WorkspaceEdit>> {
    let edits = snapshot
        .analysis
        .rename(target.position(), new)
        .map_err(refused)?;
    Ok(Some(workspace_edit(snapshot, &edits)))
}

fn refused(refusal: Refusal) -> RequestError {
    RequestError::Refused(refusal.to_string())
}
