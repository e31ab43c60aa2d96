//! The tokens of an item, as the scanner and the generated lexer cut them.
//!
//! Only texts with errors are cut here: a message needs the tokens themselves.

use std::ops::Range;

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

/// Cuts the text of an item, or of a term if `is_item` is false.
pub(crate) fn tokens(text: &str, is_item: bool) -> Tokens {
    let mut cutter = Cutter {
        text,
        bytes: text.as_bytes(),
        position: 0,
    };
    let mut list: Vec<Token> = Vec::new();
    let mut unclosed_comment = None;
    let mut too_deep = None;
    let mut depth = 0usize;
    loop {
        if let Some(comment) = cutter.skip_trivia() {
            unclosed_comment = Some(comment);
            break;
        }
        let start = cutter.position;
        let Some(mut kind) = cutter.next() else { break };
        if is_item
            && list.iter().all(|token| token.kind == TokenKind::Bad)
            && kind == TokenKind::Name
            && text.get(start..cutter.position) == Some("include")
        {
            kind = TokenKind::Include;
        } else if kind == TokenKind::Name
            && list
                .last()
                .is_some_and(|last| last.kind == TokenKind::Include)
        {
            cutter.module_name();
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
        list.push(Token {
            kind,
            start,
            end: cutter.position,
        });
    }
    Tokens {
        list,
        unclosed_comment,
        too_deep,
    }
}

struct Cutter<'t> {
    text: &'t str,
    bytes: &'t [u8],
    position: usize,
}

impl Cutter<'_> {
    fn byte(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.position + ahead).copied()
    }

    fn char(&self) -> Option<char> {
        self.text
            .get(self.position..)
            .and_then(|rest| rest.chars().next())
    }

    fn skip_while(&mut self, test: impl Fn(u8) -> bool) {
        while self.byte(0).is_some_and(&test) {
            self.position += 1;
        }
    }

    /// Skips blanks and comments; gives the place of a comment that has no end.
    fn skip_trivia(&mut self) -> Option<usize> {
        loop {
            let rest = self.bytes.get(self.position..).unwrap_or_default();
            match rest {
                [b' ' | b'\t'..=b'\r', ..] => self.position += 1,
                [b'-', b'-', ..] => self.skip_while(|byte| byte != b'\n'),
                [b'{', b'-', b'-', ..] => {
                    let start = self.position;
                    if !self.block_comment() {
                        return Some(start);
                    }
                }
                [0xef, 0xbb, 0xbf, ..] if self.position == 0 => self.position += 3,
                _ => return None,
            }
        }
    }

    /// Skips a block comment; false if it has no end.
    fn block_comment(&mut self) -> bool {
        let mut open = 0usize;
        loop {
            match self.bytes.get(self.position..).unwrap_or_default() {
                [b'{', b'-', b'-', ..] => {
                    open += 1;
                    self.position += 3;
                }
                [b'-', b'-', b'}', ..] => {
                    open -= 1;
                    self.position += 3;
                    if open == 0 {
                        return true;
                    }
                }
                [] => return false,
                _ => self.position += 1,
            }
        }
    }

    fn name(&mut self) {
        while self
            .char()
            .is_some_and(|c| c == '_' || c == '\'' || c.is_alphanumeric())
        {
            self.position += self.char().map_or(0, char::len_utf8);
        }
    }

    /// Goes on behind the first name of an include.
    fn module_name(&mut self) {
        while self.byte(0) == Some(b'-') {
            let rest = self.text.get(self.position + 1..).unwrap_or_default();
            if !rest
                .chars()
                .next()
                .is_some_and(|c| c == '_' || c.is_alphabetic())
            {
                return;
            }
            self.position += 1;
            self.name();
        }
    }

    fn next(&mut self) -> Option<TokenKind> {
        use TokenKind::*;
        let start = self.position;
        let first = self.char()?;
        if first == '_' || first.is_alphabetic() {
            self.name();
            return Some(
                match self.text.get(start..self.position).unwrap_or_default() {
                    "data" => Data,
                    "interface" => Interface,
                    "let" => Let,
                    "in" => In,
                    "String" | "Int" | "Char" => BuiltinType,
                    _ => Name,
                },
            );
        }
        if first.is_ascii_digit() {
            return Some(self.number());
        }
        if first == '"' || first == '\'' {
            self.position = crate::literal::end(self.bytes, start);
            return Some(if first == '"' { String } else { Character });
        }
        let two = match (first, self.byte(1)) {
            ('-', Some(b'>')) => Some(Arrow),
            (':', Some(b':')) => Some(ColonColon),
            ('<', Some(b'=')) => Some(LessEqual),
            ('>', Some(b'=')) => Some(GreaterEqual),
            ('=', Some(b'=')) => Some(EqualEqual),
            ('!', Some(b'=')) => Some(BangEqual),
            _ => None,
        };
        if two.is_some() {
            self.position += 2;
            return two;
        }
        self.position += first.len_utf8();
        Some(match first {
            '(' => LeftParenthesis,
            ')' => RightParenthesis,
            '[' => LeftBracket,
            ']' => RightBracket,
            '{' => LeftBrace,
            '}' => RightBrace,
            '=' => Equal,
            '|' => Bar,
            ':' => Colon,
            ',' => Comma,
            '!' => Bang,
            '<' => Less,
            '>' => Greater,
            ';' => Semicolon,
            '+' => Plus,
            '-' => Minus,
            '*' => Star,
            '/' => Slash,
            '.' => Dot,
            _ => Bad,
        })
    }

    fn number(&mut self) -> TokenKind {
        match (self.byte(0), self.byte(1), self.byte(2)) {
            (Some(b'0'), Some(b'x' | b'X'), Some(digit)) if digit.is_ascii_hexdigit() => {
                self.position += 2;
                self.skip_while(|byte| byte.is_ascii_hexdigit());
                return TokenKind::Natural;
            }
            (Some(b'0'), Some(b'o' | b'O'), Some(b'0'..=b'7')) => {
                self.position += 2;
                self.skip_while(|byte| matches!(byte, b'0'..=b'7'));
                return TokenKind::Natural;
            }
            _ => {}
        }
        self.skip_while(|byte| byte.is_ascii_digit());
        let mut kind = TokenKind::Natural;
        if self.byte(0) == Some(b'.') && self.byte(1).is_some_and(|byte| byte.is_ascii_digit()) {
            kind = TokenKind::Float;
            self.position += 1;
            self.skip_while(|byte| byte.is_ascii_digit());
        }
        if matches!(self.byte(0), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(self.byte(1), Some(b'+' | b'-')));
            if self
                .byte(1 + sign)
                .is_some_and(|byte| byte.is_ascii_digit())
            {
                kind = TokenKind::Float;
                self.position += 1 + sign;
                self.skip_while(|byte| byte.is_ascii_digit());
            }
        }
        kind
    }
}
