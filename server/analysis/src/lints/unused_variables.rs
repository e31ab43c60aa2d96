//! Variables that nobody reads.
//!
//! A parameter is one thing through all the clauses of an operator: it is unused if no clause reads it.
//! Where the clauses are a table, told apart by the shape of another argument, and for variables inside
//! of patterns, that is a hint only: the name may stand there for the reader.

use std::collections::HashSet;

use frank_syntax::ast::{Clause, Item, ItemKind, NodeId, PatternId, PatternKind, Symbol, TermKind};

use super::{Checked, is_private};
use crate::db::{ItemSource, item};
use crate::diagnostics::{Code, Diagnostic, Location, Severity};
use crate::fixes;
use crate::infer::problem::Problem;
use crate::infer::{Body, LocalId, LocalSort, ResolvedPattern};
use crate::lints::coverage::is_variable;

/// Reports the parameters and local variables that are never read.
pub fn check(checked: &Checked<'_>, found: &mut Vec<Diagnostic>) {
    let problems = checked.inference.problems.iter();
    let shadowing = problems.filter_map(|problem| match problem {
        Problem::Shadowed { source, node, .. } => Some((*source, *node)),
        _ => None,
    });
    let unused = Unused {
        checked,
        shadowing: shadowing.collect(),
    };
    unused.parameters_of_operator(found);
    for (source, body) in &checked.inference.bodies {
        unused.body(*source, body, found);
    }
}

struct Unused<'a> {
    checked: &'a Checked<'a>,
    /// Variables named like a constructor or a command, which cannot be read and are reported.
    shadowing: HashSet<(ItemSource, NodeId)>,
}

/// What a clause does with one of its ports.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    /// It reads the argument, or looks at its shape.
    Needed,
    /// It has a name for the argument and does not read it.
    Unread(LocalId),
    Ignored,
}

impl Unused<'_> {
    fn parameters_of_operator(&self, found: &mut Vec<Diagnostic>) {
        let bodies = self.checked.inference.bodies.iter();
        let clauses: Vec<(ItemSource, &Item, &Body, &Clause)> = bodies
            .filter_map(|(source, body)| {
                let item = item(self.checked.db, *source);
                match &item.kind {
                    ItemKind::Clause { clause, .. } => Some((*source, &**item, body, clause)),
                    _ => None,
                }
            })
            .collect();
        let name = self.checked.operator.map(|operator| operator.0.name);
        self.parameters(&clauses, name, found);
    }

    /// The parameters that no clause reads.
    fn parameters(
        &self,
        clauses: &[(ItemSource, &Item, &Body, &Clause)],
        operator: Option<Symbol>,
        found: &mut Vec<Diagnostic>,
    ) {
        let Some((_, _, _, first)) = clauses.first() else {
            return;
        };
        let is_table = clauses.iter().any(|(_, item, body, clause)| {
            clause
                .patterns
                .iter()
                .any(|pattern| !is_variable(item, body, *pattern))
        });
        for port in 0..first.patterns.len() {
            let roles: Vec<(ItemSource, &Body, Role)> = clauses
                .iter()
                .map(|(source, item, body, clause)| {
                    let pattern = clause.patterns.get(port);
                    let role = pattern.map_or(Role::Ignored, |pattern| role(item, body, *pattern));
                    (*source, *body, role)
                })
                .collect();
            if roles.iter().any(|(_, _, role)| *role == Role::Needed) {
                continue;
            }
            let unread = roles.iter().find_map(|(source, body, role)| match role {
                Role::Unread(local) => Some((*source, body.locals.get(local.0 as usize)?)),
                _ => None,
            });
            let Some((source, local)) = unread else {
                continue;
            };
            if is_private(local.name) || self.shadowing.contains(&(source, local.node)) {
                continue;
            }
            let at = Location::node(source, local.node);
            let whose = match operator {
                Some(operator) => format!(" of `{operator}`"),
                None => String::new(),
            };
            let message = if clauses.len() == 1 {
                format!("the parameter `{}`{whose} is never used", local.name)
            } else {
                format!(
                    "the parameter `{}`{whose} is used in none of its clauses",
                    local.name
                )
            };
            let mut problem = Diagnostic::new(Code::UnusedVariable, at, message)
                .help("write `_` for an argument that is not needed")
                .fix(fixes::ignore(at, !is_table));
            if is_table {
                problem.severity = Severity::Hint;
            }
            found.push(problem);
        }
    }

    /// The variables of a clause, and the parameters of its thunks.
    fn body(&self, source: ItemSource, body: &Body, found: &mut Vec<Diagnostic>) {
        let item = item(self.checked.db, source);
        let parameters = parameters(item, body);
        for (index, local) in body.locals.iter().enumerate() {
            let id = LocalId(index as u32);
            let known = parameters.contains(&id) || self.shadowing.contains(&(source, local.node));
            if !local.used && !is_private(local.name) && !known {
                found.push(unused_local(source, local.name, local.node, local.sort));
            }
        }
        for (_, term) in item.terms.iter() {
            if let TermKind::Thunk { clauses } = &term.kind {
                let clauses = clauses.iter();
                let all: Vec<_> = clauses
                    .map(|clause| (source, &**item, body, clause))
                    .collect();
                self.parameters(&all, None, found);
            }
        }
    }
}

fn unused_local(source: ItemSource, name: Symbol, node: NodeId, sort: LocalSort) -> Diagnostic {
    let at = Location::node(source, node);
    let (message, help, severity) = match sort {
        LocalSort::Let => (
            format!("the variable `{name}` is never used"),
            "if only what it does matters, write `…; …` instead of the `let`",
            Severity::Warning,
        ),
        LocalSort::Continuation => (
            format!("the continuation `{name}` is never resumed: the computation ends here"),
            "if that is meant, write `_`",
            Severity::Warning,
        ),
        LocalSort::CatchAll => (
            format!("the computation `{name}` is never run: what it would do is left out"),
            "if that is meant, write `<_>`",
            Severity::Warning,
        ),
        LocalSort::Pattern => (
            format!("the variable `{name}` is never used"),
            "write `_` for a part that is not needed",
            Severity::Hint,
        ),
    };
    let mut problem = Diagnostic::new(Code::UnusedVariable, at, message)
        .help(help)
        // What is never resumed may as well have been forgotten.
        .fix(fixes::ignore(at, matches!(sort, LocalSort::Let)));
    problem.severity = severity;
    problem
}

fn role(item: &Item, body: &Body, pattern: PatternId) -> Role {
    match (&item.patterns[pattern].kind, body.patterns.get(pattern)) {
        (PatternKind::Name(_), Some(ResolvedPattern::Binds(local))) => {
            let used = body
                .locals
                .get(local.0 as usize)
                .is_none_or(|local| local.used);
            if used {
                Role::Needed
            } else {
                Role::Unread(*local)
            }
        }
        (PatternKind::Name(_), Some(ResolvedPattern::Wildcard)) => Role::Ignored,
        _ => Role::Needed,
    }
}

/// The variables that are the whole pattern of a port, in the item's clause and in its thunks.
fn parameters(item: &Item, body: &Body) -> HashSet<LocalId> {
    let mut parameters = HashSet::new();
    let mut add = |clause: &Clause| {
        for pattern in &clause.patterns {
            if let (PatternKind::Name(_), Some(ResolvedPattern::Binds(local))) =
                (&item.patterns[*pattern].kind, body.patterns.get(*pattern))
            {
                parameters.insert(*local);
            }
        }
    };
    if let ItemKind::Clause { clause, .. } = &item.kind {
        add(clause);
    }
    for (_, term) in item.terms.iter() {
        if let TermKind::Thunk { clauses } = &term.kind {
            clauses.iter().for_each(&mut add);
        }
    }
    parameters
}

#[cfg(test)]
mod tests {
    use crate::diagnostics::Code;
    use crate::lints::tests::found;

    #[test]
    fn parameters_are_unused_if_no_clause_reads_them() {
        assert_eq!(
            found(Code::UnusedVariable, "f : Int -> Int -> Int\nf x y = x\n"),
            ["y"]
        );
        assert!(
            found(
                Code::UnusedVariable,
                "f : Int -> Int -> Int\nf 0 y = y\nf x y = x\n"
            )
            .is_empty()
        );
        assert!(found(Code::UnusedVariable, "f : Int -> Int\nf _x = 1\n").is_empty());
    }

    #[test]
    fn variables_of_thunks_and_lets_are_looked_at() {
        assert_eq!(
            found(
                Code::UnusedVariable,
                "f : {Int}\nf! = let x = 1 in let g = {y -> 2} in g 3\n"
            ),
            ["x", "y"]
        );
    }

    #[test]
    fn nothing_is_told_beside_an_error() {
        assert!(found(Code::UnusedVariable, "f : Int -> Int\nf x = g\n").is_empty());
    }
}
