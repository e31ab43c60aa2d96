//! `textDocument/linkedEditingRange`.

use tower_lsp::ls_types as lsp;

use crate::request_snapshot::{Answer, RequestSnapshot, Target};

/// What a name of the language looks like, for the client.
const NAME: &str = r"[\p{L}_][\p{L}\p{N}_']*";

pub fn linked(
    snapshot: &RequestSnapshot,
    target: &Target,
) -> Answer<Option<lsp::LinkedEditingRanges>> {
    let Some(document) = snapshot.document(target.file) else {
        return Ok(None);
    };
    let names = snapshot.analysis.linked_names(target.position());
    Ok(names.map(|names| lsp::LinkedEditingRanges {
        ranges: names
            .into_iter()
            .map(|range| snapshot.range(document, range))
            .collect(),
        word_pattern: Some(NAME.to_owned()),
    }))
}
