//! Commands, continuations and the clauses that handle them.
//!
//! A captured continuation is one object: the frames of the innermost segment and what follows
//! them, and a list of the nodes that were crossed, outermost first. If nobody else has it, its
//! parts move back onto the stack when it is resumed; if others have, they are copied, which
//! counts references and copies nodes, but no frames. Where no node was crossed and nothing follows the frames,
//! as a rule, it is its innermost frame: neither capturing nor resuming takes an object.
#![allow(clippy::indexing_slicing)] // Every index is one that the compile phase made, or a node's.

use super::Machine;
use super::run::Next;
use crate::code::{
    ANY_INTERFACE, CommandEntry, Keeper, MARK, NO_INTERFACE, NONE, Operand, Step, WINDOW,
};
use crate::error::Stop;
use crate::heap::OutOfMemory;
use crate::nodes::{Found, Node, Window};
use crate::value::Value;

/// The words of a captured object. After them come the arguments of the command, if any.
const AT: usize = 0; // command (32 bits), number of arguments
const INSTANCE: usize = 1; // instance among those the port adds, index it came to the port with
const K: usize = 2;
const U: usize = 3;
const NODES: usize = 4;
const SKIP: usize = 5; // how many of its nodes a command performed at its end does not see
const ARGS: usize = 6;

/// The words of a node in a captured object.
const PORT: usize = 0; // port (32 bits), direct, entered
const NODE_SKIP: usize = 1;
const NODE_K: usize = 2;
const NODE_U: usize = 3;
const NEXT: usize = 4;
const NODE_WORDS: usize = 5;

impl Machine<'_> {
    /// The handler of a command of the `index`-th instance of an interface, counted from the
    /// innermost, where `visible` nodes are seen. If there is none in the program, which of the
    /// host's instances is meant.
    #[inline(always)]
    pub(super) fn find(&self, interface: u32, index: u32, visible: usize) -> Result<Found, u32> {
        if let Some(node) = self.nodes.get(visible.wrapping_sub(1))
            && node.interface == interface
            && index == 0
        {
            return Ok(Found {
                node: visible - 1,
                slot: 0,
                index: 0,
            });
        }
        self.find_further(interface, index, visible)
    }

    fn find_further(
        &self,
        interface: u32,
        mut index: u32,
        mut visible: usize,
    ) -> Result<Found, u32> {
        while visible > 0 {
            let at = visible - 1;
            let node = &self.nodes[at];
            if node.interface == interface {
                if index == 0 {
                    return Ok(Found {
                        node: at,
                        slot: 0,
                        index: 0,
                    });
                }
                index -= 1;
            } else if node.interface == ANY_INTERFACE {
                let before = index;
                for step in self.code.ports[node.port as usize].steps.iter().rev() {
                    match step {
                        Step::Add {
                            interface: added,
                            slot,
                        } if *added == interface => {
                            if index == 0 {
                                let slot = *slot as usize;
                                return Ok(Found {
                                    node: at,
                                    slot,
                                    index: before,
                                });
                            }
                            index -= 1;
                        }
                        Step::Rename {
                            interface: renamed,
                            taken,
                            kept,
                        } if *renamed == interface => {
                            index = match kept.get(index as usize) {
                                Some(meant) => *meant,
                                None => index - kept.len() as u32 + taken,
                            };
                        }
                        _ => {}
                    }
                }
            }
            visible = at - node.skip as usize;
        }
        Err(index)
    }

    /// Performs a command with arguments in the window. The machine stands where the value is to
    /// be given; `visible` and `index` say where the search for the handler begins.
    pub(super) fn perform(
        &mut self,
        command: u32,
        index: u32,
        visible: usize,
        count: usize,
    ) -> Result<Next, Box<Stop>> {
        let known = self.code.commands[command as usize];
        match self.find(known.interface, index, visible) {
            Err(index) => {
                let value = self.serve(command, index)?;
                Ok(self.give(value)?)
            }
            Ok(found) if self.nodes[found.node].direct => {
                let port = &self.code.ports[self.nodes[found.node].port as usize];
                let entries = port.slots[found.slot].entries;
                let entry = self.code.commands_of[(entries + known.index) as usize];
                self.handling = found;
                self.enter_command(entry, command, count)
            }
            Ok(found) => self.pause(found, command, count),
        }
    }

    /// Performs a command that the innermost node seen is not known to take. Its value goes to a
    /// site, if there is one.
    #[inline(never)]
    pub(super) fn perform_further(
        &mut self,
        command: u32,
        count: u8,
        site: u32,
    ) -> Result<Next, Box<Stop>> {
        let known = self.code.commands[command as usize];
        let found = match self.find(known.interface, 0, self.visible) {
            Ok(found) => found,
            Err(index) => {
                let value = self.serve(command, index)?;
                if site == NONE {
                    return Ok(self.give(value)?);
                }
                let site = &self.code.sites[site as usize];
                self.receive(site.to, value);
                return Ok(Next::At(site.pc as usize));
            }
        };
        if self.nodes[found.node].direct {
            let port = &self.code.ports[self.nodes[found.node].port as usize];
            let entries = port.slots[found.slot].entries;
            let entry = self.code.commands_of[(entries + known.index) as usize];
            self.handling = found;
            if entry.window != NONE {
                self.window = Window {
                    site,
                    function: entry.function,
                    count,
                };
                return Ok(Next::At(entry.window as usize));
            }
            if site != NONE {
                self.push_frame(site)?;
            }
            return self.enter_command(entry, command, count as usize);
        }
        if site != NONE {
            self.push_frame(site)?;
        }
        self.pause(found, command, count as usize)
    }

    /// Enters the clauses for a command, with its arguments in the window.
    #[inline(always)]
    pub(super) fn enter_command(
        &mut self,
        entry: CommandEntry,
        command: u32,
        count: usize,
    ) -> Result<Next, Box<Stop>> {
        if entry.function == NONE {
            return Ok(Next::At(self.pack(command, count)?));
        }
        for i in 0..count {
            self.registers[i] = self.registers[WINDOW as usize + i];
        }
        Ok(Next::At(entry.function as usize))
    }

    /// Pauses an argument whose call has others to run, or is one of a thunk: the call goes on
    /// with the paused argument in place of a value.
    pub(super) fn pause(
        &mut self,
        found: Found,
        command: u32,
        count: usize,
    ) -> Result<Next, Box<Stop>> {
        let node = self.nodes[found.node];
        let seen = self.code.ports[node.port as usize].slots[found.slot].seen;
        let captured = self.capture(found.node, self.visible)?;
        let object = self.with_command(captured, command, seen, found.index, count)?;
        self.nodes.truncate(found.node);
        self.visible = found.node - node.skip as usize;
        self.k = node.k;
        self.u = node.u;
        Ok(self.give(Value::argument(object))?)
    }

    /// Captures what stands above a node, for a command that sees `visible` nodes. The node itself
    /// stays; the caller takes it off.
    fn capture(&mut self, node: usize, visible: usize) -> Result<u32, OutOfMemory> {
        self.captures += 1;
        let skip = self.nodes.len() - visible;
        let mut next = Value::BOTTOM;
        while self.nodes.len() > node + 1 {
            let Some(crossed) = self.nodes.pop() else {
                break;
            };
            let object = self.heap.alloc(NODE_WORDS, 0)?;
            let flags = (crossed.direct as u64) << 32 | (crossed.entered as u64) << 33;
            self.heap
                .set(object, PORT, Value::small_int(crossed.port as u64 | flags));
            self.heap
                .set(object, NODE_SKIP, Value::small_int(crossed.skip as u64));
            self.heap.set(object, NODE_K, crossed.k);
            self.heap.set(object, NODE_U, crossed.u);
            self.heap.set(object, NEXT, next);
            next = Value::join(object);
        }
        let object = self.heap.alloc(ARGS, 0)?;
        let words = self.heap.slice_mut(object, ARGS);
        words[AT] = Value::small_int(0).0;
        words[INSTANCE] = Value::small_int(0).0;
        words[K] = self.k.0;
        words[U] = self.u.0;
        words[NODES] = next.0;
        words[SKIP] = Value::small_int(skip as u64).0;
        self.k = Value::BOTTOM;
        self.u = Value::BOTTOM;
        Ok(object)
    }

    /// The parts of the stack that a captured object holds, the outermost first.
    pub(super) fn stack_of(&self, object: u32) -> Vec<Value> {
        let mut parts = Vec::new();
        let mut next = self.heap.get(object, NODES);
        while !next.is_bottom() {
            let node = next.handle();
            parts.extend([self.heap.get(node, NODE_U), self.heap.get(node, NODE_K)]);
            next = self.heap.get(node, NEXT);
        }
        parts.extend([self.heap.get(object, U), self.heap.get(object, K)]);
        parts
    }

    /// A captured continuation with the command at which it waits, whose arguments are in the
    /// window.
    fn with_command(
        &mut self,
        captured: u32,
        command: u32,
        seen: u16,
        index: u32,
        count: usize,
    ) -> Result<u32, OutOfMemory> {
        let object = self.heap.alloc(ARGS + count, 0)?;
        for i in 0..ARGS {
            let word = self.heap.get(captured, i);
            self.heap.set(object, i, word);
        }
        self.heap.free_shell(captured);
        self.heap.set(
            object,
            AT,
            Value::small_int(command as u64 | (count as u64) << 32),
        );
        self.heap.set(
            object,
            INSTANCE,
            Value::small_int(seen as u64 | (index as u64) << 16),
        );
        for i in 0..count {
            self.heap
                .set(object, ARGS + i, self.registers[WINDOW as usize + i]);
        }
        Ok(object)
    }

    /// Takes the handling node off, with the arguments that were done before its own.
    pub(super) fn leave_handler(&mut self) -> (Node, Option<u32>) {
        let at = self.handling.node;
        let node = self.nodes[at];
        self.nodes.truncate(at);
        self.visible = at - node.skip as usize;
        self.u = node.u;
        if node.entered {
            self.k = node.k;
            (node, None)
        } else {
            (node, Some(node.k.handle()))
        }
    }

    /// The continuation of the command whose clauses run. The call that handles it ends; the
    /// machine stands where that call returns to.
    pub(super) fn capture_here(&mut self, begun: bool) -> Result<Value, OutOfMemory> {
        if begun {
            self.end_mark();
        }
        let nodes = self.nodes.len();
        let frames_only = nodes == self.handling.node + 1 && nodes == self.visible;
        let captured = if frames_only && self.k.is_frame() && self.u.is_bottom() {
            self.captures += 1;
            Value::waiting(self.k.handle())
        } else {
            Value::continuation(self.capture(self.handling.node, self.visible)?)
        };
        self.leave_call();
        Ok(captured)
    }

    /// The same for a catch-all: the command is packed up with its continuation, and the operator
    /// tries its catch-alls.
    pub(super) fn pack(&mut self, command: u32, count: usize) -> Result<usize, OutOfMemory> {
        let found = self.handling;
        let port = &self.code.ports[self.nodes[found.node].port as usize];
        let seen = port.slots[found.slot].seen;
        let captured = self.capture(found.node, self.visible)?;
        let object = self.with_command(captured, command, seen, found.index, count)?;
        let (_, done) = self.leave_handler();
        if let Some(frame) = done {
            self.k = self.heap.dup(self.heap.get(frame, 0));
            for i in 0..port.position as usize {
                let value = self.heap.dup(self.heap.get(frame, i + 1));
                self.registers[i + 1] = value;
            }
            self.heap.drop(Value::frame(frame));
        }
        self.registers[0] = Value::paused(object);
        Ok(self.code.functions[port.any as usize].pc as usize)
    }

    // --- clauses that resume in place ---

    /// Leaves a mark where the clause's value will return to the program that performed. What the
    /// clause performs is for the handlers around the call.
    pub(super) fn begin(&mut self) -> Result<(), OutOfMemory> {
        let mark = self.heap.alloc(3, MARK)?;
        let nodes = self.nodes.len();
        let handling = self.handling.node;
        // Distances from the top stay true when this part of the stack moves.
        let words = self.heap.slice_mut(mark, 3);
        words[0] = self.k.0;
        words[1] = Value::small_int((nodes - self.visible) as u64).0;
        words[2] = Value::small_int((nodes - handling) as u64).0;
        self.k = Value::frame(mark);
        self.visible = handling - self.nodes[handling].skip as usize;
        Ok(())
    }

    /// How many nodes the program behind the innermost mark sees, and the node that handles its
    /// command.
    pub(super) fn marked(&self) -> (usize, usize) {
        let mark = self.k.handle();
        let distance = |i: usize| self.heap.get(mark, i).as_small_int() as usize;
        (
            self.nodes.len() - distance(1),
            self.nodes.len() - distance(2),
        )
    }

    /// Takes the innermost mark off.
    pub(super) fn unmark(&mut self) {
        let (visible, _) = self.marked();
        let mark = self.k.handle();
        let below = self.heap.get(mark, 0);
        if self.heap.is_unique(mark) {
            self.heap.free_shell(mark);
        } else {
            self.heap.dup(below);
            self.heap.release_shared(mark);
        }
        self.k = below;
        self.visible = visible;
    }

    /// From here on the clause's own handler is visible again: what is computed now is computed in
    /// the argument of the call that the clause ends in.
    pub(super) fn under(&mut self) {
        let (_, handling) = self.marked();
        self.visible = handling + 1;
    }

    /// Replaces an argument of the call that handles.
    pub(super) fn set_done(
        &mut self,
        index: usize,
        value: Value,
        begun: bool,
    ) -> Result<(), OutOfMemory> {
        let at = if begun {
            self.marked().1
        } else {
            self.handling.node
        };
        self.write_state(at, index, value)
    }

    /// The node of a handler that is known where the machine stands: a command sees so many others before it.
    #[inline(always)]
    pub(super) fn known_node(&self, mut depth: u16) -> usize {
        let mut at = self.visible - 1;
        loop {
            let node = &self.nodes[at];
            // The others lead elsewhere, or adapt.
            if node.direct {
                if depth == 0 {
                    return at;
                }
                depth -= 1;
            }
            at -= node.skip as usize + 1;
        }
    }

    /// An argument of the call of a node's handler. One that is taken stays if others have the call, too.
    #[inline(always)]
    pub(super) fn read_state(&mut self, node: usize, index: usize, takes: bool) -> Value {
        let frame = self.nodes[node].k.handle();
        let value = self.heap.get(frame, index + 1);
        if takes && self.heap.is_unique(frame) {
            self.heap.set(frame, index + 1, Value::BOTTOM);
            return value;
        }
        self.heap.dup(value)
    }

    /// Replaces an argument of the call of a node's handler.
    pub(super) fn write_state(
        &mut self,
        at: usize,
        index: usize,
        value: Value,
    ) -> Result<(), OutOfMemory> {
        let frame = self.nodes[at].k.handle();
        if self.heap.is_unique(frame) {
            let old = self.heap.get(frame, index + 1);
            self.heap.set(frame, index + 1, value);
            self.heap.drop(old);
            return Ok(());
        }
        // Another resumption has the same call with the old argument.
        let copy = self.copy_call(at)?.handle();
        let old = self.heap.get(copy, index + 1);
        self.heap.set(copy, index + 1, value);
        self.heap.drop(old);
        Ok(())
    }

    /// The frame of a node's call, of which others have their own from here on.
    fn copy_call(&mut self, at: usize) -> Result<Value, OutOfMemory> {
        let frame = self.nodes[at].k.handle();
        let count = self.code.ports[self.nodes[at].port as usize].position as usize;
        let copy = self.heap.alloc(count + 1, self.heap.info(frame))?;
        for i in 0..=count {
            let word = self.heap.dup(self.heap.get(frame, i));
            self.heap.set(copy, i, word);
        }
        self.heap.release_shared(frame);
        self.nodes[at].k = Value::frame(copy);
        Ok(self.nodes[at].k)
    }

    /// Leaves what a clause does when its resumption is over: a frame where the value of the clause's handler returns
    /// to. What the clause goes on with at once stays where it is.
    pub(super) fn leave_rest(&mut self, keeper: Keeper, site: u32) -> Result<(), OutOfMemory> {
        let at = match keeper {
            Keeper::Known(depth) => self.known_node(depth),
            Keeper::Found => self.handling.node,
            Keeper::Marked => self.marked().1,
        };
        let entered = self.nodes[at].entered;
        let mut call = self.nodes[at].k;
        if !entered && !self.heap.is_unique(call.handle()) {
            // Another resumption has the same call with nothing left below it.
            call = self.copy_call(at)?;
        }
        let below = match entered {
            true => call,
            false => self.heap.get(call.handle(), 0),
        };
        let above = std::mem::replace(&mut self.k, below);
        let pushed = self.push_frame_copying(site);
        let rest = std::mem::replace(&mut self.k, above);
        pushed?;
        match entered {
            true => self.nodes[at].k = rest,
            false => self.heap.set(call.handle(), 0, rest),
        }
        Ok(())
    }

    // --- resuming ---

    /// Puts a captured continuation onto the stack. The value that it waits for comes next.
    pub(super) fn resume(&mut self, continuation: Value) -> Result<(), OutOfMemory> {
        let object = continuation.handle();
        if continuation.is_waiting() {
            self.stand_apart()?;
            self.u = self.join(self.k, self.u)?;
            self.k = Value::frame(object);
            self.visible = self.nodes.len();
            return Ok(());
        }
        let count = (self.heap.get(object, AT).as_small_int() as u64 >> 32) as usize;
        let unique = self.heap.is_unique(object);
        if unique {
            for i in 0..count {
                let value = self.heap.get(object, ARGS + i);
                self.heap.drop(value);
            }
        }
        self.install(object, unique)
    }

    /// Puts what a captured object holds onto the stack, except its command, and gives the object
    /// up.
    fn install(&mut self, object: u32, unique: bool) -> Result<(), OutOfMemory> {
        let (k, u) = (self.heap.get(object, K), self.heap.get(object, U));
        let mut next = self.heap.get(object, NODES);
        let skip = self.heap.get(object, SKIP).as_small_int() as usize;
        if unique {
            self.heap.free_shell(object);
        } else {
            self.heap.dup(k);
            self.heap.dup(u);
            self.heap.dup(next);
            self.heap.release_shared(object);
        }
        self.stand_apart()?;
        let mut behind = self.join(self.k, self.u)?;
        while !next.is_bottom() {
            let node = next.handle();
            let word = |this: &Self, i: usize| this.heap.get(node, i);
            let port = word(self, PORT).as_small_int() as u64;
            let node_skip = word(self, NODE_SKIP).as_small_int() as u32;
            let (node_k, node_u) = (word(self, NODE_K), word(self, NODE_U));
            next = word(self, NEXT);
            if self.heap.is_unique(node) {
                self.heap.free_shell(node);
            } else {
                self.heap.dup(node_k);
                self.heap.dup(node_u);
                self.heap.dup(next);
                self.heap.release_shared(node);
            }
            let node_u = self.join(node_u, std::mem::replace(&mut behind, Value::BOTTOM))?;
            let number = port as u32;
            self.add_node(Node {
                interface: self
                    .code
                    .ports
                    .get(number as usize)
                    .map_or(NO_INTERFACE, |p| p.interface),
                port: number,
                skip: node_skip,
                direct: port >> 32 & 1 == 1,
                entered: port >> 33 & 1 == 1,
                k: node_k,
                u: node_u,
            })?;
        }
        self.k = k;
        self.u = self.join(u, behind)?;
        self.visible = self.nodes.len() - skip;
        Ok(())
    }

    /// What is put onto the stack now sees what is seen here, and for its outermost nodes that is all there is.
    fn stand_apart(&mut self) -> Result<(), OutOfMemory> {
        if self.visible != self.nodes.len() {
            self.push_node(NONE, false, false)?;
        }
        Ok(())
    }

    /// Forces the thunk of a paused argument: performs its command again, from here.
    pub(super) fn perform_again(&mut self, object: u32) -> Result<Next, Box<Stop>> {
        let at = self.heap.get(object, AT).as_small_int() as u64;
        let (command, count) = (at as u32, (at >> 32) as usize);
        let index = (self.heap.get(object, INSTANCE).as_small_int() as u64 >> 16) as u32;
        let unique = self.heap.is_unique(object);
        for i in 0..count {
            let value = self.heap.get(object, ARGS + i);
            if !unique {
                self.heap.dup(value);
            }
            self.registers[WINDOW as usize + i] = value;
        }
        let visible = self.visible;
        self.install(object, unique)?;
        self.perform(command, index, visible, count)
    }

    /// Calls an operator whose last argument is paused at a command: enters its handler and
    /// performs the command there.
    pub(super) fn reinstall(
        &mut self,
        port: u32,
        args: u32,
        count: usize,
    ) -> Result<Next, Box<Stop>> {
        let done = count.saturating_sub(1);
        for i in 0..done {
            let value = self.take(Operand(self.code.pool[args as usize + i]));
            self.registers[WINDOW as usize + i] = value;
        }
        let paused = self.take(Operand(self.code.pool[args as usize + done]));
        self.push_handler(port, done)?;
        self.perform_again(paused.handle())
    }

    // --- paused arguments ---

    /// The command and instance at which an argument is paused.
    pub(super) fn paused_at(&self, object: u32) -> (u32, u16) {
        let at = self.heap.get(object, AT).as_small_int() as u64;
        let instance = self.heap.get(object, INSTANCE).as_small_int() as u64;
        (at as u32, instance as u16)
    }

    /// The arguments of the command at which an argument is paused.
    pub(super) fn paused_args(&self, object: u32) -> Vec<Value> {
        let count = (self.heap.get(object, AT).as_small_int() as u64 >> 32) as usize;
        (0..count)
            .map(|i| self.heap.get(object, ARGS + i))
            .collect()
    }

    pub(super) fn paused_arg(&mut self, object: u32, index: usize) -> Value {
        let value = self.heap.get(object, ARGS + index);
        self.heap.dup(value)
    }

    /// What is left of a paused argument when its command is taken out.
    pub(super) fn paused_continuation(&mut self, object: u32) -> Value {
        if self.heap.is_unique(object) {
            let at = self.heap.get(object, AT).as_small_int() as u64;
            for i in 0..(at >> 32) as usize {
                let value = self.heap.get(object, ARGS + i);
                self.heap.set(object, ARGS + i, Value::BOTTOM);
                self.heap.drop(value);
            }
        }
        Value::continuation(object)
    }

    /// The thunk that a catch-all binds.
    pub(super) fn catch_all(&mut self, value: Value) -> Result<Value, OutOfMemory> {
        if value.is_argument() {
            return Ok(Value::paused(value.handle()));
        }
        let object = self.heap.object(&[value], 0)?;
        Ok(Value::finished(object))
    }
}
