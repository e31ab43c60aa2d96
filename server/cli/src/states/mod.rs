//! The states of a run, as text, as JSON and as a page.

pub mod html;
pub mod json;
pub mod text;

use frank_semantics::Semantics;
use frank_semantics::show::{Limits, Shower};
use frank_semantics::state::State;
use frank_semantics::trace::Moment;

use crate::execute::Sources;
use crate::findings::SourceRange;

/// States that are to be written, and what they need for that.
pub struct States<'s, 'p, 't, M> {
    pub semantics: &'s Semantics<'p>,
    pub sources: &'s mut Sources<'t>,
    pub moments: M,
    /// The number of the first one, from 1.
    pub from: usize,
}

impl<'s, M> States<'s, '_, '_, M> {
    /// What writes states in lines of so many characters.
    fn shower(&self, width: usize) -> Shower<'s> {
        let limits = Limits {
            width,
            ..Limits::default()
        };
        Shower::new(self.semantics, limits)
    }

    /// Where the focus stands in the program.
    fn place(&mut self, state: &State) -> Option<SourceRange> {
        let place = self.semantics.place(state)?;
        Some(self.sources.place(self.semantics.program, place))
    }
}

/// The name of the rule that led to a state.
fn rule(moment: &Moment) -> &'static str {
    moment.rule.map_or("start", |rule| rule.name())
}
