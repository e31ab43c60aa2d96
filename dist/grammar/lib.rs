//! The tree-sitter grammar of Frank, the language of effects and handlers, with its queries.

use tree_sitter_language::LanguageFn;

extern "C" {
    fn tree_sitter_frank() -> *const ();
}

/// The grammar: `parser.set_language(&tree_sitter_frank::LANGUAGE.into())`.
// SAFETY: the function gives the language that the tree-sitter generator made.
pub const LANGUAGE: LanguageFn = unsafe { LanguageFn::from_raw(tree_sitter_frank) };

/// What has which colour.
pub const HIGHLIGHTS_QUERY: &str = include_str!("queries/highlights.scm");
/// Which names are bound where.
pub const LOCALS_QUERY: &str = include_str!("queries/locals.scm");
/// What is defined and used.
pub const TAGS_QUERY: &str = include_str!("queries/tags.scm");
/// What is written in another language.
pub const INJECTIONS_QUERY: &str = include_str!("queries/injections.scm");
/// What can be folded.
pub const FOLDS_QUERY: &str = include_str!("queries/folds.scm");
/// What indents the lines in it.
pub const INDENTS_QUERY: &str = include_str!("queries/indents.scm");
/// The kinds of nodes, as JSON.
pub const NODE_TYPES: &str = include_str!("src/node-types.json");
