//! The protocol's methods: each puts one event into the queue and waits for the answer.

use tokio::sync::oneshot;
use tower_lsp::LanguageServer;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::*;

use crate::diagnostics;
use crate::events::{Event, Events, Urgency};

/// The handlers.
pub struct Backend {
    events: Events,
}

impl Backend {
    /// Handlers that put events into a queue.
    pub fn new(events: Events) -> Backend {
        Backend { events }
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
        self.events.send(Event::Closed(params));
    }

    async fn did_change_watched_files(&self, params: DidChangeWatchedFilesParams) {
        let uris = params.changes.into_iter().map(|change| change.uri).collect();
        self.events.send(Event::Touched(uris));
    }

    async fn did_change_workspace_folders(&self, params: DidChangeWorkspaceFoldersParams) {
        self.events.send(Event::Folders(params.event));
    }

    async fn did_change_configuration(&self, params: DidChangeConfigurationParams) {
        self.events.send(Event::ConfigurationChanged(params.settings));
    }

    async fn diagnostic(
        &self,
        params: DocumentDiagnosticParams,
    ) -> Result<DocumentDiagnosticReportResult> {
        let known = params.previous_result_id;
        let uri = params.text_document.uri;
        self.events
            .ask_about(Urgency::Now, uri, Vec::new(), move |world, target| {
                diagnostics::document(world, target, known.as_deref())
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
            .ask(Urgency::Soon, move |world| diagnostics::workspace(world, &known))
            .await
    }
}
