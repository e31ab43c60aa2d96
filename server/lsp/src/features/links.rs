//! `textDocument/documentLink`.

use tower_lsp::ls_types as lsp;

use crate::request_snapshot::{Answer, RequestSnapshot, Target};

pub fn links(
    snapshot: &RequestSnapshot,
    target: &Target,
) -> Answer<Option<Vec<lsp::DocumentLink>>> {
    let Some(document) = snapshot.document(target.file) else {
        return Ok(None);
    };
    let links = snapshot
        .analysis
        .links(target.file)
        .into_iter()
        .filter_map(|link| {
            Some(lsp::DocumentLink {
                range: snapshot.range(document, link.range),
                target: Some(snapshot.document(link.target)?.uri.clone()),
                tooltip: None,
                data: None,
            })
        });
    Ok(Some(links.collect()))
}
