//! The concrete tree of one item: which production stands where.
//!
//! The automaton of the generated parser makes it from the tokens of the lexer, and makes the tree that the
//! library of tree-sitter would make, in a sixth of the space and of the time: it is read once, from
//! left to right, and never edited. So it has nothing that the lowering does not ask for, no comments,
//! no brackets, and no tree at all of a text that does not parse.

use std::num::NonZeroU32;

use text_size::{TextRange, TextSize};

use crate::automaton::symbol;
use crate::language::{self, Action, Kind};
use crate::lookahead::{has_patterns, has_shape};
use crate::token::{Cutter, Token, TokenKind};

/// A tree without errors.
#[derive(Debug)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    first: Option<NodeIndex>,
}

/// A node of a tree. Only its tree knows what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NodeIndex(NonZeroU32);

#[derive(Debug, Clone, Copy)]
struct Node {
    kind: Kind,
    start: u32,
    end: u32,
    first_child: Option<NodeIndex>,
    next_sibling: Option<NodeIndex>,
}

impl Tree {
    /// The tree of the tokens that `cutter` cuts from a text; `None` if they make none. `entry` says what
    /// the text should be: [`TokenKind::ItemMarker`] or [`TokenKind::TermMarker`].
    pub(crate) fn parse(entry: TokenKind, cutter: &mut Cutter<'_>) -> Option<Tree> {
        let mut builder = Builder {
            nodes: Vec::new(),
            stack: vec![Entry::empty(START, 0)],
        };
        builder.feed(entry, 0, 0)?;
        let mut end = 0;
        let mut is_empty = true;
        while let Some(token) = cutter.next() {
            if is_empty {
                builder.feed(TokenKind::ItemStart, token.start, token.start)?;
                is_empty = false;
            }
            builder.token(token, cutter)?;
            end = token.end;
        }
        if cutter.too_deep.is_some() {
            return None;
        }
        if !is_empty {
            builder.feed(TokenKind::ItemEnd, end, end)?;
        }
        builder.feed(TokenKind::End, end, end)?;
        let first = builder.stack.last()?.first;
        Some(Tree {
            nodes: builder.nodes,
            first,
        })
    }

    /// The first node that stands in no other one.
    pub(crate) fn first(&self) -> Option<NodeIndex> {
        self.first
    }

    /// How many nodes are of some kinds.
    pub(crate) fn count(&self, wanted: fn(Kind) -> bool) -> usize {
        self.nodes.iter().filter(|node| wanted(node.kind)).count()
    }

    pub(crate) fn kind(&self, node: NodeIndex) -> Kind {
        self.get(node).map_or(Kind::Other, |node| node.kind)
    }

    /// Where a node stands in the text.
    pub(crate) fn range(&self, node: NodeIndex) -> TextRange {
        let range =
            |node: &Node| TextRange::new(TextSize::new(node.start), TextSize::new(node.end));
        self.get(node).map(range).unwrap_or_default()
    }

    pub(crate) fn first_child(&self, node: NodeIndex) -> Option<NodeIndex> {
        self.get(node)?.first_child
    }

    pub(crate) fn next_sibling(&self, node: NodeIndex) -> Option<NodeIndex> {
        self.get(node)?.next_sibling
    }

    fn get(&self, node: NodeIndex) -> Option<&Node> {
        self.nodes.get(node.0.get() as usize - 1)
    }
}

/// The state of the automaton before the first token.
const START: u16 = 1;

/// The automaton, with what it has read.
struct Builder {
    nodes: Vec<Node>,
    /// Never empty.
    stack: Vec<Entry>,
}

/// What stands on the automaton's stack: a state, and what was read to come there. That is a list of
/// nodes, since what is no node itself has its children stand in its place.
struct Entry {
    state: u16,
    start: u32,
    end: u32,
    first: Option<NodeIndex>,
    last: Option<NodeIndex>,
}

impl Entry {
    fn empty(state: u16, at: u32) -> Entry {
        Entry {
            state,
            start: at,
            end: at,
            first: None,
            last: None,
        }
    }
}

impl Builder {
    /// Goes on with a token, and what the scanner would put in front of it; `None` if it cannot come here.
    fn token(&mut self, token: Token, behind: &Cutter<'_>) -> Option<()> {
        let Token {
            mut kind,
            start,
            end,
        } = token;
        if self.has_action(TokenKind::ClauseStart) && kind != TokenKind::RightBrace {
            let clause = match has_patterns(kind, behind.clone().map(|token| token.kind)) {
                true => TokenKind::ClauseStart,
                false => TokenKind::BodyStart,
            };
            self.feed(clause, start, start)?;
        }
        if kind == TokenKind::LeftParenthesis
            && self.has_action(TokenKind::ShapeOpen)
            && has_shape(behind.clone().map(|token| token.kind))
        {
            kind = TokenKind::ShapeOpen;
        }
        match kind.halves() {
            Some((first, second)) if !self.has_action(kind) => {
                self.feed(first, start, start + 1)?;
                self.feed(second, start + 1, end)
            }
            _ => self.feed(kind, start, end),
        }
    }

    fn state(&self) -> u16 {
        self.stack.last().map_or(START, |entry| entry.state)
    }

    fn has_action(&self, kind: TokenKind) -> bool {
        language::action(self.state(), symbol(kind)) != Action::None
    }

    fn feed(&mut self, kind: TokenKind, start: usize, end: usize) -> Option<()> {
        let symbol = symbol(kind);
        loop {
            match language::action(self.state(), symbol) {
                Action::None => return None,
                Action::Accept => return Some(()),
                Action::Shift(state) => {
                    let mut entry = Entry {
                        start: u32::try_from(start).ok()?,
                        end: u32::try_from(end).ok()?,
                        ..Entry::empty(state, 0)
                    };
                    self.wrap(symbol, &mut entry)?;
                    self.stack.push(entry);
                    return Some(());
                }
                Action::Reduce {
                    symbol,
                    count,
                    production,
                } => self.reduce(symbol, count, production)?,
            }
        }
    }

    /// Puts what a production is in the place of its children.
    fn reduce(&mut self, symbol: u16, count: usize, production: u16) -> Option<()> {
        let from = self.stack.len().checked_sub(count)?;
        let mut whole = Entry::empty(0, self.stack.last()?.end);
        for index in 0..count {
            let child = self.stack.get(from + index)?;
            let (start, first, last) = (child.start, child.first, child.last);
            if index == 0 {
                whole.start = start;
            }
            let Some(first) = first else { continue };
            if let Some(alias) = language::alias(production, index) {
                self.node(first)?.kind = Kind::of_symbol(alias);
            }
            match whole.last {
                None => whole.first = Some(first),
                Some(before) => self.node(before)?.next_sibling = Some(first),
            }
            whole.last = last;
        }
        self.stack.truncate(from);
        self.wrap(symbol, &mut whole)?;
        let Action::Shift(state) = language::action(self.state(), symbol) else {
            return None;
        };
        whole.state = state;
        self.stack.push(whole);
        Some(())
    }

    /// Makes one node of an entry, if its symbol is a kind of nodes.
    fn wrap(&mut self, symbol: u16, entry: &mut Entry) -> Option<()> {
        let kind = Kind::of_symbol(symbol);
        if kind == Kind::Other {
            return Some(());
        }
        self.nodes.push(Node {
            kind,
            start: entry.start,
            end: entry.end,
            first_child: entry.first,
            next_sibling: None,
        });
        let number = u32::try_from(self.nodes.len()).ok()?;
        let node = NodeIndex(NonZeroU32::new(number)?);
        entry.first = Some(node);
        entry.last = Some(node);
        Some(())
    }

    fn node(&mut self, node: NodeIndex) -> Option<&mut Node> {
        self.nodes.get_mut(node.0.get() as usize - 1)
    }
}
