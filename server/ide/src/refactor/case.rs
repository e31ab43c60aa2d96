//! `f x = case x {p -> a | q -> b}` becomes `f p = a` and `f q = b`, and back.

use frank_analysis::builtin;
use frank_analysis::program::TermDef;
use frank_analysis::surroundings::Parent;
use frank_analysis::types::usual_names;
use frank_syntax::ast::{Clause, PatternId, PatternKind, Symbol, TermId, TermKind};
use text_size::TextRange;

use super::clauses::{ClauseSite, is_wildcard, operator_clauses, takes_all_values, variable};
use super::site::Site;
use super::text::Level;
use super::value::rebuilt;
use super::{Candidates, Plan, refuse};
use crate::names::{Def, Role};

/// A call of `case` with braces: the call, what is looked at, and the clauses.
fn parts<'a>(site: &Site<'a>, term: TermId) -> Option<(TermId, TermId, &'a [Clause])> {
    let TermKind::Apply { head, args } = site.kind(term) else {
        return None;
    };
    let [subject, thunk] = args[..] else {
        return None;
    };
    let case = builtin::operator(site.view.db(), "case");
    let TermKind::Thunk { clauses } = site.kind(thunk) else {
        return None;
    };
    (site.definition(*head) == Some(TermDef::Operator(case))).then_some((subject, thunk, clauses))
}

/// A clause that is nothing but a `case` of one of its variables.
pub(super) fn to_clauses<'s>(site: &'s Site<'_>) -> Option<Plan<'s>> {
    site.typed.as_ref()?;
    let here = innermost_case(site)?;
    let (subject, _, clauses) = parts(site, here.clause.body)?;
    let (pattern, name) = here.clause.patterns.iter().find_map(|pattern| {
        let name = variable(site, *pattern)?;
        site.reads(name.id)
            .contains(&subject)
            .then_some((*pattern, name))
    })?;
    let one_each = clauses.iter().all(|clause| clause.patterns.len() == 1);
    let handled = here
        .clause
        .patterns
        .iter()
        .position(|other| *other == pattern)
        .and_then(|index| here.port(site, index))
        .is_none();
    if !one_each || handled {
        return None;
    }
    Plan::new("Turn `case` into clauses".to_owned(), move || {
        let mut texts = Vec::new();
        for clause in clauses {
            let Some(text) = case_clause(site, here, pattern, name.id, subject, clause) else {
                return refuse(format!(
                    "a clause of the `case` uses `{}` as a whole",
                    name.symbol
                ));
            };
            texts.push(text);
        }
        Ok(vec![vec![
            site.edit(here.range(site), here.joined(site, &texts)),
        ]])
    })
}

/// The innermost clause around the place whose body is a `case`.
fn innermost_case<'a>(site: &Site<'a>) -> Option<ClauseSite<'a>> {
    let here = ClauseSite::at(site)?;
    if parts(site, here.clause.body).is_some() {
        return Some(here);
    }
    // The place may be in a clause of the `case` itself.
    let thunk = here.thunk?;
    let Some(Parent::Term(call)) = site.around.parent(thunk) else {
        return None;
    };
    parts(site, call)?;
    let outer = match site.around.parent(call) {
        None => {
            let frank_syntax::ast::ItemKind::Clause { clause, .. } = &site.item().kind else {
                return None;
            };
            ClauseSite {
                clause,
                thunk: None,
                index: 0,
            }
        }
        Some(Parent::Clause { thunk, index }) => {
            let TermKind::Thunk { clauses } = site.kind(thunk) else {
                return None;
            };
            ClauseSite {
                clause: clauses.get(index)?,
                thunk: Some(thunk),
                index,
            }
        }
        Some(Parent::Term(_)) => return None,
    };
    (outer.clause.body == call).then_some(outer)
}

/// The clause for one clause of the `case`.
fn case_clause(
    site: &Site<'_>,
    here: ClauseSite<'_>,
    pattern: PatternId,
    binder: frank_syntax::ast::NodeId,
    subject: TermId,
    clause: &Clause,
) -> Option<String> {
    let inner = *clause.patterns.first()?;
    let at = site.view.range(site.item().patterns[pattern].id);
    let inner_at = site.view.range(site.item().patterns[inner].id);
    let body = site.outer(clause.body);
    let reads: Vec<TermId> = site
        .reads(binder)
        .into_iter()
        .filter(|read| *read != subject && body.contains_range(site.inner(*read)))
        .collect();
    let mut new_pattern = site.slice(inner_at).to_owned();
    let mut edits: Vec<(TextRange, String)> = Vec::new();
    if !reads.is_empty() {
        if is_wildcard(site, inner) {
            // The variable of the clause goes on.
            new_pattern = site.slice(at).to_owned();
        } else if let Some(name) = variable(site, inner) {
            for read in &reads {
                edits.push((site.inner(*read), name.symbol.to_string()));
                if !site.scopes.sees(*read, &name) {
                    return None;
                }
            }
        } else {
            // Every part needs a name to make the whole again.
            let mut taken = Vec::new();
            let mut pattern_edits = Vec::new();
            name_wildcards(site, inner, &mut taken, &mut pattern_edits);
            let (text, level) = rebuilt_with(site, inner, &pattern_edits)?;
            let scopes = &site.scopes;
            let own = site.item().patterns_of(clause);
            let mut bound = own.filter_map(|one| scopes.binder(scopes.bound_by_pattern(one)?));
            if bound.any(|own| !reads.iter().all(|read| scopes.sees(*read, &own.name))) {
                return None;
            }
            for read in &reads {
                edits.push((site.outer(*read), site.embedded(*read, &text, level)?));
            }
            new_pattern = site.spliced(inner_at, &pattern_edits);
        }
    }
    // What the other patterns bind must not be what this one binds.
    let bound = site.bound_in(inner_at);
    let others = here
        .clause
        .patterns
        .iter()
        .filter(|other| **other != pattern);
    let clash = others
        .flat_map(|other| site.bound_in(site.view.range(site.item().patterns[*other].id)))
        .any(|name| bound.contains(&name));
    if clash {
        return None;
    }
    let case = here.clause.body;
    let text = site.spliced(body, &edits);
    let whole = [(at, new_pattern), (site.outer(case), text)];
    Some(site.spliced(here.range(site), &whole))
}

/// Gives the wildcards in a pattern names.
fn name_wildcards(
    site: &Site<'_>,
    pattern: PatternId,
    taken: &mut Vec<String>,
    edits: &mut Vec<(TextRange, String)>,
) {
    let data = &site.item().patterns[pattern];
    match &data.kind {
        PatternKind::Name(name) if name.symbol.is_wildcard() => {
            let typed = site.typed.as_ref();
            let ty = typed.and_then(|typed| typed.body().pattern_types.get(pattern).copied());
            let kind = typed
                .zip(ty)
                .map(|(typed, ty)| typed.inference.table.kind(ty));
            let wanted = kind.map_or(&["x", "y", "z"][..], usual_names);
            let fresh = site.fresh(wanted, taken);
            taken.push(fresh.clone());
            edits.push((site.view.range(data.id), fresh));
        }
        kind => kind
            .sub_patterns()
            .for_each(|part| name_wildcards(site, part, taken, edits)),
    }
}

/// The term for a pattern whose wildcards have got names.
fn rebuilt_with(
    site: &Site<'_>,
    pattern: PatternId,
    named: &[(TextRange, String)],
) -> Option<(String, Level)> {
    if named.is_empty() {
        return rebuilt(site, pattern);
    }
    // Patterns are written as the terms that make their values.
    let range = site.view.range(site.item().patterns[pattern].id);
    Some((site.spliced(range, named), Level::Atom))
}

/// All clauses of an operator as one with a `case`.
pub(super) fn from_clauses<'s>(site: &'s Site<'_>) -> Option<Plan<'s>> {
    site.typed.as_ref()?;
    let operator = site.view.operator()?;
    let count = operator.items(site.view.db()).clauses.len();
    let here = ClauseSite::at(site);
    if here.is_some_and(|here| here.thunk.is_some()) || count < 2 {
        return None;
    }
    // The program's own `case` may be another one.
    let case =
        frank_analysis::program::resolve_term(site.view.db(), site.scope(), Symbol::new("case"));
    let builtin = TermDef::Operator(builtin::operator(site.view.db(), "case"));
    if case != Some(builtin) {
        return None;
    }
    Plan::new("Turn the clauses into `case`".to_owned(), move || {
        one_clause(site)
    })
}

fn one_clause(site: &Site<'_>) -> Candidates {
    let Some(clauses) = operator_clauses(site) else {
        return refuse("a clause has a syntax error");
    };
    let Some(first) = clauses.first() else {
        return refuse("there are no clauses");
    };
    let ports = first.clause.patterns.len();
    if clauses
        .iter()
        .any(|other| other.clause.patterns.len() != ports)
    {
        return refuse("the clauses have different numbers of patterns");
    }
    let simple = |index: &usize| {
        clauses.iter().all(|other| {
            let pattern = other.clause.patterns.get(*index);
            pattern.is_some_and(|pattern| takes_all_values(&other.site, *pattern))
        })
    };
    let mut differing = (0..ports).filter(|index| !simple(index));
    let (index, None) = (differing.next().unwrap_or_default(), differing.next()) else {
        return refuse("the clauses differ in several patterns");
    };
    let computation = site
        .typed
        .as_ref()
        .and_then(|typed| typed.inference.computation.as_ref());
    let port = computation.and_then(|computation| computation.ports.get(index));
    if port.is_none_or(|port| !port.adjustments.is_empty()) {
        return refuse("`case` handles no commands");
    }
    // One name for each port, free everywhere or bound to just that.
    let mut names: Vec<String> = Vec::new();
    for place in 0..ports {
        let known = (place != index).then(|| {
            clauses.iter().find_map(|other| {
                let pattern = other.clause.patterns.get(place)?;
                Some(variable(&other.site, *pattern)?.symbol.to_string())
            })
        });
        let name = match known {
            Some(None) => "_".to_owned(),
            Some(Some(name)) if is_free(&clauses, place, &name) && !names.contains(&name) => name,
            _ => {
                let mut taken = names.clone();
                loop {
                    let kind = computation.zip(port).and_then(|(computation, _)| {
                        let ty = computation.ports.get(place)?.ty;
                        Some(site.typed.as_ref()?.inference.table.kind(ty))
                    });
                    let wanted = kind.map_or(&["x", "y", "z"][..], usual_names);
                    let name = site.fresh(wanted, &taken);
                    let free = clauses
                        .iter()
                        .all(|other| !crate::tokens::contains_word(other.site.text(), &name));
                    if free {
                        break name;
                    }
                    taken.push(name);
                }
            }
        };
        names.push(name);
    }
    let mut texts = Vec::new();
    for other in &clauses {
        let there = &other.site;
        let Some(pattern) = other.clause.patterns.get(index) else {
            continue;
        };
        let mut edits: Vec<(TextRange, String)> = Vec::new();
        for (place, (pattern, name)) in other.clause.patterns.iter().zip(&names).enumerate() {
            if place == index {
                continue;
            }
            if let Some(old) = variable(there, *pattern)
                && old.symbol.as_str() != name
            {
                let reads = there.reads(old.id);
                edits.extend(reads.iter().map(|read| (there.inner(*read), name.clone())));
            }
        }
        let shown = there.slice(there.view.range(there.item().patterns[*pattern].id));
        let body = there.spliced(there.outer(other.clause.body), &edits);
        texts.push(format!("{shown} -> {body}"));
    }
    let subject = names.get(index).cloned().unwrap_or_default();
    let separator = "\n  | ";
    let case = format!("case {subject} {{\n    {}\n}}", texts.join(separator));
    let name = site
        .view
        .operator()
        .map(|operator| operator.0.name.to_string());
    let head = format!("{} {}", name.unwrap_or_default(), names.join(" "));
    let there = &first.site;
    let whole = there.view.range(there.item().id);
    let mut edits = vec![there.edit(whole, format!("{head} = {case}"))];
    for other in clauses.iter().skip(1) {
        let there = &other.site;
        let start = there.view.range(there.item().id).start();
        let above = there.slice(TextRange::up_to(start));
        if !above.trim().is_empty() {
            return refuse("there are comments between the clauses");
        }
        edits.push(there.edit(TextRange::up_to(crate::view::size(there.text().len())), ""));
    }
    Ok(vec![edits])
}

/// Whether a name can stand for a port in all clauses: nothing else in them has it.
fn is_free(clauses: &[super::clauses::OperatorClause<'_>], place: usize, name: &str) -> bool {
    clauses.iter().all(|other| {
        let own = other
            .clause
            .patterns
            .get(place)
            .and_then(|pattern| variable(&other.site, *pattern))
            .filter(|own| own.symbol.as_str() == name);
        let mut names = other.site.names.iter();
        names.all(|found| {
            found.name.as_str() != name
                || own.is_some_and(
                    |own| matches!(found.def, Def::Local { binder, .. } if binder == own.id),
                ) && matches!(found.role, Role::Definition | Role::Use)
        })
    })
}
