//! Frames: calls, and values that come back to them.
#![allow(clippy::indexing_slicing)] // Every index is one that the compile phase made.

use super::run::Next;
use super::{Machine, at};
use crate::code::{Callable, MARK, NO_INTERFACE, NONE, NOWHERE, Operand, Reg, WINDOW};
use crate::error::{RunErrorKind, Stop};
use crate::heap::OutOfMemory;
use crate::nodes::Node;
use crate::value::{Value, View};

impl Machine<'_> {
    /// A frame for a call: what its function needs afterwards moves into it.
    #[inline(always)]
    pub(super) fn push_frame(&mut self, site: u32) -> Result<(), OutOfMemory> {
        let s = &self.code.sites[site as usize];
        let count = s.count as usize;
        let frame = if count == 0 {
            // Many calls have nothing to keep.
            let frame = self.heap.alloc(1, site)?;
            self.heap.set(frame, 0, self.k);
            frame
        } else {
            let frame = self.heap.alloc(count + 1, site)?;
            let saved = &self.code.pool[s.saved as usize..s.saved as usize + count];
            let words = self.heap.slice_mut(frame, count + 1);
            words[0] = self.k.0;
            for i in 0..saved.len() {
                words[i + 1] = self.registers[Operand(saved[i]).register()].0;
            }
            frame
        };
        self.k = Value::frame(frame);
        Ok(())
    }

    /// The same where some of it is needed under the frame, too.
    pub(super) fn push_frame_copying(&mut self, site: u32) -> Result<(), OutOfMemory> {
        self.push_frame(site)?;
        let s = &self.code.sites[site as usize];
        for i in 0..s.count as usize {
            let operand = Operand(self.code.pool[s.saved as usize + i]);
            if operand.flag() {
                self.heap.dup(self.registers[operand.register()]);
            }
        }
        Ok(())
    }

    /// Brings arguments to the first registers.
    #[inline(always)]
    pub(super) fn moves(&mut self, moves: u32, count: u8) {
        if count == 0 {
            return;
        }
        let start = moves as usize;
        let pairs = &self.code.pool[start..start + 2 * count as usize];
        for pair in pairs.chunks_exact(2) {
            let operand = Operand(pair[0]);
            let value = self.registers[operand.register()];
            if operand.flag() {
                self.heap.dup(value);
            }
            self.registers[at(pair[1])] = value;
        }
    }

    /// Gives a value to the stack: to the innermost frame, or, where a segment ends, to what its
    /// handler makes of a finished argument.
    #[inline(always)]
    pub(super) fn give(&mut self, value: Value) -> Result<Next, OutOfMemory> {
        match self.give_to_frame(value) {
            Some(pc) => Ok(Next::At(pc)),
            None => self.give_slowly(value),
        }
    }

    /// Gives a value to the innermost frame, if that is next and nobody else has it.
    #[inline(always)]
    fn give_to_frame(&mut self, value: Value) -> Option<usize> {
        if !self.k.is_frame() {
            return None;
        }
        let frame = self.k.handle();
        let site = self.heap.info(frame);
        if site == MARK || !self.heap.is_unique(frame) {
            return None;
        }
        let s = &self.code.sites[site as usize];
        let count = s.count as usize;
        let saved = &self.code.pool[s.saved as usize..s.saved as usize + count];
        let words = self.heap.slice(frame, count + 1);
        self.k = Value(words[0]);
        for i in 0..saved.len() {
            self.registers[Operand(saved[i]).register()] = Value(words[i + 1]);
        }
        let (to, pc) = (s.to, s.pc as usize);
        self.heap.free_shell(frame);
        self.receive(to, value);
        Some(pc)
    }

    #[inline(never)]
    fn give_slowly(&mut self, value: Value) -> Result<Next, OutOfMemory> {
        loop {
            if let Some(pc) = self.give_to_frame(value) {
                return Ok(Next::At(pc));
            }
            if self.k.is_bottom() {
                if !self.u.is_bottom() {
                    self.k = std::mem::replace(&mut self.u, Value::BOTTOM);
                    continue;
                }
                let Some(node) = self.nodes.pop() else {
                    return Ok(Next::Done(value));
                };
                self.visible = self.nodes.len() - node.skip as usize;
                self.k = node.k;
                self.u = node.u;
                if node.entered {
                    let port = &self.code.ports[node.port as usize];
                    let site = &self.code.sites[port.enter as usize];
                    self.registers[at(site.to)] = value;
                    return Ok(Next::At(site.pc as usize));
                }
                continue;
            }
            match self.k.view() {
                View::Frame(frame) => {
                    let site = self.heap.info(frame);
                    if site == MARK {
                        self.unmark();
                        continue;
                    }
                    return Ok(Next::At(self.restore(frame, site, value)));
                }
                View::Join(join) => {
                    let first = self.heap.get(join, 0);
                    let second = self.heap.get(join, 1);
                    if self.heap.is_unique(join) {
                        self.heap.free_shell(join);
                    } else {
                        self.heap.dup(first);
                        self.heap.dup(second);
                        self.heap.release_shared(join);
                    }
                    self.k = first;
                    self.u = self.join(second, self.u)?;
                }
                // The stack consists of nothing else.
                _ => self.k = Value::BOTTOM,
            }
        }
    }

    /// Takes a frame's registers back, leaving it to others if there are.
    fn restore(&mut self, frame: u32, site: u32, value: Value) -> usize {
        let s = &self.code.sites[site as usize];
        let unique = self.heap.is_unique(frame);
        self.k = self.heap.get(frame, 0);
        if !unique {
            self.heap.dup(self.k);
        }
        for i in 0..s.count as usize {
            let operand = Operand(self.code.pool[s.saved as usize + i]);
            let word = self.heap.get(frame, i + 1);
            if !unique {
                self.heap.dup(word);
            }
            self.registers[operand.register()] = word;
        }
        if unique {
            self.heap.free_shell(frame);
        } else {
            self.heap.release_shared(frame);
        }
        self.receive(s.to, value);
        s.pc as usize
    }

    /// Puts a value where it is wanted, or drops it if it is not.
    #[inline(always)]
    pub(super) fn receive(&mut self, to: Reg, value: Value) {
        if to == NOWHERE {
            self.heap.drop(value);
        } else {
            self.registers[at(to)] = value;
        }
    }

    /// One stack behind another.
    pub(super) fn join(&mut self, first: Value, second: Value) -> Result<Value, OutOfMemory> {
        if first.is_bottom() {
            return Ok(second);
        }
        if second.is_bottom() {
            return Ok(first);
        }
        Ok(Value::join(self.heap.object(&[first, second], 0)?))
    }

    /// An object of operands that are used up.
    #[inline(always)]
    pub(super) fn fill(&mut self, info: u32, args: u32, count: u16) -> Result<u32, OutOfMemory> {
        let count = count as usize;
        let handle = self.heap.alloc(count, info)?;
        for i in 0..count {
            let operand = Operand(self.code.pool[args as usize + i]);
            let value = self.take(operand);
            self.heap.set(handle, i, value);
        }
        Ok(handle)
    }

    /// The port of what a value would be applied to, if it adjusts the ability.
    pub(super) fn port_of(&self, head: Value, index: usize) -> Option<u32> {
        let function = match head.view() {
            View::Closure(handle) => self.heap.info(handle),
            View::Operator(id) => match self.code.operators[id as usize] {
                Some(Callable::Function(function)) => function,
                _ => return None,
            },
            _ => return None,
        };
        self.code.functions[function as usize]
            .ports
            .get(index)
            .copied()
            .flatten()
    }

    /// Applies what is known at run time only.
    pub(super) fn apply(
        &mut self,
        head: Operand,
        args: u32,
        count: usize,
        site: u32,
    ) -> Result<Next, Box<Stop>> {
        let head = self.take(head);
        if head.is_continuation() {
            let value = self.take(Operand(self.code.pool[args as usize]));
            if site != NONE {
                self.push_frame(site)?;
            }
            self.resume(head)?;
            return Ok(self.give(value)?);
        }
        for i in 0..count {
            let value = self.take(Operand(self.code.pool[args as usize + i]));
            self.registers[WINDOW as usize + i] = value;
        }
        if site != NONE {
            self.push_frame(site)?;
        }
        if head.is_closure() {
            return Ok(self.enter_closure(head.handle(), count));
        }
        self.apply_value(head, count)
    }

    /// Calls a closure with so many arguments in the window.
    #[inline(always)]
    fn enter_closure(&mut self, handle: u32, count: usize) -> Next {
        let function = &self.code.functions[self.heap.info(handle) as usize];
        let captured = function.captured as usize;
        for i in 0..count {
            self.registers[i] = self.registers[WINDOW as usize + i];
        }
        let words = self.heap.slice(handle, captured);
        for (i, word) in words.iter().enumerate() {
            self.registers[at((count + i) as Reg)] = Value(*word);
        }
        if self.heap.is_unique(handle) {
            self.heap.free_shell(handle);
        } else {
            for i in 0..captured {
                self.heap.dup(self.registers[at((count + i) as Reg)]);
            }
            self.heap.release_shared(handle);
        }
        Next::At(function.pc as usize)
    }

    /// Applies a value to so many arguments in the window.
    pub(super) fn apply_value(&mut self, head: Value, count: usize) -> Result<Next, Box<Stop>> {
        match head.view() {
            View::Closure(handle) => Ok(self.enter_closure(handle, count)),
            View::Continuation(_) | View::Waiting(_) => {
                let value = self.registers[WINDOW as usize];
                self.resume(head)?;
                Ok(self.give(value)?)
            }
            View::Paused(handle) => self.perform_again(handle),
            View::Finished(handle) => {
                let value = self.heap.dup(self.heap.get(handle, 0));
                self.heap.drop(head);
                Ok(self.give(value)?)
            }
            View::Operator(id) => match self.code.operators[id as usize] {
                Some(Callable::Function(function)) => {
                    for i in 0..count {
                        self.registers[i] = self.registers[WINDOW as usize + i];
                    }
                    Ok(Next::At(self.code.functions[function as usize].pc as usize))
                }
                Some(Callable::Builtin(frank_core::Builtin::Case)) => {
                    let (x, f) = (
                        self.registers[WINDOW as usize],
                        self.registers[WINDOW as usize + 1],
                    );
                    self.registers[WINDOW as usize] = x;
                    self.apply_value(f, 1)
                }
                Some(Callable::Builtin(builtin)) => {
                    let args = std::array::from_fn(|i| self.registers[WINDOW as usize + i]);
                    let value = self.builtin(builtin, args)?;
                    for arg in args.iter().take(count) {
                        self.heap.drop(*arg);
                    }
                    Ok(self.give(value)?)
                }
                None => Err(Stop::new(
                    RunErrorKind::Internal,
                    "an operator without code",
                )),
            },
            View::Command(command) => self.perform(command, 0, self.visible, count),
            other => {
                let message = format!("a value that cannot be called: {other:?}");
                Err(Stop::new(RunErrorKind::Internal, message))
            }
        }
    }

    /// Begins an argument or term whose value returns to a site, or, in tail position of adaptors,
    /// to where the function returns.
    pub(super) fn enter_port(&mut self, port: u32, site: u32) -> Result<(), OutOfMemory> {
        if site != NONE {
            self.push_frame_copying(site)?;
        }
        self.push_node(port, false, false)
    }

    /// Begins the last argument of a call.
    pub(super) fn enter_handler(
        &mut self,
        port: u32,
        done: u32,
        count: usize,
        site: u32,
    ) -> Result<(), OutOfMemory> {
        for i in 0..count {
            let value = self.take(Operand(self.code.pool[done as usize + i]));
            self.registers[WINDOW as usize + i] = value;
        }
        if site != NONE {
            self.push_frame_copying(site)?;
        }
        self.push_handler(port, count)
    }

    /// A handler whose call has so many arguments done, which stand in the window.
    pub(super) fn push_handler(&mut self, port: u32, count: usize) -> Result<(), OutOfMemory> {
        if count > 0 {
            let enter = self.code.ports[port as usize].enter;
            let frame = self.heap.alloc(count + 1, enter)?;
            self.heap.set(frame, 0, self.k);
            for i in 0..count {
                self.heap
                    .set(frame, i + 1, self.registers[WINDOW as usize + i]);
            }
            self.k = Value::frame(frame);
        }
        self.push_node(port, true, count == 0)
    }

    /// A node above the current segment, and an empty segment above it.
    #[inline(always)]
    pub(super) fn push_node(
        &mut self,
        port: u32,
        direct: bool,
        entered: bool,
    ) -> Result<(), OutOfMemory> {
        let interface = match self.code.ports.get(port as usize) {
            Some(port) => port.interface,
            None => NO_INTERFACE,
        };
        let node = Node {
            interface,
            port,
            skip: (self.nodes.len() - self.visible) as u32,
            direct,
            entered,
            k: self.k,
            u: self.u,
        };
        self.add_node(node)?;
        self.k = Value::BOTTOM;
        self.u = Value::BOTTOM;
        self.visible = self.nodes.len();
        Ok(())
    }

    #[inline(always)]
    pub(super) fn add_node(&mut self, node: Node) -> Result<(), OutOfMemory> {
        if self.nodes.len() == self.nodes.granted() {
            self.grow_nodes()?;
        }
        self.nodes.push(node);
        Ok(())
    }

    /// Makes room for more nodes, by a quarter, within the memory limit.
    #[cold]
    fn grow_nodes(&mut self) -> Result<(), OutOfMemory> {
        let granted = self.nodes.granted();
        let wanted = granted + (granted / 4).max(64);
        let most = self.limits.memory / size_of::<Node>();
        let more = (wanted - granted) * size_of::<Node>();
        if self.heap.bytes() + self.outside_heap() + more > self.limits.memory {
            return Err(OutOfMemory);
        }
        self.nodes.grant(wanted, most).map_err(|_| OutOfMemory)?;
        self.account();
        Ok(())
    }
}
