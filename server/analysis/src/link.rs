//! Linking: the typed core of a program, put together from its operators.
//!
//! Each operator is lowered by itself and kept, so that linking again costs little when few
//! operators have changed. [`link`] copies all that some entries can reach into one program, which
//! refers to nothing of analysis.

mod body;
mod copier;
mod fragment;

use std::collections::HashMap;
use std::fmt;

use frank_core as core;
use frank_syntax::ast::{SourceMap, Symbol};
use frank_syntax::stack::ensure_sufficient_stack;
use la_arena::{ArenaMap, Idx, RawIdx};

use crate::builtin;
use crate::check::{inference, operator_diagnostics, term_inference};
use crate::db::{Db, ItemSource, Origin, SourceFile, has_syntax_errors, parsed};
use crate::declarations::{
    data_type, declaration_has_errors, interface, is_abort, known_signature, signature_problems,
    signature_rests_on_errors,
};
use crate::diagnostics::Diagnostic;
use crate::infer::Inference;
use crate::params::TypeNamespace;
use crate::program::{
    CommandDef, ConstructorDef, DataDef, Definition, InterfaceDef, OperatorDef, TermDef,
    resolve_term,
};
use crate::show::{MESSAGE_BUDGET, Show};
use crate::types::{AbilityData, Arg, Ty, TyKind, Types};
use copier::Copier;
use fragment::{Fragment, lowered_operator, lowered_term};

/// What a term on its own has for the path of its file in the core.
pub const TERM_PATH: &str = "<term>";

/// What to make an entry of.
#[derive(Debug, Clone, Copy)]
pub enum EntryPoint {
    /// An operator without ports, to be forced.
    Operator(OperatorDef),
    /// A term on its own, in the scope of a program.
    Term {
        scope: SourceFile,
        source: ItemSource,
    },
}

/// Why there is nothing to run: the program has errors, or an entry takes arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkError {
    /// An operator that has errors, or that does not exist any more.
    Broken(Symbol),
    /// A data type or an interface whose declaration has errors.
    Unknown(Symbol),
    /// An entry that has ports.
    TakesArguments(Symbol),
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LinkError::Broken(name) => {
                write!(
                    f,
                    "`{name}` cannot run: it, or something that it uses, has errors"
                )
            }
            LinkError::Unknown(name) => {
                write!(
                    f,
                    "nothing that uses `{name}` can run: its declaration has errors"
                )
            }
            LinkError::TakesArguments(name) => {
                write!(
                    f,
                    "`{name}` cannot be an entry: an entry takes no arguments"
                )
            }
        }
    }
}

impl std::error::Error for LinkError {}

/// The typed core of everything that `entries` can reach; its own entries are in the same order. The
/// result holds no part of the database, so it can be kept and sent to another thread.
///
/// # Errors
/// An entry, or an operator that it reaches, has errors; or an entry takes arguments.
pub fn link(db: &dyn Db, entries: &[EntryPoint]) -> Result<core::Program, LinkError> {
    link_with_origins(db, entries).map(|linked| linked.program)
}

/// A program, and which definitions its operators were.
pub struct Linked {
    pub program: core::Program,
    pub operators: ArenaMap<core::OperatorId, OperatorDef>,
}

/// As [`link`], with what the operators were. What the first entries can reach has the same ids whatever entries
/// follow them.
///
/// # Errors
/// As those of [`link`].
pub fn link_with_origins(db: &dyn Db, entries: &[EntryPoint]) -> Result<Linked, LinkError> {
    let mut linker = Linker {
        db,
        program: core::Program::default(),
        files: HashMap::new(),
        term: None,
        starts: HashMap::new(),
        data: HashMap::new(),
        constructors: HashMap::new(),
        interfaces: HashMap::new(),
        commands: HashMap::new(),
        operators: HashMap::new(),
        pending: Vec::new(),
        broken: None,
    };
    linker.know_builtins();
    for entry in entries {
        linker.entry(*entry)?;
        while let Some((operator, id)) = linker.pending.pop() {
            linker.operator_body(operator, id)?;
        }
    }
    if let Some(name) = linker.broken {
        return Err(LinkError::Unknown(name));
    }
    let operators = linker.operators.into_iter();
    Ok(Linked {
        program: linker.program,
        operators: operators.map(|(def, id)| (id, def)).collect(),
    })
}

/// The types of the locals of an operator, by their numbers in the core.
pub fn local_types(db: &dyn Db, operator: OperatorDef) -> Vec<String> {
    let inference = inference(db, operator.0.scope, operator.0.name);
    inference
        .as_ref()
        .map_or_else(Vec::new, |inference| types_of_locals(inference))
}

/// The types of the locals of a term on its own, by their numbers in the core.
pub fn local_types_of_term(db: &dyn Db, scope: SourceFile, term: ItemSource) -> Vec<String> {
    types_of_locals(term_inference(db, scope, term))
}

fn types_of_locals(inference: &Inference) -> Vec<String> {
    let show = Show {
        table: &inference.table,
        values: &inference.rigid_values,
        effects: &inference.rigid_effects,
        budget: MESSAGE_BUDGET,
        metas: None,
    };
    let locals = inference.bodies.iter().flat_map(|(_, body)| &body.locals);
    locals.map(|local| show.ty(local.ty)).collect()
}

/// The instances that a computation needs beyond what the host [answers](builtin::answered).
pub fn unanswered(db: &dyn Db, row: &AbilityData) -> Vec<InterfaceDef> {
    let mut host = builtin::answered(db);
    let mut beyond: Vec<InterfaceDef> = Vec::new();
    for instance in row.instances.iter() {
        match host
            .iter()
            .position(|answered| *answered == instance.interface)
        {
            Some(i) => {
                host.swap_remove(i);
            }
            None => beyond.push(instance.interface),
        }
    }
    beyond
}

/// A program that is being put together.
struct Linker<'db> {
    db: &'db dyn Db,
    program: core::Program,
    files: HashMap<SourceFile, core::FileId>,
    /// What stands for the file of terms on their own.
    term: Option<core::FileId>,
    /// Where each item of the files above starts.
    starts: HashMap<ItemSource, u32>,
    data: HashMap<DataDef, core::DataId>,
    constructors: HashMap<ConstructorDef, core::ConstructorId>,
    interfaces: HashMap<InterfaceDef, core::InterfaceId>,
    commands: HashMap<CommandDef, core::CommandId>,
    operators: HashMap<OperatorDef, core::OperatorId>,
    /// Operators that have an id and no body yet.
    pending: Vec<(OperatorDef, core::OperatorId)>,
    /// A data type or an interface that is used, and whose declaration has errors.
    broken: Option<Symbol>,
}

impl<'db> Linker<'db> {
    fn know_builtins(&mut self) {
        let db = self.db;
        let console = builtin::console(db);
        let state = builtin::ref_state(db);
        self.program.known = core::Known {
            list: Some(self.data(builtin::list(db))),
            nil: self.constructor(builtin::nil(db)),
            cons: self.constructor(builtin::cons(db)),
            unit: self.constructor(builtin::unit(db)),
            true_: self.constructor(builtin::true_(db)),
            false_: self.constructor(builtin::false_(db)),
            inch: self.command(builtin::command(console, 0, "inch")),
            ouch: self.command(builtin::command(console, 1, "ouch")),
            ouint: self.command(builtin::command(console, 2, "ouint")),
            new: self.command(builtin::command(state, 0, "new")),
            write: self.command(builtin::command(state, 1, "write")),
            read: self.command(builtin::command(state, 2, "read")),
            pictures: None,
            outside: [None; core::Outside::ALL.len()],
            nothing: None,
            just: None,
            left: None,
            right: None,
            abort: None,
        };
    }

    fn entry(&mut self, entry: EntryPoint) -> Result<(), LinkError> {
        let db = self.db;
        let scope = match entry {
            EntryPoint::Operator(operator) => operator.0.scope,
            EntryPoint::Term { scope, .. } => scope,
        };
        if let Some(TermDef::Command(abort)) = resolve_term(db, scope, Symbol::new("abort"))
            && is_abort(db, abort)
            && !has_wrong_declaration(db, abort.interface.0, TypeNamespace::Row)
        {
            self.program.known.abort = self.command(abort);
        }
        let mut names = Vec::new();
        let mut variables = Vec::new();
        let entry = match entry {
            EntryPoint::Operator(operator) => {
                let Definition { scope, name } = operator.0;
                let lowered = lowered_operator(db, scope, name).as_ref();
                let lowered = lowered.map_err(LinkError::clone)?;
                let value = lowered.value.as_ref();
                let value = value.ok_or(LinkError::TakesArguments(name))?;
                let copier = self.copier(&lowered.fragment);
                let (place, ty) = (copier.place(lowered.place), copier.ty(value));
                let id = self.operator(operator);
                let head = self.term(core::Term::Operator(id), place);
                let args = Vec::new();
                core::Entry {
                    name: name.to_string(),
                    term: self.term(core::Term::Apply { head, args }, place),
                    ty,
                    locals: 0,
                }
            }
            EntryPoint::Term { scope, source } => {
                let lowered = lowered_term(db, scope, source).as_ref();
                let lowered = lowered.map_err(LinkError::clone)?;
                let copier = self.terms(&lowered.fragment, Symbol::new("this term"))?;
                names = strings(&lowered.locals);
                let of_law = lowered.variables.iter();
                variables = of_law
                    .map(|(name, ty)| (name.to_string(), copier.ty(ty)))
                    .collect();
                core::Entry {
                    name: "term".to_owned(),
                    term: copier.term_id(lowered.term),
                    ty: copier.ty(&lowered.ty),
                    locals: lowered.locals.len() as u32,
                }
            }
        };
        self.program.entries.push(entry);
        self.program.written.entries.push(names);
        self.program.written.variables.push(variables);
        Ok(())
    }

    fn term(&mut self, term: core::Term, place: core::Place) -> core::TermId {
        let id = self.program.terms.alloc(term);
        self.program.places.insert(id, place);
        id
    }

    fn file(&mut self, file: SourceFile) -> core::FileId {
        if let Some(id) = self.files.get(&file) {
            return *id;
        }
        let id = self.program.files.alloc(core::File {
            path: file.path(self.db).to_owned(),
            library: file.origin(self.db) == Origin::Library,
        });
        self.files.insert(file, id);
        let mut start = 0;
        for entry in file.outline(self.db) {
            self.starts.insert(entry.item, start);
            start += entry.item.text(self.db).len() as u32;
        }
        id
    }

    /// What places in an item have for a file, where the item starts there, and where its nodes are.
    fn item(&mut self, source: ItemSource) -> (core::FileId, u32, &'db SourceMap) {
        let file = match source.kind(self.db).is_in_file() {
            true => self.file(source.file(self.db)),
            false => *self.term.get_or_insert_with(|| {
                self.program.files.alloc(core::File {
                    path: TERM_PATH.to_owned(),
                    library: false,
                })
            }),
        };
        let start = self.starts.get(&source).copied().unwrap_or(0);
        (file, start, &parsed(self.db, source).source_map)
    }

    fn data(&mut self, def: DataDef) -> core::DataId {
        if let Some(id) = self.data.get(&def) {
            return *id;
        }
        let name = def.0.name.to_string();
        let id = self.program.data.alloc(core::Data {
            name,
            constructors: Vec::new(),
            standing: Vec::new(),
        });
        self.data.insert(def, id);
        self.rely_on(def.0, TypeNamespace::Data);
        let Some(declared) = data_type(self.db, def.0.scope, def.0.name) else {
            return id;
        };
        let mut constructors = Vec::with_capacity(declared.constructors.len());
        for (tag, constructor) in declared.constructors.iter().enumerate() {
            let key = ConstructorDef {
                data: def,
                index: tag as u32,
                name: constructor.name,
            };
            let made = self.program.constructors.alloc(core::Constructor {
                name: constructor.name.to_string(),
                data: id,
                tag: tag as u32,
                fields: Vec::new(),
            });
            self.constructors.insert(key, made);
            constructors.push(made);
        }
        for (made, constructor) in constructors.iter().zip(&declared.constructors) {
            let fields = constructor
                .fields
                .iter()
                .map(|field| self.field(&declared.types, *field))
                .collect();
            self.program.constructors[*made].fields = fields;
        }
        let made = |index: u32| constructors.get(index as usize).copied();
        let standing = declared.standing.iter();
        let standing = standing.filter_map(|(own, other)| Some((made(*own)?, made(*other)?)));
        self.program.data[id].standing = standing.collect();
        self.program.data[id].constructors = constructors;
        id
    }

    /// Notes that the program uses a declaration.
    fn rely_on(&mut self, def: Definition, namespace: TypeNamespace) {
        if has_wrong_declaration(self.db, def, namespace) {
            self.broken.get_or_insert(def.name);
        }
    }

    /// The type of a constructor's field; value parameters keep their place among all parameters.
    fn field(&mut self, types: &Types, ty: Ty) -> core::Type {
        ensure_sufficient_stack(|| match types.kind(ty) {
            TyKind::Int => core::Type::Int,
            TyKind::Float => core::Type::Float,
            TyKind::Char => core::Type::Char,
            TyKind::Computation(_) => core::Type::Computation,
            TyKind::Variable(index) => core::Type::Parameter(*index),
            TyKind::Meta(_) | TyKind::Error => core::Type::Unknown,
            TyKind::Data(def, args) => {
                let def = self.data(*def);
                let mut fields = Vec::new();
                for arg in args.iter() {
                    if let Arg::Type(ty) = arg {
                        fields.push(self.field(types, *ty));
                    }
                }
                core::Type::Data(def, fields)
            }
        })
    }

    fn constructor(&mut self, def: ConstructorDef) -> Option<core::ConstructorId> {
        self.data(def.data);
        self.constructors.get(&def).copied()
    }

    fn interface(&mut self, def: InterfaceDef) -> core::InterfaceId {
        if let Some(id) = self.interfaces.get(&def) {
            return *id;
        }
        let name = def.0.name.to_string();
        let id = self.program.interfaces.alloc(core::Interface {
            name,
            commands: Vec::new(),
        });
        self.interfaces.insert(def, id);
        self.rely_on(def.0, TypeNamespace::Row);
        let Some(declared) = interface(self.db, def.0.scope, def.0.name) else {
            return id;
        };
        for (index, command) in declared.commands.iter().enumerate() {
            let made = self.program.commands.alloc(core::Command {
                name: command.name.to_string(),
                interface: id,
                arity: command.args.len() as u32,
            });
            let key = CommandDef {
                interface: def,
                index: index as u32,
                name: command.name,
            };
            self.commands.insert(key, made);
            self.program.interfaces[id].commands.push(made);
        }
        if builtin::picture(self.db) == Some(def) {
            let commands = &self.program.interfaces[id].commands;
            self.program.known.pictures = commands.as_slice().try_into().ok();
        }
        self.know_outside(def, id);
        id
    }

    /// Remembers which commands of an interface the surroundings answer, and what they are answered with.
    fn know_outside(&mut self, def: InterfaceDef, id: core::InterfaceId) {
        let mut any = false;
        for (place, asked) in core::Outside::ALL.into_iter().enumerate() {
            if builtin::outside(self.db, asked) != Some(def) {
                continue;
            }
            let mut commands = self.program.interfaces[id].commands.iter().copied();
            let command = commands.find(|id| self.program.commands[*id].name == asked.name());
            if let Some(slot) = self.program.known.outside.get_mut(place) {
                *slot = command;
            }
            any = true;
        }
        if !any {
            return;
        }
        let constructor = |data, index, name| ConstructorDef {
            data,
            index,
            name: Symbol::new(name),
        };
        if let Some(maybe) = builtin::maybe(self.db) {
            self.program.known.nothing = self.constructor(constructor(maybe, 0, "nothing"));
            self.program.known.just = self.constructor(constructor(maybe, 1, "just"));
        }
        if let Some(either) = builtin::either(self.db) {
            self.program.known.left = self.constructor(constructor(either, 0, "left"));
            self.program.known.right = self.constructor(constructor(either, 1, "right"));
        }
    }

    fn command(&mut self, def: CommandDef) -> Option<core::CommandId> {
        self.interface(def.interface);
        self.commands.get(&def).copied()
    }

    fn operator(&mut self, def: OperatorDef) -> core::OperatorId {
        if let Some(id) = self.operators.get(&def) {
            return *id;
        }
        // Its place and its body come when it is its turn.
        let nowhere = core::Place {
            file: Idx::from_raw(RawIdx::from_u32(0)),
            start: 0,
            end: 0,
        };
        let nothing = core::Handler {
            ports: Vec::new(),
            clauses: Vec::new(),
            locals: 0,
        };
        let id = self.program.operators.alloc(core::Operator {
            name: def.0.name.to_string(),
            place: nowhere,
            body: core::OperatorBody::Handler(nothing),
        });
        self.operators.insert(def, id);
        self.pending.push((def, id));
        id
    }

    fn operator_body(&mut self, def: OperatorDef, id: core::OperatorId) -> Result<(), LinkError> {
        let Definition { scope, name } = def.0;
        let lowered = lowered_operator(self.db, scope, name).as_ref();
        let lowered = lowered.map_err(LinkError::clone)?;
        let copier = self.terms(&lowered.fragment, name)?;
        let written = &mut self.program.written;
        written.operators.insert(id, strings(&lowered.locals));
        let operator = &mut self.program.operators[id];
        operator.place = copier.place(lowered.place);
        operator.body = match &lowered.body {
            core::OperatorBody::Handler(handler) => {
                core::OperatorBody::Handler(copier.handler(handler))
            }
            core::OperatorBody::Builtin(builtin) => core::OperatorBody::Builtin(*builtin),
        };
        Ok(())
    }

    /// Copies a fragment's terms into the program. `name` is what is broken if something that the
    /// fragment mentions does not exist.
    fn terms(&mut self, fragment: &Fragment, name: Symbol) -> Result<Copier<'db>, LinkError> {
        let broken = || LinkError::Broken(name);
        let mut copier = self.copier(fragment);
        for (id, def) in fragment.constructors.iter() {
            let constructor = self.constructor(*def).ok_or_else(broken)?;
            copier.constructors.insert(id, constructor);
        }
        for (id, def) in fragment.interfaces.iter() {
            copier.interfaces.insert(id, self.interface(*def));
        }
        for (id, def) in fragment.commands.iter() {
            let command = self.command(*def).ok_or_else(broken)?;
            copier.commands.insert(id, command);
        }
        for (id, def) in fragment.operators.iter() {
            copier.operators.insert(id, self.operator(*def));
        }
        for (id, term) in fragment.terms.iter() {
            let copy = self.program.terms.alloc(copier.term(term));
            if let Some(place) = fragment.places.get(id) {
                self.program.places.insert(copy, copier.place(*place));
            }
            if let Some(adaptors) = fragment.adaptors.get(id) {
                let written = &mut self.program.written;
                written.adaptors.insert(copy, adaptors.clone());
            }
        }
        Ok(copier)
    }

    /// What copies a fragment's places and types, and its terms when it knows the rest.
    fn copier(&mut self, fragment: &Fragment) -> Copier<'db> {
        let mut copier = Copier {
            first_term: self.program.terms.len() as u32,
            ..Copier::default()
        };
        for (id, source) in fragment.items.iter() {
            copier.items.insert(id, self.item(*source));
        }
        for (id, def) in fragment.data.iter() {
            copier.data.insert(id, self.data(*def));
        }
        copier
    }
}

fn strings(names: &[Symbol]) -> Vec<String> {
    names.iter().map(Symbol::to_string).collect()
}

/// Whether an operator has errors: what the checker made of it could go wrong when it runs.
pub fn has_errors(db: &dyn Db, operator: OperatorDef) -> bool {
    operator_faults(db, operator.0.scope, operator.0.name).any
}

/// Whether a data type, an interface or an alias has errors: what is made of it could go wrong in a run.
pub fn has_wrong_declaration(db: &dyn Db, def: Definition, namespace: TypeNamespace) -> bool {
    def.scope.origin(db) == Origin::Workspace
        && declaration_has_errors(db, def.scope, def.name, namespace)
}

/// Whether an operator cannot be run for its own errors, or for those of an alias that its signature names. Holes
/// do not keep it from running: a run that comes to one ends there.
pub fn cannot_run(db: &dyn Db, operator: OperatorDef) -> bool {
    let Definition { scope, name } = operator.0;
    scope.origin(db) == Origin::Workspace
        && (operator_faults(db, scope, name).keep_from_running
            || signature_rests_on_errors(db, scope, name))
}

/// What kinds of errors an operator has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Faults {
    any: bool,
    /// Some of them are more than holes.
    keep_from_running: bool,
}

/// A query, so that another warning does not lower the operator again.
#[salsa::tracked(returns(copy))]
fn operator_faults(db: &dyn Db, scope: SourceFile, name: Symbol) -> Faults {
    let items = OperatorDef(Definition { scope, name }).items(db);
    let mut all = items.signatures.iter().chain(&items.clauses);
    let unparsed = all.any(|source| has_syntax_errors(db, *source));
    let found = operator_diagnostics(db, scope, name);
    Faults {
        any: unparsed || found.iter().any(Diagnostic::is_error),
        keep_from_running: unparsed || found.iter().any(Diagnostic::keeps_from_running),
    }
}

/// Whether something is wrong in the signature of an operator that is not just unknown there.
#[salsa::tracked(returns(copy))]
fn signature_has_errors(db: &dyn Db, scope: SourceFile, name: Symbol) -> bool {
    let items = OperatorDef(Definition { scope, name }).items(db);
    let unknown = match known_signature(db, scope, name) {
        Some(_) => signature_problems(db, scope, name),
        None => Vec::new(),
    };
    let is_unknown = |problem: &Diagnostic| {
        let mut unknown = unknown.iter();
        unknown.any(|one| (one.code, one.location) == (problem.code, problem.location))
    };
    let mut problems = operator_diagnostics(db, scope, name).iter();
    problems.any(|problem| {
        problem.is_error()
            && items.signatures.contains(&problem.location.item)
            && !is_unknown(problem)
    })
}

/// As [`has_errors`], of what an operator's signature says: that it names something unknown takes nothing from the rest.
pub fn has_wrong_signature(db: &dyn Db, operator: OperatorDef) -> bool {
    signature_has_errors(db, operator.0.scope, operator.0.name)
}
