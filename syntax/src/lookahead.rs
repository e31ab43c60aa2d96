//! The decisions that the scanner makes by looking ahead.

use std::cell::RefCell;
use std::iter;

use crate::automaton::Automaton;
use crate::token::{Token, TokenKind};

/// Looks ahead in a list of tokens. What was seen is kept, since the ways on that a repair tries ask
/// about the same places again and again.
pub(crate) struct Lookahead {
    /// For every token, whether a clause that begins there has patterns; `None` if nobody asked.
    has_patterns: RefCell<Vec<Option<bool>>>,
}

impl Lookahead {
    pub(crate) fn new() -> Lookahead {
        Lookahead {
            has_patterns: RefCell::new(Vec::new()),
        }
    }

    /// Forgets what was seen, after the tokens changed.
    pub(crate) fn forget(&self) {
        self.has_patterns.borrow_mut().clear();
    }

    /// Feeds a token of `kind`, behind which the token `next` comes, and the empty token that the
    /// scanner puts in front of it.
    pub(crate) fn feed(
        &self,
        automaton: &mut Automaton<'_>,
        kind: TokenKind,
        tokens: &[Token],
        next: usize,
    ) -> bool {
        let is_clause = kind != TokenKind::RightBrace && automaton.accepts(TokenKind::ClauseStart);
        if is_clause {
            let has_patterns = self.has_patterns_from(kind, tokens, next);
            automaton.feed(if has_patterns {
                TokenKind::ClauseStart
            } else {
                TokenKind::BodyStart
            });
        }
        let is_shape = kind == TokenKind::LeftParenthesis
            && automaton.accepts(TokenKind::ShapeOpen)
            && has_shape(tokens.iter().skip(next).map(|token| token.kind));
        let fed = automaton.feed(if is_shape { TokenKind::ShapeOpen } else { kind });
        if is_clause && !fed {
            automaton.undo_empty();
        }
        fed
    }

    /// Whether the clause that begins with a token of `kind` has patterns: whether an arrow comes
    /// before anything that no pattern has.
    fn has_patterns_from(&self, kind: TokenKind, tokens: &[Token], next: usize) -> bool {
        match step(kind, 0) {
            Step::Decided(has_patterns) => has_patterns,
            _ if kind == TokenKind::Bang => tokens
                .get(next)
                .is_some_and(|token| token.kind == TokenKind::Arrow),
            // These are never put in, so this one is in the list.
            Step::Depth(1) => self.look(tokens, next.saturating_sub(1)),
            Step::Depth(_) => self.look(tokens, next),
        }
    }

    fn look(&self, tokens: &[Token], from: usize) -> bool {
        let mut known = self.has_patterns.borrow_mut();
        known.resize(tokens.len(), None);
        let mut depth = 0;
        let mut passed = Vec::new();
        let mut answer = false;
        for (at, token) in tokens.iter().enumerate().skip(from) {
            if depth == 0 {
                if let Some(Some(has_patterns)) = known.get(at) {
                    answer = *has_patterns;
                    break;
                }
                passed.push(at);
            }
            match step(token.kind, depth) {
                _ if token.kind == TokenKind::Bang => break,
                Step::Decided(has_patterns) => {
                    answer = has_patterns;
                    break;
                }
                Step::Depth(next) => depth = next,
            }
        }
        for at in passed {
            if let Some(place) = known.get_mut(at) {
                *place = Some(answer);
            }
        }
        answer
    }
}

enum Step {
    /// The clause has patterns, or it has none.
    Decided(bool),
    /// Nothing is clear yet, so many brackets deep.
    Depth(usize),
}

fn step(kind: TokenKind, depth: usize) -> Step {
    use TokenKind::*;
    match kind {
        Arrow if depth == 0 => Step::Decided(true),
        LeftParenthesis | LeftBracket => Step::Depth(depth + 1),
        RightParenthesis | RightBracket if depth == 0 => Step::Decided(false),
        RightParenthesis | RightBracket => Step::Depth(depth - 1),
        LeftBrace | RightBrace | Bar | Semicolon | Equal | EqualEqual | LessEqual
        | GreaterEqual | BangEqual | Plus | Star | Slash | Colon => Step::Decided(false),
        _ => Step::Depth(depth),
    }
}

/// Whether a clause that begins with a token of kind `first`, behind which others come, has patterns.
/// Patterns have no braces, so that of all such looks in a text none begins inside of another one.
pub(crate) fn has_patterns(first: TokenKind, mut behind: impl Iterator<Item = TokenKind>) -> bool {
    if first == TokenKind::Bang {
        return behind.next() == Some(TokenKind::Arrow);
    }
    let mut depth = 0;
    for kind in iter::once(first).chain(behind) {
        if kind == TokenKind::Bang {
            return false;
        }
        match step(kind, depth) {
            Step::Decided(has_patterns) => return has_patterns,
            Step::Depth(next) => depth = next,
        }
    }
    false
}

/// Whether names and an arrow follow, as in the shape of an adaptor.
pub(crate) fn has_shape(mut behind: impl Iterator<Item = TokenKind>) -> bool {
    let is_word = |kind: &TokenKind| *kind == TokenKind::Name || kind.is_reserved();
    behind.find(|kind| !is_word(kind)) == Some(TokenKind::Arrow)
}
