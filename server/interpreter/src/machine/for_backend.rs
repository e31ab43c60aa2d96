//! What the machine does for machine code that does not give way to it.

use super::Machine;
use super::run::Next;
use crate::backend::{Effects, Room};
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
            frame: &mut self.k,
            nodes: &self.nodes,
            visible: self.visible,
            handling: &mut self.handling,
            window: &mut self.window,
            first_of: &self.code.first_of,
            commands_of: &self.code.commands_of,
            statics: &mut self.statics,
        }
    }

    fn set_frame(&mut self, frame: Value) {
        self.k = frame;
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

    fn handle(&mut self, port: u32, count: usize) -> Option<()> {
        let entered = self.push_handler(port, count);
        self.unless_ended(entered)
    }

    fn resume(&mut self, continuation: Value) -> Option<()> {
        let resumed = Machine::resume(self, continuation.handle());
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
