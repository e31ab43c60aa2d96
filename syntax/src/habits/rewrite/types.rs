//! Types in signatures.

use std::ops::Range;

use super::{argument, in_place, part, tuple};
use crate::habits::shape::{Match, View};
use crate::habits::{Change, Place};
use crate::token::TokenKind;

/// `(A, B)`: `(Pair A B)`.
pub(in crate::habits) fn pair_type(view: &View<'_>, found: &Match) -> Option<Change> {
    let [first, second] = tuple(view, found.tokens.clone())?;
    let range = view.range(found.tokens.clone());
    Some(Change::of(range, format!("(Pair {first} {second})")).using(&["pair"]))
}

/// `[T]` as a type: `(List T)`; without parentheses where a port or a result is all of it.
pub(in crate::habits) fn list_type(view: &View<'_>, found: &Match) -> Option<Change> {
    let inner = found.mark.start + 1..found.mark.end - 1;
    let name = element_type(view, inner, MOST_NESTED)?;
    let before = found.mark.start.checked_sub(1).and_then(|at| view.kind(at));
    let is_argument = matches!(
        before,
        Some(
            TokenKind::Name
                | TokenKind::BuiltinType
                | TokenKind::RightBracket
                | TokenKind::RightParenthesis
        )
    );
    let text = match is_argument {
        true => format!("(List {name})"),
        false => format!("List {name}"),
    };
    Some(Change::of(view.range(found.mark.clone()), text))
}

/// What stands between the brackets of a list's type, as an argument: it may be a list's type itself.
fn element_type(view: &View<'_>, inner: Range<usize>, levels: usize) -> Option<String> {
    let levels = levels.checked_sub(1)?;
    let is_list = view.kind(inner.start) == Some(TokenKind::LeftBracket)
        && view.next(inner.start) == Some(inner.end);
    match is_list {
        true => {
            let element = element_type(view, inner.start + 1..inner.end - 1, levels)?;
            Some(format!("(List {element})"))
        }
        false => Some(argument(view, inner)),
    }
}

/// `'a` for type variables, in the whole item: `a`.
pub(in crate::habits) fn without_quotes(view: &View<'_>, _found: &Match) -> Option<Change> {
    let all = view.range(0..view.tokens.len());
    let old = view.slice(0..view.tokens.len());
    // In `'a list` the argument stands in front of its type.
    let is_signature = view.is_in(0, Place::Types);
    let mut names = old.split('\'').skip(1);
    let is_postfix = |name: &str| {
        let behind = name.trim_start_matches(crate::lexer::is_name_part);
        let behind = behind.strip_prefix(' ').unwrap_or_default();
        behind.starts_with(char::is_alphabetic)
    };
    if is_signature && names.any(is_postfix) {
        return None;
    }
    let mut text = String::with_capacity(old.len());
    let mut before = ' ';
    let mut rest = old.chars().peekable();
    while let Some(letter) = rest.next() {
        let begins = !crate::lexer::is_name_part(before) && before != '\'';
        let is_quote =
            letter == '\'' && begins && rest.peek().is_some_and(|next| next.is_alphabetic());
        if !is_quote {
            text.push(letter);
        }
        before = letter;
    }
    Some(Change::of(all, text))
}

/// `Maybe[Int]`: `Maybe Int`.
pub(in crate::habits) fn type_argument(view: &View<'_>, found: &Match) -> Option<Change> {
    let inner = found.mark.start + 1..found.mark.end - 1;
    let text = format!(" {}", view.slice(inner));
    Some(Change::of(view.range(found.mark.clone()), text))
}

/// `(x : T, y : U) -> V` in a signature: `T -> U -> V`.
pub(in crate::habits) fn argument_types(view: &View<'_>, found: &Match) -> Option<Change> {
    let types = field_types(view, found)?;
    let range = view.range(found.tokens.clone());
    Some(Change::of(range, types.join(" -> ")))
}

/// `:` for the `::` of a match.
pub(in crate::habits) fn one_colon(view: &View<'_>, found: &Match) -> Option<Change> {
    Some(Change::of(view.range(found.mark.clone()), ":"))
}

/// The types of fields in a bracket, each as an argument.
pub(super) fn field_types(view: &View<'_>, found: &Match) -> Option<Vec<String>> {
    let mut types = Vec::new();
    let mut from = found.tokens.start + 1;
    while from < found.tokens.end {
        let end = view.end(from, &[TokenKind::Comma]);
        let colon = view.end(from, &[TokenKind::Colon]);
        if colon + 1 >= end {
            return None;
        }
        let written = argument(view, colon + 1..end);
        types.push(written);
        from = end + 1;
    }
    Some(types)
}

/// Types with more angle brackets inside of each other are left as they are.
const MOST_NESTED: usize = 50;

/// `Map<Int, List<X>>`: `Map Int (List X)`, in parentheses where it is an argument.
pub(in crate::habits) fn in_angles(view: &View<'_>, found: &Match) -> Option<Change> {
    let start = found.tokens.start;
    let (text, end) = applied_type(view, start, MOST_NESTED)?;
    let text = in_place(view, found, text);
    Some(Change::of(view.range(start..end), text))
}

/// A type with arguments in angle brackets as Frank writes it, and where it ends.
fn applied_type(view: &View<'_>, name: usize, levels: usize) -> Option<(String, usize)> {
    let levels = levels.checked_sub(1)?;
    let mut text = view.spelling(name).to_owned();
    let mut at = name + 2;
    loop {
        let is_applied = view.kind(at + 1) == Some(TokenKind::Less) && view.touches(at + 1);
        let (argument, end) = match is_applied {
            true => {
                let (inner, end) = applied_type(view, at, levels)?;
                (format!("({inner})"), end)
            }
            false => {
                let end = view.end(at, &[TokenKind::Comma, TokenKind::Greater]);
                (argument(view, at..end), end)
            }
        };
        text.push(' ');
        text.push_str(&argument);
        match view.kind(end)? {
            TokenKind::Comma => at = end + 1,
            TokenKind::Greater => return Some((text, end + 1)),
            _ => return None,
        }
    }
}

/// `()`: `Unit`. What is run takes nothing: `main : () -> T` becomes `main : T`.
pub(in crate::habits) fn unit(view: &View<'_>, found: &Match) -> Option<Change> {
    let end = found.tokens.end;
    let is_run = found.tokens.start == 2 && view.spelling(0) == "main";
    if is_run && view.kind(end) == Some(TokenKind::Arrow) {
        let result = end + 1..view.end(end + 1, &[]);
        let text = match view.kind(end + 1) {
            Some(TokenKind::LeftBracket | TokenKind::LeftBrace) => view.slice(result).to_owned(),
            _ => format!("{{{}}}", view.slice(result)),
        };
        let all = view.range(found.tokens.start..view.tokens.len());
        return Some(Change::of(all, text));
    }
    Some(Change::of(view.range(found.mark.clone()), "Unit"))
}

/// `A -> B [I]`: `A -> [I] B`.
pub(in crate::habits) fn ability_first(view: &View<'_>, found: &Match) -> Option<Change> {
    let ability = found.tokens.start + 1..found.tokens.end;
    let mut start = ability.start;
    while let Some(before) = view.previous(start)
        && !matches!(view.kind(before)?, TokenKind::Arrow | TokenKind::Colon)
    {
        start = before;
    }
    let has_own = view.kind(start) == Some(TokenKind::LeftBracket);
    let text = format!(
        "{} {}",
        view.slice(ability.clone()),
        argument(view, start..ability.start)
    );
    (!has_own).then(|| Change::of(view.range(start..ability.end), text))
}

/// `List X [I]`: `[I]List X`.
pub(in crate::habits) fn ability_of_result(view: &View<'_>, found: &Match) -> Option<Change> {
    let all = found.mark.clone();
    let ability = view.previous(all.end)?;
    let (result, ability) = (view.slice(all.start..ability), view.slice(ability..all.end));
    Some(Change::of(view.range(all), format!("{ability}{result}")))
}

/// `A -> {I, J X} B`: `A -> [I, J X] B`.
pub(in crate::habits) fn ability_in_brackets(view: &View<'_>, found: &Match) -> Option<Change> {
    let braces = found.mark.clone();
    let inner = braces.start + 1..braces.end.checked_sub(1)?;
    let end = view.end(inner.start, &[TokenKind::Arrow, TokenKind::Bar]);
    let text = format!("[{}]", view.slice(inner.clone()));
    (end == inner.end).then(|| Change::of(view.range(braces), text))
}

/// `(A -> B)`: `{A -> B}`.
pub(in crate::habits) fn in_braces(view: &View<'_>, found: &Match) -> Option<Change> {
    let tokens = found.tokens.clone();
    let inner = tokens.start + 1..tokens.end.checked_sub(1)?;
    let text = format!("{{{}}}", view.slice(inner));
    Some(Change::of(view.range(tokens), text))
}

/// `[I] A -> B`: `A -> [I] B`. The brackets are pointed at.
pub(in crate::habits) fn ability_to_result(view: &View<'_>, found: &Match) -> Option<Change> {
    moved_to_result(view, found.mark.clone())
}

/// An ability before the type of a port, moved to what stands behind the last arrow.
fn moved_to_result(view: &View<'_>, ability: Range<usize>) -> Option<Change> {
    let mut result = ability.end;
    let mut end = ability.end;
    while let Some(kind) = view.kind(end)
        && let Some(next) = view.next(end)
    {
        if kind == TokenKind::Arrow {
            result = next;
        }
        end = next;
    }
    let has_own = view.kind(result) == Some(TokenKind::LeftBracket);
    if has_own || result == ability.end {
        return None;
    }
    let start = ability.start;
    let (ports, ability) = (view.slice(ability.end..result), view.slice(ability));
    let text = format!("{ports} {ability} {}", view.slice(result..end));
    Some(Change::of(view.range(start..end), text))
}

/// `X <Abort>` as a port: `<Abort>X`.
pub(in crate::habits) fn adjustment_first(view: &View<'_>, found: &Match) -> Option<Change> {
    let (ty, adjustment) = (part(found, 0), part(found, 1));
    let text = format!("<{}>{}", view.slice(adjustment), view.slice(ty));
    Some(Change::of(view.range(found.mark.clone()), text))
}

/// `[Abort]` before a port's type: `<Abort>`; what no operator handles is moved to the result.
pub(in crate::habits) fn as_adjustment(view: &View<'_>, found: &Match) -> Option<Change> {
    let brackets = found.mark.start - 1..found.mark.end + 1;
    if matches!(view.spelling(found.mark.start), "Console" | "RefState") {
        return moved_to_result(view, brackets);
    }
    let inner = view.slice(found.mark.clone());
    Some(Change::of(view.range(brackets), format!("<{inner}>")))
}

/// `[A | B]`: `[A, B]`.
pub(in crate::habits) fn comma(view: &View<'_>, found: &Match) -> Option<Change> {
    let bar = view.range(found.mark.clone());
    let before = view.range(found.mark.start.checked_sub(1)?..found.mark.start);
    Some(Change::of(before.end..bar.end, ","))
}

/// `[A] [B]`: `[A, B]`.
pub(in crate::habits) fn one_ability(view: &View<'_>, found: &Match) -> Option<Change> {
    let second = found.mark.clone();
    let inner = view.slice(second.start + 1..second.end - 1);
    let close = second.start.checked_sub(1)?;
    let range = view.range(close..second.end);
    Some(Change::of(range, format!(", {inner}]")))
}
