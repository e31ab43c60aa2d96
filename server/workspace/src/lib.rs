//! The files of a project: finding and reading them, loading what they include, and `frank.toml`.
//!
//! The command line and the language server share this. It is the only crate below them that reads
//! and writes files; analysis gets texts from it and asks for none.

pub mod config;
pub mod discover;
pub mod disk;
mod findings;
pub mod ignored;
pub mod includes;
pub mod obstacle;
pub mod paths;
pub mod read;
mod special;
pub mod suppress;
pub mod watch;
pub mod writable;
pub mod write;
pub mod write_error;

pub use findings::{Settings, findings};
