//! The adaptors under which a computation may run where an ability is another one.

use super::probe::Probe;
use super::written::Token;
use crate::infer::table::group;
use crate::program::InterfaceDef;
use crate::types::{Ability, Adaptor, Instance, Tail};

/// So many stand in front of a use at most.
pub(super) const MOST_ADAPTORS: usize = 3;

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
        let dropped = drops().find(|dropped| {
            let mut left = left(*dropped).to_vec();
            let last = left.len().saturating_sub(1);
            left.len() > 1 && {
                left.swap(last - 1, last);
                self.table().agree(&left, wanted)
            }
        })?;
        let mut adaptors = vec![dropping(interface); dropped];
        adaptors.push(exchanging(interface));
        Some(adaptors)
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

/// The adaptor that makes the instance behind the active one the active one, and the other way round.
fn exchanging(interface: InterfaceDef) -> Adaptor {
    Adaptor {
        interface,
        taken: 2,
        kept: vec![1, 0],
        drops_all: false,
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
    match adaptor.kept.is_empty() {
        true => name.to_string(),
        false => format!("{name}(s a b -> s b a)"),
    }
}
