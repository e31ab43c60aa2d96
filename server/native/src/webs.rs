//! Which registers are live where in a function, and which of their uses belong together.
//!
//! A *web* is a set of definitions and uses of one register that reach each other. A register serves one variable
//! after another; a web is one of them, so that it has one type: machine code keeps those of floats in the
//! registers for floats, those of integers without the bits that tell that they are integers, and counts no
//! references to either.

use std::collections::HashMap;
use std::ops::Range;

use frank_interpreter::backend::{Instr, Parts, Reg};

use crate::foreign::is_foreign;
use crate::operands::{Dealings, dealings, sources};

/// The most places of registers that are looked at in one function.
const MOST_NODES: usize = 1 << 21;

/// A web, by number.
pub type Web = u32;

/// What is known of the registers of a function.
pub struct Webs {
    range: Range<usize>,
    pub dealings: Vec<Dealings>,
    registers: Vec<Reg>,
    column: HashMap<Reg, usize>,
    live: Vec<u64>,
    row: usize,
    parents: Vec<u32>,
    /// For each web, by its root.
    kinds: HashMap<u32, Kind>,
}

/// What a web's values are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Kind {
    /// Some instruction takes its values for floats, or makes floats.
    pub float: bool,
    /// Some instruction takes its values for integers, or makes integers.
    int: bool,
    /// Some of its values were computed as integers. Others, such as a number that a loop only hands on, are best left as
    /// they are, since they may be too large to be kept otherwise.
    computed: bool,
    /// Some instruction defines it that does not look what the value is, such as one that takes an object apart.
    unseen: bool,
    /// It may hold a paused argument, whatever the type.
    pub paused: bool,
}

/// What an instruction tells of a web's values.
type Learn = fn(&mut Kind);

/// How the values of a web are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// As the machine has them.
    Word,
    /// Maybe a float: in a register for floats, with all bits of the machine's word.
    Float,
    /// An integer that fits into a word, shifted to its top. Whatever else comes is left to the machine.
    Int,
}

impl Kind {
    /// Whether all its values are floats.
    pub fn surely_float(self) -> bool {
        self.float && !self.paused
    }

    /// How its values are kept.
    pub fn form(self) -> Form {
        if self.float {
            Form::Float
        } else if self.int && self.computed && !self.unseen && !self.paused {
            Form::Int
        } else {
            Form::Word
        }
    }

    /// Whether its values point to nothing.
    pub fn is_number(self) -> bool {
        self.surely_float() || self.form() == Form::Int
    }
}

impl Webs {
    /// Looks at the instructions of a function whose window, if it runs there, has so many arguments. `None` if it
    /// is too large, or leads out of its own instructions.
    pub fn of(
        parts: &Parts<'_>,
        range: Range<usize>,
        window: u16,
        parameters: &dyn Fn(u32) -> u16,
    ) -> Option<Webs> {
        let dealings: Vec<Dealings> = range
            .clone()
            .map(|pc| dealings(parts, pc, window, parameters))
            .collect();
        let mut registers: Vec<Reg> = dealings
            .iter()
            .flat_map(|d| {
                d.uses
                    .iter()
                    .chain(&d.defs)
                    .chain(d.back.iter().map(|back| &back.to))
            })
            .copied()
            .collect();
        registers.sort_unstable();
        registers.dedup();
        let inside = |d: &Dealings| {
            d.next.iter().all(|pc| range.contains(pc))
                && d.back.is_none_or(|back| range.contains(&back.pc))
        };
        if !dealings.iter().all(inside) || 2 * range.len() * registers.len() > MOST_NODES {
            return None;
        }
        let column = registers.iter().enumerate().map(|(i, r)| (*r, i)).collect();
        let row = registers.len().div_ceil(64).max(1);
        let mut webs = Webs {
            live: vec![0; range.len() * row],
            parents: (0..2 * (range.len() * registers.len()) as u32).collect(),
            kinds: HashMap::new(),
            range,
            dealings,
            registers,
            column,
            row,
        };
        webs.find_live();
        webs.join();
        webs.learn(parts);
        webs.follow_copies(parts, parameters);
        Some(webs)
    }

    fn bit(&self, r: Reg) -> Option<(usize, u64)> {
        let column = *self.column.get(&r)?;
        Some((column / 64, 1 << (column % 64)))
    }

    fn row(&self, at: usize) -> &[u64] {
        self.live
            .get(at * self.row..(at + 1) * self.row)
            .unwrap_or_default()
    }

    /// Backwards until nothing changes. Code is written in the order in which it runs, but for loops.
    fn find_live(&mut self) {
        loop {
            let mut changed = false;
            for at in (0..self.dealings.len()).rev() {
                let mut live = vec![0; self.row];
                let Some(d) = self.dealings.get(at) else {
                    continue;
                };
                let add = |live: &mut Vec<u64>, row: &[u64]| {
                    for (word, more) in live.iter_mut().zip(row) {
                        *word |= more;
                    }
                };
                for next in &d.next {
                    add(&mut live, self.row(next - self.range.start));
                }
                self.remove(&mut live, &d.defs);
                if let Some(back) = d.back {
                    let mut row = self.row(back.pc - self.range.start).to_vec();
                    self.remove(&mut row, &[back.to]);
                    add(&mut live, &row);
                }
                for r in &d.uses {
                    if let Some((word, bit)) = self.bit(*r)
                        && let Some(slot) = live.get_mut(word)
                    {
                        *slot |= bit;
                    }
                }
                if self.row(at) != live {
                    changed = true;
                    let start = at * self.row;
                    if let Some(row) = self.live.get_mut(start..start + self.row) {
                        row.copy_from_slice(&live);
                    }
                }
            }
            if !changed {
                return;
            }
        }
    }

    fn remove(&self, live: &mut [u64], registers: &[Reg]) {
        for r in registers {
            if let Some((word, bit)) = self.bit(*r)
                && let Some(slot) = live.get_mut(word)
            {
                *slot &= !bit;
            }
        }
    }

    /// The registers that are live before an instruction.
    pub fn live(&self, pc: usize) -> Vec<Reg> {
        let row = self.row(pc - self.range.start);
        let live = |i: usize| row.get(i / 64).is_some_and(|w| w >> (i % 64) & 1 == 1);
        let all = self.registers.iter().enumerate();
        all.filter(|(i, _)| live(*i)).map(|(_, r)| *r).collect()
    }

    fn is_live(&self, pc: usize, r: Reg) -> bool {
        let row = self.row(pc - self.range.start);
        self.bit(r)
            .and_then(|(word, bit)| row.get(word).map(|w| w & bit != 0))
            .unwrap_or(false)
    }

    /// The value of a register before an instruction, or, if `defined`, behind one that defines it.
    fn node(&self, pc: usize, r: Reg, defined: bool) -> Option<u32> {
        let column = *self.column.get(&r)?;
        let place = (pc - self.range.start) * self.registers.len() + column;
        Some((2 * place) as u32 + u32::from(defined))
    }

    fn root(&mut self, mut node: u32) -> u32 {
        loop {
            let parent = self.parent(node);
            if parent == node {
                return node;
            }
            let grandparent = self.parent(parent);
            if let Some(slot) = self.parents.get_mut(node as usize) {
                *slot = grandparent;
            }
            node = grandparent;
        }
    }

    fn parent(&self, node: u32) -> u32 {
        self.parents.get(node as usize).copied().unwrap_or(node)
    }

    fn join(&mut self) {
        for pc in self.range.clone() {
            let Some(d) = self.dealings.get(pc - self.range.start) else {
                continue;
            };
            let (next, defs, back) = (d.next.clone(), d.defs.clone(), d.back);
            for to in next {
                for r in self.live(to) {
                    let from = self.node(pc, r, defs.contains(&r));
                    self.unite(from, self.node(to, r, false));
                }
            }
            if let Some(back) = back {
                for r in self.live(back.pc) {
                    if r != back.to {
                        self.unite(self.node(pc, r, false), self.node(back.pc, r, false));
                    }
                }
            }
        }
    }

    fn unite(&mut self, a: Option<u32>, b: Option<u32>) {
        if let (Some(a), Some(b)) = (a, b) {
            let (a, b) = (self.root(a), self.root(b));
            if let Some(slot) = self.parents.get_mut(a as usize) {
                *slot = b;
            }
        }
    }

    fn learn(&mut self, parts: &Parts<'_>) {
        for pc in self.range.clone() {
            let (Some(d), Some(instr)) = (
                self.dealings.get(pc - self.range.start),
                parts.instrs.get(pc),
            ) else {
                continue;
            };
            // What the machine defines is looked at where machine code begins behind it.
            let looks = is_foreign(instr) || matches!(instr, Instr::Move { .. });
            let unseen = d.defs.iter().filter(|r| !looks && !d.int_defs.contains(r));
            let mut known: Vec<(Option<u32>, Learn)> = Vec::new();
            let mut learn = |registers: &[Reg], defined, what: Learn| {
                let nodes = registers.iter().map(|r| self.node(pc, *r, defined));
                known.extend(nodes.map(|node| (node, what)));
            };
            learn(&d.float_uses, false, |kind| kind.float = true);
            learn(&d.float_defs, true, |kind| kind.float = true);
            learn(&d.int_uses, false, |kind| kind.int = true);
            learn(&d.int_defs, true, |kind| {
                kind.int = true;
                kind.computed = true;
            });
            learn(&d.maybe_paused, false, |kind| kind.paused = true);
            let unseen: Vec<Reg> = unseen.copied().collect();
            learn(&unseen, true, |kind| kind.unseen = true);
            for (node, what) in known {
                if let Some(node) = node {
                    let root = self.root(node);
                    what(self.kinds.entry(root).or_default());
                }
            }
        }
    }

    /// What was computed is so where it was copied to, too.
    fn follow_copies(&mut self, parts: &Parts<'_>, parameters: &dyn Fn(u32) -> u16) {
        let start = self.range.start;
        let mut copies: Vec<(u32, u32)> = Vec::new();
        for pc in self.range.clone() {
            match parts.instrs.get(pc).copied() {
                Some(Instr::Move { to, from }) => {
                    let from = self.node(pc, from.register() as Reg, false);
                    copies.extend(from.zip(self.node(pc, to, true)));
                }
                Some(
                    Instr::Call {
                        count,
                        function,
                        moves,
                        ..
                    }
                    | Instr::TailCall {
                        count,
                        function,
                        moves,
                    },
                ) if function as usize == start => {
                    let sources = sources(parts, moves, count);
                    for r in 0..parameters(function) {
                        let from = sources.get(&r).copied().unwrap_or(r);
                        let from = self.node(pc, from, false);
                        copies.extend(from.zip(self.node(start, r, false)));
                    }
                }
                _ => {}
            }
        }
        let roots = copies.into_iter();
        let copies: Vec<(u32, u32)> = roots
            .map(|(from, to)| (self.root(from), self.root(to)))
            .collect();
        let computed = |webs: &Webs, web| webs.kinds.get(&web).is_some_and(|kind| kind.computed);
        loop {
            let mut changed = false;
            for (from, to) in &copies {
                if computed(self, *from) && !computed(self, *to) {
                    self.kinds.entry(*to).or_default().computed = true;
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// The web of a register that is live before an instruction.
    pub fn before(&mut self, pc: usize, r: Reg) -> Option<(Web, Kind)> {
        let root = self.node(pc, r, false).map(|node| self.root(node))?;
        Some((root, self.kinds.get(&root).copied().unwrap_or_default()))
    }

    /// The web of a register that an instruction defines; `None` if nobody wants it.
    pub fn behind(&mut self, pc: usize, r: Reg) -> Option<(Web, Kind)> {
        let d = self.dealings.get(pc - self.range.start)?;
        let next = d.next.clone();
        if !next.iter().any(|to| self.is_live(*to, r)) {
            return None;
        }
        let root = self.node(pc, r, true).map(|node| self.root(node))?;
        Some((root, self.kinds.get(&root).copied().unwrap_or_default()))
    }
}
