//! Finds the items of a file without parsing them (language reference, section 2).
//!
//! [`split`] reads a whole text; an [`Outline`] follows the edits of one and reads again only what
//! an edit can have changed. Layout makes that easy: the column of the file's first token is the
//! item column, and nothing but brackets, strings and comments hides a token that stands there.
//!
//! What the language reference leaves open is decided here:
//!
//! - A text without a single token has no items, whatever comments are in it. All other texts are
//!   tiled by their items: the first begins at byte 0 (a byte order mark included), each ends where
//!   the next begins, the last ends with the text.
//! - An item ends with the line on which its last token stands, line break included. A comment that
//!   begins on that line and ends on a later one belongs to it, with the rest of that later line.
//! - An unclosed `{--` belongs to the item above it and reaches to the next line that has a token in
//!   the item column; inside brackets, to the next one that has a name there. Above the first token
//!   of a file it takes the place of that token.
//! - Inside brackets a token to the left of the item column does not matter, like all layout there.

use std::ops::Range;

use crate::ast::Symbol;

mod doc;
mod head;
mod incremental;
#[cfg(test)]
mod reference;
pub(crate) mod scan;
#[cfg(test)]
mod tests;

pub use doc::doc_comment;
pub use incremental::{Outline, OutlineChange, TextSource};

use scan::Scanner;

/// What the first tokens of an item say that it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OutlineKind {
    Data,
    /// An interface or an alias; only the whole item shows which.
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
    /// Where the item's first token stands, in bytes from the start of `range`.
    pub token_offset: usize,
    pub kind: OutlineKind,
    /// The name that the item defines or adds to (of an `include`, the file's); `None` where it has
    /// none. An item of kind `Other` has the name that it begins with.
    pub name: Option<Symbol>,
    /// True if the first token stands to the left of the item column, which is an error.
    pub left_of_column: bool,
    /// True if the item ends in a `{--` that nothing closes.
    pub unclosed_comment: bool,
}

impl OutlineItem {
    /// The item's text, out of the text of its file.
    pub fn text<'t>(&self, file: &'t str) -> &'t str {
        file.get(self.range.clone()).unwrap_or_default()
    }

    /// The offset of the first token in the file, in bytes.
    pub fn token_start(&self) -> usize {
        self.range.start + self.token_offset
    }
}

/// The items of `text`, in order. Takes time linear in the length of the text.
///
/// ```
/// use frank_syntax::outline::{OutlineKind, split};
///
/// let items = split("-- the answer\nmain : Int\nmain! = 42\n");
/// assert_eq!(items.len(), 2);
/// assert_eq!(items[0].range, 0..25);
/// assert_eq!(items[0].kind, OutlineKind::Signature);
/// assert_eq!(items[1].kind, OutlineKind::Clause);
/// ```
pub fn split(text: &str) -> Vec<OutlineItem> {
    split_with_column(text).0
}

/// The items of `text` and their column.
fn split_with_column(text: &str) -> (Vec<OutlineItem>, usize) {
    let mut scanner = Scanner::new(text, true);
    // Programs have about one item in 120 bytes.
    let mut items = Vec::with_capacity(text.len() / 120 + 1);
    let mut current = scanner.next_start();
    while let Some(start) = current {
        let next = scanner.next_start();
        let end = next.map_or(text.len(), |next| next.boundary);
        items.push(head::item(text, start, end, scanner.take_unclosed()));
        current = next;
    }
    (items, scanner.column())
}
