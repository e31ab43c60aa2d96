//! Operators on one type of numbers where a derivative computes with numbers of its own: `grad {x -> poly x} 2.0`
//! for a `poly : Float -> Float`.

use frank_syntax::ast::{TermId, TermKind};

use super::Reporter;
use super::words::article;
use crate::db::{ItemSource, item};
use crate::diagnostics::{Code, Diagnostic, Location};
use crate::infer::hypothesis::Change;
use crate::infer::problem::{Expectation, Mark, Problem};
use crate::program::TermDef;
use crate::types::{Arg, Computation, Ty, TyKind};

/// How an operator is written that can be differentiated.
const FOR_ANY_NUMBER: &str = "what is differentiated works for any numbers: its signature has a type variable, as in \
                              `X -> [Smooth X]X`, and its clauses the operators of `Smooth`";

impl Reporter<'_> {
    /// Finds calls of operators on `Float`s that are given, and have to give, data of them.
    pub(super) fn for_one_number(&mut self, problems: &[Problem]) {
        for problem in problems {
            let Problem::Mismatch {
                source,
                expected,
                found,
                origin: Expectation::Argument { call, .. },
                ..
            } = problem
            else {
                continue;
            };
            if self.settled.contains(&problem.mark()) || !self.is_made_of(*found, *expected) {
                continue;
            }
            let (number, given) = (*expected, *found);
            let TermKind::Apply { head, .. } = &item(self.db, *source).terms[*call].kind else {
                continue;
            };
            let Some(TermDef::Operator(operator)) = self.definition_of(*source, *head) else {
                continue;
            };
            let Some(marks) = self.misfits_of(problems, *source, *call, number) else {
                continue;
            };
            let Some(trial) = self.try_out(*source, *head, Change::Accept) else {
                return;
            };
            if !marks.iter().all(|mark| trial.solves(*mark)) {
                continue;
            }
            let name = operator.0.name;
            let (own, needed) = (article(&self.ty(number)), article(&self.ty(given)));
            let finding = Diagnostic::new(
                Code::TypeMismatch,
                Location::node(*source, item(self.db, *source).terms[*head].id),
                format!(
                    "`{name}` makes {own} of {own}, and here it has to make {needed} of {needed}"
                ),
            )
            .help(FOR_ANY_NUMBER);
            let finding = self.declared(finding, TermDef::Operator(operator));
            self.settled.extend(trial.solved);
            self.found.push(finding);
        }
    }

    /// Adds how an operator is written that can be differentiated, where one on `Float`s is given.
    pub(super) fn handed_for_one_number(
        &self,
        problem: Diagnostic,
        expected: &Computation,
        found: &Computation,
    ) -> Diagnostic {
        let mut ports = expected.ports.iter().zip(&found.ports);
        let takes = ports.any(|(needed, own)| self.is_made_of(needed.ty, own.ty));
        match takes && self.is_made_of(expected.result, found.result) {
            true => problem.help(FOR_ANY_NUMBER),
            false => problem,
        }
    }

    /// Whether a type is data of a number type: `Prop Float` of `Float`.
    fn is_made_of(&self, data: Ty, number: Ty) -> bool {
        let table = &self.inference.table;
        let TyKind::Data(_, args) = table.kind(data) else {
            return false;
        };
        let is_it =
            |arg: &Arg| matches!(arg, Arg::Type(ty) if table.kind(*ty) == table.kind(number));
        matches!(table.kind(number), TyKind::Float | TyKind::Int) && args.iter().any(is_it)
    }

    /// What is wrong with a call that takes and gives numbers, where data of them is given and needed; `None` if
    /// only one of the two is so.
    fn misfits_of(
        &self,
        problems: &[Problem],
        source: ItemSource,
        call: TermId,
        number: Ty,
    ) -> Option<Vec<Mark>> {
        let table = &self.inference.table;
        let is_number = |ty: Ty| table.kind(ty) == table.kind(number);
        let gives = problems.iter().find(|problem| {
            matches!(problem, Problem::Mismatch { source: place, term: Some(term), expected, found, .. }
                if (*place, *term) == (source, call) && is_number(*found) && self.is_made_of(*expected, number))
        })?;
        let takes = problems.iter().filter(|problem| {
            matches!(problem, Problem::Mismatch { source: place, origin: Expectation::Argument { call: of, .. }, .. }
                if (*place, *of) == (source, call))
        });
        Some(
            std::iter::once(gives)
                .chain(takes)
                .map(Problem::mark)
                .collect(),
        )
    }
}
