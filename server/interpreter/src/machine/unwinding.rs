//! How the call of a handler ends: its node is taken off the stack, and what stands above is captured before, or dropped.

use super::Machine;
use crate::value::Value;

impl Machine<'_> {
    /// Ends the call that handles the command whose clauses run, where nobody wants its continuation.
    pub(super) fn leave_here(&mut self, begun: bool) {
        if begun {
            self.end_mark();
        }
        self.unwind();
    }

    /// Takes the mark off that the clause left which runs, whose command sees again what it saw.
    pub(super) fn end_mark(&mut self) {
        let (_, handling) = self.marked();
        self.handling.node = handling;
        self.unmark();
    }

    /// Drops all that stands above a known handler, and ends its call.
    pub(super) fn unwind_to(&mut self, depth: u16) {
        self.handling.node = self.known_node(depth);
        self.unwind();
    }

    /// Drops all that stands above the handling node, segment by segment, and ends the call that handles.
    fn unwind(&mut self) {
        self.heap.drop(self.k);
        self.heap.drop(self.u);
        while self.nodes.len() > self.handling.node + 1 {
            let Some(crossed) = self.nodes.pop() else {
                break;
            };
            self.heap.drop(crossed.k);
            self.heap.drop(crossed.u);
        }
        self.leave_call();
    }

    /// Takes the handling node off, and its arguments with it: the machine stands where the call returns to.
    pub(super) fn leave_call(&mut self) {
        let (_, done) = self.leave_handler();
        if let Some(frame) = done {
            self.k = self.heap.leave_frame(Value::frame(frame));
        }
    }
}
