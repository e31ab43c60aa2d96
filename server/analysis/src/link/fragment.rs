//! An operator, or a term on its own, lowered by itself.
//!
//! A [`Fragment`] says nothing about the rest of the program but which definitions it mentions, so
//! it is the same for all programs, and stays the same when other operators are edited.

use std::collections::HashMap;
use std::hash::Hash;

use frank_core as core;
use frank_syntax::ast::{ItemKind, NodeId, Symbol};
use frank_syntax::law;
use frank_syntax::stack::ensure_sufficient_stack;
use la_arena::{Arena, ArenaMap, Idx, RawIdx};

use super::body::BodyLowering;
use super::{LinkError, cannot_run};
use crate::builtin::library_name;
use crate::check::term_inference;
use crate::db::{Db, ItemSource, SourceFile, TextKind, item, item_name};
use crate::infer::infer_operator;
use crate::infer::table::Table;
use crate::program::{CommandDef, ConstructorDef, DataDef, Definition, InterfaceDef, OperatorDef};
use crate::types::{Adaptor, Adjustment, Arg, Port, Ty, TyKind};

/// Terms of the core whose ids count within the fragment.
///
/// The id of a definition is its key in one of the maps. A place has the key of its item in `items`
/// for a file, and a node of the item instead of bytes: see [`FragmentBuilder::place`].
#[derive(Default)]
pub(super) struct Fragment {
    pub terms: Arena<core::Term>,
    pub places: ArenaMap<core::TermId, core::Place>,
    /// How adaptors were written.
    pub adaptors: ArenaMap<core::TermId, String>,
    pub items: ArenaMap<core::FileId, ItemSource>,
    pub data: ArenaMap<core::DataId, DataDef>,
    pub constructors: ArenaMap<core::ConstructorId, ConstructorDef>,
    pub interfaces: ArenaMap<core::InterfaceId, InterfaceDef>,
    pub commands: ArenaMap<core::CommandId, CommandDef>,
    pub operators: ArenaMap<core::OperatorId, OperatorDef>,
}

/// A lowered operator.
pub(super) struct LoweredOperator {
    pub fragment: Fragment,
    /// Its name where it is defined.
    pub place: core::Place,
    pub body: core::OperatorBody,
    /// The names of its locals.
    pub locals: Vec<Symbol>,
    /// The type of its value, if it takes no arguments.
    pub value: Option<core::Type>,
}

/// A lowered term on its own.
pub(super) struct LoweredTerm {
    pub fragment: Fragment,
    pub term: core::TermId,
    pub ty: core::Type,
    /// The names of its locals.
    pub locals: Vec<Symbol>,
    /// The variables of a law, which is a computation of them; none of another term.
    pub variables: Vec<(Symbol, core::Type)>,
}

/// An operator without errors, lowered. The latest are kept, more than the library and a large
/// program have together.
#[salsa::tracked(no_eq, lru = 2048)]
pub(super) fn lowered_operator(
    db: &dyn Db,
    scope: SourceFile,
    name: Symbol,
) -> Result<LoweredOperator, LinkError> {
    let operator = OperatorDef(Definition { scope, name });
    let broken = || LinkError::Broken(name);
    let items = operator.items(db);
    let mut out = FragmentBuilder::new(db);
    let first = items.signatures.first().or(items.clauses.first());
    let first = *first.ok_or_else(broken)?;
    let node = item_name(db, first).unwrap_or(item(db, first).id);
    let place = FragmentBuilder::place(out.item(first), node);
    let library = library_name(db, first.file(db));
    let builtin = library.and_then(|library| core::Builtin::named(library, name.as_str()));
    let builtin = match items.clauses.is_empty() {
        true if library.is_some() => Some(builtin.ok_or_else(broken)?),
        true => None,
        false => builtin.filter(|one| one.has_clauses()),
    };
    if let Some(builtin) = builtin {
        return Ok(LoweredOperator {
            fragment: out.fragment,
            place,
            body: core::OperatorBody::Builtin(builtin),
            locals: Vec::new(),
            value: None,
        });
    }
    if cannot_run(db, operator) {
        return Err(broken());
    }
    let inference = infer_operator(db, operator).ok_or_else(broken)?;
    let computation = inference.computation.as_ref().ok_or_else(broken)?;
    let ports = computation
        .ports
        .iter()
        .map(|port| out.port(port))
        .collect();
    let mut clauses = Vec::with_capacity(inference.bodies.len());
    let mut locals: Vec<Symbol> = Vec::new();
    for (source, body) in &inference.bodies {
        let ItemKind::Clause { clause, .. } = &item(db, *source).kind else {
            return Err(broken());
        };
        let first = locals.len() as u32;
        let mut lowering = BodyLowering::new(&mut out, scope, &inference, *source, body, first);
        clauses.push(lowering.clause(clause)?);
        locals.extend(body.locals.iter().map(|local| local.name));
    }
    let takes_none = computation.ports.is_empty();
    let value = takes_none.then(|| out.printed(&inference.table, computation.result));
    let handler = core::Handler {
        ports,
        clauses,
        locals: locals.len() as u32,
    };
    Ok(LoweredOperator {
        fragment: out.fragment,
        place,
        body: core::OperatorBody::Handler(handler),
        locals,
        value,
    })
}

/// A term on its own in the scope of a program, lowered.
#[salsa::tracked(no_eq, lru = 16)]
pub(super) fn lowered_term(
    db: &dyn Db,
    scope: SourceFile,
    source: ItemSource,
) -> Result<LoweredTerm, LinkError> {
    let broken = || LinkError::Broken(Symbol::new("this term"));
    let inference = term_inference(db, scope, source);
    let ItemKind::Term(root) = item(db, source).kind else {
        return Err(broken());
    };
    let body = inference.body(source).ok_or_else(broken)?;
    let computation = inference.computation.as_ref();
    let result = computation.map_or(inference.table.error, |c| c.result);
    let mut out = FragmentBuilder::new(db);
    let ty = out.printed(&inference.table, result);
    let mut variables = Vec::new();
    if let (TextKind::Law { .. }, TyKind::Computation(law), Ok(read)) = (
        source.kind(db),
        inference.table.kind(result).clone(),
        law::read(source.text(db)),
    ) {
        let types = law.ports.iter().map(|port| port.ty);
        for (name, ty) in read.names(source.text(db)).zip(types) {
            variables.push((Symbol::new(name), out.printed(&inference.table, ty)));
        }
    }
    let term = BodyLowering::new(&mut out, scope, inference, source, body, 0).term(root)?;
    Ok(LoweredTerm {
        variables,
        fragment: out.fragment,
        term,
        ty,
        locals: body.locals.iter().map(|local| local.name).collect(),
    })
}

/// A fragment that is being made.
pub(super) struct FragmentBuilder<'db> {
    pub db: &'db dyn Db,
    fragment: Fragment,
    items: HashMap<ItemSource, core::FileId>,
    data: HashMap<DataDef, core::DataId>,
    constructors: HashMap<ConstructorDef, core::ConstructorId>,
    interfaces: HashMap<InterfaceDef, core::InterfaceId>,
    commands: HashMap<CommandDef, core::CommandId>,
    operators: HashMap<OperatorDef, core::OperatorId>,
}

/// The id of a definition in a fragment; a new one at its first mention.
fn id_of<T, D: Copy + Eq + Hash>(
    ids: &mut HashMap<D, Idx<T>>,
    mentioned: &mut ArenaMap<Idx<T>, D>,
    definition: D,
) -> Idx<T> {
    let next = ids.len() as u32;
    *ids.entry(definition).or_insert_with(|| {
        let id = Idx::from_raw(RawIdx::from_u32(next));
        mentioned.insert(id, definition);
        id
    })
}

impl<'db> FragmentBuilder<'db> {
    fn new(db: &'db dyn Db) -> FragmentBuilder<'db> {
        FragmentBuilder {
            db,
            fragment: Fragment::default(),
            items: HashMap::new(),
            data: HashMap::new(),
            constructors: HashMap::new(),
            interfaces: HashMap::new(),
            commands: HashMap::new(),
            operators: HashMap::new(),
        }
    }

    pub fn term(&mut self, term: core::Term, place: core::Place) -> core::TermId {
        let id = self.fragment.terms.alloc(term);
        self.fragment.places.insert(id, place);
        id
    }

    /// Remembers how the adaptors of a term were written.
    pub fn adaptors(&mut self, term: core::TermId, written: String) {
        self.fragment.adaptors.insert(term, written);
    }

    pub fn item(&mut self, source: ItemSource) -> core::FileId {
        id_of(&mut self.items, &mut self.fragment.items, source)
    }

    /// A node of an item, as a place of a fragment: its number stands for both ends. Edits of the
    /// blanks and comments around it leave it as it is.
    pub fn place(item: core::FileId, node: NodeId) -> core::Place {
        core::Place {
            file: item,
            start: node.0,
            end: node.0,
        }
    }

    fn data(&mut self, def: DataDef) -> core::DataId {
        id_of(&mut self.data, &mut self.fragment.data, def)
    }

    pub fn constructor(&mut self, def: ConstructorDef) -> core::ConstructorId {
        id_of(&mut self.constructors, &mut self.fragment.constructors, def)
    }

    fn interface(&mut self, def: InterfaceDef) -> core::InterfaceId {
        id_of(&mut self.interfaces, &mut self.fragment.interfaces, def)
    }

    pub fn command(&mut self, def: CommandDef) -> core::CommandId {
        id_of(&mut self.commands, &mut self.fragment.commands, def)
    }

    pub fn operator(&mut self, def: OperatorDef) -> core::OperatorId {
        id_of(&mut self.operators, &mut self.fragment.operators, def)
    }

    pub fn port(&mut self, port: &Port) -> core::Port {
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

    pub fn renaming(&mut self, adaptor: &Adaptor) -> core::Renaming {
        core::Renaming {
            interface: self.interface(adaptor.interface),
            taken: adaptor.taken,
            kept: adaptor.kept.clone(),
        }
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
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use frank_core::Builtin;
    use frank_library::{BUILTIN, LIBRARY, MARKED};
    use frank_syntax::outline::{Outline, OutlineKind};

    /// The signatures of a library's text whose operators have no clauses there, by its name and theirs.
    fn without_clauses(library: &str, text: &str) -> BTreeMap<(String, String), String> {
        let outline = Outline::new(text);
        let of_kind = |kind| outline.items().iter().filter(move |item| item.kind == kind);
        let mut found = BTreeMap::new();
        for item in of_kind(OutlineKind::Signature) {
            let Some(name) = item.name else { continue };
            let lines = text[item.range.clone()].lines();
            let code = lines.filter(|line| !line.starts_with("--"));
            let words: Vec<&str> = code.flat_map(str::split_whitespace).collect();
            found.insert((library.to_owned(), name.to_string()), words.join(" "));
        }
        for item in of_kind(OutlineKind::Clause) {
            found.remove(&(library.to_owned(), item.name.unwrap().to_string()));
        }
        found
    }

    #[test]
    fn the_built_in_operators_are_the_signatures_without_clauses() {
        let library = LIBRARY.iter().chain(MARKED).copied();
        let mut signatures = BTreeMap::new();
        for (library, text) in library.chain([("builtin", BUILTIN)]) {
            signatures.extend(without_clauses(library, text));
        }
        // A hole has no name by which a program could mention it.
        for builtin in Builtin::ALL.iter().filter(|one| **one != Builtin::Hole) {
            let name = builtin.name();
            if builtin.has_clauses() {
                let line = format!("\n{}\n{name} ", builtin.signature());
                let mut library = LIBRARY.iter();
                let is_there = |(file, text): &(&str, &str)| {
                    *file == builtin.library() && text.contains(&line)
                };
                assert!(library.any(is_there), "{line}");
                continue;
            }
            let library = builtin.library();
            let written = signatures.remove(&(library.to_owned(), name.to_owned()));
            assert_eq!(
                written.as_deref(),
                Some(builtin.signature().as_str()),
                "write the signature of `{name}` in server/library/{library}.fk as the table in \
                 server/core/src/builtin.rs has it, or correct the table"
            );
        }
        assert!(
            signatures.is_empty(),
            "write clauses for these operators of the library, or give each a row of the table in \
             server/core/src/builtin.rs: {signatures:?}"
        );
    }
}
