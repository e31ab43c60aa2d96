//! Texts with marked places.

use serde_json::{Value, json};

/// A text with `$0`, `$1`, … taken out of it, and where they were.
#[derive(Debug, Clone)]
pub struct Fixture {
    pub text: String,
    places: Vec<(char, (usize, usize))>,
}

impl Fixture {
    /// Takes the marks out of a text. Columns are counted in UTF-16 code units.
    pub fn new(marked: &str) -> Fixture {
        let mut text = String::new();
        let mut places = Vec::new();
        let (mut line, mut column) = (0, 0);
        let mut chars = marked.chars().peekable();
        while let Some(c) = chars.next() {
            if c == '$'
                && let Some(digit) = chars.next_if(char::is_ascii_digit)
            {
                places.push((digit, (line, column)));
                continue;
            }
            text.push(c);
            if c == '\n' {
                line += 1;
                column = 0;
            } else {
                column += c.len_utf16();
            }
        }
        Fixture { text, places }
    }

    /// The position of a mark.
    pub fn at(&self, mark: char) -> Value {
        let found = self.places.iter().find(|(digit, _)| *digit == mark);
        let (_, (line, character)) = found.expect("the mark is in the text");
        json!({ "line": line, "character": character })
    }

    /// The range between two marks.
    pub fn range(&self, start: char, end: char) -> Value {
        json!({ "start": self.at(start), "end": self.at(end) })
    }

    /// The parameters of a request about a mark.
    pub fn position(&self, uri: &str, mark: char) -> Value {
        json!({ "textDocument": { "uri": uri }, "position": self.at(mark) })
    }
}
