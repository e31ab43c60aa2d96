//! How much is known of handlers at most. Where a limit leaves nothing known that could be, it is told with the commands that
//! are performed there which one it is.

use frank_core::{OperatorId, Program};

use super::context::DEEPEST;
use crate::performance::Why;

/// How many contexts an operator is made for; in others it knows nothing of its handlers.
pub(super) const VERSIONS: usize = 16;
/// How many versions all operators together have beyond their first ones: many operators under many handlers would
/// take far longer to compile than they run.
pub(super) const FURTHER_VERSIONS: usize = 40;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Limit {
    /// Of handlers and adaptors in one another.
    Depth,
    /// Of contexts that an operator is made for.
    Versions(OperatorId),
    /// Of contexts that all operators together are made for.
    AllVersions,
}

impl Limit {
    /// Why a command is performed that is not known because of it.
    pub fn why(self, program: &Program) -> Why {
        match self {
            Limit::Depth => Why::Depth(DEEPEST as usize),
            Limit::Versions(id) => Why::Versions(program.operators[id].name.clone(), VERSIONS),
            Limit::AllVersions => Why::AllVersions(FURTHER_VERSIONS),
        }
    }
}
