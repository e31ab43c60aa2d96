//! The order in which a definition is checked, where another one finds fewer problems.

use std::collections::HashSet;

use frank_syntax::ast::{Item, TermId, TermKind};

use crate::db::{Db, ItemSource, SourceFile, item};
use crate::infer::hypothesis::Order;
use crate::infer::problem::Problem;
use crate::infer::{Inference, Resolved, infer_operator_if, infer_term_if};
use crate::program::{OperatorDef, TermDef};
use crate::surroundings::Surroundings;
use crate::types::{Arg, Ty, TyKind};

/// Larger definitions, in terms, are not checked again in other orders.
const LARGEST: usize = 20_000;

/// The checker's results in the order that finds the fewest problems, if that is not the
/// language's own. A mistake may decide a type that everything behind it then seems to get wrong;
/// seen from the other side it is the only thing that is.
pub fn closest(
    db: &dyn Db,
    scope: SourceFile,
    operator: Option<OperatorDef>,
    inference: &Inference,
) -> Option<(Inference, Order)> {
    let (source, _) = inference.bodies.first()?;
    errors(inference).next()?;
    let bodies = inference.bodies.iter();
    let terms: usize = bodies
        .map(|(source, _)| item(db, *source).terms.len())
        .sum();
    if terms > LARGEST {
        return None;
    }
    let mut fewest = errors(inference).count();
    let mut closest = None;
    for order in Order::OTHERS {
        if fewest <= 1 && closest.is_some() {
            break;
        }
        let other = match operator {
            Some(operator) => infer_operator_if(db, operator, order, None)?,
            None => infer_term_if(db, scope, *source, order, None),
        };
        // Where another order finds nothing at all, the mistake is what this one found.
        let count = errors(&other).count();
        let fewer = count < fewest && items(&other) == items(inference);
        if count > 0 && (fewer || (count == fewest && is_closer(db, inference, &other))) {
            fewest = count;
            closest = Some((other, order));
        }
    }
    closest
}

/// The clauses that are wrong. One order may miss what is wrong in a clause, because a type that
/// another one knows is not known yet.
fn items(inference: &Inference) -> HashSet<ItemSource> {
    errors(inference).map(Problem::source).collect()
}

/// The problems that are more than worth a warning.
fn errors(inference: &Inference) -> impl Iterator<Item = &Problem> {
    inference.problems.iter().filter(|one| one.is_error())
}

/// Whether a call that gives the wrong type is found to do so because of what is in a thunk in it.
fn is_closer(db: &dyn Db, inference: &Inference, other: &Inference) -> bool {
    let ([problem], [inner]) = (&inference.problems[..], &other.problems[..]) else {
        return false;
    };
    let Problem::Mismatch {
        source,
        term: Some(call),
        ..
    } = problem
    else {
        return false;
    };
    let inside = match inner {
        Problem::Mismatch {
            term: Some(term), ..
        }
        | Problem::ThunkForValue { term, .. }
        | Problem::NoInstance { term, .. }
        | Problem::Ability { head: term, .. } => *term,
        _ => return false,
    };
    let item = item(db, *source);
    let surroundings = Surroundings::new(item);
    if inner.source() == *source && is_of_element(item, &surroundings, *call, inner, other) {
        return true;
    }
    let mut between = surroundings
        .ancestors(inside)
        .take_while(|term| term != call);
    let is_command = match (&item.terms[inside].kind, other.body(*source)) {
        (TermKind::Apply { head, args }, Some(body)) if args.is_empty() => matches!(
            body.names.get(*head),
            Some(Resolved::Definition(TermDef::Command(_)))
        ),
        _ => false,
    };
    inner.source() == *source
        && surroundings.ancestors(inside).any(|term| term == *call)
        && (is_command
            || between.any(|term| matches!(item.terms[term].kind, TermKind::Thunk { .. })))
}

/// Whether data in an argument is found to be wrong for what a function beside it does with a part of it, where that
/// part lacks an operator around it there: `map {x -> times x y} xs` in a derivative that `xs` is outside of.
fn is_of_element(
    item: &Item,
    surroundings: &Surroundings,
    argument: TermId,
    inner: &Problem,
    known: &Inference,
) -> bool {
    let Problem::Mismatch {
        term: Some(inside),
        expected,
        found,
        ..
    } = inner
    else {
        return false;
    };
    let Some((call, _)) = surroundings.argument_of(item, argument) else {
        return false;
    };
    let is_function = |term: TermId| {
        matches!(item.terms[term].kind, TermKind::Thunk { .. })
            && surroundings
                .argument_of(item, term)
                .is_some_and(|(other, _)| other == call)
    };
    let kind = |ty: Ty| known.table.kind(ty);
    let lacks_operator = match (kind(*expected), kind(*found)) {
        (TyKind::Variable(_), TyKind::Float) => true,
        (
            TyKind::Data(_, parts),
            part @ (TyKind::Variable(_) | TyKind::Data(..) | TyKind::Float),
        ) => parts
            .iter()
            .any(|arg| matches!(arg, Arg::Type(ty) if kind(*ty) == part)),
        _ => false,
    };
    lacks_operator && surroundings.ancestors(*inside).any(is_function)
}
