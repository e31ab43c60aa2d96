//! Whether a local fits at a hole, and what has to be written around it.

use super::heads::dropping;
use super::probe::{Probe, Subgoal};
use crate::types::{Ty, TyKind};

/// How a local can be used at a hole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fit {
    /// By its name alone.
    AsIs,
    /// Run: `x!`.
    Forced,
    /// Called with so many arguments.
    Applied(usize),
    /// With this in front: an operator that lifts it, or an adaptor under which it may run.
    Lifted(String),
    No,
}

impl Probe<'_> {
    /// How a local of a type fits at a goal.
    pub fn fit_of_local(&mut self, name: &str, ty: Ty, goal: &Subgoal) -> Fit {
        if self.trial(|probe| probe.table().unify(goal.ty, ty).is_ok()) {
            return Fit::AsIs;
        }
        let computation = match self.table().kind(ty) {
            TyKind::Computation(computation) => Some(computation.clone()),
            _ => None,
        };
        if let Some(computation) = computation {
            let is_right =
                self.trial(|probe| probe.table().unify(goal.ty, computation.result).is_ok());
            if is_right {
                let ports = computation.ports.len();
                let fits = |probe: &mut Self, ambient| {
                    probe.trial(|probe| {
                        let unified = probe.table().unify_abilities(computation.ability, ambient);
                        unified.is_ok()
                    })
                };
                if fits(self, goal.ambient) {
                    return match ports {
                        0 => Fit::Forced,
                        _ => Fit::Applied(ports),
                    };
                }
                for interface in self.interfaces(goal.ambient) {
                    let under = self.table().adapted(&dropping(interface), goal.ambient);
                    if fits(self, under) {
                        let call = match ports {
                            0 => format!("{name}!"),
                            _ => format!("{name} …"),
                        };
                        return Fit::Lifted(format!("<{}> {call}", interface.0.name));
                    }
                }
            }
        }
        match self.lifted(ty, goal) {
            Some(operator) => Fit::Lifted(format!("{operator} {name}")),
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
