//! One mistake, one error: what is wrong in several places for one reason.

use std::collections::{HashMap, HashSet};

use frank_syntax::ast::{
    BinaryOperator, Item, ItemKind, NodeId, PatternId, PatternKind, Symbol, TermId, TermKind,
};

use super::Reporter;
use super::ability::lacking;
use super::places::{result_ability, visible_names};
use super::words::{article, listed, ordinal};
use crate::db::{Db, ItemSource, SourceFile, item};
use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Location, Position};
use crate::fixes;
use crate::infer::hypothesis::{Change, Order, Side};
use crate::infer::problem::{ClauseHead, Expectation, Mark, Problem};
use crate::infer::{Inference, Resolved, infer_operator_if, infer_term_if};
use crate::program::{InterfaceDef, OperatorDef, TermDef};
use crate::surroundings::Surroundings;
use crate::types::{Adjustment, Ty, TyKind};

/// Larger definitions, in terms, are not checked again in other orders.
const LARGEST: usize = 20_000;

/// The checker's results in the order that finds the fewest problems, if that is not the
/// language's own. A mistake may decide a type that everything behind it then seems to get wrong;
/// seen from the other side it is the only thing that is.
pub fn closest(
    db: &dyn Db,
    scope: SourceFile,
    operator: Option<OperatorDef>,
    inference: &Inference,
) -> Option<(Inference, Order)> {
    let (source, _) = inference.bodies.first()?;
    errors(inference).next()?;
    let bodies = inference.bodies.iter();
    let terms: usize = bodies
        .map(|(source, _)| item(db, *source).terms.len())
        .sum();
    if terms > LARGEST {
        return None;
    }
    let mut fewest = errors(inference).count();
    let mut closest = None;
    for order in Order::OTHERS {
        if fewest <= 1 && closest.is_some() {
            break;
        }
        let other = match operator {
            Some(operator) => infer_operator_if(db, operator, order, None)?,
            None => infer_term_if(db, scope, *source, order, None),
        };
        // Where another order finds nothing at all, the mistake is what this one found.
        let count = errors(&other).count();
        let fewer = count < fewest && items(&other) == items(inference);
        if count > 0 && (fewer || (count == fewest && is_closer(db, inference, &other))) {
            fewest = count;
            closest = Some((other, order));
        }
    }
    closest
}

/// So many arguments of a call at most are tried out in each other's places.
const MOST_ARGUMENTS: usize = 4;

/// So many `::` of an operator at most are tried out the other way round.
const MOST_ELEMENTS: usize = 4;

/// A call, and the item that it is in.
type Call = (ItemSource, TermId);

/// A call, the places of two of its arguments, and what is wrong with these.
type Pair = (Call, (usize, usize), [Mark; 2]);

/// So many calls around a problem at most are looked at.
const MOST_CALLS: usize = 4;

/// So many `let`s of a clause at most are tried out with another type.
const MOST_LETS: usize = 8;

/// The clauses that are wrong. One order may miss what is wrong in a clause, because a type that
/// another one knows is not known yet.
fn items(inference: &Inference) -> HashSet<ItemSource> {
    errors(inference).map(Problem::source).collect()
}

/// The problems that are more than worth a warning.
fn errors(inference: &Inference) -> impl Iterator<Item = &Problem> {
    inference.problems.iter().filter(|one| one.is_error())
}

/// Whether a call that gives the wrong type is found to do so because of what is in a thunk in it.
fn is_closer(db: &dyn Db, inference: &Inference, other: &Inference) -> bool {
    let ([problem], [inner]) = (&inference.problems[..], &other.problems[..]) else {
        return false;
    };
    let Problem::Mismatch {
        source,
        term: Some(call),
        ..
    } = problem
    else {
        return false;
    };
    let inside = match inner {
        Problem::Mismatch {
            term: Some(term), ..
        }
        | Problem::ThunkForValue { term, .. }
        | Problem::NoInstance { term, .. }
        | Problem::Ability { head: term, .. } => *term,
        _ => return false,
    };
    let item = item(db, *source);
    let surroundings = Surroundings::new(item);
    let mut between = surroundings
        .ancestors(inside)
        .take_while(|term| term != call);
    let is_command = match (&item.terms[inside].kind, other.body(*source)) {
        (TermKind::Apply { head, args }, Some(body)) if args.is_empty() => matches!(
            body.names.get(*head),
            Some(Resolved::Definition(TermDef::Command(_)))
        ),
        _ => false,
    };
    inner.source() == *source
        && surroundings.ancestors(inside).any(|term| term == *call)
        && (is_command
            || between.any(|term| matches!(item.terms[term].kind, TermKind::Thunk { .. })))
}

/// Problems that are reported together with another one, and the notes about them there.
#[derive(Default)]
pub struct Gathered {
    pub notes: HashMap<Mark, Vec<(Location, String)>>,
    /// Problems that nothing is said about, except where another finding notes their places.
    pub consequences: HashSet<Mark>,
    /// The problem that each of these is a consequence of.
    roots: Vec<(Mark, Mark)>,
}

impl Gathered {
    pub(super) fn follow(&mut self, root: Mark, consequences: impl IntoIterator<Item = Mark>) {
        for mark in consequences {
            if mark != root && self.consequences.insert(mark) {
                self.roots.push((root, mark));
            }
        }
    }

    /// Notes every clause that has nothing but consequences.
    fn note_clauses(&mut self, db: &dyn Db, problems: &[Problem]) {
        let is_reported = |problem: &&Problem| !self.consequences.contains(&problem.mark());
        let mut reported: HashSet<ItemSource> = problems
            .iter()
            .filter(is_reported)
            .map(Problem::source)
            .collect();
        // Of problems with one mark the first counts.
        let by_mark: HashMap<Mark, &Problem> = problems
            .iter()
            .rev()
            .map(|problem| (problem.mark(), problem))
            .collect();
        for (root, mark) in std::mem::take(&mut self.roots) {
            if let Some(problem) = by_mark.get(&mark)
                && reported.insert(problem.source())
            {
                let note = "this is wrong for the same reason".to_owned();
                self.notes
                    .entry(root)
                    .or_default()
                    .push((place(db, problem), note));
            }
        }
    }
}

fn is_cons(item: &Item, term: TermId) -> bool {
    matches!(
        item.terms[term].kind,
        TermKind::Binary {
            operator: BinaryOperator::Cons,
            ..
        }
    )
}

/// Where a problem is.
pub(super) fn place(db: &dyn Db, problem: &Problem) -> Location {
    let (source, node, _) = problem.mark();
    match problem {
        Problem::ThunkForValue { term, .. } | Problem::NotAFunction { head: term, .. } => {
            Location::node(source, item(db, source).terms[*term].id)
        }
        _ => Location::node(source, node),
    }
}

impl Reporter<'_> {
    /// Finds the problems that share a reason with another one.
    pub(super) fn gather(&mut self, problems: &[Problem]) -> Gathered {
        let mut gathered = Gathered::default();
        self.wrong_declarations(problems);
        let left: Vec<Problem> = problems
            .iter()
            .filter(|problem| !self.settled.contains(&problem.mark()))
            .cloned()
            .collect();
        let problems = &left[..];
        self.misspelt_types(problems);
        self.wrong_lifts(problems);
        self.negative_arguments(problems);
        self.forced_with_arguments(problems);
        self.resumed_with_anything(problems);
        self.ended_by_operators(problems);
        self.ended_by_cons(problems);
        self.ports_with_braces(problems);
        self.unparenthesised_calls(problems);
        self.swapped_arguments(problems);
        self.swapped_elements(problems);
        self.swapped_patterns(problems);
        if problems.len() > 1 {
            self.lacking_once(problems, &mut gathered);
            self.one_instance_short(problems, &mut gathered);
            self.bound_once(problems, &mut gathered);
            self.unhandled(problems, &mut gathered);
            self.applied_parameters(problems, &mut gathered);
            self.bare_variables(problems, &mut gathered);
            self.unparenthesised(problems);
            self.miscounted(problems, &mut gathered);
            self.ended_calls(problems);
            self.for_one_number(problems);
            self.pairs_as_lists(problems);
            self.unsuspended(problems);
            self.wrong_functions(problems);
            self.decided_by_a_call(problems);
        }
        gathered.note_clauses(self.db, problems);
        gathered
    }

    /// Interfaces that the signature lacks, each missing in several places.
    fn lacking_once(&mut self, problems: &[Problem], gathered: &mut Gathered) {
        let Some(source) = self.operator.and(problems.first()).map(Problem::source) else {
            return;
        };
        let Some((any, _)) = item(self.db, source).terms.iter().next() else {
            return;
        };
        let mut tried = HashSet::new();
        for problem in problems {
            let Some(interface) = self.missing_interface(problem) else {
                continue;
            };
            let mark = problem.mark();
            if gathered.consequences.contains(&mark) || !tried.insert(interface) {
                continue;
            }
            for side in [Side::Active, Side::Outer] {
                let Some(trial) = self.try_out(source, any, Change::Allow(interface, side)) else {
                    return;
                };
                if trial.solves(mark) && trial.solved.len() > 1 {
                    self.allowable.insert(interface);
                    gathered.follow(mark, trial.solved);
                    break;
                }
            }
        }
    }

    /// Terms of other types than are needed, which all fit if the signature allows one instance more
    /// of an interface that it names: commands mean another instance than they should.
    fn one_instance_short(&mut self, problems: &[Problem], gathered: &mut Gathered) {
        let Some(operator) = self.operator else {
            return;
        };
        let Some(computation) = &self.inference.computation else {
            return;
        };
        let row = self.inference.table.row(computation.ability);
        let mut interfaces: Vec<InterfaceDef> = Vec::new();
        for instance in row.instances.iter() {
            if !interfaces.contains(&instance.interface) {
                interfaces.push(instance.interface);
            }
        }
        let open: Vec<&Problem> = problems
            .iter()
            .filter(|problem| matches!(problem, Problem::Mismatch { .. }))
            .filter(|problem| !self.settled.contains(&problem.mark()))
            .filter(|problem| !gathered.consequences.contains(&problem.mark()))
            .collect();
        let [first, _, ..] = open[..] else { return };
        let source = first.source();
        let Some((any, _)) = item(self.db, source).terms.iter().next() else {
            return;
        };
        for interface in interfaces {
            let marks: Vec<Mark> = open.iter().map(|problem| problem.mark()).collect();
            if let Some((finding, solved)) =
                self.with_other_arguments(source, any, interface, &marks)
            {
                let place = place(self.db, first);
                self.found
                    .push(finding.related(place, "this would fit then, and so would all else"));
                self.settled.extend(solved);
                return;
            }
            for side in [Side::Active, Side::Outer] {
                let Some(trial) = self.try_out(source, any, Change::Allow(interface, side)) else {
                    return;
                };
                let all = open.iter().all(|problem| trial.solves(problem.mark()));
                if !all {
                    continue;
                }
                if let Some((place, node)) = result_ability(self.db, operator) {
                    let note = format!(
                        "with one more instance of `{}` in this ability, this and everything else \
                         in `{}` would fit",
                        interface.0.name, operator.0.name
                    );
                    let notes = gathered.notes.entry(first.mark()).or_default();
                    notes.push((Location::node(place, node), note));
                }
                let rest = open.iter().skip(1).map(|problem| problem.mark());
                gathered.follow(first.mark(), rest);
                return;
            }
        }
    }

    /// The interface that is not there, or not often enough, where a problem stands.
    fn missing_interface(&self, problem: &Problem) -> Option<InterfaceDef> {
        match problem {
            Problem::NoInstance { command, .. } => Some(command.interface),
            Problem::InvalidAdaptor { adaptor, .. } => Some(adaptor.interface),
            Problem::Ability {
                needed, ambient, ..
            } => {
                let table = &self.inference.table;
                let (need, have) = (table.row(*needed), table.row(*ambient));
                lacking(&need, &have).map(|instance| instance.interface)
            }
            _ => None,
        }
    }

    /// Two arguments that fit in each other's place.
    fn swapped_arguments(&mut self, problems: &[Problem]) {
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
                    let swap = Change::Swap([((source, call), (a, b))].into());
                    let Some(trial) = self.try_out(source, call, swap) else {
                        return;
                    };
                    // A single misfit may as well be any other mistake; a command that has a
                    // handler in the other place is none.
                    let is_ability = self
                        .missing_interface(problem)
                        .is_some_and(|interface| self.handles(source, call, interface));
                    if trial.solves(mark) && (is_ability || trial.solved.len() > 1) {
                        self.settled.extend(trial.solved);
                        let finding = self.exchange(source, call, a, b);
                        self.found.extend(finding);
                        break;
                    }
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
    fn handles(&self, source: ItemSource, call: TermId, interface: InterfaceDef) -> bool {
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
    fn swapped_patterns(&mut self, problems: &[Problem]) {
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
    fn swapped_elements(&mut self, problems: &[Problem]) {
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

    fn element_behind(&self, at: Location, (list, element): (TermId, TermId)) -> Diagnostic {
        let problem = Diagnostic::new(
            Code::TypeMismatch,
            at,
            "`::` puts an element before a list, and here the list stands first",
        );
        let (Some((list_at, list)), Some((element_at, element))) =
            (self.whole(at.item, list), self.whole(at.item, element))
        else {
            return problem.help("exchange the two");
        };
        let edit = |location: Location, text: &str| Edit {
            location,
            position: Position::Replace,
            text: text.to_owned(),
        };
        problem
            .help(format!(
                "write `{element} :: {list}`; to put it behind the others, `append {list} [{element}]`, from \
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

    /// A term with the parentheses directly around it, and its text.
    pub(super) fn whole(&self, source: ItemSource, term: TermId) -> Option<(Location, String)> {
        let text = source.text(self.db);
        let mut range =
            Location::node(source, item(self.db, source).terms[term].id).in_item(self.db);
        if self.is_parenthesised(source, term) {
            let before = text.get(..range.start().into())?.trim_end();
            let after = text.get(range.end().into()..)?;
            let blanks = after.len() - after.trim_start().len();
            let size = |n: usize| text_size::TextSize::new(u32::try_from(n).unwrap_or(u32::MAX));
            range = text_size::TextRange::new(
                size(before.len().saturating_sub(1)),
                range.end() + size(blanks + 1),
            );
        }
        let text = text.get(std::ops::Range::<usize>::from(range))?.to_owned();
        Some((Location::range(source, range), text))
    }

    /// Calls several of whose arguments lack the braces around them.
    fn unsuspended(&mut self, problems: &[Problem]) {
        let mut calls: Vec<(Call, Vec<(TermId, Mark)>)> = Vec::new();
        let mut unfit: HashMap<Call, bool> = HashMap::new();
        for problem in problems {
            if let Problem::Mismatch {
                source,
                term: Some(term),
                expected,
                found,
                origin,
                ..
            } = problem
                && let Some(call) = self.call_that_needs(*source, *term, *expected, *origin)
                && !self.settled.contains(&problem.mark())
                && let TyKind::Computation(wanted) = self.inference.table.kind(*expected)
                && wanted.ports.is_empty()
                && !matches!(
                    self.inference.table.kind(*found),
                    TyKind::Computation(_) | TyKind::Error
                )
            {
                let key = (*source, call);
                let result = wanted.result;
                // Of `(a; b)` and of a `case` with branches all is suspended, not the end of it.
                let around = self.argument_around(*source, call, *term);
                if !self.agree(result, *found) {
                    // Braces around what is in them may bring more to light.
                    let is_nested = around != *term;
                    unfit
                        .entry(key)
                        .and_modify(|nested| *nested |= is_nested)
                        .or_insert(is_nested);
                }
                let argument = (around, problem.mark());
                match calls.iter_mut().find(|(known, _)| *known == key) {
                    Some((_, arguments)) => arguments.push(argument),
                    None => calls.push((key, vec![argument])),
                }
            }
        }
        for ((source, call), arguments) in calls {
            if arguments.len() > 1 {
                self.settled.extend(arguments.iter().map(|(_, mark)| *mark));
                let mut terms: Vec<TermId> = arguments.iter().map(|(term, _)| *term).collect();
                terms.dedup();
                let unfit = unfit.get(&(source, call)).copied();
                let finding = self.without_braces(source, call, &terms, unfit);
                self.found.extend(finding);
            }
        }
    }

    /// The call whose port says what is needed where a term stands: in an argument, it may be what a `case`
    /// at its end gives.
    fn call_that_needs(
        &self,
        source: ItemSource,
        term: TermId,
        expected: Ty,
        origin: Expectation,
    ) -> Option<TermId> {
        if let Expectation::Argument { call, .. } = origin {
            return Some(call);
        }
        let item = item(self.db, source);
        let body = self.inference.body(source)?;
        let table = &self.inference.table;
        let surroundings = self.surroundings(source);
        let mut around = surroundings.ancestors(term);
        around.find_map(|around| {
            let (call, index) = surroundings.argument_of(item, around)?;
            let TermKind::Apply { head, .. } = &item.terms[call].kind else {
                return None;
            };
            let TyKind::Computation(function) = table.kind(*body.types.get(*head)?) else {
                return None;
            };
            let port = function.ports.get(index)?.ty;
            (table.kind(port) == table.kind(expected)).then_some(call)
        })
    }

    /// The argument of a call that a term stands in.
    fn argument_around(&self, source: ItemSource, call: TermId, term: TermId) -> TermId {
        let TermKind::Apply { args, .. } = &item(self.db, source).terms[call].kind else {
            return term;
        };
        let surroundings = self.surroundings(source);
        let mut around = std::iter::once(term).chain(surroundings.ancestors(term));
        around.find(|term| args.contains(term)).unwrap_or(term)
    }

    /// The finding about arguments without braces. `unfit` says that some would be of the wrong type in them,
    /// and whether that is about a part of one.
    fn without_braces(
        &self,
        source: ItemSource,
        call: TermId,
        arguments: &[TermId],
        unfit: Option<bool>,
    ) -> Option<Diagnostic> {
        let item = item(self.db, source);
        let TermKind::Apply { head, args } = &item.terms[call].kind else {
            return None;
        };
        let definition = self.definition_of(source, *head);
        let name = self.head_text(source, *head, definition);
        let (first, rest) = arguments.split_first()?;
        let position = |term: &TermId| args.iter().position(|arg| arg == term);
        let ports: Vec<String> = arguments.iter().filter_map(position).map(ordinal).collect();
        let place = |term: TermId| Location::node(source, item.terms[term].id);
        let mut problem = Diagnostic::new(
            Code::TypeMismatch,
            place(*first),
            match &ports[..] {
                [port] => format!(
                    "{name} takes a suspended computation as its {port} argument, and this is none"
                ),
                ports => format!(
                    "{name} takes suspended computations as its {} argument, and these are values",
                    listed(ports, ports.len())
                ),
            },
        );
        for term in rest {
            problem = problem.related(place(*term), "this is a value, too");
        }
        if let Some(definition) = definition {
            problem = self.declared(problem, definition);
        }
        let around = |term: &TermId| {
            let (at, text) = self.whole(source, *term)?;
            let inner = text
                .strip_prefix('(')
                .and_then(|text| text.strip_suffix(')'));
            let inner = inner.filter(|_| self.is_parenthesised(source, *term));
            Some(Edit {
                location: at,
                position: Position::Replace,
                text: format!("{{{}}}", inner.unwrap_or(&text)),
            })
        };
        let edits: Option<Vec<Edit>> = arguments.iter().map(around).collect();
        let (help, title) = match rest {
            [] => ("put braces around it, `{…}`", "put braces around it"),
            _ => (
                "put braces around each of them, `{…}`",
                "put braces around each",
            ),
        };
        problem = problem.help(help);
        // With braces they may still be of the wrong type.
        problem.undecided = unfit.is_some();
        Some(match edits {
            Some(edits) if unfit != Some(true) => problem.fix(Fix {
                title: title.to_owned(),
                edits,
                safe: unfit.is_none(),
            }),
            _ => problem,
        })
    }

    /// Calls that give the wrong type and are given the wrong types: the function is the mistake.
    fn wrong_functions(&mut self, problems: &[Problem]) {
        for problem in problems {
            let Problem::Mismatch {
                source,
                term: Some(call),
                expected,
                found,
                ..
            } = problem
            else {
                continue;
            };
            let mark = problem.mark();
            let TermKind::Apply { head, args } = &item(self.db, *source).terms[*call].kind else {
                continue;
            };
            let arguments: Vec<Mark> = problems
                .iter()
                .filter(|other| match other {
                    Problem::Mismatch {
                        source: place,
                        origin: Expectation::Argument { call: of, .. },
                        ..
                    } => place == source && of == call,
                    _ => false,
                })
                .map(Problem::mark)
                .filter(|mark| !self.settled.contains(mark))
                .collect();
            let takes_code = args.iter().any(|arg| {
                matches!(
                    item(self.db, *source).terms[*arg].kind,
                    TermKind::Thunk { .. }
                )
            });
            // A computation for its result, or the reverse, is a mistake of its own.
            let takes_code = takes_code
                || [expected, found]
                    .iter()
                    .any(|ty| matches!(self.inference.table.kind(**ty), TyKind::Computation(_)))
                || args.iter().any(|arg| self.is_code(*source, *arg));
            let all_misfit = !arguments.is_empty() && arguments.len() == args.len();
            let is_settled = self.settled.contains(&mark);
            if is_settled || takes_code || !all_misfit || !self.is_pure(*source, *head) {
                continue;
            }
            let Some(trial) = self.try_out(*source, *head, Change::Accept) else {
                return;
            };
            let all = std::iter::once(&mark).chain(&arguments);
            if trial.introduced > 0 || !all.clone().all(|mark| trial.solved.contains(mark)) {
                continue;
            }
            let Some(meant) = self.function_meant(*source, *head, &trial.solved) else {
                return;
            };
            let finding = self.wrong_function(*source, *head, args, *expected);
            if let Some(mut finding) = finding {
                if let Some(name) = meant {
                    finding.help.clear();
                    let at = finding.location;
                    finding = fixes::did_you_mean(finding, at, &[name.as_str()]);
                }
                self.settled.extend(trial.solved);
                self.found.push(finding);
            }
        }
    }

    /// The operator in sight whose name begins with the one that is called, as `sinS` does with `sin`, and
    /// that fits in its place; none inside, or `None` once enough has been tried.
    fn function_meant(
        &mut self,
        source: ItemSource,
        head: TermId,
        wrong: &HashSet<Mark>,
    ) -> Option<Option<Symbol>> {
        let Some(called) = self.definition_of(source, head) else {
            return Some(None);
        };
        let called = called.name();
        let visible = visible_names(self.db, self.scope).iter();
        let begun = visible.filter_map(|(name, definition)| match definition {
            TermDef::Operator(other) if *name != called => {
                let rest = name.as_str().strip_prefix(called.as_str())?;
                (rest.chars().count() == 1).then_some((*name, *other))
            }
            _ => None,
        });
        let begun: Vec<(Symbol, OperatorDef)> = begun.take(MOST_CALLS).collect();
        for (name, other) in begun {
            let trial = self.try_out(source, head, Change::Call(other))?;
            if wrong.iter().all(|mark| trial.solves(*mark)) {
                return Some(Some(name));
            }
        }
        Some(None)
    }

    /// Whether a term is a computation, of whatever type.
    fn is_code(&self, source: ItemSource, term: TermId) -> bool {
        let body = self.inference.body(source);
        let ty = body.and_then(|body| body.types.get(term));
        ty.is_some_and(|ty| matches!(self.inference.table.kind(*ty), TyKind::Computation(_)))
    }

    /// Whether a name means an operator that performs nothing of its own: it fits, or another one is
    /// meant, and no adaptor helps.
    fn is_pure(&self, source: ItemSource, head: TermId) -> bool {
        let definition = self.definition_of(source, head);
        let item = item(self.db, source);
        matches!(definition, Some(TermDef::Operator(_)))
            && self.interfaces_of(source, item, head).is_empty()
    }

    fn wrong_function(
        &self,
        source: ItemSource,
        head: TermId,
        args: &[TermId],
        expected: Ty,
    ) -> Option<Diagnostic> {
        let body = self.inference.body(source)?;
        let definition = self.definition_of(source, head);
        let name = self.head_text(source, head, definition);
        let own = *body.types.get(head)?;
        let types = args.iter().map(|arg| {
            let ty = *body.types.get(*arg)?;
            (!self.is_unknown(ty)).then(|| self.ty(ty))
        });
        let given: Vec<String> = types.collect::<Option<_>>()?;
        let node = item(self.db, source).terms[head].id;
        let problem = Diagnostic::new(
            Code::TypeMismatch,
            Location::node(source, node),
            format!(
                "{name} has type `{}`, and here something that makes {} of {} is needed",
                self.ty(own),
                article(&self.ty(expected)),
                listed(
                    &given.iter().map(|ty| article(ty)).collect::<Vec<_>>(),
                    given.len()
                )
            ),
        )
        .help("neither what it takes nor what it gives fits: another function is meant");
        Some(match definition {
            Some(definition) => self.declared(problem, definition),
            None => problem,
        })
    }

    /// Misfits that all come from what one call needs its arguments to be.
    fn decided_by_a_call(&mut self, problems: &[Problem]) {
        let mut calls: Vec<(Call, Vec<&Problem>)> = Vec::new();
        for problem in problems {
            let Problem::Mismatch {
                source, decided, ..
            } = problem
            else {
                continue;
            };
            let mut deciding: Vec<TermId> = Vec::new();
            for decision in [decided.expected, decided.found].into_iter().flatten() {
                let at = Location::node(*source, decision.node);
                let Some(term) = self.term_at(at).filter(|_| decision.by_place) else {
                    continue;
                };
                let surroundings = self.surroundings(*source);
                let call = surroundings.argument_of(item(self.db, *source), term);
                deciding.extend(call.map(|(call, _)| call));
            }
            deciding.dedup();
            for call in deciding {
                let key = (*source, call);
                match calls.iter_mut().find(|(known, _)| *known == key) {
                    Some((_, misfits)) => misfits.push(problem),
                    None => calls.push((key, vec![problem])),
                }
            }
        }
        for ((source, call), misfits) in calls {
            let marks: Vec<Mark> = misfits.iter().map(|problem| problem.mark()).collect();
            if marks.len() < 2 || marks.iter().any(|mark| self.settled.contains(mark)) {
                continue;
            }
            let TermKind::Apply { head, .. } = &item(self.db, source).terms[call].kind else {
                continue;
            };
            if !self.is_pure(source, *head) {
                continue;
            }
            let Some(trial) = self.try_out(source, *head, Change::Accept) else {
                return;
            };
            if !marks.iter().all(|mark| trial.solves(*mark)) {
                continue;
            }
            let definition = self.definition_of(source, *head);
            let name = self.head_text(source, *head, definition);
            let mut finding = Diagnostic::new(
                Code::TypeMismatch,
                Location::node(source, item(self.db, source).terms[*head].id),
                format!("what {name} takes and gives does not go with the types around it"),
            );
            let own = self
                .inference
                .body(source)
                .and_then(|body| body.types.get(*head));
            if let Some(own) = own {
                finding = finding.help(format!("{name} has type `{}` here", self.ty(*own)));
            }
            for problem in misfits {
                finding = finding.related(place(self.db, problem), "this does not fit then");
            }
            self.settled.extend(trial.solved);
            self.found.push(finding);
        }
    }

    /// Problems that would all be gone if what a `let` binds were of another type.
    fn bound_once(&mut self, problems: &[Problem], gathered: &mut Gathered) {
        let mut marks: HashMap<ItemSource, Vec<Mark>> = HashMap::new();
        for problem in problems {
            marks
                .entry(problem.source())
                .or_default()
                .push(problem.mark());
        }
        for source in self.sources() {
            let Some(here) = marks.get(&source) else {
                continue;
            };
            for (bound, name) in self.lets(source).into_iter().take(MOST_LETS) {
                let misfits: Vec<Mark> = here
                    .iter()
                    .copied()
                    .filter(|mark| !self.settled.contains(mark))
                    .filter(|mark| !gathered.consequences.contains(mark))
                    .collect();
                if misfits.len() < 2 {
                    break;
                }
                let Some(trial) = self.try_out(source, bound, Change::Accept) else {
                    return;
                };
                let solved: Vec<Mark> = misfits
                    .into_iter()
                    .filter(|mark| trial.solved.contains(mark))
                    .collect();
                let [first, rest @ ..] = &solved[..] else {
                    continue;
                };
                if rest.is_empty() || trial.introduced > 0 {
                    continue;
                }
                let others = if rest.len() == 1 {
                    "another place".to_owned()
                } else {
                    format!("{} other places", rest.len())
                };
                gathered.notes.entry(*first).or_default().push((
                    Location::node(source, item(self.db, source).terms[bound].id),
                    format!("`{name}` is bound to this, which does not fit {others} either"),
                ));
                gathered.follow(*first, rest.iter().copied());
            }
        }
    }

    fn sources(&self) -> Vec<ItemSource> {
        let bodies = self.inference.bodies.iter();
        bodies.map(|(source, _)| *source).collect()
    }

    /// The variables that an item binds by `let`, with what they are bound to.
    fn lets(&self, source: ItemSource) -> Vec<(TermId, Symbol)> {
        let terms = item(self.db, source).terms.iter();
        let lets = terms.filter_map(|(_, term)| match &term.kind {
            TermKind::Let { bound, name, .. } => Some((*bound, name.symbol)),
            _ => None,
        });
        lets.collect()
    }

    /// Clauses for the commands of an interface that the port does not add: the signature lacks it
    /// once, and what else would be right if it did not is left out.
    fn unhandled(&mut self, problems: &[Problem], gathered: &mut Gathered) {
        let mut firsts: HashMap<InterfaceDef, Mark> = HashMap::new();
        for problem in problems {
            let Problem::NotHandled {
                source,
                node,
                command,
                added,
                ..
            } = problem
            else {
                continue;
            };
            let interface = command.interface;
            let mark = problem.mark();
            // A problem that is not reported itself has no notes about others.
            let is_silent = gathered.consequences.contains(&mark) || self.settled.contains(&mark);
            if added.contains(&interface) || is_silent {
                continue;
            }
            if let Some(first) = firsts.get(&interface) {
                self.settled.insert(mark);
                gathered.notes.entry(*first).or_default().push((
                    Location::node(*source, *node),
                    format!("nor can `{}` here", command.name),
                ));
                continue;
            }
            firsts.insert(interface, mark);
            let Some(port) = self.port_of_command(*source, *node) else {
                continue;
            };
            let Some((any, _)) = item(self.db, *source).terms.iter().next() else {
                continue;
            };
            let Some(trial) = self.try_out(*source, any, Change::Adjust(interface, port)) else {
                return;
            };
            if trial.solves(problem.mark()) {
                let is_other = |problem: &&Problem| !matches!(problem, Problem::NotHandled { .. });
                let others = problems.iter().filter(is_other).map(Problem::mark);
                let solved = others.filter(|mark| trial.solved.contains(mark));
                gathered.follow(problem.mark(), solved);
            }
        }
    }

    /// The port whose pattern handles the command that is named at a node.
    pub(super) fn port_of_command(&self, source: ItemSource, node: NodeId) -> Option<usize> {
        let item = item(self.db, source);
        let ItemKind::Clause { clause, .. } = &item.kind else {
            return None;
        };
        clause
            .patterns
            .iter()
            .position(|pattern| match &item.patterns[*pattern].kind {
                PatternKind::Command { name, .. } => name.id == node,
                _ => false,
            })
    }

    /// `f just x = …`: what the constructor lacks is what the clause has too many of.
    fn unparenthesised(&mut self, problems: &[Problem]) {
        let too_many: HashSet<ItemSource> = problems
            .iter()
            .filter_map(|problem| match problem {
                Problem::PatternCount {
                    source,
                    wanted,
                    given,
                    ..
                } if given > wanted => Some(*source),
                _ => None,
            })
            .collect();
        for problem in problems {
            if let Problem::ConstructorArguments {
                source,
                given: 0,
                pattern: true,
                ..
            } = problem
                && too_many.contains(source)
            {
                self.settled.insert(problem.mark());
            }
        }
    }

    /// Clauses that all have the same wrong number of patterns: the signature is the mistake.
    fn miscounted(&mut self, problems: &[Problem], gathered: &mut Gathered) {
        let counts: Vec<(&Problem, Location, usize)> = problems
            .iter()
            .filter_map(|problem| match problem {
                Problem::PatternCount {
                    source,
                    node,
                    head: ClauseHead::Operator(_),
                    given,
                    ..
                } => Some((problem, Location::node(*source, *node), *given)),
                _ => None,
            })
            .collect();
        let Some(((first, _, given), rest)) = counts.split_first() else {
            return;
        };
        let all = counts.len() == self.inference.bodies.len();
        if !all || rest.is_empty() || rest.iter().any(|(_, _, other)| other != given) {
            return;
        }
        for (problem, place, _) in rest {
            self.settled.insert(problem.mark());
            gathered
                .notes
                .entry(first.mark())
                .or_default()
                .push((*place, "and so does this clause".to_owned()));
        }
    }
}
