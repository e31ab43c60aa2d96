//! Quick fixes at a hole: what fits it, and steps towards a term (LSP `textDocument/codeAction`).

use frank_analysis::db::has_syntax_errors;
use frank_analysis::diagnostics::{Edit, Fix, Location, Position};
use frank_analysis::holes::{HeadKind, Place, holes};
use frank_analysis::scopes::LocalKind;

use super::bench::Bench;
use super::fits::{HoleFit, Known};
use super::trial::Trial;
use super::{Analysis, HoleAt};
use crate::rename::TextEdit;
use crate::view::size;
use crate::{FilePosition, FileRange, Refactor};

/// So many fits are offered as quick fixes; completion has more.
const MOST_FITS: usize = 8;
/// In larger files nobody waits for what the lints say of each fit.
const MOST_TEXT: usize = 1 << 20;
/// So many steps of a kind.
const MOST_STEPS: usize = 5;

impl Analysis {
    /// The quick fixes for the hole at a place in an item that does not parse, the best first. Such an item has no finding
    /// about the hole, which would have them.
    pub fn fixes_of_hole_in_broken_item(&self, at: FilePosition) -> Vec<Fix> {
        let hole = self.hole_at(at);
        match hole.is_some_and(|hole| has_syntax_errors(self.db(), hole.view.source)) {
            true => self.hole_fixes(at),
            false => Vec::new(),
        }
    }

    /// The quick fixes for the hole at a place, the best first.
    pub(crate) fn hole_fixes(&self, at: FilePosition) -> Vec<Fix> {
        let Some(hole) = self.hole_at(at) else {
            return Vec::new();
        };
        let Some(mut known) = Known::of(self, &hole) else {
            return Vec::new();
        };
        let trial = Trial::new(&hole);
        let mut fixes: Vec<Fix> = Vec::new();
        let mut fits = known.fits(&trial);
        fits.retain(|fit| fit.kind != HeadKind::Generic);
        self.warned_last(&hole, &trial, &mut fits);
        for fit in fits.into_iter().take(MOST_FITS) {
            fixes.push(replace(&hole, &fit.text, format!("write `{}`", fit.text)));
        }
        fixes.extend(self.clauses_split(&hole));
        let Known { probe, goal, place } = &mut known;
        let place = *place;
        let splits = probe.splits(goal, place);
        for (subject, text) in splits.into_iter().take(MOST_STEPS) {
            if trial.accepts(&text) {
                fixes.push(replace(
                    &hole,
                    &text,
                    format!("split `{subject}` into its cases"),
                ));
            }
        }
        for (handler, instances, text) in probe.handlings(goal, place) {
            let known = fixes
                .iter()
                .any(|fix| fix.edits.iter().any(|edit| edit.text == text));
            if !known && trial.accepts(&text) {
                let title = format!("handle {instances} with `{handler}`");
                fixes.push(replace(&hole, &text, title));
            }
            if fixes.len() > MOST_FITS + 2 * MOST_STEPS {
                break;
            }
        }
        let variable = probe.free_variable(goal);
        let bound = format!("let {variable} = _ in _");
        let bound = match place {
            Place::Free => bound,
            Place::Operand | Place::Rest | Place::Argument => format!("({bound})"),
        };
        if trial.accepts(&bound) {
            fixes.push(replace(
                &hole,
                &bound,
                format!("bind a value with `let {variable} = _`"),
            ));
        }
        fixes
    }
}

impl Analysis {
    /// Puts what brings a warning behind the others of its kind.
    fn warned_last(&self, hole: &HoleAt<'_>, trial: &Trial<'_, '_>, fits: &mut Vec<HoleFit>) {
        let is_whole = |fit: &HoleFit| !fit.has_holes;
        let file = hole.view.source.file(self.db());
        // While something is missing, nothing is said of what may be of no use.
        let is_last_hole = holes(hole.typed.body()).count() == 1;
        if !is_last_hole
            || !fits.iter().any(is_whole)
            || self.snapshot().text(file).len() > MOST_TEXT
        {
            return;
        }
        let Some(mut bench) = Bench::new(self, hole) else {
            return;
        };
        let mut sorted = Vec::with_capacity(fits.len());
        for kind in fits.chunk_by(|one, other| one.kind == other.kind) {
            let mut kind = kind.to_vec();
            bench.warned_last(&mut kind, &|| false, |fit| trial.with(&fit.text));
            sorted.extend(kind);
        }
        *fits = sorted;
    }

    /// For each variable that is in sight of a hole and that a clause's patterns bind: the clause becomes one for
    /// each of its constructors, or, for `<m>`, for each command of its port.
    fn clauses_split(&self, hole: &HoleAt<'_>) -> Vec<Fix> {
        let (view, body) = (hole.view, hole.typed.body());
        let file = view.source.file(self.db());
        let seen = body.scopes.seen_at(hole.term);
        let bound_by_patterns =
            seen.filter(|binder| matches!(binder.kind, LocalKind::Pattern | LocalKind::CatchAll));
        let splits = bound_by_patterns.filter_map(|binder| {
            let range = view.file_range(binder.name.id).range;
            let at = FileRange { file, range };
            let edits = self.refactor(at, Refactor::Split).ok()?;
            let edits: Option<Vec<Edit>> = edits.iter().map(|edit| self.in_item(edit)).collect();
            let name = binder.name.symbol;
            let shown = match binder.kind {
                LocalKind::CatchAll => format!("<{name}>"),
                _ => name.to_string(),
            };
            Some(Fix {
                title: format!("split `{shown}` into clauses"),
                edits: edits?,
                safe: false,
            })
        });
        splits.take(MOST_STEPS).collect()
    }

    /// An edit of a file as one of the item that it begins in.
    fn in_item(&self, edit: &TextEdit) -> Option<Edit> {
        let start = usize::from(edit.at.range.start());
        let touched = self.snapshot().items_in(edit.at.file, start..start);
        let before = touched.filter(|(_, place)| place.range.start <= start);
        let (entry, place) = before.last()?;
        Some(Edit {
            location: Location::range(entry.item, edit.at.range - size(place.range.start)),
            position: Position::Replace,
            text: edit.text.clone(),
        })
    }
}

fn replace(hole: &HoleAt<'_>, text: &str, title: String) -> Fix {
    Fix {
        title,
        edits: vec![Edit {
            location: Location::node(hole.view.source, hole.node()),
            position: Position::Replace,
            text: text.to_owned(),
        }],
        safe: false,
    }
}
