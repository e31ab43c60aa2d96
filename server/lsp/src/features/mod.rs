//! What editors ask for, one file for each: the answers of `frank_ide` in the protocol's words; and what
//! the client is sent of it, the server's capabilities.

pub mod abilities;
pub mod by_type;
pub mod call_hierarchy;
pub mod cells;
pub mod code_actions;
pub mod code_lens;
pub mod completion;
pub mod content;
pub mod examples;
pub mod folding;
pub mod formatting;
pub mod gaps;
pub mod goto;
pub mod graph;
pub mod highlight;
pub mod holes;
pub mod hover;
pub mod info;
pub mod inlay_hints;
pub mod linked_editing;
pub mod links;
pub mod plot;
pub mod portrait;
pub mod refactorings;
pub mod references;
pub mod rename;
pub mod resolve;
pub mod selection;
pub mod semantic_tokens;
pub mod signature_help;
pub mod smooth;
pub mod steps;
pub mod symbols;

use frank_ide::SymbolKind;
use tower_lsp::ls_types as lsp;

use crate::client_capabilities::ClientCapabilities;
use crate::commands;
use crate::text::Encoding;

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

/// The answer to `initialize`.
pub fn announce(encoding: Encoding) -> lsp::InitializeResult {
    lsp::InitializeResult {
        capabilities: lsp::ServerCapabilities {
            position_encoding: Some(encoding.kind()),
            text_document_sync: Some(lsp::TextDocumentSyncCapability::Options(
                lsp::TextDocumentSyncOptions {
                    open_close: Some(true),
                    change: Some(lsp::TextDocumentSyncKind::INCREMENTAL),
                    save: Some(lsp::TextDocumentSyncSaveOptions::Supported(true)),
                    ..lsp::TextDocumentSyncOptions::default()
                },
            )),
            diagnostic_provider: Some(lsp::DiagnosticServerCapabilities::Options(
                lsp::DiagnosticOptions {
                    identifier: Some("frank".to_owned()),
                    inter_file_dependencies: true,
                    workspace_diagnostics: true,
                    ..lsp::DiagnosticOptions::default()
                },
            )),
            hover_provider: Some(lsp::HoverProviderCapability::Simple(true)),
            completion_provider: Some(lsp::CompletionOptions {
                resolve_provider: Some(true),
                trigger_characters: Some(texts(completion::TRIGGERS)),
                ..lsp::CompletionOptions::default()
            }),
            signature_help_provider: Some(lsp::SignatureHelpOptions {
                trigger_characters: Some(texts(signature_help::TRIGGERS)),
                retrigger_characters: None,
                work_done_progress_options: lsp::WorkDoneProgressOptions::default(),
            }),
            inlay_hint_provider: Some(lsp::OneOf::Left(true)),
            definition_provider: Some(lsp::OneOf::Left(true)),
            declaration_provider: Some(lsp::DeclarationCapability::Simple(true)),
            type_definition_provider: Some(lsp::TypeDefinitionProviderCapability::Simple(true)),
            implementation_provider: Some(lsp::ImplementationProviderCapability::Simple(true)),
            references_provider: Some(lsp::OneOf::Left(true)),
            document_highlight_provider: Some(lsp::OneOf::Left(true)),
            rename_provider: Some(lsp::OneOf::Right(lsp::RenameOptions {
                prepare_provider: Some(true),
                work_done_progress_options: lsp::WorkDoneProgressOptions::default(),
            })),
            document_symbol_provider: Some(lsp::OneOf::Left(true)),
            workspace_symbol_provider: Some(lsp::OneOf::Left(true)),
            semantic_tokens_provider: Some(
                lsp::SemanticTokensOptions {
                    legend: semantic_tokens::legend(),
                    range: Some(true),
                    full: Some(lsp::SemanticTokensFullOptions::Delta { delta: Some(true) }),
                    ..lsp::SemanticTokensOptions::default()
                }
                .into(),
            ),
            call_hierarchy_provider: Some(lsp::CallHierarchyServerCapability::Simple(true)),
            folding_range_provider: Some(lsp::FoldingRangeProviderCapability::Simple(true)),
            selection_range_provider: Some(lsp::SelectionRangeProviderCapability::Simple(true)),
            document_link_provider: Some(lsp::DocumentLinkOptions {
                resolve_provider: Some(false),
                work_done_progress_options: lsp::WorkDoneProgressOptions::default(),
            }),
            linked_editing_range_provider: Some(lsp::LinkedEditingRangeServerCapabilities::Simple(
                true,
            )),
            code_lens_provider: Some(lsp::CodeLensOptions {
                resolve_provider: Some(true),
            }),
            execute_command_provider: Some(lsp::ExecuteCommandOptions {
                commands: texts(commands::ALL),
                work_done_progress_options: lsp::WorkDoneProgressOptions {
                    work_done_progress: Some(true),
                },
            }),
            code_action_provider: Some(lsp::CodeActionProviderCapability::Options(
                lsp::CodeActionOptions {
                    code_action_kinds: Some(vec![
                        lsp::CodeActionKind::QUICKFIX,
                        lsp::CodeActionKind::REFACTOR_EXTRACT,
                        lsp::CodeActionKind::REFACTOR_INLINE,
                        lsp::CodeActionKind::REFACTOR_REWRITE,
                        lsp::CodeActionKind::SOURCE_FIX_ALL,
                        code_actions::FIX_ALL,
                    ]),
                    resolve_provider: Some(true),
                    ..lsp::CodeActionOptions::default()
                },
            )),
            document_formatting_provider: Some(lsp::OneOf::Left(true)),
            document_range_formatting_provider: Some(lsp::OneOf::Left(true)),
            document_on_type_formatting_provider: formatting::TRIGGERS.split_first().map(
                |(first, more)| lsp::DocumentOnTypeFormattingOptions {
                    first_trigger_character: (*first).to_owned(),
                    more_trigger_character: Some(texts(more)),
                },
            ),
            workspace: Some(lsp::WorkspaceServerCapabilities {
                workspace_folders: Some(lsp::WorkspaceFoldersServerCapabilities {
                    supported: Some(true),
                    change_notifications: Some(lsp::OneOf::Left(true)),
                }),
                file_operations: None,
            }),
            ..lsp::ServerCapabilities::default()
        },
        server_info: Some(lsp::ServerInfo {
            name: "frank".to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        }),
        offset_encoding: None,
    }
}

fn texts(characters: &[&str]) -> Vec<String> {
    characters
        .iter()
        .map(|&character| character.to_owned())
        .collect()
}

/// What the server asks for once the client is ready.
pub fn registrations(capabilities: &ClientCapabilities) -> Vec<lsp::Registration> {
    let mut registrations = Vec::new();
    let mut register = |method: &str, options: Option<serde_json::Value>| {
        registrations.push(lsp::Registration {
            id: format!("frank {method}"),
            method: method.to_owned(),
            register_options: options,
        });
    };
    if capabilities.watches_files {
        let watcher = |pattern: &str| serde_json::json!({ "globPattern": pattern });
        let watchers = [
            "**/*.fk",
            "**/*.fk.md",
            "**/frank.toml",
            "**/.gitignore",
            "**/.ignore",
        ]
        .map(watcher);
        let options = serde_json::json!({ "watchers": watchers });
        register("workspace/didChangeWatchedFiles", Some(options));
    }
    if capabilities.configuration_changes {
        let options = serde_json::json!({ "section": crate::settings::SECTION });
        register("workspace/didChangeConfiguration", Some(options));
    }
    registrations
}
