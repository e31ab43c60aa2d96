//! `textDocument/documentSymbol`, `workspace/symbol`.

use tower_lsp::ls_types as lsp;

use super::symbol_kind;
use crate::documents::Document;
use crate::request_snapshot::{Answer, RequestSnapshot, Target};

/// How many symbols of a workspace are listed at most; the client asks again with more letters.
const MOST: usize = 256;

pub fn document(
    snapshot: &RequestSnapshot,
    target: &Target,
) -> Answer<Option<lsp::DocumentSymbolResponse>> {
    let Some(document) = snapshot.document(target.file) else {
        return Ok(None);
    };
    let symbols = snapshot.analysis.document_symbols(target.file);
    Ok(Some(if snapshot.capabilities.hierarchical_symbols {
        let nested = symbols
            .into_iter()
            .map(|symbol| nested(snapshot, document, symbol));
        lsp::DocumentSymbolResponse::Nested(nested.collect())
    } else {
        let mut all = Vec::new();
        for symbol in symbols {
            flat(snapshot, document, symbol, None, &mut all);
        }
        lsp::DocumentSymbolResponse::Flat(all)
    }))
}

#[allow(deprecated, reason = "the type has a field that is")]
fn nested(
    snapshot: &RequestSnapshot,
    document: &Document,
    symbol: frank_ide::DocumentSymbol,
) -> lsp::DocumentSymbol {
    let children = symbol
        .children
        .into_iter()
        .map(|child| nested(snapshot, document, child));
    let children: Vec<lsp::DocumentSymbol> = children.collect();
    lsp::DocumentSymbol {
        name: symbol.name,
        detail: symbol.detail,
        kind: symbol_kind(symbol.kind),
        tags: None,
        deprecated: None,
        range: snapshot.range(document, symbol.range),
        selection_range: snapshot.range(document, symbol.focus),
        children: (!children.is_empty()).then_some(children),
    }
}

#[allow(deprecated, reason = "older clients know nothing else")]
fn flat(
    snapshot: &RequestSnapshot,
    document: &Document,
    symbol: frank_ide::DocumentSymbol,
    container: Option<&str>,
    all: &mut Vec<lsp::SymbolInformation>,
) {
    all.push(lsp::SymbolInformation {
        name: symbol.name.clone(),
        kind: symbol_kind(symbol.kind),
        tags: None,
        deprecated: None,
        location: lsp::Location::new(document.uri.clone(), snapshot.range(document, symbol.range)),
        container_name: container.map(str::to_owned),
    });
    for child in symbol.children {
        flat(snapshot, document, child, Some(&symbol.name), all);
    }
}

pub fn workspace(
    snapshot: &RequestSnapshot,
    query: &str,
) -> Answer<Option<lsp::WorkspaceSymbolResponse>> {
    let found = snapshot.analysis.workspace_symbols(query, MOST);
    let shown = found.into_iter().filter_map(|symbol| {
        Some(lsp::WorkspaceSymbol {
            name: symbol.name.to_string(),
            kind: symbol_kind(symbol.kind),
            tags: None,
            container_name: symbol.container.map(|container| container.to_string()),
            location: lsp::OneOf::Left(snapshot.location(symbol.target.focus)?),
            data: None,
        })
    });
    Ok(Some(lsp::WorkspaceSymbolResponse::Nested(shown.collect())))
}
