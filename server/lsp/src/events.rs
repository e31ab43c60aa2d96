//! The queue between the protocol and the main loop.
//!
//! A handler puts one event into the queue, synchronously, and waits for its answer in the
//! meantime. So events are in the order in which the client sent the messages.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::task::{Context, Poll, ready};

use serde_json::Value;
use tokio::sync::oneshot;
use tower_lsp::jsonrpc;
use tower_lsp::ls_types as lsp;

use crate::disk::{Answer as DiskAnswer, Question};
use crate::pool::Finished;
use crate::request_snapshot::{Answer, RequestError, RequestSnapshot, Target};
use crate::requests::{self, Request, RequestId, RequestedRanges, Urgency};
use crate::results::{self, Outcome};
use crate::search::Found;

/// A message to the main loop.
pub enum Event {
    Initialize(
        Box<lsp::InitializeParams>,
        oneshot::Sender<lsp::InitializeResult>,
    ),
    Initialized,
    Opened(lsp::DidOpenTextDocumentParams),
    Changed(lsp::DidChangeTextDocumentParams),
    Saved(lsp::DidSaveTextDocumentParams),
    Closed(lsp::DidCloseTextDocumentParams),
    /// Files changed outside; their URIs.
    Touched(Vec<lsp::Uri>),
    Folders(lsp::WorkspaceFoldersChangeEvent),
    /// The server watches these folders from now on.
    Watching(BTreeSet<PathBuf>),
    /// The editor's settings changed; old clients send them along.
    ConfigurationChanged(Value),
    /// The editor's settings.
    Settings(Value),
    /// Files were found in a folder.
    Found(Found),
    /// The disk has answered.
    Read(Question, DiskAnswer),
    /// It has not in time.
    DiskIsLate,
    /// No key was pressed for a while.
    TypingPauses,
    Request(Request),
    /// A request was cancelled.
    Cancel(RequestId),
    /// Something was evaluated.
    Evaluated(results::Subject, Box<Outcome>),
    /// The client asks for the findings of all files itself.
    WorkspacePulled,
    /// A worker has nothing to do.
    Finished(Finished),
    Shutdown(oneshot::Sender<()>),
    /// There is no client any more.
    Gone,
    /// A test wants to see what becomes of a panic here.
    Panic,
    /// A test wants to see what becomes of a disk that never answers.
    StallDisk,
    /// A test wants to see what becomes of a main loop that hangs.
    Hang,
}

/// The sending end of the queue. Cheap to clone.
#[derive(Clone)]
pub struct Events {
    sender: mpsc::Sender<Event>,
    next: Arc<AtomicU64>,
}

impl Events {
    /// A queue.
    pub fn new() -> (Events, mpsc::Receiver<Event>) {
        let (sender, receiver) = mpsc::channel();
        (
            Events {
                sender,
                next: Arc::default(),
            },
            receiver,
        )
    }

    /// Puts an event into the queue.
    pub fn send(&self, event: Event) {
        // At the other end is nobody any more only after a shutdown.
        let _ = self.sender.send(event);
    }

    /// A number for a request.
    pub fn new_id(&self) -> RequestId {
        RequestId(self.next.fetch_add(1, Ordering::Relaxed))
    }

    /// Puts a request about a document into the queue. The answer is awaited later; a request
    /// whose answer is dropped is cancelled.
    pub fn request_about<R: Send + 'static>(
        &self,
        urgency: Urgency,
        uri: lsp::Uri,
        ranges: Vec<lsp::Range>,
        compute: impl Fn(&RequestSnapshot, &Target) -> Answer<R> + Send + 'static,
    ) -> Promise<R> {
        let compute = move |snapshot: &RequestSnapshot, target: Option<&Target>| match target {
            Some(target) => compute(snapshot, target),
            None => Err(RequestError::Invalid(
                "the request is about no document".to_owned(),
            )),
        };
        self.put(urgency, Some(RequestedRanges { uri, ranges }), compute)
    }

    /// Puts a request about the whole workspace into the queue.
    pub fn request<R: Send + 'static>(
        &self,
        urgency: Urgency,
        compute: impl Fn(&RequestSnapshot) -> Answer<R> + Send + 'static,
    ) -> Promise<R> {
        self.put(
            urgency,
            None,
            move |snapshot: &RequestSnapshot, _: Option<&Target>| compute(snapshot),
        )
    }

    fn put<R: Send + 'static>(
        &self,
        urgency: Urgency,
        about: Option<RequestedRanges>,
        compute: impl Fn(&RequestSnapshot, Option<&Target>) -> Answer<R> + Send + 'static,
    ) -> Promise<R> {
        let id = self.new_id();
        let (job, answer) = requests::job(compute);
        self.send(Event::Request(Request {
            id,
            urgency,
            about,
            job,
        }));
        Promise {
            answer,
            interest: Interest {
                events: Some(self.clone()),
                id,
            },
        }
    }
}

/// An answer to come. Dropping it cancels the request.
pub struct Promise<R> {
    answer: oneshot::Receiver<jsonrpc::Result<R>>,
    interest: Interest,
}

impl<R> Future for Promise<R> {
    type Output = jsonrpc::Result<R>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let answer = ready!(Pin::new(&mut self.answer).poll(context));
        self.interest.events = None;
        // A sender that is dropped without a word is one of a server that shuts down.
        Poll::Ready(answer.unwrap_or_else(|_| Err(jsonrpc::Error::request_cancelled())))
    }
}

/// Cancels a request when the future of its answer is dropped.
struct Interest {
    events: Option<Events>,
    id: RequestId,
}

impl Drop for Interest {
    fn drop(&mut self) {
        if let Some(events) = self.events.take() {
            events.send(Event::Cancel(self.id));
        }
    }
}
