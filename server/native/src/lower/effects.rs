//! Handlers that are entered, continuations that are captured, resumed and dropped: the machine does it, called from here,
//! so that machine code goes on at once.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{FuncRef, InstBuilder, Value, types};
use frank_interpreter::backend::{Found, Instr, NONE, NOWHERE, Operand, Reg, Value as Word};

use super::Lower;
use super::commands::NODE;
use crate::effects::ENDED;
use crate::operands::pool;
use crate::runtime::at;

/// Words but for their handles.
const FRAME: i64 = Word::frame(0).0 as i64;
const WAITING: i64 = Word::waiting(0).0 as i64;
const CONTINUATION: i64 = Word::continuation(0).0 as i64;
const BOTTOM: i64 = Word::BOTTOM.0 as i64;

impl Lower<'_, '_, '_> {
    pub(super) fn effect(&mut self, pc: usize, instr: Instr) {
        match instr {
            Instr::Handle {
                count,
                port,
                done,
                site,
            } => {
                let args = self.operands(done, u16::from(count));
                self.enter_handler(pc, port, &args, site);
            }
            Instr::Capture {
                to: NOWHERE,
                begun: true,
            } => {
                self.by_machine(self.callees.leave, &[1]);
            }
            Instr::Capture {
                to: NOWHERE,
                begun: false,
            } => {
                let node = self.handling_node();
                self.leave(node, self.callees.leave, 0);
            }
            Instr::Capture { to, begun: true } => {
                let captured = self.by_machine(self.callees.capture, &[1]);
                self.unless_ended(pc, captured);
                if let Some(captured) = captured {
                    self.define(pc, to, captured);
                }
            }
            Instr::Capture { to, begun: false } => {
                let captured = self.capture(pc);
                self.define(pc, to, captured);
            }
            Instr::Unwind { depth } => {
                let (_, node) = self.known_handler(depth);
                self.leave(node, self.callees.unwind, i64::from(depth));
            }
            _ => {}
        }
    }

    /// Enters a handler, with the arguments of its call before the last. There must be room for its node.
    fn enter_handler(&mut self, pc: usize, port: u32, args: &[Operand], site: u32) {
        let count = self.load(types::I64, self.context, at::COUNT);
        let room = self.load(types::I64, self.context, at::ROOM);
        let fits = self
            .builder
            .ins()
            .icmp(IntCC::UnsignedLessThan, count, room);
        self.unless(fits, pc);
        // What may fail comes first.
        let (interface, enter) = self.parts.port(port);
        let done = match args {
            [] => None,
            _ => Some(self.allocate(pc, args.len() + 1, enter)),
        };
        if site != NONE {
            self.push_frame(pc, site);
            self.copy_saved(pc, site);
        }
        let mut k = self.load(types::I64, self.context, at::FRAME);
        if let Some(handle) = done {
            let address = self.address_of_handle(handle);
            self.store(k, address, 8);
            for (i, arg) in args.iter().enumerate() {
                let value = self.take(pc, *arg);
                self.store(value, address, 16 + i as i32 * 8);
            }
            k = self.builder.ins().bor_imm_s(handle, FRAME);
        }
        let visible = self.load(types::I64, self.context, at::VISIBLE);
        let skip = self.builder.ins().isub(count, visible);
        let u = self.load(types::I64, self.context, at::BEHIND);
        let node = self.node(count);
        for (word, place) in [(interface, NODE.interface), (port, NODE.port)] {
            let word = self
                .builder
                .ins()
                .iconst(types::I32, i64::from(word as i32));
            self.store(word, node, place as i32);
        }
        for (flag, place) in [(true, NODE.direct), (done.is_none(), NODE.entered)] {
            let flag = self.builder.ins().iconst(types::I8, i64::from(flag));
            self.store(flag, node, place as i32);
        }
        let skip = self.builder.ins().ireduce(types::I32, skip);
        self.store(skip, node, NODE.skip as i32);
        self.store(k, node, NODE.k as i32);
        self.store(u, node, NODE.u as i32);
        let more = self.builder.ins().iadd_imm_s(count, 1);
        self.store(more, self.context, at::COUNT);
        self.store(more, self.context, at::VISIBLE);
        let nothing = self.builder.ins().iconst(types::I64, BOTTOM);
        self.store(nothing, self.context, at::FRAME);
        self.store(nothing, self.context, at::BEHIND);
    }

    /// The number of the node that handles the command whose clauses run.
    fn handling_node(&mut self) -> Value {
        let handling = self.load(types::I64, self.context, at::HANDLING);
        self.load(types::I64, handling, offset_of!(Found, node) as i32)
    }

    /// Whether a node is the innermost one.
    fn is_innermost(&mut self, node: Value) -> Value {
        let count = self.load(types::I64, self.context, at::COUNT);
        let above = self.builder.ins().iadd_imm_s(node, 1);
        self.builder.ins().icmp(IntCC::Equal, above, count)
    }

    /// The continuation of the command whose clauses run. Here it is that of a program which stands in one segment.
    fn capture(&mut self, pc: usize) -> Value {
        let [plain, machine, done] = [(); 3].map(|()| self.builder.create_block());
        let captured = self.builder.append_block_param(done, types::I64);
        self.builder.set_cold_block(machine);
        let node = self.handling_node();
        let innermost = self.is_innermost(node);
        self.or_else(innermost, machine);
        let frame = self.load(types::I64, self.context, at::FRAME);
        let kind = self.builder.ins().ushr_imm_s(frame, 32);
        let is_frame = self.is_kind(kind, FRAME);
        self.or_else(is_frame, machine);
        let alone = self.is_alone();
        self.builder.ins().brif(alone, plain, &[], machine, &[]);

        self.builder.switch_to_block(machine);
        let found = self.by_machine(self.callees.capture, &[0]);
        self.unless_ended(pc, found);
        if let Some(found) = found {
            self.builder.ins().jump(done, &[found.into()]);
        }

        self.builder.switch_to_block(plain);
        let captures = self.load(types::I64, self.context, at::CAPTURES);
        let captures = self.builder.ins().iadd_imm_s(captures, 1);
        self.store(captures, self.context, at::CAPTURES);
        self.leave_call(node);
        let waiting = self.builder.ins().bxor_imm_s(frame, FRAME ^ WAITING);
        self.builder.ins().jump(done, &[waiting.into()]);
        self.builder.switch_to_block(done);
        captured
    }

    /// Whether nothing follows the frames of the innermost segment, and all nodes are seen.
    fn is_alone(&mut self) -> Value {
        let behind = self.load(types::I64, self.context, at::BEHIND);
        let ends = self.builder.ins().icmp_imm_s(IntCC::Equal, behind, BOTTOM);
        let count = self.load(types::I64, self.context, at::COUNT);
        let visible = self.load(types::I64, self.context, at::VISIBLE);
        let sees = self.builder.ins().icmp(IntCC::Equal, count, visible);
        self.builder.ins().band(ends, sees)
    }

    /// Drops what stands above a node, and ends its call. If there are other nodes the machine does.
    fn leave(&mut self, node: Value, machine: FuncRef, number: i64) {
        let [here, there, done] = [(); 3].map(|()| self.builder.create_block());
        self.builder.set_cold_block(there);
        let innermost = self.is_innermost(node);
        self.builder.ins().brif(innermost, here, &[], there, &[]);
        self.builder.switch_to_block(there);
        self.by_machine(machine, &[number]);
        self.builder.ins().jump(done, &[]);
        self.builder.switch_to_block(here);
        let frame = self.load(types::I64, self.context, at::FRAME);
        self.drop(frame);
        let behind = self.load(types::I64, self.context, at::BEHIND);
        self.drop(behind);
        self.leave_call(node);
        self.builder.ins().jump(done, &[]);
        self.builder.switch_to_block(done);
    }

    /// Takes the innermost node off, and the arguments of its call with it.
    fn leave_call(&mut self, number: Value) {
        let node = self.node(number);
        self.store(number, self.context, at::COUNT);
        let skip = self.load(types::I32, node, NODE.skip as i32);
        let skip = self.builder.ins().uextend(types::I64, skip);
        let visible = self.builder.ins().isub(number, skip);
        self.store(visible, self.context, at::VISIBLE);
        let u = self.load(types::I64, node, NODE.u as i32);
        self.store(u, self.context, at::BEHIND);
        let k = self.load(types::I64, node, NODE.k as i32);
        let entered = self.load(types::I8, node, NODE.entered as i32);
        let [arguments, done] = [(); 2].map(|()| self.builder.create_block());
        let below = self.builder.append_block_param(done, types::I64);
        self.builder
            .ins()
            .brif(entered, done, &[k.into()], arguments, &[]);
        self.builder.switch_to_block(arguments);
        let call = self
            .builder
            .ins()
            .call(self.callees.leave_frame, &[self.context, k]);
        if let Some(under) = self.builder.inst_results(call).first().copied() {
            self.builder.ins().jump(done, &[under.into()]);
        }
        self.builder.switch_to_block(done);
        self.store(below, self.context, at::FRAME);
    }

    /// Counts what a frame keeps and the code above it needs, too.
    fn copy_saved(&mut self, pc: usize, site: u32) {
        let Some(known) = self.parts.sites.get(site as usize) else {
            return;
        };
        for operand in pool(self.parts, known.saved, known.count as usize) {
            // It counts where the operand says so.
            self.take(pc, Operand(*operand));
        }
    }

    /// Goes on with a continuation; whatever else it may be the machine applies.
    pub(super) fn resume(&mut self, pc: usize, head: Operand, arg: Operand, site: u32) {
        let word = self.word(pc, head.register() as Reg);
        let kind = self.builder.ins().ushr_imm_s(word, 32);
        let is_waiting = self.is_kind(kind, WAITING);
        let continues = self.is_kind(kind, CONTINUATION);
        let resumes = self.builder.ins().bor(is_waiting, continues);
        self.unless(resumes, pc);
        if site != NONE {
            self.push_frame(pc, site);
        }
        // From here on it is done.
        self.take(pc, head);
        let value = self.take(pc, arg);
        let value = self.as_type(value, types::I64);
        let [frames, machine, done] = [(); 3].map(|()| self.builder.create_block());
        self.builder.set_cold_block(machine);
        let alone = self.is_alone();
        let alone = self.builder.ins().band(alone, is_waiting);
        self.builder.ins().brif(alone, frames, &[], machine, &[]);
        self.builder.switch_to_block(machine);
        let resumed = self.call_machine(self.callees.resume, &[word]);
        self.unless_ended(pc, resumed);
        self.builder.ins().jump(done, &[]);
        self.builder.switch_to_block(frames);
        let below = self.load(types::I64, self.context, at::FRAME);
        self.store(below, self.context, at::BEHIND);
        let frame = self.builder.ins().bxor_imm_s(word, FRAME ^ WAITING);
        self.store(frame, self.context, at::FRAME);
        self.builder.ins().jump(done, &[]);
        self.builder.switch_to_block(done);
        self.give_on(pc, value);
    }

    /// Gives a value to the stack, whatever stands there.
    pub(super) fn give_on(&mut self, pc: usize, value: Value) {
        let otherwise = self.builder.create_block();
        self.builder.set_cold_block(otherwise);
        self.give_or(value, otherwise);
        self.builder.switch_to_block(otherwise);
        let next = self.call_machine(self.callees.give, &[value]);
        self.unless_ended(pc, next);
        if let Some(next) = next {
            let short = self.builder.ins().ireduce(types::I32, next);
            let (code, entry) = self.begin_at(short);
            self.go_or_give_back(code, entry, next);
        }
    }

    /// Whether the upper bits of a word are those of another one.
    fn is_kind(&mut self, kind: Value, like: i64) -> Value {
        let like = (like as u64 >> 32) as i64;
        self.builder.ins().icmp_imm_s(IntCC::Equal, kind, like)
    }

    // --- calls of the machine ---

    fn by_machine(&mut self, what: FuncRef, numbers: &[i64]) -> Option<Value> {
        let numbers = numbers.iter();
        let args = numbers.map(|n| self.builder.ins().iconst(types::I64, *n));
        let args: Vec<Value> = args.collect();
        self.call_machine(what, &args)
    }

    /// Has the machine do something. It may take memory, so that the heap's array moves.
    fn call_machine(&mut self, what: FuncRef, args: &[Value]) -> Option<Value> {
        let args: Vec<Value> = std::iter::once(self.context)
            .chain(args.iter().copied())
            .collect();
        let call = self.builder.ins().call(what, &args);
        let result = self.builder.inst_results(call).first().copied();
        let base = self.load(types::I64, self.context, at::BASE);
        self.builder.def_var(self.base, base);
        result
    }

    /// Gives back if the run has ended with what the machine did.
    fn unless_ended(&mut self, pc: usize, result: Option<Value>) {
        let Some(result) = result else {
            return;
        };
        let goes_on = self
            .builder
            .ins()
            .icmp_imm_s(IntCC::NotEqual, result, ENDED as i64);
        let (next, ended) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(ended);
        self.builder.ins().brif(goes_on, next, &[], ended, &[]);
        self.builder.switch_to_block(ended);
        let pc = self.builder.ins().iconst(types::I64, pc as i64);
        self.give_back(pc);
        self.builder.switch_to_block(next);
    }
}
