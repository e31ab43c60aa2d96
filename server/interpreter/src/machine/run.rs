//! The loop over instructions.
#![allow(clippy::indexing_slicing)] // Every index is one that the compile phase made.

use frank_core::Arithmetic;

use super::{Machine, at};
use crate::backend::Backend;
use crate::code::{Instr, NONE, NOWHERE, Operand, Test, WINDOW};
use crate::error::{RunErrorKind, Stop};
use crate::nodes::{Found, Window};
use crate::value::Value;

/// What follows when a value has been given to the stack.
pub(super) enum Next {
    /// The instruction to go on with.
    At(usize),
    /// The value of the entry.
    Done(Value),
}

#[inline(always)]
pub(super) fn holds_int(test: Test, a: i64, b: i64) -> bool {
    match test {
        Test::Less => a < b,
        Test::LessEqual => a <= b,
        Test::Equal => a == b,
        Test::NotEqual => a != b,
    }
}

#[inline(always)]
pub(super) fn holds_float(test: Test, a: f64, b: f64) -> bool {
    match test {
        Test::Less => a < b,
        Test::LessEqual => a <= b,
        Test::Equal => a == b,
        Test::NotEqual => a != b,
    }
}

impl Machine<'_> {
    /// The value of an operand that is used up, counted if it is needed again.
    #[inline(always)]
    pub(super) fn take(&mut self, operand: Operand) -> Value {
        let value = self.registers[operand.register()];
        if operand.flag() {
            self.heap.dup(value);
        }
        value
    }

    #[inline(always)]
    fn flag(&self, holds: bool) -> Value {
        if holds {
            self.code.words.true_
        } else {
            self.code.words.false_
        }
    }

    /// Runs until the fuel is used up or the entry has its value. `self.pc` is exact when this
    /// returns, also with an error.
    pub(super) fn execute(&mut self, fuel: &mut u64) -> Result<Option<Value>, Box<Stop>> {
        let mut pc = self.pc;
        // Taken out, so that it can be lent beside the machine.
        let backend = self.backend.take();
        let result = match backend.as_deref() {
            Some(native) if !native.entries().is_empty() => {
                self.execute_from::<true>(&mut pc, fuel, Some(native))
            }
            _ => self.execute_from::<false>(&mut pc, fuel, None),
        };
        self.backend = backend;
        self.pc = pc;
        result
    }

    /// `NATIVE` if there is machine code: asked before each instruction, which a run without it does not pay.
    #[allow(clippy::too_many_lines)]
    fn execute_from<const NATIVE: bool>(
        &mut self,
        at_pc: &mut usize,
        fuel: &mut u64,
        native: Option<&dyn Backend>,
    ) -> Result<Option<Value>, Box<Stop>> {
        let code = self.code;
        let entries = native.map_or(&[] as &[bool], |native| native.entries());
        let instrs = code.instrs.as_slice();
        let mut left = *fuel;
        let mut pc = *at_pc;
        // Goes to what follows a value given to the stack.
        macro_rules! go {
            ($next:expr) => {
                match $next {
                    Next::At(next) => pc = next,
                    Next::Done(value) => {
                        *fuel = left;
                        *at_pc = pc;
                        return Ok(Some(value));
                    }
                }
            };
        }
        // Leaves with an error that stands at this instruction.
        macro_rules! check {
            ($result:expr) => {
                match $result {
                    Ok(value) => value,
                    Err(stop) => {
                        *fuel = left;
                        *at_pc = pc;
                        return Err(stop.into());
                    }
                }
            };
        }
        // Counts a step; the instruction is run again if none is left.
        macro_rules! step {
            () => {
                if left == 0 {
                    *fuel = 0;
                    *at_pc = pc;
                    return Ok(None);
                }
                left -= 1;
            };
        }
        // Counts the steps of a graph that has been run.
        macro_rules! settle {
            () => {
                if self.owed > 0 {
                    let now = self.owed.min(left);
                    self.owed -= now;
                    left -= now;
                }
            };
        }
        // Performs a command whose arguments are in the window.
        macro_rules! perform {
            ($command:expr, $count:expr, $site:expr) => {
                let known = code.commands[$command as usize];
                let innermost = self.visible.wrapping_sub(1);
                match self.nodes.get(innermost) {
                    Some(node) if node.interface == known.interface && node.direct => {
                        let first = code.first_of[node.port as usize];
                        let entry = code.commands_of[(first + known.index) as usize];
                        self.handling = Found {
                            node: innermost,
                            slot: 0,
                            index: 0,
                        };
                        if entry.window != NONE {
                            self.window = Window {
                                site: $site,
                                function: entry.function,
                                count: $count,
                            };
                            pc = entry.window as usize;
                        } else {
                            if $site != NONE {
                                check!(self.push_frame($site));
                            }
                            go!(check!(self.enter_command(entry, $command, $count as usize)));
                        }
                    }
                    _ => {
                        go!(check!(self.perform_further($command, $count, $site)));
                    }
                }
            };
        }
        loop {
            if NATIVE
                && let Some(native) = native
                && entries[pc]
                && let Some(next) = native.run(pc, self, &mut left)
            {
                pc = next;
                if let Some(ended) = self.ended.take() {
                    *fuel = left;
                    *at_pc = pc;
                    return ended.map(Some);
                }
            }
            match instrs[pc] {
                Instr::Move { to, from } => {
                    let value = self.take(from);
                    self.registers[at(to)] = value;
                    pc += 1;
                }
                Instr::Constant { to, id } => {
                    self.registers[at(to)] = code.constants[id as usize];
                    pc += 1;
                }
                Instr::Static { to, id } => {
                    let value = check!(self.static_value(id));
                    self.registers[at(to)] = value;
                    pc += 1;
                }
                Instr::Construct1 {
                    to,
                    tag,
                    constructor,
                    a,
                } => {
                    let a = self.take(a);
                    let handle = check!(self.heap.alloc(1, constructor));
                    self.heap.set(handle, 0, a);
                    self.registers[at(to)] = Value::constructed(tag as u32, handle);
                    pc += 1;
                }
                Instr::Construct2 {
                    to,
                    tag,
                    constructor,
                    a,
                    b,
                } => {
                    let (a, b) = (self.take(a), self.take(b));
                    let handle = check!(self.heap.alloc(2, constructor));
                    let words = self.heap.slice_mut(handle, 2);
                    words[0] = a.0;
                    words[1] = b.0;
                    self.registers[at(to)] = Value::constructed(tag as u32, handle);
                    pc += 1;
                }
                Instr::Construct3 {
                    to,
                    tag,
                    constructor,
                    a,
                    b,
                    c,
                } => {
                    let (a, b, c) = (self.take(a), self.take(b), self.take(c));
                    let handle = check!(self.heap.alloc(3, constructor));
                    let words = self.heap.slice_mut(handle, 3);
                    words[0] = a.0;
                    words[1] = b.0;
                    words[2] = c.0;
                    self.registers[at(to)] = Value::constructed(tag as u32, handle);
                    pc += 1;
                }
                Instr::ConstructN {
                    to,
                    count,
                    constructor,
                    args,
                } => {
                    let handle = check!(self.fill(constructor, args, count));
                    let tag = code.constructors[constructor as usize].tag;
                    self.registers[at(to)] = Value::constructed(tag, handle);
                    pc += 1;
                }
                Instr::Closure {
                    to,
                    count,
                    function,
                    args,
                } => {
                    let handle = check!(self.fill(function, args, count));
                    self.registers[at(to)] = Value::closure(handle);
                    pc += 1;
                }
                Instr::Field { to, of, index } => {
                    let object = self.registers[at(of)].handle();
                    let value = self.heap.get(object, index as usize);
                    self.heap.dup(value);
                    self.registers[at(to)] = value;
                    pc += 1;
                }
                Instr::Unpack1 { of, a } => {
                    let object = self.registers[at(of)].handle();
                    let x = self.heap.get(object, 0);
                    if self.heap.is_unique(object) {
                        self.heap.free_shell(object);
                        self.receive(a, x);
                    } else {
                        self.heap.release_shared(object);
                        self.copy(a, x);
                    }
                    pc += 1;
                }
                Instr::Unpack2 { of, a, b } => {
                    let object = self.registers[at(of)].handle();
                    let x = self.heap.get(object, 0);
                    let y = self.heap.get(object, 1);
                    if self.heap.is_unique(object) {
                        self.heap.free_shell(object);
                        self.receive(a, x);
                        self.receive(b, y);
                    } else {
                        self.heap.release_shared(object);
                        self.copy(a, x);
                        self.copy(b, y);
                    }
                    pc += 1;
                }
                Instr::Unpack3 { of, a, b, c } => {
                    let object = self.registers[at(of)].handle();
                    let words = self.heap.slice(object, 3);
                    let (x, y, z) = (Value(words[0]), Value(words[1]), Value(words[2]));
                    if self.heap.is_unique(object) {
                        self.heap.free_shell(object);
                        self.receive(a, x);
                        self.receive(b, y);
                        self.receive(c, z);
                    } else {
                        self.heap.release_shared(object);
                        self.copy(a, x);
                        self.copy(b, y);
                        self.copy(c, z);
                    }
                    pc += 1;
                }
                Instr::UnpackN { of, count, to } => {
                    let object = self.registers[at(of)].handle();
                    let unique = self.heap.is_unique(object);
                    for i in 0..count as usize {
                        let value = self.heap.get(object, i);
                        let to = code.pool[to as usize + i];
                        if unique {
                            self.receive(to, value);
                        } else {
                            self.copy(to, value);
                        }
                    }
                    if unique {
                        self.heap.free_shell(object);
                    } else {
                        self.heap.release_shared(object);
                    }
                    pc += 1;
                }
                Instr::Drop { of } => {
                    self.heap.drop(self.registers[at(of)]);
                    pc += 1;
                }
                Instr::Reverse { to, list } => {
                    let value = check!(self.reverse(self.registers[at(list)]));
                    self.registers[at(to)] = value;
                    pc += 1;
                }
                Instr::CatchAll { to, from } => {
                    let value = self.take(from);
                    let value = check!(self.catch_all(value));
                    self.registers[at(to)] = value;
                    pc += 1;
                }
                Instr::PausedArg { to, of, index } => {
                    let value = self.paused_arg(self.registers[at(of)].handle(), index as usize);
                    self.registers[at(to)] = value;
                    pc += 1;
                }
                Instr::PausedContinuation { to, from } => {
                    let value = self.take(from);
                    self.registers[at(to)] = self.paused_continuation(value.handle());
                    pc += 1;
                }

                Instr::AddInt { to, a, b } => {
                    let (x, y) = (self.registers[a.register()], self.registers[b.register()]);
                    if x.both_fit(y)
                        && let Some(value) = x.plus(y)
                    {
                        self.registers[at(to)] = value;
                    } else {
                        let value = check!(self.int_arithmetic(Arithmetic::Add, a, b));
                        self.registers[at(to)] = value;
                    }
                    pc += 1;
                }
                Instr::SubtractInt { to, a, b } => {
                    let (x, y) = (self.registers[a.register()], self.registers[b.register()]);
                    if x.both_fit(y)
                        && let Some(value) = x.minus(y)
                    {
                        self.registers[at(to)] = value;
                    } else {
                        let value = check!(self.int_arithmetic(Arithmetic::Subtract, a, b));
                        self.registers[at(to)] = value;
                    }
                    pc += 1;
                }
                Instr::IntArithmetic { operator, to, a, b } => {
                    let value = check!(self.int_arithmetic(operator, a, b));
                    self.registers[at(to)] = value;
                    pc += 1;
                }
                Instr::AddFloat { to, a, b } => {
                    let x = self.registers[at(a)].as_float() + self.registers[at(b)].as_float();
                    self.registers[at(to)] = Value::basic_float(x);
                    pc += 1;
                }
                Instr::SubtractFloat { to, a, b } => {
                    let x = self.registers[at(a)].as_float() - self.registers[at(b)].as_float();
                    self.registers[at(to)] = Value::basic_float(x);
                    pc += 1;
                }
                Instr::MultiplyFloat { to, a, b } => {
                    let x = self.registers[at(a)].as_float() * self.registers[at(b)].as_float();
                    self.registers[at(to)] = Value::basic_float(x);
                    pc += 1;
                }
                Instr::DivideFloat { to, a, b } => {
                    let x = self.registers[at(a)].as_float() / self.registers[at(b)].as_float();
                    self.registers[at(to)] = Value::basic_float(x);
                    pc += 1;
                }
                Instr::NegateInt { to, a } => {
                    let value = check!(self.negate_int(a));
                    self.registers[at(to)] = value;
                    pc += 1;
                }
                Instr::NegateFloat { to, a } => {
                    let x = -self.registers[at(a)].as_float();
                    self.registers[at(to)] = Value::basic_float(x);
                    pc += 1;
                }
                Instr::CompareInt { test, to, a, b } => {
                    let holds = self.test_int(test, a, b);
                    self.registers[at(to)] = self.flag(holds);
                    pc += 1;
                }
                Instr::CompareFloat { test, to, a, b } => {
                    let (x, y) = (self.registers[at(a)], self.registers[at(b)]);
                    let holds = holds_float(test, x.as_float(), y.as_float());
                    self.registers[at(to)] = self.flag(holds);
                    pc += 1;
                }
                Instr::Builtin { builtin, to, args } => {
                    let args = args.map(|arg| self.registers[arg.register()]);
                    // Some ask from where they are called.
                    self.pc = pc;
                    let value = check!(self.builtin(builtin, args));
                    self.registers[at(to)] = value;
                    settle!();
                    pc += 1;
                }

                Instr::Jump { to } => pc = to as usize,
                Instr::BranchInt { test, a, b, no } => {
                    pc = if self.test_int(test, a, b) {
                        pc + 1
                    } else {
                        no as usize
                    };
                }
                Instr::BranchFloat { test, a, b, no } => {
                    let (x, y) = (self.registers[at(a)], self.registers[at(b)]);
                    let holds = holds_float(test, x.as_float(), y.as_float());
                    pc = if holds { pc + 1 } else { no as usize };
                }
                Instr::BranchTag { of, tag, no } => {
                    let holds = self.registers[at(of)].tag() == tag as u32;
                    pc = if holds { pc + 1 } else { no as usize };
                }
                Instr::BranchWord { of, constant, no } => {
                    let holds = self.registers[at(of)] == self.registers[at(constant)];
                    pc = if holds { pc + 1 } else { no as usize };
                }
                Instr::BranchString { of, id, no } => {
                    let holds = self.is_string(self.registers[at(of)], &code.strings[id as usize]);
                    pc = if holds { pc + 1 } else { no as usize };
                }
                Instr::BranchPaused { of, no } => {
                    let holds = self.registers[at(of)].is_argument();
                    pc = if holds { pc + 1 } else { no as usize };
                }
                Instr::BranchCommand {
                    of,
                    seen,
                    command,
                    no,
                } => {
                    let holds = self.paused_at(self.registers[at(of)].handle()) == (command, seen);
                    pc = if holds { pc + 1 } else { no as usize };
                }
                Instr::SwitchTag { of, count, table } => {
                    let tag = self.registers[at(of)].tag().min(count as u32);
                    pc = code.targets[(table + tag) as usize] as usize;
                }
                Instr::SwitchConstructor { of, table } => {
                    let constructor = self.constructor_of(self.registers[at(of)]);
                    pc = look_up(&code.word_tables[table as usize], constructor as u64);
                }
                Instr::SwitchWord { of, table } => {
                    pc = look_up(&code.word_tables[table as usize], self.registers[at(of)].0);
                }

                Instr::Return { of } => {
                    let value = self.registers[at(of)];
                    go!(check!(self.give(value)));
                }
                Instr::Call {
                    count,
                    function,
                    moves,
                    site,
                } => {
                    step!();
                    check!(self.push_frame(site));
                    self.moves(moves, count);
                    pc = function as usize;
                }
                Instr::TailCall {
                    count,
                    function,
                    moves,
                } => {
                    step!();
                    self.moves(moves, count);
                    pc = function as usize;
                }
                Instr::Apply {
                    head,
                    count,
                    args,
                    site,
                } => {
                    step!();
                    go!(check!(self.apply(head, args, count as usize, site)));
                    settle!();
                }
                Instr::Perform {
                    count,
                    a,
                    b,
                    c,
                    command,
                    site,
                } => {
                    step!();
                    self.performed = pc;
                    if count > 0 {
                        self.registers[WINDOW as usize] = self.take(a);
                    }
                    if count > 1 {
                        self.registers[WINDOW as usize + 1] = self.take(b);
                    }
                    if count > 2 {
                        self.registers[WINDOW as usize + 2] = self.take(c);
                    }
                    perform!(command, count, site);
                }
                Instr::PerformMany {
                    count,
                    command,
                    args,
                    site,
                } => {
                    step!();
                    self.performed = pc;
                    for i in 0..count as usize {
                        let operand = Operand(code.pool[args as usize + i]);
                        let value = self.take(operand);
                        self.registers[WINDOW as usize + i] = value;
                    }
                    go!(check!(self.perform_further(command, count, site)));
                }
                Instr::NewCell { to, from } => {
                    step!();
                    let value = self.take(from);
                    let cell = check!(self.new_cell(value));
                    self.registers[at(to)] = cell;
                    pc += 1;
                }
                Instr::ReadCell { to, cell } => {
                    step!();
                    let reference = self.registers[cell.register()];
                    let value = match cell.flag() {
                        true => self.heap.read_last(reference),
                        false => self.heap.dup(self.heap.get(reference.handle(), 0)),
                    };
                    self.registers[at(to)] = value;
                    pc += 1;
                }
                Instr::WriteCell { to, cell, from } => {
                    step!();
                    let value = self.take(from);
                    let reference = self.registers[cell.register()];
                    let old = self.heap.get(reference.handle(), 0);
                    self.heap.set(reference.handle(), 0, value);
                    self.heap.drop(old);
                    if cell.flag() {
                        self.heap.drop_cell(reference);
                    }
                    self.registers[at(to)] = code.words.unit;
                    pc += 1;
                }
                Instr::Handle {
                    count,
                    port,
                    done,
                    site,
                } => {
                    step!();
                    check!(self.enter_handler(port, done, count as usize, site));
                    pc += 1;
                }
                Instr::Pause { port, site } | Instr::Adapt { port, site } => {
                    step!();
                    check!(self.enter_port(port, site));
                    pc += 1;
                }
                Instr::EnterPort { head, index, site } => {
                    if let Some(port) = self.port_of(self.registers[at(head)], index as usize) {
                        step!();
                        check!(self.enter_port(port, site));
                    }
                    pc += 1;
                }
                Instr::LeavePort {
                    head,
                    index,
                    from,
                    to,
                    count,
                    drops,
                } => {
                    let value = self.take(from);
                    if self
                        .port_of(self.registers[at(head)], index as usize)
                        .is_some()
                    {
                        for i in 0..count as usize {
                            let kept = Operand(code.pool[drops as usize + i]);
                            self.heap.drop(self.registers[kept.register()]);
                        }
                        go!(check!(self.give(value)));
                    } else {
                        self.registers[at(to)] = value;
                        pc += 1;
                    }
                }
                Instr::Step => {
                    step!();
                    pc += 1;
                }
                Instr::Fail { id, site } => {
                    go!(check!(self.fail(id, site)));
                }
                Instr::Reinstall { count, port, args } => {
                    step!();
                    go!(check!(self.reinstall(port, args, count as usize)));
                }

                Instr::Done { to, index } => {
                    let frame = self.nodes[self.handling.node].k.handle();
                    let value = self.heap.get(frame, index as usize + 1);
                    self.heap.dup(value);
                    self.registers[at(to)] = value;
                    pc += 1;
                }
                Instr::ReadState {
                    to,
                    depth,
                    index,
                    takes,
                } => {
                    let node = self.known_node(depth);
                    self.registers[at(to)] = self.read_state(node, index as usize, takes);
                    pc += 1;
                }
                Instr::WriteState { depth, index, from } => {
                    let value = self.take(from);
                    let node = self.known_node(depth);
                    check!(self.write_state(node, index as usize, value));
                    pc += 1;
                }
                Instr::Handling { depth, slot, index } => {
                    self.handling = Found {
                        node: self.known_node(depth),
                        slot: slot as usize,
                        index: index as u32,
                    };
                    pc += 1;
                }
                Instr::Begin => {
                    check!(self.begin());
                    pc += 1;
                }
                Instr::SetDone { index, from, begun } => {
                    let value = self.take(from);
                    check!(self.set_done(index as usize, value, begun));
                    pc += 1;
                }
                Instr::Under => {
                    self.under();
                    pc += 1;
                }
                Instr::Unwind { depth } => {
                    self.unwind_to(depth);
                    pc += 1;
                }
                Instr::Capture { to, begun } => {
                    if to == NOWHERE {
                        self.leave_here(begun);
                    } else {
                        self.registers[at(to)] = check!(self.capture_here(begun));
                    }
                    pc += 1;
                }
                Instr::Rest { keeper, site } => {
                    check!(self.leave_rest(keeper, site));
                    pc += 1;
                }
                Instr::Pack {
                    count,
                    command,
                    args,
                } => {
                    for i in 0..count as usize {
                        let operand = Operand(code.pool[args as usize + i]);
                        let value = self.take(operand);
                        self.registers[WINDOW as usize + i] = value;
                    }
                    pc = check!(self.pack(command, count as usize));
                }
                Instr::WindowReturn { of } => {
                    let value = self.registers[at(of)];
                    if self.window.site == NONE {
                        go!(check!(self.give(value)));
                    } else {
                        let site = &code.sites[self.window.site as usize];
                        self.receive(site.to, value);
                        pc = site.pc as usize;
                    }
                }
                Instr::WindowLeave => {
                    let window = self.window;
                    if window.site != NONE {
                        check!(self.push_frame(window.site));
                    }
                    for i in 0..window.count as usize {
                        self.registers[i] = self.registers[WINDOW as usize + i];
                    }
                    pc = window.function as usize;
                }
            }
        }
    }

    /// A field of an object that stays.
    #[inline(always)]
    fn copy(&mut self, to: u16, value: Value) {
        if to != NOWHERE {
            self.heap.dup(value);
            self.registers[at(to)] = value;
        }
    }

    #[inline(always)]
    fn test_int(&mut self, test: Test, a: Operand, b: Operand) -> bool {
        let (x, y) = (self.registers[a.register()], self.registers[b.register()]);
        if x.both_fit(y) {
            holds_int(test, x.as_small_int(), y.as_small_int())
        } else {
            self.test_wide(test, a, b)
        }
    }

    #[cold]
    #[inline(never)]
    fn test_wide(&mut self, test: Test, a: Operand, b: Operand) -> bool {
        let (x, y) = (self.registers[a.register()], self.registers[b.register()]);
        let holds = holds_int(test, self.heap.as_int(x), self.heap.as_int(y));
        self.drop_operands(a, b);
        holds
    }

    /// Drops operands that were only looked at and die.
    pub(super) fn drop_operands(&mut self, a: Operand, b: Operand) {
        let (x, y) = (self.registers[a.register()], self.registers[b.register()]);
        if a.flag() {
            self.heap.drop(x);
        }
        if b.flag() {
            self.heap.drop(y);
        }
    }

    /// A result that does not fit into its word, or is wrong, or of operands that do not fit.
    #[inline(never)]
    fn int_arithmetic(
        &mut self,
        operator: Arithmetic,
        a: Operand,
        b: Operand,
    ) -> Result<Value, Box<Stop>> {
        let (x, y) = (self.registers[a.register()], self.registers[b.register()]);
        let (x, y) = (self.heap.as_int(x), self.heap.as_int(y));
        let (result, sign) = match operator {
            Arithmetic::Add => (x.checked_add(y), "+"),
            Arithmetic::Subtract => (x.checked_sub(y), "-"),
            Arithmetic::Multiply => (x.checked_mul(y), "*"),
            Arithmetic::Divide if y == 0 => {
                let message = format!("division by zero in `{} / 0`", operand(x));
                let values = vec![x.to_string(), y.to_string()];
                return Err(Stop::with(RunErrorKind::DivisionByZero, message, values));
            }
            Arithmetic::Divide => (x.checked_div(y), "/"),
        };
        let Some(result) = result else {
            let message = format!("`{} {sign} {}` overflows `Int`", operand(x), operand(y));
            let values = vec![x.to_string(), y.to_string()];
            return Err(Stop::with(RunErrorKind::Overflow, message, values));
        };
        self.drop_operands(a, b);
        Ok(self.heap.int(result)?)
    }

    fn negate_int(&mut self, a: Operand) -> Result<Value, Box<Stop>> {
        let x = self.registers[a.register()];
        let x = self.heap.as_int(x);
        let Some(result) = x.checked_neg() else {
            let message = format!("`-({x})` overflows `Int`");
            return Err(Stop::with(
                RunErrorKind::Overflow,
                message,
                vec![x.to_string()],
            ));
        };
        if a.flag() {
            self.heap.drop(self.registers[a.register()]);
        }
        Ok(self.heap.int(result)?)
    }
}

/// An integer as an operand in a message.
fn operand(x: i64) -> String {
    if x < 0 {
        format!("({x})")
    } else {
        x.to_string()
    }
}

fn look_up(table: &(Vec<(u64, u32)>, u32), key: u64) -> usize {
    match table.0.binary_search_by_key(&key, |(k, _)| *k) {
        Ok(i) => table.0[i].1 as usize,
        Err(_) => table.1 as usize,
    }
}
