//! Objects on the heap: made, taken apart, counted.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use frank_interpreter::backend::{
    Heap, HeapLayout, INFO_BITS, Instr, NOWHERE, Operand, Reg, Value as Word,
};

use super::Lower;
use crate::foreign::EXACT;
use crate::operands::pool;
use crate::runtime::at;

/// One reference in a header.
pub(super) const ONE: i64 = 1 << 32;
/// The first word that points to an object.
const FIRST_POINTER: u64 = Word::FIRST_POINTER;
const LAYOUT: HeapLayout = Heap::LAYOUT;

impl Lower<'_, '_, '_> {
    pub(super) fn object(&mut self, pc: usize, instr: Instr) {
        match instr {
            Instr::Static { to, id } => {
                let statics = self.load(types::I64, self.context, at::STATICS);
                let word = self.load(types::I64, statics, id as i32 * 8);
                let empty = Word::BOTTOM.0 as i64;
                let made = self.builder.ins().icmp_imm_s(IntCC::NotEqual, word, empty);
                self.unless(made, pc);
                self.dup(word);
                self.define(pc, to, word);
            }
            Instr::Construct1 {
                to,
                tag,
                constructor,
                a,
            } => self.construct(pc, to, u32::from(tag), constructor, &[a]),
            Instr::Construct2 {
                to,
                tag,
                constructor,
                a,
                b,
            } => self.construct(pc, to, u32::from(tag), constructor, &[a, b]),
            Instr::Construct3 {
                to,
                tag,
                constructor,
                a,
                b,
                c,
            } => self.construct(pc, to, u32::from(tag), constructor, &[a, b, c]),
            Instr::ConstructN {
                to,
                count,
                constructor,
                args,
            } => {
                let tag = self.parts.tag(constructor);
                let args = self.operands(args, count);
                self.construct(pc, to, tag, constructor, &args);
            }
            Instr::Closure {
                to,
                count,
                function,
                args,
            } => {
                let args = self.operands(args, count);
                self.make(pc, to, Word::closure(0), function, &args);
            }
            Instr::Field { to, of, index } => {
                let of = self.word(pc, of);
                let address = self.address(of);
                let field = self.load(types::I64, address, 8 + i32::from(index) * 8);
                self.dup_for(pc, to, field);
                self.define(pc, to, field);
            }
            Instr::Unpack1 { of, a } => self.unpack(pc, of, &[a]),
            Instr::Unpack2 { of, a, b } => self.unpack(pc, of, &[a, b]),
            Instr::Unpack3 { of, a, b, c } => self.unpack(pc, of, &[a, b, c]),
            Instr::UnpackN { of, count, to } => {
                let to = pool(self.parts, to, count as usize).to_vec();
                self.unpack(pc, of, &to);
            }
            Instr::Drop { of } => {
                let (value, is_number) = self.raw(pc, of);
                if !is_number && self.constant(of).is_none() {
                    let word = self.as_type(value, types::I64);
                    self.drop(word);
                }
            }
            Instr::NewCell { to, from } => {
                let handle = self.allocate(pc, 1, 0);
                let address = self.address_of_handle(handle);
                let value = self.take(pc, from);
                self.store(value, address, 8);
                let cells = self.count(LAYOUT.references, 1);
                let peak = self.load(types::I64, self.heap, LAYOUT.peak_references as i32);
                let peak = self.builder.ins().umax(peak, cells);
                self.store(peak, self.heap, LAYOUT.peak_references as i32);
                let like = Word::reference(0).0 as i64;
                let word = self.builder.ins().bor_imm_s(handle, like);
                self.define(pc, to, word);
            }
            Instr::ReadCell { to, cell } => {
                let reference = self.word(pc, cell.register() as Reg);
                let address = self.address(reference);
                let value = self.load(types::I64, address, 8);
                match cell.flag() {
                    true => self.leave_cell(reference, address, value, |_, _| (), Self::dup),
                    false => self.dup(value),
                }
                self.define(pc, to, value);
            }
            Instr::WriteCell { to, cell, from } => {
                let value = self.take(pc, from);
                let value = self.as_type(value, types::I64);
                let reference = self.word(pc, cell.register() as Reg);
                let address = self.address(reference);
                let old = self.load(types::I64, address, 8);
                self.store(value, address, 8);
                self.drop(old);
                if cell.flag() {
                    self.leave_cell(reference, address, value, Self::drop, |_, _| ());
                }
                let unit = self.parts.words.unit.0 as i64;
                let unit = self.builder.ins().iconst(types::I64, unit);
                self.define(pc, to, unit);
            }
            _ => {}
        }
    }

    pub(super) fn operands(&self, args: u32, count: u16) -> Vec<Operand> {
        let args = pool(self.parts, args, count as usize);
        args.iter().map(|operand| Operand(*operand)).collect()
    }

    fn construct(&mut self, pc: usize, to: Reg, tag: u32, constructor: u32, args: &[Operand]) {
        self.make(pc, to, Word::constructed(tag, 0), constructor, args);
    }

    /// A new object; `like` is the word of one, but for its handle.
    fn make(&mut self, pc: usize, to: Reg, like: Word, info: u32, args: &[Operand]) {
        let handle = self.allocate(pc, args.len(), info);
        let address = self.address_of_handle(handle);
        for (i, arg) in args.iter().enumerate() {
            let value = self.take(pc, *arg);
            self.store(value, address, 8 + i as i32 * 8);
        }
        let word = self.builder.ins().bor_imm_s(handle, like.0 as i64);
        self.define(pc, to, word);
    }

    /// Where the object is that a word points to.
    pub(super) fn address(&mut self, word: Value) -> Value {
        let handle = self.builder.ins().band_imm_s(word, 0xFFFF_FFFF);
        self.address_of_handle(handle)
    }

    pub(super) fn address_of_handle(&mut self, handle: Value) -> Value {
        let offset = self.builder.ins().ishl_imm_s(handle, 3);
        let base = self.builder.use_var(self.base);
        self.builder.ins().iadd(base, offset)
    }

    /// The handle of a new object with one reference: a freed one, else words that were never part of one, else what the
    /// heap finds.
    pub(super) fn allocate(&mut self, pc: usize, words: usize, info: u32) -> Value {
        let slow = self.builder.create_block();
        let done = self.builder.create_block();
        let handle = self.builder.append_block_param(done, types::I64);
        self.builder.set_cold_block(slow);
        if words <= EXACT {
            self.allocate_here(words, info, slow, done);
        } else {
            self.builder.ins().jump(slow, &[]);
        }
        self.builder.switch_to_block(slow);
        let count = self.builder.ins().iconst(types::I64, words as i64);
        let owner = self.builder.ins().iconst(types::I64, i64::from(info));
        let call = self
            .builder
            .ins()
            .call(self.callees.allocate, &[self.context, count, owner]);
        let found = self.builder.inst_results(call).first().copied();
        let base = self.load(types::I64, self.context, at::BASE);
        self.builder.def_var(self.base, base);
        if let Some(found) = found {
            self.unless(found, pc);
            self.builder.ins().jump(done, &[found.into()]);
        }
        self.builder.switch_to_block(done);
        handle
    }

    /// What the heap does first for an object of a size that has a class of its own. Goes to one of two blocks.
    fn allocate_here(&mut self, words: usize, info: u32, slow: Block, done: Block) {
        let [freed, fresh, room, bump, made] = [(); 5].map(|()| self.builder.create_block());
        let handle = self.builder.append_block_param(made, types::I64);
        let place = LAYOUT.free as i32 + words as i32 * 4;
        let first = self.load(types::I32, self.heap, place);
        self.builder.ins().brif(first, freed, &[], fresh, &[]);

        self.builder.switch_to_block(freed);
        let first = self.builder.ins().uextend(types::I64, first);
        let address = self.address_of_handle(first);
        let next = self.load(types::I32, address, 0);
        self.store(next, self.heap, place);
        self.builder.ins().jump(made, &[first.into()]);

        // What is dying is used before what was never used.
        self.builder.switch_to_block(fresh);
        let dying = self.load(types::I32, self.heap, LAYOUT.dying as i32);
        self.builder.ins().brif(dying, slow, &[], room, &[]);
        self.builder.switch_to_block(room);
        let top = self.load(types::I64, self.heap, LAYOUT.top as i32);
        let behind = self.builder.ins().iadd_imm_s(top, words as i64 + 1);
        let end = self.load(types::I64, self.heap, LAYOUT.end as i32);
        let fits = self
            .builder
            .ins()
            .icmp(IntCC::UnsignedLessThanOrEqual, behind, end);
        self.builder.ins().brif(fits, bump, &[], slow, &[]);
        self.builder.switch_to_block(bump);
        self.store(behind, self.heap, LAYOUT.top as i32);
        self.builder.ins().jump(made, &[top.into()]);

        self.builder.switch_to_block(made);
        let header = ONE | (words as i64) << INFO_BITS | i64::from(info);
        let header = self.builder.ins().iconst(types::I64, header);
        let address = self.address_of_handle(handle);
        self.store(header, address, 0);
        let objects = self.count(LAYOUT.objects, 1);
        let peak = self.load(types::I64, self.heap, LAYOUT.peak_objects as i32);
        let peak = self.builder.ins().umax(peak, objects);
        self.store(peak, self.heap, LAYOUT.peak_objects as i32);
        self.builder.ins().jump(done, &[handle.into()]);
    }

    /// Changes one of the heap's numbers; what it is then.
    fn count(&mut self, place: usize, change: i64) -> Value {
        let number = self.load(types::I64, self.heap, place as i32);
        let number = self.builder.ins().iadd_imm_s(number, change);
        self.store(number, self.heap, place as i32);
        number
    }

    /// One more reference to what a word points to, if it does.
    pub(super) fn dup(&mut self, word: Value) {
        let pointer = self.builder.create_block();
        let done = self.builder.create_block();
        let points = self.points(word);
        self.builder.ins().brif(points, pointer, &[], done, &[]);
        self.builder.switch_to_block(pointer);
        let address = self.address(word);
        let header = self.load(types::I64, address, 0);
        let header = self.builder.ins().iadd_imm_s(header, ONE);
        self.store(header, address, 0);
        self.builder.ins().jump(done, &[]);
        self.builder.switch_to_block(done);
    }

    fn points(&mut self, word: Value) -> Value {
        let first = FIRST_POINTER as i64;
        self.builder
            .ins()
            .icmp_imm_s(IntCC::UnsignedGreaterThanOrEqual, word, first)
    }

    /// The same for what goes to a register, unless that holds floats only.
    pub(super) fn dup_for(&mut self, pc: usize, to: Reg, field: Value) {
        let kind = self.webs.behind(pc, to);
        if kind.is_none_or(|(_, kind)| !kind.surely_float()) {
            self.dup(field);
        }
    }

    /// One reference less to what a word points to, if it does.
    pub(super) fn drop(&mut self, word: Value) {
        let pointer = self.builder.create_block();
        let last = self.builder.create_block();
        let shared = self.builder.create_block();
        let done = self.builder.create_block();
        self.builder.set_cold_block(last);
        let points = self.points(word);
        self.builder.ins().brif(points, pointer, &[], done, &[]);
        self.builder.switch_to_block(pointer);
        let address = self.address(word);
        let header = self.load(types::I64, address, 0);
        let unique = self.is_unique(header);
        self.builder.ins().brif(unique, last, &[], shared, &[]);
        self.builder.switch_to_block(last);
        self.builder
            .ins()
            .call(self.callees.drop_value, &[self.context, word]);
        self.builder.ins().jump(done, &[]);
        self.builder.switch_to_block(shared);
        let header = self.builder.ins().iadd_imm_s(header, -ONE);
        self.store(header, address, 0);
        self.builder.ins().jump(done, &[]);
        self.builder.switch_to_block(done);
    }

    pub(super) fn is_unique(&mut self, header: Value) -> Value {
        let count = self.builder.ins().ushr_imm_s(header, 32);
        self.builder.ins().icmp_imm_s(IntCC::Equal, count, 1)
    }

    /// Gives an object of so many words back whose words were all moved out.
    pub(super) fn free(&mut self, handle: Value, address: Value, words: usize) {
        let place = LAYOUT.free as i32 + words as i32 * 4;
        let next = self.load(types::I32, self.heap, place);
        let next = self.builder.ins().uextend(types::I64, next);
        let class = (words as i64) << INFO_BITS << 32;
        let header = self.builder.ins().bor_imm_s(next, class);
        self.store(header, address, 0);
        let handle = self.builder.ins().ireduce(types::I32, handle);
        self.store(handle, self.heap, place);
        self.count(LAYOUT.objects, -1);
    }

    /// One reference less to a reference cell. What becomes of the value in it one function says if nobody else has the
    /// cell, which is free then, and the other one if others have.
    fn leave_cell(
        &mut self,
        cell: Value,
        address: Value,
        held: Value,
        last_does: fn(&mut Self, Value),
        shared_does: fn(&mut Self, Value),
    ) {
        let header = self.load(types::I64, address, 0);
        let unique = self.is_unique(header);
        let [last, shared, done] = [(); 3].map(|()| self.builder.create_block());
        self.builder.ins().brif(unique, last, &[], shared, &[]);
        self.builder.switch_to_block(last);
        let handle = self.builder.ins().band_imm_s(cell, 0xFFFF_FFFF);
        self.free(handle, address, 1);
        self.count(LAYOUT.references, -1);
        last_does(self, held);
        self.builder.ins().jump(done, &[]);
        self.builder.switch_to_block(shared);
        let header = self.builder.ins().iadd_imm_s(header, -ONE);
        self.store(header, address, 0);
        shared_does(self, held);
        self.builder.ins().jump(done, &[]);
        self.builder.switch_to_block(done);
    }

    /// Takes an object of a size that has a class of its own apart, which is not needed as a whole any more.
    fn unpack(&mut self, pc: usize, of: Reg, to: &[Reg]) {
        let word = self.word(pc, of);
        let address = self.address(word);
        let mut fields = Vec::new();
        for (i, r) in to.iter().enumerate() {
            let web = match *r == NOWHERE {
                true => None,
                false => self.webs.behind(pc, *r),
            };
            let ty = match web {
                Some((_, kind)) if kind.float => types::F64,
                _ => types::I64,
            };
            let field = self.load(ty, address, 8 + i as i32 * 8);
            fields.push((*r, web, field));
        }
        let header = self.load(types::I64, address, 0);
        let unique = self.is_unique(header);
        let last = self.builder.create_block();
        let shared = self.builder.create_block();
        let done = self.builder.create_block();
        self.builder.ins().brif(unique, last, &[], shared, &[]);
        self.builder.switch_to_block(last);
        let handle = self.builder.ins().band_imm_s(word, 0xFFFF_FFFF);
        self.free(handle, address, to.len());
        for (r, _, field) in &fields {
            if *r == NOWHERE {
                self.drop(*field);
            }
        }
        self.builder.ins().jump(done, &[]);
        self.builder.switch_to_block(shared);
        let header = self.builder.ins().iadd_imm_s(header, -ONE);
        self.store(header, address, 0);
        for (r, web, field) in &fields {
            let float = web.is_some_and(|(_, kind)| kind.surely_float());
            if *r != NOWHERE && !float {
                let word = self.as_type(*field, types::I64);
                self.dup(word);
            }
        }
        self.builder.ins().jump(done, &[]);
        self.builder.switch_to_block(done);
        for (_, web, field) in fields {
            if let Some((web, kind)) = web {
                self.set(web, kind, field);
            }
        }
    }
}
