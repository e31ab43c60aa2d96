//! Whether a text can stand in a hole: the clause is parsed and checked with it.

use std::mem::{Discriminant, discriminant};

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
    /// The errors that the clause has with the hole.
    known: Errors,
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
            known: Errors::default(),
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
        let found = self.errors(text);
        let mut known = self.known.wrong.clone();
        let mut is_known = |kind: &Discriminant<Problem>| {
            let place = known.iter().position(|known| known == kind);
            place.map(|place| known.swap_remove(place)).is_some()
        };
        found.unparsed <= self.known.unparsed && found.wrong.iter().all(&mut is_known)
    }

    fn errors(&self, text: &str) -> Errors {
        let view = &self.hole.view;
        let parsed = parse_item(&self.with(text));
        let unparsed = parsed.errors.len();
        let Some(operator) = view.operator() else {
            return Errors::default();
        };
        let inference = infer_other_clause(view.db(), operator, view.source, &parsed.item);
        let problems = inference.problems.iter();
        let is_wrong =
            |problem: &&Problem| problem.is_error() && !matches!(problem, Problem::Hole { .. });
        Errors {
            unparsed,
            wrong: problems.filter(is_wrong).map(discriminant).collect(),
        }
    }
}

/// The errors of a clause. Those of types are known by their kinds: their places move with the text.
#[derive(Default)]
struct Errors {
    /// How many there are of its syntax.
    unparsed: usize,
    wrong: Vec<Discriminant<Problem>>,
}
