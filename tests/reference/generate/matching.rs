//! What the variables of a pattern have to be for it to be a given ground type.

use crate::rules::types::{
    Ability, Adjustment, Arg, Computation, Instance, Replacement, Tail, Type,
};

/// The ability with its instances in an order that is the same for equal abilities.
pub fn sorted(mut ability: Ability) -> Ability {
    ability
        .instances
        .sort_by_key(|one| one.interface.name.as_str());
    ability
}

/// Extends `found` so that `pattern` becomes `target`; all rigid variables of `pattern` may be
/// chosen. Gives false if there is no way.
pub fn matches(pattern: &Type, target: &Type, found: &mut Replacement) -> bool {
    match (pattern, target) {
        (Type::Rigid(name), _) => match found.types.get(name) {
            Some(chosen) => chosen == target,
            None => {
                found.types.insert(*name, target.clone());
                true
            }
        },
        (Type::Data(a, some), Type::Data(b, others)) => a == b && match_args(some, others, found),
        (Type::Thunk(a), Type::Thunk(b)) => match_computation(a, b, found),
        (a, b) => a == b,
    }
}

fn match_args(some: &[Arg], others: &[Arg], found: &mut Replacement) -> bool {
    some.iter().zip(others).all(|pair| match pair {
        (Arg::Type(a), Arg::Type(b)) => matches(a, b, found),
        (Arg::Ability(a), Arg::Ability(b)) => match_ability(a, b, found),
        _ => false,
    })
}

pub fn match_computation(a: &Computation, b: &Computation, found: &mut Replacement) -> bool {
    a.ports.len() == b.ports.len()
        && a.ports.iter().zip(&b.ports).all(|(a, b)| {
            a.adjustments.len() == b.adjustments.len()
                && a.adjustments
                    .iter()
                    .zip(&b.adjustments)
                    .all(|pair| match pair {
                        (Adjustment::Adapt(a), Adjustment::Adapt(b)) => a == b,
                        (Adjustment::Add(a), Adjustment::Add(b)) => match_instance(a, b, found),
                        _ => false,
                    })
                && matches(&a.ty, &b.ty, found)
        })
        && match_ability(&a.ability, &b.ability, found)
        && matches(&a.result, &b.result, found)
}

fn match_instance(a: &Instance, b: &Instance, found: &mut Replacement) -> bool {
    a.interface == b.interface && match_args(&a.args, &b.args, found)
}

/// The instances of the pattern are the right-most ones of the target; its tail is the rest.
pub fn match_ability(pattern: &Ability, target: &Ability, found: &mut Replacement) -> bool {
    let mut rest = target.clone();
    for wanted in pattern.instances.iter().rev() {
        let mut from_right = rest.instances.iter();
        let Some(at) = from_right.rposition(|one| one.interface == wanted.interface) else {
            return false;
        };
        let one = rest.instances.remove(at);
        if !match_instance(wanted, &one, found) {
            return false;
        }
    }
    match pattern.tail {
        Tail::Closed => rest.tail == Tail::Closed && rest.instances.is_empty(),
        Tail::Flexible(_) => false,
        Tail::Rigid(name) => match found.abilities.get(&name) {
            Some(chosen) => sorted(chosen.clone()) == sorted(rest),
            None => {
                found.abilities.insert(name, rest);
                true
            }
        },
    }
}
