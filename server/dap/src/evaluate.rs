//! Terms that are evaluated where a run stands: with the variables of a frame, under the handlers around it. The run
//! itself stays as it is, whatever the term does: its states never change.

use std::collections::HashMap;

use frank_core::{Pattern, Program, Term, Type, ValuePattern};
use frank_interpreter::RunErrorKind;
use frank_semantics::Semantics;
use frank_semantics::state::{EnvId, Focus, Frame, StackId, State, Value};

use crate::frames::Entry;
use crate::history::{History, Observer};
use crate::messages::Variable;
use crate::over::Over;
use crate::programs::Programs;
use crate::variables::{Local, locals, plain, shower};

/// How many programs with a term are kept.
const KEPT: usize = 64;

/// How deep, and how many parts of a value are made at once.
const DEPTH: usize = 4;
const PARTS: usize = 400;

/// How much of a value tells its type.
const SKELETON: usize = 60;

/// A clock that no run comes to: what a term resumes does not count as resumed by the run.
const NEVER: u64 = u64::MAX / 2;

/// Programs with a term, by its text.
#[derive(Default)]
pub struct Compiled(HashMap<String, Result<Program, String>>);

/// What a term came to.
pub struct Outcome {
    pub shown: String,
    pub parts: Vec<Variable>,
    /// Whether it is `true`, if it is a truth value.
    pub truth: Option<bool>,
    /// What it printed; nobody has seen that yet.
    pub printed: String,
}

impl Compiled {
    fn get(&mut self, text: &str, programs: &mut dyn Programs) -> &Result<Program, String> {
        if self.0.len() >= KEPT && !self.0.contains_key(text) {
            self.0.clear();
        }
        self.0
            .entry(text.to_owned())
            .or_insert_with(|| programs.extended(text))
    }
}

/// The names that a text mentions.
fn words(text: &str) -> Vec<&str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
    let mut words: Vec<&str> = text.split(|c| !is_part(c)).collect();
    words.retain(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'));
    words
}

/// The term with its variables as parameters. What has no name in it stands for parameters, too.
struct Written {
    text: String,
    parameters: Vec<Option<Value>>,
}

/// Writes the term that takes the variables that an expression mentions. Beside each parameter stands a value of its
/// type, so that `x + 1` is computed with floats where `x` is one.
fn written(semantics: &Semantics<'_>, expression: &str, found: &[Local], pins: bool) -> Written {
    let mentioned = words(expression);
    let mut names: Vec<String> = Vec::new();
    let mut parameters = Vec::new();
    let mut pinned = String::new();
    let mut holes = 0;
    for local in found
        .iter()
        .filter(|local| mentioned.contains(&local.name.as_str()))
    {
        names.push(local.name.clone());
        parameters.push(Some(local.value));
        let mut left = SKELETON;
        let skeleton = skeleton(semantics, local.value, &mut holes, &mut left);
        if pins && !skeleton.starts_with(HOLE) {
            pinned += &format!("{{[{}, {skeleton}]}}; ", local.name);
        }
    }
    for hole in 1..=holes {
        names.push(format!("{HOLE}{hole}"));
        parameters.push(None);
    }
    let names = match names.is_empty() {
        true => String::new(),
        false => format!("{} -> ", names.join(" ")),
    };
    // A comment at its end hides nothing.
    let text = format!("{{{names}{pinned}({expression}\n)}}");
    Written { text, parameters }
}

/// The name of what is of any type.
const HOLE: &str = "pin'";

/// A value of the type of another one, as far as one can see.
fn skeleton(
    semantics: &Semantics<'_>,
    value: Value,
    holes: &mut usize,
    left: &mut usize,
) -> String {
    let mut hole = || {
        *holes += 1;
        format!("{HOLE}{holes}")
    };
    if *left == 0 {
        return hole();
    }
    *left -= 1;
    match value {
        Value::Int(_) => "0".to_owned(),
        Value::Float(_) => "0.0".to_owned(),
        Value::Char(_) => "'a'".to_owned(),
        Value::Data(id) => {
            if let Some((item, _)) = semantics.uncons(value) {
                return format!("[{}]", skeleton(semantics, item, holes, left));
            }
            let data = &semantics.store.data[id];
            let Some(constructor) = data.constructor else {
                return hole();
            };
            if Some(constructor) == semantics.program.known.nil {
                return "[]".to_owned();
            }
            let shown = semantics.program.shown_as(constructor);
            let name = &semantics.program.constructors[shown].name;
            let args = data.args.iter();
            let args: Vec<String> = args
                .map(|arg| skeleton(semantics, *arg, holes, left))
                .collect();
            match args.is_empty() {
                true => name.clone(),
                false => format!("({name} {})", args.join(" ")),
            }
        }
        _ => hole(),
    }
}

/// Evaluates a term in an entry of the stack, in at most `steps` rules.
///
/// # Errors
/// The term has errors, or comes to no value: why, in a sentence.
pub fn evaluate<'p>(
    mut history: History<'p>,
    programs: &mut dyn Programs,
    compiled: &mut Compiled,
    (expression, entry, steps): (&str, Option<&Entry>, u64),
) -> (History<'p>, Result<Outcome, String>) {
    let semantics = &history.semantics;
    let found = entry.map(|entry| locals(semantics, entry.env, entry.term));
    let found = found.unwrap_or_default();
    // A type that cannot be written out is found by the checker alone.
    let first = written(semantics, expression, &found, true);
    let text = match compiled.get(&first.text, programs) {
        Ok(_) => first,
        Err(_) => written(semantics, expression, &found, false),
    };
    let program = match compiled.get(&text.text, programs) {
        Ok(program) => program,
        Err(reason) => return (history, Err(reason.clone())),
    };
    let own = history.semantics.program;
    let clock = history.clock();
    let births = history.semantics.store.births.len();
    let stack = entry.and_then(|entry| entry.stack);
    let state = State {
        stack,
        ..history.now.clone()
    };
    let mut extended = history.semantics.extended(program);
    extended.clock = NEVER;
    let outcome = run(&mut extended, state, &text.parameters, steps);
    history.semantics = extended.extended(own);
    history.semantics.clock = clock;
    history.semantics.store.births.truncate(births);
    (history, outcome)
}

fn run(
    semantics: &mut Semantics<'_>,
    state: State,
    parameters: &[Option<Value>],
    steps: u64,
) -> Result<Outcome, String> {
    let nothing = || "there is no such term".to_owned();
    let entry = semantics.program.entries.get(1).ok_or_else(nothing)?;
    let term = entry.term;
    let Term::Thunk(handler) = &semantics.program.terms[term] else {
        return Err(nothing());
    };
    let clause = handler.clauses.first().ok_or_else(nothing)?;
    let mut env: Option<EnvId> = None;
    for (pattern, value) in clause.patterns.iter().zip(parameters) {
        if let (Pattern::Value(ValuePattern::Bind(local)), Some(value)) = (pattern, value) {
            env = semantics.store.bind(env, *local, *value);
        }
    }
    // The term is no adaptor, so no other frame looks like this one.
    let barrier = Frame::Adaptors { term, env: None };
    let stack: Option<StackId> = semantics.store.push(state.stack, barrier);
    let mut now = State {
        focus: Focus::Term(clause.body, env),
        stack,
        ..state
    };
    let before = now.printed;
    let mut over = Over::of(stack);
    for _ in 0..steps {
        let below = now.stack;
        let (rule, next) = semantics.advance(now).map_err(|stuck| match stuck.kind {
            // The checker has not seen the types of all variables.
            RunErrorKind::Internal => {
                "a variable's value, or what it is given, is of another type than the term needs"
                    .to_owned()
            }
            _ => stuck.message,
        })?;
        now = next;
        if !over.sees(semantics, rule, below, &now) {
            continue;
        }
        let top = now.stack.map(|id| semantics.store.stacks[id].frame);
        let is_own = matches!(top, Some(Frame::Adaptors { term: own, .. }) if own == term);
        let Focus::Value(value) = now.focus else {
            return Err("a handler around this place does not resume the term".to_owned());
        };
        if !is_own {
            return Err("a handler around this place does not resume the term".to_owned());
        }
        return Ok(outcome(semantics, &now, value, before));
    }
    Err(format!("the term takes more than {steps} rules"))
}

fn outcome(
    semantics: &Semantics<'_>,
    state: &State,
    value: Value,
    before: Option<frank_semantics::state::OutputId>,
) -> Outcome {
    let known = &semantics.program.known;
    let truth = match value {
        Value::Data(id) => {
            let constructor = semantics.store.data[id].constructor;
            match constructor {
                Some(_) if constructor == known.true_ => Some(true),
                Some(_) if constructor == known.false_ => Some(false),
                _ => None,
            }
        }
        _ => None,
    };
    let shown_before = before.map_or(0, |id| semantics.store.output[id].count);
    let mut left = PARTS;
    Outcome {
        shown: shower(semantics).brief(value, &Type::Unknown),
        parts: parts(semantics, value, DEPTH, &mut left),
        truth,
        printed: printed_since(semantics, state, shown_before),
    }
}

/// What was printed after so many characters.
pub fn printed_since(semantics: &Semantics<'_>, state: &State, count: usize) -> String {
    let mut chars = Vec::new();
    let mut next = state.printed;
    while let Some(id) = next {
        let output = semantics.store.output[id];
        if output.count <= count {
            break;
        }
        chars.push(output.char);
        next = output.before;
    }
    chars.iter().rev().collect()
}

/// The parts of a value as text: the program that the term belongs to is gone when they are looked at.
fn parts(semantics: &Semantics<'_>, value: Value, depth: usize, left: &mut usize) -> Vec<Variable> {
    let Value::Data(id) = value else {
        return Vec::new();
    };
    if depth == 0 {
        return Vec::new();
    }
    let mut values = Vec::new();
    let mut rest = value;
    let mut is_list = false;
    while let Some((item, tail)) = semantics.uncons(rest).filter(|_| values.len() < *left) {
        is_list = true;
        values.push(item);
        rest = tail;
    }
    if is_list && values.iter().all(|value| matches!(value, Value::Char(_))) {
        return Vec::new();
    }
    if !is_list {
        values = semantics.store.data[id].args.clone();
    }
    let mut made = Vec::new();
    for (index, value) in values.into_iter().enumerate() {
        if *left == 0 {
            break;
        }
        *left -= 1;
        let name = match is_list {
            true => format!("[{index}]"),
            false => format!("{}", index + 1),
        };
        let shown = shower(semantics).brief(value, &Type::Unknown);
        made.push(plain(&name, shown));
    }
    made
}
