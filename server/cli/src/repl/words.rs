//! Which words complete a line, and whether it is whole.

use frank_syntax::lexer::{Ending, Kind, lex};

use super::commands::COMMANDS;

/// The words that cannot be names, and the one that begins an item.
const KEYWORDS: &[&str] = &[
    "data",
    "interface",
    "include",
    "let",
    "in",
    "String",
    "Int",
    "Char",
];

/// Whether a character can be in a name.
pub fn in_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '\''
}

/// The words that a text may end in, in place of the one that is begun at its end, and where that begins.
pub fn complete(before: &str, names: &[String]) -> (usize, Vec<String>) {
    let mut start = before.trim_end_matches(in_name).len();
    // A command is the first word of a line.
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    let first = before.get(line..).unwrap_or_default();
    if first.trim_start().starts_with(':') && !first.trim().contains(' ') {
        start = before.len() - first.trim_start().len();
    }
    let word = before.get(start..).unwrap_or_default();
    let commands = COMMANDS
        .iter()
        .filter_map(|(_, written, _)| written.split(' ').next());
    let known: Vec<&str> = if word.starts_with(':') {
        commands.collect()
    } else if word.is_empty() {
        Vec::new()
    } else {
        let names = names.iter().map(String::as_str);
        names.chain(KEYWORDS.iter().copied()).collect()
    };
    let fitting = known.into_iter().filter(|known| known.starts_with(word));
    let mut fitting: Vec<String> = fitting.map(str::to_owned).collect();
    fitting.sort_unstable();
    fitting.dedup();
    (start, fitting)
}

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
