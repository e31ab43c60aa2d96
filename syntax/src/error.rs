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
    /// What was meant.
    pub replacement: Option<Replacement>,
}

/// A text to write instead of another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replacement {
    /// What it takes the place of.
    pub range: TextRange,
    pub text: String,
    /// Whether nothing else can be meant.
    pub safe: bool,
    /// Names that have to be defined for it.
    pub uses: Vec<String>,
}

impl Replacement {
    /// A text of which something else may be meant as well.
    pub(crate) fn perhaps(range: TextRange, text: String) -> Replacement {
        Replacement {
            range,
            text,
            safe: false,
            uses: Vec::new(),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SyntaxErrorKind {
    /// Something else was expected here.
    Unexpected,
    /// Something is expected where the text ends.
    BrokenOff,
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
    /// A value's type where that of an operator is needed, `Int` for `{Int}`.
    BareType,
    /// It is written as in another language.
    Habit,
    /// `{…} y`, `3 x`: only a name or a use in parentheses can be applied.
    NotAHead,
}
