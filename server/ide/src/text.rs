//! Definitions and types as text.

use frank_analysis::db::{Db, ItemSource, Parsed, parsed};
use frank_analysis::infer::table::Table;
use frank_analysis::program::{CommandDef, ConstructorDef, InterfaceDef};
use frank_analysis::scopes::LocalKind;
use frank_analysis::show::Show;
use frank_analysis::types::{AbilityData, Signature, Tail, TyKind};
use frank_syntax::ast::{ConstructorDecl, ItemKind, NodeId, Param, ParamKind};

use crate::symbols::on_one_line;
use crate::view::{SHOWN, Typed, slice};

/// A longer excerpt would be no help.
const LONGEST_EXCERPT: usize = 48;

/// The beginning of a term's text, on one line.
pub fn excerpt(text: &str) -> String {
    let text = on_one_line(text);
    match text.char_indices().nth(LONGEST_EXCERPT) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default().trim_end()),
        None => text,
    }
}

pub(crate) fn params_text(params: &[Param]) -> String {
    params
        .iter()
        .map(|param| match param.kind {
            ParamKind::Value => format!(" {}", param.name.symbol),
            ParamKind::Effect => format!(" [{}]", param.name.symbol),
        })
        .collect()
}

/// `just X : Maybe X`, with the constructor's arguments as they are written.
pub(crate) fn constructor(db: &dyn Db, constructor: ConstructorDef) -> String {
    match declared_constructor(db, constructor) {
        Some((source, parsed, own, ty)) => {
            let text = slice(source.text(db), parsed.source_map.range(own.id));
            format!("{} : {ty}", on_one_line(text))
        }
        None => constructor.name.to_string(),
    }
}

/// The declaration of a constructor in its data type's item, and the data type as text: `Maybe X`.
pub(crate) fn declared_constructor(
    db: &dyn Db,
    constructor: ConstructorDef,
) -> Option<(ItemSource, &Parsed, &ConstructorDecl, String)> {
    let source = constructor.data.item(db)?;
    let parsed = parsed(db, source);
    let ItemKind::Data {
        name,
        params,
        constructors,
    } = &parsed.item.kind
    else {
        return None;
    };
    let own = constructors.get(constructor.index as usize)?;
    let ty = format!("{}{}", name.symbol, params_text(params));
    Some((source, parsed, own, ty))
}

/// `get : S` with the interface that it belongs to.
pub(crate) fn command(db: &dyn Db, command: CommandDef) -> String {
    let declared = command.interface.item(db).and_then(|source| {
        let parsed = parsed(db, source);
        let ItemKind::Interface {
            name,
            params,
            commands,
        } = &parsed.item.kind
        else {
            return None;
        };
        let own = commands.get(command.index as usize)?;
        let text = slice(source.text(db), parsed.source_map.range(own.id));
        Some(format!(
            "interface {}{} = {}",
            name.symbol,
            params_text(params),
            on_one_line(text)
        ))
    });
    declared.unwrap_or_else(|| command.name.to_string())
}

/// Shows parts of a signature in its own names.
pub(crate) fn of_signature<T>(signature: &Signature, show: impl FnOnce(Show<'_>) -> T) -> T {
    let mut table = Table::default();
    table.types = signature.types.clone();
    show(Show {
        table: &table,
        values: &signature.values,
        effects: &signature.effects,
        budget: SHOWN,
        metas: None,
    })
}

/// What a continuation takes and gives, or what a caught computation does, in words.
pub(crate) fn continuation(typed: &Typed<'_>, binder: NodeId) -> Option<String> {
    let local = typed
        .body()
        .locals
        .iter()
        .find(|local| local.node == binder)?;
    let TyKind::Computation(computation) = typed.inference.table.kind(local.ty) else {
        return None;
    };
    let ability = active_first(&typed.show(), &typed.row(computation.ability));
    let result = typed.ty(computation.result);
    let name = local.name;
    match local.kind {
        LocalKind::Continuation => {
            let takes = computation.ports.first().map(|port| typed.ty(port.ty))?;
            Some(format!(
                "`{name}` goes on where the command was performed: it takes the command's result, \
                 of type `{takes}`, and gives `{result}`. It needs the ability {ability}."
            ))
        }
        LocalKind::CatchAll => Some(format!(
            "`{name}!` goes on with the argument, command and all, and gives `{result}`. It needs \
             the ability {ability}."
        )),
        LocalKind::Let | LocalKind::Pattern => None,
    }
}

/// What an ability has besides its instances, in words; `None` where that is not known.
pub(crate) fn tail(show: &Show<'_>, row: &AbilityData) -> Option<String> {
    match row.tail {
        Tail::Closed => Some("nothing else".to_owned()),
        Tail::Error => None,
        // A flexible tail is one that nothing decides.
        Tail::Meta(_) => Some("whatever else is there".to_owned()),
        Tail::Variable(index) => {
            let name = show.effects.get(index as usize);
            Some(name.map_or("ε", |name| name.as_str()).to_owned())
        }
    }
}

/// The instances of an ability, the active one of each interface first, what its tail stands for
/// last.
pub(crate) fn active_first(show: &Show<'_>, row: &AbilityData) -> String {
    let mut out: Vec<String> = Vec::new();
    let mut seen: Vec<InterfaceDef> = Vec::new();
    for instance in row.instances.iter().rev() {
        if seen.contains(&instance.interface) {
            continue;
        }
        seen.push(instance.interface);
        let own = row
            .instances
            .iter()
            .rev()
            .filter(|other| other.interface == instance.interface);
        let all: Vec<String> = own
            .map(|instance| format!("`{}`", show.instance(instance)))
            .collect();
        out.push(match all.split_first() {
            Some((active, [])) => active.clone(),
            Some((active, others)) => format!("**{active}**, then {}", others.join(", then ")),
            None => String::new(),
        });
    }
    out.extend(match row.tail {
        Tail::Closed if out.is_empty() => Some("nothing, `[0]`".to_owned()),
        Tail::Variable(_) => tail(show, row).map(|name| format!("`{name}`")),
        _ => tail(show, row),
    });
    out.join("; ")
}
