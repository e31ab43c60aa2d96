//! Which registers hold something at a point of a function.

use super::ir::Var;
use crate::code::{NOWHERE, Reg};

/// A set of registers.
#[derive(Clone, Debug, Default)]
struct Bits(Vec<u64>);

impl Bits {
    fn contains(&self, r: Reg) -> bool {
        self.0
            .get(r as usize / 64)
            .is_some_and(|w| w >> (r % 64) & 1 == 1)
    }

    fn set(&mut self, r: Reg, value: bool) {
        let word = r as usize / 64;
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        if let Some(w) = self.0.get_mut(word) {
            *w = (*w & !(1 << (r % 64))) | ((value as u64) << (r % 64));
        }
    }

    fn word(&self, i: usize) -> u64 {
        self.0.get(i).copied().unwrap_or(0)
    }
}

/// The registers in use, as offsets from the function's first one.
#[derive(Clone, Debug, Default)]
pub(super) struct Registers {
    taken: Bits,
    /// Kept for the parameters of joins; only those who jump there write them.
    reserved: Bits,
}

impl Registers {
    pub fn with_reserved_of(other: &Registers) -> Registers {
        Registers {
            taken: Bits::default(),
            reserved: other.reserved.clone(),
        }
    }

    pub fn take(&mut self, r: Reg) {
        self.taken.set(r, true);
    }

    pub fn release(&mut self, r: Reg) {
        self.taken.set(r, false);
    }

    pub fn reserve(&mut self, r: Reg) {
        self.reserved.set(r, true);
    }

    pub fn is_taken(&self, r: Reg) -> bool {
        self.taken.contains(r)
    }

    pub fn is_reserved(&self, r: Reg) -> bool {
        self.reserved.contains(r)
    }

    /// The lowest register that is neither taken nor reserved.
    pub fn lowest(&self) -> Reg {
        let mut i = 0;
        loop {
            let word = self.taken.word(i) | self.reserved.word(i);
            if word != u64::MAX {
                return (i * 64) as Reg + word.trailing_ones() as Reg;
            }
            i += 1;
        }
    }
}

/// The register of every variable that has one, as an offset.
#[derive(Clone, Debug)]
pub(super) struct Assignment(Vec<Reg>);

impl Assignment {
    pub fn new(variables: usize) -> Assignment {
        Assignment(vec![NOWHERE; variables])
    }

    pub fn get(&self, v: Var) -> Option<Reg> {
        self.0.get(v as usize).copied().filter(|r| *r != NOWHERE)
    }

    pub fn set(&mut self, v: Var, r: Reg) {
        if let Some(slot) = self.0.get_mut(v as usize) {
            *slot = r;
        }
    }
}
