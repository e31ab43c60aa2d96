//! Checks that can be taken back.

use super::Checker;
use super::hypothesis::Hypothesis;
use super::table::Snapshot;

/// The checker as it was before something was tried.
pub(super) struct Attempt {
    snapshot: Snapshot,
    /// How many problems and bound locals there were.
    problems: usize,
    bound: usize,
    hypothesis: Option<Hypothesis>,
    muted: bool,
}

impl Checker<'_> {
    /// Begins an attempt, which ends with [`Checker::keep`] or [`Checker::take_back`].
    pub(super) fn attempt(&mut self) -> Attempt {
        Attempt {
            snapshot: self.table.snapshot(),
            problems: self.problems.len(),
            bound: self.bound.len(),
            hypothesis: self.hypothesis.clone(),
            muted: self.muted,
        }
    }

    /// Leaves everything as it is.
    pub(super) fn keep(&mut self, attempt: Attempt) {
        self.table.give_up(attempt.snapshot);
    }

    /// Forgets what was found out since the attempt began.
    pub(super) fn take_back(&mut self, attempt: Attempt) {
        self.table.rollback(attempt.snapshot);
        self.problems.truncate(attempt.problems);
        self.bound.truncate(attempt.bound);
        (self.hypothesis, self.muted) = (attempt.hypothesis, attempt.muted);
    }
}
