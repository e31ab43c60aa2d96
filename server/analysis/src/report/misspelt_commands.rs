//! Command patterns whose names nothing defines: `<set s -> k>` where `put` is meant.

use std::collections::HashSet;

use frank_syntax::ast::{ItemKind, PatternKind, Symbol};

use super::Reporter;
use crate::db::item;
use crate::declarations::interface;
use crate::diagnostics::{At, Location};

impl Reporter<'_> {
    /// The command that the name at a place is meant as: the only one of the port's interfaces that takes so many
    /// arguments and that no clause handles.
    pub(super) fn command_meant(&self, at: Location) -> Option<Symbol> {
        let At::Node(node) = at.at else { return None };
        let ItemKind::Clause { clause, .. } = &item(self.db, at.item).kind else {
            return None;
        };
        let patterns = &item(self.db, at.item).patterns;
        let (index, given) = clause
            .patterns
            .iter()
            .enumerate()
            .find_map(|(index, pattern)| match &patterns[*pattern].kind {
                PatternKind::Command { name, args, .. } if name.id == node => {
                    Some((index, args.len()))
                }
                _ => None,
            })?;
        let port = self.inference.computation.as_ref()?.ports.get(index)?;
        let handled = self.handled_commands();
        let mut meant = port.added().flat_map(|instance| {
            let definition = instance.interface.0;
            let declared = interface(self.db, definition.scope, definition.name);
            declared.as_ref().map_or_else(Vec::new, |declared| {
                let commands = declared.commands.iter();
                let fitting = commands.filter(|command| command.args.len() == given);
                fitting.map(|command| command.name).collect()
            })
        });
        let mut meant = meant.by_ref().filter(|name| !handled.contains(name));
        meant.next().filter(|_| meant.next().is_none())
    }

    /// The names of the commands in the patterns of the operator's clauses.
    fn handled_commands(&self) -> HashSet<Symbol> {
        let Some(operator) = self.operator else {
            return HashSet::new();
        };
        let clauses = operator.items(self.db).clauses.iter();
        clauses
            .flat_map(|clause| item(self.db, *clause).patterns.iter())
            .filter_map(|(_, pattern)| match &pattern.kind {
                PatternKind::Command { name, .. } => Some(name.symbol),
                _ => None,
            })
            .collect()
    }
}
