//! Handlers whose port is written as a suspended computation: `run : {[State Int]X} -> X` for
//! `run : <State Int>X -> X`.

use frank_syntax::ast::{ItemKind, Tail, TypeKind};

use super::Reporter;
use super::places::signature_item;
use super::roots::place;
use crate::db::parsed;
use crate::diagnostics::{Code, Diagnostic, Location};
use crate::fixes;
use crate::infer::hypothesis::Change;
use crate::infer::problem::Problem;

impl Reporter<'_> {
    /// Finds clauses for commands that the computation which a port takes would perform, and that are right if
    /// the port adds them.
    pub(super) fn ports_with_braces(&mut self, problems: &[Problem]) {
        for problem in problems {
            let Problem::NotHandled {
                source,
                node,
                command,
                added,
                ..
            } = problem
            else {
                continue;
            };
            if self.settled.contains(&problem.mark()) || !added.is_empty() {
                continue;
            }
            let (Some(port), Some((term, _))) = (
                self.port_of_command(*source, *node),
                self.item(*source).terms.iter().next(),
            ) else {
                continue;
            };
            let Some(finding) = self.port_as_computation(port) else {
                continue;
            };
            let Some(trial) = self.try_out(*source, term, Change::Unsuspend(port)) else {
                return;
            };
            if trial.solves(problem.mark()) {
                let note = format!("`{}` is to be handled here", command.name);
                let finding = finding.related(place(self.db, problem), note);
                self.settled.extend(trial.solved);
                self.found.push(finding);
            }
        }
    }

    /// The finding about a port of the operator that is written `{[I]X}`.
    fn port_as_computation(&self, port: usize) -> Option<Diagnostic> {
        let (source, signature) = signature_item(self.db, self.operator?)?;
        let ItemKind::Signature { ty, .. } = &signature.kind else {
            return None;
        };
        let port = ty.ports.get(port)?;
        let TypeKind::Computation(taken) = &signature.types[port.ty].kind else {
            return None;
        };
        let ability = taken.peg.ability.as_ref()?;
        let is_plain = taken.ports.is_empty()
            && port.adjustments.is_empty()
            && matches!(ability.tail, Tail::Implicit);
        let first = ability.instances.first().filter(|_| is_plain)?;
        let last = ability.instances.last()?;
        let map = &parsed(self.db, source).source_map;
        let text = |range| {
            let range = std::ops::Range::<usize>::from(range);
            source.text(self.db).get(range)
        };
        let instances = text(map.range(first.id).cover(map.range(last.id)))?;
        let given = text(map.range(signature.types[taken.peg.ty].id))?;
        let meant = format!("<{instances}>{given}");
        let at = Location::node(source, port.id);
        Some(
            Diagnostic::new(
                Code::CommandNotHandled,
                at,
                "this port takes a computation and does not run it, so its commands cannot be handled",
            )
            .help(format!("a port whose argument is run and handled is written `{meant}`"))
            .fix(fixes::replace(at, &meant, format!("write `{meant}`"))),
        )
    }
}
