//! Mistakes in a declaration, told once there, and not wherever the name is used.

use frank_syntax::ast::{Symbol, TermKind};

use super::Reporter;
use super::amendments::{amended, is_contested};
use super::places::declaration;
use super::roots::place;
use crate::changes::names_in;
use crate::db::{has_syntax_errors, item};
use crate::diagnostics::{Code, Diagnostic, Location};
use crate::infer::hypothesis::Change;
use crate::infer::problem::Problem;
use crate::program::{TermDef, named, resolve_term};

/// So many names at most are asked whether their declaration is the mistake.
const MOST_NAMES: usize = 24;

impl Reporter<'_> {
    /// Finds what is wrong because a declaration is, which everything else reads in another way.
    pub(super) fn wrong_declarations(&mut self, problems: &[Problem]) {
        let Some(operator) = self.operator else {
            return;
        };
        for name in self.own_names(problems) {
            let Some(found) = amended(self.db, self.scope, name) else {
                continue;
            };
            let Some((source, any)) = self.any_term() else {
                return;
            };
            let change = Change::Amend(found.definition, found.amendment);
            let Some(trial) = self.try_out(source, any, change) else {
                return;
            };
            let first = problems.iter().find(|problem| trial.solves(problem.mark()));
            let (Some(first), Some(mut finding)) = (first, self.amendment(*found)) else {
                continue;
            };
            if found.teller != operator {
                finding = Diagnostic {
                    told_elsewhere: true,
                    ..Diagnostic::new(finding.code, place(self.db, first), finding.message)
                };
            }
            self.found.push(finding);
            self.settled.extend(trial.solved);
        }
    }

    /// Settles what is wrong with uses of commands and constructors whose declaration does not parse: what they
    /// take is not known.
    pub(super) fn unread_declarations(&mut self, problems: &[Problem]) {
        for problem in problems {
            let definition = match problem {
                Problem::ArgumentCount {
                    definition: Some(definition),
                    ..
                } => *definition,
                Problem::CommandArguments { command, .. } => TermDef::Command(*command),
                Problem::ConstructorArguments { constructor, .. } => {
                    TermDef::Constructor(*constructor)
                }
                _ => continue,
            };
            let is_unread = |(source, _)| has_syntax_errors(self.db, source);
            let is_operator = matches!(definition, TermDef::Operator(_));
            if !is_operator && declaration(self.db, definition).is_some_and(is_unread) {
                self.settled.insert(problem.mark());
            }
        }
    }

    /// The names of the program's own in the clauses with problems, that of the operator first.
    fn own_names(&self, problems: &[Problem]) -> Vec<Symbol> {
        let mut names: Vec<Symbol> = self.operator.iter().map(|one| one.0.name).collect();
        let mut seen = Vec::new();
        for problem in problems.iter().filter(|problem| problem.is_error()) {
            let source = problem.source();
            if seen.contains(&source) || names.len() >= MOST_NAMES {
                continue;
            }
            seen.push(source);
            let is_own = |name: &Symbol| {
                resolve_term(self.db, self.scope, *name)
                    .is_some_and(|definition| definition.scope() == self.scope)
            };
            let mut here: Vec<Symbol> = names_in(item(self.db, source))
                .into_iter()
                .filter(is_own)
                .collect();
            here.sort_unstable();
            here.retain(|name| !names.contains(name));
            names.extend(here);
        }
        names.truncate(MOST_NAMES);
        names
    }

    /// A fix at the use of a name is no certain one while what takes its arguments is wrong itself: the
    /// declaration may be the mistake.
    pub(super) fn leave_contested(&mut self) {
        let mut found = std::mem::take(&mut self.found);
        for finding in &mut found {
            let is_safe = finding.is_error() && finding.fixes.iter().any(|fix| fix.safe);
            let called = is_safe.then(|| self.called_at(finding.location)).flatten();
            if called.is_some_and(|name| self.is_contested_name(name)) {
                finding.undecided = true;
                for fix in &mut finding.fixes {
                    fix.safe = false;
                }
            }
        }
        self.found = found;
    }

    /// What is found of an operator that is defined twice is told with that: nobody knows which of the two
    /// was meant.
    pub(super) fn leave_duplicates(&mut self) {
        let is_twice = |name: Symbol| {
            named(self.db, self.scope, name).is_some_and(|named| named.terms.len() > 1)
        };
        let own = self.operator.is_some_and(|own| is_twice(own.0.name));
        let told: Vec<bool> = self
            .found
            .iter()
            .map(|finding| match finding.code {
                Code::WrongPatternCount => own,
                Code::WrongArgumentCount | Code::TypeMismatch => {
                    own || self.called_at(finding.location).is_some_and(is_twice)
                }
                _ => false,
            })
            .collect();
        for (finding, told) in self.found.iter_mut().zip(told) {
            finding.told_elsewhere |= told;
        }
    }

    /// The name of what is called around a place, and has its arguments there.
    fn called_at(&self, at: Location) -> Option<Symbol> {
        let term = self.term_at(at)?;
        let item = self.item(at.item);
        let surroundings = self.surroundings(at.item);
        let mut around = std::iter::once(term).chain(surroundings.ancestors(term));
        let call = around.find_map(|term| match &item.terms[term].kind {
            TermKind::Apply { head, args } if !args.is_empty() => Some(*head),
            _ => None,
        })?;
        match (self.definition_of(at.item, call), &item.terms[call].kind) {
            (Some(definition), _) => Some(definition.name()),
            // Constructors are checked, and their names are not kept.
            (None, TermKind::Name(name)) => Some(name.symbol),
            _ => None,
        }
    }

    fn is_contested_name(&self, name: Symbol) -> bool {
        let is_self = self.operator.is_some_and(|own| own.0.name == name);
        !is_self && is_contested(self.db, self.scope, name)
    }
}
