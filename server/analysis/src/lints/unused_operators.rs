//! Operators of a program that nothing mentions.
//!
//! Only a private helper is reported: one in a root file that has a `main`, where no other program can
//! see it; that takes arguments, since what takes none can be run as an entry; and that has no example
//! in its comment, which would use it.

use std::collections::BTreeSet;

use frank_syntax::ast::{ItemKind, Symbol, SymbolSet};
use frank_syntax::outline::OutlineKind;

use super::is_private;
use crate::db::{Db, Origin, SourceFile, item};
use crate::declarations::sound_signature;
use crate::diagnostics::{Code, Diagnostic, Location};
use crate::groups;
use crate::program::operator_items;

/// The private helpers in a root file that nothing mentions.
#[salsa::tracked]
pub fn unused_operators(db: &dyn Db, root: SourceFile) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let main = Symbol::new("main");
    if root.origin(db) != Origin::Workspace
        || operator_items(db, root, main).clauses.is_empty()
        || (0..groups::count(db, root)).any(|group| groups::facts(db, root, group).broken)
    {
        return found;
    }
    let mentions = groups::all_facts(db, root).flat_map(|facts| &facts.mentions);
    let used: SymbolSet = mentions
        .filter(|(user, name)| user != name)
        .map(|(_, name)| *name)
        .collect();
    let mut seen: BTreeSet<Symbol> = BTreeSet::new();
    for entry in root.outline(db) {
        let (OutlineKind::Signature, Some(name)) = (entry.kind, entry.name) else {
            continue;
        };
        if name == main || is_private(name) || !seen.insert(name) {
            continue;
        }
        if used.contains(&name) {
            continue;
        }
        let takes_none = sound_signature(db, root, name)
            .as_ref()
            .is_none_or(|signature| signature.computation.ports.is_empty());
        let items = operator_items(db, root, name);
        let has_example = items
            .signatures
            .iter()
            .chain(&items.clauses)
            .any(|source| source.text(db).lines().any(|line| line.starts_with("-- >")));
        let own = items.clauses.iter().all(|source| source.file(db) == root);
        if takes_none || has_example || !own || items.clauses.is_empty() {
            continue;
        }
        if let ItemKind::Signature { name: written, .. } = &item(db, entry.item).kind {
            found.push(
                Diagnostic::new(
                    Code::UnusedOperator,
                    Location::node(entry.item, written.id),
                    format!("the operator `{name}` is never used"),
                )
                .help(
                    "no other file includes this one, so nothing else can use it: leave it out, or \
                     let its name begin with `_`",
                ),
            );
        }
    }
    found
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
