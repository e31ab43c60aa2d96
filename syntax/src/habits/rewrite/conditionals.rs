//! `if`, `then` and `else`, and `? :`.

use super::{LOOSE, argument, goes_on_below, operand_before, operand_end, part, suspended};
use crate::habits::Change;
use crate::habits::shape::{Match, View};
use crate::token::TokenKind;

/// `if c then a else b`: `if (c) {a} {b}`, and so on behind `else`.
pub(in crate::habits) fn conditional(view: &View<'_>, found: &Match) -> Option<Change> {
    let start = found.tokens.start;
    let (text, end) = branches(view, start)?;
    Some(Change::of(view.range(start..end), text).using(&["if"]))
}

/// What an `if` is in Frank, and where it ends.
fn branches(view: &View<'_>, at: usize) -> Option<(String, usize)> {
    let word = |from: usize, word: &str| {
        let mut at = from;
        while view.spelling(at) != word {
            // Another `if` has its own.
            if view.spelling(at) == "if" || LOOSE.contains(&view.kind(at)?) {
                return None;
            }
            at = view.next(at)?;
        }
        (at > from).then_some(at)
    };
    let then = word(at + 1, "then")?;
    let otherwise = word(then + 1, "else")?;
    let condition = argument(view, at + 1..then);
    let first = suspended(view, then + 1..otherwise);
    let (second, end) = match view.spelling(otherwise + 1) {
        "if" => {
            let (text, end) = branches(view, otherwise + 1)?;
            (format!("{{{text}}}"), end)
        }
        _ => {
            let end = operand_end(view, otherwise + 1, false);
            // Whether the next line belongs to it is for its author to say.
            if goes_on_below(view, otherwise + 1..end) {
                return None;
            }
            (suspended(view, otherwise + 1..end), end)
        }
    };
    Some((format!("if {condition} {first} {second}"), end))
}

/// `c ? a : b`: `if c {a} {b}`.
pub(in crate::habits) fn ternary(view: &View<'_>, found: &Match) -> Option<Change> {
    let start = operand_before(view, found.tokens.start, false);
    let first = part(found, 0);
    let end = operand_end(view, found.tokens.end, false);
    let text = format!(
        "if {} {} {}",
        argument(view, start..found.tokens.start),
        suspended(view, first),
        suspended(view, found.tokens.end..end)
    );
    Some(Change::of(view.range(start..end), text).using(&["if"]))
}

/// `if c {a} else {b}`: without `else`.
pub(in crate::habits) fn without_else(view: &View<'_>, found: &Match) -> Option<Change> {
    let word = found.tokens.end - 1;
    let is_braced = view.kind(found.tokens.end) == Some(TokenKind::LeftBrace);
    let next = view.range(found.tokens.end..found.tokens.end + 1).start;
    is_braced.then(|| Change::of(view.range(word..word + 1).start..next, ""))
}

/// `if x < y {a} else {b}`: `if (x < y) {a} {b}`, and so on behind `else`.
pub(in crate::habits) fn braced_conditional(view: &View<'_>, found: &Match) -> Option<Change> {
    let (text, end) = braced_branches(view, found.tokens.start)?;
    let range = view.range(found.tokens.start..end);
    Some(Change::of(range, text).using(&["if"]))
}

/// What an `if` with braces and `else` is in Frank, and where it ends.
fn braced_branches(view: &View<'_>, at: usize) -> Option<(String, usize)> {
    let is_brace = |at: usize| view.kind(at) == Some(TokenKind::LeftBrace);
    let first = view.end(at + 1, &[TokenKind::LeftBrace, TokenKind::Semicolon]);
    let otherwise = view
        .next(first)
        .filter(|_| is_brace(first) && first > at + 1)?;
    let second = otherwise + 1;
    let (text, end) = match view.spelling(second) {
        _ if view.spelling(otherwise) != "else" => return None,
        "if" => {
            let (text, end) = braced_branches(view, second)?;
            (format!("{{{text}}}"), end)
        }
        _ => {
            let end = view.next(second).filter(|_| is_brace(second))?;
            (view.slice(second..end).to_owned(), end)
        }
    };
    let condition = argument(view, at + 1..first);
    let text = format!("if {condition} {} {text}", view.slice(first..otherwise));
    Some((text, end))
}

/// `a if c else b`: `if c {a} {b}`.
pub(in crate::habits) fn condition_first(view: &View<'_>, found: &Match) -> Option<Change> {
    let (word, otherwise) = (found.mark.start, found.tokens.end - 1);
    let start = operand_before(view, word, false);
    let end = operand_end(view, otherwise + 1, false);
    let text = format!(
        "if {} {} {}",
        argument(view, word + 1..otherwise),
        suspended(view, start..word),
        suspended(view, otherwise + 1..end)
    );
    Some(Change::of(view.range(start..end), text).using(&["if"]))
}
