//! The protocol's methods: each puts one event into the queue and waits for the answer.

mod cells;
mod execute;
mod self_test;
mod shown;

use std::sync::Arc;

use frank_interpreter::Answers;
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;
use tower_lsp::LanguageServer;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::request::{
    GotoDeclarationParams, GotoDeclarationResponse, GotoImplementationParams,
    GotoImplementationResponse, GotoTypeDefinitionParams, GotoTypeDefinitionResponse,
};
use tower_lsp::ls_types::*;

use crate::client::Client;
use crate::diagnostics;
use crate::evaluator::Evaluator;
use crate::events::{Event, Events, Promise};
use crate::features::resolve::ResolveData;
use crate::features::{
    by_type, call_hierarchy, code_actions, code_lens, completion, content, examples, folding,
    formatting, goto, highlight, holes, info, inlay_hints, linked_editing, links, portrait,
    refactorings, references, rename, selection, semantic_tokens, signature_help, smooth, symbols,
};
use crate::framing::Unreadable;
use crate::held::{FilesParams, Held};
use crate::request_snapshot::{Answer, RequestSnapshot, Target};
use crate::requests::{Urgency, point};
use crate::written::{self, Texts, Written};

pub use self_test::METHOD as SELF_TEST;

/// The method that asks for all that is known at a place.
pub const INFO: &str = "frank/info";
/// The method that asks what there is to know about an operator before it is differentiated.
pub const SMOOTH: &str = "frank/smooth";
/// The method that asks for the examples in a file's comments.
pub const EXAMPLES: &str = "frank/examples";

/// The methods about holes: which there are, the next one, what is known of one, what fills it.
pub const HOLES: &str = "frank/holes";
pub const NEXT_HOLE: &str = "frank/nextHole";
pub const GOAL: &str = "frank/goal";
pub const FILL: &str = "frank/fill";

/// The methods about notebooks: the terms of a cell evaluated, and which cells are out of date.
pub const RUN_CELL: &str = "frank/runCell";
pub const CELLS: &str = "frank/cells";

/// The method that asks for the states of a run.
pub const STEP: &str = "frank/step";
/// Draws an operator and its derivatives.
pub const PLOT: &str = "frank/plot";
/// Draws what an operator and its derivatives compute.
pub const GRAPH: &str = "frank/graph";
/// The method that asks what has a type.
pub const FIND_BY_TYPE: &str = "frank/findByType";

/// The method that asks for the text of a document that only the server has.
pub const TEXT: &str = "workspace/textDocumentContent";

/// The method that tells of files that the client holds.
pub const FILES: &str = "frank/files";

/// A request about a document.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DocumentParams {
    text_document: TextDocumentIdentifier,
}

/// A request about an operator of a document's program.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NamedParams {
    text_document: TextDocumentIdentifier,
    name: String,
}

/// The handlers.
pub struct Backend {
    events: Events,
    client: Client,
    evaluator: Evaluator,
    /// For what is shown unasked: a hover waits for no run that somebody has started.
    asides: Evaluator,
    tokens: Arc<semantic_tokens::Memory>,
    portraits: Arc<portrait::Memory>,
    texts: Arc<Texts>,
    /// The files that the client holds, for a server without a disk.
    held: Option<Held>,
    /// What an operator that somebody runs is granted.
    answers: Option<Arc<dyn Answers>>,
}

impl Backend {
    /// Handlers that put events into a queue. `texts` are the answers that they have written.
    pub fn new(
        events: Events,
        client: Client,
        [evaluator, asides]: [Evaluator; 2],
        texts: Arc<Texts>,
        held: Option<Held>,
        answers: Option<Arc<dyn Answers>>,
    ) -> Backend {
        Backend {
            events,
            client,
            evaluator,
            asides,
            tokens: Arc::default(),
            portraits: Arc::default(),
            texts,
            held,
            answers,
        }
    }

    /// Takes files that the client holds. Where the server has a disk, that is what counts.
    pub async fn files(&self, params: FilesParams) {
        if let Some(held) = &self.held {
            self.events.send(Event::Touched(held.take(params)));
        }
    }

    /// The text of a document that no editor has, such as one of the library
    /// (`workspace/textDocumentContent`).
    pub async fn text(&self, params: content::ContentParams) -> Result<content::Content> {
        let uri = params.uri;
        self.events
            .request_about(Urgency::Now, uri, Vec::new(), content::content)
            .await
    }

    /// Ends what the client shows the progress of (`window/workDoneProgress/cancel`).
    pub async fn cancel_progress(&self, params: WorkDoneProgressCancelParams) {
        self.evaluator.cancel(&params.token);
    }

    /// All that is known at a place.
    pub async fn info(&self, params: TextDocumentPositionParams) -> Result<Option<info::Info>> {
        self.at(params, info::info).await
    }

    /// What there is to know about an operator before it is differentiated; `None` if it cannot be.
    pub async fn smooth(&self, params: NamedParams) -> Result<Option<smooth::Smooth>> {
        let (uri, name) = (params.text_document.uri, params.name);
        self.events
            .request_about(Urgency::Now, uri, Vec::new(), move |snapshot, target| {
                smooth::smooth(snapshot, target, &name)
            })
            .await
    }

    /// What has a type.
    pub async fn find_by_type(&self, params: by_type::FindParams) -> Result<by_type::Answered> {
        let (urgency, about) = (Urgency::Now, params.text_document.clone());
        match about {
            Some(document) => {
                let compute = move |snapshot: &RequestSnapshot, target: &Target| {
                    by_type::find(snapshot, Some(target), &params)
                };
                self.events
                    .request_about(urgency, document.uri, Vec::new(), compute)
                    .await
            }
            None => {
                let compute =
                    move |snapshot: &RequestSnapshot| by_type::find(snapshot, None, &params);
                self.events.request(urgency, compute).await
            }
        }
    }

    /// The holes of a document, or of all.
    pub async fn holes(&self, params: holes::HolesParams) -> Result<Vec<holes::Hole>> {
        match params.text_document {
            Some(document) => self.in_all(document, holes::of_document).await,
            None => {
                let all = self.events.request(Urgency::Soon, holes::of_workspace);
                all.await
            }
        }
    }

    /// The hole behind or before a position.
    pub async fn next_hole(&self, params: holes::NextHoleParams) -> Result<Option<holes::Hole>> {
        let forwards = params.forwards;
        self.at(params.place, move |snapshot, target| {
            holes::beside(snapshot, target, forwards)
        })
        .await
    }

    /// What is known of the hole at a position.
    pub async fn goal(&self, params: TextDocumentPositionParams) -> Result<Option<holes::Goal>> {
        self.at(params, holes::goal).await
    }

    /// Terms for the hole at a position.
    pub async fn fill(&self, params: TextDocumentPositionParams) -> Result<Option<holes::Fill>> {
        let (uri, ranges) = (params.text_document.uri, vec![point(params.position)]);
        self.events
            .request_about(Urgency::Soon, uri, ranges, holes::fill)
            .await
    }

    /// The examples in a file's comments.
    pub async fn examples(&self, params: DocumentParams) -> Result<Vec<examples::Listed>> {
        self.in_all(params.text_document, examples::list).await
    }

    /// The symbols of a document (`textDocument/documentSymbol`).
    pub async fn document_symbol(&self, params: DocumentSymbolParams) -> Result<Written> {
        self.written(params.text_document, symbols::document).await
    }

    /// The lenses of a document (`textDocument/codeLens`).
    pub async fn code_lens(&self, params: CodeLensParams) -> Result<Written> {
        self.written(params.text_document, code_lens::lenses).await
    }

    /// Answers what nobody can read.
    pub async fn unreadable(&self, params: Unreadable) -> Result<()> {
        let mut error = Error::parse_error();
        error.message = format!("the message cannot be read: {}", params.reason).into();
        Err(error)
    }

    /// Asks about a position.
    fn at<R: Send + 'static>(
        &self,
        place: TextDocumentPositionParams,
        compute: impl Fn(&RequestSnapshot, &Target) -> Answer<R> + Send + 'static,
    ) -> Promise<R> {
        let ranges = vec![point(place.position)];
        self.events
            .request_about(Urgency::Now, place.text_document.uri, ranges, compute)
    }

    /// Asks about a whole document what has a large answer.
    async fn written<R: Serialize + 'static>(
        &self,
        document: TextDocumentIdentifier,
        compute: impl Fn(&RequestSnapshot, &Target) -> Answer<R> + Send + 'static,
    ) -> Result<Written> {
        let text = self.in_all(document, move |snapshot, target| {
            written::write(compute(snapshot, target))
        });
        Ok(Written::new(text.await?, &self.texts))
    }

    /// Asks about a whole document.
    fn in_all<R: Send + 'static>(
        &self,
        document: TextDocumentIdentifier,
        compute: impl Fn(&RequestSnapshot, &Target) -> Answer<R> + Send + 'static,
    ) -> Promise<R> {
        self.events
            .request_about(Urgency::Soon, document.uri, Vec::new(), compute)
    }
}

impl LanguageServer for Backend {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        let (reply, answer) = oneshot::channel();
        self.events.send(Event::Initialize(Box::new(params), reply));
        answer.await.map_err(|_| Error::internal_error())
    }

    async fn initialized(&self, _: InitializedParams) {
        self.events.send(Event::Initialized);
    }

    async fn shutdown(&self) -> Result<()> {
        let (reply, answer) = oneshot::channel();
        self.events.send(Event::Shutdown(reply));
        answer.await.map_err(|_| Error::internal_error())
    }

    async fn did_open(&self, params: DidOpenTextDocumentParams) {
        self.events.send(Event::Opened(params));
    }

    async fn did_change(&self, params: DidChangeTextDocumentParams) {
        self.events.send(Event::Changed(params));
    }

    async fn did_save(&self, params: DidSaveTextDocumentParams) {
        self.events.send(Event::Saved(params));
    }

    async fn did_close(&self, params: DidCloseTextDocumentParams) {
        self.tokens.forget(&params.text_document.uri);
        self.events.send(Event::Closed(params));
    }

    async fn did_change_watched_files(&self, params: DidChangeWatchedFilesParams) {
        let uris = params
            .changes
            .into_iter()
            .map(|change| change.uri)
            .collect();
        self.events.send(Event::Touched(uris));
    }

    async fn did_change_workspace_folders(&self, params: DidChangeWorkspaceFoldersParams) {
        self.events.send(Event::Folders(params.event));
    }

    async fn did_change_configuration(&self, params: DidChangeConfigurationParams) {
        self.events
            .send(Event::ConfigurationChanged(params.settings));
    }

    async fn diagnostic(
        &self,
        params: DocumentDiagnosticParams,
    ) -> Result<DocumentDiagnosticReportResult> {
        let known = params.previous_result_id;
        let uri = params.text_document.uri;
        self.events
            .request_about(Urgency::Now, uri, Vec::new(), move |snapshot, target| {
                diagnostics::document(snapshot, target, known.as_deref())
            })
            .await
    }

    async fn workspace_diagnostic(
        &self,
        params: WorkspaceDiagnosticParams,
    ) -> Result<WorkspaceDiagnosticReportResult> {
        self.events.send(Event::WorkspacePulled);
        let known = params.previous_result_ids;
        self.events
            .request(Urgency::Soon, move |snapshot| {
                diagnostics::workspace(snapshot, &known)
            })
            .await
    }

    async fn hover(&self, params: HoverParams) -> Result<Option<Hover>> {
        self.hover_at(params.text_document_position_params).await
    }

    async fn goto_definition(
        &self,
        params: GotoDefinitionParams,
    ) -> Result<Option<GotoDefinitionResponse>> {
        self.at(params.text_document_position_params, goto::definition)
            .await
    }

    async fn goto_declaration(
        &self,
        params: GotoDeclarationParams,
    ) -> Result<Option<GotoDeclarationResponse>> {
        self.at(params.text_document_position_params, goto::declaration)
            .await
    }

    async fn goto_type_definition(
        &self,
        params: GotoTypeDefinitionParams,
    ) -> Result<Option<GotoTypeDefinitionResponse>> {
        self.at(params.text_document_position_params, goto::type_definition)
            .await
    }

    async fn goto_implementation(
        &self,
        params: GotoImplementationParams,
    ) -> Result<Option<GotoImplementationResponse>> {
        self.at(params.text_document_position_params, goto::implementation)
            .await
    }

    async fn references(&self, params: ReferenceParams) -> Result<Option<Vec<Location>>> {
        let declarations = params.context.include_declaration;
        self.at(params.text_document_position, move |snapshot, target| {
            references::references(snapshot, target, declarations)
        })
        .await
    }

    async fn document_highlight(
        &self,
        params: DocumentHighlightParams,
    ) -> Result<Option<Vec<DocumentHighlight>>> {
        self.at(params.text_document_position_params, highlight::highlight)
            .await
    }

    async fn prepare_rename(
        &self,
        params: TextDocumentPositionParams,
    ) -> Result<Option<PrepareRenameResponse>> {
        self.at(params, rename::prepare).await
    }

    async fn rename(&self, params: RenameParams) -> Result<Option<WorkspaceEdit>> {
        let new = params.new_name;
        self.at(params.text_document_position, move |snapshot, target| {
            rename::rename(snapshot, target, &new)
        })
        .await
    }

    async fn symbol(
        &self,
        params: WorkspaceSymbolParams,
    ) -> Result<Option<WorkspaceSymbolResponse>> {
        let query = params.query;
        self.events
            .request(Urgency::Now, move |snapshot| {
                symbols::workspace(snapshot, &query)
            })
            .await
    }

    async fn semantic_tokens_full(
        &self,
        params: SemanticTokensParams,
    ) -> Result<Option<SemanticTokensResult>> {
        let memory = self.tokens.clone();
        self.in_all(params.text_document, move |snapshot, target| {
            semantic_tokens::full(snapshot, target, &memory)
        })
        .await
    }

    async fn semantic_tokens_full_delta(
        &self,
        params: SemanticTokensDeltaParams,
    ) -> Result<Option<SemanticTokensFullDeltaResult>> {
        let memory = self.tokens.clone();
        let known = params.previous_result_id;
        self.in_all(params.text_document, move |snapshot, target| {
            semantic_tokens::delta(snapshot, target, &known, &memory)
        })
        .await
    }

    async fn semantic_tokens_range(
        &self,
        params: SemanticTokensRangeParams,
    ) -> Result<Option<SemanticTokensRangeResult>> {
        let uri = params.text_document.uri;
        self.events
            .request_about(
                Urgency::Now,
                uri,
                vec![params.range],
                semantic_tokens::range,
            )
            .await
    }

    async fn completion(&self, params: CompletionParams) -> Result<Option<CompletionResponse>> {
        let again = params.context.is_some_and(|context| {
            context.trigger_kind == CompletionTriggerKind::TRIGGER_FOR_INCOMPLETE_COMPLETIONS
        });
        self.at(params.text_document_position, move |snapshot, target| {
            completion::complete(snapshot, target, again)
        })
        .await
    }

    async fn completion_resolve(&self, mut item: CompletionItem) -> Result<CompletionItem> {
        if let Some(data) = ResolveData::read(item.data.as_ref()) {
            let uri = data.uri.clone();
            item.documentation = self
                .events
                .request_about(Urgency::Now, uri, Vec::new(), move |snapshot, target| {
                    completion::documentation(snapshot, target, &data)
                })
                .await?;
        }
        Ok(item)
    }

    async fn signature_help(&self, params: SignatureHelpParams) -> Result<Option<SignatureHelp>> {
        self.at(params.text_document_position_params, signature_help::help)
            .await
    }

    async fn inlay_hint(&self, params: InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
        let uri = params.text_document.uri;
        self.events
            .request_about(Urgency::Now, uri, vec![params.range], inlay_hints::hints)
            .await
    }

    async fn prepare_call_hierarchy(
        &self,
        params: CallHierarchyPrepareParams,
    ) -> Result<Option<Vec<CallHierarchyItem>>> {
        self.at(
            params.text_document_position_params,
            call_hierarchy::prepare,
        )
        .await
    }

    async fn incoming_calls(
        &self,
        params: CallHierarchyIncomingCallsParams,
    ) -> Result<Option<Vec<CallHierarchyIncomingCall>>> {
        self.at(name_of(params.item), call_hierarchy::incoming)
            .await
    }

    async fn outgoing_calls(
        &self,
        params: CallHierarchyOutgoingCallsParams,
    ) -> Result<Option<Vec<CallHierarchyOutgoingCall>>> {
        self.at(name_of(params.item), call_hierarchy::outgoing)
            .await
    }

    async fn folding_range(&self, params: FoldingRangeParams) -> Result<Option<Vec<FoldingRange>>> {
        self.in_all(params.text_document, folding::folding).await
    }

    async fn selection_range(
        &self,
        params: SelectionRangeParams,
    ) -> Result<Option<Vec<SelectionRange>>> {
        let ranges = params.positions.into_iter().map(point).collect();
        self.events
            .request_about(
                Urgency::Now,
                params.text_document.uri,
                ranges,
                selection::selection,
            )
            .await
    }

    async fn document_link(&self, params: DocumentLinkParams) -> Result<Option<Vec<DocumentLink>>> {
        self.in_all(params.text_document, links::links).await
    }

    async fn linked_editing_range(
        &self,
        params: LinkedEditingRangeParams,
    ) -> Result<Option<LinkedEditingRanges>> {
        self.at(params.text_document_position_params, linked_editing::linked)
            .await
    }

    async fn code_action(&self, params: CodeActionParams) -> Result<Option<CodeActionResponse>> {
        let only = params.context.only;
        let uri = params.text_document.uri;
        self.events
            .request_about(
                Urgency::Now,
                uri,
                vec![params.range],
                move |snapshot, target| code_actions::actions(snapshot, target, only.as_deref()),
            )
            .await
    }

    async fn code_lens_resolve(&self, mut lens: CodeLens) -> Result<CodeLens> {
        if let Some(data) = ResolveData::read(lens.data.as_ref()) {
            lens.command = self.lens_command(data, lens.range.start).await?;
        }
        Ok(lens)
    }

    async fn execute_command(&self, params: ExecuteCommandParams) -> Result<Option<LSPAny>> {
        self.execute(params).await
    }

    async fn code_action_resolve(&self, mut action: CodeAction) -> Result<CodeAction> {
        if let Some(data) = ResolveData::<refactorings::Offered>::read(action.data.as_ref()) {
            let (uri, range) = (data.uri.clone(), data.item.range);
            let made = self
                .events
                .request_about(Urgency::Now, uri, vec![range], move |snapshot, target| {
                    refactorings::resolve(snapshot, target, &data)
                })
                .await?;
            (action.edit, action.command) = (Some(made.edit), made.command);
        }
        Ok(action)
    }

    async fn formatting(&self, params: DocumentFormattingParams) -> Result<Option<Vec<TextEdit>>> {
        let uri = params.text_document.uri;
        self.events
            .request_about(Urgency::Now, uri, Vec::new(), formatting::all)
            .await
    }

    async fn range_formatting(
        &self,
        params: DocumentRangeFormattingParams,
    ) -> Result<Option<Vec<TextEdit>>> {
        let uri = params.text_document.uri;
        self.events
            .request_about(Urgency::Now, uri, vec![params.range], formatting::range)
            .await
    }

    async fn on_type_formatting(
        &self,
        params: DocumentOnTypeFormattingParams,
    ) -> Result<Option<Vec<TextEdit>>> {
        let typed = params.ch;
        self.at(params.text_document_position, move |snapshot, target| {
            formatting::on_type(snapshot, target, &typed)
        })
        .await
    }
}

/// The place of an item's name.
fn name_of(item: CallHierarchyItem) -> TextDocumentPositionParams {
    TextDocumentPositionParams {
        text_document: TextDocumentIdentifier { uri: item.uri },
        position: item.selection_range.start,
    }
}
