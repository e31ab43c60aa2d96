//! Clauses that are missing altogether, or that nothing needs.

use frank_analysis::declarations::sound_signature;
use frank_analysis::diagnostics::{At, Edit, Fix, Location, Position};
use frank_analysis::program::{TermDef, resolve_term};
use frank_analysis::surroundings::Surroundings;
use frank_syntax::ast::tree::{Node, for_each};
use frank_syntax::ast::{Clause, ItemKind, NodeId, PatternKind, TermKind};
use text_size::TextRange;

use super::{HOLE, replace};
use crate::tokens::words;
use crate::view::{View, size};
use frank_analysis::types::usual_names;

/// A clause that can never match goes.
pub(super) fn removed(view: View<'_>, place: TextRange) -> Option<Fix> {
    let item = view.item();
    if let ItemKind::Clause { name, clause } = &item.kind
        && view.range(name.id) == place
    {
        return Some(Fix {
            title: "remove the clause".to_owned(),
            edits: vec![item_removed(view)],
            safe: is_for_the_rest(view, clause),
        });
    }
    let mut found: Option<(TextRange, bool)> = None;
    for_each(item, |node| {
        let Node::Term(term) = node else { return };
        let TermKind::Thunk { clauses } = &item.terms[term].kind else {
            return;
        };
        let pointed = |clause: &Clause| match clause.patterns.first() {
            Some(pattern) => view.range(item.patterns[*pattern].id) == place,
            None => view.range(clause.id) == place,
        };
        // The first clause is always of use.
        for (one, next) in clauses.iter().zip(clauses.iter().skip(1)) {
            if pointed(next) {
                let body = |clause: &Clause| {
                    let range = view.range(item.terms[clause.body].id);
                    crate::refactor::with_parentheses(view.text(), range)
                };
                let end = |clause: &Clause| view.range(clause.id).cover(body(clause)).end();
                let range = TextRange::new(end(one), end(next));
                found = Some((range, is_for_the_rest(view, next)));
            }
        }
    });
    let (range, safe) = found?;
    Some(Fix {
        title: "remove the clause".to_owned(),
        edits: vec![replace(view.source, range, "")],
        safe,
    })
}

/// Whether a clause takes whatever the ones above it leave. Where nothing is left it is of no use; a
/// clause for something in particular may as well be right, and one above it wrong.
fn is_for_the_rest(view: View<'_>, clause: &Clause) -> bool {
    clause
        .patterns
        .iter()
        .all(|pattern| match &view.item().patterns[*pattern].kind {
            PatternKind::Name(name) => !matches!(
                resolve_term(view.db(), view.scope, name.symbol),
                Some(TermDef::Constructor(_))
            ),
            PatternKind::CatchAll(_) => true,
            _ => false,
        })
}

/// The edit that removes an item with the comment right above it.
fn item_removed(view: View<'_>) -> Edit {
    let text = view.text();
    let start = usize::from(view.range(view.item().id).start());
    let above = text.get(..start).unwrap_or_default();
    let from = match above.trim().is_empty() {
        true => 0,
        // What a blank line parts from the item is about something else.
        false => above.rfind("\n\n").map_or(0, |at| at + 1),
    };
    replace(
        view.source,
        TextRange::new(size(from), size(text.len())),
        "",
    )
}

/// An operator that nothing uses goes, with its signature and all clauses.
pub(super) fn operator_removed(view: View<'_>) -> Option<Fix> {
    let operator = view.operator()?;
    let items = operator.items(view.db());
    let all = items.signatures.iter().chain(&items.clauses);
    let edits = all.map(|source| item_removed(view.analysis.view(view.scope, *source)));
    Some(Fix {
        title: format!("remove `{}`", operator.0.name),
        edits: edits.collect(),
        safe: false,
    })
}

/// The clauses in braces that a finding about all of them stands for: at their first pattern, or at the
/// `case` that they are given to.
pub(super) fn in_braces(view: View<'_>, at: At) -> Option<Vec<TextRange>> {
    let At::Node(node) = at else { return None };
    let item = view.item();
    let around = Surroundings::new(item);
    let (_, clauses) = item
        .terms
        .iter()
        .filter_map(|(term, data)| match &data.kind {
            TermKind::Thunk { clauses } => Some((term, clauses)),
            _ => None,
        })
        .find(|(term, clauses)| {
            let first = clauses.first().and_then(|clause| clause.patterns.first());
            let call = around.argument_of(item, *term).map(|(call, _)| call);
            let head = call.and_then(|call| match &item.terms[call].kind {
                TermKind::Apply { head, .. } => Some(*head),
                _ => None,
            });
            first.is_some_and(|first| item.patterns[*first].id == node)
                || head.is_some_and(|head| item.terms[head].id == node)
        })?;
    let ranges = clauses
        .iter()
        .map(|clause| view.range(clause.id) + view.start);
    Some(ranges.collect())
}

/// A first clause for a signature that has none.
pub(super) fn written(view: View<'_>) -> Option<Fix> {
    let operator = view.operator()?;
    let name = operator.0.name;
    let signature = sound_signature(view.db(), operator.0.scope, name).as_ref()?;
    let mut taken: Vec<String> = words(view.text())
        .iter()
        .map(|word| word.text(view.text()).to_owned())
        .collect();
    let mut head = name.to_string();
    for port in &signature.computation.ports {
        let wanted = usual_names(signature.types.kind(port.ty));
        let numbered = (1..).map(|n| format!("x{n}"));
        let mut names = wanted.iter().map(|name| (*name).to_owned()).chain(numbered);
        let is_free = |name: &String| {
            !taken.contains(name)
                && resolve_term(view.db(), view.scope, frank_syntax::ast::Symbol::new(name))
                    .is_none()
        };
        let fresh = names.find(is_free)?;
        head.push(' ');
        head.push_str(&fresh);
        taken.push(fresh);
    }
    if signature.computation.ports.is_empty() {
        head.push('!');
    }
    Some(Fix {
        title: format!("write `{head} = {HOLE}`"),
        edits: vec![Edit {
            location: Location::node(view.source, NodeId(0)),
            position: Position::After,
            text: format!("\n{head} = {HOLE}"),
        }],
        safe: false,
    })
}
