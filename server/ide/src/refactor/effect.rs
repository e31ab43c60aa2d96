//! The implicit effect variable ε is written out, and left out again (language reference, section 4
//! "The implicit ε").

use frank_analysis::params::{TypeNamespace, params};
use frank_analysis::program::{RowDef, resolve_data, resolve_row};
use frank_syntax::ast::tree::{Node, for_each};
use frank_syntax::ast::{
    AbilityExpr, CompType, Item, ItemKind, Param, ParamKind, Symbol, Tail, TypeArg, TypeKind,
};
use text_size::{TextRange, TextSize};

use super::site::Site;
use super::{Plan, refuse};

type Edits = Vec<(TextRange, String)>;

/// ε wherever it is left out.
pub(super) fn explicit<'s>(site: &'s Site<'_>) -> Option<Plan<'s>> {
    let edits = explicit_edits(site)?;
    Plan::new("Write the implicit ε".to_owned(), move || {
        let all = edits.iter().map(|(range, text)| site.edit(*range, text));
        Ok(vec![all.collect()])
    })
}

/// ε nowhere where it can be left out.
pub(super) fn implicit<'s>(site: &'s Site<'_>) -> Option<Plan<'s>> {
    let edits = implicit_edits(site)?;
    Plan::new("Leave out the ε".to_owned(), move || {
        match edits.is_empty() {
            true => refuse("ε is not written here"),
            false => {
                let all = edits.iter().map(|(range, text)| site.edit(*range, text));
                Ok(vec![all.collect()])
            }
        }
    })
}

fn has_types(item: &Item) -> bool {
    !matches!(
        item.kind,
        ItemKind::Clause { .. } | ItemKind::Include { .. } | ItemKind::Term(_) | ItemKind::Broken
    )
}

fn explicit_edits(site: &Site<'_>) -> Option<Edits> {
    let item = site.item();
    if !has_types(item) {
        return None;
    }
    let mut edits = Edits::new();
    for_each(item, |node| match node {
        Node::Ability(ability) => {
            if let Some(edit) = written_tail(site, ability) {
                edits.push(edit);
            }
        }
        Node::Computation(computation) if computation.peg.ability.is_none() => {
            edits.push(written_peg(site, computation));
        }
        Node::Type(id) => {
            if let TypeKind::Name { name, args, .. } = &item.types[id].kind
                && lacks_effect(site, name.symbol, args, TypeNamespace::Data)
            {
                // The range of a type in parentheses is without them.
                let end = args
                    .last()
                    .map_or(site.view.range(name.id).end(), |arg| arg_end(site, arg));
                edits.push(added(end, needs_parentheses(site, id)));
            }
        }
        Node::Instance(instance)
            if lacks_effect(
                site,
                instance.interface.symbol,
                &instance.args,
                TypeNamespace::Row,
            ) =>
        {
            let end = site.view.range(instance.id).end();
            edits.push((TextRange::empty(end), " [ε|]".to_owned()));
        }
        _ => {}
    });
    if edits.is_empty() {
        return None;
    }
    // A declaration that mentions ε has it as its last parameter.
    if let Some((last, namespace, name)) = parameters(site)
        && gains_effect(site, name, namespace)
    {
        edits.push((TextRange::empty(last), " []".to_owned()));
    }
    Some(
        edits
            .into_iter()
            .flat_map(|edit| parenthesise(site, edit))
            .collect(),
    )
}

/// A marker in front of the text of an edit that puts its type into parentheses.
const PARENTHESISED: char = '(';

fn added(end: TextSize, parenthesised: bool) -> (TextRange, String) {
    let text = match parenthesised {
        true => format!("{PARENTHESISED} [ε|]"),
        false => " [ε|]".to_owned(),
    };
    (TextRange::empty(end), text)
}

/// A type of one word becomes one of two, which an argument must not be.
fn parenthesise(site: &Site<'_>, (range, text): (TextRange, String)) -> Edits {
    let Some(rest) = text.strip_prefix(PARENTHESISED) else {
        return vec![(range, text)];
    };
    let before = site
        .text()
        .get(..usize::from(range.end()))
        .unwrap_or_default();
    let word = before.trim_end_matches(crate::tokens::is_name_part);
    let start = TextSize::of(word);
    vec![
        (TextRange::empty(start), "(".to_owned()),
        (range, format!("{rest})")),
    ]
}

/// Whether a type stands where only an atom can: as an argument of another, or of a constructor.
fn needs_parentheses(site: &Site<'_>, id: frank_syntax::ast::TypeId) -> bool {
    let item = site.item();
    let TypeKind::Name { args, name, .. } = &item.types[id].kind else {
        return false;
    };
    if !args.is_empty() {
        return false;
    }
    let range = super::text::with_parentheses(site.text(), site.view.range(name.id));
    if range != site.view.range(name.id) {
        return false;
    }
    let mut needed = false;
    let mut look = |args: &[TypeArg]| {
        needed |= args
            .iter()
            .any(|arg| matches!(arg, TypeArg::Type(other) if *other == id));
    };
    for (_, ty) in item.types.iter() {
        if let TypeKind::Name { args, .. } = &ty.kind {
            look(args);
        }
    }
    for_each(item, |node| match node {
        Node::Instance(instance) => look(&instance.args),
        Node::Constructor(constructor) => {
            let args: Vec<TypeArg> = constructor
                .args
                .iter()
                .map(|ty| TypeArg::Type(*ty))
                .collect();
            look(&args);
        }
        _ => {}
    });
    needed
}

fn arg_end(site: &Site<'_>, arg: &TypeArg) -> TextSize {
    match arg {
        TypeArg::Type(ty) => {
            let range = site.view.range(site.item().types[*ty].id);
            super::text::with_parentheses(site.text(), range).end()
        }
        TypeArg::Ability(ability) => site.view.range(ability.id).end(),
    }
}

/// `[I]` as `[ε|I]`.
fn written_tail(site: &Site<'_>, ability: &AbilityExpr) -> Option<(TextRange, String)> {
    if ability.tail != Tail::Implicit {
        return None;
    }
    let open = site.view.range(ability.id).start() + TextSize::of('[');
    Some((TextRange::empty(open), "ε|".to_owned()))
}

/// `[ε|]` in front of what comes out.
fn written_peg(site: &Site<'_>, computation: &CompType) -> (TextRange, String) {
    let ty = &site.item().types[computation.peg.ty];
    let range = super::text::with_parentheses(site.text(), site.view.range(ty.id));
    // The braces of the item's own type may be left out; those of the result may not.
    (TextRange::empty(range.start()), "[ε|] ".to_owned())
}

/// Whether a last argument that is an ability is left out.
fn lacks_effect(site: &Site<'_>, name: Symbol, args: &[TypeArg], namespace: TypeNamespace) -> bool {
    let db = site.view.db();
    let scope = match namespace {
        TypeNamespace::Data => resolve_data(db, site.scope(), name).map(|data| data.0.scope),
        TypeNamespace::Row => resolve_row(db, site.scope(), name).map(|row| match row {
            RowDef::Interface(interface) => interface.0.scope,
            RowDef::Alias(alias) => alias.0.scope,
        }),
    };
    let own_parameter = |param: &Param| param.name.symbol == name && param.kind == ParamKind::Value;
    let hidden = namespace == TypeNamespace::Data
        && match &site.item().kind {
            ItemKind::Data { params, .. }
            | ItemKind::Interface { params, .. }
            | ItemKind::Alias { params, .. } => params.iter().any(own_parameter),
            _ => false,
        };
    let params = scope.map(|scope| params(db, scope, name, namespace));
    !hidden
        && params.is_some_and(|params| {
            params.all.len() == args.len() + 1
                && params
                    .all
                    .last()
                    .is_some_and(|(_, kind)| *kind == ParamKind::Effect)
        })
}

fn gains_effect(site: &Site<'_>, name: Symbol, namespace: TypeNamespace) -> bool {
    let params = params(site.view.db(), site.scope(), name, namespace);
    params.all.len() > params.written
}

/// The end of the parameters of a declaration.
fn parameters(site: &Site<'_>) -> Option<(TextSize, TypeNamespace, Symbol)> {
    let (name, params, namespace) = match &site.item().kind {
        ItemKind::Data { name, params, .. } => (name, params, TypeNamespace::Data),
        ItemKind::Interface { name, params, .. } | ItemKind::Alias { name, params, .. } => {
            (name, params, TypeNamespace::Row)
        }
        _ => return None,
    };
    let end = match params.last() {
        Some(param) => {
            let end = site.view.range(param.name.id).end();
            let rest = site.text().get(usize::from(end)..).unwrap_or_default();
            let close = rest.trim_start();
            match (param.kind, close.starts_with(']')) {
                (ParamKind::Effect, true) => {
                    end + TextSize::of(rest) - TextSize::of(close) + TextSize::of(']')
                }
                _ => end,
            }
        }
        None => site.view.range(name.id).end(),
    };
    Some((end, namespace, name.symbol))
}

fn implicit_edits(site: &Site<'_>) -> Option<Edits> {
    let item = site.item();
    if !has_types(item) {
        return None;
    }
    let mut edits = Edits::new();
    let is_implicit =
        |tail: Tail| matches!(tail, Tail::Named(name) if name.symbol == Symbol::implicit_effect());
    let bare = |ability: &AbilityExpr| is_implicit(ability.tail) && ability.instances.is_empty();
    let mut removed: Vec<TextRange> = Vec::new();
    let mut last_argument = |name: Symbol, args: &[TypeArg], namespace: TypeNamespace| {
        if let Some((TypeArg::Ability(ability), rest)) = args.split_last()
            && bare(ability)
            && lacks_effect(site, name, rest, namespace)
        {
            removed.push(site.view.range(ability.id));
        }
    };
    for_each(item, |node| match node {
        Node::Type(id) => {
            if let TypeKind::Name { name, args, .. } = &item.types[id].kind {
                last_argument(name.symbol, args, TypeNamespace::Data);
            }
        }
        Node::Instance(instance) => {
            last_argument(
                instance.interface.symbol,
                &instance.args,
                TypeNamespace::Row,
            );
        }
        _ => {}
    });
    for_each(item, |node| {
        let Node::Computation(computation) = node else {
            return;
        };
        // In `x : [ε|]{Int}` the ability says that the braces are no port's.
        if let Some(ability) = &computation.peg.ability
            && bare(ability)
            && site.view.range(computation.id).start() != site.view.range(ability.id).start()
        {
            removed.push(site.view.range(ability.id));
        }
    });
    for_each(item, |node| {
        let Node::Ability(ability) = node else { return };
        if !is_implicit(ability.tail) {
            return;
        }
        let range = site.view.range(ability.id);
        if removed.contains(&range) {
            edits.push((with_blanks(site, range), " ".to_owned()));
        } else if let Some(bar) = site.slice(range).find('|') {
            let start = range.start() + TextSize::of('[');
            let end = range.start() + crate::view::size(bar + 1);
            edits.push((TextRange::new(start, end), String::new()));
        }
    });
    (!edits.is_empty()).then_some(edits)
}

/// A range with the blanks around it.
fn with_blanks(site: &Site<'_>, range: TextRange) -> TextRange {
    let before = site
        .text()
        .get(..usize::from(range.start()))
        .unwrap_or_default();
    let after = site
        .text()
        .get(usize::from(range.end())..)
        .unwrap_or_default();
    let blank = |c: char| c == ' ';
    let start = TextSize::of(before.trim_end_matches(blank));
    let end = range.end() + TextSize::of(after) - TextSize::of(after.trim_start_matches(blank));
    TextRange::new(start, end)
}
