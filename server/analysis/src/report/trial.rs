//! Fixes, tried out before they are named.

use std::collections::HashSet;

use frank_syntax::ast::TermId;

use super::Reporter;
use crate::db::{ItemSource, item};
use crate::infer::hypothesis::{Change, Hypothesis};
use crate::infer::problem::{Mark, marks};
use crate::infer::{infer_operator_if, infer_term_if};

/// So many terms at most are looked at again for the sake of one operator's messages.
const EFFORT: usize = 400_000;

/// What a change does to the problems of a definition.
pub struct Trial {
    /// The problems that are gone.
    pub solved: HashSet<Mark>,
    /// How many there are that were not there before.
    pub introduced: usize,
}

impl Trial {
    /// Whether the change takes a problem away and brings no other.
    pub fn solves(&self, problem: Mark) -> bool {
        self.introduced == 0 && self.solved.contains(&problem)
    }
}

impl Reporter<'_> {
    /// How many changes may be tried out: the fewer, the larger the definition is.
    pub(super) fn trials_for(&self) -> u32 {
        let bodies = self.inference.bodies.iter();
        let terms: usize = bodies
            .map(|(source, _)| item(self.db, *source).terms.len())
            .sum();
        (EFFORT / (terms + 1)).clamp(4, 60) as u32
    }

    /// Checks the definition again with a change; `None` once enough has been tried.
    pub(super) fn try_out(
        &mut self,
        source: ItemSource,
        term: TermId,
        change: Change,
    ) -> Option<Trial> {
        self.trials = self.trials.checked_sub(1)?;
        let hypothesis = Hypothesis {
            source,
            term,
            change,
        };
        let inference = match self.operator {
            Some(operator) => infer_operator_if(self.db, operator, self.order, Some(hypothesis))?,
            None => infer_term_if(self.db, self.scope, source, self.order, Some(hypothesis)),
        };
        let found = marks(&inference.problems);
        let solved = self.base.difference(&found).copied().collect();
        let introduced = found.difference(&self.base).count();
        Some(Trial { solved, introduced })
    }
}
