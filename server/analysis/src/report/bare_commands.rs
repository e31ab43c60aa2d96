//! A clause for a command whose pattern lacks its `<` and `>`: it is a variable, and what the clause says of the
//! command is wrong because of that.

use frank_syntax::ast::{ItemKind, NodeId, PatternKind};

use super::Reporter;
use super::candidates::arguments;
use crate::db::ItemSource;
use crate::diagnostics::{Code, Diagnostic, Location, Severity};
use crate::infer::problem::Problem;
use crate::program::{CommandDef, TermDef};
use crate::types::Adjustment;

impl Reporter<'_> {
    /// Where a clause has errors and a variable in place of a command's pattern, tells of the variable alone.
    pub(super) fn bare_commands(&mut self, problems: &[Problem]) {
        for problem in problems {
            let Problem::Shadowed {
                source,
                node,
                definition: TermDef::Command(command),
            } = *problem
            else {
                continue;
            };
            if !self.is_handled_at(source, node, command) {
                continue;
            }
            let is_here = |one: &Diagnostic| {
                one.location.item == source && one.is_error() && one.code != Code::Hole
            };
            if !self.found.iter().any(is_here) {
                continue;
            }
            self.found.retain(|one| !is_here(one));
            let name = command.name;
            let at = Location::node(source, node);
            self.found
                .retain(|one| one.location != at || one.code != Code::ShadowedDefinition);
            let message = format!("`{name}` is a variable here, and no pattern for the command");
            let takes = arguments(self.db, TermDef::Command(command));
            let patterns = " x".repeat(takes.map_or(0, |(_, all)| all.len()));
            let mut finding = Diagnostic::new(Code::ShadowedDefinition, at, message).help(format!(
                "`<{name}{patterns} -> k>` handles the command, and `k` goes on with its result"
            ));
            finding.severity = Severity::Error;
            self.found.push(finding);
        }
    }

    /// Whether a pattern of a clause stands where an instance of a command's interface is handled.
    fn is_handled_at(&self, source: ItemSource, node: NodeId, command: CommandDef) -> bool {
        let item = self.item(source);
        let ItemKind::Clause { clause, .. } = &item.kind else {
            return false;
        };
        let is_it = |kind: &PatternKind| match kind {
            PatternKind::Name(name) | PatternKind::CatchAll(name) => name.id == node,
            _ => false,
        };
        let index = clause
            .patterns
            .iter()
            .position(|one| is_it(&item.patterns[*one].kind));
        let ports = self
            .inference
            .computation
            .as_ref()
            .map(|known| &known.ports);
        let port = index.and_then(|index| ports?.get(index));
        port.is_some_and(|port| {
            port.adjustments.iter().any(|one| match one {
                Adjustment::Instance(instance) => instance.interface == command.interface,
                Adjustment::Adaptor(_) => false,
            })
        })
    }
}
