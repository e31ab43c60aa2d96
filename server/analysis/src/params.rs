//! The parameters of data types, interfaces and aliases; and which of them gain an `[ε]` because
//! they mention the implicit one.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use frank_syntax::ast::{
    AbilityExpr, Adjustment, CompType, InstanceExpr, Item, ItemKind, Param, ParamKind, Symbol,
    Tail, TypeArg, TypeId, TypeKind,
};

use crate::aside::Aside;
use crate::db::{Db, ItemSource, SourceFile, item};
use crate::program::{
    Definition, RowDef, data_item, resolve_data, resolve_row, row_item, scope_files, scope_index,
};
use crate::types::Params;

/// The two namespaces of types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TypeNamespace {
    Data,
    /// Interfaces and aliases.
    Row,
}

/// The parameters of a data type, an interface or an alias; with the `[ε]` that it gains.
#[salsa::tracked]
pub fn params(
    db: &dyn Db,
    scope: SourceFile,
    name: Symbol,
    namespace: TypeNamespace,
) -> Arc<Params> {
    let source = match namespace {
        TypeNamespace::Data => data_item(db, scope, name),
        TypeNamespace::Row => row_item(db, scope, name),
    };
    let mut all = source.map_or_else(Vec::new, |source| written_params(item(db, source)));
    let written = all.len();
    let implicit = (Symbol::implicit_effect(), ParamKind::Effect);
    if gaining_epsilon(db, scope).contains(&(namespace, name)) && !all.contains(&implicit) {
        all.push(implicit);
    }
    Arc::new(Params { all, written })
}

fn written_params(item: &Item) -> Vec<(Symbol, ParamKind)> {
    match &item.kind {
        ItemKind::Data { params, .. }
        | ItemKind::Interface { params, .. }
        | ItemKind::Alias { params, .. } => plain(params),
        _ => Vec::new(),
    }
}

pub(crate) fn plain(params: &[Param]) -> Vec<(Symbol, ParamKind)> {
    params
        .iter()
        .map(|param| (param.name.symbol, param.kind))
        .collect()
}

/// What an item says about ε: whether it mentions it itself, and the definitions that it uses
/// with exactly their written parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
struct EpsilonMention {
    direct: bool,
    uses: Vec<(TypeNamespace, Definition)>,
}

#[salsa::tracked]
fn epsilon_mention(db: &dyn Db, scope: SourceFile, source: ItemSource) -> EpsilonMention {
    let item = item(db, source);
    let mut finder = EpsilonFinder {
        db,
        scope,
        item,
        values: HashSet::new(),
        found: EpsilonMention {
            direct: false,
            uses: Vec::new(),
        },
    };
    let own = written_params(item);
    let implicit = Symbol::implicit_effect();
    finder.found.direct = own.contains(&(implicit, ParamKind::Effect));
    let values = |params: &[(Symbol, ParamKind)]| {
        let values = params.iter().filter(|(_, kind)| *kind == ParamKind::Value);
        values.map(|(name, _)| *name).collect::<Vec<_>>()
    };
    finder.values.extend(values(&own));
    match &item.kind {
        ItemKind::Data { constructors, .. } => {
            for ty in constructors
                .iter()
                .flat_map(|constructor| &constructor.args)
            {
                finder.ty(*ty);
            }
        }
        ItemKind::Interface { commands, .. } => {
            for command in commands {
                let added = values(&plain(&command.params));
                let added: Vec<Symbol> = added
                    .into_iter()
                    .filter(|name| finder.values.insert(*name))
                    .collect();
                for ty in command.args.iter().chain([&command.result]) {
                    finder.ty(*ty);
                }
                for name in added {
                    finder.values.remove(&name);
                }
            }
        }
        ItemKind::Alias { instances, .. } => {
            for instance in instances {
                finder.instance(instance);
            }
        }
        _ => {}
    }
    finder.found
}

struct EpsilonFinder<'db> {
    db: &'db dyn Db,
    scope: SourceFile,
    item: &'db Item,
    values: HashSet<Symbol>,
    found: EpsilonMention,
}

impl EpsilonFinder<'_> {
    fn ty(&mut self, id: TypeId) {
        match &self.item.types[id].kind {
            TypeKind::Missing => {}
            TypeKind::Computation(computation) => self.computation(computation),
            TypeKind::Name {
                name,
                args,
                parenthesised,
            } => {
                let data = resolve_data(self.db, self.scope, name.symbol);
                let hidden =
                    self.values.contains(&name.symbol) && !(*parenthesised && data.is_some());
                if let (Some(data), false) = (data, hidden) {
                    self.uses(TypeNamespace::Data, data.0, args.len());
                }
                self.args(args);
            }
        }
    }

    fn uses(&mut self, namespace: TypeNamespace, definition: Definition, given: usize) {
        let source = match namespace {
            TypeNamespace::Data => data_item(self.db, definition.scope, definition.name),
            TypeNamespace::Row => row_item(self.db, definition.scope, definition.name),
        };
        if source.is_some_and(|source| written_params(item(self.db, source)).len() == given) {
            self.found.uses.push((namespace, definition));
        }
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
                if let Adjustment::Instance(instance) = adjustment {
                    self.instance(instance);
                }
            }
            self.ty(port.ty);
        }
        match &computation.peg.ability {
            Some(ability) => self.ability(ability),
            None => self.found.direct = true,
        }
        self.ty(computation.peg.ty);
    }

    fn ability(&mut self, ability: &AbilityExpr) {
        match ability.tail {
            Tail::Implicit => self.found.direct = true,
            Tail::Named(name) if name.symbol == Symbol::implicit_effect() => {
                self.found.direct = true;
            }
            Tail::Named(_) | Tail::Closed => {}
        }
        for instance in &ability.instances {
            self.instance(instance);
        }
    }

    fn instance(&mut self, instance: &InstanceExpr) {
        let definition = match resolve_row(self.db, self.scope, instance.interface.symbol) {
            Some(RowDef::Interface(interface)) => Some(interface.0),
            Some(RowDef::Alias(alias)) => Some(alias.0),
            None => None,
        };
        if let Some(definition) = definition {
            self.uses(TypeNamespace::Row, definition, instance.args.len());
        }
        self.args(&instance.args);
    }
}

/// The definitions of a scope that gain a last parameter `[ε]`.
#[salsa::tracked]
fn kept_epsilon(db: &dyn Db, scope: SourceFile) -> Aside<HashSet<(TypeNamespace, Symbol)>> {
    let (files, libraries) = scope_files(db, scope);
    for file in files.iter().chain(libraries) {
        file.declaration_changes(db);
    }
    Aside::new(db, |db| gaining_now(db, scope))
}

fn gaining_epsilon(db: &dyn Db, scope: SourceFile) -> &HashSet<(TypeNamespace, Symbol)> {
    kept_epsilon(db, scope).get(db, |db| gaining_now(db, scope))
}

fn gaining_now(db: &dyn Db, scope: SourceFile) -> HashSet<(TypeNamespace, Symbol)> {
    let index = scope_index(db, scope);
    let declared = index.names().flat_map(|(name, named)| {
        let data = named
            .data
            .first()
            .map(|item| (TypeNamespace::Data, name, item));
        let row = named.interfaces.first();
        data.into_iter()
            .chain(row.map(|item| (TypeNamespace::Row, name, item)))
    });
    let mut gaining: HashSet<(TypeNamespace, Symbol)> = HashSet::new();
    let mut users: HashMap<(TypeNamespace, Symbol), Vec<(TypeNamespace, Symbol)>> = HashMap::new();
    let mut work = Vec::new();
    for (namespace, name, source) in declared {
        let mention = epsilon_mention(db, scope, *source);
        let mut gains = mention.direct;
        for (used_namespace, used) in &mention.uses {
            if used.scope == scope {
                users
                    .entry((*used_namespace, used.name))
                    .or_default()
                    .push((namespace, name));
            } else {
                gains |= gaining_epsilon(db, used.scope).contains(&(*used_namespace, used.name));
            }
        }
        if gains && gaining.insert((namespace, name)) {
            work.push((namespace, name));
        }
    }
    while let Some(definition) = work.pop() {
        for user in users.get(&definition).into_iter().flatten() {
            if gaining.insert(*user) {
                work.push(*user);
            }
        }
    }
    gaining
}
