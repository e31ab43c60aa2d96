//! Which commands a term may perform while it is evaluated.
//!
//! What an operator performs stands in its signature: the instances in its ability, and what the
//! computations do that are given to it. Where a term calls something of which that is not known,
//! it may perform anything.

use std::collections::BTreeSet;

use frank_syntax::ast::{Item, TermId, TermKind};
use la_arena::ArenaMap;

use crate::db::Db;
use crate::declarations::{interface, sound_signature};
use crate::infer::{Body, Resolved};
use crate::program::{CommandDef, InterfaceDef, OperatorDef, TermDef};
use crate::types::{Arg, RED_ZONE, STACK_PIECE, Ty, TyKind, Types};

/// Interfaces whose commands may be performed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Performed {
    Anything,
    /// Commands of these interfaces at most, by their numbers in [`Performs::interfaces`].
    Only(BTreeSet<usize>),
}

impl Performed {
    fn nothing() -> Performed {
        Performed::Only(BTreeSet::new())
    }

    fn add(&mut self, other: &Performed) {
        match (&mut *self, other) {
            (Performed::Anything, _) => {}
            (_, Performed::Anything) => *self = Performed::Anything,
            (Performed::Only(own), Performed::Only(others)) => own.extend(others),
        }
    }
}

/// Answers for the terms of one item, and remembers.
pub struct Performs<'a> {
    db: &'a dyn Db,
    item: &'a Item,
    body: &'a Body,
    known: ArenaMap<TermId, Performed>,
    /// The interfaces that have come up.
    interfaces: Vec<InterfaceDef>,
}

impl<'a> Performs<'a> {
    pub fn new(db: &'a dyn Db, item: &'a Item, body: &'a Body) -> Performs<'a> {
        Performs {
            db,
            item,
            body,
            known: ArenaMap::default(),
            interfaces: Vec::new(),
        }
    }

    /// Whether a term surely performs no command of an interface.
    pub fn never(&mut self, term: TermId, interface: InterfaceDef) -> bool {
        let number = self.number(interface);
        match self.term(term) {
            Performed::Anything => false,
            Performed::Only(all) => !all.contains(&number),
        }
    }

    fn number(&mut self, interface: InterfaceDef) -> usize {
        match self.interfaces.iter().position(|known| *known == interface) {
            Some(number) => number,
            None => {
                self.interfaces.push(interface);
                self.interfaces.len() - 1
            }
        }
    }

    fn term(&mut self, term: TermId) -> Performed {
        if let Some(known) = self.known.get(term) {
            return known.clone();
        }
        let found = stacker::maybe_grow(RED_ZONE, STACK_PIECE, || self.term_here(term));
        self.known.insert(term, found.clone());
        found
    }

    fn all(&mut self, terms: impl IntoIterator<Item = TermId>) -> Performed {
        let mut found = Performed::nothing();
        for term in terms {
            if found == Performed::Anything {
                break;
            }
            found.add(&self.term(term));
        }
        found
    }

    fn term_here(&mut self, term: TermId) -> Performed {
        let item = self.item;
        match &item.terms[term].kind {
            TermKind::Name(_)
            | TermKind::Thunk { .. }
            | TermKind::Natural(_)
            | TermKind::Float(_)
            | TermKind::Char(_)
            | TermKind::String(_) => Performed::nothing(),
            TermKind::Missing => Performed::Anything,
            TermKind::Apply { head, args } => self.call(*head, args),
            TermKind::Adapted { body, .. } => self.term(*body),
            TermKind::Let { bound, body, .. } => self.all([*bound, *body]),
            TermKind::Sequence { first, second } => self.all([*first, *second]),
            TermKind::Binary { left, right, .. } => self.all([*left, *right]),
            TermKind::Negate(operand) => self.term(*operand),
            TermKind::List(elements) => self.all(elements.iter().copied()),
        }
    }

    fn call(&mut self, head: TermId, args: &[TermId]) -> Performed {
        let Some(Resolved::Definition(definition)) = self.body.names.get(head) else {
            return Performed::Anything;
        };
        let mut found = match definition {
            TermDef::Constructor(_) => Performed::nothing(),
            TermDef::Command(command) => self.command(*command, args),
            TermDef::Operator(operator) => self.operator(*operator, args),
        };
        let evaluated = self.all(args.iter().copied());
        found.add(&evaluated);
        found
    }

    fn command(&mut self, command: CommandDef, args: &[TermId]) -> Performed {
        let definition = command.interface.0;
        let declared = interface(self.db, definition.scope, definition.name).as_ref();
        let types = declared.and_then(|d| Some((d, d.commands.get(command.index as usize)?)));
        let Some((declared, types)) = types else {
            return Performed::Anything;
        };
        let mut found = Performed::Only(BTreeSet::from([self.number(command.interface)]));
        for (arg, ty) in args.iter().zip(&types.args) {
            found.add(&self.run(*arg, &declared.types, *ty));
        }
        found
    }

    fn operator(&mut self, operator: OperatorDef, args: &[TermId]) -> Performed {
        let Some(signature) = sound_signature(self.db, operator.0.scope, operator.0.name) else {
            return Performed::Anything;
        };
        let row = signature.types.row(signature.computation.ability);
        let numbers = row
            .instances
            .iter()
            .map(|instance| self.number(instance.interface));
        let mut found = Performed::Only(numbers.collect());
        for (arg, port) in args.iter().zip(&signature.computation.ports) {
            found.add(&self.run(*arg, &signature.types, port.ty));
        }
        found
    }

    /// What an argument does when whoever takes it runs it.
    fn run(&mut self, arg: TermId, types: &Types, ty: Ty) -> Performed {
        if !may_run(types, ty) {
            return Performed::nothing();
        }
        let item = self.item;
        match &item.terms[arg].kind {
            TermKind::Thunk { clauses } => self.all(clauses.iter().map(|clause| clause.body)),
            TermKind::Name(_) => match self.body.names.get(arg) {
                Some(Resolved::Definition(TermDef::Operator(operator))) => self.value(*operator),
                Some(Resolved::Definition(TermDef::Command(command))) => {
                    Performed::Only(BTreeSet::from([self.number(command.interface)]))
                }
                _ => Performed::Anything,
            },
            _ => Performed::Anything,
        }
    }

    /// What an operator that is passed as a value does, whatever it is given.
    fn value(&mut self, operator: OperatorDef) -> Performed {
        let Some(signature) = sound_signature(self.db, operator.0.scope, operator.0.name) else {
            return Performed::Anything;
        };
        if signature
            .computation
            .ports
            .iter()
            .any(|port| may_run(&signature.types, port.ty))
        {
            return Performed::Anything;
        }
        let row = signature.types.row(signature.computation.ability);
        let numbers = row
            .instances
            .iter()
            .map(|instance| self.number(instance.interface));
        Performed::Only(numbers.collect())
    }
}

/// Whether a value of a type may hold a computation that whoever takes it, at this type, can run.
/// Of a type variable nothing can be run.
fn may_run(types: &Types, ty: Ty) -> bool {
    match types.kind(ty) {
        TyKind::Computation(_) => true,
        TyKind::Data(_, args) => args.iter().any(|arg| match arg {
            Arg::Type(ty) => may_run(types, *ty),
            Arg::Ability(_) => true,
        }),
        TyKind::Int | TyKind::Float | TyKind::Char | TyKind::Variable(_) => false,
        TyKind::Meta(_) | TyKind::Error => true,
    }
}
