//! Lints: what is reported about programs that the checker accepts. Each lint has a file of its own and
//! stands in one list, [`LINTS`].
//!
//! The findings are about the user's own text, and they are meant to be few. A name that begins with
//! `_` is never reported as unused.

mod confusable_names;
pub mod coverage;
mod early_calls;
mod hidden_characters;
mod idle_adaptors;
mod idle_handlers;
mod list_lengths;
mod missing_clauses;
mod misspelt_clauses;
mod misspelt_constructors;
mod paper_checkpoints;
mod shared_cells;
mod shared_numbers;
mod thrown_values;
mod unhandled_entries;
mod unrun_computations;
mod unused_operators;
mod unused_variables;

use frank_syntax::ast::Symbol;

use crate::db::{Db, ItemSource, Origin, SourceFile, has_syntax_errors};
use crate::diagnostics::{Code, Diagnostic};
use crate::infer::Inference;
use crate::program::OperatorDef;

/// An operator, or a term on its own, after the checker has seen it.
pub struct Checked<'a> {
    pub db: &'a dyn Db,
    /// The program that it is part of.
    pub scope: SourceFile,
    /// `None` for a term on its own.
    pub operator: Option<OperatorDef>,
    pub inference: &'a Inference,
}

/// A lint: the findings that it makes and how it looks for them.
pub struct Lint {
    /// The kinds of its findings. A kind belongs to one lint.
    pub codes: &'static [Code],
    pub looks_at: LooksAt,
}

/// What a lint looks at, and adds findings for.
#[derive(Clone, Copy)]
pub enum LooksAt {
    /// All operators and terms on their own, whatever is wrong with them: it sees to that itself.
    Everything(fn(&Checked<'_>, &mut Vec<Diagnostic>)),
    /// The user's operators. Items that did not parse may be among them.
    Operators(fn(&Checked<'_>, &mut Vec<Diagnostic>)),
    /// The user's operators without errors: beside an error, what seems to be of no use may be
    /// what is missing.
    SoundOperators(fn(&Checked<'_>, &mut Vec<Diagnostic>)),
    /// The texts of all items and terms on their own, comments included, whether they parse or not.
    Text(fn(ItemSource, &str, &mut Vec<Diagnostic>)),
    /// How the operators of a program depend on each other. It is a query, which is asked again for
    /// each file of the program.
    Program(for<'db> fn(&'db dyn Db, SourceFile) -> &'db Vec<Diagnostic>),
}

/// All lints.
pub const LINTS: &[Lint] = &[
    Lint {
        codes: &[Code::MissingPatterns, Code::UnreachableClause],
        looks_at: LooksAt::Everything(coverage::check),
    },
    Lint {
        codes: &[Code::SignatureWithoutClauses],
        looks_at: LooksAt::Operators(missing_clauses::check),
    },
    Lint {
        codes: &[Code::UnusedVariable],
        looks_at: LooksAt::SoundOperators(unused_variables::check),
    },
    Lint {
        codes: &[Code::MisspeltConstructor],
        looks_at: LooksAt::Operators(misspelt_constructors::check),
    },
    Lint {
        codes: &[Code::UnrunComputation],
        looks_at: LooksAt::SoundOperators(unrun_computations::check),
    },
    Lint {
        codes: &[Code::ThrownValue],
        looks_at: LooksAt::SoundOperators(thrown_values::check),
    },
    Lint {
        codes: &[Code::EarlyCall],
        looks_at: LooksAt::SoundOperators(early_calls::check),
    },
    Lint {
        codes: &[Code::IdleAdaptor],
        looks_at: LooksAt::SoundOperators(idle_adaptors::check),
    },
    Lint {
        codes: &[Code::IdleHandler],
        looks_at: LooksAt::SoundOperators(idle_handlers::check),
    },
    Lint {
        codes: &[Code::ListLengths],
        looks_at: LooksAt::Operators(list_lengths::check),
    },
    Lint {
        codes: &[Code::SharedNumbers],
        looks_at: LooksAt::SoundOperators(shared_numbers::check),
    },
    Lint {
        codes: &[Code::HiddenCharacter],
        looks_at: LooksAt::Text(hidden_characters::check),
    },
    Lint {
        codes: &[Code::ConfusableName],
        looks_at: LooksAt::Program(confusable_names::confusable_names),
    },
    Lint {
        codes: &[Code::UnusedOperator],
        looks_at: LooksAt::Program(unused_operators::unused_operators),
    },
    Lint {
        codes: &[Code::UnhandledEntry],
        looks_at: LooksAt::Program(unhandled_entries::unhandled_entries),
    },
    Lint {
        codes: &[Code::PaperCheckpoint],
        looks_at: LooksAt::Program(paper_checkpoints::checkpoints),
    },
    Lint {
        codes: &[Code::SharedCells],
        looks_at: LooksAt::Program(shared_cells::gradients),
    },
];

/// What the lints find in an operator or a term on its own.
pub fn check(checked: &Checked<'_>, found: &mut Vec<Diagnostic>) {
    let (db, inference) = (checked.db, checked.inference);
    let own = checked.operator.is_some() && checked.scope.origin(db) == Origin::Workspace;
    let mut sources = inference.bodies.iter().map(|(source, _)| *source);
    let sound = own && inference.is_sound() && !sources.any(|source| has_syntax_errors(db, source));
    for lint in LINTS {
        match lint.looks_at {
            LooksAt::Everything(check) => check(checked, found),
            LooksAt::Operators(check) if own => check(checked, found),
            LooksAt::SoundOperators(check) if sound => check(checked, found),
            LooksAt::Operators(_)
            | LooksAt::SoundOperators(_)
            | LooksAt::Text(_)
            | LooksAt::Program(_) => {}
        }
    }
}

/// What the lints find in the text of an item or of a term on its own.
pub fn check_text(db: &dyn Db, source: ItemSource, found: &mut Vec<Diagnostic>) {
    for lint in LINTS {
        if let LooksAt::Text(check) = lint.looks_at {
            check(source, source.text(db), found);
        }
    }
}

/// What the lints find in a program as a whole.
pub fn check_program(db: &dyn Db, root: SourceFile) -> impl Iterator<Item = &Diagnostic> {
    LINTS.iter().flat_map(move |lint| match lint.looks_at {
        LooksAt::Program(check) => check(db, root).as_slice(),
        _ => &[],
    })
}

/// Whether a name asks not to be reported.
fn is_private(name: Symbol) -> bool {
    name.as_str().starts_with('_')
}

#[cfg(test)]
mod tests {
    use super::LINTS;
    use crate::diagnostics::Code;
    use crate::file_findings::file_diagnostics;
    use crate::files::Files;

    /// What the findings of a kind in a program point at.
    pub fn found(code: Code, program: &str) -> Vec<String> {
        let mut files = Files::new(None);
        let file = files.set_text("main.fk", program);
        let all = file_diagnostics(files.db(), file).into_iter();
        all.filter(|problem| problem.code == code)
            .map(|problem| program[std::ops::Range::from(files.range(problem.location))].to_owned())
            .collect()
    }

    /// Kinds of findings beside errors that are no lint's, with who reports them.
    const OTHERS: [(Code, &str); 5] = [
        (Code::ShadowedDefinition, "infer"),
        (Code::RepeatedAdaptorName, "lower"),
        (Code::LikelyMisspeltType, "declarations"),
        (Code::UnusedSuppression, "frank-workspace"),
        (Code::DerivativesDisagree, "frank-ide"),
    ];

    #[test]
    fn every_kind_belongs_to_one_lint() {
        for code in Code::ALL.iter().filter(|code| code.as_str() >= "FK0400") {
            let lints = LINTS
                .iter()
                .filter(|lint| lint.codes.contains(code))
                .count();
            let others = OTHERS.iter().filter(|(other, _)| other == code).count();
            assert_eq!(
                lints + others,
                1,
                "{}: name it in the `codes` of the lint that finds it, in `LINTS`",
                code.as_str()
            );
        }
    }
}
