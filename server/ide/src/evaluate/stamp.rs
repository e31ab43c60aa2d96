//! When a result is out of date.
//!
//! A stamp is a number that changes whenever something that an evaluation can reach changes its
//! meaning: an operator's clauses, a type, what a name means. Comments, blanks and other operators
//! leave it alone. What is reached is followed by queries, so that an edit elsewhere costs nothing.

use std::collections::HashSet;
use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};

use frank_analysis::db::{Db, ItemSource, SourceFile, TextKind, item};
use frank_analysis::program::{OperatorDef, TermDef, resolve_term};
use frank_syntax::ast::{SourceMap, Symbol};
use frank_syntax::notebook::notebook_of;

use super::roles::tools;
use crate::names::{Def, occurrences_in};

/// What an item says and whom it names: a number that differs where the former does, and the
/// definitions, each once.
#[salsa::tracked]
fn contents(db: &dyn Db, scope: SourceFile, source: ItemSource) -> (u64, Vec<Def>) {
    let item = item(db, source);
    let mut hasher = Hashing(DefaultHasher::new());
    // A hasher takes everything.
    let _ = write!(hasher, "{item:?}");
    // Ranges would change with every blank, so none are asked for.
    let map = SourceMap::default();
    let names = occurrences_in(db, scope, source, (item, &map), None);
    let mut seen = HashSet::new();
    let global = names
        .into_iter()
        .map(|name| name.def)
        .filter(|def| def.scope().is_some());
    let mentions = global.filter(|def| seen.insert(*def)).collect();
    (hasher.0.finish(), mentions)
}

/// The definitions that the items of a definition name.
pub(super) fn named_by(db: &dyn Db, def: Def) -> impl Iterator<Item = Def> {
    let scope = def.scope();
    let items = items_of(db, def).into_iter();
    let named = items.flat_map(move |source| scope.map(|scope| &contents(db, scope, source).1));
    named.flatten().copied()
}

/// Hashes what is written.
struct Hashing(DefaultHasher);

impl Write for Hashing {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        text.hash(&mut self.0);
        Ok(())
    }
}

/// The items that make up a definition.
pub(super) fn items_of(db: &dyn Db, def: Def) -> Vec<ItemSource> {
    match def {
        Def::Operator(operator) => {
            let items = operator.items(db);
            items
                .signatures
                .iter()
                .chain(&items.clauses)
                .copied()
                .collect()
        }
        Def::Constructor(constructor) => constructor.data.item(db).into_iter().collect(),
        Def::Command(command) => command.interface.item(db).into_iter().collect(),
        Def::Data(data) => data.item(db).into_iter().collect(),
        Def::Interface(interface) => interface.item(db).into_iter().collect(),
        Def::Alias(alias) => alias.item(db).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// A number for some definitions and all that they reach.
fn reach(db: &dyn Db, work: Vec<Def>) -> u64 {
    let mut seen: HashSet<Def> = work.iter().copied().collect();
    let mut work = work;
    let mut hasher = DefaultHasher::new();
    while let Some(def) = work.pop() {
        let Some(scope) = def.scope() else { continue };
        // The same name can mean something of another kind, or in another file.
        std::mem::discriminant(&def).hash(&mut hasher);
        let path = scope.path(db);
        // Which of its cells is the root of a notebook changes when others come and go.
        notebook_of(path).unwrap_or(path).hash(&mut hasher);
        for source in items_of(db, def) {
            let (number, mentions) = contents(db, scope, source);
            number.hash(&mut hasher);
            work.extend(mentions.iter().copied().filter(|def| seen.insert(*def)));
        }
    }
    hasher.finish()
}

/// The stamp of what running an operator depends on.
#[salsa::tracked(returns(copy))]
pub(crate) fn run_stamp(db: &dyn Db, scope: SourceFile, name: Symbol) -> u64 {
    match known_as(db, scope, name) {
        Some(operator) => reach(db, vec![Def::Operator(operator)]),
        None => 0,
    }
}

/// The stamp of what evaluating a term on its own depends on.
pub(super) fn term_stamp(db: &dyn Db, scope: SourceFile, term: ItemSource) -> u64 {
    let (number, mentions) = contents(db, scope, term);
    let mut hasher = DefaultHasher::new();
    (number, reach(db, mentions.clone())).hash(&mut hasher);
    hasher.finish()
}

/// The stamp of what trying a law depends on, the types of its variables among it.
pub(super) fn law_stamp(db: &dyn Db, scope: SourceFile, law: ItemSource) -> u64 {
    let types = match law.kind(db) {
        TextKind::Law { types } => Some(types),
        _ => None,
    };
    let mut hasher = DefaultHasher::new();
    for source in [law].into_iter().chain(types) {
        term_stamp(db, scope, source).hash(&mut hasher);
    }
    hasher.finish()
}

/// The stamp of what the derivative of an operator depends on: itself and all the tools.
#[salsa::tracked(returns(copy))]
pub(crate) fn derivative_stamp(db: &dyn Db, scope: SourceFile, name: Symbol) -> u64 {
    let tools = tools(db, scope);
    let operators = tools
        .evaluators
        .iter()
        .map(|(operator, ..)| *operator)
        .chain(tools.derivatives.iter().map(|(operator, _)| *operator))
        .chain(tools.constants.iter().map(|(operator, ..)| *operator))
        .chain(tools.handlers.iter().map(|(operator, ..)| *operator))
        .chain(known_as(db, scope, name));
    reach(db, operators.map(Def::Operator).collect())
}

/// The name under which an operator is known in a program, if it is.
pub(crate) fn known_as(db: &dyn Db, scope: SourceFile, name: Symbol) -> Option<OperatorDef> {
    match resolve_term(db, scope, name)? {
        TermDef::Operator(operator) => Some(operator),
        _ => None,
    }
}
