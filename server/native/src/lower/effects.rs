//! Handlers that are entered, continuations that are captured, resumed and dropped: the machine does it, called from here,
//! so that machine code goes on at once.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{FuncRef, InstBuilder, Value, types};
use frank_interpreter::backend::{Instr, NONE, NOWHERE, Operand, Reg, Value as Word, WINDOW};

use super::Lower;
use crate::effects::ENDED;
use crate::operands::pool;
use crate::runtime::at;

impl Lower<'_, '_, '_> {
    pub(super) fn effect(&mut self, pc: usize, instr: Instr) {
        match instr {
            Instr::Handle {
                count,
                port,
                done,
                site,
            } => {
                if site != NONE {
                    self.push_frame(pc, site);
                    self.copy_saved(pc, site);
                }
                let args = self.operands(done, u16::from(count));
                for (i, arg) in args.into_iter().enumerate() {
                    let value = self.take(pc, arg);
                    self.store(value, self.registers, (i32::from(WINDOW) + i as i32) * 8);
                }
                let (port, count) = (i64::from(port), i64::from(count));
                let entered = self.by_machine(self.callees.handle, &[port, count]);
                self.unless_ended(pc, entered);
            }
            Instr::Capture { to, begun } => {
                let begun = i64::from(begun);
                if to == NOWHERE {
                    self.by_machine(self.callees.leave, &[begun]);
                } else {
                    let captured = self.by_machine(self.callees.capture, &[begun]);
                    self.unless_ended(pc, captured);
                    if let Some(captured) = captured {
                        self.define(pc, to, captured);
                    }
                }
            }
            Instr::Unwind { depth } => {
                self.by_machine(self.callees.unwind, &[i64::from(depth)]);
            }
            _ => {}
        }
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
        let continuations = (Word::continuation(0).0 >> 32) as i64;
        let resumes = self
            .builder
            .ins()
            .icmp_imm_s(IntCC::Equal, kind, continuations);
        self.unless(resumes, pc);
        if site != NONE {
            self.push_frame(pc, site);
        }
        // From here on it is done.
        self.take(pc, head);
        let value = self.take(pc, arg);
        let value = self.as_type(value, types::I64);
        let resumed = self.call_machine(self.callees.resume, &[word]);
        self.unless_ended(pc, resumed);
        let otherwise = self.builder.create_block();
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
