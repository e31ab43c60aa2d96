//! A page that shows a run by itself: for a talk, a lesson or a book.

use std::io::{self, Write};

use frank_semantics::state::OutputId;
use frank_semantics::trace::Moment;
use serde::Serialize;

use super::{States, rule};
use crate::json::visible;

const PAGE: &str = include_str!("page.html");

/// What stands in the page where the states belong.
const STATES: &str = "STATES";

/// Characters in a line, so that the source has room beside it.
const WIDTH: usize = 76;

#[derive(Serialize)]
struct Page<'p> {
    what: &'p str,
    from: usize,
    states: Vec<Shown>,
    sources: Vec<Source>,
}

/// Ranges in `term` count characters; the place is a source, and a range of characters in it.
#[derive(Serialize)]
struct Shown {
    rule: &'static str,
    term: String,
    focus: [usize; 2],
    frozen: Vec<[usize; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<[usize; 3]>,
    /// What was printed, where that is more than in the state before.
    #[serde(skip_serializing_if = "Option::is_none")]
    printed: Option<String>,
}

#[derive(Serialize)]
struct Source {
    name: String,
    text: String,
}

/// Writes a page about the run of an entry or a term.
pub fn write<'m>(
    out: &mut impl Write,
    states: &mut States<'_, '_, '_, impl Iterator<Item = &'m Moment>>,
    what: &str,
) -> io::Result<()> {
    let mut shower = states.shower(WIDTH);
    let mut all = Vec::new();
    let mut printed: Option<OutputId> = None;
    while let Some(moment) = states.moments.next() {
        let shown = shower.state(&moment.state);
        let place = states.place(&moment.state).and_then(|place| {
            let text = &states.sources.sources.get(place.source)?.text;
            let characters = |end: usize| text.get(..end).map(|before| before.chars().count());
            Some([
                place.source,
                characters(place.start)?,
                characters(place.end)?,
            ])
        });
        let now = moment.state.printed;
        let has_printed = now != printed;
        printed = now;
        let frozen = shown.frozen.iter();
        all.push(Shown {
            rule: rule(moment),
            focus: [shown.focus.start, shown.focus.end],
            frozen: frozen.map(|part| [part.start, part.end]).collect(),
            term: shown.text,
            place,
            printed: has_printed.then(|| states.semantics.store.text(now)),
        });
    }
    let sources = states.sources.sources.iter().map(|source| Source {
        name: source.shown(),
        text: source.text.clone(),
    });
    let page = Page {
        what,
        from: states.from,
        states: all,
        sources: sources.collect(),
    };
    let json = serde_json::to_string(&page)?;
    // Nothing in the data may end the element that it stands in.
    let data = visible(&json).replace('<', "\\u003c");
    let (before, after) = PAGE.split_once(STATES).unwrap_or((PAGE, ""));
    write!(out, "{before}{data}{after}")
}
