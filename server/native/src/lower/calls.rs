//! Calls, and values that come back.

use std::collections::HashMap;
use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use frank_interpreter::backend::{INFO_BITS, NONE, NOWHERE, Operand, Reg, Value as Word};

use super::objects::ONE;
use super::{Entry, Lower};
use crate::operands::{pool, sources};
use crate::runtime::{Begin, Closure, at};
use crate::webs::Form;

impl Lower<'_, '_, '_> {
    /// A call, in tail position without a site.
    pub(super) fn call(
        &mut self,
        pc: usize,
        function: u32,
        moves: u32,
        count: u8,
        site: Option<u32>,
    ) {
        let itself = function as usize == self.range.start;
        // Looked at before anything is done.
        let ints = match itself {
            true => self.ints_for_itself(pc, moves, count),
            false => HashMap::new(),
        };
        if let Some(site) = site {
            self.push_frame(pc, site);
        }
        // The moves happen one after another.
        let mut moved: HashMap<Reg, Value> = HashMap::new();
        for pair in pool(self.parts, moves, 2 * count as usize).chunks_exact(2) {
            let [from, to] = pair else {
                continue;
            };
            let from = Operand(*from);
            let value = match moved.get(&(from.register() as Reg)).copied() {
                Some(value) => {
                    if from.flag() {
                        let word = self.as_type(value, types::I64);
                        self.dup(word);
                    }
                    value
                }
                None => self.take(pc, from),
            };
            moved.insert(*to, value);
        }
        let mut values = Vec::new();
        for r in 0..(self.parameters)(function) {
            let value = match moved.get(&r) {
                Some(value) => *value,
                None => self.raw(pc, r).0,
            };
            values.push((r, value));
        }
        if itself {
            let live = self.webs.live(self.range.start);
            for (r, value) in values {
                if live.contains(&r)
                    && let Some((web, kind)) = self.webs.before(self.range.start, r)
                {
                    match ints.get(&r) {
                        Some(int) => self.set_int(web, kind, *int),
                        None => self.set(web, kind, value),
                    }
                }
            }
            self.jump(self.range.start);
            return;
        }
        for (r, value) in values {
            self.store(value, self.registers, i32::from(r) * 8);
        }
        self.transfer(function);
    }

    /// The integers that a call of the function itself hands over, for those parameters that are kept as such.
    fn ints_for_itself(&mut self, pc: usize, moves: u32, count: u8) -> HashMap<Reg, Value> {
        let sources = sources(self.parts, moves, count);
        let mut ints = HashMap::new();
        let parameters = (self.parameters)(self.range.start as u32);
        let live = self.webs.live(self.range.start);
        for r in live.into_iter().filter(|r| *r < parameters) {
            let kept = self.webs.before(self.range.start, r);
            if kept.is_some_and(|(_, kind)| kind.form() == Form::Int) {
                let from = sources.get(&r).copied().unwrap_or(r);
                ints.insert(r, self.int(pc, from));
            }
        }
        ints
    }

    /// Calls a closure, or goes on with a continuation; the machine applies whatever else it is.
    pub(super) fn apply(&mut self, pc: usize, head: Operand, args: &[Operand], site: u32) {
        let word = self.word(pc, head.register() as Reg);
        let kind = self.builder.ins().ushr_imm_s(word, 32);
        let closures = (Word::closure(0).0 >> 32) as i64;
        let is_closure = self.builder.ins().icmp_imm_s(IntCC::Equal, kind, closures);
        if let [arg] = args {
            let (closure, other) = (self.builder.create_block(), self.builder.create_block());
            self.builder
                .ins()
                .brif(is_closure, closure, &[], other, &[]);
            self.builder.switch_to_block(other);
            self.resume(pc, head, *arg, site);
            self.builder.switch_to_block(closure);
        } else {
            self.unless(is_closure, pc);
        }
        let address = self.address(word);
        let header = self.load(types::I64, address, 0);
        let function = self.builder.ins().band_imm_s(header, (1 << INFO_BITS) - 1);
        let closures = self.load(types::I64, self.context, at::CLOSURES);
        let size = i64::from(Closure::SIZE);
        let offset = self.builder.ins().imul_imm_s(function, size);
        let closure = self.builder.ins().iadd(closures, offset);
        let begins = self.load(types::I32, closure, offset_of!(Closure, pc) as i32);
        let captured = self.load(types::I32, closure, offset_of!(Closure, captured) as i32);
        let captured = self.builder.ins().uextend(types::I64, captured);
        let (code, entry) = self.begin_at(begins);
        self.unless(code, pc);
        if site != NONE {
            self.push_frame(pc, site);
        }
        // From here on it is done.
        self.take(pc, head);
        for (i, arg) in args.iter().enumerate() {
            let value = self.take(pc, *arg);
            self.store(value, self.registers, i as i32 * 8);
        }
        let after = self.builder.ins().iconst(types::I64, args.len() as i64);
        let operands = [self.context, word, after, captured];
        self.builder
            .ins()
            .call(self.callees.open_closure, &operands);
        self.go(code, entry);
    }

    /// The machine code for an instruction that is known at run time only, and its entry there.
    pub(super) fn begin_at(&mut self, pc: Value) -> (Value, Value) {
        let pc = self.builder.ins().uextend(types::I64, pc);
        let size = i64::from(Begin::SIZE);
        let offset = self.builder.ins().imul_imm_s(pc, size);
        let functions = self.load(types::I64, self.context, at::FUNCTIONS);
        let begin = self.builder.ins().iadd(functions, offset);
        let code = self.load(types::I64, begin, 0);
        (code, self.load(types::I64, begin, 8))
    }

    /// Leaves for other machine code that finds the registers in their places.
    pub(super) fn go(&mut self, code: Value, entry: Value) {
        let fuel = self.builder.use_var(self.fuel);
        self.store(fuel, self.context, at::FUEL);
        let nothing = self.builder.ins().iconst(types::I64, 0);
        let args = [self.context, entry, nothing];
        self.builder
            .ins()
            .return_call_indirect(self.callees.code, code, &args);
    }

    /// Goes to another function: to its machine code if there is some, else to the machine.
    fn transfer(&mut self, function: u32) {
        let functions = self.load(types::I64, self.context, at::FUNCTIONS);
        let place = function as i32 * Begin::SIZE;
        let code = self.load(types::I64, functions, place);
        let entry = self.load(types::I64, functions, place + 8);
        let pc = self.builder.ins().iconst(types::I64, i64::from(function));
        self.go_or_give_back(code, entry, pc);
    }

    /// Goes to machine code that finds the registers in their places; if there is none, to the machine.
    pub(super) fn go_or_give_back(&mut self, code: Value, entry: Value, pc: Value) {
        let there = self.builder.create_block();
        let machine = self.builder.create_block();
        self.builder.ins().brif(code, there, &[], machine, &[]);
        self.builder.switch_to_block(machine);
        self.give_back(pc);
        self.builder.switch_to_block(there);
        self.go(code, entry);
    }

    /// Leaves for the machine, which finds the registers in their places and goes on with an instruction.
    pub(super) fn give_back(&mut self, pc: Value) {
        let fuel = self.builder.use_var(self.fuel);
        self.store(fuel, self.context, at::FUEL);
        self.builder.ins().return_(&[pc]);
    }

    /// A frame for a call: what its function needs afterwards moves into it.
    pub(super) fn push_frame(&mut self, pc: usize, site: u32) {
        let Some(known) = self.parts.sites.get(site as usize) else {
            return;
        };
        let saved = pool(self.parts, known.saved, known.count as usize).to_vec();
        let handle = self.allocate(pc, saved.len() + 1, site);
        let address = self.address_of_handle(handle);
        let below = self.load(types::I64, self.context, at::FRAME);
        self.store(below, address, 8);
        for (i, operand) in saved.iter().enumerate() {
            let (value, _) = self.raw(pc, Operand(*operand).register() as Reg);
            self.store(value, address, 16 + i as i32 * 8);
        }
        let like = Word::frame(0).0 as i64;
        let frame = self.builder.ins().bor_imm_s(handle, like);
        self.store(frame, self.context, at::FRAME);
    }

    /// Gives a value to the innermost frame, if that is next, and there is machine code for it. Otherwise the machine does.
    pub(super) fn give(&mut self, pc: usize, of: Reg) {
        let value = self.word(pc, of);
        let exit = self.exit(pc);
        self.give_or(value, exit);
    }

    /// The same with another block for what is not done here.
    pub(super) fn give_or(&mut self, value: Value, otherwise: Block) {
        let frame = self.load(types::I64, self.context, at::FRAME);
        let kind = self.builder.ins().ushr_imm_s(frame, 32);
        let frames = (Word::frame(0).0 >> 32) as i64;
        let is_frame = self.builder.ins().icmp_imm_s(IntCC::Equal, kind, frames);
        self.or_else(is_frame, otherwise);
        let address = self.address(frame);
        let header = self.load(types::I64, address, 0);
        let site = self.builder.ins().band_imm_s(header, (1 << INFO_BITS) - 1);
        let sites = self.load(types::I64, self.context, at::SITES);
        let offset = self.builder.ins().imul_imm_s(site, i64::from(Begin::SIZE));
        let begin = self.builder.ins().iadd(sites, offset);
        let code = self.load(types::I64, begin, 0);
        let entry = self.load(types::I64, begin, 8);
        self.or_else(code, otherwise);
        if self.entries.iter().any(|e| matches!(e, Entry::Back(_))) {
            // Back to this function, as a rule.
            let itself = self
                .builder
                .ins()
                .func_addr(types::I64, self.callees.itself);
            let same = self.builder.ins().icmp(IntCC::Equal, code, itself);
            let other = self.builder.create_block();
            let args = [entry.into(), value.into()];
            self.builder
                .ins()
                .brif(same, self.dispatch, &args, other, &[]);
            self.builder.switch_to_block(other);
        }
        let fuel = self.builder.use_var(self.fuel);
        self.store(fuel, self.context, at::FUEL);
        let args = [self.context, entry, value];
        self.builder
            .ins()
            .return_call_indirect(self.callees.code, code, &args);
    }

    /// Takes what the innermost frame keeps, which is that of a site. If others have it, too, it stays.
    pub(super) fn enter_back(&mut self, site: u32, value: Value) {
        let Some(known) = self.parts.sites.get(site as usize).cloned() else {
            return;
        };
        let pc = known.pc as usize;
        let frame = self.load(types::I64, self.context, at::FRAME);
        let address = self.address(frame);
        let below = self.load(types::I64, address, 8);
        self.store(below, self.context, at::FRAME);
        let saved = pool(self.parts, known.saved, known.count as usize);
        let live = self.webs.live(pc);
        let mut found = Vec::new();
        for (i, operand) in saved.iter().enumerate() {
            let r = Operand(*operand).register() as Reg;
            if live.contains(&r) {
                let ty = self.type_before(pc, r);
                found.push((r, self.load(ty, address, 16 + i as i32 * 8)));
            }
        }
        let header = self.load(types::I64, address, 0);
        let unique = self.is_unique(header);
        let [last, shared, done] = [(); 3].map(|()| self.builder.create_block());
        self.builder.set_cold_block(shared);
        self.builder.ins().brif(unique, last, &[], shared, &[]);
        self.builder.switch_to_block(last);
        let handle = self.builder.ins().band_imm_s(frame, 0xFFFF_FFFF);
        self.free(handle, address, saved.len() + 1);
        self.builder.ins().jump(done, &[]);
        self.builder.switch_to_block(shared);
        let header = self.builder.ins().iadd_imm_s(header, -ONE);
        self.store(header, address, 0);
        self.dup(below);
        for (r, word) in &found {
            let known = self.webs.before(pc, *r);
            if known.is_none_or(|(_, kind)| !kind.surely_float()) {
                let word = self.as_type(*word, types::I64);
                self.dup(word);
            }
        }
        self.builder.ins().jump(done, &[]);
        self.builder.switch_to_block(done);
        if known.to == NOWHERE {
            self.drop(value);
        } else if live.contains(&known.to) {
            let ty = self.type_before(pc, known.to);
            found.push((known.to, self.as_type(value, ty)));
        }
        self.arrive(pc, &found, &found);
    }
}
