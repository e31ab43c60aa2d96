//! The threads that evaluate. They hold no snapshot, so that they delay nothing but one another.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crossbeam_channel::{Receiver, Sender};
use frank_interpreter::Limits;
use tokio::sync::oneshot;
use tower_lsp::jsonrpc;
use tower_lsp::ls_types::ProgressToken;

use crate::pool::internal_error;
use crate::progress::Progress;

/// How many evaluations run at a time; the others wait.
const THREADS: usize = 2;

type Task = Box<dyn FnOnce() + Send>;

/// What the client can cancel, by the token of its progress.
type Tokens = Arc<Mutex<HashMap<ProgressToken, Arc<AtomicBool>>>>;

/// The threads. They end when this is dropped; what runs then ends with the futures that wait.
pub struct Evaluator {
    /// Without threads, whoever asks for an evaluation runs it.
    threads: Option<Sender<Task>>,
    shown: Tokens,
}

/// An evaluation under way. When this is dropped, it ends.
pub struct Evaluation<R> {
    answer: oneshot::Receiver<jsonrpc::Result<R>>,
    cancelled: Arc<AtomicBool>,
}

impl<R> Evaluation<R> {
    /// Waits for the result.
    pub async fn result(mut self) -> jsonrpc::Result<R> {
        let answer = (&mut self.answer).await;
        // A sender that is dropped without a word is one of a server that shuts down.
        answer.unwrap_or_else(|_| Err(jsonrpc::Error::request_cancelled()))
    }
}

impl<R> Drop for Evaluation<R> {
    fn drop(&mut self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }
}

impl Evaluator {
    /// Starts the threads.
    pub fn start() -> std::io::Result<Evaluator> {
        let (work, incoming): (Sender<Task>, Receiver<Task>) = crossbeam_channel::unbounded();
        for number in 1..=THREADS {
            let incoming = incoming.clone();
            std::thread::Builder::new()
                .name(format!("frank-evaluator-{number}"))
                .spawn(move || {
                    while let Ok(task) = incoming.recv() {
                        run_apart(task);
                    }
                })?;
        }
        Ok(Evaluator {
            threads: Some(work),
            shown: Arc::default(),
        })
    }

    /// For a server with one thread: what is to be evaluated is, at once.
    pub fn without_threads() -> Evaluator {
        Evaluator {
            threads: None,
            shown: Arc::default(),
        }
    }

    /// Evaluates within limits as soon as a thread has nothing to do. `run` reports how many of how
    /// many parts are done.
    pub fn evaluate<R: Send + 'static>(
        &self,
        mut limits: Limits,
        progress: Option<(Progress, ProgressToken)>,
        run: impl FnOnce(&Limits, &mut dyn FnMut(usize, usize)) -> R + Send + 'static,
    ) -> Evaluation<R> {
        let cancelled = Arc::new(AtomicBool::new(false));
        limits.cancelled = Some(cancelled.clone());
        let (reply, answer) = oneshot::channel();
        let shown = self.shown.clone();
        if let Some((_, token)) = &progress {
            tokens(&shown).insert(token.clone(), cancelled.clone());
        }
        let flag = cancelled.clone();
        let task = move || {
            let mut reported = None;
            let mut report = |done: usize, total: usize| {
                if reported != Some(done)
                    && let Some((progress, _)) = &progress
                {
                    reported = Some(done);
                    let percent = u32::try_from(100 * done / total.max(1)).ok();
                    progress.report(format!("{done} of {total}"), percent);
                }
            };
            let mut result = Err(jsonrpc::Error::request_cancelled());
            if !flag.load(Ordering::Relaxed) {
                let ended = catch_unwind(AssertUnwindSafe(|| run(&limits, &mut report)));
                if !flag.load(Ordering::Relaxed) {
                    result = ended.map_err(|payload| internal_error(&*payload));
                }
            }
            if let Some((_, token)) = &progress {
                tokens(&shown).remove(token);
            }
            // The handler may be gone.
            let _ = reply.send(result);
        };
        match &self.threads {
            // The threads live as long as this.
            Some(threads) => _ = threads.send(Box::new(task)),
            None => task(),
        }
        Evaluation { answer, cancelled }
    }

    /// Ends the evaluation whose progress is shown under a token.
    pub fn cancel(&self, token: &ProgressToken) {
        if let Some(cancelled) = tokens(&self.shown).get(token) {
            cancelled.store(true, Ordering::Relaxed);
        }
    }
}

/// Runs a task on a thread of its own: the allocator keeps what a thread has freed for that thread, and
/// gives it back to the system when the thread ends.
fn run_apart(task: Task) {
    let thread = std::thread::Builder::new().name("frank-evaluation".to_owned());
    match thread.spawn(task) {
        // A task catches its panics.
        Ok(running) => _ = running.join(),
        // Who waits for the task is told by its end.
        Err(error) => tracing::error!("no thread to evaluate on: {error}"),
    }
}

fn tokens(shown: &Tokens) -> MutexGuard<'_, HashMap<ProgressToken, Arc<AtomicBool>>> {
    shown.lock().unwrap_or_else(PoisonError::into_inner)
}
