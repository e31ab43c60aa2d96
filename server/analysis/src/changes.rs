//! The names whose meaning edits have changed, so that those alone are asked again who mention them.
//!
//! What a name means is what defines it, an operator's signature, the declaration of a constructor
//! or a command, and the declarations that all these lead to. An edit writes down the names of what it
//! changes itself ([`SourceFile::changes`](crate::db::SourceFile)), with its number; from them follow the
//! names of what mentions those, and so on. Whoever depends on some names depends on the greatest
//! number among them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use frank_syntax::ast::tree::{Node, for_each};
use frank_syntax::ast::{Item, Symbol, SymbolMap, SymbolSet};
use frank_syntax::outline::OutlineKind;

use crate::aside::Aside;
use crate::db::{Db, Group, SourceFile, is_declaration, item};
use crate::index::members_of;
use crate::program::scope_files;

/// The number of the last edit that has changed what a name means; a name without one means what it
/// did when its file came.
pub type Changes = Arc<SymbolMap<u64>>;

/// What a declaration or a signature defines, and the names that are written in it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Surface {
    names: Box<[Symbol]>,
    mentions: Box<[Symbol]>,
    /// Types can mention it. Bodies alone mention operators.
    is_declaration: bool,
}

#[salsa::tracked]
fn surfaces(db: &dyn Db, group: Group) -> Aside<Arc<[Surface]>> {
    group.entries(db);
    group.texts(db);
    Aside::new(db, |db| surfaces_now(db, group))
}

fn surfaces_now(db: &dyn Db, group: Group) -> Arc<[Surface]> {
    let entries = group.entries(db).iter();
    let surfaces = entries.filter_map(|entry| {
        let is_declaration = is_declaration(entry.kind);
        if !is_declaration && entry.kind != OutlineKind::Signature {
            return None;
        }
        let members = members_of(db, entry);
        let members = members.iter().map(|(name, _)| *name);
        Some(Surface {
            names: entry.name.into_iter().chain(members).collect(),
            mentions: names_in(item(db, entry.item)).into_iter().collect(),
            is_declaration,
        })
    });
    surfaces.collect()
}

/// All names that are written in an item, of whatever kind.
pub fn names_in(item: &Item) -> SymbolSet {
    let mut names = SymbolSet::default();
    for_each(item, |node| {
        if let Node::Name(name) = node {
            names.insert(name.symbol);
        }
    });
    names
}

/// The names that mean something else in a program than they once did.
#[salsa::tracked]
pub fn changes(db: &dyn Db, scope: SourceFile) -> Changes {
    let (files, libraries) = scope_files(db, scope);
    let mut changes = (**by_declarations(db, scope)).clone();
    for file in files.iter().chain(libraries) {
        for (name, number) in &**file.changes(db) {
            raise(&mut changes, *name, *number);
        }
    }
    Arc::new(changes)
}

/// The names that mean something else because declarations have changed.
#[salsa::tracked]
fn by_declarations(db: &dyn Db, scope: SourceFile) -> Changes {
    let (files, libraries) = scope_files(db, scope);
    let mut changes = SymbolMap::default();
    for file in files.iter().chain(libraries) {
        for (name, number) in &**file.declaration_changes(db) {
            raise(&mut changes, *name, *number);
        }
    }
    if changes.is_empty() {
        return Changes::default();
    }
    let groups = files.iter().flat_map(|file| file.groups(db));
    let surfaces = groups.flat_map(|group| {
        let kept = surfaces(db, *group);
        kept.get(db, |db| surfaces_now(db, *group)).iter()
    });
    let (declarations, signatures): (Vec<&Surface>, Vec<&Surface>) =
        surfaces.partition(|surface| surface.is_declaration);
    follow(&mut changes, &declarations);
    let mut found = changes.clone();
    for surface in signatures {
        let mentions = surface.mentions.iter();
        if let Some(number) = mentions.filter_map(|name| changes.get(name)).max() {
            for name in &surface.names {
                raise(&mut found, *name, *number);
            }
        }
    }
    Arc::new(found)
}

/// Adds what declarations that lead to changed ones define, and what these bring along. Each is
/// visited with the greatest number first, and not again.
fn follow(changes: &mut SymbolMap<u64>, declarations: &[&Surface]) {
    let mut leading_to: SymbolMap<Vec<&Surface>> = SymbolMap::default();
    for surface in declarations {
        for name in surface.mentions.iter().chain(&surface.names) {
            leading_to.entry(*name).or_default().push(surface);
        }
    }
    let mut open: BinaryHeap<(u64, Reverse<Symbol>)> = changes
        .iter()
        .map(|(name, number)| (*number, Reverse(*name)))
        .collect();
    while let Some((number, Reverse(name))) = open.pop() {
        for surface in leading_to.remove(&name).unwrap_or_default() {
            for name in &surface.names {
                if raise(changes, *name, number) {
                    open.push((number, Reverse(*name)));
                }
            }
        }
    }
}

/// Whether the number is greater than what a name had, which then has it.
fn raise(changes: &mut SymbolMap<u64>, name: Symbol, number: u64) -> bool {
    let known = changes.entry(name).or_default();
    let raised = *known < number;
    *known = number.max(*known);
    raised
}

/// The number of the last edit that has changed what one of some names means; 0 for none.
pub fn last_change(changes: &SymbolMap<u64>, names: &[Symbol]) -> u64 {
    let numbers = names.iter().filter_map(|name| changes.get(name));
    numbers.max().copied().unwrap_or_default()
}
