//! `lift xs` for `map lift xs`: a function of one value that is given a list of them, where a list of its results is
//! needed.

use frank_syntax::ast::{TermId, TermKind};

use super::Reporter;
use super::catalogue::in_sight;
use crate::builtin;
use crate::db::{ItemSource, item};
use crate::diagnostics::{Code, Diagnostic, Fix, Location};
use crate::fixes;
use crate::infer::problem::{Expectation, Mark, Problem};
use crate::program::{OperatorDef, TermDef, resolve_term};
use crate::types::{Arg, Ty, TyKind};

impl Reporter<'_> {
    /// Finds calls both whose argument and whose result are wrong, and would be right for each element.
    pub(super) fn unmapped(&mut self, problems: &[Problem]) {
        for problem in problems {
            let Problem::Mismatch {
                source,
                term: Some(argument),
                expected,
                found,
                origin: Expectation::Argument { call, index: 0 },
                ..
            } = problem
            else {
                continue;
            };
            if self.settled.contains(&problem.mark()) {
                continue;
            }
            let Some(outer) = self.result_misfit(*source, *call, problems) else {
                continue;
            };
            let (mark, wanted, given) = outer;
            let (Some(element), Some(result)) = (self.element_of(*found), self.element_of(wanted))
            else {
                continue;
            };
            let is_known = !self.is_unknown(element) && !self.is_unknown(result);
            if !is_known || !self.agree(element, *expected) || !self.agree(result, given) {
                continue;
            }
            if let Some(finding) = self.mapped(*source, *call, *argument) {
                self.settled.extend([problem.mark(), mark]);
                self.found.push(finding);
            }
        }
    }

    /// What is needed where a call stands, and what it gives instead.
    fn result_misfit(
        &self,
        source: ItemSource,
        call: TermId,
        problems: &[Problem],
    ) -> Option<(Mark, Ty, Ty)> {
        problems.iter().find_map(|problem| match problem {
            Problem::Mismatch {
                source: here,
                term: Some(term),
                expected,
                found,
                ..
            } if *here == source && *term == call => Some((problem.mark(), *expected, *found)),
            _ => None,
        })
    }

    fn element_of(&self, ty: Ty) -> Option<Ty> {
        match self.inference.table.kind(ty) {
            TyKind::Data(data, args) if *data == builtin::list(self.db) => match &args[..] {
                [Arg::Type(element)] => Some(*element),
                _ => None,
            },
            _ => None,
        }
    }

    fn mapped(&self, source: ItemSource, call: TermId, argument: TermId) -> Option<Diagnostic> {
        let terms = &item(self.db, source).terms;
        let TermKind::Apply { head, args } = &terms[call].kind else {
            return None;
        };
        let name = match &terms[*head].kind {
            TermKind::Name(name) if args.len() == 1 => name.symbol,
            _ => return None,
        };
        let list = self.term_text(source, argument);
        let this = list.map_or_else(|| "this".to_owned(), |text| format!("`{text}`"));
        let problem = Diagnostic::new(
            Code::TypeMismatch,
            Location::node(source, terms[call].id),
            format!(
                "`{name}` takes one value, and {this} is a list of them; a list of what it gives is needed"
            ),
        );
        let is_map = |definition: &TermDef| match definition {
            TermDef::Operator(operator) => self.is_map(*operator),
            _ => false,
        };
        let map = resolve_term(self.db, self.scope, frank_syntax::ast::Symbol::new("map"));
        if !map.as_ref().is_some_and(is_map) {
            return Some(problem.help(format!("the prelude's `map {name}` does it for each")));
        }
        let at = Location::node(source, terms[*head].id);
        let text = format!("map {name}");
        Some(problem.help(format!("`{text}` does it for each")).fix(Fix {
            safe: false,
            ..fixes::replace(at, &text, format!("write `{text}`"))
        }))
    }

    /// Whether an operator is the library's.
    fn is_map(&self, operator: OperatorDef) -> bool {
        operator.0.scope != self.scope && in_sight(self.db, self.scope, operator)
    }
}
