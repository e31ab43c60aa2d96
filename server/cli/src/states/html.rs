//! A page that shows a run by itself.

use std::io::{self, Write};

use frank_semantics::page::{Page, Source};

use super::States;
use crate::json::visible;

/// Writes a page about the run of an entry or a term; `is_cut` if the run goes on after the states, `failure` if it ends
/// without a value.
pub fn write(
    out: &mut impl Write,
    states: &mut States<'_, '_, '_, impl Iterator<Item = usize>>,
    what: &str,
    is_cut: bool,
    failure: Option<String>,
) -> io::Result<()> {
    let sources = &mut *states.sources;
    let program = states.paths.semantics.program;
    let mut source = |file| {
        let place = frank_core::Place {
            file,
            start: 0,
            end: 0,
        };
        let at = sources.place(program, place).source;
        let source = sources.sources.get(at)?;
        Some(Source {
            name: source.shown(),
            uri: None,
            text: source.text.clone(),
        })
    };
    let chosen = states.chosen.by_ref();
    let mut page = Page::new(states.paths, what, chosen, usize::MAX, &mut source);
    page.from = states.from;
    page.cut = is_cut;
    page.failure = failure;
    write!(out, "{}", visible(&page.html()?))
}
