//! What an operator does takes the place of a call.

use frank_analysis::db::Origin;
use frank_analysis::declarations::sound_signature;
use frank_analysis::entries::may_be_entry;
use frank_analysis::program::{OperatorDef, resolve_row, resolve_term};
use frank_analysis::surroundings::Parent;
use frank_syntax::ast::{PatternId, TermId, TermKind};
use text_size::TextRange;

use super::clauses::{OperatorClause, is_wildcard, operator_clauses, variable};
use super::site::Site;
use super::text::Level;
use super::{Candidates, Plan, refuse};
use crate::names::{Def, Occurrence, Role};
use crate::rename::{Refusal, TextEdit};
use crate::tokens::contains_word;
use crate::view::View;

/// In the place of the call at the cursor.
pub(super) fn here<'s>(site: &'s Site<'_>) -> Option<Plan<'s>> {
    let name = site.name().filter(|name| name.role == Role::Use)?;
    let (Def::Operator(operator), Some(term), Some(_)) =
        (name.def, site.name_term(&name), &site.typed)
    else {
        return None;
    };
    if operator.items(site.view.db()).clauses.len() != 1 {
        return None;
    }
    let source = Source::new(site, operator).ok()?;
    // A look at the call itself says whether there is a chance.
    let possible = |eager| matches!(inlined(site, &source, term, eager), Ok(Some(_)));
    if !possible(false) && !possible(true) {
        return None;
    }
    Plan::expensive(format!("Inline `{}`", name.name), move || {
        let mut candidates = Vec::new();
        let own = operator.0.scope.origin(site.view.db()) == Origin::Workspace;
        let last = own && !is_main(operator) && is_last_use(site, operator);
        for eager in [false, true] {
            let Some(edit) = inlined(site, &source, term, eager)? else {
                continue;
            };
            let mut edits = vec![edit];
            if last {
                edits.extend(source.removed());
            }
            candidates.push(edits);
        }
        some(candidates)
    })
}

/// In the place of all calls; the operator goes.
pub(super) fn everywhere<'s>(site: &'s Site<'_>) -> Option<Plan<'s>> {
    let name = site
        .name()
        .filter(|name| matches!(name.role, Role::Definition | Role::Clause))?;
    let Def::Operator(operator) = name.def else {
        return None;
    };
    if operator.items(site.view.db()).clauses.len() != 1 || is_main(operator) {
        return None;
    }
    let source = Source::new(site, operator).ok()?;
    if !is_used(site, operator) {
        return None;
    }
    Plan::expensive(format!("Inline `{}` everywhere", name.name), move || {
        let uses = uses(site, operator);
        if uses.is_empty() {
            return refuse(format!("`{}` is used nowhere", name.name));
        }
        let mut candidates = Vec::new();
        'all: for eager in [false, true] {
            let mut edits: Vec<TextEdit> = Vec::new();
            for (view, name) in &uses {
                let Some(there) = Site::new(*view, TextRange::default()) else {
                    return refuse("an item that uses it has a syntax error");
                };
                let Some(term) = there.name_term(name) else {
                    continue;
                };
                let Some(edit) = inlined(&there, &source, term, eager)? else {
                    continue 'all;
                };
                let overlaps = |other: &TextEdit| {
                    other.at.file == edit.at.file
                        && other.at.range.intersect(edit.at.range).is_some()
                };
                if edits.iter().any(overlaps) {
                    return refuse("one call stands in another; inline them one after the other");
                }
                edits.push(edit);
            }
            edits.extend(source.removed());
            candidates.push(edits);
        }
        some(candidates)
    })
}

fn some(mut candidates: Vec<Vec<TextEdit>>) -> Candidates {
    candidates.dedup();
    match candidates.is_empty() {
        true => refuse("braces cannot stand in the place of what is called"),
        false => Ok(candidates),
    }
}

fn is_main(operator: OperatorDef) -> bool {
    may_be_entry(operator.0.name)
}

fn uses<'a>(site: &Site<'a>, operator: OperatorDef) -> Vec<(View<'a>, Occurrence)> {
    let analysis = site.view.analysis;
    let mut uses = analysis.uses(Def::Operator(operator));
    uses.retain(|found| found.name.role == Role::Use);
    uses.into_iter()
        .map(|found| (analysis.view(found.scope, found.source), found.name))
        .collect()
}

fn is_used(site: &Site<'_>, operator: OperatorDef) -> bool {
    let mut used = false;
    site.view
        .analysis
        .for_each_use(Def::Operator(operator), |found| {
            used |= found.name.role == Role::Use;
            !used
        });
    used
}

fn is_last_use(site: &Site<'_>, operator: OperatorDef) -> bool {
    uses(site, operator).len() == 1
}

/// The operator that is inlined.
struct Source<'a> {
    clause: OperatorClause<'a>,
    operator: OperatorDef,
}

impl<'a> Source<'a> {
    fn new(site: &Site<'a>, operator: OperatorDef) -> Result<Source<'a>, Refusal> {
        let db = site.view.db();
        let name = operator.0.name;
        let items = operator.items(db);
        let own = items
            .clauses
            .first()
            .and_then(|source| {
                let view = site.view.analysis.view(operator.0.scope, *source);
                Site::new(view, TextRange::default())
            })
            .and_then(|site| operator_clauses(&site))
            .filter(|clauses| clauses.len() == 1)
            .and_then(|mut clauses| clauses.pop());
        let Some(clause) = own else {
            return refuse(format!("the clause of `{name}` cannot be read"));
        };
        let Some(signature) = sound_signature(db, operator.0.scope, name) else {
            return refuse(format!("`{name}` has no sound signature"));
        };
        let ports = &signature.computation.ports;
        if ports.iter().any(|port| !port.adjustments.is_empty()) {
            return refuse(format!(
                "`{name}` handles what its arguments do, which its body alone would not"
            ));
        }
        let there = &clause.site;
        let simple = |pattern: &PatternId| {
            is_wildcard(there, *pattern) || variable(there, *pattern).is_some()
        };
        if !clause.clause.patterns.iter().all(simple) {
            return refuse(format!("the patterns of `{name}` are no plain variables"));
        }
        let calls_itself =
            |name: &&Occurrence| name.role == Role::Use && name.def == Def::Operator(operator);
        if there.names.iter().any(|name| calls_itself(&name)) {
            return refuse(format!("`{name}` calls itself"));
        }
        Ok(Source { clause, operator })
    }

    fn body(&self) -> TermId {
        self.clause.clause.body
    }

    /// Edits that remove the operator with the comments above it.
    fn removed(&self) -> Vec<TextEdit> {
        let site = &self.clause.site;
        let items = self.operator.items(site.view.db());
        let both = items.signatures.iter().chain(&items.clauses);
        both.map(|source| {
            let view = site.view.analysis.view(site.scope(), *source);
            let whole = TextRange::up_to(crate::view::size(view.text().len()));
            // A comment that a blank line parts from the item is about something else.
            let item = view.range(view.item().id);
            let before = crate::view::slice(view.text(), TextRange::up_to(item.start()));
            let start = match before.rfind("\n\n") {
                Some(at) if !before.trim().is_empty() => crate::view::size(at + 1),
                _ => TextRange::default().start(),
            };
            let at = view
                .analysis
                .in_file(*source, TextRange::new(start, whole.end()));
            TextEdit {
                at,
                text: String::new(),
            }
        })
        .collect()
    }
}

/// The edit that puts the operator's body in the place of a call of it, or of its mere name; `None`
/// if the grammar has no place for it. With `eager`, values take the places of all variables.
fn inlined(
    site: &Site<'_>,
    source: &Source<'_>,
    term: TermId,
    eager: bool,
) -> Result<Option<TextEdit>, Refusal> {
    let there = &source.clause.site;
    let patterns = &source.clause.clause.patterns;
    means_the_same(site, term, source)?;
    let call = match site.around.parent(term) {
        Some(Parent::Term(parent)) => match site.kind(parent) {
            TermKind::Apply { head, args } if *head == term => Some((parent, args)),
            _ => None,
        },
        _ => None,
    };
    let Some((call, args)) = call else {
        // A value: its clause in braces.
        let floats = there.explicit_floats(there.outer(source.body()));
        let body = there.spliced(there.outer(source.body()), &floats);
        let shown = patterns.iter().map(|pattern| {
            there
                .slice(there.view.range(there.item().patterns[*pattern].id))
                .to_owned()
        });
        let shown: Vec<String> = shown.collect();
        let text = match shown.is_empty() {
            true => format!("{{{body}}}"),
            false => format!("{{{} -> {body}}}", shown.join(" ")),
        };
        let text = site.embedded(term, &text, Level::Atom);
        return Ok(text.map(|text| site.edit(site.outer(term), text)));
    };
    if args.len() != patterns.len() {
        return refuse("the number of arguments is not that of the ports");
    }
    let effects = args.iter().filter(|arg| !site.is_value(**arg)).count();
    let mut edits = there.explicit_floats(there.outer(source.body()));
    let mut before: Vec<String> = Vec::new();
    let mut taken: Vec<String> = Vec::new();
    let mut level = Level::of(there.item(), source.body());
    let outer_body = there.outer(source.body());
    if outer_body != there.inner(source.body()) {
        level = Level::Atom;
    }
    for (index, (arg, pattern)) in args.iter().zip(patterns).enumerate() {
        if !keeps_type(site, source, *arg, index) {
            return refuse("the braces here have a type that only the port gives them");
        }
        let floats = site.explicit_floats(site.inner(*arg));
        let text = site.spliced(site.inner(*arg), &floats);
        let arg_level = Level::of(site.item(), *arg);
        let name = variable(there, *pattern);
        let reads = name.map(|name| there.reads(name.id)).unwrap_or_default();
        let value = site.is_value(*arg);
        let small = matches!(
            site.kind(*arg),
            TermKind::Name(_) | TermKind::Natural(_) | TermKind::Float(_) | TermKind::Char(_)
        );
        let direct = match value {
            true => reads.len() <= 1 || small || eager,
            false => {
                effects == 1
                    && matches!(reads[..], [read] if there.comes_first(read, source.body()))
            }
        };
        let free_of_capture = || {
            let bound = there.bound_in(there.inner(source.body()));
            site.names_in(site.inner(*arg))
                .all(|name| !bound.contains(&name.name))
        };
        if value && reads.is_empty() {
            continue;
        }
        if direct && free_of_capture() {
            let replaced = super::inline_let::replaced(there, &reads, &text, arg_level);
            if let Some(replaced) = replaced {
                if reads.contains(&source.body()) {
                    level = arg_level;
                }
                edits.extend(replaced);
                continue;
            }
        }
        match name.filter(|_| !reads.is_empty()) {
            Some(name) => {
                // The name must be free in this item, and in the body for those that follow.
                let wanted = name.symbol.as_str();
                let free =
                    !contains_word(site.text(), wanted) && !taken.iter().any(|t| t == wanted);
                let fresh = match free {
                    true => wanted.to_owned(),
                    false => fresh_in_both(site, there, wanted, &taken),
                };
                let renamed = reads.iter().map(|read| (there.inner(*read), fresh.clone()));
                edits.extend(renamed);
                before.push(format!("let {fresh} = {text} in "));
                taken.push(fresh);
            }
            None => {
                let text = match arg_level {
                    Level::Let | Level::Sequence => format!("({text})"),
                    _ => text,
                };
                before.push(format!("{text}; "));
            }
        }
    }
    if before.iter().any(|part| part.starts_with("let ")) {
        level = Level::Let;
    } else if !before.is_empty() {
        level = Level::Sequence;
    }
    let body = there.spliced(outer_body, &edits);
    let text = format!("{}{body}", before.concat());
    let text = site.embedded(call, &text, level);
    Ok(text.map(|text| site.edit(site.outer(call), text)))
}

/// Whether an argument has the same type without the port that it stands at. Braces take adjustments
/// of their ports from there alone.
fn keeps_type(site: &Site<'_>, source: &Source<'_>, arg: TermId, index: usize) -> bool {
    let range = site.inner(arg);
    let braces = site.item().terms.iter().any(|(term, data)| {
        matches!(data.kind, TermKind::Thunk { .. }) && range.contains_range(site.inner(term))
    });
    let typed = source.clause.site.typed.as_ref();
    let shown = typed.and_then(|typed| {
        let computation = typed.inference.computation.as_ref()?;
        Some(typed.ty(computation.ports.get(index)?.ty))
    });
    !braces || shown.is_some_and(|shown| !shown.contains('<') && !shown.contains('…'))
}

fn fresh_in_both(site: &Site<'_>, there: &Site<'_>, wanted: &str, taken: &[String]) -> String {
    let mut all = taken.to_vec();
    loop {
        let name = site.fresh(&[wanted], &all);
        if !contains_word(there.text(), &name) {
            return name;
        }
        all.push(name);
    }
}

/// Refuses if a name in the operator's body means something else where the call is.
fn means_the_same(site: &Site<'_>, term: TermId, source: &Source<'_>) -> Result<(), Refusal> {
    let db = site.view.db();
    let there = &source.clause.site;
    for name in there.names_in(there.outer(source.body())) {
        let same = match name.def {
            Def::Operator(_) => {
                resolve_term(db, site.scope(), name.name).map(Def::from) == Some(name.def)
                    && site.scopes.local_at(term, name.name).is_none()
            }
            Def::Constructor(_) | Def::Command(_) => {
                resolve_term(db, site.scope(), name.name).map(Def::from) == Some(name.def)
            }
            Def::Interface(_) | Def::Alias(_) => {
                resolve_row(db, site.scope(), name.name).map(Def::from) == Some(name.def)
            }
            _ => true,
        };
        let same = same
            || site.scope() != there.scope()
                && site.scopes.local_at(term, name.name).is_none()
                && same_in(site, name);
        if !same {
            return refuse(format!(
                "`{}`, which `{}` uses, means something else here",
                name.name, source.operator.0.name
            ));
        }
        // What the body binds must not be a constructor or a command here.
        if let (Def::Local { .. }, Role::Definition) = (name.def, name.role)
            && resolve_term(db, site.scope(), name.name)
                .is_some_and(|def| !matches!(def, frank_analysis::program::TermDef::Operator(_)))
        {
            return refuse(format!("`{}` is no variable here", name.name));
        }
    }
    Ok(())
}

/// Whether a file that several programs share knows the definition under the same name.
fn same_in(site: &Site<'_>, name: &Occurrence) -> bool {
    let db = site.view.db();
    let moved = name.def.in_scope(site.scope());
    match name.def {
        Def::Interface(_) | Def::Alias(_) => {
            resolve_row(db, site.scope(), name.name).map(Def::from) == Some(moved)
        }
        _ => resolve_term(db, site.scope(), name.name).map(Def::from) == Some(moved),
    }
}
