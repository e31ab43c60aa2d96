//! Messages about texts that do not parse.

use frank_syntax::ast::Symbol;
use frank_syntax::error::{SyntaxError, SyntaxErrorKind};

use crate::db::{Db, ItemSource, SourceFile};
use crate::diagnostics::{Code, Diagnostic, Fix, Location};
use crate::fixes;
use crate::program::resolve_term;

/// Longer texts are no title.
const LONGEST_TITLE: usize = 40;

/// The finding for a syntax error of an item, as part of a program.
pub fn syntax_error(
    db: &dyn Db,
    scope: SourceFile,
    source: ItemSource,
    error: &SyntaxError,
) -> Diagnostic {
    let at = Location::range(source, error.range);
    let mut problem = Diagnostic::new(code(error.kind), at, error.message.clone());
    for (range, message) in &error.related {
        problem = problem.related(Location::range(source, *range), message.clone());
    }
    if let Some(help) = &error.help {
        problem = problem.help(help.clone());
    }
    if error.kind == SyntaxErrorKind::NotAComputation {
        // The type may be meant as another name for one of a computation: `type Parser X = {…}`.
        let text: &str = source.text(db);
        let written = text
            .get(std::ops::Range::<usize>::from(error.range))
            .unwrap_or_default();
        let name = written.split_whitespace().next().unwrap_or_default();
        problem = problem.may_follow_from(Symbol::new(name));
    }
    let is_defined = |name: &str| resolve_term(db, scope, Symbol::new(name)).is_some();
    match &error.replacement {
        Some(replacement) if replacement.uses.iter().all(|name| is_defined(name)) => {
            let text = replacement.text.trim();
            let title = match text {
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

fn code(kind: SyntaxErrorKind) -> Code {
    match kind {
        SyntaxErrorKind::Unexpected | SyntaxErrorKind::NotAComputation => Code::UnexpectedToken,
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
