//! The definitions that the language itself refers to, whatever a program defines.

use frank_core::Outside;
use frank_syntax::ast::Symbol;

use crate::db::{Db, Origin, SourceFile, Workspace};
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

/// The name by which an `include` means a file of the library; nothing for files that are not the library's. A copy of one,
/// under its name and item by item the same, is the library's, too: what has no clauses there the machine computes.
pub fn library_name(db: &dyn Db, file: SourceFile) -> Option<&str> {
    let name = file.path(db).rsplit('/').next()?.strip_suffix(".fk")?;
    match file.origin(db) {
        Origin::Library => Some(name),
        Origin::Workspace => is_copy(db, file, Symbol::new(name)).then_some(name),
    }
}

/// Whether a file has the items of the library's file of that name.
#[salsa::tracked]
fn is_copy(db: &dyn Db, file: SourceFile, name: Symbol) -> bool {
    let workspace = Workspace::get(db);
    let builtin = workspace.builtin(db);
    let original = match library_name(db, builtin) == Some(name.as_str()) {
        true => Some(builtin),
        false => workspace.library(db).get(&name).copied(),
    };
    original.is_some_and(|original| {
        let texts = |file: SourceFile| {
            let entries = file.outline(db).iter();
            entries.map(|entry| entry.item.text(db))
        };
        texts(file).eq(texts(original))
    })
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
    of_library(db, "picture", "Picture").map(InterfaceDef)
}

/// The interface of a command for files, input, arguments or clocks.
pub fn outside(db: &dyn Db, asked: Outside) -> Option<InterfaceDef> {
    let (library, name) = asked.home();
    of_library(db, library, name).map(InterfaceDef)
}

/// The prelude's `Maybe`.
pub fn maybe(db: &dyn Db) -> Option<DataDef> {
    of_library(db, "prelude", "Maybe").map(DataDef)
}

/// The prelude's `Either`.
pub fn either(db: &dyn Db) -> Option<DataDef> {
    of_library(db, "prelude", "Either").map(DataDef)
}

/// What a file of the library defines by a name, where there is that file.
fn of_library(db: &dyn Db, library: &str, name: &str) -> Option<Definition> {
    let files = Workspace::get(db).library(db);
    let scope = files.get(&Symbol::new(library)).copied()?;
    let name = Symbol::new(name);
    Some(Definition { scope, name })
}

/// The interfaces of which the host answers one instance each.
pub fn answered(db: &dyn Db) -> Vec<InterfaceDef> {
    let mut all = vec![console(db), ref_state(db)];
    all.extend(picture(db));
    for asked in Outside::ALL {
        let interface = outside(db, asked);
        all.extend(interface.filter(|interface| !all.contains(interface)));
    }
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
