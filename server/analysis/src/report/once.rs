//! Names that nothing declares, in several places for one reason: that is told once.

use std::collections::HashMap;

use frank_syntax::ast::Symbol;

use super::ability::MOST_RELATED;
use crate::db::ItemSource;
use crate::diagnostics::{Code, Definer, Diagnostic, Related};

/// Why names are unknown.
#[derive(PartialEq, Eq, Hash)]
enum Reason {
    /// A file is not included.
    Include(Definer),
    /// A type, or an interface, is not declared.
    Type(Code, Symbol),
    /// Nothing in sight has the name, in one item.
    Name(ItemSource, Symbol),
    /// A constructor's name is taken for a variable's, in one item.
    Constructor(ItemSource, Symbol),
}

impl Reason {
    fn of(problem: &Diagnostic) -> Option<Reason> {
        let cause = problem.cause?;
        match (cause.file, problem.code) {
            (Some(file), _) => Some(Reason::Include(file)),
            (None, Code::UnknownType | Code::UnknownInterface) => {
                Some(Reason::Type(problem.code, cause.name))
            }
            (None, Code::TypeMismatch | Code::NotANumber) => {
                Some(Reason::Constructor(problem.location.item, cause.name))
            }
            (None, Code::UnknownName) => Some(Reason::Name(problem.location.item, cause.name)),
            _ => None,
        }
    }

    fn note(&self) -> String {
        match self {
            Reason::Include(definer) => format!("`{}` has this, too", definer.file()),
            Reason::Type(_, name) | Reason::Name(_, name) | Reason::Constructor(_, name) => {
                format!("`{name}` stands here, too")
            }
        }
    }
}

/// Leaves the first finding of those of a file that have one reason. It notes the places of the others, and
/// its fixes are made there as well.
pub fn tell_once(problems: &mut Vec<Diagnostic>) {
    let mut told: Vec<Diagnostic> = Vec::with_capacity(problems.len());
    let mut firsts: HashMap<Reason, usize> = HashMap::new();
    for mut problem in problems.drain(..) {
        let Some(reason) = Reason::of(&problem) else {
            told.push(problem);
            continue;
        };
        let first = firsts.get(&reason).and_then(|first| told.get_mut(*first));
        let Some(first) = first else {
            firsts.insert(reason, told.len());
            told.push(problem);
            continue;
        };
        // An error is not told as a warning.
        if problem.is_error() && !first.is_error() {
            std::mem::swap(first, &mut problem);
            first.related.append(&mut problem.related);
        }
        if first.related.len() < MOST_RELATED {
            first.related.push(Related {
                location: problem.location,
                message: reason.note(),
            });
        }
        for fix in &mut first.fixes {
            let same = problem.fixes.iter().find(|other| other.title == fix.title);
            fix.edits
                .extend(same.into_iter().flat_map(|same| same.edits.clone()));
        }
    }
    *problems = told;
}
