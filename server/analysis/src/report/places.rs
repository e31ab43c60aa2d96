//! Where things are declared.

use frank_syntax::ast::{Item, ItemKind, NodeId, Symbol};

use crate::db::{Db, ItemSource, Origin, SourceFile, item};
use crate::diagnostics::Location;
use crate::program::{ConstructorDef, DataDef, OperatorDef, TermDef, operator_items, scope_index};
use crate::spelling::Spellings;

/// Where a name of a term is declared.
pub fn declaration(db: &dyn Db, definition: TermDef) -> Option<(ItemSource, NodeId)> {
    let index = scope_index(db, definition.scope());
    let entry = index.named(definition.name())?.terms.first()?;
    let node = match entry.node {
        Some(node) => node,
        None => match &item(db, entry.item).kind {
            ItemKind::Signature { name, .. } | ItemKind::Clause { name, .. } => name.id,
            _ => return None,
        },
    };
    Some((entry.item, node))
}

/// Where a data type is declared.
pub fn declaration_of_data(db: &dyn Db, data: DataDef) -> Option<(ItemSource, NodeId)> {
    let source = data.item(db)?;
    match &item(db, source).kind {
        ItemKind::Data { name, .. } => Some((source, name.id)),
        _ => None,
    }
}

/// Whether an item is in a file of the user's.
pub fn is_own(db: &dyn Db, source: ItemSource) -> bool {
    source.file(db).origin(db) == Origin::Workspace
}

/// An operator's signature.
pub fn signature_item(db: &dyn Db, operator: OperatorDef) -> Option<(ItemSource, &Item)> {
    let items = operator_items(db, operator.0.scope, operator.0.name);
    let source = *items.signatures.first()?;
    Some((source, item(db, source)))
}

/// The type of a port, where it is written.
pub fn port_node(db: &dyn Db, definition: TermDef, index: usize) -> Option<(ItemSource, NodeId)> {
    match definition {
        TermDef::Operator(operator) => {
            let (source, item) = signature_item(db, operator)?;
            let ItemKind::Signature { ty, .. } = &item.kind else {
                return None;
            };
            Some((source, ty.ports.get(index)?.id))
        }
        TermDef::Command(command) => {
            let source = command.interface.item(db)?;
            let item = item(db, source);
            let ItemKind::Interface { commands, .. } = &item.kind else {
                return None;
            };
            let arg = *commands.get(command.index as usize)?.args.get(index)?;
            Some((source, item.types[arg].id))
        }
        TermDef::Constructor(_) => None,
    }
}

/// The type of a constructor's argument, where it is written.
pub fn field_node(
    db: &dyn Db,
    constructor: ConstructorDef,
    index: usize,
) -> Option<(ItemSource, NodeId)> {
    let source = constructor.data.item(db)?;
    let item = item(db, source);
    let ItemKind::Data { constructors, .. } = &item.kind else {
        return None;
    };
    let arg = *constructors
        .get(constructor.index as usize)?
        .args
        .get(index)?;
    Some((source, item.types[arg].id))
}

/// What a signature says its clauses give.
pub fn result_node(db: &dyn Db, operator: OperatorDef) -> Option<(ItemSource, NodeId)> {
    let (source, item) = signature_item(db, operator)?;
    let ItemKind::Signature { ty, .. } = &item.kind else {
        return None;
    };
    Some((source, item.types[ty.peg.ty].id))
}

/// The ability of a signature, or its result where no ability is written.
pub fn result_ability(db: &dyn Db, operator: OperatorDef) -> Option<(ItemSource, NodeId)> {
    let (source, item) = signature_item(db, operator)?;
    let ItemKind::Signature { ty, .. } = &item.kind else {
        return None;
    };
    let node = match &ty.peg.ability {
        Some(ability) => ability.id,
        None => item.types[ty.peg.ty].id,
    };
    Some((source, node))
}

/// Every term name in sight with what it means, in the order of the names.
#[salsa::tracked]
pub fn visible_names(db: &dyn Db, scope: SourceFile) -> Vec<(Symbol, TermDef)> {
    let index = scope_index(db, scope);
    let scopes = std::iter::once(scope).chain(index.libraries.iter().copied());
    let mut names: Vec<(Symbol, TermDef)> = Vec::new();
    for scope in scopes {
        let all = scope_index(db, scope).names();
        names.extend(all.filter_map(|(name, named)| Some((name, named.terms.first()?.def))));
    }
    // The sort is stable: the program's own definition of a name stays before a library's.
    names.sort_by_key(|(name, _)| name.as_str());
    names.dedup_by_key(|(name, _)| *name);
    names
}

#[salsa::tracked]
pub fn visible_spellings(db: &dyn Db, scope: SourceFile) -> Spellings {
    Spellings::new(visible_names(db, scope).iter().map(|(name, _)| *name))
}

/// Whether parentheses stand directly around a place.
pub fn has_parentheses(db: &dyn Db, at: Location) -> bool {
    let (range, text) = (at.in_item(db), at.item.text(db));
    let before = text.get(..range.start().into()).unwrap_or_default();
    let behind = text.get(range.end().into()..).unwrap_or_default();
    before.trim_end().ends_with('(') && behind.trim_start().starts_with(')')
}
