//! Lists that belong together, element by element, written with different lengths.

use frank_syntax::ast::{BinaryOperator, Item, ItemKind, Symbol, TermId, TermKind};

use super::Checked;
use super::shared_numbers::result;
use crate::db::{Db, ItemSource, Origin, has_syntax_errors, item};
use crate::derivatives::library;
use crate::diagnostics::{Code, Diagnostic, Location};
use crate::infer::{Body, Resolved};
use crate::program::{OperatorDef, TermDef, operator_items, resolve_term};
use crate::report::words::count;
use crate::scopes::Scopes;

/// Reports calls with two lists that a rule says belong together.
pub fn check(checked: &Checked<'_>, found: &mut Vec<Diagnostic>) {
    let db = checked.db;
    for (source, body) in &checked.inference.bodies {
        if !has_syntax_errors(db, *source) {
            in_item(db, *source, item(db, *source), body, found);
        }
    }
}

fn in_item(db: &dyn Db, source: ItemSource, item: &Item, body: &Body, found: &mut Vec<Diagnostic>) {
    for (_, term) in item.terms.iter() {
        let TermKind::Apply { head, args } = &term.kind else {
            continue;
        };
        let Some(Resolved::Definition(TermDef::Operator(operator))) = body.names.get(*head) else {
            continue;
        };
        // Only what is written out has a length.
        if !args.iter().any(|arg| length(item, *arg).is_some()) {
            continue;
        }
        let name = operator.0.name;
        let place = |term: TermId| Location::node(source, item.terms[term].id);
        for rule in rules(db, *operator) {
            let (Some(first), Some(second)) = (args.get(rule.first), args.get(rule.second)) else {
                continue;
            };
            let (Some(wanted), Some(has)) = (length(item, *first), length(item, *second)) else {
                continue;
            };
            if wanted == has {
                continue;
            }
            let message = format!(
                "`{name}` is given a list of {} here, and one of {has}: {}",
                count(wanted, "elements"),
                rule.says
            );
            let problem = Diagnostic::new(Code::ListLengths, place(*second), message);
            let problem = problem.related(place(*first), count(wanted, "elements"));
            found.push(problem.help(ADVICE));
        }
        if let Some(problem) = weights(db, source, item, *operator, args) {
            found.push(problem);
        }
    }
}

const ADVICE: &str = "make the two equally long; a run ends here with an error";

/// Two arguments that an operator demands to be equally long.
struct Rule {
    first: usize,
    second: usize,
    says: String,
}

/// The rules of a library's operator: those of its parameters that it gives to `sameLength`.
fn rules(db: &dyn Db, operator: OperatorDef) -> Vec<Rule> {
    let mut rules = Vec::new();
    let definition = operator.0;
    let demands = Symbol::new("sameLength");
    let means = resolve_term(db, definition.scope, demands);
    if definition.scope.origin(db) == Origin::Workspace
        || means.is_none_or(|means| Some(means.scope()) != library(db, "ad"))
    {
        return rules;
    }
    for source in &operator_items(db, definition.scope, definition.name).clauses {
        let item = item(db, *source);
        let ItemKind::Clause { clause, .. } = &item.kind else {
            continue;
        };
        let scopes = Scopes::new(db, definition.scope, item);
        let parameter = |term: TermId| {
            let read = scopes.read_by(term)?;
            let mut patterns = clause.patterns.iter();
            patterns.position(|pattern| scopes.bound_by_pattern(*pattern) == Some(read))
        };
        for (_, term) in item.terms.iter() {
            let TermKind::Apply { head, args } = &term.kind else {
                continue;
            };
            let (TermKind::Name(called), [says, first, second]) =
                (&item.terms[*head].kind, &args[..])
            else {
                continue;
            };
            if called.symbol == demands
                && let TermKind::String(says) = &item.terms[*says].kind
                && let (Some(first), Some(second)) = (parameter(*first), parameter(*second))
            {
                let prefix = format!("`{}`: ", definition.name);
                let says = says.strip_prefix(&prefix).unwrap_or(says).to_owned();
                rules.push(Rule {
                    first,
                    second,
                    says,
                });
            }
        }
    }
    rules
}

/// The weights of a `vjp` belong to what its function gives.
fn weights(
    db: &dyn Db,
    source: ItemSource,
    item: &Item,
    operator: OperatorDef,
    args: &[TermId],
) -> Option<Diagnostic> {
    let name = operator.0.name;
    if name.as_str() != "vjp" || Some(operator.0.scope) != library(db, "ad") {
        return None;
    }
    let &[function, _, given] = args else {
        return None;
    };
    let results = result_of(item, function)?;
    let (wanted, has) = (length(item, results)?, length(item, given)?);
    if wanted == has {
        return None;
    }
    let place = |term: TermId| Location::node(source, item.terms[term].id);
    let numbers = count(wanted, "numbers");
    let message = format!(
        "the function of this `{name}` gives {numbers}, and there {} for them: each result has one",
        are_weights(has)
    );
    let problem = Diagnostic::new(Code::ListLengths, place(given), message)
        .related(place(results), format!("the results: {numbers}"));
    Some(problem.help(ADVICE))
}

/// `are no weights`, `is 1 weight`, `are 2 weights`
fn are_weights(n: usize) -> String {
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
fn result_of(item: &Item, function: TermId) -> Option<TermId> {
    let TermKind::Thunk { clauses } = &item.terms[function].kind else {
        return None;
    };
    let [clause] = &clauses[..] else { return None };
    Some(result(item, clause.body))
}

#[cfg(test)]
mod tests {
    use crate::diagnostics::Code;
    use crate::lints::tests::found;

    #[test]
    fn lists_of_one_call_have_one_length() {
        assert_eq!(
            found(
                Code::ListLengths,
                "include ad\n\nf : [0] Float\nf! = evaluate (directional {xs -> dot xs xs} [1, 2, 3] [1])\n"
            ),
            ["[1]"]
        );
        assert!(found(Code::ListLengths, "include ad\n\nf : [0] Float\nf! = evaluate (directional {xs -> dot xs xs} [1, 2] [1, 0])\n").is_empty());
    }
}
