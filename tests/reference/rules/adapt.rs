//! What adjustments make of an ability (docs/language/adaptors.md).

use super::solve::{Checked, Solution};
use super::types::{Ability, Adaptor, Adjustment, Id, Instance, Port};

/// Makes an instance of an interface with fresh arguments.
pub type Fresh<'a> = &'a dyn Fn(&mut Solution, Id) -> Instance;

/// The ability under an adaptor. Around it there must be as many instances as its left side
/// names, or the ability is open.
pub fn adapted(
    solution: &mut Solution,
    around: &Ability,
    adaptor: &Adaptor,
    fresh: Fresh,
) -> Checked<Ability> {
    let interface = adaptor.interface;
    let around = solution.at_least(around, interface, adaptor.left, |s| fresh(s, interface))?;
    let (of_it, others): (Vec<Instance>, Vec<Instance>) = around
        .instances
        .into_iter()
        .partition(|one| one.interface == interface);
    let mut under = Ability::just(around.tail);
    under.instances = others;
    if let Some(right) = &adaptor.right {
        let (rest, named) = of_it.split_at(of_it.len() - adaptor.left);
        under.instances.extend(rest.iter().cloned());
        let selected = right.iter().map(|place| named[*place].clone());
        under.instances.extend(selected);
    }
    Ok(under)
}

/// The ability of a port's argument: the adjustments, from left to right, applied to the ability
/// around.
pub fn adjusted(
    solution: &mut Solution,
    around: &Ability,
    port: &Port,
    fresh: Fresh,
) -> Checked<Ability> {
    let mut ability = solution.ability(around);
    for adjustment in &port.adjustments {
        match adjustment {
            Adjustment::Adapt(adaptor) => {
                ability = adapted(solution, &ability, adaptor, fresh)?;
            }
            Adjustment::Add(instance) => ability.instances.push(instance.clone()),
        }
    }
    Ok(ability)
}
