//! What is worth a stop: lines, operators, and what happens to commands and continuations.

use std::collections::HashSet;
use std::rc::Rc;

use frank_core::{Clause, CommandId, Handler, Local, OperatorBody, Pattern, Program, Term, TermId};
use frank_semantics::state::{Arg, Focus, State, Value};
use frank_semantics::{Last, Rule, Semantics, Simple};

use crate::sites::raw;

/// What happens to a command or its continuation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Effect {
    Performed,
    Handled,
    Captured,
    Resumed,
    ResumedAgain,
    Dropped,
}

impl Effect {
    pub const ALL: [Effect; 6] = [
        Effect::Performed,
        Effect::Handled,
        Effect::Captured,
        Effect::Resumed,
        Effect::ResumedAgain,
        Effect::Dropped,
    ];

    /// Its name in the protocol.
    pub fn id(self) -> &'static str {
        match self {
            Effect::Performed => "performed",
            Effect::Handled => "handled",
            Effect::Captured => "captured",
            Effect::Resumed => "resumed",
            Effect::ResumedAgain => "resumedAgain",
            Effect::Dropped => "dropped",
        }
    }

    pub fn named(id: &str) -> Option<Effect> {
        Effect::ALL.into_iter().find(|effect| effect.id() == id)
    }

    /// What the list of breakpoints says.
    pub fn label(self) -> &'static str {
        match self {
            Effect::Performed => "Command Performed",
            Effect::Handled => "Command Handled",
            Effect::Captured => "Continuation Captured",
            Effect::Resumed => "Continuation Resumed",
            Effect::ResumedAgain => "Continuation Resumed a Second Time",
            Effect::Dropped => "Continuation Dropped",
        }
    }

    pub fn description(self) -> &'static str {
        match self {
            Effect::Performed => "A command sets out for its handler, or the host answers it.",
            Effect::Handled => "A clause of a handler is taken for a command.",
            Effect::Captured => "A clause that is taken binds the continuation of a command.",
            Effect::Resumed => "A continuation is given the result of its command.",
            Effect::ResumedAgain => "A continuation is resumed that was resumed before.",
            Effect::Dropped => {
                "A clause is taken that does not use the continuation, so that it is never resumed."
            }
        }
    }

    /// What the stop says of a command.
    pub fn says(self, command: &str) -> String {
        match self {
            Effect::Performed => format!("`{command}` is performed"),
            Effect::Handled => format!("`{command}` is handled"),
            Effect::Captured => format!("the continuation of `{command}` is captured"),
            Effect::Resumed => format!("the continuation of `{command}` is resumed"),
            Effect::ResumedAgain => {
                format!("the continuation of `{command}` is resumed a second time")
            }
            Effect::Dropped => format!("the continuation of `{command}` is dropped"),
        }
    }
}

/// An effect to stop at.
#[derive(Debug, Clone)]
pub struct EffectStop {
    pub effect: Effect,
    /// The commands that count; `None` means all.
    pub commands: Option<Vec<CommandId>>,
}

/// The commands that a condition names: commands, or interfaces with all of theirs, with blanks or commas between.
///
/// # Errors
/// A name that is neither, or nothing but blanks, as a sentence.
pub fn commands(program: &Program, condition: &str) -> Result<Vec<CommandId>, String> {
    let mut found = Vec::new();
    let words = condition.split([' ', ',', '\t']);
    for word in words.filter(|word| !word.is_empty()) {
        let before = found.len();
        let own = program
            .commands
            .iter()
            .filter(|(_, command)| command.name == word);
        found.extend(own.map(|(id, _)| id));
        let interfaces = program.interfaces.values();
        let interfaces = interfaces.filter(|interface| interface.name == word);
        found.extend(interfaces.flat_map(|interface| interface.commands.iter().copied()));
        if found.len() == before {
            let word = frank_syntax::visible::visible(word);
            return Err(format!(
                "the run has no command and no interface `{word}`; a condition names some, as in `State, yield`"
            ));
        }
    }
    Ok(found)
}

/// All that a run is stopped at.
#[derive(Debug, Clone, Default)]
pub struct Stops {
    /// Of each term, whether its evaluation is a stop.
    terms: Vec<bool>,
    pub effects: Vec<EffectStop>,
    /// Rules after which effects have to be looked at, a bit for each.
    rules: u32,
    simple: Rc<Simple>,
    /// The continuations that clauses bind and do not mention, with the bodies of the clauses.
    unused: Rc<HashSet<(TermId, Local)>>,
}

/// Why a run stands.
#[derive(Debug, Clone)]
pub enum Why {
    Entry,
    Step,
    Pause,
    Breakpoint(Vec<i64>),
    Effect(Effect, String),
    Failed(String),
    Ended(String),
    Limit(String),
}

/// Why a run is to stop at a state.
#[derive(Debug, Clone, PartialEq)]
pub enum Stop {
    /// At a term with a breakpoint.
    Site(TermId),
    Effect(Effect, CommandId),
}

impl Stops {
    pub fn set_terms(&mut self, program: &Program, terms: impl Iterator<Item = TermId>) {
        let mut stops = vec![false; program.terms.len()];
        for term in terms {
            if let Some(stop) = stops.get_mut(raw(term)) {
                *stop = true;
            }
        }
        let is_stop = |term| stops.get(raw(term)) == Some(&true);
        self.simple = Rc::new(Simple::new(program, is_stop));
        self.terms = stops;
    }

    /// The terms in which no state is worth a stop, and none at which a step stops.
    pub fn simple(&self) -> Rc<Simple> {
        self.simple.clone()
    }

    pub fn set_effects(&mut self, program: &Program, effects: Vec<EffectStop>) {
        self.rules = 0;
        let asks = |effect| effects.iter().any(|stop| stop.effect == effect);
        self.unused = Rc::new(match asks(Effect::Dropped) {
            true => unused_continuations(program),
            false => HashSet::new(),
        });
        for stop in &effects {
            self.rules |= match stop.effect {
                Effect::Performed => {
                    bit(Rule::Perform)
                        | bit(Rule::Again)
                        | bit(Rule::Fail)
                        | bit(Rule::Host)
                        | bit(Rule::Call)
                }
                Effect::Handled | Effect::Captured | Effect::Dropped => bit(Rule::Handle),
                Effect::Resumed | Effect::ResumedAgain => bit(Rule::Resume),
            };
        }
        self.effects = effects;
    }

    /// Whether a state to which a rule has led is worth a stop.
    pub fn at(&self, semantics: &Semantics<'_>, rule: Rule, state: &State) -> Option<Stop> {
        if let Focus::Term(term, _) = state.focus
            && self.terms.get(raw(term)) == Some(&true)
        {
            return Some(Stop::Site(term));
        }
        match self.rules & bit(rule) {
            0 => None,
            _ => self.effect(semantics, rule, state),
        }
    }

    fn effect(&self, semantics: &Semantics<'_>, rule: Rule, state: &State) -> Option<Stop> {
        let mut found = Vec::new();
        match (rule, semantics.last()?) {
            (Rule::Perform | Rule::Again | Rule::Fail | Rule::Host, Last::Performed(command)) => {
                found.push((Effect::Performed, command));
            }
            // A call of a name for a command performs it at once.
            (Rule::Call, Last::Performed(command)) if matches!(state.focus, Focus::Command(_)) => {
                found.push((Effect::Performed, command));
            }
            (Rule::Handle, Last::Taken(clause, args)) => {
                let args = semantics.store.list(args);
                for (pattern, arg) in clause.patterns.iter().zip(args) {
                    let Arg::Paused(id) = arg else { continue };
                    let command = semantics.store.paused[id].command;
                    found.push((Effect::Handled, command));
                    let bound = continuation(pattern);
                    if bound.is_some() {
                        found.push((Effect::Captured, command));
                    }
                    if bound.is_none_or(|local| self.unused.contains(&(clause.body, local))) {
                        found.push((Effect::Dropped, command));
                    }
                }
            }
            (Rule::Resume, Last::Resumed(id)) => {
                let paused = semantics.store.paused[id];
                found.push((Effect::Resumed, paused.command));
                if paused
                    .resumed
                    .is_some_and(|first| first.get() < semantics.clock)
                {
                    found.push((Effect::ResumedAgain, paused.command));
                }
            }
            _ => {}
        }
        let wants = |(effect, command): &(Effect, CommandId)| {
            self.effects.iter().any(|stop| {
                let counts = stop.commands.as_ref();
                stop.effect == *effect && counts.is_none_or(|all| all.contains(command))
            })
        };
        let (effect, command) = found.into_iter().rev().find(wants)?;
        Some(Stop::Effect(effect, command))
    }
}

/// What a clause's pattern calls the continuation, or the whole computation.
fn continuation(pattern: &Pattern) -> Option<Local> {
    match pattern {
        Pattern::Command { continuation, .. } => *continuation,
        Pattern::CatchAll(local) => *local,
        Pattern::Value(_) => None,
    }
}

/// The continuations that clauses bind and do not mention, with the bodies of the clauses.
fn unused_continuations(program: &Program) -> HashSet<(TermId, Local)> {
    let operators = program.operators.values();
    let handlers = operators.filter_map(|operator| match &operator.body {
        OperatorBody::Handler(handler) => Some(handler),
        OperatorBody::Builtin(_) => None,
    });
    let inner = program.terms.values().filter_map(suspended);
    let clauses = handlers.chain(inner).flat_map(|handler| &handler.clauses);
    let bound = clauses.flat_map(|clause: &Clause| {
        let bound = clause.patterns.iter().filter_map(continuation);
        bound.map(|local| (clause.body, local))
    });
    bound
        .filter(|(body, local)| !mentions(program, *body, *local))
        .collect()
}

fn suspended(term: &Term) -> Option<&Handler> {
    match term {
        Term::Thunk(handler) => Some(handler),
        _ => None,
    }
}

/// Whether a variable stands in a body, suspended computations in it included.
fn mentions(program: &Program, body: TermId, local: Local) -> bool {
    let mut waiting = vec![body];
    while let Some(term) = waiting.pop() {
        if matches!(program.terms[term], Term::Local(found) if found == local) {
            return true;
        }
        program.direct_parts(term, &mut |part| waiting.push(part));
        let inner = suspended(&program.terms[term]).into_iter();
        waiting.extend(inner.flat_map(|handler| handler.clauses.iter().map(|clause| clause.body)));
    }
    false
}

fn bit(rule: Rule) -> u32 {
    1 << rule as u32
}

/// Whether a state is one at which a step stops: a call, a command at its handler, a body that begins, what follows
/// a `let` or a `;`, the end.
pub fn is_step(semantics: &Semantics<'_>, rule: Option<Rule>, state: &State) -> bool {
    match state.focus {
        Focus::Call(call) => {
            // The call that is the whole run stands where the run begins.
            let entry = semantics.program.entries.first();
            let is_run = entry.is_some_and(|entry| entry.term == call.term);
            !is_run && !matches!(call.head, Value::Finished(_))
        }
        Focus::Command(_) => semantics.is_at_handler(state),
        Focus::Term(..) => matches!(
            rule,
            Some(Rule::Call | Rule::Handle | Rule::Let | Rule::Sequence)
        ),
        Focus::Value(_) => false,
        Focus::Done(_) => true,
    }
}
