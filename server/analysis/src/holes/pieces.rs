//! Terms that are searched for, as pieces in the order of the text: each part follows what it is a part of.

use super::heads::Head;
use super::written::Token;
use crate::types::TyKind;

/// What a part of a term begins with, and what is written for that.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    pub head: Head,
    pub token: Token,
}

/// A term, or a part of one, of which no piece is missing.
#[derive(Clone, Copy)]
pub(super) struct Whole<'p> {
    pieces: &'p [Piece],
    start: usize,
}

/// The terms that the last piece ends, from the inside out.
pub(super) fn ended(pieces: &[Piece]) -> Vec<Whole<'_>> {
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut ended = Vec::new();
    for (start, piece) in pieces.iter().enumerate() {
        ended.clear();
        open.push((start, piece.token.parts()));
        while let Some((start, 0)) = open.last().copied() {
            open.pop();
            ended.push(Whole { pieces, start });
            if let Some((_, left)) = open.last_mut() {
                *left -= 1;
            }
        }
    }
    ended
}

impl<'p> Whole<'p> {
    pub fn head(self) -> Option<&'p Head> {
        self.pieces.get(self.start).map(|piece| &piece.head)
    }

    pub fn token(self) -> Option<&'p Token> {
        self.pieces.get(self.start).map(|piece| &piece.token)
    }

    /// All its pieces.
    pub fn all(self) -> &'p [Piece] {
        let (mut end, mut open) = (self.start, 1_usize);
        while let Some(piece) = self.pieces.get(end).filter(|_| open > 0) {
            open = open - 1 + piece.token.parts();
            end += 1;
        }
        self.pieces.get(self.start..end).unwrap_or_default()
    }

    pub fn tokens(self) -> impl Iterator<Item = &'p Token> {
        self.all().iter().map(|piece| &piece.token)
    }

    pub fn parts(self) -> Vec<Whole<'p>> {
        let count = self.token().map_or(0, Token::parts);
        let mut parts = Vec::with_capacity(count);
        let mut start = self.start + 1;
        for _ in 0..count {
            let part = Whole { start, ..self };
            parts.push(part);
            start += part.all().len();
        }
        parts
    }

    /// How many names, literals and operations it has.
    pub fn size(self) -> usize {
        let counted = |token: &&Token| !matches!(token, Token::Braces { .. });
        self.tokens().filter(counted).count()
    }

    pub fn is_equal(self, other: Whole<'_>) -> bool {
        self.tokens().eq(other.tokens())
    }

    /// Whether it is the same part of the same term.
    pub fn is_at(self, other: Whole<'_>) -> bool {
        self.start == other.start
    }

    /// How often it reads a local.
    pub fn reads(self, name: &str) -> usize {
        self.tokens().filter(|token| token.reads(name)).count()
    }

    /// Whether its evaluation may perform a command.
    pub fn performs(self) -> bool {
        match self.head() {
            // Nothing of it is evaluated yet.
            Some(Head::Braces) => false,
            Some(Head::Constructor(_)) => self.parts().into_iter().any(Whole::performs),
            _ => self.all().iter().any(|piece| match &piece.head {
                Head::Command { .. }
                | Head::Local {
                    as_value: false, ..
                } => true,
                Head::Operator {
                    as_value: false,
                    signature,
                    ..
                } => {
                    let computation = &signature.computation;
                    let kind = |ty| signature.types.kind(ty);
                    let mut ports = computation.ports.iter();
                    // What it is given it may run.
                    ports.any(|port| matches!(kind(port.ty), TyKind::Computation(_)))
                        || !signature
                            .types
                            .row(computation.ability)
                            .instances
                            .is_empty()
                }
                _ => false,
            }),
        }
    }
}
