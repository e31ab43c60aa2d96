//! Why a term has to have the type that it should have.

use frank_syntax::ast::{TermId, TermKind};

use super::Reporter;
use super::places::{field_node, is_own, port_node, result_node};
use super::words::ordinal;
use crate::db::{ItemSource, item};
use crate::declarations::signature;
use crate::diagnostics::{Diagnostic, Location};
use crate::infer::problem::Expectation;
use crate::program::TermDef;
use crate::surroundings::{Parent, is_atomic};
use crate::types::{Ty, TyKind};

impl Reporter<'_> {
    /// Says where an expectation comes from.
    pub(super) fn origin(
        &self,
        problem: Diagnostic,
        source: ItemSource,
        origin: Expectation,
        expected: Ty,
    ) -> Diagnostic {
        let wanted = self.ty(expected);
        let item = item(self.db, source);
        match origin {
            Expectation::Argument { call, index } => {
                let TermKind::Apply { head, .. } = &item.terms[call].kind else {
                    return problem;
                };
                let definition = self.definition_of(source, *head);
                if let Some(definition) = definition
                    && let Some((place, node)) = port_node(self.db, definition, index)
                    && is_own(self.db, place)
                {
                    return problem.related(
                        Location::node(place, node),
                        format!(
                            "`{wanted}` is required here: the {} port of `{}`",
                            ordinal(index),
                            definition.name()
                        ),
                    );
                }
                let name = self.head_text(source, *head, definition);
                problem.related(
                    Location::node(source, item.terms[*head].id),
                    format!(
                        "`{wanted}` is required by the {} port of {name}",
                        ordinal(index)
                    ),
                )
            }
            Expectation::Field { constructor, index } => {
                match field_node(self.db, constructor, index) {
                    Some((place, node)) if is_own(self.db, place) => problem.related(
                        Location::node(place, node),
                        format!(
                            "`{wanted}` is required here: the {} argument of `{}`",
                            ordinal(index),
                            constructor.name
                        ),
                    ),
                    _ => problem,
                }
            }
            Expectation::Result => {
                let Some(operator) = self.operator else {
                    return problem;
                };
                match result_node(self.db, operator) {
                    Some((place, node)) => problem.related(
                        Location::node(place, node),
                        format!(
                            "`{}` says here that its clauses give `{wanted}`",
                            operator.0.name
                        ),
                    ),
                    None => problem,
                }
            }
            Expectation::ThunkResult { thunk } => {
                if let Some(outer) = self.handed_on(source, thunk) {
                    return self.origin(problem, source, outer, expected);
                }
                let call = self.surroundings(source).argument_of(item, thunk);
                let Some((call, index)) = call else {
                    return problem;
                };
                let TermKind::Apply { head, .. } = &item.terms[call].kind else {
                    return problem;
                };
                let name = self.head_text(source, *head, self.definition_of(source, *head));
                problem.related(
                    Location::node(source, item.terms[*head].id),
                    format!(
                        "the {} port of {name} takes a computation that gives `{wanted}`",
                        ordinal(index)
                    ),
                )
            }
            Expectation::Operand { operation } => match &item.terms[operation].kind {
                TermKind::Binary {
                    operator_id,
                    operator,
                    ..
                } => problem.related(
                    Location::node(source, *operator_id),
                    format!(
                        "both operands of `{}` have one number type",
                        operator.symbol()
                    ),
                ),
                _ => problem,
            },
            Expectation::Element { list } => problem.related(
                Location::node(source, item.terms[list].id),
                "all elements of a list have one type",
            ),
            Expectation::Free | Expectation::LetMatch => problem,
        }
    }

    /// The name at the head of a call, in code marks, or `this`.
    pub(super) fn head_text(
        &self,
        source: ItemSource,
        head: TermId,
        definition: Option<TermDef>,
    ) -> String {
        let item = item(self.db, source);
        match (definition, &item.terms[head].kind) {
            (Some(definition), _) => format!("`{}`", definition.name()),
            (None, TermKind::Name(name)) => format!("`{}`", name.symbol),
            (None, _) => match self.term_text(source, head) {
                Some(text) if is_atomic(item, head) => format!("`{text}`"),
                Some(text) => format!("`({text})`"),
                None => "this".to_owned(),
            },
        }
    }

    /// What needs the result of a computation that is given to `case`, `if` or another operator that hands it
    /// on.
    fn handed_on(&self, source: ItemSource, thunk: TermId) -> Option<Expectation> {
        let item = item(self.db, source);
        let surroundings = self.surroundings(source);
        let (mut call, index) = surroundings.argument_of(item, thunk)?;
        let TermKind::Apply { head, .. } = &item.terms[call].kind else {
            return None;
        };
        if !self.gives_what_it_takes(source, *head, index) {
            return None;
        }
        loop {
            match surroundings.parent(call) {
                None => return self.operator.map(|_| Expectation::Result),
                Some(Parent::Clause { thunk, .. }) => {
                    let outer = self.handed_on(source, thunk);
                    return Some(outer.unwrap_or(Expectation::ThunkResult { thunk }));
                }
                Some(Parent::Term(parent)) => match &item.terms[parent].kind {
                    TermKind::Let { body, .. } if *body == call => call = parent,
                    TermKind::Sequence { second, .. } if *second == call => call = parent,
                    _ => return None,
                },
            }
        }
    }

    /// Whether an operator's result is that of the computation that one of its ports takes.
    fn gives_what_it_takes(&self, source: ItemSource, head: TermId, index: usize) -> bool {
        let Some(TermDef::Operator(operator)) = self.definition_of(source, head) else {
            return false;
        };
        let declared = signature(self.db, operator.0.scope, operator.0.name).as_ref();
        let taken = declared.and_then(|declared| {
            let port = declared.computation.ports.get(index)?;
            match declared.types.kind(port.ty) {
                TyKind::Computation(taken) => Some(declared.types.kind(taken.result)),
                _ => None,
            }
        });
        let given = declared.map(|declared| declared.types.kind(declared.computation.result));
        matches!((taken, given), (Some(TyKind::Variable(a)), Some(TyKind::Variable(b))) if a == b)
    }
}
