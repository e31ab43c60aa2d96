//! The states of a run, as text, as JSON and as a page.

pub mod html;
pub mod json;
pub mod text;

use frank_semantics::Semantics;
use frank_semantics::paths::Paths;
use frank_semantics::show::{Limits, Shower};
use frank_semantics::state::{OutputId, State};
use frank_semantics::trace::Moment;

use crate::execute::Sources;
use crate::findings::SourceRange;

/// States that are to be written, and what they need for that.
pub struct States<'s, 'p, 't, C> {
    pub paths: Paths<'s, 'p>,
    pub sources: &'s mut Sources<'t>,
    /// The positions of the states.
    pub chosen: C,
    /// The number of the first one, from 1.
    pub from: usize,
}

impl<'s, C: Iterator<Item = usize>> States<'s, '_, '_, C> {
    /// The next state.
    fn next(&mut self) -> Option<&'s Moment> {
        self.paths.moments.get(self.chosen.next()?)
    }

    /// What writes states in lines of so many characters.
    fn shower(&self, width: usize) -> Shower<'s> {
        let limits = Limits {
            width,
            ..Limits::default()
        };
        Shower::new(self.paths.semantics, limits)
    }

    /// All that was printed by a state, if that is more than by the one before.
    fn printed_since(&self, before: &mut Option<OutputId>, moment: &Moment) -> Option<String> {
        let now = moment.state.printed;
        let is_new = std::mem::replace(before, now) != now;
        is_new.then(|| self.paths.semantics.store.text(now))
    }

    /// Where the focus stands in the program.
    fn place(&mut self, state: &State) -> Option<SourceRange> {
        place(self.paths.semantics, self.sources, state)
    }
}

/// Where the focus of a state stands in the program.
pub fn place(
    semantics: &Semantics<'_>,
    sources: &mut Sources<'_>,
    state: &State,
) -> Option<SourceRange> {
    let place = semantics.place(state)?;
    Some(sources.place(semantics.program, place))
}

/// The name of the rule that led to a state.
pub fn rule(moment: &Moment) -> &'static str {
    moment.rule.map_or("start", |rule| rule.name())
}
