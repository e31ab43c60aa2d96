//! The protocol's methods and who answers them, whatever brings the messages.
//!
//! `tower-lsp` routes messages, and runs all handlers in one task, in whatever order it likes. So every handler is
//! begun here, when its message is read, and has put its event into the queue before the next message is read.

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

use frank_interpreter::Answers;
use serde_json::Value;
use tokio::sync::Notify;
use tower_lsp::jsonrpc::{self, Request, Response};
use tower_lsp::{ClientSocket, ExitedError, LspService};
use tower_service::Service;

use crate::backend::{self, Backend};
use crate::client::Client;
use crate::disk::Storage;
use crate::evaluator::Evaluator;
use crate::events::{Event, Events};
use crate::framing;
use crate::in_hand;
use crate::params;
use crate::tasks;
use crate::written::{self, Texts};

/// What handlers are made of.
pub struct Parts {
    pub events: Events,
    pub client: Client,
    pub evaluators: [Evaluator; 2],
    /// The answers that they have written.
    pub texts: Arc<Texts>,
    pub storage: Storage,
    /// What an operator that somebody runs is granted.
    pub answers: Option<Arc<dyn Answers>>,
    /// Also answers requests that only tests make.
    pub self_test: bool,
    /// Follows the process that the client says it is, where there are processes.
    pub follow: Option<Follow>,
}

/// The handlers of all methods, and the requests and notifications that go to the client.
pub fn service(parts: Parts) -> (InOrder, ClientSocket) {
    let Parts {
        events,
        client,
        evaluators,
        texts,
        storage,
        answers,
        self_test,
        follow,
    } = parts;
    let to_client = client.clone();
    let service = LspService::build(|connection| {
        let settings = {
            let events = events.clone();
            move |settings| events.send(Event::Settings(settings))
        };
        tasks::spawn(client.clone().deliver(connection, settings));
        let held = match storage {
            Storage::Disk => None,
            Storage::Held(held) => Some(held),
        };
        Backend::new(events, client, evaluators, texts, held, answers)
    });
    let service = service
        .custom_method(backend::INFO, Backend::info)
        .custom_method(backend::EXAMPLES, Backend::examples)
        .custom_method(backend::SMOOTH, Backend::smooth)
        .custom_method(backend::STEP, Backend::step)
        .custom_method(backend::PLOT, Backend::plot)
        .custom_method(backend::GRAPH, Backend::graph)
        .custom_method(backend::RUN_CELL, Backend::run_cell)
        .custom_method(backend::CELLS, Backend::cells)
        .custom_method(backend::HOLES, Backend::holes)
        .custom_method(backend::NEXT_HOLE, Backend::next_hole)
        .custom_method(backend::GOAL, Backend::goal)
        .custom_method(backend::FILL, Backend::fill)
        .custom_method(backend::FIND_BY_TYPE, Backend::find_by_type)
        .custom_method(backend::TEXT, Backend::text)
        .custom_method(backend::FILES, Backend::files)
        .custom_method(written::SYMBOLS.own, Backend::document_symbol)
        .custom_method(written::LENSES.own, Backend::code_lens)
        .custom_method(framing::UNREADABLE, Backend::unreadable)
        .custom_method("window/workDoneProgress/cancel", Backend::cancel_progress);
    let service = match self_test {
        true => service.custom_method(backend::SELF_TEST, Backend::self_test),
        false => service,
    };
    let (service, socket) = service.finish();
    let service = InOrder {
        service,
        client: to_client,
        signals: Arc::default(),
        follow,
    };
    (service, socket)
}

/// What happens to the connection.
#[derive(Default)]
pub struct Signals {
    pub shutdown: AtomicBool,
    pub exit: AtomicBool,
    /// All that the client has sent is read, and there is no more of it.
    pub ended: Arc<Notify>,
    /// The client sends nothing more; not all may be read.
    pub silent: Notify,
    /// There is no client any more.
    pub gone: Notify,
    /// An `initialize` request has no answer yet; who waits to read on.
    initializing: Mutex<Option<Option<Waker>>>,
}

impl Signals {
    fn initializing(&self) -> std::sync::MutexGuard<'_, Option<Option<Waker>>> {
        self.initializing
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// Begins handlers in the order of their messages.
pub struct InOrder {
    service: LspService<Backend>,
    client: Client,
    signals: Arc<Signals>,
    follow: Option<Follow>,
}

/// Calls something when a process has ended.
pub type Follow = fn(i32, Box<dyn FnOnce() + Send>);

impl InOrder {
    /// What becomes of the connection, as far as messages tell.
    pub fn signals(&self) -> Arc<Signals> {
        self.signals.clone()
    }

    /// Follows the process that the client says it is.
    fn follow(&self, initialize: &Request) {
        let process = initialize
            .params()
            .and_then(|params| params.get("processId"));
        let process = process
            .and_then(Value::as_i64)
            .and_then(|id| i32::try_from(id).ok());
        if let Some((follow, process)) = self.follow.zip(process) {
            let signals = Arc::downgrade(&self.signals);
            let gone = move || {
                if let Some(signals) = signals.upgrade() {
                    signals.gone.notify_one();
                }
            };
            follow(process, Box::new(gone));
        }
    }

    /// Says what is wrong with a message: a request is answered, of a notification the client is told.
    fn refuse(&self, request: Request, mistake: String) -> Handled {
        let (method, id, _) = request.into_parts();
        let answer = match id {
            Some(id) => Some(Response::from_error(
                id,
                jsonrpc::Error::invalid_params(mistake),
            )),
            None => {
                tracing::warn!("{method} counts for nothing: {mistake}");
                self.client
                    .log(format!("{method} counts for nothing: {mistake}"));
                None
            }
        };
        Handled {
            method: method.into(),
            handling: Box::pin(std::future::ready(Ok(answer))),
            early: None,
            id: None,
            initialize: None,
        }
    }
}

type Handling = Pin<Box<dyn Future<Output = Result<Option<Response>, ExitedError>> + Send>>;

impl Service<Request> for InOrder {
    type Response = Option<Response>;
    type Error = ExitedError;
    type Future = Handled;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), ExitedError>> {
        // A client may send more before it knows that the server is ready.
        if let Some(waiting) = &mut *self.signals.initializing() {
            *waiting = Some(context.waker().clone());
            return Poll::Pending;
        }
        self.service.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> Handled {
        let id = request.id().cloned();
        if let Some(mistake) = params::mistake(&request) {
            return self.refuse(request, mistake);
        }
        let initialize = request.method() == "initialize" && id.is_some();
        match request.method() {
            "shutdown" => self.signals.shutdown.store(true, Ordering::Relaxed),
            "exit" => self.signals.exit.store(true, Ordering::Relaxed),
            _ => {}
        }
        if initialize {
            *self.signals.initializing() = Some(None);
            self.follow(&request);
        }
        let mut handled = Handled {
            method: request.method().into(),
            handling: self.service.call(written::renamed(request)),
            early: None,
            id,
            initialize: initialize.then(|| self.signals.clone()),
        };
        // The first poll puts the event into the queue. Whoever polls next leaves a waker.
        let mut nobody = Context::from_waker(Waker::noop());
        if let Poll::Ready(answer) = Pin::new(&mut handled).poll(&mut nobody) {
            handled.early = Some(answer);
        }
        handled
    }
}

/// A request that is being handled.
pub struct Handled {
    method: Arc<str>,
    handling: Handling,
    /// The answer, if it was there at once.
    early: Option<Result<Option<Response>, ExitedError>>,
    id: Option<jsonrpc::Id>,
    /// Set while the answer to `initialize` is not there.
    initialize: Option<Arc<Signals>>,
}

impl Future for Handled {
    type Output = Result<Option<Response>, ExitedError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        if let Some(answer) = this.early.take() {
            return Poll::Ready(answer);
        }
        let method = Some(this.method.clone());
        let polled = catch_unwind(AssertUnwindSafe(|| {
            in_hand::during(method, || this.handling.as_mut().poll(context))
        }));
        let answer = match polled {
            Ok(Poll::Pending) => return Poll::Pending,
            Ok(Poll::Ready(answer)) => answer,
            Err(_) => {
                let error = jsonrpc::Error::internal_error();
                Ok(this.id.take().map(|id| Response::from_error(id, error)))
            }
        };
        if let Some(signals) = this.initialize.take()
            && let Some(Some(waiting)) = signals.initializing().take()
        {
            waiting.wake();
        }
        Poll::Ready(answer)
    }
}
