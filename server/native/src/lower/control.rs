//! Where control goes: branches, switches, exits to the machine.

use cranelift_codegen::ir::{Block, BlockCall, InstBuilder, JumpTableData, Value, types};
use frank_interpreter::backend::Reg;

use super::Lower;
use crate::runtime::at;

impl Lower<'_, '_, '_> {
    pub(super) fn switch_tag(&mut self, pc: usize, of: Reg, count: u16, table: u32) {
        let table = table as usize;
        let targets = self.parts.targets.get(table..=table + count as usize);
        let Some([cases @ .., other]) = targets else {
            return;
        };
        let word = self.word(pc, of);
        let tags = self.builder.ins().ushr_imm_s(word, 32);
        let tags = self.builder.ins().ireduce(types::I32, tags);
        let tag = self.builder.ins().band_imm_s(tags, 0xFFFF);
        let block = |lower: &Self, to: u32| lower.blocks.get(&(to as usize)).copied();
        let Some(other) = block(self, *other) else {
            return;
        };
        let cases: Vec<Block> = cases.iter().filter_map(|to| block(self, *to)).collect();
        if let [only] = cases.as_slice() {
            self.builder.ins().brif(tag, other, &[], *only, &[]);
            return;
        }
        let pool = &mut self.builder.func.dfg.value_lists;
        let mut to = |block| BlockCall::new(block, std::iter::empty(), pool);
        let cases: Vec<_> = cases.into_iter().map(&mut to).collect();
        let data = JumpTableData::new(to(other), &cases);
        let table = self.builder.create_jump_table(data);
        self.builder.ins().br_table(tag, table);
    }

    pub(super) fn switch_word(&mut self, pc: usize, of: Reg, table: u32) {
        let Some((cases, other)) = self.parts.word_tables.get(table as usize) else {
            return;
        };
        for (key, target) in cases {
            let Some(target) = self.blocks.get(&(*target as usize)).copied() else {
                continue;
            };
            let next = self.builder.create_block();
            let holds = self.is_word(pc, of, *key);
            self.builder.ins().brif(holds, target, &[], next, &[]);
            self.builder.switch_to_block(next);
        }
        self.jump(*other as usize);
    }

    /// Goes to an instruction of the function.
    pub(super) fn jump(&mut self, pc: usize) {
        if let Some(block) = self.blocks.get(&pc).copied() {
            self.builder.ins().jump(block, &[]);
        }
    }

    /// Goes on behind an instruction if the test holds, else to another.
    pub(super) fn branch(&mut self, holds: Value, pc: usize, no: u32) {
        let blocks = (
            self.blocks.get(&(pc + 1)).copied(),
            self.blocks.get(&(no as usize)).copied(),
        );
        if let (Some(yes), Some(no)) = blocks {
            self.builder.ins().brif(holds, yes, &[], no, &[]);
        }
    }

    /// Leaves an instruction to the machine unless the test holds.
    pub(super) fn unless(&mut self, holds: Value, pc: usize) {
        let exit = self.exit(pc);
        self.or_else(holds, exit);
    }

    /// Goes on here if the test holds, elsewhere if not.
    pub(super) fn or_else(&mut self, holds: Value, otherwise: Block) {
        let next = self.builder.create_block();
        self.builder.ins().brif(holds, next, &[], otherwise, &[]);
        self.builder.switch_to_block(next);
    }

    /// Leaves an instruction to the machine if the test holds.
    pub(super) fn exit_if(&mut self, holds: Value, pc: usize) {
        let next = self.builder.create_block();
        let exit = self.exit(pc);
        self.builder.ins().brif(holds, exit, &[], next, &[]);
        self.builder.switch_to_block(next);
    }

    /// Where an instruction is left to the machine. Nothing that it does may have been done yet.
    pub(super) fn exit(&mut self, pc: usize) -> Block {
        let known = self.exits.entry((pc, self.ahead));
        *known.or_insert_with(|| {
            let block = self.builder.create_block();
            self.builder.set_cold_block(block);
            block
        })
    }

    pub(super) fn write_exits(&mut self) {
        for ((pc, ahead), block) in std::mem::take(&mut self.exits) {
            self.builder.switch_to_block(block);
            for r in self.webs.live(pc) {
                let (word, _) = self.raw(pc, r);
                self.store(word, self.registers, i32::from(r) * 8);
            }
            let mut left = self.builder.use_var(self.fuel);
            if ahead > 0 {
                left = self.builder.ins().iadd_imm_s(left, ahead as i64);
            }
            self.store(left, self.context, at::FUEL);
            let pc = self.builder.ins().iconst(types::I64, pc as i64);
            self.builder.ins().return_(&[pc]);
        }
    }
}
