//! Entries: where whoever runs a program begins.

use frank_syntax::ast::Symbol;

use crate::db::{Db, SourceFile};
use crate::declarations::sound_signature;
use crate::report::catalogue::users;

/// The operator that runs if no other one is named.
pub const MAIN: &str = "main";

/// Whether a run begins at an operator unless somebody names another one: at `main`, if it takes no
/// arguments and nothing else mentions it. An operator beside it is far more often a helper that waits
/// for the line that calls it under a handler, and a run that is told to begin there warns by itself.
pub fn is_entry(db: &dyn Db, scope: SourceFile, name: Symbol) -> bool {
    let takes_none = || {
        let signature = sound_signature(db, scope, name).as_ref();
        signature.is_some_and(|signature| signature.computation.ports.is_empty())
    };
    let is_unused = || users(db, scope, name).iter().all(|user| *user == name);
    may_be_entry(name) && takes_none() && is_unused()
}

/// Whether an operator of this name can be an entry.
pub fn may_be_entry(name: Symbol) -> bool {
    name.as_str() == MAIN
}
