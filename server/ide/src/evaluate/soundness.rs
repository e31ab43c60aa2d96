//! Whether an operator can run at all: neither it nor what it reaches has errors.

use std::collections::HashSet;

use frank_analysis::db::{Db, Origin};
use frank_analysis::link::{cannot_run, has_wrong_declaration};
use frank_analysis::params::TypeNamespace;
use frank_analysis::program::OperatorDef;

use super::stamp::named_by;
use crate::names::Def;

/// What is known of a program's definitions so far. Asking of many costs a look at each once.
pub(crate) struct Soundness<'db> {
    db: &'db dyn Db,
    /// Those that reach no errors.
    sound: HashSet<Def>,
    /// Those that do.
    broken: HashSet<Def>,
}

impl<'db> Soundness<'db> {
    pub fn new(db: &'db dyn Db) -> Soundness<'db> {
        Soundness {
            db,
            sound: HashSet::new(),
            broken: HashSet::new(),
        }
    }

    /// Whether an operator, or something that it reaches, has errors.
    pub fn reaches_errors(&mut self, operator: OperatorDef) -> bool {
        let first = Def::Operator(operator);
        let mut seen = HashSet::from([first]);
        let mut work = vec![first];
        while let Some(next) = work.pop() {
            if self.sound.contains(&next) {
                continue;
            }
            if self.broken.contains(&next) || self.has_errors(next) {
                self.broken.extend([first, next]);
                return true;
            }
            let named = named_by(self.db, next);
            let is_own = |def: &Def| {
                let scope = def.scope();
                scope.is_some_and(|scope| scope.origin(self.db) == Origin::Workspace)
            };
            work.extend(named.filter(|def| is_own(def) && seen.insert(*def)));
        }
        self.sound.extend(seen);
        false
    }

    /// Whether a definition has errors by itself.
    fn has_errors(&self, def: Def) -> bool {
        let (declared, namespace) = match def {
            Def::Operator(operator) => return cannot_run(self.db, operator),
            Def::Data(data) => (data.0, TypeNamespace::Data),
            Def::Constructor(constructor) => (constructor.data.0, TypeNamespace::Data),
            Def::Interface(interface) => (interface.0, TypeNamespace::Row),
            Def::Command(command) => (command.interface.0, TypeNamespace::Row),
            Def::Alias(alias) => (alias.0, TypeNamespace::Row),
            _ => return false,
        };
        has_wrong_declaration(self.db, declared, namespace)
    }
}
