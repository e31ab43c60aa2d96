//! `main : Int` and `main = 5`: what takes nothing is written like a value of other languages.

use frank_syntax::ast::{ItemKind, Symbol};
use frank_syntax::error::{SyntaxError, SyntaxErrorKind};
use text_size::{TextRange, TextSize};

use crate::db::{Db, ItemSource, SourceFile, item, parsed};
use crate::diagnostics::{Diagnostic, Edit, Fix, Location, Position};
use crate::program::named;

/// What a clause names whose `=` stands directly behind that name, and where that is.
fn name_before(db: &dyn Db, source: ItemSource, error: &SyntaxError) -> Option<(Symbol, Location)> {
    if error.kind != SyntaxErrorKind::Unexpected {
        return None;
    }
    let start = parsed(db, source)
        .source_map
        .range(item(db, source).id)
        .start();
    let before = source
        .text(db)
        .get(start.into()..error.range.start().into())?;
    let name = before.trim_end();
    let found = source
        .text(db)
        .get(std::ops::Range::<usize>::from(error.range))?;
    let is_word = name
        .chars()
        .all(|c| c.is_alphanumeric() || c == '_' || c == '\'');
    let place = TextRange::at(start, TextSize::try_from(name.len()).ok()?);
    (found == "=" && !name.is_empty() && is_word)
        .then(|| (Symbol::new(name), Location::range(source, place)))
}

fn signature_of(db: &dyn Db, scope: SourceFile, name: Symbol) -> Option<ItemSource> {
    let signatures = &named(db, scope, name)?.operator.signatures;
    signatures.first().copied()
}

fn is_bare_type(db: &dyn Db, signature: ItemSource) -> bool {
    let errors = &parsed(db, signature).errors;
    matches!(&errors[..], [error] if error.kind == SyntaxErrorKind::BareType)
}

fn exclamation(name: Location) -> Edit {
    Edit {
        location: name,
        position: Position::After,
        text: "!".to_owned(),
    }
}

/// Whether the error of a clause is told with that of its signature, by [`with_clauses`].
pub(super) fn is_told_with_signature(
    db: &dyn Db,
    scope: SourceFile,
    source: ItemSource,
    error: &SyntaxError,
) -> bool {
    let signature =
        name_before(db, source, error).and_then(|(name, _)| signature_of(db, scope, name));
    signature.is_some_and(|signature| is_bare_type(db, signature))
}

/// The fix of a clause without patterns: of an operator that takes nothing nothing else can be meant.
pub(super) fn forced(
    db: &dyn Db,
    scope: SourceFile,
    source: ItemSource,
    error: &SyntaxError,
) -> Option<Fix> {
    let (name, place) = name_before(db, source, error)?;
    let signature = signature_of(db, scope, name)?;
    let ItemKind::Signature { ty, .. } = &item(db, signature).kind else {
        return None;
    };
    ty.ports.is_empty().then(|| Fix {
        title: format!("write `{name}!`"),
        edits: vec![exclamation(place)],
        safe: true,
    })
}

/// Tells of a signature without braces what its clauses lack for the same reason.
pub(super) fn with_clauses(
    db: &dyn Db,
    scope: SourceFile,
    signature: ItemSource,
    mut problem: Diagnostic,
) -> Diagnostic {
    let ItemKind::Signature { name, .. } = &item(db, signature).kind else {
        return problem;
    };
    let name = name.symbol;
    if signature_of(db, scope, name) != Some(signature) || !is_bare_type(db, signature) {
        return problem;
    }
    let Some(named) = named(db, scope, name) else {
        return problem;
    };
    let bare = named.operator.clauses.iter().filter_map(|clause| {
        let errors = &parsed(db, *clause).errors;
        errors
            .iter()
            .find_map(|error| name_before(db, *clause, error))
    });
    let bare: Vec<(Symbol, Location)> = bare.collect();
    if bare.is_empty() {
        return problem;
    }
    for (_, place) in bare {
        problem = problem.related(place, "`!` is missing here, too");
        for fix in &mut problem.fixes {
            fix.edits.push(exclamation(place));
        }
    }
    problem.help(format!("and define it by `{name}! = …`"))
}
