//! The type checker: bidirectional, from left to right (language reference, section 4 "Typing").
//!
//! It never fails. What is wrong becomes a [`Problem`], the term at fault gets the error type,
//! which agrees with everything, and the rest is checked as if nothing had happened.
//!
//! One operator is checked at a time, against the signatures of the others: what their clauses say
//! does not matter. Nothing is kept here: [`crate::check::inference`] is the query to ask.

mod amended;
mod attempt;
mod call;
mod hole;
pub mod hypothesis;
pub mod instantiate;
mod pattern;
pub mod problem;
mod readings;
pub mod table;
mod term;

pub(crate) use instantiate::split_args;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use frank_syntax::ast::{
    Item, ItemKind, NodeId, PatternId, PatternKind, Symbol, SymbolMap, TermId,
};
use la_arena::ArenaMap;

use crate::db::{Db, ItemSource, SourceFile, TextKind, has_syntax_errors, item};
use crate::declarations::{known_signature, law_signature};
use crate::params::{TypeNamespace, params};
use crate::program::{
    CommandDef, ConstructorDef, InterfaceDef, OperatorDef, TermDef, operator_items, resolve_term,
};
use crate::scopes::{Binder, LocalId, LocalKind, Scopes};
use crate::types::{
    Ability, Adaptor, Adjustment, Computation, Instance, Port, Replacement, Signature, Tail, Ty,
    TyKind,
};
use hypothesis::{Generalised, Hypothesis, Order};
use problem::Problem;
use table::Table;

/// A local variable of a body.
#[derive(Debug, Clone)]
pub struct Local {
    pub name: Symbol,
    /// Where it is bound.
    pub node: NodeId,
    pub ty: Ty,
    pub kind: LocalKind,
}

/// What a name in a term turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resolved {
    Local(LocalId),
    Definition(TermDef),
    /// `_`, or `_name` where nothing has the name: a term that is still to be written.
    Hole,
    Unknown,
}

/// What a pattern turned out to be.
#[derive(Debug, Clone)]
pub enum ResolvedPattern {
    /// A variable, the `k` of a command pattern included where there is one.
    Binds(LocalId),
    Wildcard,
    Constructor(ConstructorDef),
    /// A command pattern; `k` is `None` for `_`.
    Command {
        command: CommandDef,
        continuation: Option<LocalId>,
    },
    CatchAll(Option<LocalId>),
}

/// All that is known of one item's terms and patterns. Types and abilities live in the
/// [`Inference::table`], which also knows what their flexible variables stand for.
#[derive(Debug, Default)]
pub struct Body {
    /// The type of each term.
    pub types: ArenaMap<TermId, Ty>,
    /// The ability that each term is evaluated in.
    pub ambient: ArenaMap<TermId, Ability>,
    /// What each term that is a name means.
    pub names: ArenaMap<TermId, Resolved>,
    pub pattern_types: ArenaMap<PatternId, Ty>,
    pub patterns: ArenaMap<PatternId, ResolvedPattern>,
    /// What each `let` binds or matches.
    pub lets: ArenaMap<TermId, ResolvedPattern>,
    /// The type that each thunk was checked against, for the adjustments of its ports.
    pub thunks: ArenaMap<TermId, Ty>,
    /// The adaptors of each term that has some, their names looked up.
    pub adaptors: ArenaMap<TermId, Vec<Adaptor>>,
    /// The number type of arithmetic, comparisons and negations.
    pub numbers: ArenaMap<TermId, Ty>,
    pub scopes: Scopes,
    /// The locals of the scopes, by [`LocalId`].
    pub locals: Vec<Local>,
}

impl Body {
    /// Makes room for what is known of every term, at once: growing would take half as much again for a moment.
    fn reserve(&mut self, terms: usize) {
        self.types = ArenaMap::with_capacity(terms);
        self.ambient = ArenaMap::with_capacity(terms);
        self.names = ArenaMap::with_capacity(terms);
    }
}

/// What the checker found out about an operator, or a term on its own.
pub struct Inference {
    /// The types and abilities that everything below refers to.
    pub table: Table,
    /// The type that the clauses were checked against, its variables rigid.
    pub computation: Option<Computation>,
    /// The names of the rigid variables, by their numbers; those of effects are numbered apart.
    pub rigid_values: Vec<Symbol>,
    pub rigid_effects: Vec<Symbol>,
    /// What is known of each item, in the order of the operator's clauses.
    pub bodies: Vec<(ItemSource, Body)>,
    /// Where each item is among the bodies.
    positions: HashMap<ItemSource, usize>,
    /// What is wrong; [`crate::report::diagnostics`] makes findings of it.
    pub problems: Vec<Problem>,
}

impl Inference {
    /// Whether there is no error in it.
    pub fn is_sound(&self) -> bool {
        !self.problems.iter().any(Problem::is_error)
    }

    /// What is known of one of the operator's clauses, or of the term; `None` for another item.
    pub fn body(&self, source: ItemSource) -> Option<&Body> {
        let position = *self.positions.get(&source)?;
        self.bodies.get(position).map(|(_, body)| body)
    }
}

/// The checker at work on one operator or term.
pub struct Checker<'db> {
    db: &'db dyn Db,
    /// The scope in which names are looked up.
    scope: SourceFile,
    operator: Option<OperatorDef>,
    /// The operator's own type where it has no signature to use.
    own_type: Option<Ty>,
    table: Table,
    rigid_values: Vec<Symbol>,
    rigid_effects: Vec<Symbol>,
    problems: Vec<Problem>,
    known_names: SymbolMap<Option<TermDef>>,
    source: ItemSource,
    item: &'db Item,
    body: Body,
    /// The locals whose types are known by now, in the order in which they got them.
    bound: Vec<LocalId>,
    /// The body's item did not parse, so its problems would be consequences.
    muted: bool,
    /// What is checked is still being written: a name that means nothing may have any type.
    draft: bool,
    /// A change to try out.
    hypothesis: Option<Hypothesis>,
    /// The `let` that is being tried out with a type for each of its uses.
    generalised: Option<Generalised>,
    order: Order,
    /// What the place of the use that is inferred next needs.
    place: readings::Place,
    /// Patterns are missing in the clause at work, and with them, perhaps, variables.
    lacks_patterns: bool,
    /// How many holes have been met.
    holes: usize,
    /// The terms of the item at work that are holes or have some in them, once somebody has asked.
    with_holes: Option<HashSet<TermId>>,
    /// So many readings of calls may still be tried in the item at work.
    readings: usize,
}

/// A signature is written for so many instances of one interface in a port at most.
const MOST_HANDLED: u32 = 8;

/// The patterns of an operator's clause.
fn clause_patterns(db: &dyn Db, source: ItemSource) -> &[PatternId] {
    match &item(db, source).kind {
        ItemKind::Clause { clause, .. } => &clause.patterns,
        _ => &[],
    }
}

/// Checks the clauses of an operator; `None` if it has neither clauses nor a signature.
pub fn infer_operator(db: &dyn Db, operator: OperatorDef) -> Option<Inference> {
    infer_operator_if(db, operator, Order::default(), None)
}

/// Checks the clauses of an operator in another order, or as if a term in them were different.
pub fn infer_operator_if(
    db: &dyn Db,
    operator: OperatorDef,
    order: Order,
    hypothesis: Option<Hypothesis>,
) -> Option<Inference> {
    let (scope, name) = (operator.0.scope, operator.0.name);
    let items = operator_items(db, scope, name);
    let first = *items.clauses.first().or(items.signatures.first())?;
    let mut checker = Checker::new(db, scope, first);
    checker.operator = Some(operator);
    checker.order = order;
    checker.hypothesis = hypothesis;
    let computation = if let Some(signature) = known_signature(db, scope, name) {
        let mut computation = checker.rigid(signature);
        checker.amend(TermDef::Operator(operator), &mut computation);
        Some(checker.allowing(computation))
    } else if items.signatures.is_empty() {
        Some(checker.unknown_computation(&items.clauses))
    } else {
        None
    };
    let mut bodies = Vec::with_capacity(items.clauses.len());
    for source in &items.clauses {
        bodies.push((*source, checker.clause_item(*source, computation.as_ref())));
    }
    Some(checker.finish(computation, bodies))
}

/// Checks one clause of an operator as it would be with another text, which `item` is; the
/// operator's other clauses are left out. For answers about what is being written: nothing is reported, and an unknown
/// name may be of any type.
pub fn infer_clause<'a>(
    db: &'a dyn Db,
    operator: OperatorDef,
    source: ItemSource,
    item: &'a Item,
) -> Inference {
    let mut checker = Checker::new(db, operator.0.scope, source);
    checker.muted = true;
    checker.draft = true;
    infer_clause_by(checker, operator, source, item)
}

/// The same, of a text that is to be judged: what is wrong is reported.
pub fn infer_other_clause<'a>(
    db: &'a dyn Db,
    operator: OperatorDef,
    source: ItemSource,
    item: &'a Item,
) -> Inference {
    let mut checker = Checker::new(db, operator.0.scope, source);
    checker.muted = false;
    infer_clause_by(checker, operator, source, item)
}

fn infer_clause_by<'a>(
    mut checker: Checker<'a>,
    operator: OperatorDef,
    source: ItemSource,
    item: &'a Item,
) -> Inference {
    let (scope, name) = (operator.0.scope, operator.0.name);
    checker.operator = Some(operator);
    checker.item = item;
    let computation = known_signature(checker.db, scope, name)
        .as_ref()
        .map(|s| checker.rigid(s));
    let computation = computation.or_else(|| match &item.kind {
        ItemKind::Clause { clause, .. } => Some(checker.plain_computation(clause.patterns.len())),
        _ => None,
    });
    let body = checker.this_clause(computation.as_ref());
    let bodies = vec![(source, body)];
    checker.finish(computation, bodies)
}

/// Checks a term on its own, at a fresh flexible ability.
pub fn infer_term(db: &dyn Db, scope: SourceFile, source: ItemSource) -> Inference {
    infer_term_if(db, scope, source, Order::default(), None)
}

/// Checks a term on its own in another order, or as if a part of it were different.
pub fn infer_term_if(
    db: &dyn Db,
    scope: SourceFile,
    source: ItemSource,
    order: Order,
    hypothesis: Option<Hypothesis>,
) -> Inference {
    let mut checker = Checker::new(db, scope, source);
    checker.order = order;
    checker.hypothesis = hypothesis;
    infer_term_by(checker)
}

/// As [`infer_clause`], for a term on its own.
pub fn infer_draft_term<'a>(
    db: &'a dyn Db,
    scope: SourceFile,
    source: ItemSource,
    item: &'a Item,
) -> Inference {
    let mut checker = Checker::new(db, scope, source);
    checker.muted = true;
    checker.draft = true;
    checker.item = item;
    infer_term_by(checker)
}

fn infer_term_by(mut checker: Checker<'_>) -> Inference {
    let source = checker.source;
    let ability = checker.table.fresh_ability();
    let result = match source.kind(checker.db) {
        TextKind::Law { types } => checker.law(types, ability),
        _ => checker.table.fresh(),
    };
    checker.find_locals();
    if let ItemKind::Term(term) = checker.item.kind {
        checker.check(term, result, ability, problem::Expectation::Free);
    }
    let body = std::mem::take(&mut checker.body);
    let bodies = vec![(source, body)];
    let computation = Computation {
        ports: Vec::new(),
        ability,
        result,
    };
    checker.finish(Some(computation), bodies)
}

impl<'db> Checker<'db> {
    fn new(db: &'db dyn Db, scope: SourceFile, source: ItemSource) -> Checker<'db> {
        Checker {
            db,
            scope,
            operator: None,
            own_type: None,
            table: Table::default(),
            rigid_values: Vec::new(),
            rigid_effects: Vec::new(),
            problems: Vec::new(),
            known_names: SymbolMap::default(),
            source,
            item: item(db, source),
            body: Body::default(),
            bound: Vec::new(),
            muted: has_syntax_errors(db, source),
            draft: false,
            hypothesis: None,
            generalised: None,
            order: Order::default(),
            place: readings::Place::default(),
            lacks_patterns: false,
            holes: 0,
            with_holes: None,
            readings: readings::MOST_TRIED,
        }
    }

    /// What was found out, once all bodies have been looked at.
    fn finish(
        mut self,
        computation: Option<Computation>,
        bodies: Vec<(ItemSource, Body)>,
    ) -> Inference {
        self.default_numbers(&bodies);
        Inference {
            table: self.table,
            computation,
            rigid_values: self.rigid_values,
            rigid_effects: self.rigid_effects,
            positions: bodies.iter().map(|(source, _)| *source).zip(0..).collect(),
            bodies,
            problems: self.problems,
        }
    }

    /// A signature's type with its variables rigid.
    fn rigid(&mut self, signature: &Signature) -> Computation {
        let values: Vec<Ty> = signature
            .values
            .iter()
            .map(|name| self.rigid_value(*name))
            .collect();
        let effects: Vec<Ability> = signature
            .effects
            .iter()
            .map(|name| self.rigid_effect(*name))
            .collect();
        let with = Replacement {
            values: &values,
            effects: &effects,
        };
        self.table
            .types
            .copy_computation(&signature.types, &signature.computation, with)
    }

    /// The type of the computation that a law is: what stands around it is there for it, too.
    fn law(&mut self, types: ItemSource, ability: Ability) -> Ty {
        let Some(signature) = law_signature(self.db, self.scope, types) else {
            return self.table.fresh();
        };
        let said = self.rigid(signature);
        let computation = Computation { ability, ..said };
        let types = &mut self.table.types;
        types.ty(TyKind::Computation(computation.into()))
    }

    fn rigid_value(&mut self, name: Symbol) -> Ty {
        if let Some(meant) = self.meant(name) {
            return meant;
        }
        let index = self.rigid_values.len() as u32;
        self.rigid_values.push(name);
        self.table.types.ty(TyKind::Variable(index))
    }

    fn rigid_effect(&mut self, name: Symbol) -> Ability {
        let index = self.rigid_effects.len() as u32;
        self.rigid_effects.push(name);
        self.table
            .types
            .ability(Tail::Variable(index), self.table.empty.clone())
    }

    /// The type of an operator without a signature: as many ports as its first clause has
    /// patterns, each adding the instances whose commands it handles, and all else unknown. What
    /// comes out is the signature that the fix writes.
    fn unknown_computation(&mut self, clauses: &[ItemSource]) -> Computation {
        let first = clauses.first();
        let count = first.map_or(0, |first| clause_patterns(self.db, *first).len());
        let mut computation = self.plain_computation(count);
        for (position, port) in computation.ports.iter_mut().enumerate() {
            port.adjustments = self.handled(clauses, position);
        }
        let ty = self
            .table
            .types
            .ty(TyKind::Computation(Arc::new(computation.clone())));
        self.own_type = Some(ty);
        computation
    }

    /// The adjustments of the port at a position whose commands clauses handle there.
    fn handled(&mut self, clauses: &[ItemSource], position: usize) -> Arc<[Adjustment]> {
        let mut interfaces: Vec<(InterfaceDef, u32)> = Vec::new();
        for source in clauses {
            let Some(pattern) = clause_patterns(self.db, *source).get(position) else {
                continue;
            };
            let PatternKind::Command { name, index, .. } =
                &item(self.db, *source).patterns[*pattern].kind
            else {
                continue;
            };
            let Some(TermDef::Command(command)) = self.definition(name.symbol) else {
                continue;
            };
            let count = index.saturating_add(1);
            match interfaces
                .iter_mut()
                .find(|(known, _)| *known == command.interface)
            {
                Some((_, most)) => *most = (*most).max(count),
                None => interfaces.push((command.interface, count)),
            }
        }
        let mut adjustments = Vec::new();
        for (interface, count) in interfaces {
            let definition = interface.0;
            let params = params(
                self.db,
                definition.scope,
                definition.name,
                TypeNamespace::Row,
            );
            for _ in 0..count.min(MOST_HANDLED) {
                let args = self.table.fresh_args(params).args;
                adjustments.push(Adjustment::Instance(Instance { interface, args }));
            }
        }
        adjustments.into()
    }

    /// A computation type with so many plain ports, everything in it fresh.
    fn plain_computation(&mut self, ports: usize) -> Computation {
        let ports = (0..ports).map(|_| self.plain_port()).collect();
        let ability = self.table.fresh_ability();
        let result = self.table.fresh();
        Computation {
            ports,
            ability,
            result,
        }
    }

    fn plain_port(&mut self) -> Port {
        Port {
            adjustments: Arc::from([]),
            ty: self.table.fresh(),
        }
    }

    /// A computation type that agrees with everything.
    fn error_computation(&mut self, ports: usize) -> Computation {
        let port = Port {
            adjustments: Arc::from([]),
            ty: self.table.error,
        };
        let ability = self
            .table
            .types
            .ability(Tail::Error, self.table.empty.clone());
        Computation {
            ports: vec![port; ports],
            ability,
            result: self.table.error,
        }
    }

    /// `ability` as it stands where something around it is wrong: nothing is missing in it.
    fn lenient(&mut self, ability: Ability) -> Ability {
        let row = self.table.row(ability);
        self.table.types.ability(Tail::Error, row.instances)
    }

    fn clause_item(&mut self, source: ItemSource, computation: Option<&Computation>) -> Body {
        self.source = source;
        self.item = item(self.db, source);
        self.muted = has_syntax_errors(self.db, source);
        self.this_clause(computation)
    }

    /// Checks the clause that the item at work is.
    fn this_clause(&mut self, computation: Option<&Computation>) -> Body {
        self.body.reserve(self.item.terms.len());
        (self.with_holes, self.readings) = (None, readings::MOST_TRIED);
        self.find_locals();
        if let ItemKind::Clause { name, clause } = &self.item.kind {
            match computation {
                Some(computation) => {
                    let head = problem::ClauseHead::Operator(name.id);
                    self.clause(clause, computation, head, true);
                }
                None => {
                    let unknown = self.error_computation(clause.patterns.len());
                    let head = problem::ClauseHead::Operator(name.id);
                    self.clause(clause, &unknown, head, false);
                }
            }
        }
        self.bound.clear();
        std::mem::take(&mut self.body)
    }

    /// Numbers that nothing decides are `Int`s.
    fn default_numbers(&mut self, bodies: &[(ItemSource, Body)]) {
        for (_, body) in bodies {
            let types = body.types.iter().map(|(_, ty)| *ty);
            let patterns = body.pattern_types.iter().map(|(_, ty)| *ty);
            let numbers = body.numbers.iter().map(|(_, ty)| *ty);
            for ty in types.chain(patterns).chain(numbers) {
                let ty = self.table.find(ty);
                if self.table.is_number_meta(ty) {
                    let int = self.table.int;
                    let _always_fits = self.table.unify(ty, int);
                }
            }
        }
    }

    fn report(&mut self, problem: Problem) {
        let is_consequence = self.lacks_patterns && problem.depends_on_variables();
        if !self.muted && !is_consequence {
            self.problems.push(problem);
        }
    }

    /// The definition that a name means, locals aside.
    fn definition(&mut self, name: Symbol) -> Option<TermDef> {
        definition(self.db, self.scope, &mut self.known_names, name)
    }

    /// Finds what the item at work binds.
    fn find_locals(&mut self) {
        let (db, scope) = (self.db, self.scope);
        let known = &mut self.known_names;
        self.body.scopes = Scopes::with(self.item, |name| definition(db, scope, known, name));
        let unknown = self.table.error;
        let local = |binder: &Binder| Local {
            name: binder.name.symbol,
            node: binder.name.id,
            ty: unknown,
            kind: binder.kind,
        };
        self.body.locals = self.body.scopes.binders().iter().map(local).collect();
    }

    /// Gives a local its type.
    fn bind_local(&mut self, local: LocalId, ty: Ty) {
        self.bound.push(local);
        let Some(bound) = self.body.locals.get_mut(local.0 as usize) else {
            return;
        };
        bound.ty = ty;
        let (name, node) = (bound.name, bound.node);
        let binder = self.body.scopes.binder(local);
        if binder.is_some_and(|binder| binder.is_shadowed)
            && let Some(definition) = self.definition(name)
        {
            self.report(Problem::Shadowed {
                source: self.source,
                node,
                definition,
            });
        }
    }
}

/// The definition that a name means, locals aside.
fn definition(
    db: &dyn Db,
    scope: SourceFile,
    known: &mut SymbolMap<Option<TermDef>>,
    name: Symbol,
) -> Option<TermDef> {
    *known
        .entry(name)
        .or_insert_with(|| resolve_term(db, scope, name))
}
