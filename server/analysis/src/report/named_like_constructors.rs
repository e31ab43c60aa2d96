//! Variables that have the name of a constructor, as `left` and `right` of the prelude's `Either`.

use frank_syntax::ast::{Item, PatternKind, Symbol, TermKind};

use super::Reporter;
use super::words::listed;
use crate::db::{ItemSource, item};
use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Location, Position};
use crate::infer::problem::{Mark, Problem};
use crate::program::{ConstructorDef, TermDef, resolve_term};

/// A constructor without arguments, whether it is a pattern, where it stands, and what tells the problem.
type Bare = (ConstructorDef, bool, Location, Mark);

impl Reporter<'_> {
    /// Finds patterns that are a constructor alone, which takes arguments, where the item's terms have it alone as
    /// well: a variable is meant, and all of them in the item are one mistake.
    pub(super) fn named_like_constructors(&mut self, problems: &[Problem]) {
        let mut seen: Vec<ItemSource> = Vec::new();
        for problem in problems {
            let source = problem.source();
            if seen.contains(&source) {
                continue;
            }
            seen.push(source);
            let bare: Vec<Bare> = problems
                .iter()
                .filter_map(|problem| match problem {
                    Problem::ConstructorArguments {
                        source: place,
                        node,
                        constructor,
                        given: 0,
                        pattern,
                        ..
                    } if *place == source => {
                        let at = Location::node(source, *node);
                        Some((*constructor, *pattern, at, problem.mark()))
                    }
                    _ => None,
                })
                .collect();
            if let Some(finding) = self.named_like_constructor(source, &bare) {
                self.found.push(finding);
            }
        }
    }

    /// The finding about constructors without arguments in an item.
    fn named_like_constructor(&mut self, source: ItemSource, bare: &[Bare]) -> Option<Diagnostic> {
        let is_variable = |one: ConstructorDef| {
            let is = |pattern: bool| {
                let mut all = bare.iter();
                all.any(|(other, is_pattern, ..)| *other == one && *is_pattern == pattern)
            };
            is(true) && is(false)
        };
        let mut patterns = bare.iter();
        let (constructor, _, at, _) =
            *patterns.find(|(one, is_pattern, ..)| *is_pattern && is_variable(*one))?;
        let meant = bare.iter().filter(|(one, ..)| is_variable(*one));
        let mut names: Vec<Symbol> = Vec::new();
        let mut edits = Vec::new();
        let mut problem = Diagnostic::new(Code::ConstructorArguments, at, String::new());
        let mut solved = Vec::new();
        for (one, is_pattern, place, mark) in meant {
            solved.push(*mark);
            if !names.contains(&one.name) {
                names.push(one.name);
            }
            edits.push(Edit {
                location: *place,
                position: Position::Replace,
                text: format!("{}'", one.name),
            });
            if *is_pattern && *place != at {
                problem = problem.related(*place, "here, too");
            }
        }
        self.settled.extend(solved);
        let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        let others: Vec<String> = names.iter().map(|name| format!("`{name}'`")).collect();
        let all = listed(&quoted, 3);
        problem.message = match names.len() {
            1 => format!(
                "{all} is a constructor of `{}`, and so no variable",
                constructor.data.0.name
            ),
            _ => format!("{all} are constructors, and so no variables"),
        };
        let help = match names.len() {
            1 => format!(
                "take another name for the variable, as {}",
                listed(&others, 3)
            ),
            _ => format!(
                "take other names for the variables, as {}",
                listed(&others, 3)
            ),
        };
        let item = item(self.db, source);
        let is_free = |name: &Symbol| {
            let other = Symbol::new(&format!("{name}'"));
            resolve_term(self.db, self.scope, other).is_none() && !is_named(item, other)
        };
        let fix = names.iter().all(is_free).then(|| Fix {
            title: format!("write {}", listed(&others, 3)),
            edits,
            safe: false,
        });
        let problem = self.declared(problem.help(help), TermDef::Constructor(constructor));
        Some(match fix {
            Some(fix) => problem.fix(fix),
            None => problem,
        })
    }
}

/// Whether a name stands in an item's terms or patterns.
fn is_named(item: &Item, wanted: Symbol) -> bool {
    let in_terms = item
        .terms
        .iter()
        .any(|(_, term)| matches!(&term.kind, TermKind::Name(name) if name.symbol == wanted));
    let in_patterns = item.patterns.iter().any(
        |(_, pattern)| matches!(&pattern.kind, PatternKind::Name(name) if name.symbol == wanted),
    );
    in_terms || in_patterns
}
