//! Which functions set checkpoints, and which derivative operators are right for those.
//!
//! Known by types: a derivative operator that gives its function more than smooth operations and the
//! host's commands gives it checkpoints. The paper's is wrong for most functions that set some, and
//! a program's own may be a copy of it, so the library's alone is trusted.

use std::collections::HashSet;

use frank_analysis::builtin::{console, ref_state};
use frank_analysis::db::{Db, ItemSource, Origin, SourceFile, item};
use frank_analysis::program::{InterfaceDef, OperatorDef};
use frank_syntax::ast::SourceMap;

use super::shape::function_of;
use super::stamp::items_of;
use crate::names::{Def, Role, occurrences_in};

/// The library file whose operators are right for functions with checkpoints.
const TRUSTED: &str = "library:/ad.fk";

/// The interfaces of checkpoints: those that a derivative operator offers beside its own.
pub(super) fn offered(
    db: &dyn Db,
    derivative: OperatorDef,
    smooth: InterfaceDef,
) -> Vec<InterfaceDef> {
    let known = [smooth, console(db), ref_state(db)];
    let needs = function_of(db, derivative).map(|(_, needs)| needs);
    let needs = needs.into_iter().flatten();
    needs.filter(|i| !known.contains(i)).collect()
}

/// Whether an operator is the library's.
pub(super) fn is_trusted(db: &dyn Db, operator: OperatorDef) -> bool {
    let scope = operator.0.scope;
    scope.origin(db) == Origin::Library && scope.path(db) == TRUSTED
}

/// What an item uses: definitions, and the interfaces whose commands it performs.
#[salsa::tracked]
fn uses(db: &dyn Db, scope: SourceFile, source: ItemSource) -> (Vec<Def>, Vec<InterfaceDef>) {
    let item = item(db, source);
    let map = SourceMap::default();
    let mut defs = Vec::new();
    let mut performed = Vec::new();
    for name in occurrences_in(db, scope, source, (item, &map), None) {
        if name.role != Role::Use {
            continue;
        }
        match name.def {
            Def::Command(command) if !performed.contains(&command.interface) => {
                performed.push(command.interface);
            }
            Def::Operator(_) if !defs.contains(&name.def) => defs.push(name.def),
            _ => {}
        }
    }
    (defs, performed)
}

/// Whether code that a term or an operator's items reach performs a command of an interface.
pub(super) fn performs(
    db: &dyn Db,
    scope: SourceFile,
    items: &[ItemSource],
    interfaces: &[InterfaceDef],
) -> bool {
    let mut seen: HashSet<Def> = HashSet::new();
    let mut work: Vec<(SourceFile, ItemSource)> =
        items.iter().map(|source| (scope, *source)).collect();
    while let Some((scope, source)) = work.pop() {
        let (defs, performed) = uses(db, scope, source);
        if performed.iter().any(|own| interfaces.contains(own)) {
            return true;
        }
        for def in defs {
            let Some(scope) = def.scope() else { continue };
            if seen.insert(*def) {
                work.extend(items_of(db, *def).into_iter().map(|source| (scope, source)));
            }
        }
    }
    false
}

/// The reason why a derivative operator must not be used.
pub(super) fn distrust(
    db: &dyn Db,
    scope: SourceFile,
    derivative: OperatorDef,
    interface: InterfaceDef,
    (items, needs): (&[ItemSource], &[InterfaceDef]),
) -> Option<String> {
    let offered = offered(db, derivative, interface);
    if offered.is_empty() || is_trusted(db, derivative) {
        return None;
    }
    let sets =
        needs.iter().any(|own| offered.contains(own)) || performs(db, scope, items, &offered);
    sets.then(|| {
        "code with checkpoints is differentiated by the `gradc` of `include ad` alone, since the \
         paper's is wrong for most of it: see \"Where the paper's checkpoints fail\""
            .to_owned()
    })
}
