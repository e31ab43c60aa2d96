//! Finds the items of a file without parsing them (language reference, section 2).

use std::ops::Range;

use crate::ast::Symbol;

/// What the first tokens of an item say that it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OutlineKind {
    Data,
    /// An interface or an alias; only the whole item tells which.
    Interface,
    Include,
    Signature,
    Clause,
    /// Anything else; parsing it reports an error.
    Other,
}

/// One item: the bytes from the end of the item before to its own end, so that the comments above
/// an item belong to it and the items of a file, put together, are the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutlineItem {
    pub range: Range<usize>,
    pub kind: OutlineKind,
    /// The name that the item defines or adds to; `None` where it has none.
    pub name: Option<Symbol>,
}
