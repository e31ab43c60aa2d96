//! What an instruction reads, what it writes, and what may follow it in its function.

use std::collections::HashMap;

use frank_core::BuiltinType;
use frank_interpreter::backend::{CONSTANTS, Instr, NONE, NOWHERE, Operand, Parts, Reg, WINDOW};

/// An instruction's dealings with registers. Registers of constants are left out.
#[derive(Debug, Default)]
pub struct Dealings {
    pub uses: Vec<Reg>,
    pub defs: Vec<Reg>,
    /// Registers that may hold an argument that is paused at a command, whatever type its value would have.
    pub maybe_paused: Vec<Reg>,
    /// Registers whose words are floats: used, or defined.
    pub float_uses: Vec<Reg>,
    pub float_defs: Vec<Reg>,
    /// Registers whose words are integers: used, or defined.
    pub int_uses: Vec<Reg>,
    pub int_defs: Vec<Reg>,
    /// Instructions that may follow in the same function.
    pub next: Vec<usize>,
    /// Where a value comes back to later.
    pub back: Option<Back>,
}

/// A site that an instruction leaves for a value.
#[derive(Debug, Clone, Copy)]
pub struct Back {
    pub site: u32,
    pub pc: usize,
    /// The register that receives it.
    pub to: Reg,
}

impl Dealings {
    fn uses(&mut self, r: usize) {
        if !is_constant(r as Reg) {
            self.uses.push(r as Reg);
        }
    }

    fn float(&mut self, r: Reg) {
        self.uses(r as usize);
        self.float_uses.push(r);
    }

    fn int(&mut self, r: Reg) {
        self.uses(r as usize);
        self.int_uses.push(r);
    }

    fn defs(&mut self, r: Reg) {
        if r != NOWHERE {
            self.defs.push(r);
        }
    }

    fn float_def(&mut self, r: Reg) {
        self.defs(r);
        self.float_defs.push(r);
    }

    fn int_def(&mut self, r: Reg) {
        self.defs(r);
        self.int_defs.push(r);
    }

    /// What comes back to a site, with the registers that its frame keeps.
    fn site(&mut self, parts: &Parts<'_>, site: u32) {
        if site == NONE {
            return;
        }
        let Some(known) = parts.sites.get(site as usize) else {
            return;
        };
        for saved in pool(parts, known.saved, known.count as usize) {
            self.uses(Operand(*saved).register());
        }
        self.back = Some(Back {
            site,
            pc: known.pc as usize,
            to: known.to,
        });
    }
}

pub fn is_constant(r: Reg) -> bool {
    (CONSTANTS..WINDOW).contains(&r)
}

/// A part of the pool.
pub fn pool<'c>(parts: &Parts<'c>, start: u32, count: usize) -> &'c [u16] {
    let start = start as usize;
    parts.pool.get(start..start + count).unwrap_or_default()
}

/// From which register of the caller each register comes that a call's moves write; they happen one after another.
pub fn sources(parts: &Parts<'_>, moves: u32, count: u8) -> HashMap<Reg, Reg> {
    let mut sources: HashMap<Reg, Reg> = HashMap::new();
    for pair in pool(parts, moves, 2 * count as usize).chunks_exact(2) {
        if let [from, to] = pair {
            let from = Operand(*from).register() as Reg;
            let from = sources.get(&from).copied().unwrap_or(from);
            sources.insert(*to, from);
        }
    }
    sources
}

/// What the instruction at `pc` does. `window` is the number of arguments of a function that runs in the window;
/// `parameters` says how many a function takes that begins at an instruction.
#[allow(clippy::too_many_lines)]
pub fn dealings(
    parts: &Parts<'_>,
    pc: usize,
    window: u16,
    parameters: &dyn Fn(u32) -> u16,
) -> Dealings {
    let mut d = Dealings::default();
    let Some(instr) = parts.instrs.get(pc) else {
        return d;
    };
    let after = pc + 1;
    let operands = |d: &mut Dealings, args: u32, count: usize| {
        for operand in pool(parts, args, count) {
            d.uses(Operand(*operand).register());
        }
    };
    let moves = |d: &mut Dealings, function: u32, moves: u32, count: u8| {
        // Moves that read what a move before them wrote read no register of the function.
        let mut written: Vec<u16> = Vec::new();
        for pair in pool(parts, moves, 2 * count as usize).chunks_exact(2) {
            if let [from, to] = pair {
                let from = Operand(*from).register();
                if !written.contains(&(from as u16)) {
                    d.uses(from);
                }
                written.push(*to);
            }
        }
        // What is where it is wanted is not moved.
        for r in (0..parameters(function)).filter(|r| !written.contains(r)) {
            d.uses(r as usize);
        }
    };
    let mut falls = true;
    match *instr {
        Instr::Move { to, from } => {
            d.uses(from.register());
            d.defs(to);
        }
        Instr::Constant { to, .. } | Instr::Static { to, .. } => d.defs(to),
        Instr::Construct1 { to, a, .. } => {
            d.uses(a.register());
            d.defs(to);
        }
        Instr::Construct2 { to, a, b, .. } => {
            d.uses(a.register());
            d.uses(b.register());
            d.defs(to);
        }
        Instr::Construct3 { to, a, b, c, .. } => {
            for operand in [a, b, c] {
                d.uses(operand.register());
            }
            d.defs(to);
        }
        Instr::ConstructN {
            to, count, args, ..
        }
        | Instr::Closure {
            to, count, args, ..
        } => {
            operands(&mut d, args, count as usize);
            d.defs(to);
        }
        Instr::Field { to, of, .. } => {
            d.uses(of as usize);
            d.defs(to);
        }
        Instr::Unpack1 { of, a } => {
            d.uses(of as usize);
            d.defs(a);
        }
        Instr::Unpack2 { of, a, b } => {
            d.uses(of as usize);
            d.defs(a);
            d.defs(b);
        }
        Instr::Unpack3 { of, a, b, c } => {
            d.uses(of as usize);
            for r in [a, b, c] {
                d.defs(r);
            }
        }
        Instr::UnpackN { of, count, to } => {
            d.uses(of as usize);
            for r in pool(parts, to, count as usize) {
                d.defs(*r);
            }
        }
        Instr::Drop { of } => d.uses(of as usize),
        Instr::Reverse { to, list } => {
            d.uses(list as usize);
            d.defs(to);
        }
        Instr::CatchAll { to, from } | Instr::PausedContinuation { to, from } => {
            d.uses(from.register());
            d.maybe_paused.push(from.register() as Reg);
            d.defs(to);
        }
        Instr::PausedArg { to, of, .. } => {
            d.uses(of as usize);
            d.maybe_paused.push(of);
            d.defs(to);
        }
        Instr::IntArithmetic { to, a, b, .. }
        | Instr::AddInt { to, a, b }
        | Instr::SubtractInt { to, a, b } => {
            d.int(a.register() as Reg);
            d.int(b.register() as Reg);
            d.int_def(to);
        }
        Instr::CompareInt { to, a, b, .. } => {
            d.int(a.register() as Reg);
            d.int(b.register() as Reg);
            d.defs(to);
        }
        Instr::AddFloat { to, a, b }
        | Instr::SubtractFloat { to, a, b }
        | Instr::MultiplyFloat { to, a, b }
        | Instr::DivideFloat { to, a, b } => {
            d.float(a);
            d.float(b);
            d.float_def(to);
        }
        Instr::NegateInt { to, a } => {
            d.int(a.register() as Reg);
            d.int_def(to);
        }
        Instr::NegateFloat { to, a } => {
            d.float(a);
            d.float_def(to);
        }
        Instr::CompareFloat { to, a, b, .. } => {
            d.float(a);
            d.float(b);
            d.defs(to);
        }
        Instr::Builtin { builtin, to, args } => {
            for (operand, ty) in args.iter().zip(builtin.arguments()) {
                match ty {
                    BuiltinType::Float => d.float(operand.register() as Reg),
                    BuiltinType::Int => d.int(operand.register() as Reg),
                    _ => d.uses(operand.register()),
                }
            }
            match builtin.result() {
                BuiltinType::Float => d.float_def(to),
                BuiltinType::Int | BuiltinType::CodePoint => d.int_def(to),
                _ => d.defs(to),
            }
        }
        Instr::Jump { to } => {
            falls = false;
            d.next.push(to as usize);
        }
        Instr::BranchInt { a, b, no, .. } => {
            d.int(a.register() as Reg);
            d.int(b.register() as Reg);
            d.next.push(no as usize);
        }
        Instr::BranchFloat { a, b, no, .. } => {
            d.float(a);
            d.float(b);
            d.next.push(no as usize);
        }
        Instr::BranchTag { of, no, .. } | Instr::BranchString { of, no, .. } => {
            d.uses(of as usize);
            d.next.push(no as usize);
        }
        Instr::BranchWord { of, constant, no } => {
            d.uses(of as usize);
            d.uses(constant as usize);
            d.next.push(no as usize);
        }
        Instr::BranchPaused { of, no } | Instr::BranchCommand { of, no, .. } => {
            d.uses(of as usize);
            d.maybe_paused.push(of);
            d.next.push(no as usize);
        }
        Instr::SwitchTag { of, count, table } => {
            d.uses(of as usize);
            falls = false;
            let table = table as usize;
            let targets = parts.targets.get(table..=table + count as usize);
            d.next
                .extend(targets.unwrap_or_default().iter().map(|t| *t as usize));
        }
        Instr::SwitchConstructor { of, table } | Instr::SwitchWord { of, table } => {
            d.uses(of as usize);
            falls = false;
            if let Some((cases, other)) = parts.word_tables.get(table as usize) {
                d.next
                    .extend(cases.iter().map(|(_, target)| *target as usize));
                d.next.push(*other as usize);
            }
        }
        Instr::Return { of } | Instr::WindowReturn { of } => {
            d.uses(of as usize);
            falls = false;
        }
        Instr::Call {
            count,
            function,
            moves: pairs,
            site,
        } => {
            moves(&mut d, function, pairs, count);
            falls = false;
            d.site(parts, site);
        }
        Instr::TailCall {
            count,
            function,
            moves: pairs,
        } => {
            moves(&mut d, function, pairs, count);
            falls = false;
        }
        Instr::Apply {
            head,
            count,
            args,
            site,
        } => {
            d.uses(head.register());
            operands(&mut d, args, count as usize);
            falls = false;
            d.site(parts, site);
        }
        Instr::Perform {
            count,
            a,
            b,
            c,
            site,
            ..
        } => {
            for operand in [a, b, c].iter().take(count as usize) {
                d.uses(operand.register());
            }
            falls = false;
            d.site(parts, site);
        }
        Instr::PerformMany {
            count, args, site, ..
        } => {
            operands(&mut d, args, count as usize);
            falls = false;
            d.site(parts, site);
        }
        Instr::NewCell { to, from } => {
            d.uses(from.register());
            d.defs(to);
        }
        Instr::ReadCell { to, cell } => {
            d.uses(cell.register());
            d.defs(to);
        }
        Instr::WriteCell { to, cell, from } => {
            d.uses(cell.register());
            d.uses(from.register());
            d.defs(to);
        }
        Instr::Handle {
            count, done, site, ..
        } => {
            operands(&mut d, done, count as usize);
            d.site(parts, site);
        }
        Instr::Pause { site, .. } | Instr::Adapt { site, .. } | Instr::Rest { site, .. } => {
            d.site(parts, site)
        }
        Instr::EnterPort { head, site, .. } => {
            d.uses(head as usize);
            d.site(parts, site);
        }
        Instr::LeavePort {
            head,
            from,
            to,
            count,
            drops,
            ..
        } => {
            d.uses(head as usize);
            d.uses(from.register());
            d.maybe_paused.push(from.register() as Reg);
            operands(&mut d, drops, count as usize);
            d.defs(to);
        }
        Instr::Fail { id, site } => {
            if let Some(failed) = parts.failed_matches.get(id as usize) {
                for operand in &failed.values {
                    d.uses(operand.register());
                }
            }
            falls = false;
            d.site(parts, site);
        }
        Instr::Reinstall { count, args, .. } | Instr::Pack { count, args, .. } => {
            operands(&mut d, args, count as usize);
            falls = false;
        }
        Instr::Step
        | Instr::Handling { .. }
        | Instr::Begin
        | Instr::Under
        | Instr::Unwind { .. } => {}
        Instr::Done { to, .. } | Instr::ReadState { to, .. } | Instr::Capture { to, .. } => {
            d.defs(to)
        }
        Instr::SetDone { from, .. } | Instr::WriteState { from, .. } => d.uses(from.register()),
        Instr::WindowLeave => {
            for r in 0..window {
                d.uses((WINDOW + r) as usize);
            }
            falls = false;
        }
    }
    if falls {
        d.next.push(after);
    }
    d
}
