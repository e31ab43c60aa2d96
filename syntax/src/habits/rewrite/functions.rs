//! Functions without braces, and operators that are defined as functions.

use std::ops::Range;

use super::{line_below, part};
use crate::habits::Change;
use crate::habits::shape::{Match, View};
use crate::token::TokenKind;

/// `let x = e` at the top, `def x = e`: `x! = e`, below a signature if `e` is a literal.
pub(in crate::habits) fn top_level(view: &View<'_>, found: &Match) -> Option<Change> {
    let name = view.slice(part(found, 0));
    let value = found.tokens.end;
    let is_all = value + 1 == view.tokens.len();
    let ty = match view.kind(value).filter(|_| is_all) {
        Some(TokenKind::Natural) => Some("Int"),
        Some(TokenKind::Float) => Some("Float"),
        Some(TokenKind::String) => Some("String"),
        Some(TokenKind::Character) => Some("Char"),
        _ => None,
    };
    let signature = match ty {
        Some(ty) => format!("{name} : {{{ty}}}{}", line_below(view)),
        None => String::new(),
    };
    Some(Change::of(
        view.range(found.tokens.clone()),
        format!("{signature}{name}! ="),
    ))
}

/// `f = {p -> a | q -> b}`: `f p = a` and `f q = b`.
pub(in crate::habits) fn clauses_of_function(view: &View<'_>, found: &Match) -> Option<Change> {
    let name = view.spelling(found.tokens.start);
    let end = found.tokens.end - 1;
    let mut from = found.tokens.start + 3;
    let mut clauses = Vec::new();
    loop {
        let last = view.end(from, &[TokenKind::Bar]);
        let arrow = view.end(from, &[TokenKind::Arrow]);
        if arrow == from || arrow + 1 >= last {
            return None;
        }
        let (patterns, body) = (view.slice(from..arrow), view.slice(arrow + 1..last));
        clauses.push(format!("{name} {patterns} = {body}"));
        if last >= end {
            break;
        }
        from = last + 1;
    }
    let text = clauses.join(&line_below(view));
    Some(Change::of(view.range(found.tokens.clone()), text))
}

/// `f = \x y -> e` and `f = x => e`: `f x y = e`.
pub(in crate::habits) fn arguments_first(view: &View<'_>, found: &Match) -> Option<Change> {
    let [name, arguments, body] = [0, 1, 2].map(|at| view.slice(part(found, at)));
    let text = format!("{name} {arguments} = {body}");
    Some(Change::of(view.range(found.tokens.clone()), text))
}

/// `f = (x, y) => e`: `f x y = e`.
pub(in crate::habits) fn listed_arguments_first(view: &View<'_>, found: &Match) -> Option<Change> {
    let mut arguments = part(found, 1);
    let is_listed = |(at, token): (usize, usize)| match at % 2 {
        0 => view.kind(token) == Some(TokenKind::Name),
        _ => view.kind(token) == Some(TokenKind::Comma),
    };
    if arguments.len().is_multiple_of(2) || !arguments.clone().enumerate().all(is_listed) {
        return None;
    }
    let names = arguments.by_ref().step_by(2).map(|at| view.spelling(at));
    let names: Vec<&str> = names.collect();
    let (name, body) = (view.slice(part(found, 0)), view.slice(part(found, 2)));
    let text = format!("{name} {} = {body}", names.join(" "));
    Some(Change::of(view.range(found.tokens.clone()), text))
}

/// `fun x y -> e` and `\x y -> e`: `{x y -> e}`.
pub(in crate::habits) fn function_behind_sign(view: &View<'_>, found: &Match) -> Option<Change> {
    enclosed(view, found, part(found, 0), found.tokens.end)
}

/// `x y => e`: `{x y -> e}`.
pub(in crate::habits) fn function(view: &View<'_>, found: &Match) -> Option<Change> {
    enclosed(view, found, part(found, 0), part(found, 1).start)
}

/// A function with its parameters, and the token that its body begins with, in braces. Parentheses
/// around it are left out.
fn enclosed(
    view: &View<'_>,
    found: &Match,
    parameters: Range<usize>,
    body: usize,
) -> Option<Change> {
    let end = view.end(body, &[TokenKind::Comma, TokenKind::Bar]);
    let open = found.tokens.start.checked_sub(1).filter(|&at| {
        view.kind(at) == Some(TokenKind::LeftParenthesis)
            && view.kind(end) == Some(TokenKind::RightParenthesis)
    });
    let text = format!(
        "{{{} -> {}}}",
        view.slice(parameters),
        view.slice(body..end)
    );
    let range = match open {
        Some(open) => view.range(open..end + 1),
        None => view.range(found.tokens.start..end),
    };
    Some(Change::of(range, text))
}

/// `(x -> e)`: `{x -> e}`.
pub(in crate::habits) fn braced(view: &View<'_>, found: &Match) -> Option<Change> {
    let end = view.next(found.tokens.start)?;
    let text = view.slice(found.tokens.start + 1..end - 1);
    Some(Change::of(
        view.range(found.tokens.start..end),
        format!("{{{text}}}"),
    ))
}

/// `|x y| e`: `{x y -> e}`.
pub(in crate::habits) fn function_behind_bars(view: &View<'_>, found: &Match) -> Option<Change> {
    enclosed(view, found, part(found, 0), found.tokens.end)
}

/// `let f = x y -> e in`: `let f = {x y -> e} in`.
pub(in crate::habits) fn bound_by_let(view: &View<'_>, found: &Match) -> Option<Change> {
    let start = found.mark.start;
    // The body may have `let`s of its own.
    let mut open = 1usize;
    let mut end = start;
    while open > 0 {
        match view.kind(end)? {
            TokenKind::Let => open += 1,
            TokenKind::In => open -= 1,
            _ => {}
        }
        end = view.next(end)?;
    }
    in_braces(view, start..end - 1)
}

/// `x y -> e`: `{x y -> e}`.
pub(in crate::habits) fn braces_around(view: &View<'_>, found: &Match) -> Option<Change> {
    let start = found.mark.start;
    let arrow = view.end(start, &[TokenKind::Arrow]);
    let end = view.end(arrow + 1, &[TokenKind::Comma, TokenKind::Bar]);
    in_braces(view, start..end)
}

fn in_braces(view: &View<'_>, tokens: Range<usize>) -> Option<Change> {
    let text = format!("{{{}}}", view.slice(tokens.clone()));
    Some(Change::of(view.range(tokens), text))
}
