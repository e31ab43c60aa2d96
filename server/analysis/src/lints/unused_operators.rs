//! Operators of a program that nothing mentions.
//!
//! Only a private helper is reported: one in a root file that has a `main`, where no other program can
//! see it; that takes arguments, since what takes none can be run as an entry; and that has no example
//! in its comment, which would use it.

use std::sync::Arc;

use frank_syntax::ast::{ItemKind, Symbol, SymbolMap, SymbolSet};
use frank_syntax::outline::OutlineKind;

use super::is_private;
use crate::aside::Aside;
use crate::db::{Db, Group, Origin, OutlineEntry, SourceFile, item};
use crate::declarations::sound_signature;
use crate::diagnostics::{Code, Diagnostic, Location};
use crate::entries::{MAIN, may_be_entry};
use crate::groups;
use crate::link::has_errors;
use crate::program::{Definition, OperatorDef, operator_items, scope_index};

/// So many operators at most are asked for errors before another is called unused.
const MOST_OPERATORS: usize = 500;

/// The private helpers in a root file that nothing mentions.
#[salsa::tracked]
pub fn unused_operators(db: &dyn Db, root: SourceFile) -> Vec<Diagnostic> {
    let main = Symbol::new(MAIN);
    if root.origin(db) != Origin::Workspace
        || operator_items(db, root, main).clauses.is_empty()
        || root
            .groups(db)
            .iter()
            .any(|group| groups::facts(db, *group).broken)
        // What is wrong there may be that something is not used.
        || has_errors(db, OperatorDef(Definition { scope: root, name: main }))
    {
        return Vec::new();
    }
    let mut unused: SymbolMap<Location> = SymbolMap::default();
    for group in root.groups(db) {
        let helpers = kept_helpers(db, root, *group);
        let helpers = helpers.get(db, |db| helpers_now(db, root, *group));
        unused.extend(helpers.iter().copied());
    }
    for (user, name) in groups::all_facts(db, root).flat_map(|facts| &facts.mentions) {
        if user != name {
            unused.remove(name);
        }
    }
    if unused.is_empty() || is_wrong_elsewhere(db, root) {
        return Vec::new();
    }
    let found = unused.into_iter().map(|(name, at)| {
        Diagnostic::new(
            Code::UnusedOperator,
            at,
            format!("the operator `{name}` is never used"),
        )
        .help(
            "no other file includes this one, so nothing else can use it: leave it out, or let its \
             name begin with `_`",
        )
    });
    found.collect()
}

/// Whether one of the first operators of a file has errors: it may be the one that should use another.
fn is_wrong_elsewhere(db: &dyn Db, root: SourceFile) -> bool {
    let index = scope_index(db, root);
    let mut operators = index.operators().take(MOST_OPERATORS);
    operators.any(|(name, _)| has_errors(db, OperatorDef(Definition { scope: root, name })))
}

/// The private helpers whose first signature is in a group of a root file's items, with the place of
/// the name. Nothing but the group's own items is known of their uses.
#[salsa::tracked]
fn kept_helpers(db: &dyn Db, root: SourceFile, group: Group) -> Aside<Arc<[(Symbol, Location)]>> {
    groups::depend(db, root, group);
    Aside::new(db, |db| helpers_now(db, root, group))
}

fn helpers_now(db: &dyn Db, root: SourceFile, group: Group) -> Arc<[(Symbol, Location)]> {
    let mentions = groups::facts(db, group).mentions.iter();
    let used: SymbolSet = mentions
        .filter(|(user, name)| user != name)
        .map(|(_, name)| *name)
        .collect();
    let helper = |entry: &OutlineEntry| {
        let name = entry.name?;
        if entry.kind != OutlineKind::Signature
            || may_be_entry(name)
            || is_private(name)
            || used.contains(&name)
        {
            return None;
        }
        let items = operator_items(db, root, name);
        // The name is told once, and looked at once, however often it is defined.
        if items.signatures.first() != Some(&entry.item) {
            return None;
        }
        let takes_none = || {
            let signature = sound_signature(db, root, name).as_ref();
            signature.is_none_or(|signature| signature.computation.ports.is_empty())
        };
        let mut all = items.signatures.iter().chain(&items.clauses);
        let has_example =
            all.any(|source| source.text(db).lines().any(|line| line.starts_with("-- >")));
        let own = items.clauses.iter().all(|source| source.file(db) == root);
        if items.clauses.is_empty() || has_example || !own || takes_none() {
            return None;
        }
        match &item(db, entry.item).kind {
            ItemKind::Signature { name: written, .. } => {
                Some((name, Location::node(entry.item, written.id)))
            }
            _ => None,
        }
    };
    group.entries(db).iter().filter_map(helper).collect()
}

#[cfg(test)]
mod tests {
    use crate::diagnostics::Code;
    use crate::lints::tests::found;

    #[test]
    fn a_helper_of_a_program_is_unused() {
        assert_eq!(
            found(
                Code::UnusedOperator,
                "f : Int -> Int\nf x = x\n\nmain : {Int}\nmain! = 1\n"
            ),
            ["f"]
        );
        assert!(
            found(
                Code::UnusedOperator,
                "f : Int -> Int\nf x = x\n\nmain : {Int}\nmain! = f 1\n"
            )
            .is_empty()
        );
    }

    #[test]
    fn what_others_may_use_is_not() {
        assert!(found(Code::UnusedOperator, "f : Int -> Int\nf x = x\n").is_empty());
        assert!(
            found(
                Code::UnusedOperator,
                "f : {Int}\nf! = 2\n\nmain : {Int}\nmain! = 1\n"
            )
            .is_empty()
        );
        assert!(
            found(
                Code::UnusedOperator,
                "-- > f 1 == 1\nf : Int -> Int\nf x = x\n\nmain : {Int}\nmain! = 1\n"
            )
            .is_empty()
        );
    }
}
