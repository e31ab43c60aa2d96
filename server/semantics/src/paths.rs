//! Ways through the states of a run: to the next command, over what is at the focus, back to where a value was made.
//!
//! States are given by their positions among the moments of a [`Trace`](crate::trace::Trace).

use std::collections::HashMap;

use frank_core::CommandId;

use crate::rules::{Rule, Semantics};
use crate::state::{Call, Focus, StackId, State, Value};
use crate::trace::Moment;

/// The moments of a run, to be gone through.
#[derive(Clone, Copy)]
pub struct Paths<'s, 'p> {
    pub semantics: &'s Semantics<'p>,
    pub moments: &'s [Moment],
}

impl Paths<'_, '_> {
    /// The last position.
    pub fn last(&self) -> usize {
        self.moments.len().saturating_sub(1)
    }

    /// The command that is performed in a state, before a frame has frozen.
    pub fn command(&self, at: usize) -> Option<CommandId> {
        let state = self.state(at)?;
        match state.focus {
            Focus::Command(performed) if performed.frozen.is_none() => Some(performed.command),
            // The host answers in one step.
            Focus::Call(Call {
                head: Value::Command(command),
                ..
            }) if self.rule(at + 1) == Some(Rule::Host) => Some(command),
            _ => None,
        }
    }

    /// Whether a command is performed in a state. Its name may be known to the rule for the host alone.
    pub fn is_command(&self, at: usize) -> bool {
        self.command(at).is_some() || self.rule(at + 1) == Some(Rule::Host)
    }

    /// The first state after one in which a command is performed; of those with a name, a command's or an
    /// interface's, if there is one.
    pub fn next_command(&self, from: usize, name: Option<&str>) -> Option<usize> {
        (from + 1..self.moments.len()).find(|at| self.is_named(*at, name))
    }

    /// The last state before one in which a command is performed, as for [`next_command`](Paths::next_command).
    pub fn previous_command(&self, from: usize, name: Option<&str>) -> Option<usize> {
        (0..from).rev().find(|at| self.is_named(*at, name))
    }

    fn is_named(&self, at: usize, name: Option<&str>) -> bool {
        let Some(name) = name else {
            return self.is_command(at);
        };
        let program = self.semantics.program;
        self.command(at).is_some_and(|command| {
            let command = &program.commands[command];
            command.name == name || program.interfaces[command.interface].name == name
        })
    }

    /// The state in which the handler of the command at the focus, or the host, has answered; elsewhere the next state
    /// in which some handler has.
    pub fn answer(&self, from: usize) -> Option<usize> {
        let state = self.state(from)?;
        let Some(handler) = self.semantics.taker(state) else {
            let mut later = from + 1..self.moments.len();
            return later.find(|at| matches!(self.rule(*at), Some(Rule::Handle | Rule::Host)));
        };
        // The clause stands where the handler stood.
        let outside = self.semantics.store.stacks[handler].rest;
        let mut known: HashMap<StackId, bool> = outside.iter().map(|id| (*id, true)).collect();
        (from + 1..self.moments.len()).find(|at| {
            let stack = self.state(*at).and_then(|state| state.stack);
            self.rule(*at) == Some(Rule::Handle)
                && (outside.is_none() || self.stands_on(stack, &mut known))
        })
    }

    /// The first state in which the focus of one has its value, or is left with a command.
    pub fn over(&self, from: usize) -> Option<usize> {
        let state = self.state(from)?;
        self.leaving(from, self.around(state))
    }

    /// The first state in which the innermost frame around the focus has its value, or is left with a command.
    pub fn out(&self, from: usize) -> Option<usize> {
        let state = self.state(from)?;
        let inner = self.around(state)?;
        self.leaving(from, self.semantics.store.stacks[inner].rest)
    }

    /// The frames around what is shown as the focus: a value is shown with the frame that has a rule for it.
    fn around(&self, state: &State) -> Option<StackId> {
        let id = state.stack?;
        let below = self.semantics.store.stacks[id];
        match state.focus {
            Focus::Value(_) if below.frame.reduces() => below.rest,
            _ => Some(id),
        }
    }

    /// The first state after one in which frames have a value in their hole, or are not all there any more.
    fn leaving(&self, from: usize, frames: Option<StackId>) -> Option<usize> {
        let frames = frames?;
        // Whether stacks stand on the frames, as far as that is known.
        let mut known = HashMap::from([(frames, true)]);
        (from + 1..self.moments.len()).find(|at| {
            self.state(*at).is_some_and(|state| {
                let has_value =
                    matches!(state.focus, Focus::Value(_)) && state.stack == Some(frames);
                has_value || !self.stands_on(state.stack, &mut known)
            })
        })
    }

    fn stands_on(&self, stack: Option<StackId>, known: &mut HashMap<StackId, bool>) -> bool {
        let mut passed = Vec::new();
        let mut next = stack;
        let mut stands = false;
        while let Some(id) = next {
            if let Some(is_known) = known.get(&id) {
                stands = *is_known;
                break;
            }
            passed.push(id);
            next = self.semantics.store.stacks[id].rest;
        }
        known.extend(passed.into_iter().map(|id| (id, stands)));
        stands
    }

    /// The first state in which the value at the focus was there: that of a call is the argument, or the head, that
    /// was made last. Numbers, characters, operators and commands are not made by a run. For a cell it is the state in
    /// which it has got what it holds.
    pub fn made(&self, from: usize) -> Option<usize> {
        let state = self.state(from)?;
        let values = match state.focus {
            Focus::Value(value) | Focus::Done(value) => vec![value],
            Focus::Call(call) => self.parts(call),
            Focus::Command(performed) => self.parts(performed.written),
            Focus::Term(..) => Vec::new(),
        };
        let made = values.into_iter().filter_map(|value| match value {
            Value::Ref(cell) => self.written(from, cell),
            _ => self.first_with(value),
        });
        made.filter(|at| *at < from).max()
    }

    fn parts(&self, call: Call) -> Vec<Value> {
        let mut values = self.semantics.store.values(call.args);
        values.push(call.head);
        values
    }

    fn first_with(&self, value: Value) -> Option<usize> {
        value.is_among(self.moments.first()?.made)?;
        let is_later = |moment: &Moment| value.is_among(moment.made) == Some(false);
        Some(self.moments.partition_point(is_later))
    }

    /// Where a cell has got what it holds in a state.
    fn written(&self, from: usize, cell: usize) -> Option<usize> {
        let held = |at: usize| self.state(at).and_then(|state| state.cells.get(cell));
        let now = held(from)?;
        let first = (0..from)
            .rev()
            .take_while(|at| held(*at) == Some(now))
            .last();
        Some(first.unwrap_or(from))
    }

    fn state(&self, at: usize) -> Option<&State> {
        Some(&self.moments.get(at)?.state)
    }

    fn rule(&self, at: usize) -> Option<Rule> {
        self.moments.get(at)?.rule
    }
}
