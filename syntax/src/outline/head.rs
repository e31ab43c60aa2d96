//! What an item is, from its first tokens.

use super::scan::Start;
use super::{OutlineItem, OutlineKind};
use crate::ast::Symbol;
use crate::lexer::{Kind, Lexer, included_name_end, is_reserved, lex_from};

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
    let mut tokens = Tokens {
        text,
        lexer: lex_from(text, 0),
    };
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token<'t> {
    Name(&'t str),
    Colon,
    Equals,
    Other,
}

/// The tokens of an item, as exact as its kind needs.
struct Tokens<'t> {
    text: &'t str,
    lexer: Lexer<'t>,
}

impl<'t> Tokens<'t> {
    /// The next token, if that is a name that an item may define.
    fn name(&mut self) -> Option<Symbol> {
        match self.next() {
            Some(Token::Name(name)) if !is_reserved(name) => Some(Symbol::new(name)),
            _ => None,
        }
    }

    /// The name behind `include`: names joined by `-` without blanks.
    fn file_name(&mut self) -> Option<Symbol> {
        let (kind, range) = self.lexer.find(|(kind, _)| !kind.is_trivia())?;
        if !matches!(kind, Kind::Name | Kind::Keyword | Kind::BuiltinType) {
            return None;
        }
        let end = included_name_end(self.text, range.end);
        self.text.get(range.start..end).map(Symbol::new)
    }

    fn next(&mut self) -> Option<Token<'t>> {
        let (kind, range) = self.lexer.find(|(kind, _)| !kind.is_trivia())?;
        let token = self.text.get(range)?;
        Some(match (kind, token) {
            (Kind::Name | Kind::Keyword | Kind::BuiltinType, _) => Token::Name(token),
            (Kind::Symbol, ":") => Token::Colon,
            // In a head `!=` and `>=` are two tokens.
            (Kind::Symbol, "=" | "!=" | ">=") => Token::Equals,
            _ => Token::Other,
        })
    }
}
