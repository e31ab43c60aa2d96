//! Functions that are handed on where one is needed which takes its arguments in another way.

use frank_syntax::ast::{TermId, TermKind};

use super::Reporter;
use super::mismatch::Mismatch;
use super::words::variables;
use crate::db::item;
use crate::diagnostics::{Diagnostic, Fix, Location};
use crate::fixes;
use crate::types::{Computation, Ty, TyKind};

impl Reporter<'_> {
    /// What takes several arguments where one is needed that holds as many: a list, or a pair.
    pub(super) fn taken_together(
        &self,
        needed: Ty,
        given: usize,
        function: Option<String>,
    ) -> Option<String> {
        let table = &self.inference.table;
        let TyKind::Computation(wanted) = table.kind(needed) else {
            return None;
        };
        let ([port], 2..=4) = (&wanted.ports[..], given) else {
            return None;
        };
        let TyKind::Data(data, _) = table.kind(port.ty) else {
            return None;
        };
        let names = variables(given);
        let (what, pattern) = match data.0.name.as_str() {
            "List" => ("list", format!("[{}]", names.replace(' ', ", "))),
            "Pair" if given == 2 => ("pair", format!("(pair {names})")),
            _ => return None,
        };
        let body =
            function.map_or_else(|| "…".to_owned(), |function| format!("{function} {names}"));
        Some(format!(
            "the function that is needed takes one {what}: `{{{pattern} -> {body}}}`"
        ))
    }

    /// Says which type a port would have to have, where what it took is handed on as another one.
    pub(super) fn port_for_another(
        &self,
        problem: Diagnostic,
        mismatch: Mismatch<'_>,
        term: TermId,
    ) -> Diagnostic {
        let needed = self.ty(mismatch.expected);
        let Some((place, port, _)) = self.port_of_variable(mismatch.source, term) else {
            return problem;
        };
        if needed.contains(['_', '…']) {
            return problem;
        }
        let at = Location::node(place, port);
        problem
            .related(at, "its type is written here")
            .help(format!(
                "to hand it on, its type would have to be `{needed}`"
            ))
            .fix(Fix {
                safe: false,
                ..fixes::replace(at, &needed, format!("write `{needed}` in the signature"))
            })
    }

    /// Says how a function is handed on that takes its two arguments in the other order.
    pub(super) fn handed_in_order(
        &mut self,
        problem: &Diagnostic,
        mismatch: Mismatch<'_>,
        (wanted, given): (&Computation, &Computation),
    ) -> Option<Diagnostic> {
        let ([a, b], [c, d], Some(term)) = (&wanted.ports[..], &given.ports[..], mismatch.term)
        else {
            return None;
        };
        let terms = &item(self.db, mismatch.source).terms;
        if !matches!(terms[term].kind, TermKind::Name(_)) {
            return None;
        }
        let table = &mut self.inference.table;
        let before = table.snapshot();
        let fits = table.unify(a.ty, d.ty).is_ok()
            && table.unify(b.ty, c.ty).is_ok()
            && table.unify(wanted.result, given.result).is_ok();
        table.rollback(before);
        if !fits {
            return None;
        }
        let name = self.term_text(mismatch.source, term)?;
        let text = format!("{{x y -> {name} y x}}");
        let problem = problem.clone();
        let problem = Diagnostic {
            help: vec![format!(
                "it takes the two in the other order: write `{text}`"
            )],
            ..problem
        };
        Some(problem.fix(Fix {
            safe: false,
            ..fixes::replace(mismatch.at, &text, format!("write `{text}`"))
        }))
    }
}
