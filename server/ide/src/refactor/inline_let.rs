//! A `let` goes, and what it binds takes the place of its name.

use frank_syntax::ast::{NodeId, TermId, TermKind};
use text_size::TextRange;

use super::site::Site;
use super::text::{Level, comments};
use super::{Candidates, Plan, refuse};
use crate::names::{Def, Role};

pub(super) fn plan<'s>(site: &'s Site<'_>) -> Option<Plan<'s>> {
    let name = site.name()?;
    let Def::Local { binder, .. } = name.def else {
        return None;
    };
    site.typed.as_ref()?;
    let mut terms = site.item().terms.iter();
    let (term, _) = terms
        .find(|(_, data)| matches!(&data.kind, TermKind::Let { name, .. } if name.id == binder))?;
    Plan::new(format!("Inline `{}`", name.name), move || {
        inline(site, term, binder)
    })
}

fn inline(site: &Site<'_>, term: TermId, binder: NodeId) -> Candidates {
    let TermKind::Let { name, bound, body } = site.kind(term) else {
        return refuse("there is no `let` here");
    };
    let (name, bound, body) = (name.symbol, *bound, *body);
    let reads = site.reads(binder);
    if !site.is_value(bound) {
        match reads[..] {
            [] => {
                return refuse(format!(
                    "`{name}` is never used, but what it stands for may do something when it is evaluated"
                ));
            }
            [read] if site.comes_first(read, body) => {}
            [_] => {
                return refuse(format!(
                    "what `{name}` stands for would be evaluated at another time, or elsewhere"
                ));
            }
            _ => {
                return refuse(format!(
                    "what `{name}` stands for would be evaluated {} times",
                    reads.len()
                ));
            }
        }
    }
    captures(site, bound, &reads)?;
    let place = site.inner(bound);
    let floats = site.explicit_floats(place);
    let mut candidates = Vec::new();
    for floats in [floats.as_slice(), &[]] {
        let text = site.spliced(place, floats);
        let Some(edits) = replaced(site, &reads, &text, Level::of(site.item(), bound)) else {
            return refuse(format!(
                "`{name}` is called, which cannot be done to a literal"
            ));
        };
        // What is a single name takes the tightness of what it becomes.
        let level = match site.reads(binder).contains(&body) {
            true => Level::of(site.item(), bound),
            false => Level::of(site.item(), body),
        };
        let text = site.spliced(site.outer(body), &edits);
        let Some(text) = site.embedded(term, &text, level) else {
            return refuse("what comes out cannot stand here");
        };
        let kept = kept_comments(site, term, bound, body);
        candidates.push(vec![site.edit(site.outer(term), format!("{kept}{text}"))]);
    }
    candidates.dedup();
    Ok(candidates)
}

/// The comments that stand between the parts of a `let`.
fn kept_comments(site: &Site<'_>, term: TermId, bound: TermId, body: TermId) -> String {
    let (bound, body) = (site.outer(bound), site.outer(body));
    let whole = site.inner(term);
    let before = site.slice(TextRange::new(whole.start(), bound.start()));
    let between = site.slice(TextRange::new(bound.end(), body.start()));
    // What follows a comment must not begin a new item.
    let start = usize::from(site.view.range(site.item().id).start());
    let line = site.text().get(..start).unwrap_or_default();
    let column = line.len() - line.rfind('\n').map_or(0, |line| line + 1);
    let indented = format!("\n{}", " ".repeat(column + 2));
    comments(&format!("{before}\n{between}\n")).replace('\n', &indented)
}

/// Replacements of terms that are names by a text.
pub(super) fn replaced(
    site: &Site<'_>,
    reads: &[TermId],
    text: &str,
    level: Level,
) -> Option<Vec<(TextRange, String)>> {
    let edits = reads.iter().map(|read| {
        let text = site.embedded(*read, text, level)?;
        Some((site.outer(*read), text))
    });
    edits.collect()
}

/// Refuses if a variable that `term` reads is another one where it is to stand.
pub(super) fn captures(
    site: &Site<'_>,
    term: TermId,
    places: &[TermId],
) -> Result<(), crate::rename::Refusal> {
    for free in site.free_locals(site.inner(term)) {
        for place in places {
            let here = site.scopes.local_at(term, free.name);
            let there = site.scopes.local_at(*place, free.name);
            if here.map(|binder| binder.name.id) != there.map(|binder| binder.name.id) {
                return refuse(format!(
                    "`{}` means something else where it would come to stand",
                    free.name
                ));
            }
        }
    }
    // Names of operators can be hidden by variables, too.
    for name in site
        .names_in(site.inner(term))
        .filter(|name| name.role == Role::Use)
    {
        if matches!(name.def, Def::Operator(_))
            && places
                .iter()
                .any(|place| site.scopes.local_at(*place, name.name).is_some())
        {
            return refuse(format!(
                "`{}` means something else where it would come to stand",
                name.name
            ));
        }
    }
    Ok(())
}
