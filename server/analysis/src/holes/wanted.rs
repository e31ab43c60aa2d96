//! What a term must begin with to fit a goal, by a look at the outermost constructors of types alone: most of what is in
//! sight is left out by that.

use super::probe::{Probe, Subgoal};
use crate::program::{DataDef, InterfaceDef};
use crate::types::TyKind;

/// What is asked of the beginnings of a goal's terms.
pub(super) struct Wanted {
    pub asked: Asked,
    /// The interfaces of the ability, once for each instance.
    instances: Vec<InterfaceDef>,
}

/// The type that is asked for, at a glance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Asked {
    Anything,
    /// An integer or a float.
    Number,
    /// A computation with so many ports: what has the type, or what gives such a thing when it is called.
    Value {
        ports: usize,
    },
    One(Outermost),
}

/// The outermost part of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Outermost {
    Int,
    Float,
    Char,
    Computation,
    Data(DataDef),
    Variable,
}

impl Outermost {
    /// `None` if nothing is known of the type.
    pub fn of(kind: &TyKind) -> Option<Outermost> {
        Some(match kind {
            TyKind::Int => Outermost::Int,
            TyKind::Float => Outermost::Float,
            TyKind::Char => Outermost::Char,
            TyKind::Computation(_) => Outermost::Computation,
            TyKind::Data(data, _) => Outermost::Data(*data),
            TyKind::Variable(_) => Outermost::Variable,
            TyKind::Meta(_) | TyKind::Error => return None,
        })
    }
}

impl Probe<'_> {
    /// What is asked of the beginnings of a goal's terms, as far as is known of the goal by now.
    pub(super) fn wanted(&mut self, goal: &Subgoal) -> Wanted {
        let table = self.table();
        let asked = match table.kind(goal.ty) {
            TyKind::Computation(computation) => Asked::Value {
                ports: computation.ports.len(),
            },
            _ if table.is_number_meta(goal.ty) => Asked::Number,
            kind => Outermost::of(kind).map_or(Asked::Anything, Asked::One),
        };
        let row = table.row(goal.ambient);
        let instances = row.instances.iter().map(|one| one.interface).collect();
        Wanted { asked, instances }
    }
}

impl Asked {
    /// What a call may give; of [`Asked::Anything`] nothing is known.
    pub fn outermost(self) -> Vec<Outermost> {
        let mut own = match self {
            Asked::Anything | Asked::One(Outermost::Variable) => Vec::new(),
            Asked::Number => vec![Outermost::Int, Outermost::Float],
            Asked::Value { .. } => vec![Outermost::Computation],
            Asked::One(one) => vec![one],
        };
        // A variable can stand for anything.
        own.push(Outermost::Variable);
        own
    }
}

impl Wanted {
    /// The interfaces of the ability, each once, with how many instances there are.
    pub fn interfaces(&self) -> Vec<(InterfaceDef, usize)> {
        let mut found: Vec<(InterfaceDef, usize)> = Vec::new();
        for interface in &self.instances {
            match found.iter_mut().find(|(known, _)| known == interface) {
                Some((_, count)) => *count += 1,
                None => found.push((*interface, 1)),
            }
        }
        found
    }
}
