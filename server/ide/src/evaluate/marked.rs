//! Programs that take derivatives themselves, run so that none takes another's numbers for its own.

use frank_analysis::db::SourceFile;
use frank_analysis::marked;
use frank_core::{OperatorBody, OperatorId, Program};
use frank_syntax::ast::Symbol;

use super::closed::ClosedDerivative;
use super::plan::{Plan, Question};
use super::planning;
use super::roles::tools;
use crate::names::scope_of;
use crate::rename::Refusal;
use crate::tokens::contains_word;
use crate::{Analysis, lock};

/// The plan for an operator. If its program takes derivatives on the way, they mark their numbers.
pub(super) fn of_operator(
    analysis: &Analysis,
    file: SourceFile,
    name: &str,
    question: &Question<'_>,
) -> Result<Plan, Refusal> {
    let plain = planning::of_operator(analysis, file, name, question)?;
    if !takes_derivatives(analysis, &plain.program) {
        return Ok(plain);
    }
    let marked = |analysis: &Analysis, file| planning::of_operator(analysis, file, name, question);
    Ok(with_marks(analysis, file, plain, marked))
}

/// The plan for an application of a derivative operator that stands in a program, likewise.
pub(super) fn of_closed(
    analysis: &Analysis,
    closed: &ClosedDerivative,
    question: &Question<'_>,
) -> Result<Plan, Refusal> {
    let plain = planning::of_closed(analysis, closed, question)?;
    let db = analysis.db();
    let tools = tools(db, scope_of(db, closed.file));
    let mut inside = tools.derivatives.iter();
    let inside = inside.any(|(d, _)| contains_word(&closed.function, d.0.name.as_str()));
    if !inside && !takes_derivatives(analysis, &plain.program) {
        return Ok(plain);
    }
    Ok(with_marks(
        analysis,
        closed.file,
        plain,
        |analysis, file| {
            let closed = ClosedDerivative {
                file,
                ..closed.clone()
            };
            planning::of_closed(analysis, &closed, question)
        },
    ))
}

/// The same plan for the program with marked numbers. A program whose names do not go together with
/// those of the library that marks has none.
fn with_marks(
    analysis: &Analysis,
    file: SourceFile,
    plain: Plan,
    plan: impl FnOnce(&Analysis, SourceFile) -> Result<Plan, Refusal>,
) -> Plan {
    let marked = program(analysis, file);
    let Some(own) = marked.snapshot().file(file.path(analysis.db())) else {
        return plain;
    };
    match plan(&marked, own) {
        Ok(marked) => Plan {
            stamp: plain.stamp,
            ..marked
        },
        Err(_) => plain,
    }
}

/// The program of a file with marked numbers.
fn program(analysis: &Analysis, file: SourceFile) -> Analysis {
    let db = analysis.db();
    let scope = scope_of(db, file);
    let all = || lock(&analysis.marked);
    if let Some(known) = all().get(&scope) {
        return known.clone();
    }
    let made = Analysis::new(marked::files(db, scope).snapshot());
    all().insert(scope, made.clone());
    made
}

/// Whether an operator of the program itself mentions one of the library that differentiates.
fn takes_derivatives(analysis: &Analysis, program: &Program) -> bool {
    let library = |id: OperatorId| {
        let operator = &program.operators[id];
        let file = &program.files[operator.place.file];
        file.library.then_some((file, operator))
    };
    let differentiates = |id: OperatorId| {
        let Some((file, operator)) = library(id) else {
            return false;
        };
        let name = file.path.rsplit('/').next().unwrap_or_default();
        let name = name.strip_suffix(".fk").unwrap_or(name);
        let scope = analysis.snapshot().library_file(Symbol::new(name));
        let db = analysis.db();
        scope.is_some_and(|scope| marked::differentiates(db, scope, &operator.name))
    };
    let mut own = program
        .operators
        .iter()
        .filter(|(id, _)| library(*id).is_none());
    own.any(|(_, operator)| match &operator.body {
        OperatorBody::Handler(handler) => program
            .operators_in(handler)
            .into_iter()
            .any(differentiates),
        OperatorBody::Builtin(_) => false,
    })
}
