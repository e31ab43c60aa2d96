//! Messages about texts that do not parse.

use frank_syntax::ast::{Symbol, TypeArg, TypeKind};
use frank_syntax::error::{SyntaxError, SyntaxErrorKind};
use text_size::TextRange;

use super::bare_definitions;
use crate::db::{Db, ItemSource, SourceFile, item, parsed};
use crate::diagnostics::{Code, Diagnostic, Fix, Location};
use crate::fixes;
use crate::params::{TypeNamespace, params};
use crate::program::{RowDef, resolve_row, resolve_term};

/// Longer texts are no title.
const LONGEST_TITLE: usize = 40;

/// The finding for a syntax error of an item, as part of a program; `None` where another item's tells it.
pub fn syntax_error(
    db: &dyn Db,
    scope: SourceFile,
    source: ItemSource,
    error: &SyntaxError,
) -> Option<Diagnostic> {
    let is_told = bare_definitions::is_told_with_signature(db, scope, source, error);
    (!is_told).then(|| told(db, scope, source, error))
}

fn told(db: &dyn Db, scope: SourceFile, source: ItemSource, error: &SyntaxError) -> Diagnostic {
    let at = Location::range(source, error.range);
    let mut problem = Diagnostic::new(code(error.kind), at, error.message.clone());
    for (range, message) in &error.related {
        problem = problem.related(Location::range(source, *range), message.clone());
    }
    if let Some(help) = &error.help {
        problem = problem.help(help.clone());
    }
    if error.kind == SyntaxErrorKind::BareType {
        let problem = bare_type(db, scope, source, error.range, problem);
        return bare_definitions::with_clauses(db, scope, source, problem);
    }
    if let Some(fix) = bare_definitions::forced(db, scope, source, error) {
        return problem.fix(fix);
    }
    let is_defined = |name: &str| resolve_term(db, scope, Symbol::new(name)).is_some();
    match &error.replacement {
        Some(replacement) if replacement.uses.iter().all(|name| is_defined(name)) => {
            let text = replacement.text.trim();
            let title = match text {
                "" if replacement.text.contains('\n') => "break the line".to_owned(),
                "" => "leave it out".to_owned(),
                _ if text.contains('\n') || text.chars().count() > LONGEST_TITLE => {
                    "write it as Frank does".to_owned()
                }
                _ => format!("write `{text}`"),
            };
            let place = Location::range(source, replacement.range);
            problem.fix(Fix {
                safe: replacement.safe,
                ..fixes::replace(place, &replacement.text, title)
            })
        }
        _ => problem,
    }
}

/// The finding for a type that lacks its braces: `Int`, or `Console Unit` for `{[Console]Unit}`.
fn bare_type(
    db: &dyn Db,
    scope: SourceFile,
    source: ItemSource,
    range: TextRange,
    problem: Diagnostic,
) -> Diagnostic {
    let at = Location::range(source, range);
    let text = |range: TextRange| {
        let range = std::ops::Range::<usize>::from(range);
        source.text(db).get(range).unwrap_or_default()
    };
    let (problem, meant) = match performed(db, scope, source, range) {
        Some((interface, instance, given)) => {
            let meant = format!("{{[{}]{}}}", text(instance), text(given));
            let message = format!(
                "`{interface}` is an interface: what an operator performs stands in brackets before what \
                 it gives"
            );
            let problem = Diagnostic::new(Code::UnexpectedToken, at, message);
            (problem.help(format!("write `{meant}`")), meant)
        }
        None => (problem, format!("{{{}}}", text(range))),
    };
    // The type may be meant as another name for one of a computation: `type Parser X = {…}`.
    let name = text(range).split_whitespace().next().unwrap_or_default();
    let problem = problem.may_follow_from(Symbol::new(name));
    let title = match meant.chars().count() > LONGEST_TITLE || meant.contains('\n') {
        true => "put braces around it".to_owned(),
        false => format!("write `{meant}`"),
    };
    problem.fix(fixes::replace(at, &meant, title))
}

/// The interface that a type begins with, and where its instance and the type behind that stand.
fn performed(
    db: &dyn Db,
    scope: SourceFile,
    source: ItemSource,
    range: TextRange,
) -> Option<(Symbol, TextRange, TextRange)> {
    let map = &parsed(db, source).source_map;
    let item = item(db, source);
    let mut types = item.types.iter();
    let (name, args) = types.find_map(|(_, ty)| match &ty.kind {
        TypeKind::Name { name, args, .. } if map.range(ty.id) == range => Some((name, args)),
        _ => None,
    })?;
    let declared = match resolve_row(db, scope, name.symbol)? {
        RowDef::Interface(interface) => interface.0.scope,
        RowDef::Alias(alias) => alias.0.scope,
    };
    let takes = params(db, declared, name.symbol, TypeNamespace::Row);
    let place = |arg: &TypeArg| match arg {
        TypeArg::Type(ty) => map.range(item.types[*ty].id),
        TypeArg::Ability(ability) => map.range(ability.id),
    };
    let (own, rest) = args.split_at_checked(takes.all.len())?;
    let end = own.last().map_or(map.range(name.id), place).end();
    let given = TextRange::new(place(rest.first()?).start(), range.end());
    Some((name.symbol, TextRange::new(range.start(), end), given))
}

pub(crate) fn code(kind: SyntaxErrorKind) -> Code {
    match kind {
        SyntaxErrorKind::Unexpected | SyntaxErrorKind::BareType | SyntaxErrorKind::BrokenOff => {
            Code::UnexpectedToken
        }
        SyntaxErrorKind::UnclosedBracket => Code::UnclosedBracket,
        SyntaxErrorKind::UnopenedBracket => Code::UnopenedBracket,
        SyntaxErrorKind::UnclosedString | SyntaxErrorKind::UnclosedChar => Code::UnclosedLiteral,
        SyntaxErrorKind::UnclosedComment => Code::UnclosedComment,
        SyntaxErrorKind::BadEscape => Code::BadEscape,
        SyntaxErrorKind::BadCharacter => Code::BadCharacter,
        SyntaxErrorKind::NumberTooLarge => Code::NumberTooLarge,
        SyntaxErrorKind::NestedTooDeeply | SyntaxErrorKind::TooLong => Code::NestedTooDeeply,
        SyntaxErrorKind::LeftOfItemColumn => Code::LeftOfItemColumn,
        SyntaxErrorKind::NotAHead => Code::NotAHead,
        SyntaxErrorKind::Habit => Code::OtherLanguage,
    }
}
