//! The items of a file in groups, so that an edit costs what one group costs, not what the file
//! costs.
//!
//! After an edit salsa asks of every result in turn whether anything that went into it has
//! changed. For results about the whole of a large file that is too much to wait for. They are
//! kept for groups of items, and a group says in a few coarse words what they depend on: its own
//! text, the signatures that it mentions, and all declarations. What lies beneath is asked
//! [aside](crate::aside), without a record of its own.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use frank_syntax::ast::{Item, Symbol, TermKind};
use frank_syntax::lexer::{Kind, lex};
use frank_syntax::outline::OutlineKind;

use crate::aside::Aside;
use crate::db::{Db, ItemSource, OutlineEntry, SourceFile, Workspace, has_syntax_errors, item};
use crate::declarations::sound_signature;
use crate::program::{TermDef, operator_items, resolve_term, scope_files};
use crate::types::Signature;

/// How many items are looked at together.
const SIZE: usize = 64;

/// How many groups a file has.
pub fn count(db: &dyn Db, file: SourceFile) -> usize {
    file.outline(db).len().div_ceil(SIZE)
}

/// The items of a group.
pub fn entries(db: &dyn Db, file: SourceFile, group: usize) -> &[OutlineEntry] {
    let all = file.outline(db);
    let start = (group * SIZE).min(all.len());
    let end = (start + SIZE).min(all.len());
    all.get(start..end).unwrap_or_default()
}

/// Changes with every change of a text in a group.
#[salsa::tracked(no_eq)]
fn texts(db: &dyn Db, file: SourceFile, group: usize) {
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

/// What a name means in terms, and the signature if that is an operator.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Meaning {
    definition: TermDef,
    signature: Option<Arc<Signature>>,
}

#[salsa::tracked]
fn meaning(db: &dyn Db, scope: SourceFile, name: Symbol) -> Option<Meaning> {
    let definition = resolve_term(db, scope, name)?;
    let signature = match definition {
        TermDef::Operator(operator) => {
            sound_signature(db, operator.0.scope, operator.0.name).clone()
        }
        TermDef::Constructor(_) | TermDef::Command(_) => None,
    };
    Some(Meaning {
        definition,
        signature,
    })
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

/// The operators that a group defines, and what its terms mention, in order.
#[salsa::tracked]
fn names(db: &dyn Db, scope: SourceFile, file: SourceFile, group: usize) -> Aside<Arc<[Symbol]>> {
    texts(db, file, group);
    for source in elsewhere(db, scope, file, group).iter() {
        source.text(db);
    }
    Aside::new(db, |db| names_now(db, scope, file, group))
}

fn names_now(db: &dyn Db, scope: SourceFile, file: SourceFile, group: usize) -> Arc<[Symbol]> {
    let entries = entries(db, file, group);
    let mut names: BTreeSet<Symbol> = operators(entries).collect();
    let own = entries.iter().map(|entry| entry.item);
    let elsewhere = elsewhere(db, scope, file, group).iter().copied();
    for source in own.chain(elsewhere) {
        names.extend(mentions(item(db, source)));
    }
    names.into_iter().collect()
}

/// The items outside of a group that belong to its operators.
#[salsa::tracked]
fn elsewhere(db: &dyn Db, scope: SourceFile, file: SourceFile, group: usize) -> Arc<[ItemSource]> {
    let entries = entries(db, file, group);
    let own: HashSet<ItemSource> = entries.iter().map(|entry| entry.item).collect();
    let names: BTreeSet<Symbol> = operators(entries).collect();
    let all = names.iter().flat_map(|name| {
        let items = operator_items(db, scope, *name);
        items.signatures.iter().chain(&items.clauses).copied()
    });
    all.filter(|source| !own.contains(source)).collect()
}

/// Changes with the meaning of the names that it gives: those that the group mentioned when they
/// were gathered. They are read aside, so that this depends on nothing that clauses say and is
/// passed over after most edits; whoever asks has to see to the names that have come since.
#[salsa::tracked(no_eq)]
fn meanings(
    db: &dyn Db,
    scope: SourceFile,
    file: SourceFile,
    group: usize,
) -> Aside<Arc<[Symbol]>> {
    let known = Aside::new(db, |db| names_now(db, scope, file, group));
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
/// of them: their text, the signatures of what they mention, and all declarations. What it says
/// when it has something may depend on anything; see [`everything`].
pub fn depend(db: &dyn Db, scope: SourceFile, file: SourceFile, group: usize) {
    declarations(db, scope);
    texts(db, file, group);
    for source in elsewhere(db, scope, file, group).iter() {
        source.text(db);
    }
    let names = names(db, scope, file, group).get(db, |db| names_now(db, scope, file, group));
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
        // A clause defines nothing but its own name.
        OutlineKind::Clause => words.extend(entry.name),
        OutlineKind::Data | OutlineKind::Interface | OutlineKind::Other => {
            let text = entry.item.text(db);
            let all = text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '\'');
            words.extend(all.filter(|word| !word.is_empty()).map(Symbol::new));
        }
    }
}
