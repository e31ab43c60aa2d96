//! Showing the user that something takes time.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use tokio::sync::mpsc;
use tower_lsp::Client;
use tower_lsp::ls_types::{self as lsp, notification, request};

use crate::tasks::within;

/// Something that takes time. The display ends when this is dropped.
pub struct Progress {
    updates: mpsc::UnboundedSender<(String, Option<u32>)>,
}

/// How something that takes time is shown.
#[derive(Debug, Clone)]
pub enum Shown {
    /// Under a new token, at once.
    AtOnce,
    /// Under a new token, once it has taken longer than a user waits without wondering.
    IfLong,
    /// Under a token of the client's.
    Under(lsp::ProgressToken),
}

/// What is over sooner is not shown.
const LONG: Duration = Duration::from_millis(400);

/// What the client shows of a [`Progress`].
#[derive(Debug)]
pub struct Display {
    pub token: lsp::ProgressToken,
    /// The client made the token, so it needs no request.
    known: bool,
    /// It is shown only if it takes long.
    later: bool,
    title: String,
    cancellable: bool,
    updates: mpsc::UnboundedReceiver<(String, Option<u32>)>,
}

static NEXT: AtomicU32 = AtomicU32::new(0);

impl Progress {
    /// A progress with a title, and how the client shows it.
    pub fn new(title: &str, cancellable: bool, shown: Shown) -> (Progress, Display) {
        let later = matches!(shown, Shown::IfLong);
        let (token, known) = match shown {
            Shown::Under(token) => (token, true),
            Shown::AtOnce | Shown::IfLong => {
                let number = NEXT.fetch_add(1, Ordering::Relaxed);
                let token = lsp::ProgressToken::String(format!("frank-{number}"));
                (token, false)
            }
        };
        let (sender, updates) = mpsc::unbounded_channel();
        let display = Display {
            token,
            known,
            later,
            title: title.to_owned(),
            cancellable,
            updates,
        };
        (Progress { updates: sender }, display)
    }

    /// Shows how far it is, in words and in percent.
    pub fn report(&self, message: impl Into<String>, percentage: Option<u32>) {
        // If nobody shows it any more, nobody needs to know.
        let _ = self.updates.send((message.into(), percentage));
    }
}

impl Display {
    /// Shows the progress until it is over. A client that does not make a display within
    /// `patience` gets none.
    pub async fn run(mut self, client: Client, patience: Duration) {
        let mut last = None;
        if self.later {
            let ended = within(LONG, async {
                while let Some(update) = self.updates.recv().await {
                    last = Some(update);
                }
            });
            if ended.await.is_ok() {
                return;
            }
        }
        if !self.known {
            let params = lsp::WorkDoneProgressCreateParams {
                token: self.token.clone(),
            };
            let created = client.send_request::<request::WorkDoneProgressCreate>(params);
            if !matches!(within(patience, created).await, Ok(Ok(()))) {
                return;
            }
        }
        let begin = lsp::WorkDoneProgressBegin {
            title: std::mem::take(&mut self.title),
            cancellable: Some(self.cancellable),
            message: last.as_ref().map(|(message, _)| message.clone()),
            percentage: last.and_then(|(_, percentage)| percentage),
        };
        self.say(&client, lsp::WorkDoneProgress::Begin(begin)).await;
        while let Some((message, percentage)) = self.updates.recv().await {
            let report = lsp::WorkDoneProgressReport {
                cancellable: None,
                message: Some(message),
                percentage,
            };
            self.say(&client, lsp::WorkDoneProgress::Report(report))
                .await;
        }
        let end = lsp::WorkDoneProgressEnd { message: None };
        self.say(&client, lsp::WorkDoneProgress::End(end)).await;
    }

    async fn say(&self, client: &Client, value: lsp::WorkDoneProgress) {
        let value = lsp::ProgressParamsValue::WorkDone(value);
        let params = lsp::ProgressParams {
            token: self.token.clone(),
            value,
        };
        client
            .send_notification::<notification::Progress>(params)
            .await;
    }
}
