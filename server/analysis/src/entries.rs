//! Entries: the operators at which whoever runs a program begins.

use frank_syntax::ast::Symbol;

use crate::db::{Db, SourceFile};
use crate::declarations::sound_signature;
use crate::program::operator_items;
use crate::report::catalogue::users;

/// The operator that runs if no other one is named.
pub const MAIN: &str = "main";

/// Whether a program is likely begun at an operator: one that takes no arguments and that nothing else
/// mentions, in a program that has a `main`. An operator that another one mentions runs where that one
/// calls it, under a handler or not; and a program without a `main` is there for others.
pub fn is_entry(db: &dyn Db, scope: SourceFile, name: Symbol) -> bool {
    let takes_none = sound_signature(db, scope, name)
        .as_ref()
        .is_some_and(|signature| signature.computation.ports.is_empty());
    let has_main = !operator_items(db, scope, Symbol::new(MAIN))
        .clauses
        .is_empty();
    takes_none && has_main && users(db, scope, name).iter().all(|user| *user == name)
}
