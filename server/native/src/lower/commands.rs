//! Commands that the innermost handler takes, by a clause that runs in the window.
//!
//! Who takes a command is looked up as the machine does. The clause is machine code, too; it finds its arguments in the
//! registers of the window, and the program that performed finds its own registers in their places. States of handlers
//! that are known are read and written where commands would be, and what a clause does when its resumption is over is left
//! below them.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use frank_interpreter::backend::{
    CommandEntry, Found, Instr, NONE, Node, NodeLayout, Operand, Reg, Value as Word, WINDOW, Window,
};

use super::Lower;
use crate::operands::pool;
use crate::runtime::{Receiver, at};

pub(super) const NODE: NodeLayout = Node::LAYOUT;
const NODE_SIZE: i64 = size_of::<Node>() as i64;

/// Where an argument stands in the frame of its call.
fn place(index: u16) -> i32 {
    16 + i32::from(index) * 8
}

impl Lower<'_, '_, '_> {
    /// Performs a command of at most three arguments.
    pub(super) fn perform(&mut self, pc: usize, instr: Instr) {
        let Instr::Perform {
            count,
            a,
            b,
            c,
            command,
            site,
        } = instr
        else {
            return;
        };
        let Some(known) = self.parts.commands.get(command as usize).copied() else {
            return;
        };
        let visible = self.load(types::I64, self.context, at::VISIBLE);
        self.unless(visible, pc);
        let innermost = self.builder.ins().iadd_imm_s(visible, -1);
        let node = self.node(innermost);
        let interface = self.load(types::I32, node, NODE.interface as i32);
        let wanted = i64::from(known.interface as i32);
        let takes = self
            .builder
            .ins()
            .icmp_imm_s(IntCC::Equal, interface, wanted);
        self.unless(takes, pc);
        let direct = self.load(types::I8, node, NODE.direct as i32);
        self.unless(direct, pc);
        let port = self.load(types::I32, node, NODE.port as i32);
        let port = self.builder.ins().uextend(types::I64, port);
        let firsts = self.load(types::I64, self.context, at::FIRST_OF);
        let offset = self.builder.ins().ishl_imm_s(port, 2);
        let first = self.builder.ins().iadd(firsts, offset);
        let first = self.load(types::I32, first, 0);
        let first = self.builder.ins().uextend(types::I64, first);
        let entry = self.builder.ins().iadd_imm_s(first, i64::from(known.index));
        let size = size_of::<CommandEntry>() as i64;
        let offset = self.builder.ins().imul_imm_s(entry, size);
        let entries = self.load(types::I64, self.context, at::COMMANDS_OF);
        let entry = self.builder.ins().iadd(entries, offset);
        let clause = self.load(types::I32, entry, offset_of!(CommandEntry, window) as i32);
        let none = i64::from(NONE as i32);
        let runs = self.builder.ins().icmp_imm_s(IntCC::NotEqual, clause, none);
        let function = self.load(types::I32, entry, offset_of!(CommandEntry, function) as i32);
        let args: Vec<Operand> = [a, b, c].into_iter().take(count as usize).collect();
        let (windowed, framed) = (self.builder.create_block(), self.builder.create_block());
        self.builder.ins().brif(runs, windowed, &[], framed, &[]);
        self.builder.switch_to_block(framed);
        self.perform_in_frame(pc, innermost, function, &args, site);
        self.builder.switch_to_block(windowed);
        let (code, begin) = self.begin_at(clause);
        self.unless(code, pc);
        // From here on it is done.
        self.arguments(pc, &args, WINDOW);
        self.handling(innermost, 0, 0);
        let window = self.load(types::I64, self.context, at::WINDOW);
        let to = self.builder.ins().iconst(types::I32, i64::from(site));
        self.store(to, window, offset_of!(Window, site) as i32);
        self.store(function, window, offset_of!(Window, function) as i32);
        let arguments = self.builder.ins().iconst(types::I8, i64::from(count));
        self.store(arguments, window, offset_of!(Window, count) as i32);
        if let Some(back) = self.parts.sites.get(site as usize)
            && site != NONE
        {
            let (behind, to) = (back.pc as usize, back.to);
            // What is live there, and what a frame would keep if the clause turns out to need one.
            let saved = pool(self.parts, back.saved, back.count as usize);
            let saved = saved.iter().map(|one| Operand(*one).register() as Reg);
            let mut kept = self.webs.live(behind);
            kept.extend(saved);
            kept.sort_unstable();
            kept.dedup();
            for r in kept {
                if r != to {
                    let (value, _) = self.raw(pc, r);
                    self.store(value, self.registers, i32::from(r) * 8);
                }
            }
        }
        self.go(code, begin);
    }

    /// Performs a command whose clauses do not run in the window: what performs gets a frame.
    fn perform_in_frame(
        &mut self,
        pc: usize,
        node: Value,
        function: Value,
        args: &[Operand],
        site: u32,
    ) {
        // If there are but catch-alls, the machine packs the command up.
        let none = i64::from(NONE as i32);
        let enters = self
            .builder
            .ins()
            .icmp_imm_s(IntCC::NotEqual, function, none);
        self.unless(enters, pc);
        let (code, begin) = self.begin_at(function);
        self.unless(code, pc);
        if site != NONE {
            self.push_frame(pc, site);
        }
        // From here on it is done.
        self.arguments(pc, args, 0);
        self.handling(node, 0, 0);
        self.go(code, begin);
    }

    /// Brings a command's arguments to some registers and those behind them.
    fn arguments(&mut self, pc: usize, args: &[Operand], first: Reg) {
        let values: Vec<Value> = args.iter().map(|arg| self.take(pc, *arg)).collect();
        for (i, value) in values.into_iter().enumerate() {
            self.store(value, self.registers, (i32::from(first) + i as i32) * 8);
        }
    }

    /// Remembers the node that handles a command, which instance that its port adds is meant, and with which index the
    /// command came.
    fn handling(&mut self, node: Value, slot: u16, index: u16) {
        let handling = self.load(types::I64, self.context, at::HANDLING);
        let slot = self.builder.ins().iconst(types::I64, i64::from(slot));
        self.store(node, handling, offset_of!(Found, node) as i32);
        self.store(slot, handling, offset_of!(Found, slot) as i32);
        let index = self.builder.ins().iconst(types::I32, i64::from(index));
        self.store(index, handling, offset_of!(Found, index) as i32);
    }

    /// The same of a handler that is known.
    pub(super) fn handling_known(&mut self, depth: u16, slot: u16, index: u16) {
        let (_, node) = self.known_handler(depth);
        self.handling(node, slot, index);
    }

    /// Gives the value of a clause in the window to the program that performed.
    pub(super) fn window_return(&mut self, pc: usize, of: Reg) {
        let value = self.word(pc, of);
        let window = self.load(types::I64, self.context, at::WINDOW);
        let site = self.load(types::I32, window, offset_of!(Window, site) as i32);
        let none = i64::from(NONE as i32);
        let waits = self.builder.ins().icmp_imm_s(IntCC::NotEqual, site, none);
        self.unless(waits, pc);
        let site = self.builder.ins().uextend(types::I64, site);
        let receivers = self.load(types::I64, self.context, at::RECEIVERS);
        let size = i64::from(Receiver::SIZE);
        let offset = self.builder.ins().imul_imm_s(site, size);
        let receiver = self.builder.ins().iadd(receivers, offset);
        let to = self.load(types::I32, receiver, offset_of!(Receiver, to) as i32);
        let nowhere = i64::from(Receiver::NOWHERE as i32);
        let wanted = self.builder.ins().icmp_imm_s(IntCC::NotEqual, to, nowhere);
        self.unless(wanted, pc);
        let behind = self.load(types::I32, receiver, offset_of!(Receiver, pc) as i32);
        let (code, begin) = self.begin_at(behind);
        self.unless(code, pc);
        let to = self.builder.ins().uextend(types::I64, to);
        let place = self.builder.ins().iadd(self.registers, to);
        self.store(value, place, 0);
        self.go(code, begin);
    }

    /// An argument of the call that handles the command: copied, or exchanged for another.
    pub(super) fn done(&mut self, pc: usize, instr: Instr) {
        let handling = self.load(types::I64, self.context, at::HANDLING);
        let node = self.load(types::I64, handling, offset_of!(Found, node) as i32);
        let node = self.node(node);
        match instr {
            Instr::Done { to, index } => self.read_argument(pc, node, index, to, false),
            Instr::SetDone { index, from, .. } => self.write_argument(pc, node, index, from),
            _ => {}
        }
    }

    /// An argument of the call of a handler that is known.
    pub(super) fn state(&mut self, pc: usize, instr: Instr) {
        match instr {
            Instr::ReadState {
                to,
                depth,
                index,
                takes,
            } => {
                let node = self.known_node(depth);
                self.read_argument(pc, node, index, to, takes);
            }
            Instr::WriteState { depth, index, from } => {
                let node = self.known_node(depth);
                self.write_argument(pc, node, index, from);
            }
            _ => {}
        }
    }

    /// The node of a handler that a command reaches which passes so many others.
    fn known_node(&mut self, depth: u16) -> Value {
        self.known_handler(depth).0
    }

    /// The same with its number.
    pub(super) fn known_handler(&mut self, depth: u16) -> (Value, Value) {
        let visible = self.load(types::I64, self.context, at::VISIBLE);
        let mut index = self.builder.ins().iadd_imm_s(visible, -1);
        for _ in 0..depth {
            let (node, at) = self.handler_from(index);
            index = self.node_behind(node, at);
        }
        self.handler_from(index)
    }

    /// The next node that is a handler's, and its number; others lead elsewhere, or adapt.
    fn handler_from(&mut self, first: Value) -> (Value, Value) {
        let head = self.builder.create_block();
        let other = self.builder.create_block();
        let found = self.builder.create_block();
        let index = self.builder.append_block_param(head, types::I64);
        self.builder.ins().jump(head, &[first.into()]);
        self.builder.switch_to_block(head);
        let node = self.node(index);
        let direct = self.load(types::I8, node, NODE.direct as i32);
        self.builder.ins().brif(direct, found, &[], other, &[]);
        self.builder.switch_to_block(other);
        let next = self.node_behind(node, index);
        self.builder.ins().jump(head, &[next.into()]);
        self.builder.switch_to_block(found);
        (node, index)
    }

    /// The number of the next node that is seen behind one.
    fn node_behind(&mut self, node: Value, index: Value) -> Value {
        let skip = self.load(types::I32, node, NODE.skip as i32);
        let skip = self.builder.ins().uextend(types::I64, skip);
        let index = self.builder.ins().isub(index, skip);
        self.builder.ins().iadd_imm_s(index, -1)
    }

    /// A frame for what a clause does when its resumption is over, below its handler.
    pub(super) fn leave_rest(&mut self, pc: usize, depth: u16, site: u32) {
        let Some(known) = self.parts.sites.get(site as usize) else {
            return;
        };
        let saved = pool(self.parts, known.saved, known.count as usize).to_vec();
        let node = self.known_node(depth);
        let call = self.load(types::I64, node, NODE.k as i32);
        let entered = self.load(types::I8, node, NODE.entered as i32);
        let (done, ready) = (self.builder.create_block(), self.builder.create_block());
        self.builder.ins().brif(entered, ready, &[], done, &[]);
        self.builder.switch_to_block(done);
        let address = self.address(call);
        let header = self.load(types::I64, address, 0);
        // If others have the call, too, the machine makes a copy.
        let unique = self.is_unique(header);
        self.unless(unique, pc);
        self.builder.ins().jump(ready, &[]);
        self.builder.switch_to_block(ready);
        let handle = self.allocate(pc, saved.len() + 1, site);
        let of_node = self.builder.ins().iadd_imm_s(node, NODE.k as i64);
        let of_call = self.address(call);
        let of_call = self.builder.ins().iadd_imm_s(of_call, 8);
        let place = self.builder.ins().select(entered, of_node, of_call);
        let frame = self.address_of_handle(handle);
        let below = self.load(types::I64, place, 0);
        self.store(below, frame, 8);
        for (i, operand) in saved.iter().enumerate() {
            let value = self.take(pc, Operand(*operand));
            self.store(value, frame, 16 + i as i32 * 8);
        }
        let like = Word::frame(0).0 as i64;
        let word = self.builder.ins().bor_imm_s(handle, like);
        self.store(word, place, 0);
    }

    fn read_argument(&mut self, pc: usize, node: Value, index: u16, to: Reg, takes: bool) {
        let frame = self.load(types::I64, node, NODE.k as i32);
        let address = self.address(frame);
        let value = self.load(types::I64, address, place(index));
        if takes {
            let (alone, shared) = (self.builder.create_block(), self.builder.create_block());
            let done = self.builder.create_block();
            let header = self.load(types::I64, address, 0);
            let unique = self.is_unique(header);
            self.builder.ins().brif(unique, alone, &[], shared, &[]);
            self.builder.switch_to_block(alone);
            let nothing = Word::BOTTOM.0 as i64;
            let nothing = self.builder.ins().iconst(types::I64, nothing);
            self.store(nothing, address, place(index));
            self.builder.ins().jump(done, &[]);
            self.builder.switch_to_block(shared);
            self.dup_for(pc, to, value);
            self.builder.ins().jump(done, &[]);
            self.builder.switch_to_block(done);
        } else {
            self.dup_for(pc, to, value);
        }
        self.define(pc, to, value);
    }

    fn write_argument(&mut self, pc: usize, node: Value, index: u16, from: Operand) {
        let frame = self.load(types::I64, node, NODE.k as i32);
        let address = self.address(frame);
        // If others have the call, too, the machine makes a copy.
        let header = self.load(types::I64, address, 0);
        let unique = self.is_unique(header);
        self.unless(unique, pc);
        let value = self.take(pc, from);
        let old = self.load(types::I64, address, place(index));
        self.store(value, address, place(index));
        self.drop(old);
    }

    pub(super) fn node(&mut self, index: Value) -> Value {
        let nodes = self.load(types::I64, self.context, at::NODES);
        let offset = self.builder.ins().imul_imm_s(index, NODE_SIZE);
        self.builder.ins().iadd(nodes, offset)
    }
}
