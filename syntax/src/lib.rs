//! Text to tree.
//!
//! This room knows no types, no files and no editor. Parsing never fails: it gives an item and a
//! list of errors.

pub mod ast;
mod language;
mod literal;
mod lower;
pub mod outline;
pub mod parse;

pub use language::language;
