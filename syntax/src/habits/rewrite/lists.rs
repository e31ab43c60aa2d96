//! Lists by their bounds, or by what is in them.

use super::{argument, in_place, part, separated};
use crate::habits::Change;
use crate::habits::shape::{Match, View};
use crate::token::TokenKind;

/// `[a..b]`: `range a b`.
pub(in crate::habits) fn range(view: &View<'_>, found: &Match) -> Option<Change> {
    let (from, to) = (part(found, 0), part(found, 1));
    let text = format!("(range {} {})", argument(view, from), argument(view, to));
    Some(Change::of(view.range(found.tokens.clone()), text).using(&["range"]))
}

/// `[e | x <- xs, c]`: `map {x -> e} (filter {x -> c} xs)`.
pub(in crate::habits) fn comprehension(view: &View<'_>, found: &Match) -> Option<Change> {
    let element = part(found, 0);
    let end = part(found, 1).end;
    let name = found.mark.end;
    let is_generator = view.kind(name) == Some(TokenKind::Name)
        && view.spelling(name + 1) == "<"
        && view.spelling(name + 2) == "-";
    let comma = view.end(name, &[TokenKind::Comma]);
    let condition = comma + 1..end;
    let is_condition = condition
        .clone()
        .all(|at| view.spelling(at) != "<" || view.spelling(at + 1) != "-")
        && view.end(condition.start, &[TokenKind::Comma]) >= end;
    if !is_generator || !is_condition {
        return None;
    }
    let variable = view.spelling(name);
    let mut text = view.slice(name + 3..comma).to_owned();
    let mut list = argument(view, name + 3..comma);
    let mut uses = Vec::new();
    if !condition.is_empty() {
        text = format!("filter {{{variable} -> {}}} {list}", view.slice(condition));
        list = format!("({text})");
        uses.push("filter");
    }
    let element = view.slice(element);
    if element != variable {
        text = format!("map {{{variable} -> {element}}} {list}");
        uses.push("map");
    }
    let range = view.range(found.tokens.start..end + 1);
    Some(Change::of(range, in_place(view, found, text)).using(&uses))
}

/// `[x, ...xs]`: `x :: xs`.
pub(in crate::habits) fn spread(view: &View<'_>, found: &Match) -> Option<Change> {
    let elements = separated(view, part(found, 0), TokenKind::Comma);
    let mut all: Vec<String> = elements
        .into_iter()
        .map(|element| argument(view, element))
        .collect();
    all.push(view.slice(part(found, 1)).to_owned());
    let text = in_place(view, found, all.join(" :: "));
    Some(Change::of(view.range(found.tokens.clone()), text))
}

/// `[x | xs]`: `x :: xs`.
pub(in crate::habits) fn cons(view: &View<'_>, found: &Match) -> Option<Change> {
    let [head, tail] = [0, 1].map(|at| view.slice(part(found, at)));
    let text = in_place(view, found, format!("{head} :: {tail}"));
    Some(Change::of(view.range(found.tokens.clone()), text))
}

/// `for x in xs {e}`: `mapM {x -> e} xs`.
pub(in crate::habits) fn for_each(view: &View<'_>, found: &Match) -> Option<Change> {
    let (name, rest) = (part(found, 0), part(found, 1));
    let open = view.end(rest.start, &[TokenKind::LeftBrace]);
    let end = view
        .next(open)
        .filter(|_| rest.start < open && open < rest.end)?;
    let text = format!(
        "mapM {{{} -> {}}} {}",
        view.slice(name),
        view.slice(open + 1..end - 1),
        argument(view, rest.start..open)
    );
    Some(Change::of(view.range(found.tokens.start..end), text).using(&["mapM"]))
}

/// `[2 3 5]`: `[2, 3, 5]`.
pub(in crate::habits) fn with_commas(view: &View<'_>, found: &Match) -> Option<Change> {
    let open = found.tokens.start;
    let inside = open + 1..view.next(open)? - 1;
    let is_literal = |at: usize| {
        matches!(
            view.kind(at),
            Some(TokenKind::Natural | TokenKind::Float | TokenKind::String | TokenKind::Character)
        )
    };
    if !inside.clone().all(is_literal) {
        return None;
    }
    let all: Vec<&str> = inside.clone().map(|at| view.slice(at..at + 1)).collect();
    Some(Change::of(view.range(inside), all.join(", ")))
}

/// `[1 2]`: `[1, 2]`.
pub(in crate::habits) fn comma(view: &View<'_>, found: &Match) -> Option<Change> {
    let (before, behind) = (part(found, 0), part(found, 1));
    let range = view.range(before).end..view.range(behind).start;
    Some(Change::of(range, ", "))
}
