//! What the client can do.

use tower_lsp::ls_types as lsp;

/// What the client shows and can be asked to request again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Refresh {
    Diagnostics,
    CodeLenses,
    InlayHints,
    SemanticTokens,
}

/// The capabilities of a client that change what the server says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClientCapabilities {
    /// It asks for diagnostics itself.
    pub pulls_diagnostics: bool,
    pub diagnostics_refresh: bool,
    pub related_information: bool,
    pub code_description: bool,
    pub unnecessary_tag: bool,
    pub watches_files: bool,
    pub configuration: bool,
    pub configuration_changes: bool,
    pub work_done_progress: bool,
    pub shows_documents: bool,
    /// It shows lenses.
    pub code_lenses: bool,
    pub code_lens_refresh: bool,
    pub inlay_hint_refresh: bool,
    pub semantic_tokens_refresh: bool,
    pub markdown_hover: bool,
    pub markdown_documentation: bool,
    pub snippets: bool,
    pub location_links: LocationLinks,
    pub hierarchical_symbols: bool,
    pub line_folding_only: bool,
    pub document_changes: bool,
    pub code_action_literals: bool,
    /// It asks for the edits of a code action once that is chosen.
    pub code_action_edits_lazily: bool,
    pub label_offsets: bool,
    pub insert_replace: bool,
    /// It shows more than names in a list of completions.
    pub label_details: bool,
    pub inlay_hint_edits_lazily: bool,
    pub prepare_rename_default: bool,
    pub change_annotations: bool,
    pub delta_tokens: bool,
    /// It has a command `frank.step`, which shows a run state by state: `experimental.frankStep`.
    pub steps: bool,
    /// It has a command `frank.debug`, which starts the debugger: `experimental.frankDebug`.
    pub debugs: bool,
    /// It has a command `frank.fill`, which lets one choose a term for a hole: `experimental.frankFill`.
    pub fills: bool,
    /// It shows formulas of LaTeX in `$$` in Markdown: `experimental.frankMath`.
    pub shows_math: bool,
    /// It shows SVG in `data:` addresses in Markdown: `experimental.frankPictures`.
    pub shows_pictures: bool,
    /// It has a command `frank.plot`, which draws an operator: `experimental.frankPlot`.
    pub plots: bool,
}

/// The requests whose answers may be links instead of locations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LocationLinks {
    pub definition: bool,
    pub declaration: bool,
    pub type_definition: bool,
    pub implementation: bool,
}

impl ClientCapabilities {
    /// Whether the client can be asked to ask for something again.
    pub fn refreshes(&self, kind: Refresh) -> bool {
        match kind {
            Refresh::Diagnostics => self.diagnostics_refresh && self.pulls_diagnostics,
            Refresh::CodeLenses => self.code_lens_refresh,
            Refresh::InlayHints => self.inlay_hint_refresh,
            Refresh::SemanticTokens => self.semantic_tokens_refresh,
        }
    }

    /// Reads what a client says of itself; what it does not say it cannot do.
    pub fn of(capabilities: &lsp::ClientCapabilities) -> ClientCapabilities {
        let text = capabilities.text_document.clone().unwrap_or_default();
        let workspace = capabilities.workspace.clone().unwrap_or_default();
        let window = capabilities.window.clone().unwrap_or_default();
        let markdown = |format: Option<Vec<lsp::MarkupKind>>| {
            format.is_some_and(|format| format.contains(&lsp::MarkupKind::Markdown))
        };
        let links = |goto: Option<lsp::GotoCapability>| {
            goto.and_then(|goto| goto.link_support).unwrap_or_default()
        };
        let publish = text.publish_diagnostics.unwrap_or_default();
        let unnecessary = |tags: &lsp::TagSupport<lsp::DiagnosticTag>| {
            tags.value_set.contains(&lsp::DiagnosticTag::UNNECESSARY)
        };
        let completion = text.completion.unwrap_or_default();
        let item = completion.completion_item.unwrap_or_default();
        let signature = text
            .signature_help
            .and_then(|help| help.signature_information);
        let edit = workspace.workspace_edit.unwrap_or_default();
        let hint_resolve = text.inlay_hint.and_then(|hint| hint.resolve_support);
        let pulls = text.diagnostic.is_some();
        ClientCapabilities {
            pulls_diagnostics: pulls,
            diagnostics_refresh: workspace
                .diagnostics
                .and_then(|diagnostics| diagnostics.refresh_support)
                .unwrap_or_default(),
            // Clients that pull hardly ever repeat for that what they said for publishing.
            related_information: publish.related_information.unwrap_or(pulls),
            code_description: publish.code_description_support.unwrap_or(pulls),
            unnecessary_tag: publish.tag_support.as_ref().map_or(pulls, unnecessary),
            watches_files: workspace
                .did_change_watched_files
                .and_then(|watch| watch.dynamic_registration)
                .unwrap_or_default(),
            configuration: workspace.configuration.unwrap_or_default(),
            configuration_changes: workspace
                .did_change_configuration
                .and_then(|change| change.dynamic_registration)
                .unwrap_or_default(),
            work_done_progress: window.work_done_progress.unwrap_or_default(),
            shows_documents: window.show_document.is_some_and(|show| show.support),
            code_lenses: text.code_lens.is_some(),
            code_lens_refresh: workspace
                .code_lens
                .and_then(|lens| lens.refresh_support)
                .unwrap_or_default(),
            inlay_hint_refresh: workspace
                .inlay_hint
                .and_then(|hint| hint.refresh_support)
                .unwrap_or_default(),
            semantic_tokens_refresh: workspace
                .semantic_tokens
                .and_then(|tokens| tokens.refresh_support)
                .unwrap_or_default(),
            markdown_hover: markdown(text.hover.and_then(|hover| hover.content_format)),
            markdown_documentation: markdown(item.documentation_format),
            snippets: item.snippet_support.unwrap_or_default(),
            location_links: LocationLinks {
                definition: links(text.definition),
                declaration: links(text.declaration),
                type_definition: links(text.type_definition),
                implementation: links(text.implementation),
            },
            hierarchical_symbols: text
                .document_symbol
                .and_then(|symbol| symbol.hierarchical_document_symbol_support)
                .unwrap_or_default(),
            line_folding_only: text
                .folding_range
                .and_then(|folding| folding.line_folding_only)
                .unwrap_or_default(),
            document_changes: edit.document_changes.unwrap_or_default(),
            change_annotations: edit.change_annotation_support.is_some(),
            code_action_edits_lazily: text
                .code_action
                .as_ref()
                .filter(|action| action.data_support == Some(true))
                .and_then(|action| action.resolve_support.as_ref())
                .is_some_and(|resolve| resolve.properties.iter().any(|name| name == "edit")),
            code_action_literals: text
                .code_action
                .is_some_and(|action| action.code_action_literal_support.is_some()),
            label_offsets: signature
                .and_then(|signature| signature.parameter_information)
                .and_then(|parameter| parameter.label_offset_support)
                .unwrap_or_default(),
            insert_replace: item.insert_replace_support.unwrap_or_default(),
            label_details: item.label_details_support.unwrap_or_default(),
            inlay_hint_edits_lazily: hint_resolve
                .is_some_and(|resolve| resolve.properties.iter().any(|name| name == "textEdits")),
            prepare_rename_default: text
                .rename
                .is_some_and(|rename| rename.prepare_support_default_behavior.is_some()),
            delta_tokens: text.semantic_tokens.is_some_and(|tokens| {
                matches!(
                    tokens.requests.full,
                    Some(lsp::SemanticTokensFullOptions::Delta { delta: Some(true) })
                )
            }),
            steps: has_own(capabilities, "frankStep"),
            debugs: has_own(capabilities, "frankDebug"),
            fills: has_own(capabilities, "frankFill"),
            shows_math: has_own(capabilities, "frankMath"),
            shows_pictures: has_own(capabilities, "frankPictures"),
            plots: has_own(capabilities, "frankPlot"),
        }
    }
}

/// Whether a client has an ability that the protocol does not know.
fn has_own(capabilities: &lsp::ClientCapabilities, name: &str) -> bool {
    let own = capabilities.experimental.as_ref();
    own.is_some_and(|own| own.get(name) == Some(&true.into()))
}
