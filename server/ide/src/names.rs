//! Every name of an item and what it means.
//!
//! The meaning of a name never depends on types, so nothing here infers any: an item of a large
//! file is read in microseconds.

use std::collections::HashMap;

use frank_analysis::db::{Db, ItemSource, SourceFile, parsed};
use frank_analysis::program::{
    AliasDef, CommandDef, ConstructorDef, DataDef, Definition, InterfaceDef, OperatorDef, RowDef,
    TermDef, resolve_data, resolve_include, resolve_row, resolve_term, scope_files,
};
use frank_analysis::program_roots::programs_of;
use frank_analysis::scopes::{Binder, LocalKind, Scopes};
use frank_syntax::ast::tree::{Node, for_each};
use frank_syntax::ast::{
    AbilityExpr, AdaptorExpr, Adjustment, CompType, InstanceExpr, Item, ItemKind, Name, NodeId,
    Param, ParamKind, PatternId, PatternKind, SourceMap, Symbol, Tail, TermId, TermKind, TypeArg,
    TypeId, TypeKind,
};
use text_size::TextRange;

/// What a name means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Def {
    Operator(OperatorDef),
    Constructor(ConstructorDef),
    Command(CommandDef),
    Data(DataDef),
    Interface(InterfaceDef),
    Alias(AliasDef),
    /// A local variable, known by the place that binds it.
    Local {
        item: ItemSource,
        binder: NodeId,
        kind: LocalKind,
    },
    /// A type or effect variable of a signature, or a parameter; known by its first place.
    TypeVariable {
        item: ItemSource,
        binder: NodeId,
        kind: ParamKind,
    },
    /// A name for an instance, or for the rest of them, inside one adaptor.
    AdaptorName {
        item: ItemSource,
        binder: NodeId,
    },
    /// `Int`, `Float`, `Char`, `String`.
    BuiltinType(Symbol),
    /// The file that an `include` names.
    File(SourceFile),
}

impl From<TermDef> for Def {
    fn from(def: TermDef) -> Def {
        match def {
            TermDef::Operator(operator) => Def::Operator(operator),
            TermDef::Constructor(constructor) => Def::Constructor(constructor),
            TermDef::Command(command) => Def::Command(command),
        }
    }
}

impl From<RowDef> for Def {
    fn from(def: RowDef) -> Def {
        match def {
            RowDef::Interface(interface) => Def::Interface(interface),
            RowDef::Alias(alias) => Def::Alias(alias),
        }
    }
}

impl Def {
    /// The scope of a definition of a program; `None` for what belongs to one item.
    pub fn scope(self) -> Option<SourceFile> {
        Some(match self {
            Def::Operator(def) => def.0.scope,
            Def::Constructor(def) => def.data.0.scope,
            Def::Command(def) => def.interface.0.scope,
            Def::Data(def) => def.0.scope,
            Def::Interface(def) => def.0.scope,
            Def::Alias(def) => def.0.scope,
            _ => return None,
        })
    }

    /// The same definition, as another program that shares its file knows it.
    pub fn in_scope(self, scope: SourceFile) -> Def {
        let moved = |def: Definition| Definition {
            scope,
            name: def.name,
        };
        match self {
            Def::Operator(def) => Def::Operator(OperatorDef(moved(def.0))),
            Def::Constructor(def) => Def::Constructor(ConstructorDef {
                data: DataDef(moved(def.data.0)),
                ..def
            }),
            Def::Command(def) => Def::Command(CommandDef {
                interface: InterfaceDef(moved(def.interface.0)),
                ..def
            }),
            Def::Data(def) => Def::Data(DataDef(moved(def.0))),
            Def::Interface(def) => Def::Interface(InterfaceDef(moved(def.0))),
            Def::Alias(def) => Def::Alias(AliasDef(moved(def.0))),
            other => other,
        }
    }
}

/// What a name does where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// It defines: the name of a data type, of a command, of a signature, a bound variable.
    Definition,
    /// The name in front of an operator's clause.
    Clause,
    /// It is used.
    Use,
    /// A constructor in a pattern.
    Match,
    /// A command in a pattern, which handles it.
    Handle,
}

/// A name where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Occurrence {
    pub node: NodeId,
    /// Relative to the item's first byte.
    pub range: TextRange,
    pub name: Symbol,
    pub def: Def,
    pub role: Role,
}

/// The program in which a file is looked at: the first of those it is part of, or, for a file of
/// the library, the file itself.
pub fn scope_of(db: &dyn Db, file: SourceFile) -> SourceFile {
    programs_of(db, file).first().copied().unwrap_or(file)
}

/// The three kinds of names that definitions have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Namespace {
    /// Constructors, commands and operators.
    Terms,
    Data,
    /// Interfaces and aliases.
    Rows,
}

/// A definition that is looked at under another name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Renaming {
    pub namespace: Namespace,
    pub old: Symbol,
    pub new: Symbol,
}

/// All names of an item that mean something, in the order of the text.
pub fn occurrences(db: &dyn Db, scope: SourceFile, source: ItemSource) -> Vec<Occurrence> {
    let parsed = parsed(db, source);
    occurrences_in(db, scope, source, (&parsed.item, &parsed.source_map), None)
}

/// The names of an item as they would be: with another text, and with a definition of the program
/// under another name. What is renamed is known by its old name all the same.
pub(crate) fn occurrences_in(
    db: &dyn Db,
    scope: SourceFile,
    source: ItemSource,
    (item, map): (&Item, &SourceMap),
    renaming: Option<Renaming>,
) -> Vec<Occurrence> {
    let mut resolver = Resolver {
        db,
        scope,
        source,
        item,
        renaming,
        found: Vec::new(),
        variables: HashMap::new(),
        open: false,
    };
    resolver.item();
    if item.body().is_some() {
        resolver.terms();
    }
    let mut found = resolver.found;
    for occurrence in &mut found {
        occurrence.range = map.range(occurrence.node);
    }
    found.sort_by_key(|occurrence| occurrence.range.start());
    if let ItemKind::Signature { .. } = item.kind {
        first_places(&mut found);
    }
    found
}

/// Makes the first place of each variable of a signature the one that it is known by. The order
/// of the tree is not that of the text where an ability stands in front of its braces.
fn first_places(found: &mut [Occurrence]) {
    let mut first: HashMap<Def, NodeId> = HashMap::new();
    for occurrence in found {
        if let Def::TypeVariable { item, kind, .. } = occurrence.def {
            let node = occurrence.node;
            let known = first.entry(occurrence.def);
            if matches!(known, std::collections::hash_map::Entry::Vacant(_)) {
                occurrence.role = Role::Definition;
            }
            let binder = *known.or_insert(node);
            occurrence.def = Def::TypeVariable { item, binder, kind };
        }
    }
}

struct Resolver<'db> {
    db: &'db dyn Db,
    scope: SourceFile,
    source: ItemSource,
    item: &'db Item,
    renaming: Option<Renaming>,
    found: Vec<Occurrence>,
    variables: HashMap<(Symbol, ParamKind), NodeId>,
    /// Unbound names in types are variables, as in signatures.
    open: bool,
}

impl<'db> Resolver<'db> {
    fn push(&mut self, name: &Name, def: Def, role: Role) {
        self.found.push(Occurrence {
            node: name.id,
            range: TextRange::default(),
            name: name.symbol,
            def,
            role,
        });
    }

    /// The name that a definition of the program is known by.
    fn known(&self, namespace: Namespace, name: Symbol) -> Symbol {
        match self.renaming {
            Some(renaming) if renaming.namespace == namespace && renaming.new == name => {
                renaming.old
            }
            _ => name,
        }
    }

    fn here(&self, namespace: Namespace, name: &Name) -> Definition {
        Definition {
            scope: self.scope,
            name: self.known(namespace, name.symbol),
        }
    }

    /// Whether the program has lost a name because its definition is renamed.
    fn lost(&self, namespace: Namespace, name: Symbol) -> bool {
        self.renaming.is_some_and(|renaming| {
            renaming.namespace == namespace && renaming.old == name && renaming.new != name
        })
    }

    fn resolve_term(&self, name: Symbol) -> Option<TermDef> {
        if self.lost(Namespace::Terms, name) {
            return self.in_libraries(|library| resolve_term(self.db, library, name));
        }
        resolve_term(self.db, self.scope, self.known(Namespace::Terms, name))
    }

    fn resolve_data(&self, name: Symbol) -> Option<DataDef> {
        if self.lost(Namespace::Data, name) {
            return self.in_libraries(|library| resolve_data(self.db, library, name));
        }
        resolve_data(self.db, self.scope, self.known(Namespace::Data, name))
    }

    fn resolve_row(&self, name: Symbol) -> Option<RowDef> {
        if self.lost(Namespace::Rows, name) {
            return self.in_libraries(|library| resolve_row(self.db, library, name));
        }
        resolve_row(self.db, self.scope, self.known(Namespace::Rows, name))
    }

    fn in_libraries<T>(&self, find: impl FnMut(SourceFile) -> Option<T>) -> Option<T> {
        scope_files(self.db, self.scope)
            .1
            .iter()
            .copied()
            .find_map(find)
    }

    fn item(&mut self) {
        let item = self.item;
        match &item.kind {
            ItemKind::Data {
                name,
                params,
                constructors,
            } => {
                let data = DataDef(self.here(Namespace::Data, name));
                self.push(name, Def::Data(data), Role::Definition);
                params.iter().for_each(|param| self.param(param));
                for (index, constructor) in constructors.iter().enumerate() {
                    let def = ConstructorDef {
                        data,
                        index: index as u32,
                        name: self.known(Namespace::Terms, constructor.name.symbol),
                    };
                    self.push(&constructor.name, Def::Constructor(def), Role::Definition);
                    constructor.args.iter().for_each(|ty| self.ty(*ty));
                }
            }
            ItemKind::Interface {
                name,
                params,
                commands,
            } => {
                let interface = InterfaceDef(self.here(Namespace::Rows, name));
                self.push(name, Def::Interface(interface), Role::Definition);
                params.iter().for_each(|param| self.param(param));
                for (index, command) in commands.iter().enumerate() {
                    let name = self.known(Namespace::Terms, command.name.symbol);
                    let def = CommandDef {
                        interface,
                        index: index as u32,
                        name,
                    };
                    self.push(&command.name, Def::Command(def), Role::Definition);
                    let outer = self.variables.clone();
                    command.params.iter().for_each(|param| self.param(param));
                    command.args.iter().for_each(|ty| self.ty(*ty));
                    self.ty(command.result);
                    self.variables = outer;
                }
            }
            ItemKind::Alias {
                name,
                params,
                instances,
            } => {
                let alias = Def::Alias(AliasDef(self.here(Namespace::Rows, name)));
                self.push(name, alias, Role::Definition);
                params.iter().for_each(|param| self.param(param));
                instances
                    .iter()
                    .for_each(|instance| self.instance(instance));
            }
            ItemKind::Include { name } => {
                let file = self.source.file(self.db);
                if let Some(included) = resolve_include(self.db, file, name.symbol) {
                    self.push(name, Def::File(included), Role::Use);
                }
            }
            ItemKind::Signature { name, ty } => {
                let operator = Def::Operator(OperatorDef(self.here(Namespace::Terms, name)));
                self.push(name, operator, Role::Definition);
                self.open = true;
                self.computation(ty);
            }
            ItemKind::Clause { name, .. } => {
                let operator = Def::Operator(OperatorDef(self.here(Namespace::Terms, name)));
                self.push(name, operator, Role::Clause);
            }
            ItemKind::Term(_) | ItemKind::Broken => {}
        }
    }

    // Types

    fn param(&mut self, param: &Param) {
        self.variables
            .entry((param.name.symbol, param.kind))
            .or_insert(param.name.id);
        let def = self.variable(param.name.id, param.kind);
        self.push(&param.name, def, Role::Definition);
    }

    fn variable(&self, binder: NodeId, kind: ParamKind) -> Def {
        Def::TypeVariable {
            item: self.source,
            binder,
            kind,
        }
    }

    fn ty(&mut self, id: TypeId) {
        match &self.item.types[id].kind {
            TypeKind::Missing => {}
            TypeKind::Computation(computation) => self.computation(computation),
            TypeKind::Name {
                name,
                args,
                parenthesised,
            } => {
                if let Some(def) = self.type_name(name, args.is_empty(), *parenthesised) {
                    self.push(name, def, Role::Use);
                }
                self.args(args);
            }
        }
    }

    fn type_name(&mut self, name: &Name, alone: bool, parenthesised: bool) -> Option<Def> {
        let data = self.resolve_data(name.symbol);
        let key = (name.symbol, ParamKind::Value);
        if let Some(binder) = self.variables.get(&key)
            && !(parenthesised && data.is_some())
        {
            return Some(self.variable(*binder, ParamKind::Value));
        }
        if let Some(data) = data {
            return Some(Def::Data(data));
        }
        if matches!(name.symbol.as_str(), "Int" | "Float" | "Char" | "String") {
            return Some(Def::BuiltinType(name.symbol));
        }
        if !self.open || !alone {
            return None;
        }
        self.variables.insert(key, name.id);
        Some(self.variable(name.id, ParamKind::Value))
    }

    fn args(&mut self, args: &[TypeArg]) {
        for arg in args {
            match arg {
                TypeArg::Type(ty) => self.ty(*ty),
                TypeArg::Ability(ability) => self.ability(ability),
            }
        }
    }

    fn computation(&mut self, computation: &CompType) {
        for port in &computation.ports {
            for adjustment in &port.adjustments {
                match adjustment {
                    Adjustment::Adaptor(adaptor) => self.adaptor(adaptor),
                    Adjustment::Instance(instance) => self.instance(instance),
                }
            }
            self.ty(port.ty);
        }
        if let Some(ability) = &computation.peg.ability {
            self.ability(ability);
        }
        self.ty(computation.peg.ty);
    }

    fn ability(&mut self, ability: &AbilityExpr) {
        if let Tail::Named(name) = &ability.tail {
            let key = (name.symbol, ParamKind::Effect);
            let binder = match self.variables.get(&key) {
                Some(binder) => Some(*binder),
                None if self.open => {
                    self.variables.insert(key, name.id);
                    Some(name.id)
                }
                None => None,
            };
            if let Some(binder) = binder {
                let def = self.variable(binder, ParamKind::Effect);
                self.push(name, def, Role::Use);
            }
        }
        ability
            .instances
            .iter()
            .for_each(|instance| self.instance(instance));
    }

    fn instance(&mut self, instance: &InstanceExpr) {
        self.row(&instance.interface);
        self.args(&instance.args);
    }

    fn row(&mut self, name: &Name) {
        if let Some(def) = self.resolve_row(name.symbol) {
            self.push(name, def.into(), Role::Use);
        }
    }

    fn adaptor(&mut self, adaptor: &AdaptorExpr) {
        self.row(&adaptor.interface);
        let Some(shape) = &adaptor.shape else { return };
        let mut bound: HashMap<Symbol, NodeId> = HashMap::new();
        for name in std::iter::once(&shape.rest).chain(&shape.left) {
            // The right-most place counts.
            bound.insert(name.symbol, name.id);
            let def = Def::AdaptorName {
                item: self.source,
                binder: name.id,
            };
            self.push(name, def, Role::Definition);
        }
        for name in &shape.right {
            if let Some(binder) = bound.get(&name.symbol) {
                let def = Def::AdaptorName {
                    item: self.source,
                    binder: *binder,
                };
                self.push(name, def, Role::Use);
            }
        }
    }

    // Terms

    /// The names of the item's terms, and of the patterns in them.
    fn terms(&mut self) {
        let item = self.item;
        let scopes = Scopes::with(item, |name| self.resolve_term(name));
        for_each(item, |node| match node {
            Node::Adaptor(adaptor) => self.adaptor(adaptor),
            Node::Term(term) => self.term(&scopes, term),
            Node::Pattern(pattern) => self.pattern(&scopes, pattern),
            _ => {}
        });
        for binder in scopes.binders() {
            self.push(&binder.name, self.local(binder), Role::Definition);
        }
    }

    fn term(&mut self, scopes: &Scopes, id: TermId) {
        match &self.item.terms[id].kind {
            TermKind::Name(name) if !name.symbol.is_wildcard() => {
                let local = scopes.read_by(id).and_then(|local| scopes.binder(local));
                let def = match local {
                    Some(binder) => Some(self.local(binder)),
                    None => self.resolve_term(name.symbol).map(Def::from),
                };
                if let Some(def) = def {
                    self.push(name, def, Role::Use);
                }
            }
            TermKind::Let { name, .. } if scopes.bound_by_let(id).is_none() => self.matched(name),
            _ => {}
        }
    }

    fn pattern(&mut self, scopes: &Scopes, id: PatternId) {
        match &self.item.patterns[id].kind {
            PatternKind::Command { name, .. } => {
                if let Some(TermDef::Command(command)) = self.resolve_term(name.symbol) {
                    self.push(name, Def::Command(command), Role::Handle);
                }
            }
            PatternKind::Name(name) | PatternKind::Constructor { name, .. }
                if scopes.bound_by_pattern(id).is_none() =>
            {
                self.matched(name);
            }
            _ => {}
        }
    }

    /// The name of a constructor, where a value is matched.
    fn matched(&mut self, name: &Name) {
        if let Some(TermDef::Constructor(constructor)) = self.resolve_term(name.symbol) {
            self.push(name, Def::Constructor(constructor), Role::Match);
        }
    }

    fn local(&self, binder: &Binder) -> Def {
        Def::Local {
            item: self.source,
            binder: binder.name.id,
            kind: binder.kind,
        }
    }
}
