//! Where a run is to go, and what it stops at on the way.

use std::rc::Rc;

use frank_core::{Term, TermId};
use frank_semantics::state::{Focus, StackId, State, Value};
use frank_semantics::{Rule, Semantics, Simple};

use crate::frames;
use crate::history::{Observer, Watch};
use crate::over::Over;
use crate::stopped::Stopped;
use crate::stops::{Stop, Stops, is_step};

/// Where a run is to go.
pub enum Goal {
    /// On to a breakpoint.
    On,
    /// To the next state at which a step stops.
    Into,
    /// One rule further.
    Rule,
    /// Until a value has come for what is at the focus, then as `Within`.
    Over {
        value: Over,
        /// Waits for the value of the body around; nothing while the focus is on its way out of it.
        body: Option<Over>,
    },
    /// As `Into`, but no further than the body that the step began in.
    Within(Over),
    /// Until a value has come.
    Out(Over),
    /// Back to a breakpoint, or to the state before at which a step stops. States from `until` on do not count.
    Back { steps: bool, until: u64 },
}

/// What a step over the states stops at.
pub struct Driver<'d> {
    pub stops: &'d Stops,
    pub goal: &'d mut Goal,
    /// What the run has come to that has a breakpoint.
    pub found: Option<Stop>,
}

impl Observer for Driver<'_> {
    fn simple(&self) -> Option<Rc<Simple>> {
        (!matches!(self.goal, Goal::Rule)).then(|| self.stops.simple())
    }

    fn sees(
        &mut self,
        semantics: &Semantics<'_>,
        rule: Rule,
        before: Option<StackId>,
        state: &State,
    ) -> bool {
        self.found = self.stops.at(semantics, rule, state);
        let mut is_left = false;
        if let Goal::Over { value, body } = self.goal {
            let has_come = value.sees(semantics, rule, before, state);
            is_left = body
                .as_mut()
                .is_some_and(|body| body.sees(semantics, rule, before, state));
            if has_come {
                *self.goal = body.take().map_or(Goal::Into, Goal::Within);
            }
        } else if let Goal::Within(body) | Goal::Out(body) = self.goal {
            is_left = body.sees(semantics, rule, before, state);
        }
        match self.goal {
            _ if self.found.is_some() || is_left => true,
            Goal::On | Goal::Over { .. } | Goal::Out(_) | Goal::Back { steps: false, .. } => false,
            Goal::Into | Goal::Within(_) | Goal::Back { steps: true, .. } => {
                is_step(semantics, Some(rule), state)
            }
            Goal::Rule => true,
        }
    }

    fn watches(&mut self) -> Vec<&mut Watch> {
        match self.goal {
            Goal::Over { value, body } => {
                let body = body.iter_mut().flat_map(Observer::watches);
                value.watches().into_iter().chain(body).collect()
            }
            Goal::Within(over) | Goal::Out(over) => over.watches(),
            _ => Vec::new(),
        }
    }
}

fn is_call(semantics: &Semantics<'_>, term: TermId) -> bool {
    matches!(semantics.program.terms[term], Term::Apply { .. })
}

impl Stopped<'_> {
    /// The goal of a step over what is at the focus. It ends in the body that it began in, or in the caller.
    pub fn over(&mut self) -> Goal {
        let body = self.body();
        let Some(history) = &self.history else {
            return Goal::Into;
        };
        let state = &history.now;
        let value = match state.focus {
            Focus::Command(_) => Over::command(state),
            Focus::Call(call) => match call.head {
                Value::Command(_) => Over::command(state),
                _ => Over::of(state.stack),
            },
            // A call whose arguments are still to be evaluated, but for the run itself: a step over that goes into it.
            Focus::Term(term, _) if history.clock() > 0 && is_call(&history.semantics, term) => {
                Over::of(state.stack)
            }
            _ => return body.map_or(Goal::Into, Goal::Within),
        };
        Goal::Over { value, body }
    }

    /// The goal of leaving the body that is being evaluated.
    pub fn out(&mut self) -> Goal {
        match self.body() {
            Some(body) => Goal::Out(body),
            None => self.over(),
        }
    }

    /// What waits for the value of the innermost body; nothing while a command is on its way out of it.
    fn body(&mut self) -> Option<Over> {
        let (entries, _) = self.entries(2);
        // A frozen entry has no frames of its own below it.
        let entry = entries.first().filter(|entry| !entry.is_frozen)?;
        let mut part = entry.term;
        let history = self.history.as_ref()?;
        let store = &history.semantics.store;
        let mut next = history.now.stack;
        while let Some(id) = next {
            let below = store.stacks[id];
            let hole = frames::hole(&history.semantics, below.frame);
            if !hole.is_some_and(|hole| self.sites.contains(hole, part)) {
                break;
            }
            part = below.frame.term();
            next = below.rest;
        }
        Some(Over::of(next))
    }
}
