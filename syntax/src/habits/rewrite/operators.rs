//! Operators, chains of them, and operators as values.

use std::ops::Range;

use super::{
    LOOSE, argument, is_in_comparison, is_operator, operand_before, operand_end, part, suspended,
};
use crate::habits::Change;
use crate::habits::shape::{Match, View};
use crate::token::TokenKind;

/// The operands of a chain of one operator, which a match is the first of.
fn operands(view: &View<'_>, found: &Match, tight: bool) -> Vec<Range<usize>> {
    let symbol = view.slice(found.sign.clone());
    let width = found.sign.len();
    let start = operand_before(view, found.sign.start, tight);
    let is_symbol = |at: usize| view.slice(at..at + width) == symbol;
    let first = start..found.sign.start;
    let mut operands = vec![first];
    let mut from = found.sign.end;
    let mut at = from;
    loop {
        let kind = view.kind(at);
        let ends = kind.is_none_or(|kind| {
            // Such as `||`, whose parts would end an operand.
            let is_loose = LOOSE.contains(&kind) && !is_in_comparison(view, at);
            !is_symbol(at) && (is_loose || (tight && is_operator(kind)))
        });
        if !ends && is_symbol(at) && at > from {
            operands.push(from..at);
            from = at + width;
            at = from;
            continue;
        }
        match view.next(at).filter(|_| !ends) {
            Some(next) => at = next,
            None => break,
        }
    }
    operands.push(from..at);
    operands
}

fn whole(view: &View<'_>, operands: &[Range<usize>]) -> Option<Range<usize>> {
    let all = operands.first()?.start..operands.last()?.end;
    // A function without braces goes on there: `x |> fun y -> …`.
    let goes_on = matches!(
        view.kind(all.end),
        Some(TokenKind::Arrow | TokenKind::Equal)
    );
    let is_whole = !goes_on && !operands.iter().any(Range::is_empty);
    is_whole.then(|| view.range(all))
}

/// How the last operand of a chain becomes an argument.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    Plain,
    Suspended,
}

/// `a ++ b`: `f a b`, for a chain `f a (f b c)`; with a last argument that is suspended, `f a {f b {c}}`.
fn call(
    view: &View<'_>,
    found: &Match,
    uses: &'static [&'static str],
    tight: bool,
    last: Last,
) -> Option<Change> {
    calls(view, operands(view, found, tight), uses, last)
}

/// As [`call`], for these operands.
fn calls(
    view: &View<'_>,
    operands: Vec<Range<usize>>,
    uses: &'static [&'static str],
    last: Last,
) -> Option<Change> {
    let name = uses.first()?;
    let range = whole(view, &operands)?;
    let mut before = operands.into_iter().rev();
    let end = before.next()?;
    let mut text = match last {
        Last::Plain => argument(view, end),
        Last::Suspended => suspended(view, end),
    };
    for (at, operand) in before.enumerate() {
        if at > 0 {
            text = match last {
                Last::Plain => format!("({text})"),
                Last::Suspended => format!("{{{text}}}"),
            };
        }
        text = format!("{name} {} {text}", argument(view, operand));
    }
    Some(Change::of(range, text).using(uses))
}

pub(in crate::habits) fn append(view: &View<'_>, found: &Match) -> Option<Change> {
    let mut operands = operands(view, found, true);
    let first = operands.first_mut()?;
    let prints = matches!(view.spelling(first.start), "print" | "printLine");
    if !prints || first.len() < 2 {
        return calls(view, operands, &["append"], Last::Plain);
    }
    // What `print` gives is no string: its argument is meant.
    first.start += 1;
    let change = calls(view, operands, &["append"], Last::Plain)?;
    Some(Change {
        text: format!("({})", change.text),
        ..change
    })
}

pub(in crate::habits) fn and_then(view: &View<'_>, found: &Match) -> Option<Change> {
    call(view, found, &["andThen"], false, Last::Suspended)
}

pub(in crate::habits) fn or_else(view: &View<'_>, found: &Match) -> Option<Change> {
    call(view, found, &["orElse"], false, Last::Suspended)
}

pub(in crate::habits) fn rest_of_division(view: &View<'_>, found: &Match) -> Option<Change> {
    // It goes with `*` and `/` from the left: `a * b % c` is the rest of `a * b`.
    let operands = operands(view, found, true);
    let range = operands.first()?.start..operands.last()?.end;
    let is_product = |at: usize| matches!(view.spelling(at), "*" | "/" | "%");
    let has_neighbours =
        range.start.checked_sub(1).is_some_and(is_product) || is_product(range.end);
    if operands.len() > 2 || has_neighbours {
        return None;
    }
    call(view, found, &["rem"], true, Last::Plain)
}

pub(in crate::habits) fn write_reference(view: &View<'_>, found: &Match) -> Option<Change> {
    call(view, found, &["write"], false, Last::Plain)
}

/// `f $ g x`: `f (g x)`.
pub(in crate::habits) fn last_argument(view: &View<'_>, found: &Match) -> Option<Change> {
    let end = operand_end(view, found.sign.end, false);
    let text = argument(view, found.sign.end..end);
    Some(Change::of(view.range(found.sign.start..end), text))
}

/// `x |> f |> g`: `g (f x)`.
pub(in crate::habits) fn applied(view: &View<'_>, found: &Match) -> Option<Change> {
    let operands = operands(view, found, false);
    let range = whole(view, &operands)?;
    let mut all = operands.into_iter();
    let mut text = argument(view, all.next()?);
    let count = all.len();
    for (at, function) in all.enumerate() {
        text = format!("{} {text}", view.slice(function));
        if at + 1 < count {
            text = format!("({text})");
        }
    }
    Some(Change::of(range, text))
}

/// `(+ 1)`, `(1 +)` and `(+)`: the functions.
pub(in crate::habits) fn section(view: &View<'_>, found: &Match) -> Option<Change> {
    let inner = found.tokens.start + 1..found.tokens.end - 1;
    let text = view.slice(inner.clone());
    let is_operator = |at: usize| view.kind(at).is_some_and(is_operator);
    let text = match (is_operator(inner.start), is_operator(inner.end - 1)) {
        (true, true) => format!("{{x y -> x {text} y}}"),
        (true, false) => format!("{{x -> x {text}}}"),
        _ => format!("{{x -> {text} x}}"),
    };
    Some(Change::of(view.range(found.tokens.clone()), text))
}

/// `f . g`: `compose f g`, or `{x -> f a (g b x)}` of calls; `f . g $ x`: `f (g x)`.
pub(in crate::habits) fn composed(view: &View<'_>, found: &Match) -> Option<Change> {
    let operands = operands(view, found, true);
    let range = whole(view, &operands)?;
    let end = operands.last()?.end;
    if view.spelling(end) == "$" {
        let last = operand_end(view, end + 1, false);
        let text = nested(view, &operands, &argument(view, end + 1..last));
        return Some(Change::of(range.start..view.range(end..last).end, text));
    }
    let is_atom = |operand: &Range<usize>| operand.len() == 1;
    if operands.iter().all(is_atom) {
        return call(view, found, &["compose"], true, Last::Plain);
    }
    let argument = fresh(view)?;
    let text = nested(view, &operands, argument);
    Some(Change::of(range, format!("{{{argument} -> {text}}}")))
}

/// `f = g . h`: `f x = g (h x)`.
pub(in crate::habits) fn composition(view: &View<'_>, found: &Match) -> Option<Change> {
    let body = found.tokens.start + 2;
    let dot = part(found, 1).end;
    let chain = Match {
        tokens: body..found.tokens.end,
        mark: found.mark.clone(),
        sign: dot..dot + 1,
        words: Vec::new(),
        parts: Vec::new(),
    };
    let operands = operands(view, &chain, true);
    let range = whole(view, &operands)?;
    let is_all = operands.first()?.start == body && operands.last()?.end == view.tokens.len();
    let argument = fresh(view).filter(|_| is_all)?;
    let text = format!(
        "{} {argument} = {}",
        view.spelling(found.tokens.start),
        nested(view, &operands, argument)
    );
    let start = view.range(found.tokens.clone()).start;
    Some(Change::of(start..range.end, text))
}

/// Functions, each applied to the next one's result, and the last to an argument.
fn nested(view: &View<'_>, functions: &[Range<usize>], argument: &str) -> String {
    let mut functions = functions.iter().rev();
    let innermost = functions.next();
    let call =
        |function: &Range<usize>, text: &str| format!("{} {text}", view.slice(function.clone()));
    let first = innermost.map_or_else(String::new, |function| call(function, argument));
    functions.fold(first, |text, function| call(function, &format!("({text})")))
}

/// A name for a variable that the text does not have.
fn fresh(view: &View<'_>) -> Option<&'static str> {
    let is_used = |name: &str| (0..view.tokens.len()).any(|at| view.spelling(at) == name);
    ["x", "y", "z", "v", "w"]
        .into_iter()
        .find(|name| !is_used(name))
}

/// ``a `f` b``: `f a b`.
pub(in crate::habits) fn infix(view: &View<'_>, found: &Match) -> Option<Change> {
    let name = part(found, 0);
    let start = operand_before(view, found.tokens.start, true);
    let end = operand_end(view, found.tokens.end, true);
    let (first, second) = (
        argument(view, start..found.tokens.start),
        argument(view, found.tokens.end..end),
    );
    let (text, uses) = match view.slice(name) {
        "div" => (
            format!("{} / {second}", view.slice(start..found.tokens.start)),
            Vec::new(),
        ),
        "mod" => (format!("rem {first} {second}"), vec!["rem"]),
        name => (format!("{name} {first} {second}"), Vec::new()),
    };
    let is_whole = start < found.tokens.start && found.tokens.end < end;
    // Division has its own rank in other languages.
    let is_product = |at: usize| matches!(view.spelling(at), "*" | "/" | "%");
    let has_neighbours = start.checked_sub(1).is_some_and(is_product) || is_product(end);
    (is_whole && !has_neighbours).then(|| Change::of(view.range(start..end), text).using(&uses))
}

/// `x mod 2`: `rem x 2`; `a and b`: `andThen a {b}`. The word is the last token.
pub(in crate::habits) fn infix_word(view: &View<'_>, found: &Match) -> Option<Change> {
    let word = found.tokens.end - 1;
    let (name, uses, tight): (&str, &'static [&'static str], bool) = match view.spelling(word) {
        "mod" | "rem" => ("rem", &["rem"], true),
        "div" => ("/", &[], true),
        "and" => ("andThen", &["andThen"], false),
        "or" => ("orElse", &["orElse"], false),
        _ => return None,
    };
    let start = operand_before(view, word, tight);
    let end = operand_end(view, word + 1, tight);
    let left = view.slice(start..word);
    let (first, second) = (argument(view, start..word), argument(view, word + 1..end));
    let text = match name {
        "/" => format!("{left} / {second}"),
        // Elsewhere these look at the second one only if they have to.
        "andThen" | "orElse" => {
            let is_bracket = view.kind(word + 1) == Some(TokenKind::LeftParenthesis)
                && view.next(word + 1) == Some(end);
            let inner = usize::from(is_bracket);
            format!(
                "{name} {first} {{{}}}",
                view.slice(word + 1 + inner..end - inner)
            )
        }
        _ => format!("{name} {first} {second}"),
    };
    let is_whole = start < word && word + 1 < end;
    is_whole.then(|| Change::of(view.range(start..end), text).using(uses))
}

/// `!x` and `!(…)`: `not x`.
pub(in crate::habits) fn negated(view: &View<'_>, found: &Match) -> Option<Change> {
    let operand = part(found, 0);
    let text = format!("not {}", view.slice(operand.clone()));
    let range = view.range(found.sign.start..operand.end);
    Some(Change::of(range, text).using(&["not"]))
}
