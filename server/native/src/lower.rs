//! A function's instructions to Cranelift's.
//!
//! The machine's registers become variables, one for each web. Machine code begins at an *entry*: at an
//! instruction, with the live registers in the machine's places, or where a value comes back to a frame, which it
//! takes apart itself. It ends with a transfer to other machine code, or with an *exit* to the machine, with the
//! live registers in their places and the number of the instruction with which the machine goes on. What is not
//! done here is such an exit.

mod calls;
mod commands;
mod control;
mod effects;
mod numbers;
mod objects;
mod registers;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    AbiParam, Block, BlockCall, FuncRef, InstBuilder, JumpTableData, MemFlagsData, SigRef,
    Signature, Type, Value, types,
};
use cranelift_frontend::{FunctionBuilder, Variable};
use frank_interpreter::backend::{Instr, Keeper, Parts, Reg, Value as Word};

use crate::foreign::{EXACT, is_foreign};
use crate::runtime::at;
use crate::webs::{Form, Web, Webs};

/// Where machine code may begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Entry {
    /// At an instruction, with the registers in their places.
    At(usize),
    /// At a site, with its frame on the stack and the value as an argument.
    Back(u32),
}

/// What machine code calls and is called by.
pub struct Callees {
    pub itself: FuncRef,
    pub allocate: FuncRef,
    pub drop_value: FuncRef,
    pub open_closure: FuncRef,
    pub leave_frame: FuncRef,
    pub pow: FuncRef,
    pub capture: FuncRef,
    pub leave: FuncRef,
    pub unwind: FuncRef,
    pub resume: FuncRef,
    pub give: FuncRef,
    /// The signature of machine code.
    pub code: SigRef,
    /// That of a function from a float to a float.
    pub float: SigRef,
}

/// The parameters and results of machine code: context, entry, value; the instruction for the machine.
pub fn signature(mut signature: Signature) -> Signature {
    for _ in 0..3 {
        signature.params.push(AbiParam::new(types::I64));
    }
    signature.returns.push(AbiParam::new(types::I64));
    signature
}

/// A function while it is written.
pub struct Lower<'b, 'f, 'c> {
    builder: &'b mut FunctionBuilder<'f>,
    parts: &'c Parts<'c>,
    parameters: &'c dyn Fn(u32) -> u16,
    webs: Webs,
    callees: Callees,
    range: Range<usize>,
    entries: Vec<Entry>,
    variables: HashMap<Web, (Variable, Type)>,
    blocks: BTreeMap<usize, Block>,
    /// By the instruction that is left to the machine, and how many steps were taken off the fuel for it and what follows.
    exits: HashMap<(usize, u64), Block>,
    /// Steps that were taken off the fuel and belong to instructions from here on.
    ahead: u64,
    context: Value,
    registers: Value,
    heap: Value,
    base: Variable,
    fuel: Variable,
    dispatch: Block,
}

/// How many steps an instruction counts.
fn steps(instr: &Instr) -> u64 {
    let counts = matches!(
        instr,
        Instr::Step
            | Instr::Call { .. }
            | Instr::TailCall { .. }
            | Instr::Apply { .. }
            | Instr::Perform { .. }
            | Instr::Handle { .. }
            | Instr::NewCell { .. }
            | Instr::ReadCell { .. }
            | Instr::WriteCell { .. }
    );
    u64::from(counts)
}

/// Whether control goes on behind an instruction, and nowhere else.
fn is_straight(instr: &Instr) -> bool {
    !is_foreign(instr)
        && !matches!(
            instr,
            Instr::Jump { .. }
                | Instr::BranchInt { .. }
                | Instr::BranchFloat { .. }
                | Instr::BranchTag { .. }
                | Instr::BranchWord { .. }
                | Instr::BranchPaused { .. }
                | Instr::SwitchTag { .. }
                | Instr::SwitchWord { .. }
                | Instr::Return { .. }
                | Instr::WindowReturn { .. }
                | Instr::Call { .. }
                | Instr::TailCall { .. }
                | Instr::Apply { .. }
                | Instr::Perform { .. }
        )
}

/// The entries of a function: its beginning, where values come back, and what follows what is left to the machine.
pub fn entries(parts: &Parts<'_>, range: Range<usize>, webs: &Webs) -> Vec<Entry> {
    let mut entries = BTreeSet::from([Entry::At(range.start)]);
    for (pc, dealings) in range.clone().zip(&webs.dealings) {
        let Some(instr) = parts.instrs.get(pc) else {
            continue;
        };
        if let Some(back) = dealings.back {
            // A larger frame is of a class of several sizes.
            let saved = parts.sites.get(back.site as usize);
            if saved.is_some_and(|site| (site.count as usize) < EXACT) {
                entries.insert(Entry::Back(back.site));
            }
            entries.insert(Entry::At(back.pc));
        }
        if is_foreign(instr) {
            entries.extend(dealings.next.iter().map(|pc| Entry::At(*pc)));
        }
    }
    // Where the machine would only take over again, it stays.
    let stays = |entry: &Entry| match entry {
        Entry::At(pc) => parts.instrs.get(*pc).is_some_and(|i| !is_foreign(i)),
        Entry::Back(_) => true,
    };
    entries.into_iter().filter(stays).collect()
}

impl<'b, 'f, 'c> Lower<'b, 'f, 'c> {
    /// Writes a whole function.
    pub fn function(
        builder: &'b mut FunctionBuilder<'f>,
        parts: &'c Parts<'c>,
        parameters: &'c dyn Fn(u32) -> u16,
        webs: Webs,
        callees: Callees,
        range: Range<usize>,
        entries: Vec<Entry>,
    ) {
        let first = builder.create_block();
        builder.append_block_params_for_function_params(first);
        builder.switch_to_block(first);
        let given = builder.block_params(first).to_vec();
        let [context, entry, value] = given.as_slice() else {
            return;
        };
        let (context, entry, value) = (*context, *entry, *value);
        let flags = MemFlagsData::trusted();
        let load = |builder: &mut FunctionBuilder<'f>, offset| {
            builder.ins().load(types::I64, flags, context, offset)
        };
        let registers = load(builder, at::REGISTERS);
        let heap = load(builder, at::HEAP);
        let base = builder.declare_var(types::I64);
        let fuel = builder.declare_var(types::I64);
        let words = load(builder, at::BASE);
        builder.def_var(base, words);
        let left = load(builder, at::FUEL);
        builder.def_var(fuel, left);
        let dispatch = builder.create_block();
        builder.append_block_param(dispatch, types::I64);
        builder.append_block_param(dispatch, types::I64);
        builder.ins().jump(dispatch, &[entry.into(), value.into()]);
        let mut lower = Lower {
            builder,
            parts,
            parameters,
            webs,
            callees,
            range,
            entries,
            variables: HashMap::new(),
            blocks: BTreeMap::new(),
            exits: HashMap::new(),
            ahead: 0,
            context,
            registers,
            heap,
            base,
            fuel,
            dispatch,
        };
        lower.find_blocks();
        lower.begin();
        lower.body();
        lower.write_exits();
        lower.builder.seal_all_blocks();
    }

    /// A block for each instruction that is jumped to, or begun at.
    fn find_blocks(&mut self) {
        // A function may call itself.
        let mut wanted = BTreeSet::from([self.range.start]);
        for (pc, d) in self.range.clone().zip(&self.webs.dealings) {
            let Some(instr) = self.parts.instrs.get(pc) else {
                continue;
            };
            if !is_straight(instr) {
                wanted.extend(d.next.iter().copied());
            }
        }
        for entry in &self.entries {
            match entry {
                Entry::At(pc) => wanted.insert(*pc),
                Entry::Back(site) => match self.parts.sites.get(*site as usize) {
                    Some(site) => wanted.insert(site.pc as usize),
                    None => false,
                },
            };
        }
        for pc in wanted {
            let block = self.builder.create_block();
            self.blocks.insert(pc, block);
        }
    }

    /// Goes to the entry that is asked for.
    fn begin(&mut self) {
        self.builder.switch_to_block(self.dispatch);
        let given = self.builder.block_params(self.dispatch).to_vec();
        let [entry, value] = given.as_slice() else {
            return;
        };
        let (entry, value) = (*entry, *value);
        let entries = self.entries.clone();
        let mut targets = Vec::new();
        for _ in &entries {
            targets.push(self.builder.create_block());
        }
        if let [only] = targets.as_slice() {
            self.builder.ins().jump(*only, &[]);
        } else {
            let entry = self.builder.ins().ireduce(types::I32, entry);
            let pool = &mut self.builder.func.dfg.value_lists;
            let mut calls = Vec::new();
            for target in &targets {
                calls.push(BlockCall::new(*target, std::iter::empty(), pool));
            }
            let Some(other) = calls.first().copied() else {
                return;
            };
            let table = self
                .builder
                .create_jump_table(JumpTableData::new(other, &calls));
            self.builder.ins().br_table(entry, table);
        }
        for (entry, target) in entries.into_iter().zip(targets) {
            self.builder.switch_to_block(target);
            match entry {
                Entry::At(pc) => self.enter_at(pc),
                Entry::Back(site) => self.enter_back(site, value),
            }
        }
    }

    /// Brings the registers that are live at an instruction from their places.
    fn enter_at(&mut self, pc: usize) {
        let mut found = Vec::new();
        for r in self.webs.live(pc) {
            let ty = self.type_before(pc, r);
            found.push((r, self.load(ty, self.registers, i32::from(r) * 8)));
        }
        self.arrive(pc, &found, &[]);
    }

    /// Goes on with an instruction and with the words of the registers that are live there. If one is not what is
    /// expected, the machine goes on with it, which lacks the second list in its places.
    fn arrive(&mut self, pc: usize, found: &[(Reg, Value)], lacking: &[(Reg, Value)]) {
        let refuse = self.builder.create_block();
        self.builder.set_cold_block(refuse);
        for (r, word) in found {
            let Some((web, kind)) = self.webs.before(pc, *r) else {
                continue;
            };
            let (variable, _) = self.variable(web, kind);
            let value = match kind.form() {
                Form::Int => self.int_of_any(*word, refuse),
                Form::Word | Form::Float => *word,
            };
            self.builder.def_var(variable, value);
        }
        self.jump(pc);
        self.builder.switch_to_block(refuse);
        for (r, word) in lacking {
            self.store(*word, self.registers, i32::from(*r) * 8);
        }
        let pc = self.builder.ins().iconst(types::I64, pc as i64);
        self.give_back(pc);
    }

    /// The type of the word of a register that is live before an instruction.
    fn type_before(&mut self, pc: usize, r: Reg) -> Type {
        match self.webs.before(pc, r) {
            Some((_, kind)) if kind.form() == Form::Float => types::F64,
            _ => types::I64,
        }
    }

    // --- instructions ---

    fn body(&mut self) {
        let mut open = false;
        for pc in self.range.clone() {
            if let Some(block) = self.blocks.get(&pc).copied() {
                if open {
                    self.builder.ins().jump(block, &[]);
                }
                self.builder.switch_to_block(block);
                self.begin_stretch(pc);
                open = true;
            }
            let Some(instr) = self.parts.instrs.get(pc).copied() else {
                continue;
            };
            if open {
                open = self.instr(pc, instr);
                self.ahead = self.ahead.saturating_sub(steps(&instr));
            }
        }
    }

    /// Takes the steps of a straight stretch of instructions off the fuel, if it has so many; else the machine runs
    /// the stretch, and stops in the middle of it.
    fn begin_stretch(&mut self, pc: usize) {
        let mut count = 0;
        for (i, instr) in self.parts.instrs.iter().enumerate().skip(pc) {
            if i > pc && self.blocks.contains_key(&i) || is_foreign(instr) {
                break;
            }
            count += steps(instr);
            if !is_straight(instr) {
                break;
            }
        }
        self.ahead = 0;
        if count == 0 {
            return;
        }
        let left = self.builder.use_var(self.fuel);
        let enough =
            self.builder
                .ins()
                .icmp_imm_s(IntCC::UnsignedGreaterThanOrEqual, left, count as i64);
        self.unless(enough, pc);
        let left = self.builder.ins().iadd_imm_s(left, -(count as i64));
        self.builder.def_var(self.fuel, left);
        self.ahead = count;
    }

    /// Whether what follows is reached from here.
    fn instr(&mut self, pc: usize, instr: Instr) -> bool {
        if is_foreign(&instr) {
            let exit = self.exit(pc);
            self.builder.ins().jump(exit, &[]);
            return false;
        }
        match instr {
            Instr::Move { to, from } => self.copy(pc, to, from),
            Instr::Step => {}
            Instr::Jump { to } => {
                self.jump(to as usize);
                return false;
            }
            Instr::Static { .. }
            | Instr::Construct1 { .. }
            | Instr::Construct2 { .. }
            | Instr::Construct3 { .. }
            | Instr::ConstructN { .. }
            | Instr::Closure { .. }
            | Instr::Field { .. }
            | Instr::Unpack1 { .. }
            | Instr::Unpack2 { .. }
            | Instr::Unpack3 { .. }
            | Instr::UnpackN { .. }
            | Instr::Drop { .. }
            | Instr::NewCell { .. }
            | Instr::ReadCell { .. }
            | Instr::WriteCell { .. } => self.object(pc, instr),
            Instr::Return { of } => {
                self.give(pc, of);
                return false;
            }
            Instr::Apply {
                head,
                count,
                args,
                site,
            } => {
                let args = self.operands(args, count);
                self.apply(pc, head, &args, site);
                return false;
            }
            Instr::Perform { .. } => {
                self.perform(pc, instr);
                return false;
            }
            Instr::WindowReturn { of } => {
                self.window_return(pc, of);
                return false;
            }
            Instr::Handle { .. } | Instr::Capture { .. } | Instr::Unwind { .. } => {
                self.effect(pc, instr);
            }
            Instr::Done { .. } | Instr::SetDone { .. } => self.done(pc, instr),
            Instr::ReadState { .. } | Instr::WriteState { .. } => self.state(pc, instr),
            Instr::Handling { depth, slot, index } => self.handling_known(depth, slot, index),
            Instr::Rest {
                keeper: Keeper::Known(depth),
                site,
            } => self.leave_rest(pc, depth, site),
            Instr::Call {
                count,
                function,
                moves,
                site,
            } => {
                self.call(pc, function, moves, count, Some(site));
                return false;
            }
            Instr::TailCall {
                count,
                function,
                moves,
            } => {
                self.call(pc, function, moves, count, None);
                return false;
            }
            Instr::BranchTag { of, tag, no } => {
                let word = self.word(pc, of);
                let tags = self.builder.ins().ushr_imm_s(word, 32);
                let tags = self.builder.ins().band_imm_s(tags, 0xFFFF);
                let holds = self
                    .builder
                    .ins()
                    .icmp_imm_s(IntCC::Equal, tags, i64::from(tag));
                self.branch(holds, pc, no);
                return false;
            }
            Instr::BranchWord { of, constant, no } => {
                let holds = match self.constant(constant) {
                    Some(word) => self.is_word(pc, of, word),
                    None => {
                        let (a, b) = (self.word(pc, of), self.word(pc, constant));
                        self.builder.ins().icmp(IntCC::Equal, a, b)
                    }
                };
                self.branch(holds, pc, no);
                return false;
            }
            Instr::BranchPaused { of, no } => {
                let word = self.word(pc, of);
                let kind = self.builder.ins().ushr_imm_s(word, 32);
                let argument = (Word::argument(0).0 >> 32) as i64;
                let holds = self.builder.ins().icmp_imm_s(IntCC::Equal, kind, argument);
                self.branch(holds, pc, no);
                return false;
            }
            Instr::SwitchTag { of, count, table } => {
                self.switch_tag(pc, of, count, table);
                return false;
            }
            Instr::SwitchWord { of, table } => {
                self.switch_word(pc, of, table);
                return false;
            }
            Instr::BranchInt { no, .. } | Instr::BranchFloat { no, .. } => {
                if let Some(holds) = self.test(pc, instr) {
                    self.branch(holds, pc, no);
                }
                return false;
            }
            other => self.number(pc, other),
        }
        true
    }

    // --- memory ---

    fn load(&mut self, ty: Type, address: Value, offset: i32) -> Value {
        self.builder
            .ins()
            .load(ty, MemFlagsData::trusted(), address, offset)
    }

    fn store(&mut self, value: Value, address: Value, offset: i32) {
        self.builder
            .ins()
            .store(MemFlagsData::trusted(), value, address, offset);
    }
}
