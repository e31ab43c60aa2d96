//! Messages to the client that answer no request of its own.
//!
//! Messages are put in a queue and a task of their own sends them, so that nobody waits for a
//! client that reads slowly. Only the newest findings of a file wait there. Requests to the client
//! have a task each and a time limit: a client that never answers costs nothing.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use frank_syntax::visible::visible_lines;
use serde_json::Value;
use tokio::sync::Notify;
use tower_lsp::ls_types::{self as lsp, notification};

use crate::client_capabilities::Refresh;
use crate::progress::{Display, Progress, Shown};
use crate::tasks::{spawn, within};

/// How long the server waits for an answer of the client's.
const PATIENCE: Duration = Duration::from_secs(20);

/// A message to the client.
#[derive(Debug)]
pub enum Message {
    Publish(lsp::PublishDiagnosticsParams),
    Show(lsp::MessageType, String),
    /// Something for the client's log.
    Log(String),
    Refresh(Refresh),
    Register(Vec<lsp::Registration>),
    /// Asks for the editor's settings.
    AskSettings,
    /// Shows one of some places, which the user chooses if there are several.
    ShowPlaces(Vec<lsp::Location>),
    /// Changes texts.
    Edit(lsp::WorkspaceEdit),
    /// Shows something that takes time.
    Progress(Display),
}

/// The client, as far as the server sends to it. Cheap to clone.
#[derive(Clone)]
pub struct Client {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    filled: Notify,
}

#[derive(Default)]
struct Queue {
    messages: VecDeque<Message>,
    /// Requests of these kinds have not been answered yet.
    refreshing: Vec<Refresh>,
    /// Refreshes to send once the one under way is answered.
    refresh_again: Vec<Refresh>,
    /// The client is ready for messages.
    open: bool,
    closed: bool,
    /// How often the settings were asked for, and which of the answers was taken last.
    settings_asked: u64,
    settings_taken: u64,
}

impl Client {
    /// A client that gets nothing until [`Client::deliver`] runs and it is ready.
    pub fn new() -> Client {
        Client {
            shared: Arc::default(),
        }
    }

    /// Puts a message in the queue.
    pub fn send(&self, message: Message) {
        let mut queue = self.queue();
        if queue.closed {
            return;
        }
        if let Message::Refresh(kind) = &message {
            if queue.refreshing.contains(kind) {
                if !queue.refresh_again.contains(kind) {
                    let kind = *kind;
                    queue.refresh_again.push(kind);
                }
                return;
            }
            let kind = *kind;
            queue.refreshing.push(kind);
        }
        if let Message::Publish(new) = &message {
            let waiting = queue.messages.iter_mut().find_map(|message| match message {
                Message::Publish(old) if old.uri == new.uri => Some(message),
                _ => None,
            });
            if let Some(old) = waiting {
                *old = message;
                return;
            }
        }
        queue.messages.push_back(message);
        drop(queue);
        self.shared.filled.notify_one();
    }

    /// Shows a message to the user.
    pub fn show(&self, kind: lsp::MessageType, text: impl Into<String>) {
        let text = visible_lines(&text.into()).into_owned();
        self.send(Message::Show(kind, text));
    }

    /// Writes a warning into the client's log.
    pub fn log(&self, text: String) {
        self.send(Message::Log(text));
    }

    /// Shows that something takes time; gives the token that the client may send to cancel it.
    pub fn show_progress(
        &self,
        title: &str,
        cancellable: bool,
        shown: Shown,
    ) -> (Progress, lsp::ProgressToken) {
        let (progress, display) = Progress::new(title, cancellable, shown);
        let token = display.token.clone();
        self.send(Message::Progress(display));
        (progress, token)
    }

    /// The client is ready for messages.
    pub fn open(&self) {
        let mut queue = self.queue();
        if !queue.open {
            queue.open = true;
            drop(queue);
            self.shared.filled.notify_one();
        }
    }

    /// Takes no more messages and forgets those that wait.
    pub fn close(&self) {
        let mut queue = self.queue();
        queue.closed = true;
        queue.messages.clear();
        drop(queue);
        self.shared.filled.notify_one();
    }

    fn queue(&self) -> std::sync::MutexGuard<'_, Queue> {
        self.shared
            .queue
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn refreshed(&self, kind: Refresh) {
        let mut queue = self.queue();
        queue.refreshing.retain(|other| *other != kind);
        let again = queue.refresh_again.contains(&kind);
        queue.refresh_again.retain(|other| *other != kind);
        drop(queue);
        if again {
            self.send(Message::Refresh(kind));
        }
    }

    /// Sends the queued messages until the queue is closed. Calls `settings` with the editor's settings
    /// when they were asked for.
    pub async fn deliver(
        self,
        connection: tower_lsp::Client,
        settings: impl Fn(Value) + Clone + Send + 'static,
    ) {
        loop {
            let (message, closed) = {
                let mut queue = self.queue();
                let message = if queue.open {
                    queue.messages.pop_front()
                } else {
                    None
                };
                (message, queue.closed)
            };
            match message {
                Some(message) => self.deliver_one(message, &connection, &settings).await,
                None if closed => return,
                None => self.shared.filled.notified().await,
            }
        }
    }

    async fn deliver_one(
        &self,
        message: Message,
        connection: &tower_lsp::Client,
        settings: &(impl Fn(Value) + Clone + Send + 'static),
    ) {
        match message {
            Message::Publish(params) => {
                connection
                    .send_notification::<notification::PublishDiagnostics>(params)
                    .await;
            }
            Message::Show(kind, text) => connection.show_message(kind, text).await,
            Message::Log(text) => {
                connection
                    .log_message(lsp::MessageType::WARNING, text)
                    .await;
            }
            Message::Refresh(kind) => {
                let (connection, client) = (connection.clone(), self.clone());
                spawn(async move {
                    let request = async {
                        match kind {
                            Refresh::Diagnostics => connection.workspace_diagnostic_refresh().await,
                            Refresh::CodeLenses => connection.code_lens_refresh().await,
                            Refresh::InlayHints => connection.inlay_hint_refresh().await,
                            Refresh::SemanticTokens => connection.semantic_tokens_refresh().await,
                        }
                    };
                    if let Ok(Err(error)) = within(PATIENCE, request).await {
                        tracing::info!("the client refuses to refresh {kind:?}: {error}");
                    }
                    client.refreshed(kind);
                });
            }
            Message::Register(registrations) => {
                let connection = connection.clone();
                spawn(async move {
                    let request = connection.register_capability(registrations);
                    if let Ok(Err(error)) = within(PATIENCE, request).await {
                        tracing::warn!("the client refuses a registration: {error}");
                    }
                });
            }
            Message::AskSettings => {
                let (connection, settings) = (connection.clone(), settings.clone());
                let client = self.clone();
                let number = {
                    let mut queue = self.queue();
                    queue.settings_asked += 1;
                    queue.settings_asked
                };
                spawn(async move {
                    let section = Some(crate::settings::SECTION.to_owned());
                    let item = lsp::ConfigurationItem {
                        scope_uri: None,
                        section,
                    };
                    let request = connection.configuration(vec![item]);
                    match within(PATIENCE, request).await {
                        Ok(Ok(values)) => {
                            let value = values.into_iter().next().unwrap_or(Value::Null);
                            let mut queue = client.queue();
                            // These tasks can end in any order.
                            if queue.settings_taken < number {
                                queue.settings_taken = number;
                                settings(value);
                            }
                        }
                        Ok(Err(error)) => {
                            tracing::warn!("no settings from the connection: {error}")
                        }
                        Err(_) => tracing::warn!("the client does not answer about its settings"),
                    }
                });
            }
            Message::ShowPlaces(places) => {
                spawn(show_one(connection.clone(), places));
            }
            Message::Edit(edit) => {
                let connection = connection.clone();
                spawn(async move {
                    let request = connection.apply_edit(edit);
                    if let Ok(Err(error)) = within(PATIENCE, request).await {
                        tracing::warn!("the client refuses an edit: {error}");
                    }
                });
            }
            Message::Progress(display) => {
                spawn(display.run(connection.clone(), PATIENCE));
            }
        }
    }
}

/// How many places are offered for a choice.
const MOST_CHOICES: usize = 20;

/// A place as a line of text.
pub fn brief(place: &lsp::Location) -> String {
    let path = place.uri.as_str();
    let name = path.rsplit('/').next().unwrap_or(path);
    format!("{name}:{}", place.range.start.line + 1)
}

/// Opens one of some places in the editor.
async fn show_one(connection: tower_lsp::Client, mut places: Vec<lsp::Location>) {
    places.truncate(MOST_CHOICES);
    let mut index = 0;
    if places.len() > 1 {
        let titles: Vec<String> = places.iter().map(brief).collect();
        let choice = |title: &String| lsp::MessageActionItem {
            title: title.clone(),
            properties: HashMap::new(),
        };
        let choices = titles.iter().map(choice).collect();
        // A user may take any time to choose.
        let chosen = connection
            .show_message_request(lsp::MessageType::INFO, "Which place?", Some(choices))
            .await;
        let Ok(Some(chosen)) = chosen else { return };
        match titles.iter().position(|title| *title == chosen.title) {
            Some(chosen) => index = chosen,
            None => return,
        }
    }
    let Some(place) = places.into_iter().nth(index) else {
        return;
    };
    let params = lsp::ShowDocumentParams {
        uri: place.uri,
        external: Some(false),
        take_focus: Some(true),
        selection: Some(place.range),
    };
    if let Ok(Err(error)) = within(PATIENCE, connection.show_document(params)).await {
        tracing::info!("the client does not show a place: {error}");
    }
}
