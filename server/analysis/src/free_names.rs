//! Names for variables of what is written for a user.

use std::collections::HashSet;

use frank_syntax::ast::Symbol;

use crate::db::{Db, SourceFile};
use crate::program::resolve_term;

/// Names that nothing in sight has, each given once.
pub struct FreeNames {
    /// Where the names are to be free.
    scope: SourceFile,
    taken: HashSet<String>,
}

impl FreeNames {
    /// Names that no definition of a program has, and none of `taken`.
    pub fn new(scope: SourceFile, taken: impl IntoIterator<Item = String>) -> FreeNames {
        FreeNames {
            scope,
            taken: taken.into_iter().collect(),
        }
    }

    /// Takes a name as it is; `false` if it is taken.
    pub fn take(&mut self, name: &str) -> bool {
        self.taken.insert(name.to_owned())
    }

    /// The first of some names that is free, or else the first one with a number.
    pub fn next(&mut self, db: &dyn Db, wanted: &[&str]) -> String {
        let first = wanted.first().copied().unwrap_or("x");
        let numbered = (1..).map(|n| format!("{first}{n}"));
        let mut names = wanted.iter().map(|name| (*name).to_owned()).chain(numbered);
        let free = |name: &String| {
            !self.taken.contains(name) && resolve_term(db, self.scope, Symbol::new(name)).is_none()
        };
        let name = names.find(free).unwrap_or_default();
        self.taken.insert(name.clone());
        name
    }
}
