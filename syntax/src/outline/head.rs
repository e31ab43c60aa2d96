//! Tells from its first tokens what an item is.

use super::scan::{Start, comment_length, is_blank, is_name_part, literal, name_end};
use super::{OutlineItem, OutlineKind};
use crate::ast::Symbol;

/// The item that begins at `start` and ends at `end`.
pub(super) fn item(text: &str, start: Start, end: usize, unclosed_comment: bool) -> OutlineItem {
    let (kind, name) = classify(text.get(start.token..end).unwrap_or_default());
    OutlineItem {
        range: start.boundary..end,
        token_offset: start.token - start.boundary,
        kind,
        name,
        left_of_column: start.left_of_column,
        unclosed_comment,
    }
}

/// What an item is, from its text without the comments above it.
fn classify(text: &str) -> (OutlineKind, Option<Symbol>) {
    let mut tokens = Tokens { text, position: 0 };
    let Some(Token::Name(first)) = tokens.next() else {
        return (OutlineKind::Other, None);
    };
    match first {
        "data" => return (OutlineKind::Data, tokens.name()),
        "interface" => return (OutlineKind::Interface, tokens.name()),
        "include" => return (OutlineKind::Include, tokens.file_name()),
        _ if is_reserved(first) => return (OutlineKind::Other, None),
        _ => {}
    }
    let name = Some(Symbol::new(first));
    let mut token = tokens.next();
    if token == Some(Token::Colon) {
        return (OutlineKind::Signature, name);
    }
    // A head has one `=`, and a term has none without a `let` before it. Broken heads, where a
    // bracket is open or a pattern is none, are heads by this rule, too.
    loop {
        match token {
            Some(Token::Equals) => return (OutlineKind::Clause, name),
            Some(Token::Name("let")) | None => return (OutlineKind::Other, name),
            _ => token = tokens.next(),
        }
    }
}

/// True for the words that cannot name what an item defines.
fn is_reserved(word: &str) -> bool {
    matches!(
        word,
        "data" | "interface" | "let" | "in" | "String" | "Int" | "Char"
    )
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token<'t> {
    Name(&'t str),
    Colon,
    Equals,
    Other,
}

/// The tokens of an item, as exact as telling its kind needs.
struct Tokens<'t> {
    text: &'t str,
    position: usize,
}

impl<'t> Tokens<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.position..).unwrap_or_default()
    }

    /// The next token, if that is a name that an item may define.
    fn name(&mut self) -> Option<Symbol> {
        match self.next() {
            Some(Token::Name(name)) if !is_reserved(name) => Some(Symbol::new(name)),
            _ => None,
        }
    }

    /// The name behind `include`: names joined by `-` without blanks.
    fn file_name(&mut self) -> Option<Symbol> {
        let Some(Token::Name(first)) = self.next() else {
            return None;
        };
        let start = self.position - first.len();
        while let Some(part) = self.rest().strip_prefix('-')
            && part
                .chars()
                .next()
                .is_some_and(|c| c == '_' || c.is_alphabetic())
        {
            self.position = name_end(self.text, self.position + 1);
        }
        self.text.get(start..self.position).map(Symbol::new)
    }

    /// Steps over blanks and comments.
    fn skip_trivia(&mut self) {
        loop {
            let rest = self.rest();
            let blanks = rest
                .bytes()
                .take_while(|&byte| byte == b'\n' || is_blank(byte))
                .count();
            self.position += blanks;
            let rest = self.rest();
            if rest.starts_with("--") {
                self.position += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("{--") {
                self.position += comment_length(rest);
            } else {
                return;
            }
        }
    }

    fn next(&mut self) -> Option<Token<'t>> {
        self.skip_trivia();
        let start = self.position;
        let rest = self.rest();
        let first = rest.chars().next()?;
        let (token, length) = match first {
            _ if first == '_' || first.is_alphabetic() => {
                let name = rest.get(..name_end(rest, 0)).unwrap_or_default();
                (Token::Name(name), name.len())
            }
            // The names in numbers do not count, as in `0xff`.
            _ if is_name_part(first) && first != '\'' => (Token::Other, name_end(rest, 0)),
            '"' | '\'' => (Token::Other, literal(rest.as_bytes(), 0).end),
            _ => match rest.as_bytes() {
                [b':', b':', ..] | [b'=', b'=', ..] | [b'<', b'=', ..] => (Token::Other, 2),
                [b':', ..] => (Token::Colon, 1),
                [b'=', ..] => (Token::Equals, 1),
                _ => (Token::Other, first.len_utf8()),
            },
        };
        self.position = start + length;
        Some(token)
    }
}
