//! Which types have values.
//!
//! A data type without constructors has none, and neither has a constructor with an argument of
//! such a type. What a program says about that is the least of what its declarations allow:
//! `data Loop = loop Loop` has no values, for there is none to begin with.

use std::cell::RefCell;
use std::collections::HashMap;

use crate::db::Db;
use crate::declarations::{data_type, interface, is_made_by_machine};
use crate::infer::table::Table;
use crate::program::{CommandDef, ConstructorDef, DataDef};
use crate::types::{Arg, DataType, Instance, Ty, TyKind, Types};

/// A data type, with which of its value parameters stand for types that have values.
type Key = (DataDef, Vec<bool>);

/// Answers which types have values, and remembers.
pub struct Inhabited<'a> {
    db: &'a dyn Db,
    known: RefCell<HashMap<Key, bool>>,
}

/// So deep at most types are followed; what is deeper counts as having values.
const DEEPEST: u32 = 60;

impl<'a> Inhabited<'a> {
    pub fn new(db: &'a dyn Db) -> Inhabited<'a> {
        Inhabited {
            db,
            known: RefCell::default(),
        }
    }

    /// Whether a type has values. A type that is not decided, or that a caller chooses, may.
    pub fn ty(&self, table: &Table, ty: Ty) -> bool {
        self.of_table(table, ty, DEEPEST)
    }

    fn of_table(&self, table: &Table, ty: Ty, depth: u32) -> bool {
        match table.kind(ty) {
            TyKind::Data(data, args) if depth > 0 => self.trivially(*data).unwrap_or_else(|| {
                let flags = self.flags(table, args, depth - 1);
                self.data((*data, flags))
            }),
            _ => true,
        }
    }

    fn flags(&self, table: &Table, args: &[Arg], depth: u32) -> Vec<bool> {
        let values = args.iter().filter_map(|arg| match arg {
            Arg::Type(ty) => Some(self.of_table(table, *ty, depth)),
            Arg::Ability(_) => None,
        });
        values.collect()
    }

    /// Whether a constructor has values, for arguments of its data type that are known.
    pub fn constructor(
        &self,
        table: &Table,
        constructor: ConstructorDef,
        args: Option<&[Arg]>,
    ) -> bool {
        let Some(declared) = self.declared(constructor.data) else {
            return true;
        };
        let Some(made) = declared.constructors.get(constructor.index as usize) else {
            return true;
        };
        if made.fields.is_empty() {
            return true;
        }
        let flags = args.map_or_else(Vec::new, |args| self.flags(table, args, DEEPEST));
        made.fields
            .iter()
            .all(|field| self.field(&declared.types, *field, &flags))
    }

    /// Whether a command of an instance can be performed: there are values for its arguments.
    pub fn command(&self, table: &Table, command: CommandDef, instance: &Instance) -> bool {
        let definition = command.interface.0;
        let declared = interface(self.db, definition.scope, definition.name).as_deref();
        let Some(declared) = declared else {
            return true;
        };
        let Some(types) = declared.commands.get(command.index as usize) else {
            return true;
        };
        if types.args.is_empty() {
            return true;
        }
        let flags = self.flags(table, &instance.args, DEEPEST);
        types
            .args
            .iter()
            .all(|arg| self.field(&declared.types, *arg, &flags))
    }

    fn declared(&self, data: DataDef) -> Option<&'a DataType> {
        data_type(self.db, data.0.scope, data.0.name).as_deref()
    }

    /// The answer that needs no look at arguments: for most data types.
    fn trivially(&self, data: DataDef) -> Option<bool> {
        if is_made_by_machine(self.db, data) {
            return Some(true);
        }
        let declared = self.declared(data)?;
        if declared.constructors.is_empty() {
            return Some(false);
        }
        let plain = declared
            .constructors
            .iter()
            .any(|made| made.fields.is_empty());
        plain.then_some(true)
    }

    /// Whether a declared type has values, given the same of the parameters around it.
    fn field(&self, types: &Types, ty: Ty, flags: &[bool]) -> bool {
        match types.kind(ty) {
            TyKind::Variable(index) => flags.get(*index as usize).copied().unwrap_or(true),
            TyKind::Data(data, args) => self
                .trivially(*data)
                .unwrap_or_else(|| self.data((*data, self.inner_flags(types, args, flags)))),
            _ => true,
        }
    }

    fn inner_flags(&self, types: &Types, args: &[Arg], flags: &[bool]) -> Vec<bool> {
        let values = args.iter().filter_map(|arg| match arg {
            Arg::Type(ty) => Some(self.field(types, *ty, flags)),
            Arg::Ability(_) => None,
        });
        values.collect()
    }

    /// The least solution of what the declarations reachable from one say of each other.
    fn data(&self, key: Key) -> bool {
        if let Some(known) = self.known.borrow().get(&key) {
            return *known;
        }
        // While a question is open its answer is no; what depends on that is asked again, until
        // nothing changes. Every round turns an answer to yes, so there are few.
        let mut solving = Solving {
            inhabited: self,
            answers: HashMap::new(),
        };
        loop {
            let before = solving.yes();
            let asked: Vec<Key> = solving
                .answers
                .keys()
                .cloned()
                .chain([key.clone()])
                .collect();
            for one in asked {
                solving.ask(&one, DEEPEST);
            }
            if solving.yes() == before {
                break;
            }
        }
        let answers = solving.answers;
        let answer = answers.get(&key).copied().unwrap_or(false);
        self.known.borrow_mut().extend(answers);
        answer
    }
}

struct Solving<'i, 'a> {
    inhabited: &'i Inhabited<'a>,
    answers: HashMap<Key, bool>,
}

impl Solving<'_, '_> {
    fn yes(&self) -> (usize, usize) {
        (
            self.answers.len(),
            self.answers.values().filter(|yes| **yes).count(),
        )
    }

    /// Looks at a data type's constructors once, with the answers so far.
    fn ask(&mut self, key: &Key, depth: u32) -> bool {
        if self.answers.get(key) == Some(&true) {
            return true;
        }
        self.answers.insert(key.clone(), false);
        let Some(declared) = self.inhabited.declared(key.0) else {
            self.answers.insert(key.clone(), true);
            return true;
        };
        let yes = declared.constructors.iter().any(|made| {
            made.fields
                .iter()
                .all(|field| self.field(&declared.types, *field, &key.1, depth))
        });
        if yes {
            self.answers.insert(key.clone(), true);
        }
        yes
    }

    fn field(&mut self, types: &Types, ty: Ty, flags: &[bool], depth: u32) -> bool {
        match types.kind(ty) {
            TyKind::Variable(index) => flags.get(*index as usize).copied().unwrap_or(true),
            TyKind::Data(data, args) => {
                if let Some(answer) = self.inhabited.trivially(*data) {
                    return answer;
                }
                if depth == 0 {
                    return true;
                }
                let mut inner = Vec::new();
                for arg in args.iter() {
                    if let Arg::Type(ty) = arg {
                        inner.push(self.field(types, *ty, flags, depth - 1));
                    }
                }
                let key = (*data, inner);
                match self.answers.get(&key) {
                    Some(answer) => *answer,
                    None => self.ask(&key, depth - 1),
                }
            }
            _ => true,
        }
    }
}
