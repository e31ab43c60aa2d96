//! The adaptors under which a computation may run where an ability is another one.

use super::probe::Probe;
use super::written::Token;
use crate::infer::table::group;
use crate::program::InterfaceDef;
use crate::types::{Ability, Adaptor, Instance, Tail};

/// So many stand in front of a use at most.
const MOST_ADAPTORS: usize = 3;
/// So many instances an adaptor names at most.
pub(super) const MOST_NAMED: usize = 12;
/// So often two instances are compared at most to find an adaptor that names some.
const MOST_COMPARED: usize = 1_000;

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
        let drops = || fewest..=most.min(MOST_NAMED);
        let left = |dropped: usize| own.get(..own.len() - dropped).unwrap_or_default();
        let dropped = drops().find(|dropped| self.table().agree(left(*dropped), wanted));
        if let Some(dropped) = dropped {
            return Some(dropping(interface, dropped));
        }
        let has_candidate = |one: &Instance| {
            let one = std::slice::from_ref(one);
            let mut own = own.iter().map(std::slice::from_ref);
            own.any(|own| self.trial(|probe| probe.table().agree(own, one)))
        };
        if !wanted.iter().all(has_candidate) {
            return None;
        }
        // The others take more to read: the fewer they name, the better; and of those what keeps the most.
        let mut compared = 0;
        (2..=own.len().min(MOST_NAMED)).find_map(|taken| {
            let behind = own.len() - taken;
            let least = wanted.len().saturating_sub(behind);
            let most = match takes_more {
                true => taken,
                false => wanted.len().checked_sub(behind)?.min(taken),
            };
            (least..=most).rev().find_map(|count| {
                let mut arranged = Arranged {
                    own,
                    wanted,
                    taken,
                    places: Vec::new(),
                    compared: &mut compared,
                };
                let snapshot = self.table().snapshot();
                if arranged.rest_agrees(self, count) && arranged.fill(self, count) {
                    let kept = arranged.places;
                    self.table().give_up(snapshot);
                    return Some(vec![Adaptor {
                        interface,
                        taken: u32::try_from(taken).ok()?,
                        kept,
                        drops_all: false,
                    }]);
                }
                self.table().rollback(snapshot);
                None
            })
        })
    }

    /// An ability under adaptors that fit.
    pub(super) fn adapted(&mut self, adaptors: &[Adaptor], ambient: Ability) -> Ability {
        let table = self.table();
        adaptors
            .iter()
            .fold(ambient, |inside, adaptor| table.adapted(adaptor, inside))
    }
}

/// The adaptors that drop so many active instances of an interface: `<I, I>`; one where those would be too many:
/// `<I(s a b c d -> s)>`.
pub(super) fn dropping(interface: InterfaceDef, count: usize) -> Vec<Adaptor> {
    let adaptor = |taken: usize| Adaptor {
        interface,
        taken: taken as u32,
        kept: Vec::new(),
        drops_all: false,
    };
    match count > MOST_ADAPTORS {
        true => vec![adaptor(count)],
        false => vec![adaptor(1); count],
    }
}

/// Which of the active instances of an interface an adaptor keeps, and in which order, as far as that is chosen.
struct Arranged<'a> {
    /// All instances, the active one last.
    own: &'a [Instance],
    wanted: &'a [Instance],
    /// So many of them it names.
    taken: usize,
    /// The new active instance first; 0 is the active one.
    places: Vec<u32>,
    /// How often two instances were compared.
    compared: &'a mut usize,
}

impl Arranged<'_> {
    /// Whether the instances that are not named are what is wanted behind `count` that are kept.
    fn rest_agrees(&self, probe: &mut Probe<'_>, count: usize) -> bool {
        let behind = self.own.get(..self.own.len() - self.taken);
        let wanted = self.wanted.get(..self.wanted.len().saturating_sub(count));
        match (behind, wanted) {
            (Some(behind), Some(wanted)) => probe.table().agree(behind, wanted),
            _ => false,
        }
    }

    /// Chooses places until there are `count`, each once. What leaves the last one where it is would be said with fewer
    /// names.
    fn fill(&mut self, probe: &mut Probe<'_>, count: usize) -> bool {
        if self.places.len() == count {
            return self.places.last() != Some(&(self.taken as u32 - 1));
        }
        let wanted = self.wanted.iter().rev().nth(self.places.len());
        for place in 0..self.taken as u32 {
            if self.places.contains(&place) {
                continue;
            }
            if *self.compared >= MOST_COMPARED {
                return false;
            }
            *self.compared += 1;
            let own = self.own.iter().rev().nth(place as usize);
            let snapshot = probe.table().snapshot();
            let agrees = wanted.is_none_or(|wanted| {
                let one = std::slice::from_ref(wanted);
                own.is_some_and(|own| probe.table().agree(std::slice::from_ref(own), one))
            });
            self.places.push(place);
            if agrees && self.fill(probe, count) {
                probe.table().give_up(snapshot);
                return true;
            }
            self.places.pop();
            probe.table().rollback(snapshot);
        }
        false
    }
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
    match adaptor.kept.is_empty() && adaptor.taken == 1 {
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
