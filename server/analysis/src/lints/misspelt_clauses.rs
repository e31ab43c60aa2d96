//! Clauses whose operator's name is written in another way than in its signature.

use std::collections::HashMap;

use frank_syntax::ast::{ItemKind, PatternKind, Symbol};

use crate::db::{Db, SourceFile, item};
use crate::diagnostics::similar_name;
use crate::program::{Definition, OperatorDef, OperatorItems, scope_index};
use crate::spelling::Spellings;

/// Operators that have clauses and no signature.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Undeclared {
    names: Spellings,
    /// By the name that their first clause's first pattern has, as `f` in `fn f x = …`.
    before: HashMap<Symbol, Symbol>,
}

#[salsa::tracked]
fn undeclared(db: &dyn Db, scope: SourceFile) -> Undeclared {
    let operators = scope_index(db, scope).operators();
    let all: Vec<(Symbol, &OperatorItems)> = operators
        .filter(|(_, items)| items.signatures.is_empty())
        .collect();
    let mut before = HashMap::new();
    for (name, items) in &all {
        if let Some(source) = items.clauses.first()
            && let ItemKind::Clause { clause, .. } = &item(db, *source).kind
            && let Some(first) = clause.patterns.first()
            && let PatternKind::Name(first) = &item(db, *source).patterns[*first].kind
        {
            before.entry(first.symbol).or_insert(*name);
        }
    }
    let names = Spellings::new(all.iter().map(|(name, _)| *name));
    Undeclared { names, before }
}

/// Clauses without a signature, with nearly the name of an operator that lacks some, or with a word before the name,
/// as in `fn f x = …`: they are told of together with that.
pub fn of(db: &dyn Db, operator: OperatorDef) -> Option<OperatorDef> {
    let Definition { scope, name } = operator.0;
    let undeclared = undeclared(db, scope);
    let similar = || {
        let near = undeclared.names.near(name.as_str());
        similar_name(name.as_str(), near).map(Symbol::new)
    };
    let name = undeclared.before.get(&name).copied().or_else(similar)?;
    Some(OperatorDef(Definition { scope, name }))
}
