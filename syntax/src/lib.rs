//! Text to tree.
//!
//! This crate knows no types, no files and no editor. Parsing never fails: it gives an item and a
//! list of errors.

pub mod ast;
mod automaton;
mod cst;
mod diagnose;
pub mod error;
pub mod format;
pub mod habits;
mod language;
pub mod law;
pub mod lexer;
pub mod lines;
mod literal;
mod look_alikes;
mod lookahead;
mod lower;
mod message;
pub mod notebook;
pub mod outline;
pub mod parse;
pub mod query;
mod repair;
pub mod stack;
mod token;
pub mod visible;

pub use language::language;
