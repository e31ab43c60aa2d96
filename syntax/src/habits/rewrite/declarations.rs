//! What `data`, `interface` and `include` declare.

use std::ops::Range;

use super::types::field_types;
use super::{argument, line_below, part};
use crate::habits::Change;
use crate::habits::shape::{Match, View};
use crate::token::TokenKind;

/// `(x : T)` and `{x : T, y : U}` in a constructor: the types alone.
pub(in crate::habits) fn fields(view: &View<'_>, found: &Match) -> Option<Change> {
    let types = field_types(view, found)?;
    let range = view.range(found.tokens.clone());
    Some(Change::of(range, types.join(" ")))
}

/// `parser String -> Maybe X` in data: `parser {String -> Maybe X}`.
pub(in crate::habits) fn function_in_braces(view: &View<'_>, found: &Match) -> Option<Change> {
    let mut start = found.mark.start;
    while let Some(before) = view.previous(start)
        && !matches!(view.kind(before)?, TokenKind::Bar | TokenKind::Equal)
    {
        start = before;
    }
    // Behind the constructor's name.
    let ty = start + 1..view.end(start, &[TokenKind::Bar]);
    let text = format!("{{{}}}", view.slice(ty.clone()));
    Some(Change::of(view.range(ty), text))
}

/// `tell X -> Unit` in an interface: `tell : X -> Unit`.
pub(in crate::habits) fn command_colon(view: &View<'_>, found: &Match) -> Option<Change> {
    let name = view.range(found.mark.clone());
    Some(Change::of(name.end..name.end, " :"))
}

/// `import a`: `include a`.
pub(in crate::habits) fn included(view: &View<'_>, found: &Match) -> Option<Change> {
    let name = view.slice(part(found, 0));
    let range = view.range(found.tokens.clone());
    Some(Change::of(
        range,
        format!("include {}", name.to_lowercase()),
    ))
}

/// `include "sub/x.fk"`: `include x`.
pub(in crate::habits) fn file_name(view: &View<'_>, found: &Match) -> Option<Change> {
    let written = view.slice(1..view.tokens.len()).trim_matches(['"', '\'']);
    let name = written.rsplit(['/', '\\']).next()?;
    let name = name.strip_suffix(".fk").unwrap_or(name);
    let is_name = name
        .chars()
        .all(|c| crate::lexer::is_name_part(c) || c == '-');
    (is_name && !name.is_empty())
        .then(|| Change::of(view.range(found.tokens.clone()), format!("include {name}")))
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
pub(in crate::habits) fn commands(view: &View<'_>, found: &Match) -> Option<Change> {
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
pub(in crate::habits) fn constructors(view: &View<'_>, found: &Match) -> Option<Change> {
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

/// `type t = A of x | B`: `data t = A x | B`.
pub(in crate::habits) fn data(view: &View<'_>, found: &Match) -> Option<Change> {
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

/// `include a f : T`: a line break behind the file's name, and `include` before a second file.
pub(in crate::habits) fn on_lines_of_their_own(view: &View<'_>, found: &Match) -> Option<Change> {
    let rest = found.mark.clone();
    let is_file = rest.len() == 1 && view.kind(rest.start) == Some(TokenKind::Name);
    let include = if is_file { "include " } else { "" };
    let range = view.range(part(found, 0)).end..view.range(rest).start;
    Some(Change::of(range, format!("{}{include}", line_below(view))))
}

/// `include a, b`: a line for each file.
pub(in crate::habits) fn a_line_each(view: &View<'_>, found: &Match) -> Option<Change> {
    let comma = found.mark.start;
    let files = (comma + 1..found.tokens.end).step_by(2);
    let is_listed = |at: usize| {
        let behind = view.kind(at + 1);
        view.kind(at) == Some(TokenKind::Name)
            && (behind == Some(TokenKind::Comma) || at + 1 == found.tokens.end)
    };
    if found.tokens.end <= comma + 1 || !files.clone().all(is_listed) {
        return None;
    }
    let lines = files.map(|at| format!("{}include {}", line_below(view), view.spelling(at)));
    let lines: String = lines.collect();
    Some(Change::of(view.range(comma..found.tokens.end), lines))
}
