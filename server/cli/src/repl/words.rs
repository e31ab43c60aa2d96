//! Cuts a line into words, well enough to colour it and to see whether it is whole.

use std::ops::Range;

/// What a word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WordKind {
    Keyword,
    Name,
    Number,
    /// A string or a character.
    Text,
    Comment,
    Symbol,
}

/// A word and where it stands, in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    pub kind: WordKind,
    pub range: Range<usize>,
    /// False for a string or a block comment that does not end.
    pub closed: bool,
}

/// The words that cannot be names, and the one that begins an item.
pub const KEYWORDS: &[&str] = &[
    "data",
    "interface",
    "include",
    "let",
    "in",
    "String",
    "Int",
    "Char",
];

/// The words of a text; blanks are between them.
pub fn words(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut start = 0;
    while let Some(rest) = text.get(start..).filter(|rest| !rest.is_empty()) {
        let (kind, length, closed) = first(rest);
        if let Some(kind) = kind {
            words.push(Word {
                kind,
                range: start..start + length,
                closed,
            });
        }
        start += length.max(1);
    }
    words
}

/// What a text begins with, how long that is, and whether it ends; `None` for a blank.
fn first(text: &str) -> (Option<WordKind>, usize, bool) {
    let Some(c) = text.chars().next() else {
        return (None, 0, true);
    };
    let while_ = |test: fn(char) -> bool| text.find(|c| !test(c)).unwrap_or(text.len());
    if c.is_whitespace() {
        (None, while_(char::is_whitespace), true)
    } else if text.starts_with("{--") {
        let (length, closed) = block(text);
        (Some(WordKind::Comment), length, closed)
    } else if text.starts_with("--") {
        (
            Some(WordKind::Comment),
            text.find('\n').unwrap_or(text.len()),
            true,
        )
    } else if c == '"' || c == '\'' {
        let (length, closed) = literal(text, c);
        (Some(WordKind::Text), length, closed)
    } else if c.is_alphabetic() || c == '_' {
        let length = while_(|c| c.is_alphanumeric() || c == '_' || c == '\'');
        let keyword = KEYWORDS.contains(&text.get(..length).unwrap_or_default());
        (
            Some(if keyword {
                WordKind::Keyword
            } else {
                WordKind::Name
            }),
            length,
            true,
        )
    } else if c.is_ascii_digit() {
        (
            Some(WordKind::Number),
            while_(|c| c.is_ascii_alphanumeric() || c == '.'),
            true,
        )
    } else {
        (Some(WordKind::Symbol), c.len_utf8(), true)
    }
}

fn block(text: &str) -> (usize, bool) {
    let mut depth = 0usize;
    let mut at = 0;
    while let Some(rest) = text.get(at..) {
        let (next, opens) = match (rest.find("{--"), rest.find("--}")) {
            (Some(open), Some(close)) if open < close => (open, true),
            (_, Some(close)) => (close, false),
            _ => break,
        };
        depth = if opens {
            depth + 1
        } else {
            depth.saturating_sub(1)
        };
        at += next + 3;
        if depth == 0 {
            return (at, true);
        }
    }
    (text.len(), false)
}

/// A literal ends with its line.
fn literal(text: &str, quote: char) -> (usize, bool) {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\n' => return (at, false),
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return (at + 1, true),
            _ => {}
        }
    }
    (text.len(), false)
}

/// Whether more has to come: a bracket or a block comment is open, or the last word wants another.
pub fn is_incomplete(text: &str) -> bool {
    let words = words(text);
    let mut open = 0usize;
    let mut last = "";
    for word in &words {
        let said = text.get(word.range.clone()).unwrap_or_default();
        match (word.kind, said) {
            (WordKind::Comment, _) => {
                if !word.closed {
                    return true;
                }
                continue;
            }
            (WordKind::Symbol, "(" | "[" | "{") => open += 1,
            (WordKind::Symbol, ")" | "]" | "}") => open = open.saturating_sub(1),
            _ => {}
        }
        // `->` and `::` are two symbols here.
        last = match (last, said) {
            ("-", ">") => "->",
            (":", ":") => "::",
            _ => said,
        };
    }
    open > 0
        || matches!(
            last,
            "=" | "->" | "|" | "::" | ":" | "+" | "-" | "*" | "/" | ";" | "," | "in" | "let"
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn incomplete_texts() {
        for text in [
            "f x =",
            "(1",
            "{x ->",
            "a ::",
            "1 +",
            "{-- x",
            "let x = 1 in",
            "interface I =",
            "f :",
            "a ->",
        ] {
            assert!(is_incomplete(text), "{text}");
        }
        for text in [
            "", "1", "f x = 1", "(1)", "f!", "\"(\"", "'('", "1 -- (", "x > y", ")", "\"abc",
            "f <m>",
        ] {
            assert!(!is_incomplete(text), "{text}");
        }
    }

    #[test]
    fn a_text_is_cut() {
        let text = "let x' = \"a\\\"b\" in 0xff+'c' -- d";
        let cut: Vec<(WordKind, &str)> = words(text)
            .into_iter()
            .map(|word| (word.kind, &text[word.range]))
            .collect();
        use WordKind::*;
        assert_eq!(
            cut,
            [
                (Keyword, "let"),
                (Name, "x'"),
                (Symbol, "="),
                (Text, "\"a\\\"b\""),
                (Keyword, "in"),
                (Number, "0xff"),
                (Symbol, "+"),
                (Text, "'c'"),
                (Comment, "-- d")
            ]
        );
    }
}
