//! Calls.

use super::{argument, in_place, part, starts_argument};
use crate::habits::Change;
use crate::habits::shape::{Match, View};
use crate::token::TokenKind;

/// `f(a, b)`: `f a b`. The second part is what is in the parentheses.
pub(in crate::habits) fn call_arguments(view: &View<'_>, found: &Match) -> Option<Change> {
    let open = found.tokens.start + 1;
    let end = view.next(open)?;
    let mut text = String::new();
    let mut from = open + 1;
    while from < end {
        let comma = view.end(from, &[TokenKind::Comma]);
        text.push(' ');
        text.push_str(&argument(view, from..comma));
        from = comma + 1;
    }
    Some(Change::of(view.range(open..end), text))
}

/// `perform get` and `perform put 1`: `get!` and `put 1`.
pub(in crate::habits) fn performed(view: &View<'_>, found: &Match) -> Option<Change> {
    let name = part(found, 0);
    let has_arguments = view
        .kind(found.tokens.end)
        .is_some_and(|kind| view.next(found.tokens.end).is_some() && starts_argument(kind));
    let mark = match has_arguments || view.kind(found.tokens.end) == Some(TokenKind::Bang) {
        true => "",
        false => "!",
    };
    let text = format!("{}{mark}", view.slice(name));
    Some(Change::of(view.range(found.tokens.clone()), text))
}

/// `x.f`: `f x`.
pub(in crate::habits) fn field(view: &View<'_>, found: &Match) -> Option<Change> {
    let (value, name) = (part(found, 0), part(found, 1));
    let field = view.slice(name);
    let text = in_place(view, found, format!("{field} {}", view.slice(value)));
    let follows = view.kind(found.tokens.end).is_some_and(starts_argument);
    (!follows).then(|| Change::of(view.range(found.tokens.clone()), text).using(&[field]))
}

/// `xs.map f`: `map f xs`.
pub(in crate::habits) fn method(view: &View<'_>, found: &Match) -> Option<Change> {
    let [value, name, argument] = [0, 1, 2].map(|at| view.slice(part(found, at)));
    let text = in_place(view, found, format!("{name} {argument} {value}"));
    let follows = view.kind(found.tokens.end).is_some_and(starts_argument);
    (!follows).then(|| Change::of(view.range(found.tokens.clone()), text).using(&[name]))
}

/// `f()`: `f!`.
pub(in crate::habits) fn forced(view: &View<'_>, found: &Match) -> Option<Change> {
    let open = found.tokens.start + 1;
    Some(Change::of(view.range(open..found.tokens.end), "!"))
}

/// `println!("a")` and `console.log("a")`: `printLine "a"`.
pub(in crate::habits) fn printed(
    names: &'static [&'static str],
    view: &View<'_>,
    found: &Match,
) -> Option<Change> {
    let name = names.first()?;
    let sign = found.sign.clone();
    let is_forced = view.kind(sign.end) == Some(TokenKind::Bang);
    let open = sign.end + usize::from(is_forced);
    let is_call = view.kind(open) == Some(TokenKind::LeftParenthesis) && view.touches(open);
    if !is_call {
        return Some(Change::of(view.range(sign), *name).using(names));
    }
    let end = view.next(open)?;
    let text = format!("{name} {}", argument(view, open + 1..end - 1));
    let is_one = open + 2 < end && view.end(open + 1, &[TokenKind::Comma]) + 1 == end;
    is_one.then(|| Change::of(view.range(sign.start..end), text).using(names))
}

/// `Maybe::just` and `List.map`: `just` and `map`.
pub(in crate::habits) fn without_path(view: &View<'_>, found: &Match) -> Option<Change> {
    let name = view.spelling(found.mark.end);
    Some(Change::of(view.range(found.mark.clone()), "").using(&[name]))
}

/// `ask!<Reader>`: `<Reader> ask!`.
pub(in crate::habits) fn adaptor_first(view: &View<'_>, found: &Match) -> Option<Change> {
    let (command, interface) = (part(found, 0), part(found, 1));
    let text = format!("<{}> {}!", view.slice(interface), view.slice(command));
    Some(Change::of(view.range(found.mark.clone()), text))
}

/// `[Reader]` before a use: `<Reader>`.
pub(in crate::habits) fn adaptor_in_angles(view: &View<'_>, found: &Match) -> Option<Change> {
    let interface = view.slice(found.mark.clone());
    let brackets = found.mark.start - 1..found.mark.end + 1;
    Some(Change::of(view.range(brackets), format!("<{interface}>")))
}

/// `<State(s, a, b -> s, b, a)>`: `<State(s a b -> s b a)>`.
pub(in crate::habits) fn adaptor_without_commas(view: &View<'_>, found: &Match) -> Option<Change> {
    let open = found.tokens.start + 2;
    let brackets = open..view.next(open)?;
    let is_comma = |at: &usize| view.kind(*at) == Some(TokenKind::Comma);
    let words: Vec<&str> = (brackets.start + 1..brackets.end - 1)
        .filter(|at| !is_comma(at))
        .map(|at| view.slice(at..at + 1))
        .collect();
    Some(Change::of(
        view.range(brackets),
        format!("({})", words.join(" ")),
    ))
}

/// `<State: s a b -> s b a>`: `<State(s a b -> s b a)>`.
pub(in crate::habits) fn adaptor_in_parentheses(view: &View<'_>, found: &Match) -> Option<Change> {
    let names = found.mark.end..found.tokens.end - 1;
    let from = view.range(found.mark.start - 1..found.mark.start).end;
    let text = format!("({})", view.slice(names.clone()));
    Some(Change::of(from..view.range(names).end, text))
}

/// `concatMap f xs`: `concat (map f xs)`.
pub(in crate::habits) fn concatenated(view: &View<'_>, found: &Match) -> Option<Change> {
    let (function, list) = (view.slice(part(found, 0)), view.slice(part(found, 1)));
    let text = in_place(view, found, format!("concat (map {function} {list})"));
    let names = &["concat", "map"];
    Some(Change::of(view.range(found.tokens.clone()), text).using(names))
}
