//! The adaptors under which a computation may run where an ability is another one.

use super::probe::Probe;
use super::written::Token;
use crate::infer::table::group;
use crate::program::InterfaceDef;
use crate::types::{Ability, Adaptor, Instance, Tail};

/// So many stand in front of a use at most.
pub(super) const MOST_ADAPTORS: usize = 3;
/// So many instances an adaptor names at most.
const MOST_NAMED: usize = 4;

impl Probe<'_> {
    /// The adaptors, few at most, under which an ability is the one that a computation needs, and that ability; `None` if
    /// there are none. What it unifies stays so, in both cases: whoever asks takes it back.
    pub(super) fn adaptors_to(
        &mut self,
        needed: Ability,
        ambient: Ability,
    ) -> Option<(Vec<Adaptor>, Ability)> {
        let table = self.table();
        if table.unify_abilities(needed, ambient).is_ok() {
            return Some((Vec::new(), ambient));
        }
        let (wanted, here) = (table.row(needed), table.row(ambient));
        // A flexible tail takes what is further out; any other names all there may be.
        let takes_more = matches!(wanted.tail, Tail::Meta(_));
        if !takes_more && wanted.tail != here.tail {
            return None;
        }
        let wanted = group(&wanted.instances);
        let mut adaptors = Vec::new();
        for (interface, own) in group(&here.instances) {
            let wanted = wanted.iter().find(|(other, _)| *other == interface);
            let wanted = wanted.map_or(&[][..], |(_, wanted)| wanted);
            adaptors.extend(self.adaptors_among(interface, wanted, &own, takes_more)?);
            if adaptors.len() > MOST_ADAPTORS {
                return None;
            }
        }
        let inside = self.adapted(&adaptors, ambient);
        self.table().unify_abilities(needed, inside).ok()?;
        Some((adaptors, inside))
    }

    /// The adaptors of one interface under which its instances, the active one last, are those that are wanted.
    fn adaptors_among(
        &mut self,
        interface: InterfaceDef,
        wanted: &[Instance],
        own: &[Instance],
        takes_more: bool,
    ) -> Option<Vec<Adaptor>> {
        let most = own.len().checked_sub(wanted.len())?;
        let fewest = if takes_more { 0 } else { most };
        let drops = || fewest..=most.min(MOST_ADAPTORS);
        let left = |dropped: usize| own.get(..own.len() - dropped).unwrap_or_default();
        let dropped = drops().find(|dropped| self.table().agree(left(*dropped), wanted));
        if let Some(dropped) = dropped {
            return Some(vec![dropping(interface); dropped]);
        }
        // The others take more to read: the fewer they name, the better.
        let all = (2..=own.len().min(MOST_NAMED)).flat_map(arrangements);
        let mut fitting = all.filter_map(|kept| {
            let (behind, taken) = own.split_at_checked(own.len() - kept.taken)?;
            let chosen = kept.places.iter().rev();
            let chosen = chosen.filter_map(|place| taken.get(taken.len() - 1 - *place as usize));
            let inside: Vec<Instance> = behind.iter().chain(chosen).cloned().collect();
            let is_enough = match takes_more {
                true => inside.len() >= wanted.len(),
                false => inside.len() == wanted.len(),
            };
            (is_enough && self.table().agree(&inside, wanted)).then_some(kept)
        });
        let kept = fitting.next()?;
        Some(vec![Adaptor {
            interface,
            taken: u32::try_from(kept.taken).ok()?,
            kept: kept.places,
            drops_all: false,
        }])
    }

    /// An ability under adaptors that fit.
    pub(super) fn adapted(&mut self, adaptors: &[Adaptor], ambient: Ability) -> Ability {
        let table = self.table();
        adaptors
            .iter()
            .fold(ambient, |inside, adaptor| table.adapted(adaptor, inside))
    }
}

/// The adaptor that drops the active instance of an interface: `<I>`.
pub(super) fn dropping(interface: InterfaceDef) -> Adaptor {
    Adaptor {
        interface,
        taken: 1,
        kept: Vec::new(),
        drops_all: false,
    }
}

/// Which of some instances are kept, and in which order.
struct Kept {
    taken: usize,
    /// The new active instance first; 0 is the active one.
    places: Vec<u32>,
}

/// All that can be kept of so many active instances, each once; what leaves the last of them in its place is said with fewer.
/// The most are kept first.
fn arrangements(taken: usize) -> Vec<Kept> {
    let mut all: Vec<Vec<u32>> = vec![Vec::new()];
    let mut longest = all.clone();
    for _ in 0..taken {
        let longer = longest.iter().flat_map(|kept| {
            let others = (0..taken as u32).filter(|place| !kept.contains(place));
            others.map(|place| kept.iter().copied().chain([place]).collect::<Vec<u32>>())
        });
        longest = longer.collect();
        all.extend(longest.iter().cloned());
    }
    all.retain(|places| places.last() != Some(&(taken as u32 - 1)));
    all.sort_by_key(|places| std::cmp::Reverse(places.len()));
    let kept = all.into_iter().map(|places| Kept { taken, places });
    kept.collect()
}

/// A use under adaptors.
pub(super) fn under(these: Vec<Adaptor>, mut token: Token) -> Token {
    if let Token::Use { adaptors, .. } = &mut token
        && !these.is_empty()
    {
        let written: Vec<String> = these.iter().map(written).collect();
        *adaptors = Some(written.join(", "));
    }
    token
}

fn written(adaptor: &Adaptor) -> String {
    let name = adaptor.interface.0.name;
    match adaptor.kept.is_empty() {
        true => name.to_string(),
        false => {
            let letter = |place: u32| (b'a' + (adaptor.taken - 1 - place) as u8) as char;
            let words = |places: &mut dyn Iterator<Item = u32>| -> String {
                places.map(|place| format!(" {}", letter(place))).collect()
            };
            let taken = words(&mut (0..adaptor.taken).rev());
            let kept = words(&mut adaptor.kept.iter().rev().copied());
            format!("{name}(s{taken} -> s{kept})")
        }
    }
}
