//! The definitions that the language itself refers to, whatever a program defines.

use frank_syntax::ast::Symbol;

use crate::db::{Db, Workspace};
use crate::program::{CommandDef, ConstructorDef, DataDef, Definition, InterfaceDef, OperatorDef};

fn definition(db: &dyn Db, name: &str) -> Definition {
    Definition { scope: Workspace::get(db).builtin(db), name: Symbol::new(name) }
}

fn constructor(db: &dyn Db, data: &str, index: u32, name: &str) -> ConstructorDef {
    ConstructorDef { data: DataDef(definition(db, data)), index, name: Symbol::new(name) }
}

pub fn list(db: &dyn Db) -> DataDef {
    DataDef(definition(db, "List"))
}

pub fn nil(db: &dyn Db) -> ConstructorDef {
    constructor(db, "List", 0, "nil")
}

pub fn cons(db: &dyn Db) -> ConstructorDef {
    constructor(db, "List", 1, "cons")
}

pub fn unit(db: &dyn Db) -> ConstructorDef {
    constructor(db, "Unit", 0, "unit")
}

pub fn bool(db: &dyn Db) -> DataDef {
    DataDef(definition(db, "Bool"))
}

pub fn true_(db: &dyn Db) -> ConstructorDef {
    constructor(db, "Bool", 0, "true")
}

pub fn false_(db: &dyn Db) -> ConstructorDef {
    constructor(db, "Bool", 1, "false")
}

pub fn reference(db: &dyn Db) -> DataDef {
    DataDef(definition(db, "Ref"))
}

/// `Console`, which the host answers.
pub fn console(db: &dyn Db) -> InterfaceDef {
    InterfaceDef(definition(db, "Console"))
}

/// `RefState`, which the host answers.
pub fn ref_state(db: &dyn Db) -> InterfaceDef {
    InterfaceDef(definition(db, "RefState"))
}

/// A command of one of the host's interfaces.
pub fn command(interface: InterfaceDef, index: u32, name: &str) -> CommandDef {
    CommandDef { interface, index, name: Symbol::new(name) }
}

pub fn operator(db: &dyn Db, name: &str) -> OperatorDef {
    OperatorDef(definition(db, name))
}
