//! Calls that lack arguments, with holes in those that are there. An argument need not be for the port at its own place:
//! in `foldr _ xs` the list is the third one, whichever of the others is missing.

use frank_syntax::ast::TermId;

use super::Checker;
use super::problem::{Expectation, Problem};
use crate::show::{MESSAGE_BUDGET, Show};
use crate::types::{Ability, Computation, Ty, TyKind};

/// What the place of a use needs.
#[derive(Default, Clone, Copy)]
pub(super) struct Place {
    /// Where the order asks for it, to be known before the arguments are.
    pub wanted: Option<Ty>,
    pub needed: Option<Ty>,
}

/// A call of something whose type is known.
pub(super) struct Call<'a> {
    pub term: TermId,
    pub head: TermId,
    /// The type of the head.
    pub function: Ty,
    pub args: &'a [TermId],
    /// What the call's place needs, if that is known.
    pub needed: Option<Ty>,
}

/// Which ports the arguments of a call are for.
pub(super) enum Reading {
    /// Each for the port at its own place.
    InOrder,
    /// Each for the port of this number.
    At(Vec<usize>),
    /// Several readings are as good, and say different things of a hole.
    Undecided,
}

/// Of a call's arguments.
struct Tried {
    /// The port of each.
    ports: Vec<usize>,
    /// How many errors it brings.
    errors: usize,
    /// What the ports say of the arguments that have holes.
    holes: Vec<(usize, String)>,
}

/// Calls with more readings are read in order.
const MOST_READINGS: usize = 30;
/// So many readings are tried in an item, so that calls within calls take no longer than others.
pub(super) const MOST_TRIED: usize = 200;

impl Reading {
    /// The port of the argument at an index; `None` if that is not known.
    pub fn port(&self, index: usize) -> Option<usize> {
        match self {
            Reading::InOrder => Some(index),
            Reading::At(ports) => ports.get(index).copied(),
            Reading::Undecided => None,
        }
    }
}

impl Checker<'_> {
    /// How a call that lacks arguments is read: in order, unless other ports bring fewer errors where it stands. Without a
    /// hole nobody would see a difference.
    pub(super) fn reading(
        &mut self,
        call: &Call<'_>,
        computation: &Computation,
        ability: Ability,
    ) -> Reading {
        let args = call.args;
        let all = increasing(args.len(), computation.ports.len());
        if args.is_empty() || all.is_empty() || !self.may_have_holes() {
            return Reading::InOrder;
        }
        // Calls within this one are read in order meanwhile.
        let Some(left) = self.readings.checked_sub(all.len()) else {
            return Reading::InOrder;
        };
        self.readings = 0;
        let ability = self.lenient(ability);
        let mut tried: Vec<Tried> = Vec::new();
        for ports in all {
            let one = self.tried(call, computation, ports, ability);
            // The first of them is the one in order.
            let is_enough = tried.is_empty() && (one.holes.is_empty() || one.errors == 0);
            tried.push(one);
            if is_enough {
                break;
            }
        }
        self.readings = left;
        let fewest = tried.iter().map(|one| one.errors).min();
        let mut best = tried.into_iter().filter(|one| Some(one.errors) == fewest);
        let Some(first) = best.next() else {
            return Reading::InOrder;
        };
        if first.ports.iter().copied().eq(0..args.len()) {
            return Reading::InOrder;
        }
        match best.all(|other| other.holes == first.holes) {
            true => Reading::At(first.ports),
            false => Reading::Undecided,
        }
    }

    /// Checks the arguments as those of some ports, and takes it back.
    fn tried(
        &mut self,
        call: &Call<'_>,
        computation: &Computation,
        ports: Vec<usize>,
        ability: Ability,
    ) -> Tried {
        let snapshot = self.table.snapshot();
        let (known, bound) = (self.problems.len(), self.bound.len());
        let (hypothesis, muted) = (self.hypothesis.clone(), self.muted);
        self.muted = false;
        let mut errors = 0;
        if let Some(needed) = call.needed
            && !matches!(self.table.kind(needed), TyKind::Error)
            && self.table.unify(needed, computation.result).is_err()
        {
            errors += 1;
        }
        let mut with_holes = Vec::new();
        for index in self.positions(call.args.len()) {
            let port = ports
                .get(index)
                .and_then(|port| computation.ports.get(*port));
            if let (Some(arg), Some(port)) = (call.args.get(index), port) {
                let holes = self.holes;
                let origin = Expectation::Argument {
                    call: call.term,
                    index,
                };
                self.check(*arg, port.ty, ability, origin);
                if self.holes > holes {
                    with_holes.push((index, port.ty));
                }
            }
        }
        let found = self.problems.iter().skip(known);
        let is_wrong = |one: &&Problem| one.is_error() && !matches!(one, Problem::Hole { .. });
        errors += found.filter(is_wrong).count();
        let show = Show {
            table: &self.table,
            values: &self.rigid_values,
            effects: &self.rigid_effects,
            budget: MESSAGE_BUDGET,
            metas: None,
        };
        let holes = with_holes.into_iter();
        let holes = holes.map(|(index, ty)| (index, show.ty(ty))).collect();
        self.problems.truncate(known);
        self.bound.truncate(bound);
        (self.hypothesis, self.muted) = (hypothesis, muted);
        self.table.rollback(snapshot);
        Tried {
            ports,
            errors,
            holes,
        }
    }
}

/// The ways to choose as many ports as there are arguments, in the order of the ports, the first ones first; none if they
/// are too many.
fn increasing(args: usize, ports: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for arg in 0..args {
        let mut longer = Vec::new();
        for chosen in &all {
            let next = chosen.last().map_or(0, |last| last + 1);
            // As many are left as the other arguments need.
            for port in next..=(ports + arg).saturating_sub(args) {
                longer.push([&chosen[..], &[port]].concat());
            }
        }
        all = longer;
        if all.len() > MOST_READINGS {
            return Vec::new();
        }
    }
    all
}
