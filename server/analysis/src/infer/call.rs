//! Uses: applications, and adaptors around them.

use std::sync::Arc;

use frank_syntax::ast::{AdaptorExpr, NodeId, TermId, TermKind};

use super::problem::{Expectation, Problem};
use super::readings::{Call, Place, Reading};
use super::table::Clash;
use super::{Checker, Resolved};
use crate::lower_types::adaptor_of;
use crate::params::{TypeNamespace, params};
use crate::program::TermDef;
use crate::types::{Ability, Adaptor, Adjustment, Computation, Port, Tail, Ty, TyKind};

/// Where a call is made.
#[derive(Clone, Copy)]
struct Around {
    ability: Ability,
    /// Whether the call fits there.
    fits: bool,
}

impl Checker<'_> {
    /// The definition that the head of an application names.
    fn head_definition(&self, head: TermId) -> Option<TermDef> {
        match self.body.names.get(head) {
            Some(Resolved::Definition(definition)) => Some(*definition),
            _ => None,
        }
    }

    pub(super) fn infer_application(
        &mut self,
        term: TermId,
        head: TermId,
        args: &[TermId],
        ability: Ability,
        place: Place,
    ) -> Ty {
        let args = &self.arguments_of(term, args);
        let function = self.infer(head, ability);
        let function = self.table.head(function);
        match self.table.types.kind(function).clone() {
            TyKind::Computation(computation) => {
                if let Some(wanted) = place.wanted
                    && args.len() == computation.ports.len()
                {
                    // Where they differ, the call's own place says so.
                    let _same = self.table.unify(wanted, computation.result);
                }
                let call = Call {
                    term,
                    head,
                    function,
                    args,
                    needed: place.needed,
                };
                self.apply(call, &computation, ability)
            }
            TyKind::Meta(_) if self.table.is_number_meta(function) => {
                self.not_a_function(head, function, args, ability)
            }
            TyKind::Meta(_) if self.is_hole(head) => self.apply_hole(term, function, args, ability),
            TyKind::Meta(_) => self.apply_unknown(term, head, function, args, ability),
            TyKind::Error => {
                for arg in args {
                    self.check_unjudged(*arg, ability);
                }
                self.table.error
            }
            _ => self.not_a_function(head, function, args, ability),
        }
    }

    /// A call of something of which nothing is known: it takes the arguments' values.
    fn apply_unknown(
        &mut self,
        term: TermId,
        head: TermId,
        function: Ty,
        args: &[TermId],
        ability: Ability,
    ) -> Ty {
        let ports: Vec<Port> = args.iter().map(|_| self.plain_port()).collect();
        let result = self.table.fresh();
        let computation = Computation {
            ports: ports.clone(),
            ability,
            result,
        };
        let made = TyKind::Computation(Arc::new(computation));
        let made = self.table.types.ty(made);
        if let Err(clash) = self.table.unify(function, made) {
            self.report(Problem::Mismatch {
                source: self.source,
                node: self.node(head),
                term: Some(head),
                expected: made,
                found: function,
                clash,
                decided: self.table.decided,
                origin: Expectation::Free,
                ambient: ability,
            });
        }
        for (index, (arg, port)) in args.iter().zip(&ports).enumerate() {
            let origin = Expectation::Argument { call: term, index };
            self.check(*arg, port.ty, ability, origin);
        }
        result
    }

    fn not_a_function(&mut self, head: TermId, found: Ty, args: &[TermId], ability: Ability) -> Ty {
        let given = args.len();
        self.report(Problem::NotAFunction {
            source: self.source,
            head,
            found,
            given,
        });
        for arg in args {
            self.check_unjudged(*arg, ability);
        }
        self.table.error
    }

    pub(super) fn apply(
        &mut self,
        call: Call<'_>,
        computation: &Computation,
        ability: Ability,
    ) -> Ty {
        let Call {
            term,
            head,
            function,
            args,
            needed: _,
        } = call;
        let definition = self.head_definition(head);
        let called_in = match self.call_adaptors(term) {
            Some(adaptors) => self.under(&adaptors, term, ability),
            None => ability,
        };
        let unified = self.table.unify_abilities(computation.ability, called_in);
        let fits = unified.is_ok();
        if let Err(clash) = unified {
            let clash = match clash {
                // The innermost difference is what the message is about; the whole is shown.
                Clash::Abilities(..) => Clash::Abilities(computation.ability, ability),
                other => other,
            };
            self.report(Problem::Ability {
                source: self.source,
                node: self.use_name(head),
                head,
                definition,
                needed: computation.ability,
                ambient: ability,
                clash,
            });
        }
        let wanted = computation.ports.len();
        if args.len() != wanted {
            let node = args
                .get(wanted)
                .map_or(self.use_name(head), |extra| self.node(*extra));
            self.report(Problem::ArgumentCount {
                source: self.source,
                node,
                head,
                definition,
                function,
                wanted,
                given: args.len(),
            });
        }
        let before = self.problems.len();
        let around = Around { ability, fits };
        if args.len() == wanted {
            self.check_arguments(&call, computation, around);
            return computation.result;
        }
        let reading = self.reading(&call, computation, ability);
        for index in self.positions(args.len()) {
            self.check_argument(&call, index, computation, &reading, around);
        }
        // Nobody knows which of them are those that belong there.
        self.forget_misfits(before, args);
        self.table.error
    }

    /// Checks the arguments of a call that has as many as it takes.
    fn check_arguments(&mut self, call: &Call<'_>, computation: &Computation, around: Around) {
        let reading = match self.is_misplaced(call, computation, around) {
            true => self.reading(call, computation, around.ability),
            false => Reading::InOrder,
        };
        for index in self.positions(call.args.len()) {
            self.check_argument(call, index, computation, &Reading::InOrder, around);
        }
        if !matches!(reading, Reading::At(_)) {
            return;
        }
        // All of it has been told as it is written; the holes have the types that they would have. What the arguments
        // decide of the call's type is another matter then. Calls in them are read in order this time: each would be gone
        // over twice for each call around it.
        let known = self.problems.len();
        let left = std::mem::take(&mut self.readings);
        let again = self.computation_again(call, around.ability);
        let computation = again.as_deref().unwrap_or(computation);
        if let Some(needed) = call.needed {
            self.decided_by_place(needed, computation.result);
        }
        for index in self.positions(call.args.len()) {
            let Some(&arg) = call.args.get(index) else {
                continue;
            };
            if self.has_holes(arg) {
                self.check_argument(call, index, computation, &reading, around);
            } else if again.is_some() {
                let told = self.body.types.get(arg).copied();
                self.check_argument(call, index, computation, &reading, around);
                self.body.types.extend(told.map(|told| (arg, told)));
            }
        }
        self.readings = left;
        self.problems.truncate(known);
    }

    /// The type of what is called as another use of it has it; `None` where it is no operator.
    fn computation_again(&mut self, call: &Call<'_>, ability: Ability) -> Option<Arc<Computation>> {
        let Some(TermDef::Operator(_)) = self.head_definition(call.head) else {
            return None;
        };
        let again = self.infer(call.head, ability);
        self.body.types.insert(call.head, call.function);
        match self.table.kind(self.table.head(again)) {
            TyKind::Computation(computation) => Some(computation.clone()),
            _ => None,
        }
    }

    /// Checks one argument of a call, as the reading has it.
    fn check_argument(
        &mut self,
        call: &Call<'_>,
        index: usize,
        computation: &Computation,
        reading: &Reading,
        around: Around,
    ) {
        let Some(&arg) = call.args.get(index) else {
            return;
        };
        let Around { ability, fits } = around;
        let port = reading.port(index);
        let Some(port) = port.and_then(|port| computation.ports.get(port)) else {
            return self.check_unjudged(arg, ability);
        };
        let is_sure =
            matches!(reading, Reading::InOrder) && call.args.len() >= computation.ports.len();
        let inside = match !is_sure && computation.adjusts() {
            // It may be meant for the port that adds what it performs.
            true => self.lenient(ability),
            false => {
                let definition = self.head_definition(call.head);
                self.port_ability(port, ability, arg, definition, fits)
            }
        };
        let origin = Expectation::Argument {
            call: call.term,
            index,
        };
        self.check(arg, port.ty, inside, origin);
    }

    /// Whether an argument without holes, beside one that has some, is of another type than its port.
    fn is_misplaced(&mut self, call: &Call<'_>, computation: &Computation, around: Around) -> bool {
        let (open, whole): (Vec<usize>, Vec<usize>) = self
            .positions(call.args.len())
            .into_iter()
            .partition(|index| {
                call.args
                    .get(*index)
                    .is_some_and(|arg| self.has_holes(*arg))
            });
        if open.is_empty() || whole.is_empty() || self.readings == 0 {
            return false;
        }
        let attempt = self.attempt();
        let known = self.problems.len();
        for index in whole {
            self.check_argument(call, index, computation, &Reading::InOrder, around);
        }
        let found = self
            .problems
            .iter()
            .skip(known)
            .any(|problem| match problem {
                Problem::Mismatch {
                    term: Some(term), ..
                }
                | Problem::ThunkForValue { term, .. } => call.args.contains(term),
                _ => false,
            });
        self.take_back(attempt);
        found
    }

    /// The name at the head of a use: where a missing ability is shown.
    fn use_name(&self, head: TermId) -> NodeId {
        match &self.item.terms[head].kind {
            TermKind::Adapted { body, .. } => self.use_name(*body),
            _ => self.node(head),
        }
    }

    /// The ability of an argument; a port's adaptors must fit the ambient one.
    fn port_ability(
        &mut self,
        port: &Port,
        ambient: Ability,
        arg: TermId,
        definition: Option<TermDef>,
        judged: bool,
    ) -> Ability {
        let mut inside = ambient;
        for (i, adjustment) in port.adjustments.iter().enumerate() {
            if let Adjustment::Adaptor(adaptor) = adjustment
                && !self.fits(adaptor, inside)
            {
                if self.table.row(inside).tail == Tail::Error {
                    return inside;
                }
                // Where the call itself does not fit, that is the mistake.
                if !judged {
                    return self.lenient(inside);
                }
                self.report(Problem::InvalidPortAdaptor {
                    source: self.source,
                    node: self.node(arg),
                    adaptor: adaptor.clone(),
                    ambient: inside,
                    definition,
                });
                return self.lenient(inside);
            }
            let one = port.adjustments.get(i..=i).unwrap_or_default();
            inside = self.table.adjusted(one, inside);
        }
        inside
    }

    /// Whether an ability has the instances that an adaptor names; a flexible one is extended.
    pub(super) fn fits(&mut self, adaptor: &Adaptor, ability: Ability) -> bool {
        let definition = adaptor.interface.0;
        let params = params(
            self.db,
            definition.scope,
            definition.name,
            TypeNamespace::Row,
        );
        self.table
            .extend_to(ability, adaptor.interface, params, adaptor.taken)
    }

    pub(super) fn adapt(
        &mut self,
        term: TermId,
        adaptors: &[AdaptorExpr],
        ability: Ability,
    ) -> (Ability, bool) {
        let mut inside = ability;
        let mut all_sound = true;
        let mut resolved = Vec::with_capacity(adaptors.len());
        let left_out = self.left_out(term);
        for (index, expr) in adaptors.iter().enumerate() {
            if left_out == Some(index) {
                continue;
            }
            let found = adaptor_of(self.db, self.scope, self.source, expr);
            for problem in found.problems {
                self.report(Problem::Adaptor(Box::new(problem)));
            }
            let Some(mut adaptor) = found.adaptor else {
                all_sound = false;
                inside = self.lenient(inside);
                if let Some(interface) = found.interface {
                    // Any of its instances may be meant under it.
                    let all_dropped = Adaptor {
                        interface,
                        taken: u32::MAX,
                        kept: Vec::new(),
                        drops_all: true,
                    };
                    inside = self.table.adapted(&all_dropped, inside);
                }
                continue;
            };
            let lenient = self.table.row(inside).tail == Tail::Error;
            if !self.fits(&adaptor, inside) && !lenient {
                self.report(Problem::InvalidAdaptor {
                    source: self.source,
                    node: expr.id,
                    adaptor,
                    ambient: inside,
                });
                all_sound = false;
                inside = self.lenient(inside);
                continue;
            }
            if adaptor.drops_all {
                let row = self.table.row(inside);
                let in_sight = row
                    .instances
                    .iter()
                    .filter(|i| i.interface == adaptor.interface);
                adaptor.taken = in_sight.count() as u32;
            }
            inside = self.table.adapted(&adaptor, inside);
            resolved.push(adaptor);
        }
        self.body.adaptors.insert(term, resolved);
        (inside, all_sound)
    }
}
