//! What the machine does for machine code that does not give way to it.

use super::Machine;
use super::run::Next;
use crate::backend::{Effects, Room, Stack};
use crate::error::Stop;
use crate::heap::OutOfMemory;
use crate::value::Value;

impl Effects for Machine<'_> {
    #[inline(always)]
    fn room(&mut self) -> Room<'_> {
        Room {
            identity: self.code.identity,
            registers: &mut self.registers,
            heap: &mut self.heap,
            stack: Stack {
                frame: self.k,
                behind: self.u,
                count: self.nodes.len(),
                visible: self.visible,
                captures: self.captures,
            },
            nodes: self.nodes.room(),
            handling: &mut self.handling,
            window: &mut self.window,
            first_of: &self.code.first_of,
            commands_of: &self.code.commands_of,
            statics: &mut self.statics,
        }
    }

    #[inline(always)]
    fn set_stack(&mut self, stack: Stack) {
        self.k = stack.frame;
        self.u = stack.behind;
        self.nodes.set_count(stack.count);
        self.visible = stack.visible;
        self.captures = stack.captures;
    }

    fn capture(&mut self, begun: bool) -> Option<Value> {
        let captured = self.capture_here(begun);
        self.unless_ended(captured)
    }

    fn leave(&mut self, begun: bool) {
        self.leave_here(begun);
    }

    fn unwind(&mut self, depth: u16) {
        self.unwind_to(depth);
    }

    fn resume(&mut self, continuation: Value) -> Option<()> {
        let resumed = Machine::resume(self, continuation);
        self.unless_ended(resumed)
    }

    fn give(&mut self, value: Value) -> Option<usize> {
        let next = Machine::give(self, value);
        match self.unless_ended(next)? {
            Next::At(pc) => Some(pc),
            Next::Done(value) => {
                self.ended = Some(Ok(value));
                None
            }
        }
    }
}

impl Machine<'_> {
    fn unless_ended<T>(&mut self, result: Result<T, OutOfMemory>) -> Option<T> {
        result
            .map_err(|error| self.ended = Some(Err(Box::<Stop>::from(error))))
            .ok()
    }
}
