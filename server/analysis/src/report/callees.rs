//! Mistakes in what is called: a call that is wrong because a signature is says nothing while the operator's own
//! clauses tell of it.

use frank_syntax::ast::{Clause, Item, ItemKind, PatternKind, TermId, TermKind};

use super::Reporter;
use crate::db::{ItemSource, item};
use crate::program::{InterfaceDef, OperatorDef, TermDef, resolve_term};

impl Reporter<'_> {
    /// The operator that is called, if its clauses all have so many patterns: then its signature is the
    /// mistake, and is told of it.
    pub(super) fn miscounting(&self, definition: TermDef, given: usize) -> Option<OperatorDef> {
        let TermDef::Operator(operator) = definition else {
            return None;
        };
        let clauses = &operator.items(self.db).clauses;
        let has_so_many = |source: &ItemSource| match &item(self.db, *source).kind {
            ItemKind::Clause { clause, .. } => clause.patterns.len() == given,
            _ => false,
        };
        (!clauses.is_empty() && clauses.iter().all(has_so_many)).then_some(operator)
    }

    /// The operator that is called, if a clause of it applies what the port takes: then its signature is the
    /// mistake, which says that this is a value.
    pub(super) fn applying(&self, definition: TermDef, port: usize) -> Option<OperatorDef> {
        let applies = |item: &Item, clause: &Clause| {
            let parameter =
                clause
                    .patterns
                    .get(port)
                    .and_then(|pattern| match item.patterns[*pattern].kind {
                        PatternKind::Name(name) => Some(name.symbol),
                        _ => None,
                    });
            let is_parameter = |term: TermId| matches!(&item.terms[term].kind, TermKind::Name(name) if Some(name.symbol) == parameter);
            item.terms.iter().any(|(_, term)| {
                matches!(&term.kind, TermKind::Apply { head, args } if !args.is_empty() && is_parameter(*head))
            })
        };
        self.with_clause(definition, applies)
    }

    /// The operator around a term that has clauses for the commands of an interface where the term is its
    /// argument: then its signature is the mistake, which does not say that it handles them.
    pub(super) fn handling(
        &self,
        source: ItemSource,
        term: TermId,
        interface: InterfaceDef,
    ) -> Option<OperatorDef> {
        let around = item(self.db, source);
        let surroundings = self.surroundings(source);
        let mut terms = std::iter::once(term).chain(surroundings.ancestors(term));
        terms.find_map(|term| {
            let (call, port) = surroundings.argument_of(around, term)?;
            let TermKind::Apply { head, .. } = &around.terms[call].kind else {
                return None;
            };
            let handles = |item: &Item, clause: &Clause| {
                let pattern = clause.patterns.get(port);
                let command = pattern.and_then(|pattern| match &item.patterns[*pattern].kind {
                    PatternKind::Command { name, .. } => Some(name.symbol),
                    _ => None,
                });
                let meant = command.and_then(|name| resolve_term(self.db, self.scope, name));
                matches!(meant, Some(TermDef::Command(command)) if command.interface == interface)
            };
            // One that says so is right: what performs the command is only made there.
            if self.handles(source, call, interface) {
                return None;
            }
            self.with_clause(self.definition_of(source, *head)?, handles)
        })
    }

    /// The operator of the program that a definition is, if one of its clauses is of some kind.
    fn with_clause(
        &self,
        definition: TermDef,
        is_one: impl Fn(&Item, &Clause) -> bool,
    ) -> Option<OperatorDef> {
        let TermDef::Operator(operator) = definition else {
            return None;
        };
        if operator.0.scope != self.scope || Some(operator) == self.operator {
            return None;
        }
        let mut clauses = operator.items(self.db).clauses.iter();
        let found = clauses.any(|source| {
            let item = item(self.db, *source);
            matches!(&item.kind, ItemKind::Clause { clause, .. } if is_one(item, clause))
        });
        found.then_some(operator)
    }
}
