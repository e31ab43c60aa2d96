//! Which limit it is where nothing is known of the handlers around some code, although something could be: it is told with the
//! commands that are performed there.

use frank_core::OperatorId;

use super::context::{ContextId, DEEPEST, UNKNOWN};
use super::lower::Lower;
use super::shared::Shared;
use super::versions::{FURTHER_VERSIONS, VERSIONS};
use crate::performance::Why;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Limit {
    /// Of handlers and adaptors in one another.
    Depth,
    /// Of contexts that an operator is made for.
    Versions(OperatorId),
    /// Of contexts that all operators together are made for.
    AllVersions,
}

impl Shared<'_> {
    /// An operator is not made for a context because of a limit; the first one is remembered.
    pub fn limit(&mut self, id: OperatorId, limit: Limit) {
        self.limits.entry(id).or_insert(limit);
    }
}

impl Lower<'_, '_> {
    /// Notes that what is lowered next knows less of its handlers than the code around it, if the reason is a limit.
    pub fn note_limit(&mut self, inner: ContextId) {
        if inner == UNKNOWN && self.shared.contexts.is_deepest(self.context) {
            self.limit = Some(Limit::Depth);
        }
    }

    /// An operator that is called where a limit leaves the handlers unknown knows them as little.
    pub fn hand_limit_on(&mut self, id: OperatorId) {
        if let (UNKNOWN, Some(limit)) = (self.context, self.limit) {
            self.shared.limit(id, limit);
        }
    }

    /// Why a command is performed about whose handlers nothing is known.
    pub fn why_unknown(&self) -> Why {
        match self.limit.filter(|_| self.context == UNKNOWN) {
            None => Why::Unknown,
            Some(Limit::Depth) => Why::Depth(DEEPEST as usize),
            Some(Limit::Versions(id)) => {
                let name = &self.shared.program.operators[id].name;
                Why::Versions(name.clone(), VERSIONS)
            }
            Some(Limit::AllVersions) => Why::AllVersions(FURTHER_VERSIONS),
        }
    }
}
