//! The tree-sitter queries that editors use, as text.

/// Captures for syntax highlighting; of two captures of one node the later pattern's counts.
pub const HIGHLIGHTS: &str = include_str!("../queries/highlights.scm");

/// Scopes, definitions and references of local variables.
pub const LOCALS: &str = include_str!("../queries/locals.scm");

/// What can be folded.
pub const FOLDS: &str = include_str!("../queries/folds.scm");

/// Where lines are indented.
pub const INDENTS: &str = include_str!("../queries/indents.scm");

/// Definitions and references by name.
pub const TAGS: &str = include_str!("../queries/tags.scm");

/// Other languages inside.
pub const INJECTIONS: &str = include_str!("../queries/injections.scm");
