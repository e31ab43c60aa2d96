//! What is wrong with a text.

use text_size::TextRange;

/// A sentence that says what was expected, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    pub kind: SyntaxErrorKind,
    pub range: TextRange,
    pub message: String,
    /// Other places that explain the error, such as the bracket that is still open.
    pub related: Vec<(TextRange, String)>,
    /// What to do.
    pub help: Option<String>,
    /// What was meant, to write in place of what stands in `range`.
    pub replacement: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SyntaxErrorKind {
    /// Something else was expected here.
    Unexpected,
    UnclosedBracket,
    UnopenedBracket,
    UnclosedString,
    UnclosedChar,
    UnclosedComment,
    BadEscape,
    BadCharacter,
    NumberTooLarge,
    NestedTooDeeply,
    /// The item has more tokens than a tree is made of.
    TooLong,
    LeftOfItemColumn,
    /// `{…} y`, `3 x`: only a name or a use in parentheses can be applied.
    NotAHead,
}
