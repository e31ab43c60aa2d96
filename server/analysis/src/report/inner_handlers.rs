//! `d {x -> evaluate (square x)} 3` for `evaluate (d {x -> square x} 3)`: a handler that stands inside of what a call
//! takes, and belongs around the call.

use frank_syntax::ast::{TermId, TermKind};

use super::Reporter;
use super::roots::place;
use super::swapped::MOST_CALLS;
use crate::db::{ItemSource, item};
use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Location, Position};
use crate::infer::hypothesis::Change;
use crate::infer::problem::Problem;
use crate::program::InterfaceDef;

impl Reporter<'_> {
    /// Finds calls that lack what a handler in a computation which they are given handles, where its argument is
    /// wrong under it and right without.
    pub(super) fn handled_inside(&mut self, problems: &[Problem]) {
        for problem in problems {
            let mark = problem.mark();
            let Some(interface) = self.missing_interface(problem) else {
                continue;
            };
            let Problem::Ability { source, head, .. } = problem else {
                continue;
            };
            let (source, head) = (*source, *head);
            let Some(call) = self.surroundings(source).ancestors(head).next() else {
                continue;
            };
            if self.settled.contains(&mark) {
                continue;
            }
            for (handler, index) in self.handlers_inside(source, call, head, interface) {
                let inside = self.problems_in(source, handler, problems);
                if inside.is_empty() {
                    continue;
                }
                let Some(trial) = self.try_out(source, handler, Change::Argument(index)) else {
                    return;
                };
                if !inside.iter().all(|mark| trial.solves(*mark)) {
                    continue;
                }
                let finding = self.belongs_around(source, (handler, index), call);
                if let Some(finding) = finding {
                    // What is wrong in the handler's argument is so because of where the handler stands.
                    let misfit = problems.iter().find(|one| inside.contains(&one.mark()));
                    let finding = match misfit.map(|one| place(self.db, one)) {
                        Some(at) => finding.related(at, "this does not fit under it"),
                        None => finding,
                    };
                    self.settled.extend(inside);
                    self.settled.insert(mark);
                    self.found.push(finding);
                    break;
                }
            }
        }
    }

    /// The calls in the braces that a call is given whose operators handle an interface, each with the position of
    /// what it handles.
    fn handlers_inside(
        &self,
        source: ItemSource,
        call: TermId,
        own: TermId,
        interface: InterfaceDef,
    ) -> Vec<(TermId, usize)> {
        let item = item(self.db, source);
        let surroundings = self.surroundings(source);
        let is_inside = |term: TermId| {
            let mut around = surroundings.ancestors(term).take_while(|one| *one != call);
            around.any(|one| matches!(item.terms[one].kind, TermKind::Thunk { .. }))
                && surroundings.ancestors(term).any(|one| one == call)
        };
        let calls = item.terms.iter().filter_map(|(term, data)| {
            let TermKind::Apply { head, args } = &data.kind else {
                return None;
            };
            let fits = *head != own
                && !args.is_empty()
                && is_inside(term)
                && self.handles(source, term, interface);
            fits.then(|| (term, args.len() - 1))
        });
        calls.take(MOST_CALLS).collect()
    }

    fn belongs_around(
        &self,
        source: ItemSource,
        (handler, index): (TermId, usize),
        call: TermId,
    ) -> Option<Diagnostic> {
        let terms = &item(self.db, source).terms;
        let at = |term: TermId| Location::node(source, terms[term].id);
        let TermKind::Apply { head, args } = &terms[handler].kind else {
            return None;
        };
        let TermKind::Apply { head: outer, .. } = &terms[call].kind else {
            return None;
        };
        let text = source.text(self.db);
        let from = at(handler).in_item(self.db).start();
        let argument = *args.get(index)?;
        let (argument_at, argument) = self.whole(source, argument)?;
        let before = text.get(from.into()..argument_at.in_item(self.db).start().into())?;
        let (whole, _) = self.whole(source, handler)?;
        let names = [*head, *outer]
            .map(|term| self.head_text(source, term, self.definition_of(source, term)));
        let [inner, outer] = names;
        let problem = Diagnostic::new(
            Code::MissingAbility,
            at(*head),
            format!(
                "{inner} stands inside of what {outer} is given, and {outer} needs what it handles"
            ),
        )
        .help(format!("put it around the call of {outer}"));
        let edit = |location, position, text: String| Edit {
            location,
            position,
            text,
        };
        Some(problem.fix(Fix {
            title: format!("put {inner} around the call of {outer}"),
            edits: vec![
                edit(at(call), Position::Before, format!("{before}(")),
                edit(whole, Position::Replace, argument),
                edit(at(call), Position::After, ")".to_owned()),
            ],
            safe: false,
        }))
    }
}
