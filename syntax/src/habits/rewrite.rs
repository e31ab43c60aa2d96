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
            uses: &[],
        }
    }

    fn using(self, uses: &'static [&'static str]) -> Change {
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
        && !LOOSE.contains(&kind)
        && !(tight && is_operator(kind))
        && let Some(next) = view.next(end)
    {
        end = next;
    }
    end
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
            !is_symbol(at) && (LOOSE.contains(&kind) || (tight && is_operator(kind)))
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
    (!operands.iter().any(Range::is_empty)).then(|| view.range(all))
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
    let name = uses.first()?;
    let operands = operands(view, found, tight);
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
    call(view, found, &["append"], true, Last::Plain)
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
        .filter(|_| !text_has(view, found, end))
}

/// Whether the tokens behind a match have its symbol once more.
fn text_has(view: &View<'_>, found: &Match, end: usize) -> bool {
    let symbol = view.slice(found.sign.clone());
    (found.sign.end..end).any(|at| view.spelling(at) == symbol)
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
    if view.kind(from) == Some(TokenKind::Bar) {
        from += 1;
    }
    while from < tokens.end {
        // `->` or `=>`.
        let arrow = view.end(from, &[TokenKind::Arrow, TokenKind::Equal]);
        let body = arrow + 1 + usize::from(view.kind(arrow) == Some(TokenKind::Equal));
        let (end, next) = clause_end(view, body, tokens.end);
        let pattern = argument(view, from..arrow);
        // `Just(x)`.
        let is_call = |at: usize| {
            view.kind(at) == Some(TokenKind::LeftParenthesis) && at > from && view.touches(at)
        };
        // Of clauses in lines, those of an inner `case` and what follows them cannot be told apart.
        let has_inner = (body..end).any(|at| matches!(view.spelling(at), "of" | "with"));
        if body >= end || (from..arrow).any(is_call) || has_inner || goes_on_below(view, body..end)
        {
            return None;
        }
        clauses.push(format!("{pattern} -> {}", view.slice(body..end)));
        from = next;
    }
    let range = view.range(found.tokens.clone());
    let text = format!("case {value} {{{}}}", clauses.join(" | "));
    Some(Change::of(range, text))
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
    Some(Change::of(
        view.range(found.tokens.clone()),
        types.join(" "),
    ))
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
    let text = format!("{} {}", view.slice(name), view.slice(value));
    let is_argument = found
        .tokens
        .start
        .checked_sub(1)
        .and_then(|at| view.kind(at))
        .is_some_and(starts_argument);
    let text = match is_argument {
        true => format!("({text})"),
        false => text,
    };
    let follows = view.kind(found.tokens.end).is_some_and(starts_argument);
    (!follows).then(|| Change::of(view.range(found.tokens.clone()), text))
}

/// `f . g`: `compose f g`.
pub(super) fn composed(view: &View<'_>, found: &Match) -> Option<Change> {
    call(view, found, &["compose"], true, Last::Plain)
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
    let text = format!(
        "{} {} {}",
        view.slice(name),
        argument(view, start..found.tokens.start),
        argument(view, found.tokens.end..end)
    );
    let is_whole = start < found.tokens.start && found.tokens.end < end;
    is_whole.then(|| Change::of(view.range(start..end), text))
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

/// `let x = e` at the top, `def x = e`: `x! = e`.
pub(super) fn top_level(view: &View<'_>, found: &Match) -> Option<Change> {
    let name = part(found, 0);
    let text = format!("{}! =", view.slice(name));
    Some(Change::of(view.range(found.tokens.clone()), text))
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
