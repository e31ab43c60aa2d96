//! Operators that may use what the one that is called may not.

use std::collections::HashSet;

use frank_syntax::ast::{TermId, TermKind};

use super::Reporter;
use super::ability::lacking;
use super::allowing::MOST_CALLERS;
use super::places::visible_names;
use crate::db::{ItemSource, item};
use crate::declarations::signature;
use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Location, Position};
use crate::infer::hypothesis::{Change, Hypothesis};
use crate::infer::infer_operator_if;
use crate::infer::problem::{Mark, Problem};
use crate::program::{InterfaceDef, OperatorDef, TermDef};
use crate::types::{Signature, Ty, TyKind};

/// So many calls around a term at most are tried out with another operator.
const MOST_AROUND: usize = 3;

/// Whether an operator takes what another one takes, and lets the computations that it takes use
/// an interface that the other one's may not.
fn is_alike(one: &Signature, other: &Signature, interface: InterfaceDef, by_host: bool) -> bool {
    let allows = |signature: &Signature| {
        signature.computation.ports.iter().any(|port| {
            let TyKind::Computation(taken) = signature.types.kind(port.ty) else {
                return false;
            };
            let row = signature.types.row(taken.ability);
            row.instances
                .iter()
                .any(|instance| instance.interface == interface)
        })
    };
    let ports = one.computation.ports.iter().zip(&other.computation.ports);
    let mut ports = ports.map(|(a, b)| takes_the_same((one, a.ty), (other, b.ty), by_host));
    one.computation.ports.len() == other.computation.ports.len()
        && !allows(one)
        && allows(other)
        && ports.all(|same| same)
}

/// Whether two ports take computations that give data, or the same data if `exactly` is so, or both take none.
fn takes_the_same(one: (&Signature, Ty), other: (&Signature, Ty), exactly: bool) -> bool {
    let taken = |(signature, ty): (&Signature, Ty)| match signature.types.kind(ty) {
        TyKind::Computation(taken) => Some(match signature.types.kind(taken.result) {
            TyKind::Data(data, _) => Some(*data),
            _ => None,
        }),
        _ => None,
    };
    match (taken(one), taken(other)) {
        (Some(Some(a)), Some(Some(b))) => !exactly || a == b,
        (a, b) => a == b,
    }
}

impl Reporter<'_> {
    /// As [`Self::another_operator`], for the calls that take a term or the computations which it is in.
    pub(super) fn another_around(
        &mut self,
        mark: Mark,
        source: ItemSource,
        term: TermId,
        interface: InterfaceDef,
    ) -> Option<Diagnostic> {
        let surroundings = self.surroundings(source);
        let item = item(self.db, source);
        let calls = std::iter::once(term)
            .chain(surroundings.ancestors(term))
            .filter_map(|around| surroundings.argument_of(item, around));
        let heads: Vec<TermId> = calls
            .filter_map(|(call, _)| match &item.terms[call].kind {
                TermKind::Apply { head, .. } => Some(*head),
                _ => None,
            })
            .take(MOST_AROUND)
            .collect();
        heads
            .into_iter()
            .find_map(|head| self.another_operator(mark, source, head, interface))
    }

    /// An operator like the one that is called, but for what the computation that it takes may use: `gradc`
    /// for `grad`. The mark is that of the problem that it solves.
    pub(super) fn another_operator(
        &mut self,
        mark: Mark,
        source: ItemSource,
        head: TermId,
        interface: InterfaceDef,
    ) -> Option<Diagnostic> {
        let own = self.operator?;
        let Some(TermDef::Operator(called)) = self.definition_of(source, head) else {
            return None;
        };
        let at = Location::node(source, item(self.db, source).terms[head].id);
        let declared = signature(self.db, called.0.scope, called.0.name).as_ref()?;
        // What the host answers can be added to the signature as well.
        let by_host = self.is_answered_by_host(interface);
        let candidates = visible_names(self.db, self.scope)
            .iter()
            .filter_map(|(_, definition)| {
                let TermDef::Operator(other) = *definition else {
                    return None;
                };
                let known = signature(self.db, other.0.scope, other.0.name).as_ref()?;
                is_alike(declared, known, interface, by_host).then_some(other)
            });
        // In its own clauses an operator would go round and round.
        let candidates = candidates.filter(|other| ![called, own].contains(other));
        let candidates: Vec<OperatorDef> = candidates.collect();
        for other in candidates.into_iter().take(MOST_CALLERS) {
            self.trials = self.trials.checked_sub(1)?;
            let hypothesis = Hypothesis {
                source,
                term: head,
                change: Change::Call(other),
            };
            let tried = infer_operator_if(self.db, own, self.order, Some(hypothesis))?;
            // An adaptor may be missing further in, which shows once the right operator is there.
            let introduced: Vec<&Problem> = tried
                .problems
                .iter()
                .filter(|problem| !self.base.contains(&problem.mark()))
                .collect();
            let is_first_step = match introduced[..] {
                [] => false,
                [Problem::Ability { .. }] => true,
                _ => continue,
            };
            let left = tried.problems.iter().find(|problem| problem.mark() == mark);
            let host = match left {
                Some(Problem::Ability {
                    needed, ambient, ..
                }) => {
                    let (need, have) = (tried.table.row(*needed), tried.table.row(*ambient));
                    match lacking(&need, &have) {
                        Some(one) if self.is_answered_by_host(one.interface) => Some(one.interface),
                        _ => continue,
                    }
                }
                Some(_) => continue,
                None => None,
            };
            let (wrong, right) = (called.0.name, other.0.name);
            let mut edits = vec![Edit {
                location: at,
                position: Position::Replace,
                text: right.to_string(),
            }];
            let mut title = format!("write `{right}`");
            if let Some(host) = host {
                let text = host.0.name.to_string();
                edits.push(self.allow_in(own, &text)?);
                title.push_str(&format!(
                    " and add `{text}` to the ability of `{}`",
                    own.0.name
                ));
            }
            let name = interface.0.name;
            let marks = tried.problems.iter().map(Problem::mark);
            let left: HashSet<Mark> = marks.collect();
            self.settled.extend(self.base.difference(&left).copied());
            let mut problem = Diagnostic::new(
                Code::MissingAbility,
                at,
                format!(
                    "what `{wrong}` is given here uses `{name}`, which `{wrong}` does not handle; \
                     `{right}` does"
                ),
            )
            .help(format!("write `{right}`"));
            problem.undecided = is_first_step;
            if let Some(host) = host {
                problem = problem.help(format!(
                    "`{right}` needs `{}`, which is answered by whoever runs the program",
                    host.0.name
                ));
            }
            return Some(problem.fix(Fix {
                title,
                edits,
                safe: false,
            }));
        }
        None
    }
}
