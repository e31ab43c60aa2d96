//! What a step waits for: the value of what was at the focus, wherever its frames have gone meanwhile.
//!
//! A command takes frames off the stack, and a continuation puts them back, perhaps somewhere else. So what is waited
//! for is followed: from the stack into the continuation, and from there to where it is resumed.

use frank_semantics::state::{Focus, FrozenId, PausedId, StackId, State};
use frank_semantics::{Last, Rule, Semantics};
use la_arena::{Idx, RawIdx};

use crate::history::{Observer, Watch};

/// More places than these are not followed at once, but the latest.
const MOST: usize = 64;

/// Waits until a value comes to some frames.
#[derive(Debug, Clone)]
pub struct Over {
    watches: Vec<Watch>,
    /// Whether it is the result of the next command that is waited for, too.
    awaits_result: bool,
    is_over: bool,
}

impl Over {
    /// Waits for a value for the frames of a stack.
    pub fn of(stack: Option<StackId>) -> Over {
        Over {
            watches: vec![Watch::Stack(stack)],
            awaits_result: false,
            is_over: false,
        }
    }

    /// Waits for the result of the command that is on its way in a state, or is about to set out.
    pub fn command(state: &State) -> Over {
        let mut over = Over::of(state.stack);
        over.awaits_result = true;
        if let Focus::Command(performed) = state.focus
            && performed.frozen.is_some()
        {
            // What waits for the result has left the stack.
            over.watches.clear();
        }
        over
    }

    fn add(&mut self, watch: Watch) {
        if self.watches.contains(&watch) {
            return;
        }
        if self.watches.len() >= MOST {
            // Where something was before its frames went elsewhere it does not come back to, but for a continuation that
            // is resumed more than once.
            self.watches.remove(0);
        }
        self.watches.push(watch);
    }

    fn waits_for(&self, stack: Option<StackId>) -> bool {
        self.watches.contains(&Watch::Stack(stack))
    }

    /// A handler has taken a command: `before` is the stack with its frame.
    fn taken(&mut self, semantics: &Semantics<'_>, before: Option<StackId>) {
        let Some(paused) = latest(semantics) else {
            return;
        };
        let is_awaited = if std::mem::take(&mut self.awaits_result) {
            self.add(Watch::Result(paused));
            true
        } else if self.waits_for(before) {
            self.add(Watch::Around(paused));
            true
        } else {
            self.waits_in(semantics, semantics.store.paused[paused].frozen)
        };
        // If nobody resumes it, the handler's own value is the end of it. A handler further inside takes nothing of
        // what is waited for.
        if is_awaited {
            let around = before.and_then(|id| semantics.store.stacks[id].rest);
            self.add(Watch::Stack(around));
        }
    }

    /// Whether a value is waited for by some frames of a continuation.
    fn waits_in(&self, semantics: &Semantics<'_>, frozen: Option<FrozenId>) -> bool {
        let waits = |watch: &Watch| matches!(watch, Watch::Frozen(_));
        if !self.watches.iter().any(waits) {
            return false;
        }
        let mut next = frozen;
        while let Some(id) = next {
            if self.watches.contains(&Watch::Frozen(id)) {
                return true;
            }
            next = semantics.store.frozen[id].inner;
        }
        false
    }

    /// A continuation was resumed on top of the stack `before`.
    fn resumed(
        &mut self,
        semantics: &Semantics<'_>,
        id: PausedId,
        before: Option<StackId>,
        state: &State,
    ) {
        if self.watches.contains(&Watch::Result(id)) {
            self.is_over = true;
        }
        if self.watches.contains(&Watch::Around(id)) {
            self.add(Watch::Stack(before));
        }
        let waits = |watch: &Watch| matches!(watch, Watch::Frozen(_));
        if !self.watches.iter().any(waits) {
            return;
        }
        // From the outermost frame to the innermost; those of the stack are the other way round.
        let mut chain: Vec<FrozenId> = Vec::new();
        let mut next = semantics.store.paused[id].frozen;
        while let Some(frozen) = next {
            chain.push(frozen);
            next = semantics.store.frozen[frozen].inner;
        }
        let mut stack = state.stack;
        for frozen in chain.into_iter().rev() {
            if self.watches.contains(&Watch::Frozen(frozen)) {
                self.add(Watch::Stack(stack));
            }
            stack = stack.and_then(|id| semantics.store.stacks[id].rest);
        }
    }
}

/// The argument that was paused last.
fn latest(semantics: &Semantics<'_>) -> Option<PausedId> {
    let last = semantics.store.paused.len().checked_sub(1)?;
    Some(Idx::from_raw(RawIdx::from_u32(u32::try_from(last).ok()?)))
}

impl Observer for Over {
    fn sees(
        &mut self,
        semantics: &Semantics<'_>,
        rule: Rule,
        before: Option<StackId>,
        state: &State,
    ) -> bool {
        match rule {
            Rule::Freeze => {
                if let Focus::Command(performed) = state.focus
                    && let Some(frozen) = performed.frozen
                    && self.waits_for(before)
                {
                    self.add(Watch::Frozen(frozen));
                }
            }
            Rule::Pause | Rule::Handle => self.taken(semantics, before),
            Rule::Resume => {
                if let Some(Last::Resumed(id)) = semantics.last() {
                    self.resumed(semantics, id, before, state);
                }
            }
            _ => {}
        }
        if let Focus::Value(_) | Focus::Done(_) = state.focus {
            self.is_over |= self.waits_for(state.stack);
        }
        self.is_over
    }

    fn watches(&mut self) -> Vec<&mut Watch> {
        self.watches.iter_mut().collect()
    }
}
