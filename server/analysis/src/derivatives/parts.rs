//! What the values of a type can hold.

use std::collections::HashMap;
use std::sync::Arc;

use frank_syntax::stack::ensure_sufficient_stack;

use super::roles::same;
use crate::builtin;
use crate::db::Db;
use crate::declarations::{data_type, interface, is_made_by_machine};
use crate::infer::split_args;
use crate::infer::table::Table;
use crate::program::DataDef;
use crate::types::{AbilityData, Arg, Computation, Instance, Replacement, Ty, TyKind, Types};

/// So many data types are looked into for one question; types can grow without end.
const MOST: usize = 200;

/// Whether numbers go to a handler, and whether they come from it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Passes {
    pub out: bool,
    pub back: bool,
}

/// Types of the checker, copied with what their variables have come to stand for.
pub struct Parts<'a> {
    db: &'a dyn Db,
    table: &'a Table,
    types: Types,
    copied: HashMap<Ty, Ty>,
}

impl<'a> Parts<'a> {
    pub fn new(db: &'a dyn Db, table: &'a Table) -> Parts<'a> {
        Parts {
            db,
            table,
            types: Types::default(),
            copied: HashMap::new(),
        }
    }

    /// Whether a value of a type can hold a cell for values that have numbers of a type in them.
    pub fn has_cell_for(&mut self, ty: Ty, number: Ty) -> bool {
        let (ty, number) = (self.copy(ty), self.copy(number));
        self.cell_for(ty, number, &mut Vec::new())
    }

    /// Whether a value of a type can have a number of another type in it.
    pub fn has(&mut self, ty: Ty, number: Ty) -> bool {
        let (ty, number) = (self.copy(ty), self.copy(number));
        self.has_number(ty, number, &mut Vec::new())
    }

    /// Whether a value of a type consists of numbers of another type, among other things; what
    /// its cells and functions may give does not count.
    pub fn carries(&mut self, ty: Ty, number: Ty) -> bool {
        let (ty, number) = (self.copy(ty), self.copy(number));
        self.is_made_of(ty, number, &mut Vec::new())
    }

    /// Whether two types are those of functions that take and give the same.
    pub fn alike(&mut self, a: Ty, b: &Computation) -> bool {
        let TyKind::Computation(a) = self.table.kind(a) else {
            return false;
        };
        a.ports.len() == b.ports.len() && {
            let ports = a.ports.iter().zip(&b.ports);
            ports
                .map(|(a, b)| (a.ty, b.ty))
                .chain([(a.result, b.result)])
                .all(|(a, b)| {
                    let (a, b) = (self.copy(a), self.copy(b));
                    same(&self.types, a, b)
                })
        }
    }

    /// Whether what a type's values give when they are called has numbers in it that they can only
    /// have from elsewhere: they are given none, and cannot compute with them.
    pub fn brings(&mut self, ty: Ty, number: Ty) -> bool {
        let TyKind::Computation(function) = self.table.kind(ty) else {
            return false;
        };
        let AbilityData { instances, .. } = self.table.row(function.ability);
        let args = instances.iter().flat_map(|instance| &*instance.args);
        let of_instances = args.filter_map(|arg| match arg {
            Arg::Type(ty) => Some(*ty),
            Arg::Ability(_) => None,
        });
        let taken: Vec<Ty> = function
            .ports
            .iter()
            .map(|port| port.ty)
            .chain(of_instances)
            .collect();
        self.carries(function.result, number) && !taken.iter().any(|ty| self.has(*ty, number))
    }

    /// Whether a value of a type may have functions in it.
    pub fn has_function(&mut self, ty: Ty) -> bool {
        let ty = self.copy(ty);
        self.function_in(ty, &mut Vec::new())
    }

    fn function_in(&mut self, ty: Ty, seen: &mut Vec<Ty>) -> bool {
        match self.types.kind(ty).clone() {
            TyKind::Computation(_) | TyKind::Variable(_) | TyKind::Error => true,
            TyKind::Data(data, args) => {
                let in_arg = |arg: &Arg| matches!(arg, Arg::Type(_));
                let is_cell = data == builtin::reference(self.db) && args.iter().any(in_arg);
                let inner: Vec<Ty> = args
                    .iter()
                    .filter_map(|arg| match arg {
                        Arg::Type(ty) if is_cell => Some(*ty),
                        _ => None,
                    })
                    .chain(self.fields(ty, data, &args, seen))
                    .collect();
                inner.into_iter().any(|ty| self.function_in(ty, seen))
            }
            TyKind::Int | TyKind::Float | TyKind::Char | TyKind::Meta(_) => false,
        }
    }

    /// How numbers of a type go through the commands of an instance.
    pub fn passes(&mut self, instance: &Instance, number: Ty) -> Passes {
        let definition = instance.interface.0;
        let Some(declared) = interface(self.db, definition.scope, definition.name) else {
            return Passes::default();
        };
        let number = self.copy(number);
        let nothing = self.nothing();
        let unknown = self.types.ty(TyKind::Error);
        let mut values = Vec::new();
        let mut effects = Vec::new();
        for arg in instance.args.iter() {
            match arg {
                Arg::Type(ty) => values.push(self.copy(*ty)),
                Arg::Ability(_) => effects.push(nothing),
            }
        }
        let mut passes = Passes::default();
        for command in &declared.commands {
            let mut values = values.clone();
            // A command's own parameters stand for whatever a use of it brings.
            values.extend(command.params.values().map(|_| unknown));
            let with = Replacement {
                values: &values,
                effects: &effects,
            };
            for arg in &command.args {
                let arg = self.types.copy(&declared.types, *arg, with);
                passes.out |= self.has_number(arg, number, &mut Vec::new());
            }
            let result = self.types.copy(&declared.types, command.result, with);
            passes.back |= self.is_made_of(result, number, &mut Vec::new())
                || self.cell_for(result, number, &mut Vec::new());
        }
        passes
    }

    fn is_made_of(&mut self, ty: Ty, number: Ty, seen: &mut Vec<Ty>) -> bool {
        if same(&self.types, ty, number) {
            return true;
        }
        match self.types.kind(ty).clone() {
            TyKind::Data(data, args) if data != builtin::reference(self.db) => self
                .fields(ty, data, &args, seen)
                .into_iter()
                .any(|field| self.is_made_of(field, number, seen)),
            _ => false,
        }
    }

    fn cell_for(&mut self, ty: Ty, number: Ty, seen: &mut Vec<Ty>) -> bool {
        let TyKind::Data(data, args) = self.types.kind(ty).clone() else {
            return false;
        };
        if data == builtin::reference(self.db) {
            let inside = |arg: &Arg| match arg {
                Arg::Type(held) => Some(*held),
                Arg::Ability(_) => None,
            };
            let held: Vec<Ty> = args.iter().filter_map(inside).collect();
            return held.into_iter().any(|held| {
                self.has_number(held, number, &mut Vec::new()) || self.cell_for(held, number, seen)
            });
        }
        self.fields(ty, data, &args, seen)
            .into_iter()
            .any(|field| self.cell_for(field, number, seen))
    }

    fn has_number(&mut self, ty: Ty, number: Ty, seen: &mut Vec<Ty>) -> bool {
        if same(&self.types, ty, number) {
            return true;
        }
        match self.types.kind(ty).clone() {
            TyKind::Data(data, args) if data == builtin::reference(self.db) => args
                .iter()
                .any(|arg| matches!(arg, Arg::Type(ty) if self.has_number(*ty, number, seen))),
            TyKind::Data(data, args) => self
                .fields(ty, data, &args, seen)
                .into_iter()
                .any(|field| self.has_number(field, number, seen)),
            TyKind::Computation(computation) => {
                let ports = computation.ports.iter().map(|port| port.ty);
                ports
                    .chain([computation.result])
                    .any(|part| self.has_number(part, number, seen))
            }
            _ => false,
        }
    }

    /// The types of all fields of a data type, if it has not been seen.
    fn fields(&mut self, ty: Ty, data: DataDef, args: &[Arg], seen: &mut Vec<Ty>) -> Vec<Ty> {
        let known = seen.iter().any(|seen| same(&self.types, *seen, ty));
        let declared = data_type(self.db, data.0.scope, data.0.name).as_ref();
        let Some(declared) = declared.filter(|_| !known && seen.len() < MOST) else {
            return Vec::new();
        };
        seen.push(ty);
        let (values, effects) = split_args(args);
        // Cells are looked at by who asks.
        if data != builtin::reference(self.db) && is_made_by_machine(self.db, data) {
            return values;
        }
        let with = Replacement {
            values: &values,
            effects: &effects,
        };
        let fields = declared.constructors.iter().flat_map(|all| &all.fields);
        fields
            .map(|field| self.types.copy(&declared.types, *field, with))
            .collect()
    }

    /// A type of the checker. Abilities hold no values, so they are left out.
    fn copy(&mut self, ty: Ty) -> Ty {
        let ty = self.table.head(ty);
        if let Some(known) = self.copied.get(&ty) {
            return *known;
        }
        let copied = ensure_sufficient_stack(|| {
            let kind = match self.table.types.kind(ty) {
                TyKind::Data(data, args) => {
                    let mut copied = Vec::with_capacity(args.len());
                    for arg in args.iter() {
                        copied.push(match arg {
                            Arg::Type(ty) => Arg::Type(self.copy(*ty)),
                            Arg::Ability(_) => Arg::Ability(self.nothing()),
                        });
                    }
                    TyKind::Data(*data, copied.into())
                }
                TyKind::Computation(computation) => {
                    let mut copied = Computation::clone(computation);
                    for port in &mut copied.ports {
                        port.ty = self.copy(port.ty);
                        port.adjustments = Arc::from([]);
                    }
                    copied.result = self.copy(copied.result);
                    copied.ability = self.nothing();
                    TyKind::Computation(Arc::new(copied))
                }
                other => other.clone(),
            };
            self.types.ty(kind)
        });
        self.copied.insert(ty, copied);
        copied
    }

    fn nothing(&mut self) -> crate::types::Ability {
        self.types
            .ability(crate::types::Tail::Closed, Arc::from([]))
    }
}
