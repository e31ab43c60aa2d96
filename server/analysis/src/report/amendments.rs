//! Declarations that all who use them read in another way: what is declared is the mistake, and not what
//! the clauses and the calls say, which agree.
//!
//! Of a declaration that is used wrongly, changes are tried out in everything that names it. One is taken if it
//! brings nothing and makes right what was wrong at both ends: where the name is given arguments, and
//! where these are taken.

use std::collections::HashSet;

use frank_syntax::ast::{Item, ItemKind, NodeId, PatternKind, Symbol, TermKind, TypeId, TypeKind};

use super::places::{declaration, is_own, signature_item};
use super::roots::place;
use crate::db::{Db, ItemSource, SourceFile, has_syntax_errors, item};
use crate::diagnostics::Location;
use crate::groups::operators_naming;
use crate::infer::hypothesis::{Amendment, Change, Hypothesis, Order};
use crate::infer::problem::{Expectation, Mark, Problem, marks};
use crate::infer::{Inference, infer_operator, infer_operator_if};
use crate::program::{Definition, OperatorDef, TermDef, resolve_term};
use crate::types::{Arg, TyKind};

/// Of the operators that use a name so many at most are looked at, the first ones. What the others say is
/// told of them.
const MOST_USERS: usize = 64;

/// And so many that they have fewer terms altogether.
const MOST_TERMS: usize = 20_000;

/// So many arguments of a declaration at most are tried out.
const MOST_ARGUMENTS: usize = 4;

/// What a declaration should say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Amended {
    pub definition: TermDef,
    pub amendment: Amendment,
    /// The operator among whose findings it is told.
    pub teller: OperatorDef,
    /// A place where the arguments are taken that would be right.
    pub taken: Location,
    /// A place where arguments are given that would be right.
    pub given: Location,
}

/// An argument as a declaration has it.
pub struct Argument {
    pub node: NodeId,
    pub ty: TypeId,
    /// The port changes the ability in which the argument is evaluated.
    pub is_adjusted: bool,
}

/// The arguments of a declaration, where they are written.
pub fn arguments(db: &dyn Db, definition: TermDef) -> Option<(ItemSource, Vec<Argument>)> {
    let (source, _) = declaration(db, definition)?;
    let plain = |item: &Item, args: &[TypeId]| {
        let argument = |ty: &TypeId| Argument {
            node: item.types[*ty].id,
            ty: *ty,
            is_adjusted: false,
        };
        args.iter().map(argument).collect()
    };
    let item = item(db, source);
    match (definition, &item.kind) {
        (TermDef::Operator(operator), _) => {
            let (source, item) = signature_item(db, operator)?;
            let ItemKind::Signature { ty, .. } = &item.kind else {
                return None;
            };
            let ports = ty.ports.iter().map(|port| Argument {
                node: port.id,
                ty: port.ty,
                is_adjusted: !port.adjustments.is_empty(),
            });
            Some((source, ports.collect()))
        }
        (TermDef::Constructor(one), ItemKind::Data { constructors, .. }) => {
            let declared = constructors.get(one.index as usize)?;
            Some((source, plain(item, &declared.args)))
        }
        (TermDef::Command(one), ItemKind::Interface { commands, .. }) => {
            let declared = commands.get(one.index as usize)?;
            Some((source, plain(item, &declared.args)))
        }
        _ => None,
    }
}

/// The other declarations that are worth a try.
fn candidates(db: &dyn Db, definition: TermDef) -> Option<(ItemSource, Vec<Amendment>)> {
    let (source, arguments) = arguments(db, definition)?;
    let item = item(db, source);
    let count = arguments.len().min(MOST_ARGUMENTS);
    let pairs = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
    let mut all: Vec<Amendment> = pairs.map(|(a, b)| Amendment::Exchange(a, b)).collect();
    for (index, argument) in arguments.iter().enumerate().take(count) {
        match &item.types[argument.ty].kind {
            TypeKind::Computation(suspended)
                if suspended.ports.is_empty() && suspended.peg.ability.is_none() =>
            {
                all.push(Amendment::Unsuspend(index));
            }
            TypeKind::Name { .. } if !argument.is_adjusted => {
                // What a computation in data or an interface may do is a parameter of these.
                if matches!(definition, TermDef::Operator(_)) {
                    all.push(Amendment::Suspend(index));
                }
                all.push(Amendment::List(index));
            }
            _ => {}
        }
    }
    Some((source, all))
}

/// Whether what is said of a name in an item, or of its arguments, is about what is taken, and about what is
/// given.
fn sides(definition: TermDef, user: OperatorDef, item: &Item) -> (bool, bool) {
    if let TermDef::Operator(operator) = definition {
        return (user == operator, user != operator);
    }
    let takes = item
        .patterns
        .iter()
        .any(|(_, pattern)| match &pattern.kind {
            PatternKind::Constructor { name, .. } | PatternKind::Command { name, .. } => {
                name.symbol == definition.name()
            }
            _ => false,
        });
    let gives = item.terms.iter().any(
        |(_, term)| matches!(&term.kind, TermKind::Name(name) if name.symbol == definition.name()),
    );
    (takes, gives)
}

/// An operator that names a definition, with what is wrong in it.
struct User {
    operator: OperatorDef,
    inference: Inference,
    before: HashSet<Mark>,
}

fn users(db: &dyn Db, definition: TermDef) -> Vec<User> {
    let scope = definition.scope();
    let mut names = operators_naming(db, scope, definition.name());
    // What an operator's own clauses say comes first.
    names.sort_by_key(|name| *name != definition.name());
    let operators = names
        .into_iter()
        .map(|name| OperatorDef(Definition { scope, name }));
    let mut terms = 0;
    let fits = |operator: &OperatorDef| {
        let sources = operator.items(db).clauses.iter();
        terms += sources
            .map(|source| item(db, *source).terms.len())
            .sum::<usize>();
        terms <= MOST_TERMS
    };
    let operators = operators.take(MOST_USERS).take_while(fits);
    operators
        .filter_map(|operator| user(db, operator))
        .collect()
}

fn user(db: &dyn Db, operator: OperatorDef) -> Option<User> {
    let inference = infer_operator(db, operator)?;
    Some(User {
        operator,
        before: marks(&inference.problems),
        inference,
    })
}

/// What is wrong in a user with another declaration; `None` if it has no terms.
fn marks_if(
    db: &dyn Db,
    definition: TermDef,
    amendment: Amendment,
    user: &User,
) -> Option<HashSet<Mark>> {
    let (source, body) = user.inference.bodies.first()?;
    let (term, _) = body.types.iter().next()?;
    let hypothesis = Hypothesis {
        source: *source,
        term,
        change: Change::Amend(definition, amendment),
    };
    let other = infer_operator_if(db, user.operator, Order::default(), Some(hypothesis))?;
    Some(marks(&other.problems))
}

/// The types, without arguments, that an operator's clauses give and should not.
fn results(user: &User) -> Vec<Symbol> {
    let table = &user.inference.table;
    let is_char = |arg: &Arg| matches!(arg, Arg::Type(ty) if table.kind(*ty) == &TyKind::Char);
    let mut names: Vec<Symbol> = Vec::new();
    for problem in &user.inference.problems {
        let Problem::Mismatch {
            found,
            origin: Expectation::Result,
            ..
        } = problem
        else {
            continue;
        };
        let name = match table.kind(*found) {
            TyKind::Int => Symbol::new("Int"),
            TyKind::Float => Symbol::new("Float"),
            TyKind::Char => Symbol::new("Char"),
            TyKind::Data(_, args) if matches!(&args[..], [arg] if is_char(arg)) => {
                Symbol::new("String")
            }
            TyKind::Data(data, args) if args.is_empty() => data.0.name,
            _ => continue,
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// What a declaration of a program should say for everything that is wrong with its arguments to be right.
#[salsa::tracked]
pub fn amended(db: &dyn Db, scope: SourceFile, name: Symbol) -> Option<Amended> {
    let definition = resolve_term(db, scope, name)?;
    let (source, mut amendments) = candidates(db, definition)?;
    let is_sound = is_own(db, source) && !has_syntax_errors(db, source);
    if definition.scope() != scope || !is_sound {
        return None;
    }
    // What an operator's own clauses say is asked first: there may be many who call it.
    if let TermDef::Operator(operator) = definition {
        let own = user(db, operator)?;
        amendments.extend(results(&own).into_iter().map(Amendment::Result));
        amendments.retain(|amendment| {
            let after = marks_if(db, definition, *amendment, &own);
            after.is_some_and(|after| after.is_subset(&own.before) && after != own.before)
        });
    }
    if amendments.is_empty() {
        return None;
    }
    let mut users = users(db, definition);
    // Those with something wrong tell soonest that a change is none.
    users.sort_by_key(|user| user.before.is_empty());
    let is_wrong = |user: &User| user.inference.problems.iter().any(Problem::is_error);
    if !users.iter().any(is_wrong) {
        return None;
    }
    let tried = amendments
        .into_iter()
        .filter_map(|amendment| try_amendment(db, definition, source.file(db), amendment, &users));
    let mut best: Option<(usize, Amended)> = None;
    for (solved, amended) in tried {
        match &best {
            Some((most, _)) if *most > solved => {}
            // Nobody knows which of two is meant.
            Some((most, _)) if *most == solved => return None,
            _ => best = Some((solved, amended)),
        }
    }
    best.map(|(_, amended)| amended)
}

/// How many problems a change makes right, if it brings none, and where.
fn try_amendment(
    db: &dyn Db,
    definition: TermDef,
    file: SourceFile,
    amendment: Amendment,
    users: &[User],
) -> Option<(usize, Amended)> {
    let (mut solved, mut taken, mut given, mut teller) = (0, None, None, None);
    for user in users {
        let Some(after) = marks_if(db, definition, amendment, user) else {
            continue;
        };
        if !after.is_subset(&user.before) {
            return None;
        }
        let gone = |problem: &&Problem| problem.is_error() && !after.contains(&problem.mark());
        for problem in user.inference.problems.iter().filter(gone) {
            solved += 1;
            let around = item(db, problem.source());
            let (takes, gives) = sides(definition, user.operator, around);
            let here = place(db, problem);
            taken = taken.or(takes.then_some(here));
            given = given.or(gives.then_some(here));
            let is_beside = problem.source().file(db) == file;
            teller = teller.or(is_beside.then_some(user.operator));
        }
    }
    let teller = match definition {
        TermDef::Operator(operator) => operator,
        TermDef::Constructor(_) | TermDef::Command(_) => teller?,
    };
    let amended = Amended {
        definition,
        amendment,
        teller,
        taken: taken?,
        given: given?,
    };
    // A single misfit may as well be any other mistake.
    (solved > 1).then_some((solved, amended))
}

/// Whether a use of a name is no better known to be wrong than its declaration: what takes its arguments
/// has errors itself.
#[salsa::tracked(returns(copy))]
pub fn is_contested(db: &dyn Db, scope: SourceFile, name: Symbol) -> bool {
    let Some(definition) = resolve_term(db, scope, name) else {
        return false;
    };
    if definition.scope() != scope {
        return false;
    }
    if let TermDef::Operator(operator) = definition {
        return infer_operator(db, operator).is_some_and(|inference| !inference.is_sound());
    }
    let users = users(db, definition);
    users.iter().any(|user| {
        let mut errors = user.inference.problems.iter().filter(|one| one.is_error());
        errors.any(|problem| sides(definition, user.operator, item(db, problem.source())).0)
    })
}
