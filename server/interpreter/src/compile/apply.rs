//! Applications to blocks.
//!
//! `case` and small operators are put in place of their calls; a thunk that such an operator
//! forces never becomes a closure.

use std::collections::HashMap;

use frank_core::{Builtin, CommandId, Handler, OperatorId, Term, TermId};

use super::context::{Taker, UNKNOWN};
use super::ir::{End, Kind, Statement, Var};
use super::lower::{Binding, Destination, Lower, Scope};
use super::matching::Argument;
use super::terms::is_plain;
use crate::performance::How;
use crate::value::Value;

/// Operators up to this size are put in place of calls.
const SMALL: usize = 40;
/// The same in clauses for commands, which run more often than other code.
const SMALL_IN_CLAUSE: usize = 120;
/// The same for operators that only compute, in clauses that could then do without a frame.
const SMALL_LEAF: usize = 400;
/// How much all that may add to a function.
const GROWTH: usize = 6000;
/// How often an operator may mention a parameter for a thunk to be put in its place.
const LIMIT: u32 = 1;
/// How deep it may nest.
const INLINE_DEPTH: usize = 12;

impl<'p> Lower<'_, 'p> {
    /// Lowers an application, for its value or towards a destination.
    pub fn apply(&mut self, term: TermId, scope: usize, to: Option<Destination>) -> Option<Var> {
        let program = self.shared.program;
        let Term::Apply { head, args } = &program.terms[term] else {
            return Some(self.value(term, scope));
        };
        match &program.terms[*head] {
            Term::Operator(id) => {
                if to == Some(Destination::Resume) && self.resume(*id, args, scope) {
                    return None;
                }
                if let Some(result) = self.resume_and_go_on(term, *id, args, scope) {
                    return self.finish_value(result, to);
                }
                self.apply_operator(term, *id, args, scope, to)
            }
            Term::Command(id) => {
                let to = to.map(|to| self.leave(to));
                let args: Vec<Var> = args.iter().map(|a| self.value(*a, scope)).collect();
                self.at(term, scope);
                if let Some(result) = self.cell(*id, &args) {
                    return self.finish_value(result, to);
                }
                let is_last = self.is_last(to);
                let why = match self.perform_directly(*id, &args, is_last) {
                    Ok(result) => return self.finish_value(result, to),
                    Err(why) => why,
                };
                if let Some(version) = self.command_version(*id, &args) {
                    self.note_performed(*id, How::Direct(version.handler, why));
                    self.push(version.handling);
                    return self.call_function(version.function, version.args, to);
                }
                self.note_performed(*id, How::Performed(why));
                let command = super::raw(*id);
                if to == Some(Destination::Return) {
                    self.note_call();
                    self.end(End::TailPerform { command, args });
                    return None;
                }
                let result = self.fresh();
                self.push(Statement::Perform {
                    to: result,
                    command,
                    args,
                });
                self.finish_value(result, to)
            }
            Term::Local(local) => {
                if let Binding::Delayed(thunk, home) = self.lookup(scope, *local)
                    && let Term::Thunk(handler) = &program.terms[thunk]
                    && is_plain(handler)
                {
                    return self.apply_delayed(thunk, handler, home, args, scope, to);
                }
                if let Binding::Var(head) = self.lookup(scope, *local)
                    && let Some(code) = self.known_code(head)
                {
                    return self.apply_known(term, &code, args, scope, to);
                }
                self.apply_unknown(term, *head, args, scope, to)
            }
            _ => self.apply_unknown(term, *head, args, scope, to),
        }
    }

    /// A command of cells that the machine does itself.
    fn cell(&mut self, id: CommandId, args: &[Var]) -> Option<Var> {
        if !self.shared.cells_are_plain {
            let program = self.shared.program;
            let interface = program.commands[id].interface;
            if self.shared.contexts.taker(program, self.context, interface) != Taker::Host {
                return None;
            }
        }
        let known = &self.shared.program.known;
        let to = self.kinds.len() as Var;
        let (statement, kind) = match args {
            [from] if known.new == Some(id) => {
                (Statement::NewCell { to, from: *from }, Kind::Unknown)
            }
            [cell] if known.read == Some(id) => {
                (Statement::ReadCell { to, cell: *cell }, Kind::Unknown)
            }
            [cell, from] if known.write == Some(id) => {
                let (cell, from) = (*cell, *from);
                (Statement::WriteCell { to, cell, from }, Kind::Plain)
            }
            _ => return None,
        };
        let to = self.var(kind);
        self.push(statement);
        self.note_performed(id, How::Instruction);
        Some(to)
    }

    fn apply_operator(
        &mut self,
        term: TermId,
        id: OperatorId,
        args: &'p [TermId],
        scope: usize,
        to: Option<Destination>,
    ) -> Option<Var> {
        let program = self.shared.program;
        match self.shared.facts.handler(id) {
            None => {
                let head = match &program.terms[term] {
                    Term::Apply { head, .. } => *head,
                    _ => term,
                };
                match (self.shared.facts.builtin(head), args) {
                    (Some(Builtin::Case), [subject, clauses]) => {
                        self.apply_case(term, *subject, *clauses, scope, to)
                    }
                    (Some(builtin), _) => {
                        let to = to.map(|to| self.leave(to));
                        let args: Vec<Var> = args.iter().map(|a| self.value(*a, scope)).collect();
                        self.at(term, scope);
                        let kind = match builtin.result().may_be_object() {
                            true => Kind::Unknown,
                            false => Kind::Plain,
                        };
                        let result = self.var(kind);
                        self.push(Statement::Builtin {
                            to: result,
                            builtin,
                            args,
                        });
                        self.finish_value(result, to)
                    }
                    (None, _) => {
                        self.shared.fail("an operator without a body".to_owned());
                        Some(self.constant(Value::BOTTOM))
                    }
                }
            }
            Some(handler) => {
                if self.fits(id) {
                    return self.apply_inline(term, id, handler, args, scope, to);
                }
                if self.is_called_here(id, args, scope) {
                    return self.apply_called(term, id, handler, args, scope, to);
                }
                let to = to.map(|to| self.leave(to));
                self.call_operator(term, id, args, scope, to)
            }
        }
    }

    /// Whether a call of an operator is replaced by the operator.
    fn fits(&mut self, id: OperatorId) -> bool {
        if self.inlining.len() >= INLINE_DEPTH || self.inlining.contains(&id) {
            return false;
        }
        let Some(summary) = self.shared.facts.summary(id) else {
            return false;
        };
        let limit =
            match self.clauses.is_some() && self.called.is_empty() && self.applied.is_empty() {
                true if summary.leaf => SMALL_LEAF,
                true => SMALL_IN_CLAUSE,
                false => SMALL,
            };
        if !summary.inlinable || summary.size > limit {
            return false;
        }
        let fits = self.grown + summary.size <= GROWTH;
        self.overgrown |= !fits;
        fits
    }

    fn apply_case(
        &mut self,
        term: TermId,
        subject: TermId,
        clauses: TermId,
        scope: usize,
        to: Option<Destination>,
    ) -> Option<Var> {
        let program = self.shared.program;
        let plain = |h: &Handler| h.ports.len() == 1 && is_plain(h);
        match &program.terms[clauses] {
            Term::Thunk(handler) if plain(handler) => {
                let to = to.map(|to| self.stay_or_leave(to, &[subject]));
                let value = self.value(subject, scope);
                self.at(clauses, scope);
                let args = vec![Argument::Finished(Binding::Var(value))];
                let operator = self.shared.name("case");
                match to {
                    Some(to) => {
                        self.match_clauses(args, &handler.clauses, scope, to, operator);
                        None
                    }
                    None => Some(self.with_join(|lower, to| {
                        lower.match_clauses(args, &handler.clauses, scope, to, operator)
                    })),
                }
            }
            _ => {
                let to = to.map(|to| self.leave(to));
                let subject = self.value(subject, scope);
                let head = self.value(clauses, scope);
                self.at(term, scope);
                self.apply_values(head, vec![subject], to)
            }
        }
    }

    /// Puts an operator in place of its call.
    fn apply_inline(
        &mut self,
        term: TermId,
        id: OperatorId,
        handler: &'p Handler,
        args: &'p [TermId],
        scope: usize,
        to: Option<Destination>,
    ) -> Option<Var> {
        let program = self.shared.program;
        let summary = self.shared.facts.summary(id).unwrap_or_default();
        // In a clause that resumes in place its continuation may stand in thunks only that are
        // forced last.
        let to = to.map(|to| {
            let careless: Vec<TermId> = args
                .iter()
                .enumerate()
                .filter(|(i, arg)| {
                    !(matches!(program.terms[**arg], Term::Thunk(_))
                        && summary.forced_last.get(*i).copied().unwrap_or(false)
                        && summary.uses.get(*i).copied().unwrap_or(0) <= LIMIT)
                })
                .map(|(_, arg)| *arg)
                .collect();
            self.stay_or_leave(to, &careless)
        });
        let mut bindings = Vec::new();
        for (i, arg) in args.iter().enumerate() {
            let uses = summary.uses.get(i).copied().unwrap_or(0);
            let binding = match &program.terms[*arg] {
                Term::Thunk(_) if uses <= LIMIT => Binding::Delayed(*arg, scope),
                Term::Local(local) => match self.lookup(scope, *local) {
                    Binding::Delayed(thunk, home) if uses > LIMIT => {
                        Binding::Var(self.closure(thunk, home))
                    }
                    binding => binding,
                },
                _ => Binding::Var(self.value(*arg, scope)),
            };
            bindings.push(Argument::Finished(binding));
        }
        self.grown += summary.size;
        self.inlining.push(id);
        let operator = self.shared.operator_name(id);
        self.at(term, scope);
        self.scopes.push(Scope {
            bindings: HashMap::new(),
            name: operator,
            depth: self.inlining.len(),
            site: self.debug,
        });
        let inner = self.scopes.len() - 1;
        self.at_place(Some(program.operators[id].place), inner);
        let result = match to {
            Some(to) => {
                self.match_clauses(bindings, &handler.clauses, inner, to, operator);
                None
            }
            None => Some(self.with_join(|lower, to| {
                lower.match_clauses(bindings, &handler.clauses, inner, to, operator)
            })),
        };
        self.inlining.pop();
        result
    }

    /// Calls a thunk that was given to an operator that was put in place.
    fn apply_delayed(
        &mut self,
        thunk: TermId,
        handler: &'p Handler,
        home: usize,
        args: &'p [TermId],
        scope: usize,
        to: Option<Destination>,
    ) -> Option<Var> {
        // Its continuation may stand in the thunk, if this is a clause that resumes in place; the
        // thunk is then forced last, and so has no arguments.
        let to = to.map(|to| self.stay_or_leave(to, args));
        let mut bindings = Vec::new();
        for arg in args {
            bindings.push(Argument::Finished(Binding::Var(self.value(*arg, scope))));
        }
        self.at(thunk, home);
        let operator = self.shared.name("{…}");
        // The thunk stands where it was written: an `if` in a branch of an `if` is no recursion.
        let depth = self.scopes.get(home).map_or(0, |s| s.depth);
        let within = self.inlining.split_off(depth.min(self.inlining.len()));
        let result = match to {
            Some(to) => {
                self.match_clauses(bindings, &handler.clauses, home, to, operator);
                None
            }
            None => Some(self.with_join(|lower, to| {
                lower.match_clauses(bindings, &handler.clauses, home, to, operator)
            })),
        };
        self.inlining.extend(within);
        result
    }

    /// A call of an operator that stays a call.
    fn call_operator(
        &mut self,
        term: TermId,
        id: OperatorId,
        args: &[TermId],
        scope: usize,
        to: Option<Destination>,
    ) -> Option<Var> {
        if let (UNKNOWN, Some(lost)) = (self.context, self.lost) {
            // It knows as little of its handlers, for the same reason.
            self.shared.lost.entry(id).or_insert(lost);
        }
        let plain = self.shared.facts.handler(id).is_none_or(is_plain);
        // Where its arguments decide which version is called, the others need not be there.
        let function = (!plain).then(|| self.shared.operator_in(id, self.context));
        let mut values = Vec::new();
        for (i, arg) in args.iter().enumerate() {
            let port = function.and_then(|function| self.shared.port(function, i));
            let Some(port) = port.filter(|_| !self.shared.facts.is_value(*arg)) else {
                values.push(self.value(*arg, scope));
                continue;
            };
            self.note_call();
            self.at(term, scope);
            if let Some(on) = self.shared.facts.hands_on(id) {
                return self.hand_on(on, *arg, scope, to);
            }
            let inner = self.block(Vec::new());
            if i + 1 < args.len() {
                let value = self.fresh();
                let after = self.block(vec![value]);
                self.end(End::Pause { port, inner, after });
                self.current = inner;
                self.tail_in(*arg, scope, UNKNOWN);
                self.current = after;
                values.push(value);
                continue;
            }
            if to == Some(Destination::Return) {
                self.end(End::Handle {
                    port,
                    done: values,
                    inner,
                    after: None,
                });
                self.current = inner;
                self.tail_under(id, *arg, scope);
                return None;
            }
            let result = self.fresh();
            let after = self.block(vec![result]);
            self.end(End::Handle {
                port,
                done: values,
                inner,
                after: Some(after),
            });
            self.current = inner;
            self.tail_under(id, *arg, scope);
            self.current = after;
            return self.finish_value(result, to);
        }
        self.at(term, scope);
        // A call from a program into the library that may end the run is one that the error names,
        // so it leaves a frame even in tail position.
        let named = self.shared.leads_to_fail(id) && self.shared.is_in_program(self.debug);
        if plain
            && !named
            && let Some(result) = self.apply_to_objects(term, id, &values, scope, to)
        {
            return result.and_then(|result| self.finish_value(result, to));
        }
        let (function, values) = match function {
            Some(function) => (function, values),
            None => self.version(id, values),
        };
        if to == Some(Destination::Return) && named {
            let result = self.fresh();
            self.push(Statement::Call {
                to: result,
                function,
                args: values,
            });
            return self.finish_value(result, to);
        }
        self.call_function(function, values, to)
    }

    /// A call of a function, which leaves no frame where it is the last thing to be done.
    pub fn call_function(
        &mut self,
        function: u32,
        args: Vec<Var>,
        to: Option<Destination>,
    ) -> Option<Var> {
        if to == Some(Destination::Return) {
            self.note_call();
            self.end(End::TailCall { function, args });
            return None;
        }
        let result = self.fresh();
        self.push(Statement::Call {
            to: result,
            function,
            args,
        });
        self.finish_value(result, to)
    }

    /// A call whose head is computed, and may be known at run time only.
    fn apply_unknown(
        &mut self,
        term: TermId,
        head: TermId,
        args: &'p [TermId],
        scope: usize,
        to: Option<Destination>,
    ) -> Option<Var> {
        let to = to.map(|to| self.leave(to));
        let head = self.value(head, scope);
        if let Some(code) = self.known_code(head) {
            return self.apply_known(term, &code, args, scope, to);
        }
        let plain = self.continuations.contains(&head);
        let mut values = Vec::new();
        for (i, arg) in args.iter().enumerate() {
            if plain || self.shared.facts.is_value(*arg) {
                values.push(self.value(*arg, scope));
                continue;
            }
            self.note_call();
            self.at(term, scope);
            let index = i.min(u16::MAX as usize) as u16;
            let result = self.fresh();
            let after = self.block(vec![result]);
            let inner = self.block(Vec::new());
            self.end(End::EnterPort {
                head,
                index,
                inner,
                after,
            });
            self.current = inner;
            let around = std::mem::replace(&mut self.context, UNKNOWN);
            let value = self.value(*arg, scope);
            self.context = around;
            self.at(term, scope);
            self.end(End::LeavePort {
                head,
                index,
                value,
                after,
            });
            self.current = after;
            values.push(result);
        }
        self.at(term, scope);
        self.apply_values(head, values, to)
    }

    fn apply_values(&mut self, head: Var, args: Vec<Var>, to: Option<Destination>) -> Option<Var> {
        if to == Some(Destination::Return) {
            self.note_call();
            self.end(End::TailApply { head, args });
            return None;
        }
        let result = self.fresh();
        self.push(Statement::Apply {
            to: result,
            head,
            args,
        });
        self.finish_value(result, to)
    }
}
