//! Whether a text can stand in a hole: the clause is parsed and checked with it.

use frank_analysis::infer::infer_other_clause;
use frank_analysis::infer::problem::Problem;
use frank_syntax::parse::parse_item;

use super::HoleAt;
use crate::view::slice;

/// A clause in which texts are tried for a hole.
pub(super) struct Trial<'h, 'a> {
    hole: &'h HoleAt<'a>,
    before: &'a str,
    after: &'a str,
    /// How many errors the clause has with the hole, syntax errors first.
    known: (usize, usize),
}

impl<'h, 'a> Trial<'h, 'a> {
    pub fn new(hole: &'h HoleAt<'a>) -> Trial<'h, 'a> {
        let text = hole.view.text();
        let range = hole.view.range(hole.node());
        let whole = text_size::TextRange::up_to(text_size::TextSize::of(text));
        let (before, after) = (
            text_size::TextRange::new(whole.start(), range.start()),
            text_size::TextRange::new(range.end(), whole.end()),
        );
        let mut trial = Trial {
            hole,
            before: slice(text, before),
            after: slice(text, after),
            known: (0, 0),
        };
        trial.known = trial.errors(slice(text, range));
        trial
    }

    /// The clause's text with another one in the place of the hole.
    pub fn with(&self, text: &str) -> String {
        format!("{}{text}{}", self.before, self.after)
    }

    /// Whether a text brings no error; holes in it are none.
    pub fn accepts(&self, text: &str) -> bool {
        let (unparsed, wrong) = self.errors(text);
        unparsed <= self.known.0 && wrong <= self.known.1
    }

    fn errors(&self, text: &str) -> (usize, usize) {
        let parsed = parse_item(&self.with(text));
        let Some(operator) = self.hole.view.operator() else {
            return (usize::MAX, usize::MAX);
        };
        let view = &self.hole.view;
        let inference = infer_other_clause(view.db(), operator, view.source, &parsed.item);
        let is_wrong =
            |problem: &&Problem| problem.is_error() && !matches!(problem, Problem::Hole { .. });
        let wrong = inference.problems.iter().filter(is_wrong).count();
        (parsed.errors.len(), wrong)
    }
}
