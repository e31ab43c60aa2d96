//! What is wrong with an operator, and what the checker found out about it: the queries that keep
//! what [`crate::infer`] and [`crate::report`] compute.

use std::sync::Arc;

use frank_syntax::ast::Symbol;

use crate::db::{Db, ItemSource, SourceFile, item_name};
use crate::declarations::signature_problems;
use crate::diagnostics::{Code, Diagnostic, Location, similar_name};
use crate::fixes;
use crate::groups::operators_naming;
use crate::infer::{Inference, infer_operator, infer_term};
use crate::interrupt::look;
use crate::lints::{self, Checked};
use crate::program::{Definition, OperatorDef, TermDef, scope_index};
use crate::report;
use crate::spelling::Spellings;

/// What is wrong with an operator: its signature and its clauses.
#[salsa::tracked]
pub fn operator_diagnostics(db: &dyn Db, scope: SourceFile, name: Symbol) -> Arc<[Diagnostic]> {
    look();
    let operator = OperatorDef(Definition { scope, name });
    let mut problems = signature_problems(db, scope, name);
    if let Some(mut inference) = infer_operator(db, operator) {
        problems.extend(report::diagnostics(
            db,
            scope,
            Some(operator),
            &mut inference,
        ));
        let unsigned = missing_signature(db, operator, &inference);
        let is_unsigned = unsigned.is_some();
        problems.extend(unsigned);
        let checked = Checked {
            db,
            scope,
            operator: Some(operator),
            inference: &inference,
        };
        lints::check(&checked, &mut problems);
        if is_unsigned && misspelt_operator(db, scope, name).is_some() {
            some_of_another(&mut problems);
        }
    }
    report::habits::instead(db, scope, &mut problems);
    hints_of_errors(&mut problems);
    problems.into()
}

/// Clauses without a signature that do not match everything, and whose name is nearly that of another operator, are
/// most likely some of its own: that is said, and no more.
fn some_of_another(problems: &mut Vec<Diagnostic>) {
    let count = problems.len();
    problems.retain(|problem| problem.code != Code::MissingPatterns);
    if problems.len() < count {
        let unsigned = |problem: &&mut Diagnostic| problem.code == Code::MissingSignature;
        // The other name comes first; a signature of their own would be the wrong cure.
        problems
            .iter_mut()
            .filter(unsigned)
            .for_each(|problem| problem.fixes.truncate(1));
    }
}

/// A type variable that has been found to be a misspelt type needs no hint that it may be one.
fn hints_of_errors(problems: &mut Vec<Diagnostic>) {
    let unknown: Vec<Location> = problems
        .iter()
        .filter(|problem| problem.code == Code::UnknownType)
        .map(|problem| problem.location)
        .collect();
    problems.retain(|problem| {
        problem.code != Code::LikelyMisspeltType || !unknown.contains(&problem.location)
    });
}

/// What the checker found out about the operator `name` of a program, for questions about its terms;
/// `None` if there is no such operator. Only the latest are kept: an editor asks about few operators
/// at a time.
#[salsa::tracked(no_eq, lru = 64)]
pub fn inference(db: &dyn Db, scope: SourceFile, name: Symbol) -> Option<Arc<Inference>> {
    look();
    infer_operator(db, OperatorDef(Definition { scope, name })).map(Arc::new)
}

/// As [`inference`], for a term on its own.
#[salsa::tracked(no_eq, lru = 16)]
pub fn term_inference(db: &dyn Db, scope: SourceFile, source: ItemSource) -> Arc<Inference> {
    Arc::new(infer_term(db, scope, source))
}

/// Clauses without a signature.
fn missing_signature(
    db: &dyn Db,
    operator: OperatorDef,
    inference: &Inference,
) -> Option<Diagnostic> {
    let (scope, name) = (operator.0.scope, operator.0.name);
    let items = operator.items(db);
    let (None, Some(clause)) = (items.signatures.first(), items.clauses.first()) else {
        return None;
    };
    let definition = scope_index(db, scope).named(name)?.terms.first()?;
    // Clauses of a constructor or a command are a second definition, reported as such.
    if !matches!(definition.def, TermDef::Operator(_)) {
        return None;
    }
    let at = Location::node(*clause, item_name(db, *clause)?);
    let mut problem = Diagnostic::new(
        Code::MissingSignature,
        at,
        format!("the operator `{name}` has clauses and no signature"),
    )
    .may_follow_from(name);
    let other = misspelt_operator(db, scope, name);
    if let Some(other) = other {
        let misspelt = OperatorDef(Definition { scope, name: other });
        // Without clauses of its own, and called by nobody, the signature has the name wrong, and not
        // every clause.
        if misspelt.items(db).clauses.is_empty()
            && operators_naming(db, scope, other).is_empty()
            && let Some(signature) = misspelt.items(db).signatures.first()
            && let Some(node) = item_name(db, *signature)
        {
            let place = Location::node(*signature, node);
            return Some(
                problem
                    .related(place, format!("`{other}` has a signature and no clauses"))
                    .help(format!("write `{name}` in the signature"))
                    .fix(fixes::rename(place, name.as_str())),
            );
        }
        problem = problem
            .help(format!("did you mean `{other}`, whose signature is there?"))
            .fix(fixes::rename(at, other.as_str()));
    }
    Some(match crate::inferred::signature(db, scope, inference) {
        Some(signature) => {
            let line = format!("{name} : {signature}");
            let fix = fixes::insert_above(*clause, &line, format!("write `{line}`"));
            problem
                .help(format!("write its signature: `{line}`"))
                .fix(fix)
        }
        None => problem.help(format!("write its signature above: `{name} : …`")),
    })
}

/// The operator with a signature that a clause's name is likely a misspelling of.
fn misspelt_operator(db: &dyn Db, scope: SourceFile, name: Symbol) -> Option<Symbol> {
    let near = declared_spellings(db, scope).near(name.as_str());
    similar_name(name.as_str(), near).map(Symbol::new)
}

/// The operators of a program that have a signature.
#[salsa::tracked]
fn declared_spellings(db: &dyn Db, scope: SourceFile) -> Spellings {
    let operators = scope_index(db, scope).operators();
    let declared = operators.filter(|(_, items)| !items.signatures.is_empty());
    Spellings::new(declared.map(|(name, _)| name))
}
