//! Detours: terms that say in more words what a smaller term says. The search leaves them out, and with them all that
//! they would be a part of.
//!
//! | Detour | Smaller term |
//! |---|---|
//! | a call of which the operator's own clauses say that it comes to its arguments alone: `id x`, `fst (pair x y)` | what they say |
//! | a call that comes to the same wherever it goes: `if b {x} {x}` | that |
//! | a handler around what performs nothing of it: `evalState s x` | what it makes of the value |
//! | a handler around a command alone, whose clauses say at once what comes of it: `catch abort! {x}`, `evalState x get!` (`handled.rs`) | that |
//! | braces around a call of what has a name: `{x -> f x}` | the name |
//! | a case with equal branches, or one that puts its subject together again | a branch, or the subject |
//! | an operation that says what a smaller one says, or one that is the same the other way round (`operations.rs`) | that |

use std::collections::HashMap;
use std::rc::Rc;

use frank_syntax::ast::{Item, ItemKind, PatternId, PatternKind, Symbol, TermId, TermKind};

use super::handled::answers_at_once;
use super::heads::{Head, HeadKind};
use super::operations::{Joins, is_conversion_back, is_needless_operation};
use super::pieces::{Piece, Whole, ended};
use super::probe::Probe;
use super::written::{Place, Token, text};
use crate::builtin;
use crate::db::{Db, SourceFile, item};
use crate::infer::table::Table;
use crate::program::{
    CommandDef, ConstructorDef, InterfaceDef, OperatorDef, TermDef, resolve_term,
};
use crate::types::{AbilityData, Arg, Computation, Tail, Ty, TyKind};

/// What is known of the operators that terms call.
#[derive(Default)]
pub(super) struct Detours {
    rules: HashMap<OperatorDef, Rc<Vec<Rule>>>,
    /// Of operators with two arguments what they make of them.
    joins: HashMap<OperatorDef, Option<Joins>>,
    /// Of handlers around a command alone whether they come to something smaller.
    answers: HashMap<(OperatorDef, usize, CommandDef), bool>,
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
                    || self.is_needless_call(probe, term)
                    || self.goes_to_arguments(probe, term)
                    || self.handles_one_command(probe, term)
            }
            Some(Head::Braces) => is_named_already(probe, term),
            Some(Head::Case(_)) => is_needless_case(term),
            Some(Head::Infix(operator)) => match &term.parts()[..] {
                [left, right] => is_needless_operation(&probe.literals, operator, *left, *right),
                _ => false,
            },
            _ => false,
        })
    }

    /// Whether a call of an operator with two arguments says in other words what an operation or an argument says.
    fn is_needless_call(&mut self, probe: &Probe<'_>, call: Whole<'_>) -> bool {
        let (
            Some(Head::Operator {
                operator,
                signature,
                kind,
                ..
            }),
            [left, right],
        ) = (call.head(), &call.parts()[..])
        else {
            return false;
        };
        let joins = self.joins.entry(*operator);
        let joins = joins.or_insert_with(|| Joins::of(probe.db, *operator, signature));
        *kind != HeadKind::Itself && joins.is_some_and(|joins| joins.is_needless(*left, *right))
    }

    /// Whether a call handles a command that stands alone, and its clauses say at once what comes of that:
    /// `catch abort! {x}`, `evalState x get!`.
    fn handles_one_command(&mut self, probe: &Probe<'_>, call: Whole<'_>) -> bool {
        let Some(Head::Operator {
            operator,
            signature,
            ..
        }) = call.head()
        else {
            return false;
        };
        let args = call.parts();
        let ports = signature.computation.ports.iter();
        let mut handling = ports
            .enumerate()
            .filter(|(_, port)| !port.adjustments.is_empty());
        let (Some((at, port)), None) = (handling.next(), handling.next()) else {
            return false;
        };
        let Some(Head::Command {
            command,
            dropped: 0,
        }) = args.get(at).and_then(|arg| arg.head())
        else {
            return false;
        };
        let given = args.iter().enumerate().filter(|(place, _)| *place != at);
        let mut given = given
            .map(|(_, arg)| *arg)
            .chain(args.get(at).into_iter().flat_map(|arg| arg.parts()));
        let mut added = port.added();
        if given.any(Whole::performs)
            || !added.any(|instance| instance.interface == command.interface)
        {
            return false;
        }
        let answers = self.answers.entry((*operator, at, *command));
        *answers.or_insert_with(|| answers_at_once(probe.db, *operator, at, *command))
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

/// Whether a computation in braces hands what it is given to something that has a name and can stand there itself:
/// `{x -> f x}`, `{f!}`.
fn is_named_already(probe: &mut Probe<'_>, braces: Whole<'_>) -> bool {
    let (Some(Token::Braces { variables }), [call]) = (braces.token(), &braces.parts()[..]) else {
        return false;
    };
    let takes_values = |called: &Computation| {
        let mut ports = called.ports.iter();
        ports.all(|port| port.adjustments.is_empty())
    };
    let handles_nothing = match call.head() {
        Some(Head::Operator {
            as_value: false,
            signature,
            ..
        }) => takes_values(&signature.computation),
        Some(Head::Local {
            local,
            as_value: false,
        }) => match probe.table().kind(local.ty) {
            TyKind::Computation(called) => takes_values(called),
            _ => false,
        },
        _ => false,
    };
    let Some(Token::Use {
        adaptors: None,
        name,
        ..
    }) = call.token()
    else {
        return false;
    };
    let args = call.parts();
    let hands_on = args.iter().zip(variables).all(|(arg, variable)| {
        let is_value = matches!(arg.head(), Some(Head::Local { as_value: true, .. }));
        is_value && arg.reads(variable) == 1
    });
    handles_nothing && args.len() == variables.len() && hands_on && !variables.contains(name)
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
