//! One function's blocks to instructions.
//!
//! A variable has one register for its whole life, the lowest that is free where it is assigned,
//! or that in which its value is wanted next: a parameter of a join or of the function that is
//! called last. Registers do not survive calls; what a call's frame keeps is moved out before and
//! back afterwards.

use std::collections::HashMap;

use frank_core::{Arithmetic, Comparison, Number};

use super::emit::Emitter;
use super::ir::{BlockId, Body, End, Kind, Statement, Var};
use super::liveness::{self, BlockNotes, StatementNotes};
use super::registers::{Assignment, Registers};
use super::shared::Shared;
use super::{deep, moves};
use crate::code::{CONSTANTS, FailedMatch, Instr, NOWHERE, Operand, Reg, Site, Test, WINDOW};
use crate::heap::MAX_WORDS;
use crate::value::LARGE_TAG;

/// One function while it is written.
pub(super) struct Function<'a, 'p> {
    pub out: &'a mut Emitter,
    pub shared: &'a mut Shared<'p>,
    pub body: Body,
    pub notes: Vec<BlockNotes>,
    pub registers: Assignment,
    /// Where the values of variables are wanted.
    pub hints: HashMap<Var, Hint>,
    /// The function's first register.
    pub base: Reg,
    pub debug: u32,
    /// For each join the jumps to it that have no target yet.
    pub jumps: HashMap<BlockId, Vec<usize>>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Hint {
    Var(Var),
    Register(Reg),
}

impl Function<'_, '_> {
    pub fn push(&mut self, instr: Instr) -> usize {
        self.out.push(instr, self.debug)
    }

    pub fn collect_hints(&mut self) {
        for block in &self.body.blocks {
            match &block.end.what {
                End::Jump { join, args } => {
                    let parameters = self.body.blocks.get(*join).map(|b| b.parameters.as_slice());
                    for (arg, parameter) in args.iter().zip(parameters.unwrap_or_default()) {
                        self.hints.insert(*arg, Hint::Var(*parameter));
                    }
                }
                End::TailCall { args, .. } => {
                    for (i, arg) in args.iter().enumerate() {
                        self.hints
                            .insert(*arg, Hint::Register(i.min(u16::MAX as usize) as Reg));
                    }
                }
                _ => {}
            }
        }
    }

    // --- registers ---

    /// The registers in use where a block begins.
    pub fn registers_at(&self, block: BlockId, around: &Registers) -> Registers {
        let mut registers = Registers::with_reserved_of(around);
        let live = self
            .notes
            .get(block)
            .map(|n| n.live.as_slice())
            .unwrap_or_default();
        let drops = self
            .notes
            .get(block)
            .map(|n| n.drops.as_slice())
            .unwrap_or_default();
        let parameters = self.body.blocks.get(block).map(|b| b.parameters.as_slice());
        for v in live
            .iter()
            .chain(drops)
            .chain(parameters.unwrap_or_default())
        {
            if let Some(r) = self.registers.get(*v) {
                registers.take(r);
            }
        }
        registers
    }

    /// Gives a variable a register.
    pub fn assign(&mut self, v: Var, registers: &mut Registers) -> Reg {
        let hinted = match self.hints.get(&v) {
            Some(Hint::Var(parameter)) => self.registers.get(*parameter),
            Some(Hint::Register(r)) if !registers.is_reserved(*r) => Some(*r),
            _ => None,
        };
        let register = match hinted {
            Some(r) if !registers.is_taken(r) => r,
            _ => registers.lowest(),
        };
        if register >= CONSTANTS || (self.base == WINDOW && register >= (1 << 12) - 1) {
            self.out.limit("variables in one operator");
        }
        registers.take(register);
        self.registers.set(v, register);
        register + self.base
    }

    /// The register that a variable has, or that its constant has, or a free one with it.
    pub fn register(&mut self, v: Var, registers: &mut Registers) -> Reg {
        match self.body.kind(v) {
            Kind::Constant(value) => match self.out.constant_register(value) {
                Some(r) => r,
                None => {
                    let id = self.out.constant(value) as u32;
                    let r = registers.lowest();
                    registers.take(r);
                    self.push(Instr::Constant {
                        to: r + self.base,
                        id,
                    });
                    r + self.base
                }
            },
            _ => self.registers.get(v).unwrap_or(0) + self.base,
        }
    }

    /// Whether a variable may have to be counted.
    fn counted(&self, v: Var) -> bool {
        !matches!(self.body.kind(v), Kind::Plain | Kind::Constant(_))
    }

    /// An operand that is used up, or copied if it is needed again.
    pub fn consumed(&mut self, v: Var, dies: bool, registers: &mut Registers) -> Operand {
        let counted = self.counted(v);
        Operand::new(self.register(v, registers), counted && !dies)
    }

    /// An operand that is looked at, with whether it dies.
    pub fn looked_at(&mut self, v: Var, dies: bool, registers: &mut Registers) -> Operand {
        let counted = self.counted(v);
        Operand::new(self.register(v, registers), counted && dies)
    }

    pub fn consumed_all(
        &mut self,
        vars: &[Var],
        dies: &[bool],
        registers: &mut Registers,
    ) -> Vec<Operand> {
        vars.iter()
            .zip(dies.iter().chain(std::iter::repeat(&false)))
            .map(|(v, dies)| self.consumed(*v, *dies, registers))
            .collect()
    }

    fn release(&mut self, vars: &[Var], dies: &[bool], registers: &mut Registers) {
        for (v, dies) in vars.iter().zip(dies) {
            if *dies && let Some(r) = self.registers.get(*v) {
                registers.release(r);
            }
        }
    }

    pub fn drop_var(&mut self, v: Var, registers: &mut Registers) {
        if let Some(r) = self.registers.get(v) {
            self.push(Instr::Drop { of: r + self.base });
            registers.release(r);
        }
    }

    // --- blocks ---

    pub fn block(&mut self, id: BlockId, registers: Registers) {
        deep(|| self.block_here(id, registers))
    }

    fn block_here(&mut self, mut id: BlockId, mut registers: Registers) {
        loop {
            let Some(block) = self.body.blocks.get_mut(id) else {
                return;
            };
            let statements = std::mem::take(&mut block.statements);
            let end = std::mem::replace(&mut block.end.what, End::Open);
            self.debug = block.end.debug;
            let end_debug = block.end.debug;
            let notes = self
                .notes
                .get_mut(id)
                .map(std::mem::take)
                .unwrap_or_default();
            for v in &notes.drops {
                self.drop_var(*v, &mut registers);
            }
            for (statement, notes) in statements.into_iter().zip(&notes.statements) {
                self.debug = statement.debug;
                if !notes.dead {
                    self.statement(statement.what, notes, &mut registers);
                }
            }
            self.debug = end_debug;
            match end {
                End::Continue(next) => id = next,
                end => return self.end(id, end, &notes, registers),
            }
        }
    }

    fn statement(
        &mut self,
        mut statement: Statement,
        notes: &StatementNotes,
        registers: &mut Registers,
    ) {
        let operands: Vec<Var> = statement.operands().into_iter().map(|v| *v).collect();
        // Constants without a register of their own borrow one for the statement.
        let mut scratch = registers.clone();
        let dies = |i: usize| notes.dies.get(i).copied().unwrap_or(false);
        let looks = liveness::only_looks(&statement);
        if statement.is_call() {
            self.call(statement, &operands, notes, registers);
            return;
        }
        // What reads all its operands before it writes may write where an operand was.
        let reuses = !looks && !matches!(&statement, Statement::PausedArgs { .. });
        match &statement {
            Statement::Project { of, fields } => {
                self.project(*of, fields, notes, registers);
                return;
            }
            Statement::PausedArgs { of, args } => {
                let of = self.register(*of, &mut scratch);
                for (i, arg) in args.iter().enumerate() {
                    if !notes.unwanted.contains(arg) {
                        let to = self.assign(*arg, registers);
                        self.push(Instr::PausedArg {
                            to,
                            of,
                            index: super::small(i as u32),
                        });
                    }
                }
                for v in &notes.drops {
                    self.drop_var(*v, registers);
                }
                return;
            }
            _ => {}
        }
        let consumed: Vec<Operand> = match &statement {
            Statement::Arithmetic { .. } | Statement::Negate { .. } | Statement::Compare { .. } => {
                operands
                    .iter()
                    .enumerate()
                    .map(|(i, v)| self.looked_at(*v, dies(i), &mut scratch))
                    .collect()
            }
            // A cell is looked at, what is put into one is used up.
            Statement::ReadCell { .. } | Statement::WriteCell { .. } => operands
                .iter()
                .enumerate()
                .map(|(i, v)| match i {
                    0 => self.looked_at(*v, dies(i), &mut scratch),
                    _ => self.consumed(*v, dies(i), &mut scratch),
                })
                .collect(),
            // They are looked at, and dropped behind it where they die: what nobody else has may be changed until then.
            Statement::Builtin { .. } | Statement::Reverse { .. } => operands
                .iter()
                .map(|v| {
                    let dies = notes.drops.contains(v);
                    Operand::new(self.register(*v, &mut scratch), dies)
                })
                .collect(),
            _ => operands
                .iter()
                .enumerate()
                .map(|(i, v)| self.consumed(*v, dies(i), &mut scratch))
                .collect(),
        };
        if reuses {
            self.release(&operands, &notes.dies, registers);
        }
        let to = statement.target().map(|t| self.assign(t, registers));
        let unwanted = statement
            .target()
            .is_some_and(|t| notes.unwanted.contains(&t));
        self.simple(&statement, to, &consumed, unwanted);
        if unwanted && let Some(t) = statement.target() {
            match statement {
                Statement::Capture { .. } => {
                    if let Some(r) = self.registers.get(t) {
                        registers.release(r);
                    }
                }
                _ => self.drop_var(t, registers),
            }
        }
        if looks {
            for v in &notes.drops {
                self.drop_var(*v, registers);
            }
            self.release(&operands, &notes.dies, registers);
        }
    }

    /// A statement that is one instruction.
    fn simple(
        &mut self,
        statement: &Statement,
        to: Option<Reg>,
        operands: &[Operand],
        unwanted: bool,
    ) {
        let to = to.unwrap_or(NOWHERE);
        let first = operands.first().copied().unwrap_or(Operand(0));
        let second = operands.get(1).copied().unwrap_or(first);
        let third = operands.get(2).copied().unwrap_or(first);
        let (a, b) = (first, second);
        let register = |o: Operand| o.register() as Reg;
        let instr = match statement {
            Statement::Static { id, .. } => Instr::Static { to, id: *id },
            Statement::Arithmetic {
                operator,
                number: Number::Float,
                ..
            } => {
                let (a, b) = (register(a), register(b));
                match operator {
                    Arithmetic::Add => Instr::AddFloat { to, a, b },
                    Arithmetic::Subtract => Instr::SubtractFloat { to, a, b },
                    Arithmetic::Multiply => Instr::MultiplyFloat { to, a, b },
                    Arithmetic::Divide => Instr::DivideFloat { to, a, b },
                }
            }
            Statement::Arithmetic { operator, .. } => match operator {
                Arithmetic::Add => Instr::AddInt { to, a, b },
                Arithmetic::Subtract => Instr::SubtractInt { to, a, b },
                operator => Instr::IntArithmetic {
                    operator: *operator,
                    to,
                    a,
                    b,
                },
            },
            Statement::Negate {
                number: Number::Float,
                ..
            } => Instr::NegateFloat { to, a: register(a) },
            Statement::Negate { .. } => Instr::NegateInt { to, a },
            Statement::Compare {
                operator, number, ..
            } => {
                let (test, swapped) = test_of(*operator);
                let (a, b) = if swapped { (b, a) } else { (a, b) };
                match number {
                    Number::Int => Instr::CompareInt { test, to, a, b },
                    Number::Float => Instr::CompareFloat {
                        test,
                        to,
                        a: register(a),
                        b: register(b),
                    },
                }
            }
            Statement::Construct { constructor, .. } => {
                let constructor = *constructor;
                let tag = self.tag(constructor).min(LARGE_TAG) as u16;
                match operands.len() {
                    1 => Instr::Construct1 {
                        to,
                        tag,
                        constructor,
                        a,
                    },
                    2 => Instr::Construct2 {
                        to,
                        tag,
                        constructor,
                        a,
                        b,
                    },
                    3 => Instr::Construct3 {
                        to,
                        tag,
                        constructor,
                        a,
                        b,
                        c: third,
                    },
                    n => {
                        let args = self.out.operands(operands);
                        let count = n.min(u16::MAX as usize) as u16;
                        Instr::ConstructN {
                            to,
                            count,
                            constructor,
                            args,
                        }
                    }
                }
            }
            Statement::Closure { function, .. } => {
                if operands.len() > MAX_WORDS {
                    self.out.limit("variables in a thunk");
                }
                let args = self.out.operands(operands);
                let count = operands.len().min(u16::MAX as usize) as u16;
                if let Some(slot) = self.shared.functions.get_mut(*function as usize) {
                    slot.captured = count;
                }
                Instr::Closure {
                    to,
                    count,
                    function: *function,
                    args,
                }
            }
            Statement::Builtin { builtin, .. } => Instr::Builtin {
                builtin: *builtin,
                to,
                args: std::array::from_fn(|i| operands.get(i).copied().unwrap_or(first)),
            },
            Statement::Reverse { .. } => Instr::Reverse {
                to,
                list: register(a),
            },
            Statement::CatchAll { .. } => Instr::CatchAll { to, from: a },
            Statement::PausedContinuation { .. } => Instr::PausedContinuation { to, from: a },
            Statement::NewCell { .. } => Instr::NewCell { to, from: a },
            Statement::ReadCell { .. } => Instr::ReadCell { to, cell: a },
            Statement::WriteCell { .. } => Instr::WriteCell {
                to,
                cell: a,
                from: b,
            },
            Statement::Done { index, .. } => Instr::Done { to, index: *index },
            Statement::ReadState { state, takes, .. } => Instr::ReadState {
                to,
                depth: state.depth,
                index: state.index,
                takes: *takes,
            },
            Statement::WriteState { state, .. } => Instr::WriteState {
                depth: state.depth,
                index: state.index,
                from: a,
            },
            Statement::Step => Instr::Step,
            Statement::Handling { depth, slot, index } => Instr::Handling {
                depth: *depth,
                slot: *slot,
                index: *index,
            },
            Statement::Begin => Instr::Begin,
            Statement::SetDone { index, region, .. } => Instr::SetDone {
                index: *index,
                from: a,
                begun: self.begun(*region),
            },
            Statement::Under => Instr::Under,
            Statement::Unwind { depth } => Instr::Unwind { depth: *depth },
            Statement::Capture { region, .. } => {
                let begun = region.is_some_and(|r| self.begun(r));
                Instr::Capture {
                    to: if unwanted { NOWHERE } else { to },
                    begun,
                }
            }
            // The others are more than one instruction; see `statement`.
            Statement::Project { .. }
            | Statement::PausedArgs { .. }
            | Statement::Call { .. }
            | Statement::Apply { .. }
            | Statement::Perform { .. }
            | Statement::Fail { .. } => return,
        };
        self.push(instr);
    }

    pub fn tag(&self, constructor: u32) -> u32 {
        let id = super::shared::id_of::<frank_core::Constructor>(constructor);
        self.shared.program.constructors[id].tag
    }

    pub fn begun(&self, region: usize) -> bool {
        self.body.regions.get(region).is_some_and(|r| r.calls)
    }

    /// Fields of an object: taken out of it if it dies, else copied.
    fn project(
        &mut self,
        of: Var,
        fields: &[Var],
        notes: &StatementNotes,
        registers: &mut Registers,
    ) {
        let mut scratch = registers.clone();
        let object = self.register(of, &mut scratch);
        if !notes.dies.first().copied().unwrap_or(false) {
            for (i, field) in fields.iter().enumerate() {
                if !notes.unwanted.contains(field) {
                    let to = self.assign(*field, registers);
                    self.push(Instr::Field {
                        to,
                        of: object,
                        index: super::small(i as u32),
                    });
                }
            }
            return;
        }
        if let Some(r) = self.registers.get(of) {
            registers.release(r);
        }
        let targets: Vec<Reg> = fields
            .iter()
            .map(|f| match notes.unwanted.contains(f) {
                true => NOWHERE,
                false => self.assign(*f, registers),
            })
            .collect();
        let instr = match targets.as_slice() {
            [a] => Instr::Unpack1 { of: object, a: *a },
            [a, b] => Instr::Unpack2 {
                of: object,
                a: *a,
                b: *b,
            },
            [a, b, c] => Instr::Unpack3 {
                of: object,
                a: *a,
                b: *b,
                c: *c,
            },
            many => {
                let to = self.out.pool.len() as u32;
                self.out.pool.extend(many);
                Instr::UnpackN {
                    of: object,
                    count: many.len().min(u16::MAX as usize) as u16,
                    to,
                }
            }
        };
        self.push(instr);
    }

    // --- calls ---

    /// The pool's list of what a frame keeps.
    pub fn saved(&mut self, saved: impl Iterator<Item = (Var, bool)>) -> (u32, u16) {
        let operands: Vec<Operand> = saved
            .filter_map(|(v, copied)| {
                self.registers
                    .get(v)
                    .map(|r| Operand::new(r + self.base, copied))
            })
            .collect();
        let start = self.out.operands(&operands);
        (start, operands.len().min(u16::MAX as usize) as u16)
    }

    fn call(
        &mut self,
        statement: Statement,
        operands: &[Var],
        notes: &StatementNotes,
        registers: &mut Registers,
    ) {
        let mut scratch = registers.clone();
        let args = self.consumed_all(operands, &notes.dies, &mut scratch);
        let (saved, count) = self.saved(notes.saved.iter().map(|v| (*v, false)));
        self.release(operands, &notes.dies, registers);
        let target = statement.target().unwrap_or(0);
        let to = match notes.unwanted.contains(&target) {
            true => NOWHERE,
            false => self.assign(target, registers),
        };
        let site = self.out.site(Site {
            pc: 0,
            to,
            count,
            saved,
            debug: self.debug,
        });
        match statement {
            Statement::Call { function, .. } => {
                let (moves, count) = self.moves(&args);
                self.push(Instr::Call {
                    count,
                    function,
                    moves,
                    site,
                });
            }
            Statement::Apply { .. } => {
                let (head, args) = args
                    .split_first()
                    .map_or((Operand(0), &[][..]), |(h, a)| (*h, a));
                let count = args.len().min(u16::MAX as usize) as u16;
                let args = self.out.operands(args);
                self.push(Instr::Apply {
                    head,
                    count,
                    args,
                    site,
                });
            }
            Statement::Perform { command, .. } => self.perform(command, &args, site),
            Statement::Fail { operator, .. } => {
                let values = operands
                    .iter()
                    .zip(&args)
                    .zip(notes.dies.iter())
                    .map(|((v, arg), dies)| {
                        Operand::new(arg.register() as Reg, *dies && self.counted(*v))
                    })
                    .collect();
                self.out
                    .failed_matches
                    .push(FailedMatch { operator, values });
                let id = self.out.failed_matches.len() as u32 - 1;
                self.push(Instr::Fail { id, site });
            }
            _ => {}
        }
        let here = self.out.here();
        if let Some(site) = self.out.sites.get_mut(site as usize) {
            site.pc = here;
        }
    }

    /// Performs a command with these arguments.
    pub fn perform(&mut self, command: u32, args: &[Operand], site: u32) {
        let count = self.count(args.len());
        // A register that is always there stands for an argument that is not.
        let arg = |i: usize| args.get(i).copied().unwrap_or(Operand::new(0, false));
        let instr = match args.len() {
            0..=3 => Instr::Perform {
                count,
                a: arg(0),
                b: arg(1),
                c: arg(2),
                command,
                site,
            },
            _ => Instr::PerformMany {
                count,
                command,
                args: self.out.operands(args),
                site,
            },
        };
        self.push(instr);
    }

    /// A count that has to fit into a byte.
    pub fn count(&mut self, count: usize) -> u8 {
        if count > u8::MAX as usize {
            self.out.limit("arguments of an operator or command");
        }
        count.min(u8::MAX as usize) as u8
    }

    /// The moves that bring arguments to the first registers.
    pub fn moves(&mut self, args: &[Operand]) -> (u32, u8) {
        let moves: Vec<(Operand, Reg)> = args
            .iter()
            .enumerate()
            .map(|(i, a)| (*a, super::small(i as u32)))
            .collect();
        let low = args
            .iter()
            .map(|a| a.register() as Reg)
            .filter(|r| *r < CONSTANTS)
            .max();
        let spare = low
            .map_or(0, |r| r + 1)
            .max(super::small(args.len() as u32));
        let ordered = moves::order(moves, spare);
        let start = self.out.pool.len() as u32;
        for (from, to) in &ordered {
            self.out.pool.push(from.0);
            self.out.pool.push(*to);
        }
        let count = self.count(ordered.len());
        (start, count)
    }
}

/// The test that a comparison is, and whether its operands are swapped.
pub(super) fn test_of(operator: Comparison) -> (Test, bool) {
    match operator {
        Comparison::Less => (Test::Less, false),
        Comparison::LessEqual => (Test::LessEqual, false),
        Comparison::Equal => (Test::Equal, false),
        Comparison::NotEqual => (Test::NotEqual, false),
        Comparison::Greater => (Test::Less, true),
        Comparison::GreaterEqual => (Test::LessEqual, true),
    }
}
