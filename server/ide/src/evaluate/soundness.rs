//! Whether an operator can run at all: neither it nor what it reaches has errors.

use std::collections::HashSet;

use frank_analysis::db::Db;
use frank_analysis::link::has_errors;
use frank_analysis::program::OperatorDef;

use super::stamp::operators_named_by;

/// What is known of a program's operators so far. Asking of many costs a look at each once.
pub(crate) struct Soundness<'db> {
    db: &'db dyn Db,
    /// Those that reach no errors.
    sound: HashSet<OperatorDef>,
    /// Those that do.
    broken: HashSet<OperatorDef>,
}

impl<'db> Soundness<'db> {
    pub fn new(db: &'db dyn Db) -> Soundness<'db> {
        Soundness {
            db,
            sound: HashSet::new(),
            broken: HashSet::new(),
        }
    }

    /// Whether an operator, or one that it reaches, has errors.
    pub fn reaches_errors(&mut self, operator: OperatorDef) -> bool {
        let mut seen = HashSet::from([operator]);
        let mut work = vec![operator];
        while let Some(next) = work.pop() {
            if self.sound.contains(&next) {
                continue;
            }
            if self.broken.contains(&next) || has_errors(self.db, next) {
                self.broken.extend([operator, next]);
                return true;
            }
            let named = operators_named_by(self.db, next).into_iter();
            work.extend(named.filter(|other| seen.insert(*other)));
        }
        self.sound.extend(seen);
        false
    }
}
