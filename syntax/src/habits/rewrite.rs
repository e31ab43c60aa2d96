//! What to write instead of a habit.

use std::ops::Range;

use super::Change;
use super::shape::{Match, View, begins};
use crate::token::TokenKind;

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

pub(super) fn append(view: &View<'_>, found: &Match) -> Option<Change> {
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

pub(super) fn and_then(view: &View<'_>, found: &Match) -> Option<Change> {
    call(view, found, &["andThen"], false, Last::Suspended)
}

pub(super) fn or_else(view: &View<'_>, found: &Match) -> Option<Change> {
    call(view, found, &["orElse"], false, Last::Suspended)
}

pub(super) fn rest_of_division(view: &View<'_>, found: &Match) -> Option<Change> {
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

pub(super) fn write_reference(view: &View<'_>, found: &Match) -> Option<Change> {
    call(view, found, &["write"], false, Last::Plain)
}

/// `f $ g x`: `f (g x)`.
pub(super) fn last_argument(view: &View<'_>, found: &Match) -> Option<Change> {
    let end = operand_end(view, found.sign.end, false);
    let text = argument(view, found.sign.end..end);
    Some(Change::of(view.range(found.sign.start..end), text))
}

/// `x |> f |> g`: `g (f x)`.
pub(super) fn applied(view: &View<'_>, found: &Match) -> Option<Change> {
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

/// `let f x y = e in`: `let f = {x y -> e} in`.
pub(super) fn let_function(view: &View<'_>, found: &Match) -> Option<Change> {
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
pub(super) fn let_pattern(view: &View<'_>, found: &Match) -> Option<Change> {
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

/// The two parts of `(a, b)`, each as an argument.
fn tuple(view: &View<'_>, tokens: Range<usize>) -> Option<[String; 2]> {
    let inner = tokens.start + 1..tokens.end.checked_sub(1)?;
    let comma = view.end(inner.start, &[TokenKind::Comma]);
    let end = view.end(comma + 1, &[TokenKind::Comma]);
    (comma < inner.end && end == inner.end)
        .then(|| [inner.start..comma, comma + 1..end].map(|part| argument(view, part)))
}

/// `(a, b)`: `(pair a b)`.
pub(super) fn pair(view: &View<'_>, found: &Match) -> Option<Change> {
    let [first, second] = tuple(view, found.tokens.clone())?;
    let range = view.range(found.tokens.clone());
    Some(Change::of(range, format!("(pair {first} {second})")).using(&["pair"]))
}

/// `(A, B)`: `(Pair A B)`.
pub(super) fn pair_type(view: &View<'_>, found: &Match) -> Option<Change> {
    let [first, second] = tuple(view, found.tokens.clone())?;
    let range = view.range(found.tokens.clone());
    Some(Change::of(range, format!("(Pair {first} {second})")).using(&["pair"]))
}

/// `f(a, b)`: `f a b`. The second part is what is in the parentheses.
pub(super) fn call_arguments(view: &View<'_>, found: &Match) -> Option<Change> {
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

/// `let x : T =`: without `: T`.
pub(super) fn without_type(view: &View<'_>, found: &Match) -> Option<Change> {
    let name = part(found, 0);
    let start = view.range(name).end;
    let end = view.range(found.tokens.end - 1..found.tokens.end).start;
    Some(Change::of(start..end, " "))
}

/// `(c x -> k)`: `<c x -> k>`.
pub(super) fn command_pattern(view: &View<'_>, found: &Match) -> Option<Change> {
    let inner = view.slice(found.tokens.start + 1..found.tokens.end - 1);
    Some(Change::of(
        view.range(found.tokens.clone()),
        format!("<{inner}>"),
    ))
}

/// `(+ 1)`, `(1 +)` and `(+)`: the functions.
pub(super) fn section(view: &View<'_>, found: &Match) -> Option<Change> {
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

/// `[T]` as a type: `(List T)`; without parentheses where a port or a result is all of it.
pub(super) fn list_type(view: &View<'_>, found: &Match) -> Option<Change> {
    let inner = found.mark.start + 1..found.mark.end - 1;
    let name = argument(view, inner);
    let before = found.mark.start.checked_sub(1).and_then(|at| view.kind(at));
    let is_argument = matches!(
        before,
        Some(TokenKind::Name | TokenKind::RightBracket | TokenKind::RightParenthesis)
    );
    let text = match is_argument {
        true => format!("(List {name})"),
        false => format!("List {name}"),
    };
    Some(Change::of(view.range(found.mark.clone()), text))
}

/// `Maybe[Int]`: `Maybe Int`.
pub(super) fn type_argument(view: &View<'_>, found: &Match) -> Option<Change> {
    let inner = found.mark.start + 1..found.mark.end - 1;
    let text = format!(" {}", view.slice(inner));
    Some(Change::of(view.range(found.mark.clone()), text))
}

/// `if c then a else b`: `if (c) {a} {b}`, and so on behind `else`.
pub(super) fn conditional(view: &View<'_>, found: &Match) -> Option<Change> {
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

/// Whether tokens behind the first one stand on a line below.
fn goes_on_below(view: &View<'_>, tokens: Range<usize>) -> bool {
    let mut rest = tokens.start + 1..tokens.end;
    rest.any(|at| view.begins_line(at))
}

/// `match v with | p -> a | q -> b`: `case v {p -> a | q -> b}`. The last part has the clauses.
pub(super) fn clauses(view: &View<'_>, found: &Match) -> Option<Change> {
    let value = argument(view, part(found, 0));
    let mut tokens = found.parts.last()?.clone();
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
    let range = view.range(found.tokens.clone());
    // A clause of several lines is followed by one on a line of its own.
    let separator = match has_lines {
        true => format!("\n{}| ", " ".repeat(view.column(first))),
        false => " | ".to_owned(),
    };
    let text = format!("case {value} {{{}}}", clauses.join(&separator));
    Some(Change::of(range, text))
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

/// `e where y = v`: `let y = v in e`.
pub(super) fn local_definition(view: &View<'_>, found: &Match) -> Option<Change> {
    let binding = found.tokens.start + 1..view.tokens.len();
    let_before(view, found, view.slice(binding).to_owned())
}

/// `e where f x = v`: `let f = {x -> v} in e`.
pub(super) fn local_function(view: &View<'_>, found: &Match) -> Option<Change> {
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

/// `(x : T)` and `{x : T, y : U}` in a constructor: the types alone.
pub(super) fn fields(view: &View<'_>, found: &Match) -> Option<Change> {
    let types = field_types(view, found)?;
    let range = view.range(found.tokens.clone());
    Some(Change::of(range, types.join(" ")))
}

/// `(x : T, y : U) -> V` in a signature: `T -> U -> V`.
pub(super) fn argument_types(view: &View<'_>, found: &Match) -> Option<Change> {
    let types = field_types(view, found)?;
    let range = view.range(found.tokens.clone());
    Some(Change::of(range, types.join(" -> ")))
}

/// The types of fields in a bracket, each as an argument.
fn field_types(view: &View<'_>, found: &Match) -> Option<Vec<String>> {
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

/// `perform get` and `perform put 1`: `get!` and `put 1`.
pub(super) fn performed(view: &View<'_>, found: &Match) -> Option<Change> {
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

fn starts_argument(kind: TokenKind) -> bool {
    use TokenKind::*;
    kind.closer().is_some() || matches!(kind, Name | Natural | Float | Character | String)
}

/// `-- …` for a comment that another sign begins.
pub(super) fn line_comment(view: &View<'_>, found: &Match) -> Option<Change> {
    spelled("--", view, found)
}

/// `{- … -}`: `{-- … --}`.
pub(super) fn block_comment(view: &View<'_>, found: &Match) -> Option<Change> {
    let start = view.range(found.sign.clone()).start;
    let rest = view.text.get(start + 2..)?;
    let (close, width) = match view.text.get(start..start + 2)? {
        "/*" => (rest.find("*/")?, 2),
        _ => (rest.find("-}")?, 2),
    };
    let inner = rest.get(..close)?;
    let end = start + 2 + close + width;
    Some(Change::of(start..end, format!("{{--{inner}--}}")))
}

/// `x.f`: `f x`.
pub(super) fn field(view: &View<'_>, found: &Match) -> Option<Change> {
    let (value, name) = (part(found, 0), part(found, 1));
    let field = view.slice(name);
    let text = in_place(view, found, format!("{field} {}", view.slice(value)));
    let follows = view.kind(found.tokens.end).is_some_and(starts_argument);
    (!follows).then(|| Change::of(view.range(found.tokens.clone()), text).using(&[field]))
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

/// `f . g`: `compose f g`, or `{x -> f a (g b x)}` of calls; `f . g $ x`: `f (g x)`.
pub(super) fn composed(view: &View<'_>, found: &Match) -> Option<Change> {
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
pub(super) fn composition(view: &View<'_>, found: &Match) -> Option<Change> {
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

/// `[a..b]`: `range a b`.
pub(super) fn range(view: &View<'_>, found: &Match) -> Option<Change> {
    let (from, to) = (part(found, 0), part(found, 1));
    let text = format!("(range {} {})", argument(view, from), argument(view, to));
    Some(Change::of(view.range(found.tokens.clone()), text).using(&["range"]))
}

/// `c ? a : b`: `if c {a} {b}`.
pub(super) fn ternary(view: &View<'_>, found: &Match) -> Option<Change> {
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

/// `x::xs` and `(x:xs)` as patterns: `(x :: xs)`.
pub(super) fn cons_pattern(view: &View<'_>, found: &Match) -> Option<Change> {
    let (head, tail) = (part(found, 0), part(found, 1));
    let text = format!("({} :: {})", view.slice(head), view.slice(tail));
    Some(Change::of(view.range(found.tokens.clone()), text))
}

/// As [`cons_pattern`], if it is clear where the first part begins.
pub(super) fn head_cons(view: &View<'_>, found: &Match) -> Option<Change> {
    let is_clear = found.tokens.start == 1 || view.touches(part(found, 0).end);
    is_clear.then(|| cons_pattern(view, found)).flatten()
}

/// ``a `f` b``: `f a b`.
pub(super) fn infix(view: &View<'_>, found: &Match) -> Option<Change> {
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

/// `x mod 2`: `rem x 2`; `a and b`: `and a b`. The word is the last token.
pub(super) fn infix_word(view: &View<'_>, found: &Match) -> Option<Change> {
    let word = found.tokens.end - 1;
    let (name, uses, tight): (&str, &'static [&'static str], bool) = match view.spelling(word) {
        "mod" | "rem" => ("rem", &["rem"], true),
        "div" => ("/", &[], true),
        "and" => ("and", &["and"], false),
        "or" => ("or", &["or"], false),
        _ => return None,
    };
    let start = operand_before(view, word, tight);
    let end = operand_end(view, word + 1, tight);
    let left = view.slice(start..word);
    let (first, second) = (argument(view, start..word), argument(view, word + 1..end));
    let text = match name {
        "/" => format!("{left} / {second}"),
        _ => format!("{name} {first} {second}"),
    };
    let is_whole = start < word && word + 1 < end;
    is_whole.then(|| Change::of(view.range(start..end), text).using(uses))
}

/// `!x` and `!(…)`: `not x`.
pub(super) fn negated(view: &View<'_>, found: &Match) -> Option<Change> {
    let operand = part(found, 0);
    let text = format!("not {}", view.slice(operand.clone()));
    let range = view.range(found.sign.start..operand.end);
    Some(Change::of(range, text).using(&["not"]))
}

/// `import a`: `include a`.
pub(super) fn included(view: &View<'_>, found: &Match) -> Option<Change> {
    let name = view.slice(part(found, 0));
    let range = view.range(found.tokens.clone());
    Some(Change::of(
        range,
        format!("include {}", name.to_lowercase()),
    ))
}

/// `include "sub/x.fk"`: `include x`.
pub(super) fn file_name(view: &View<'_>, found: &Match) -> Option<Change> {
    let written = view.slice(1..view.tokens.len()).trim_matches(['"', '\'']);
    let name = written.rsplit(['/', '\\']).next()?;
    let name = name.strip_suffix(".fk").unwrap_or(name);
    let is_name = name
        .chars()
        .all(|c| crate::lexer::is_name_part(c) || c == '-');
    (is_name && !name.is_empty())
        .then(|| Change::of(view.range(found.tokens.clone()), format!("include {name}")))
}

/// `let x = e` at the top, `def x = e`: `x! = e`, below a signature if `e` is a literal.
pub(super) fn top_level(view: &View<'_>, found: &Match) -> Option<Change> {
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

/// A line break, and the blanks in front of the item.
fn line_below(view: &View<'_>) -> String {
    format!("\n{}", " ".repeat(view.column(0)))
}

/// `f = {p -> a | q -> b}`: `f p = a` and `f q = b`.
pub(super) fn clauses_of_function(view: &View<'_>, found: &Match) -> Option<Change> {
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
pub(super) fn arguments_first(view: &View<'_>, found: &Match) -> Option<Change> {
    let [name, arguments, body] = [0, 1, 2].map(|at| view.slice(part(found, at)));
    let text = format!("{name} {arguments} = {body}");
    Some(Change::of(view.range(found.tokens.clone()), text))
}

/// `f = (x, y) => e`: `f x y = e`.
pub(super) fn listed_arguments_first(view: &View<'_>, found: &Match) -> Option<Change> {
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

/// The parts of a declaration: what it declares, and each constructor or command, which are separated by
/// bars, commas, semicolons or lines.
fn declared<'t>(view: &View<'t>) -> Option<(&'t str, Vec<Range<usize>>)> {
    let begins_body =
        |&at: &usize| matches!(view.spelling(at), "where" | "=") || view.spelling(at) == "{";
    let mut from = (1..view.tokens.len()).find(begins_body)?;
    let head = view.slice(1..from);
    while begins_body(&from) && view.spelling(from) != "{" {
        from += 1;
    }
    let mut last = view.tokens.len();
    if view.spelling(from) == "{" && view.next(from) == Some(last) {
        from += 1;
        last -= 1;
    }
    let separators = [TokenKind::Bar, TokenKind::Comma, TokenKind::Semicolon];
    let begins = |at: usize| {
        let is_name = view.kind(at) == Some(TokenKind::Name);
        let colon = matches!(
            view.kind(at + 1),
            Some(TokenKind::Colon | TokenKind::ColonColon)
        );
        view.begins_line(at) && is_name && colon
    };
    let mut parts = Vec::new();
    let mut start = from;
    let mut at = from;
    while at < last {
        let is_separator = view.kind(at).is_some_and(|kind| separators.contains(&kind));
        if (is_separator || begins(at)) && at > start {
            parts.push(start..at);
        }
        if is_separator {
            start = at + 1;
        } else if begins(at) {
            start = at;
        }
        at = view.next(at)?;
    }
    if start < last {
        parts.push(start..last);
    }
    Some((head, parts))
}

/// `interface Ask where ask : Int` and `interface Ask = {ask : Int}`: `interface Ask = ask : Int`.
pub(super) fn commands(view: &View<'_>, found: &Match) -> Option<Change> {
    let (head, commands) = declared(view)?;
    let commands: Option<Vec<String>> = commands
        .into_iter()
        .map(|tokens| command(view, tokens))
        .collect();
    let commands = commands.filter(|commands| !commands.is_empty())?;
    let text = format!("interface {head} = {}", commands.join(" | "));
    Some(Change::of(view.range(found.tokens.clone()), text))
}

/// A command as Frank declares it: `fun ask(x : Int) : Int` is `ask : Int -> Int`.
fn command(view: &View<'_>, tokens: Range<usize>) -> Option<String> {
    let is_word = matches!(
        view.spelling(tokens.start),
        "fun" | "def" | "ctl" | "val" | "operation"
    );
    let is_named = view.kind(tokens.start + 1) == Some(TokenKind::Name);
    let name = tokens.start + usize::from(is_word && is_named);
    let colon = view.end(name, &[TokenKind::Colon]);
    if name == colon || colon + 1 >= tokens.end {
        return None;
    }
    let open = name + 1;
    let result = view.slice(colon + 1..tokens.end);
    if view.kind(open) != Some(TokenKind::LeftParenthesis) || view.next(open) != Some(colon) {
        return Some(format!("{} : {result}", view.slice(name..colon)));
    }
    let mut types = Vec::new();
    let mut from = open + 1;
    while from + 1 < colon {
        let end = view.end(from, &[TokenKind::Comma]);
        let typed = view.end(from, &[TokenKind::Colon]) + 1;
        if typed >= end {
            return None;
        }
        types.push(format!("{} -> ", view.slice(typed..end)));
        from = end + 1;
    }
    Some(format!(
        "{} : {}{result}",
        view.spelling(name),
        types.concat()
    ))
}

/// `data Pt = pt : Int -> Pt` and `data Pt where …`: `data Pt = pt Int`, if each constructor makes just that
/// type.
pub(super) fn constructors(view: &View<'_>, found: &Match) -> Option<Change> {
    let (head, constructors) = declared(view)?;
    let mut texts = Vec::new();
    for constructor in constructors {
        let colons = [TokenKind::Colon, TokenKind::ColonColon];
        let colon = view.end(constructor.start, &colons);
        if colon >= constructor.end {
            texts.push(view.slice(constructor).to_owned());
            continue;
        }
        let mut text = view.slice(constructor.start..colon).to_owned();
        let mut from = colon + 1;
        loop {
            let arrow = view.end(from, &[TokenKind::Arrow]);
            if arrow >= constructor.end {
                break;
            }
            text.push(' ');
            text.push_str(&argument(view, from..arrow));
            from = arrow + 1;
        }
        if view.slice(from..constructor.end) != head {
            return None;
        }
        texts.push(text);
    }
    let range = view.range(0..found.tokens.end.max(view.tokens.len()));
    (!texts.is_empty()).then(|| Change::of(range, format!("data {head} = {}", texts.join(" | "))))
}

/// `return x` as a pattern: `x`.
pub(super) fn result(view: &View<'_>, found: &Match) -> Option<Change> {
    let name = view.slice(part(found, 0));
    Some(Change::of(view.range(found.tokens.clone()), name))
}

/// As [`result`], where a match points at it.
pub(super) fn marked_result(view: &View<'_>, found: &Match) -> Option<Change> {
    let name = view.slice(part(found, 0));
    Some(Change::of(view.range(found.mark.clone()), name))
}

/// A bar for what a match points at, which separates clauses.
pub(super) fn bar_between(view: &View<'_>, found: &Match) -> Option<Change> {
    let pattern = clause_pattern(view, found, found.mark.end);
    let start = view.range(found.mark.clone()).start;
    let end = view.range(found.mark.end..found.tokens.end - 1).end;
    Some(Change::of(start..end, format!(" | {pattern}")))
}

/// A bar before what a match points at: a pattern, or what is declared.
pub(super) fn bar_before(view: &View<'_>, found: &Match) -> Option<Change> {
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

/// `[e | x <- xs, c]`: `map {x -> e} (filter {x -> c} xs)`.
pub(super) fn comprehension(view: &View<'_>, found: &Match) -> Option<Change> {
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

/// `val x = e` on a line of its own: `let x = e in`.
pub(super) fn binding_line(view: &View<'_>, found: &Match) -> Option<Change> {
    let name = part(found, 0);
    let mut value = part(found, 1);
    if view.kind(value.end.saturating_sub(1)) == Some(TokenKind::Semicolon) {
        value.end -= 1;
    }
    let text = format!("let {} = {} in", view.slice(name), view.slice(value));
    Some(Change::of(view.range(found.tokens.clone()), text))
}

/// `fun x y -> e` and `\x y -> e`: `{x y -> e}`.
pub(super) fn function_behind_sign(view: &View<'_>, found: &Match) -> Option<Change> {
    enclosed(view, found, part(found, 0), found.tokens.end)
}

/// `x y => e`: `{x y -> e}`.
pub(super) fn function(view: &View<'_>, found: &Match) -> Option<Change> {
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
pub(super) fn braced(view: &View<'_>, found: &Match) -> Option<Change> {
    let end = view.next(found.tokens.start)?;
    let text = view.slice(found.tokens.start + 1..end - 1);
    Some(Change::of(
        view.range(found.tokens.start..end),
        format!("{{{text}}}"),
    ))
}

/// `->` for the `=>` that a match ends with.
pub(super) fn arrow(view: &View<'_>, found: &Match) -> Option<Change> {
    let end = found.tokens.end;
    Some(Change::of(view.range(end - 2..end), "->"))
}

/// Without the bar that a match ends with, if the clauses are right otherwise.
pub(super) fn without_bar(view: &View<'_>, found: &Match) -> Option<Change> {
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

/// Without the comma that a match begins with.
pub(super) fn comma_left_out(view: &View<'_>, found: &Match) -> Option<Change> {
    let comma = found.tokens.start;
    Some(Change::of(view.range(comma..comma + 1), ""))
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
pub(super) fn inner_command_pattern(view: &View<'_>, found: &Match) -> Option<Change> {
    command_pattern(view, &inner(found, found.tokens.end))
}

/// As [`pair`], behind a brace or a bar and before an arrow.
pub(super) fn inner_pair(view: &View<'_>, found: &Match) -> Option<Change> {
    pair(view, &inner(found, found.tokens.end - 1))
}

/// As [`cons_pattern`], behind a brace or a bar and before an arrow.
pub(super) fn inner_cons(view: &View<'_>, found: &Match) -> Option<Change> {
    cons_pattern(view, &inner(found, found.tokens.end - 1))
}

/// `::` for the `:` of a match.
pub(super) fn colons(view: &View<'_>, found: &Match) -> Option<Change> {
    let colon = part(found, 0).end;
    Some(Change::of(view.range(colon..colon + 1), "::"))
}

/// `f()`: `f!`.
pub(super) fn forced(view: &View<'_>, found: &Match) -> Option<Change> {
    let open = found.tokens.start + 1;
    Some(Change::of(view.range(open..found.tokens.end), "!"))
}

/// `if c {a} else {b}`: without `else`.
pub(super) fn without_else(view: &View<'_>, found: &Match) -> Option<Change> {
    let word = found.tokens.end - 1;
    let is_braced = view.kind(found.tokens.end) == Some(TokenKind::LeftBrace);
    let next = view.range(found.tokens.end..found.tokens.end + 1).start;
    is_braced.then(|| Change::of(view.range(word..word + 1).start..next, ""))
}

/// Leaves out the words that a match points at, up to what comes behind them.
pub(super) fn words_left_out(view: &View<'_>, found: &Match) -> Option<Change> {
    let start = view.range(found.mark.clone()).start;
    let next = view.tokens.get(found.mark.end)?.start;
    Some(Change::of(start..next, ""))
}

/// `let () = m in e`: `m; e`.
pub(super) fn sequence(view: &View<'_>, found: &Match) -> Option<Change> {
    let text = format!("{};", view.slice(part(found, 0)));
    Some(Change::of(view.range(found.tokens.clone()), text))
}

/// `if x < y {a} else {b}`: `if (x < y) {a} {b}`, and so on behind `else`.
pub(super) fn braced_conditional(view: &View<'_>, found: &Match) -> Option<Change> {
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

/// Leaves out what a match points at.
pub(super) fn mark_left_out(view: &View<'_>, found: &Match) -> Option<Change> {
    Some(Change::of(view.range(found.mark.clone()), ""))
}

/// `:` for the `::` of a match.
pub(super) fn one_colon(view: &View<'_>, found: &Match) -> Option<Change> {
    Some(Change::of(view.range(found.mark.clone()), ":"))
}

/// `let a = v` and `b = w` on a line of its own: `in let` before the second name.
pub(super) fn next_let(view: &View<'_>, found: &Match) -> Option<Change> {
    let text = format!("in let {}", view.slice(found.mark.clone()));
    Some(Change::of(view.range(found.mark.clone()), text))
}

/// `type t = A of x | B`: `data t = A x | B`.
pub(super) fn data(view: &View<'_>, found: &Match) -> Option<Change> {
    let mut text = String::from("data");
    let mut end = view.range(0..1).end;
    for at in 1..found.tokens.end {
        let token = view.range(at..at + 1);
        if view.spelling(at) != "of" {
            text.push_str(view.text.get(end..token.end)?);
        }
        end = token.end;
    }
    Some(Change::of(view.range(found.tokens.clone()), text))
}
