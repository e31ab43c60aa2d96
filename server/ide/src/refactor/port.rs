//! An operator gets another port, or loses one; its callers give another argument, or one less.

use frank_analysis::entries::may_be_entry;
use frank_analysis::program::OperatorDef;
use frank_analysis::surroundings::Parent;
use frank_syntax::ast::tree::{Node, path_at};
use frank_syntax::ast::{CompType, ItemKind, TermId, TermKind};
use text_size::{TextRange, TextSize};

use super::clauses::{is_wildcard, operator_clauses, variable};
use super::eta::expanded_with;
use super::site::Site;
use super::text::{Level, with_parentheses};
use super::{Plan, refuse};
use crate::names::{Def, Role};
use crate::rename::{Refusal, TextEdit};

/// An operator with its signature, as a place names it, with one of its ports.
struct Operator<'a> {
    def: OperatorDef,
    /// The item of the signature.
    signature: Site<'a>,
    ty: &'a CompType,
    /// The port that the place is in.
    port: Option<usize>,
}

/// The operator whose signature or clause head a place is in.
fn operator<'a>(site: &Site<'a>) -> Option<Operator<'a>> {
    let def = site.view.operator()?;
    let items = def.items(site.view.db());
    let [source] = items.signatures[..] else {
        return None;
    };
    let view = site.view.analysis.view(site.scope(), source);
    let signature = Site::new(view, TextRange::default())?;
    let ItemKind::Signature { ty, .. } = &view.item().kind else {
        return None;
    };
    let path = path_at(site.item(), site.view.map(), site.selection.start());
    let on_name = site.name().is_some_and(|name| {
        name.def == Def::Operator(def) && matches!(name.role, Role::Definition | Role::Clause)
    });
    let port = match &site.item().kind {
        ItemKind::Signature { ty, .. } => path.iter().find_map(|node| match node {
            Node::Port(port) => ty.ports.iter().position(|other| other.id == port.id),
            _ => None,
        }),
        ItemKind::Clause { clause, .. } => path.iter().find_map(|node| match node {
            Node::Pattern(pattern) => clause.patterns.iter().position(|other| other == pattern),
            _ => None,
        }),
        _ => None,
    };
    (on_name || port.is_some()).then_some(Operator {
        def,
        signature,
        ty,
        port,
    })
}

/// A new last port, of type `Unit`, which the clauses take no notice of.
pub(super) fn add<'s>(site: &'s Site<'_>) -> Option<Plan<'s>> {
    let operator = operator(site)?;
    let name = operator.def.0.name;
    if may_be_entry(name) || operator.def.items(site.view.db()).clauses.is_empty() {
        return None;
    }
    operator_clauses(site)?;
    Plan::expensive(format!("Add a port to `{name}`"), move || {
        let mut edits = vec![added_to_signature(&operator)];
        let Some(clauses) = operator_clauses(site) else {
            return refuse("a clause has a syntax error");
        };
        for other in &clauses {
            let there = &other.site;
            let at = match other.clause.patterns.last() {
                Some(last) => {
                    let range = there.view.range(there.item().patterns[*last].id);
                    TextRange::empty(range.end())
                }
                None => force_of_head(there),
            };
            edits.push(there.edit(at, " _"));
        }
        let unit = "unit".to_owned();
        callers(site, &operator, &mut edits, |mut args| {
            args.push(unit.clone());
            args
        })?;
        Ok(vec![edits])
    })
}

/// The `!` behind the name of a clause without patterns.
fn force_of_head(there: &Site<'_>) -> TextRange {
    let ItemKind::Clause { name, .. } = &there.item().kind else {
        return TextRange::default();
    };
    let end = there.view.range(name.id).end();
    let rest = there.text().get(usize::from(end)..).unwrap_or_default();
    let bang = rest.find('!').map_or(0, |bang| bang + 1);
    TextRange::new(end, end + crate::view::size(bang))
}

fn added_to_signature(operator: &Operator<'_>) -> TextEdit {
    let there = &operator.signature;
    // The new port stands in front of what comes out and its ability.
    let at = peg_start(operator);
    there.edit(TextRange::empty(at), "Unit -> ")
}

/// Where what comes out is written, its ability included.
fn peg_start(operator: &Operator<'_>) -> TextSize {
    let there = &operator.signature;
    let ty = &there.item().types[operator.ty.peg.ty];
    let range = with_parentheses(there.text(), there.view.range(ty.id));
    match &operator.ty.peg.ability {
        Some(ability) => there.view.range(ability.id).start().min(range.start()),
        None => range.start(),
    }
}

/// The port that the place is in goes, if nothing needs its values.
pub(super) fn remove<'s>(site: &'s Site<'_>) -> Option<Plan<'s>> {
    let operator = operator(site)?;
    let index = operator.port?;
    let name = operator.def.0.name;
    let own = removed_here(site, &operator, index)?;
    Plan::expensive(format!("Remove this port of `{name}`"), move || {
        let mut edits = own.clone();
        callers(site, &operator, &mut edits, |mut args| {
            if index < args.len() {
                args.remove(index);
            }
            args
        })?;
        Ok(vec![edits])
    })
}

/// What becomes of the operator itself without a port; `None` if its values are needed, or what its
/// arguments do is handled.
fn removed_here(site: &Site<'_>, operator: &Operator<'_>, index: usize) -> Option<Vec<TextEdit>> {
    let ports = operator.ty.ports.len();
    let port = operator.ty.ports.get(index)?;
    if !port.adjustments.is_empty() {
        return None;
    }
    let mut edits = vec![removed_from_signature(operator, index)];
    for other in &operator_clauses(site)? {
        let there = &other.site;
        let pattern = other.clause.patterns.get(index)?;
        let unused = is_wildcard(there, *pattern)
            || variable(there, *pattern).is_some_and(|name| there.reads(name.id).is_empty());
        if !unused {
            return None;
        }
        let range = there.view.range(there.item().patterns[*pattern].id);
        let before = there.text().get(..usize::from(range.start()))?;
        let start = TextSize::of(before.trim_end());
        let text = if ports == 1 { "!" } else { "" };
        edits.push(there.edit(TextRange::new(start, range.end()), text));
    }
    Some(edits)
}

fn removed_from_signature(operator: &Operator<'_>, index: usize) -> TextEdit {
    let there = &operator.signature;
    let start = |index: usize| match operator.ty.ports.get(index) {
        Some(port) => {
            let range = there.view.range(port.id);
            with_parentheses(there.text(), range).start()
        }
        None => peg_start(operator),
    };
    let whole = there.view.range(operator.ty.id);
    let text = there.slice(whole);
    let (from, to) = (start(index), start(index + 1));
    // The last port of a signature without braces leaves those that a computation needs.
    if operator.ty.ports.len() == 1 && !text.starts_with('{') {
        let rest = there.slice(TextRange::new(to, whole.end()));
        return there.edit(TextRange::new(from, whole.end()), format!("{{{rest}}}"));
    }
    there.edit(TextRange::new(from, to), "")
}

/// Changes the arguments of all calls. What is no call becomes one, in braces.
fn callers(
    site: &Site<'_>,
    operator: &Operator<'_>,
    edits: &mut Vec<TextEdit>,
    change: impl Fn(Vec<String>) -> Vec<String>,
) -> Result<(), Refusal> {
    let analysis = site.view.analysis;
    let ports = operator.ty.ports.len();
    let mut uses = analysis.uses(Def::Operator(operator.def));
    uses.retain(|found| found.name.role == Role::Use);
    uses.sort_by_key(|found| {
        (
            analysis.snapshot().start(found.source),
            found.name.range.start(),
        )
    });
    let mut sources: Vec<_> = uses
        .iter()
        .map(|found| (found.scope, found.source))
        .collect();
    sources.dedup();
    for (scope, source) in sources {
        let Some(there) = Site::new(analysis.view(scope, source), TextRange::default()) else {
            return refuse("an item that uses it has a syntax error");
        };
        let own: Vec<TextRange> = uses
            .iter()
            .filter(|found| found.source == source)
            .map(|found| found.name.range)
            .collect();
        for found in uses.iter().filter(|found| found.source == source) {
            let Some(term) = there.name_term(&found.name) else {
                continue;
            };
            edits.extend(changed_use(&there, term, ports, &own, &change)?);
        }
    }
    Ok(())
}

fn changed_use(
    there: &Site<'_>,
    term: TermId,
    ports: usize,
    uses: &[TextRange],
    change: &impl Fn(Vec<String>) -> Vec<String>,
) -> Result<Vec<TextEdit>, Refusal> {
    let call = match there.around.parent(term) {
        Some(Parent::Term(parent)) => match there.kind(parent) {
            TermKind::Apply { head, args } if *head == term => Some((parent, args)),
            _ => None,
        },
        _ => None,
    };
    let Some((call, args)) = call else {
        let known = there.typed.as_ref().and_then(|typed| {
            let ty = *typed.body().types.get(term)?;
            Some(expanded_with(
                there,
                there.slice(there.inner(term)),
                typed.computation(ty)?,
                &|args| change(args),
            ))
        });
        let text = known.and_then(|text| there.embedded(term, &text, Level::Atom));
        return match text {
            Some(text) => Ok(vec![there.edit(there.outer(term), text)]),
            None => refuse("a use of it as a value cannot become a call here"),
        };
    };
    if args.len() != ports {
        return refuse("a call has another number of arguments");
    }
    let numbers: Vec<String> = (0..ports).map(|index| index.to_string()).collect();
    let left = change(numbers.clone());
    let at = there.inner(term).end();
    if left.len() > ports {
        // A new last argument.
        let new = left.last().cloned().unwrap_or_default();
        return Ok(vec![match args.last() {
            Some(last) => there.edit(
                TextRange::empty(there.outer(*last).end()),
                format!(" {new}"),
            ),
            None => {
                let text = format!("{} {new}", there.slice(there.inner(term)));
                let range = there.outer(call);
                match there.embedded(call, &text, Level::Use) {
                    Some(text) => there.edit(range, text),
                    None => return refuse("a call cannot stand here"),
                }
            }
        }]);
    }
    let gone = args
        .iter()
        .zip(&numbers)
        .find(|(_, number)| !left.contains(number))
        .map(|(arg, _)| *arg);
    let Some(gone) = gone else {
        return refuse("there is no such argument");
    };
    let range = there.outer(gone);
    let removed = if ports == 1 {
        there.edit(TextRange::new(at, range.end()), "!")
    } else {
        let before = there
            .text()
            .get(..usize::from(range.start()))
            .unwrap_or_default();
        let start = TextSize::of(before.trim_end());
        there.edit(TextRange::new(start, range.end()), "")
    };
    if there.is_value(gone) {
        return Ok(vec![removed]);
    }
    // What the argument does still happens, and as early: in front of the call.
    let mut earlier = args.iter().take_while(|arg| **arg != gone);
    let is_first = earlier.all(|arg| there.is_value(*arg));
    if !is_first || uses.iter().any(|name| range.contains_range(*name)) {
        return refuse("an argument for this port may do something when it is evaluated");
    }
    let whole = there.inner(call);
    let bare = whole == there.outer(call)
        && there
            .embedded(call, "_", Level::Sequence)
            .is_some_and(|text| text.starts_with('('));
    let (open, close) = if bare { ("(", ")") } else { ("", "") };
    let does = match Level::of(there.item(), gone) {
        Level::Let | Level::Sequence => range,
        _ => there.inner(gone),
    };
    let before = format!("{open}{}; ", there.slice(does));
    Ok(vec![
        there.edit(TextRange::empty(whole.start()), before),
        removed,
        there.edit(TextRange::empty(whole.end()), close),
    ])
}
