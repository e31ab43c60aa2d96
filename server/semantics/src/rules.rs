//! The rules by which one state follows from another.

mod commands;

use std::cell::OnceCell;
use std::num::NonZeroU64;

use frank_core::{
    Builtin, Clause, CommandId, ConstructorId, Handler, OperatorBody, Place, Program, Term, TermId,
};
use frank_interpreter::RunErrorKind;
use frank_interpreter::picture::Tally;
use rpds::Vector;

use self::commands::Crossed;
use crate::owners::{Owner, Owners};
use crate::state::{
    Arg, ArgsId, Call, Data, EnvId, Focus, Frame, Paused, PausedId, Performed, State, Store, Thunk,
    Value,
};

/// Why a state follows from the one before it; the names are those in `docs/language/running.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rule {
    /// The focus moves to the next term that is to be evaluated, or a value takes its place.
    Focus,
    /// A call becomes the body of the first clause that matches.
    Call,
    /// A command sets out for its handler.
    Perform,
    /// The frame around a command becomes part of its continuation.
    Freeze,
    /// A command has come to its handler, whose other arguments are done: the clause that matches is taken.
    Handle,
    /// A command has come to its handler, whose next argument is evaluated.
    Pause,
    /// A continuation is given the result of its command.
    Resume,
    /// A paused argument performs its command once more.
    Again,
    /// A value leaves adaptors.
    Adapted,
    /// A variable gets its value.
    Let,
    /// What stands before a `;` is done.
    Sequence,
    /// An operation on numbers, or an operator that is not written in Frank.
    Compute,
    /// The host answers a command.
    Host,
    /// No clause matches, so `abort` is performed.
    Fail,
}

impl Rule {
    /// Its name in the rules and in traces.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Focus => "focus",
            Rule::Call => "call",
            Rule::Perform => "perform",
            Rule::Freeze => "freeze",
            Rule::Handle => "handle",
            Rule::Pause => "pause",
            Rule::Resume => "resume",
            Rule::Again => "again",
            Rule::Adapted => "adapted",
            Rule::Let => "let",
            Rule::Sequence => "sequence",
            Rule::Compute => "compute",
            Rule::Host => "host",
            Rule::Fail => "fail",
        }
    }
}

/// A state that no rule leads on from, though it has no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stuck {
    pub kind: RunErrorKind,
    /// One sentence, without the place.
    pub message: String,
    pub place: Option<Place>,
}

/// A program with the input of its run.
pub struct Semantics<'p> {
    pub program: &'p Program,
    pub store: Store,
    owners: OnceCell<Owners>,
    /// Those of terms that a longer program has beside the ones above.
    added: OnceCell<Owners>,
    input: Vec<char>,
    last: Option<Last<'p>>,
    /// How many rules lead from the first state to the one that is stepped from. Who goes back sets it.
    pub clock: u64,
}

/// What the latest rule that was more than a step of evaluation has done.
#[derive(Debug, Clone, Copy)]
pub enum Last<'p> {
    /// A command has set out, or the host has answered it.
    Performed(CommandId),
    /// A clause was taken, with these arguments.
    Taken(&'p Clause, Option<ArgsId>),
    /// The continuation of a paused argument was resumed.
    Resumed(PausedId),
}

pub(crate) type Step = Result<(Rule, State), Stuck>;

impl<'p> Semantics<'p> {
    pub fn new(program: &'p Program, input: &str) -> Semantics<'p> {
        Semantics {
            program,
            store: Store::default(),
            owners: OnceCell::new(),
            added: OnceCell::new(),
            input: input.chars().collect(),
            last: None,
            clock: 0,
        }
    }

    /// What the latest [`step`](Semantics::step) of a rule `perform`, `again`, `host`, `fail`, `call`, `handle` or
    /// `resume` has done.
    pub fn last(&self) -> Option<Last<'p>> {
        self.last
    }

    /// Adds to the input of the run.
    pub fn feed(&mut self, text: &str) {
        self.input.extend(text.chars());
    }

    /// The same run of a program that has more: its terms, operators and types begin with those of this one.
    pub fn extended<'q>(self, program: &'q Program) -> Semantics<'q> {
        Semantics {
            program,
            store: self.store,
            // What the one has the other has, too.
            owners: self.owners,
            added: OnceCell::new(),
            input: self.input,
            last: None,
            clock: self.clock,
        }
    }

    /// The first state of an entry; nothing if there is no such entry.
    pub fn start(&self, entry: usize) -> Option<State> {
        let entry = self.program.entries.get(entry)?;
        Some(State {
            focus: Focus::Term(entry.term, None),
            stack: None,
            cells: Vector::new(),
            read: 0,
            printed: None,
            runs: 0,
            pictures: Tally::default(),
        })
    }

    /// The state after one, with the rule that leads there. What is done stays as it is.
    ///
    /// # Errors
    /// No rule applies: a match fails where `abort` is not handled, nobody handles a command, or an operation has
    /// no result.
    pub fn step(&mut self, state: &State) -> Step {
        self.advance(state.clone())
    }

    /// The same, of a state that nobody needs any more.
    ///
    /// # Errors
    /// As those of [`step`](Semantics::step).
    pub fn advance(&mut self, state: State) -> Step {
        self.clock += 1;
        match state.focus {
            Focus::Term(term, env) => self.evaluate(state, term, env),
            Focus::Value(value) => self.give(state, value),
            Focus::Call(call) => self.call(state, call),
            Focus::Command(performed) => self.perform(state, performed),
            Focus::Done(_) => Ok((Rule::Focus, state)),
        }
    }

    /// The owners among which a term is.
    pub(crate) fn owners(&self, term: TermId) -> &Owners {
        let owners = self.owners.get_or_init(|| Owners::new(self.program));
        match owners.of(term) {
            Some(_) => owners,
            None => self.added.get_or_init(|| Owners::new(self.program)),
        }
    }

    /// What a term of the program belongs to.
    pub fn owner(&self, term: TermId) -> Option<Owner> {
        self.owners(term).of(term)
    }

    /// The name of what a term belongs to.
    pub fn owner_name(&self, term: TermId) -> &'p str {
        self.owners(term).name(self.program, term)
    }

    /// The names of the locals that a term may mention, by their numbers.
    pub fn locals(&self, term: TermId) -> &'p [String] {
        self.owners(term).locals(self.program, term)
    }

    /// Whether the innermost frame of a state takes the command that is on its way.
    pub fn is_at_handler(&self, state: &State) -> bool {
        let (Focus::Command(performed), Some(top)) = (state.focus, state.stack) else {
            return false;
        };
        let interface = self.program.commands[performed.command].interface;
        let frame = self.store.stacks[top].frame;
        matches!(
            self.crossed(frame, interface, performed.index),
            Crossed::Taken { .. }
        )
    }

    /// Where the focus of a state stands in the program.
    pub fn place(&self, state: &State) -> Option<Place> {
        let term = match state.focus {
            Focus::Term(term, _) => term,
            Focus::Call(call) => call.term,
            Focus::Command(performed) => performed.written.term,
            Focus::Value(_) => self.store.stacks[state.stack?].frame.term(),
            Focus::Done(_) => return None,
        };
        self.program.places.get(term).copied()
    }

    pub(crate) fn stuck(&self, term: TermId, kind: RunErrorKind, message: String) -> Stuck {
        let place = self.program.places.get(term).copied();
        Stuck {
            kind,
            message,
            place,
        }
    }

    // --- terms: where evaluation goes on ---

    fn evaluate(&mut self, mut state: State, term: TermId, env: Option<EnvId>) -> Step {
        if let Some(value) = self.value_of(term, env) {
            state.focus = Focus::Value(value);
            return Ok((Rule::Focus, state));
        }
        let (frame, next) = match &self.program.terms[term] {
            Term::Apply { head, .. } => (Frame::Head { term, env }, *head),
            Term::Construct { args, .. } | Term::List(args) => {
                let first = args.first().ok_or_else(|| self.meaningless(term))?;
                let done = None;
                (Frame::Part { term, env, done }, *first)
            }
            Term::Adapted { body, .. } => (Frame::Adaptors { term, env }, *body),
            Term::Let { bound, .. } | Term::LetMatch { bound, .. } => {
                (Frame::Let { term, env }, *bound)
            }
            Term::Sequence { first, .. } => (Frame::Sequence { term, env }, *first),
            Term::Arithmetic { left, .. } | Term::Compare { left, .. } => {
                (Frame::Left { term, env }, *left)
            }
            Term::Negate { operand, .. } => (Frame::Negate { term, env }, *operand),
            Term::Hole { message, .. } => {
                return Err(self.stuck(term, RunErrorKind::Hole, message.clone()));
            }
            _ => return Err(self.meaningless(term)),
        };
        Ok((Rule::Focus, self.descend(state, frame, next, env)))
    }

    /// What the checker rules out: a variable without a value, an application of a number.
    pub(crate) fn meaningless(&self, term: TermId) -> Stuck {
        let message = "a term without a meaning".to_owned();
        self.stuck(term, RunErrorKind::Internal, message)
    }

    /// Evaluates a term under a frame.
    fn descend(
        &mut self,
        mut state: State,
        frame: Frame,
        term: TermId,
        env: Option<EnvId>,
    ) -> State {
        state.stack = self.store.push(state.stack, frame);
        state.focus = Focus::Term(term, env);
        state
    }

    /// What a term is that needs no evaluation: a constant, a variable, a suspended computation.
    pub(crate) fn value_of(&mut self, term: TermId, env: Option<EnvId>) -> Option<Value> {
        Some(match &self.program.terms[term] {
            Term::Int(i) => Value::Int(*i),
            Term::Float(x) => Value::Float(*x),
            Term::Char(c) => Value::Char(*c),
            Term::String(text) => self.list(text.chars().map(Value::Char).collect())?,
            Term::Local(local) => self.store.lookup(env, *local)?,
            Term::Operator(id) => Value::Operator(*id),
            Term::Command(id) => Value::Command(*id),
            Term::Thunk(_) => Value::Thunk(self.store.thunks.alloc(Thunk { term, env })),
            Term::Construct { constructor, args } if args.is_empty() => {
                self.construct(*constructor, Vec::new())
            }
            Term::List(args) if args.is_empty() => self.list(Vec::new())?,
            _ => return None,
        })
    }

    /// A constructor with its arguments.
    pub(crate) fn construct(&mut self, constructor: ConstructorId, args: Vec<Value>) -> Value {
        let constructor = Some(constructor);
        Value::Data(self.store.data.alloc(Data { constructor, args }))
    }

    /// A list; nothing in a program that knows no lists.
    pub(crate) fn list(&mut self, items: Vec<Value>) -> Option<Value> {
        let (nil, cons) = (self.program.known.nil?, self.program.known.cons?);
        let mut list = self.construct(nil, Vec::new());
        for item in items.into_iter().rev() {
            list = self.construct(cons, vec![item, list]);
        }
        Some(list)
    }

    // --- values: what the frame around them does ---

    fn give(&mut self, mut state: State, value: Value) -> Step {
        let Some(top) = state.stack else {
            state.focus = Focus::Done(value);
            return Ok((Rule::Focus, state));
        };
        let below = self.store.stacks[top];
        state.stack = below.rest;
        match below.frame {
            Frame::Head { term, env } => {
                Ok((Rule::Focus, self.argue(state, term, env, value, None)?))
            }
            Frame::Argument {
                term,
                env,
                head,
                done,
            } => {
                let done = self.store.append(done, Arg::Value(value));
                Ok((Rule::Focus, self.argue(state, term, env, head, done)?))
            }
            Frame::Part { term, env, done } => {
                let done = self.store.append(done, Arg::Value(value));
                Ok((Rule::Focus, self.part(state, term, env, done)?))
            }
            Frame::Left { term, env } => {
                let (Term::Arithmetic { right, .. } | Term::Compare { right, .. }) =
                    &self.program.terms[term]
                else {
                    return Err(self.meaningless(term));
                };
                let left = value;
                let frame = Frame::Right { term, env, left };
                Ok((Rule::Focus, self.descend(state, frame, *right, env)))
            }
            Frame::Right { term, left, .. } => {
                state.focus = Focus::Value(self.operation(term, left, value)?);
                Ok((Rule::Compute, state))
            }
            Frame::Negate { term, .. } => {
                state.focus = Focus::Value(self.negation(term, value)?);
                Ok((Rule::Compute, state))
            }
            Frame::Adaptors { .. } => {
                state.focus = Focus::Value(value);
                Ok((Rule::Adapted, state))
            }
            Frame::Sequence { term, env } => {
                let Term::Sequence { second, .. } = &self.program.terms[term] else {
                    return Err(self.meaningless(term));
                };
                state.focus = Focus::Term(*second, env);
                Ok((Rule::Sequence, state))
            }
            Frame::Let { term, env } => self.bind(state, term, env, value),
        }
    }

    /// Goes on with the next argument of a call, or makes the call.
    fn argue(
        &mut self,
        mut state: State,
        term: TermId,
        env: Option<EnvId>,
        head: Value,
        done: Option<ArgsId>,
    ) -> Result<State, Stuck> {
        let Term::Apply { args, .. } = &self.program.terms[term] else {
            return Err(self.meaningless(term));
        };
        if let Some(next) = args.get(self.store.count(done)) {
            let frame = Frame::Argument {
                term,
                env,
                head,
                done,
            };
            return Ok(self.descend(state, frame, *next, env));
        }
        let args = done;
        state.focus = Focus::Call(Call {
            head,
            args,
            term,
            env,
        });
        Ok(state)
    }

    /// Goes on with the next argument of a constructor or element of a list, or makes the value.
    fn part(
        &mut self,
        mut state: State,
        term: TermId,
        env: Option<EnvId>,
        done: Option<ArgsId>,
    ) -> Result<State, Stuck> {
        let (Term::Construct { args, .. } | Term::List(args)) = &self.program.terms[term] else {
            return Err(self.meaningless(term));
        };
        if let Some(next) = args.get(self.store.count(done)) {
            return Ok(self.descend(state, Frame::Part { term, env, done }, *next, env));
        }
        let values = self.store.values(done);
        let value = match &self.program.terms[term] {
            Term::Construct { constructor, .. } => Some(self.construct(*constructor, values)),
            _ => self.list(values),
        };
        state.focus = Focus::Value(value.ok_or_else(|| self.meaningless(term))?);
        Ok(state)
    }

    /// `let x = v in t`
    fn bind(&mut self, mut state: State, term: TermId, env: Option<EnvId>, value: Value) -> Step {
        let around = env;
        let (env, body) = match &self.program.terms[term] {
            Term::Let { local, body, .. } => (Some(self.store.bind(env, *local, value)), *body),
            Term::LetMatch { pattern, body, .. } => {
                let mut inside = env;
                let matches = self.matches_value(pattern, value, &mut inside);
                (matches.then_some(inside), *body)
            }
            _ => return Err(self.meaningless(term)),
        };
        match env {
            Some(env) => {
                state.focus = Focus::Term(body, env);
                Ok((Rule::Let, state))
            }
            None => self.fail(state, term, around, "let"),
        }
    }

    // --- calls ---

    fn call(&mut self, state: State, call: Call) -> Step {
        self.call_as(state, call, None)
    }

    /// A call under the name that a failed match tells.
    fn call_as(&mut self, mut state: State, call: Call, name: Option<&str>) -> Step {
        match call.head {
            Value::Operator(id) => {
                let operator = &self.program.operators[id];
                match &operator.body {
                    OperatorBody::Handler(handler) => {
                        self.clause(state, handler, None, call, &operator.name)
                    }
                    OperatorBody::Builtin(Builtin::Case) => {
                        let [subject, head] = self.store.values(call.args)[..] else {
                            return Err(self.meaningless(call.term));
                        };
                        let args = self.store.append(None, Arg::Value(subject));
                        self.call_as(state, Call { head, args, ..call }, Some(&operator.name))
                    }
                    OperatorBody::Builtin(builtin) => {
                        let args = self.store.values(call.args);
                        let value = self.builtin(&mut state, call.term, *builtin, &args)?;
                        state.focus = Focus::Value(value);
                        Ok((Rule::Compute, state))
                    }
                }
            }
            Value::Thunk(id) => {
                let Thunk { term, env } = self.store.thunks[id];
                let Term::Thunk(handler) = &self.program.terms[term] else {
                    return Err(self.meaningless(term));
                };
                let name = name.unwrap_or_else(|| self.owners(term).name(self.program, term));
                self.clause(state, handler, env, call, name)
            }
            Value::Command(command) => {
                let performed = self.set_out(&state, command, call);
                self.send(state, performed, Rule::Perform)
            }
            Value::Continuation(id) => {
                let [result] = self.store.values(call.args)[..] else {
                    return Err(self.meaningless(call.term));
                };
                let clock = NonZeroU64::new(self.clock);
                let paused = &mut self.store.paused[id];
                paused.resumed = paused.resumed.min(clock).or(clock);
                let frozen = paused.frozen;
                state.stack = self.thaw(state.stack, frozen);
                self.last = Some(Last::Resumed(id));
                state.focus = Focus::Value(result);
                Ok((Rule::Resume, state))
            }
            Value::Paused(id) => {
                let Paused {
                    command,
                    args,
                    frozen,
                    index,
                    written,
                    ..
                } = self.store.paused[id];
                let performed = Performed {
                    command,
                    args,
                    index,
                    frozen,
                    written,
                    taken: self.is_taken(state.stack, command, index),
                };
                self.send(state, performed, Rule::Again)
            }
            Value::Finished(id) => {
                let value = self.store.data[id].args.first().copied();
                state.focus = Focus::Value(value.ok_or_else(|| self.meaningless(call.term))?);
                Ok((Rule::Again, state))
            }
            _ => Err(self.meaningless(call.term)),
        }
    }

    /// The body of the first clause that matches.
    fn clause(
        &mut self,
        mut state: State,
        handler: &'p Handler,
        env: Option<EnvId>,
        call: Call,
        name: &str,
    ) -> Step {
        let args = self.store.list(call.args);
        let handles = args.iter().any(|arg| matches!(arg, Arg::Paused(_)));
        let rule = if handles { Rule::Handle } else { Rule::Call };
        for clause in &handler.clauses {
            let mut inside = env;
            let mut pairs = clause.patterns.iter().zip(&args);
            if !pairs.all(|(pattern, arg)| self.matches(pattern, *arg, &mut inside)) {
                continue;
            }
            if !handles
                && let [_] = handler.clauses[..]
                && let Some((command, args)) = self.immediate(clause.body, inside)
            {
                let performed = Performed {
                    args,
                    ..self.set_out(&state, command, call)
                };
                return self.send(state, performed, rule);
            }
            self.last = Some(Last::Taken(clause, call.args));
            state.focus = Focus::Term(clause.body, inside);
            return Ok((rule, state));
        }
        self.fail(state, call.term, call.env, name)
    }

    /// A command applied to terms that need no evaluation. An operator that is nothing else is a name for it.
    fn immediate(
        &mut self,
        body: TermId,
        env: Option<EnvId>,
    ) -> Option<(CommandId, Option<ArgsId>)> {
        let Term::Apply { head, args } = &self.program.terms[body] else {
            return None;
        };
        let Term::Command(command) = self.program.terms[*head] else {
            return None;
        };
        let mut done = None;
        for arg in args {
            let value = self.atom(*arg, env)?;
            done = self.store.append(done, Arg::Value(value));
        }
        Some((command, done))
    }

    /// A value, or a constructor of values.
    fn atom(&mut self, term: TermId, env: Option<EnvId>) -> Option<Value> {
        match &self.program.terms[term] {
            Term::Construct { constructor, args } if !args.is_empty() => {
                let mut values = Vec::with_capacity(args.len());
                for arg in args {
                    values.push(self.value_of(*arg, env)?);
                }
                Some(self.construct(*constructor, values))
            }
            _ => self.value_of(term, env),
        }
    }
}
