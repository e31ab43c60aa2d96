//! Lists all of whose elements are of another type than is needed: the list is the mistake, once.

use frank_syntax::ast::{TermId, TermKind};

use super::Reporter;
use crate::db::{ItemSource, item};
use crate::diagnostics::{Code, Diagnostic, Location};
use crate::infer::problem::{Mark, Problem};
use crate::surroundings::Parent;
use crate::types::{Ty, TyKind};

impl Reporter<'_> {
    /// Finds lists of several elements, none of which has the type that is needed.
    pub(super) fn wrong_elements(&mut self, problems: &[Problem]) {
        let mut seen: Vec<(ItemSource, TermId)> = Vec::new();
        for problem in problems {
            let Problem::Mismatch {
                source,
                term: Some(term),
                expected,
                ..
            } = *problem
            else {
                continue;
            };
            let Some(Parent::Term(list)) = self.surroundings(source).parent(term) else {
                continue;
            };
            let TermKind::List(elements) = &item(self.db, source).terms[list].kind else {
                continue;
            };
            if elements.len() < 2 || seen.contains(&(source, list)) {
                continue;
            }
            seen.push((source, list));
            let misfits: Option<Vec<(Mark, Ty)>> = elements
                .iter()
                .map(|element| self.misfit_of(problems, source, *element, expected))
                .collect();
            let Some(misfits) = misfits else { continue };
            let is_settled = |(mark, _): &(Mark, Ty)| self.settled.contains(mark);
            let Some((_, found)) = misfits.first().copied() else {
                continue;
            };
            if misfits.iter().any(is_settled) {
                continue;
            }
            let finding = self.of_wrong_elements(source, list, expected, found);
            self.settled.extend(misfits.iter().map(|(mark, _)| *mark));
            self.found.push(finding);
        }
    }

    fn misfit_of(
        &self,
        problems: &[Problem],
        source: ItemSource,
        element: TermId,
        needed: Ty,
    ) -> Option<(Mark, Ty)> {
        problems.iter().find_map(|problem| match problem {
            Problem::Mismatch {
                source: place,
                term: Some(term),
                expected,
                found,
                ..
            } if (*place, *term) == (source, element) && self.ty(*expected) == self.ty(needed) => {
                Some((problem.mark(), *found))
            }
            _ => None,
        })
    }

    fn of_wrong_elements(
        &self,
        source: ItemSource,
        list: TermId,
        needed: Ty,
        found: Ty,
    ) -> Diagnostic {
        let at = Location::node(source, item(self.db, source).terms[list].id);
        let elements = match self.is_number(found) {
            true => "numbers".to_owned(),
            false => format!("values of type `{}`", self.ty(found)),
        };
        let is_text = matches!(self.inference.table.kind(needed), TyKind::Char);
        let wanted = match is_text {
            true => "a `String`".to_owned(),
            false => format!("a list of values of type `{}`", self.ty(needed)),
        };
        let problem = Diagnostic::new(
            Code::TypeMismatch,
            at,
            format!("this is a list of {elements}, but {wanted} is needed"),
        );
        if !self.is_number(found) {
            return problem;
        }
        let text = self.term_text(source, list);
        let text = text.unwrap_or_else(|| "…".to_owned());
        if is_text {
            problem.help(format!(
                "`showList showInt {text}`, with the prelude's `showList`, makes one of it"
            ))
        } else if self.is_string(needed) {
            problem.help(format!(
                "`map showInt {text}`, with the prelude's `map`, shows each of them"
            ))
        } else {
            problem
        }
    }
}
