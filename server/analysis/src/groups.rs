//! The items of a file in groups, so that an edit costs what one group costs, not what the file
//! costs.
//!
//! After an edit salsa asks of every result in turn whether anything that went into it has
//! changed. For results about the whole of a large file that is too much to wait for. They are
//! kept for groups of items, and a group says in a few coarse words what they depend on: its own
//! text, and what the names in it mean. What lies beneath is asked [aside](crate::aside), without
//! a record of its own.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use frank_syntax::ast::tree::{Node, for_each};
use frank_syntax::ast::{Item, Symbol, SymbolSet, TermKind};
use frank_syntax::lexer::{Kind, lex};
use frank_syntax::outline::OutlineKind;

use crate::aside::Aside;
use crate::db::{Db, ItemSource, OutlineEntry, SourceFile, Workspace, has_syntax_errors, item};
use crate::declarations::sound_signature;
use crate::params::{TypeNamespace, params};
use crate::program::{
    Definition, OperatorDef, RowDef, TermDef, data_item, operator_items, resolve_data, resolve_row,
    resolve_term, row_item, scope_files,
};
use crate::report::habits::is_other_item;

/// How many items are looked at together.
const SIZE: usize = 64;

/// How many groups a file has.
pub fn count(db: &dyn Db, file: SourceFile) -> usize {
    file.outline(db).len().div_ceil(SIZE)
}

/// The position of a group's first item among those of its file.
pub fn first(group: usize) -> usize {
    group * SIZE
}

/// The items of a group. They stay equal when items of other groups get other names.
#[salsa::tracked(returns(deref))]
pub fn entries(db: &dyn Db, file: SourceFile, group: usize) -> Arc<[OutlineEntry]> {
    let all = file.outline(db);
    let start = first(group).min(all.len());
    let end = (start + SIZE).min(all.len());
    all.get(start..end).unwrap_or_default().into()
}

/// Changes with every change of a text in a group.
#[salsa::tracked(no_eq)]
pub fn texts(db: &dyn Db, file: SourceFile, group: usize) {
    for entry in entries(db, file, group) {
        entry.item.text(db);
    }
}

/// The items of a program that declare types, interfaces and aliases, or whose kind is unknown.
#[salsa::tracked]
fn declaring_items(db: &dyn Db, scope: SourceFile) -> Vec<ItemSource> {
    let (files, libraries) = scope_files(db, scope);
    let entries = files
        .iter()
        .chain(libraries)
        .flat_map(|file| file.outline(db));
    entries
        .filter(|entry| !matches!(entry.kind, OutlineKind::Clause | OutlineKind::Signature))
        .map(|entry| entry.item)
        .collect()
}

/// Changes with what the declarations of a program say.
#[salsa::tracked(no_eq)]
fn declarations(db: &dyn Db, scope: SourceFile) {
    for source in declaring_items(db, scope) {
        item(db, *source);
        has_syntax_errors(db, *source);
    }
}

/// A data type, an interface or an alias.
type Declaration = (TypeNamespace, Definition);

/// The declarations that the names in an item mean.
#[salsa::tracked(returns(deref))]
fn mentioned(db: &dyn Db, scope: SourceFile, source: ItemSource) -> Arc<[Declaration]> {
    let names = names_in(item(db, source));
    names
        .into_iter()
        .flat_map(|name| declarations_named(db, scope, name))
        .collect()
}

/// What a name means among types, and among interfaces and aliases.
fn declarations_named(
    db: &dyn Db,
    scope: SourceFile,
    name: Symbol,
) -> impl Iterator<Item = Declaration> {
    let data = resolve_data(db, scope, name).map(|data| (TypeNamespace::Data, data.0));
    let row = resolve_row(db, scope, name).map(|row| match row {
        RowDef::Interface(interface) => (TypeNamespace::Row, interface.0),
        RowDef::Alias(alias) => (TypeNamespace::Row, alias.0),
    });
    data.into_iter().chain(row)
}

/// Changes with what a declaration says. Gives the declarations that it mentions.
#[salsa::tracked(no_eq, returns(deref))]
fn declaration(
    db: &dyn Db,
    scope: SourceFile,
    name: Symbol,
    namespace: TypeNamespace,
) -> Arc<[Declaration]> {
    params(db, scope, name, namespace);
    let source = match namespace {
        TypeNamespace::Data => data_item(db, scope, name),
        TypeNamespace::Row => row_item(db, scope, name),
    };
    let Some(source) = source else {
        return Arc::from([]);
    };
    item(db, source);
    has_syntax_errors(db, source);
    mentioned(db, scope, source).into()
}

/// A declaration that leads to more than so many depends on all there are.
const MOST_DECLARATIONS: usize = 100;

/// Changes with what a declaration says, and those that it mentions, and those that they mention.
#[salsa::tracked(no_eq)]
fn contents(db: &dyn Db, scope: SourceFile, name: Symbol, namespace: TypeNamespace) {
    let first = (namespace, Definition { scope, name });
    let mut seen: HashSet<Declaration> = [first].into();
    let mut open = vec![first];
    while let Some((namespace, Definition { scope, name })) = open.pop() {
        let mentioned = declaration(db, scope, name, namespace).iter();
        open.extend(mentioned.copied().filter(|other| seen.insert(*other)));
        if seen.len() > MOST_DECLARATIONS {
            break;
        }
    }
    if !open.is_empty() {
        declarations(db, scope);
    }
}

/// Changes with what a name means in a program: what it defines, an operator's signature, what
/// constructors and commands belong to, and the declarations that all these lead to.
#[salsa::tracked(no_eq)]
fn meaning(db: &dyn Db, scope: SourceFile, name: Symbol) {
    let mut declarations: Vec<Declaration> = declarations_named(db, scope, name).collect();
    match resolve_term(db, scope, name) {
        Some(TermDef::Operator(OperatorDef(own))) => {
            if let Some(signature) = sound_signature(db, own.scope, own.name) {
                let data = signature.types.data();
                declarations.extend(data.map(|data| (TypeNamespace::Data, data.0)));
                let interfaces = signature.interfaces();
                declarations.extend(interfaces.map(|one| (TypeNamespace::Row, one.0)));
            }
        }
        Some(TermDef::Constructor(constructor)) => {
            declarations.push((TypeNamespace::Data, constructor.data.0));
        }
        Some(TermDef::Command(command)) => {
            declarations.push((TypeNamespace::Row, command.interface.0));
        }
        None => {}
    }
    let declarations: HashSet<Declaration> = declarations.into_iter().collect();
    for (namespace, Definition { scope, name }) in declarations {
        contents(db, scope, name, namespace);
    }
}

/// Changes with every change of a text in a program, and with the settings.
#[salsa::tracked(no_eq)]
pub fn everything(db: &dyn Db, scope: SourceFile) {
    declarations(db, scope);
    for file in &scope_files(db, scope).0 {
        for group in 0..count(db, *file) {
            texts(db, *file, group);
        }
    }
    let workspace = Workspace::get(db);
    workspace.verbose(db);
    workspace.files(db);
    workspace.include_dirs(db);
}

/// The names in a group's items, in order.
#[salsa::tracked]
fn names(db: &dyn Db, file: SourceFile, group: usize) -> Aside<Arc<[Symbol]>> {
    texts(db, file, group);
    Aside::new(db, |db| names_now(db, file, group))
}

fn names_now(db: &dyn Db, file: SourceFile, group: usize) -> Arc<[Symbol]> {
    let mut names = SymbolSet::default();
    for entry in entries(db, file, group) {
        names.extend(names_in(item(db, entry.item)));
    }
    let mut names: Vec<Symbol> = names.into_iter().collect();
    names.sort_unstable();
    names.into()
}

/// All names that are written in an item, of whatever kind.
fn names_in(item: &Item) -> SymbolSet {
    let mut names = SymbolSet::default();
    for_each(item, |node| {
        if let Node::Name(name) = node {
            names.insert(name.symbol);
        }
    });
    names
}

/// The operators of a group that have items outside of it, too.
#[salsa::tracked]
fn spread(db: &dyn Db, scope: SourceFile, file: SourceFile, group: usize) -> Arc<[Symbol]> {
    let entries = entries(db, file, group);
    let own: HashSet<ItemSource> = entries.iter().map(|entry| entry.item).collect();
    let mut names: BTreeSet<Symbol> = operators(entries).collect();
    names.retain(|name| {
        let items = operator_items(db, scope, *name);
        let mut all = items.signatures.iter().chain(&items.clauses);
        all.any(|source| !own.contains(source))
    });
    names.into_iter().collect()
}

/// Changes with an operator's items and the meaning of what they mention. All groups that have a
/// part of the operator share it, so that one of very many clauses costs each of them no more.
#[salsa::tracked(no_eq)]
fn whole_operator(db: &dyn Db, scope: SourceFile, name: Symbol) {
    let items = operator_items(db, scope, name);
    let mut names = SymbolSet::default();
    for source in items.signatures.iter().chain(&items.clauses) {
        source.text(db);
        names.extend(names_in(item(db, *source)));
    }
    for name in names {
        meaning(db, scope, name);
    }
}

/// Changes with the meaning of the names that it gives: those that the group had when they
/// were gathered. They are read aside, so that this depends on nothing that clauses say and is
/// passed over after most edits; whoever asks has to see to the names that have come since.
#[salsa::tracked(no_eq)]
fn meanings(
    db: &dyn Db,
    scope: SourceFile,
    file: SourceFile,
    group: usize,
) -> Aside<Arc<[Symbol]>> {
    let known = Aside::new(db, |db| names_now(db, file, group));
    for name in known.perhaps_outdated().iter() {
        meaning(db, scope, *name);
    }
    known
}

/// The operators that items define or add to.
fn operators(entries: &[OutlineEntry]) -> impl Iterator<Item = Symbol> {
    entries.iter().filter_map(|entry| match entry.kind {
        OutlineKind::Clause | OutlineKind::Signature => entry.name,
        _ => None,
    })
}

/// The names that an item's terms mention.
fn mentions(item: &Item) -> impl Iterator<Item = Symbol> {
    item.terms.iter().filter_map(|(_, term)| match &term.kind {
        TermKind::Name(name) => Some(name.symbol),
        _ => None,
    })
}

/// Reads what the types in a group's items depend on, and whether the checker has nothing to say
/// of them: their text, and what the names in it mean. What it says when it has something may
/// depend on anything; see [`everything`].
pub fn depend(db: &dyn Db, scope: SourceFile, file: SourceFile, group: usize) {
    scope_files(db, scope);
    texts(db, file, group);
    for operator in spread(db, scope, file, group).iter() {
        whole_operator(db, scope, *operator);
    }
    let names = names(db, file, group).get(db, |db| names_now(db, file, group));
    let known = meanings(db, scope, file, group).perhaps_outdated();
    for name in names.iter() {
        if known.binary_search(name).is_err() {
            meaning(db, scope, *name);
        }
    }
}

/// What questions about a whole program want to know of a group.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Whether there is a syntax error in one of the items.
    pub broken: bool,
    /// The words in the items that did not parse. Such an item may define any of them, so that a
    /// use of one is no error of its own.
    pub words_in_broken: HashSet<Symbol>,
    /// Whether one of the items that did not parse may include a file.
    pub breaks_include: bool,
    /// An operator and a name that one of its clauses mentions, in the order of the program.
    /// Locals that hide an operator are not told apart from it.
    pub mentions: Vec<(Symbol, Symbol)>,
    /// The names with letters beyond ASCII, with the items that they stand in.
    pub foreign: Vec<(ItemSource, Symbol)>,
}

#[salsa::tracked]
fn kept_facts(db: &dyn Db, file: SourceFile, group: usize) -> Aside<Arc<Facts>> {
    texts(db, file, group);
    Aside::new(db, |db| facts_now(db, file, group))
}

fn facts_now(db: &dyn Db, file: SourceFile, group: usize) -> Arc<Facts> {
    let mut facts = Facts::default();
    for entry in entries(db, file, group) {
        if has_syntax_errors(db, entry.item) {
            facts.broken = true;
            facts.breaks_include |= may_include(db, entry);
            words_in_broken(db, entry, &mut facts.words_in_broken);
        }
        if let (OutlineKind::Clause, Some(user)) = (entry.kind, entry.name) {
            let mut names: Vec<Symbol> = mentions(item(db, entry.item)).collect();
            names.sort_unstable();
            names.dedup();
            let mentions = names.into_iter().map(|name| (user, name));
            facts.mentions.extend(mentions);
        }
        let text = entry.item.text(db);
        if !text.is_ascii() {
            let names = lex(text).filter(|(kind, _)| *kind == Kind::Name);
            let names = names.filter_map(|(_, range)| text.get(range));
            let foreign: BTreeSet<&str> = names.filter(|name| !name.is_ascii()).collect();
            let foreign = foreign.into_iter().map(Symbol::new);
            facts.foreign.extend(foreign.map(|name| (entry.item, name)));
        }
    }
    Arc::new(facts)
}

/// Whether an item that did not parse may include a file.
fn may_include(db: &dyn Db, entry: &OutlineEntry) -> bool {
    let says_so = |name: Symbol| matches!(name.as_str(), "import" | "open" | "from" | "use");
    entry.kind == OutlineKind::Include
        || (is_other_item(db, entry.item) && entry.name.is_some_and(says_so))
}

/// The facts about a group.
pub fn facts(db: &dyn Db, file: SourceFile, group: usize) -> &Facts {
    kept_facts(db, file, group).get(db, |db| facts_now(db, file, group))
}

/// The facts about all groups of a program's own files.
pub fn all_facts(db: &dyn Db, scope: SourceFile) -> impl Iterator<Item = &Facts> {
    let files = scope_files(db, scope).0.iter();
    files.flat_map(move |file| (0..count(db, *file)).map(move |group| facts(db, *file, group)))
}

fn words_in_broken(db: &dyn Db, entry: &OutlineEntry, words: &mut HashSet<Symbol>) {
    match entry.kind {
        OutlineKind::Include | OutlineKind::Signature => {}
        // A clause defines nothing but its own name, if it is one.
        OutlineKind::Clause if !is_other_item(db, entry.item) => words.extend(entry.name),
        OutlineKind::Clause | OutlineKind::Data | OutlineKind::Interface | OutlineKind::Other => {
            let text = entry.item.text(db);
            let all = text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '\'');
            words.extend(all.filter(|word| !word.is_empty()).map(Symbol::new));
        }
    }
}
