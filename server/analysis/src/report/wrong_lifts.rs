//! Calls of an operator that lifts into another kind of derivative than their place is in, or that makes a constant where
//! a number of an outer derivative is.

use frank_syntax::ast::{TermId, TermKind};

use super::Reporter;
use super::catalogue::catalogues;
use super::lift::Step;
use super::words::article;
use crate::db::item;
use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Location, Position};
use crate::fixes;
use crate::infer::problem::{Expectation, Problem};
use crate::program::TermDef;
use crate::types::{Ability, Ty, TyKind};

impl Reporter<'_> {
    /// Calls of an operator that lifts into another kind of derivative than their place is in, as
    /// `lift x` under `grad`. That the ability does not fit either is the same mistake.
    pub(super) fn wrong_lifts(&mut self, problems: &[Problem]) {
        for problem in problems {
            let Problem::Mismatch {
                source,
                node,
                term: Some(term),
                expected,
                found,
                ambient,
                ..
            } = problem
            else {
                continue;
            };
            let at = Location::node(*source, *node);
            let types = (*expected, *found);
            if let Some(finding) = self.lift_for_constant(problem) {
                self.found.push(finding);
                self.settled.insert(problem.mark());
                continue;
            }
            let Some((head, finding)) = self.wrong_lift(at, *term, types, *ambient) else {
                continue;
            };
            self.found.push(finding);
            self.settled.insert(problem.mark());
            self.settled.extend(
                problems
                    .iter()
                    .filter(|other| {
                        matches!(other, Problem::Ability { source: place, head: at, .. }
                            if place == source && *at == head)
                    })
                    .map(Problem::mark),
            );
        }
    }

    /// What is told of a call that makes a constant of a number, where what it is given is a number of an outer
    /// derivative: `c x` for `lift x`.
    fn lift_for_constant(&mut self, problem: &Problem) -> Option<Diagnostic> {
        let Problem::Mismatch {
            source,
            term: Some(argument),
            expected,
            found,
            ambient,
            origin: Expectation::Argument { call, index: 0 },
            ..
        } = problem
        else {
            return None;
        };
        let (source, argument) = (*source, *argument);
        let item = item(self.db, source);
        let TermKind::Apply { head, args } = &item.terms[*call].kind else {
            return None;
        };
        let is_plain = *self.inference.table.kind(*expected) == TyKind::Float && args.len() == 1;
        let Some(TermDef::Operator(operator)) = self.definition_of(source, *head) else {
            return None;
        };
        if !is_plain || self.settled.contains(&problem.mark()) {
            return None;
        }
        let wanted = self.type_of(source, *call)?;
        let constants = self.constant_operators(source, argument, wanted, *ambient);
        if !constants.contains(&operator) {
            return None;
        }
        let chains = self.lift_chains(source, item, argument, wanted, *found, *ambient);
        let best = chains.first().filter(|chain| chain.derivative)?.clone();
        let [
            Step {
                operator: right,
                hidden: None,
            },
        ] = &best.steps[..]
        else {
            return None;
        };
        let (constant, right) = (operator.0.name, right.0.name);
        let text = self.term_text(source, argument);
        let this = text.map_or_else(|| "this".to_owned(), |text| format!("`{text}`"));
        let at = Location::node(source, item.terms[*head].id);
        let problem = Diagnostic::new(
            Code::MissingLift,
            at,
            format!(
                "`{constant}` makes a constant of a `Float`, and {this} is {} of the outer derivative; `{right}` \
                 brings it into this one",
                article(&self.ty(*found))
            ),
        );
        Some(problem.help(format!("write `{right}`")).fix(Fix {
            safe: false,
            ..fixes::rename(at, right.as_str())
        }))
    }

    /// The operator that a call should not be of, and the message that names the right one.
    fn wrong_lift(
        &mut self,
        at: Location,
        call: TermId,
        (expected, found): (Ty, Ty),
        ambient: Ability,
    ) -> Option<(TermId, Diagnostic)> {
        let source = at.item;
        let item = item(self.db, source);
        let TermKind::Apply { head, args } = &item.terms[call].kind else {
            return None;
        };
        let (head, [argument]) = (*head, &args[..]) else {
            return None;
        };
        let Some(TermDef::Operator(operator)) = self.definition_of(source, head) else {
            return None;
        };
        let mut lifts = catalogues(self.db, self.scope).flat_map(|catalogue| &catalogue.lifts);
        if !lifts.any(|lift| *lift == operator) {
            return None;
        }
        let given = *self.inference.body(source)?.types.get(*argument)?;
        let chains = self.lift_chains(source, item, *argument, expected, given, ambient);
        let chain = chains.first().filter(|chain| chain.derivative)?;
        let [
            Step {
                operator: right,
                hidden: None,
            },
        ] = &chain.steps[..]
        else {
            return None;
        };
        let (wrong, right) = (operator.0.name, right.0.name);
        let place = Location::node(source, item.terms[head].id);
        let problem = Diagnostic::new(
            Code::MissingLift,
            place,
            format!("`{wrong}` does not lift into the derivative here; `{right}` does"),
        );
        let problem = self
            .computes_with(problem, source, item, call, expected, chain)
            .help(format!(
                "`{wrong}` makes {} here, and {} is needed",
                article(&self.ty(found)),
                article(&self.ty(expected)),
            ))
            .fix(Fix {
                title: format!("write `{right}`"),
                edits: vec![Edit {
                    location: place,
                    position: Position::Replace,
                    text: right.to_string(),
                }],
                safe: true,
            });
        Some((head, problem))
    }
}
