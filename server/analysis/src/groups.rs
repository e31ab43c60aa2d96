//! The items of a file in groups, so that an edit costs what one group costs, not what the file
//! costs.
//!
//! After an edit salsa asks of every result in turn whether anything that went into it has
//! changed. For results about the whole of a large file that is too much to wait for. They are
//! kept for groups of items, and a group says in a few coarse words what they depend on: its own
//! text, and what the names in it mean, as one number (`changes`). What lies beneath is asked
//! [aside](crate::aside), without a record of its own.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use frank_syntax::ast::tree::{Node, for_each};
use frank_syntax::ast::{Item, ItemKind, NodeId, Symbol, SymbolSet, TermKind};
use frank_syntax::habits::is_include;
use frank_syntax::lexer::{Kind, lex};
use frank_syntax::outline::OutlineKind;

use crate::aside::Aside;
use crate::changes::{changes, last_change, names_in};
use crate::db::{
    Db, Group, ItemSource, OutlineEntry, SourceFile, TextKind, Workspace, has_syntax_errors, item,
};
use crate::program::{operator_items, scope_files};
use crate::report::habits::is_other_item;
use crate::scopes::Scopes;

/// The groups of a file in order, each with the position of its first item.
pub fn of(db: &dyn Db, file: SourceFile) -> impl Iterator<Item = (usize, Group)> {
    let groups = file.groups(db).iter();
    groups.scan(0, |next, group| {
        let first = *next;
        *next += group.entries(db).len();
        Some((first, *group))
    })
}

/// Changes with every change of a text in a program, and with the settings.
#[salsa::tracked(no_eq)]
pub fn everything(db: &dyn Db, scope: SourceFile) {
    let (files, libraries) = scope_files(db, scope);
    for group in files
        .iter()
        .chain(libraries)
        .flat_map(|file| file.groups(db))
    {
        group.entries(db);
        group.texts(db);
    }
    let workspace = Workspace::get(db);
    workspace.verbose(db);
    workspace.files(db);
    workspace.include_dirs(db);
}

/// The names in a group's items, and those that the items have in the outline.
#[salsa::tracked]
fn names(db: &dyn Db, group: Group) -> Aside<Arc<[Symbol]>> {
    group.entries(db);
    group.texts(db);
    Aside::new(db, |db| names_now(db, group))
}

fn names_now(db: &dyn Db, group: Group) -> Arc<[Symbol]> {
    let mut names = SymbolSet::default();
    for entry in group.entries(db).iter() {
        names.extend(entry.name);
        names.extend(names_in(item(db, entry.item)));
    }
    let mut names: Vec<Symbol> = names.into_iter().collect();
    names.sort_unstable();
    names.into()
}

/// The groups of a program's own files in which each name stands, in the order of the text.
#[salsa::tracked]
fn groups_by_name(db: &dyn Db, scope: SourceFile) -> Arc<HashMap<Symbol, Vec<Group>>> {
    let mut by_name: HashMap<Symbol, Vec<Group>> = HashMap::new();
    let files = scope_files(db, scope).0.iter();
    for group in files.flat_map(|file| file.groups(db)).copied() {
        for name in names(db, group).get(db, |db| names_now(db, group)).iter() {
            by_name.entry(*name).or_default().push(group);
        }
    }
    Arc::new(by_name)
}

/// The groups of a program's own files in which a name stands, in the order of the text.
pub fn groups_naming(db: &dyn Db, scope: SourceFile, name: Symbol) -> &[Group] {
    let groups = groups_by_name(db, scope).get(&name);
    groups.map_or(&[], Vec::as_slice)
}

/// The operators of a program with a clause in which a name stands, in the order of the text.
pub fn operators_naming(db: &dyn Db, scope: SourceFile, name: Symbol) -> Vec<Symbol> {
    let mut found: Vec<Symbol> = Vec::new();
    let mut known = SymbolSet::default();
    for group in groups_naming(db, scope, name) {
        for entry in group.entries(db).iter() {
            if let (OutlineKind::Clause, Some(operator)) = (entry.kind, entry.name)
                && !known.contains(&operator)
                && names_in(item(db, entry.item)).contains(&name)
            {
                known.insert(operator);
                found.push(operator);
            }
        }
    }
    found
}

/// Changes with the meaning of the names in a group.
#[salsa::tracked(returns(copy))]
fn meanings(db: &dyn Db, scope: SourceFile, group: Group) -> u64 {
    let names = names(db, group).get(db, |db| names_now(db, group));
    last_change(changes(db, scope), names)
}

/// The operators of a group that have items outside of it, too.
#[salsa::tracked]
fn spread(db: &dyn Db, scope: SourceFile, group: Group) -> Aside<Arc<[Symbol]>> {
    group.entries(db);
    meanings(db, scope, group);
    Aside::new(db, |db| spread_now(db, scope, group))
}

fn spread_now(db: &dyn Db, scope: SourceFile, group: Group) -> Arc<[Symbol]> {
    let entries = group.entries(db);
    let own: HashSet<ItemSource> = entries.iter().map(|entry| entry.item).collect();
    let mut names: BTreeSet<Symbol> = operators(entries).collect();
    names.retain(|name| {
        let items = operator_items(db, scope, *name);
        let mut all = items.signatures.iter().chain(&items.clauses);
        all.any(|source| !own.contains(source))
    });
    names.into_iter().collect()
}

/// The names in an operator's items.
#[salsa::tracked(returns(deref))]
fn operator_names(db: &dyn Db, scope: SourceFile, name: Symbol) -> Arc<[Symbol]> {
    let items = operator_items(db, scope, name);
    let mut names = SymbolSet::default();
    for source in items.signatures.iter().chain(&items.clauses) {
        names.extend(names_in(item(db, *source)));
    }
    names.into_iter().collect()
}

/// Changes with the meaning of the names in an operator's items.
#[salsa::tracked(returns(copy))]
fn operator_meanings(db: &dyn Db, scope: SourceFile, name: Symbol) -> u64 {
    last_change(changes(db, scope), operator_names(db, scope, name))
}

/// Changes with an operator's items and the meaning of what they mention. All groups that have a
/// part of the operator share it, so that one of very many clauses costs each of them no more.
#[salsa::tracked(no_eq)]
fn whole_operator(db: &dyn Db, scope: SourceFile, name: Symbol) {
    let items = operator_items(db, scope, name);
    for source in items.signatures.iter().chain(&items.clauses) {
        source.text(db);
    }
    operator_meanings(db, scope, name);
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

/// The names in an item, but for that which it declares or adds to, and those of its locals. What a
/// pattern names is taken for one of these, though it may be a constructor.
fn uses(item: &Item) -> SymbolSet {
    let declared = match &item.kind {
        ItemKind::Signature { name, .. }
        | ItemKind::Clause { name, .. }
        | ItemKind::Data { name, .. }
        | ItemKind::Interface { name, .. }
        | ItemKind::Alias { name, .. } => Some(name.id),
        _ => None,
    };
    let scopes = Scopes::with(item, |_| None);
    let mut local: HashSet<NodeId> = scopes.binders().iter().map(|one| one.name.id).collect();
    local.extend(
        item.terms
            .iter()
            .filter_map(|(term, data)| match &data.kind {
                TermKind::Name(name) if scopes.read_by(term).is_some() => Some(name.id),
                _ => None,
            }),
    );
    let mut names = SymbolSet::default();
    for_each(item, |node| {
        if let Node::Name(name) = node
            && Some(name.id) != declared
            && !local.contains(&name.id)
        {
            names.insert(name.symbol);
        }
    });
    names
}

/// Reads what the types in a group's items depend on, and whether the checker has nothing to say
/// of them: their text, and what the names in it mean. What it says when it has something may
/// depend on anything; see [`everything`].
pub fn depend(db: &dyn Db, scope: SourceFile, group: Group) {
    scope_files(db, scope);
    group.entries(db);
    group.texts(db);
    meanings(db, scope, group);
    let spread = spread(db, scope, group).get(db, |db| spread_now(db, scope, group));
    for operator in spread.iter() {
        whole_operator(db, scope, *operator);
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
    /// An operator and a name that one of its clauses mentions, in the order of the program; the operator is
    /// empty where a term of a notebook does.
    /// Locals that hide an operator are not told apart from it.
    pub mentions: Vec<(Symbol, Symbol)>,
    /// The names that the items use, each once; those that they declare are not among them for that alone,
    /// nor are those of their locals.
    pub uses: SymbolSet,
    /// The names with letters beyond ASCII, with the items that they stand in.
    pub foreign: Vec<(ItemSource, Symbol)>,
}

#[salsa::tracked]
fn kept_facts(db: &dyn Db, group: Group) -> Aside<Arc<Facts>> {
    group.entries(db);
    group.texts(db);
    Aside::new(db, |db| facts_now(db, group))
}

fn facts_now(db: &dyn Db, group: Group) -> Arc<Facts> {
    let mut facts = Facts::default();
    for entry in group.entries(db).iter() {
        if has_syntax_errors(db, entry.item) {
            facts.broken = true;
            facts.breaks_include |= may_include(db, entry);
            words_in_broken(db, entry, &mut facts.words_in_broken);
        }
        if let Some(user) = user(db, entry) {
            let mut names: Vec<Symbol> = mentions(item(db, entry.item)).collect();
            names.sort_unstable();
            names.dedup();
            let mentions = names.into_iter().map(|name| (user, name));
            facts.mentions.extend(mentions);
        }
        facts.uses.extend(uses(item(db, entry.item)));
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

/// Who mentions what an item's terms do; a term of a notebook is nobody with a name.
fn user(db: &dyn Db, entry: &OutlineEntry) -> Option<Symbol> {
    match entry.kind {
        OutlineKind::Clause => entry.name,
        OutlineKind::Other if entry.item.kind(db) == TextKind::Cell => Some(Symbol::new("")),
        _ => None,
    }
}

/// Whether an item that did not parse may include a file.
fn may_include(db: &dyn Db, entry: &OutlineEntry) -> bool {
    let says_so = |name: Symbol| {
        matches!(name.as_str(), "import" | "open" | "from" | "use") || is_include(name.as_str())
    };
    entry.kind == OutlineKind::Include
        || (is_other_item(db, entry.item) && entry.name.is_some_and(says_so))
}

/// The facts about a group.
pub fn facts(db: &dyn Db, group: Group) -> &Facts {
    kept_facts(db, group).get(db, |db| facts_now(db, group))
}

/// The facts about all groups of a program's own files.
pub fn all_facts(db: &dyn Db, scope: SourceFile) -> impl Iterator<Item = &Facts> {
    let files = scope_files(db, scope).0.iter();
    let groups = files.flat_map(|file| file.groups(db));
    groups.map(|group| facts(db, *group))
}

/// The names of operators and types that the items of a file use.
#[salsa::tracked(returns(ref))]
pub fn used_names(db: &dyn Db, file: SourceFile) -> SymbolSet {
    let groups = file.groups(db).iter();
    groups
        .flat_map(|group| &facts(db, *group).uses)
        .copied()
        .collect()
}

fn words_in_broken(db: &dyn Db, entry: &OutlineEntry, words: &mut HashSet<Symbol>) {
    match entry.kind {
        OutlineKind::Signature => {}
        // A clause defines nothing but its own name, if it is one.
        OutlineKind::Clause if !is_other_item(db, entry.item) => words.extend(entry.name),
        // Behind the name of an included file another item may stand.
        OutlineKind::Include
        | OutlineKind::Clause
        | OutlineKind::Data
        | OutlineKind::Interface
        | OutlineKind::Other => {
            let text = entry.item.text(db);
            let all = text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '\'');
            words.extend(all.filter(|word| !word.is_empty()).map(Symbol::new));
        }
    }
}
