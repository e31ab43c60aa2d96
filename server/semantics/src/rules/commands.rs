//! Commands: on their way to a handler or to the host, and what takes them.

use frank_core::{
    Adjustment, CommandId, Handler, InterfaceId, OperatorBody, Outside, Port, Renaming, Term,
    TermId,
};
use frank_interpreter::RunErrorKind;
use frank_interpreter::picture::read;

use super::{Last, Rule, Semantics, Step, Stuck};
use crate::state::{
    Arg, ArgsId, Call, EnvId, Focus, Frame, Frozen, FrozenId, Output, Paused, Performed, StackId,
    State, Value,
};

impl<'p> Semantics<'p> {
    /// A command as it is performed.
    pub(super) fn set_out(&self, state: &State, command: CommandId, call: Call) -> Performed {
        Performed {
            command,
            args: call.args,
            index: 0,
            frozen: None,
            written: call,
            taken: self.is_taken(state.stack, command, 0),
        }
    }

    /// A command goes to its handler step by step, to the host at once.
    pub(super) fn send(&mut self, mut state: State, performed: Performed, rule: Rule) -> Step {
        self.last = Some(Last::Performed(performed.command));
        if !performed.taken {
            return self.host(state, performed);
        }
        state.focus = Focus::Command(performed);
        Ok((rule, state))
    }

    /// The frame around a command lets it pass, or takes it.
    pub(super) fn perform(&mut self, mut state: State, performed: Performed) -> Step {
        let Some(top) = state.stack else {
            return self.host(state, performed);
        };
        let below = self.store.stacks[top];
        state.stack = below.rest;
        let interface = self.program.commands[performed.command].interface;
        let index = match self.crossed(below.frame, interface, performed.index) {
            Crossed::Passed { index } => index,
            Crossed::Taken { slot } => return self.take(state, below.frame, performed, slot),
        };
        let inner = performed.frozen;
        let frozen = self.store.frozen.alloc(Frozen {
            frame: below.frame,
            inner,
        });
        state.focus = Focus::Command(Performed {
            index,
            frozen: Some(frozen),
            ..performed
        });
        Ok((Rule::Freeze, state))
    }

    /// A handler has got a command: its other arguments are evaluated, then its clauses are tried.
    pub(super) fn take(
        &mut self,
        state: State,
        frame: Frame,
        performed: Performed,
        slot: u32,
    ) -> Step {
        let Frame::Argument {
            term,
            env,
            head,
            done,
        } = frame
        else {
            return Err(self.meaningless(frame.term()));
        };
        let paused = self.store.paused.alloc(Paused {
            command: performed.command,
            args: performed.args,
            frozen: performed.frozen,
            slot,
            index: performed.index,
            written: performed.written,
            resumed: None,
        });
        let done = self.store.append(done, Arg::Paused(paused));
        let state = self.argue(state, term, env, head, done)?;
        match state.focus {
            Focus::Call(call) => self.call(state, call),
            _ => Ok((Rule::Pause, state)),
        }
    }

    /// Which instance is meant outside of a stack by a command of the `index`-th one; nothing if a frame takes it.
    pub(super) fn outside(
        &self,
        stack: Option<StackId>,
        command: CommandId,
        mut index: u32,
    ) -> Option<u32> {
        let interface = self.program.commands[command].interface;
        let mut next = stack;
        while let Some(id) = next {
            let below = self.store.stacks[id];
            match self.crossed(below.frame, interface, index) {
                Crossed::Taken { .. } => return None,
                Crossed::Passed { index: outside } => index = outside,
            }
            next = below.rest;
        }
        Some(index)
    }

    /// The interfaces of which a call handles an instance in the argument after those that are done, from the left.
    pub fn handled(&self, head: Value, done: Option<ArgsId>) -> impl Iterator<Item = InterfaceId> {
        let port = self.port(head, self.store.count(done));
        let adjustments = port.into_iter().flat_map(|port| &port.adjustments);
        adjustments.filter_map(|adjustment| match adjustment {
            Adjustment::Add(interface) => Some(*interface),
            Adjustment::Rename(_) => None,
        })
    }

    /// The frame that takes the command at the focus; the host takes it, or nobody, if there is none.
    pub fn taker(&self, state: &State) -> Option<StackId> {
        let Focus::Command(Performed {
            command, mut index, ..
        }) = state.focus
        else {
            return None;
        };
        let interface = self.program.commands[command].interface;
        let mut next = state.stack;
        while let Some(id) = next {
            let below = self.store.stacks[id];
            match self.crossed(below.frame, interface, index) {
                Crossed::Taken { .. } => return Some(id),
                Crossed::Passed { index: outside } => index = outside,
            }
            next = below.rest;
        }
        None
    }

    /// Whether some frame of a stack takes a command.
    pub(super) fn is_taken(&self, stack: Option<StackId>, command: CommandId, index: u32) -> bool {
        self.outside(stack, command, index).is_none()
    }

    /// What a frame does with a command of the `index`-th instance of an interface, counted from the right.
    pub(super) fn crossed(&self, frame: Frame, interface: InterfaceId, mut index: u32) -> Crossed {
        match frame {
            Frame::Argument { head, done, .. } => {
                let Some(port) = self.port(head, self.store.count(done)) else {
                    return Crossed::Passed { index };
                };
                let mut slot = 0;
                for adjustment in port.adjustments.iter().rev() {
                    match adjustment {
                        Adjustment::Add(added) if *added == interface => {
                            if index == 0 {
                                return Crossed::Taken { slot };
                            }
                            index -= 1;
                            slot += 1;
                        }
                        Adjustment::Rename(renaming) if renaming.interface == interface => {
                            index = around(renaming, index);
                        }
                        _ => {}
                    }
                }
            }
            Frame::Adaptors { term, .. } => {
                if let Term::Adapted { renamings, .. } = &self.program.terms[term] {
                    let own = renamings.iter().rev();
                    for renaming in own.filter(|renaming| renaming.interface == interface) {
                        index = around(renaming, index);
                    }
                }
            }
            _ => {}
        }
        Crossed::Passed { index }
    }

    /// The port for an argument of a value that is called.
    pub fn port(&self, head: Value, position: usize) -> Option<&'p Port> {
        self.handler(head)?.ports.get(position)
    }

    /// The ports and clauses of an operator that is written in Frank, or of a suspended computation.
    pub(crate) fn handler(&self, head: Value) -> Option<&'p Handler> {
        match head {
            Value::Operator(id) => match &self.program.operators[id].body {
                OperatorBody::Handler(handler) => Some(handler),
                OperatorBody::Builtin(_) => None,
            },
            Value::Thunk(id) => match &self.program.terms[self.store.thunks[id].term] {
                Term::Thunk(handler) => Some(handler),
                _ => None,
            },
            _ => None,
        }
    }

    /// Puts frozen frames back onto a stack.
    pub(super) fn thaw(
        &mut self,
        stack: Option<StackId>,
        frozen: Option<FrozenId>,
    ) -> Option<StackId> {
        let frames = self.store.frames(frozen);
        frames
            .into_iter()
            .fold(stack, |stack, frame| self.store.push(stack, frame))
    }

    /// The host answers a command of the one instance of `Console`, `RefState` or `Picture` that it has. Pictures are
    /// looked at, and not drawn.
    pub(super) fn host(&mut self, mut state: State, performed: Performed) -> Step {
        let term = performed.written.term;
        let Performed { command, index, .. } = performed;
        let interface = self.program.commands[command].interface;
        let index = self.outside(state.stack, command, index);
        state.stack = self.thaw(state.stack, performed.frozen);
        let args = self.store.values(performed.args);
        let known = &self.program.known;
        let is = |service: Option<CommandId>| index == Some(0) && service == Some(command);
        let asked = known.picture(command).filter(|_| index == Some(0));
        let outside = known.outside(command).filter(|_| index == Some(0));
        let value = match args[..] {
            [] if is(known.inch) => {
                let Some(c) = self.input.get(state.read) else {
                    let message = "`inch` at the end of the input".to_owned();
                    return Err(self.stuck(term, RunErrorKind::EndOfInput, message));
                };
                state.read += 1;
                Value::Char(*c)
            }
            [Value::Char(c)] if is(known.ouch) => self.print(&mut state, [c]),
            [Value::Int(i)] if is(known.ouint) => self.print(&mut state, i.to_string().chars()),
            [value] if is(known.new) => {
                let cell = Value::Ref(state.cells.len());
                self.name_cell(&state);
                state.cells.push_back_mut(value);
                cell
            }
            [Value::Ref(cell)] if is(known.read) => {
                let held = state.cells.get(cell).copied();
                held.ok_or_else(|| self.meaningless(term))?
            }
            [Value::Ref(cell), value] if is(known.write) => {
                state.cells.set_mut(cell, value);
                self.unit()
            }
            [caption, data] if let Some(kind) = asked => {
                let picture = read(kind, [caption, data], &*self);
                let counted = picture.and_then(|picture| state.pictures.count(&picture));
                counted.map_err(|reason| self.stuck(term, RunErrorKind::Failed, reason))?;
                self.unit()
            }
            _ if let Some(outside) = outside => self.ask(&mut state, term, outside)?,
            _ => {
                let name = &self.program.commands[command].name;
                let interface = &self.program.interfaces[interface].name;
                let message = format!("nobody handles the command `{name}` of `{interface}` here");
                return Err(self.stuck(term, RunErrorKind::Unhandled, message));
            }
        };
        state.focus = Focus::Value(value);
        Ok((Rule::Host, state))
    }

    /// Answers what the input can answer. Nobody grants files, arguments or clocks to who looks at the rules.
    fn ask(&mut self, state: &mut State, term: TermId, asked: Outside) -> Result<Value, Stuck> {
        let rest = self.input.get(state.read..).unwrap_or_default();
        let (taken, text) = match asked {
            Outside::NextLine => match rest.iter().position(|c| *c == '\n') {
                Some(end) => (end + 1, rest.iter().take(end).collect()),
                None => (rest.len(), rest.iter().collect::<String>()),
            },
            Outside::ReadAll => (rest.len(), rest.iter().collect()),
            _ => match asked.tried() {
                None => return Err(self.stuck(term, RunErrorKind::Host, asked.not_granted())),
                Some(plain) => {
                    let Some(left) = self.program.known.left else {
                        return Err(self.meaningless(term));
                    };
                    let reason = self.text(term, &plain.not_granted())?;
                    return Ok(self.construct(left, vec![reason]));
                }
            },
        };
        state.read += taken;
        if asked == Outside::ReadAll {
            return self.text(term, &text);
        }
        let known = &self.program.known;
        let (Some(nothing), Some(just)) = (known.nothing, known.just) else {
            return Err(self.meaningless(term));
        };
        if taken == 0 {
            return Ok(self.construct(nothing, Vec::new()));
        }
        let line = self.text(term, text.strip_suffix('\r').unwrap_or(&text))?;
        Ok(self.construct(just, vec![line]))
    }

    pub(crate) fn unit(&mut self) -> Value {
        let unit = self.program.known.unit;
        // A program with the host's commands has the built-in types.
        unit.map_or(Value::Int(0), |unit| self.construct(unit, Vec::new()))
    }

    pub(super) fn print(
        &mut self,
        state: &mut State,
        chars: impl IntoIterator<Item = char>,
    ) -> Value {
        for char in chars {
            let before = state.printed;
            let count = before.map_or(0, |id| self.store.output[id].count) + 1;
            let output = Output {
                char,
                before,
                count,
            };
            state.printed = Some(self.store.output.alloc(output));
        }
        self.unit()
    }

    /// A cell has the name of the variable that the innermost `let` around its birth binds.
    pub(super) fn name_cell(&mut self, state: &State) {
        if state.cells.len() < self.store.births.len() {
            return;
        }
        let mut name = None;
        let mut next = state.stack;
        while let (None, Some(id)) = (name, next) {
            let below = self.store.stacks[id];
            if let Frame::Let { term, .. } = below.frame
                && let Term::Let { local, .. } = self.program.terms[term]
            {
                name = Some((term, local));
            }
            next = below.rest;
        }
        self.store.births.push(name);
    }

    /// No clause matches: `abort`, if that is handled here.
    pub(super) fn fail(
        &mut self,
        state: State,
        term: TermId,
        env: Option<EnvId>,
        name: &str,
    ) -> Step {
        if let Some(abort) = self.program.known.abort {
            let head = Value::Command(abort);
            let args = None;
            let call = Call {
                head,
                args,
                term,
                env,
            };
            let performed = self.set_out(&state, abort, call);
            if performed.taken {
                return self.send(state, performed, Rule::Fail);
            }
        }
        let message = format!("no clause of `{name}` matches");
        Err(self.stuck(term, RunErrorKind::NoMatch, message))
    }
}

/// What becomes of a command at a frame.
pub(super) enum Crossed {
    /// It goes on, and this instance is meant outside.
    Passed { index: u32 },
    /// The frame's port adds the instance; so many others of the interface stand to its right.
    Taken { slot: u32 },
}

/// The instance around an adaptor that one under it stands for.
fn around(renaming: &Renaming, index: u32) -> u32 {
    let kept = renaming.kept.len() as u32;
    match renaming.kept.get(index as usize) {
        Some(meant) => *meant,
        None => index.saturating_sub(kept) + renaming.taken,
    }
}
