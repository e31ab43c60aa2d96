//! Variables that nobody reads.
//!
//! A parameter is one thing through all the clauses of an operator: it is unused if no clause reads it.
//! Where the clauses are a table, told apart by the shape of another argument, and for variables inside
//! of patterns, that is a hint only: the name may stand there for the reader.

use std::collections::HashSet;

use frank_syntax::ast::{Clause, Item, ItemKind, PatternId, PatternKind, Symbol, TermKind};

use super::{Checked, is_private, misspelt_constructors};
use crate::db::{ItemSource, item};
use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Location, Position, Severity};
use crate::fixes;
use crate::infer::{Body, ResolvedPattern};
use crate::lints::coverage::is_variable;
use crate::scopes::{Binder, LocalId, LocalKind};
use crate::types::TyKind;

/// Reports the parameters and local variables that are never read.
pub fn check(checked: &Checked<'_>, found: &mut Vec<Diagnostic>) {
    let first = found.len();
    parameters_of_operator(checked, found);
    for (source, body) in &checked.inference.bodies {
        in_body(checked, *source, body, found);
    }
    // What is likely a misspelt constructor is told as that.
    let mut misspelt = Vec::new();
    misspelt_constructors::check(checked, &mut misspelt);
    let mut unused = found.split_off(first);
    let place =
        |problem: &Diagnostic| (problem.location.item, problem.location.in_item(checked.db));
    unused.retain(|problem| misspelt.iter().all(|other| place(other) != place(problem)));
    // Nor is it news of a clause that should not be there.
    let is_too_early =
        |one: &&Diagnostic| one.code == Code::UnreachableClause && !one.fixes.is_empty();
    let too_early: Vec<Location> = (found.iter().filter(is_too_early))
        .map(|one| one.location)
        .collect();
    unused.retain(|problem| {
        let mut all = too_early.iter();
        !all.any(|clause| clause.item == problem.location.item)
    });
    found.append(&mut unused);
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

fn parameters_of_operator(checked: &Checked<'_>, found: &mut Vec<Diagnostic>) {
    let bodies = checked.inference.bodies.iter();
    let clauses: Vec<(ItemSource, &Item, &Body, &Clause)> = bodies
        .filter_map(|(source, body)| {
            let item = item(checked.db, *source);
            match &item.kind {
                ItemKind::Clause { clause, .. } => Some((*source, &**item, body, clause)),
                _ => None,
            }
        })
        .collect();
    let operator = checked.operator.map(|operator| operator.0.name);
    // That what a port handles has no clause is told as that.
    let ports = checked
        .inference
        .computation
        .iter()
        .flat_map(|own| &own.ports);
    let handling: Vec<usize> = ports
        .enumerate()
        .filter(|(_, port)| port.added().next().is_some())
        .map(|(index, _)| index)
        .collect();
    unread_parameters(&clauses, operator, &handling, found);
}

/// The parameters that no clause reads, but for those of ports that handle commands.
fn unread_parameters(
    clauses: &[(ItemSource, &Item, &Body, &Clause)],
    operator: Option<Symbol>,
    handling: &[usize],
    found: &mut Vec<Diagnostic>,
) {
    let Some((_, _, _, first)) = clauses.first() else {
        return;
    };
    let is_table = clauses.iter().any(|(_, _, body, clause)| {
        clause
            .patterns
            .iter()
            .any(|pattern| !is_variable(body, *pattern))
    });
    for port in (0..first.patterns.len()).filter(|port| !handling.contains(port)) {
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
            Role::Unread(local) => Some((*source, body.scopes.binder(*local)?)),
            _ => None,
        });
        let Some((source, local)) = unread else {
            continue;
        };
        if !is_needless(local) {
            continue;
        }
        let name = local.name.symbol;
        let at = Location::node(source, local.name.id);
        // Clauses with other names each look as if they were told apart by them.
        let differ = roles.iter().any(|(_, body, role)| match role {
            Role::Unread(local) => body
                .scopes
                .binder(*local)
                .is_some_and(|other| other.name.symbol != name),
            _ => false,
        });
        let whose = match operator {
            Some(operator) => format!(" of `{operator}`"),
            None => String::new(),
        };
        let message = if clauses.len() == 1 {
            format!("the parameter `{name}`{whose} is never used")
        } else {
            format!("the parameter `{name}`{whose} is used in none of its clauses")
        };
        let mut problem = Diagnostic::new(Code::UnusedVariable, at, message)
            .help("write `_` for an argument that is not needed")
            .fix(fixes::ignore(at, !is_table && !differ));
        if clauses.len() > 1 {
            // It may be a constructor of what does not parse.
            problem = problem.may_be_constructor(name);
        }
        if is_table {
            problem.severity = Severity::Hint;
        }
        found.push(problem);
    }
}

/// The variables of a clause, and the parameters of its thunks.
fn in_body(checked: &Checked<'_>, source: ItemSource, body: &Body, found: &mut Vec<Diagnostic>) {
    let item = item(checked.db, source);
    let parameters = parameters(item, body);
    for (index, local) in body.scopes.binders().iter().enumerate() {
        let is_parameter = parameters.contains(&LocalId(index as u32));
        if is_needless(local) && !is_parameter {
            let suspended = suspended_by_let(checked, source, body, LocalId(index as u32));
            found.push(suspended.unwrap_or_else(|| unused_local(source, local)));
        }
    }
    for (_, term) in item.terms.iter() {
        if let TermKind::Thunk { clauses } = &term.kind {
            let clauses = clauses.iter();
            let all: Vec<_> = clauses
                .map(|clause| (source, &**item, body, clause))
                .collect();
            unread_parameters(&all, None, &[], found);
        }
    }
}

/// What is said of `let x = f in …` that nothing reads, where `f` is a suspended computation: it never runs.
fn suspended_by_let(
    checked: &Checked<'_>,
    source: ItemSource,
    body: &Body,
    local: LocalId,
) -> Option<Diagnostic> {
    let item = item(checked.db, source);
    let mut lets = body.lets.iter();
    let (term, _) =
        lets.find(|(_, bound)| matches!(bound, ResolvedPattern::Binds(one) if *one == local))?;
    let TermKind::Let { bound, name, .. } = &item.terms[term].kind else {
        return None;
    };
    let TyKind::Computation(computation) = checked.inference.table.kind(*body.types.get(*bound)?)
    else {
        return None;
    };
    if !computation.ports.is_empty() {
        return None;
    }
    let written = match &item.terms[*bound].kind {
        TermKind::Name(written) => written.symbol,
        TermKind::Thunk { .. } => {
            let (at, name) = (Location::node(source, name.id), name.symbol);
            let message = format!(
                "the variable `{name}` is never used, and the computation that it stands for never runs"
            );
            let problem = Diagnostic::new(Code::UnusedVariable, at, message);
            return Some(problem.help(format!("`{name}!` runs it where it is to run")));
        }
        _ => return None,
    };
    let forced = Fix {
        title: "run it with `!`".to_owned(),
        edits: vec![Edit {
            location: Location::node(source, item.terms[*bound].id),
            position: Position::After,
            text: "!".to_owned(),
        }],
        safe: false,
    };
    let message = format!(
        "the variable `{}` is never used, and `{written}`, which it stands for, never runs",
        name.symbol
    );
    let at = Location::node(source, name.id);
    Some(
        Diagnostic::new(Code::UnusedVariable, at, message)
            .help(format!("write `{written}!` to run it"))
            .fix(forced),
    )
}

/// What is said of a local that nothing reads.
fn unused_local(source: ItemSource, local: &Binder) -> Diagnostic {
    let (name, kind) = (local.name.symbol, local.kind);
    let at = Location::node(source, local.name.id);
    let (message, help, severity) = match kind {
        LocalKind::Let => (
            format!("the variable `{name}` is never used"),
            "if only what it does matters, write `…; …` instead of the `let`",
            Severity::Warning,
        ),
        LocalKind::Continuation => (
            format!("the continuation `{name}` is never resumed: the computation ends here"),
            "if that is meant, write `_`",
            Severity::Warning,
        ),
        LocalKind::CatchAll => (
            format!("the computation `{name}` is never run: what it would do is left out"),
            "if that is meant, write `<_>`",
            Severity::Warning,
        ),
        LocalKind::Pattern => (
            format!("the variable `{name}` is never used"),
            "write `_` for a part that is not needed",
            Severity::Hint,
        ),
    };
    let mut problem = Diagnostic::new(Code::UnusedVariable, at, message)
        .help(help)
        // What is never resumed may as well have been forgotten.
        .fix(fixes::ignore(at, matches!(kind, LocalKind::Let)));
    problem.severity = severity;
    problem
}

/// Whether nothing reads a local, and it is to be reported for that: one that is named like a
/// constructor or a command cannot be read, and is reported as such.
fn is_needless(local: &Binder) -> bool {
    !local.is_used && !local.is_shadowed && !is_private(local.name.symbol)
}

fn role(item: &Item, body: &Body, pattern: PatternId) -> Role {
    match (&item.patterns[pattern].kind, body.patterns.get(pattern)) {
        (PatternKind::Name(_), Some(ResolvedPattern::Binds(local))) => {
            let binder = body.scopes.binder(*local);
            if binder.is_none_or(|binder| binder.is_used) {
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
    for pattern in item.clauses().flat_map(|clause| &clause.patterns) {
        if let (PatternKind::Name(_), Some(ResolvedPattern::Binds(local))) =
            (&item.patterns[*pattern].kind, body.patterns.get(*pattern))
        {
            parameters.insert(*local);
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
    fn nothing_is_reported_beside_an_error() {
        assert!(found(Code::UnusedVariable, "f : Int -> Int\nf x = g\n").is_empty());
    }
}
