//! Quick fixes at a hole: what fits it, and steps towards a term (LSP `textDocument/codeAction`).

use frank_analysis::diagnostics::{Edit, Fix, Location, Position};
use frank_analysis::holes::{HeadKind, Place};

use super::fits::Known;
use super::trial::Trial;
use super::{Analysis, HoleAt};
use crate::FilePosition;

/// So many fits are offered as quick fixes; completion has more.
const MOST_FITS: usize = 8;
/// So many steps of a kind.
const MOST_STEPS: usize = 5;

impl Analysis {
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
        let fits = known.fits(&trial).into_iter();
        let telling = fits.filter(|fit| fit.kind != HeadKind::Generic);
        for fit in telling.take(MOST_FITS) {
            fixes.push(replace(&hole, &fit.text, format!("write `{}`", fit.text)));
        }
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
