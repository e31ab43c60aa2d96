//! An object for each state, one a line.

use std::io::{self, Write};

use serde::Serialize;

use super::{States, rule};
use crate::json::visible;
use crate::source::Positions;

/// Wide enough that a term stands on one line.
const WIDTH: usize = u16::MAX as usize;

/// A state in JSON; `focus` and `frozen` count the characters of `term` from 0, ends exclusive.
#[derive(Serialize)]
struct Object<'a> {
    rule: &'a str,
    term: &'a str,
    focus: [usize; 2],
    frozen: Vec<[usize; 2]>,
    place: Option<Place>,
    /// All that was printed so far, where that is more than in the state before.
    #[serde(skip_serializing_if = "Option::is_none")]
    printed: Option<String>,
}

/// As in `check --format json`.
#[derive(Serialize)]
struct Place {
    file: String,
    range: Positions,
}

/// Writes the states.
pub fn write(
    out: &mut impl Write,
    states: &mut States<'_, '_, '_, impl Iterator<Item = usize>>,
) -> io::Result<()> {
    let mut shower = states.shower(WIDTH);
    let mut printed = None;
    while let Some(moment) = states.next() {
        let shown = shower.state(&moment.state);
        let place = states.place(&moment.state).and_then(|place| {
            let source = states.sources.sources.get(place.source)?;
            let range = source.positions(place.start..place.end);
            let file = source.name.clone();
            Some(Place { file, range })
        });
        let frozen = shown.frozen.iter();
        let object = Object {
            rule: rule(moment),
            term: &shown.text,
            focus: [shown.focus.start, shown.focus.end],
            frozen: frozen.map(|part| [part.start, part.end]).collect(),
            place,
            printed: states.printed_since(&mut printed, moment),
        };
        let object = serde_json::to_string(&object)?;
        writeln!(out, "{}", visible(&object))?;
    }
    Ok(())
}
