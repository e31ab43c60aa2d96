//! What the checker's results say of differentiation: which operators differentiate, and where the
//! numbers of a derivative can be.

pub mod parts;
pub mod roles;

use frank_syntax::ast::Symbol;

use crate::db::{Db, SourceFile, Workspace};
use crate::program::scope_files;

/// A file of the library.
pub fn library(db: &dyn Db, name: &str) -> Option<SourceFile> {
    let library = Workspace::get(db).library(db);
    library.get(&Symbol::new(name)).copied()
}

/// A file of the library that a program includes, directly or not.
pub fn included(db: &dyn Db, root: SourceFile, name: &str) -> Option<SourceFile> {
    let file = library(db, name)?;
    scope_files(db, root).1.contains(&file).then_some(file)
}
