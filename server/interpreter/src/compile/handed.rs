//! Which operators take states of the handlers around them as parameters: loops that may change them. See
//! [`super::states`].

use std::collections::HashSet;
use std::rc::Rc;

use frank_core::OperatorId;

use super::context::{ContextId, Taker, UNKNOWN};
use super::ir::State;
use super::shapes::changing;
use super::shared::Shared;
use super::small;
use super::terms::{Facts, is_plain};

/// How many states are handed over.
const STATES: usize = 4;
/// Among how many operators that call each other last a loop is sought.
const CALLED: usize = 32;

impl Facts<'_> {
    /// Whether an operator calls itself last, or others do so that it calls last.
    fn loops(&mut self, operator: OperatorId) -> bool {
        let mut found = HashSet::new();
        let mut queue = vec![operator];
        while let Some(next) = queue.pop() {
            let Some(handler) = self.handler(next).filter(|h| is_plain(h)) else {
                continue;
            };
            for clause in &handler.clauses {
                let itself = self.some_end(clause.body, &mut |_, id, _| {
                    if found.len() < CALLED && found.insert(id) {
                        queue.push(id);
                    }
                    id == operator
                });
                if itself {
                    return true;
                }
            }
        }
        false
    }

    /// Whether the arguments before the last of an operator's calls are computed before its handler is entered, as states are.
    pub fn has_states(&self, operator: OperatorId) -> bool {
        let before = self.handler(operator).and_then(|h| h.ports.split_last());
        before.is_some_and(|(_, ports)| ports.iter().all(|port| port.adjustments.is_empty()))
    }
}

impl Shared<'_> {
    /// The states that an operator takes as parameters in a context that it is made for.
    pub fn states_for(&mut self, id: OperatorId, context: ContextId) -> Rc<[State]> {
        if let Some(known) = self.states.get(&(id, context)) {
            return known.clone();
        }
        let states = self.find_states(id, context);
        self.states.insert((id, context), states.clone());
        states
    }

    fn find_states(&mut self, id: OperatorId, context: ContextId) -> Rc<[State]> {
        let mut states = Vec::new();
        if context == UNKNOWN || !self.facts.loops(id) {
            return Rc::from([]);
        }
        for (handler, under) in self.contexts.handlers(context) {
            if !self.facts.has_states(handler) || !self.performs_under(id, context, under) {
                continue;
            }
            let (Some(depth), Some(clauses)) = (
                self.contexts.depth(context, under),
                self.facts.handler(handler),
            ) else {
                continue;
            };
            let changing = changing(self.program, handler, clauses);
            let before = clauses.ports.len().saturating_sub(1);
            for (index, changes) in changing.into_iter().enumerate().take(before) {
                if changes {
                    states.push(State {
                        under,
                        depth,
                        index: small(index as u32),
                    });
                }
            }
        }
        states.truncate(STATES);
        states.into()
    }

    /// Whether an operator can come to perform a command that goes to a handler of its context.
    fn performs_under(&mut self, id: OperatorId, context: ContextId, handler: ContextId) -> bool {
        let (interfaces, _) = self.contexts.takes(self.program, context);
        interfaces.into_iter().any(|interface| {
            let taker = self.contexts.taker(self.program, context, interface);
            matches!(taker, Taker::Handler { under, .. } if under == handler)
                && self.facts.performers(interface).contains(&id)
        })
    }
}
