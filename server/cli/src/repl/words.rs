//! Which words the completion knows, and whether a line is whole.

use frank_syntax::lexer::{Ending, Kind, lex};

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

/// Whether more has to come: a bracket, a block comment or a gap in a string is open, or the last
/// word wants another.
pub fn is_incomplete(text: &str) -> bool {
    let mut open = 0usize;
    let mut last = "";
    for (kind, range) in lex(text) {
        match kind {
            Kind::BlockComment { closed: false } | Kind::String(Ending::Gap) => return true,
            _ if kind.is_trivia() => continue,
            Kind::Open => open += 1,
            Kind::Close => open = open.saturating_sub(1),
            _ => {}
        }
        last = text.get(range).unwrap_or_default();
    }
    open > 0
        || matches!(
            last,
            "=" | "=="
                | "!="
                | "<="
                | ">="
                | "->"
                | "|"
                | "::"
                | ":"
                | "+"
                | "-"
                | "*"
                | "/"
                | ";"
                | ","
                | "in"
                | "let"
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
            "1 ==",
            "1 !=",
            "\"a\\",
            "\"a\\  \n  ",
        ] {
            assert!(is_incomplete(text), "{text}");
        }
        for text in [
            "",
            "1",
            "f x = 1",
            "(1)",
            "f!",
            "\"(\"",
            "'('",
            "1 -- (",
            "x > y",
            ")",
            "\"abc",
            "f <m>",
            "\"a\\\n  \\ b (\"",
            "\"a\\\n  b",
            "\"\\^\\\"",
            "'\\^\\'",
        ] {
            assert!(!is_incomplete(text), "{text}");
        }
    }
}
