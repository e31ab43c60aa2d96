//! Calls that end too soon: in `if x > y {a} {b}` the operator ends the call of `if`.

use frank_syntax::ast::{TermId, TermKind};

use super::Reporter;
use super::roots::place;
use super::words::count;
use crate::db::{ItemSource, item};
use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Location, Position};
use crate::infer::problem::{Mark, Problem};
use crate::surroundings::Parent;

/// A call with too few arguments, an operator behind it, and the rest behind that.
struct EndedCall {
    operation: TermId,
    operator: Location,
    symbol: &'static str,
    /// The argument before the operator and what stands behind it: with it they should be one argument.
    operands: [TermId; 2],
    /// The arguments that the call has not got.
    rest: Vec<TermId>,
}

impl Reporter<'_> {
    /// Finds calls that an operator ends before all arguments are there, where those that are missing
    /// stand behind it. All that is wrong in the operation follows from that.
    pub(super) fn ended_calls(&mut self, problems: &[Problem]) {
        for problem in problems {
            let Problem::ArgumentCount {
                source,
                head,
                definition,
                wanted,
                given,
                ..
            } = problem
            else {
                continue;
            };
            let Some(ended) = self.ended_call(*source, *head, wanted.saturating_sub(*given)) else {
                continue;
            };
            let name = self.head_text(*source, *head, *definition);
            let symbol = ended.symbol;
            let mut finding = Diagnostic::new(
                Code::WrongArgumentCount,
                ended.operator,
                format!(
                    "`{symbol}` ends the call of {name}, which takes {}",
                    count(*wanted, "arguments")
                ),
            )
            .help(format!(
                "an argument with an operator in it stands in parentheses: `(a {symbol} b)`"
            ));
            let is_suspended = |term: &TermId| {
                matches!(
                    item(self.db, *source).terms[*term].kind,
                    TermKind::Thunk { .. }
                )
            };
            // Whether the rest fits is not known.
            finding.undecided = !ended.rest.iter().all(is_suspended);
            self.settled
                .extend(self.problems_in(*source, ended.operation, problems));
            self.found
                .push(match self.in_parentheses(*source, ended.operands) {
                    Some(fix) => finding.fix(fix),
                    None => finding,
                });
        }
    }

    fn ended_call(&self, source: ItemSource, head: TermId, missing: usize) -> Option<EndedCall> {
        if missing == 0 {
            return None;
        }
        let terms = &item(self.db, source).terms;
        let surroundings = self.surroundings(source);
        let parent = |term| match surroundings.parent(term)? {
            Parent::Term(parent) => Some(parent),
            Parent::Clause { .. } => None,
        };
        let call = parent(head)?;
        let TermKind::Apply { args: given, .. } = &terms[call].kind else {
            return None;
        };
        let mut operation = parent(call)?;
        let mut left_part = call;
        // In `if x + 1 > y {a} {b}` the rest is behind the second operator.
        loop {
            let TermKind::Binary {
                operator,
                operator_id,
                left,
                right,
            } = &terms[operation].kind
            else {
                return None;
            };
            if *left != left_part || self.is_parenthesised(source, left_part) {
                return None;
            }
            match &terms[*right].kind {
                TermKind::Apply {
                    head: operand,
                    args: rest,
                } if rest.len() == missing && !self.is_parenthesised(source, *right) => {
                    return Some(EndedCall {
                        operation,
                        operator: Location::node(source, *operator_id),
                        symbol: operator.symbol(),
                        operands: [*given.last()?, *operand],
                        rest: rest.clone(),
                    });
                }
                _ => (left_part, operation) = (operation, parent(operation)?),
            }
        }
    }

    /// The problems in a term, and those about it.
    fn problems_in(&self, source: ItemSource, term: TermId, problems: &[Problem]) -> Vec<Mark> {
        let whole = Location::node(source, item(self.db, source).terms[term].id).in_item(self.db);
        let inside = problems
            .iter()
            .filter(|problem| {
                let at = place(self.db, problem);
                at.item == source && whole.contains_range(at.in_item(self.db))
            })
            .map(Problem::mark);
        inside.collect()
    }

    /// Puts parentheses around what reaches from one term to another.
    fn in_parentheses(&self, source: ItemSource, [first, last]: [TermId; 2]) -> Option<Fix> {
        let edit = |term, position, text: &str| {
            let (location, _) = self.whole(source, term)?;
            Some(Edit {
                location,
                position,
                text: text.to_owned(),
            })
        };
        Some(Fix {
            title: "put parentheses around the argument".to_owned(),
            edits: vec![
                edit(first, Position::Before, "(")?,
                edit(last, Position::After, ")")?,
            ],
            safe: false,
        })
    }
}
