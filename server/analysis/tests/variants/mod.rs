//! Other programs with the same mistakes.

use std::collections::{BTreeMap, BTreeSet};

use frank_syntax::ast::ItemKind;
use frank_syntax::outline::{OutlineKind, split};
use frank_syntax::parse::parse_item;

use crate::support::Program;

/// The ways in which a program is changed.
pub const KINDS: [&str; 3] = ["renamed", "nested", "in two files"];

/// The variants of a program of one file, with how each was made.
pub fn all(source: &str) -> Vec<(&'static str, Program)> {
    let mut all = Vec::new();
    if let Some(text) = renamed(source) {
        all.push((KINDS[0], Program::single(&text)));
    }
    if let Some(text) = nested(source) {
        all.push((KINDS[1], Program::single(&text)));
    }
    if let Some((first, second)) = divided(source) {
        let files = vec![
            ("parts.fk".to_owned(), first),
            ("main.fk".to_owned(), format!("include parts\n\n{second}")),
        ];
        all.push((KINDS[2], Program { files }));
    }
    all
}

/// Whether every item parses: of other items nobody knows the parts.
fn is_whole(source: &str) -> bool {
    split(source)
        .iter()
        .all(|item| !item.left_of_column && parse_item(item.text(source)).errors.is_empty())
}

/// The program with other names for what it defines.
fn renamed(source: &str) -> Option<String> {
    if !is_whole(source) {
        return None;
    }
    let mut names: BTreeSet<String> = BTreeSet::new();
    for item in split(source) {
        match parse_item(item.text(source)).item.kind {
            ItemKind::Signature { name, .. } => {
                names.insert(name.symbol.to_string());
            }
            ItemKind::Data {
                name, constructors, ..
            } => {
                names.insert(name.symbol.to_string());
                names.extend(constructors.iter().map(|c| c.name.symbol.to_string()));
            }
            ItemKind::Interface { name, commands, .. } => {
                names.insert(name.symbol.to_string());
                names.extend(commands.iter().map(|c| c.name.symbol.to_string()));
            }
            _ => {}
        }
    }
    names.remove("main");
    // The language gives some names a meaning of their own.
    let fixed = ["true", "false", "abort"];
    names.retain(|name| !fixed.contains(&name.as_str()));
    let words = [
        "Amber", "Birch", "Cedar", "Dune", "Ember", "Fjord", "Grove", "Haven", "Islet", "Juniper",
    ];
    let map: BTreeMap<String, String> = names
        .into_iter()
        .enumerate()
        .map(|(i, name)| {
            let word = format!("{}{}", words[i % words.len()], "'".repeat(i / words.len()));
            let is_capital = name.starts_with(char::is_uppercase);
            let word = if is_capital {
                word
            } else {
                word.to_lowercase()
            };
            (name, word)
        })
        .collect();
    let mut text = String::new();
    let mut word = String::new();
    let mut in_string = false;
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
    for c in source.chars().chain(['\n']) {
        if is_part(c) && !in_string {
            word.push(c);
            continue;
        }
        text.push_str(map.get(&word).unwrap_or(&word));
        word.clear();
        if c == '"' {
            in_string = !in_string;
        }
        text.push(c);
    }
    text.pop();
    (!map.is_empty()).then_some(text)
}

/// The program with each clause's term in a `case`.
fn nested(source: &str) -> Option<String> {
    if !is_whole(source) {
        return None;
    }
    let mut text = source.to_owned();
    let mut changed = false;
    for item in split(source).iter().rev() {
        let own = item.text(source);
        let parsed = parse_item(own);
        let ItemKind::Clause { clause, .. } = &parsed.item.kind else {
            continue;
        };
        let mut range = parsed.source_map.range(parsed.item.terms[clause.body].id);
        // The parentheses around the term belong to it.
        let start = usize::from(range.start());
        let equals = own[..start].rfind('=').unwrap_or(0) + 1;
        let body = own[equals..].trim();
        let size = |n: usize| u32::try_from(n).unwrap().into();
        let offset = equals + own[equals..].find(body).unwrap();
        range = text_size::TextRange::new(size(offset), size(offset + body.len()));
        let (start, end) = (usize::from(range.start()), usize::from(range.end()));
        let place = item.range.start + start..item.range.start + end;
        let nested = format!(
            "case unit {{_ -> case unit {{unit -> {}}}}}",
            &own[start..end]
        );
        text.replace_range(place, &nested);
        changed = true;
    }
    changed.then_some(text)
}

/// The program in two files; the second one includes the first.
fn divided(source: &str) -> Option<(String, String)> {
    if !is_whole(source) {
        return None;
    }
    let items = split(source);
    let begins = |kind: OutlineKind| {
        matches!(
            kind,
            OutlineKind::Signature | OutlineKind::Data | OutlineKind::Interface
        )
    };
    let cut = items
        .iter()
        .enumerate()
        .filter(|(i, item)| {
            begins(item.kind) && *i > 0 && items[i - 1].kind != OutlineKind::Include
        })
        .map(|(_, item)| item.range.start)
        .next_back()?;
    Some((source[..cut].to_owned(), source[cut..].to_owned()))
}
