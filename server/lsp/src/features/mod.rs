//! What editors ask for, one file for each: the answers of `frank_ide` in the protocol's words.

pub mod call_hierarchy;
pub mod code_actions;
pub mod code_lens;
pub mod completion;
pub mod folding;
pub mod formatting;
pub mod goto;
pub mod highlight;
pub mod hover;
pub mod inlay_hints;
pub mod linked_editing;
pub mod links;
pub mod refactorings;
pub mod references;
pub mod rename;
pub mod resolve;
pub mod selection;
pub mod semantic_tokens;
pub mod signature_help;
pub mod symbols;

use frank_ide::SymbolKind;
use tower_lsp::ls_types as lsp;

/// The protocol's nearest kind of symbol.
pub fn symbol_kind(kind: SymbolKind) -> lsp::SymbolKind {
    match kind {
        SymbolKind::File => lsp::SymbolKind::FILE,
        SymbolKind::Data | SymbolKind::BuiltinType => lsp::SymbolKind::ENUM,
        SymbolKind::Constructor => lsp::SymbolKind::ENUM_MEMBER,
        SymbolKind::Interface | SymbolKind::Alias => lsp::SymbolKind::INTERFACE,
        SymbolKind::Command => lsp::SymbolKind::METHOD,
        SymbolKind::Operator | SymbolKind::Handler => lsp::SymbolKind::FUNCTION,
        SymbolKind::Value => lsp::SymbolKind::CONSTANT,
        SymbolKind::Local | SymbolKind::Continuation | SymbolKind::AdaptorName => {
            lsp::SymbolKind::VARIABLE
        }
        SymbolKind::TypeVariable | SymbolKind::EffectVariable => lsp::SymbolKind::TYPE_PARAMETER,
    }
}
