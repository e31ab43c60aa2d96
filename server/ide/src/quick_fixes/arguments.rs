//! Arguments and patterns that are missing, or too many.

use frank_analysis::declarations::{constructor_arity, sound_signature};
use frank_analysis::diagnostics::Fix;
use frank_analysis::program::{TermDef, resolve_term};
use frank_analysis::types::TyKind;
use frank_syntax::ast::tree::{Node, for_each};
use frank_syntax::ast::{Clause, ItemKind, PatternId, PatternKind, Symbol, TermId, TermKind};
use text_size::TextRange;

use super::{HOLE, insert, replace};
use crate::refactor::with_parentheses;
use crate::tokens::words;
use crate::view::{View, slice};

/// Holes for the missing arguments of a call or a constructor in a term; or its force goes, if it is
/// nothing to be run.
pub(super) fn terms(view: View<'_>, place: TextRange) -> Option<Fix> {
    let item = view.item();
    let named = item
        .terms
        .iter()
        .find(|(_, data)| view.range(data.id) == place);
    let (mut term, _) = named.or_else(|| {
        item.terms.iter().find(
            |(_, data)| matches!(&data.kind, TermKind::Name(name) if view.range(name.id) == place),
        )
    })?;
    // The finding may stand at the head or at the call.
    if let Some((call, _)) = item
        .terms
        .iter()
        .find(|(_, data)| matches!(&data.kind, TermKind::Apply { head, .. } if *head == term))
    {
        term = call;
    }
    let (head, args) = match &item.terms[term].kind {
        TermKind::Apply { head, args } => (*head, args.as_slice()),
        _ => (term, &[][..]),
    };
    let (wanted, is_constructor) = arity(view, head)?;
    let called = matches!(item.terms[term].kind, TermKind::Apply { .. });
    if is_constructor && called && args.is_empty() && wanted == 0 {
        let (head, whole) = (
            view.range(item.terms[head].id),
            view.range(item.terms[term].id),
        );
        return Some(Fix {
            title: "leave out the `!`".to_owned(),
            edits: vec![replace(
                view.source,
                TextRange::new(head.end(), whole.end()),
                "",
            )],
            safe: true,
        });
    }
    let missing = wanted
        .checked_sub(args.len())
        .filter(|missing| *missing > 0)?;
    // Of `Unit` there is one value.
    let is_unit = args.is_empty() && missing == 1 && takes_unit(view, head);
    let hole = if is_unit { "unit" } else { HOLE };
    let holes = format!(" {hole}").repeat(missing);
    let head_end = with_parentheses_of_head(view, head);
    let edits = match args.last() {
        Some(last) => {
            let end = with_parentheses(view.text(), view.range(item.terms[*last].id)).end();
            vec![insert(view, end, holes)]
        }
        None => {
            // What takes arguments needs parentheses as an argument itself.
            let whole = view.range(item.terms[term].id);
            let nested = is_argument(view, term) && with_parentheses(view.text(), whole) == whole;
            let end = if called { whole.end() } else { head_end };
            let text = match nested {
                true => format!("{holes})"),
                false => holes,
            };
            let after = TextRange::new(head_end, end.max(head_end));
            let mut edits = vec![replace(view.source, after, &text)];
            if nested {
                edits.push(insert(view, whole.start(), "(".to_owned()));
            }
            edits
        }
    };
    Some(Fix {
        title: match missing {
            _ if is_unit => "write `unit` for the missing argument".to_owned(),
            1 => "write a hole for the missing argument".to_owned(),
            n => format!("write holes for the {n} missing arguments"),
        },
        edits,
        safe: false,
    })
}

/// Braces around a call that lacks its last arguments, which take these later: `{x -> f a x}`.
pub(super) fn rest_later(view: View<'_>, place: TextRange) -> Option<Fix> {
    let item = view.item();
    let (call, head, args) = item
        .terms
        .iter()
        .find_map(|(term, data)| match &data.kind {
            TermKind::Apply { head, args } if !args.is_empty() => {
                let is_here =
                    view.range(item.terms[*head].id) == place || view.range(data.id) == place;
                is_here.then_some((term, *head, args))
            }
            _ => None,
        })?;
    let (wanted, _) = arity(view, head)?;
    let missing = wanted
        .checked_sub(args.len())
        .filter(|missing| *missing > 0)?;
    let own = view.range(item.terms[call].id);
    let text = slice(view.text(), own);
    let taken = words(view.text());
    let is_free = |name: &String| {
        taken.iter().all(|word| word.text(view.text()) != name)
            && resolve_term(view.db(), view.scope, Symbol::new(name)).is_none()
    };
    let names = ["x", "y", "z"].map(str::to_owned).into_iter();
    let names = names.chain((1..).map(|n| format!("x{n}"))).filter(is_free);
    let names: Vec<String> = names.take(missing).collect();
    let names = names.join(" ");
    let text = format!("{{{names} -> {text} {names}}}");
    // What an argument does would be done each time.
    let is_value = |arg: &TermId| {
        matches!(
            item.terms[*arg].kind,
            TermKind::Name(_)
                | TermKind::Natural(_)
                | TermKind::Float(_)
                | TermKind::Char(_)
                | TermKind::String(_)
                | TermKind::Thunk { .. }
        )
    };
    Some(Fix {
        title: format!("write `{text}`"),
        edits: vec![replace(
            view.source,
            with_parentheses(view.text(), own),
            &text,
        )],
        safe: args.iter().all(is_value),
    })
}

fn with_parentheses_of_head(view: View<'_>, head: TermId) -> text_size::TextSize {
    let item = view.item();
    let range = view.range(item.terms[head].id);
    match item.terms[head].kind {
        TermKind::Name(_) => range.end(),
        _ => with_parentheses(view.text(), range).end(),
    }
}

fn is_argument(view: View<'_>, term: TermId) -> bool {
    view.item()
        .terms
        .iter()
        .any(|(_, data)| matches!(&data.kind, TermKind::Apply { args, .. } if args.contains(&term)))
}

/// Whether the first port of the operator that a term names takes a `Unit`.
fn takes_unit(view: View<'_>, head: TermId) -> bool {
    let db = view.db();
    let TermKind::Name(name) = &view.item().terms[head].kind else {
        return false;
    };
    let Some(TermDef::Operator(operator)) = resolve_term(db, view.scope, name.symbol) else {
        return false;
    };
    let declared = sound_signature(db, operator.0.scope, operator.0.name).as_ref();
    declared.is_some_and(|declared| {
        let port = declared.computation.ports.first();
        port.is_some_and(|port| match declared.types.kind(port.ty) {
            TyKind::Data(data, _) => data.0.name.as_str() == "Unit" && port.adjustments.is_empty(),
            _ => false,
        })
    })
}

/// How many arguments what a term names takes, and whether it is a constructor.
fn arity(view: View<'_>, head: TermId) -> Option<(usize, bool)> {
    let db = view.db();
    if let TermKind::Name(name) = &view.item().terms[head].kind
        && let Some(TermDef::Constructor(constructor)) = resolve_term(db, view.scope, name.symbol)
    {
        return Some((constructor_arity(db, constructor)?, true));
    }
    let typed = view.typed()?;
    let ty = *typed.body().types.get(head)?;
    match typed.inference.table.kind(ty) {
        TyKind::Computation(computation) => Some((computation.ports.len(), false)),
        _ => {
            let TermKind::Name(name) = &view.item().terms[head].kind else {
                return None;
            };
            let TermDef::Operator(operator) = resolve_term(db, view.scope, name.symbol)? else {
                return None;
            };
            let signature = sound_signature(db, operator.0.scope, operator.0.name);
            Some((signature.as_ref()?.computation.ports.len(), false))
        }
    }
}

/// `_` for the missing patterns of a clause: behind the others, and before each of them.
pub(super) fn patterns(view: View<'_>, place: TextRange) -> Vec<Fix> {
    let Some((missing, patterns)) = missing_patterns(view, place) else {
        return Vec::new();
    };
    let item = view.item();
    let text = " _".repeat(missing);
    let behind = match (patterns.last(), &item.kind) {
        (Some(last), _) => Some(insert(
            view,
            view.range(item.patterns[*last].id).end(),
            text,
        )),
        (None, ItemKind::Clause { name, .. }) => {
            let end = view.range(name.id).end();
            let rest = view.text().get(usize::from(end)..).unwrap_or_default();
            rest.find('!').map(|bang| {
                let bang = crate::view::size(bang + 1);
                replace(view.source, TextRange::new(end, end + bang), &text)
            })
        }
        _ => None,
    };
    let before = patterns.iter().map(|pattern| {
        let start = view.range(item.patterns[*pattern].id).start();
        insert(view, start, "_ ".repeat(missing))
    });
    let fix = |edit| Fix {
        title: match missing {
            1 => "write `_` for the missing pattern".to_owned(),
            n => format!("write `_` for the {n} missing patterns"),
        },
        edits: vec![edit],
        safe: false,
    };
    behind.into_iter().chain(before).map(fix).collect()
}

/// How many patterns a clause lacks, and those that it has.
fn missing_patterns(view: View<'_>, place: TextRange) -> Option<(usize, Vec<PatternId>)> {
    let item = view.item();
    let typed = view.typed()?;
    let mut found: Option<(usize, Vec<PatternId>, TextRange)> = None;
    let mut look = |clause: &Clause, ports: usize, head: TextRange| {
        let whole = view.range(clause.id);
        if whole.cover(head).contains_range(place) && clause.patterns.len() < ports {
            let closer = found
                .as_ref()
                .is_none_or(|(_, _, known)| known.contains_range(whole));
            if closer {
                found = Some((
                    ports - clause.patterns.len(),
                    clause.patterns.clone(),
                    whole,
                ));
            }
        }
    };
    if let (ItemKind::Clause { name, clause }, Some(computation)) =
        (&item.kind, &typed.inference.computation)
    {
        look(clause, computation.ports.len(), view.range(name.id));
    }
    for_each(item, |node| {
        let Node::Term(term) = node else { return };
        if let TermKind::Thunk { clauses } = &item.terms[term].kind
            && let Some(ty) = typed.body().thunks.get(term)
            && let Some(computation) = typed.computation(*ty)
        {
            for clause in clauses.iter().filter(|clause| !clause.patterns.is_empty()) {
                look(clause, computation.ports.len(), view.range(clause.id));
            }
        }
    });
    let (missing, patterns, _) = found?;
    Some((missing, patterns))
}

/// The fix for a constructor pattern that lacks arguments: a `_` for each.
pub(super) fn constructor_pattern(view: View<'_>, place: TextRange) -> Option<Fix> {
    let item = view.item();
    let db = view.db();
    let (_, data) = item.patterns.iter().find(|(_, data)| match &data.kind {
        PatternKind::Name(name) | PatternKind::Constructor { name, .. } => {
            view.range(name.id) == place || view.range(data.id) == place
        }
        _ => false,
    })?;
    let (name, args) = match &data.kind {
        PatternKind::Name(name) => (name, &[][..]),
        PatternKind::Constructor { name, args } => (name, args.as_slice()),
        _ => return None,
    };
    let TermDef::Constructor(constructor) = resolve_term(db, view.scope, name.symbol)? else {
        return None;
    };
    let missing = constructor_arity(db, constructor)?
        .checked_sub(args.len())
        .filter(|missing| *missing > 0)?;
    let holes = " _".repeat(missing);
    let end = match args.last() {
        Some(last) => view.range(item.patterns[*last].id).end(),
        None => view.range(name.id).end(),
    };
    let edits = match data.kind {
        PatternKind::Name(_) => {
            let start = view.range(name.id).start();
            vec![
                insert(view, start, "(".to_owned()),
                insert(view, end, format!("{holes})")),
            ]
        }
        _ => vec![insert(view, end, holes)],
    };
    Some(Fix {
        title: match missing {
            1 => "write `_` for the missing argument".to_owned(),
            n => format!("write `_` for the {n} missing arguments"),
        },
        edits,
        safe: false,
    })
}
