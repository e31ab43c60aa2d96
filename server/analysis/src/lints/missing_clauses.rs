//! Operators with a signature and without clauses.

use frank_syntax::ast::{ItemKind, PatternKind, Symbol};

use super::Checked;
use crate::db::{Db, has_syntax_errors, item, item_name};
use crate::diagnostics::{Code, Diagnostic, Location, similar_name};
use crate::lints::coverage::needs_no_clauses;
use crate::program::{Definition, OperatorDef, OperatorItems, scope_index};

/// Reports an operator without clauses, unless no value can come to one of its ports.
pub fn check(checked: &Checked<'_>, found: &mut Vec<Diagnostic>) {
    let db = checked.db;
    let Some(operator) = checked.operator else {
        return;
    };
    let items = operator.items(db);
    let (Some(signature), None) = (items.signatures.first(), items.clauses.first()) else {
        return;
    };
    if has_syntax_errors(db, *signature) || needs_no_clauses(db, checked.inference) {
        return;
    }
    let Some(node) = item_name(db, *signature) else {
        return;
    };
    let name = operator.0.name;
    let mut finding = Diagnostic::new(
        Code::SignatureWithoutClauses,
        Location::node(*signature, node),
        format!("`{name}` has a signature and no clauses"),
    )
    .help(format!("write its clauses: `{name} … = …`"))
    // A clause that did not parse may be the one that is missing.
    .may_follow_from(name);
    finding.rests_on.extend(of_misspelt(db, operator));
    found.push(finding);
}

/// Clauses without a signature, with nearly the name of an operator that lacks some, or with a word before the name,
/// as in `fn f x = …`: they are told of together with that.
pub fn of_misspelt(db: &dyn Db, operator: OperatorDef) -> Option<OperatorDef> {
    let Definition { scope, name } = operator.0;
    let undeclared: Vec<(Symbol, &OperatorItems)> = scope_index(db, scope)
        .operators()
        .filter(|(_, items)| items.signatures.is_empty())
        .collect();
    let begins_with_it = |items: &OperatorItems| {
        let clause = items.clauses.first().map(|source| item(db, *source));
        clause.is_some_and(|item| match &item.kind {
            ItemKind::Clause { clause, .. } => clause.patterns.first().is_some_and(|first| {
                matches!(&item.patterns[*first].kind, PatternKind::Name(first) if first.symbol == name)
            }),
            _ => false,
        })
    };
    let behind_a_word = undeclared.iter().find(|(_, items)| begins_with_it(items));
    let similar = || {
        let names = undeclared.iter().map(|(name, _)| name.as_str());
        similar_name(name.as_str(), names).map(Symbol::new)
    };
    let name = behind_a_word.map(|(name, _)| *name).or_else(similar)?;
    Some(OperatorDef(Definition { scope, name }))
}

#[cfg(test)]
mod tests {
    use crate::diagnostics::Code;
    use crate::lints::tests::found;

    #[test]
    fn a_signature_wants_clauses() {
        assert_eq!(
            found(Code::SignatureWithoutClauses, "f : Int -> Int\n"),
            ["f"]
        );
        assert!(found(Code::SignatureWithoutClauses, "f : Int -> Int\nf x = x\n").is_empty());
    }

    #[test]
    fn nothing_can_come_to_an_empty_type() {
        assert!(
            found(
                Code::SignatureWithoutClauses,
                "data Nothing =\n\nf : Nothing -> Int\n"
            )
            .is_empty()
        );
    }
}
