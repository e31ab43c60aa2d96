//! The words of a text, comments included; for colours, and for texts that do not parse.

use std::ops::Range;

/// What a word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lexeme {
    LineComment,
    BlockComment,
    Name,
    /// `data interface include let in`
    Keyword,
    /// `String Int Char`, which are reserved.
    BuiltinType,
    Number,
    Char,
    String,
    /// Brackets, operators, punctuation.
    Symbol,
}

/// A word with its place in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word {
    pub lexeme: Lexeme,
    pub range: Range<usize>,
}

impl Word {
    pub fn text<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.range.clone()).unwrap_or_default()
    }
}

/// The symbols of more than one character, longest first.
const LONG_SYMBOLS: &[&str] = &["->", "::", "<=", ">=", "==", "!="];

/// All words of a text, in order. Nothing but blanks is left out.
pub(crate) fn words(text: &str) -> Vec<Word> {
    let mut found = Vec::with_capacity(text.len() / 4);
    let mut position = 0;
    let mut first = true;
    while let Some(rest) = text.get(position..)
        && let Some(next) = rest.chars().next()
    {
        let (lexeme, length) = match next {
            _ if next.is_whitespace() || next == '\u{feff}' => {
                position += next.len_utf8();
                continue;
            }
            _ if rest.starts_with("--") => {
                (Lexeme::LineComment, rest.find('\n').unwrap_or(rest.len()))
            }
            _ if rest.starts_with("{--") => (Lexeme::BlockComment, block_comment(rest)),
            _ if is_name_start(next) => {
                let length = name_length(rest);
                let lexeme = match rest.get(..length).unwrap_or_default() {
                    "data" | "interface" | "let" | "in" => Lexeme::Keyword,
                    "include" if first => Lexeme::Keyword,
                    "String" | "Int" | "Char" => Lexeme::BuiltinType,
                    _ => Lexeme::Name,
                };
                (lexeme, length)
            }
            _ if next.is_ascii_digit() => (Lexeme::Number, number(rest)),
            '"' => (Lexeme::String, quoted(rest, '"')),
            '\'' => (Lexeme::Char, quoted(rest, '\'')),
            _ => {
                let long = LONG_SYMBOLS
                    .iter()
                    .find(|symbol| rest.starts_with(**symbol));
                (
                    Lexeme::Symbol,
                    long.map_or(next.len_utf8(), |symbol| symbol.len()),
                )
            }
        };
        let length = length.max(1);
        found.push(Word {
            lexeme,
            range: position..position + length,
        });
        first &= matches!(lexeme, Lexeme::LineComment | Lexeme::BlockComment);
        position += length;
    }
    found
}

/// Whether a name may begin with a character.
pub(crate) fn is_name_start(c: char) -> bool {
    c == '_' || c.is_alphabetic()
}

/// Whether a name may go on with a character.
pub(crate) fn is_name_part(c: char) -> bool {
    is_name_start(c) || c == '\'' || c.is_numeric()
}

fn name_length(text: &str) -> usize {
    text.find(|c| !is_name_part(c)).unwrap_or(text.len())
}

/// The words that can name nothing.
pub(crate) fn is_reserved(word: &str) -> bool {
    matches!(
        word,
        "data" | "interface" | "let" | "in" | "String" | "Int" | "Char"
    )
}

/// Whether a text is one name.
pub(crate) fn is_name(text: &str) -> bool {
    text.chars().next().is_some_and(is_name_start) && text.chars().all(is_name_part)
}

fn number(text: &str) -> usize {
    let bytes = text.as_bytes();
    let run = |from: usize, digit: fn(&u8) -> bool| {
        bytes
            .iter()
            .skip(from)
            .take_while(|byte| digit(byte))
            .count()
    };
    let prefixed = |digit: fn(&u8) -> bool| Some(2 + run(2, digit)).filter(|length| *length > 2);
    let whole = match bytes {
        [b'0', b'x' | b'X', ..] => prefixed(u8::is_ascii_hexdigit),
        [b'0', b'o' | b'O', ..] => prefixed(|byte| matches!(byte, b'0'..=b'7')),
        _ => None,
    };
    if let Some(length) = whole {
        return length;
    }
    let mut length = run(0, u8::is_ascii_digit);
    if bytes.get(length) == Some(&b'.') {
        let fraction = run(length + 1, u8::is_ascii_digit);
        if fraction > 0 {
            length += 1 + fraction;
        }
    }
    if matches!(bytes.get(length), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(length + 1), Some(b'+' | b'-')));
        let digits = run(length + 1 + sign, u8::is_ascii_digit);
        if digits > 0 {
            length += 1 + sign + digits;
        }
    }
    length
}

/// The length of a literal that ends at the quotation mark or with the line.
fn quoted(text: &str, mark: char) -> usize {
    let mut escaped = false;
    for (i, c) in text.char_indices().skip(1) {
        match c {
            '\n' => return i,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == mark => return i + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

/// The length of a block comment; all of the text if nothing closes it.
fn block_comment(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut depth = 0usize;
    let mut i = 0;
    while i < bytes.len() {
        match bytes.get(i..i + 3) {
            Some(b"{--") => {
                depth += 1;
                i += 3;
            }
            Some(b"--}") => {
                depth -= 1;
                i += 3;
                if depth == 0 {
                    return i;
                }
            }
            _ => i += 1,
        }
    }
    text.len()
}

/// Whether a text contains a name as a word of its own.
pub(crate) fn contains_word(text: &str, word: &str) -> bool {
    let mut rest = text;
    let mut before = None;
    while let Some(at) = rest.find(word) {
        let (skipped, found) = rest.split_at(at);
        let after = found.get(word.len()..).unwrap_or_default();
        let left = skipped.chars().next_back().or(before);
        if !left.is_some_and(is_name_part) && !after.chars().next().is_some_and(is_name_part) {
            return true;
        }
        before = word.chars().next_back();
        rest = after;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<&str> {
        words(text).iter().map(|word| word.text(text)).collect()
    }

    #[test]
    fn words_are_the_longest_that_fit() {
        assert_eq!(
            split("f' x -> 2>-1 -- end\n"),
            ["f'", "x", "->", "2", ">", "-", "1", "-- end"]
        );
        assert_eq!(
            split("{-- a {-- b --} --}0x1fz"),
            ["{-- a {-- b --} --}", "0x1f", "z"]
        );
        assert_eq!(
            split("1.5e-3.x \"a\\\"b\" 'λ'"),
            ["1.5e-3", ".", "x", "\"a\\\"b\"", "'λ'"]
        );
        assert_eq!(split("\"open\nx{--"), ["\"open", "x", "{--"]);
    }

    #[test]
    fn words_are_found_whole() {
        assert!(contains_word("a ab b", "b"));
        assert!(!contains_word("ab b' aba", "b"));
        assert!(contains_word("xx x", "x"));
        assert!(!contains_word("xxx", "x"));
    }
}
