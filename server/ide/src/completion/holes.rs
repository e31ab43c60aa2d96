//! Holes: what fits one comes first, and takes its place.

use frank_analysis::holes::HeadKind;

use super::{CompletionItem, CompletionKind, Completions, HoleItems};
use crate::holes::holes_in;
use crate::quick_fixes::HOLE;
use crate::target::SymbolKind;
use crate::{Analysis, FilePosition};

impl Analysis {
    /// Puts what fits the hole at a place, if there is one, in front of a list.
    pub(super) fn fits_first(&self, at: FilePosition, list: &mut Completions) {
        let Some(hole) = self.hole_at(at) else {
            return;
        };
        let range = hole.view.file_range(hole.node()).range;
        let fits = self.fits_of(&hole);
        let mut items: Vec<CompletionItem> = fits
            .into_iter()
            .map(|fit| CompletionItem {
                insert: with_stops(&fit.text),
                snippet: fit.has_holes,
                kind: kind_of(fit.kind),
                detail: None,
                rank: 0,
                documented: false,
                label: fit.text,
            })
            .collect();
        let own = HoleItems {
            name: hole.view.node_text(hole.node()).to_owned(),
            count: items.len(),
        };
        // `_` is no beginning of a name that somebody writes; `_n` may be one.
        match own.name.as_str() {
            HOLE => list.items.clear(),
            _ => list
                .items
                .retain(|other| items.iter().all(|item| item.label != other.label)),
        }
        items.append(&mut list.items);
        *list = Completions {
            insert_range: range,
            replace_range: range,
            items,
            incomplete: list.incomplete,
            hole: Some(own),
        };
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
