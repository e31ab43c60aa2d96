//! Where definitions are, what kind they are of, and what documents them.

use frank_analysis::db::{Db, ItemSource, item, item_name};
use frank_analysis::program::OperatorDef;
use frank_analysis::scopes::LocalKind;
use frank_syntax::ast::{Adjustment, CompType, Item, ItemKind, NodeId, ParamKind};
use frank_syntax::outline::doc_comment;
use text_size::TextRange;

use crate::names::Def;
use crate::{Analysis, FileRange};

/// The kinds of things that have names (LSP `SymbolKind` has fewer).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SymbolKind {
    File,
    Data,
    Constructor,
    Interface,
    Alias,
    Command,
    /// An operator with ports.
    Operator,
    /// An operator with ports that add instances: a handler.
    Handler,
    /// An operator without ports.
    Value,
    Local,
    /// The `k` of a command pattern, or the `m` of a catch-all.
    Continuation,
    TypeVariable,
    EffectVariable,
    AdaptorName,
    BuiltinType,
}

impl SymbolKind {
    /// The word for it in reports for programs.
    pub fn word(self) -> &'static str {
        match self {
            SymbolKind::File => "file",
            SymbolKind::Data | SymbolKind::BuiltinType => "data",
            SymbolKind::Constructor => "constructor",
            SymbolKind::Interface => "interface",
            SymbolKind::Alias => "alias",
            SymbolKind::Command => "command",
            SymbolKind::Operator => "operator",
            SymbolKind::Handler => "handler",
            SymbolKind::Value => "value",
            SymbolKind::Local | SymbolKind::Continuation | SymbolKind::AdaptorName => "local",
            SymbolKind::TypeVariable | SymbolKind::EffectVariable => "variable",
        }
    }
}

/// Where something is defined (LSP `LocationLink`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Target {
    /// All of the definition.
    pub full: FileRange,
    /// Its name.
    pub focus: FileRange,
}

/// The place that declares a definition: the item and the name in it.
pub(crate) fn declaration(db: &dyn Db, def: Def) -> Option<(ItemSource, NodeId)> {
    let of_item = |source: ItemSource| Some((source, item_name(db, source)?));
    match def {
        Def::Operator(operator) => {
            let items = operator.items(db);
            of_item(*items.signatures.first().or(items.clauses.first())?)
        }
        Def::Data(data) => of_item(data.item(db)?),
        Def::Interface(interface) => of_item(interface.item(db)?),
        Def::Alias(alias) => of_item(alias.item(db)?),
        Def::Constructor(constructor) => {
            let source = constructor.data.item(db)?;
            match &item(db, source).kind {
                ItemKind::Data { constructors, .. } => {
                    let written = constructors.get(constructor.index as usize)?;
                    Some((source, written.name.id))
                }
                _ => None,
            }
        }
        Def::Command(command) => {
            let source = command.interface.item(db)?;
            match &item(db, source).kind {
                ItemKind::Interface { commands, .. } => {
                    Some((source, commands.get(command.index as usize)?.name.id))
                }
                _ => None,
            }
        }
        Def::Local { item, binder, .. }
        | Def::TypeVariable { item, binder, .. }
        | Def::AdaptorName { item, binder } => Some((item, binder)),
        Def::BuiltinType(_) | Def::File(_) => None,
    }
}

impl Analysis {
    /// The target of a name in an item.
    pub(crate) fn target(&self, source: ItemSource, name: NodeId) -> Target {
        let view = self.view_of(source);
        let item = view.item();
        let whole = match &item.kind {
            ItemKind::Data { constructors, .. } => {
                let own = constructors
                    .iter()
                    .find(|constructor| constructor.name.id == name);
                own.map_or(item.id, |constructor| constructor.id)
            }
            ItemKind::Interface { commands, .. } => {
                let own = commands.iter().find(|command| command.name.id == name);
                own.map_or(item.id, |command| command.id)
            }
            _ if item_name(self.db(), source) == Some(name) => item.id,
            _ => name,
        };
        Target {
            full: view.file_range(whole),
            focus: view.file_range(name),
        }
    }

    /// Where a definition is declared.
    pub fn declared(&self, def: Def) -> Option<Target> {
        if let Def::File(file) = def {
            let start = FileRange {
                file,
                range: TextRange::default(),
            };
            return Some(Target {
                full: start,
                focus: start,
            });
        }
        let (source, name) = declaration(self.db(), def)?;
        Some(self.target(source, name))
    }

    /// The comment that documents a definition; that of its data type or interface for a
    /// constructor or a command.
    pub(crate) fn documentation(&self, def: Def) -> Option<String> {
        let db = self.db();
        match def {
            Def::Operator(operator) => {
                let items = operator.items(db);
                let mut all = items.signatures.iter().chain(&items.clauses);
                all.find_map(|source| doc_comment(source.text(db)))
            }
            Def::Data(_)
            | Def::Interface(_)
            | Def::Alias(_)
            | Def::Constructor(_)
            | Def::Command(_) => {
                let (source, _) = declaration(db, def)?;
                doc_comment(source.text(db))
            }
            _ => None,
        }
    }

    /// What kind of thing a definition is.
    pub(crate) fn symbol_kind(&self, def: Def) -> SymbolKind {
        match def {
            Def::Operator(operator) => operator_kind(self.db(), operator),
            Def::Constructor(_) => SymbolKind::Constructor,
            Def::Command(_) => SymbolKind::Command,
            Def::Data(_) => SymbolKind::Data,
            Def::Interface(_) => SymbolKind::Interface,
            Def::Alias(_) => SymbolKind::Alias,
            Def::Local {
                kind: LocalKind::Continuation | LocalKind::CatchAll,
                ..
            } => SymbolKind::Continuation,
            Def::Local { .. } => SymbolKind::Local,
            Def::TypeVariable {
                kind: ParamKind::Value,
                ..
            } => SymbolKind::TypeVariable,
            Def::TypeVariable {
                kind: ParamKind::Effect,
                ..
            } => SymbolKind::EffectVariable,
            Def::AdaptorName { .. } => SymbolKind::AdaptorName,
            Def::BuiltinType(_) => SymbolKind::BuiltinType,
            Def::File(_) => SymbolKind::File,
        }
    }
}

/// The kind of an operator, from its signature, or from its first clause where it has none.
pub(crate) fn operator_kind(db: &dyn Db, operator: OperatorDef) -> SymbolKind {
    let items = operator.items(db);
    let Some(source) = items.signatures.first().or(items.clauses.first()) else {
        return SymbolKind::Operator;
    };
    kind_of_item(item(db, *source))
}

/// The kind of what an item defines.
pub(crate) fn kind_of_item(item: &Item) -> SymbolKind {
    match &item.kind {
        ItemKind::Signature { ty, .. } => kind_of_type(ty),
        ItemKind::Clause { clause, .. } => {
            let mut patterns = clause.patterns.iter();
            let handles = patterns.any(|pattern| item.patterns[*pattern].kind.handles());
            match clause.patterns.is_empty() {
                true => SymbolKind::Value,
                false if handles => SymbolKind::Handler,
                false => SymbolKind::Operator,
            }
        }
        _ => SymbolKind::Operator,
    }
}

/// The kind of an operator of a type.
pub(crate) fn kind_of_type(ty: &CompType) -> SymbolKind {
    let adds = |adjustment: &Adjustment| matches!(adjustment, Adjustment::Instance(_));
    match ty.ports.is_empty() {
        true => SymbolKind::Value,
        false
            if ty
                .ports
                .iter()
                .any(|port| port.adjustments.iter().any(adds)) =>
        {
            SymbolKind::Handler
        }
        false => SymbolKind::Operator,
    }
}
