//! Data types, interfaces and signatures: what an item declares, as types. The queries answer `None`
//! for a name that `scope` does not declare so.

use std::collections::HashMap;
use std::mem::take;
use std::sync::Arc;

use frank_syntax::ast::{CommandDecl, Item, ItemKind, Param, Symbol};

use crate::builtin;
use crate::db::{Db, ItemSource, Origin, SourceFile, has_syntax_errors, item};
use crate::diagnostics::{Code, Diagnostic, Location};
use crate::lower_types::Lowering;
use crate::params::{TypeNamespace, params, plain};
use crate::program::{
    AliasDef, CommandDef, ConstructorDef, DataDef, Definition, data_item, operator_items, row_item,
};
use crate::report::habits;
use crate::spelling::Spellings;
use crate::types::{Command, Constructor, DataType, Interface, Params, Signature, TyKind};

/// A declaration with what is wrong in it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Declared<T> {
    declaration: Arc<T>,
    problems: Arc<[Diagnostic]>,
    /// It names an alias that has errors.
    rests_on_errors: bool,
    /// What is wrong is not all of it where an error would stand.
    lacks_adjustments: bool,
}

impl<T> Declared<T> {
    /// What `make` takes from a lowering, with what was found wrong meanwhile.
    fn of<'db>(
        mut lowering: Lowering<'db>,
        make: impl FnOnce(&mut Lowering<'db>) -> T,
    ) -> Declared<T> {
        Declared {
            declaration: Arc::new(make(&mut lowering)),
            problems: lowering.problems.into(),
            rests_on_errors: lowering.rests_on_errors,
            lacks_adjustments: lowering.lacks_adjustments,
        }
    }
}

#[salsa::tracked]
fn declared_data(db: &dyn Db, scope: SourceFile, name: Symbol) -> Option<Declared<DataType>> {
    let source = data_item(db, scope, name)?;
    let item = item(db, source);
    let params = params(db, scope, name, TypeNamespace::Data).clone();
    let mut lowering = Lowering::of_declaration(db, scope, source, &params);
    let mut constructors = Vec::new();
    if let ItemKind::Data {
        constructors: written,
        ..
    } = &item.kind
    {
        for constructor in written {
            let fields = match lowering.constructor_without_parentheses(item, constructor) {
                Some(count) => vec![lowering.types.ty(TyKind::Error); count],
                None => {
                    let written = constructor.args.iter();
                    written.map(|ty| lowering.sound_ty(item, *ty)).collect()
                }
            };
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
    Some(Declared::of(lowering, |lowering| DataType {
        types: take(&mut lowering.types),
        params,
        constructors,
        standing,
    }))
}

/// The constructors of a data type that take no arguments.
#[salsa::tracked]
pub fn constant_spellings(db: &dyn Db, scope: SourceFile, name: Symbol) -> Spellings {
    let declared = data_type(db, scope, name).as_ref();
    let constructors = declared.iter().flat_map(|declared| &declared.constructors);
    let constants = constructors.filter(|one| one.fields.is_empty());
    Spellings::new(constants.map(|one| one.name))
}

/// Whether the machine makes the values of a data type: it is one of the library's without constructors, as `Ref`.
pub fn is_made_by_machine(db: &dyn Db, data: DataDef) -> bool {
    let Definition { scope, name } = data.0;
    let declared = data_type(db, scope, name).as_deref();
    // Few data types have none, and then it is asked whose they are.
    declared.is_some_and(|declared| declared.constructors.is_empty())
        && data_item(db, scope, name)
            .is_some_and(|item| builtin::library_name(db, item.file(db)).is_some())
}

/// A data type's parameters and constructors.
#[salsa::tracked]
pub fn data_type(db: &dyn Db, scope: SourceFile, name: Symbol) -> Option<Arc<DataType>> {
    Some(declared_data(db, scope, name).as_ref()?.declaration.clone())
}

/// How many arguments a constructor takes.
pub fn constructor_arity(db: &dyn Db, constructor: ConstructorDef) -> Option<usize> {
    let definition = constructor.data.0;
    let data = data_type(db, definition.scope, definition.name).as_ref()?;
    let constructor = data.constructors.get(constructor.index as usize)?;
    Some(constructor.fields.len())
}

#[salsa::tracked]
fn declared_interface(db: &dyn Db, scope: SourceFile, name: Symbol) -> Option<Declared<Interface>> {
    let source = row_item(db, scope, name)?;
    let item = item(db, source);
    let params = params(db, scope, name, TypeNamespace::Row).clone();
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
    Some(Declared::of(lowering, |lowering| Interface {
        types: take(&mut lowering.types),
        params,
        commands,
    }))
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
        .map(|ty| lowering.sound_ty(item, *ty))
        .collect();
    let result = lowering.sound_ty(item, command.result);
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
    declared_by(db, scope, source)
}

fn declared_by(db: &dyn Db, scope: SourceFile, source: ItemSource) -> Option<Declared<Signature>> {
    let item = item(db, source);
    let ItemKind::Signature { ty, .. } = &item.kind else {
        return None;
    };
    let mut lowering = Lowering::of_signature(db, scope, source);
    let computation = lowering.computation(item, ty);
    Some(Declared::of(lowering, |lowering| Signature {
        types: take(&mut lowering.types),
        computation,
        values: take(&mut lowering.value_names),
        effects: take(&mut lowering.effect_names),
    }))
}

#[salsa::tracked]
fn declared_by_law(
    db: &dyn Db,
    scope: SourceFile,
    types: ItemSource,
) -> Option<Declared<Signature>> {
    declared_by(db, scope, types)
}

/// The type of the computation that a law is, by what it says of its variables.
pub fn law_signature(db: &dyn Db, scope: SourceFile, types: ItemSource) -> Option<&Arc<Signature>> {
    let declared = declared_by_law(db, scope, types).as_ref()?;
    Some(&declared.declaration)
}

/// What is wrong with the types of a law's variables.
pub fn law_problems(db: &dyn Db, scope: SourceFile, types: ItemSource) -> &[Diagnostic] {
    let declared = declared_by_law(db, scope, types).as_ref();
    declared.map_or(&[], |declared| &declared.problems)
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
/// whole, and all that it names exists.
#[salsa::tracked]
pub fn sound_signature(db: &dyn Db, scope: SourceFile, name: Symbol) -> Option<Arc<Signature>> {
    signature_if(db, scope, name, |declared| {
        declared.problems.iter().all(|problem| !problem.is_error())
    })
}

/// The type that an operator's signature gives it, if that is what was meant but for parts that nobody knows, which
/// agree with everything. By it the operator's own clauses and its uses are checked.
#[salsa::tracked]
pub fn known_signature(db: &dyn Db, scope: SourceFile, name: Symbol) -> Option<Arc<Signature>> {
    signature_if(db, scope, name, |declared| !declared.lacks_adjustments)
}

/// The type of an operator's signature that parses, if that holds of it.
fn signature_if(
    db: &dyn Db,
    scope: SourceFile,
    name: Symbol,
    holds: impl FnOnce(&Declared<Signature>) -> bool,
) -> Option<Arc<Signature>> {
    let source = operator_items(db, scope, name).signatures.first()?;
    if has_syntax_errors(db, *source) {
        return None;
    }
    let declared = declared_signature(db, scope, name).as_ref()?;
    holds(declared).then(|| declared.declaration.clone())
}

/// What is wrong in the item that declares a data type, an interface or an alias.
#[salsa::tracked]
pub fn declaration_problems(
    db: &dyn Db,
    scope: SourceFile,
    name: Symbol,
    namespace: TypeNamespace,
) -> Vec<Diagnostic> {
    let source = match namespace {
        TypeNamespace::Data => data_item(db, scope, name),
        TypeNamespace::Row => row_item(db, scope, name),
    };
    let Some(source) = source else {
        return Vec::new();
    };
    let item = item(db, source);
    let mut problems = repeated_params(source, item);
    let all = params(db, scope, name, namespace);
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
            let params = params(db, scope, name, TypeNamespace::Row);
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
    habits::instead(db, scope, &mut problems);
    problems
}

/// Whether what a data type, an interface or an alias means is unknown, since its declaration has errors: values of
/// such a type, and commands of such an interface, can be anything.
#[salsa::tracked(returns(copy))]
pub fn declaration_has_errors(
    db: &dyn Db,
    scope: SourceFile,
    name: Symbol,
    namespace: TypeNamespace,
) -> bool {
    let source = match namespace {
        TypeNamespace::Data => data_item(db, scope, name),
        TypeNamespace::Row => row_item(db, scope, name),
    };
    let rests_on_errors = match namespace {
        TypeNamespace::Data => declared_data(db, scope, name)
            .as_ref()
            .is_some_and(|declared| declared.rests_on_errors),
        TypeNamespace::Row => declared_interface(db, scope, name)
            .as_ref()
            .is_some_and(|declared| declared.rests_on_errors),
    };
    rests_on_errors
        || source.is_some_and(|source| has_syntax_errors(db, source))
        || declaration_problems(db, scope, name, namespace)
            .iter()
            .any(Diagnostic::is_error)
}

/// Whether an operator's signature names an alias that has errors.
pub fn signature_rests_on_errors(db: &dyn Db, scope: SourceFile, name: Symbol) -> bool {
    let declared = declared_signature(db, scope, name).as_ref();
    declared.is_some_and(|declared| declared.rests_on_errors)
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
