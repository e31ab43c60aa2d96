//! Values that are taken out of a number which is being differentiated: `t x (v x)` for `t x x`.

use frank_syntax::ast::{Item, TermId, TermKind};

use super::Reporter;
use super::lift::argument;
use super::words::article;
use crate::db::{ItemSource, item};
use crate::diagnostics::{Code, Diagnostic, Fix, Location};
use crate::fixes;
use crate::types::{Ty, TyKind};

impl Reporter<'_> {
    /// The argument of a call, or what is in it, that is a number of the derivative which is wanted where the
    /// call stands.
    pub(super) fn taken_out_of(
        &self,
        source: ItemSource,
        item: &Item,
        term: TermId,
        expected: Ty,
    ) -> Option<TermId> {
        let TermKind::Apply { args, .. } = &item.terms[term].kind else {
            return None;
        };
        let body = self.inference.body(source)?;
        let table = &self.inference.table;
        let show = self.show();
        let is_wanted = |term: &TermId| {
            let ty = body.types.get(*term);
            ty.is_some_and(|ty| {
                matches!(table.kind(*ty), TyKind::Data(..)) && show.ty(*ty) == show.ty(expected)
            })
        };
        let mut work = args.clone();
        while let Some(term) = work.pop() {
            if is_wanted(&term) {
                return Some(term);
            }
            if let TermKind::Apply { args, .. } = &item.terms[term].kind {
                work.extend(args);
            }
        }
        None
    }

    /// The message for a number that a call takes out of one which is being differentiated: `v x`.
    pub(super) fn taken_out(
        &self,
        at: Location,
        source: ItemSource,
        term: TermId,
        (expected, found): (Ty, Ty),
        inner: TermId,
    ) -> Diagnostic {
        let item = item(self.db, source);
        let (wanted, given) = self.two(expected, found);
        let text = |term| self.term_text(source, term);
        let short = text(term).map_or_else(|| "this".to_owned(), |text| format!("`{text}`"));
        let within = text(inner).map_or_else(
            || "what it is made of".to_owned(),
            |text| format!("`{text}`"),
        );
        let problem = Diagnostic::new(
            Code::TypeMismatch,
            at,
            format!(
                "{short} is {}, taken out of {}, which is being differentiated: its derivative is lost",
                article(&given),
                article(&wanted)
            ),
        );
        let TermKind::Apply { head, args } = &item.terms[term].kind else {
            return problem;
        };
        if args[..] != [inner] {
            return problem.help(format!("{within} has its derivative: compute with that"));
        }
        let name = self.head_text(source, *head, self.definition_of(source, *head));
        let problem = problem.help(format!("leave out {name}"));
        match text(inner) {
            Some(text) => problem.fix(Fix {
                safe: false,
                ..fixes::replace(
                    at,
                    &argument(item, inner, &text),
                    format!("leave out {name}"),
                )
            }),
            None => problem,
        }
    }
}
