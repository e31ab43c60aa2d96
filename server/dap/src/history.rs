//! A run with its history: it goes forwards by rules, and back by going forwards again from a state that was kept.
//!
//! Some states are kept, evenly spread over the run; when there are many, every second one is dropped. What they are
//! made of is shared, and what nobody needs is dropped, so a run may be of any length.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use frank_semantics::state::State;
use frank_semantics::state::{FrozenId, PausedId, StackId};
use frank_semantics::{Held, Rule, Semantics, Simple, Stuck};

/// How many states are kept at most; at twice as many every second one goes.
const KEPT: usize = 256;

/// How many rules are between two kept states at first.
const APART: u64 = 1 << 14;

/// After so many rules the memory is looked at.
const PATIENCE: u64 = 1 << 12;

/// So many bytes may always be used before anything is dropped. What is used again and again stays in the caches, and
/// needs no fresh memory.
const ROOM: usize = 4 << 20;

/// How much a run may use.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    pub steps: u64,
    /// Bytes of states, those of the history included.
    pub memory: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            steps: u64::MAX,
            memory: 2 << 30,
        }
    }
}

/// Why a run does not go on.
#[derive(Debug, Clone, PartialEq)]
pub enum Ended {
    Done,
    Stuck(Stuck),
    Steps,
    Memory,
}

/// A state that was gone through.
struct Kept {
    clock: u64,
    state: State,
}

/// References into the store that have to stay right when something is dropped from it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Watch {
    /// A value is waited for by the frames of this stack.
    Stack(Option<StackId>),
    /// The same, while the frames are part of a continuation.
    Frozen(FrozenId),
    /// The result of the command of a paused argument is waited for.
    Result(PausedId),
    /// The value of a paused argument, once it goes on, is waited for by the frames around it.
    Around(PausedId),
}

impl Watch {
    fn held(&self) -> Option<Held> {
        match self {
            Watch::Stack(stack) => stack.map(Held::Stack),
            Watch::Frozen(id) => Some(Held::Frozen(*id)),
            Watch::Result(id) | Watch::Around(id) => Some(Held::Paused(*id)),
        }
    }

    fn set(&mut self, held: Held) {
        match (self, held) {
            (Watch::Stack(own), Held::Stack(id)) => *own = Some(id),
            (Watch::Frozen(own), Held::Frozen(id)) => *own = id,
            (Watch::Result(own) | Watch::Around(own), Held::Paused(id)) => *own = id,
            _ => {}
        }
    }
}

/// What is done with each state on the way: whether to stop there. The stack is that before the rule.
pub trait Observer {
    /// The terms inside of which no state is looked at; none if each is.
    fn simple(&self) -> Option<Rc<Simple>> {
        None
    }

    fn sees(
        &mut self,
        semantics: &Semantics<'_>,
        rule: Rule,
        before: Option<StackId>,
        state: &State,
    ) -> bool;

    /// What it refers to.
    fn watches(&mut self) -> Vec<&mut Watch> {
        Vec::new()
    }
}

/// A run, at one of its states.
pub struct History<'p> {
    pub semantics: Semantics<'p>,
    pub now: State,
    /// The rule that led there.
    pub rule: Option<Rule>,
    /// Set where no rule leads on.
    pub ended: Option<Ended>,
    kept: Vec<Kept>,
    apart: u64,
    limits: Limits,
    /// At so many bytes of states what nobody needs is dropped.
    full: usize,
    /// Whether kept states were dropped for want of memory.
    pub is_thin: bool,
    /// The rule at which the memory is looked at next.
    look: u64,
    /// The terms that need no states where nobody looks.
    simple: Rc<Simple>,
    is_left: Arc<AtomicBool>,
}

impl<'p> History<'p> {
    /// A run at its first state; nothing if the program has no entry. When `is_left` is set nobody waits for it any
    /// more.
    pub fn new(
        mut semantics: Semantics<'p>,
        limits: Limits,
        is_left: Arc<AtomicBool>,
    ) -> Option<History<'p>> {
        let now = semantics.start(0)?;
        semantics.clock = 0;
        let simple = Rc::new(Simple::new(semantics.program, |_| false));
        Some(History {
            kept: vec![Kept {
                clock: 0,
                state: now.clone(),
            }],
            semantics,
            now,
            rule: None,
            ended: None,
            apart: APART,
            full: ROOM.min(limits.memory / 2),
            limits,
            is_thin: false,
            look: PATIENCE,
            simple,
            is_left,
        })
    }

    /// Whether nobody waits for the run any more.
    pub fn is_left(&self) -> bool {
        self.is_left.load(Ordering::Relaxed)
    }

    /// How many rules lead to the state of now.
    pub fn clock(&self) -> u64 {
        self.semantics.clock
    }

    /// Applies at most `most` rules; whether the observer stopped it before. No rule is applied where the run has
    /// ended.
    pub fn forward(&mut self, most: u64, observer: &mut impl Observer) -> bool {
        if self.ended.is_some() || most == 0 {
            return false;
        }
        let most = most.min(self.limits.steps.saturating_sub(self.clock()));
        if most == 0 {
            self.ended = Some(Ended::Steps);
            return false;
        }
        let simple = observer.simple();
        let end = self.clock() + most;
        let mut state = self.now.clone();
        let mut rule = self.rule;
        let mut is_stopped = false;
        // Where `now` is, while rules are applied.
        let mut looked = self.clock();
        while self.clock() < end && !is_stopped {
            let clock = self.clock();
            if clock >= self.look {
                self.look = clock + PATIENCE;
                looked = clock;
                self.now = state;
                self.rule = rule;
                self.keep();
                if self.is_left() {
                    return false;
                }
                if self.semantics.store.bytes() > self.full && !self.make_room(observer) {
                    self.ended = Some(Ended::Memory);
                    return false;
                }
                state = self.now.clone();
            }
            let before = state.stack;
            let led = match &simple {
                Some(simple) => self.semantics.advance_far(state, simple, end - clock),
                None => self.semantics.advance(state),
            };
            match led {
                Ok((led, next)) => {
                    rule = Some(led);
                    is_stopped = observer.sees(&self.semantics, led, before, &next);
                    state = next;
                    if matches!(state.focus, frank_semantics::state::Focus::Done(_)) {
                        self.ended = Some(Ended::Done);
                        break;
                    }
                }
                Err(stuck) => {
                    // The state is gone with the attempt, and is made again.
                    self.semantics.clock = looked;
                    self.replay(clock);
                    self.ended = Some(Ended::Stuck(stuck));
                    return false;
                }
            }
        }
        self.now = state;
        self.rule = rule;
        is_stopped
    }

    /// Goes forwards to a state that the run has gone through, where no rule fails.
    fn replay(&mut self, clock: u64) {
        while self.clock() < clock {
            let Ok((rule, next)) = self.semantics.advance(self.now.clone()) else {
                return;
            };
            self.now = next;
            self.rule = Some(rule);
        }
    }

    /// Goes to the state after so many rules, which the run has gone through.
    pub fn go_to(&mut self, clock: u64) {
        if clock == self.clock() {
            return;
        }
        self.start_from(self.kept.partition_point(|kept| kept.clock <= clock) - 1);
        let left = clock - self.clock();
        let simple = self.simple.clone();
        self.forward(left, &mut Nobody { simple });
    }

    fn start_from(&mut self, index: usize) {
        let Some(kept) = self.kept.get(index) else {
            return;
        };
        self.now = kept.state.clone();
        self.rule = None;
        self.ended = None;
        self.semantics.clock = kept.clock;
        self.look = kept.clock + PATIENCE;
    }

    /// The latest kept state before `clock`: from there one comes to `clock` by at least one rule.
    pub fn stretch_before(&self, clock: u64) -> Option<u64> {
        let index = self.kept.partition_point(|kept| kept.clock < clock);
        self.kept.get(index.checked_sub(1)?).map(|kept| kept.clock)
    }

    /// Keeps the state of now if it is far enough from the last one that is kept.
    fn keep(&mut self) {
        let clock = self.clock();
        let is_near = |last: &Kept| clock < last.clock + self.apart;
        if self.kept.last().is_some_and(is_near) {
            return;
        }
        self.kept.push(Kept {
            clock,
            state: self.now.clone(),
        });
        if self.kept.len() >= 2 * KEPT {
            self.thin();
        }
    }

    /// Drops every second state, but not the first.
    fn thin(&mut self) {
        let mut index = 0;
        self.kept.retain(|_| {
            index += 1;
            index % 2 == 1
        });
        self.apart *= 2;
    }

    /// Drops what nobody needs, and history if that is not enough; false if the run alone needs too much. While what
    /// stays is copied it is there twice, so half of the limit is what states may take, unless the run alone needs more.
    fn make_room(&mut self, observer: &mut impl Observer) -> bool {
        let half = self.limits.memory / 2;
        loop {
            let mut watches = observer.watches();
            let mut held: Vec<(usize, Held)> = watches
                .iter()
                .enumerate()
                .filter_map(|(index, watch)| Some((index, watch.held()?)))
                .collect();
            // In their order, so that cells that hold the same are shared.
            let mut roots: Vec<&mut State> = Vec::with_capacity(self.kept.len() + 1);
            roots.extend(self.kept.iter_mut().map(|kept| &mut kept.state));
            roots.push(&mut self.now);
            let others = held.iter_mut().map(|(_, held)| held);
            self.semantics.store.collect(&mut roots, others);
            for (index, held) in held {
                if let Some(watch) = watches.get_mut(index) {
                    watch.set(held);
                }
            }
            let bytes = self.semantics.store.bytes();
            // A quarter more at least, so that it does not go on like this after every few rules.
            let more = (2 * bytes).max(ROOM).min(half);
            self.full = more.max(bytes + bytes / 4).min(self.limits.memory);
            if bytes < half / 4 * 3 {
                return true;
            }
            if self.kept.len() <= 2 {
                return bytes < self.limits.memory;
            }
            self.is_thin = true;
            // Each attempt takes time for all that is there: four states become one.
            self.thin();
            self.thin();
        }
    }
}

/// Sees nothing.
struct Nobody {
    simple: Rc<Simple>,
}

impl Observer for Nobody {
    fn simple(&self) -> Option<Rc<Simple>> {
        Some(self.simple.clone())
    }

    fn sees(&mut self, _: &Semantics<'_>, _: Rule, _: Option<StackId>, _: &State) -> bool {
        false
    }
}
