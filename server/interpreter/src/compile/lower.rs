//! Terms to blocks.
//!
//! A term is lowered for its value, into a variable, or towards a destination: the end of the
//! function, a join, or the clause that resumes in place.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use frank_core::{Builtin, Local, OperatorId, Place, Term, TermId};

use super::context::{ContextId, UNKNOWN};
use super::ir::{Block, BlockId, Body, End, Kind, Placed, Region, Statement, Var};
use super::lost::Lost;
use super::shapes::{CodeId, Thunk};
use super::shared::Shared;
use super::{deep, handlers::Clauses};
use crate::code::NONE;
use crate::performance::Performed;
use crate::value::Value;

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
    /// How many operators are being put in place of calls where these terms stand.
    pub depth: usize,
    /// Where the call was that the operator was put in place of; [`NONE`] for none.
    pub site: u32,
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
    pub continuations: HashSet<Var>,
    /// The operators that are being put in place of calls, outermost first.
    pub inlining: Vec<OperatorId>,
    /// How much they have added to the function.
    pub grown: usize,
    /// Whether some was too large for that.
    pub overgrown: bool,
    pub debug: u32,
    /// What is known of the handlers around the code written now.
    pub context: ContextId,
    /// What the machine sees of them; nothing in a clause that runs above other handlers than are around it.
    pub seen: Option<ContextId>,
    /// How much of the code written so far may run code of other functions.
    pub calls: usize,
    /// Where the frame stands that the machine would have for this code; see [`Scope::site`].
    pub frame_site: u32,
    /// Whether some clause does not stand in the place of its command for want of room.
    pub cut_short: bool,
    /// The operators that stand in the place of their calls here as if they were called, and the join
    /// that the innermost returns to.
    pub called: Vec<OperatorId>,
    pub returns_to: Option<BlockId>,
    /// How many blocks were written and taken back.
    pub in_vain: usize,
    /// The same of operators that are handed objects.
    pub in_vain_here: usize,
    /// How many blocks such clauses have that do, and where those of the command at hand begin.
    pub direct_blocks: usize,
    pub direct_begin: BlockId,
    /// How many clauses stand in the places of their commands here, one in the other.
    pub direct: usize,
    /// Variables that hold an object made here: its constructor and fields.
    pub made: HashMap<Var, (u32, Vec<Var>)>,
    /// Variables that hold a field of such an object, and the variable that it was made of.
    pub fields: HashMap<Var, Var>,
    /// Variables that hold a thunk made here.
    pub thunks: HashMap<Var, Rc<Thunk>>,
    /// The thunks and operators that stand in the place of their applications where code is written now, and how much
    /// such code has been added.
    pub applied: Vec<CodeId>,
    pub applied_size: usize,
    /// What became of the commands.
    pub performed: Vec<Performed>,
    /// Why nothing is known of the handlers here, where that is known.
    pub lost: Option<Lost>,
    /// Set where the code written now is what a clause does when its resumption is over.
    pub resting: Option<Resting>,
}

/// What a clause does when its resumption is over stands in a frame of its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Resting {
    /// The scope of the clause, whose code does not stand where the command was performed any more.
    pub scope: usize,
    /// What [`Lower::calls`] was before it.
    pub calls: usize,
}

impl<'a, 'p> Lower<'a, 'p> {
    pub fn new(
        shared: &'a mut Shared<'p>,
        name: u32,
        place: Option<Place>,
        context: ContextId,
    ) -> Lower<'a, 'p> {
        let debug = shared.debug(name, place);
        let mut lower = Lower {
            shared,
            blocks: Vec::new(),
            current: 0,
            kinds: Vec::new(),
            scopes: vec![Scope {
                bindings: HashMap::new(),
                name,
                depth: 0,
                site: NONE,
            }],
            regions: Vec::new(),
            clauses: None,
            continuations: HashSet::new(),
            inlining: Vec::new(),
            grown: 0,
            overgrown: false,
            debug,
            context,
            seen: Some(context),
            calls: 0,
            frame_site: NONE,
            cut_short: false,
            called: Vec::new(),
            returns_to: None,
            direct_blocks: 0,
            in_vain: 0,
            in_vain_here: 0,
            direct_begin: 0,
            direct: 0,
            made: HashMap::new(),
            fields: HashMap::new(),
            thunks: HashMap::new(),
            applied: Vec::new(),
            applied_size: 0,
            performed: Vec::new(),
            lost: None,
            resting: None,
        };
        lower.current = lower.block(Vec::new());
        lower
    }

    pub fn finish(self, parameters: Vec<Var>) -> Body {
        self.shared.performed.extend(self.performed);
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
    pub fn with_join(&mut self, lower: impl FnOnce(&mut Self, Destination)) -> Var {
        let result = self.fresh();
        let join = self.block(vec![result]);
        let inner = self.block(Vec::new());
        self.end(End::With { join, inner });
        self.current = inner;
        lower(self, Destination::Jump(join));
        self.current = join;
        self.only_result(join).unwrap_or(result)
    }

    /// What is pushed from here on belongs to a term.
    pub fn at(&mut self, term: TermId, scope: usize) {
        let place = self.shared.program.places.get(term).copied();
        self.at_place(place, scope);
    }

    pub fn at_place(&mut self, place: Option<Place>, scope: usize) {
        let name = self.scopes.get(scope).map_or(0, |s| s.name);
        let site = self.site_of(scope);
        self.debug = self.shared.debug_within(name, place, site);
    }

    /// Where the call was that a scope's operator was put in place of, as far as its frame shows that.
    pub fn site_of(&self, scope: usize) -> u32 {
        match self.resting {
            Some(resting) if resting.scope == scope => NONE,
            _ => self.scopes.get(scope).map_or(NONE, |s| s.site),
        }
    }

    pub fn bind(&mut self, scope: usize, local: Local, binding: Binding) {
        if let Some(scope) = self.scopes.get_mut(scope) {
            scope.bindings.insert(local, binding);
        }
    }

    pub fn lookup(&mut self, scope: usize, local: Local) -> Binding {
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
            Term::Operator(id) => self.constant(Value::operator(super::raw(*id))),
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
            Term::Hole { message, .. } => {
                let what = self.string(message);
                self.at(term, scope);
                let to = self.fresh();
                self.push(Statement::Builtin {
                    to,
                    builtin: Builtin::Hole,
                    args: vec![what],
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
                    let adapted = self.shared.contexts.adapted(term, self.context);
                    self.at(term, scope);
                    if let Some(result) = self.without_node(*body, scope, adapted) {
                        return result;
                    }
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
                    self.tail_in(*body, scope, adapted);
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
    pub fn construct(&mut self, constructor: u32, args: Vec<Var>) -> Var {
        if args.is_empty() {
            let word = self.shared.nullary(constructor);
            let to = self.constant(word);
            self.made.insert(to, (constructor, args));
            return to;
        }
        let kinds: Vec<Kind> = args
            .iter()
            .filter_map(|a| self.kinds.get(*a as usize).copied())
            .collect();
        if let Some(id) = self.shared.constant_construct(constructor, &kinds) {
            let to = self.static_value(id);
            self.made.insert(to, (constructor, args));
            return to;
        }
        let to = self.fresh();
        self.made.insert(to, (constructor, args.clone()));
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
        self.at(thunk, scope);
        self.closure_of(thunk, name, captured)
    }

    /// A thunk that captures these.
    pub fn closure_of(&mut self, thunk: TermId, name: u32, captured: Vec<Var>) -> Var {
        let function = self.shared.thunk(thunk, name);
        let to = match captured.is_empty() {
            true => {
                let id = self.shared.constant_closure(function);
                self.static_value(id)
            }
            false => {
                let to = self.fresh();
                self.push(Statement::Closure {
                    to,
                    function,
                    captured: captured.clone(),
                });
                to
            }
        };
        self.note_thunk(to, thunk, name, captured);
        to
    }

    // --- destinations ---

    /// Lowers a term whose value goes to a destination. The current block is ended.
    pub fn tail(&mut self, term: TermId, scope: usize, to: Destination) {
        let around = (self.context, self.seen, self.resting, self.frame_site);
        deep(|| self.tail_here(term, scope, to));
        if let (None, Some(resting)) = (around.2, self.resting) {
            self.calls = resting.calls;
        }
        (self.context, self.seen, self.resting, self.frame_site) = around;
    }

    /// Lowers what a segment of its own computes, where something else is known of the handlers.
    pub fn tail_in(&mut self, term: TermId, scope: usize, context: ContextId) {
        let around = (self.context, self.seen, self.lost);
        self.note_depth(context);
        (self.context, self.seen) = (context, Some(context));
        self.tail(term, scope, Destination::Return);
        (self.context, self.seen, self.lost) = around;
    }

    /// Lowers what an operator handles, which a segment of its own computes.
    pub fn tail_under(&mut self, operator: OperatorId, term: TermId, scope: usize) {
        let lost = self.lost;
        let under = self.under(operator);
        self.tail_in(term, scope, under);
        self.lost = lost;
    }

    /// What is known under an operator that handles, as long as `lost` is what it is then.
    pub fn under(&mut self, operator: OperatorId) -> ContextId {
        if self.shared.specialise && !self.shared.facts.is_deep(operator) {
            self.lost = Some(Lost::NotDeep(operator));
        }
        self.shared.under(operator, self.context)
    }

    /// Notes that what is lowered next knows less of its handlers than the code around it, if it stands too deep.
    fn note_depth(&mut self, inner: ContextId) {
        if inner == UNKNOWN && self.shared.contexts.is_deepest(self.context) {
            self.lost = Some(Lost::Depth);
        }
    }

    fn tail_here(&mut self, mut term: TermId, scope: usize, mut to: Destination) {
        let program = self.shared.program;
        loop {
            if to == Destination::Resume && self.comes_to_resume(term) {
                to = Destination::Return;
            }
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
                Term::Adapted { body, .. } => {
                    match self.leave(to) {
                        Destination::Return => {
                            if self.adapt(term, *body, scope) {
                                return;
                            }
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

    /// Begins something last under the adaptors of a term, if that needs to be done; gives whether it is done with.
    pub fn adapt(&mut self, adaptors: TermId, body: TermId, scope: usize) -> bool {
        let Term::Adapted { renamings, .. } = &self.shared.program.terms[adaptors] else {
            return false;
        };
        let adapted = self.shared.contexts.adapted(adaptors, self.context);
        self.at(adaptors, scope);
        if let Some(value) = self.without_node(body, scope, adapted) {
            self.deliver(value, Destination::Return);
            return true;
        }
        self.note_call();
        self.at(adaptors, scope);
        let port = self.shared.adaptors(renamings, self.debug);
        let inner = self.block(Vec::new());
        self.end(End::Adapt {
            port,
            inner,
            after: None,
        });
        self.current = inner;
        self.note_depth(adapted);
        (self.context, self.seen) = (adapted, Some(adapted));
        false
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

    pub fn finish_value(&mut self, value: Var, to: Option<Destination>) -> Option<Var> {
        match to {
            None => Some(value),
            Some(to) => {
                self.deliver(value, to);
                None
            }
        }
    }
}

fn number_kind(number: frank_core::Number) -> Kind {
    match number {
        frank_core::Number::Int => Kind::Unknown,
        frank_core::Number::Float => Kind::Plain,
    }
}
