//! Tree to meaning: items, names, types, abilities, diagnostics and the typed core.
//!
//! This crate knows no protocol and does no input or output: files reach it as inputs of
//! [`files::Files`]. It never fails: every term has a type and every item a meaning, however
//! broken the text.

pub mod aside;
pub mod builtin;
pub mod check;
pub mod db;
pub mod declarations;
pub mod derivatives;
pub mod diagnostics;
pub mod file_findings;
pub mod files;
pub mod fixes;
pub mod groups;
pub mod infer;
pub mod inferred;
pub mod link;
pub mod lints;
mod lower_types;
pub mod marked;
pub mod params;
mod performs;
pub mod program;
pub mod program_roots;
pub mod report;
pub mod scopes;
pub mod show;
pub mod snapshot;
pub mod surroundings;
pub mod truth_values;
pub mod types;
