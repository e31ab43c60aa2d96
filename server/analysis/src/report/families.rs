//! Calls of another operator of a family than the one that is meant: `gradList` for `grad`.

use std::collections::HashSet;

use frank_syntax::ast::{Symbol, TermId, TermKind};

use super::Reporter;
use super::places::visible_names;
use super::roots::place;
use super::words::article;
use crate::db::{ItemSource, item};
use crate::declarations::signature;
use crate::diagnostics::{Code, Diagnostic, Fix, Location};
use crate::fixes;
use crate::infer::Resolved;
use crate::infer::hypothesis::Change;
use crate::infer::problem::{Mark, Problem};
use crate::infer::table::Clash;
use crate::program::{OperatorDef, TermDef};
use crate::types::{Ty, TyKind};

/// So many calls around a problem at most are tried out.
const MOST_AROUND: usize = 3;

/// And so many with others of their family altogether.
const MOST_TRIALS: usize = 16;

/// Operators of one file whose names begin with as many equal letters are a family.
const SHORTEST_STEM: usize = 4;

/// Where the rest of both names is a word of its own, or a single letter, so many are enough.
const SHORTEST_WORD: usize = 2;

impl Reporter<'_> {
    /// Finds the calls with which all that is wrong in a clause is right, if they are of one other operator of
    /// the same family.
    pub(super) fn others_of_families(&mut self, problems: &[Problem]) {
        let mut tried: HashSet<(ItemSource, TermId)> = HashSet::new();
        let mut trials = MOST_TRIALS;
        for problem in problems {
            let source = problem.source();
            let wrong: Vec<Mark> = problems
                .iter()
                .filter(|other| other.source() == source && other.is_error())
                .map(Problem::mark)
                .filter(|mark| !self.settled.contains(mark))
                .collect();
            if !problem.is_error() || !wrong.contains(&problem.mark()) {
                continue;
            }
            for (head, given) in self.heads_around(problem) {
                if !tried.insert((source, head)) {
                    continue;
                }
                let Some(TermDef::Operator(called)) = self.definition_of(source, head) else {
                    continue;
                };
                let Some(call) = self.surroundings(source).ancestors(head).next() else {
                    continue;
                };
                let family = self.family(called, given);
                if family.is_empty() {
                    continue;
                }
                let heads = self.heads_of(source, called);
                let every = wrong.clone();
                let mut everywhere: Option<(OperatorDef, HashSet<Mark>)> = None;
                let mut wrong = wrong.clone();
                // One alone is in the call around it, wherever that stands.
                if wrong.len() > 1 {
                    let inside = self.problems_in(source, call, problems);
                    wrong.retain(|mark| inside.contains(mark));
                }
                let is_kin = |other: &OperatorDef| are_kin(other.0.name, called.0.name);
                // What misfits alone is rather the mistake itself, unless the names tell.
                let is_single =
                    wrong.len() < 2 && !matches!(problem, Problem::ArgumentCount { .. });
                if is_single && !self.is_between_values(problem, call) {
                    continue;
                }
                let mut fitting: Vec<(OperatorDef, HashSet<Mark>)> = Vec::new();
                for other in family {
                    if is_single && !is_kin(&other) {
                        continue;
                    }
                    let Some(left) = trials.checked_sub(1) else {
                        return;
                    };
                    trials = left;
                    let Some(trial) = self.try_out(source, head, Change::Call(other)) else {
                        return;
                    };
                    if trial.introduced > 0 && is_single && heads.len() > 1 {
                        let all = Change::CallEach(heads.as_slice().into(), other);
                        let Some(trial) = self.try_out(source, head, all) else {
                            return;
                        };
                        let solves = every.iter().filter(|mark| trial.solves(**mark)).count();
                        if solves > heads.len() {
                            everywhere = everywhere.or(Some((other, trial.solved)));
                        }
                        continue;
                    }
                    if trial.introduced == 0 && wrong.iter().all(|mark| trial.solves(*mark)) {
                        fitting.push((other, trial.solved));
                    }
                }
                // Of several the plainest has the shortest name.
                fitting.sort_by_key(|(other, _)| other.0.name.as_str().len());
                if let Some((right, solved)) = fitting.into_iter().next() {
                    let finding = self.of_another(source, head, called, right, &wrong, problems);
                    self.settled.extend(solved);
                    self.found.push(finding);
                    break;
                }
                if let Some((right, solved)) = everywhere {
                    for at in heads {
                        let call = self.surroundings(source).ancestors(at).next();
                        let inside = call
                            .map_or(Vec::new(), |call| self.problems_in(source, call, problems));
                        let finding = self.of_another(source, at, called, right, &inside, problems);
                        self.found.push(finding);
                    }
                    self.settled.extend(solved);
                    break;
                }
            }
        }
    }

    /// Where an operator is named in an item.
    fn heads_of(&self, source: ItemSource, operator: OperatorDef) -> Vec<TermId> {
        let Some(body) = self.inference.body(source) else {
            return Vec::new();
        };
        let named = TermDef::Operator(operator);
        body.names
            .iter()
            .filter(|(_, resolved)| matches!(resolved, Resolved::Definition(one) if *one == named))
            .map(|(term, _)| term)
            .collect()
    }

    /// Whether a call is of another type than is needed, or what it is given is: numbers, or what is made of them.
    /// Of computations and of strings other mistakes are likelier.
    fn is_between_values(&self, problem: &Problem, call: TermId) -> bool {
        let Problem::Mismatch {
            term: Some(term),
            expected,
            found,
            clash,
            ..
        } = problem
        else {
            return false;
        };
        let is_ability = matches!(clash, Clash::Abilities(..) | Clash::InfiniteAbility { .. });
        let is_plain = |ty: Ty| {
            let is_computation = matches!(self.inference.table.kind(ty), TyKind::Computation(_));
            !is_computation && !self.is_string(ty)
        };
        !is_ability && (*term == call || (is_plain(*expected) && is_plain(*found)))
    }

    /// The heads of the calls that a problem is in, the innermost first, each with the number of its arguments.
    fn heads_around(&self, problem: &Problem) -> Vec<(TermId, usize)> {
        let source = problem.source();
        let Some(term) = self.term_at(place(self.db, problem)) else {
            return Vec::new();
        };
        let item = item(self.db, source);
        let surroundings = self.surroundings(source);
        let around = std::iter::once(term).chain(surroundings.ancestors(term));
        around
            .filter_map(|around| match &item.terms[around].kind {
                TermKind::Apply { head, args } => Some((*head, args.len())),
                _ => None,
            })
            .take(MOST_AROUND)
            .collect()
    }

    /// The other operators beside one that begin with the same letters, and take so many arguments.
    fn family(&self, called: OperatorDef, given: usize) -> Vec<OperatorDef> {
        let visible = visible_names(self.db, self.scope).iter();
        let others = visible.filter_map(|(_, definition)| match definition {
            TermDef::Operator(other) => Some(*other),
            _ => None,
        });
        others
            .filter(|other| *other != called && Some(*other) != self.operator)
            .filter(|other| {
                let is_beside = other.0.scope == called.0.scope;
                let (one, other) = (other.0.name, called.0.name);
                (is_beside && stem(one, other) >= SHORTEST_STEM) || are_kin(one, other)
            })
            .filter(|other| {
                let declared = signature(self.db, other.0.scope, other.0.name).as_ref();
                declared.is_some_and(|declared| declared.computation.ports.len() == given)
            })
            .collect()
    }

    fn of_another(
        &self,
        source: ItemSource,
        head: TermId,
        called: OperatorDef,
        right: OperatorDef,
        wrong: &[Mark],
        problems: &[Problem],
    ) -> Diagnostic {
        let at = Location::node(source, item(self.db, source).terms[head].id);
        let (called, right) = (called.0.name, right.0.name);
        let mut finding = Diagnostic::new(
            Code::TypeMismatch,
            at,
            format!("`{called}` does not fit here; `{right}` does"),
        );
        let misfit = problems
            .iter()
            .find(|problem| wrong.contains(&problem.mark()));
        if let Some(Problem::Mismatch {
            expected, found, ..
        }) = misfit
        {
            let (wanted, given) = self.two(*expected, *found);
            finding = finding.help(format!(
                "with `{called}` {} is needed where {} stands",
                article(&wanted),
                article(&given)
            ));
        }
        finding.help(format!("write `{right}`")).fix(Fix {
            safe: false,
            ..fixes::rename(at, right.as_str())
        })
    }
}

/// Whether two names are one word, and behind it another one, a single letter or nothing: `sum`, `sumS` and
/// `sumFloat`.
fn are_kin(one: Symbol, other: Symbol) -> bool {
    let shared = stem(one, other);
    let is_rest = |name: Symbol| {
        let mut rest = name.as_str().chars().skip(shared);
        match (rest.next(), rest.next()) {
            (Some(first), Some(_)) => first.is_uppercase(),
            _ => true,
        }
    };
    shared >= SHORTEST_WORD && is_rest(one) && is_rest(other)
}

/// How many letters at their beginning two names share.
fn stem(one: Symbol, other: Symbol) -> usize {
    let pairs = one.as_str().chars().zip(other.as_str().chars());
    pairs.take_while(|(a, b)| a == b).count()
}
