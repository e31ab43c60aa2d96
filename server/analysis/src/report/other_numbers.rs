//! `checkpoint {…}` in a program over the `X` of its signature: the command is for other numbers, those of one kind of
//! derivative, which no type that the caller chooses is.

use frank_syntax::ast::TermKind;

use super::Reporter;
use super::roots::place;
use super::words::article;
use crate::db::item;
use crate::diagnostics::{Code, Diagnostic, Location};
use crate::infer::problem::{Mark, Problem};
use crate::surroundings::Parent;
use crate::types::{Arg, TyKind};

impl Reporter<'_> {
    /// Finds commands that nobody handles here and that neither take nor give the numbers of the operator.
    pub(super) fn for_other_numbers(&mut self, problems: &[Problem]) {
        for problem in problems {
            let Problem::NoInstance {
                source,
                term,
                command,
                ..
            } = problem
            else {
                continue;
            };
            let Some(Parent::Term(call)) = self.surroundings(*source).parent(*term) else {
                continue;
            };
            let terms = &item(self.db, *source).terms;
            let is_call =
                matches!(&terms[call].kind, TermKind::Apply { args, .. } if !args.is_empty());
            if !is_call || self.settled.contains(&problem.mark()) {
                continue;
            }
            let inside = self.problems_in(*source, call, problems);
            let mut misfits: Vec<Mark> = Vec::new();
            let mut types = None;
            for other in problems {
                let Problem::Mismatch {
                    source: here,
                    term: Some(misfit),
                    expected,
                    found,
                    ..
                } = other
                else {
                    continue;
                };
                let is_result = *here == *source && *misfit == call;
                if !is_result && !inside.contains(&other.mark()) {
                    continue;
                }
                let (chosen, made) = match is_result {
                    true => (*expected, *found),
                    false => (*found, *expected),
                };
                let table = &self.inference.table;
                if let (TyKind::Variable(_), TyKind::Data(data, args)) =
                    (table.kind(chosen), table.kind(made))
                    && args.len() == 1
                {
                    misfits.push(other.mark());
                    if is_result {
                        types = Some((self.ty(chosen), data.0.name));
                    }
                }
            }
            let (Some((chosen, data)), true) = (types, misfits.len() > 1) else {
                continue;
            };
            let name = command.name;
            let made = format!("{data} {chosen}");
            let mut finding = Diagnostic::new(
                Code::MissingAbility,
                Location::node(*source, terms[*term].id),
                format!(
                    "`{name}` is for numbers that are {}, and here they are of any type, `{chosen}`",
                    article(&made)
                ),
            );
            let first = problems.iter().find(|one| {
                misfits.contains(&one.mark())
                    && place(self.db, one) != finding.location
                    && !matches!(one, Problem::Mismatch { term: Some(term), .. } if *term == call)
            });
            if let Some(first) = first {
                let at = place(self.db, first);
                finding = finding.related(at, format!("this is {}", article(&chosen)));
            }
            finding = finding.help(format!(
                "write the signature over `{made}`, with `{} {chosen}` and the ability of its numbers, or leave \
                 `{name}` out",
                command.interface.0.name
            ));
            self.settled.extend(misfits);
            self.settled.insert(problem.mark());
            self.found.push(finding);
        }
    }

    /// Finds calls of functions that compute with the numbers of a derivative, where there is none around.
    pub(super) fn called_outside(&mut self, problems: &[Problem]) {
        for problem in problems {
            let Problem::Ability {
                source,
                head,
                definition: None,
                ..
            } = problem
            else {
                continue;
            };
            let Some(Parent::Term(call)) = self.surroundings(*source).parent(*head) else {
                continue;
            };
            let TermKind::Apply { args, .. } = &item(self.db, *source).terms[call].kind else {
                continue;
            };
            if self.settled.contains(&problem.mark()) {
                continue;
            }
            let mut numbers = None;
            let mut misfits: Vec<Mark> = Vec::new();
            for other in problems {
                let Problem::Mismatch {
                    source: here,
                    term: Some(misfit),
                    expected,
                    found,
                    ..
                } = other
                else {
                    continue;
                };
                if here != source {
                    continue;
                }
                let table = &self.inference.table;
                if args.contains(misfit)
                    && let TyKind::Data(_, parts) = table.kind(*expected)
                    && parts.iter().any(
                        |arg| matches!(arg, Arg::Type(part) if table.kind(*part) == table.kind(*found)),
                    )
                {
                    numbers = numbers.or(Some((self.ty(*expected), self.ty(*found))));
                    misfits.push(other.mark());
                } else if *misfit == call {
                    misfits.push(other.mark());
                }
            }
            let Some((wanted, given)) = numbers else {
                continue;
            };
            let terms = &item(self.db, *source).terms;
            let name = self.head_text(*source, *head, None);
            let finding = Diagnostic::new(
                Code::MissingAbility,
                Location::node(*source, terms[*head].id),
                format!("{name} is for numbers of type `{wanted}`, and here they are of type `{given}`"),
            )
            .help(
                "only what differentiates calls it, and gives it such numbers: hand it to that, as in `d f x`, or let \
                 it be of the numbers here",
            );
            self.settled.extend(misfits);
            self.settled.insert(problem.mark());
            self.found.push(finding);
        }
    }
}
