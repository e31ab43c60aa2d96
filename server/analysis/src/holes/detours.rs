//! Detours: terms that say in more words what a smaller term says. The search leaves them out, and with them all that
//! they would be a part of.
//!
//! | Detour | Smaller term |
//! |---|---|
//! | a call of which the operator's own clauses say that it comes to its arguments alone: `id x`, `fst (pair x y)` | what they say |
//! | a call that comes to the same wherever it goes: `if b {x} {x}` | that |
//! | a handler around what performs nothing of it: `evalState s x` | what it makes of the value |
//! | a case with equal branches, or one that puts its subject together again | a branch, or the subject |
//! | an operation that says what a smaller one says, or one that is the same the other way round (`operations.rs`) | that |

use std::collections::HashMap;
use std::rc::Rc;

use frank_syntax::ast::{Item, ItemKind, PatternId, PatternKind, Symbol, TermId, TermKind};

use super::heads::Head;
use super::operations::{is_conversion_back, is_needless_operation, is_swapped, is_symmetric};
use super::pieces::{Piece, Whole, ended};
use super::probe::Probe;
use super::written::{Place, Token, text};
use crate::builtin;
use crate::db::{Db, SourceFile, item};
use crate::infer::table::Table;
use crate::program::{ConstructorDef, InterfaceDef, OperatorDef, TermDef, resolve_term};
use crate::types::{AbilityData, Arg, Tail, Ty, TyKind};

/// What is known of the operators that terms call.
#[derive(Default)]
pub(super) struct Detours {
    rules: HashMap<OperatorDef, Rc<Vec<Rule>>>,
    /// Of operators whether they take their two arguments in any order.
    symmetric: HashMap<OperatorDef, bool>,
}

/// A clause of an operator, as far as it says by itself what a call comes to.
struct Rule {
    patterns: Vec<Shape>,
    /// `None` if it comes to more than its arguments.
    body: Option<Outcome>,
}

/// What a pattern matches.
enum Shape {
    Any(Option<Symbol>),
    Constructor(ConstructorDef, Vec<Shape>),
    /// Something that is known only when it runs.
    Other,
}

/// What a clause comes to.
enum Outcome {
    Variable(Symbol),
    /// A constructor without arguments.
    Constructor,
    /// `f x…` or `f!`, where `f` is one of its variables, too.
    Call(Symbol, Vec<Outcome>),
}

/// Whether an argument is of a shape.
#[derive(Clone, Copy, PartialEq)]
enum Fits {
    Yes,
    No,
    Maybe,
}

impl Detours {
    /// Whether one of the terms that end with the last piece is a detour.
    pub fn is_one(&mut self, probe: &mut Probe<'_>, pieces: &[Piece]) -> bool {
        let mut ended = ended(pieces).into_iter();
        ended.any(|term| match term.head() {
            Some(Head::Operator {
                as_value: false, ..
            }) => {
                is_idle_handler(probe, term)
                    || is_conversion_back(term)
                    || self.is_swapped_call(probe, term)
                    || self.goes_to_arguments(probe, term)
            }
            Some(Head::Case(_)) => is_needless_case(term),
            Some(Head::Infix(operator)) => match &term.parts()[..] {
                [left, right] => is_needless_operation(&probe.literals, operator, *left, *right),
                _ => false,
            },
            _ => false,
        })
    }

    /// Whether a call of an operator that takes its arguments in any order is to be written the other way round.
    fn is_swapped_call(&mut self, probe: &Probe<'_>, call: Whole<'_>) -> bool {
        let (
            Some(Head::Operator {
                operator,
                signature,
                ..
            }),
            [left, right],
        ) = (call.head(), &call.parts()[..])
        else {
            return false;
        };
        let symmetric = self.symmetric.entry(*operator);
        *symmetric.or_insert_with(|| is_symmetric(probe.db, *operator, signature))
            && is_swapped(*left, *right)
    }

    /// Whether all that a call can come to is smaller than it, and the same.
    fn goes_to_arguments(&mut self, probe: &Probe<'_>, call: Whole<'_>) -> bool {
        let Some(Head::Operator {
            operator,
            signature,
            ..
        }) = call.head()
        else {
            return false;
        };
        let mut ports = signature.computation.ports.iter();
        if ports.any(|port| !port.adjustments.is_empty()) {
            return false;
        }
        let rules = self.rules.entry(*operator);
        let rules = rules.or_insert_with(|| Rc::new(rules_of(probe.db, *operator)));
        let rules = rules.clone();
        let args = call.parts();
        let performing: Vec<Whole<'_>> = args.iter().flat_map(|arg| performing(*arg)).collect();
        let mut outcomes: Vec<Whole<'_>> = Vec::new();
        for rule in rules.iter() {
            let mut bound = Bound::default();
            let fits = all_fit(&rule.patterns, &args, &mut bound);
            if fits == Fits::No {
                continue;
            }
            let Some(body) = &rule.body else {
                return false;
            };
            if fits == Fits::Yes && outcomes.is_empty() {
                return bound.keeps(body, &performing)
                    && bound.size(body).is_some_and(|size| size < call.size());
            }
            let Some(outcome) = bound.part(body) else {
                return false;
            };
            outcomes.push(outcome);
            if fits == Fits::Yes {
                break;
            }
        }
        let same = outcomes.first().is_some_and(|first| {
            let mut all = outcomes.iter();
            all.all(|other| other.is_equal(*first))
        });
        same && performing.is_empty()
    }
}

/// Whether a call handles what its argument does not perform.
fn is_idle_handler(probe: &mut Probe<'_>, call: Whole<'_>) -> bool {
    let Some(Head::Operator { signature, .. }) = call.head() else {
        return false;
    };
    let ports = signature.computation.ports.iter().zip(call.parts());
    let mut handling = ports.filter(|(port, _)| port.added().next().is_some());
    handling.any(|(port, arg)| {
        let mut added = port.added();
        // What is handed over and not run, as a continuation, performs nothing, either.
        !arg.performs()
            || !added.any(|instance| {
                let mut pieces = arg.all().iter();
                pieces.any(|piece| may_use(probe, &piece.head, instance.interface))
            })
    })
}

/// Whether what begins with a head may perform a command of an interface by itself.
fn may_use(probe: &mut Probe<'_>, head: &Head, interface: InterfaceDef) -> bool {
    match head {
        Head::Command { command, .. } => command.interface == interface,
        Head::Operator { signature, .. } => {
            let row = signature.types.row(signature.computation.ability);
            row.instances.iter().any(|one| one.interface == interface)
        }
        Head::Local { local, .. } => may_hold(probe.table(), local.ty, interface),
        _ => false,
    }
}

/// Whether a value of a type may have a computation that performs a command of an interface.
fn may_hold(table: &Table, ty: Ty, interface: InterfaceDef) -> bool {
    let in_row = |row: AbilityData| {
        matches!(row.tail, Tail::Meta(_) | Tail::Error)
            || row.instances.iter().any(|one| one.interface == interface)
    };
    match table.kind(ty) {
        TyKind::Data(_, args) => args.iter().any(|arg| match arg {
            Arg::Type(ty) => may_hold(table, *ty, interface),
            Arg::Ability(ability) => in_row(table.row(*ability)),
        }),
        TyKind::Computation(computation) => {
            in_row(table.row(computation.ability)) || may_hold(table, computation.result, interface)
        }
        TyKind::Meta(_) | TyKind::Error => true,
        TyKind::Int | TyKind::Float | TyKind::Char | TyKind::Variable(_) => false,
    }
}

/// Whether a case says the same in all its branches, or makes its subject again.
fn is_needless_case(term: Whole<'_>) -> bool {
    let Some(Token::Case {
        patterns,
        variables,
        ..
    }) = term.token()
    else {
        return false;
    };
    let branches = term.parts();
    let Some((first, others)) = branches.split_first() else {
        return false;
    };
    let reads = variables.iter().any(|name| first.reads(name) > 0);
    if !reads && others.iter().all(|other| other.is_equal(*first)) {
        return true;
    }
    let mut all = branches.iter().zip(patterns);
    all.all(|(branch, pattern)| text(branch.tokens(), Place::Argument) == *pattern)
}

/// The parts of a term that may perform something, as far as constructors stand around them.
fn performing(term: Whole<'_>) -> Vec<Whole<'_>> {
    match term.head() {
        Some(Head::Constructor(_)) => term.parts().into_iter().flat_map(performing).collect(),
        _ if term.performs() => vec![term],
        _ => Vec::new(),
    }
}

/// What the variables of a clause stand for.
#[derive(Default)]
struct Bound<'p> {
    variables: Vec<(Symbol, Whole<'p>)>,
}

impl<'p> Bound<'p> {
    fn of(&self, name: Symbol) -> Option<Whole<'p>> {
        let mut variables = self.variables.iter();
        let found = variables.find(|(own, _)| *own == name);
        found.map(|(_, term)| *term)
    }

    /// What a clause comes to, where that is a part of the call: an argument, or what one has in braces.
    fn part(&self, body: &Outcome) -> Option<Whole<'p>> {
        match body {
            Outcome::Variable(name) => self.of(*name),
            Outcome::Call(name, args) if args.is_empty() => {
                let run = self.of(*name)?;
                match run.token() {
                    Some(Token::Braces { .. }) => run.parts().first().copied(),
                    _ => Some(run),
                }
            }
            Outcome::Call(..) | Outcome::Constructor => None,
        }
    }

    /// Whether a clause throws away none of the arguments that do something, and changes nothing in their order.
    fn keeps(&self, body: &Outcome, performing: &[Whole<'p>]) -> bool {
        match (performing, body) {
            ([], _) => true,
            ([one], Outcome::Variable(name)) => self.of(*name).is_some_and(|of| of.is_at(*one)),
            _ => false,
        }
    }

    /// The size of what a clause comes to; `None` if it cannot be written without a `let`.
    fn size(&self, body: &Outcome) -> Option<usize> {
        match body {
            Outcome::Variable(name) => self.of(*name).map(Whole::size),
            Outcome::Constructor => Some(1),
            Outcome::Call(name, args) => {
                let head = self.of(*name)?;
                let can_be_called = match head.token()? {
                    Token::Use {
                        arguments: 0,
                        forced: false,
                        ..
                    } => true,
                    Token::Braces { variables } => {
                        variables.iter().all(|name| head.reads(name) <= 1)
                    }
                    _ => false,
                };
                let args: Option<usize> = args.iter().map(|arg| self.size(arg)).sum();
                args.filter(|_| can_be_called)
                    .map(|args| head.size() + args)
            }
        }
    }
}

fn all_fit<'p>(shapes: &[Shape], args: &[Whole<'p>], bound: &mut Bound<'p>) -> Fits {
    if shapes.len() != args.len() {
        return Fits::Maybe;
    }
    let mut all = Fits::Yes;
    for (shape, arg) in shapes.iter().zip(args) {
        let own = match (shape, arg.head()) {
            (Shape::Any(name), _) => {
                bound.variables.extend(name.map(|name| (name, *arg)));
                Fits::Yes
            }
            (Shape::Constructor(wanted, shapes), Some(Head::Constructor(given))) => {
                match wanted == given {
                    true => all_fit(shapes, &arg.parts(), bound),
                    false => Fits::No,
                }
            }
            (Shape::Constructor(..) | Shape::Other, _) => Fits::Maybe,
        };
        match own {
            Fits::Yes => {}
            Fits::No => return Fits::No,
            Fits::Maybe => all = Fits::Maybe,
        }
    }
    all
}

fn rules_of(db: &dyn Db, operator: OperatorDef) -> Vec<Rule> {
    let scope = operator.0.scope;
    let clauses = operator.items(db).clauses.iter();
    let rules = clauses.map(|source| {
        let item = item(db, *source);
        let ItemKind::Clause { clause, .. } = &item.kind else {
            return Rule {
                patterns: Vec::new(),
                body: None,
            };
        };
        let reader = Reader { db, scope, item };
        let patterns = clause.patterns.iter();
        let patterns: Vec<Shape> = patterns.map(|pattern| reader.shape(*pattern)).collect();
        let mut bound = Vec::new();
        patterns
            .iter()
            .for_each(|shape| shape.variables(&mut bound));
        Rule {
            body: reader.outcome(clause.body, &bound),
            patterns,
        }
    });
    rules.collect()
}

impl Shape {
    fn variables(&self, found: &mut Vec<Symbol>) {
        match self {
            Shape::Any(name) => found.extend(*name),
            Shape::Constructor(_, parts) => parts.iter().for_each(|part| part.variables(found)),
            Shape::Other => {}
        }
    }
}

/// Reads a clause.
struct Reader<'a> {
    db: &'a dyn Db,
    scope: SourceFile,
    item: &'a Item,
}

impl Reader<'_> {
    fn constructor(&self, name: Symbol) -> Option<ConstructorDef> {
        match resolve_term(self.db, self.scope, name) {
            Some(TermDef::Constructor(constructor)) => Some(constructor),
            _ => None,
        }
    }

    fn shape(&self, pattern: PatternId) -> Shape {
        let all = |parts: &[PatternId]| parts.iter().map(|part| self.shape(*part)).collect();
        match &self.item.patterns[pattern].kind {
            PatternKind::Name(name) if name.symbol.is_wildcard() => Shape::Any(None),
            PatternKind::Name(name) => match self.constructor(name.symbol) {
                Some(constructor) => Shape::Constructor(constructor, Vec::new()),
                None => Shape::Any(Some(name.symbol)),
            },
            PatternKind::Constructor { name, args } => match self.constructor(name.symbol) {
                Some(constructor) => Shape::Constructor(constructor, all(args)),
                None => Shape::Other,
            },
            PatternKind::List(elements) if elements.is_empty() => {
                Shape::Constructor(builtin::nil(self.db), Vec::new())
            }
            PatternKind::Cons { head, tail } => {
                Shape::Constructor(builtin::cons(self.db), all(&[*head, *tail]))
            }
            _ => Shape::Other,
        }
    }

    /// What a body comes to, if that is known of all that is bound.
    fn outcome(&self, body: TermId, bound: &[Symbol]) -> Option<Outcome> {
        match &self.item.terms[body].kind {
            TermKind::Name(name) if bound.contains(&name.symbol) => {
                Some(Outcome::Variable(name.symbol))
            }
            TermKind::Name(name) => {
                let constructor = self.constructor(name.symbol);
                constructor.map(|_| Outcome::Constructor)
            }
            TermKind::Apply { head, args } => match &self.item.terms[*head].kind {
                TermKind::Name(name) if bound.contains(&name.symbol) => {
                    let args = args.iter().map(|arg| self.outcome(*arg, bound));
                    Some(Outcome::Call(name.symbol, args.collect::<Option<_>>()?))
                }
                _ => None,
            },
            _ => None,
        }
    }
}
