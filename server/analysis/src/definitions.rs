//! What definitions are known by: never by their position, always by scope and name.

use frank_syntax::ast::{NodeId, Symbol};

use crate::db::{ItemSource, SourceFile};

/// A definition: the scope it belongs to and its name there. The scope is the root of the user's
/// program, or a library file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Definition {
    pub scope: SourceFile,
    pub name: Symbol,
}

/// A data type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DataDef(pub Definition);

/// An interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct InterfaceDef(pub Definition);

/// An interface alias.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AliasDef(pub Definition);

/// An operator. It need not exist: asked about one that does not, queries answer `None` or nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct OperatorDef(pub Definition);

/// A constructor: its data type and its position there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ConstructorDef {
    pub data: DataDef,
    pub index: u32,
    pub name: Symbol,
}

/// A command: its interface and its position there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CommandDef {
    pub interface: InterfaceDef,
    pub index: u32,
    pub name: Symbol,
}

/// What a name in a term can mean, apart from a local variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TermDef {
    Operator(OperatorDef),
    Constructor(ConstructorDef),
    Command(CommandDef),
}

impl TermDef {
    /// The defined name.
    pub fn name(self) -> Symbol {
        match self {
            TermDef::Operator(operator) => operator.0.name,
            TermDef::Constructor(constructor) => constructor.name,
            TermDef::Command(command) => command.name,
        }
    }

    /// The scope that the definition belongs to.
    pub fn scope(self) -> SourceFile {
        match self {
            TermDef::Operator(operator) => operator.0.scope,
            TermDef::Constructor(constructor) => constructor.data.0.scope,
            TermDef::Command(command) => command.interface.0.scope,
        }
    }
}

/// What a name in an ability or an adjustment can mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RowDef {
    Interface(InterfaceDef),
    Alias(AliasDef),
}

/// The items of one operator, in the order of the program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OperatorItems {
    pub signatures: Vec<ItemSource>,
    pub clauses: Vec<ItemSource>,
}

/// A definition of a name in the namespace of terms, where it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TermEntry {
    pub def: TermDef,
    pub item: ItemSource,
    /// The defined name in `item`; `None` stands for the name of the item itself.
    pub node: Option<NodeId>,
}
