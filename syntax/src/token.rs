//! The tokens of an item, as the scanner and the generated lexer cut them.
//!
//! Only texts with errors are cut here: a message needs the tokens themselves.

use std::ops::Range;

use crate::lexer::{self, Kind, included_name_end};

macro_rules! tokens {
    ($($kind:ident = $name:literal,)*) => {
        /// The kind of a token, the empty ones of the scanner included.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub(crate) enum TokenKind {
            $($kind,)*
        }

        impl TokenKind {
            pub(crate) const ALL: &[TokenKind] = &[$(TokenKind::$kind,)*];

            /// The token's name in the grammar; of a fixed token, its text.
            pub(crate) fn grammar_name(self) -> &'static str {
                match self {
                    $(TokenKind::$kind => $name,)*
                }
            }
        }
    };
}

tokens! {
    End = "end",
    ItemMarker = "_item_marker",
    TermMarker = "_term_marker",
    ItemStart = "_item_start",
    ItemEnd = "_item_end",
    ClauseStart = "_clause_start",
    BodyStart = "_body_start",
    ShapeOpen = "_shape_open",
    Name = "name",
    ModuleName = "module_name",
    BuiltinType = "builtin_type",
    Natural = "natural",
    Float = "float",
    Character = "character",
    String = "string",
    Data = "data",
    Interface = "interface",
    Include = "include",
    Let = "let",
    In = "in",
    LeftParenthesis = "(",
    RightParenthesis = ")",
    LeftBracket = "[",
    RightBracket = "]",
    LeftBrace = "{",
    RightBrace = "}",
    Equal = "=",
    Bar = "|",
    Colon = ":",
    Arrow = "->",
    Comma = ",",
    Bang = "!",
    Less = "<",
    Greater = ">",
    Semicolon = ";",
    ColonColon = "::",
    LessEqual = "<=",
    GreaterEqual = ">=",
    EqualEqual = "==",
    BangEqual = "!=",
    Plus = "+",
    Minus = "-",
    Star = "*",
    Slash = "/",
    Dot = ".",
    // Not of the grammar.
    Bad = "_error_sentinel",
}

impl TokenKind {
    /// The closing bracket for an opening one.
    pub(crate) fn closer(self) -> Option<TokenKind> {
        match self {
            TokenKind::LeftParenthesis => Some(TokenKind::RightParenthesis),
            TokenKind::LeftBracket => Some(TokenKind::RightBracket),
            TokenKind::LeftBrace => Some(TokenKind::RightBrace),
            _ => None,
        }
    }

    pub(crate) fn is_closer(self) -> bool {
        matches!(
            self,
            TokenKind::RightParenthesis | TokenKind::RightBracket | TokenKind::RightBrace
        )
    }

    /// True for the words that cannot be names.
    pub(crate) fn is_reserved(self) -> bool {
        use TokenKind::*;
        matches!(self, Data | Interface | Include | Let | In | BuiltinType)
    }
}

/// A token and where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token {
    pub kind: TokenKind,
    pub start: usize,
    pub end: usize,
}

impl Token {
    pub(crate) fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// What cutting a text gives.
pub(crate) struct Tokens {
    /// All tokens but the empty ones; comments are none.
    pub list: Vec<Token>,
    /// The `{--` that nothing closes; it reaches to the end of the text.
    pub unclosed_comment: Option<usize>,
    /// The bracket that nests too deeply; there are no tokens from there on.
    pub too_deep: Option<usize>,
}

/// How deeply brackets may nest.
pub(crate) const NESTING_LIMIT: usize = 1_000;

/// How many tokens an item may have: a tree of them takes some 2 GB.
pub(crate) const LENGTH_LIMIT: usize = 2_000_000;

/// Where a text has more tokens than an item may have.
pub(crate) fn too_long(text: &str) -> Option<Range<usize>> {
    if text.len() <= LENGTH_LIMIT {
        return None;
    }
    let mut tokens = lexer::lex(text).filter(|(kind, _)| !kind.is_trivia());
    tokens.nth(LENGTH_LIMIT).map(|(_, range)| range)
}

/// Cuts the text of an item, or of a term if `is_item` is false.
pub(crate) fn tokens(text: &str, is_item: bool) -> Tokens {
    let mut list: Vec<Token> = Vec::new();
    let mut unclosed_comment = None;
    let mut too_deep = None;
    let mut depth = 0usize;
    let mut lexer = lexer::lex_from(text, 0);
    while let Some((kind, range)) = lexer.next() {
        let Range { start, mut end } = range;
        if kind == (Kind::BlockComment { closed: false }) {
            unclosed_comment = Some(start);
            break;
        }
        let spelling = text.get(start..end).unwrap_or_default();
        let Some(mut kind) = kind_of(kind, spelling) else {
            continue;
        };
        if is_item
            && list.iter().all(|token| token.kind == TokenKind::Bad)
            && kind == TokenKind::Name
            && spelling == "include"
        {
            kind = TokenKind::Include;
        } else if kind == TokenKind::Name
            && list
                .last()
                .is_some_and(|last| last.kind == TokenKind::Include)
        {
            end = included_name_end(text, end);
            lexer = lexer::lex_from(text, end);
            kind = TokenKind::ModuleName;
        }
        if kind.closer().is_some() {
            depth += 1;
            if depth > NESTING_LIMIT {
                too_deep = Some(start);
                break;
            }
        } else if kind.is_closer() {
            depth = depth.saturating_sub(1);
        }
        list.push(Token { kind, start, end });
    }
    Tokens {
        list,
        unclosed_comment,
        too_deep,
    }
}

/// What the grammar calls a token; `None` for blanks and comments.
fn kind_of(kind: Kind, spelling: &str) -> Option<TokenKind> {
    Some(match kind {
        Kind::Blank | Kind::LineComment | Kind::BlockComment { .. } => return None,
        Kind::Name => TokenKind::Name,
        Kind::BuiltinType => TokenKind::BuiltinType,
        Kind::Natural => TokenKind::Natural,
        Kind::Float => TokenKind::Float,
        Kind::Character(_) => TokenKind::Character,
        Kind::String(_) => TokenKind::String,
        Kind::Keyword | Kind::Open | Kind::Close | Kind::Symbol => TokenKind::ALL
            .iter()
            .copied()
            .find(|kind| kind.grammar_name() == spelling)
            .unwrap_or(TokenKind::Bad),
        Kind::Unknown => TokenKind::Bad,
    })
}
