//! Holes: terms that are still to be written, and what their places say of them.

use std::collections::HashSet;
use std::sync::Arc;

use frank_syntax::ast::{Name, TermId, TermKind};
use la_arena::ArenaMap;

use super::problem::{Expectation, Problem};
use super::{Checker, Resolved};
use crate::types::{Ability, Adjustment, Computation, Port, Ty, TyKind};

/// Numbers that stand for holes beside other operands: what is wrong with those says nothing of the holes.
#[derive(Default)]
pub(super) struct Beside {
    /// That of a hole that is the first operand, until the second one is known.
    first: Option<Ty>,
    /// Those of holes beside what is wrong.
    alone: Vec<Ty>,
}

impl Checker<'_> {
    /// A term that is still to be written: of whatever type its place turns out to need.
    pub(super) fn hole(&mut self, term: TermId, name: Name) -> Ty {
        self.holes += 1;
        self.body.names.insert(term, Resolved::Hole);
        self.report(Problem::Hole {
            source: self.source,
            node: name.id,
        });
        self.table.fresh()
    }

    /// A call of what is still to be written: its ports handle what the arguments perform and the ability does not have.
    pub(super) fn apply_hole(
        &mut self,
        term: TermId,
        hole: Ty,
        args: &[TermId],
        ability: Ability,
    ) -> Ty {
        let mut ports: Vec<Port> = args.iter().map(|_| self.plain_port()).collect();
        for index in self.positions(args.len()) {
            let (Some(arg), Some(port)) = (args.get(index), ports.get_mut(index)) else {
                continue;
            };
            let origin = Expectation::Argument { call: term, index };
            let attempt = self.attempt();
            let performed = self.table.fresh_ability();
            self.check(*arg, port.ty, performed, origin);
            match self.table.added(performed, ability) {
                Some(added) => {
                    self.keep(attempt);
                    port.adjustments = added.into_iter().map(Adjustment::Instance).collect();
                }
                // No port makes it right, so it is told as it stands.
                None => {
                    self.take_back(attempt);
                    self.check(*arg, port.ty, ability, origin);
                }
            }
        }
        let result = self.table.fresh();
        let computation = Computation {
            ports,
            ability,
            result,
        };
        let made = self
            .table
            .types
            .ty(TyKind::Computation(Arc::new(computation)));
        // The hole is of any type by now; where it is not, its own place says so.
        let _any = self.table.unify(hole, made);
        result
    }

    /// Whether a term is a hole, under adaptors perhaps.
    pub(super) fn is_hole(&mut self, term: TermId) -> bool {
        match &self.item.terms[term].kind {
            TermKind::Adapted { body, .. } => self.is_hole(*body),
            TermKind::Name(name) => self.names_hole(term, *name),
            _ => false,
        }
    }

    /// Whether a term is a hole or a call of one, so that any value may come out of it.
    fn may_give_anything(&mut self, term: TermId) -> bool {
        match &self.item.terms[term].kind {
            TermKind::Adapted { body, .. } => self.may_give_anything(*body),
            TermKind::Apply { head, .. } => self.may_give_anything(*head),
            TermKind::Name(name) => self.names_hole(term, *name),
            _ => false,
        }
    }

    /// Whether a term is a call with holes in it; a `case` is none, since its clauses say what they give.
    fn is_call_with_holes(&mut self, term: TermId) -> bool {
        let is_call = matches!(self.item.terms[term].kind, TermKind::Apply { .. });
        is_call && self.has_holes(term) && !self.is_written_case(term)
    }

    /// Whether a term is a hole or has one in it.
    pub(super) fn has_holes(&mut self, term: TermId) -> bool {
        if self.with_holes.is_none() {
            let found = self.terms_with_holes();
            self.with_holes = Some(found);
        }
        let with_holes = self.with_holes.as_ref();
        with_holes.is_some_and(|terms| terms.contains(&term))
    }

    /// The terms of the item at work that are holes, and those around them.
    fn terms_with_holes(&mut self) -> HashSet<TermId> {
        let item = self.item;
        let mut holes = Vec::new();
        for (id, term) in item.terms.iter() {
            if let TermKind::Name(name) = term.kind
                && self.names_hole(id, name)
            {
                holes.push(id);
            }
        }
        let mut found = HashSet::new();
        if holes.is_empty() {
            return found;
        }
        let mut parents = ArenaMap::with_capacity(item.terms.len());
        for (id, term) in item.terms.iter() {
            for part in term.kind.sub_terms() {
                parents.insert(part, id);
            }
        }
        for hole in holes {
            let around = std::iter::successors(Some(hole), |term| parents.get(*term).copied());
            for term in around {
                if !found.insert(term) {
                    break;
                }
            }
        }
        found
    }

    /// Whether a name in the place of a term means nothing, and says so.
    fn names_hole(&mut self, term: TermId, name: Name) -> bool {
        name.symbol.is_wildcard()
            || name.symbol.as_str().starts_with('_')
                && self.body.scopes.read_by(term).is_none()
                && self.definition(name.symbol).is_none()
    }

    /// What the first operand of an operation must be, where `number` is what both must be.
    pub(super) fn first_operand(&mut self, first: TermId, number: Ty, beside: &mut Beside) -> Ty {
        if !self.may_give_anything(first) {
            return number;
        }
        let own = self.table.fresh_number();
        beside.first = Some(own);
        own
    }

    /// What the second operand must be, where the first says that it must be `wanted`.
    pub(super) fn second_operand(&mut self, second: TermId, wanted: Ty, beside: &mut Beside) -> Ty {
        let is_wrong = matches!(self.table.kind(wanted), TyKind::Error);
        if !is_wrong || !self.may_give_anything(second) && !self.is_call_with_holes(second) {
            return wanted;
        }
        let own = self.table.fresh_number();
        beside.alone.push(own);
        own
    }

    /// Both operands have been looked at: a hole that is the first one is what the second is, if nothing is wrong with that.
    pub(super) fn operands_known(&mut self, number: Ty, beside: &mut Beside) {
        let Some(first) = beside.first.take() else {
            return;
        };
        match self.table.kind(number) {
            TyKind::Error => beside.alone.push(first),
            // Nothing has decided the hole yet, so this never fails.
            _ => _ = self.table.unify(first, number),
        }
    }

    /// Holes beside what is wrong are of the type that the place of all the arithmetic needs.
    pub(super) fn holes_beside(&mut self, beside: Beside, expected: Ty) {
        if !matches!(self.table.kind(expected), TyKind::Int | TyKind::Float) {
            return;
        }
        for hole in beside.alone {
            // Each is a number that nothing has decided.
            _ = self.table.unify(hole, expected);
        }
    }

    /// A call with too many arguments or too few gives nothing, and would give what its place needs: that says more of the
    /// holes in it. Nothing else is told of the call then, whatever comes of this. Gives whether the place is decided by that,
    /// too.
    pub(super) fn place_of_call(&mut self, term: TermId, expected: Ty) -> bool {
        let is_open = self.table.is_number_meta(expected);
        match &self.item.terms[term].kind {
            TermKind::Adapted { body, .. } => self.place_of_call(*body, expected),
            TermKind::Apply { head, args } => {
                let args = self.arguments_of(term, args).len();
                let function = self.body.types.get(*head).copied();
                let kind = function.map(|function| self.table.kind(function));
                if let Some(TyKind::Computation(called)) = kind
                    && called.ports.len() != args
                {
                    return self.decided_by_place(expected, called.result) && is_open;
                }
                false
            }
            _ => false,
        }
    }

    /// Takes what a place needs as what would stand there, if that is possible and says anything. What is not decided yet in
    /// the place stays so: what stands there is wrong.
    pub(super) fn decided_by_place(&mut self, expected: Ty, given: Ty) -> bool {
        let is_known = self.table.is_number_meta(expected)
            || !matches!(self.table.kind(expected), TyKind::Error) && !self.table.is_open(expected);
        // Where they differ all stays as it is.
        is_known && self.table.unify(expected, given).is_ok()
    }
}
