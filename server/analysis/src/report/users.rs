//! Who uses a declaration, and what would be wrong with them if it said something else.

use std::collections::HashSet;

use frank_syntax::ast::{Item, PatternKind, TermKind};

use crate::db::{Db, item};
use crate::groups::operators_naming;
use crate::infer::hypothesis::{Amendment, Change, Hypothesis, Order};
use crate::infer::problem::{Mark, marks};
use crate::infer::{Inference, infer_operator, infer_operator_if};
use crate::program::{Definition, OperatorDef, TermDef};

/// Of the operators that use a name so many at most are looked at, the first ones. What the others say is
/// told of them.
const MOST_USERS: usize = 64;

/// And so many that they have fewer terms altogether.
const MOST_TERMS: usize = 20_000;

/// Whether what is said of a name in an item, or of its arguments, is about what is taken, and about what is
/// given.
pub(super) fn sides(definition: TermDef, user: OperatorDef, item: &Item) -> (bool, bool) {
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
pub(super) struct User {
    pub operator: OperatorDef,
    pub inference: Inference,
    pub before: HashSet<Mark>,
}

pub(super) fn users(db: &dyn Db, definition: TermDef) -> Vec<User> {
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

pub(super) fn user(db: &dyn Db, operator: OperatorDef) -> Option<User> {
    let inference = infer_operator(db, operator)?;
    Some(User {
        operator,
        before: marks(&inference.problems),
        inference,
    })
}

/// What is wrong in a user with another declaration; `None` if it has no terms.
pub(super) fn marks_if(
    db: &dyn Db,
    definition: TermDef,
    amendment: Amendment,
    user: &User,
) -> Option<HashSet<Mark>> {
    inference_if(db, definition, amendment, user).map(|other| marks(&other.problems))
}

pub(super) fn inference_if(
    db: &dyn Db,
    definition: TermDef,
    amendment: Amendment,
    user: &User,
) -> Option<Inference> {
    let (source, body) = user.inference.bodies.first()?;
    let (term, _) = body.types.iter().next()?;
    let hypothesis = Hypothesis {
        source: *source,
        term,
        change: Change::Amend(definition, amendment),
    };
    infer_operator_if(db, user.operator, Order::default(), Some(hypothesis))
}

/// What is known with another declaration that makes something right in a user, and nothing wrong.
pub(super) fn bettered(
    db: &dyn Db,
    definition: TermDef,
    amendment: Amendment,
    user: &User,
) -> Option<Inference> {
    let known = inference_if(db, definition, amendment, user)?;
    let after = marks(&known.problems);
    (after.is_subset(&user.before) && after != user.before).then_some(known)
}
