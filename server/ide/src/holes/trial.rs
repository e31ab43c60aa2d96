//! Whether a text can stand in a hole: the clause is parsed and checked with it.

use std::mem::{Discriminant, discriminant};

use frank_analysis::db::SourceFile;
use frank_analysis::infer::infer_other_clause;
use frank_analysis::infer::problem::Problem;
use frank_analysis::program::{resolve_row, resolve_term};
use frank_analysis::program_roots::programs_of;
use frank_syntax::ast::Symbol;
use frank_syntax::ast::tree::{Node, for_each};
use frank_syntax::parse::{parse_item, parse_term};

use super::HoleAt;
use crate::names::Def;

/// A clause in which texts are tried for a hole.
pub(crate) struct Trial<'h, 'a> {
    hole: &'h HoleAt<'a>,
    before: &'a str,
    after: &'a str,
    /// The errors that the clause has with the hole.
    known: Errors,
}

impl<'h, 'a> Trial<'h, 'a> {
    pub fn new(hole: &'h HoleAt<'a>) -> Trial<'h, 'a> {
        let (before, after) = hole.around();
        let mut trial = Trial {
            hole,
            before,
            after,
            known: Errors::default(),
        };
        trial.known = trial.errors(hole.name());
        trial
    }

    /// The clause's text with another one in the place of the hole.
    pub fn with(&self, text: &str) -> String {
        format!("{}{text}{}", self.before, self.after)
    }

    /// Whether a text brings no error in any program that has the clause; holes in it are none.
    pub fn accepts(&self, text: &str) -> bool {
        if !self.is_known_everywhere(text) {
            return false;
        }
        let found = self.errors(text);
        let mut known = self.known.wrong.clone();
        let mut is_known = |kind: &Discriminant<Problem>| {
            let place = known.iter().position(|known| known == kind);
            place.map(|place| known.swap_remove(place)).is_some()
        };
        found.unparsed <= self.known.unparsed && found.wrong.iter().all(&mut is_known)
    }

    /// Whether the names of a text mean the same in all programs that have the clause.
    fn is_known_everywhere(&self, text: &str) -> bool {
        let HoleAt { view, typed, term } = self.hole;
        let (db, analysis) = (view.db(), view.analysis);
        let programs = programs_of(db, view.source.file(db));
        if programs.len() < 2 {
            return true;
        }
        let own = parse_term(text);
        let seen = typed.body().scopes.seen_at(*term);
        let locals: Vec<Symbol> = seen.map(|binder| binder.name.symbol).collect();
        let same = |mean: &dyn Fn(SourceFile) -> Option<Def>| {
            let Some(here) = mean(view.scope) else {
                return true;
            };
            let here = analysis.declared(here).map(|target| target.focus);
            programs.iter().all(|program| {
                let there = mean(*program).and_then(|def| analysis.declared(def));
                there.map(|target| target.focus) == here
            })
        };
        let mut found = true;
        for_each(&own.item, |node| {
            let name = match node {
                Node::Name(name) if !locals.contains(&name.symbol) => name.symbol,
                _ => return,
            };
            found &= same(&|scope| resolve_term(db, scope, name).map(Def::from));
            found &= same(&|scope| resolve_row(db, scope, name).map(Def::from));
        });
        found
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
