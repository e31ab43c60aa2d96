//! `yield! x`, `map showInt! xs`: the `!` runs what takes no arguments, and this takes some.

use frank_syntax::ast::{TermId, TermKind};

use super::Reporter;
use super::words::count;
use crate::db::{ItemSource, item};
use crate::diagnostics::{Code, Diagnostic, Edit, Location, Position};
use crate::fixes;
use crate::infer::problem::{Mark, Problem};
use crate::surroundings::Parent;
use crate::types::TyKind;

/// A forced name that takes arguments.
enum ForcedCall {
    /// They stand behind it: `yield! x`.
    Head,
    /// They stand behind it, and another call takes them: `print showInt! 3`.
    Argument { call: TermId, last: TermId },
    /// It is handed to what gives it some: `map showInt! xs`.
    Handed,
}

impl Reporter<'_> {
    /// Finds forced names that take arguments, with as many terms behind them or where a function is needed.
    pub(super) fn forced_with_arguments(&mut self, problems: &[Problem]) {
        for problem in problems {
            let Problem::ArgumentCount {
                source,
                node,
                head,
                definition,
                wanted,
                given: 0,
                ..
            } = problem
            else {
                continue;
            };
            let Some(forced) = self.forced_call(*source, *head, *wanted, problems) else {
                continue;
            };
            let Some(mut fix) = fixes::leave_out_force(self.db, *source, *node) else {
                continue;
            };
            let name = self.head_text(*source, *head, *definition);
            self.settled.insert(problem.mark());
            let mut help = "leave out the `!`";
            match forced {
                ForcedCall::Head => {}
                ForcedCall::Handed => help = "leave out the `!` to hand it over",
                ForcedCall::Argument { call, last } => {
                    self.settled
                        .extend(self.miscounted_call(*source, call, problems));
                    let Some((last, _)) = self.whole(*source, last) else {
                        continue;
                    };
                    help = "leave out the `!`, and put parentheses around the call";
                    let edit = |location, position, text: &str| Edit {
                        location,
                        position,
                        text: text.to_owned(),
                    };
                    let first = Location::node(*source, *node);
                    fix.edits.insert(0, edit(first, Position::Before, "("));
                    fix.edits.push(edit(last, Position::After, ")"));
                    fix.title = help.to_owned();
                }
            }
            let finding = Diagnostic::new(
                Code::WrongArgumentCount,
                Location::node(*source, *node),
                format!(
                    "`!` runs what takes no arguments, and {name} takes {}",
                    count(*wanted, "arguments")
                ),
            )
            .help(help);
            self.found.push(finding.fix(fix));
        }
    }

    fn forced_call(
        &self,
        source: ItemSource,
        head: TermId,
        wanted: usize,
        problems: &[Problem],
    ) -> Option<ForcedCall> {
        let item = item(self.db, source);
        let surroundings = self.surroundings(source);
        let parent = |term| match surroundings.parent(term)? {
            Parent::Term(parent) => Some(parent),
            Parent::Clause { .. } => None,
        };
        let forced = parent(head)?;
        let around = parent(forced)?;
        let TermKind::Apply { head: called, args } = &item.terms[around].kind else {
            return None;
        };
        if *called == forced {
            return (args.len() == wanted).then_some(ForcedCall::Head);
        }
        let own = args.iter().position(|arg| *arg == forced)?;
        if self.takes_function(source, *called, own, wanted) {
            return Some(ForcedCall::Handed);
        }
        let last = *args.get(own + wanted)?;
        self.miscounted_call(source, around, problems)?;
        Some(ForcedCall::Argument { call: around, last })
    }

    /// Whether the port of what is called at a position takes a function of so many arguments.
    fn takes_function(
        &self,
        source: ItemSource,
        called: TermId,
        index: usize,
        arguments: usize,
    ) -> bool {
        let table = &self.inference.table;
        let function = self
            .inference
            .body(source)
            .and_then(|body| body.types.get(called));
        let port = function.and_then(|ty| match table.kind(*ty) {
            TyKind::Computation(function) => Some(function.ports.get(index)?.ty),
            _ => None,
        });
        port.is_some_and(|port| match table.kind(port) {
            TyKind::Computation(taken) => taken.ports.len() == arguments,
            _ => false,
        })
    }

    /// The problem that a call has more arguments than it takes.
    fn miscounted_call(
        &self,
        source: ItemSource,
        call: TermId,
        problems: &[Problem],
    ) -> Option<Mark> {
        let TermKind::Apply { head: called, args } = &item(self.db, source).terms[call].kind else {
            return None;
        };
        problems.iter().find_map(|problem| match problem {
            Problem::ArgumentCount {
                source: place,
                head,
                wanted,
                ..
            } if (place, head) == (&source, called) && *wanted < args.len() => Some(problem.mark()),
            _ => None,
        })
    }
}
