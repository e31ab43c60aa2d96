//! States of handlers: the arguments before the last of a call that handles, such as the `s` of `evalState s`.
//!
//! They stand in the frame of the call that the handler was entered by. So whoever captures that part of the stack has
//! them, too, and of two resumptions each has its own: the frame is copied by the first that writes to it. Where the
//! handler is known and its clause stands in the place of the command, the clause reads and writes them there
//! ([`Statement::ReadState`], [`Statement::WriteState`]). The handler is found by counting the handlers on the stack:
//! where something is known of them, all down to that one are.
//!
//! Nobody else looks at the frame before this code calls, performs, fails or ends. So a state that was read or written
//! need not be read again, and is written back then only. What is known at all jumps to a join is handed to it.
//!
//! An operator that calls itself last, or another that calls it, takes the states that may change in it as parameters ([`super::handed`]), so that
//! a loop has them in registers, and writes them back when it ends. A call of it takes the state out of its frame, or
//! hands on what is known of it.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use super::context::ContextId;
use super::deep;
use super::ir::{BlockId, Body, End, Kind, Placed, State, Statement, Var, at, successors};
use super::shared::Shared;

/// What is known of a state.
#[derive(Clone, Copy, PartialEq)]
struct Known {
    value: Var,
    /// How it is written back; nothing if its frame has it.
    unwritten: Option<State>,
}

/// By handler and argument.
type States = BTreeMap<(ContextId, u16), Known>;

/// Does without reading and writing states where their values are known. Gives what each variable is another name of,
/// if there are states at all.
pub(super) fn forward(body: &mut Body, shared: &Shared<'_>) -> Option<Vec<Var>> {
    let mut statements = body.blocks.iter().flat_map(|block| &block.statements);
    let any = |s: &Placed<Statement>| {
        matches!(
            s.what,
            Statement::ReadState { .. } | Statement::WriteState { .. }
        )
    };
    if !statements.any(any) {
        return None;
    }
    let mut forward = Forward {
        aliases: (0..body.kinds.len() as Var).collect(),
        entry: body.entry,
        body,
        shared,
        jumps: HashMap::new(),
    };
    forward.block(forward.entry, States::new());
    Some(forward.aliases)
}

struct Forward<'b, 's, 'p> {
    body: &'b mut Body,
    shared: &'s Shared<'p>,
    aliases: Vec<Var>,
    entry: BlockId,
    /// The jumps to each join, with what is known there.
    jumps: HashMap<BlockId, Vec<(BlockId, States)>>,
}

impl Forward<'_, '_, '_> {
    fn block(&mut self, id: BlockId, states: States) {
        deep(|| self.block_here(id, states));
    }

    fn block_here(&mut self, mut id: BlockId, mut states: States) {
        loop {
            let Some(block) = self.body.blocks.get_mut(id) else {
                return;
            };
            let (statements, debug) = (std::mem::take(&mut block.statements), block.end.debug);
            let end = block.end.what.clone();
            let mut kept = Vec::with_capacity(statements.len());
            for statement in statements {
                self.statement(statement, &mut states, &mut kept);
            }
            match &end {
                End::TailCall { function, .. } => {
                    let handed = self.handed(*function);
                    write_back(&mut states, &handed, debug, &mut kept);
                }
                // The run ends with it.
                End::Fail { .. } | End::Open => {}
                End::Jump { .. }
                | End::With { .. }
                | End::Continue(_)
                | End::Switch { .. }
                | End::Branch { .. } => {}
                // Of a rest, what goes on at once still knows them.
                _ => write_back(&mut states, &[], debug, &mut kept),
            }
            if let Some(block) = self.body.blocks.get_mut(id) {
                block.statements = kept;
            }
            match end {
                End::Continue(next) => id = next,
                End::Jump { join, .. } => {
                    return self.jumps.entry(join).or_default().push((id, states));
                }
                End::With { join, inner } => {
                    self.block(inner, states.clone());
                    states = self.join(join, &states);
                    id = join;
                }
                End::Switch { .. } | End::Branch { .. } => {
                    successors(&end, &mut |next| self.block(next, states.clone()));
                    return;
                }
                End::Rest { inner, after, .. } => {
                    self.block(after, States::new());
                    id = inner;
                }
                _ => {
                    // What is there or comes back is reached by other nodes, or after a call.
                    successors(&end, &mut |next| self.block(next, States::new()));
                    return;
                }
            }
        }
    }

    fn statement(
        &mut self,
        statement: Placed<Statement>,
        states: &mut States,
        kept: &mut Vec<Placed<Statement>>,
    ) {
        match &statement.what {
            Statement::ReadState { to, state, takes } => {
                if let Some(known) = states.get(&(state.under, state.index)) {
                    *at(&mut self.aliases, *to as usize) = known.value;
                    return;
                }
                let known = Known {
                    value: *to,
                    unwritten: takes.then_some(*state),
                };
                states.insert((state.under, state.index), known);
            }
            Statement::WriteState { state, from } => {
                let known = Known {
                    value: self.resolved(*from),
                    unwritten: Some(*state),
                };
                states.insert((state.under, state.index), known);
                return;
            }
            Statement::Call { function, .. } => {
                let handed = self.handed(*function);
                write_back(states, &handed, statement.debug, kept);
                states.clear();
            }
            Statement::Unwind { depth } => {
                // The states of the handlers that go are nobody's any more.
                let goes = |known: &Known| known.unwritten.is_some_and(|s| s.depth <= *depth);
                states.retain(|_, known| !goes(known));
                write_back(states, &[], statement.debug, kept);
                states.clear();
            }
            other if other.looks_at_states() => {
                write_back(states, &[], statement.debug, kept);
                states.clear();
            }
            _ => {}
        }
        kept.push(statement);
    }

    /// The states that a function takes as parameters.
    fn handed(&self, function: u32) -> Rc<[State]> {
        let handed = self.shared.handed.get(&function).cloned();
        handed.unwrap_or_else(|| Rc::from([]))
    }

    fn resolved(&self, mut v: Var) -> Var {
        while let Some(next) = self.aliases.get(v as usize)
            && *next != v
        {
            v = *next;
        }
        v
    }

    /// What is known at a join, whose jumps have been gone through; `before` is what was known where its scope begins.
    fn join(&mut self, join: BlockId, before: &States) -> States {
        let jumps = self.jumps.remove(&join).unwrap_or_default();
        let mut at_join = States::new();
        let Some((_, first)) = jumps.first() else {
            return at_join;
        };
        for (key, known) in first.clone() {
            let all: Option<Vec<Known>> = jumps
                .iter()
                .map(|(_, states)| states.get(&key).copied())
                .collect();
            let Some(all) = all else { continue };
            let unwritten = all.iter().find_map(|known| known.unwritten);
            let same = all.iter().all(|other| other.value == known.value);
            let outlives = before.get(&key).is_some_and(|b| b.value == known.value);
            let value = match same && outlives {
                true => known.value,
                false if unwritten.is_some() => self.parameter(join, &jumps, &all),
                // It is read again where it is wanted.
                false => continue,
            };
            at_join.insert(key, Known { value, unwritten });
        }
        for (block, mut states) in jumps {
            states.retain(|key, _| !at_join.contains_key(key));
            if let Some(block) = self.body.blocks.get_mut(block) {
                write_back(&mut states, &[], block.end.debug, &mut block.statements);
            }
        }
        at_join
    }

    /// A parameter of a join for what is known at its jumps.
    fn parameter(&mut self, join: BlockId, jumps: &[(BlockId, States)], all: &[Known]) -> Var {
        let kinds = all.iter().map(|known| self.body.kind(known.value));
        let plain = kinds
            .into_iter()
            .all(|kind| matches!(kind, Kind::Plain | Kind::Constant(_)));
        self.body
            .kinds
            .push(if plain { Kind::Plain } else { Kind::Unknown });
        let parameter = self.body.kinds.len() as Var - 1;
        self.aliases.push(parameter);
        if let Some(block) = self.body.blocks.get_mut(join) {
            block.parameters.push(parameter);
        }
        for ((block, _), known) in jumps.iter().zip(all) {
            if let Some(block) = self.body.blocks.get_mut(*block)
                && let End::Jump { args, .. } = &mut block.end.what
            {
                args.push(known.value);
            }
        }
        parameter
    }
}

/// Writes the states that their frames do not have, but for some.
fn write_back(states: &mut States, but: &[State], debug: u32, to: &mut Vec<Placed<Statement>>) {
    for known in states.values_mut() {
        let Some(state) = known.unwritten.take() else {
            continue;
        };
        let handed = |other: &State| (other.under, other.index) == (state.under, state.index);
        if but.iter().any(handed) {
            continue;
        }
        let from = known.value;
        to.push(Placed {
            what: Statement::WriteState { state, from },
            debug,
        });
    }
}
