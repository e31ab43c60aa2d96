//! The tokens of an item, as the scanner and the generated lexer cut them.

use std::ops::Range;

use crate::lexer::{self, Kind, Lexer, included_name_end};

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

            /// The fixed token that reads `text`.
            fn spelled(text: &str) -> Option<TokenKind> {
                match text {
                    $($name => Some(TokenKind::$kind),)*
                    _ => None,
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

    /// The two tokens that one is where it cannot be itself: there it ends a head.
    pub(crate) fn halves(self) -> Option<(TokenKind, TokenKind)> {
        match self {
            TokenKind::BangEqual => Some((TokenKind::Bang, TokenKind::Equal)),
            TokenKind::GreaterEqual => Some((TokenKind::Greater, TokenKind::Equal)),
            _ => None,
        }
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

/// How many tokens an item may have: to check that many takes some 0.5 GB.
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
    let mut cutter = Cutter::new(text, is_item);
    Tokens {
        list: cutter.by_ref().collect(),
        unclosed_comment: cutter.unclosed_comment,
        too_deep: cutter.too_deep,
    }
}

/// Cuts a text into tokens, one after the other. A clone looks ahead.
#[derive(Debug, Clone)]
pub(crate) struct Cutter<'t> {
    text: &'t str,
    lexer: Lexer<'t>,
    /// What stands for a name that is not there, in a text that was repaired.
    hole: Option<char>,
    /// True as long as nothing of an item has come.
    at_start: bool,
    behind_include: bool,
    depth: usize,
    /// As in [`Tokens`], once it has come to that.
    pub unclosed_comment: Option<usize>,
    /// As in [`Tokens`], once it has come to that.
    pub too_deep: Option<usize>,
}

impl<'t> Cutter<'t> {
    /// Cuts the text of an item, or of a term if `is_item` is false.
    pub(crate) fn new(text: &'t str, is_item: bool) -> Cutter<'t> {
        Cutter {
            text,
            lexer: lexer::lex_from(text, 0),
            hole: None,
            at_start: is_item,
            behind_include: false,
            depth: 0,
            unclosed_comment: None,
            too_deep: None,
        }
    }

    /// The same for a text in which `hole` is a name.
    pub(crate) fn with_holes(self, hole: char) -> Cutter<'t> {
        Cutter {
            hole: Some(hole),
            ..self
        }
    }

    fn stop(&mut self) {
        self.lexer = lexer::lex_from(self.text, self.text.len());
    }
}

impl Iterator for Cutter<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        loop {
            let (kind, range) = self.lexer.next()?;
            let Range { start, mut end } = range;
            if kind == (Kind::BlockComment { closed: false }) {
                self.unclosed_comment = Some(start);
                self.stop();
                return None;
            }
            let spelling = self.text.get(start..end).unwrap_or_default();
            let Some(mut kind) = kind_of(kind, spelling) else {
                continue;
            };
            if kind == TokenKind::Bad && self.hole.is_some_and(|hole| spelling.starts_with(hole)) {
                kind = TokenKind::Name;
            }
            if self.at_start && kind == TokenKind::Name && spelling == "include" {
                kind = TokenKind::Include;
            } else if self.behind_include && (kind == TokenKind::Name || kind.is_reserved()) {
                end = included_name_end(self.text, end);
                self.lexer = lexer::lex_from(self.text, end);
                kind = TokenKind::ModuleName;
            }
            if kind.closer().is_some() {
                self.depth += 1;
                if self.depth > NESTING_LIMIT {
                    self.too_deep = Some(start);
                    self.stop();
                    return None;
                }
            } else if kind.is_closer() {
                self.depth = self.depth.saturating_sub(1);
            }
            self.at_start &= kind == TokenKind::Bad;
            self.behind_include = kind == TokenKind::Include;
            return Some(Token { kind, start, end });
        }
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
        Kind::Keyword | Kind::Open | Kind::Close | Kind::Symbol => {
            TokenKind::spelled(spelling).unwrap_or(TokenKind::Bad)
        }
        Kind::Unknown => TokenKind::Bad,
    })
}
