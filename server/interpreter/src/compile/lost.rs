//! Why nothing is known of the handlers around code, where something was known further out. It is told with the commands
//! that are performed there.

use frank_core::{OperatorId, Program};

use super::context::DEEPEST;
use crate::performance::Why;

/// How many contexts an operator is made for; in others it knows nothing of its handlers.
pub(super) const VERSIONS: usize = 16;
/// How many versions all operators together have beyond their first ones: many operators under many handlers would
/// take far longer to compile than they run.
pub(super) const FURTHER_VERSIONS: usize = 40;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lost {
    /// There are too many handlers and adaptors in one another.
    Depth,
    /// There are too many contexts that an operator is made for.
    Versions(OperatorId),
    /// There are too many contexts that all operators together are made for.
    AllVersions,
    /// An operator handles that is not deep: see [`super::deep_handlers`].
    NotDeep(OperatorId),
}

impl Lost {
    /// Why a command is performed that is not known because of it.
    pub fn why(self, program: &Program) -> Why {
        match self {
            Lost::Depth => Why::Depth(DEEPEST as usize),
            Lost::Versions(id) => Why::Versions(program.operators[id].name.clone(), VERSIONS),
            Lost::AllVersions => Why::AllVersions(FURTHER_VERSIONS),
            Lost::NotDeep(id) => Why::NotDeep(program.operators[id].name.clone()),
        }
    }
}
