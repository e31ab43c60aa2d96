//! A module, cut in two.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use anyhow::{Context, Result, ensure};
use walrus::ir::{Value, Visitor, dfs_in_order};
use walrus::{
    ConstExpr, ElementItems, ElementKind, ExportItem, FunctionBuilder, FunctionId, FunctionKind,
    GlobalKind, ImportKind, ImportedFunction, Module, TableId, ValType,
};

/// Which functions are in which module. Functions are named by their index, which is the same one whenever the module is
/// read.
pub struct Plan {
    /// Functions of the rest that have a stub in the first module, with where the table has them.
    moved: BTreeMap<usize, u64>,
    /// Those of the first module, and imported ones.
    stay: HashSet<usize>,
    /// How large the table becomes.
    slots: u64,
    version: String,
}

impl Plan {
    /// `called` has the numbers of the functions that stay.
    ///
    /// # Errors
    ///
    /// If the module has something that compilers of Rust do not write.
    pub fn new(module: &Module, called: &HashSet<usize>, version: &str) -> Result<Plan> {
        ensure!(!called.is_empty(), "no function was called");
        ensure!(
            module.start.is_none(),
            "a module that starts by itself cannot be cut"
        );
        ensure!(module.memories.len() == 1, "a module has one memory");
        ensure!(
            module.data.iter().all(|data| !data.is_passive()),
            "all data are in the memory from the start"
        );
        let functions = crate::functions(module);
        let last = called.iter().max().copied().unwrap_or_default();
        ensure!(
            last < functions.len(),
            "there is no function of number {last}: CALLED is of another module"
        );

        let mut stay: HashSet<usize> = imported(module).map(|id| id.index()).collect();
        stay.extend(
            functions
                .iter()
                .enumerate()
                .filter(|(number, _)| called.contains(number))
                .map(|(_, id)| id.index()),
        );

        let table = table(module)?;
        let mut moved: BTreeMap<usize, u64> = BTreeMap::new();
        for element in module.elements.iter() {
            let (from, items) = placed(&element.kind, &element.items, table)?;
            for (slot, id) in (from..).zip(items) {
                if !stay.contains(&id.index()) {
                    moved.entry(id.index()).or_insert(slot);
                }
            }
        }

        let mut named = Named::default();
        for (id, function) in module.funcs.iter_local() {
            if stay.contains(&id.index()) {
                dfs_in_order(&mut named, function, function.entry_block());
            }
        }
        named.0.extend(
            module
                .exports
                .iter()
                .filter_map(|export| match export.item {
                    ExportItem::Function(id) => Some(id.index()),
                    _ => None,
                }),
        );
        let mut slots = module.tables.get(table).initial;
        for index in named.0 {
            if !stay.contains(&index) {
                moved.entry(index).or_insert_with(|| {
                    slots += 1;
                    slots - 1
                });
            }
        }
        let version = version.to_owned();
        Ok(Plan {
            moved,
            stay,
            slots,
            version,
        })
    }

    /// The module without what is in the first one, and the names under which it takes that from there.
    pub fn rest(&self, mut module: Module) -> Result<(Module, HashSet<String>)> {
        let table = table(&module)?;
        let first = format!("first {}", self.version);
        for (name, item) in shared(&module) {
            match item {
                ExportItem::Function(id) => self.import(&mut module, &first, &name, id),
                ExportItem::Memory(id) => {
                    let import = module.imports.add(&first, &name, id);
                    let memory = module.memories.get_mut(id);
                    memory.import = Some(import);
                    memory.data_segments.clear();
                }
                ExportItem::Table(id) => {
                    let import = module.imports.add(&first, &name, id);
                    let table = module.tables.get_mut(id);
                    table.import = Some(import);
                    table.elem_segments.clear();
                }
                ExportItem::Global(id) => {
                    let import = module.imports.add(&first, &name, id);
                    module.globals.get_mut(id).kind = GlobalKind::Import(import);
                }
                ExportItem::Tag(_) => {}
            }
        }
        let data: Vec<_> = module.data.iter().map(walrus::Data::id).collect();
        data.into_iter().for_each(|id| module.data.delete(id));
        let elements: Vec<_> = module.elements.iter().map(walrus::Element::id).collect();
        elements
            .into_iter()
            .for_each(|id| module.elements.delete(id));
        let exports: Vec<_> = module.exports.iter().map(walrus::Export::id).collect();
        exports.into_iter().for_each(|id| module.exports.delete(id));
        self.enlarge(&mut module, table);

        let ids: BTreeMap<usize, FunctionId> = module
            .funcs
            .iter()
            .map(|function| (function.id().index(), function.id()))
            .collect();
        let by_slot: BTreeMap<u64, FunctionId> = self
            .moved
            .iter()
            .filter_map(|(index, slot)| Some((*slot, *ids.get(index)?)))
            .collect();
        for (from, run) in runs(&by_slot) {
            let offset = ConstExpr::Value(Value::I32(i32::try_from(from)?));
            let element = module.elements.add(
                ElementKind::Active { table, offset },
                ElementItems::Functions(run),
            );
            module.tables.get_mut(table).elem_segments.insert(element);
        }
        walrus::passes::gc::run(&mut module);
        let taken = module
            .imports
            .iter()
            .map(|import| import.name.clone())
            .collect();
        Ok((module, taken))
    }

    /// The module with stubs in place of what is in the rest, which takes what `taken` names.
    pub fn first(&self, mut module: Module, taken: &HashSet<String>) -> Result<Module> {
        let table = table(&module)?;
        for (name, item) in shared(&module) {
            if taken.contains(&name) {
                module.exports.add(&name, item);
            }
        }
        self.enlarge(&mut module, table);

        let never = ConstExpr::Value(Value::I32(0));
        let is_there = module.globals.add_local(ValType::I32, true, false, never);
        let nothing = module.types.add(&[], &[]);
        let (load, _) = module.add_import_func(&format!("rest {}", self.version), "load", nothing);
        for id in crate::functions(&module) {
            let Some(slot) = self.moved.get(&id.index()) else {
                continue;
            };
            let ty = module.funcs.get(id).ty();
            let (takes, gives) = module.types.params_results(ty);
            let (takes, gives) = (takes.to_vec(), gives.to_vec());
            let mut stub = FunctionBuilder::new(&mut module.types, &takes, &gives);
            let arguments: Vec<_> = takes.into_iter().map(|ty| module.locals.add(ty)).collect();
            let mut body = stub.func_body();
            body.global_get(is_there).if_else(
                None,
                |_| {},
                |then| {
                    then.call(load).i32_const(1).global_set(is_there);
                },
            );
            for argument in &arguments {
                body.local_get(*argument);
            }
            body.i32_const(i32::try_from(*slot)?)
                .call_indirect(ty, table);
            *module.funcs.get_mut(id).kind.unwrap_local_mut() = stub.local_func(arguments);
        }
        Ok(module)
    }

    /// Takes a function from elsewhere, unless it is one of the rest.
    fn import(&self, module: &mut Module, first: &str, name: &str, id: FunctionId) {
        let function = module.funcs.get(id);
        if let FunctionKind::Import(ImportedFunction { import, .. }) = function.kind {
            let import = module.imports.get_mut(import);
            first.clone_into(&mut import.module);
            name.clone_into(&mut import.name);
        } else if self.stay.contains(&id.index()) {
            let ty = function.ty();
            let import = module.imports.add(first, name, id);
            module.funcs.get_mut(id).kind = FunctionKind::Import(ImportedFunction { import, ty });
        }
    }

    fn enlarge(&self, module: &mut Module, table: TableId) {
        let table = module.tables.get_mut(table);
        table.initial = self.slots;
        table.maximum = table.maximum.map(|most| most.max(self.slots));
    }
}

/// All that one part may take from the other, with the name that it has there.
fn shared(module: &Module) -> Vec<(String, ExportItem)> {
    let functions = module.funcs.iter().map(walrus::Function::id);
    let functions = functions.map(|id| (format!("f{}", id.index()), id.into()));
    let memories = module.memories.iter().map(walrus::Memory::id);
    let memories = memories.map(|id| (format!("memory {}", id.index()), id.into()));
    let tables = module.tables.iter().map(walrus::Table::id);
    let tables = tables.map(|id| (format!("table {}", id.index()), id.into()));
    let globals = module.globals.iter().map(walrus::Global::id);
    let globals = globals.map(|id| (format!("global {}", id.index()), id.into()));
    functions
        .chain(memories)
        .chain(tables)
        .chain(globals)
        .collect()
}

fn imported(module: &Module) -> impl Iterator<Item = FunctionId> {
    module
        .imports
        .iter()
        .filter_map(|import| match import.kind {
            ImportKind::Function(id) => Some(id),
            _ => None,
        })
}

/// The table that has the functions which are called by their place.
fn table(module: &Module) -> Result<TableId> {
    module
        .tables
        .main_function_table()?
        .context("there is no table of functions")
}

/// Where an element of a module puts functions.
fn placed<'m>(
    kind: &ElementKind,
    items: &'m ElementItems,
    table: TableId,
) -> Result<(u64, &'m [FunctionId])> {
    match (kind, items) {
        (
            ElementKind::Active {
                table: into,
                offset: ConstExpr::Value(Value::I32(from)),
            },
            ElementItems::Functions(items),
        ) if *into == table => Ok((u64::from(from.cast_unsigned()), items)),
        _ => anyhow::bail!("functions are in the table from the start, at constant places"),
    }
}

/// Functions that stand beside each other in the table.
fn runs(by_slot: &BTreeMap<u64, FunctionId>) -> Vec<(u64, Vec<FunctionId>)> {
    let mut runs: Vec<(u64, Vec<FunctionId>)> = Vec::new();
    for (slot, id) in by_slot {
        match runs.last_mut() {
            Some((from, run)) if *from + run.len() as u64 == *slot => run.push(*id),
            _ => runs.push((*slot, vec![*id])),
        }
    }
    runs
}

/// The functions that code names.
#[derive(Default)]
struct Named(BTreeSet<usize>);

impl Visitor<'_> for Named {
    fn visit_function_id(&mut self, function: &FunctionId) {
        self.0.insert(function.index());
    }
}
