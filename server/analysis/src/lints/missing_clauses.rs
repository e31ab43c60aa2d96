//! Operators with a signature and without clauses.

use frank_core::Builtin;

use super::{Checked, misspelt_clauses};
use crate::builtin::library_name;
use crate::db::{has_syntax_errors, item_name};
use crate::diagnostics::{Code, Diagnostic, Location};
use crate::lints::coverage::needs_no_clauses;

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
    let library = library_name(db, signature.file(db));
    if library.is_some_and(|library| Builtin::named(library, operator.0.name.as_str()).is_some()) {
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
    finding.rests_on.extend(misspelt_clauses::of(db, operator));
    found.push(finding);
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
