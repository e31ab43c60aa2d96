//! Handlers that need what they handle: `<Rand>X -> [Rand]X`, where nobody else has a `Rand`.

use frank_syntax::ast::TermId;

use super::Reporter;
use super::places::{is_own, result_ability};
use crate::db::ItemSource;
use crate::declarations::sound_signature;
use crate::diagnostics::{Diagnostic, Location};
use crate::program::{InterfaceDef, TermDef};

impl Reporter<'_> {
    /// Adds to a finding about a call that lacks an instance of an interface that the one who is called handles
    /// this interface, and has another one in the ability.
    pub(super) fn handled_again(
        &self,
        problem: Diagnostic,
        (source, head): (ItemSource, TermId),
        interface: InterfaceDef,
    ) -> Diagnostic {
        let Some(TermDef::Operator(operator)) = self.definition_of(source, head) else {
            return problem;
        };
        let (scope, name) = (operator.0.scope, operator.0.name);
        let Some(signature) = sound_signature(self.db, scope, name).as_ref() else {
            return problem;
        };
        let mut ports = signature.computation.ports.iter();
        let handles = ports.any(|port| port.added().any(|one| one.interface == interface));
        let Some((place, node)) = result_ability(self.db, operator) else {
            return problem;
        };
        if !handles || !is_own(self.db, place) {
            return problem;
        }
        let handled = interface.0.name;
        problem
            .related(
                Location::node(place, node),
                format!("`{name}` says here that it performs `{handled}` itself"),
            )
            .help(format!(
                "`{name}` handles `{handled}` in its argument: its own ability needs one only for what its clauses \
                 perform"
            ))
    }
}
