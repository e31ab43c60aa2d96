//! Patterns that are variables and look like a constructor of the type that they match: `gren` for `green`
//! matches every colour. So does `green` where the file that declares it is not included.

use frank_syntax::ast::{Clause, PatternId, PatternKind, Symbol};

use super::{Checked, is_private};
use crate::db::{Db, ItemSource, item};
use crate::declarations::constant_spellings;
use crate::diagnostics::{Code, Definer, Diagnostic, Location, similar_name};
use crate::fixes;
use crate::infer::{Body, Inference, ResolvedPattern};
use crate::neighbours::constructing;
use crate::types::TyKind;

/// A shorter name is near too many others of its length.
const SHORTEST: usize = 4;

/// Reports the variables that are likely misspelt constructors.
pub fn check(checked: &Checked<'_>, found: &mut Vec<Diagnostic>) {
    for (source, body) in &checked.inference.bodies {
        let item = item(checked.db, *source);
        for (pattern, data) in item.patterns.iter() {
            let Some(meant) = meant(checked.db, checked.inference, *source, body, pattern) else {
                continue;
            };
            let PatternKind::Name(name) = &data.kind else {
                continue;
            };
            let at = Location::node(*source, data.id);
            let meant = match meant {
                Meant::Near(meant) => meant,
                Meant::Beside(file) => {
                    found.push(not_included(at, name.symbol, file));
                    continue;
                }
            };
            let rename = fixes::rename(at, meant.as_str());
            let mut problem = Diagnostic::new(
                Code::MisspeltConstructor,
                at,
                format!(
                    "`{}` is a variable here, which every value matches; the constructor is `{meant}`",
                    name.symbol
                ),
            )
            .help(format!(
                "write `{meant}`; or give the variable another name, `_` if it is not needed"
            ))
            .fix(crate::diagnostics::Fix {
                // The program checks, and would mean something else.
                safe: false,
                ..rename
            });
            // The last clause may be there for all that is left.
            let last = checked.inference.bodies.last();
            problem.undecided = last.is_some_and(|(last, _)| last == source);
            found.push(problem);
        }
    }
}

/// The finding about a variable that a file which is not included declares as a constructor.
fn not_included(at: Location, name: Symbol, file: Symbol) -> Diagnostic {
    let message =
        format!("`{name}` is a variable here, which every value matches, and no constructor");
    Diagnostic::new(Code::MisspeltConstructor, at, message)
        .may_be_constructor(name)
        .lacks_include(Definer::Beside(file), "declares")
}

/// What an unread variable of a pattern is likely meant to be.
enum Meant {
    /// This constructor without arguments of the type that the pattern matches.
    Near(Symbol),
    /// The constructor of its name that this file declares, which is not included.
    Beside(Symbol),
}

fn meant(
    db: &dyn Db,
    inference: &Inference,
    source: ItemSource,
    body: &Body,
    pattern: PatternId,
) -> Option<Meant> {
    let PatternKind::Name(name) = &item(db, source).patterns[pattern].kind else {
        return None;
    };
    let Some(ResolvedPattern::Binds(local)) = body.patterns.get(pattern) else {
        return None;
    };
    let binder = body.scopes.binder(*local)?;
    if binder.is_used || binder.is_shadowed || is_private(name.symbol) {
        return None;
    }
    let ty = *body.pattern_types.get(pattern)?;
    let data = match inference.table.kind(ty) {
        TyKind::Data(data, _) => data,
        // A type that nothing in sight declares is a variable.
        TyKind::Variable(number) => {
            let ty = inference.rigid_values.get(*number as usize)?;
            let file = source.file(db);
            return constructing(db, file, file, *ty, name.symbol).map(Meant::Beside);
        }
        _ => return None,
    };
    let written = name.symbol.as_str();
    let near = constant_spellings(db, data.0.scope, data.0.name).near(written);
    let meant = similar_name(written, near)?;
    // `red'` and `nils` are named after what they may be.
    let is_derived = written
        .strip_prefix(meant)
        .is_some_and(|rest| rest == "s" || rest.starts_with('\''));
    // `rad` and `red` are two words, `red` and `Red` are one.
    let length = written.chars().count();
    let is_other = written.to_lowercase() != meant.to_lowercase();
    let is_short = is_other && length < SHORTEST && length == meant.chars().count();
    (!is_derived && !is_short).then(|| Meant::Near(Symbol::new(meant)))
}

/// Whether a pattern of a clause is likely meant as a constructor, so that it matches more than it should.
pub(super) fn in_clause(
    db: &dyn Db,
    inference: &Inference,
    source: ItemSource,
    body: &Body,
    clause: &Clause,
) -> bool {
    let mut work = clause.patterns.clone();
    while let Some(pattern) = work.pop() {
        if meant(db, inference, source, body, pattern).is_some() {
            return true;
        }
        match &item(db, source).patterns[pattern].kind {
            PatternKind::Constructor { args, .. } | PatternKind::Command { args, .. } => {
                work.extend(args);
            }
            PatternKind::List(elements) => work.extend(elements),
            PatternKind::Cons { head, tail } => work.extend([*head, *tail]),
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use crate::diagnostics::Code;
    use crate::lints::tests::found;

    const COLOUR: &str = "data Colour = red | green | blue\n\n";

    #[test]
    fn a_variable_named_nearly_like_a_constructor_is_told_once() {
        let program = format!("{COLOUR}f : Colour -> Int\nf red = 1\nf gren = 2\nf blue = 3\n");
        assert_eq!(found(Code::MisspeltConstructor, &program), ["gren"]);
        // The clause behind it is right, and the variable is not unused but wrong.
        for code in [Code::UnreachableClause, Code::UnusedVariable] {
            assert!(found(code, &program).is_empty(), "{code:?}");
        }
    }

    #[test]
    fn a_capital_is_no_difference_between_words() {
        let program = "data Colour = Red | Green\n\nf : Colour -> Int\nf red = 1\nf green = 2\n";
        assert_eq!(found(Code::MisspeltConstructor, program), ["red", "green"]);
        for code in [Code::UnreachableClause, Code::UnusedVariable] {
            assert!(found(code, program).is_empty(), "{code:?}");
        }
    }

    #[test]
    fn a_variable_that_is_read_is_none() {
        let program = format!(
            "{COLOUR}g : Colour -> Colour\ng red = blue\ng gren = gren\n\nh : Int -> Int\nh gren = 1\n"
        );
        assert!(found(Code::MisspeltConstructor, &program).is_empty());
    }
}
