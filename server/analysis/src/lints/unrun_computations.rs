//! Suspended computations that are thrown away before they run: `f; …`, where `f!; …` is meant.

use frank_syntax::ast::{Item, TermId, TermKind};

use super::Checked;
use crate::db::{ItemSource, item};
use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Location, Position};
use crate::infer::Body;
use crate::report::words::article;
use crate::show::{MESSAGE_BUDGET, MetaNames, Show};
use crate::types::TyKind;

/// Reports each sequence whose first term is a computation.
pub fn check(checked: &Checked<'_>, found: &mut Vec<Diagnostic>) {
    for (source, body) in &checked.inference.bodies {
        let item = item(checked.db, *source);
        for (_, term) in item.terms.iter() {
            if let TermKind::Sequence { first, .. } = &term.kind {
                found.extend(thrown_away(checked, *source, item, body, *first));
            }
        }
    }
}

/// `f; …` where `f` is a suspended computation.
fn thrown_away(
    checked: &Checked<'_>,
    source: ItemSource,
    item: &Item,
    body: &Body,
    first: TermId,
) -> Option<Diagnostic> {
    let ty = *body.types.get(first)?;
    let TyKind::Computation(computation) = checked.inference.table.kind(ty) else {
        return None;
    };
    let metas = MetaNames {
        elided: true,
        ..MetaNames::default()
    };
    let show = Show {
        table: &checked.inference.table,
        values: &checked.inference.rigid_values,
        effects: &checked.inference.rigid_effects,
        budget: MESSAGE_BUDGET,
        metas: Some(&metas),
    };
    let at = Location::node(source, item.terms[first].id);
    let problem = Diagnostic::new(
        Code::UnrunComputation,
        at,
        format!(
            "this is a suspended computation, {}, which is thrown away before it runs",
            article(&show.ty(ty))
        ),
    );
    if !computation.ports.is_empty() {
        return Some(problem.help("give it its arguments, or leave it out"));
    }
    let edit = Edit {
        location: at,
        position: Position::After,
        text: "!".to_owned(),
    };
    let fix = Fix {
        title: "run it with `!`".to_owned(),
        edits: vec![edit],
        safe: false,
    };
    let problem = problem.help("write `!` after it to run it");
    let is_name = matches!(item.terms[first].kind, TermKind::Name(_));
    Some(if is_name { problem.fix(fix) } else { problem })
}

#[cfg(test)]
mod tests {
    use crate::diagnostics::Code;
    use crate::lints::tests::found;

    #[test]
    fn a_computation_before_a_semicolon_never_runs() {
        assert_eq!(
            found(Code::UnrunComputation, "f : {Int} -> Int\nf g = g; 1\n"),
            ["g"]
        );
        assert!(found(Code::UnrunComputation, "f : {Int} -> Int\nf g = g!; 1\n").is_empty());
    }
}
