//! The words of a text, comments included; for colours, and for texts that do not parse.

use std::ops::Range;

use frank_syntax::lexer::{Ending, Kind, lex};
pub(crate) use frank_syntax::lexer::{is_name_part, is_name_start, is_reserved};

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
    /// Brackets, operators, punctuation, and characters that begin no word.
    Symbol,
}

/// A word with its place in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word {
    pub lexeme: Lexeme,
    /// False for a string, a character or a block comment without its end.
    pub closed: bool,
    pub range: Range<usize>,
}

impl Word {
    pub fn text<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.range.clone()).unwrap_or_default()
    }
}

/// All words of a text, in order. Nothing but blanks is left out.
pub(crate) fn words(text: &str) -> Vec<Word> {
    let mut found = Vec::with_capacity(text.len() / 4);
    let mut first = true;
    for (kind, range) in lex(text) {
        let lexeme = match kind {
            Kind::Blank => continue,
            Kind::LineComment => Lexeme::LineComment,
            Kind::BlockComment { .. } => Lexeme::BlockComment,
            Kind::Name if first && text.get(range.clone()) == Some("include") => Lexeme::Keyword,
            Kind::Name => Lexeme::Name,
            Kind::Keyword => Lexeme::Keyword,
            Kind::BuiltinType => Lexeme::BuiltinType,
            Kind::Natural | Kind::Float => Lexeme::Number,
            Kind::Character(_) => Lexeme::Char,
            Kind::String(_) => Lexeme::String,
            Kind::Open | Kind::Close | Kind::Symbol | Kind::Unknown => Lexeme::Symbol,
        };
        let closed = match kind {
            Kind::BlockComment { closed } => closed,
            Kind::String(ending) | Kind::Character(ending) => ending == Ending::Closed,
            _ => true,
        };
        first &= kind.is_comment();
        found.push(Word {
            lexeme,
            closed,
            range,
        });
    }
    found
}

/// Whether a text is one name.
pub(crate) fn is_name(text: &str) -> bool {
    text.chars().next().is_some_and(is_name_start) && text.chars().all(is_name_part)
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
    fn strings_go_on_behind_gaps_and_control_escapes() {
        assert_eq!(
            split("\"a\\\n \\ -- b\" \"\\^\\\" '\\^\\' -- c"),
            ["\"a\\\n \\ -- b\"", "\"\\^\\\"", "'\\^\\'", "-- c"]
        );
    }

    #[test]
    fn words_are_found_whole() {
        assert!(contains_word("a ab b", "b"));
        assert!(!contains_word("ab b' aba", "b"));
        assert!(contains_word("xx x", "x"));
        assert!(!contains_word("xxx", "x"));
    }
}
