//! `f <m> x`: what stands in the brackets is meant to run, and is compared with what is around it.

use frank_syntax::ast::{BinaryOperator, TermId, TermKind};
use text_size::TextRange;

use super::Reporter;
use crate::db::{ItemSource, item};
use crate::diagnostics::{Code, Diagnostic, Fix, Location};
use crate::fixes;
use crate::infer::problem::{Expectation, Problem};
use crate::program::resolve_row;
use crate::types::TyKind;

impl Reporter<'_> {
    /// Finds `<m>` with nothing between the brackets and the name, where two comparisons cannot be meant: the
    /// first gives no number.
    pub(super) fn compared_brackets(&mut self, problems: &[Problem]) {
        for problem in problems {
            let (operation, term) = match problem {
                Problem::Mismatch {
                    term: Some(term),
                    origin: Expectation::Operand { operation },
                    ..
                } => (Some(*operation), *term),
                Problem::UnknownName {
                    source,
                    node,
                    name,
                    pattern: false,
                    ..
                } if resolve_row(self.db, self.scope, *name).is_some() => {
                    match self.term_at(Location::node(*source, *node)) {
                        Some(term) => (None, term),
                        None => continue,
                    }
                }
                _ => continue,
            };
            if self.settled.contains(&problem.mark()) {
                continue;
            }
            let source = problem.source();
            let surroundings = self.surroundings(source);
            let around = operation.into_iter().chain(surroundings.ancestors(term));
            let found = around.into_iter().find_map(|operation| {
                let finding = self.compared_bracket(source, operation)?;
                Some((operation, finding))
            });
            if let Some((operation, finding)) = found {
                let inside = self.problems_in(source, operation, problems);
                self.settled.extend(inside);
                self.found.push(finding);
            }
        }
    }

    fn compared_bracket(&self, source: ItemSource, operation: TermId) -> Option<Diagnostic> {
        let item = item(self.db, source);
        let TermKind::Binary {
            operator: BinaryOperator::Greater,
            operator_id: close,
            left: first,
            ..
        } = item.terms[operation].kind
        else {
            return None;
        };
        let TermKind::Binary {
            operator: BinaryOperator::Less,
            operator_id: open,
            right: name,
            ..
        } = item.terms[first].kind
        else {
            return None;
        };
        let TermKind::Name(inner) = &item.terms[name].kind else {
            return None;
        };
        let range = |node| Location::node(source, node).in_item(self.db);
        let (open, inside, close) = (range(open), range(item.terms[name].id), range(close));
        if open.end() != inside.start() || inside.end() != close.start() {
            return None;
        }
        let at = Location::range(source, TextRange::new(open.start(), close.end()));
        let name_text = inner.symbol;
        if resolve_row(self.db, self.scope, name_text).is_some() {
            let message = "what is adapted needs parentheses as an argument";
            return Some(
                Diagnostic::new(Code::OtherLanguage, at, message).help(format!(
                    "write `(<{name_text}> f!)`, or `(<{name_text}> (f x))`"
                )),
            );
        }
        let finding = Diagnostic::new(
            Code::NotANumber,
            at,
            format!("this compares `{name_text}` with what stands before and behind it"),
        );
        let ty = self.type_of(source, name)?;
        let is_suspended = matches!(
            self.inference.table.kind(ty),
            TyKind::Computation(taken) if taken.ports.is_empty()
        );
        Some(match is_suspended {
            true => finding.help(format!("`{name_text}!` runs it")).fix(Fix {
                safe: false,
                ..fixes::replace(
                    at,
                    &format!("{name_text}!"),
                    format!("write `{name_text}!`"),
                )
            }),
            false => {
                finding.help("brackets stand around an adaptor, in front of a term: `(<Abort> m!)`")
            }
        })
    }
}
