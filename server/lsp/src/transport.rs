//! The connection to a client.
//!
//! `tower-lsp` reads, routes and writes messages, and runs all handlers in one task, in whatever
//! order it likes. So every handler is begun here, when its message is read, and has put its event
//! into the queue before the next message is read.

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::Notify;
use tower_lsp::jsonrpc::{Request, Response};
use tower_lsp::{ExitedError, LspService, Server};
use tower_service::Service;

use crate::backend::{self, Backend};
use crate::client::Client;
use crate::evaluator::Evaluator;
use crate::events::{Event, Events};
use crate::framing::{self, Clean};
use crate::main_loop::GlobalState;
use crate::pool::Pool;

/// How many requests may be without an answer; far more than any client has, since a request in
/// this state costs nothing but memory.
const MOST_REQUESTS: usize = 1 << 20;

/// How many threads answer requests.
const WORKERS: usize = 3;

/// How long answers under way may take after the client is gone.
const GRACE: Duration = Duration::from_millis(200);

/// How a session ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The client shut the server down and sent `exit`.
    Exit,
    /// The client sent `exit` without shutting the server down.
    ExitWithoutShutdown,
    /// The client is gone.
    Lost,
}

/// Serves one client until it leaves.
pub async fn serve(
    input: impl AsyncRead + Unpin,
    output: impl AsyncWrite,
    self_test: bool,
) -> std::io::Result<Ending> {
    let (events, incoming) = Events::new();
    let client = Client::new();
    let finished = {
        let events = events.clone();
        move |finished| events.send(Event::Finished(finished))
    };
    let pool = Pool::start(WORKERS, finished)?;
    let main_loop = {
        let (events, client) = (events.clone(), client.clone());
        std::thread::Builder::new()
            .name("frank-main-loop".to_owned())
            .spawn(move || GlobalState::new(events, client, pool).run(&incoming))?
    };
    let evaluator = Evaluator::start()?;
    let signals = Arc::new(Signals::default());
    let (service, socket) = {
        let (events, client) = (events.clone(), client.clone());
        let service = LspService::build(|connection| {
            let settings = {
                let events = events.clone();
                move |settings| events.send(Event::Settings(settings))
            };
            tokio::spawn(client.clone().deliver(connection, settings));
            Backend::new(events, client, evaluator)
        });
        let service = service
            .custom_method(framing::UNREADABLE, Backend::unreadable)
            .custom_method("window/workDoneProgress/cancel", Backend::cancel_progress);
        let service = match self_test {
            true => service.custom_method(backend::SELF_TEST, Backend::self_test),
            false => service,
        };
        service.finish()
    };
    let service = InOrder {
        service,
        signals: signals.clone(),
    };
    let input = Clean::new(input, signals.ended.clone());
    let served = Server::new(input, output, socket)
        .concurrency_level(MOST_REQUESTS)
        .serve(service);
    let lost = async {
        signals.ended.notified().await;
        tokio::time::sleep(GRACE).await;
    };
    tokio::select! {
        () = served => {}
        () = lost => {}
    }
    client.close();
    events.send(Event::Gone);
    // The main loop waits for nothing but its workers, which are interrupted.
    let _ = tokio::task::spawn_blocking(move || main_loop.join()).await;
    Ok(
        match (
            signals.exit.load(Ordering::Relaxed),
            signals.shutdown.load(Ordering::Relaxed),
        ) {
            (true, true) => Ending::Exit,
            (true, false) => Ending::ExitWithoutShutdown,
            (false, _) => Ending::Lost,
        },
    )
}

/// What happens to the connection.
#[derive(Default)]
struct Signals {
    shutdown: AtomicBool,
    exit: AtomicBool,
    /// There is nothing more to read.
    ended: Arc<Notify>,
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
struct InOrder {
    service: LspService<Backend>,
    signals: Arc<Signals>,
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
        let initialize = request.method() == "initialize" && id.is_some();
        match request.method() {
            "shutdown" => self.signals.shutdown.store(true, Ordering::Relaxed),
            "exit" => self.signals.exit.store(true, Ordering::Relaxed),
            _ => {}
        }
        if initialize {
            *self.signals.initializing() = Some(None);
        }
        let mut handled = Handled {
            handling: self.service.call(request),
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
struct Handled {
    handling: Handling,
    /// The answer, if it was there at once.
    early: Option<Result<Option<Response>, ExitedError>>,
    id: Option<tower_lsp::jsonrpc::Id>,
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
        let polled = catch_unwind(AssertUnwindSafe(|| this.handling.as_mut().poll(context)));
        let answer = match polled {
            Ok(Poll::Pending) => return Poll::Pending,
            Ok(Poll::Ready(answer)) => answer,
            Err(_) => {
                let error = tower_lsp::jsonrpc::Error::internal_error();
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
