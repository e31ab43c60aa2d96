//! One argument that stands before or behind others which it should stand behind or before.

use frank_syntax::ast::{TermId, TermKind};

use super::Reporter;
use super::swapped::Call;
use super::words::ordinal;
use crate::db::{ItemSource, item};
use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Location, Position};
use crate::infer::hypothesis::Change;
use crate::infer::problem::{Mark, Problem};
use crate::types::TyKind;

impl Reporter<'_> {
    /// A call with several arguments that do not fit, all of which do if one of them stands in another place and
    /// the others keep their order.
    pub(super) fn moved_one(&mut self, problems: &[Problem], (source, call): Call, count: usize) {
        let surroundings = self.surroundings(source);
        let is_argument = |problem: &&Problem| {
            let (Problem::Mismatch {
                source: here,
                term: Some(term),
                ..
            }
            | Problem::ThunkForValue {
                source: here, term, ..
            }) = problem
            else {
                return false;
            };
            let argument = surroundings.argument_of(item(self.db, source), *term);
            *here == source && argument.is_some_and(|(other, _)| other == call)
        };
        let misfits: Vec<Mark> = problems
            .iter()
            .filter(is_argument)
            .map(Problem::mark)
            .collect();
        if misfits.len() < 2 {
            return;
        }
        // Those beside each other have been exchanged before.
        let ways = (0..count)
            .flat_map(|from| (0..count).map(move |to| (from, to)))
            .filter(|(from, to)| from.abs_diff(*to) > 1);
        let mut fitting = Vec::new();
        for (from, to) in ways {
            let change = Change::Move((source, call), from, to);
            let Some(trial) = self.try_out(source, call, change) else {
                return;
            };
            if misfits.iter().all(|mark| trial.solves(*mark)) {
                fitting.push((from, to, trial.solved));
            }
        }
        // Nobody knows which of two is meant.
        if fitting.len() == 1
            && let Some((from, to, solved)) = fitting.pop()
            && let Some(finding) = self.move_argument(source, call, from, to)
        {
            self.settled.extend(solved);
            self.found.push(finding);
        }
    }

    /// Of two arguments in each other's place, the one that is to move, and where to: those between keep their
    /// order with the other one, whose place is of their type.
    pub(super) fn moved(
        &self,
        source: ItemSource,
        head: TermId,
        (a, b): (usize, usize),
    ) -> Option<(usize, usize)> {
        let function = self.type_of(source, head)?;
        let table = &self.inference.table;
        let TyKind::Computation(function) = table.kind(function) else {
            return None;
        };
        let port = |index: usize| function.ports.get(index).map(|port| table.kind(port.ty));
        let (first, last) = (port(a)?, port(b)?);
        let between = function.ports.get(a + 1..b)?;
        let is_alike = |one: &TyKind, other: &TyKind| match (one, other) {
            (TyKind::Data(one, _), TyKind::Data(other, _)) => one == other,
            _ => std::mem::discriminant(one) == std::mem::discriminant(other),
        };
        let are = |head| {
            between
                .iter()
                .all(|port| is_alike(table.kind(port.ty), head))
        };
        match (is_alike(first, last), are(first), are(last)) {
            _ if between.is_empty() => None,
            (false, true, false) => Some((a, b)),
            (false, false, true) => Some((b, a)),
            _ => None,
        }
    }

    /// The finding about an argument that stands before or behind others which it should stand behind or before.
    pub(super) fn move_argument(
        &self,
        source: ItemSource,
        call: TermId,
        from: usize,
        to: usize,
    ) -> Option<Diagnostic> {
        let item = item(self.db, source);
        let TermKind::Apply { head, args } = &item.terms[call].kind else {
            return None;
        };
        let definition = self.definition_of(source, *head);
        let name = self.head_text(source, *head, definition);
        let moving = *args.get(from)?;
        let mut problem = Diagnostic::new(
            Code::TypeMismatch,
            Location::node(source, item.terms[moving].id),
            format!("this is the {} argument of {name}", ordinal(to)),
        );
        if let Some(definition) = definition {
            problem = self.declared(problem, definition);
        }
        let way = if to < from { "before" } else { "behind" };
        problem = problem.help(format!("write it {way} the others, which keep their order"));
        let (low, high) = (from.min(to), from.max(to));
        let places = args.get(low..=high)?;
        let whole: Option<Vec<(Location, String)>> =
            places.iter().map(|arg| self.whole(source, *arg)).collect();
        let whole = whole?;
        let mut texts: Vec<String> = whole.iter().map(|(_, text)| text.clone()).collect();
        match to < from {
            true => texts.rotate_right(1),
            false => texts.rotate_left(1),
        }
        let edits = whole.iter().zip(texts).map(|((location, _), text)| Edit {
            location: *location,
            position: Position::Replace,
            text,
        });
        Some(problem.fix(Fix {
            title: format!("write it as the {} argument", ordinal(to)),
            edits: edits.collect(),
            safe: true,
        }))
    }
}
