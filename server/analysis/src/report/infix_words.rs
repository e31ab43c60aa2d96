//! `not a and b`: the call takes the word between two operands for an argument.

use frank_syntax::ast::{TermId, TermKind};

use super::Reporter;
use super::swapped::Call;
use crate::db::{ItemSource, item};
use crate::diagnostics::{Code, Diagnostic, Fix, Location};
use crate::fixes;
use crate::infer::problem::Problem;
use crate::program::TermDef;

impl Reporter<'_> {
    /// Finds calls with too many arguments, of which one is `and` or `or` with something behind it.
    pub(super) fn infix_words(&mut self, problems: &[Problem]) {
        for problem in problems {
            let Problem::ArgumentCount {
                source,
                head,
                wanted,
                given,
                ..
            } = problem
            else {
                continue;
            };
            if given <= wanted || self.settled.contains(&problem.mark()) {
                continue;
            }
            let Some(call) = self.surroundings(*source).ancestors(*head).next() else {
                continue;
            };
            if let Some(finding) = self.infix_word((*source, call), *wanted) {
                self.settled
                    .extend(self.problems_in(*source, call, problems));
                self.found.push(finding);
            }
        }
    }

    /// The finding about a word behind as many arguments as a call takes.
    fn infix_word(&self, (source, call): Call, wanted: usize) -> Option<Diagnostic> {
        let item = item(self.db, source);
        let TermKind::Apply { args, .. } = &item.terms[call].kind else {
            return None;
        };
        let word = *args.get(wanted).filter(|_| wanted > 0)?;
        let TermKind::Name(name) = &item.terms[word].kind else {
            return None;
        };
        let Some(TermDef::Operator(operator)) = self.definition_of(source, word) else {
            return None;
        };
        let lazy = match name.symbol.as_str() {
            "and" => "andThen",
            "or" => "orElse",
            _ => return None,
        };
        let behind = args.get(wanted + 1..)?;
        let (first, last) = (behind.first()?, behind.last()?);
        if operator.0.scope == self.scope {
            return None;
        }
        let at = Location::node(source, item.terms[word].id);
        let message = "no operator stands between its arguments";
        let help = format!("`{lazy} a {{b}}`, from the prelude, looks at `b` only if it has to");
        let finding = Diagnostic::new(Code::WrongArgumentCount, at, message).help(help);
        let place = Location::node(source, item.terms[call].id);
        let start = usize::from(place.in_item(self.db).start());
        let text = source.text(self.db);
        let end = |term: TermId| self.end_of(source, term);
        let left = text.get(start..end(*args.get(wanted - 1)?)?)?;
        let right = text.get(self.start_of(source, *first)?..end(*last)?)?;
        let written = format!("{lazy} ({left}) {{{right}}}");
        let title = format!("write `{written}`");
        Some(finding.fix(Fix {
            safe: false,
            ..fixes::replace(place, &written, title)
        }))
    }

    fn start_of(&self, source: ItemSource, term: TermId) -> Option<usize> {
        let (place, _) = self.whole(source, term)?;
        Some(place.in_item(self.db).start().into())
    }

    fn end_of(&self, source: ItemSource, term: TermId) -> Option<usize> {
        let (place, _) = self.whole(source, term)?;
        Some(place.in_item(self.db).end().into())
    }
}
