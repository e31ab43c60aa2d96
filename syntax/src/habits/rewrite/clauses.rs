//! Clauses in braces: `match`, `case … of`, and what separates clauses.

use std::ops::Range;

use super::{argument, goes_on_below, part, starts_argument};
use crate::habits::Change;
use crate::habits::shape::{Match, View};
use crate::token::TokenKind;

/// `match v with | p -> a | q -> b`: `case v {p -> a | q -> b}`. The last part has the clauses.
pub(in crate::habits) fn clauses(view: &View<'_>, found: &Match) -> Option<Change> {
    let value = argument(view, part(found, 0));
    let written = found.parts.last()?.clone();
    let clauses = in_braces(view, written.clone())?;
    let all = view.range(found.tokens.clone());
    let open = match view.kind(written.start) {
        Some(TokenKind::LeftBrace) => written.start,
        _ => written.start.saturating_sub(1),
    };
    let braces = open..view.next(open).unwrap_or(open);
    if is_same(&clauses, view.slice(braces)) {
        let head = all.start..view.range(open..open + 1).start;
        return Some(Change::of(head, format!("case {value} ")));
    }
    Some(Change::of(all, format!("case {value} {clauses}")))
}

/// Whether two texts differ in nothing but their blanks and lines.
fn is_same(one: &str, other: &str) -> bool {
    let visible = |text: &str| -> String { text.split_whitespace().collect() };
    visible(one) == visible(other)
}

/// `(function p -> a | q -> b) v`: `case v {p -> a | q -> b}`.
pub(in crate::habits) fn function_applied(view: &View<'_>, found: &Match) -> Option<Change> {
    let clauses = in_braces(view, part(found, 0))?;
    let text = format!("case {} {clauses}", view.slice(part(found, 1)));
    let goes_on = view.kind(found.tokens.end).is_some_and(starts_argument);
    (!goes_on).then(|| Change::of(view.range(found.tokens.clone()), text))
}

/// `(function p -> a | q -> b)`: `{p -> a | q -> b}`.
pub(in crate::habits) fn function(view: &View<'_>, found: &Match) -> Option<Change> {
    let clauses = in_braces(view, part(found, 0))?;
    Some(Change::of(view.range(found.tokens.clone()), clauses))
}

/// Clauses of another language as Frank writes them.
fn in_braces(view: &View<'_>, mut tokens: Range<usize>) -> Option<String> {
    if view.kind(tokens.start) == Some(TokenKind::LeftBrace)
        && view.next(tokens.start) == Some(tokens.end)
    {
        tokens = tokens.start + 1..tokens.end - 1;
    }
    let mut clauses = Vec::new();
    let mut from = tokens.start;
    let mut has_lines = false;
    let first = tokens.start;
    if view.kind(from) == Some(TokenKind::Bar) {
        from += 1;
    }
    while from < tokens.end {
        // An operator's clauses take commands, no `case`.
        if view.kind(from) == Some(TokenKind::Less) {
            return None;
        }
        // `->` or `=>`.
        let arrow = view.end(from, &[TokenKind::Arrow, TokenKind::Equal]);
        let body = arrow + 1 + usize::from(view.kind(arrow) == Some(TokenKind::Equal));
        let (end, next) = match is_block(view, first..tokens.end) {
            true => block_end(view, first, body, tokens.end),
            false => clause_end(view, body, tokens.end),
        };
        // Clauses of an inner `case` may be the outer one's: columns say so, if there are lines.
        let has_inner = (body..end).any(|at| matches!(view.spelling(at), "of" | "with"));
        let is_nested = has_inner || goes_on_below(view, body..end);
        if body >= end || (is_nested && !is_block(view, first..end)) {
            return None;
        }
        has_lines |= is_nested;
        let pattern = clause_head(view, from..arrow)?;
        clauses.push(format!("{pattern} -> {}", view.slice(body..end)));
        from = next;
    }
    // A clause of several lines is followed by one on a line of its own.
    let separator = match has_lines {
        true => format!("\n{}| ", " ".repeat(view.column(first))),
        false => " | ".to_owned(),
    };
    Some(format!("{{{}}}", clauses.join(&separator)))
}

/// Whether clauses are lines that begin in one column, with all that belongs to one of them to the right
/// of it.
fn is_block(view: &View<'_>, clauses: Range<usize>) -> bool {
    let column = view.column(clauses.start);
    view.begins_line(clauses.start)
        && clauses
            .into_iter()
            .all(|at| !view.begins_line(at) || view.column(at) >= column)
}

/// Where a clause ends, and where the next one begins, if each begins in the column of the first.
fn block_end(view: &View<'_>, first: usize, body: usize, last: usize) -> (usize, usize) {
    let column = view.column(first);
    let next = (body..last)
        .find(|&at| view.begins_line(at) && view.column(at) == column)
        .unwrap_or(last);
    let is_separator = matches!(
        view.kind(next - 1),
        Some(TokenKind::Comma | TokenKind::Semicolon)
    );
    let is_bar = next < last && view.kind(next) == Some(TokenKind::Bar);
    (next - usize::from(is_separator), next + usize::from(is_bar))
}

/// The pattern of a clause, as Frank writes it: `Just(x)` is `(Just x)`.
fn clause_head(view: &View<'_>, tokens: Range<usize>) -> Option<String> {
    let open = tokens.start + 1;
    let is_call = view.kind(open) == Some(TokenKind::LeftParenthesis) && view.touches(open);
    if !is_call || open >= tokens.end {
        let has_call = tokens.clone().skip(1).any(|at| {
            view.kind(at) == Some(TokenKind::LeftParenthesis)
                && view.touches(at)
                && view.kind(at - 1) == Some(TokenKind::Name)
        });
        return (!has_call).then(|| argument(view, tokens));
    }
    let mut text = view.spelling(tokens.start).to_owned();
    for (number, at) in (open + 1..tokens.end - 1).enumerate() {
        let wanted = if number % 2 == 0 {
            TokenKind::Name
        } else {
            TokenKind::Comma
        };
        if view.kind(at) != Some(wanted) {
            return None;
        }
        if wanted == TokenKind::Name {
            text.push(' ');
            text.push_str(view.spelling(at));
        }
    }
    Some(format!("({text})"))
}

/// Where a clause of another language ends, and where the next one begins: at `|`, at `;` and at a line
/// with an arrow.
fn clause_end(view: &View<'_>, start: usize, last: usize) -> (usize, usize) {
    let mut at = start;
    while at < last {
        if matches!(
            view.kind(at),
            Some(TokenKind::Bar | TokenKind::Semicolon | TokenKind::Comma)
        ) {
            return (at, at + 1);
        }
        let arrow = view.end(
            at,
            &[
                TokenKind::Arrow,
                TokenKind::Bar,
                TokenKind::Semicolon,
                TokenKind::Comma,
            ],
        );
        if at > start
            && view.begins_line(at)
            && arrow < last
            && view.kind(arrow) == Some(TokenKind::Arrow)
        {
            return (at, at);
        }
        match view.next(at) {
            Some(next) => at = next,
            None => break,
        }
    }
    (last, last)
}

/// A bar for what a match points at, which separates clauses.
pub(in crate::habits) fn bar_between(view: &View<'_>, found: &Match) -> Option<Change> {
    let pattern = clause_pattern(view, found, found.mark.end);
    let start = view.range(found.mark.clone()).start;
    let end = view.range(found.mark.end..found.tokens.end - 1).end;
    Some(Change::of(start..end, format!(" | {pattern}")))
}

/// A bar before what a match points at: a pattern, or what is declared.
pub(in crate::habits) fn bar_before(view: &View<'_>, found: &Match) -> Option<Change> {
    let is_clause = view.kind(found.tokens.start) == Some(TokenKind::LeftBrace);
    let text = match is_clause {
        true => clause_pattern(view, found, found.mark.start),
        false => view.slice(found.mark.clone()).to_owned(),
    };
    Some(Change::of(
        view.range(found.mark.clone()),
        format!("| {text}"),
    ))
}

/// The patterns of a clause from `start` to the arrow that a match ends with: one in parentheses, if the
/// first clause has one.
fn clause_pattern(view: &View<'_>, found: &Match, start: usize) -> String {
    let patterns = start..found.tokens.end - 1;
    let first = found.tokens.start + 1;
    let is_one = view
        .next(first)
        .is_some_and(|end| view.kind(end) == Some(TokenKind::Arrow));
    match is_one {
        true => argument(view, patterns),
        false => view.slice(patterns).to_owned(),
    }
}

/// `->` for the `=>` that a match ends with.
pub(in crate::habits) fn arrow(view: &View<'_>, found: &Match) -> Option<Change> {
    let end = found.tokens.end;
    Some(Change::of(view.range(end - 2..end), "->"))
}

/// Without the bar that a match ends with, if the clauses are right otherwise.
pub(in crate::habits) fn without_bar(view: &View<'_>, found: &Match) -> Option<Change> {
    let open = found.tokens.start;
    let mut clause = open + 2;
    while clause < view.tokens.len() {
        let end = view.end(clause, &[TokenKind::Bar]);
        let arrow = view.end(clause, &[TokenKind::Arrow]);
        if arrow > end || view.next(clause) != Some(arrow) {
            return None;
        }
        if view.kind(end) != Some(TokenKind::Bar) {
            break;
        }
        clause = end + 1;
    }
    let start = view.range(open..open + 1).end;
    let next = view.range(open + 2..open + 3).start;
    Some(Change::of(start..next, ""))
}
