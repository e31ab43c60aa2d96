//! The functions of a handler, and clauses that resume in place.
//!
//! An operator whose last port adds instances has a function for its finished arguments, one for
//! each command that has clauses of its own, and one for catch-alls. When a command is performed,
//! the machine finds the handler and enters the command's function with nothing captured yet: the
//! program that performed stays where it is on the stack, and so does the handler.
//!
//! A clause that resumes once leaves that program there ([`super::resumptions`]).
//!
//! If such a clause calls nothing it does not even need a frame: it is compiled once more for the
//! window, and performing such a command costs about as much as a basic operation.

use std::collections::HashSet;

use frank_core::{Adjustment, CommandId, Handler, Local, OperatorId, Pattern, Term, TermId};

use super::context::ContextId;
use super::direct::Direct;
use super::ir::{Body, Cases, End, Statement, Var};
use super::lower::{Binding, Destination, Lower};
use super::matching::Argument;
use super::shapes::{Shape, ShapesId};
use super::shared::Shared;
use super::{raw, small};
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

/// A clause that resumes in place, perhaps: see [`super::resumptions`].
pub(super) struct InPlace {
    pub continuation: Option<Local>,
    pub mentions: HashSet<TermId>,
    pub region: usize,
    /// Whether some branch of the clause has work left after its resumption.
    pub rests: bool,
    /// The resumption that comes next, if there is work left after it.
    pub resumption: Option<TermId>,
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
            let debug = block.end.debug;
            match block.statements.get_mut(begin.1).map(|s| &mut s.what) {
                // Nothing is done before the program that performs is taken off: there is no need to mark where it goes on.
                Some(Statement::Capture { region: at, .. }) if *at == Some(region) => *at = None,
                _ => {
                    let what = Statement::Begin;
                    let begin_with = super::ir::Placed { what, debug };
                    block.statements.insert(begin.1, begin_with);
                }
            }
        }
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
    let lost = shared.lost.get(&id).copied();
    let mut lower = Lower::new(shared, name, Some(place), context);
    lower.lost = lost;
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
    (context, shapes): (ContextId, ShapesId),
    window: Option<Vec<bool>>,
) -> (Body, Vec<bool>) {
    let program = shared.program;
    let name = shared.operator_name(id);
    let place = program.operators[id].place;
    let shapes = shared.shapes.of(shapes);
    let mut lower = Lower::new(shared, name, Some(place), context);
    let Some(handler) = lower.shared.facts.handler(id) else {
        return (lower.finish(Vec::new()), Vec::new());
    };
    let last = handler.ports.len().saturating_sub(1);
    let mut parameters = Vec::new();
    let arguments = 0..program.commands[command].arity as usize;
    let arguments: Vec<Var> = arguments
        .map(|i| lower.parameter(shapes.get(i).unwrap_or(&Shape::Unknown), &mut parameters))
        .collect();
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
        args: arguments.clone(),
    });
    let under = lower.shared.under(id, context);
    // Whoever performs may see more until the continuation is captured.
    lower.seen = None;
    lower.clauses = Some(Clauses {
        operator: id,
        last,
        command: raw(command),
        args: arguments,
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

/// A thunk: parameters, then what it captures, of which some is taken apart.
pub(super) fn thunk(
    shared: &mut Shared<'_>,
    term: TermId,
    name: u32,
    context: ContextId,
    shapes: ShapesId,
) -> Body {
    let program = shared.program;
    let place = program.places.get(term).copied();
    let free = shared.facts.free(term);
    let shapes = shared.shapes.of(shapes);
    let mut lower = Lower::new(shared, name, place, context);
    let Term::Thunk(handler) = &program.terms[term] else {
        return lower.finish(Vec::new());
    };
    let mut parameters: Vec<Var> = handler.ports.iter().map(|_| lower.fresh()).collect();
    let args = lower.done_arguments(handler, &parameters);
    for (i, local) in free.iter().enumerate() {
        let shape = shapes.get(i).unwrap_or(&Shape::Unknown);
        let captured = lower.parameter(shape, &mut parameters);
        lower.bind(0, *local, Binding::Var(captured));
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
