//! The adaptors under which one ability fits another, interface by interface, the simplest first.

use super::rows;
use crate::infer::table::Table;
use crate::program::InterfaceDef;
use crate::types::{Ability, AbilityData, Adaptor, Instance, Tail};

/// So many instances of an interface at most are rearranged in every way.
const MOST_TAKEN: u32 = 3;
/// So many adaptors of one interface are considered at most, if they fit by themselves.
const MOST_PER_INTERFACE: usize = 3;
/// So many candidates at most are tried for one use.
pub(super) const MOST_TRIED: usize = 8;

/// The adaptors under which an ability fits the ambient one, the simplest first.
pub(super) fn fitting(table: &mut Table, needed: Ability, ambient: Ability) -> Vec<Vec<Adaptor>> {
    let (needs, has) = (table.row(needed), table.row(ambient));
    let exact = needs.tail == has.tail;
    if !exact && !matches!(needs.tail, Tail::Meta(_)) {
        return Vec::new();
    }
    let mut combined = settled(table, &needs, &has, exact);
    // What the needed ability's tail takes may be too much for what it stands for elsewhere.
    if !exact && combined.iter().all(Vec::is_empty) {
        combined = hidings(&needs, &has);
        combined.extend(settled(table, &needs, &has, true));
    }
    combined.retain(|adaptors| {
        let before = table.snapshot();
        let inside = adaptors
            .iter()
            .fold(ambient, |inside, one| table.adapted(one, inside));
        let fits = !adaptors.is_empty() && table.unify_abilities(needed, inside).is_ok();
        table.rollback(before);
        fits
    });
    combined
}

/// Adaptors that hide what an ability has beyond another one: of each interface, then of all.
fn hidings(needs: &AbilityData, has: &AbilityData) -> Vec<Vec<Adaptor>> {
    let mut each: Vec<Vec<Adaptor>> = Vec::new();
    for instance in has.instances.iter() {
        let interface = instance.interface;
        if each
            .iter()
            .flatten()
            .any(|known| known.interface == interface)
        {
            continue;
        }
        let count = |row: &AbilityData| rows::instances(row, interface).len();
        let excess = count(has).saturating_sub(count(needs));
        let hide = Adaptor {
            interface,
            taken: 1,
            kept: Vec::new(),
            drops_all: false,
        };
        if excess > 0 {
            each.push(vec![hide; excess.min(MOST_TRIED)]);
        }
    }
    if each.len() > 1 {
        each.push(each.concat());
    }
    each
}

/// The adaptors that make the instances of each interface fit by themselves. `exact` says that none may be
/// left over.
fn settled(
    table: &mut Table,
    needs: &AbilityData,
    has: &AbilityData,
    exact: bool,
) -> Vec<Vec<Adaptor>> {
    let before = table.snapshot();
    let mut interfaces: Vec<InterfaceDef> = Vec::new();
    for instance in has.instances.iter().chain(needs.instances.iter()) {
        if !interfaces.contains(&instance.interface) {
            interfaces.push(instance.interface);
        }
    }
    // Each interface is settled by itself; what it decides about types holds for the next.
    let mut combined: Vec<Vec<Adaptor>> = vec![Vec::new()];
    for interface in interfaces {
        let wanted = rows::instances(needs, interface);
        let given = rows::instances(has, interface);
        if agree(table, &wanted, &given, exact) {
            continue;
        }
        let mut fitting = Vec::new();
        for adaptors in selections(interface, given.len() as u32) {
            let inner = table.snapshot();
            let rearranged = rearranged(table, &given, &adaptors);
            let fits = agree(table, &wanted, &rearranged, exact);
            table.rollback(inner);
            if fits {
                fitting.push(adaptors);
                if fitting.len() >= MOST_PER_INTERFACE {
                    break;
                }
            }
        }
        combined = combined
            .iter()
            .flat_map(|before| {
                fitting
                    .iter()
                    .map(move |more| before.iter().chain(more).cloned().collect::<Vec<Adaptor>>())
            })
            .take(MOST_TRIED)
            .collect();
    }
    table.rollback(before);
    combined
}

/// Whether an ability's instances of one interface fit those that are needed.
fn agree(table: &mut Table, needed: &[Instance], given: &[Instance], exact: bool) -> bool {
    let fits = needed.len() == given.len() || (!exact && needed.len() < given.len());
    let start = given.len().saturating_sub(needed.len());
    let suffix = given.get(start..).unwrap_or_default();
    if !fits {
        return false;
    }
    let left = table.types.ability(Tail::Closed, needed.into());
    let right = table.types.ability(Tail::Closed, suffix.into());
    table.unify_abilities(left, right).is_ok()
}

/// The instances of one interface under adaptors.
fn rearranged(table: &mut Table, given: &[Instance], adaptors: &[Adaptor]) -> Vec<Instance> {
    let ability = table.types.ability(Tail::Closed, given.into());
    let inside = adaptors
        .iter()
        .fold(ability, |inside, one| table.adapted(one, inside));
    table.row(inside).instances.to_vec()
}

pub(super) fn hides_all(adaptors: &[Adaptor], count: u32) -> bool {
    adaptors.iter().all(|one| one.kept.is_empty())
        && adaptors.iter().map(|one| one.taken).sum::<u32>() >= count
}

/// All that adaptors on one interface can do with so many instances in sight, the simplest first:
/// hide, then swap, drop and copy.
pub(super) fn selections(interface: InterfaceDef, count: u32) -> Vec<Vec<Adaptor>> {
    let hide = Adaptor {
        interface,
        taken: 1,
        kept: Vec::new(),
        drops_all: false,
    };
    let mut all: Vec<Vec<Adaptor>> = (1..=count.min(8))
        .map(|times| vec![hide.clone(); times as usize])
        .collect();
    let mut others: Vec<(u32, Adaptor)> = Vec::new();
    for taken in 1..=count.min(MOST_TAKEN) {
        let mut longest: Vec<Vec<u32>> = vec![Vec::new()];
        let mut kept = Vec::new();
        for _ in 0..=taken {
            longest = longest
                .iter()
                .flat_map(|before| {
                    (0..taken)
                        .map(move |next| before.iter().copied().chain([next]).collect::<Vec<u32>>())
                })
                .collect();
            kept.extend(longest.iter().cloned());
        }
        for kept in kept {
            if let Some(class) = class(taken, &kept) {
                others.push((
                    class,
                    Adaptor {
                        interface,
                        taken,
                        kept,
                        drops_all: false,
                    },
                ));
            }
        }
    }
    others.sort_by_key(|(class, adaptor)| (*class, adaptor.taken, adaptor.kept.len()));
    all.extend(others.into_iter().map(|(_, adaptor)| vec![adaptor]));
    all
}

/// How simple a selection is; `None` if it does nothing or can be said with fewer names.
fn class(taken: u32, kept: &[u32]) -> Option<u32> {
    // `kept` counts from the right, so its last is the left-most.
    let rest_stays = kept.last() == Some(&(taken - 1))
        && !kept.iter().rev().skip(1).any(|one| *one == taken - 1);
    if kept.is_empty() || (rest_stays && taken > 1) || (taken == 1 && kept == [0]) {
        return None;
    }
    let copies = (0..taken).any(|one| kept.iter().filter(|other| **other == one).count() > 1);
    let in_order = kept.windows(2).all(|pair| matches!(pair, [a, b] if a < b));
    Some(match (copies, kept.len() == taken as usize, in_order) {
        (false, true, _) => 0,
        (false, false, true) => 1,
        (false, false, false) => 2,
        (true, ..) => 3,
    })
}

#[cfg(test)]
mod tests {
    use super::super::lift::show_adaptors;
    use super::*;
    use crate::files::Files;
    use crate::program::Definition;
    use frank_syntax::ast::Symbol;

    #[test]
    fn simple_adaptors_come_first() {
        let files = Files::new(None);
        let mut files = files;
        let scope = files.set_text("a.fk", "");
        let interface = InterfaceDef(Definition {
            scope,
            name: Symbol::new("I"),
        });
        let shown: Vec<String> = selections(interface, 2)
            .iter()
            .map(|adaptors| show_adaptors(adaptors))
            .collect();
        assert_eq!(
            shown.join(" "),
            "<I> <I, I> <I(s a b -> s b a)> <I(s a b -> s b)> <I(s a -> s a a)> \
             <I(s a b -> s b b)> <I(s a b -> s a a)> <I(s a b -> s b b b)> <I(s a b -> s b a b)> \
             <I(s a b -> s a a b)> <I(s a b -> s b b a)> <I(s a b -> s a b a)> \
             <I(s a b -> s b a a)> <I(s a b -> s a a a)>"
        );
    }
}
