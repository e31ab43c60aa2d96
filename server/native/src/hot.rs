//! When a function is compiled, and when its machine code rests because the machine is quicker.

use std::cell::Cell;
use std::ops::Range;

use frank_interpreter::backend::{Function, Parts};

use crate::lower::Entry;

/// A function is compiled when the machine was seen in it so often for each of its instructions, and so often at least.
/// It is looked at every 2,039 steps, which take about what it takes to compile an instruction: so no run takes twice
/// as long because of it.
const SEEN_PER_INSTRUCTION: usize = 1;
const SEEN_AT_LEAST: usize = 4;
/// Longer functions stay on the machine: while one is compiled, nobody looks whether the run was cancelled.
const MOST_INSTRUCTIONS: usize = 3000;

/// Machine code rests that was left so often since the machine was looked at last, each time after fewer steps than that,
/// at an instruction of its function that is the machine's: to begin and to leave takes longer than the machine for them.
const LEFT: u32 = 400;
pub const SHORT: u64 = 4;
/// How often the machine is looked at until it is tried again, which doubles each time. Numbers may be large, or
/// handlers others, for a while only.
const FIRST_REST: u32 = 16;
const LONGEST_REST: u32 = 1 << 16;

/// A function of the program.
pub struct Known {
    pub range: Range<usize>,
    pub parameters: u16,
    samples: usize,
    /// Whether it was compiled, or given up.
    done: bool,
    pub machine_code: Option<MachineCode>,
    /// How often it was left after a short stay since the machine was looked at last.
    left: Cell<u32>,
    /// For how many looks its machine code rests still, and for how many it would rest next.
    rests: u32,
    next_rest: u32,
}

/// Where the machine code of a function begins.
pub struct MachineCode {
    pub address: *const u8,
    pub entries: Vec<Entry>,
}

impl Known {
    /// Counts that the machine was seen there. Gives whether the function is to be compiled now.
    pub fn see(&mut self) -> bool {
        self.samples += 1;
        let enough = (self.range.len() * SEEN_PER_INSTRUCTION).max(SEEN_AT_LEAST);
        self.samples >= enough && self.try_once()
    }

    /// Gives whether the function can be compiled, the first time that somebody asks.
    pub fn try_once(&mut self) -> bool {
        !std::mem::replace(&mut self.done, true) && self.range.len() <= MOST_INSTRUCTIONS
    }

    /// Counts that machine code was left at an instruction of this function after a short stay. Gives whether it is the
    /// first time since [`Known::tire`] was asked.
    pub fn leave(&self) -> bool {
        if self.machine_code.is_none() || self.rests > 0 {
            return false;
        }
        let before = self.left.get();
        self.left.set(before + 1);
        before == 0
    }

    /// Counts anew. Gives whether its machine code is to rest now.
    pub fn tire(&mut self) -> bool {
        let tired = self.left.take() >= LEFT;
        if tired {
            self.rests = self.next_rest;
            self.next_rest = (self.next_rest * 2).min(LONGEST_REST);
        }
        tired
    }

    /// Counts a look of its rest. Gives whether that is over.
    pub fn rest(&mut self) -> bool {
        self.rests = self.rests.saturating_sub(1);
        self.rests == 0
    }
}

/// The functions of a program by where they begin. Each lies between its beginning and that of the next.
pub fn functions(parts: &Parts<'_>) -> Vec<Known> {
    let mut all: Vec<&Function> = parts.functions.iter().collect();
    all.sort_by_key(|function| function.pc);
    all.dedup_by_key(|function| function.pc);
    let ends = all.iter().skip(1).map(|f| f.pc as usize);
    let ends: Vec<usize> = ends.chain([parts.instrs.len()]).collect();
    let ranges = all.iter().zip(ends);
    ranges
        .map(|(function, end)| Known {
            range: function.pc as usize..end,
            parameters: function.parameters,
            samples: 0,
            done: false,
            machine_code: None,
            left: Cell::default(),
            rests: 0,
            next_rest: FIRST_REST,
        })
        .collect()
}
