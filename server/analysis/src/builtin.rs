//! The definitions that the language itself refers to, whatever a program defines.

use frank_syntax::ast::Symbol;

use crate::db::{Db, Workspace};
use crate::program::{CommandDef, ConstructorDef, DataDef, Definition, InterfaceDef, OperatorDef};
use crate::types::{Constructor, TyKind};

fn definition(db: &dyn Db, name: &str) -> Definition {
    Definition {
        scope: Workspace::get(db).builtin(db),
        name: Symbol::new(name),
    }
}

fn constructor(db: &dyn Db, data: &str, index: u32, name: &str) -> ConstructorDef {
    ConstructorDef {
        data: DataDef(definition(db, data)),
        index,
        name: Symbol::new(name),
    }
}

pub fn list(db: &dyn Db) -> DataDef {
    DataDef(definition(db, "List"))
}

pub fn case(db: &dyn Db) -> OperatorDef {
    OperatorDef(definition(db, "case"))
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

pub fn true_(db: &dyn Db) -> ConstructorDef {
    constructor(db, "Bool", 0, "true")
}

pub fn false_(db: &dyn Db) -> ConstructorDef {
    constructor(db, "Bool", 1, "false")
}

/// The constructors of the library that stand for another one of their type, with that one. To
/// programs they look like it: its patterns match them, and they are printed as it. So a program
/// that takes dual numbers apart need not know that some of them are constants.
const STANDING: &[(&str, &str)] = &[
    ("inactive", "dual"),
    ("markedDual", "dual"),
    ("markedProp", "prop"),
    ("markedPropm", "propm"),
];

/// The constructors of a type of the library that stand for another one of it, with that one, as
/// numbers among all of them.
pub fn standing(all: &[Constructor]) -> Vec<(u32, u32)> {
    let number = |wanted: &str| (0..).zip(all).find(|(_, one)| one.name.as_str() == wanted);
    let standing = STANDING.iter();
    let standing = standing.filter_map(|(own, other)| Some((number(own)?.0, number(other)?.0)));
    standing.collect()
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

/// The library's `Picture`, which the host answers; it is only there for programs that include `picture`.
pub fn picture(db: &dyn Db) -> Option<InterfaceDef> {
    let library = Workspace::get(db).library(db);
    let scope = library.get(&Symbol::new("picture")).copied()?;
    let name = Symbol::new("Picture");
    Some(InterfaceDef(Definition { scope, name }))
}

/// The interfaces of which the host answers one instance each.
pub fn answered(db: &dyn Db) -> Vec<InterfaceDef> {
    let mut all = vec![console(db), ref_state(db)];
    all.extend(picture(db));
    all
}

/// A command of one of the host's interfaces.
pub fn command(interface: InterfaceDef, index: u32, name: &str) -> CommandDef {
    CommandDef {
        interface,
        index,
        name: Symbol::new(name),
    }
}

pub fn operator(db: &dyn Db, name: &str) -> OperatorDef {
    OperatorDef(definition(db, name))
}

/// Whether a type is `Unit`.
pub fn is_unit(db: &dyn Db, ty: &TyKind) -> bool {
    matches!(ty, TyKind::Data(data, _) if *data == unit(db).data)
}
