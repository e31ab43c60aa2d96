//! `f` becomes `{x -> f x}`, and back.

use frank_analysis::program::TermDef;
use frank_analysis::surroundings::Parent;
use frank_analysis::types::{Computation, TyKind, usual_names};
use frank_syntax::ast::tree::Node;
use frank_syntax::ast::{Clause, PatternKind, TermId, TermKind};

use super::clauses::variable;
use super::site::Site;
use super::text::Level;
use super::{Plan, refuse};
use crate::names::Def;

/// The name of a computation that stands as a value.
pub(super) fn expand<'s>(site: &'s Site<'_>) -> Option<Plan<'s>> {
    let name = site.name()?;
    let term = site.name_term(&name)?;
    let typed = site.typed.as_ref()?;
    let applied = matches!(site.around.parent(term), Some(Parent::Term(parent))
        if matches!(site.kind(parent), TermKind::Adapted { .. })
            || matches!(site.kind(parent), TermKind::Apply { head, .. } if *head == term));
    if applied || matches!(site.definition(term), Some(TermDef::Constructor(_))) {
        return None;
    }
    let ty = *typed.body().types.get(term)?;
    let computation = typed.computation(ty)?;
    Plan::new(format!("Eta-expand `{}`", name.name), move || {
        let text = expanded(site, name.name.as_str(), computation);
        match site.embedded(term, &text, Level::Atom) {
            Some(text) => Ok(vec![vec![site.edit(site.outer(term), text)]]),
            None => refuse("braces cannot stand here"),
        }
    })
}

/// A call of `name` in braces. At a port that handles commands the argument stays a computation, so
/// that the callee still handles them.
pub(super) fn expanded(site: &Site<'_>, name: &str, computation: &Computation) -> String {
    expanded_with(site, name, computation, &|args| args)
}

/// As [`expanded`], with other arguments for those that a call would have.
pub(super) fn expanded_with(
    site: &Site<'_>,
    name: &str,
    computation: &Computation,
    change: &dyn Fn(Vec<String>) -> Vec<String>,
) -> String {
    let mut taken: Vec<String> = Vec::new();
    let (mut patterns, mut args) = (String::new(), Vec::new());
    for port in &computation.ports {
        let plain = port.adjustments.is_empty();
        let wanted = match (&site.typed, plain) {
            (Some(typed), true) => usual_names(typed.inference.table.kind(port.ty)),
            (None, true) => usual_names(&TyKind::Error),
            (_, false) => &["m"],
        };
        let fresh = site.fresh(wanted, &taken);
        patterns.push_str(&match plain {
            true => format!("{fresh} "),
            false => format!("<{fresh}> "),
        });
        args.push(match plain {
            true => fresh.clone(),
            false => format!("{fresh}!"),
        });
        taken.push(fresh);
    }
    let args = change(args);
    let call = match args.is_empty() {
        true => format!("{name}!"),
        false => format!("{name} {}", args.join(" ")),
    };
    match patterns.is_empty() {
        true => format!("{{{call}}}"),
        false => format!("{{{patterns}-> {call}}}"),
    }
}

/// Braces that do nothing but pass their arguments on.
pub(super) fn contract<'s>(site: &'s Site<'_>) -> Option<Plan<'s>> {
    let thunk = match site.selected_term() {
        Some(term) => term,
        None => site.path().iter().rev().find_map(|node| match node {
            Node::Term(term) if matches!(site.kind(*term), TermKind::Thunk { .. }) => Some(*term),
            _ => None,
        })?,
    };
    let TermKind::Thunk { clauses } = site.kind(thunk) else {
        return None;
    };
    let [clause] = &clauses[..] else {
        return None;
    };
    let head = passed_on(site, clause)?;
    let name = site.slice(site.inner(head));
    Plan::new(format!("Eta-contract to `{name}`"), move || {
        match site.embedded(thunk, name, Level::Name) {
            Some(text) => Ok(vec![vec![site.edit(site.outer(thunk), text)]]),
            None => refuse("no name can stand here"),
        }
    })
}

/// The name that a clause calls with exactly what it takes.
fn passed_on(site: &Site<'_>, clause: &Clause) -> Option<TermId> {
    let TermKind::Apply { head, args } = site.kind(clause.body) else {
        return None;
    };
    let TermKind::Name(name) = site.kind(*head) else {
        return None;
    };
    if matches!(site.definition(*head), Some(TermDef::Constructor(_)))
        || args.len() != clause.patterns.len()
    {
        return None;
    }
    let mut own = Vec::new();
    for (pattern, arg) in clause.patterns.iter().zip(args) {
        let bound = match &site.item().patterns[*pattern].kind {
            PatternKind::CatchAll(name) => (name.id, forced(site, *arg)?),
            _ => (variable(site, *pattern)?.id, *arg),
        };
        if site.reads(bound.0) != [bound.1] {
            return None;
        }
        own.push(bound.0);
    }
    let outside = site.names.iter().find(|other| other.node == name.id)?;
    match outside.def {
        Def::Local { binder, .. } if own.contains(&binder) => None,
        _ => Some(*head),
    }
}

/// The term that `m!` forces.
fn forced(site: &Site<'_>, term: TermId) -> Option<TermId> {
    match site.kind(term) {
        TermKind::Apply { head, args } if args.is_empty() => Some(*head),
        _ => None,
    }
}
