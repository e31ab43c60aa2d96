//! `textDocument/documentLink`.

use tower_lsp::ls_types as lsp;

use crate::world::{Answer, Target, World};

pub fn links(world: &World, target: &Target) -> Answer<Option<Vec<lsp::DocumentLink>>> {
    let Some(document) = world.document(target.file) else {
        return Ok(None);
    };
    let links = world
        .analysis
        .links(target.file)
        .into_iter()
        .filter_map(|link| {
            Some(lsp::DocumentLink {
                range: world.range(document, link.range),
                target: Some(world.document(link.target)?.uri.clone()),
                tooltip: None,
                data: None,
            })
        });
    Ok(Some(links.collect()))
}
