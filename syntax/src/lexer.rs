//! Cuts a text into tokens, blanks and comments included.
//!
//! The scanner of the grammar, `scanner.c`, cuts the same way; tests compare the two. What depends
//! on more than a token's own characters is left to the reader: layout, the names of included files,
//! which have hyphens in them, and that `!=` and `>=` are two tokens each in the head of a clause.

use std::iter::FusedIterator;
use std::ops::Range;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Blanks and line breaks, as many as there are; at the start of a text also a byte order mark.
    Blank,
    /// From `--` to the end of the line, without the line break.
    LineComment,
    /// From `{--` to the `--}` that closes it; one that nothing closes reaches to the end of the text.
    BlockComment {
        closed: bool,
    },
    /// A name; `include` is one, too.
    Name,
    /// `data`, `interface`, `let` and `in`.
    Keyword,
    /// `String`, `Int` and `Char`.
    BuiltinType,
    Natural,
    Float,
    Character(Ending),
    String(Ending),
    /// One of `( [ {`.
    Open,
    /// One of `) ] }`.
    Close,
    /// An operator or punctuation.
    Symbol,
    /// A character that begins no token.
    Unknown,
}

/// How a string or a character ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ending {
    /// With its quotation mark.
    Closed,
    /// With its line, without a quotation mark.
    Open,
    /// Without a quotation mark, in a gap that reaches to the end of the text: with more text, the
    /// string may go on.
    Gap,
}

impl Kind {
    pub fn is_comment(self) -> bool {
        matches!(self, Kind::LineComment | Kind::BlockComment { .. })
    }

    /// True for what separates tokens: blanks and comments.
    pub fn is_trivia(self) -> bool {
        self == Kind::Blank || self.is_comment()
    }
}

/// The tokens of a text, each with its place in bytes. They cover the text without gaps, whatever
/// the text is. An item or a term on its own can be cut like a whole file; but a file with a block
/// comment that nothing closes is to be cut item by item, since that hides the rest of its item only.
///
/// ```
/// use frank_syntax::lexer::{Kind, lex};
///
/// let tokens: Vec<_> = lex("x -> 1").collect();
/// assert_eq!(tokens[2], (Kind::Symbol, 2..4));
/// assert_eq!(tokens[4], (Kind::Natural, 5..6));
/// ```
pub fn lex(text: &str) -> impl FusedIterator<Item = (Kind, Range<usize>)> + '_ {
    lex_from(text, 0)
}

/// The tokens of a text from a place on where one begins.
pub(crate) fn lex_from(text: &str, start: usize) -> Lexer<'_> {
    Lexer {
        text,
        position: start,
    }
}

/// Reads the tokens of a text, one after the other.
#[derive(Debug, Clone)]
pub(crate) struct Lexer<'t> {
    text: &'t str,
    position: usize,
}

impl Iterator for Lexer<'_> {
    type Item = (Kind, Range<usize>);

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.position;
        let rest = self.text.get(start..)?;
        let (kind, length) = match rest.strip_prefix('\u{feff}') {
            Some(rest) if start == 0 => (Kind::Blank, '\u{feff}'.len_utf8() + blanks(rest)),
            _ => first(rest)?,
        };
        self.position += length;
        Some((kind, start..self.position))
    }
}

impl FusedIterator for Lexer<'_> {}

/// The symbols of more than one character.
const LONG_SYMBOLS: [&str; 6] = ["->", "::", "<=", ">=", "==", "!="];

/// The token that a text begins with, and its length in bytes; `None` for an empty text.
pub(crate) fn first(text: &str) -> Option<(Kind, usize)> {
    let c = text.chars().next()?;
    Some(match c {
        '-' if text.starts_with("--") => (Kind::LineComment, text.find('\n').unwrap_or(text.len())),
        '{' if text.starts_with("{--") => {
            let end = comment_end(text);
            (
                Kind::BlockComment {
                    closed: end.is_some(),
                },
                end.unwrap_or(text.len()),
            )
        }
        '"' | '\'' => {
            let literal = literal(text.as_bytes(), 0);
            let kind = match c {
                '"' => Kind::String(literal.ending),
                _ => Kind::Character(literal.ending),
            };
            (kind, literal.end)
        }
        '0'..='9' => number(text.as_bytes()),
        '(' | '[' | '{' => (Kind::Open, 1),
        ')' | ']' | '}' => (Kind::Close, 1),
        _ if is_name_start(c) => {
            let length = name_end(text, 0);
            (word(text.get(..length).unwrap_or_default()), length)
        }
        _ if is_blank(c) => (Kind::Blank, blanks(text)),
        _ if LONG_SYMBOLS.iter().any(|symbol| text.starts_with(symbol)) => (Kind::Symbol, 2),
        '=' | '|' | ':' | ',' | '!' | '<' | '>' | ';' | '+' | '-' | '*' | '/' | '.' => {
            (Kind::Symbol, 1)
        }
        _ => (Kind::Unknown, c.len_utf8()),
    })
}

/// A blank or a line break.
pub(crate) fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t'..='\r')
}

/// The length of the blanks and line breaks that a text begins with.
pub(crate) fn blanks(text: &str) -> usize {
    text.find(|c| !is_blank(c)).unwrap_or(text.len())
}

/// Whether a name may begin with a character.
pub fn is_name_start(c: char) -> bool {
    match c {
        '_' => true,
        _ if c.is_ascii() => c.is_ascii_alphabetic(),
        _ => c.is_alphabetic(),
    }
}

/// Whether a name may go on with a character.
pub fn is_name_part(c: char) -> bool {
    match c {
        '_' | '\'' => true,
        _ if c.is_ascii() => c.is_ascii_alphanumeric(),
        _ => c.is_alphanumeric(),
    }
}

/// The end of the name that goes on at `from`.
pub(crate) fn name_end(text: &str, from: usize) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    from + rest.find(|c| !is_name_part(c)).unwrap_or(rest.len())
}

/// The end of the name of an included file whose first word ends at `end`: words joined by `-`.
pub(crate) fn included_name_end(text: &str, mut end: usize) -> usize {
    while let Some(part) = text.get(end..).and_then(|rest| rest.strip_prefix('-'))
        && part.starts_with(is_name_start)
    {
        end = name_end(text, end + 1);
    }
    end
}

/// What a word is that is spelled like a name.
fn word(word: &str) -> Kind {
    match word {
        "data" | "interface" | "let" | "in" => Kind::Keyword,
        "String" | "Int" | "Char" => Kind::BuiltinType,
        _ => Kind::Name,
    }
}

/// Whether a word can name nothing.
pub fn is_reserved(name: &str) -> bool {
    word(name) != Kind::Name
}

/// The number that begins with a digit here, and its length.
fn number(bytes: &[u8]) -> (Kind, usize) {
    let run = |from: usize, digit: fn(&u8) -> bool| {
        let rest = bytes.get(from..).unwrap_or_default();
        rest.iter().take_while(|byte| digit(byte)).count()
    };
    let prefixed = match bytes {
        [b'0', b'x' | b'X', ..] => run(2, u8::is_ascii_hexdigit),
        [b'0', b'o' | b'O', ..] => run(2, |byte| matches!(byte, b'0'..=b'7')),
        _ => 0,
    };
    if prefixed > 0 {
        return (Kind::Natural, 2 + prefixed);
    }
    let mut kind = Kind::Natural;
    let mut end = run(0, u8::is_ascii_digit);
    if bytes.get(end) == Some(&b'.') {
        let fraction = run(end + 1, u8::is_ascii_digit);
        if fraction > 0 {
            kind = Kind::Float;
            end += 1 + fraction;
        }
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = run(end + 1 + sign, u8::is_ascii_digit);
        if exponent > 0 {
            kind = Kind::Float;
            end += 1 + sign + exponent;
        }
    }
    (kind, end)
}

/// One `{--` or `--}`.
pub(crate) struct CommentBracket {
    pub start: usize,
    pub opens: bool,
}

/// Calls `visit` for the comment brackets from the `{--` at `open` on, until that says to stop;
/// gives the end of the last one then.
///
/// Which of the characters of a text are comment brackets does not depend on the comment that one
/// looks from: they can overlap in one way only, `{--}` and `{---}`, and that is an opening one.
pub(crate) fn comment_brackets(
    bytes: &[u8],
    open: usize,
    mut visit: impl FnMut(CommentBracket) -> bool,
) -> Option<usize> {
    visit(CommentBracket {
        start: open,
        opens: true,
    });
    let mut position = open + 3;
    loop {
        let rest = bytes.get(position..)?;
        position += rest.iter().position(|&byte| byte == b'-')?;
        if bytes.get(position + 1) != Some(&b'-') {
            position += 1;
        } else if bytes.get(position.wrapping_sub(1)) == Some(&b'{') {
            visit(CommentBracket {
                start: position - 1,
                opens: true,
            });
            position += 2;
        } else if bytes.get(position + 2) == Some(&b'}') {
            let stop = visit(CommentBracket {
                start: position,
                opens: false,
            });
            position += 3;
            if stop {
                return Some(position);
            }
        } else {
            position += 1;
        }
    }
}

/// The end of the block comment that `text` begins with; `None` if nothing closes it.
pub(crate) fn comment_end(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    comment_brackets(text.as_bytes(), 0, |bracket| {
        depth = if bracket.opens { depth + 1 } else { depth - 1 };
        depth == 0
    })
}

/// A string or character.
pub(crate) struct Literal {
    /// Where it ends: behind the closing quotation mark, or at the end of its line.
    pub end: usize,
    /// The start of its last line, if it has several.
    pub line_start: Option<usize>,
    pub ending: Ending,
}

impl Literal {
    /// True if it may end elsewhere when the text goes on.
    pub fn cut_off(&self, bytes: &[u8]) -> bool {
        match self.ending {
            Ending::Closed => false,
            Ending::Open => self.end >= bytes.len(),
            Ending::Gap => true,
        }
    }
}

/// Reads the literal whose opening quotation mark is at `open`. It ends with its line at the latest,
/// but the gaps of a string may span lines.
pub(crate) fn literal(bytes: &[u8], open: usize) -> Literal {
    let at = |position: usize| bytes.get(position).copied();
    let quote = at(open);
    let mut position = open + 1;
    let mut line_start = None;
    let mut ending = Ending::Open;
    while let Some(byte) = at(position) {
        if Some(byte) == quote {
            position += 1;
            ending = Ending::Closed;
            break;
        }
        match byte {
            b'\n' => break,
            b'\\' => {}
            _ => {
                position += 1;
                continue;
            }
        }
        match at(position + 1) {
            None if quote == Some(b'"') => {
                position += 1;
                ending = Ending::Gap;
            }
            Some(next) if quote == Some(b'"') && is_blank(char::from(next)) => {
                let rest = bytes.get(position + 1..).unwrap_or_default();
                let gap = rest
                    .iter()
                    .take_while(|&&byte| is_blank(char::from(byte)))
                    .count();
                let blanks = rest.get(..gap).unwrap_or_default();
                let after = position + 1 + gap;
                if after >= bytes.len() {
                    ending = Ending::Gap;
                }
                if at(after) == Some(b'\\') {
                    if let Some(line) = blanks.iter().rposition(|&byte| byte == b'\n') {
                        line_start = Some(position + line + 2);
                    }
                    position = after + 1;
                } else if let Some(line) = blanks.iter().position(|&byte| byte == b'\n') {
                    // No gap: the literal ended with its line.
                    position += 1 + line;
                    break;
                } else {
                    position = after;
                }
            }
            // In `\^\` and `\^]` the third character is part of the escape, whatever it is.
            Some(b'^') if matches!(at(position + 2), Some(b'@'..=b'_')) => position += 3,
            Some(b'\n') | None => position += 1,
            Some(_) => position += 2,
        }
    }
    Literal {
        end: position,
        line_start,
        ending,
    }
}
