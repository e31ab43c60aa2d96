//! The rules by which one state follows from another.

use std::cell::OnceCell;
use std::num::NonZeroU64;

use frank_core::{
    Adjustment, Builtin, Clause, CommandId, ConstructorId, Handler, InterfaceId, OperatorBody,
    Place, Port, Program, Renaming, Term, TermId,
};
use frank_interpreter::RunErrorKind;
use rpds::Vector;

use crate::owners::{Owner, Owners};
use crate::state::{
    Arg, ArgsId, Call, Data, EnvId, Focus, Frame, Frozen, FrozenId, Output, Paused, PausedId,
    Performed, StackId, State, Store, Thunk, Value,
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

    // --- commands ---

    /// A command as it is performed.
    fn set_out(&self, state: &State, command: CommandId, call: Call) -> Performed {
        Performed {
            command,
            args: call.args,
            index: 0,
            frozen: None,
            written: call,
            taken: self.is_taken(state.stack, command, 0),
        }
    }

    /// A command goes to its handler step by step, to the host at once.
    fn send(&mut self, mut state: State, performed: Performed, rule: Rule) -> Step {
        self.last = Some(Last::Performed(performed.command));
        if !performed.taken {
            return self.host(state, performed);
        }
        state.focus = Focus::Command(performed);
        Ok((rule, state))
    }

    /// The frame around a command lets it pass, or takes it.
    fn perform(&mut self, mut state: State, performed: Performed) -> Step {
        let Some(top) = state.stack else {
            return self.host(state, performed);
        };
        let below = self.store.stacks[top];
        state.stack = below.rest;
        let interface = self.program.commands[performed.command].interface;
        let index = match self.crossed(below.frame, interface, performed.index) {
            Crossed::Passed { index } => index,
            Crossed::Taken { slot } => return self.take(state, below.frame, performed, slot),
        };
        let inner = performed.frozen;
        let frozen = self.store.frozen.alloc(Frozen {
            frame: below.frame,
            inner,
        });
        state.focus = Focus::Command(Performed {
            index,
            frozen: Some(frozen),
            ..performed
        });
        Ok((Rule::Freeze, state))
    }

    /// A handler has got a command: its other arguments are evaluated, then its clauses are tried.
    fn take(&mut self, state: State, frame: Frame, performed: Performed, slot: u32) -> Step {
        let Frame::Argument {
            term,
            env,
            head,
            done,
        } = frame
        else {
            return Err(self.meaningless(frame.term()));
        };
        let paused = self.store.paused.alloc(Paused {
            command: performed.command,
            args: performed.args,
            frozen: performed.frozen,
            slot,
            index: performed.index,
            written: performed.written,
            resumed: None,
        });
        let done = self.store.append(done, Arg::Paused(paused));
        let state = self.argue(state, term, env, head, done)?;
        match state.focus {
            Focus::Call(call) => self.call(state, call),
            _ => Ok((Rule::Pause, state)),
        }
    }

    /// Which instance is meant outside of a stack by a command of the `index`-th one; nothing if a frame takes it.
    fn outside(&self, stack: Option<StackId>, command: CommandId, mut index: u32) -> Option<u32> {
        let interface = self.program.commands[command].interface;
        let mut next = stack;
        while let Some(id) = next {
            let below = self.store.stacks[id];
            match self.crossed(below.frame, interface, index) {
                Crossed::Taken { .. } => return None,
                Crossed::Passed { index: outside } => index = outside,
            }
            next = below.rest;
        }
        Some(index)
    }

    /// The interfaces of which a call handles an instance in the argument after those that are done, from the left.
    pub fn handled(&self, head: Value, done: Option<ArgsId>) -> impl Iterator<Item = InterfaceId> {
        let port = self.port(head, self.store.count(done));
        let adjustments = port.into_iter().flat_map(|port| &port.adjustments);
        adjustments.filter_map(|adjustment| match adjustment {
            Adjustment::Add(interface) => Some(*interface),
            Adjustment::Rename(_) => None,
        })
    }

    /// The frame that takes the command at the focus; the host takes it, or nobody, if there is none.
    pub fn taker(&self, state: &State) -> Option<StackId> {
        let Focus::Command(Performed {
            command, mut index, ..
        }) = state.focus
        else {
            return None;
        };
        let interface = self.program.commands[command].interface;
        let mut next = state.stack;
        while let Some(id) = next {
            let below = self.store.stacks[id];
            match self.crossed(below.frame, interface, index) {
                Crossed::Taken { .. } => return Some(id),
                Crossed::Passed { index: outside } => index = outside,
            }
            next = below.rest;
        }
        None
    }

    /// Whether some frame of a stack takes a command.
    fn is_taken(&self, stack: Option<StackId>, command: CommandId, index: u32) -> bool {
        self.outside(stack, command, index).is_none()
    }

    /// What a frame does with a command of the `index`-th instance of an interface, counted from the right.
    fn crossed(&self, frame: Frame, interface: InterfaceId, mut index: u32) -> Crossed {
        match frame {
            Frame::Argument { head, done, .. } => {
                let Some(port) = self.port(head, self.store.count(done)) else {
                    return Crossed::Passed { index };
                };
                let mut slot = 0;
                for adjustment in port.adjustments.iter().rev() {
                    match adjustment {
                        Adjustment::Add(added) if *added == interface => {
                            if index == 0 {
                                return Crossed::Taken { slot };
                            }
                            index -= 1;
                            slot += 1;
                        }
                        Adjustment::Rename(renaming) if renaming.interface == interface => {
                            index = around(renaming, index);
                        }
                        _ => {}
                    }
                }
            }
            Frame::Adaptors { term, .. } => {
                if let Term::Adapted { renamings, .. } = &self.program.terms[term] {
                    let own = renamings.iter().rev();
                    for renaming in own.filter(|renaming| renaming.interface == interface) {
                        index = around(renaming, index);
                    }
                }
            }
            _ => {}
        }
        Crossed::Passed { index }
    }

    /// The port for an argument of a value that is called.
    pub fn port(&self, head: Value, position: usize) -> Option<&'p Port> {
        self.handler(head)?.ports.get(position)
    }

    /// The ports and clauses of an operator that is written in Frank, or of a suspended computation.
    pub(crate) fn handler(&self, head: Value) -> Option<&'p Handler> {
        match head {
            Value::Operator(id) => match &self.program.operators[id].body {
                OperatorBody::Handler(handler) => Some(handler),
                OperatorBody::Builtin(_) => None,
            },
            Value::Thunk(id) => match &self.program.terms[self.store.thunks[id].term] {
                Term::Thunk(handler) => Some(handler),
                _ => None,
            },
            _ => None,
        }
    }

    /// Puts frozen frames back onto a stack.
    fn thaw(&mut self, stack: Option<StackId>, frozen: Option<FrozenId>) -> Option<StackId> {
        let frames = self.store.frames(frozen);
        frames
            .into_iter()
            .fold(stack, |stack, frame| self.store.push(stack, frame))
    }

    /// The host answers a command of the one instance of `Console` or `RefState` that it has.
    fn host(&mut self, mut state: State, performed: Performed) -> Step {
        let term = performed.written.term;
        let Performed { command, index, .. } = performed;
        let interface = self.program.commands[command].interface;
        let index = self.outside(state.stack, command, index);
        state.stack = self.thaw(state.stack, performed.frozen);
        let args = self.store.values(performed.args);
        let known = &self.program.known;
        let is = |service: Option<CommandId>| index == Some(0) && service == Some(command);
        let value = match args[..] {
            [] if is(known.inch) => {
                let Some(c) = self.input.get(state.read) else {
                    let message = "`inch` at the end of the input".to_owned();
                    return Err(self.stuck(term, RunErrorKind::EndOfInput, message));
                };
                state.read += 1;
                Value::Char(*c)
            }
            [Value::Char(c)] if is(known.ouch) => self.print(&mut state, [c]),
            [Value::Int(i)] if is(known.ouint) => self.print(&mut state, i.to_string().chars()),
            [value] if is(known.new) => {
                let cell = Value::Ref(state.cells.len());
                self.name_cell(&state);
                state.cells.push_back_mut(value);
                cell
            }
            [Value::Ref(cell)] if is(known.read) => {
                let held = state.cells.get(cell).copied();
                held.ok_or_else(|| self.meaningless(term))?
            }
            [Value::Ref(cell), value] if is(known.write) => {
                state.cells.set_mut(cell, value);
                self.unit()
            }
            _ => {
                let name = &self.program.commands[command].name;
                let interface = &self.program.interfaces[interface].name;
                let message = format!("nobody handles the command `{name}` of `{interface}` here");
                return Err(self.stuck(term, RunErrorKind::Unhandled, message));
            }
        };
        state.focus = Focus::Value(value);
        Ok((Rule::Host, state))
    }

    fn unit(&mut self) -> Value {
        let unit = self.program.known.unit;
        // A program with the host's commands has the built-in types.
        unit.map_or(Value::Int(0), |unit| self.construct(unit, Vec::new()))
    }

    fn print(&mut self, state: &mut State, chars: impl IntoIterator<Item = char>) -> Value {
        for char in chars {
            let before = state.printed;
            let count = before.map_or(0, |id| self.store.output[id].count) + 1;
            let output = Output {
                char,
                before,
                count,
            };
            state.printed = Some(self.store.output.alloc(output));
        }
        self.unit()
    }

    /// A cell has the name of the variable that the innermost `let` around its birth binds.
    fn name_cell(&mut self, state: &State) {
        if state.cells.len() < self.store.births.len() {
            return;
        }
        let mut name = None;
        let mut next = state.stack;
        while let (None, Some(id)) = (name, next) {
            let below = self.store.stacks[id];
            if let Frame::Let { term, .. } = below.frame
                && let Term::Let { local, .. } = self.program.terms[term]
            {
                name = Some((term, local));
            }
            next = below.rest;
        }
        self.store.births.push(name);
    }

    /// No clause matches: `abort`, if that is handled here.
    fn fail(&mut self, state: State, term: TermId, env: Option<EnvId>, name: &str) -> Step {
        if let Some(abort) = self.program.known.abort {
            let head = Value::Command(abort);
            let args = None;
            let call = Call {
                head,
                args,
                term,
                env,
            };
            let performed = self.set_out(&state, abort, call);
            if performed.taken {
                return self.send(state, performed, Rule::Fail);
            }
        }
        let message = format!("no clause of `{name}` matches");
        Err(self.stuck(term, RunErrorKind::NoMatch, message))
    }
}

/// What becomes of a command at a frame.
enum Crossed {
    /// It goes on, and this instance is meant outside.
    Passed { index: u32 },
    /// The frame's port adds the instance; so many others of the interface stand to its right.
    Taken { slot: u32 },
}

/// The instance around an adaptor that one under it stands for.
fn around(renaming: &Renaming, index: u32) -> u32 {
    let kept = renaming.kept.len() as u32;
    match renaming.kept.get(index as usize) {
        Some(meant) => *meant,
        None => index.saturating_sub(kept) + renaming.taken,
    }
}
