//! The ends of blocks as instructions, and the blocks that they lead to.

use frank_core::{Comparison, Number};

use super::function::{Function, test_of};
use super::ir::{BlockId, Cases, End, Keeper, Literal, Var};
use super::liveness::BlockNotes;
use super::moves;
use super::registers::Registers;
use crate::code::{self, CONSTANTS, FailedMatch, Instr, NONE, Operand, Reg, Site, Test};
use crate::value::{LARGE_TAG, Value};

impl Function<'_, '_> {
    /// Writes the end of a block.
    pub fn end(&mut self, id: BlockId, end: End, notes: &BlockNotes, mut registers: Registers) {
        let dies = |i: usize| notes.dies.get(i).copied().unwrap_or(false);
        let _ = id;
        match end {
            End::Open | End::Continue(_) => self.shared.fail("an unfinished block".to_owned()),
            End::Return(v) => {
                let of = self.register(v, &mut registers);
                self.push(Instr::Return { of });
            }
            End::WindowReturn(v) => {
                let of = self.register(v, &mut registers);
                self.push(Instr::WindowReturn { of });
            }
            End::WindowLeave => {
                self.push(Instr::WindowLeave);
            }
            End::Jump { join, args } => self.jump(join, &args, &notes.dies, registers),
            End::With { join, inner } => self.with(join, inner, registers),
            End::Switch { of, cases } => self.switch(of, cases, registers),
            End::Branch {
                operator,
                number,
                a,
                b,
                yes,
                no,
            } => {
                let mut scratch = registers.clone();
                let a = self.looked_at(a, dies(0), &mut scratch);
                let b = self.looked_at(b, dies(1), &mut scratch);
                self.branch(operator, number, a, b, yes, no, &registers);
            }
            End::TailCall { function, args } => {
                let args = self.consumed_all(&args, &notes.dies, &mut registers);
                let (moves, count) = self.moves(&args);
                self.push(Instr::TailCall {
                    count,
                    function,
                    moves,
                });
            }
            End::TailApply { head, args } => {
                let head = self.consumed(head, dies(0), &mut registers);
                let rest = notes.dies.get(1..).unwrap_or_default();
                let args = self.consumed_all(&args, rest, &mut registers);
                let count = super::small(args.len() as u32);
                let args = self.out.operands(&args);
                self.push(Instr::Apply {
                    head,
                    count,
                    args,
                    site: NONE,
                });
            }
            End::TailPerform { command, args } => {
                let args = self.consumed_all(&args, &notes.dies, &mut registers);
                self.perform(command, &args, NONE);
            }
            End::Handle {
                port,
                done,
                inner,
                after,
            } => {
                let (done, count) = self.list(&done, notes, &mut registers);
                self.under(inner, after, notes, &registers, |site| Instr::Handle {
                    count,
                    port,
                    done,
                    site,
                });
            }
            End::Pause { port, inner, after } => {
                self.under(inner, Some(after), notes, &registers, |site| Instr::Pause {
                    port,
                    site,
                });
            }
            End::Adapt { port, inner, after } => {
                self.under(inner, after, notes, &registers, |site| Instr::Adapt {
                    port,
                    site,
                });
            }
            End::Rest {
                keeper,
                inner,
                after,
            } => {
                let keeper = match keeper {
                    Keeper::Known(depth) => code::Keeper::Known(depth),
                    Keeper::Found(region) if self.begun(region) => code::Keeper::Marked,
                    Keeper::Found(_) => code::Keeper::Found,
                };
                let (site, at_after) = self.site_of(after, notes, &registers);
                self.push(Instr::Rest { keeper, site });
                let at_inner = self.registers_at(inner, &registers);
                self.block(inner, at_inner);
                self.come_back(site, after, at_after);
            }
            End::EnterPort {
                head,
                index,
                inner,
                after,
            } => {
                let head = self.register(head, &mut registers);
                self.under(inner, Some(after), notes, &registers, |site| {
                    Instr::EnterPort { head, index, site }
                });
            }
            End::LeavePort {
                head,
                index,
                value,
                after,
            } => {
                let head = self.register(head, &mut registers);
                let from = self.consumed(value, dies(1), &mut registers);
                let parameter = self
                    .body
                    .blocks
                    .get(after)
                    .and_then(|b| b.parameters.first());
                let to = parameter.and_then(|p| self.registers.get(*p)).unwrap_or(0) + self.base;
                let live = self
                    .notes
                    .get(after)
                    .map(|n| n.live.clone())
                    .unwrap_or_default();
                let (drops, count) = self.saved(live.into_iter().map(|v| (v, false)));
                self.push(Instr::LeavePort {
                    head,
                    index,
                    from,
                    to,
                    count,
                    drops,
                });
                let jump = self.push(Instr::Jump { to: NONE });
                self.jumps.entry(after).or_default().push(jump);
            }
            End::Fail { operator, values } => {
                let values: Vec<Operand> = values
                    .iter()
                    .enumerate()
                    .map(|(i, v)| self.looked_at(*v, dies(i), &mut registers))
                    .collect();
                self.out
                    .failed_matches
                    .push(FailedMatch { operator, values });
                let id = self.out.failed_matches.len() as u32 - 1;
                self.push(Instr::Fail { id, site: NONE });
            }
            End::Reinstall { port, args } => {
                let (args, count) = self.list(&args, notes, &mut registers);
                self.push(Instr::Reinstall { count, port, args });
            }
            End::Pack { command, args } => {
                let (args, count) = self.list(&args, notes, &mut registers);
                self.push(Instr::Pack {
                    count,
                    command,
                    args,
                });
            }
        }
    }

    fn list(&mut self, vars: &[Var], notes: &BlockNotes, registers: &mut Registers) -> (u32, u8) {
        let operands = self.consumed_all(vars, &notes.dies, registers);
        let count = self.count(operands.len());
        (self.out.operands(&operands), count)
    }

    // --- joins ---

    fn with(&mut self, join: BlockId, inner: BlockId, registers: Registers) {
        let parameters = self.body.blocks.get(join).map(|b| b.parameters.clone());
        let mut scratch = registers.clone();
        let mut around = registers.clone();
        for parameter in parameters.unwrap_or_default() {
            let r = self.assign(parameter, &mut scratch) - self.base;
            around.reserve(r);
        }
        let at_inner = self.registers_at(inner, &around);
        self.block(inner, at_inner);
        self.land(join);
        let at_join = self.registers_at(join, &registers);
        self.block(join, at_join);
    }

    fn jump(&mut self, join: BlockId, args: &[Var], dies: &[bool], mut registers: Registers) {
        let operands = self.consumed_all(args, dies, &mut registers);
        if let Some(instr) = self.returned(join, &operands) {
            self.push(instr);
            return;
        }
        let parameters = self.body.blocks.get(join).map(|b| b.parameters.clone());
        let mut moved = Vec::new();
        for (operand, parameter) in operands.into_iter().zip(parameters.unwrap_or_default()) {
            if let Some(r) = self.registers.get(parameter) {
                registers.take(r);
                moved.push((operand, r + self.base));
            }
        }
        let spare = registers.lowest() + self.base;
        for (from, to) in moves::order(moved, spare) {
            self.push(Instr::Move { to, from });
        }
        let jump = self.push(Instr::Jump { to: NONE });
        self.jumps.entry(join).or_default().push(jump);
    }

    /// The return that a join consists of, for a value that would be moved there.
    fn returned(&self, join: BlockId, operands: &[Operand]) -> Option<Instr> {
        let block = self.body.blocks.get(join)?;
        let ([value], [parameter]) = (operands, block.parameters.as_slice()) else {
            return None;
        };
        let of = value.register() as Reg;
        match block.end.what {
            _ if value.flag() || !block.statements.is_empty() => None,
            End::Return(v) if v == *parameter => Some(Instr::Return { of }),
            End::WindowReturn(v) if v == *parameter => Some(Instr::WindowReturn { of }),
            _ => None,
        }
    }

    /// Makes the jumps to a join come here. The last of them may not even be needed.
    fn land(&mut self, join: BlockId) {
        let mut jumps = self.jumps.remove(&join).unwrap_or_default();
        if let Some(last) = jumps.last()
            && *last + 1 == self.out.instrs.len()
        {
            jumps.pop();
            self.out.unpush();
        }
        let here = self.out.here();
        for jump in jumps {
            self.patch(jump, here);
        }
    }

    fn patch(&mut self, at: usize, target: u32) {
        match self.out.instrs.get_mut(at) {
            Some(
                Instr::Jump { to: no }
                | Instr::BranchInt { no, .. }
                | Instr::BranchFloat { no, .. }
                | Instr::BranchTag { no, .. }
                | Instr::BranchWord { no, .. }
                | Instr::BranchString { no, .. }
                | Instr::BranchPaused { no, .. }
                | Instr::BranchCommand { no, .. },
            ) => *no = target,
            _ => self.shared.fail("a jump that is none".to_owned()),
        }
    }

    // --- arguments under adjustments ---

    /// Begins something whose value comes back to `after`.
    fn under(
        &mut self,
        inner: BlockId,
        after: Option<BlockId>,
        notes: &BlockNotes,
        registers: &Registers,
        instr: impl FnOnce(u32) -> Instr,
    ) {
        let Some(after) = after else {
            self.push(instr(NONE));
            let at_inner = self.registers_at(inner, &Registers::default());
            return self.block(inner, at_inner);
        };
        let (site, at_after) = self.site_of(after, notes, registers);
        self.push(instr(site));
        let at_inner = self.registers_at(inner, &Registers::default());
        self.block(inner, at_inner);
        self.come_back(site, after, at_after);
    }

    /// A site for a value that comes back to a block, and the registers in use there.
    fn site_of(
        &mut self,
        after: BlockId,
        notes: &BlockNotes,
        registers: &Registers,
    ) -> (u32, Registers) {
        let mut at_after = self.registers_at(after, registers);
        let parameter = self
            .body
            .blocks
            .get(after)
            .and_then(|b| b.parameters.first())
            .copied();
        let to = parameter.map_or(0, |p| self.assign(p, &mut at_after));
        let (saved, count) = self.saved(notes.saved.iter().copied());
        let site = self.out.site(Site {
            pc: 0,
            to,
            count,
            saved,
            debug: self.debug,
        });
        (site, at_after)
    }

    /// Writes a block to which a value comes back.
    fn come_back(&mut self, site: u32, after: BlockId, at_after: Registers) {
        self.land(after);
        let here = self.out.here();
        if let Some(site) = self.out.sites.get_mut(site as usize) {
            site.pc = here;
        }
        self.block(after, at_after);
    }

    // --- switches ---

    /// Writes a block as one case of a switch.
    fn case(&mut self, block: BlockId, registers: &Registers) {
        let at_case = self.registers_at(block, registers);
        self.block(block, at_case);
    }

    /// A test that is followed by one case and jumps to the other.
    fn two(&mut self, test: Instr, yes: BlockId, no: BlockId, registers: &Registers) {
        let test = self.push(test);
        self.case(yes, registers);
        let here = self.out.here();
        self.patch(test, here);
        self.case(no, registers);
    }

    #[allow(clippy::too_many_arguments)]
    fn branch(
        &mut self,
        operator: Comparison,
        number: Number,
        a: Operand,
        b: Operand,
        yes: BlockId,
        no: BlockId,
        registers: &Registers,
    ) {
        let (test, swapped) = test_of(operator);
        let (a, b) = if swapped { (b, a) } else { (a, b) };
        let instr = match number {
            Number::Int => Instr::BranchInt {
                test,
                a,
                b,
                no: NONE,
            },
            Number::Float => Instr::BranchFloat {
                test,
                a: a.register() as Reg,
                b: b.register() as Reg,
                no: NONE,
            },
        };
        self.two(instr, yes, no, registers);
    }

    fn switch(&mut self, of: Var, cases: Cases, mut registers: Registers) {
        let register = self.register(of, &mut registers);
        match cases {
            Cases::Constructor { cases, default } => {
                self.constructors(register, cases, default, &registers)
            }
            Cases::Word { cases, default } => self.words(register, cases, default, &registers),
            Cases::Float {
                value,
                equal,
                default,
            } => {
                let mut scratch = registers.clone();
                let constant = self.constant(Value::float(value), &mut scratch);
                let test = Instr::BranchFloat {
                    test: Test::Equal,
                    a: register,
                    b: constant,
                    no: NONE,
                };
                self.two(test, equal, default, &registers);
            }
            Cases::String { id, equal, default } => {
                let test = Instr::BranchString {
                    of: register,
                    id,
                    no: NONE,
                };
                self.two(test, equal, default, &registers);
            }
            Cases::Paused {
                finished,
                cases,
                default,
            } => {
                // Goes on where the argument is paused.
                let test = self.push(Instr::BranchPaused {
                    of: register,
                    no: NONE,
                });
                for ((command, seen), block) in cases {
                    let test = self.push(Instr::BranchCommand {
                        of: register,
                        seen,
                        command,
                        no: NONE,
                    });
                    self.case(block, &registers);
                    let here = self.out.here();
                    self.patch(test, here);
                }
                self.case(default, &registers);
                let here = self.out.here();
                self.patch(test, here);
                self.case(finished, &registers);
            }
        }
    }

    /// The register of a constant, perhaps one borrowed for the next instruction.
    fn constant(&mut self, value: Value, scratch: &mut Registers) -> Reg {
        if let Some(r) = self.out.constant_register(value) {
            return r;
        }
        let id = self.out.constant(value) as u32;
        let to = scratch.lowest() + self.base;
        self.push(Instr::Constant { to, id });
        to
    }

    fn constructors(
        &mut self,
        of: Reg,
        mut cases: Vec<(u32, BlockId)>,
        default: Option<BlockId>,
        registers: &Registers,
    ) {
        let default = match default {
            Some(default) => default,
            // All constructors have a case, so the last needs no test.
            None => match cases.pop() {
                Some((_, last)) => last,
                None => return self.shared.fail("a switch without cases".to_owned()),
            },
        };
        let tags: Vec<u32> = cases.iter().map(|(c, _)| self.tag(*c)).collect();
        let largest = tags.iter().copied().max().unwrap_or(0);
        match (cases.as_slice(), tags.as_slice()) {
            ([], _) => self.case(default, registers),
            ([(_, yes)], [tag]) if *tag < LARGE_TAG => {
                let test = Instr::BranchTag {
                    of,
                    tag: *tag as u16,
                    no: NONE,
                };
                self.two(test, *yes, default, registers);
            }
            _ if largest < LARGE_TAG && largest as usize <= 4 * cases.len() + 16 => {
                let count = largest as usize + 1;
                let table = self.out.targets.len();
                self.out.targets.resize(table + count + 1, NONE);
                self.push(Instr::SwitchTag {
                    of,
                    count: count as u16,
                    table: table as u32,
                });
                let mut targets = vec![NONE; count];
                for ((_, block), tag) in cases.iter().zip(&tags) {
                    if let Some(slot) = targets.get_mut(*tag as usize) {
                        *slot = self.out.here();
                    }
                    self.case(*block, registers);
                }
                let other = self.out.here();
                targets.push(other);
                for (i, target) in targets.into_iter().enumerate() {
                    if let Some(slot) = self.out.targets.get_mut(table + i) {
                        *slot = if target == NONE { other } else { target };
                    }
                }
                self.case(default, registers);
            }
            _ => {
                let table = self.out.word_tables.len();
                self.out.word_tables.push((Vec::new(), NONE));
                self.push(Instr::SwitchConstructor {
                    of,
                    table: table as u32,
                });
                let keyed = cases.into_iter().map(|(c, b)| (c as u64, b)).collect();
                self.table(table, keyed, default, registers);
            }
        }
    }

    /// The cases of a sorted table.
    fn table(
        &mut self,
        table: usize,
        cases: Vec<(u64, BlockId)>,
        default: BlockId,
        registers: &Registers,
    ) {
        let mut entries = Vec::new();
        for (key, block) in cases {
            entries.push((key, self.out.here()));
            self.case(block, registers);
        }
        entries.sort_unstable();
        let other = self.out.here();
        if let Some(slot) = self.out.word_tables.get_mut(table) {
            *slot = (entries, other);
        }
        self.case(default, registers);
    }

    fn words(
        &mut self,
        of: Reg,
        cases: Vec<(Literal, BlockId)>,
        default: BlockId,
        registers: &Registers,
    ) {
        // Integers that no word holds are compared one by one, before the others.
        let mut small = Vec::new();
        let mut pending: Option<usize> = None;
        for (literal, block) in cases {
            let word = match literal {
                Literal::Char(c) => Some(Value::char(c)),
                Literal::Int(i) => Value::int(i),
            };
            match (word, literal) {
                (Some(word), _) => small.push((word, block)),
                (None, Literal::Int(i)) => {
                    let here = self.out.here();
                    if let Some(test) = pending {
                        self.patch(test, here);
                    }
                    let id = self.shared.wide(i);
                    let r = registers.lowest();
                    if r >= CONSTANTS {
                        self.out.limit("variables in one operator");
                    }
                    let to = r + self.base;
                    self.push(Instr::Static { to, id });
                    let (a, b) = (Operand::new(of, false), Operand::new(to, true));
                    let test = Instr::BranchInt {
                        test: Test::Equal,
                        a,
                        b,
                        no: NONE,
                    };
                    pending = Some(self.push(test));
                    self.case(block, registers);
                }
                (None, Literal::Char(_)) => {}
            }
        }
        let here = self.out.here();
        if let Some(test) = pending {
            self.patch(test, here);
        }
        match small.as_slice() {
            [] => self.case(default, registers),
            [(word, block)] => {
                let mut scratch = registers.clone();
                let constant = self.constant(*word, &mut scratch);
                self.two(
                    Instr::BranchWord {
                        of,
                        constant,
                        no: NONE,
                    },
                    *block,
                    default,
                    registers,
                );
            }
            _ => {
                let table = self.out.word_tables.len();
                self.out.word_tables.push((Vec::new(), NONE));
                self.push(Instr::SwitchWord {
                    of,
                    table: table as u32,
                });
                let keyed = small.into_iter().map(|(w, b)| (w.0, b)).collect();
                self.table(table, keyed, default, registers);
            }
        }
    }
}
