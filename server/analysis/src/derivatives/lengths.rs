//! Lists that belong together, element by element, written with different lengths.

use frank_syntax::ast::{BinaryOperator, Item, TermId, TermKind};

use super::library;
use crate::db::{Db, ItemSource};
use crate::diagnostics::{Code, Diagnostic, Location};
use crate::infer::{Body, Resolved};
use crate::program::TermDef;
use crate::report::words::count;

/// What the library's operators that take two lists call the second.
enum Second {
    /// One number for each of the point's.
    Direction,
    /// One number for each result of the function.
    Weights,
}

pub fn diagnostics(
    db: &dyn Db,
    source: ItemSource,
    item: &Item,
    body: &Body,
    found: &mut Vec<Diagnostic>,
) {
    for (_, term) in item.terms.iter() {
        let TermKind::Apply { head, args } = &term.kind else {
            continue;
        };
        let Some(Resolved::Definition(TermDef::Operator(operator))) = body.names.get(*head) else {
            continue;
        };
        let name = operator.0.name;
        let second = match name.as_str() {
            "directional" | "jvp" | "hvp" => Second::Direction,
            "vjp" => Second::Weights,
            _ => continue,
        };
        if Some(operator.0.scope) != library(db, "ad") {
            continue;
        }
        let &[function, point, given] = &args[..] else {
            continue;
        };
        let first = match second {
            Second::Direction => Some(point),
            Second::Weights => result(item, function),
        };
        let Some(first) = first else { continue };
        let (Some(wanted), Some(has)) = (length(item, first), length(item, given)) else {
            continue;
        };
        if wanted == has {
            continue;
        }
        let place = |term: TermId| Location::node(source, item.terms[term].id);
        let numbers = count(wanted, "numbers");
        let problem = match second {
            Second::Direction => Diagnostic::new(
                Code::ListLengths,
                place(given),
                format!(
                    "the point of this `{name}` has {numbers}, and the direction has {has}: a \
                     direction has as many as the point"
                ),
            )
            .related(place(first), format!("the point: {numbers}")),
            Second::Weights => Diagnostic::new(
                Code::ListLengths,
                place(given),
                format!(
                    "the function of this `{name}` gives {numbers}, and there {} for them: each \
                     result has one",
                    weights(has)
                ),
            )
            .related(place(first), format!("the results: {numbers}")),
        };
        found.push(problem.help("make the two equally long; a run ends here with an error"));
    }
}

/// `are no weights`, `is 1 weight`, `are 2 weights`
fn weights(n: usize) -> String {
    let verb = if n == 1 { "is" } else { "are" };
    format!("{verb} {}", count(n, "weights"))
}

/// How long a list is that is written out.
fn length(item: &Item, term: TermId) -> Option<usize> {
    let mut before = 0;
    let mut rest = term;
    loop {
        match &item.terms[rest].kind {
            TermKind::List(elements) => return Some(before + elements.len()),
            TermKind::Binary {
                operator: BinaryOperator::Cons,
                right,
                ..
            } => {
                before += 1;
                rest = *right;
            }
            _ => return None,
        }
    }
}

/// What a function of one clause gives, once its variables are bound.
fn result(item: &Item, function: TermId) -> Option<TermId> {
    let TermKind::Thunk { clauses } = &item.terms[function].kind else {
        return None;
    };
    let [clause] = &clauses[..] else { return None };
    let mut result = clause.body;
    loop {
        match &item.terms[result].kind {
            TermKind::Let { body, .. } => result = *body,
            TermKind::Sequence { second, .. } => result = *second,
            _ => return Some(result),
        }
    }
}
