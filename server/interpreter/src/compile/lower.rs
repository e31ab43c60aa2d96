//! Terms to blocks.
//!
//! A term is lowered for its value, into a variable, or towards a destination: the end of the
//! function, a join, or the clause that resumes in place. `case` and small operators are put in
//! place of their calls; a thunk that such an operator forces never becomes a closure.

use std::collections::{HashMap, HashSet};

use frank_core::{Builtin, Handler, Local, OperatorId, Place, Term, TermId};

use super::ir::{Block, BlockId, Body, End, Kind, Placed, Region, Statement, Var};
use super::matching::Argument;
use super::shared::Shared;
use super::{deep, handlers::Clauses};
use crate::value::Value;

/// Operators up to this size are put in place of calls.
const SMALL: usize = 40;
/// The same for operators that only compute, in clauses that could then do without a frame.
const SMALL_LEAF: usize = 400;
/// How much all that may add to a function.
const GROWTH: usize = 6000;
/// How often an operator may mention a parameter for a thunk to be put in its place.
const LIMIT: u32 = 1;
/// How deep it may nest.
const INLINE_DEPTH: usize = 12;

/// What a local stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Binding {
    Var(Var),
    /// A thunk that was given to an operator that was put in place: the thunk and its scope.
    Delayed(TermId, usize),
}

/// Where a value goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Destination {
    Return,
    Jump(BlockId),
    /// The body of a clause that tries to resume in place; see [`super::handlers`].
    Resume,
}

/// The locals of one operator, or one copy of it.
pub(super) struct Scope {
    pub bindings: HashMap<Local, Binding>,
    /// Whose terms these are.
    pub name: u32,
}

/// A function while it is lowered.
pub(super) struct Lower<'a, 'p> {
    pub shared: &'a mut Shared<'p>,
    pub blocks: Vec<Block>,
    pub current: BlockId,
    pub kinds: Vec<Kind>,
    pub scopes: Vec<Scope>,
    pub regions: Vec<Region>,
    /// Set while a command's clauses are lowered.
    pub clauses: Option<Clauses>,
    /// Variables that hold continuations, whose port is plain.
    continuations: HashSet<Var>,
    inlining: Vec<OperatorId>,
    grown: usize,
    debug: u32,
}

impl<'a, 'p> Lower<'a, 'p> {
    pub fn new(shared: &'a mut Shared<'p>, name: u32, place: Option<Place>) -> Lower<'a, 'p> {
        let debug = shared.debug(name, place);
        let mut lower = Lower {
            shared,
            blocks: Vec::new(),
            current: 0,
            kinds: Vec::new(),
            scopes: vec![Scope {
                bindings: HashMap::new(),
                name,
            }],
            regions: Vec::new(),
            clauses: None,
            continuations: HashSet::new(),
            inlining: Vec::new(),
            grown: 0,
            debug,
        };
        lower.current = lower.block(Vec::new());
        lower
    }

    pub fn finish(self, parameters: Vec<Var>) -> Body {
        Body {
            parameters,
            blocks: self.blocks,
            entry: 0,
            kinds: self.kinds,
            regions: self.regions,
            debug: self.debug,
        }
    }

    // --- building blocks ---

    pub fn var(&mut self, kind: Kind) -> Var {
        self.kinds.push(kind);
        self.kinds.len() as Var - 1
    }

    pub fn fresh(&mut self) -> Var {
        self.var(Kind::Unknown)
    }

    pub fn constant(&mut self, value: Value) -> Var {
        self.var(Kind::Constant(value))
    }

    pub fn block(&mut self, parameters: Vec<Var>) -> BlockId {
        let end = Placed {
            what: End::Open,
            debug: self.debug,
        };
        self.blocks.push(Block {
            parameters,
            statements: Vec::new(),
            end,
        });
        self.blocks.len() - 1
    }

    pub fn push(&mut self, what: Statement) {
        if what.is_call() {
            self.note_call();
        }
        let placed = Placed {
            what,
            debug: self.debug,
        };
        if let Some(block) = self.blocks.get_mut(self.current) {
            block.statements.push(placed);
        }
    }

    pub fn end(&mut self, what: End) {
        let placed = Placed {
            what,
            debug: self.debug,
        };
        if let Some(block) = self.blocks.get_mut(self.current) {
            block.end = placed;
        }
    }

    /// Opens a join for a value, lowers towards it and goes on behind it.
    fn with_join(&mut self, lower: impl FnOnce(&mut Self, Destination)) -> Var {
        let result = self.fresh();
        let join = self.block(vec![result]);
        let inner = self.block(Vec::new());
        self.end(End::With { join, inner });
        self.current = inner;
        lower(self, Destination::Jump(join));
        self.current = join;
        result
    }

    /// What is pushed from here on belongs to a term.
    pub fn at(&mut self, term: TermId, scope: usize) {
        let place = self.shared.program.places.get(term).copied();
        self.at_place(place, scope);
    }

    pub fn at_place(&mut self, place: Option<Place>, scope: usize) {
        let name = self.scopes.get(scope).map_or(0, |s| s.name);
        self.debug = self.shared.debug(name, place);
    }

    pub fn bind(&mut self, scope: usize, local: Local, binding: Binding) {
        if let Some(scope) = self.scopes.get_mut(scope) {
            scope.bindings.insert(local, binding);
        }
    }

    fn lookup(&mut self, scope: usize, local: Local) -> Binding {
        let found = self
            .scopes
            .get(scope)
            .and_then(|s| s.bindings.get(&local))
            .copied();
        found.unwrap_or_else(|| {
            self.shared
                .fail(format!("the local {} is not bound", local.0));
            Binding::Var(self.constant(Value::BOTTOM))
        })
    }

    /// Remembers that a variable holds a continuation.
    pub fn note_continuation(&mut self, var: Var) {
        self.continuations.insert(var);
    }

    // --- values ---

    /// Lowers a term into a variable.
    pub fn value(&mut self, term: TermId, scope: usize) -> Var {
        deep(|| self.value_here(term, scope))
    }

    fn value_here(&mut self, mut term: TermId, scope: usize) -> Var {
        let program = self.shared.program;
        loop {
            match &program.terms[term] {
                Term::Let { local, bound, body } => {
                    let value = self.value(*bound, scope);
                    self.bind(scope, *local, Binding::Var(value));
                    term = *body;
                    continue;
                }
                Term::Sequence { first, second } => {
                    self.value(*first, scope);
                    term = *second;
                    continue;
                }
                _ => {}
            }
            break;
        }
        match &program.terms[term] {
            Term::Int(i) => self.int(*i),
            Term::Float(x) => self.constant(Value::float(*x)),
            Term::Char(c) => self.constant(Value::char(*c)),
            Term::String(s) => self.string(s),
            Term::Local(local) => match self.lookup(scope, *local) {
                Binding::Var(var) => var,
                Binding::Delayed(thunk, home) => self.closure(thunk, home),
            },
            Term::Operator(id) => {
                self.shared.operator(*id);
                self.constant(Value::operator(super::raw(*id)))
            }
            Term::Command(id) => self.constant(Value::command(super::raw(*id))),
            Term::Construct { constructor, args } => {
                let args: Vec<Var> = args.iter().map(|a| self.value(*a, scope)).collect();
                self.at(term, scope);
                self.construct(super::raw(*constructor), args)
            }
            Term::List(items) => self.list(items, term, scope),
            Term::Thunk(_) => self.closure(term, scope),
            Term::Arithmetic {
                operator,
                number,
                left,
                right,
            } => {
                let (a, b) = (self.value(*left, scope), self.value(*right, scope));
                self.at(term, scope);
                let to = self.var(number_kind(*number));
                self.push(Statement::Arithmetic {
                    to,
                    operator: *operator,
                    number: *number,
                    a,
                    b,
                });
                to
            }
            Term::Compare {
                operator,
                number,
                left,
                right,
            } => {
                let (a, b) = (self.value(*left, scope), self.value(*right, scope));
                self.at(term, scope);
                let to = self.var(Kind::Plain);
                self.push(Statement::Compare {
                    to,
                    operator: *operator,
                    number: *number,
                    a,
                    b,
                });
                to
            }
            Term::Negate { number, operand } => {
                // A literal is negated here; `-(2^63)` has no positive to negate, so it wraps.
                match (&program.terms[*operand], number) {
                    (Term::Int(i), frank_core::Number::Int) => return self.int(i.wrapping_neg()),
                    (Term::Float(x), _) => return self.constant(Value::float(-x)),
                    _ => {}
                }
                let a = self.value(*operand, scope);
                self.at(term, scope);
                let to = self.var(number_kind(*number));
                self.push(Statement::Negate {
                    to,
                    number: *number,
                    a,
                });
                to
            }
            Term::Apply { .. } => match self.apply(term, scope, None) {
                Some(var) => var,
                None => self.constant(Value::BOTTOM),
            },
            Term::Adapted { .. }
            | Term::LetMatch { .. }
            | Term::Let { .. }
            | Term::Sequence { .. } => {
                if let Term::Adapted { renamings, body } = &program.terms[term] {
                    self.note_call();
                    self.at(term, scope);
                    let port = self.shared.adaptors(renamings, self.debug);
                    let result = self.fresh();
                    let after = self.block(vec![result]);
                    let inner = self.block(Vec::new());
                    self.end(End::Adapt {
                        port,
                        inner,
                        after: Some(after),
                    });
                    self.current = inner;
                    self.tail(*body, scope, Destination::Return);
                    self.current = after;
                    return result;
                }
                self.with_join(|lower, to| lower.tail(term, scope, to))
            }
        }
    }

    fn int(&mut self, i: i64) -> Var {
        match Value::int(i) {
            Some(value) => self.constant(value),
            None => {
                let id = self.shared.wide(i);
                self.static_value(id)
            }
        }
    }

    fn static_value(&mut self, id: u32) -> Var {
        let to = self.var(Kind::Static(id));
        self.push(Statement::Static { to, id });
        to
    }

    fn string(&mut self, s: &str) -> Var {
        if s.is_empty() {
            return self.constant(self.shared.words.nil);
        }
        let id = self.shared.string(s);
        self.static_value(id)
    }

    /// A constructor with its arguments; one whose arguments are constant is made once.
    fn construct(&mut self, constructor: u32, args: Vec<Var>) -> Var {
        if args.is_empty() {
            let word = self.shared.nullary(constructor);
            return self.constant(word);
        }
        let kinds: Vec<Kind> = args
            .iter()
            .filter_map(|a| self.kinds.get(*a as usize).copied())
            .collect();
        if let Some(id) = self.shared.constant_construct(constructor, &kinds) {
            return self.static_value(id);
        }
        let to = self.fresh();
        self.push(Statement::Construct {
            to,
            constructor,
            args,
        });
        to
    }

    /// A list literal. A long one is made back to front, so that it needs few registers.
    fn list(&mut self, items: &[TermId], term: TermId, scope: usize) -> Var {
        const SHORT: usize = 24;
        let cons = self.shared.words.cons;
        let mut list = self.constant(self.shared.words.nil);
        if items.len() <= SHORT {
            let items: Vec<Var> = items.iter().map(|t| self.value(*t, scope)).collect();
            self.at(term, scope);
            for item in items.into_iter().rev() {
                list = self.construct(cons, vec![item, list]);
            }
            return list;
        }
        for item in items {
            let item = self.value(*item, scope);
            self.at(term, scope);
            let to = self.fresh();
            self.push(Statement::Construct {
                to,
                constructor: cons,
                args: vec![item, list],
            });
            list = to;
        }
        let to = self.fresh();
        self.push(Statement::Reverse { to, list });
        to
    }

    /// A thunk as a value.
    pub fn closure(&mut self, thunk: TermId, scope: usize) -> Var {
        let name = self.scopes.get(scope).map_or(0, |s| s.name);
        let free = self.shared.facts.free(thunk);
        let captured: Vec<Var> = free
            .iter()
            .map(|local| match self.lookup(scope, *local) {
                Binding::Var(var) => var,
                Binding::Delayed(inner, home) => deep(|| self.closure(inner, home)),
            })
            .collect();
        let function = self.shared.thunk(thunk, name);
        self.at(thunk, scope);
        if captured.is_empty() {
            let id = self.shared.constant_closure(function);
            return self.static_value(id);
        }
        let to = self.fresh();
        self.push(Statement::Closure {
            to,
            function,
            captured,
        });
        to
    }

    // --- destinations ---

    /// Lowers a term whose value goes to a destination. The current block is ended.
    pub fn tail(&mut self, term: TermId, scope: usize, to: Destination) {
        deep(|| self.tail_here(term, scope, to))
    }

    fn tail_here(&mut self, mut term: TermId, scope: usize, mut to: Destination) {
        let program = self.shared.program;
        loop {
            match &program.terms[term] {
                Term::Let { local, bound, body } => {
                    to = self.stay_or_leave(to, &[*bound]);
                    let value = self.value(*bound, scope);
                    self.bind(scope, *local, Binding::Var(value));
                    term = *body;
                }
                Term::Sequence { first, second } => {
                    to = self.stay_or_leave(to, &[*first]);
                    self.value(*first, scope);
                    term = *second;
                }
                Term::LetMatch {
                    pattern,
                    bound,
                    body,
                } => {
                    to = self.stay_or_leave(to, &[*bound]);
                    let value = self.value(*bound, scope);
                    self.at(term, scope);
                    return self.match_one(value, pattern, *body, scope, to);
                }
                Term::Apply { .. } => {
                    self.apply(term, scope, Some(to));
                    return;
                }
                Term::Adapted { renamings, body } => {
                    match self.leave(to) {
                        Destination::Return => {
                            self.note_call();
                            self.at(term, scope);
                            let port = self.shared.adaptors(renamings, self.debug);
                            let inner = self.block(Vec::new());
                            self.end(End::Adapt {
                                port,
                                inner,
                                after: None,
                            });
                            self.current = inner;
                            term = *body;
                            to = Destination::Return;
                        }
                        other => {
                            let value = self.value(term, scope);
                            return self.deliver(value, other);
                        }
                    };
                }
                _ => {
                    let to = self.leave(to);
                    let value = self.value(term, scope);
                    return self.deliver(value, to);
                }
            }
        }
    }

    /// Ends the block with a value for a destination.
    pub fn deliver(&mut self, value: Var, to: Destination) {
        match self.leave(to) {
            Destination::Jump(join) => self.end(End::Jump {
                join,
                args: vec![value],
            }),
            _ => self.end(End::Return(value)),
        }
    }

    fn finish_value(&mut self, value: Var, to: Option<Destination>) -> Option<Var> {
        match to {
            None => Some(value),
            Some(to) => {
                self.deliver(value, to);
                None
            }
        }
    }

    // --- applications ---

    /// Lowers an application, for its value or towards a destination.
    fn apply(&mut self, term: TermId, scope: usize, to: Option<Destination>) -> Option<Var> {
        let program = self.shared.program;
        let Term::Apply { head, args } = &program.terms[term] else {
            return Some(self.value(term, scope));
        };
        match &program.terms[*head] {
            Term::Operator(id) => {
                if to == Some(Destination::Resume) && self.resume(*id, args, scope) {
                    return None;
                }
                self.apply_operator(term, *id, args, scope, to)
            }
            Term::Command(id) => {
                let to = to.map(|to| self.leave(to));
                let args: Vec<Var> = args.iter().map(|a| self.value(*a, scope)).collect();
                self.at(term, scope);
                let command = super::raw(*id);
                if to == Some(Destination::Return) {
                    self.note_call();
                    self.end(End::TailPerform { command, args });
                    return None;
                }
                let result = self.fresh();
                self.push(Statement::Perform {
                    to: result,
                    command,
                    args,
                });
                self.finish_value(result, to)
            }
            Term::Local(local) => {
                if let Binding::Delayed(thunk, home) = self.lookup(scope, *local)
                    && let Term::Thunk(handler) = &program.terms[thunk]
                    && handler.ports.iter().all(|p| p.adjustments.is_empty())
                {
                    return self.apply_delayed(thunk, handler, home, args, scope, to);
                }
                self.apply_unknown(term, *head, args, scope, to)
            }
            _ => self.apply_unknown(term, *head, args, scope, to),
        }
    }

    fn apply_operator(
        &mut self,
        term: TermId,
        id: OperatorId,
        args: &'p [TermId],
        scope: usize,
        to: Option<Destination>,
    ) -> Option<Var> {
        let program = self.shared.program;
        match self.shared.facts.handler(id) {
            None => {
                let head = match &program.terms[term] {
                    Term::Apply { head, .. } => *head,
                    _ => term,
                };
                match (self.shared.facts.builtin(head), args) {
                    (Some(Builtin::Case), [subject, clauses]) => {
                        self.apply_case(term, *subject, *clauses, scope, to)
                    }
                    (Some(builtin), _) => {
                        let to = to.map(|to| self.leave(to));
                        let args: Vec<Var> = args.iter().map(|a| self.value(*a, scope)).collect();
                        self.at(term, scope);
                        let result = self.var(builtin_kind(builtin));
                        self.push(Statement::Builtin {
                            to: result,
                            builtin,
                            args,
                        });
                        self.finish_value(result, to)
                    }
                    (None, _) => {
                        self.shared.fail("an operator without a body".to_owned());
                        Some(self.constant(Value::BOTTOM))
                    }
                }
            }
            Some(handler) => {
                if self.fits(id) {
                    return self.apply_inline(id, handler, args, scope, to);
                }
                let to = to.map(|to| self.leave(to));
                self.call_operator(term, id, args, scope, to)
            }
        }
    }

    /// Whether a call of an operator is replaced by the operator.
    fn fits(&mut self, id: OperatorId) -> bool {
        if self.inlining.len() >= INLINE_DEPTH || self.inlining.contains(&id) {
            return false;
        }
        let Some(summary) = self.shared.facts.summary(id) else {
            return false;
        };
        let limit = if self.clauses.is_some() && summary.leaf {
            SMALL_LEAF
        } else {
            SMALL
        };
        summary.inlinable && summary.size <= limit && self.grown + summary.size <= GROWTH
    }

    fn apply_case(
        &mut self,
        term: TermId,
        subject: TermId,
        clauses: TermId,
        scope: usize,
        to: Option<Destination>,
    ) -> Option<Var> {
        let program = self.shared.program;
        let plain =
            |h: &Handler| h.ports.len() == 1 && h.ports.iter().all(|p| p.adjustments.is_empty());
        match &program.terms[clauses] {
            Term::Thunk(handler) if plain(handler) => {
                let to = to.map(|to| self.stay_or_leave(to, &[subject]));
                let value = self.value(subject, scope);
                self.at(clauses, scope);
                let args = vec![Argument::Finished(Binding::Var(value))];
                let operator = self.shared.name("case");
                match to {
                    Some(to) => {
                        self.match_clauses(args, &handler.clauses, scope, to, operator);
                        None
                    }
                    None => Some(self.with_join(|lower, to| {
                        lower.match_clauses(args, &handler.clauses, scope, to, operator)
                    })),
                }
            }
            _ => {
                let to = to.map(|to| self.leave(to));
                let subject = self.value(subject, scope);
                let head = self.value(clauses, scope);
                self.at(term, scope);
                self.apply_values(head, vec![subject], to)
            }
        }
    }

    /// Puts an operator in place of its call.
    fn apply_inline(
        &mut self,
        id: OperatorId,
        handler: &'p Handler,
        args: &'p [TermId],
        scope: usize,
        to: Option<Destination>,
    ) -> Option<Var> {
        let program = self.shared.program;
        let summary = self.shared.facts.summary(id).unwrap_or_default();
        // In a clause that resumes in place its continuation may stand in thunks only that are
        // forced last.
        let to = to.map(|to| {
            let careless: Vec<TermId> = args
                .iter()
                .enumerate()
                .filter(|(i, arg)| {
                    !(matches!(program.terms[**arg], Term::Thunk(_))
                        && summary.forced_last.get(*i).copied().unwrap_or(false)
                        && summary.uses.get(*i).copied().unwrap_or(0) <= LIMIT)
                })
                .map(|(_, arg)| *arg)
                .collect();
            self.stay_or_leave(to, &careless)
        });
        let mut bindings = Vec::new();
        for (i, arg) in args.iter().enumerate() {
            let uses = summary.uses.get(i).copied().unwrap_or(0);
            let binding = match &program.terms[*arg] {
                Term::Thunk(_) if uses <= LIMIT => Binding::Delayed(*arg, scope),
                Term::Local(local) => match self.lookup(scope, *local) {
                    Binding::Delayed(thunk, home) if uses > LIMIT => {
                        Binding::Var(self.closure(thunk, home))
                    }
                    binding => binding,
                },
                _ => Binding::Var(self.value(*arg, scope)),
            };
            bindings.push(Argument::Finished(binding));
        }
        self.grown += summary.size;
        self.inlining.push(id);
        let operator = self.shared.operator_name(id);
        self.scopes.push(Scope {
            bindings: HashMap::new(),
            name: operator,
        });
        let inner = self.scopes.len() - 1;
        self.at_place(Some(program.operators[id].place), inner);
        let result = match to {
            Some(to) => {
                self.match_clauses(bindings, &handler.clauses, inner, to, operator);
                None
            }
            None => Some(self.with_join(|lower, to| {
                lower.match_clauses(bindings, &handler.clauses, inner, to, operator)
            })),
        };
        self.inlining.pop();
        result
    }

    /// Calls a thunk that was given to an operator that was put in place.
    fn apply_delayed(
        &mut self,
        thunk: TermId,
        handler: &'p Handler,
        home: usize,
        args: &'p [TermId],
        scope: usize,
        to: Option<Destination>,
    ) -> Option<Var> {
        // Its continuation may stand in the thunk, if this is a clause that resumes in place; the
        // thunk is then forced last, and so has no arguments.
        let to = to.map(|to| self.stay_or_leave(to, args));
        let mut bindings = Vec::new();
        for arg in args {
            bindings.push(Argument::Finished(Binding::Var(self.value(*arg, scope))));
        }
        self.at(thunk, home);
        let operator = self.shared.name("{…}");
        match to {
            Some(to) => {
                self.match_clauses(bindings, &handler.clauses, home, to, operator);
                None
            }
            None => Some(self.with_join(|lower, to| {
                lower.match_clauses(bindings, &handler.clauses, home, to, operator)
            })),
        }
    }

    /// A call of an operator that stays a call.
    fn call_operator(
        &mut self,
        term: TermId,
        id: OperatorId,
        args: &[TermId],
        scope: usize,
        to: Option<Destination>,
    ) -> Option<Var> {
        let function = self.shared.operator(id);
        let mut values = Vec::new();
        for (i, arg) in args.iter().enumerate() {
            let port = self.shared.port(function, i);
            let Some(port) = port.filter(|_| !self.shared.facts.is_value(*arg)) else {
                values.push(self.value(*arg, scope));
                continue;
            };
            self.note_call();
            self.at(term, scope);
            let inner = self.block(Vec::new());
            if i + 1 < args.len() {
                let value = self.fresh();
                let after = self.block(vec![value]);
                self.end(End::Pause { port, inner, after });
                self.current = inner;
                self.tail(*arg, scope, Destination::Return);
                self.current = after;
                values.push(value);
                continue;
            }
            if to == Some(Destination::Return) {
                self.end(End::Handle {
                    port,
                    done: values,
                    inner,
                    after: None,
                });
                self.current = inner;
                self.tail(*arg, scope, Destination::Return);
                return None;
            }
            let result = self.fresh();
            let after = self.block(vec![result]);
            self.end(End::Handle {
                port,
                done: values,
                inner,
                after: Some(after),
            });
            self.current = inner;
            self.tail(*arg, scope, Destination::Return);
            self.current = after;
            return self.finish_value(result, to);
        }
        self.at(term, scope);
        if to == Some(Destination::Return) {
            self.note_call();
            self.end(End::TailCall {
                function,
                args: values,
            });
            return None;
        }
        let result = self.fresh();
        self.push(Statement::Call {
            to: result,
            function,
            args: values,
        });
        self.finish_value(result, to)
    }

    /// A call whose head is known at run time only.
    fn apply_unknown(
        &mut self,
        term: TermId,
        head: TermId,
        args: &[TermId],
        scope: usize,
        to: Option<Destination>,
    ) -> Option<Var> {
        let to = to.map(|to| self.leave(to));
        let head = self.value(head, scope);
        let plain = self.continuations.contains(&head);
        let mut values = Vec::new();
        for (i, arg) in args.iter().enumerate() {
            if plain || self.shared.facts.is_value(*arg) {
                values.push(self.value(*arg, scope));
                continue;
            }
            self.note_call();
            self.at(term, scope);
            let index = i.min(u16::MAX as usize) as u16;
            let result = self.fresh();
            let after = self.block(vec![result]);
            let inner = self.block(Vec::new());
            self.end(End::EnterPort {
                head,
                index,
                inner,
                after,
            });
            self.current = inner;
            let value = self.value(*arg, scope);
            self.at(term, scope);
            self.end(End::LeavePort {
                head,
                index,
                value,
                after,
            });
            self.current = after;
            values.push(result);
        }
        self.at(term, scope);
        self.apply_values(head, values, to)
    }

    fn apply_values(&mut self, head: Var, args: Vec<Var>, to: Option<Destination>) -> Option<Var> {
        if to == Some(Destination::Return) {
            self.note_call();
            self.end(End::TailApply { head, args });
            return None;
        }
        let result = self.fresh();
        self.push(Statement::Apply {
            to: result,
            head,
            args,
        });
        self.finish_value(result, to)
    }
}

fn number_kind(number: frank_core::Number) -> Kind {
    match number {
        frank_core::Number::Int => Kind::Unknown,
        frank_core::Number::Float => Kind::Plain,
    }
}

fn builtin_kind(builtin: Builtin) -> Kind {
    match builtin {
        Builtin::Case
        | Builtin::ShowInt
        | Builtin::ShowFloat
        | Builtin::Round
        | Builtin::Floor
        | Builtin::Truncate => Kind::Unknown,
        _ => Kind::Plain,
    }
}
