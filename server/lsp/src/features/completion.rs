//! `textDocument/completion`, `completionItem/resolve`.

use std::time::Duration;

use frank_ide::{CompletionKind, Filling, Hover, Search, SymbolKind, without_stops};
use serde::{Deserialize, Serialize};
use text_size::TextRange;
use tower_lsp::ls_types as lsp;

use super::resolve::ResolveData;
use crate::request_snapshot::{Answer, RequestSnapshot, Target};

/// The characters behind which names are proposed unasked.
pub const TRIGGERS: &[&str] = &["<", "[", "|"];

/// An item whose documentation is given later.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Documented {
    name: String,
    kind: u8,
}

/// The kinds of items with documentation, by their numbers.
const DOCUMENTED: &[SymbolKind] = &[
    SymbolKind::Data,
    SymbolKind::Constructor,
    SymbolKind::Interface,
    SymbolKind::Alias,
    SymbolKind::Command,
    SymbolKind::Operator,
    SymbolKind::Handler,
    SymbolKind::Value,
];

/// Where what fits a hole has taken longer, as in a very large file, the list is told as it is, and the search for whole
/// terms waits until the client asks for the rest. It is asked to do so, too, where the search found no end in its time.
const PATIENCE: Duration = Duration::from_millis(10);

/// What can be written at a position. `again` says whether the client asks for the rest of a list.
pub fn complete(
    snapshot: &RequestSnapshot,
    target: &Target,
    again: bool,
) -> Answer<Option<lsp::CompletionResponse>> {
    let Some(document) = snapshot.document(target.file) else {
        return Ok(None);
    };
    let interrupted = || {
        snapshot.check();
        false
    };
    let search = Search {
        filling: Filling::as_you_type(),
        patience: (!again).then_some(PATIENCE),
        cancelled: &interrupted,
    };
    let at = target.position();
    let Some(found) = snapshot.analysis.completions_searched(at, Some(search)) else {
        return Ok(None);
    };
    let insert = snapshot.range(document, found.insert_range);
    let replace = snapshot.range(document, found.replace_range);
    let hole = found.hole;
    let items = found.items.into_iter().enumerate().map(|(number, item)| {
        let snippet = item.snippet && snapshot.capabilities.snippets;
        let new_text = if item.snippet && !snippet {
            without_stops(&item.insert)
        } else {
            item.insert
        };
        let edit = if snapshot.capabilities.insert_replace && insert != replace {
            lsp::InsertReplaceEdit {
                new_text,
                insert,
                replace,
            }
            .into()
        } else {
            lsp::TextEdit {
                range: insert,
                new_text,
            }
            .into()
        };
        let later = documented(item.kind)
            .filter(|_| item.documented)
            .map(|kind| Documented {
                name: item.label.clone(),
                kind,
            });
        let details = item
            .detail
            .clone()
            .map(|detail| lsp::CompletionItemLabelDetails {
                detail: None,
                description: Some(detail),
            });
        lsp::CompletionItem {
            kind: Some(kind_of(item.kind)),
            detail: item.detail,
            label_details: details.filter(|_| snapshot.capabilities.label_details),
            // Clients sort by text; these are in the right order already.
            sort_text: Some(format!("{number:04}")),
            insert_text_format: snippet.then_some(lsp::InsertTextFormat::SNIPPET),
            text_edit: Some(edit),
            // Else the client would compare the label with the `_` that is written.
            filter_text: hole
                .as_ref()
                .filter(|hole| number < hole.count)
                .map(|hole| hole.name.clone()),
            data: later.and_then(|later| ResolveData::write(&document.uri, later)),
            label: item.label,
            ..lsp::CompletionItem::default()
        }
    });
    let items = items.collect();
    Ok(Some(lsp::CompletionResponse::List(lsp::CompletionList {
        is_incomplete: found.incomplete,
        items,
    })))
}

/// The documentation of an item that a list had.
pub fn documentation(
    snapshot: &RequestSnapshot,
    target: &Target,
    data: &ResolveData<Documented>,
) -> Answer<Option<lsp::Documentation>> {
    let Some(kind) = DOCUMENTED.get(usize::from(data.item.kind)) else {
        return Ok(None);
    };
    let kind = CompletionKind::Symbol(*kind);
    let parts = snapshot
        .analysis
        .completion_docs(target.file, &data.item.name, kind);
    if parts.is_empty() {
        return Ok(None);
    }
    let shown = Hover {
        range: TextRange::default(),
        parts,
    };
    Ok(Some(lsp::Documentation::MarkupContent(
        if snapshot.capabilities.markdown_documentation {
            lsp::MarkupContent {
                kind: lsp::MarkupKind::Markdown,
                value: shown.markdown(super::hover::link(snapshot)),
            }
        } else {
            lsp::MarkupContent {
                kind: lsp::MarkupKind::PlainText,
                value: shown.plain(),
            }
        },
    )))
}

fn documented(kind: CompletionKind) -> Option<u8> {
    let CompletionKind::Symbol(kind) = kind else {
        return None;
    };
    let number = DOCUMENTED.iter().position(|known| *known == kind)?;
    u8::try_from(number).ok()
}

fn kind_of(kind: CompletionKind) -> lsp::CompletionItemKind {
    match kind {
        CompletionKind::Keyword => lsp::CompletionItemKind::KEYWORD,
        CompletionKind::Snippet => lsp::CompletionItemKind::SNIPPET,
        CompletionKind::Adaptor => lsp::CompletionItemKind::OPERATOR,
        CompletionKind::Pattern => lsp::CompletionItemKind::METHOD,
        CompletionKind::Symbol(symbol) => match symbol {
            SymbolKind::File => lsp::CompletionItemKind::FILE,
            SymbolKind::Data | SymbolKind::BuiltinType => lsp::CompletionItemKind::ENUM,
            SymbolKind::Constructor => lsp::CompletionItemKind::ENUM_MEMBER,
            SymbolKind::Interface | SymbolKind::Alias => lsp::CompletionItemKind::INTERFACE,
            SymbolKind::Command => lsp::CompletionItemKind::METHOD,
            SymbolKind::Operator | SymbolKind::Handler => lsp::CompletionItemKind::FUNCTION,
            SymbolKind::Value => lsp::CompletionItemKind::CONSTANT,
            SymbolKind::Local | SymbolKind::Continuation | SymbolKind::AdaptorName => {
                lsp::CompletionItemKind::VARIABLE
            }
            SymbolKind::TypeVariable | SymbolKind::EffectVariable => {
                lsp::CompletionItemKind::TYPE_PARAMETER
            }
        },
    }
}
