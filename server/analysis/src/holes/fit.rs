//! Whether a local fits at a hole, and what has to be written around it.

use super::heads::{Head, HeadKind, plain, with_holes};
use super::probe::{Probe, SearchLocal, Subgoal};
use super::search::Found;
use super::written::{Place, Token, text};

/// How a local can be used at a hole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fit {
    /// By its name alone.
    AsIs,
    /// Run: `x!`.
    Forced,
    /// Called with so many arguments.
    Applied(usize),
    /// As this: behind an operator that lifts it, or under an adaptor where it may run.
    Lifted(String),
    No,
}

impl Probe<'_> {
    /// How a local of a goal fits there.
    pub fn fit_of(&mut self, name: &str, goal: &Subgoal) -> Fit {
        let local = goal.locals.iter().find(|local| local.name == name);
        local.map_or(Fit::No, |local| self.fit_of_local(local, goal))
    }

    /// In the first of the ways in which a term can begin with it.
    fn fit_of_local(&mut self, local: &SearchLocal, goal: &Subgoal) -> Fit {
        for head in self.local_heads(local) {
            let Some(begun) = self.trial(|probe| probe.begin(&head, goal)) else {
                continue;
            };
            return match head {
                Head::Local { as_value: true, .. } => Fit::AsIs,
                _ if begun.token.is_adapted() => Fit::Lifted(with_holes(&begun, Place::Free)),
                _ if begun.parts.is_empty() => Fit::Forced,
                _ => Fit::Applied(begun.parts.len()),
            };
        }
        match self.lifted(local, goal) {
            Some(tokens) => Fit::Lifted(text(&tokens, Place::Free)),
            None => Fit::No,
        }
    }

    /// The locals of a goal that fit behind an operator that lifts them, and in no other way.
    pub(super) fn lifted_locals(&mut self, goal: &Subgoal, place: Place) -> Vec<Found> {
        let mut found = Vec::new();
        for local in goal.locals.iter() {
            let mut heads = self.local_heads(local).into_iter();
            let fits = |head| self.trial(|probe| probe.begin(&head, goal)).is_some();
            if heads.any(fits) {
                continue;
            }
            found.extend(self.lifted(local, goal).map(|tokens| Found {
                text: text(&tokens, place),
                size: 2,
                kind: HeadKind::Local,
                has_holes: false,
            }));
        }
        found
    }

    /// A local behind the operator in sight that lifts it to what a goal needs: `lift`, and what is named after it.
    fn lifted(&mut self, local: &SearchLocal, goal: &Subgoal) -> Option<[Token; 2]> {
        let lifting = self.lifting_operators();
        lifting.into_iter().find_map(|(name, signature)| {
            let fits = self.trial(|probe| {
                let computation = probe.table().instantiate(&signature);
                let [port] = &computation.ports[..] else {
                    return false;
                };
                let table = probe.table();
                table.unify(port.ty, local.ty).is_ok()
                    && table.unify(goal.ty, computation.result).is_ok()
                    && table
                        .unify_abilities(computation.ability, goal.ambient)
                        .is_ok()
            });
            fits.then(|| [plain(&name, 1), plain(&local.name, 0)])
        })
    }
}
