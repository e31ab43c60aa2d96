//! The connection to a client: bytes that come and go.
//!
//! `tower-lsp` reads and writes messages; [`service`](crate::service) has the handlers.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use frank_interpreter::Answers;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite};
use tokio::sync::mpsc;
use tower_lsp::Server;

use crate::client::Client;
use crate::client_process;
use crate::disk::Storage;
use crate::evaluator::Evaluator;
use crate::events::{Event, Events};
use crate::framing::{Clean, Headers};
use crate::main_loop::GlobalState;
use crate::pool::Pool;
use crate::service::{Parts, Signals, service};
use crate::written::{Exchange, Texts};

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

/// Serves one client until it leaves, or is gone. `answers` is for what its user runs.
pub async fn serve(
    connection: Connection<impl AsyncRead + Unpin + Send + 'static, impl AsyncWrite + Unpin>,
    answers: Option<Arc<dyn Answers>>,
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
            .spawn(move || GlobalState::new(events, client, pool, Storage::Disk).run(&incoming))?
    };
    let texts: Arc<Texts> = Arc::default();
    let (service, socket) = service(Parts {
        events: events.clone(),
        client: client.clone(),
        evaluators: [Evaluator::start()?, Evaluator::start()?],
        texts: texts.clone(),
        storage: Storage::Disk,
        answers,
        self_test,
        follow: Some(client_process::follow),
    });
    let signals = service.signals();
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
