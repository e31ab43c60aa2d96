//! Names that stand for something else than was thought: another interface's command, a constructor where a variable
//! is meant, one of two definitions. And lists of lists.

use frank_syntax::ast::{ItemKind, PatternKind, Symbol, TermKind};

use super::Reporter;
use super::mismatch::Mismatch;
use crate::builtin;
use crate::db::{ItemSource, Origin, item};
use crate::diagnostics::{Diagnostic, Location};
use crate::fixes;
use crate::infer::problem::Expectation;
use crate::program::{
    CommandDef, InterfaceDef, OperatorDef, TermDef, named, operator_items, resolve_term, row_item,
};
use crate::types::{Arg, TyKind};

impl Reporter<'_> {
    /// Whether a name has two definitions: that is told, and what it stands for is not known.
    pub(super) fn is_defined_twice(&self, name: Symbol) -> bool {
        named(self.db, self.scope, name).is_some_and(|named| named.terms.len() > 1)
    }

    /// The one command of the interfaces that a port adds which takes as many arguments as `command`, and which no
    /// pattern handles.
    pub(super) fn command_instead(
        &self,
        source: ItemSource,
        command: CommandDef,
        added: &[InterfaceDef],
    ) -> Option<(Symbol, InterfaceDef)> {
        let arity = |interface: InterfaceDef, name: Option<Symbol>| {
            let mut commands = self.commands_of(interface).into_iter();
            commands.find(|one| Some(one.0) == name).map(|one| one.1)
        };
        let wanted = arity(command.interface, Some(command.name))?;
        let clauses = match self.operator {
            Some(OperatorDef(definition)) => {
                let items = operator_items(self.db, definition.scope, definition.name);
                items.clauses.clone()
            }
            None => vec![source],
        };
        let is_handled = |name: Symbol| {
            clauses.iter().any(|clause| {
                let mut patterns = item(self.db, *clause).patterns.iter();
                patterns.any(|(_, pattern)| {
                    matches!(&pattern.kind, PatternKind::Command { name: own, .. } if own.symbol == name)
                })
            })
        };
        let mut fitting = added.iter().flat_map(|interface| {
            let commands = self.commands_of(*interface).into_iter();
            commands
                .filter(|(name, arguments)| *arguments == wanted && !is_handled(*name))
                .map(|(name, _)| (name, *interface))
        });
        let one = fitting.next()?;
        fitting.next().is_none().then_some(one)
    }

    /// The commands that an interface declares, each with the number of its arguments.
    fn commands_of(&self, interface: InterfaceDef) -> Vec<(Symbol, usize)> {
        let source = row_item(self.db, interface.0.scope, interface.0.name);
        match source.map(|source| &item(self.db, source).kind) {
            Some(ItemKind::Interface { commands, .. }) => {
                let commands = commands.iter();
                commands
                    .map(|command| (command.name.symbol, command.args.len()))
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    /// The finding about a pattern of another type, if its name is a constructor's and was most likely thought to
    /// be a variable's: no constructor at all fits there.
    pub(super) fn named_as_constructor(
        &self,
        mut problem: Diagnostic,
        mismatch: Mismatch<'_>,
    ) -> Diagnostic {
        let table = &self.inference.table;
        let own = item(self.db, mismatch.source);
        let mut lets = own.terms.iter();
        let bound = lets.find_map(|(_, term)| match &term.kind {
            TermKind::Let { name, .. }
                if Location::node(mismatch.source, name.id) == mismatch.at =>
            {
                Some(name.symbol)
            }
            _ => None,
        });
        let mut patterns = own.patterns.iter();
        let name = patterns.find_map(|(_, pattern)| match &pattern.kind {
            PatternKind::Name(name)
                if Location::node(mismatch.source, pattern.id) == mismatch.at =>
            {
                Some(name.symbol)
            }
            PatternKind::Constructor { name, .. }
                if Location::node(mismatch.source, pattern.id) == mismatch.at =>
            {
                problem.told_elsewhere |= self.is_defined_twice(name.symbol);
                None
            }
            _ => None,
        });
        let Some(name) = name.or(bound) else {
            return problem;
        };
        problem.told_elsewhere |= self.is_defined_twice(name);
        if matches!(table.kind(mismatch.expected), TyKind::Data(..)) {
            return problem;
        }
        match resolve_term(self.db, self.scope, name) {
            Some(TermDef::Constructor(constructor)) => problem.may_follow_from(name).help(format!(
                "`{name}` is a constructor of `{}`: give the variable another name",
                constructor.data.0.name
            )),
            _ => problem,
        }
    }

    /// The finding about a term of another type, which is told with a pattern of its item if that has the same
    /// constructor for its name.
    pub(super) fn named_as_pattern(
        &self,
        mut problem: Diagnostic,
        mismatch: Mismatch<'_>,
    ) -> Diagnostic {
        let Some(term) = mismatch.term else {
            return problem;
        };
        let own = item(self.db, mismatch.source);
        let head = match &own.terms[term].kind {
            TermKind::Apply { head, .. } => *head,
            _ => term,
        };
        let TermKind::Name(name) = &own.terms[head].kind else {
            return problem;
        };
        let definition = self.definition_of(mismatch.source, head);
        if !matches!(
            definition,
            Some(TermDef::Constructor(_) | TermDef::Command(_))
        ) {
            return problem;
        }
        problem.told_elsewhere |= self.is_defined_twice(name.symbol);
        let is_same = |kind: &PatternKind| matches!(kind, PatternKind::Name(other) if other.symbol == name.symbol);
        let mut patterns = own.patterns.iter();
        let mut lets = own.terms.iter();
        let is_bound = patterns.any(|(_, pattern)| is_same(&pattern.kind))
            || lets.any(|(_, term)| {
                matches!(&term.kind, TermKind::Let { name: other, .. } if other.symbol == name.symbol)
            });
        match head == term && is_bound {
            true => problem.may_follow_from(name.symbol),
            false => problem,
        }
    }

    /// What makes one list of the lists that the library's `map` gives, where their elements are needed.
    pub(super) fn lists_in_map(&self, problem: Diagnostic, mismatch: Mismatch<'_>) -> Diagnostic {
        let Expectation::ThunkResult { thunk } = mismatch.origin else {
            return problem;
        };
        let own = item(self.db, mismatch.source);
        let call = self.surroundings(mismatch.source).argument_of(own, thunk);
        let Some((call, _)) = call else {
            return problem;
        };
        let TermKind::Apply { head, .. } = &own.terms[call].kind else {
            return problem;
        };
        let from_library = |definition: TermDef, name: &str| match definition {
            TermDef::Operator(OperatorDef(definition)) => {
                definition.name.as_str() == name
                    && definition.scope.origin(self.db) == Origin::Library
            }
            _ => false,
        };
        let is_map = self
            .definition_of(mismatch.source, *head)
            .is_some_and(|definition| from_library(definition, "map"));
        let element = match self.inference.table.kind(mismatch.found) {
            TyKind::Data(list, args) if *list == builtin::list(self.db) => match args.first() {
                Some(Arg::Type(element)) => *element,
                _ => return problem,
            },
            _ => return problem,
        };
        let is_needed = self.ty(element) == self.ty(mismatch.expected);
        let concat = resolve_term(self.db, self.scope, Symbol::new("concat"));
        let has_concat = concat.is_some_and(|definition| from_library(definition, "concat"));
        match is_map && is_needed && has_concat {
            true => problem.help(
                "`map` makes one value of each element, a list of lists therefore; `concat` makes one list of \
                 it: `concat (map f xs)`",
            ),
            false => problem,
        }
    }

    /// The finding about a command that a port does not add, with the command that is meant.
    pub(super) fn of_another_interface(
        &self,
        problem: Diagnostic,
        at: Location,
        meant: (Symbol, InterfaceDef),
    ) -> Diagnostic {
        let (name, interface) = meant;
        problem
            .help(format!(
                "the port adds `{}`, with the command `{name}`",
                interface.0.name
            ))
            .fix(crate::diagnostics::Fix {
                safe: false,
                ..fixes::rename(at, name.as_str())
            })
    }
}
