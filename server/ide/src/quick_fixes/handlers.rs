//! Handlers in scope around what performs a command that nothing takes.

use frank_analysis::declarations::sound_signature;
use frank_analysis::diagnostics::Fix;
use frank_analysis::program::{InterfaceDef, OperatorDef, TermDef, resolve_term};
use frank_analysis::report::visible_names;
use frank_analysis::surroundings::{Parent, Surroundings};
use frank_analysis::types::{Adjustment, TyKind};
use frank_syntax::ast::{ItemKind, TermId, TermKind};
use text_size::TextRange;

use super::{HOLE, replace};
use crate::refactor::with_parentheses;
use crate::view::{View, count};

/// So many handlers at most are offered.
const MOST: usize = 3;

/// A call of each handler for what is missing at a place, around the body that the place is in.
pub(super) fn around(view: View<'_>, place: TextRange) -> Vec<Fix> {
    wrapped(view, place).unwrap_or_default()
}

fn wrapped(view: View<'_>, place: TextRange) -> Option<Vec<Fix>> {
    let item = view.item();
    let terms = item
        .terms
        .iter()
        .filter(|(_, data)| view.range(data.id).contains_range(place));
    let (term, _) = terms.min_by_key(|(_, data)| view.range(data.id).len())?;
    let interface = missing_interface(view, term)?;
    let body = body_around(view, term)?;
    let range = view.range(item.terms[body].id);
    let text = view.text().get(std::ops::Range::<usize>::from(range))?;
    let atomic = matches!(
        item.terms[body].kind,
        TermKind::Name(_) | TermKind::Natural(_) | TermKind::Thunk { .. } | TermKind::List(_)
    ) || matches!(&item.terms[body].kind, TermKind::Apply { args, .. } if args.is_empty());
    let argument = match atomic {
        true => text.to_owned(),
        false => format!("({text})"),
    };
    let fixes = handlers(view, interface).into_iter().map(|handler| {
        let args = (0..handler.ports).map(|port| match port == handler.port {
            true => argument.as_str(),
            false => HOLE,
        });
        let args: Vec<&str> = args.collect();
        let name = handler.operator.0.name;
        let whole = with_parentheses(view.text(), range);
        let call = format!("{name} {}", args.join(" "));
        Fix {
            title: format!("handle `{}` with `{name}`", interface.0.name),
            edits: vec![replace(view.source, whole, &call)],
            safe: false,
        }
    });
    Some(fixes.collect())
}

/// The interface that a term needs an instance of, more than there are around it.
fn missing_interface(view: View<'_>, term: TermId) -> Option<InterfaceDef> {
    let item = view.item();
    let term = match &item.terms[term].kind {
        TermKind::Apply { head, .. } => *head,
        _ => term,
    };
    let TermKind::Name(name) = &item.terms[term].kind else {
        return None;
    };
    match resolve_term(view.db(), view.scope, name.symbol)? {
        TermDef::Command(command) => Some(command.interface),
        TermDef::Operator(operator) => {
            let typed = view.typed()?;
            let ambient = typed.body().ambient.get(term).copied().or_else(|| {
                let calls = item.terms.iter();
                let mut calls = calls.filter(
                    |(_, data)| matches!(&data.kind, TermKind::Apply { head, .. } if *head == term),
                );
                typed.body().ambient.get(calls.next()?.0).copied()
            })?;
            let here = typed.row(ambient);
            let declared =
                sound_signature(view.db(), operator.0.scope, operator.0.name).as_ref()?;
            let needed = declared.types.row(declared.computation.ability);
            let mut lacking = needed.instances.iter().filter(|instance| {
                count(&needed.instances, instance.interface)
                    > count(&here.instances, instance.interface)
            });
            Some(lacking.next()?.interface)
        }
        TermDef::Constructor(_) => None,
    }
}

/// The body of the innermost clause around a term, if all between runs in one ability.
fn body_around(view: View<'_>, term: TermId) -> Option<TermId> {
    let item = view.item();
    let around = Surroundings::new(item);
    let mut body = term;
    while let Some(Parent::Term(parent)) = around.parent(body) {
        if matches!(item.terms[parent].kind, TermKind::Adapted { .. }) {
            return None;
        }
        body = parent;
    }
    matches!(item.kind, ItemKind::Clause { .. } | ItemKind::Term(_)).then_some(body)
}

/// An operator that handles an interface at one of its ports.
struct Handler {
    operator: OperatorDef,
    port: usize,
    ports: usize,
}

/// The handlers in scope for an interface alone, those with the fewest other ports first.
fn handlers(view: View<'_>, interface: InterfaceDef) -> Vec<Handler> {
    let db = view.db();
    let own = view.operator();
    let mut found: Vec<Handler> = Vec::new();
    for (_, def) in visible_names(db, view.scope).iter() {
        let TermDef::Operator(operator) = *def else {
            continue;
        };
        let Some(signature) = sound_signature(db, operator.0.scope, operator.0.name) else {
            continue;
        };
        // What performs it itself leaves it to be handled.
        let row = signature.types.row(signature.computation.ability);
        if Some(operator) == own || count(&row.instances, interface) > 0 {
            continue;
        }
        let ports = &signature.computation.ports;
        let adds = |port: usize| {
            let adjustments = ports
                .get(port)
                .map_or(&[][..], |port| &port.adjustments[..]);
            !adjustments.is_empty()
                && adjustments.iter().all(|adjustment| {
                    matches!(adjustment, Adjustment::Instance(instance)
                        if instance.interface == interface)
                })
        };
        let mut adding = (0..ports.len()).filter(|port| adds(*port));
        let (Some(port), None) = (adding.next(), adding.next()) else {
            continue;
        };
        let plain = ports
            .iter()
            .enumerate()
            .all(|(i, other)| i == port || other.adjustments.is_empty());
        let takes_values = ports
            .get(port)
            .is_some_and(|port| !matches!(signature.types.kind(port.ty), TyKind::Error));
        if plain && takes_values {
            found.push(Handler {
                operator,
                port,
                ports: ports.len(),
            });
        }
    }
    found.sort_by_key(|handler| (handler.ports, handler.operator.0.name));
    found.truncate(MOST);
    found
}
