//! The typed core of checked programs.
//!
//! [`link`] lowers all operators that some entries can reach. Names are resolved, numbers and
//! adaptors decided, locals numbered; what comes out refers to nothing of analysis.

mod body;

use std::collections::HashMap;
use std::fmt;

use body::BodyLowering;
use frank_core as core;
use frank_syntax::ast::{ItemKind, Symbol};
use frank_syntax::stack::ensure_sufficient_stack;

use crate::builtin;
use crate::check::operator_diagnostics;
use crate::db::{
    Db, ItemSource, Origin, SourceFile, TextKind, Workspace, has_syntax_errors, item, parsed,
};
use crate::declarations::{data_type, interface, is_abort};
use crate::diagnostics::Diagnostic;
use crate::infer::table::Table;
use crate::infer::{infer_operator, infer_term};
use crate::program::{
    CommandDef, ConstructorDef, DataDef, InterfaceDef, OperatorDef, TermDef, resolve_term,
};
use crate::types::{Adaptor, Adjustment, Arg, Computation, Port, Ty, TyKind, Types};

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

/// The typed core of everything that `entries` can reach. Programs with errors are refused.
pub fn link(db: &dyn Db, entries: &[EntryPoint]) -> Result<core::Program, LinkError> {
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
    };
    linker.know_builtins();
    for entry in entries {
        linker.entry(*entry)?;
    }
    while let Some((operator, id)) = linker.pending.pop() {
        linker.operator_body(operator, id)?;
    }
    Ok(linker.program)
}

/// The interfaces that an operator without ports needs and the host does not answer.
pub fn unanswered(db: &dyn Db, operator: OperatorDef) -> Vec<InterfaceDef> {
    let Some(inference) = infer_operator(db, operator) else {
        return Vec::new();
    };
    inference
        .computation
        .as_ref()
        .map_or_else(Vec::new, |computation| {
            unanswered_in(db, &inference.table, computation)
        })
}

/// The instances that a computation needs beyond one `Console` and one `RefState`.
pub fn unanswered_in(db: &dyn Db, table: &Table, computation: &Computation) -> Vec<InterfaceDef> {
    let mut host = vec![builtin::console(db), builtin::ref_state(db)];
    let row = table.row(computation.ability);
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
}

impl Linker<'_> {
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
        {
            self.program.known.abort = self.command(abort);
        }
        match entry {
            EntryPoint::Operator(operator) => {
                let name = operator.0.name;
                let inference = infer_operator(db, operator).ok_or(LinkError::Broken(name))?;
                let computation = inference
                    .computation
                    .as_ref()
                    .ok_or(LinkError::Broken(name))?;
                if !computation.ports.is_empty() {
                    return Err(LinkError::TakesArguments(name));
                }
                let ty = self.printed(&inference.table, computation.result);
                let id = self.operator(operator);
                let place = self.operator_place(operator);
                let head = self.term(core::Term::Operator(id), place);
                let term = self.term(
                    core::Term::Apply {
                        head,
                        args: Vec::new(),
                    },
                    place,
                );
                let entry = core::Entry {
                    name: name.to_string(),
                    term,
                    ty,
                    locals: 0,
                };
                self.program.entries.push(entry);
            }
            EntryPoint::Term { scope, source } => {
                let inference = infer_term(db, scope, source);
                let broken = LinkError::Broken(Symbol::new("this term"));
                let ItemKind::Term(root) = item(db, source).kind else {
                    return Err(broken);
                };
                let body = inference.body(source).ok_or(broken)?;
                let computation = inference.computation.as_ref();
                let result = computation.map_or(inference.table.error, |c| c.result);
                let ty = self.printed(&inference.table, result);
                let mut lowering = BodyLowering::new(self, scope, &inference, source, body, 0);
                let term = lowering.term(root)?;
                let entry = core::Entry {
                    name: "term".to_owned(),
                    term,
                    ty,
                    locals: body.locals.len() as u32,
                };
                self.program.entries.push(entry);
            }
        }
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

    fn place(&mut self, source: ItemSource, node: frank_syntax::ast::NodeId) -> core::Place {
        // A term on its own is in no file; its places count from its own start.
        let file = match source.kind(self.db) {
            TextKind::Item => self.file(source.file(self.db)),
            TextKind::Term => *self.term.get_or_insert_with(|| {
                self.program.files.alloc(core::File {
                    path: TERM_PATH.to_owned(),
                    library: false,
                })
            }),
        };
        let start = self.starts.get(&source).copied().unwrap_or(0);
        let range = parsed(self.db, source).source_map.range(node);
        core::Place {
            file,
            start: start + u32::from(range.start()),
            end: start + u32::from(range.end()),
        }
    }

    fn operator_place(&mut self, operator: OperatorDef) -> core::Place {
        let items = operator.items(self.db);
        match items.signatures.first().or(items.clauses.first()) {
            Some(source) => {
                let node = crate::db::item_name(self.db, *source);
                self.place(*source, node.unwrap_or(item(self.db, *source).id))
            }
            None => core::Place {
                file: self.file(operator.0.scope),
                start: 0,
                end: 0,
            },
        }
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

    /// A type as printing a value needs it. Types that double with every level end in `Unknown`.
    fn printed(&mut self, table: &Table, ty: Ty) -> core::Type {
        let mut budget = 10_000;
        self.printed_within(table, ty, &mut budget)
    }

    fn printed_within(&mut self, table: &Table, ty: Ty, budget: &mut u32) -> core::Type {
        if *budget == 0 {
            return core::Type::Unknown;
        }
        *budget -= 1;
        ensure_sufficient_stack(|| match table.kind(ty).clone() {
            TyKind::Int => core::Type::Int,
            TyKind::Float => core::Type::Float,
            TyKind::Char => core::Type::Char,
            TyKind::Computation(_) => core::Type::Computation,
            TyKind::Meta(_) if table.is_number_meta(ty) => core::Type::Int,
            TyKind::Variable(_) | TyKind::Meta(_) | TyKind::Error => core::Type::Unknown,
            TyKind::Data(def, args) => {
                let def = self.data(def);
                let mut fields = Vec::new();
                for arg in args.iter() {
                    if let Arg::Type(ty) = arg {
                        fields.push(self.printed_within(table, *ty, budget));
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
        id
    }

    fn command(&mut self, def: CommandDef) -> Option<core::CommandId> {
        self.interface(def.interface);
        self.commands.get(&def).copied()
    }

    fn operator(&mut self, def: OperatorDef) -> core::OperatorId {
        if let Some(id) = self.operators.get(&def) {
            return *id;
        }
        let place = self.operator_place(def);
        let nothing = core::Handler {
            ports: Vec::new(),
            clauses: Vec::new(),
            locals: 0,
        };
        let id = self.program.operators.alloc(core::Operator {
            name: def.0.name.to_string(),
            place,
            body: core::OperatorBody::Handler(nothing),
        });
        self.operators.insert(def, id);
        self.pending.push((def, id));
        id
    }

    fn operator_body(&mut self, def: OperatorDef, id: core::OperatorId) -> Result<(), LinkError> {
        let broken = || LinkError::Broken(def.0.name);
        let scope = def.0.scope;
        let builtin = Workspace::get(self.db).builtin(self.db);
        let without_clauses = || def.items(self.db).clauses.is_empty();
        if scope.origin(self.db) == Origin::Library && (scope == builtin || without_clauses()) {
            let builtin = builtin_of(def.0.name.as_str()).ok_or_else(broken)?;
            self.program.operators[id].body = core::OperatorBody::Builtin(builtin);
            return Ok(());
        }
        if scope.origin(self.db) == Origin::Workspace && has_errors(self.db, def) {
            return Err(broken());
        }
        let inference = infer_operator(self.db, def).ok_or_else(broken)?;
        let computation = inference.computation.as_ref().ok_or_else(broken)?;
        let ports = computation
            .ports
            .iter()
            .map(|port| self.port(port))
            .collect();
        let mut clauses = Vec::with_capacity(inference.bodies.len());
        let mut locals = 0;
        for (source, body) in &inference.bodies {
            let ItemKind::Clause { clause, .. } = &item(self.db, *source).kind else {
                return Err(broken());
            };
            let mut lowering = BodyLowering::new(self, scope, &inference, *source, body, locals);
            clauses.push(lowering.clause(clause)?);
            locals += body.locals.len() as u32;
        }
        let handler = core::Handler {
            ports,
            clauses,
            locals,
        };
        self.program.operators[id].body = core::OperatorBody::Handler(handler);
        Ok(())
    }

    fn port(&mut self, port: &Port) -> core::Port {
        let adjustments = port
            .adjustments
            .iter()
            .map(|adjustment| match adjustment {
                Adjustment::Instance(instance) => {
                    core::Adjustment::Add(self.interface(instance.interface))
                }
                Adjustment::Adaptor(adaptor) => core::Adjustment::Rename(self.renaming(adaptor)),
            })
            .collect();
        core::Port { adjustments }
    }

    fn renaming(&mut self, adaptor: &Adaptor) -> core::Renaming {
        core::Renaming {
            interface: self.interface(adaptor.interface),
            taken: adaptor.taken,
            kept: adaptor.kept.clone(),
        }
    }
}

/// Whether an operator has errors: what the checker made of it could go wrong when it runs.
pub fn has_errors(db: &dyn Db, operator: OperatorDef) -> bool {
    let items = operator.items(db);
    let mut all = items.signatures.iter().chain(&items.clauses);
    all.any(|source| has_syntax_errors(db, *source))
        || operator_diagnostics(db, operator.0.scope, operator.0.name)
            .iter()
            .any(Diagnostic::is_error)
}

/// The machine's own operator of a name in the built-in file, or of an operator of the library
/// that has a signature alone.
fn builtin_of(name: &str) -> Option<core::Builtin> {
    use core::Builtin;
    Some(match name {
        "case" => Builtin::Case,
        "eqc" => Builtin::EqualChars,
        "isAlphaNum" => Builtin::IsAlphaNum,
        "sin" => Builtin::Sin,
        "cos" => Builtin::Cos,
        "tan" => Builtin::Tan,
        "exp" => Builtin::Exp,
        "log" => Builtin::Log,
        "sqrt" => Builtin::Sqrt,
        "tanh" => Builtin::Tanh,
        "pow" => Builtin::Pow,
        "abs" => Builtin::Abs,
        "asin" => Builtin::Asin,
        "acos" => Builtin::Acos,
        "atan" => Builtin::Atan,
        "sinh" => Builtin::Sinh,
        "cosh" => Builtin::Cosh,
        "toFloat" => Builtin::ToFloat,
        "round" => Builtin::Round,
        "floor" => Builtin::Floor,
        "truncate" => Builtin::Truncate,
        "showInt" => Builtin::ShowInt,
        "showFloat" => Builtin::ShowFloat,
        "charToInt" => Builtin::CharToInt,
        "intToChar" => Builtin::IntToChar,
        "fail" => Builtin::Fail,
        "newRun" => Builtin::NewRun,
        "foreignNumber" => Builtin::ForeignNumber,
        _ => return None,
    })
}
