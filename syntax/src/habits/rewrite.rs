//! What to write instead of a habit.
//!
//! Here is what all rewritings need. They stand in files by what they rewrite:
//! items ([`declarations`], [`types`], [`functions`]), what a clause has ([`patterns`], [`clauses`]), and terms
//! ([`bindings`], [`calls`], [`conditionals`], [`lists`], [`operators`]), with [`comments`] between them.

use std::ops::Range;

use super::Change;
use super::shape::{Match, View, begins};
use crate::token::TokenKind;

pub(super) mod bindings;
pub(super) mod calls;
pub(super) mod clauses;
pub(super) mod comments;
pub(super) mod conditionals;
pub(super) mod declarations;
pub(super) mod functions;
pub(super) mod lists;
pub(super) mod operators;
pub(super) mod patterns;
pub(super) mod types;

/// Where an operand ends, with all operators in it.
const LOOSE: &[TokenKind] = &[
    TokenKind::Semicolon,
    TokenKind::Comma,
    TokenKind::Bar,
    TokenKind::Arrow,
    TokenKind::In,
    TokenKind::Equal,
];

impl Change {
    fn of(range: Range<usize>, text: impl Into<String>) -> Change {
        Change {
            range,
            text: text.into(),
            uses: Vec::new(),
            doubtful: false,
        }
    }

    fn using(self, uses: &[&str]) -> Change {
        let uses = uses.iter().map(|&name| name.to_owned()).collect();
        Change { uses, ..self }
    }
}

/// The part of a match.
fn part(found: &Match, at: usize) -> Range<usize> {
    found.parts.get(at).cloned().unwrap_or(0..0)
}

/// Some tokens as an argument: in parentheses, if they are several.
fn argument(view: &View<'_>, tokens: Range<usize>) -> String {
    let text = view.slice(tokens.clone());
    let is_atom = view.next(tokens.start).is_some_and(|end| end >= tokens.end);
    match is_atom {
        true => text.to_owned(),
        false => format!("({text})"),
    }
}

/// Some tokens as a suspended computation.
fn suspended(view: &View<'_>, tokens: Range<usize>) -> String {
    match view.kind(tokens.start) {
        Some(TokenKind::LeftBrace) if view.next(tokens.start) == Some(tokens.end) => {
            view.slice(tokens).to_owned()
        }
        _ => format!("{{{}}}", view.slice(tokens)),
    }
}

/// Where the operand before the token `at` begins; with `tight`, no operator is in it.
fn operand_before(view: &View<'_>, at: usize, tight: bool) -> usize {
    let mut start = at;
    while let Some(before) = view.previous(start) {
        let Some(kind) = view.kind(before) else { break };
        let is_bracket = before + 1 < start;
        if !is_bracket && (begins(kind) || (tight && is_operator(kind))) {
            break;
        }
        start = before;
    }
    start
}

/// Where the operand from the token `at` on ends; with `tight`, no operator is in it.
fn operand_end(view: &View<'_>, at: usize, tight: bool) -> usize {
    let mut end = at;
    while let Some(kind) = view.kind(end)
        && (!LOOSE.contains(&kind)
            || is_in_comparison(view, end)
            || (!tight && is_in_symbol(view, end)))
        && !(tight && is_operator(kind))
        && let Some(next) = view.next(end)
    {
        end = next;
    }
    end
}

/// Whether a bar is a part of `||` or `|>`.
fn is_in_symbol(view: &View<'_>, at: usize) -> bool {
    let is_bar = |at: usize| view.kind(at) == Some(TokenKind::Bar);
    let goes_on = view.touches(at + 1) && matches!(view.spelling(at + 1), "|" | ">");
    let began = view.touches(at) && at.checked_sub(1).is_some_and(is_bar);
    is_bar(at) && (goes_on || began)
}

/// Whether a `=` is the end of `/=`, `===` or `!==`.
fn is_in_comparison(view: &View<'_>, at: usize) -> bool {
    let before = at.checked_sub(1).filter(|_| view.touches(at));
    let before = before.map_or("", |before| view.spelling(before));
    view.kind(at) == Some(TokenKind::Equal) && matches!(before, "/" | "==" | "!=")
}

fn is_operator(kind: TokenKind) -> bool {
    use TokenKind::*;
    matches!(
        kind,
        Plus | Minus
            | Star
            | Slash
            | Less
            | Greater
            | LessEqual
            | GreaterEqual
            | EqualEqual
            | BangEqual
            | ColonColon
            | Bad
    )
}

/// Other spellings of a token.
pub(super) fn spelled(text: &'static str, view: &View<'_>, found: &Match) -> Option<Change> {
    Some(Change::of(view.range(found.mark.clone()), text))
}

/// Another spelling of a token, by an operator of this name.
pub(super) fn named(
    name: &'static [&'static str],
    view: &View<'_>,
    found: &Match,
) -> Option<Change> {
    let change = spelled(name.first()?, view, found)?;
    Some(change.using(name))
}

/// Leaves out what a match points at, with the blanks behind it.
pub(super) fn left_out(view: &View<'_>, found: &Match) -> Option<Change> {
    let range = view.range(found.sign.clone());
    let rest = view.text.get(range.end..)?;
    let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    Some(Change::of(range.start..range.end + blanks, ""))
}

/// Leaves out all of a match, with the blanks in front of it.
pub(super) fn all_left_out(view: &View<'_>, found: &Match) -> Option<Change> {
    let range = view.range(found.tokens.clone());
    let before = view.text.get(..range.start)?.trim_end().len();
    Some(Change::of(before..range.end, ""))
}

/// Whether tokens behind the first one stand on a line below.
fn goes_on_below(view: &View<'_>, tokens: Range<usize>) -> bool {
    let mut rest = tokens.start + 1..tokens.end;
    rest.any(|at| view.begins_line(at))
}

fn starts_argument(kind: TokenKind) -> bool {
    use TokenKind::*;
    kind.closer().is_some() || matches!(kind, Name | Natural | Float | Character | String)
}

/// A call in the place of a match: in parentheses behind a function or another argument.
fn in_place(view: &View<'_>, found: &Match, call: String) -> String {
    let before = found.tokens.start.checked_sub(1);
    let before = before.and_then(|at| view.kind(at));
    match before
        .is_some_and(|kind| starts_argument(kind) && kind.closer().is_none() || kind.is_closer())
    {
        true => format!("({call})"),
        false => call,
    }
}

/// A line break, and the blanks in front of the item.
fn line_below(view: &View<'_>) -> String {
    format!("\n{}", " ".repeat(view.column(0)))
}

/// Without the comma that a match begins with.
pub(super) fn comma_left_out(view: &View<'_>, found: &Match) -> Option<Change> {
    let comma = found.tokens.start;
    Some(Change::of(view.range(comma..comma + 1), ""))
}

/// Leaves out the words that a match points at, up to what comes behind them.
pub(super) fn words_left_out(view: &View<'_>, found: &Match) -> Option<Change> {
    let start = view.range(found.mark.clone()).start;
    let next = view.tokens.get(found.mark.end)?.start;
    Some(Change::of(start..next, ""))
}

/// Leaves out what a match points at.
pub(super) fn mark_left_out(view: &View<'_>, found: &Match) -> Option<Change> {
    Some(Change::of(view.range(found.mark.clone()), ""))
}

/// Leaves out what a match points at, and the blanks before it.
pub(super) fn mark_left_out_with_blanks(view: &View<'_>, found: &Match) -> Option<Change> {
    let range = view.range(found.mark.clone());
    let before = view.text.get(..range.start)?.trim_end().len();
    Some(Change::of(before..range.end, ""))
}

/// The two parts of `(a, b)`, each as an argument.
fn tuple(view: &View<'_>, tokens: Range<usize>) -> Option<[String; 2]> {
    let inner = tokens.start + 1..tokens.end.checked_sub(1)?;
    let comma = view.end(inner.start, &[TokenKind::Comma]);
    let end = view.end(comma + 1, &[TokenKind::Comma]);
    (comma < inner.end && end == inner.end)
        .then(|| [inner.start..comma, comma + 1..end].map(|part| argument(view, part)))
}

/// Parentheses around what a match points at.
pub(super) fn in_parentheses(view: &View<'_>, found: &Match) -> Option<Change> {
    surrounded("(", ")", view, found)
}

/// A text on each side of what a match points at.
pub(super) fn surrounded(
    before: &str,
    behind: &str,
    view: &View<'_>,
    found: &Match,
) -> Option<Change> {
    let text = format!("{before}{}{behind}", view.slice(found.mark.clone()));
    Some(Change::of(view.range(found.mark.clone()), text))
}

/// The parts of some tokens that a separator stands between.
fn separated(view: &View<'_>, tokens: Range<usize>, separator: TokenKind) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut from = tokens.start;
    while from < tokens.end {
        let end = view.end(from, &[separator]).min(tokens.end);
        parts.push(from..end);
        from = end + 1;
    }
    parts
}
