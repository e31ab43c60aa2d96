//! Holes: what fits one comes first, and takes its place.

use std::time::Duration;

use frank_analysis::holes::HeadKind;
use web_time::Instant;

use super::{CompletionItem, CompletionKind, Completions, HoleItems};
use crate::holes::{Filled, Filling, HoleAt, HoleFit, Known, Trial};
use crate::target::SymbolKind;
use crate::{Analysis, holes_in};

/// A search for whole terms, beside what fits one name deep.
#[derive(Clone, Copy)]
pub struct Search<'s> {
    /// How far it goes; the time counts from the question.
    pub filling: Filling,
    /// Where what fits one name deep has taken longer, the answer is told without a search, and to be asked for again; and
    /// so is one whose search has come to no end. `None` if it has been asked for again.
    pub patience: Option<Duration>,
    /// Asked now and then; ends the search.
    pub cancelled: &'s dyn Fn() -> bool,
}

/// So many whole terms are offered that a search has found.
const MOST_TERMS: usize = 6;

impl Analysis {
    /// What fits a hole, in front of the names that can stand there; the search counts from `begin`.
    pub(super) fn at_hole(
        &self,
        hole: &HoleAt<'_>,
        search: Option<Search<'_>>,
        begin: Instant,
        mut names: Vec<CompletionItem>,
    ) -> Completions {
        let mut fits: Vec<HoleFit> = Vec::new();
        let mut terms = Vec::new();
        let mut incomplete = false;
        if let Some(mut known) = Known::of(self, hole) {
            fits = known.fits(&Trial::new(hole));
            if let Some(search) = search {
                let is_late = |patience| begin.elapsed() > patience;
                incomplete = search.patience.is_some_and(is_late);
                if !incomplete {
                    let filled = self.terms_at(hole, &mut known, search, begin);
                    // Who asks again waits for the search alone, and is told what it finds.
                    incomplete =
                        search.patience.is_some() && filled.complete_to < search.filling.size;
                    terms = new_terms(filled, &fits);
                }
            }
        }
        let mut items: Vec<CompletionItem> = fits.iter().map(fitting).collect();
        // What can give anything says less than a whole term.
        let generic = fits.iter().position(|fit| fit.kind == HeadKind::Generic);
        let behind = generic.unwrap_or(items.len());
        items.splice(behind..behind, terms);
        let own = HoleItems {
            name: hole.name().to_owned(),
            count: items.len(),
        };
        names.retain(|other| items.iter().all(|item| item.label != other.label));
        items.append(&mut names);
        let range = hole.view.file_range(hole.node()).range;
        Completions {
            insert_range: range,
            replace_range: range,
            items,
            incomplete,
            hole: Some(own),
        }
    }

    /// The terms that a search finds.
    fn terms_at(
        &self,
        hole: &HoleAt<'_>,
        known: &mut Known<'_>,
        search: Search<'_>,
        begin: Instant,
    ) -> Filled {
        let begin = match search.patience {
            Some(_) => begin,
            None => Instant::now(),
        };
        self.fill_known(hole, known, search.filling, begin, search.cancelled)
    }
}

/// The best of the terms that were found and that are not offered yet.
fn new_terms(filled: Filled, fits: &[HoleFit]) -> Vec<CompletionItem> {
    let terms = filled.terms.into_iter().map(|term| term.text);
    let new = terms.filter(|text| fits.iter().all(|fit| fit.text != *text));
    let items = new.map(|text| CompletionItem {
        insert: text.clone(),
        snippet: false,
        kind: CompletionKind::Snippet,
        detail: Some("a whole term".to_owned()),
        rank: 0,
        documented: false,
        label: text,
    });
    items.take(MOST_TERMS).collect()
}

fn fitting(fit: &HoleFit) -> CompletionItem {
    CompletionItem {
        insert: with_stops(&fit.text),
        snippet: fit.has_holes,
        kind: kind_of(fit.kind),
        detail: None,
        rank: 0,
        documented: false,
        label: fit.text.clone(),
    }
}

/// A term as a snippet: the cursor goes from hole to hole.
fn with_stops(term: &str) -> String {
    let escaped = |text: &str| {
        let mut out = String::new();
        for c in text.chars() {
            if matches!(c, '\\' | '$' | '}') {
                out.push('\\');
            }
            out.push(c);
        }
        out
    };
    let holes = holes_in(term);
    if holes.is_empty() {
        return term.to_owned();
    }
    let mut snippet = String::new();
    let mut done = 0;
    for (number, hole) in holes.iter().enumerate() {
        let (start, end) = (usize::from(hole.start()), usize::from(hole.end()));
        snippet += &escaped(term.get(done..start).unwrap_or_default());
        snippet += &format!("${{{}:_}}", number + 1);
        done = end;
    }
    snippet + &escaped(term.get(done..).unwrap_or_default())
}

fn kind_of(kind: HeadKind) -> CompletionKind {
    match kind {
        HeadKind::Local => CompletionKind::Symbol(SymbolKind::Local),
        HeadKind::Constructor => CompletionKind::Symbol(SymbolKind::Constructor),
        HeadKind::Command => CompletionKind::Symbol(SymbolKind::Command),
        HeadKind::Itself | HeadKind::Operator | HeadKind::Library | HeadKind::Generic => {
            CompletionKind::Symbol(SymbolKind::Operator)
        }
        HeadKind::Braces | HeadKind::Form => CompletionKind::Snippet,
    }
}
