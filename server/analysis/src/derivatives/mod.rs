//! Derivatives that come out wrong in silence: programs without an error in them that compute
//! something else than the derivative that they are written for.

mod lengths;
pub mod paper;
mod parts;
mod reach;
pub mod resumed;
pub mod roles;
mod siblings;

use frank_syntax::ast::Symbol;

use crate::db::{Db, Origin, SourceFile, Workspace, has_syntax_errors, item};
use crate::diagnostics::Diagnostic;
use crate::infer::Inference;
use crate::program::scope_files;

/// What can be seen of an operator's clauses alone.
pub fn diagnostics(db: &dyn Db, scope: SourceFile, inference: &Inference) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if scope.origin(db) != Origin::Workspace {
        return found;
    }
    for (source, body) in &inference.bodies {
        if !has_syntax_errors(db, *source) {
            let item = item(db, *source);
            lengths::diagnostics(db, *source, item, body, &mut found);
            // With errors around, types may be what they should not be.
            if inference.is_sound() {
                siblings::diagnostics(db, *source, item, body, inference, &mut found);
            }
        }
    }
    found
}

/// A file of the library.
fn library(db: &dyn Db, name: &str) -> Option<SourceFile> {
    let library = Workspace::get(db).library(db);
    library.get(&Symbol::new(name)).copied()
}

/// A file of the library that a program includes, directly or not.
fn included(db: &dyn Db, root: SourceFile, name: &str) -> Option<SourceFile> {
    let file = library(db, name)?;
    scope_files(db, root).1.contains(&file).then_some(file)
}
