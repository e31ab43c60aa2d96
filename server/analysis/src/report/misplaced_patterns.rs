//! Clauses whose pattern for a command stands at another port than the one that handles it.

use frank_syntax::ast::{Item, ItemKind, PatternId, PatternKind};

use super::Reporter;
use super::words::ordinal;
use crate::db::item;
use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Location, Position};
use crate::infer::problem::Problem;
use crate::program::CommandDef;
use crate::types::Port;

impl Reporter<'_> {
    /// The finding about a clause whose pattern for a command stands at another port than the one that handles it.
    fn misplaced_pattern(&self, at: Location, command: CommandDef) -> Option<Diagnostic> {
        let source = at.item;
        let item = item(self.db, source);
        let ItemKind::Clause { clause, .. } = &item.kind else {
            return None;
        };
        let kind = |pattern: &PatternId| &item.patterns[*pattern].kind;
        let is_here = |pattern: &PatternId| match kind(pattern) {
            PatternKind::Command { name, .. } => Location::node(source, name.id) == at,
            _ => false,
        };
        let own = clause.patterns.iter().position(is_here)?;
        let ports = &self.inference.computation.as_ref()?.ports;
        let handles = |port: &Port| port.added().any(|one| one.interface == command.interface);
        let other = ports.iter().position(handles)?;
        let taken = clause.patterns.get(other)?;
        if matches!(kind(taken), PatternKind::Command { .. }) {
            return None;
        }
        // What other clauses have there, too, is no slip.
        let clauses = self.operator?.items(self.db).clauses.iter();
        let mut others = clauses.filter(|other| **other != source);
        if others.any(|other| has_command_at(self.item(*other), own)) {
            return None;
        }
        let place = |index: usize| {
            let pattern = clause.patterns.get(index)?;
            Some(Location::node(source, item.patterns[*pattern].id))
        };
        let text = |at: Location| {
            let range = std::ops::Range::<usize>::from(at.in_item(self.db));
            source.text(self.db).get(range).map(str::to_owned)
        };
        let (first, second) = (place(own.min(other))?, place(own.max(other))?);
        let edit = |location, text| Edit {
            location,
            position: Position::Replace,
            text,
        };
        let message = format!(
            "the {} and the {} pattern are the wrong way round",
            ordinal(own.min(other)),
            ordinal(own.max(other))
        );
        Some(
            Diagnostic::new(Code::CommandNotHandled, place(own)?, message)
                .help(format!(
                    "the {} port handles `{}`",
                    ordinal(other),
                    command.interface.0.name
                ))
                .fix(Fix {
                    title: "exchange the two patterns".to_owned(),
                    edits: vec![edit(first, text(second)?), edit(second, text(first)?)],
                    safe: false,
                }),
        )
    }

    /// Settles what is wrong in clauses whose patterns stand at each other's ports.
    pub(super) fn misplaced_patterns(&mut self, problems: &[Problem]) {
        for problem in problems {
            let Problem::NotHandled {
                source,
                node,
                command,
                ..
            } = problem
            else {
                continue;
            };
            let at = Location::node(*source, *node);
            if let Some(finding) = self.misplaced_pattern(at, *command) {
                let here = problems.iter().filter(|other| other.source() == *source);
                self.settled.extend(here.map(Problem::mark));
                self.found.push(finding);
            }
        }
    }
}

/// Whether a clause has a command's pattern at a port.
fn has_command_at(item: &Item, port: usize) -> bool {
    let ItemKind::Clause { clause, .. } = &item.kind else {
        return false;
    };
    let pattern = clause.patterns.get(port);
    pattern
        .is_some_and(|pattern| matches!(item.patterns[*pattern].kind, PatternKind::Command { .. }))
}
