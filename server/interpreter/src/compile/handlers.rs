//! The functions of a handler, and clauses that resume in place.
//!
//! An operator whose last port adds instances has a function for its finished arguments, one for
//! each command that has clauses of its own, and one for catch-alls. When a command is performed,
//! the machine finds the handler and enters the command's function with nothing captured yet: the
//! program that performed stays where it is on the stack, and so does the handler.
//!
//! A clause that ends in `h … (k v)`, where `h` is the operator itself, all before it does not
//! mention `k` and the handled argument is the last, computes its new arguments and returns `v` to
//! the program. The handler has stayed. Any other clause first captures `k`. Where only some
//! branches resume that way, the others capture when they are reached.
//!
//! If such a clause calls nothing it does not even need a frame: it is compiled once more for the
//! window, and performing such a command costs about as much as a basic operation.

use std::collections::HashSet;

use frank_core::{Adjustment, CommandId, Handler, Local, OperatorId, Pattern, Term, TermId};

use super::context::{ContextId, UNKNOWN};
use super::direct::Direct;
use super::ir::{Body, Cases, End, Keeper, Region, State, Statement, Var};
use super::lower::{Binding, Destination, Lower, Resting};
use super::matching::Argument;
use super::shapes::{Shape, ShapesId};
use super::shared::Shared;
use super::terms::Facts;
use super::{raw, small};
use crate::code::NONE;
use crate::performance::Why;

/// How a clause was reached.
#[derive(Clone, Copy, Debug)]
pub(super) enum Reached {
    /// Nothing is left to capture.
    Captured,
    /// By the command being performed, whose continuation it binds.
    Command(Option<Local>),
    /// As a catch-all for the command being performed.
    CatchAll,
}

/// What is known while the clauses of a command are lowered.
pub(super) struct Clauses {
    pub operator: OperatorId,
    /// The position of the argument that performs.
    pub last: usize,
    pub command: u32,
    /// The variables of the command's arguments.
    pub args: Vec<Var>,
    /// The variables of the arguments before the last.
    pub done: Vec<Var>,
    /// For the window: which clauses can run there.
    pub window: Option<Vec<bool>>,
    /// For each clause whether it turned out to call nothing.
    pub simple: Vec<bool>,
    /// The scope of the clauses' locals.
    pub scope: usize,
    /// What is known under the handler.
    pub under: ContextId,
    /// Set if the clauses stand in the place of their command.
    pub direct: Option<Direct>,
    /// Whether a failed match may perform its `abort` on either side of the handler.
    pub abort_passes: bool,
    /// The clause at hand, if it tries to resume in place.
    pub place: Option<InPlace>,
}

pub(super) struct InPlace {
    continuation: Option<Local>,
    mentions: HashSet<TermId>,
    region: usize,
    /// Whether some branch of the clause has work left after its resumption.
    pub rests: bool,
    /// The resumption that comes next, if there is work left after it.
    resumption: Option<TermId>,
}

impl<'p> Lower<'_, 'p> {
    /// Notes that the code written now calls.
    pub fn note_call(&mut self) {
        self.calls += 1;
        let place = self.clauses.as_ref().and_then(|c| c.place.as_ref());
        if self.resting.is_none()
            && let Some(region) = place.map(|p| p.region)
            && let Some(region) = self.regions.get_mut(region)
        {
            region.calls = true;
        }
    }

    /// Goes on trying to resume in place unless one of the terms, which are lowered next and not
    /// last, mentions the continuation.
    pub fn stay_or_leave(&mut self, to: Destination, terms: &[TermId]) -> Destination {
        let place = self.clauses.as_ref().and_then(|c| c.place.as_ref());
        let mentioned = place.is_some_and(|p| terms.iter().any(|t| p.mentions.contains(t)));
        if mentioned { self.leave(to) } else { to }
    }

    /// Stops trying to resume in place: captures the continuation here.
    pub fn leave(&mut self, to: Destination) -> Destination {
        if to != Destination::Resume {
            return to;
        }
        let place = self.clauses.as_ref().and_then(|c| c.place.as_ref());
        let Some((region, continuation)) = place.map(|p| (p.region, p.continuation)) else {
            return Destination::Return;
        };
        if let Some(region) = self.regions.get_mut(region) {
            region.captures = true;
        }
        self.capture(continuation, Some(region));
        Destination::Return
    }

    fn capture(&mut self, continuation: Option<Local>, region: Option<usize>) {
        let to = continuation.map(|local| {
            let k = self.fresh();
            let scope = self.clauses.as_ref().map_or(0, |c| c.scope);
            self.bind(scope, local, Binding::Var(k));
            self.note_continuation(k);
            k
        });
        self.push(Statement::Capture { to, region });
        self.seen = Some(self.context);
    }

    /// Lowers `h … (k v)` in place, if this is one.
    pub fn resume(&mut self, id: OperatorId, args: &'p [TermId], scope: usize) -> bool {
        let Some(clauses) = &self.clauses else {
            return false;
        };
        let Some(place) = &clauses.place else {
            return false;
        };
        let Some((value, done_terms)) =
            resumption(&mut self.shared.facts, clauses.operator, id, args, place)
        else {
            return false;
        };
        let window = clauses.window.is_some();
        let (abort_passes, under) = (clauses.abort_passes, clauses.under);
        let join = clauses.direct.as_ref().map(|direct| direct.join);
        self.set_done(done_terms, scope);
        // What commands `v` performs the handler takes, unless it performs none.
        let quiet = is_quiet(&mut self.shared.facts, value, abort_passes);
        let result = match quiet {
            true => Some(self.value(value, scope)),
            false => self.value_without_calls(value, scope, under),
        };
        match result {
            Some(result) if join.is_some() => self.direct_result(result),
            Some(result) if window => self.end(End::WindowReturn(result)),
            Some(result) => self.end(End::Return(result)),
            None => {
                self.note_call();
                self.push(Statement::Under);
                self.tail_in(value, scope, under);
            }
        }
        true
    }

    /// Gives the handler that stays the arguments before the last with which a clause resumes.
    fn set_done(&mut self, done_terms: &'p [TermId], scope: usize) {
        let Some(clauses) = &self.clauses else {
            return;
        };
        let Some(place) = &clauses.place else {
            return;
        };
        let (last, region, under) = (clauses.last, place.region, clauses.under);
        let done = clauses.done.clone();
        let state = clauses.direct.as_ref().map(|direct| (under, direct.depth));
        let mut changed = Vec::new();
        for (i, term) in done_terms.iter().enumerate().take(last) {
            let new = self.value(*term, scope);
            if done.get(i) != Some(&new) {
                changed.push((small(i as u32), new));
            }
        }
        for (index, from) in changed {
            self.push(match state {
                Some((under, depth)) => {
                    let state = State {
                        under,
                        depth,
                        index,
                    };
                    Statement::WriteState { state, from }
                }
                None => Statement::SetDone {
                    index,
                    from,
                    region,
                },
            });
        }
    }

    /// Whether a term in which a body ends has a single resumption in it, and computes something of its value; so
    /// nothing need be captured. It is remembered which it is.
    pub fn comes_to_resume(&mut self, term: TermId) -> bool {
        let Some(clauses) = &self.clauses else {
            return false;
        };
        let Some(place) = &clauses.place else {
            return false;
        };
        if clauses
            .direct
            .as_ref()
            .is_some_and(|direct| !direct.located)
        {
            return false;
        }
        let (operator, passes) = (clauses.operator, clauses.abort_passes);
        let found = resumption_before(&mut self.shared.facts, operator, term, place, passes);
        if let Some(place) = self.clauses.as_mut().and_then(|c| c.place.as_mut()) {
            place.resumption = found;
        }
        found.is_some()
    }

    /// Lowers the resumption that a clause has work left after, if this is it: what follows is left below the handler,
    /// and gets its value.
    pub fn resume_and_go_on(
        &mut self,
        term: TermId,
        id: OperatorId,
        args: &'p [TermId],
        scope: usize,
    ) -> Option<Var> {
        let clauses = self.clauses.as_ref()?;
        let place = clauses.place.as_ref()?;
        if place.resumption != Some(term) {
            return None;
        }
        let (value, done) = resumption(&mut self.shared.facts, clauses.operator, id, args, place)?;
        let (region, rest_scope) = (place.region, clauses.scope);
        let direct = clauses.direct.as_ref().map(|direct| direct.depth);
        self.set_done(done, scope);
        self.resting = Some(Resting {
            scope: rest_scope,
            calls: self.calls,
        });
        self.frame_site = NONE;
        self.at(term, scope);
        // It counts what the application of a continuation does.
        self.push(Statement::Step);
        let result = self.fresh();
        let after = self.block(vec![result]);
        let inner = self.block(Vec::new());
        let keeper = direct.map_or(Keeper::Found(region), Keeper::Known);
        self.end(End::Rest {
            keeper,
            inner,
            after,
        });
        self.current = inner;
        let value = self.value(value, scope);
        match direct {
            Some(_) => self.direct_result(value),
            None => self.end(End::Return(value)),
        }
        self.current = after;
        // When it runs, the handler is gone.
        self.seen = Some(self.context);
        if let Some(place) = self.clauses.as_mut().and_then(|c| c.place.as_mut()) {
            place.resumption = None;
        }
        Some(result)
    }

    /// Lowers the clause that matches a command being performed.
    pub fn command_clause(&mut self, clause: usize, body: TermId, reached: Reached) {
        let Some(clauses) = &self.clauses else {
            return;
        };
        if clauses.direct.is_some() {
            return self.direct_clause(clause, body, reached);
        }
        let window = clauses.window.clone();
        let (command, args) = (clauses.command, clauses.args.clone());
        let fits_window = |w: &Vec<bool>| w.get(clause).copied().unwrap_or(false);
        if window.as_ref().is_some_and(|w| !fits_window(w)) {
            return self.end(End::WindowLeave);
        }
        let continuation = match reached {
            Reached::Command(continuation) => continuation,
            Reached::CatchAll | Reached::Captured => {
                return self.end(End::Pack { command, args });
            }
        };
        let operator = clauses.operator;
        let Some(place) = self.in_place(operator, body, continuation) else {
            self.capture(continuation, None);
            self.tail(body, 0, Destination::Return);
            self.seen = None;
            return;
        };
        let region = place.region;
        let begin = (
            self.current,
            self.blocks
                .get(self.current)
                .map_or(0, |b| b.statements.len()),
        );
        let rests = place.rests;
        if let Some(clauses) = &mut self.clauses {
            clauses.place = Some(place);
        }
        self.tail(body, 0, Destination::Resume);
        let found = self.regions.get(region).copied().unwrap_or_default();
        if let Some(clauses) = &mut self.clauses {
            let place = clauses.place.take();
            if place.is_some_and(|place| place.resumption.is_some()) {
                self.shared
                    .fail("a resumption that is not there".to_owned());
            }
            if let Some(simple) = clauses.simple.get_mut(clause) {
                *simple = !found.calls && !found.captures && !rests;
            }
        }
        if found.calls
            && let Some(block) = self.blocks.get_mut(begin.0)
        {
            let what = Statement::Begin;
            let debug = block.end.debug;
            block
                .statements
                .insert(begin.1, super::ir::Placed { what, debug });
        }
    }

    /// A clause that might resume in place, with a region of its own.
    fn in_place(
        &mut self,
        operator: OperatorId,
        body: TermId,
        continuation: Option<Local>,
    ) -> Option<InPlace> {
        let local = continuation?;
        let mut place = InPlace {
            continuation,
            mentions: self.shared.facts.mentions(body, local),
            region: self.regions.len(),
            rests: false,
            resumption: None,
        };
        let passes = self.clauses.as_ref().is_some_and(|c| c.abort_passes);
        let facts = &mut self.shared.facts;
        place.rests = facts.some_tail(body, &mut |facts, term| {
            resumption_before(facts, operator, term, &place, passes).is_some()
        });
        if !place.rests && !resumes(facts, operator, body, &place) {
            return None;
        }
        self.regions.push(Region::default());
        Some(place)
    }

    /// Lowers the body of a clause in the place of its command. Gives whether it resumes there and
    /// calls nothing; if not, what was written is of no use.
    pub fn resumes_at_once(
        &mut self,
        operator: OperatorId,
        body: TermId,
        continuation: Option<Local>,
        scope: usize,
    ) -> bool {
        let Some(place) = self.in_place(operator, body, continuation) else {
            return false;
        };
        let region = place.region;
        let direct = self.clauses.as_ref().and_then(|c| c.direct.as_ref());
        let performer = direct.filter(|_| place.rests).map(|d| d.performer);
        if let Some(clauses) = &mut self.clauses {
            clauses.place = Some(place);
        }
        let around = self.stand_in(scope, performer);
        self.tail(body, scope, Destination::Resume);
        self.stand_in(scope, around);
        let place = self.clauses.as_mut().and_then(|c| c.place.take());
        if place.is_some_and(|place| place.resumption.is_some()) {
            return false;
        }
        let found = self.regions.get(region).copied().unwrap_or_default();
        !found.calls && !found.captures
    }

    /// Has a scope's code, and the frame that the machine would have for it, stand elsewhere, if that is said. Gives
    /// where it stood.
    fn stand_in(&mut self, scope: usize, site: Option<u32>) -> Option<u32> {
        let site = site?;
        self.frame_site = site;
        let scope = self.scopes.get_mut(scope)?;
        Some(std::mem::replace(&mut scope.site, site))
    }

    /// No clause matches a command being performed.
    pub fn command_fails(&mut self, operator: u32, values: Vec<Var>) {
        if self.clauses.as_ref().is_some_and(|c| c.direct.is_some()) {
            return self.direct_perform(Why::Fails);
        }
        if self.clauses.as_ref().is_some_and(|c| c.window.is_some()) {
            return self.end(End::WindowLeave);
        }
        self.capture(None, None);
        self.fails(operator, values, Destination::Return);
        self.seen = None;
    }

    /// No clause matches. If the program has an `abort`, its handler may resume.
    pub fn fails(&mut self, operator: u32, values: Vec<Var>, to: Destination) {
        if self.shared.abort().is_none() {
            return self.end(End::Fail { operator, values });
        }
        let result = self.fresh();
        self.push(Statement::Fail {
            to: result,
            operator,
            values,
        });
        self.deliver(result, to);
    }

    /// What is known about the arguments before the last when that performs.
    pub fn done_arguments(&mut self, handler: &Handler, done: &[Var]) -> Vec<Argument> {
        done.iter()
            .zip(&handler.ports)
            .map(|(v, port)| match adds(port) {
                true => Argument::Either(*v),
                false => Argument::Finished(Binding::Var(*v)),
            })
            .collect()
    }
}

impl Lower<'_, '_> {
    /// Whether `abort` goes by an operator's last port.
    pub fn abort_passes(&self, handler: &Handler) -> bool {
        let program = self.shared.program;
        let abort = self.shared.abort().map(|c| program.commands[c].interface);
        !handler.ports.last().is_some_and(|port| {
            port.adjustments.iter().any(|a| match a {
                Adjustment::Add(interface) => Some(*interface) == abort,
                Adjustment::Rename(renaming) => Some(renaming.interface) == abort,
            })
        })
    }
}

/// Whether a port adds instances, so that its argument may pause.
pub(super) fn adds(port: &frank_core::Port) -> bool {
    port.adjustments
        .iter()
        .any(|a| matches!(a, Adjustment::Add(_)))
}

/// If an application is `h … (k v)`: `v`, and the other arguments.
fn resumption<'p>(
    facts: &mut Facts<'p>,
    operator: OperatorId,
    head: OperatorId,
    args: &'p [TermId],
    place: &InPlace,
) -> Option<(TermId, &'p [TermId])> {
    if head != operator {
        return None;
    }
    let (last, done) = args.split_last()?;
    let Term::Apply { head, args: inner } = &facts.program().terms[*last] else {
        return None;
    };
    let Term::Local(local) = &facts.program().terms[*head] else {
        return None;
    };
    let [value] = inner.as_slice() else {
        return None;
    };
    let handler = facts.handler(operator)?;
    let plain = |facts: &Facts<'p>, i: usize, term: TermId| {
        handler
            .ports
            .get(i)
            .is_some_and(|p| p.adjustments.is_empty())
            || facts.is_value(term)
    };
    let fits = Some(*local) == place.continuation
        && args.len() == handler.ports.len()
        && !place.mentions.contains(value)
        && done
            .iter()
            .enumerate()
            .all(|(i, term)| !place.mentions.contains(term) && plain(facts, i, *term));
    fits.then_some((*value, done))
}

/// The same of a term.
fn is_resumption(
    facts: &mut Facts<'_>,
    operator: OperatorId,
    term: TermId,
    place: &InPlace,
) -> Option<TermId> {
    let program = facts.program();
    let Term::Apply { head, args } = &program.terms[term] else {
        return None;
    };
    let Term::Operator(id) = &program.terms[*head] else {
        return None;
    };
    resumption(facts, operator, *id, args, place).map(|(value, _)| value)
}

/// Whether some branch of a clause's body ends in `h … (k v)`.
fn resumes(facts: &mut Facts<'_>, operator: OperatorId, body: TermId, place: &InPlace) -> bool {
    facts.some_tail(body, &mut |facts, term| {
        is_resumption(facts, operator, term, place).is_some()
    })
}

/// Whether a value to resume with performs nothing that the handler would take.
fn is_quiet(facts: &mut Facts<'_>, value: TermId, abort_passes: bool) -> bool {
    facts.is_value(value) || (abort_passes && facts.is_leaf(value))
}

/// The resumption `h … (k v)` in a term in which a body ends, if there is one that surely is evaluated where the term
/// stands, once, and before the rest of the term; and nothing else mentions `k`.
fn resumption_before(
    facts: &mut Facts<'_>,
    operator: OperatorId,
    term: TermId,
    place: &InPlace,
    abort_passes: bool,
) -> Option<TermId> {
    let program = facts.program();
    let mentions = |term: &TermId| place.mentions.contains(term);
    let mut next = match &program.terms[term] {
        Term::Let { bound, body, .. } | Term::LetMatch { bound, body, .. } => {
            (mentions(bound) && !mentions(body)).then_some(*bound)?
        }
        Term::Sequence { first, second } => {
            (mentions(first) && !mentions(second)).then_some(*first)?
        }
        _ if is_resumption(facts, operator, term, place).is_some() => return None,
        _ => term,
    };
    loop {
        if let Some(value) = is_resumption(facts, operator, next, place) {
            return is_quiet(facts, value, abort_passes).then_some(next);
        }
        let mut parts = Vec::new();
        match &program.terms[next] {
            Term::Thunk(_) | Term::Adapted { .. } | Term::LetMatch { .. } => return None,
            Term::Apply { head, args } => {
                let plain = |i: usize| match &program.terms[*head] {
                    Term::Command(_) => true,
                    Term::Operator(id) => facts.handler(*id).is_none_or(|handler| {
                        let port = handler.ports.get(i);
                        port.is_some_and(|port| port.adjustments.is_empty())
                    }),
                    _ => false,
                };
                if args
                    .iter()
                    .enumerate()
                    .any(|(i, arg)| mentions(arg) && !plain(i))
                {
                    return None;
                }
                parts.extend(args);
            }
            _ => program.direct_parts(next, &mut |part| parts.push(part)),
        }
        parts.retain(mentions);
        match parts.as_slice() {
            [only] => next = *only,
            _ => return None,
        }
    }
}

// --- the functions ---

/// An operator applied to arguments that are finished, or, but for the last, paused; those of some shape are taken
/// apart, and behind them come the states that the function is handed.
pub(super) fn operator(
    shared: &mut Shared<'_>,
    id: OperatorId,
    context: ContextId,
    shapes: ShapesId,
) -> Body {
    let program = shared.program;
    let name = shared.operator_name(id);
    let place = program.operators[id].place;
    let shapes = shared.shapes.of(shapes);
    let mut lower = Lower::new(shared, name, Some(place), context);
    let Some(handler) = lower.shared.facts.handler(id) else {
        return lower.finish(Vec::new());
    };
    let mut parameters = Vec::new();
    let ports = 0..handler.ports.len();
    let values: Vec<Var> = ports
        .map(|i| lower.parameter(shapes.get(i).unwrap_or(&Shape::Unknown), &mut parameters))
        .collect();
    let states = lower.shared.states_for(id, context);
    for (i, state) in states.iter().enumerate() {
        let shape = shapes.get(handler.ports.len() + i);
        let from = lower.parameter(shape.unwrap_or(&Shape::Unknown), &mut parameters);
        let state = *state;
        lower.push(Statement::WriteState { state, from });
    }
    let mut args = lower.done_arguments(handler, &values);
    // A paused last argument is a command that this operator has functions for.
    if let (Some(last), Some(Argument::Either(v))) =
        (handler.ports.len().checked_sub(1), args.last())
    {
        let v = *v;
        let finished = lower.block(Vec::new());
        let paused = lower.block(Vec::new());
        lower.end(End::Switch {
            of: v,
            cases: Cases::Paused {
                finished,
                cases: Vec::new(),
                default: paused,
            },
        });
        lower.current = paused;
        let function = lower.shared.operator_in(id, context);
        if let Some(port) = lower.shared.port(function, last) {
            lower.end(End::Reinstall {
                port,
                args: parameters.clone(),
            });
        }
        lower.current = finished;
        args.pop();
        args.push(Argument::Finished(Binding::Var(v)));
    }
    lower.match_clauses(args, &handler.clauses, 0, Destination::Return, name);
    lower.finish(parameters)
}

/// The clauses of an operator for one command of an instance that its last port adds. Also
/// returns which clauses can run in the window; given that, makes the function for the window.
pub(super) fn command(
    shared: &mut Shared<'_>,
    id: OperatorId,
    command: CommandId,
    seen: u16,
    context: ContextId,
    window: Option<Vec<bool>>,
) -> (Body, Vec<bool>) {
    let program = shared.program;
    let name = shared.operator_name(id);
    let place = program.operators[id].place;
    let mut lower = Lower::new(shared, name, Some(place), context);
    let Some(handler) = lower.shared.facts.handler(id) else {
        return (lower.finish(Vec::new()), Vec::new());
    };
    let last = handler.ports.len().saturating_sub(1);
    let arity = program.commands[command].arity;
    let parameters: Vec<Var> = (0..arity).map(|_| lower.fresh()).collect();
    let mut done = Vec::new();
    for i in 0..last {
        let to = lower.fresh();
        lower.push(Statement::Done {
            to,
            index: small(i as u32),
        });
        done.push(to);
    }
    let mut args = lower.done_arguments(handler, &done);
    args.push(Argument::Command {
        command: raw(command),
        seen,
        args: parameters.clone(),
    });
    let under = lower.shared.under(id, context);
    // Whoever performs may see more until the continuation is captured.
    lower.seen = None;
    lower.clauses = Some(Clauses {
        operator: id,
        last,
        command: raw(command),
        args: parameters.clone(),
        done,
        window,
        simple: vec![false; handler.clauses.len()],
        scope: 0,
        under,
        direct: None,
        abort_passes: lower.abort_passes(handler),
        place: None,
    });
    lower.match_command(args, &handler.clauses, 0, name);
    let simple = lower.clauses.take().map(|c| c.simple).unwrap_or_default();
    (lower.finish(parameters), simple)
}

/// The catch-alls of an operator for a command that is captured; the paused argument is the first
/// parameter, the arguments before it are the others.
pub(super) fn catch_alls(shared: &mut Shared<'_>, id: OperatorId, context: ContextId) -> Body {
    let program = shared.program;
    let name = shared.operator_name(id);
    let place = program.operators[id].place;
    let mut lower = Lower::new(shared, name, Some(place), context);
    let Some(handler) = lower.shared.facts.handler(id) else {
        return lower.finish(Vec::new());
    };
    let parameters: Vec<Var> = handler.ports.iter().map(|_| lower.fresh()).collect();
    let Some((paused, done)) = parameters.split_first() else {
        return lower.finish(Vec::new());
    };
    let mut args = lower.done_arguments(handler, done);
    args.push(Argument::Paused(*paused));
    lower.match_clauses(args, &handler.clauses, 0, Destination::Return, name);
    lower.finish(parameters)
}

/// A thunk: parameters, then what it captures.
pub(super) fn thunk(shared: &mut Shared<'_>, term: TermId, name: u32) -> Body {
    let program = shared.program;
    let place = program.places.get(term).copied();
    let free = shared.facts.free(term);
    let mut lower = Lower::new(shared, name, place, UNKNOWN);
    let Term::Thunk(handler) = &program.terms[term] else {
        return lower.finish(Vec::new());
    };
    let mut parameters: Vec<Var> = handler.ports.iter().map(|_| lower.fresh()).collect();
    let args = lower.done_arguments(handler, &parameters);
    for local in free.iter() {
        let captured = lower.fresh();
        lower.bind(0, *local, Binding::Var(captured));
        parameters.push(captured);
    }
    lower.match_clauses(args, &handler.clauses, 0, Destination::Return, name);
    lower.finish(parameters)
}

/// An entry.
pub(super) fn entry(shared: &mut Shared<'_>, name: &str, term: TermId) -> Body {
    let name = shared.name(name);
    let place = shared.program.places.get(term).copied();
    let context = shared.outermost();
    let mut lower = Lower::new(shared, name, place, context);
    lower.tail(term, 0, Destination::Return);
    lower.finish(Vec::new())
}

/// Whether a clause is one for this command of this instance of its last port.
pub(super) fn is_for(patterns: &[Pattern], command: CommandId, seen: u16) -> bool {
    matches!(
        patterns.last(),
        Some(Pattern::Command { command: c, index, .. }) if *c == command && small(*index) == seen
    )
}
