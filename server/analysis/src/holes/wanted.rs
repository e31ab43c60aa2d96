//! What a term must begin with to fit a goal, by a look at the outermost constructors of types alone: most of what is in
//! sight is left out by that.

use super::probe::{Probe, Subgoal};
use crate::program::{CommandDef, ConstructorDef, InterfaceDef};
use crate::types::{Signature, TyKind};

/// What is asked of the beginnings of a goal's terms.
pub(super) struct Wanted {
    ty: TyKind,
    /// The interfaces of the ability, once for each instance.
    instances: Vec<InterfaceDef>,
}

impl Probe<'_> {
    /// What is asked of the beginnings of a goal's terms, as far as is known of the goal by now.
    pub(super) fn wanted(&mut self, goal: &Subgoal) -> Wanted {
        let ty = self.table().kind(goal.ty).clone();
        let row = self.table().row(goal.ambient);
        let instances = row.instances.iter().map(|one| one.interface).collect();
        Wanted { ty, instances }
    }
}

impl Wanted {
    /// Whether a term may begin with a constructor; as below, `false` is certain.
    pub fn admits_constructor(&self, constructor: ConstructorDef) -> bool {
        match self.ty {
            TyKind::Data(data, _) => data == constructor.data,
            TyKind::Meta(_) => true,
            _ => false,
        }
    }

    /// How many instances of its interface a command may reach.
    pub fn instances_for(&self, command: CommandDef) -> usize {
        let own = |interface: &&InterfaceDef| **interface == command.interface;
        self.instances.iter().filter(own).count()
    }

    /// Whether a term may begin with an operator of a signature, as a value or called.
    pub fn admits_operator(&self, signature: &Signature, as_value: bool) -> bool {
        if as_value {
            return matches!(self.ty, TyKind::Computation(_));
        }
        let given = signature.types.kind(signature.computation.result);
        match (&self.ty, given) {
            (TyKind::Meta(_) | TyKind::Error, _) | (_, TyKind::Variable(_)) => true,
            (TyKind::Data(a, _), TyKind::Data(b, _)) => a == b,
            (TyKind::Int, TyKind::Int)
            | (TyKind::Float, TyKind::Float)
            | (TyKind::Char, TyKind::Char)
            | (TyKind::Computation(_), TyKind::Computation(_)) => true,
            _ => false,
        }
    }
}
