//! Programs and the names in them (language reference, sections 4 "Names" and 7).
//!
//! A program is a root file with all that it includes. Its own definitions share one scope; a
//! library file is a scope of its own, so that its code keeps its meaning whatever a program
//! defines. Every definition is known by its scope and its name, never by its position.

use std::ops::Bound;
use std::sync::Arc;

use frank_syntax::ast::{ItemKind, Symbol};
use frank_syntax::notebook::notebook_of;
use frank_syntax::outline::OutlineKind;

use crate::db::{Db, ItemSource, Origin, SourceFile, Workspace, item};
pub use crate::definitions::*;
use crate::index::{Bucket, Named, Part, ScopeIndex, bucket_of};

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

/// The files that `file` includes itself, in order; a cell that is a file of its own includes those of its
/// notebook before it.
#[salsa::tracked]
pub fn direct_includes(db: &dyn Db, file: SourceFile) -> Vec<SourceFile> {
    let mut included = cells_before(db, file);
    let names = file
        .outline(db)
        .iter()
        .filter(|entry| entry.kind == OutlineKind::Include);
    included.extend(names.filter_map(|entry| resolve_include(db, file, entry.name?)));
    included
}

/// The cells of a file's notebook with smaller keys, if it is a cell: the last one is the root of a
/// program with all of them.
fn cells_before(db: &dyn Db, file: SourceFile) -> Vec<SourceFile> {
    let path = file.path(db);
    let Some(notebook) = notebook_of(path) else {
        return Vec::new();
    };
    let first = format!("{notebook}#");
    let files = Workspace::get(db).files(db);
    let before = (Bound::Included(first.as_str()), Bound::Excluded(path));
    let before = files.range::<str, _>(before);
    before.map(|(_, cell)| *cell).collect()
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
    let make = |latest| {
        let groups = files.iter().flat_map(|file| file.groups(db));
        let parts = groups.map(|group| Part::new(db, *group)).collect();
        ScopeIndex::new(scope, files.clone(), libraries.clone(), parts, latest)
    };
    let latest = db.latest().of::<ScopeIndex>(scope);
    let latest = latest.filter(|latest| &latest.files == files);
    let index = Arc::new(make(latest.as_deref()));
    if db.verifies() {
        assert_eq!(*index, make(None), "an index did not follow an edit");
    }
    db.latest().keep(scope, index.clone());
    index
}

#[salsa::tracked(returns(copy))]
fn bucket_count(db: &dyn Db, scope: SourceFile) -> usize {
    scope_index(db, scope).bucket_count()
}

#[salsa::tracked]
fn bucket(db: &dyn Db, scope: SourceFile, number: usize) -> Arc<Bucket> {
    scope_index(db, scope).bucket(number)
}

/// What a scope defines under a name.
pub(crate) fn named(db: &dyn Db, scope: SourceFile, name: Symbol) -> Option<&Named> {
    bucket(db, scope, bucket_of(name, bucket_count(db, scope))).get(&name)
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
        let Some(named) = named(db, scope, name) else {
            continue;
        };
        let definition = Definition { scope, name };
        found.term = found.term.or(named.terms.first().map(|entry| entry.def));
        if found.data.is_none() && !named.data.is_empty() {
            found.data = Some(DataDef(definition));
        }
        if found.row.is_none()
            && let Some(source) = named.interfaces.first()
        {
            found.row = Some(row_of(db, definition, *source));
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

/// The data type of this name that a scope itself defines.
pub fn own_data(db: &dyn Db, scope: SourceFile, name: Symbol) -> Option<DataDef> {
    named(db, scope, name)?.data.first()?;
    Some(DataDef(Definition { scope, name }))
}

/// The interface or alias of this name that a scope itself defines.
pub fn own_row(db: &dyn Db, scope: SourceFile, name: Symbol) -> Option<RowDef> {
    let source = named(db, scope, name)?.interfaces.first()?;
    Some(row_of(db, Definition { scope, name }, *source))
}

fn row_of(db: &dyn Db, definition: Definition, source: ItemSource) -> RowDef {
    match is_alias(db, source) {
        true => RowDef::Alias(AliasDef(definition)),
        false => RowDef::Interface(InterfaceDef(definition)),
    }
}

/// The item that defines a data type, if it still exists.
#[salsa::tracked(returns(copy))]
pub fn data_item(db: &dyn Db, scope: SourceFile, name: Symbol) -> Option<ItemSource> {
    named(db, scope, name)?.data.first().copied()
}

/// The item that defines an interface or an alias, if it still exists.
#[salsa::tracked(returns(copy))]
pub fn row_item(db: &dyn Db, scope: SourceFile, name: Symbol) -> Option<ItemSource> {
    named(db, scope, name)?.interfaces.first().copied()
}

/// The signatures and clauses of an operator.
#[salsa::tracked]
pub fn operator_items(db: &dyn Db, scope: SourceFile, name: Symbol) -> OperatorItems {
    let named = named(db, scope, name);
    named
        .map(|named| named.operator.clone())
        .unwrap_or_default()
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
        named(db, **file, name).is_some_and(|n| !n.data.is_empty() || !n.interfaces.is_empty())
    });
    declaring.next().map(|(library, _)| *library)
}

/// The library file that defines a term of this name, if it is one that fits.
pub fn library_with(db: &dyn Db, name: Symbol, fits: impl Fn(TermDef) -> bool) -> Option<Symbol> {
    let library = Workspace::get(db).library(db).iter();
    let mut defining = library.filter(|(_, file)| {
        named(db, **file, name).is_some_and(|n| n.terms.iter().any(|entry| fits(entry.def)))
    });
    defining.next().map(|(library, _)| *library)
}
