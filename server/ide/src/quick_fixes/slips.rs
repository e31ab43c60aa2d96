//! A mark too many, a constructor for a function, a command pattern that is too short.

use frank_analysis::declarations::{data_type, interface};
use frank_analysis::diagnostics::Fix;
use frank_analysis::program::{TermDef, resolve_term};
use frank_syntax::ast::{PatternKind, TermKind};
use text_size::TextRange;

use super::{HOLE, insert, replace};
use crate::view::{View, slice};

/// The `!` behind a value goes: there is nothing to be run. Of a `let` it may be that braces are missing
/// around what it binds, which is to run at each `!`.
pub(super) fn forced_value(view: View<'_>, place: TextRange) -> Option<Fix> {
    let item = view.item();
    let (head, whole) = item.terms.iter().find_map(|(_, data)| match &data.kind {
        TermKind::Apply { head, args } if args.is_empty() => {
            let (head, whole) = (view.range(item.terms[*head].id), view.range(data.id));
            (head == place || whole == place).then_some((head, whole))
        }
        _ => None,
    })?;
    let is_bound = item.terms.iter().any(|(_, data)| match &data.kind {
        TermKind::Let { name, .. } => name.symbol.as_str() == slice(view.text(), head),
        _ => false,
    });
    let behind = TextRange::new(head.end(), whole.end());
    // With parentheses around the head they stand between the two.
    (slice(view.text(), behind).trim() == "!").then(|| Fix {
        title: "leave out the `!`".to_owned(),
        edits: vec![replace(view.source, behind, "")],
        safe: !is_bound,
    })
}

/// The braces around a term go, so that it is computed where it stands.
pub(super) fn braces(view: View<'_>, place: TextRange) -> Option<Fix> {
    let item = view.item();
    let (_, data) = item
        .terms
        .iter()
        .find(|(_, data)| view.range(data.id) == place)?;
    let TermKind::Thunk { clauses } = &data.kind else {
        return None;
    };
    let [clause] = &clauses[..] else { return None };
    if !clause.patterns.is_empty() {
        return None;
    }
    let atomic = matches!(
        item.terms[clause.body].kind,
        TermKind::Name(_)
            | TermKind::Natural(_)
            | TermKind::Float(_)
            | TermKind::Char(_)
            | TermKind::String(_)
            | TermKind::List(_)
            | TermKind::Thunk { .. }
    );
    let text = slice(view.text(), view.range(item.terms[clause.body].id));
    let text = match atomic {
        true => text.to_owned(),
        false => format!("({text})"),
    };
    Some(Fix {
        title: "leave out the braces".to_owned(),
        edits: vec![replace(view.source, place, &text)],
        safe: false,
    })
}

/// An adaptor goes that has nothing to rearrange.
pub(super) fn adaptor(view: View<'_>, place: TextRange) -> Option<Fix> {
    let item = view.item();
    let mut terms = item.terms.iter();
    let (index, adaptors, data) = terms.find_map(|(_, data)| match &data.kind {
        TermKind::Adapted { adaptors, .. } => {
            let mut all = adaptors.iter();
            let index = all.position(|adaptor| view.range(adaptor.id) == place)?;
            Some((index, adaptors, data))
        }
        _ => None,
    })?;
    let end = |index: usize| Some(view.range(adaptors.get(index)?.id).end());
    let gone = if let Some(before) = index.checked_sub(1) {
        TextRange::new(end(before)?, place.end())
    } else if let Some(next) = adaptors.get(1) {
        TextRange::new(place.start(), view.range(next.id).start())
    } else {
        let whole = view.range(data.id);
        let behind = TextRange::new(place.end(), whole.end());
        let behind = slice(view.text(), behind);
        let rest = behind.trim_start().strip_prefix('>')?.trim_start();
        TextRange::new(whole.start(), whole.end() - text_size::TextSize::of(rest))
    };
    Some(Fix {
        title: "leave the adaptor out".to_owned(),
        edits: vec![replace(view.source, gone, "")],
        safe: false,
    })
}

/// `{x -> just x}` where `just` stands for a function.
pub(super) fn constructor_function(view: View<'_>, place: TextRange) -> Option<Fix> {
    let name = view.item().terms.iter().find_map(|(_, data)| {
        let TermKind::Name(name) = &data.kind else {
            return None;
        };
        (view.range(data.id) == place).then_some(name.symbol)
    })?;
    let TermDef::Constructor(constructor) = resolve_term(view.db(), view.scope, name)? else {
        return None;
    };
    let declared = data_type(view.db(), constructor.data.0.scope, constructor.data.0.name);
    let constructors = &declared.as_ref()?.constructors;
    let fields = constructors.get(constructor.index as usize)?.fields.len();
    let is_free = |name: &String| {
        resolve_term(view.db(), view.scope, frank_syntax::ast::Symbol::new(name)).is_none()
    };
    let names = ["x", "y", "z"].map(str::to_owned).into_iter();
    let names = names.chain((1..).map(|n| format!("x{n}"))).filter(is_free);
    let names: Vec<String> = names.take(fields).collect();
    let args = names.join(" ");
    let text = format!("{{{args} -> {name} {args}}}");
    (fields > 0).then(|| Fix {
        title: format!("write `{text}`"),
        edits: vec![replace(view.source, place, &text)],
        safe: false,
    })
}

/// `_` for the missing arguments of a command in a pattern.
pub(super) fn command_pattern(view: View<'_>, place: TextRange) -> Option<Fix> {
    let item = view.item();
    let (name, args) = item
        .patterns
        .iter()
        .find_map(|(_, data)| match &data.kind {
            PatternKind::Command { name, args, .. } => {
                let here = view.range(name.id) == place || view.range(data.id) == place;
                here.then_some((name, args))
            }
            _ => None,
        })?;
    let TermDef::Command(command) = resolve_term(view.db(), view.scope, name.symbol)? else {
        return None;
    };
    let owner = command.interface.0;
    let declared = interface(view.db(), owner.scope, owner.name).as_ref()?;
    let wanted = declared.commands.get(command.index as usize)?.args.len();
    let missing = wanted.checked_sub(args.len()).filter(|n| *n > 0)?;
    let end = match args.last() {
        Some(last) => view.range(item.patterns[*last].id).end(),
        None => view.range(name.id).end(),
    };
    Some(Fix {
        title: match missing {
            1 => "write `_` for the missing argument".to_owned(),
            n => format!("write `_` for the {n} missing arguments"),
        },
        edits: vec![insert(view, end, format!(" {HOLE}").repeat(missing))],
        safe: false,
    })
}
