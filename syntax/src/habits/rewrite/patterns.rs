//! Patterns.

use super::{argument, line_below, part, separated, starts_argument, tuple};
use crate::habits::Change;
use crate::habits::shape::{Match, View};
use crate::token::TokenKind;

/// `(a, b)`: `(pair a b)`.
pub(in crate::habits) fn pair(view: &View<'_>, found: &Match) -> Option<Change> {
    let [first, second] = tuple(view, found.tokens.clone())?;
    let range = view.range(found.tokens.clone());
    Some(Change::of(range, format!("(pair {first} {second})")).using(&["pair"]))
}

/// `(c x -> k)`: `<c x -> k>`.
pub(in crate::habits) fn command_pattern(view: &View<'_>, found: &Match) -> Option<Change> {
    let inner = view.slice(found.tokens.start + 1..found.tokens.end - 1);
    Some(Change::of(
        view.range(found.tokens.clone()),
        format!("<{inner}>"),
    ))
}

/// `x::xs` and `(x:xs)` as patterns: `(x :: xs)`.
pub(in crate::habits) fn cons_pattern(view: &View<'_>, found: &Match) -> Option<Change> {
    let (head, tail) = (part(found, 0), part(found, 1));
    let text = format!("({} :: {})", view.slice(head), view.slice(tail));
    Some(Change::of(view.range(found.tokens.clone()), text))
}

/// As [`cons_pattern`], if it is clear where the first part begins.
pub(in crate::habits) fn head_cons(view: &View<'_>, found: &Match) -> Option<Change> {
    let is_clear = found.tokens.start == 1 || view.touches(part(found, 0).end);
    is_clear.then(|| cons_pattern(view, found)).flatten()
}

/// `return x` as a pattern: `x`.
pub(in crate::habits) fn result(view: &View<'_>, found: &Match) -> Option<Change> {
    let name = view.slice(part(found, 0));
    Some(Change::of(view.range(found.tokens.clone()), name))
}

/// As [`result`], where a match points at it.
pub(in crate::habits) fn marked_result(view: &View<'_>, found: &Match) -> Option<Change> {
    let name = view.slice(part(found, 0));
    Some(Change::of(view.range(found.mark.clone()), name))
}

/// A match without the token that it begins with.
fn inner(found: &Match, end: usize) -> Match {
    Match {
        tokens: found.tokens.start + 1..end,
        mark: found.mark.clone(),
        sign: found.sign.clone(),
        words: found.words.clone(),
        parts: found.parts.clone(),
    }
}

/// As [`command_pattern`], behind a brace or a bar.
pub(in crate::habits) fn inner_command_pattern(view: &View<'_>, found: &Match) -> Option<Change> {
    command_pattern(view, &inner(found, found.tokens.end))
}

/// As [`pair`], behind a brace or a bar and before an arrow.
pub(in crate::habits) fn inner_pair(view: &View<'_>, found: &Match) -> Option<Change> {
    pair(view, &inner(found, found.tokens.end - 1))
}

/// As [`cons_pattern`], behind a brace or a bar and before an arrow.
pub(in crate::habits) fn inner_cons(view: &View<'_>, found: &Match) -> Option<Change> {
    cons_pattern(view, &inner(found, found.tokens.end - 1))
}

/// `::` for the `:` of a match.
pub(in crate::habits) fn colons(view: &View<'_>, found: &Match) -> Option<Change> {
    let colon = part(found, 0).end;
    Some(Change::of(view.range(colon..colon + 1), "::"))
}

/// `f (p | q) = e`: `f p = e`, and `f q = e` below it.
pub(in crate::habits) fn alternatives(view: &View<'_>, found: &Match) -> Option<Change> {
    let all = 0..view.tokens.len();
    let (clause, pattern) = (view.range(all.clone()), view.range(found.tokens.clone()));
    let before = view.text.get(clause.start..pattern.start)?;
    let behind = view.text.get(pattern.end..clause.end)?;
    let inner = found.tokens.start + 1..found.tokens.end - 1;
    let clauses: Vec<String> = separated(view, inner, TokenKind::Bar)
        .into_iter()
        .map(|alternative| format!("{before}{}{behind}", argument(view, alternative)))
        .collect();
    Some(Change::of(view.range(all), clauses.join(&line_below(view))))
}

/// `f () = e`: `f unit = e`, or `f! = e`, as the signature says.
pub(in crate::habits) fn empty(view: &View<'_>, found: &Match) -> Option<Change> {
    let declared = view.declared?.trim_start();
    let range = view.range(found.tokens.clone());
    let is_all = found.tokens == (1..3) && view.kind(3) == Some(TokenKind::Equal);
    let is_run = view.spelling(0) == "main" && declared.starts_with("()");
    let is_computation = declared.starts_with(['{', '[']) && !declared.contains("->");
    let is_computation = is_computation || is_run;
    match declared.strip_prefix("Unit") {
        Some(rest) if rest.trim_start().starts_with("->") => Some(Change::of(range, "unit")),
        None if is_all && is_computation => {
            let name = view.range(0..1);
            Some(Change::of(name.end..range.end, "!"))
        }
        _ => None,
    }
}

/// `<get () -> k>`: `<get -> k>`.
pub(in crate::habits) fn without_empty(view: &View<'_>, found: &Match) -> Option<Change> {
    let range = view.range(found.mark.clone());
    let name = found.mark.start.checked_sub(1)?;
    Some(Change::of(view.range(name..name + 1).end..range.end, ""))
}

/// `(x : T)`: `x`.
pub(in crate::habits) fn without_type(view: &View<'_>, found: &Match) -> Option<Change> {
    let name = view.slice(part(found, 0));
    Some(Change::of(view.range(found.tokens.clone()), name))
}

/// `[just x, y]` as a pattern: `[(just x), y]`. What is pointed at is one of its elements.
pub(in crate::habits) fn elements_in_parentheses(view: &View<'_>, found: &Match) -> Option<Change> {
    let mut open = found.mark.start;
    while view.kind(open)? != TokenKind::LeftBracket {
        open = match view.previous(open) {
            Some(before) => before,
            None => open.checked_sub(1)?,
        };
    }
    let inner = open + 1..view.next(open)? - 1;
    let elements: Vec<String> = separated(view, inner.clone(), TokenKind::Comma)
        .into_iter()
        .map(|element| argument(view, element))
        .collect();
    Some(Change::of(view.range(inner), elements.join(", ")))
}

/// `<quit code>`: `<quit code -> k>`, and `<get k>`: `<get -> k>`, as many arguments as the command takes.
pub(in crate::habits) fn continuation(view: &View<'_>, found: &Match) -> Option<Change> {
    let name = found.mark.clone();
    let command = view.spelling(name.start.checked_sub(1)?);
    let takes = view.arguments.and_then(|arguments| arguments(command));
    let body = name.end..view.tokens.len();
    let is_read = body.clone().any(|at| view.spelling(at) == "k");
    // What is called in the body is the continuation.
    let own = view.spelling(name.start);
    let is_called = body.clone().any(|at| {
        let calls = |kind| starts_argument(kind) || kind == TokenKind::Bang;
        view.spelling(at) == own && view.kind(at + 1).is_some_and(calls)
    });
    let text = match (takes, is_read) {
        (Some(1), _) if is_called => format!("_ -> {own}"),
        (Some(1), true) if own == "k" => "k -> _".to_owned(),
        (Some(1), true) => format!("{} -> k", view.slice(name.clone())),
        (Some(1), false) => format!("{} -> _", view.slice(name.clone())),
        _ => format!("-> {}", view.slice(name.clone())),
    };
    let change = Change::of(view.range(name), text);
    (takes.is_none_or(|takes| takes < 2)).then_some(change)
}
