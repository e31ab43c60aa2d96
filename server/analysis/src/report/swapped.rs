//! Two arguments, patterns or elements the wrong way round.

use std::collections::{HashMap, HashSet};

use frank_syntax::ast::{BinaryOperator, Item, PatternId, PatternKind, TermId, TermKind};

use super::Reporter;
use super::words::ordinal;
use crate::db::{ItemSource, item};
use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Location, Position};
use crate::infer::hypothesis::Change;
use crate::infer::problem::{ClauseHead, Mark, Problem};
use crate::program::InterfaceDef;
use crate::surroundings::is_atomic;
use crate::types::{Adjustment, Arg, TyKind};

/// So many arguments of a call at most are tried out in each other's places.
const MOST_ARGUMENTS: usize = 4;

/// So many `::` of an operator at most are tried out the other way round.
const MOST_ELEMENTS: usize = 4;

/// So many calls around a problem at most are looked at.
pub(super) const MOST_CALLS: usize = 4;

/// A call, and the item that it is in.
pub(super) type Call = (ItemSource, TermId);

/// A call, the places of two of its arguments, and what is wrong with these.
type Pair = (Call, (usize, usize), [Mark; 2]);

fn is_cons(item: &Item, term: TermId) -> bool {
    matches!(
        item.terms[term].kind,
        TermKind::Binary {
            operator: BinaryOperator::Cons,
            ..
        }
    )
}

impl Reporter<'_> {
    /// Two arguments that fit in each other's place.
    pub(super) fn swapped_arguments(&mut self, problems: &[Problem]) {
        self.swapped_everywhere(problems);
        let mut tried: HashSet<(ItemSource, TermId)> = HashSet::new();
        for problem in problems {
            let mark = problem.mark();
            for (source, call) in self.calls_around(problem) {
                if self.settled.contains(&mark) || !tried.insert((source, call)) {
                    continue;
                }
                let TermKind::Apply { args, .. } = &item(self.db, source).terms[call].kind else {
                    continue;
                };
                let count = args.len().min(MOST_ARGUMENTS);
                let pairs = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
                for (a, b) in pairs {
                    if self.is_handled(source, call, a) || self.is_handled(source, call, b) {
                        continue;
                    }
                    let swap = Change::Swap([((source, call), (a, b))].into());
                    let Some(trial) = self.try_out(source, call, swap) else {
                        return;
                    };
                    // A single misfit may as well be any other mistake; a command that has a
                    // handler in the other place is none.
                    let is_ability = self
                        .missing_interface(problem)
                        .is_some_and(|interface| self.handles(source, call, interface));
                    // `Ref (Ref Int)` is needed where the other one is a `Ref Int`: the other one belongs there.
                    let is_circular = self.holds_other(problem, source, args, (a, b));
                    if trial.solves(mark) && (is_ability || is_circular || trial.solved.len() > 1) {
                        self.settled.extend(trial.solved);
                        let finding = self.exchange(source, call, a, b);
                        self.found.extend(finding);
                        break;
                    }
                }
                if !self.settled.contains(&mark) {
                    self.moved_one(problems, (source, call), count);
                }
            }
        }
    }

    /// Calls two of whose arguments do not fit where they stand: where there are several, all are
    /// tried out together, and halves of them where that is not right. What is left alone is for
    /// a look at each problem.
    fn swapped_everywhere(&mut self, problems: &[Problem]) {
        let mut work = vec![self.misfits_in_pairs(problems)];
        while let Some(pairs) = work.pop() {
            let [(first, ..), _, ..] = pairs[..] else {
                continue;
            };
            let swaps = pairs.iter().map(|(call, places, _)| (*call, *places));
            let (source, term) = first;
            let Some(trial) = self.try_out(source, term, Change::Swap(swaps.collect())) else {
                return;
            };
            let mut marks = pairs.iter().flat_map(|(_, _, marks)| marks);
            if marks.all(|mark| trial.solves(*mark)) {
                self.settled.extend(trial.solved);
                for ((source, call), (a, b), _) in pairs {
                    let finding = self.exchange(source, call, a, b);
                    self.found.extend(finding);
                }
            } else {
                let (one, other) = pairs.split_at(pairs.len() / 2);
                work.extend([other.to_vec(), one.to_vec()]);
            }
        }
    }

    /// The calls with exactly two arguments that do not fit, in order.
    fn misfits_in_pairs(&self, problems: &[Problem]) -> Vec<Pair> {
        let mut calls: Vec<(ItemSource, TermId)> = Vec::new();
        let mut misfits: HashMap<(ItemSource, TermId), Vec<(usize, Mark)>> = HashMap::new();
        for problem in problems {
            let (Problem::Mismatch {
                source,
                term: Some(term),
                ..
            }
            | Problem::ThunkForValue { source, term, .. }) = problem
            else {
                continue;
            };
            let surroundings = self.surroundings(*source);
            let Some((call, place)) = surroundings.argument_of(item(self.db, *source), *term)
            else {
                continue;
            };
            let known = misfits.entry((*source, call)).or_default();
            if known.is_empty() {
                calls.push((*source, call));
            }
            known.push((place, problem.mark()));
        }
        let pair = |call: (ItemSource, TermId)| match misfits.get(&call).map(Vec::as_slice) {
            Some([(a, first), (b, second)]) if a != b && a.max(b) < &MOST_ARGUMENTS => {
                Some((call, (*a.min(b), *a.max(b)), [*first, *second]))
            }
            _ => None,
        };
        calls.into_iter().filter_map(pair).collect()
    }

    /// Whether what is called has a port that adds an instance of an interface.
    pub(super) fn handles(
        &self,
        source: ItemSource,
        call: TermId,
        interface: InterfaceDef,
    ) -> bool {
        let TermKind::Apply { head, .. } = &item(self.db, source).terms[call].kind else {
            return false;
        };
        let body = self.inference.body(source);
        let Some(ty) = body.and_then(|body| body.types.get(*head)) else {
            return false;
        };
        let TyKind::Computation(function) = self.inference.table.kind(*ty) else {
            return false;
        };
        let mut adjustments = function
            .ports
            .iter()
            .flat_map(|port| port.adjustments.iter());
        adjustments.any(|adjustment| {
            matches!(adjustment, Adjustment::Instance(instance) if instance.interface == interface)
        })
    }

    /// Whether what is needed in the place of one of two arguments is data of what the other one is.
    fn holds_other(
        &self,
        problem: &Problem,
        source: ItemSource,
        args: &[TermId],
        (a, b): (usize, usize),
    ) -> bool {
        let Problem::Mismatch {
            term: Some(term),
            expected,
            ..
        } = problem
        else {
            return false;
        };
        let other = match args.iter().position(|arg| arg == term) {
            Some(own) if own == a => b,
            Some(own) if own == b => a,
            _ => return false,
        };
        let ty = args.get(other).and_then(|arg| self.type_of(source, *arg));
        let table = &self.inference.table;
        let TyKind::Data(data, parts) = table.kind(*expected) else {
            return false;
        };
        ty.is_some_and(|ty| {
            let same = matches!(table.kind(ty), TyKind::Data(other, _) if other == data);
            let shown = self.ty(ty);
            same && parts
                .iter()
                .any(|part| matches!(part, Arg::Type(part) if self.ty(*part) == shown))
        })
    }

    /// Whether an argument of a call performs what its port handles: it stands where it should.
    fn is_handled(&self, source: ItemSource, call: TermId, index: usize) -> bool {
        let item = item(self.db, source);
        let TermKind::Apply { head, args } = &item.terms[call].kind else {
            return false;
        };
        let body = self.inference.body(source);
        let ty = body.and_then(|body| body.types.get(*head));
        let (Some(ty), Some(arg)) = (ty, args.get(index)) else {
            return false;
        };
        let TyKind::Computation(function) = self.inference.table.kind(*ty) else {
            return false;
        };
        let Some(port) = function.ports.get(index) else {
            return false;
        };
        let handled: Vec<InterfaceDef> = port.added().map(|added| added.interface).collect();
        if handled.is_empty() {
            return false;
        }
        let surroundings = self.surroundings(source);
        let mut inside = item.terms.iter().map(|(term, _)| term).filter(|term| {
            *term == *arg || surroundings.ancestors(*term).any(|around| around == *arg)
        });
        inside.any(|term| {
            matches!(item.terms[term].kind, TermKind::Name(_))
                && self
                    .interfaces_of(source, item, term)
                    .iter()
                    .any(|interface| handled.contains(interface))
        })
    }

    /// The calls whose arguments may be the wrong way round where there is a problem: the one that
    /// it is about, and those that it stands in.
    fn calls_around(&self, problem: &Problem) -> Vec<(ItemSource, TermId)> {
        let (source, term) = match problem {
            Problem::Mismatch {
                source,
                term: Some(term),
                ..
            }
            | Problem::ThunkForValue { source, term, .. }
            | Problem::PatternCount {
                source,
                head: ClauseHead::Thunk(term),
                ..
            }
            | Problem::NoInstance { source, term, .. }
            | Problem::Ability {
                source, head: term, ..
            } => (*source, *term),
            Problem::InvalidAdaptor { source, node, .. } => {
                let mut terms = item(self.db, *source).terms.iter();
                let adapted = terms.find(|(_, term)| match &term.kind {
                    TermKind::Adapted { adaptors, .. } => adaptors.iter().any(|a| a.id == *node),
                    _ => false,
                });
                match adapted {
                    Some((term, _)) => (*source, term),
                    None => return Vec::new(),
                }
            }
            _ => return Vec::new(),
        };
        let item = item(self.db, source);
        let surroundings = self.surroundings(source);
        let is_call = |term: &TermId| matches!(&item.terms[*term].kind, TermKind::Apply { args, .. } if args.len() > 1);
        std::iter::once(term)
            .chain(surroundings.ancestors(term))
            .filter(is_call)
            .take(MOST_CALLS)
            .map(|call| (source, call))
            .collect()
    }

    /// `{x acc -> …}` for `{acc x -> …}`.
    pub(super) fn swapped_patterns(&mut self, problems: &[Problem]) {
        let mut tried: HashSet<(ItemSource, TermId)> = HashSet::new();
        for problem in problems {
            let Problem::Mismatch {
                source,
                term: Some(term),
                ..
            } = problem
            else {
                continue;
            };
            let mark = problem.mark();
            let item = item(self.db, *source);
            let Some(thunk) = self.surroundings(*source).thunk_around(*term) else {
                continue;
            };
            let TermKind::Thunk { clauses } = &item.terms[thunk].kind else {
                continue;
            };
            let [clause] = &clauses[..] else { continue };
            let [first, second] = clause.patterns[..] else {
                continue;
            };
            let is_name =
                |pattern: PatternId| matches!(item.patterns[pattern].kind, PatternKind::Name(_));
            if self.settled.contains(&mark)
                || !(is_name(first) && is_name(second))
                || !tried.insert((*source, thunk))
            {
                continue;
            }
            let swap = Change::Swap([((*source, thunk), (0, 1))].into());
            let Some(trial) = self.try_out(*source, thunk, swap) else {
                return;
            };
            // A single misfit may as well be any other mistake.
            if trial.solves(mark) && trial.solved.len() > 1 {
                let finding = self.exchanged_patterns(*source, (first, second));
                self.settled.extend(trial.solved);
                self.found.push(finding);
            }
        }
    }

    fn exchanged_patterns(
        &self,
        source: ItemSource,
        (first, second): (PatternId, PatternId),
    ) -> Diagnostic {
        let patterns = &item(self.db, source).patterns;
        let (first, second) = (
            Location::node(source, patterns[first].id),
            Location::node(source, patterns[second].id),
        );
        let text = |at: Location| {
            let range = std::ops::Range::<usize>::from(at.in_item(self.db));
            source
                .text(self.db)
                .get(range)
                .unwrap_or_default()
                .to_owned()
        };
        let problem = Diagnostic::new(
            Code::TypeMismatch,
            first,
            "the patterns of this function are the wrong way round",
        )
        .related(second, "this fits as the first one")
        .help("exchange the two");
        let edit = |location: Location, text: String| Edit {
            location,
            position: Position::Replace,
            text,
        };
        problem.fix(Fix {
            title: "exchange the two patterns".to_owned(),
            edits: vec![edit(first, text(second)), edit(second, text(first))],
            safe: true,
        })
    }

    /// `xs :: x` for `x :: xs`.
    pub(super) fn swapped_elements(&mut self, problems: &[Problem]) {
        let mut tried: HashSet<(ItemSource, TermId)> = HashSet::new();
        for problem in problems {
            let Problem::Mismatch { source, .. } = problem else {
                continue;
            };
            let mark = problem.mark();
            let item = item(self.db, *source);
            for (term, data) in item.terms.iter() {
                let TermKind::Binary {
                    operator: BinaryOperator::Cons,
                    operator_id,
                    left,
                    right,
                } = &data.kind
                else {
                    continue;
                };
                if self.settled.contains(&mark)
                    || tried.len() >= MOST_ELEMENTS
                    || is_cons(item, *right)
                    || !tried.insert((*source, term))
                {
                    continue;
                }
                let swap = Change::Swap([((*source, term), (0, 1))].into());
                let Some(trial) = self.try_out(*source, term, swap) else {
                    return;
                };
                if trial.solves(mark) {
                    let at = Location::node(*source, *operator_id);
                    let finding = self.element_behind(at, (*left, *right));
                    self.settled.extend(trial.solved);
                    self.found.push(finding);
                }
            }
        }
    }

    fn element_behind(&self, at: Location, (list_term, element): (TermId, TermId)) -> Diagnostic {
        let problem = Diagnostic::new(
            Code::TypeMismatch,
            at,
            "`::` puts an element before a list, and here the list stands first",
        );
        let (Some((list_at, list)), Some((element_at, element))) =
            (self.whole(at.item, list_term), self.whole(at.item, element))
        else {
            return problem.help("exchange the two");
        };
        let edit = |location: Location, text: &str| Edit {
            location,
            position: Position::Replace,
            text: text.to_owned(),
        };
        let argument = match is_atomic(self.item(at.item), list_term) || list.starts_with('(') {
            true => list.clone(),
            false => format!("({list})"),
        };
        problem
            .help(format!(
                "write `{element} :: {list}`; to put it behind the others, `append {argument} [{element}]`, from \
                 the prelude"
            ))
            .fix(Fix {
                title: format!("write `{element} :: {list}`"),
                edits: vec![edit(list_at, &element), edit(element_at, &list)],
                safe: false,
            })
    }

    fn exchange(&self, source: ItemSource, call: TermId, a: usize, b: usize) -> Option<Diagnostic> {
        let item = item(self.db, source);
        let TermKind::Apply { head, args } = &item.terms[call].kind else {
            return None;
        };
        let (first, second) = (*args.get(a)?, *args.get(b)?);
        let definition = self.definition_of(source, *head);
        let name = self.head_text(source, *head, definition);
        let place = |term: TermId| Location::node(source, item.terms[term].id);
        let mut problem = Diagnostic::new(
            Code::TypeMismatch,
            place(first),
            format!(
                "the {} and the {} argument of {name} are the wrong way round",
                ordinal(a),
                ordinal(b)
            ),
        )
        .related(
            place(second),
            format!("this fits as the {} argument", ordinal(a)),
        );
        if let Some(definition) = definition {
            problem = self.declared(problem, definition);
        }
        if let Some((from, to)) = self.moved(source, *head, (a, b)) {
            return self.move_argument(source, call, from, to);
        }
        problem = problem.help("exchange the two");
        let (whole_a, whole_b) = (self.whole(source, first), self.whole(source, second));
        if let (Some((place_a, text_a)), Some((place_b, text_b))) = (whole_a, whole_b) {
            let edit = |location: Location, text: String| Edit {
                location,
                position: Position::Replace,
                text,
            };
            problem = problem.fix(Fix {
                title: "exchange the two arguments".to_owned(),
                edits: vec![edit(place_a, text_b), edit(place_b, text_a)],
                safe: true,
            });
        }
        Some(problem)
    }
}
