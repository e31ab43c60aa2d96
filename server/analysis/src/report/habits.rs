//! Words of other languages: Frank reads them as names, and they have no definition.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use frank_syntax::ast::{ItemKind, Symbol};
use frank_syntax::error::{SyntaxError, SyntaxErrorKind};
use frank_syntax::habits::Suspect;
use frank_syntax::law;
use text_size::TextSize;

use super::syntax::syntax_error;
use crate::db::{Db, ItemSource, SourceFile, TextKind, has_syntax_errors, item, parsed};
use crate::diagnostics::{Code, Diagnostic};
use crate::program::{TermDef, named, resolve_row, resolve_term};

/// The syntax errors of an item, as part of a program, with what its habits say.
pub fn syntax_errors(db: &dyn Db, scope: SourceFile, source: ItemSource) -> Vec<SyntaxError> {
    let is_defined = |word: &str| is_defined(db, scope, word);
    let declared = declared(db, scope, source);
    let arguments = |command: &str| arguments(db, scope, command);
    let text = text_as_read(db, source);
    let suspect = Suspect {
        arguments: &arguments,
        ..suspect(db, source, &text, &is_defined, declared)
    };
    suspect.instead_of(&parsed(db, source).errors)
}

/// Whether an item that does not parse begins with a word that begins an item in another language:
/// `effect Ask = …`.
pub fn is_other_item(db: &dyn Db, source: ItemSource) -> bool {
    let parsed = parsed(db, source);
    let start = parsed.source_map.range(parsed.item.id).start();
    let text = text_as_read(db, source);
    let errors = suspect(db, source, &text, &|_| false, None).instead_of(&parsed.errors);
    let mut errors = errors.iter();
    errors.any(|error| error.kind == SyntaxErrorKind::Habit && error.range.start() == start)
}

/// What of an item's text is a term or types of its language, where it stands. The dot of a law is none of another language's.
fn text_as_read(db: &dyn Db, source: ItemSource) -> Cow<'_, str> {
    let text = source.text(db);
    let read = match source.kind(db) {
        TextKind::Law { .. } => law::term_of(text),
        TextKind::LawTypes => law::types_of(text),
        TextKind::Item | TextKind::Cell | TextKind::Term | TextKind::Type => None,
    };
    read.map_or(Cow::Borrowed(text), Cow::Owned)
}

fn suspect<'a>(
    db: &'a dyn Db,
    source: ItemSource,
    text: &'a str,
    is_defined: &'a dyn Fn(&str) -> bool,
    declared: Option<&'a str>,
) -> Suspect<'a> {
    Suspect {
        text,
        is_item: source.kind(db) == TextKind::Item,
        is_defined,
        declared,
        arguments: &|_| None,
    }
}

/// How many arguments a command takes; `None` for what is none.
fn arguments(db: &dyn Db, scope: SourceFile, name: &str) -> Option<usize> {
    let Some(TermDef::Command(command)) = resolve_term(db, scope, Symbol::new(name)) else {
        return None;
    };
    let ItemKind::Interface { commands, .. } = &item(db, command.interface.item(db)?).kind else {
        return None;
    };
    Some(commands.get(command.index as usize)?.args.len())
}

/// The type that the signature of an item's operator declares, as it is written.
fn declared(db: &dyn Db, scope: SourceFile, source: ItemSource) -> Option<&str> {
    let ItemKind::Clause { name, .. } = &item(db, source).kind else {
        return None;
    };
    let signatures = &named(db, scope, name.symbol)?.operator.signatures;
    let (_, declared) = signatures.first()?.text(db).split_once(':')?;
    Some(declared)
}

/// Whether a word is a name of the program's own, or an interface. An operator has a signature, else its clauses may be
/// something else: `type Point = …`.
fn is_defined(db: &dyn Db, scope: SourceFile, word: &str) -> bool {
    let name = Symbol::new(word);
    let is_own = named(db, scope, name).is_some_and(|named| {
        let mut terms = named.terms.iter();
        terms.any(|entry| !matches!(entry.def, TermDef::Operator(_)))
            || !named.operator.signatures.is_empty()
    });
    is_own || resolve_row(db, scope, name).is_some()
}

/// Puts what is to be said of another language's words in the place of all that is found in the item
/// that they stand in: the rest of it is read wrongly, too.
pub fn instead(db: &dyn Db, scope: SourceFile, problems: &mut Vec<Diagnostic>) {
    let mut order = Vec::new();
    let mut names: HashMap<ItemSource, Vec<TextSize>> = HashMap::new();
    for problem in problems.iter() {
        let source = problem.location.item;
        let is_name = matches!(
            problem.code,
            Code::UnknownName
                | Code::UnknownType
                | Code::MissingSignature
                | Code::NotAFunction
                | Code::WrongPatternCount
                | Code::WrongTypeArguments
        );
        if is_name && !has_syntax_errors(db, source) {
            let at = problem.location.in_item(db).start();
            let places = names.entry(source).or_default();
            if places.is_empty() {
                order.push(source);
            }
            places.push(at);
        }
    }
    let is_defined = |word: &str| is_defined(db, scope, word);
    let habits = order.into_iter().filter_map(|source| {
        let places = names.get(&source)?;
        let text = text_as_read(db, source);
        let habit = suspect(db, source, &text, &is_defined, None).of_names(places)?;
        Some((source, habit))
    });
    let habits: Vec<(ItemSource, SyntaxError)> = habits.collect();
    let told: HashSet<ItemSource> = habits.iter().map(|(source, _)| *source).collect();
    // What is missing is told all the same.
    problems.retain(|problem| problem.code == Code::Hole || !told.contains(&problem.location.item));
    for (source, habit) in habits {
        problems.extend(syntax_error(db, scope, source, &habit));
    }
}
