//! Calls of another function than the one that is meant, and computations that are not suspended.

use std::collections::{HashMap, HashSet};

use frank_syntax::ast::{Symbol, TermId, TermKind};

use super::Reporter;
use super::places::visible_names;
use super::roots::place;
use super::swapped::{Call, MOST_CALLS};
use super::words::{article, listed, ordinal};
use crate::builtin;
use crate::db::{ItemSource, item};
use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Location, Position};
use crate::fixes;
use crate::infer::hypothesis::Change;
use crate::infer::problem::{Expectation, Mark, Problem};
use crate::program::{OperatorDef, TermDef};
use crate::types::{Arg, Ty, TyKind};

impl Reporter<'_> {
    /// Settles what arguments may not perform that lack the braces around them: in these they may.
    pub(super) fn performed_too_soon(&mut self, problems: &[Problem]) {
        for problem in problems {
            let Problem::Mismatch {
                source,
                term: Some(term),
                expected,
                found,
                ..
            } = problem
            else {
                continue;
            };
            let wanted = match self.inference.table.kind(*expected) {
                TyKind::Computation(wanted) if wanted.ports.is_empty() => wanted.result,
                _ => continue,
            };
            if !self.agree(wanted, *found) {
                continue;
            }
            let inside = self.problems_in(*source, *term, problems);
            let performed = problems.iter().filter(|other| {
                matches!(other, Problem::Ability { .. } | Problem::NoInstance { .. })
                    && inside.contains(&other.mark())
            });
            let performed: Vec<Mark> = performed.map(Problem::mark).collect();
            self.settled.extend(performed);
        }
    }

    /// Calls several of whose arguments lack the braces around them.
    pub(super) fn unsuspended(&mut self, problems: &[Problem]) {
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
    pub(super) fn wrong_functions(&mut self, problems: &[Problem]) {
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
        &mut self,
        source: ItemSource,
        head: TermId,
        args: &[TermId],
        expected: Ty,
    ) -> Option<Diagnostic> {
        let is_for_elements = self.takes_element(source, head, args, expected);
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
        .help(match is_for_elements {
            true => "it takes one of these: `map`, from the prelude, applies it to each element of a list",
            false => "neither what it takes nor what it gives fits: another function is meant",
        });
        Some(match definition {
            Some(definition) => self.declared(problem, definition),
            None => problem,
        })
    }

    /// Whether a function fits the elements of the list that it is given, and of the one that is needed.
    fn takes_element(
        &mut self,
        source: ItemSource,
        head: TermId,
        args: &[TermId],
        expected: Ty,
    ) -> bool {
        let element = |reporter: &Self, ty: Ty| match reporter.inference.table.kind(ty) {
            TyKind::Data(data, args) if *data == builtin::list(reporter.db) => match args[..] {
                [Arg::Type(element)] => Some(element),
                _ => None,
            },
            _ => None,
        };
        let [arg] = args else {
            return false;
        };
        let (function, given) = (self.type_of(source, head), self.type_of(source, *arg));
        let Some(TyKind::Computation(function)) =
            function.map(|function| self.inference.table.kind(function).clone())
        else {
            return false;
        };
        let given = given.and_then(|given| element(self, given));
        let (Some(port), Some(given), Some(needed)) =
            (function.ports.first(), given, element(self, expected))
        else {
            return false;
        };
        self.agree(port.ty, given) && self.agree(function.result, needed)
    }

    /// Misfits that all come from what one call needs its arguments to be.
    pub(super) fn decided_by_a_call(&mut self, problems: &[Problem]) {
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
}
