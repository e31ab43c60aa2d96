//! What fits a hole, one name deep (LSP `textDocument/completion` and quick fixes at a hole).

use frank_analysis::holes::{HeadKind, Place, Probe, Subgoal};
use frank_analysis::surroundings::Surroundings;

use super::trial::Trial;
use super::{Analysis, HoleAt};
use crate::FilePosition;

/// Something that fits a hole as it is written: with it in its place the clause checks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HoleFit {
    /// With `_` for each part that is still to be written.
    pub text: String,
    pub kind: HeadKind,
    pub has_holes: bool,
}

/// So many are tried at most, the best first.
const MOST_TRIED: usize = 60;
/// So many are offered.
const MOST_OFFERED: usize = 24;

impl Analysis {
    /// What fits the hole at a place, the best first; `None` where there is no hole.
    pub fn fits(&self, at: FilePosition) -> Option<Vec<HoleFit>> {
        let hole = self.hole_at(at)?;
        let known = Known::of(self, &hole);
        Some(known.map_or_else(Vec::new, |mut known| known.fits(&Trial::new(&hole))))
    }
}

/// A hole in a form in which terms can be tried.
pub(crate) struct Known<'a> {
    pub probe: Probe<'a>,
    pub goal: Subgoal,
    pub place: Place,
}

impl<'a> Known<'a> {
    pub fn of(analysis: &'a Analysis, hole: &HoleAt<'_>) -> Option<Known<'a>> {
        let probe = Probe::new(analysis.db(), hole.view.operator()?)?;
        let item = hole.view.item();
        Some(Known {
            goal: probe.goal(hole.view.source, hole.term)?,
            place: match hole.is_in_parentheses() {
                true => Place::Free,
                false => Place::of(item, &Surroundings::new(item), hole.term),
            },
            probe,
        })
    }

    /// What fits one name deep, the best first.
    pub(crate) fn fits(&mut self, trial: &Trial<'_, '_>) -> Vec<HoleFit> {
        let found = self.probe.fits(&self.goal, self.place, MOST_TRIED);
        let fitting = found.into_iter().filter(|found| trial.accepts(&found.text));
        let fits = fitting.map(|found| HoleFit {
            text: found.text,
            kind: found.kind,
            has_holes: found.has_holes,
        });
        fits.take(MOST_OFFERED).collect()
    }
}
