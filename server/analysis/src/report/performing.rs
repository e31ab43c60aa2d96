//! Computations that are handed on to run where what they perform is not handled: `map g xs` for
//! `map {x -> g x} xs`.

use frank_syntax::ast::TermId;

use super::ability::lacking;
use super::mismatch::Mismatch;
use super::{Reporter, rows};
use crate::diagnostics::{Code, Diagnostic};
use crate::infer::problem::Expectation;
use crate::scopes::LocalKind;
use crate::types::Ability;

impl Reporter<'_> {
    /// The message for a computation that is handed on to run in the ability that is here, and performs what that
    /// has not: `map g xs` for `map {x -> g x} xs`.
    pub(super) fn handed_on_without(
        &mut self,
        mismatch: Mismatch<'_>,
        (needed, given): (Ability, Ability),
        term: TermId,
    ) -> Option<Diagnostic> {
        let table = &self.inference.table;
        let (need, have) = (table.row(given), table.row(needed));
        let is_here = have == table.row(mismatch.ambient);
        let is_argument = matches!(mismatch.origin, Expectation::Argument { .. });
        let missing = lacking(&need, &have)?.clone();
        let interface = missing.interface;
        // The commands of what a command's pattern or a catch-all binds are handled by calling the operator again.
        let is_rest = matches!(
            self.local_kind(mismatch.source, term),
            Some(LocalKind::Continuation | LocalKind::CatchAll)
        );
        if !is_here || !is_argument || is_rest || !rows::instances(&have, interface).is_empty() {
            return None;
        }
        let text = self.term_text(mismatch.source, term);
        let shown = text.map_or_else(|| "this".to_owned(), |text| format!("`{text}`"));
        let problem = Diagnostic::new(
            Code::MissingAbility,
            mismatch.at,
            format!(
                "{shown} needs an instance of `{}`, and the ability here, `{}`, has none",
                interface.0.name,
                self.ability(mismatch.ambient)
            ),
        );
        let told = Diagnostic {
            told_elsewhere: true,
            ..problem.clone()
        };
        Some(
            self.cures_of_missing(problem, term, &missing, &shown)
                .unwrap_or(told),
        )
    }
}
