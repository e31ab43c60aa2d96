//! A variable in a pattern becomes the constructors of its type, a catch-all `<m>` the commands that
//! its port adds: one clause for each.

use frank_analysis::holes::holes;
use frank_analysis::surroundings::Parent;
use frank_syntax::ast::tree::Node;
use frank_syntax::ast::{Name, PatternId, PatternKind, Symbol, TermId, TermKind};
use text_size::TextRange;

use super::clauses::{ClauseSite, operator_clauses, takes_all_values};
use super::site::Site;
use super::value::{Form, computations, constructors, shallow_head};
use super::{Candidates, Plan, refuse};

/// More clauses than this at once help nobody.
const MOST_CLAUSES: usize = 40;

pub(super) fn plan<'s>(site: &'s Site<'_>) -> Option<Plan<'s>> {
    site.typed.as_ref()?;
    let path = site.path();
    let pattern = path.iter().rev().find_map(|node| match node {
        Node::Pattern(pattern) => Some(*pattern),
        _ => None,
    })?;
    let here = ClauseSite::at(site)?;
    let (name, forms) = match &site.item().patterns[pattern].kind {
        PatternKind::Name(name) if takes_all_values(site, pattern) => {
            (name, constructors(site, pattern, needed(site, name))?)
        }
        PatternKind::CatchAll(name) => {
            let index = here
                .clause
                .patterns
                .iter()
                .position(|other| *other == pattern)?;
            let port = here.port(site, index)?;
            port.added().next()?;
            (name, computations(site, &port, needed(site, name))?)
        }
        _ => return None,
    };
    let catch_all = matches!(site.item().patterns[pattern].kind, PatternKind::CatchAll(_));
    let what = match catch_all {
        true => "the commands of its port",
        false => "constructors",
    };
    let shown = site.slice(site.view.range(site.item().patterns[pattern].id));
    if forms.is_empty() || forms.len() > MOST_CLAUSES {
        return None;
    }
    let name = *name;
    Plan::new(format!("Split `{shown}` by {what}"), move || {
        split(site, here, pattern, name, &forms)
    })
}

/// A variable that is split, if something needs what it stands for: a name that reads it, or a hole, which may.
fn needed(site: &Site<'_>, name: &Name) -> Option<Symbol> {
    let body = site.typed.as_ref().map(|typed| typed.body());
    let mut in_sight = body.into_iter().flat_map(|body| {
        let seen = holes(body).flat_map(|hole| body.scopes.seen_at(hole));
        seen.map(|binder| binder.name.id)
    });
    let is_needed = !site.reads(name.id).is_empty() || in_sight.any(|seen| seen == name.id);
    is_needed.then_some(name.symbol)
}

fn split(
    site: &Site<'_>,
    here: ClauseSite<'_>,
    pattern: PatternId,
    name: Name,
    forms: &[Form],
) -> Candidates {
    let taken = taken_before(site, here, pattern);
    let forms: Vec<&Form> = forms
        .iter()
        .filter(|form| form.head.is_none() || !taken.contains(&form.head))
        .collect();
    if forms.is_empty() {
        return refuse("the clauses above take all of them already");
    }
    let Some(clauses) = forms
        .iter()
        .map(|form| clause_for(site, here, pattern, name, form))
        .collect::<Option<Vec<String>>>()
    else {
        return refuse("a value cannot be called");
    };
    let edit = |clauses: &[String]| vec![site.edit(here.range(site), here.joined(site, clauses))];
    let mut candidates = vec![edit(&clauses)];
    // One may be taken by clauses above in a way that only the checker sees.
    for left_out in 0..clauses.len() {
        let mut fewer = clauses.clone();
        fewer.remove(left_out);
        if !fewer.is_empty() {
            candidates.push(edit(&fewer));
        }
    }
    Ok(candidates)
}

/// The clause with a form in the place of the pattern.
fn clause_for(
    site: &Site<'_>,
    here: ClauseSite<'_>,
    pattern: PatternId,
    name: Name,
    form: &Form,
) -> Option<String> {
    let at = site.view.range(site.item().patterns[pattern].id);
    let mut edits: Vec<(TextRange, String)> = vec![(at, form.pattern.clone())];
    edits.extend(reads_as(site, &site.reads(name.id), form)?);
    Some(site.spliced(here.range(site), &edits))
}

/// Replacements of the reads of a variable by what it stands for.
fn reads_as(site: &Site<'_>, reads: &[TermId], form: &Form) -> Option<Vec<(TextRange, String)>> {
    let edits = reads.iter().map(|read| {
        if let (Some(forced), Some(Parent::Term(parent))) =
            (&form.forced, site.around.parent(*read))
            && matches!(site.kind(parent), TermKind::Apply { args, .. } if args.is_empty())
        {
            let text = site.embedded(parent, &forced.0, forced.1)?;
            return Some((site.outer(parent), text));
        }
        let text = site.embedded(*read, &form.term.0, form.term.1)?;
        Some((site.outer(*read), text))
    });
    edits.collect()
}

/// What the clauses above take for certain at the place of a pattern.
fn taken_before(
    site: &Site<'_>,
    here: ClauseSite<'_>,
    pattern: PatternId,
) -> Vec<Option<(frank_analysis::program::TermDef, u32)>> {
    let Some(index) = here
        .clause
        .patterns
        .iter()
        .position(|other| *other == pattern)
    else {
        return Vec::new();
    };
    let others_take_all = |site: &Site<'_>, patterns: &[PatternId]| {
        patterns
            .iter()
            .enumerate()
            .all(|(i, pattern)| i == index || takes_all_values(site, *pattern))
    };
    let mut taken = Vec::new();
    match here.thunk {
        Some(_) => {
            for clause in here.siblings(site).iter().take(here.index) {
                if others_take_all(site, &clause.patterns) {
                    let head = clause.patterns.get(index).map(|p| shallow_head(site, *p));
                    taken.push(head.flatten());
                }
            }
        }
        None => {
            for other in operator_clauses(site).unwrap_or_default() {
                if other.site.view.source == site.view.source {
                    break;
                }
                let patterns = &other.clause.patterns;
                if others_take_all(&other.site, patterns) {
                    let head = patterns.get(index).map(|p| shallow_head(&other.site, *p));
                    taken.push(head.flatten());
                }
            }
        }
    }
    taken
}
