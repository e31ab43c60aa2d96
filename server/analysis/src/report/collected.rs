//! Calls that perform what an operator would make the needed value of: `sum (countTo 5)` for
//! `sum (collect (countTo 5))`.

use frank_syntax::ast::{TermId, TermKind};

use super::Reporter;
use super::ability::lacking;
use super::catalogue::{catalogues, in_sight};
use super::words::{article, listed};
use crate::db::{ItemSource, item};
use crate::declarations::sound_signature;
use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Position};
use crate::infer::problem::{Mark, Problem};
use crate::program::OperatorDef;
use crate::surroundings::Parent;
use crate::types::{Adjustment, Arg, Instance, Ty, TyKind};

/// Of more than so many nobody knows which is meant.
const MOST: usize = 3;

impl Reporter<'_> {
    /// Finds the terms that perform what is not handled around them, and are of the wrong type, where an
    /// operator handles the one and makes the other.
    pub(super) fn uncollected(&mut self, problems: &[Problem]) {
        // Where everything is handled nothing depends on where terms stand.
        let mut unhandled = problems
            .iter()
            .filter_map(|one| self.missing_interface(one));
        if unhandled.next().is_none() {
            return;
        }
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
            let is_code = |ty: Ty| matches!(self.inference.table.kind(ty), TyKind::Computation(_));
            if self.settled.contains(&problem.mark()) || is_code(*found) || is_code(*expected) {
                continue;
            }
            let whole = self.ended_by(*source, *term);
            let inside = self.problems_in(*source, whole, problems);
            let Some(instance) = self.unhandled_in(&inside, problem.mark(), problems) else {
                continue;
            };
            let fitting = self.collectors(&instance, *found, *expected);
            if fitting.is_empty() || fitting.len() > MOST {
                continue;
            }
            let names: Vec<String> = fitting
                .iter()
                .map(|one| format!("`{}`", one.0.name))
                .collect();
            let (performed, given, wanted) = (
                self.show().instance(&instance),
                self.ty(*found),
                self.ty(*expected),
            );
            let Some((at, text)) = self.whole(*source, whole) else {
                continue;
            };
            let finding = Diagnostic::new(
                Code::TypeMismatch,
                at,
                format!(
                    "this performs the commands of `{performed}` and gives {}, but {} is needed",
                    article(&given),
                    article(&wanted)
                ),
            )
            .help(format!(
                "{} handles them, and makes {} of it",
                listed(&names, MOST),
                article(&wanted)
            ));
            let finding = match &fitting[..] {
                [one] => {
                    let is_closed = text.starts_with(['(', '{', '[']);
                    let argument = match is_closed {
                        true => text,
                        false => format!("({text})"),
                    };
                    let called = format!("{} {argument}", one.0.name);
                    let needs = is_closed
                        || self
                            .surroundings(*source)
                            .needs_parentheses(item(self.db, *source), whole);
                    let text = if needs { format!("({called})") } else { called };
                    finding.fix(Fix {
                        title: format!("handle it by `{}`", one.0.name),
                        edits: vec![Edit {
                            location: at,
                            position: Position::Replace,
                            text,
                        }],
                        safe: false,
                    })
                }
                _ => finding,
            };
            self.settled.extend(inside);
            self.found.push(finding);
        }
    }

    /// The sequence that a term is the end of, or the term.
    fn ended_by(&self, source: ItemSource, term: TermId) -> TermId {
        let item = item(self.db, source);
        let surroundings = self.surroundings(source);
        let mut whole = term;
        while let Some(Parent::Term(parent)) = surroundings.parent(whole) {
            match &item.terms[parent].kind {
                TermKind::Sequence { second, .. } if *second == whole => whole = parent,
                TermKind::Let { body, .. } if *body == whole => whole = parent,
                _ => break,
            }
        }
        whole
    }

    /// The instance that is missing in a term, if that is all that is wrong in it but for its type.
    fn unhandled_in(&self, inside: &[Mark], own: Mark, problems: &[Problem]) -> Option<Instance> {
        let mut missing: Option<Instance> = None;
        for problem in problems {
            let mark = problem.mark();
            if mark == own || !inside.contains(&mark) || !problem.is_error() {
                continue;
            }
            let instance = match problem {
                Problem::NoInstance { instance, .. } => instance.clone(),
                // What goes on is to be handled again by what it goes on in.
                Problem::Ability { source, head, .. } if self.is_continuation(*source, *head) => {
                    return None;
                }
                Problem::Ability {
                    needed, ambient, ..
                } => {
                    let table = &self.inference.table;
                    lacking(&table.row(*needed), &table.row(*ambient))?.clone()
                }
                _ => return None,
            };
            match &missing {
                Some(known) if known.interface != instance.interface => return None,
                Some(_) => {}
                None => missing = Some(instance),
            }
        }
        missing
    }

    /// The operators in sight that take a computation of one type alone, handle an instance in it, and give
    /// another type.
    fn collectors(&mut self, instance: &Instance, found: Ty, expected: Ty) -> Vec<OperatorDef> {
        let mut candidates: Vec<OperatorDef> = Vec::new();
        for catalogue in catalogues(self.db, self.scope) {
            for (interface, operator, _) in &catalogue.handlers {
                let is_meant = *interface == instance.interface
                    && in_sight(self.db, self.scope, *operator)
                    && !candidates.contains(operator)
                    && Some(*operator) != self.operator;
                candidates.extend(is_meant.then_some(*operator));
            }
        }
        candidates.retain(|operator| self.collects(*operator, instance, found, expected));
        candidates
    }

    fn collects(
        &mut self,
        operator: OperatorDef,
        instance: &Instance,
        found: Ty,
        expected: Ty,
    ) -> bool {
        let Some(declared) = sound_signature(self.db, operator.0.scope, operator.0.name).as_ref()
        else {
            return false;
        };
        // What the operator performs itself would have to be handled in its turn.
        let performs = declared.types.row(declared.computation.ability);
        if declared.computation.ports.len() != 1 || !performs.instances.is_empty() {
            return false;
        }
        let table = &mut self.inference.table;
        let before = table.snapshot();
        let made = table.instantiate(declared);
        let fits = made.ports.first().is_some_and(|port| {
            let added = match &port.adjustments[..] {
                [Adjustment::Instance(added)] => added,
                _ => return false,
            };
            let arguments = added.args.iter().zip(instance.args.iter());
            let mut arguments = arguments.filter_map(|pair| match pair {
                (Arg::Type(a), Arg::Type(b)) => Some((*a, *b)),
                _ => None,
            });
            table.unify(port.ty, found).is_ok()
                && arguments.all(|(a, b)| table.unify(a, b).is_ok())
                && table.unify(made.result, expected).is_ok()
        });
        // A variable that stands for whatever is needed says nothing of what is made.
        let is_made = match declared.types.kind(declared.computation.result) {
            TyKind::Variable(_) => false,
            _ => fits,
        };
        table.rollback(before);
        is_made
    }
}
