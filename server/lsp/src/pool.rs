//! The threads that answer requests.
//!
//! A worker gets one request at a time, with its [`RequestSnapshot`]. A waiting edit interrupts it;
//! then the request comes back and runs again. A panic ends that request alone.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crossbeam_channel::{Receiver, Sender};
use salsa::{CancellationToken, Cancelled, Database as _};
use tower_lsp::jsonrpc;

use crate::request_snapshot::{RequestSnapshot, Target};
use crate::requests::{Job, RequestId};

/// A request on its way to a worker.
pub struct Work {
    pub id: RequestId,
    pub job: Box<dyn Job>,
    pub target: Option<Target>,
    pub snapshot: RequestSnapshot,
}

/// What became of a request.
pub struct Finished {
    pub id: RequestId,
    /// The request, if an edit interrupted it.
    pub interrupted: Option<Box<dyn Job>>,
}

/// The workers.
pub struct Pool {
    workers: Workers,
    size: usize,
}

/// Who does the work.
enum Workers {
    Threads(Sender<Work>),
    /// Whoever gives it, at once: for a server with one thread. It reports what is finished.
    Giver(Box<dyn Fn(Finished) + Send>),
}

impl Pool {
    /// Starts `size` threads, which report what they have finished. They end when the pool is dropped.
    pub fn start(
        size: usize,
        report: impl Fn(Finished) + Clone + Send + 'static,
    ) -> std::io::Result<Pool> {
        let (work, incoming) = crossbeam_channel::unbounded();
        for number in 1..=size {
            let (incoming, report) = (incoming.clone(), report.clone());
            std::thread::Builder::new()
                .name(format!("frank-worker-{number}"))
                .spawn(move || serve(&incoming, report))?;
        }
        Ok(Pool {
            workers: Workers::Threads(work),
            size,
        })
    }

    /// A pool in which whoever gives a request works on it. To the main loop it looks as if it had `size` threads.
    pub fn without_threads(size: usize, report: impl Fn(Finished) + Send + 'static) -> Pool {
        Pool {
            workers: Workers::Giver(Box::new(report)),
            size,
        }
    }

    /// How many requests can be worked on at a time.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Gives a request to a worker that has nothing to do; there must be one. What it gives back
    /// interrupts the work.
    pub fn give(&self, work: Work) -> CancellationToken {
        let token = work.snapshot.db().cancellation_token();
        match &self.workers {
            // The workers live as long as the pool.
            Workers::Threads(threads) => _ = threads.send(work),
            Workers::Giver(report) => report(work_on(work)),
        }
        token
    }
}

fn serve(incoming: &Receiver<Work>, report: impl Fn(Finished)) {
    while let Ok(work) = incoming.recv() {
        report(work_on(work));
    }
}

fn work_on(work: Work) -> Finished {
    let Work {
        id,
        mut job,
        target,
        snapshot,
    } = work;
    let ended = catch_unwind(AssertUnwindSafe(|| {
        // `run` may have nothing to ask the database.
        snapshot.check();
        job.run(&snapshot, target.as_ref());
    }));
    drop(snapshot);
    let interrupted = match ended {
        Ok(()) => None,
        Err(payload) => match payload.downcast_ref::<Cancelled>() {
            // Whoever computes what others wait for takes them along when it is given up, for
            // an edit or by its client. If it had a panic of its own, this job will have it.
            Some(Cancelled::PendingWrite | Cancelled::PropagatedPanic) => Some(job),
            Some(Cancelled::Local) => {
                job.fail(jsonrpc::Error::request_cancelled());
                None
            }
            _ => {
                job.fail(internal_error(&*payload));
                None
            }
        },
    };
    Finished { id, interrupted }
}

/// The error for a request that panicked.
pub fn internal_error(payload: &(dyn Any + Send)) -> jsonrpc::Error {
    let message = panic_message(payload);
    tracing::error!("a request panicked: {message}");
    let mut error = jsonrpc::Error::internal_error();
    error.message = format!("internal error: {message}").into();
    error
}

/// What a panic says.
pub fn panic_message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| payload.downcast_ref::<&str>().copied())
        .unwrap_or("a panic without a message")
}
