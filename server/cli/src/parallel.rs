//! Spreads work over the processor's cores, and shows how far it is when it takes long.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Work that takes longer than this is shown.
const PATIENCE: Duration = Duration::from_secs(1);
const TICK: Duration = Duration::from_millis(50);

/// A bar on a terminal, drawn once the work has taken a while.
pub struct Progress {
    started: Instant,
    enabled: bool,
    doing: &'static str,
    /// Which part of the whole the work at hand is, and of how many.
    part: (usize, usize),
    bar: Option<ProgressBar>,
}

impl Progress {
    /// `enabled` is what the user wants; standard error has to be a terminal, too. `doing` is the work.
    pub fn new(enabled: bool, doing: &'static str) -> Progress {
        let enabled = enabled && std::io::stderr().is_terminal();
        Progress {
            started: Instant::now(),
            enabled,
            doing,
            part: (0, 1),
            bar: None,
        }
    }

    /// The work to come is the part of this number, from 0, of so many that are about equal.
    pub fn part(&mut self, number: usize, count: usize) {
        self.part = (number, count);
    }

    fn show(&mut self, done: usize, total: usize) {
        if !self.enabled || (self.bar.is_none() && self.started.elapsed() < PATIENCE) {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template("{msg} {bar:40} {percent}% {elapsed}");
            bar.set_message(self.doing);
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar
        });
        let (number, count) = self.part;
        bar.set_length((count * total) as u64);
        bar.set_position((number * total + done) as u64);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// On how many threads [`map`] does so many pieces of work.
pub fn threads(work: usize) -> usize {
    std::thread::available_parallelism()
        .map_or(1, usize::from)
        .min(work)
        .max(1)
}

/// What `f` gives for each piece of work, in order. Each thread has a clone of `state`.
pub fn map<S: Clone + Send, W: Sync, T: Send>(
    state: &S,
    work: &[W],
    progress: &mut Progress,
    f: impl Fn(&S, &W) -> T + Sync,
) -> Vec<T> {
    let threads = threads(work.len());
    if threads <= 1 {
        return work.iter().map(|piece| f(state, piece)).collect();
    }
    let next = AtomicUsize::new(0);
    let (sender, finished) = mpsc::channel();
    let (f, next) = (&f, &next);
    let mut results: Vec<(usize, T)> = std::thread::scope(|scope| {
        let mut workers = Vec::new();
        for _ in 0..threads {
            let (state, sender) = (state.clone(), sender.clone());
            workers.push(scope.spawn(move || {
                let mut results = Vec::new();
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(piece) = work.get(index) else { break };
                    results.push((index, f(&state, piece)));
                }
                // Nobody listens if another thread has panicked, which is reported below.
                let _ = sender.send(());
                results
            }));
        }
        drop(sender);
        while let Ok(()) | Err(RecvTimeoutError::Timeout) = finished.recv_timeout(TICK) {
            progress.show(next.load(Ordering::Relaxed).min(work.len()), work.len());
        }
        let joined = workers.into_iter().map(|worker| match worker.join() {
            Ok(results) => results,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        joined.flatten().collect()
    });
    results.sort_unstable_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}
