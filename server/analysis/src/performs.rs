//! Which commands a term may perform while it is evaluated.
//!
//! What an operator performs stands in its signature: the instances in its ability, and what the
//! computations do that are given to it. Where a term calls something of which that is not known,
//! it may perform anything. An operator may also fail to match what it is given, and so perform
//! `abort`, which no signature says.

use std::collections::BTreeSet;

use frank_syntax::ast::{Item, TermId, TermKind};
use frank_syntax::stack::ensure_sufficient_stack;
use la_arena::ArenaMap;

use crate::db::Db;
use crate::declarations::{interface as declared_interface, is_abort, sound_signature};
use crate::infer::{Body, Resolved};
use crate::program::{CommandDef, InterfaceDef, OperatorDef, TermDef};
use crate::types::{Arg, Signature, Ty, TyKind, Types};

/// Stands among interfaces for whichever one has the `abort` of a match that fails.
const FAILED_MATCH: usize = usize::MAX;

/// Interfaces whose commands may be performed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Performed {
    Anything,
    /// Commands of these interfaces at most, by their numbers in [`Performs::interfaces`], or
    /// [`FAILED_MATCH`].
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
        let performed = self.term(term);
        self.lacks(&performed, interface)
    }

    /// Whether a term surely performs no command, but for the `abort` of a match that fails.
    pub fn nothing(&mut self, term: TermId) -> bool {
        match self.term(term) {
            Performed::Anything => false,
            Performed::Only(all) => all.iter().all(|interface| *interface == FAILED_MATCH),
        }
    }

    /// Whether a function that is written at a term surely performs no command of an interface
    /// when it is called.
    pub fn function_never(&mut self, function: TermId, interface: InterfaceDef) -> bool {
        let performed = self.function(function);
        self.lacks(&performed, interface)
    }

    fn lacks(&mut self, performed: &Performed, interface: InterfaceDef) -> bool {
        let number = self.number(interface);
        match performed {
            Performed::Anything => false,
            Performed::Only(all) if all.contains(&FAILED_MATCH) => {
                !all.contains(&number) && !self.has_abort(interface)
            }
            Performed::Only(all) => !all.contains(&number),
        }
    }

    /// Whether a match that fails may perform a command of an interface.
    fn has_abort(&self, interface: InterfaceDef) -> bool {
        let InterfaceDef(definition) = interface;
        let declared = declared_interface(self.db, definition.scope, definition.name).as_ref();
        let commands = declared.map_or(&[][..], |declared| &declared.commands);
        (0..).zip(commands).any(|(index, command)| {
            let name = command.name;
            is_abort(
                self.db,
                CommandDef {
                    interface,
                    index,
                    name,
                },
            )
        })
    }

    /// What the ability of a signature allows, and a match that fails.
    fn allowed(&mut self, signature: &Signature) -> Performed {
        let row = signature.types.row(signature.computation.ability);
        let instances = row.instances.iter();
        let numbers = instances.map(|instance| self.number(instance.interface));
        Performed::Only(numbers.chain([FAILED_MATCH]).collect())
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
        let found = ensure_sufficient_stack(|| self.term_here(term));
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
            TermKind::Thunk { .. } => Performed::nothing(),
            TermKind::Missing => Performed::Anything,
            TermKind::Apply { head, args } => self.call(*head, args),
            // The name may be that of a constructor, which the value need not be.
            TermKind::Let { bound, body, .. } => {
                let mut found = Performed::Only(BTreeSet::from([FAILED_MATCH]));
                found.add(&self.all([*bound, *body]));
                found
            }
            kind => self.all(kind.sub_terms()),
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
        let declared = declared_interface(self.db, definition.scope, definition.name).as_ref();
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
        let mut found = self.allowed(signature);
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
        self.function(arg)
    }

    /// What a function does when it is called.
    fn function(&mut self, function: TermId) -> Performed {
        let item = self.item;
        match &item.terms[function].kind {
            TermKind::Thunk { clauses } => {
                let mut found = Performed::Only(BTreeSet::from([FAILED_MATCH]));
                found.add(&self.all(clauses.iter().map(|clause| clause.body)));
                found
            }
            TermKind::Name(_) => match self.body.names.get(function) {
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
        self.allowed(signature)
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
