//! Calls with too few arguments, too many or misplaced ones, with holes among them. An argument need not be for the port at
//! its own place: in `foldr _ xs` the list is the third one, whichever of the others is missing, and in `two n "s" _` the
//! text may be the one too many.

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
    /// Each for the port at its own place; those beyond the last one for none.
    InOrder,
    /// Each for the port of this number, or for none.
    At(Vec<Option<usize>>),
    /// Several readings are as good, and say different things of a hole.
    Undecided,
}

/// Of a call's arguments.
struct Tried {
    /// The port of each.
    ports: Vec<Option<usize>>,
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
            Reading::At(ports) => ports.get(index).copied().flatten(),
            Reading::Undecided => None,
        }
    }
}

impl Checker<'_> {
    /// How a call is read that something is wrong with: in order, unless other ports bring fewer errors where it stands.
    /// Without a hole nobody would see a difference.
    pub(super) fn reading(
        &mut self,
        call: &Call<'_>,
        computation: &Computation,
        ability: Ability,
    ) -> Reading {
        let args = call.args;
        let has_holes: Vec<bool> = args.iter().map(|arg| self.has_holes(*arg)).collect();
        if !has_holes.contains(&true) {
            return Reading::InOrder;
        }
        let all = readings(&has_holes, computation.ports.len());
        // Calls within this one are read in order meanwhile.
        let Some(left) = self.readings.checked_sub(all.len()) else {
            return Reading::InOrder;
        };
        self.readings = 0;
        // An argument may be meant for a port that adds what it performs.
        let ability = match computation.adjusts() {
            true => self.lenient(ability),
            false => ability,
        };
        let mut tried: Vec<Tried> = Vec::new();
        for ports in all {
            let one = self.tried(call, computation, ports, ability);
            // The first of them is the one in order.
            let is_enough = tried.is_empty() && one.errors == 0;
            tried.push(one);
            if is_enough {
                break;
            }
        }
        self.readings = left;
        let fewest = tried.iter().map(|one| one.errors).min();
        let mut best = tried
            .into_iter()
            .enumerate()
            .filter(|(_, one)| Some(one.errors) == fewest);
        match best.next() {
            None | Some((0, _)) => Reading::InOrder,
            Some((_, first)) => match best.all(|(_, other)| other.holes == first.holes) {
                true => Reading::At(first.ports),
                false => Reading::Undecided,
            },
        }
    }

    /// Checks the arguments as those of some ports, and takes it back.
    fn tried(
        &mut self,
        call: &Call<'_>,
        computation: &Computation,
        ports: Vec<Option<usize>>,
        ability: Ability,
    ) -> Tried {
        let known = self.problems.len();
        let attempt = self.attempt();
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
            let port = ports.get(index).copied().flatten();
            let port = port.and_then(|port| computation.ports.get(port));
            if let (Some(arg), Some(port)) = (call.args.get(index), port) {
                let origin = Expectation::Argument {
                    call: call.term,
                    index,
                };
                self.check(*arg, port.ty, ability, origin);
                if self.has_holes(*arg) {
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
        self.take_back(attempt);
        Tried {
            ports,
            errors,
            holes,
        }
    }
}

/// The ways to read a call's arguments, of which it is known whether they have holes, the one in order first; none if they
/// are too many. Arguments keep their order where their number is wrong; where it is right two are exchanged, one of which at
/// least has no holes.
fn readings(has_holes: &[bool], ports: usize) -> Vec<Vec<Option<usize>>> {
    let args = has_holes.len();
    if args < ports {
        let places = increasing(args, ports).into_iter();
        return places
            .map(|places| places.into_iter().map(Some).collect())
            .collect();
    }
    if args > ports {
        let at = |kept: Vec<usize>| {
            let port = |arg: usize| kept.iter().position(|one| *one == arg);
            (0..args).map(port).collect()
        };
        return increasing(ports, args).into_iter().map(at).collect();
    }
    let in_order: Vec<Option<usize>> = (0..args).map(Some).collect();
    let mut all = vec![in_order.clone()];
    for (one, has_one) in has_holes.iter().enumerate() {
        for (other, has_other) in has_holes.iter().enumerate().skip(one + 1) {
            if !(*has_one && *has_other) {
                let mut exchanged = in_order.clone();
                exchanged.swap(one, other);
                all.push(exchanged);
            }
        }
    }
    all.truncate(MOST_READINGS);
    all
}

/// The ways to choose as many of `ports` as there are `args`, in their order, the first ones first; none if they are too
/// many.
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
