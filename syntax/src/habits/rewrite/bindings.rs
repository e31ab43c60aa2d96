//! `let`, `where`, and other ways to name what is computed.

use std::ops::Range;

use super::{argument, part, starts_argument, tuple};
use crate::habits::Change;
use crate::habits::shape::{Match, View};
use crate::token::TokenKind;

/// `let f x y = e in`: `let f = {x y -> e} in`.
pub(in crate::habits) fn let_function(view: &View<'_>, found: &Match) -> Option<Change> {
    let (name, parameters) = (part(found, 0), part(found, 1));
    let value = found.tokens.end;
    let end = binding_end(view, value)?;
    let text = format!(
        "{} = {{{} -> {}}}",
        view.slice(name.clone()),
        view.slice(parameters),
        view.slice(value..end)
    );
    Some(Change::of(view.range(name.start..end), text))
}

/// The `in` of the `let` whose value begins at `at`.
fn binding_end(view: &View<'_>, mut at: usize) -> Option<usize> {
    let mut open = 0usize;
    loop {
        match view.kind(at)? {
            TokenKind::Let => open += 1,
            TokenKind::In if open == 0 => return Some(at),
            TokenKind::In => open -= 1,
            _ => {}
        }
        at = view.next(at)?;
    }
}

/// `let (p x) = v in e`: `case v {(p x) -> e}`.
pub(in crate::habits) fn let_pattern(view: &View<'_>, found: &Match) -> Option<Change> {
    let pattern = found.mark.clone();
    let value = found.tokens.end;
    let end = binding_end(view, value)?;
    let last = view.end(end + 1, &[TokenKind::Comma, TokenKind::Bar]);
    let pattern = match tuple(view, pattern.clone()) {
        Some([first, second]) => format!("(pair {first} {second})"),
        None => view.slice(pattern).to_owned(),
    };
    let text = format!(
        "case {} {{{pattern} -> {}}}",
        argument(view, value..end),
        view.slice(end + 1..last)
    );
    Some(Change::of(view.range(found.tokens.start..last), text))
}

/// `let x : T =`: without `: T`.
pub(in crate::habits) fn without_type(view: &View<'_>, found: &Match) -> Option<Change> {
    let name = part(found, 0);
    let start = view.range(name).end;
    let end = view.range(found.tokens.end - 1..found.tokens.end).start;
    Some(Change::of(start..end, " "))
}

/// `e where y = v`: `let y = v in e`.
pub(in crate::habits) fn local_definition(view: &View<'_>, found: &Match) -> Option<Change> {
    let binding = found.tokens.start + 1..view.tokens.len();
    let change = let_before(view, found, view.slice(binding.clone()).to_owned())?;
    Some(Change {
        // It would run before what guards it.
        doubtful: !is_harmless(view, binding),
        ..change
    })
}

/// Whether tokens call nothing, perform nothing and do not divide: when they are evaluated makes no difference.
fn is_harmless(view: &View<'_>, tokens: Range<usize>) -> bool {
    let is_operand = |at: usize| {
        let kind = view.kind(at);
        kind.is_some_and(|kind| {
            starts_argument(kind) && !matches!(kind, TokenKind::LeftParenthesis)
        })
    };
    tokens.clone().all(|at| {
        let is_call = at + 1 < tokens.end
            && view.kind(at) == Some(TokenKind::Name)
            && (is_operand(at + 1) || view.kind(at + 1) == Some(TokenKind::LeftParenthesis));
        !is_call && !matches!(view.kind(at), Some(TokenKind::Slash | TokenKind::Bang))
    })
}

/// `e where f x = v`: `let f = {x -> v} in e`.
pub(in crate::habits) fn local_function(view: &View<'_>, found: &Match) -> Option<Change> {
    let (name, parameters) = (part(found, 0), part(found, 1));
    let value = parameters.end + 1..view.tokens.len();
    let function = format!(
        "{} = {{{} -> {}}}",
        view.slice(name),
        view.slice(parameters),
        view.slice(value)
    );
    let_before(view, found, function)
}

/// A `let` before the body of a clause, in place of the one definition that a match at its end has.
fn let_before(view: &View<'_>, found: &Match, binding: String) -> Option<Change> {
    let body = view.equal? + 1;
    let all = found.tokens.start..view.tokens.len();
    let equals = all.filter(|&at| view.kind(at) == Some(TokenKind::Equal));
    let text = format!("let {binding} in {}", view.slice(body..found.tokens.start));
    (equals.count() == 1).then(|| Change::of(view.range(body..view.tokens.len()), text))
}

/// `val x = e` on a line of its own: `let x = e in`.
pub(in crate::habits) fn binding_line(view: &View<'_>, found: &Match) -> Option<Change> {
    let name = part(found, 0);
    let mut value = part(found, 1);
    if view.kind(value.end.saturating_sub(1)) == Some(TokenKind::Semicolon) {
        value.end -= 1;
    }
    let text = format!("let {} = {} in", view.slice(name), view.slice(value));
    Some(Change::of(view.range(found.tokens.clone()), text))
}

/// `let () = m in e`: `m; e`.
pub(in crate::habits) fn sequence(view: &View<'_>, found: &Match) -> Option<Change> {
    let text = format!("{};", view.slice(part(found, 0)));
    Some(Change::of(view.range(found.tokens.clone()), text))
}

/// `let a = v` and `b = w` on a line of its own: `in let` before the second name.
pub(in crate::habits) fn next_let(view: &View<'_>, found: &Match) -> Option<Change> {
    let text = format!("in let {}", view.slice(found.mark.clone()));
    Some(Change::of(view.range(found.mark.clone()), text))
}
