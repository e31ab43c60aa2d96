//! The automaton of the generated parser, one token at a time.
//!
//! Only texts with errors are run through it: it knows exactly which tokens can come next, and trying
//! a repair costs next to nothing.

use std::sync::OnceLock;

use crate::language::{self, Action, language};
use crate::token::TokenKind;

/// The automaton's stack of states. It can stand on the stack of another one, to try things out
/// without a copy of that.
#[derive(Debug, Clone)]
pub(crate) struct Automaton<'b> {
    base: &'b [u16],
    own: Vec<u16>,
}

impl Automaton<'static> {
    /// The automaton before the first token.
    pub(crate) fn new() -> Automaton<'static> {
        Automaton {
            base: &[],
            own: vec![1],
        }
    }

    /// A copy that leaves this one as it is.
    pub(crate) fn trial(&self) -> Automaton<'_> {
        Automaton {
            base: &self.own,
            own: Vec::new(),
        }
    }
}

impl Automaton<'_> {
    /// Goes on with a token; false, and nothing is changed, if it cannot come here.
    pub(crate) fn feed(&mut self, kind: TokenKind) -> bool {
        let Some((kept, new)) = self.run(kind) else {
            return false;
        };
        self.keep(kept);
        self.own.extend(new);
        true
    }

    /// Undoes a token that caused no reduction, as the empty ones inside items do.
    pub(crate) fn undo_empty(&mut self) {
        self.keep((self.base.len() + self.own.len()).saturating_sub(1));
    }

    /// True if a token can come next.
    pub(crate) fn accepts(&self, kind: TokenKind) -> bool {
        self.run(kind).is_some()
    }

    /// True if the state itself has a use for a token, even if a reduction would turn it down. This
    /// is what decides how the lexer cuts `!=`.
    pub(crate) fn has_action(&self, kind: TokenKind) -> bool {
        let top = self.state(self.base.len() + self.own.len());
        top.is_some_and(|state| language::action(state, symbol(kind)) != Action::None)
    }

    /// The topmost of the lowest `height` states.
    fn state(&self, height: usize) -> Option<u16> {
        let index = height.checked_sub(1)?;
        match index.checked_sub(self.base.len()) {
            None => self.base.get(index).copied(),
            Some(index) => self.own.get(index).copied(),
        }
    }

    /// Keeps the lowest `height` states only.
    fn keep(&mut self, height: usize) {
        self.own.truncate(height.saturating_sub(self.base.len()));
        self.base = self.base.get(..height).unwrap_or(self.base);
    }

    /// What becomes of the stack with one token more: how much of it stays, and what comes on top.
    fn run(&self, kind: TokenKind) -> Option<(usize, Vec<u16>)> {
        let symbol = symbol(kind);
        let mut kept = self.base.len() + self.own.len();
        let mut new: Vec<u16> = Vec::new();
        loop {
            let top = new.last().copied().or_else(|| self.state(kept))?;
            match language::action(top, symbol) {
                Action::None => return None,
                Action::Accept => return Some((kept, new)),
                Action::Shift(state) => {
                    new.push(state);
                    return Some((kept, new));
                }
                Action::Reduce { symbol, count, .. } => {
                    let from_new = count.min(new.len());
                    new.truncate(new.len() - from_new);
                    kept = kept.checked_sub(count - from_new)?;
                    let below = new.last().copied().or_else(|| self.state(kept))?;
                    let Action::Shift(state) = language::action(below, symbol) else {
                        return None;
                    };
                    new.push(state);
                }
            }
        }
    }
}

/// The number of a token in the generated parser.
pub(crate) fn symbol(kind: TokenKind) -> u16 {
    static SYMBOLS: OnceLock<Vec<u16>> = OnceLock::new();
    let symbols = SYMBOLS.get_or_init(|| {
        let language = language();
        let find = |name: &str| {
            let mut ids = 0..language.node_kind_count() as u16;
            ids.find(|&id| language.node_kind_for_id(id) == Some(name))
        };
        TokenKind::ALL
            .iter()
            .map(|kind| match kind {
                // Its name is that of an ordinary parenthesis.
                TokenKind::ShapeOpen => language::external_symbol(7),
                _ => find(kind.grammar_name()).unwrap_or(u16::MAX),
            })
            .collect()
    });
    symbols.get(kind as usize).copied().unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_token_has_a_number() {
        let mut symbols: Vec<u16> = TokenKind::ALL.iter().map(|&kind| symbol(kind)).collect();
        symbols.sort_unstable();
        symbols.dedup();
        assert_eq!(symbols.len(), TokenKind::ALL.len());
        assert!(!symbols.contains(&u16::MAX));
        assert_eq!(
            language().node_kind_for_id(symbol(TokenKind::ShapeOpen)),
            Some("(")
        );
    }

    #[test]
    fn runs_an_item() {
        use TokenKind::*;
        let mut automaton = Automaton::new();
        for kind in [
            ItemMarker,
            ItemStart,
            Name,
            Name,
            Equal,
            LeftParenthesis,
            Name,
            Plus,
        ] {
            assert!(automaton.feed(kind), "{kind:?}");
        }
        assert!(!automaton.accepts(RightParenthesis));
        for kind in [Natural, RightParenthesis, ItemEnd, End] {
            assert!(automaton.feed(kind), "{kind:?}");
        }
    }
}
