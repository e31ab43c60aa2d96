//! Programs and the names in them (language reference, sections 4 "Names" and 7).
//!
//! A program is a root file with all that it includes. Its own definitions share one scope; a
//! library file is a scope of its own, so that its code keeps its meaning whatever a program
//! defines. Every definition is known by its scope and its name, never by its position.

use std::sync::Arc;

use frank_syntax::ast::{ItemKind, NodeId, Symbol, SymbolMap};
use frank_syntax::outline::OutlineKind;

use crate::db::{Db, ItemSource, Origin, SourceFile, Workspace, item};

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

/// The table of contents of a scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScopeIndex {
    /// The scope's files in the order of their text in the program.
    pub files: Vec<SourceFile>,
    /// The library files that the scope includes, directly or not; the built-in one is last.
    pub libraries: Vec<SourceFile>,
    /// Every definition of a term name, in order; the first one counts.
    pub terms: SymbolMap<Vec<TermEntry>>,
    pub operators: SymbolMap<OperatorItems>,
    pub data: SymbolMap<Vec<ItemSource>>,
    pub interfaces: SymbolMap<Vec<ItemSource>>,
    /// What the names mean, by [`bucket_of`].
    buckets: Vec<Arc<Bucket>>,
}

/// What some names of a scope mean in it. After an edit that makes a name or changes one, most
/// buckets are equal to what they were, and so nobody who asked for a name in them is asked again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Bucket {
    terms: SymbolMap<TermDef>,
    operators: SymbolMap<OperatorItems>,
    data: SymbolMap<ItemSource>,
    interfaces: SymbolMap<ItemSource>,
}

/// So many names are in a bucket, or up to twice as many.
const BUCKET: usize = 32;

/// The bucket of a name where there are so many.
fn bucket_of(name: Symbol, buckets: usize) -> usize {
    // Maps in a bucket go by the low bits.
    usize::try_from(name.number() >> 32).unwrap_or_default() & buckets.saturating_sub(1)
}

impl ScopeIndex {
    /// Sorts what the names mean into buckets.
    fn fill_buckets(&mut self) {
        let names = self.terms.len() + self.data.len() + self.interfaces.len();
        let mut buckets = vec![Bucket::default(); (names / BUCKET).max(1).next_power_of_two()];
        let count = buckets.len();
        let mut fill = |name: &Symbol, add: &mut dyn FnMut(&mut Bucket)| {
            if let Some(bucket) = buckets.get_mut(bucket_of(*name, count)) {
                add(bucket);
            }
        };
        for (name, entries) in &self.terms {
            if let Some(entry) = entries.first() {
                fill(name, &mut |bucket| {
                    bucket.terms.insert(*name, entry.def);
                });
            }
        }
        for (name, items) in &self.operators {
            fill(name, &mut |bucket| {
                bucket.operators.insert(*name, items.clone());
            });
        }
        for (name, items) in &self.data {
            if let Some(item) = items.first() {
                fill(name, &mut |bucket| {
                    bucket.data.insert(*name, *item);
                });
            }
        }
        for (name, items) in &self.interfaces {
            if let Some(item) = items.first() {
                fill(name, &mut |bucket| {
                    bucket.interfaces.insert(*name, *item);
                });
            }
        }
        self.buckets = buckets.into_iter().map(Arc::new).collect();
    }

    /// Adds the names that a data type or an interface brings along; `def` makes their definitions
    /// from their positions.
    fn add_members(&mut self, db: &dyn Db, item: ItemSource, def: impl Fn(u32, Symbol) -> TermDef) {
        for (index, (name, node)) in member_names(db, item).iter().enumerate() {
            self.terms.entry(*name).or_default().push(TermEntry {
                def: def(index as u32, *name),
                item,
                node: Some(*node),
            });
        }
    }
}

/// The file that `include name` in `file` means: beside it, on an include path, or built in.
#[salsa::tracked(returns(copy))]
pub fn resolve_include(db: &dyn Db, file: SourceFile, name: Symbol) -> Option<SourceFile> {
    let workspace = Workspace::get(db);
    if file.origin(db) == Origin::Workspace {
        let files = workspace.files(db);
        let own = file.path(db).rsplit_once('/').map(|(dir, _)| dir);
        let dirs = own
            .into_iter()
            .chain(workspace.include_dirs(db).iter().map(String::as_str));
        for path in dirs.map(|dir| format!("{dir}/{name}.fk")) {
            if let Some(found) = files.get(&path) {
                return Some(*found);
            }
        }
        if own.is_none()
            && let Some(found) = files.get(&format!("{name}.fk"))
        {
            return Some(*found);
        }
    }
    workspace.library(db).get(&name).copied()
}

/// The files that `file` includes itself, in order.
#[salsa::tracked]
pub fn direct_includes(db: &dyn Db, file: SourceFile) -> Vec<SourceFile> {
    let names = file
        .outline(db)
        .iter()
        .filter(|entry| entry.kind == OutlineKind::Include);
    names
        .filter_map(|entry| resolve_include(db, file, entry.name?))
        .collect()
}

/// The files of a scope and the library files under it, each once; an include's text comes
/// before the text that includes it.
#[salsa::tracked]
pub fn scope_files(db: &dyn Db, scope: SourceFile) -> (Vec<SourceFile>, Vec<SourceFile>) {
    struct Walk {
        own: Vec<SourceFile>,
        libraries: Vec<SourceFile>,
        seen: std::collections::HashSet<SourceFile>,
    }
    let mut walk = Walk {
        own: Vec::new(),
        libraries: Vec::new(),
        seen: [scope].into(),
    };
    // An explicit stack: chains of includes may be as long as a user likes.
    let mut stack = vec![(scope, 0)];
    while let Some((file, next)) = stack.pop() {
        match direct_includes(db, file).get(next) {
            Some(&included) => {
                stack.push((file, next + 1));
                if walk.seen.insert(included) {
                    stack.push((included, 0));
                }
            }
            None if file == scope || file.origin(db) == Origin::Workspace => walk.own.push(file),
            None => walk.libraries.push(file),
        }
    }
    let builtin = Workspace::get(db).builtin(db);
    walk.libraries.retain(|file| *file != builtin);
    if scope != builtin {
        walk.libraries.push(builtin);
    }
    (walk.own, walk.libraries)
}

/// The names that a data type or an interface brings into the namespace of terms.
#[salsa::tracked]
pub fn member_names(db: &dyn Db, source: ItemSource) -> Vec<(Symbol, NodeId)> {
    match &item(db, source).kind {
        ItemKind::Data { constructors, .. } => constructors
            .iter()
            .map(|c| (c.name.symbol, c.name.id))
            .collect(),
        ItemKind::Interface { commands, .. } => commands
            .iter()
            .map(|c| (c.name.symbol, c.name.id))
            .collect(),
        _ => Vec::new(),
    }
}

/// Whether an item that starts with `interface` is an alias.
#[salsa::tracked(returns(copy))]
fn is_alias(db: &dyn Db, source: ItemSource) -> bool {
    matches!(item(db, source).kind, ItemKind::Alias { .. })
}

/// All definitions of a scope. Runs again when an outline or a member's name changes, so what
/// depends on single names should ask [`resolve_term`] and its like, whose answers stay equal.
#[salsa::tracked(no_eq)]
pub fn scope_index(db: &dyn Db, scope: SourceFile) -> Arc<ScopeIndex> {
    let (files, libraries) = scope_files(db, scope);
    let mut index = ScopeIndex {
        files: files.clone(),
        libraries: libraries.clone(),
        terms: SymbolMap::default(),
        operators: SymbolMap::default(),
        data: SymbolMap::default(),
        interfaces: SymbolMap::default(),
        buckets: Vec::new(),
    };
    for entry in files.iter().flat_map(|file| file.outline(db)) {
        let Some(name) = entry.name else { continue };
        let definition = Definition { scope, name };
        let source = entry.item;
        match entry.kind {
            OutlineKind::Data => {
                let known = index.data.entry(name).or_default();
                known.push(source);
                if known.len() == 1 {
                    index.add_members(db, source, |index, name| {
                        TermDef::Constructor(ConstructorDef {
                            data: DataDef(definition),
                            index,
                            name,
                        })
                    });
                }
            }
            OutlineKind::Interface => {
                let known = index.interfaces.entry(name).or_default();
                known.push(source);
                if known.len() == 1 {
                    index.add_members(db, source, |index, name| {
                        TermDef::Command(CommandDef {
                            interface: InterfaceDef(definition),
                            index,
                            name,
                        })
                    });
                }
            }
            OutlineKind::Signature => {
                index
                    .operators
                    .entry(name)
                    .or_default()
                    .signatures
                    .push(source);
                let def = TermDef::Operator(OperatorDef(definition));
                let entry = TermEntry {
                    def,
                    item: source,
                    node: None,
                };
                index.terms.entry(name).or_default().push(entry);
            }
            OutlineKind::Clause => {
                index
                    .operators
                    .entry(name)
                    .or_default()
                    .clauses
                    .push(source);
            }
            OutlineKind::Include | OutlineKind::Other => {}
        }
    }
    // Clauses without any definition of the name still make an operator, so that its uses are
    // not unknown names as well.
    for (name, items) in &index.operators {
        if let (Some(first), false) = (items.clauses.first(), index.terms.contains_key(name)) {
            let def = TermDef::Operator(OperatorDef(Definition { scope, name: *name }));
            index.terms.insert(
                *name,
                vec![TermEntry {
                    def,
                    item: *first,
                    node: None,
                }],
            );
        }
    }
    index.fill_buckets();
    Arc::new(index)
}

#[salsa::tracked(returns(copy))]
fn bucket_count(db: &dyn Db, scope: SourceFile) -> usize {
    scope_index(db, scope).buckets.len()
}

#[salsa::tracked]
fn bucket(db: &dyn Db, scope: SourceFile, number: usize) -> Arc<Bucket> {
    let bucket = scope_index(db, scope).buckets.get(number);
    bucket.cloned().unwrap_or_default()
}

/// The bucket that a name is in if a scope defines it.
fn bucket_with(db: &dyn Db, scope: SourceFile, name: Symbol) -> &Bucket {
    bucket(db, scope, bucket_of(name, bucket_count(db, scope)))
}

/// A scope and those that it includes, the first one to define a name first.
fn scopes_in_sight(db: &dyn Db, scope: SourceFile) -> impl Iterator<Item = SourceFile> {
    let libraries = scope_files(db, scope).1.iter();
    std::iter::once(scope).chain(libraries.copied())
}

/// What a name means, in each namespace.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Resolved {
    term: Option<TermDef>,
    data: Option<DataDef>,
    row: Option<RowDef>,
}

/// One query for all namespaces: after an edit, what has to be looked through is what counts.
#[salsa::tracked(returns(copy))]
fn resolved(db: &dyn Db, scope: SourceFile, name: Symbol) -> Resolved {
    let mut found = Resolved::default();
    for scope in scopes_in_sight(db, scope) {
        let bucket = bucket_with(db, scope, name);
        let definition = Definition { scope, name };
        found.term = found.term.or_else(|| bucket.terms.get(&name).copied());
        if found.data.is_none() && bucket.data.contains_key(&name) {
            found.data = Some(DataDef(definition));
        }
        if found.row.is_none()
            && let Some(source) = bucket.interfaces.get(&name)
        {
            found.row = Some(if is_alias(db, *source) {
                RowDef::Alias(AliasDef(definition))
            } else {
                RowDef::Interface(InterfaceDef(definition))
            });
        }
    }
    found
}

/// What `name` means in terms and patterns of `scope`, locals aside.
pub fn resolve_term(db: &dyn Db, scope: SourceFile, name: Symbol) -> Option<TermDef> {
    resolved(db, scope, name).term
}

/// The data type that `name` means in `scope`.
pub fn resolve_data(db: &dyn Db, scope: SourceFile, name: Symbol) -> Option<DataDef> {
    resolved(db, scope, name).data
}

/// The interface or alias that `name` means in `scope`.
pub fn resolve_row(db: &dyn Db, scope: SourceFile, name: Symbol) -> Option<RowDef> {
    resolved(db, scope, name).row
}

/// The item that defines a data type, if it still exists.
#[salsa::tracked(returns(copy))]
pub fn data_item(db: &dyn Db, scope: SourceFile, name: Symbol) -> Option<ItemSource> {
    bucket_with(db, scope, name).data.get(&name).copied()
}

/// The item that defines an interface or an alias, if it still exists.
#[salsa::tracked(returns(copy))]
pub fn row_item(db: &dyn Db, scope: SourceFile, name: Symbol) -> Option<ItemSource> {
    bucket_with(db, scope, name).interfaces.get(&name).copied()
}

/// The signatures and clauses of an operator.
#[salsa::tracked]
pub fn operator_items(db: &dyn Db, scope: SourceFile, name: Symbol) -> OperatorItems {
    let items = bucket_with(db, scope, name).operators.get(&name);
    items.cloned().unwrap_or_default()
}

impl DataDef {
    /// The item that declares it, if it still exists.
    pub fn item(self, db: &dyn Db) -> Option<ItemSource> {
        data_item(db, self.0.scope, self.0.name)
    }
}

impl InterfaceDef {
    /// The item that declares it, if it still exists.
    pub fn item(self, db: &dyn Db) -> Option<ItemSource> {
        row_item(db, self.0.scope, self.0.name)
    }
}

impl AliasDef {
    /// The item that declares it, if it still exists.
    pub fn item(self, db: &dyn Db) -> Option<ItemSource> {
        row_item(db, self.0.scope, self.0.name)
    }
}

impl OperatorDef {
    /// Its signatures and clauses.
    pub fn items(self, db: &dyn Db) -> &OperatorItems {
        operator_items(db, self.0.scope, self.0.name)
    }
}

/// The library file that declares a data type of this name, or what an ability is made of.
pub fn library_with_type(db: &dyn Db, name: Symbol) -> Option<Symbol> {
    let library = Workspace::get(db).library(db).iter();
    let mut declaring = library.filter(|(_, file)| {
        let index = scope_index(db, **file);
        index.data.contains_key(&name) || index.interfaces.contains_key(&name)
    });
    declaring.next().map(|(library, _)| *library)
}

/// The library file that defines a term of this name, if it is one that fits.
pub fn library_with(db: &dyn Db, name: Symbol, fits: impl Fn(TermDef) -> bool) -> Option<Symbol> {
    let library = Workspace::get(db).library(db).iter();
    let mut defining = library.filter(|(_, file)| {
        let entries = scope_index(db, **file).terms.get(&name);
        entries.into_iter().flatten().any(|entry| fits(entry.def))
    });
    defining.next().map(|(library, _)| *library)
}
