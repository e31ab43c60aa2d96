//! Variables that are named like a command, a constructor or an operator: what reads one means the other, and
//! what is wrong there is wrong because of the name.

use frank_syntax::ast::{PatternKind, Symbol, TermKind};

use super::Reporter;
use crate::db::ItemSource;
use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Location, Position, Severity};
use crate::infer::problem::Problem;
use crate::program::{TermDef, resolve_term};

impl Reporter<'_> {
    /// Where reading a variable that a definition hides is an error, tells of the name alone, once.
    pub(super) fn hidden_variables(&mut self, problems: &[Problem]) {
        for problem in problems {
            let Problem::Shadowed {
                source,
                node,
                definition,
            } = *problem
            else {
                continue;
            };
            let name = definition.name();
            let reads = self.reads_of(source, name);
            let is_about = |one: &Diagnostic| one.is_error() && reads.contains(&one.location);
            let Some(first) = self.found.iter().find(|one| is_about(one)) else {
                continue;
            };
            let (first, code) = (first.location, first.code);
            let bound = Location::node(source, node);
            self.found.retain(|one| {
                let is_warning = one.location == bound && one.code == Code::ShadowedDefinition;
                !is_warning && !is_about(one)
            });
            let what = match definition {
                TermDef::Constructor(_) => "constructor",
                TermDef::Command(_) => "command",
                TermDef::Operator(_) => "operator",
            };
            let message = format!("`{name}` is the {what} of that name here, and not the variable");
            let mut finding = Diagnostic::new(code, first, message)
                .related(bound, format!("the variable `{name}` is bound here"))
                .help("give the variable another name");
            finding.severity = Severity::Error;
            self.found.push(match self.rename_all(source, name) {
                Some(fix) => finding.fix(fix),
                None => finding,
            });
        }
    }

    /// Where the terms of an item read a name.
    fn reads_of(&self, source: ItemSource, name: Symbol) -> Vec<Location> {
        let terms = self.item(source).terms.iter();
        let reads = terms.filter_map(|(_, term)| match &term.kind {
            TermKind::Name(read) if read.symbol == name => Some(Location::node(source, term.id)),
            _ => None,
        });
        reads.collect()
    }

    /// Gives a variable another name where it is bound and wherever an item reads that name.
    fn rename_all(&self, source: ItemSource, name: Symbol) -> Option<Fix> {
        let item = self.item(source);
        // Its first letter, if it can be had.
        let first: String = name.as_str().chars().take(1).collect();
        let letters = ["x", "y", "z", "v", "w"].map(str::to_owned);
        let mut names = std::iter::once(first)
            .chain(letters)
            .chain((1..).map(|n| format!("x{n}")));
        let is_read = |one: &str| {
            let mut terms = item.terms.iter();
            let mut patterns = item.patterns.iter();
            terms.any(|(_, term)| match &term.kind {
                TermKind::Name(read) => read.symbol.as_str() == one,
                TermKind::Let { name, .. } => name.symbol.as_str() == one,
                _ => false,
            }) || patterns.any(|(_, pattern)| match &pattern.kind {
                PatternKind::Name(bound) | PatternKind::CatchAll(bound) => {
                    bound.symbol.as_str() == one
                }
                PatternKind::Command { continuation, .. } => continuation.symbol.as_str() == one,
                _ => false,
            })
        };
        let is_free = |one: &String| {
            !is_read(one) && resolve_term(self.db, self.scope, Symbol::new(one)).is_none()
        };
        let other = names.find(is_free)?;
        let patterns = item.patterns.iter().filter_map(|(_, one)| match &one.kind {
            PatternKind::Name(bound) if bound.symbol == name => {
                Some(Location::node(source, bound.id))
            }
            _ => None,
        });
        let places: Vec<Location> = patterns.chain(self.reads_of(source, name)).collect();
        let edits = places.into_iter().map(|location| Edit {
            location,
            position: Position::Replace,
            text: other.clone(),
        });
        Some(Fix {
            edits: edits.collect(),
            title: format!("call the variable `{other}`"),
            // Some may mean the definition.
            safe: false,
        })
    }
}
