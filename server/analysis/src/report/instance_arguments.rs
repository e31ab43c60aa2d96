//! Instances in the signature of an operator whose arguments are the mistake: `State String` where the clauses
//! get and put numbers.

use std::collections::HashSet;

use frank_syntax::ast::{ItemKind, TermId};

use super::Reporter;
use super::catalogue::users;
use super::places::signature_item;
use crate::db::ItemSource;
use crate::diagnostics::{Code, Diagnostic, Fix, Location};
use crate::fixes;
use crate::infer::hypothesis::{Change, Hypothesis};
use crate::infer::infer_operator_if;
use crate::infer::problem::{Mark, marks};
use crate::program::{Definition, InterfaceDef};
use crate::show::Show;

impl Reporter<'_> {
    /// The finding about the one instance of an interface in the operator's signature, if all that is wrong is
    /// right with another argument, and what that solves.
    pub(super) fn with_other_arguments(
        &mut self,
        source: ItemSource,
        term: TermId,
        interface: InterfaceDef,
        wrong: &[Mark],
    ) -> Option<(Diagnostic, HashSet<Mark>)> {
        let operator = self.operator?;
        let (place, signature) = signature_item(self.db, operator)?;
        let ItemKind::Signature { ty, .. } = &signature.kind else {
            return None;
        };
        let written = &ty.peg.ability.as_ref()?.instances;
        let name = interface.0.name;
        let mut own = written.iter().filter(|one| one.interface.symbol == name);
        let (Some(written), None) = (own.next(), own.next()) else {
            return None;
        };
        if self.agrees_with_callers(operator) {
            return None;
        }
        self.trials = self.trials.checked_sub(1)?;
        let hypothesis = Hypothesis {
            source,
            term,
            change: Change::Loosen(interface),
        };
        let tried = infer_operator_if(self.db, operator, self.order, Some(hypothesis))?;
        let left = marks(&tried.problems);
        if !left.is_subset(&self.base) || wrong.iter().any(|mark| left.contains(mark)) {
            return None;
        }
        let solved = self.base.difference(&left).copied().collect();
        let row = tried.table.row(tried.computation.as_ref()?.ability);
        let meant = row
            .instances
            .iter()
            .find(|one| one.interface == interface)?;
        let show = Show {
            table: &tried.table,
            values: &tried.rigid_values,
            effects: &tried.rigid_effects,
            ..self.show()
        };
        let meant = show.instance(meant);
        let at = Location::node(place, written.id);
        let Definition { scope, name: own } = operator.0;
        let message = format!(
            "the clauses of `{own}` use `{meant}`, and its signature says another type here"
        );
        let finding = Diagnostic::new(Code::TypeMismatch, at, message);
        // Signatures that pass it on would have to say another type, too.
        let mut users = users(self.db, scope, own).iter();
        let is_passed_on = users.any(|user| *user != own && !self.lacks(*user, interface));
        let is_whole = !meant.contains(['_', '…']);
        let finding = match is_whole {
            true => finding.help(format!("write `{meant}`")),
            false => finding,
        };
        let finding = match is_whole && !is_passed_on {
            true => finding.fix(Fix {
                safe: false,
                ..fixes::replace(at, &meant, format!("write `{meant}`"))
            }),
            false => finding,
        };
        Some((finding, solved))
    }
}
