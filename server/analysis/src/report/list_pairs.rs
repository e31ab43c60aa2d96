//! `[k, v]` where a list of pairs is needed: the two are meant as one element.

use frank_syntax::ast::{Symbol, TermId, TermKind};

use super::Reporter;
use crate::db::{ItemSource, item};
use crate::diagnostics::{Code, Diagnostic, Location};
use crate::fixes;
use crate::infer::problem::{Mark, Problem};
use crate::program::{TermDef, resolve_term};
use crate::surroundings::{Parent, is_atomic};
use crate::types::{Arg, Ty, TyKind};

impl Reporter<'_> {
    /// Finds lists of two elements that have the types of the two in a pair, where pairs are needed.
    pub(super) fn pairs_as_lists(&mut self, problems: &[Problem]) {
        let pair = resolve_term(self.db, self.scope, Symbol::new("pair"));
        let Some(TermDef::Constructor(pair)) = pair else {
            return;
        };
        for problem in problems {
            let Problem::Mismatch {
                source,
                term: Some(term),
                expected,
                found,
                ..
            } = problem
            else {
                continue;
            };
            let TyKind::Data(data, args) = self.inference.table.kind(*expected).clone() else {
                continue;
            };
            let Some((list, second)) = self.other_of_two(*source, *term) else {
                continue;
            };
            let (true, [Arg::Type(one), Arg::Type(other)]) = (data == pair.data, &args[..]) else {
                continue;
            };
            let Some((mark, given)) = misfit(problems, *source, second) else {
                continue;
            };
            if !self.agree(*one, *found) || !self.agree(*other, given) {
                continue;
            }
            let finding = self.pair_for_list(*source, list, [*term, second]);
            if let Some(finding) = finding {
                self.settled.extend([problem.mark(), mark]);
                self.found.push(finding);
            }
        }
    }

    /// The list that a term is the first of two elements of, and the second one.
    fn other_of_two(&self, source: ItemSource, term: TermId) -> Option<(TermId, TermId)> {
        let Parent::Term(list) = self.surroundings(source).parent(term)? else {
            return None;
        };
        match &item(self.db, source).terms[list].kind {
            TermKind::List(elements) => match elements[..] {
                [first, second] if first == term => Some((list, second)),
                _ => None,
            },
            _ => None,
        }
    }

    fn pair_for_list(
        &self,
        source: ItemSource,
        list: TermId,
        elements: [TermId; 2],
    ) -> Option<Diagnostic> {
        let item = item(self.db, source);
        let mut text = "pair".to_owned();
        for element in elements {
            let written = self.term_text(source, element)?;
            text.push_str(&match is_atomic(item, element) {
                true => format!(" {written}"),
                false => format!(" ({written})"),
            });
        }
        let at = Location::node(source, item.terms[list].id);
        let text = format!("[{text}]");
        let message = "this list has two elements, and one pair is needed";
        Some(
            Diagnostic::new(Code::TypeMismatch, at, message)
                .help(format!("write `{text}`"))
                .fix(fixes::replace(at, &text, format!("write `{text}`"))),
        )
    }
}

/// The mismatch of a term, and its type.
fn misfit(problems: &[Problem], source: ItemSource, term: TermId) -> Option<(Mark, Ty)> {
    problems.iter().find_map(|problem| match problem {
        Problem::Mismatch {
            source: place,
            term: Some(other),
            found,
            ..
        } if (*place, *other) == (source, term) => Some((problem.mark(), *found)),
        _ => None,
    })
}
