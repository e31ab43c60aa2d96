//! Makes the text of a broken item one that parses, with as few changes as it can.
//!
//! The tokens are run through the automaton of the parser. Where one cannot come, the cheapest way
//! on is chosen among a few: leave the token out, or put up to three others in front of it. A way is
//! good if many of the tokens that follow can come then. What was put in is marked in the text, so
//! that the lowering makes `Missing` of it; all the rest is as the user wrote it.

use crate::automaton::Automaton;
use crate::lookahead::Lookahead;
use crate::token::{Token, TokenKind, Tokens};

/// The text of a name that is not there.
pub(crate) const HOLE: char = '\u{3}';

/// A change of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Repair {
    /// The token in front of which something is missing, or that is too much; the number of tokens
    /// for the end of the text.
    pub at: usize,
    /// What is put in.
    pub inserted: Vec<TokenKind>,
    /// True if the token is left out.
    pub deleted: bool,
    /// For every closing bracket that is put in, the token that opens it, if it is in the text.
    pub openers: Vec<usize>,
}

/// The parser in front of a token that cannot come there.
#[derive(Debug, Clone)]
pub(crate) struct ErrorState {
    /// The token; the number of tokens for the end of the text.
    pub at: usize,
    /// The automaton in front of it.
    pub automaton: Automaton<'static>,
    /// The brackets that are open there, and the `let`s that have no `in` yet.
    pub open: Vec<usize>,
}

/// The tokens of a text after they were repaired.
pub(crate) struct Repaired {
    pub tokens: Vec<Token>,
    pub repairs: Vec<Repair>,
    /// What was in front of each of the first repairs.
    pub states: Vec<ErrorState>,
}

/// Stands for a token that is not in the text.
const INSERTED_TOKEN: usize = usize::MAX;

/// What can be put in front of a token.
const INSERTED: [TokenKind; 15] = {
    use TokenKind::*;
    [
        RightParenthesis,
        RightBracket,
        RightBrace,
        In,
        Bang,
        Name,
        Equal,
        Arrow,
        Greater,
        Colon,
        Bar,
        Comma,
        Natural,
        ColonColon,
        LeftBrace,
    ]
};

/// How far a way on is tried, and how many repairs an item gets before the rest of it is given up.
const TRIED_TOKENS: usize = 12;
const REPAIRS: usize = 100;
/// What each token that can come again counts for a way on, and as how many a text counts that ends well.
const SCORE_OF_TOKEN: i32 = 3;
const MOST_PASSED: usize = TRIED_TOKENS + 2;
/// How many mistakes of an item are remembered and reported.
const MOST_STATES: usize = 10;

/// Repairs the tokens of an item, or of a term on its own.
pub(crate) fn repair(tokens: &Tokens, is_item: bool) -> Repaired {
    let list: Vec<Token> = tokens
        .list
        .iter()
        .filter(|token| token.kind != TokenKind::Bad)
        .copied()
        .collect();
    let before_let = list.iter().take_while(|token| token.kind != TokenKind::Let);
    let equal = before_let
        .clone()
        .position(|token| token.kind == TokenKind::Equal);
    let is_clause = is_item
        && matches!(list.as_slice(), [first, second, ..] if first.kind == TokenKind::Name && second.kind != TokenKind::Colon);
    let mut machine = Machine {
        automaton: Automaton::new(),
        tokens: list,
        lookahead: Lookahead::new(),
        is_item,
        head_end: equal.filter(|_| is_clause),
        open: Vec::new(),
        repairs: Vec::new(),
        states: Vec::new(),
    };
    machine.automaton.feed(if is_item {
        TokenKind::ItemMarker
    } else {
        TokenKind::TermMarker
    });
    machine.automaton.feed(TokenKind::ItemStart);
    machine.run();
    Repaired {
        tokens: machine.tokens,
        repairs: machine.repairs,
        states: machine.states,
    }
}

struct Machine {
    automaton: Automaton<'static>,
    tokens: Vec<Token>,
    lookahead: Lookahead,
    is_item: bool,
    /// The `=` of an operator's clause.
    head_end: Option<usize>,
    /// Open brackets and `let`s, by their tokens.
    open: Vec<usize>,
    repairs: Vec<Repair>,
    states: Vec<ErrorState>,
}

impl Machine {
    fn run(&mut self) {
        let mut at = 0;
        while at < self.tokens.len() {
            if self.advance(at) {
                at += 1;
                continue;
            }
            if self.split(at) {
                continue;
            }
            self.note_state(at);
            // What does not even begin like an item is none.
            if self.repairs.len() >= REPAIRS || (at == 0 && self.is_item) {
                let rest = at..self.tokens.len();
                self.repairs.extend(rest.map(|at| Repair {
                    at,
                    inserted: Vec::new(),
                    deleted: true,
                    openers: Vec::new(),
                }));
                break;
            }
            let (inserted, deleted) = self.best_repair(at);
            self.insert(at, inserted, deleted);
            if deleted {
                at += 1;
            }
        }
        self.complete();
    }

    fn note_state(&mut self, at: usize) {
        // One for each repair, which comes next.
        if self.states.len() == self.repairs.len() && self.states.len() < MOST_STATES {
            self.states.push(ErrorState {
                at,
                automaton: self.automaton.clone(),
                open: self.open.clone(),
            });
        }
    }

    /// Goes on with the token `at`; false if it cannot come.
    fn advance(&mut self, at: usize) -> bool {
        let Some(token) = self.tokens.get(at).copied() else {
            return false;
        };
        let advanced = self
            .lookahead
            .feed(&mut self.automaton, token.kind, &self.tokens, at + 1);
        if advanced {
            self.track(token.kind, at);
        }
        advanced
    }

    /// Keeps the open brackets up to date; gives what a closing one closes.
    fn track(&mut self, kind: TokenKind, at: usize) -> Option<usize> {
        if kind.closer().is_some() || kind == TokenKind::Let {
            self.open.push(at);
            None
        } else if kind.is_closer() || kind == TokenKind::In {
            self.open.pop()
        } else {
            None
        }
    }

    /// True if the token was one that cannot be here, and is its two halves now.
    fn split(&mut self, at: usize) -> bool {
        let Some(token) = self.tokens.get(at).copied() else {
            return false;
        };
        let Some((first, second)) = token.kind.halves() else {
            return false;
        };
        if self.automaton.has_action(token.kind) || !self.automaton.has_action(first) {
            return false;
        }
        let halves = [
            Token {
                kind: first,
                start: token.start,
                end: token.start + 1,
            },
            Token {
                kind: second,
                start: token.start + 1,
                end: token.end,
            },
        ];
        self.tokens.splice(at..=at, halves);
        self.lookahead.forget();
        true
    }

    /// Puts in what is missing where the text ends.
    fn complete(&mut self) {
        use TokenKind::*;
        let at = self.tokens.len();
        let mut inserted = Vec::new();
        let mut openers = Vec::new();
        let limit = 16 + 4 * self.open.len();
        loop {
            let mut end = self.automaton.trial();
            if end.feed(ItemEnd) && end.feed(End) {
                break;
            }
            self.note_state(at);
            let next = [
                RightParenthesis,
                RightBracket,
                RightBrace,
                In,
                Greater,
                Equal,
                Arrow,
                Colon,
                Name,
                ModuleName,
                Natural,
                ColonColon,
                LeftBrace,
            ]
            .into_iter()
            .find(|&kind| {
                let mut trial = self.automaton.trial();
                self.lookahead.feed(&mut trial, kind, &self.tokens, at)
            });
            // Every state that is not an end has one of these, and each part that is open needs only a
            // few of them.
            let Some(next) = next.filter(|_| inserted.len() < limit) else {
                break;
            };
            self.lookahead
                .feed(&mut self.automaton, next, &self.tokens, at);
            let opener = self.track(next, INSERTED_TOKEN);
            if next.is_closer() {
                openers.extend(opener);
            }
            inserted.push(next);
        }
        if !inserted.is_empty() {
            self.repairs.push(Repair {
                at,
                inserted,
                deleted: false,
                openers,
            });
        }
    }

    /// Carries out a repair.
    fn insert(&mut self, at: usize, inserted: Vec<TokenKind>, deleted: bool) {
        let mut openers = Vec::new();
        for &kind in &inserted {
            self.lookahead.feed(
                &mut self.automaton,
                kind,
                &self.tokens,
                at + usize::from(deleted),
            );
            let opener = self.track(kind, INSERTED_TOKEN);
            if kind.is_closer() {
                openers.extend(opener);
            }
        }
        self.repairs.push(Repair {
            at,
            inserted,
            deleted,
            openers,
        });
    }

    /// The best way on in front of the token `at`, which cannot come: what to put in, and whether to
    /// leave the token out.
    fn best_repair(&self, at: usize) -> (Vec<TokenKind>, bool) {
        let mut best = Best {
            score: i32::MIN,
            inserted: Vec::new(),
            deleted: true,
        };
        // Leaving a token out costs more than putting one in: the user wrote it.
        self.consider(&mut best, &self.automaton.trial(), &[], at, true);
        let mut inserted = Vec::new();
        self.insertions(&mut best, &self.automaton.trial(), &mut inserted, at);
        (best.inserted, best.deleted)
    }

    /// Tries all sequences of up to three tokens that go on from `inserted`.
    fn insertions(
        &self,
        best: &mut Best,
        automaton: &Automaton<'_>,
        inserted: &mut Vec<TokenKind>,
        at: usize,
    ) {
        for kind in INSERTED {
            inserted.push(kind);
            let can_win = self.most(inserted, at) > best.score;
            inserted.pop();
            if !can_win {
                continue;
            }
            let mut trial = automaton.clone();
            if !self.lookahead.feed(&mut trial, kind, &self.tokens, at) {
                continue;
            }
            inserted.push(kind);
            self.consider(best, &trial, inserted, at, false);
            if inserted.len() == 1 {
                self.consider(best, &trial, inserted, at, true);
            }
            if inserted.len() < 3 {
                self.insertions(best, &trial, inserted, at);
            }
            inserted.pop();
        }
    }

    /// What it costs to put tokens in front of the token `at`.
    fn cost(&self, inserted: &[TokenKind], at: usize) -> i32 {
        let cost_of = |kind: &TokenKind| match kind {
            _ if kind.is_closer() => 2,
            // The one `=` of a clause is still to come.
            TokenKind::Equal if self.head_end.is_some_and(|end| at <= end) => 12,
            TokenKind::LeftBrace => 12,
            _ => 4,
        };
        inserted.iter().map(cost_of).sum()
    }

    /// The most that a way on can score that begins with these tokens.
    fn most(&self, inserted: &[TokenKind], at: usize) -> i32 {
        SCORE_OF_TOKEN * MOST_PASSED as i32 - self.cost(inserted, at)
    }

    /// Keeps a way on if it is better than the best so far.
    fn consider(
        &self,
        best: &mut Best,
        automaton: &Automaton<'_>,
        inserted: &[TokenKind],
        at: usize,
        deleted: bool,
    ) {
        let cost = self.cost(inserted, at) + 5 * i32::from(deleted);
        let mut automaton = automaton.clone();
        let mut passed = 0;
        let mut next = at + usize::from(deleted);
        while let Some(token) = self.tokens.get(next)
            && passed < TRIED_TOKENS
            && self
                .lookahead
                .feed(&mut automaton, token.kind, &self.tokens, next + 1)
        {
            passed += 1;
            next += 1;
        }
        // With the token still there, a way on that it cannot take is none.
        if passed == 0 && !deleted {
            return;
        }
        let ends = next >= self.tokens.len()
            && automaton.feed(TokenKind::ItemEnd)
            && automaton.feed(TokenKind::End);
        let passed = if ends { MOST_PASSED } else { passed };
        let score = SCORE_OF_TOKEN * passed as i32 - cost;
        if score > best.score {
            *best = Best {
                score,
                inserted: inserted.to_vec(),
                deleted,
            };
        }
    }
}

struct Best {
    score: i32,
    inserted: Vec<TokenKind>,
    deleted: bool,
}

/// A repaired text, and where its parts stand in the text as it was written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct RepairedText {
    pub text: String,
    /// What was put in: where it begins and ends in the repaired text, and where it belongs in the
    /// text as it was written; in order.
    insertions: Vec<Insertion>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Insertion {
    start: usize,
    end: usize,
    place: usize,
}

impl RepairedText {
    /// Applies `repairs` to `text`, of which only the part up to `end` counts.
    pub(crate) fn new(
        text: &str,
        end: usize,
        tokens: &[Token],
        repairs: &[Repair],
        bad: &[Token],
    ) -> RepairedText {
        // Changes by place: what is left out, and what is put in.
        let mut deletions: Vec<(usize, usize)> =
            bad.iter().map(|token| (token.start, token.end)).collect();
        let mut insertions: Vec<(usize, &[TokenKind])> = Vec::new();
        for repair in repairs {
            let before = repair
                .at
                .checked_sub(1)
                .and_then(|before| tokens.get(before));
            let token = tokens.get(repair.at);
            let place = before
                .map(|token| token.end)
                .or(token.map(|token| token.start))
                .unwrap_or(0);
            if !repair.inserted.is_empty() {
                insertions.push((place, &repair.inserted));
            }
            if let Some(token) = token.filter(|_| repair.deleted) {
                deletions.push((token.start, token.end));
            }
        }
        deletions.sort_unstable();
        let mut repaired = RepairedText::default();
        let mut position = 0;
        let mut deletions = deletions.into_iter().peekable();
        let mut copy = |repaired: &mut RepairedText, to: usize| {
            while position < to {
                match deletions.peek() {
                    Some(&(_, deleted_to)) if deleted_to <= position => {
                        deletions.next();
                    }
                    Some(&(from, deleted_to)) if from <= position => {
                        let blank_to = deleted_to.min(to);
                        repaired
                            .text
                            .extend(std::iter::repeat_n(' ', blank_to - position));
                        position = blank_to;
                    }
                    next => {
                        let copy_to = next.map_or(to, |&(from, _)| from.min(to));
                        repaired
                            .text
                            .push_str(text.get(position..copy_to).unwrap_or_default());
                        position = copy_to;
                    }
                }
            }
        };
        for (place, kinds) in insertions {
            copy(&mut repaired, place);
            let start = repaired.text.len();
            // A new line ends a string that has no end.
            repaired.text.push('\n');
            for &kind in kinds {
                repaired.text.push(' ');
                match kind {
                    TokenKind::Name | TokenKind::ModuleName => repaired.text.push(HOLE),
                    // Seen to be none by its place, which has no width.
                    TokenKind::Natural => repaired.text.push('0'),
                    _ => repaired.text.push_str(kind.grammar_name()),
                }
            }
            repaired.text.push(' ');
            repaired.insertions.push(Insertion {
                start,
                end: repaired.text.len(),
                place,
            });
        }
        copy(&mut repaired, end);
        repaired
    }

    /// Where a position of the repaired text stands in the text as it was written.
    pub(crate) fn original(&self, position: usize) -> usize {
        let before = self
            .insertions
            .partition_point(|insertion| insertion.start <= position);
        match before
            .checked_sub(1)
            .and_then(|last| self.insertions.get(last))
        {
            None => position,
            Some(last) => last.place + position.saturating_sub(last.end),
        }
    }
}
