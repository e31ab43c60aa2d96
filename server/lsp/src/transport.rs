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

use bytes::{Bytes, BytesMut};
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite};
use tokio::sync::{Notify, mpsc};
use tower_lsp::jsonrpc::{self, Request, Response};
use tower_lsp::{ExitedError, LspService, Server};
use tower_service::Service;

use crate::backend::{self, Backend};
use crate::client::Client;
use crate::client_process;
use crate::evaluator::Evaluator;
use crate::events::{Event, Events};
use crate::framing::{self, Clean, Headers};
use crate::main_loop::GlobalState;
use crate::params;
use crate::pool::Pool;
use crate::written::{self, Exchange, Texts};

/// How many requests may be without an answer; far more than any client has, since a request in
/// this state costs nothing but memory.
const MOST_REQUESTS: usize = 1 << 20;

/// How many threads answer requests.
const WORKERS: usize = 3;

/// How long answers under way may take when all that the client has sent is read.
const GRACE: Duration = Duration::from_millis(200);

/// How long reading what the client has sent may take once there is no more of it.
const LAST_WORDS: Duration = Duration::from_secs(3);

/// How long the threads of a session may take to end. One that hangs ends with the process.
const FAREWELL: Duration = Duration::from_secs(2);

/// The most bytes that are read at a time.
const CHUNK: usize = 64 << 10;

/// With less room than this a read would be too short.
const LEAST_ROOM: usize = 4 << 10;

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

/// A connection to a client.
pub struct Connection<I, O> {
    pub input: I,
    pub output: O,
    pub headers: Headers,
    /// What was read already.
    pub read: Bytes,
    /// Ends when the client is known to be gone in some other way than by the end of the input.
    pub lost: Pin<Box<dyn Future<Output = ()> + Send>>,
}

/// Serves one client until it leaves, or is gone.
pub async fn serve(
    connection: Connection<impl AsyncRead + Unpin + Send + 'static, impl AsyncWrite + Unpin>,
    self_test: bool,
) -> std::io::Result<Ending> {
    let Connection {
        input,
        output,
        headers,
        read,
        lost,
    } = connection;
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
    let evaluators = [Evaluator::start()?, Evaluator::start()?];
    let texts: Arc<Texts> = Arc::default();
    let signals = Arc::new(Signals::default());
    let (service, socket) = {
        let (events, client) = (events.clone(), client.clone());
        let service = LspService::build(|connection| {
            let settings = {
                let events = events.clone();
                move |settings| events.send(Event::Settings(settings))
            };
            tokio::spawn(client.clone().deliver(connection, settings));
            Backend::new(events, client, evaluators, texts.clone())
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
            .custom_method(written::SYMBOLS.own, Backend::document_symbol)
            .custom_method(written::LENSES.own, Backend::code_lens)
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
        client: client.clone(),
        signals: signals.clone(),
    };
    let (sender, chunks) = mpsc::unbounded_channel();
    let _ = sender.send(read);
    let reading = tokio::spawn(read_ahead(input, sender, signals.clone()));
    let input = Clean::new(chunks, headers, signals.ended.clone());
    let output = Outgoing {
        output,
        signals: signals.clone(),
    };
    let output = Exchange::new(output, texts);
    let served = Server::new(input, output, socket)
        .concurrency_level(MOST_REQUESTS)
        .serve(service);
    let ended = async {
        signals.ended.notified().await;
        tokio::time::sleep(GRACE).await;
    };
    let silent = async {
        signals.silent.notified().await;
        tokio::time::sleep(LAST_WORDS).await;
    };
    tokio::select! {
        () = served => {}
        () = ended => {}
        () = silent => {}
        () = signals.gone.notified() => {}
        () = lost => {}
    }
    reading.abort();
    client.close();
    events.send(Event::Gone);
    // The main loop waits for nothing but its workers, which are interrupted.
    let main_loop = tokio::task::spawn_blocking(move || main_loop.join());
    if tokio::time::timeout(FAREWELL, main_loop).await.is_err() {
        tracing::error!("something hangs and is not waited for");
    }
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

/// Reads what the client sends, however long it takes to be understood: only who reads learns that the
/// client is gone.
async fn read_ahead(
    mut input: impl AsyncRead + Unpin,
    chunks: mpsc::UnboundedSender<Bytes>,
    signals: Arc<Signals>,
) {
    let mut room = BytesMut::new();
    loop {
        // A chunk takes of the room what was read, so that many small ones do not take much memory.
        if room.capacity() < LEAST_ROOM {
            room.reserve(CHUNK);
        }
        match input.read_buf(&mut room).await {
            Ok(0) | Err(_) => break,
            Ok(_) if chunks.send(room.split().freeze()).is_err() => break,
            Ok(_) => {}
        }
    }
    signals.silent.notify_one();
}

/// What is sent to the client, who is gone when it cannot be.
struct Outgoing<O> {
    output: O,
    signals: Arc<Signals>,
}

impl<O> Outgoing<O> {
    fn noticed<T>(&self, result: Poll<std::io::Result<T>>) -> Poll<std::io::Result<T>> {
        if let Poll::Ready(Err(error)) = &result {
            tracing::warn!("the client does not take what is sent: {error}");
            self.signals.gone.notify_one();
        }
        result
    }
}

impl<O: AsyncWrite + Unpin> AsyncWrite for Outgoing<O> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<std::io::Result<usize>> {
        let result = Pin::new(&mut self.output).poll_write(context, bytes);
        self.noticed(result)
    }

    fn poll_flush(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<std::io::Result<()>> {
        let result = Pin::new(&mut self.output).poll_flush(context);
        self.noticed(result)
    }

    fn poll_shutdown(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.output).poll_shutdown(context)
    }
}

/// What happens to the connection.
#[derive(Default)]
struct Signals {
    shutdown: AtomicBool,
    exit: AtomicBool,
    /// All that the client has sent is read, and there is no more of it.
    ended: Arc<Notify>,
    /// The client sends nothing more; not all may be read.
    silent: Notify,
    /// There is no client any more.
    gone: Notify,
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
    client: Client,
    signals: Arc<Signals>,
}

impl InOrder {
    /// Follows the process that the client says it is.
    fn follow(&self, initialize: &Request) {
        let process = initialize
            .params()
            .and_then(|params| params.get("processId"));
        let process = process
            .and_then(Value::as_i64)
            .and_then(|id| i32::try_from(id).ok());
        if let Some(process) = process {
            let signals = Arc::downgrade(&self.signals);
            client_process::follow(process, move || {
                if let Some(signals) = signals.upgrade() {
                    signals.gone.notify_one();
                }
            });
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
struct Handled {
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
        let polled = catch_unwind(AssertUnwindSafe(|| this.handling.as_mut().poll(context)));
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
