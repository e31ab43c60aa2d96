//! A term becomes an operator of its own, or gets a name by `let`.

use frank_analysis::infer::hypothesis::{Change, Hypothesis, Order};
use frank_analysis::infer::infer_operator_if;
use frank_analysis::inferred;
use frank_analysis::surroundings::Parent;
use frank_analysis::types::{Computation, Port, Ty};
use frank_syntax::ast::{TermId, TermKind};
use frank_syntax::outline::OutlineKind;
use text_size::TextRange;

use super::site::Site;
use super::text::Level;
use super::{Candidates, Plan, refuse};
use crate::FileRange;
use crate::names::{Def, Occurrence};
use crate::rename::TextEdit;

/// A term that can move elsewhere: not a mere name, nor a piece of a call.
fn movable(site: &Site<'_>) -> Option<TermId> {
    let term = site.selected_term()?;
    let part_of_use = matches!(site.around.parent(term), Some(Parent::Term(parent))
        if matches!(site.kind(parent), TermKind::Adapted { .. })
            || matches!(site.kind(parent), TermKind::Apply { head, .. } if *head == term));
    (site.typed.is_some()
        && !part_of_use
        && !matches!(site.kind(term), TermKind::Name(_) | TermKind::Missing))
    .then_some(term)
}

/// `let name = term in …` around what is evaluated once the term is.
pub(super) fn to_let<'s>(site: &'s Site<'_>) -> Option<Plan<'s>> {
    let term = movable(site)?;
    let whole = holder(site, term)?;
    Plan::new("Extract to `let`".to_owned(), move || {
        let name = site.fresh(&["value"], &[]);
        let bound = site.slice(site.inner(term));
        let range = site.outer(whole);
        let rest = match whole == term {
            true => name.clone(),
            false => site.spliced(site.inner(whole), &[(site.outer(term), name.clone())]),
        };
        let before = site.text().get(..usize::from(range.start()));
        let indent = indentation(before.unwrap_or_default());
        let text = match indent {
            Some(indent) => format!("let {name} = {bound} in\n{indent}{rest}"),
            None => format!("let {name} = {bound} in {rest}"),
        };
        match site.embedded(whole, &text, Level::Let) {
            Some(text) => Ok(vec![vec![site.edit(range, text)]]),
            None => refuse("there is no place for a `let` here"),
        }
    })
}

/// The blanks in front of what begins a line; `None` if something else does.
fn indentation(before: &str) -> Option<&str> {
    let line = before.rsplit('\n').next()?;
    line.trim().is_empty().then_some(line)
}

/// The widest term whose evaluation begins with that of `term`: a `let` around it changes nothing.
fn holder(site: &Site<'_>, term: TermId) -> Option<TermId> {
    let embeddable = |whole| site.embedded(whole, "", Level::Let);
    let mut best = embeddable(term)
        .is_some_and(|text| text.is_empty())
        .then_some(term);
    let mut whole = term;
    while let Some(Parent::Term(parent)) = site.around.parent(whole) {
        // A body is a place of its own, where a `let` reads best.
        let in_body = match site.kind(parent) {
            TermKind::Let { body, .. } => *body == whole,
            TermKind::Sequence { second, .. } => *second == whole,
            _ => false,
        };
        if in_body || !site.evaluated_first(whole, parent) {
            break;
        }
        whole = parent;
        if embeddable(whole).is_some() {
            best = Some(whole);
        }
    }
    best
}

/// A new operator that is the term, with the variables that it reads as ports.
pub(super) fn to_operator<'s>(site: &'s Site<'_>) -> Option<Plan<'s>> {
    let term = movable(site)?;
    site.view.operator()?;
    Plan::expensive("Extract to an operator".to_owned(), move || {
        operator(site, term)
    })
}

fn operator(site: &Site<'_>, term: TermId) -> Candidates {
    let free = site.free_locals(site.inner(term));
    let name = site.fresh(&["extracted"], &[]);
    let Some(signatures) = signatures(site, term, &free) else {
        return refuse("the type of this term is not known");
    };
    let parameters: String = free
        .iter()
        .map(|local| format!(" {}", local.name))
        .collect();
    let (call, level, head) = match free.is_empty() {
        true => (format!("{name}!"), Level::Nullary, format!("{name}!")),
        false => {
            let call = format!("{name}{parameters}");
            (call.clone(), Level::Use, call)
        }
    };
    let Some(call) = site.embedded(term, &call, level) else {
        return refuse("no call can stand here");
    };
    let body = site.slice(site.inner(term));
    let candidates = signatures.into_iter().map(|signature| {
        let text = format!("{name} : {signature}\n{head} = {body}\n");
        vec![
            site.edit(site.outer(term), call.clone()),
            below(site, &text),
        ]
    });
    Ok(candidates.collect())
}

/// Signatures for a term as an operator, the simplest first. Its ability has what the term needs and
/// no more.
fn signatures(site: &Site<'_>, term: TermId, free: &[Occurrence]) -> Option<Vec<String>> {
    let hypothesis = Hypothesis {
        source: site.view.source,
        term,
        change: Change::Isolate,
    };
    let (db, operator) = (site.view.db(), site.view.operator()?);
    let mut inference = infer_operator_if(db, operator, Order::default(), Some(hypothesis))?;
    let body = inference.body(site.view.source)?;
    let (ability, result) = (*body.ambient.get(term)?, *body.types.get(term)?);
    let types: Option<Vec<Ty>> = free
        .iter()
        .map(|local| {
            let Def::Local { binder, .. } = local.def else {
                return None;
            };
            let known = body.locals.iter().find(|known| known.node == binder)?;
            Some(known.ty)
        })
        .collect();
    let ports = types?.into_iter().map(|ty| Port {
        adjustments: std::sync::Arc::from([]),
        ty,
    });
    inference.computation = Some(Computation {
        ports: ports.collect(),
        ability,
        result,
    });
    let mut all = vec![inferred::signature(db, operator.0.scope, &inference)?];
    all.extend(inferred::signature_apart(db, operator.0.scope, &inference));
    all.dedup();
    if free.is_empty() {
        // Without ports the braces say that it is a computation.
        for signature in &mut all {
            let peg = signature
                .strip_prefix("[]")
                .unwrap_or(signature)
                .trim_start();
            *signature = format!("{{{peg}}}");
        }
    }
    Some(all)
}

/// New items below those of the operator that the site belongs to, as far as they stand together.
pub(super) fn below(site: &Site<'_>, items: &str) -> TextEdit {
    let snapshot = site.view.analysis.snapshot();
    let file = site.view.source.file(site.view.db());
    let name = site.view.operator().map(|operator| operator.0.name);
    let mut end = None;
    let mut next = "";
    let mut column = 0;
    for (entry, place) in snapshot.items(file) {
        let own = entry.kind == OutlineKind::Clause && entry.name == name;
        if entry.item == site.view.source {
            end = Some(place.range.end);
            let head = site.text().get(..place.token_offset).unwrap_or_default();
            column = head.len() - head.rfind('\n').map_or(0, |line| line + 1);
        } else if end.is_some() {
            if !own {
                next = entry.item.text(site.view.db());
                break;
            }
            end = Some(place.range.end);
        }
    }
    let end = end.unwrap_or_default();
    let indented: String = items
        .lines()
        .map(|line| format!("{}{line}\n", " ".repeat(column)))
        .collect();
    let open = match snapshot.text(file).get(..end) {
        Some(text) if text.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    let blank_below =
        next.is_empty() || next.trim_start_matches([' ', '\t', '\r']).starts_with('\n');
    let close = if blank_below { "" } else { "\n" };
    TextEdit {
        at: FileRange {
            file,
            range: TextRange::empty(crate::view::size(end)),
        },
        text: format!("{open}{indented}{close}"),
    }
}
