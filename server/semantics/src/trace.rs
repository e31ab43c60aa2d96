//! A run as a sequence of states, and which of them a reader wants to see.

use std::time::Instant;

use frank_interpreter::RunErrorKind;

use crate::rules::{Rule, Semantics, Stuck};
use crate::state::{Focus, State, Value};

/// How many rules are applied between two looks at the clock and the memory.
const PATIENCE: u64 = 1024;

/// A state with the rule that led to it; none led to the first.
#[derive(Debug, Clone)]
pub struct Moment {
    pub rule: Option<Rule>,
    pub state: State,
}

/// How much of a run is made.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// States, those in between not counted.
    pub states: usize,
    /// Applications of rules.
    pub steps: u64,
    /// Bytes that states are made of.
    pub memory: usize,
    pub until: Option<Instant>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            states: 100_000,
            steps: 100_000_000,
            memory: 2 << 30,
            until: None,
        }
    }
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Ended {
    Value(Value),
    Stuck(Stuck),
    /// There is more of it than a limit allows, which is named.
    Cut(&'static str),
}

/// The states of a run.
#[derive(Debug)]
pub struct Trace {
    pub moments: Vec<Moment>,
    pub ended: Ended,
}

/// Runs an entry and keeps the states that a reader wants to see, as the paper shows them: those to which a rule
/// other than `focus` applies, the first one, the last one, and those in which a continuation has just been resumed.
/// So between two of them the focus may move, but only one thing happens.
pub fn trace(semantics: &mut Semantics<'_>, first: State, limits: Limits) -> Trace {
    let mut moments = vec![Moment {
        rule: None,
        state: first.clone(),
    }];
    let mut state = first;
    let mut led = Some(Rule::Focus);
    for step in 0..limits.steps {
        if moments.len() > limits.states {
            return cut(moments, "the run has more states than are kept");
        }
        if step % PATIENCE == 0 {
            let bytes = semantics.store.bytes() + moments.len() * size_of::<Moment>();
            if bytes > limits.memory {
                return cut(moments, "the memory limit is reached");
            }
            if limits.until.is_some_and(|end| Instant::now() > end) {
                return cut(moments, "the time limit is reached");
            }
        }
        let shown = state.clone();
        let stepped = semantics.step(&state);
        let (rule, next) = match stepped {
            Ok(stepped) => stepped,
            Err(stuck) => {
                moments.push(Moment {
                    rule: led,
                    state: shown,
                });
                let ended = Ended::Stuck(stuck);
                return Trace { moments, ended };
            }
        };
        if let Focus::Done(value) = next.focus {
            moments.push(Moment {
                rule: led,
                state: next,
            });
            let ended = Ended::Value(value);
            return Trace { moments, ended };
        }
        match rule {
            Rule::Focus => {}
            _ => {
                moments.push(Moment {
                    rule: led,
                    state: shown,
                });
                led = Some(rule);
                if rule == Rule::Resume {
                    moments.push(Moment {
                        rule: led,
                        state: next.clone(),
                    });
                    led = Some(Rule::Focus);
                }
            }
        }
        state = next;
    }
    cut(moments, "the step limit is reached")
}

fn cut(moments: Vec<Moment>, reason: &'static str) -> Trace {
    let ended = Ended::Cut(reason);
    Trace { moments, ended }
}

/// Runs to the end and keeps nothing but the last state.
///
/// # Errors
/// The run gets stuck, or takes more rules than `steps`, which is an error of [`RunErrorKind::Steps`].
pub fn run(
    semantics: &mut Semantics<'_>,
    first: State,
    steps: u64,
) -> Result<(Value, State), (Stuck, State)> {
    let mut state = first;
    for _ in 0..steps {
        match semantics.step(&state) {
            Ok((_, next)) => state = next,
            Err(stuck) => return Err((stuck, state)),
        }
        if let Focus::Done(value) = state.focus {
            return Ok((value, state));
        }
    }
    let stuck = Stuck {
        kind: RunErrorKind::Steps,
        message: "the step limit is reached".to_owned(),
        place: semantics.place(&state),
    };
    Err((stuck, state))
}
