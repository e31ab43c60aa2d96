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
    Growing::default().is_incomplete(text)
}

/// What is known of a text that grows by whole lines, so that not all of it has to be read again with each of them.
#[derive(Debug, Default)]
pub struct Growing {
    /// So many bytes have been read.
    read: usize,
    /// So many brackets are open there.
    open: usize,
    /// Whether the last word wants another.
    wants: bool,
}

impl Growing {
    /// [`is_incomplete`], of a text that begins with the one that was asked for last.
    pub fn is_incomplete(&mut self, text: &str) -> bool {
        let from = self.read;
        for (kind, range) in lex(text.get(from..).unwrap_or_default()) {
            let range = from + range.start..from + range.end;
            match kind {
                Kind::BlockComment { closed: false } | Kind::String(Ending::Gap) => {
                    // The next lines may belong to it.
                    self.read = range.start;
                    return true;
                }
                _ if kind.is_trivia() => continue,
                Kind::Open => self.open += 1,
                Kind::Close => self.open = self.open.saturating_sub(1),
                _ => {}
            }
            self.wants = wants_another(text.get(range).unwrap_or_default());
        }
        self.read = text.len();
        self.open > 0 || self.wants
    }
}

fn wants_another(word: &str) -> bool {
    matches!(
        word,
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

    #[test]
    fn a_text_that_grows_is_read_on() {
        let lines = [
            "f : Int\n",
            "f! = (\n",
            "{-- 1\n",
            ") --}\n",
            "1)\n",
            "g! = \"a\\\n",
            "  \\b\"\n",
            "h! =\n",
            "\n",
            "2\n",
        ];
        let (mut growing, mut text) = (Growing::default(), String::new());
        let told = lines.map(|line| {
            text.push_str(line);
            let told = growing.is_incomplete(&text);
            assert_eq!(told, is_incomplete(&text), "{text}");
            told
        });
        let expected = [
            false, true, true, true, false, true, false, true, true, false,
        ];
        assert_eq!(told, expected);
    }
}
