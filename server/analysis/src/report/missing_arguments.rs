//! Arguments that a call lacks: which of them, and what is wrong with the others for that reason.

use frank_syntax::ast::{TermId, TermKind};

use super::Reporter;
use super::words::article;
use crate::db::{ItemSource, item};
use crate::declarations::signature;
use crate::infer::problem::{Expectation, Problem};
use crate::performs::Performs;
use crate::program::TermDef;
use crate::surroundings::Parent;
use crate::types::{Port, Ty, TyKind};

impl Reporter<'_> {
    /// The port that a call has no argument for: the last one, unless what is given fits the others only
    /// without an earlier one.
    pub(super) fn left_over(
        &mut self,
        (source, head, definition): (ItemSource, TermId, Option<TermDef>),
        ports: &[Port],
        given: usize,
    ) -> usize {
        let Some(Parent::Term(call)) = self.surroundings(source).parent(head) else {
            return given;
        };
        let (TermKind::Apply { args, .. }, Some(body)) = (
            &item(self.db, source).terms[call].kind,
            self.inference.body(source),
        ) else {
            return given;
        };
        let item = item(self.db, source);
        let is_function = |arg: &TermId| matches!(item.terms[*arg].kind, TermKind::Thunk { .. });
        // What is in braces has been read as what its wrong place needs.
        let types: Vec<Option<Ty>> = args
            .iter()
            .map(|arg| body.types.get(*arg).copied().filter(|_| !is_function(arg)))
            .collect();
        if ports.len() != given + 1 || types.len() != given {
            return given;
        }
        let mut performs = Performs::new(self.db, item, body);
        // Whether an argument performs what a port handles, if it handles something.
        let mut is_handled = |arg: TermId, port: &Port| {
            let mut handled = port.interfaces();
            handled.any(|interface| !performs.never(arg, interface))
        };
        let table = &self.inference.table;
        let mut fitting: Vec<usize> = (0..ports.len()).rev().collect();
        // What is written in braces is no value.
        fitting.retain(|left| {
            let others = ports.iter().enumerate().filter(|(index, _)| index != left);
            others.zip(args).all(|((_, port), arg)| {
                let is_value = matches!(
                    table.kind(port.ty),
                    TyKind::Int | TyKind::Float | TyKind::Char | TyKind::Data(..)
                );
                !(is_value && is_function(arg))
            })
        });
        let handled: Vec<usize> = fitting
            .iter()
            .copied()
            .filter(|left| {
                let others = ports.iter().enumerate().filter(|(index, _)| index != left);
                let mut pairs = others.zip(args);
                pairs.any(|((_, port), arg)| is_handled(*arg, port))
            })
            .collect();
        let mut candidates = handled;
        if !candidates
            .iter()
            .any(|left| self.fits_without(definition, ports, *left, &types))
        {
            candidates = fitting;
        }
        candidates.retain(|left| self.fits_without(definition, ports, *left, &types));
        let most = candidates
            .iter()
            .map(|left| self.alike(definition, *left, &types))
            .max();
        let found = candidates
            .iter()
            .find(|left| Some(self.alike(definition, **left, &types)) == most);
        found.copied().unwrap_or(given)
    }

    /// How many arguments are data where the signature says which data is taken, if the port `left` has none.
    fn alike(&self, definition: Option<TermDef>, left: usize, types: &[Option<Ty>]) -> usize {
        let declared = match definition {
            Some(TermDef::Operator(operator)) => {
                signature(self.db, operator.0.scope, operator.0.name).as_ref()
            }
            _ => None,
        };
        let Some(declared) = declared else { return 0 };
        let ports = declared.computation.ports.iter().enumerate();
        let others = ports.filter(|(index, _)| *index != left);
        let is_data = |port: &Port, ty: Option<Ty>| {
            let taken = declared.types.kind(port.ty);
            let given = ty.map(|ty| self.inference.table.kind(ty));
            matches!((taken, given), (TyKind::Data(one, _), Some(TyKind::Data(other, _))) if one == other)
        };
        others
            .zip(types)
            .filter(|((_, port), ty)| is_data(port, **ty))
            .count()
    }

    /// The type of the port that a call has no argument for, as the other arguments decide it: what they were read
    /// as in wrong places does not count.
    pub(super) fn type_left_over(
        &mut self,
        (source, head, definition): (ItemSource, TermId, Option<TermDef>),
        left: usize,
    ) -> Option<String> {
        let Some(TermDef::Operator(operator)) = definition else {
            return None;
        };
        let Some(Parent::Term(call)) = self.surroundings(source).parent(head) else {
            return None;
        };
        let TermKind::Apply { args, .. } = &item(self.db, source).terms[call].kind else {
            return None;
        };
        let types: Vec<Option<Ty>> = args.iter().map(|arg| self.type_of(source, *arg)).collect();
        let declared = signature(self.db, operator.0.scope, operator.0.name).as_ref()?;
        let table = &mut self.inference.table;
        let before = table.snapshot();
        let ports = table.instantiate(declared).ports;
        let others = ports.iter().enumerate().filter(|(index, _)| *index != left);
        let mut pairs = others.map(|(_, port)| port.ty).zip(types);
        let fits = pairs.all(|(port, ty)| ty.is_none_or(|ty| table.unify(port, ty).is_ok()));
        let ty = ports.get(left).filter(|_| fits).map(|port| port.ty);
        let text = ty.map(|ty| match self.is_unknown(ty) {
            true => "a value of any type".to_owned(),
            false => article(&self.ty(ty)),
        });
        self.inference.table.rollback(before);
        text
    }

    /// Settles what is wrong with arguments that stand in each other's place because one before them is missing.
    pub(super) fn moved_arguments(&mut self, problems: &[Problem]) {
        for problem in problems {
            let Problem::ArgumentCount {
                source,
                head,
                definition,
                function,
                wanted,
                given,
                ..
            } = problem
            else {
                continue;
            };
            let ports = match self.inference.table.kind(*function) {
                TyKind::Computation(computation) => computation.ports.clone(),
                _ => continue,
            };
            if given + 1 != *wanted
                || self.left_over((*source, *head, *definition), &ports, *given) == *given
            {
                continue;
            }
            let Some(Parent::Term(call)) = self.surroundings(*source).parent(*head) else {
                continue;
            };
            let TermKind::Apply { args, .. } = &item(self.db, *source).terms[call].kind else {
                continue;
            };
            let is_moved = |other: &&Problem| match other {
                Problem::ThunkForValue { term, .. } => args.contains(term),
                Problem::Mismatch {
                    origin: Expectation::Argument { call: other, .. },
                    ..
                } => *other == call,
                _ => false,
            };
            let here = problems.iter().filter(|other| other.source() == *source);
            self.settled
                .extend(here.filter(is_moved).map(Problem::mark));
        }
    }

    /// Whether a computation can stand where a call does, as far as its surroundings say.
    pub(super) fn may_be_suspended(&self, source: ItemSource, head: TermId) -> bool {
        let surroundings = self.surroundings(source);
        let item = item(self.db, source);
        let Some(Parent::Term(mut term)) = surroundings.parent(head) else {
            return false;
        };
        loop {
            let parent = match surroundings.parent(term) {
                Some(Parent::Term(parent)) => parent,
                Some(Parent::Clause { .. }) => return false,
                None => {
                    let result = self.inference.computation.as_ref().map(|own| own.result);
                    return result.is_none_or(|ty| self.takes_computation(ty));
                }
            };
            match &item.terms[parent].kind {
                TermKind::Let { bound, .. } if *bound == term => return true,
                TermKind::Let { .. } | TermKind::Sequence { .. } => term = parent,
                TermKind::Apply { head, args } => {
                    let index = args.iter().position(|arg| *arg == term);
                    let port = self.type_of(source, *head).and_then(|ty| {
                        match self.inference.table.kind(ty) {
                            TyKind::Computation(taken) => {
                                taken.ports.get(index?).map(|port| port.ty)
                            }
                            _ => None,
                        }
                    });
                    return port.is_some_and(|ty| self.takes_computation(ty));
                }
                _ => return false,
            }
        }
    }

    fn takes_computation(&self, ty: Ty) -> bool {
        matches!(
            self.inference.table.kind(ty),
            TyKind::Computation(_) | TyKind::Meta(_) | TyKind::Error
        )
    }

    /// Whether arguments of these types fit the ports but for one. What the arguments have decided in their
    /// wrong places does not count where a signature says the types.
    fn fits_without(
        &mut self,
        definition: Option<TermDef>,
        ports: &[Port],
        left: usize,
        types: &[Option<Ty>],
    ) -> bool {
        let declared = match definition {
            Some(TermDef::Operator(operator)) => {
                signature(self.db, operator.0.scope, operator.0.name).as_ref()
            }
            _ => None,
        };
        let table = &mut self.inference.table;
        let before = table.snapshot();
        let ports = match declared {
            Some(declared) => table.instantiate(declared).ports,
            None => ports.to_vec(),
        };
        let others = ports.iter().enumerate().filter(|(index, _)| *index != left);
        let mut pairs = others.map(|(_, port)| port.ty).zip(types);
        let fits = pairs.all(|(port, ty)| ty.is_none_or(|ty| table.unify(port, ty).is_ok()));
        table.rollback(before);
        fits
    }
}
