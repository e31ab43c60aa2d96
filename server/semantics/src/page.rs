//! A run as data for who draws it, and as a page that shows it by itself: for an editor's panel, a talk, a book.

use std::collections::HashMap;
use std::ops::Range;

use frank_core::FileId;
use serde::Serialize;

use crate::paths::Paths;
use crate::rules::Rule;
use crate::show::{Handling, Limits, READABLE, Shower, changed};

/// Characters in a line, so that the source has room beside it.
const WIDTH: usize = 76;

const PAGE: &str = include_str!("page.html");

/// What stands in the page where the states belong.
const STATES: &str = "STATES";

/// The states of a run with the sources that they point into.
#[derive(Debug, Serialize)]
pub struct Page {
    /// What was run: an operator's name, or a term.
    pub what: String,
    /// The number of the first state, from 1.
    pub from: usize,
    /// Whether the run goes on after the last state.
    pub cut: bool,
    /// Why the run ends without a value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    pub states: Vec<Shown>,
    pub sources: Vec<Source>,
}

/// A state. Ranges count characters from 0, ends exclusive.
#[derive(Debug, Serialize)]
pub struct Shown {
    pub term: String,
    #[serde(flatten)]
    pub marks: Marks,
}

/// What is said of a state beside its term.
#[derive(Debug, Serialize)]
pub struct Marks {
    /// The rule that led there, or `start`.
    pub rule: &'static str,
    pub focus: [usize; 2],
    pub frozen: Vec<[usize; 2]>,
    /// The continuation that the command gets: from there up to its handler.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub captured: Option<[usize; 2]>,
    /// What of a large term is hidden at first: for each part that can be opened, what of it is hidden.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub folds: Vec<Vec<[usize; 2]>>,
    /// The focus in the program: a source, and a range in its text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<[usize; 3]>,
    /// Whether a command is performed here.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub command: bool,
    /// The command that is on its way to its handler.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub performed: Option<String>,
    /// The handlers around the focus, the innermost first, where they are others than in the state before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub handlers: Option<Vec<Handling>>,
    /// All that was printed so far, where that is more than in the state before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub printed: Option<String>,
}

/// A text of the program.
#[derive(Debug, Clone, Serialize)]
pub struct Source {
    pub name: String,
    /// What an editor knows the file by, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uri: Option<String>,
    pub text: String,
}

fn ends(range: &Range<usize>) -> [usize; 2] {
    [range.start, range.end]
}

impl Page {
    /// Shows some states of a run, with at most so many bytes of terms but for the first; if there is more, the page says
    /// that it is cut. `source` gives the text of a file of the program, if it is known.
    pub fn new(
        paths: Paths<'_, '_>,
        what: &str,
        chosen: impl IntoIterator<Item = usize>,
        most: usize,
        source: &mut dyn FnMut(FileId) -> Option<Source>,
    ) -> Page {
        let limits = Limits {
            width: WIDTH,
            ..Limits::default()
        };
        let semantics = paths.semantics;
        let mut shower = Shower::new(semantics, limits);
        let mut page = Page {
            what: what.to_owned(),
            from: 1,
            cut: false,
            failure: None,
            states: Vec::new(),
            sources: Vec::new(),
        };
        let mut known: HashMap<FileId, Option<usize>> = HashMap::new();
        let mut printed = None;
        let mut around = Vec::new();
        let mut before = String::new();
        let mut bytes = 0_usize;
        for at in chosen {
            let Some(moment) = paths.moments.get(at) else {
                continue;
            };
            let shown = shower.state(&moment.state);
            bytes = bytes.saturating_add(shown.text.len());
            if bytes > most && !page.states.is_empty() {
                page.cut = true;
                break;
            }
            let place = semantics.place(&moment.state).and_then(|place| {
                let index = *known.entry(place.file).or_insert_with(|| {
                    page.sources.push(source(place.file)?);
                    Some(page.sources.len() - 1)
                });
                let text = &page.sources.get(index?)?.text;
                let characters = |end: u32| Some(text.get(..end as usize)?.chars().count());
                Some([index?, characters(place.start)?, characters(place.end)?])
            });
            let handlers = shower.handlers(&moment.state);
            let has_others = handlers != around;
            if has_others {
                around.clone_from(&handlers);
            }
            let now = moment.state.printed;
            let has_printed = now != printed;
            printed = now;
            let folds = shown.folds(READABLE, Some(&changed(&before, &shown.text)));
            let folds = folds
                .iter()
                .map(|fold| fold.hidden.iter().map(ends).collect());
            let folds = folds.collect();
            before.clone_from(&shown.text);
            let marks = Marks {
                rule: moment.rule.map_or("start", Rule::name),
                focus: ends(&shown.focus),
                frozen: shown.frozen.iter().map(ends).collect(),
                captured: shown.captured.as_ref().map(ends),
                folds,
                performed: shower.performed(&moment.state),
                place,
                command: paths.is_command(at),
                handlers: has_others.then_some(handlers),
                printed: has_printed.then(|| semantics.store.text(now)),
            };
            let term = shown.text;
            page.states.push(Shown { term, marks });
        }
        page
    }

    /// The page in HTML, which needs nothing from elsewhere.
    ///
    /// # Errors
    /// None: every string can be written as JSON.
    pub fn html(&self) -> serde_json::Result<String> {
        let mut before = "";
        let states = self.states.iter().map(|state| Written {
            term: Changed::since(std::mem::replace(&mut before, &state.term), &state.term),
            marks: &state.marks,
        });
        let json = serde_json::to_string(&Inside {
            what: &self.what,
            from: self.from,
            cut: self.cut,
            failure: self.failure.as_deref(),
            states: states.collect(),
            sources: &self.sources,
        })?;
        // Nothing in the data may end the element that it stands in.
        let data = json.replace('<', "\\u003c");
        let (before, after) = PAGE.split_once(STATES).unwrap_or((PAGE, ""));
        Ok(format!("{before}{data}{after}"))
    }
}

/// A [`Page`] as it stands in HTML.
#[derive(Serialize)]
struct Inside<'p> {
    what: &'p str,
    from: usize,
    cut: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<&'p str>,
    states: Vec<Written<'p>>,
    sources: &'p [Source],
}

/// A state there.
#[derive(Serialize)]
struct Written<'p> {
    term: Changed<'p>,
    #[serde(flatten)]
    marks: &'p Marks,
}

/// A term, of which only what is another than in the term before is written: how much of that it begins with, what
/// follows, and how much of that it ends with, in UTF-16 units, as scripts count. A run has many states whose terms are
/// long and nearly the same.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Changed<'p>(usize, &'p str, usize);

impl<'p> Changed<'p> {
    fn since(before: &str, now: &'p str) -> Changed<'p> {
        let pairs = before.chars().zip(now.chars());
        let same = pairs.take_while(|(one, other)| one == other);
        let start: usize = same.map(|(c, _)| c.len_utf8()).sum();
        let (left, rest) = (
            before.get(start..).unwrap_or_default(),
            now.get(start..).unwrap_or_default(),
        );
        let pairs = left.chars().rev().zip(rest.chars().rev());
        let same = pairs.take_while(|(one, other)| one == other);
        let end: usize = same.map(|(c, _)| c.len_utf8()).sum();
        let (middle, end) = rest
            .split_at_checked(rest.len() - end)
            .unwrap_or((rest, ""));
        let units = |text: &str| text.encode_utf16().count();
        Changed(
            units(now.get(..start).unwrap_or_default()),
            middle,
            units(end),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_changed_is_written() {
        assert_eq!(Changed::since("", "f 1"), Changed(0, "f 1", 0));
        assert_eq!(Changed::since("f 1 x", "f 22 x"), Changed(2, "22", 2));
        assert_eq!(Changed::since("aa", "aaa"), Changed(2, "a", 0));
        assert_eq!(Changed::since("aaa", "aa"), Changed(2, "", 0));
        assert_eq!(Changed::since("🎉 é", "🎉é"), Changed(2, "", 1));
        assert_eq!(Changed::since("x", "x"), Changed(1, "", 0));
    }
}
