//! A run as a sequence of states, and which of them a reader wants to see.

use frank_interpreter::RunErrorKind;
use web_time::Instant;

use crate::rules::{Rule, Semantics, Stuck};
use crate::state::{Focus, Made, State, Value};

/// How many rules are applied between two looks at the clock and the memory.
const PATIENCE: u64 = 1024;

/// A state with the rule that led to it; none led to the first.
#[derive(Debug, Clone)]
pub struct Moment {
    pub rule: Option<Rule>,
    pub state: State,
    /// What the run had made by then.
    pub made: Made,
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
    /// There is more of it than a limit allows.
    Cut(Limit),
}

/// What ended a run before its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    States,
    Steps,
    Memory,
    Time,
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
        made: semantics.store.made(),
    }];
    let mut state = first;
    let mut led = Rule::Focus;
    // Whether the state is the last of those that are kept.
    let mut is_kept = false;
    for step in 0..limits.steps {
        if moments.len() > limits.states {
            return cut(moments, Limit::States, limits.states);
        }
        if step % PATIENCE == 0 {
            let bytes = semantics.store.bytes() + moments.len() * size_of::<Moment>();
            if bytes > limits.memory {
                return cut(moments, Limit::Memory, limits.states);
            }
            if limits.until.is_some_and(|end| Instant::now() > end) {
                return cut(moments, Limit::Time, limits.states);
            }
        }
        let made = semantics.store.made();
        let (rule, next) = match semantics.step(&state) {
            Ok(stepped) => stepped,
            Err(stuck) => {
                if !is_kept {
                    keep(&mut moments, led, state, made);
                }
                let ended = Ended::Stuck(stuck);
                return Trace { moments, ended };
            }
        };
        if let Focus::Done(value) = next.focus {
            // A short run is looked at here alone.
            if semantics.store.bytes() > limits.memory {
                return cut(moments, Limit::Memory, limits.states);
            }
            if !is_kept {
                keep(&mut moments, led, next, semantics.store.made());
            }
            let ended = Ended::Value(value);
            return Trace { moments, ended };
        }
        if rule != Rule::Focus {
            if !is_kept {
                keep(&mut moments, led, state, made);
            }
            led = rule;
        }
        is_kept = rule == Rule::Resume;
        if is_kept {
            keep(&mut moments, led, next.clone(), semantics.store.made());
            led = Rule::Focus;
        }
        state = next;
    }
    cut(moments, Limit::Steps, limits.states)
}

/// Adds a state. The second one is the first if its focus is the whole term, too.
fn keep(moments: &mut Vec<Moment>, rule: Rule, state: State, made: Made) {
    match &mut moments[..] {
        [first] if rule == Rule::Focus && state.stack.is_none() => {
            (first.state, first.made) = (state, made);
        }
        _ => moments.push(Moment {
            rule: Some(rule),
            state,
            made,
        }),
    }
}

fn cut(mut moments: Vec<Moment>, limit: Limit, most: usize) -> Trace {
    moments.truncate(most);
    let ended = Ended::Cut(limit);
    Trace { moments, ended }
}

/// Runs to the end, and gives the last state with the value, or why there is none: more rules than `steps` are an
/// error of [`RunErrorKind::Steps`].
pub fn run(
    semantics: &mut Semantics<'_>,
    first: State,
    steps: u64,
) -> (Result<Value, Stuck>, State) {
    let mut state = first;
    for _ in 0..steps {
        match semantics.step(&state) {
            Ok((_, next)) => state = next,
            Err(stuck) => return (Err(stuck), state),
        }
        if let Focus::Done(value) = state.focus {
            return (Ok(value), state);
        }
    }
    let stuck = Stuck {
        kind: RunErrorKind::Steps,
        message: "the step limit is reached".to_owned(),
        place: semantics.place(&state),
    };
    (Err(stuck), state)
}
