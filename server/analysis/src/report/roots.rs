//! One mistake, one error: what is wrong in several places for one reason.

use std::collections::{HashMap, HashSet};

use frank_syntax::ast::{ItemKind, NodeId, PatternKind, Symbol, TermId, TermKind};

use super::Reporter;
use super::ability::lacking;
use super::allowing::MOST_CALLERS;
use super::catalogue::users;
use super::places::result_ability;
use crate::db::{Db, ItemSource, item};
use crate::diagnostics::Location;
use crate::infer::hypothesis::{Change, Side};
use crate::infer::infer_operator;
use crate::infer::problem::{ClauseHead, Mark, Problem};
use crate::program::{Definition, InterfaceDef, OperatorDef, TermDef};

/// So many `let`s of a clause at most are tried out with another type.
const MOST_LETS: usize = 8;

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
        self.compared_brackets(problems);
        self.moved_arguments(problems);
        self.unread_declarations(problems);
        self.performed_too_soon(problems);
        self.misplaced_patterns(problems);
        self.forced_with_arguments(problems);
        self.resumed_with_anything(problems);
        self.ended_by_operators(problems);
        self.ended_by_cons(problems);
        self.ports_with_braces(problems);
        self.infix_words(problems);
        self.named_like_constructors(problems);
        self.unparenthesised_calls(problems);
        self.swapped_arguments(problems);
        self.swapped_elements(problems);
        self.swapped_patterns(problems);
        self.uncollected(problems);
        self.others_of_families(problems);
        self.one_instance_short(problems, &mut gathered);
        if problems.len() > 1 {
            self.unmapped(problems);
            self.handled_inside(problems);
            self.for_other_numbers(problems);
            self.called_outside(problems);
            self.lacking_once(problems, &mut gathered);
            self.bound_once(problems, &mut gathered);
            self.unhandled(problems, &mut gathered);
            self.applied_parameters(problems, &mut gathered);
            self.bare_variables(problems, &mut gathered);
            self.unparenthesised(problems);
            self.miscounted(problems, &mut gathered);
            self.ended_calls(problems);
            self.for_one_number(problems);
            self.pairs_as_lists(problems);
            self.wrong_elements(problems);
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
                    // In their order: what is told must not depend on a hash.
                    let solved = problems.iter().map(Problem::mark);
                    gathered.follow(mark, solved.filter(|one| trial.solved.contains(one)));
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
        let others = problems
            .iter()
            .filter(|problem| matches!(problem, Problem::Ability { .. }))
            .filter(|problem| !self.settled.contains(&problem.mark()))
            .filter(|problem| !gathered.consequences.contains(&problem.mark()));
        let wrong: Vec<&Problem> = open.iter().copied().chain(others).collect();
        let [first, ..] = wrong[..] else { return };
        if wrong.len() < 2 && !self.is_misused(operator) {
            return;
        }
        let source = first.source();
        let Some((any, _)) = item(self.db, source).terms.iter().next() else {
            return;
        };
        for interface in interfaces {
            let marks: Vec<Mark> = wrong.iter().map(|problem| problem.mark()).collect();
            if let Some((finding, solved)) =
                self.with_other_arguments(source, any, interface, &marks)
            {
                let place = place(self.db, first);
                self.found
                    .push(finding.related(place, "this would fit then, and so would all else"));
                self.settled.extend(solved);
                return;
            }
            let [first, _, ..] = open[..] else { continue };
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

    /// Whether others who call an operator have another ability than it needs.
    fn is_misused(&self, operator: OperatorDef) -> bool {
        let Definition { scope, name } = operator.0;
        let callers = users(self.db, scope, name).iter().take(MOST_CALLERS);
        callers.filter(|caller| **caller != name).any(|caller| {
            let caller = OperatorDef(Definition {
                scope,
                name: *caller,
            });
            let known = infer_operator(self.db, caller);
            known.is_some_and(|known| {
                let called = Some(TermDef::Operator(operator));
                known.problems.iter().any(
                    |problem| matches!(problem, Problem::Ability { definition, .. } if *definition == called),
                )
            })
        })
    }

    /// Whether somebody who calls an operator has the ability that its signature says: another one would not
    /// fit there.
    pub(super) fn agrees_with_callers(&self, operator: OperatorDef) -> bool {
        let Definition { scope, name } = operator.0;
        let called = Some(TermDef::Operator(operator));
        let mut callers = users(self.db, scope, name)
            .iter()
            .filter(|caller| **caller != name)
            .take(MOST_CALLERS);
        callers.any(|caller| {
            let caller = OperatorDef(Definition {
                scope,
                name: *caller,
            });
            let known = infer_operator(self.db, caller);
            // One that passes it on is no witness where nobody gives it that.
            !self.is_misused(caller) && known.is_some_and(|known| {
                !known.problems.iter().any(
                    |problem| matches!(problem, Problem::Ability { definition, .. } if *definition == called),
                )
            })
        })
    }

    /// The interface that is not there, or not often enough, where a problem stands.
    pub(super) fn missing_interface(&self, problem: &Problem) -> Option<InterfaceDef> {
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
