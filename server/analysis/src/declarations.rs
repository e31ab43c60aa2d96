//! Data types, interfaces and signatures: what an item declares, as types.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use frank_syntax::ast::{
    AbilityExpr, Adjustment, CommandDecl, CompType, InstanceExpr, Item, ItemKind, Param, ParamKind,
    Symbol, Tail, TypeArg, TypeId, TypeKind,
};

use crate::builtin;
use crate::db::{Db, ItemSource, Origin, SourceFile, has_syntax_errors, item};
use crate::diagnostics::{Code, Diagnostic, Location};
use crate::lower::Lowering;
use crate::program::{
    AliasDef, CommandDef, Definition, RowDef, data_item, operator_items, resolve_data, resolve_row,
    row_item, scope_index,
};
use crate::types::{Command, Constructor, DataType, Interface, Params, Signature, TyKind};

/// The two namespaces of types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Sort {
    Data,
    /// Interfaces and aliases.
    Row,
}

/// The parameters of a data type, an interface or an alias; with the `[ε]` that it gains.
#[salsa::tracked]
pub fn params(db: &dyn Db, scope: SourceFile, name: Symbol, sort: Sort) -> Arc<Params> {
    let source = match sort {
        Sort::Data => data_item(db, scope, name),
        Sort::Row => row_item(db, scope, name),
    };
    let mut all = source.map_or_else(Vec::new, |source| written_params(item(db, source)));
    let written = all.len();
    let implicit = (Symbol::implicit_effect(), ParamKind::Effect);
    if gaining_epsilon(db, scope).contains(&(sort, name)) && !all.contains(&implicit) {
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

fn plain(params: &[Param]) -> Vec<(Symbol, ParamKind)> {
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
    uses: Vec<(Sort, Definition)>,
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
                    self.uses(Sort::Data, data.0, args.len());
                }
                self.args(args);
            }
        }
    }

    fn uses(&mut self, sort: Sort, definition: Definition, given: usize) {
        let source = match sort {
            Sort::Data => data_item(self.db, definition.scope, definition.name),
            Sort::Row => row_item(self.db, definition.scope, definition.name),
        };
        if source.is_some_and(|source| written_params(item(self.db, source)).len() == given) {
            self.found.uses.push((sort, definition));
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
            self.uses(Sort::Row, definition, instance.args.len());
        }
        self.args(&instance.args);
    }
}

/// The definitions of a scope that gain a last parameter `[ε]`.
#[salsa::tracked]
fn gaining_epsilon(db: &dyn Db, scope: SourceFile) -> HashSet<(Sort, Symbol)> {
    let index = scope_index(db, scope);
    let data = index
        .data
        .iter()
        .map(|(name, items)| (Sort::Data, *name, items));
    let rows = index
        .interfaces
        .iter()
        .map(|(name, items)| (Sort::Row, *name, items));
    let mut gaining: HashSet<(Sort, Symbol)> = HashSet::new();
    let mut users: HashMap<(Sort, Symbol), Vec<(Sort, Symbol)>> = HashMap::new();
    let mut work = Vec::new();
    for (sort, name, items) in data.chain(rows) {
        let Some(source) = items.first() else {
            continue;
        };
        let mention = epsilon_mention(db, scope, *source);
        let mut gains = mention.direct;
        for (used_sort, used) in &mention.uses {
            if used.scope == scope {
                users
                    .entry((*used_sort, used.name))
                    .or_default()
                    .push((sort, name));
            } else {
                gains |= gaining_epsilon(db, used.scope).contains(&(*used_sort, used.name));
            }
        }
        if gains && gaining.insert((sort, name)) {
            work.push((sort, name));
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

/// A declaration with what is wrong in it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Declared<T> {
    declaration: Arc<T>,
    problems: Arc<[Diagnostic]>,
}

#[salsa::tracked]
fn declared_data(db: &dyn Db, scope: SourceFile, name: Symbol) -> Option<Declared<DataType>> {
    let source = data_item(db, scope, name)?;
    let item = item(db, source);
    let params = params(db, scope, name, Sort::Data).clone();
    let mut lowering = Lowering::of_declaration(db, scope, source, &params);
    let mut constructors = Vec::new();
    if let ItemKind::Data {
        constructors: written,
        ..
    } = &item.kind
    {
        for constructor in written {
            let fields = constructor
                .args
                .iter()
                .map(|ty| lowering.ty(item, *ty))
                .collect();
            constructors.push(Constructor {
                name: constructor.name.symbol,
                fields,
            });
        }
    }
    let standing = match scope.origin(db) {
        Origin::Library => builtin::standing(&constructors),
        Origin::Workspace => Vec::new(),
    };
    let problems = lowering.problems.into();
    let declaration = Arc::new(DataType {
        types: lowering.types,
        params,
        constructors,
        standing,
    });
    Some(Declared {
        declaration,
        problems,
    })
}

/// A data type's parameters and constructors.
#[salsa::tracked]
pub fn data_type(db: &dyn Db, scope: SourceFile, name: Symbol) -> Option<Arc<DataType>> {
    Some(declared_data(db, scope, name).as_ref()?.declaration.clone())
}

#[salsa::tracked]
fn declared_interface(db: &dyn Db, scope: SourceFile, name: Symbol) -> Option<Declared<Interface>> {
    let source = row_item(db, scope, name)?;
    let item = item(db, source);
    let params = params(db, scope, name, Sort::Row).clone();
    let mut lowering = Lowering::of_declaration(db, scope, source, &params);
    let mut commands = Vec::new();
    if let ItemKind::Interface {
        commands: written, ..
    } = &item.kind
    {
        for command in written {
            commands.push(lower_command(&mut lowering, item, &params, command));
        }
    }
    let problems = lowering.problems.into();
    let declaration = Arc::new(Interface {
        types: lowering.types,
        params,
        commands,
    });
    Some(Declared {
        declaration,
        problems,
    })
}

fn lower_command(
    lowering: &mut Lowering<'_>,
    item: &Item,
    interface: &Params,
    command: &CommandDecl,
) -> Command {
    // A repeated parameter is an error of its own; the first one keeps its meaning.
    let mut seen: Vec<Symbol> = interface.all.iter().map(|(name, _)| *name).collect();
    let mut own = Vec::new();
    for (name, kind) in plain(&command.params) {
        if !seen.contains(&name) {
            seen.push(name);
            own.push((name, kind));
        }
    }
    let written = own.len();
    let own = Params { all: own, written };
    lowering.bind(&own);
    let args = command
        .args
        .iter()
        .map(|ty| lowering.ty(item, *ty))
        .collect();
    let result = lowering.ty(item, command.result);
    lowering.unbind(&own);
    Command {
        name: command.name.symbol,
        params: Arc::new(own),
        args,
        result,
    }
}

/// Whether a match that fails performs a command, where it is handled: it is called `abort`, takes
/// nothing, and gives a parameter of its own, so that what answers it can be any value. Another
/// command of that name would put a value of its own type where one of any other is needed.
pub fn is_abort(db: &dyn Db, command: CommandDef) -> bool {
    let definition = command.interface.0;
    let Some(declared) = interface(db, definition.scope, definition.name).as_ref() else {
        return false;
    };
    let Some(command) = declared.commands.get(command.index as usize) else {
        return false;
    };
    let of_interface = declared.params.values().count() as u32;
    command.name == Symbol::new("abort")
        && command.args.is_empty()
        && matches!(
            declared.types.kind(command.result),
            TyKind::Variable(own) if *own >= of_interface
        )
}

/// An interface's parameters and commands.
#[salsa::tracked]
pub fn interface(db: &dyn Db, scope: SourceFile, name: Symbol) -> Option<Arc<Interface>> {
    Some(
        declared_interface(db, scope, name)
            .as_ref()?
            .declaration
            .clone(),
    )
}

#[salsa::tracked]
fn declared_signature(db: &dyn Db, scope: SourceFile, name: Symbol) -> Option<Declared<Signature>> {
    let source = *operator_items(db, scope, name).signatures.first()?;
    let item = item(db, source);
    let ItemKind::Signature { ty, .. } = &item.kind else {
        return None;
    };
    let mut lowering = Lowering::of_signature(db, scope, source);
    let computation = lowering.computation(item, ty);
    let problems = lowering.problems.into();
    let declaration = Arc::new(Signature {
        types: lowering.types,
        computation,
        values: lowering.value_names,
        effects: lowering.effect_names,
    });
    Some(Declared {
        declaration,
        problems,
    })
}

/// The type that an operator's signature gives it.
#[salsa::tracked]
pub fn signature(db: &dyn Db, scope: SourceFile, name: Symbol) -> Option<Arc<Signature>> {
    Some(
        declared_signature(db, scope, name)
            .as_ref()?
            .declaration
            .clone(),
    )
}

/// The type that an operator's signature gives it, if the signature can be relied on: it is
/// whole, and all that it names exists. Where it cannot, uses are not judged by it.
#[salsa::tracked]
pub fn sound_signature(db: &dyn Db, scope: SourceFile, name: Symbol) -> Option<Arc<Signature>> {
    let source = operator_items(db, scope, name).signatures.first()?;
    if has_syntax_errors(db, *source) {
        return None;
    }
    let declared = declared_signature(db, scope, name).as_ref()?;
    let sound = declared.problems.iter().all(|problem| !problem.is_error());
    sound.then(|| declared.declaration.clone())
}

/// What is wrong in the item that declares a data type, an interface or an alias.
#[salsa::tracked]
pub fn declaration_problems(
    db: &dyn Db,
    scope: SourceFile,
    name: Symbol,
    sort: Sort,
) -> Vec<Diagnostic> {
    let source = match sort {
        Sort::Data => data_item(db, scope, name),
        Sort::Row => row_item(db, scope, name),
    };
    let Some(source) = source else {
        return Vec::new();
    };
    let item = item(db, source);
    let mut problems = repeated_params(source, item);
    let all = params(db, scope, name, sort);
    if all.all.len() > all.written {
        problems.extend(repeats_gained(source, item));
    }
    match &item.kind {
        ItemKind::Data { .. } => {
            let declared = declared_data(db, scope, name).as_ref();
            problems.extend(declared.iter().flat_map(|d| d.problems.iter().cloned()));
        }
        ItemKind::Interface { .. } => {
            let declared = declared_interface(db, scope, name).as_ref();
            problems.extend(declared.iter().flat_map(|d| d.problems.iter().cloned()));
        }
        ItemKind::Alias { instances, .. } => {
            let params = params(db, scope, name, Sort::Row);
            let mut lowering = Lowering::of_declaration(db, scope, source, params);
            lowering.checking(AliasDef(Definition { scope, name }));
            let mut expanded = Vec::new();
            for instance in instances {
                lowering.instances(item, instance, &mut expanded);
            }
            problems.extend(lowering.problems);
        }
        _ => {}
    }
    problems
}

/// What is wrong in an operator's signature, without its clauses.
pub fn signature_problems(db: &dyn Db, scope: SourceFile, name: Symbol) -> Vec<Diagnostic> {
    let declared = declared_signature(db, scope, name).as_ref();
    declared.map_or_else(Vec::new, |declared| declared.problems.to_vec())
}

/// Parameters with the name of the ε that an item gains.
fn repeats_gained(source: ItemSource, item: &Item) -> Option<Diagnostic> {
    let (own, commands): (&[Param], &[CommandDecl]) = match &item.kind {
        ItemKind::Data { params, .. } | ItemKind::Alias { params, .. } => (params, &[]),
        ItemKind::Interface {
            params, commands, ..
        } => (params, commands),
        _ => (&[], &[]),
    };
    let of_commands = commands.iter().flat_map(|command| &command.params);
    let mut all = own.iter().chain(of_commands);
    let again = all.find(|param| param.name.symbol == Symbol::implicit_effect())?;
    let at = Location::node(source, again.name.id);
    let message = "the parameter `ε` is one that this item has already: it mentions the implicit ε, \
                   and so gains it";
    Some(
        Diagnostic::new(Code::DuplicateParameter, at, message)
            .help("give the parameter a name, such as `[E]`, and write it where it is meant"),
    )
}

fn repeated_params(source: ItemSource, item: &Item) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    let mut report = |earlier: &Param, param: &Param, whose: &str| {
        problems.push(
            Diagnostic::new(
                Code::DuplicateParameter,
                Location::node(source, param.name.id),
                format!(
                    "the parameter `{}` is named twice{whose}",
                    param.name.symbol
                ),
            )
            .related(
                Location::node(source, earlier.name.id),
                "it is named here first",
            )
            .help("give each parameter a name of its own"),
        );
    };
    let (params, commands): (&[Param], &[CommandDecl]) = match &item.kind {
        ItemKind::Data { params, .. } | ItemKind::Alias { params, .. } => (params, &[]),
        ItemKind::Interface {
            params, commands, ..
        } => (params, commands),
        _ => (&[], &[]),
    };
    let mut seen: HashMap<Symbol, &Param> = HashMap::new();
    for param in params {
        match seen.get(&param.name.symbol) {
            Some(earlier) => report(earlier, param, ""),
            None => {
                seen.insert(param.name.symbol, param);
            }
        }
    }
    for command in commands {
        let mut seen = seen.clone();
        for param in &command.params {
            match seen.get(&param.name.symbol) {
                Some(earlier) => report(earlier, param, ": by the interface and its command"),
                None => {
                    seen.insert(param.name.symbol, param);
                }
            }
        }
    }
    problems
}
