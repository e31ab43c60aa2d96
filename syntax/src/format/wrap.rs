//! Breaks lines that are too long.

use super::layout::{Layout, Line};
use super::token::{Bracket, Kind, NONE, Token};
use crate::outline::OutlineKind;

/// A token in front of which a line can be broken. The lesser, the better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    /// How many brackets are open there, relative to the start of the line.
    depth: i32,
    class: u8,
}

struct Candidate {
    token: usize,
    rank: Rank,
}

/// Breaks the lines that have code beyond column `width`, each into as many as it takes at one kind of
/// place. A line that begins beyond it stays: what is broken off would begin there, too. Gives false if there
/// was nothing to do.
pub(super) fn wrap(layout: &mut Layout, width: i32) -> bool {
    let mut breaks = Vec::new();
    for line in layout.lines.iter().filter(|line| line.code != NONE) {
        let start = layout.token(line.first).map_or(0, |first| first.out);
        if start < width && code_end(layout, line) > width {
            break_line(layout, line, width, &mut breaks);
        }
    }
    for &index in &breaks {
        if let Some(token) = layout.tokens.get_mut(index) {
            token.breaks = 1;
            token.free = true;
            token.broken = true;
        }
    }
    !breaks.is_empty()
}

/// The column behind the line's last token that is no comment.
fn code_end(layout: &Layout, line: &Line) -> i32 {
    let tokens = layout
        .tokens
        .get(line.first..line.plain_end)
        .unwrap_or_default();
    tokens
        .iter()
        .rev()
        .find(|token| !token.kind.is_comment())
        .map_or(0, |token| token.out_end)
}

fn break_line(layout: &Layout, line: &Line, width: i32, breaks: &mut Vec<usize>) {
    let Some(kind) = layout.parts.get(line.item).map(|part| part.kind) else {
        return;
    };
    let Some(indentation) = layout.token(line.first).map(|first| first.out) else {
        return;
    };
    let candidates = candidates(layout, line, kind, indentation + 4);
    let end_before = |token: usize| {
        layout
            .token(token.wrapping_sub(1))
            .map_or(0, |token| token.out_end)
    };
    let fitting = candidates
        .iter()
        .filter(|candidate| end_before(candidate.token) <= width);
    let best = fitting
        .min_by_key(|candidate| candidate.rank)
        .or_else(|| candidates.first());
    let Some(rank) = best.map(|best| best.rank) else {
        return;
    };
    // Statements, clauses and ports stand one to a line, or all on one.
    let all = matches!(rank.class, STATEMENT | BAR | PORT);
    let mut shift = 0;
    let mut last: Option<usize> = None;
    let mut broken_at = NONE;
    for candidate in candidates.iter().filter(|candidate| candidate.rank == rank) {
        if all {
            breaks.push(candidate.token);
            continue;
        }
        if end_before(candidate.token) - shift > width
            && let Some(token) = last.take()
        {
            breaks.push(token);
            broken_at = token;
            shift = layout
                .token(token)
                .map_or(0, |token| token.out - indentation - 4);
        }
        last = Some(candidate.token);
    }
    let rest_is_long = code_end(layout, line) - shift > width;
    if !all
        && rest_is_long
        && let Some(token) = last.filter(|&token| token != broken_at)
    {
        breaks.push(token);
    }
}

const STATEMENT: u8 = 1;
const BAR: u8 = 2;
const PORT: u8 = 4;

/// The places at which the line can be broken, from left to right. `least` is the column from which on
/// that makes the line shorter.
fn candidates(layout: &Layout, line: &Line, kind: OutlineKind, least: i32) -> Vec<Candidate> {
    let mut found = Vec::new();
    let mut depth = 0;
    let tokens = layout
        .tokens
        .get(line.first..line.plain_end)
        .unwrap_or_default();
    let mut before: Option<&Token> = None;
    let mut head = true;
    for (index, token) in (line.first..).zip(tokens) {
        if token.kind.is_close() {
            depth -= 1;
        }
        if let Some(before) = before
            && token.gap > 0
            && token.out > least
            && !token.pinned
            && let Some(class) = class(kind, before.kind, token, head)
        {
            found.push(Candidate {
                token: index,
                rank: Rank { depth, class },
            });
        }
        if token.kind.is_open() {
            depth += 1;
        }
        head = match token.kind {
            Kind::Let => false,
            Kind::Equals => head,
            _ => head || before.is_some_and(|before| before.kind == Kind::Equals),
        };
        before = Some(token);
    }
    found
}

/// How good it is to break a line between two tokens, the first of which is that of the `head` if it is
/// a `=` without `let`.
fn class(item: OutlineKind, before: Kind, token: &Token, head: bool) -> Option<u8> {
    let typed = item != OutlineKind::Clause;
    let class = match (before, token.kind) {
        (Kind::Let | Kind::Keyword | Kind::Negate | Kind::Operator | Kind::Bar, _) => return None,
        (_, Kind::Equals | Kind::Colon | Kind::In | Kind::LineComment | Kind::BlockComment) => {
            return None;
        }
        (before, _) if before.is_comment() => return None,
        (Kind::Equals, Kind::Open(Bracket::Square)) if typed => 8,
        // Constructors and commands stand below the first, which stays behind the `=`.
        (Kind::Equals, _) if head => {
            if typed {
                3
            } else {
                0
            }
        }
        (Kind::In | Kind::Semicolon, _) => STATEMENT,
        (_, Kind::Bar) => BAR,
        (Kind::Arrow, _) if typed => return None,
        (_, Kind::Arrow) if typed => PORT,
        (_, Kind::Arrow) => return None,
        (Kind::Comma, _) => 5,
        (Kind::Arrow, _) => 6,
        (Kind::Equals, _) | (_, Kind::Operator) => 7,
        (Kind::Colon, _) => 8,
        _ => 9,
    };
    Some(class)
}
