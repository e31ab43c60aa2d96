//! Whether a local fits at a hole, and what has to be written around it.

use super::heads::{Head, with_holes};
use super::probe::{Probe, SearchLocal, Subgoal};
use super::written::Place;
use crate::types::Ty;

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
        for head in self.local_heads(local, goal) {
            let Some(begun) = self.trial(|probe| probe.begin(&head, goal)) else {
                continue;
            };
            return match head {
                Head::Local { as_value: true, .. } => Fit::AsIs,
                Head::Local {
                    dropped: Some(_), ..
                } => Fit::Lifted(with_holes(&begun, Place::Free)),
                _ if begun.parts.is_empty() => Fit::Forced,
                _ => Fit::Applied(begun.parts.len()),
            };
        }
        match self.lifted(local.ty, goal) {
            Some(operator) => Fit::Lifted(format!("{operator} {}", local.name)),
            None => Fit::No,
        }
    }

    /// The operator in sight that lifts a value of a type to what a goal needs: `lift`, and what is named after it.
    fn lifted(&mut self, ty: Ty, goal: &Subgoal) -> Option<String> {
        let lifting = self.lifting_operators();
        lifting.into_iter().find_map(|(name, signature)| {
            let fits = self.trial(|probe| {
                let computation = probe.table().instantiate(&signature);
                let [port] = &computation.ports[..] else {
                    return false;
                };
                let table = probe.table();
                table.unify(port.ty, ty).is_ok()
                    && table.unify(goal.ty, computation.result).is_ok()
                    && table
                        .unify_abilities(computation.ability, goal.ambient)
                        .is_ok()
            });
            fits.then_some(name)
        })
    }
}
