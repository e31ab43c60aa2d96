//! What the values of a type can hold.

use std::collections::HashMap;
use std::sync::Arc;

use super::roles::same;
use crate::builtin;
use crate::db::Db;
use crate::declarations::data_type;
use crate::infer::table::Table;
use crate::program::DataDef;
use crate::types::{Arg, RED_ZONE, Replacement, STACK_PIECE, Ty, TyKind, Types};

/// So many data types are looked into for one question; types can grow without end.
const MOST: usize = 200;

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
        let mut values = Vec::new();
        let mut effects = Vec::new();
        for arg in args {
            match arg {
                Arg::Type(ty) => values.push(*ty),
                Arg::Ability(ability) => effects.push(*ability),
            }
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
        let copied = stacker::maybe_grow(RED_ZONE, STACK_PIECE, || {
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
                    let mut copied = crate::types::Computation::clone(computation);
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
