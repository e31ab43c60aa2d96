//! Files beside a file, and on the include paths, that define what it does not include.

use std::collections::HashMap;
use std::sync::Arc;

use frank_syntax::ast::Symbol;
use frank_syntax::outline::OutlineKind;

use crate::db::{Db, Origin, SourceFile, Workspace};
use crate::diagnostics::Definer;
use crate::index::members_of;
use crate::program::{named, resolve_include, scope_files};

/// What a name stands for in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Namespace {
    /// An operator, a constructor or a command.
    Terms,
    /// A data type, an interface or an alias.
    Types,
}

/// The names that a file itself defines, in the order of its text.
#[salsa::tracked]
fn own_names(db: &dyn Db, file: SourceFile) -> Vec<(Namespace, Symbol)> {
    let mut names = Vec::new();
    for entry in file.outline(db) {
        let Some(name) = entry.name else { continue };
        match entry.kind {
            OutlineKind::Signature => names.push((Namespace::Terms, name)),
            OutlineKind::Data | OutlineKind::Interface => {
                names.push((Namespace::Types, name));
                let members = members_of(db, entry);
                names.extend(members.iter().map(|(name, _)| (Namespace::Terms, *name)));
            }
            OutlineKind::Clause | OutlineKind::Include | OutlineKind::Other => {}
        }
    }
    names
}

/// The files beside `file` and on the include paths that it can include, by the names that `include` takes, in
/// the order of these names.
pub fn files_beside(db: &dyn Db, file: SourceFile) -> Vec<(Symbol, SourceFile)> {
    let workspace = Workspace::get(db);
    let folder = |path: &str| path.rsplit_once('/').map(|(folder, _)| folder.to_owned());
    let own = folder(file.path(db));
    let is_near = |path: &str| {
        let folder = folder(path);
        folder == own || folder.is_some_and(|folder| workspace.include_dirs(db).contains(&folder))
    };
    let mut near: Vec<(Symbol, SourceFile)> = Vec::new();
    for (path, other) in workspace.files(db).iter().filter(|(path, _)| is_near(path)) {
        let name = path.rsplit('/').next().unwrap_or_default();
        let Some(name) = name.strip_suffix(".fk").map(Symbol::new) else {
            continue;
        };
        // What hides it is included in its place.
        if *other != file && resolve_include(db, file, name) == Some(*other) {
            near.push((name, *other));
        }
    }
    near.sort_unstable_by_key(|(name, _)| name.as_str());
    near
}

/// What the files that `file` can include define, each name with the first of these files by its name.
#[salsa::tracked]
pub fn names_beside(db: &dyn Db, file: SourceFile) -> Arc<HashMap<(Namespace, Symbol), Symbol>> {
    let mut defined = HashMap::new();
    for (name, other) in files_beside(db, file) {
        for one in own_names(db, other) {
            defined.entry(*one).or_insert(name);
        }
    }
    Arc::new(defined)
}

/// The file, by the name that `include` takes, that defines a name that is not in sight in `file`, if nothing is
/// defined twice in the program of `scope` with it.
pub fn defining(
    db: &dyn Db,
    scope: SourceFile,
    file: SourceFile,
    namespace: Namespace,
    name: Symbol,
) -> Option<Symbol> {
    let beside = *names_beside(db, file).get(&(namespace, name))?;
    let included = resolve_include(db, file, beside)?;
    let is_own = |one: &(Namespace, Symbol)| {
        named(db, scope, one.1).is_some_and(|known| match one.0 {
            Namespace::Terms => !known.terms.is_empty(),
            Namespace::Types => !known.data.is_empty() || !known.interfaces.is_empty(),
        })
    };
    let has = scope_files(db, scope).0.iter();
    let files = scope_files(db, included).0.iter();
    let mut more = files.filter(|file| !has.clone().any(|known| known == *file));
    let is_free = !more.any(|file| own_names(db, *file).iter().any(is_own));
    is_free.then_some(beside)
}

/// The file that defines a name which is not in sight in `file`: the library's of these names, or one beside. A file of the
/// user's with the name of the library's is included in its place.
pub fn definer(
    db: &dyn Db,
    file: SourceFile,
    library: Option<Symbol>,
    beside: Option<Symbol>,
) -> Option<Definer> {
    let hiding = library
        .and_then(|library| resolve_include(db, file, library))
        .filter(|included| included.origin(db) != Origin::Library);
    match (library, beside, hiding) {
        (Some(library), _, None) => Some(Definer::Library(library)),
        (_, Some(beside), _) => Some(Definer::Beside(beside)),
        (Some(library), None, Some(hiding)) => Some(Definer::Shadowed {
            library,
            by_itself: hiding == file,
        }),
        (None, None, _) => None,
    }
}

/// The file, by the name that `include` takes, that declares a data type which is not in sight in `file`, if the type
/// has this constructor. Nothing is defined twice in the program of `scope` with it.
pub fn constructing(
    db: &dyn Db,
    scope: SourceFile,
    file: SourceFile,
    data: Symbol,
    constructor: Symbol,
) -> Option<Symbol> {
    let beside = defining(db, scope, file, Namespace::Types, data)?;
    let declaring = resolve_include(db, file, beside)?;
    let mut entries = declaring.outline(db).iter();
    let has = entries.any(|entry| {
        entry.kind == OutlineKind::Data
            && entry.name == Some(data)
            && members_of(db, entry)
                .iter()
                .any(|(name, _)| *name == constructor)
    });
    has.then_some(beside)
}
