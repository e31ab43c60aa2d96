//! Registers: what they hold, in which form, and how it is given from one to another.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, MemFlagsData, Type, Value, types};
use cranelift_frontend::Variable;
use frank_interpreter::backend::{CONSTANTS, NOWHERE, Operand, Reg, Value as Word};

use super::Lower;
use crate::operands::is_constant;
use crate::webs::{Form, Kind, Web};

/// The bits by which a word says that it is an integer.
const INT: u64 = Word::INT_BITS;
/// Where those bits begin.
const ABOVE: i64 = 48;
/// By how many bits an integer lies above the bottom when its word is shifted to the top.
pub(super) const SHIFT: i64 = 16;

fn is_int(word: u64) -> bool {
    word >> ABOVE == INT >> ABOVE
}

impl Lower<'_, '_, '_> {
    pub(super) fn variable(&mut self, web: Web, kind: Kind) -> (Variable, Type) {
        if let Some(known) = self.variables.get(&web) {
            return *known;
        }
        let ty = match kind.form() {
            Form::Float => types::F64,
            Form::Word | Form::Int => types::I64,
        };
        let variable = self.builder.declare_var(ty);
        self.variables.insert(web, (variable, ty));
        (variable, ty)
    }

    /// A constant's word.
    pub(super) fn constant(&self, r: Reg) -> Option<u64> {
        if !is_constant(r) {
            return None;
        }
        let index = (r - CONSTANTS) as usize;
        self.parts.constants.get(index).map(|value| value.0)
    }

    /// The value of a register in the form that it is kept in, and whether it surely points to nothing.
    fn kept(&mut self, pc: usize, r: Reg) -> (Value, Form, bool) {
        if let Some(word) = self.constant(r) {
            let word = self.builder.ins().iconst(types::I64, word as i64);
            return (word, Form::Word, false);
        }
        match self.webs.before(pc, r) {
            Some((web, kind)) => {
                let (variable, _) = self.variable(web, kind);
                let value = self.builder.use_var(variable);
                (value, kind.form(), kind.is_number())
            }
            None => (self.builder.ins().iconst(types::I64, 0), Form::Word, false),
        }
    }

    /// The word in a register, in the type that it is kept in, and whether it surely points to nothing.
    pub(super) fn raw(&mut self, pc: usize, r: Reg) -> (Value, bool) {
        match self.kept(pc, r) {
            (int, Form::Int, is_number) => (self.int_word(int), is_number),
            (value, _, is_number) => (value, is_number),
        }
    }

    pub(super) fn as_type(&mut self, value: Value, ty: Type) -> Value {
        match self.builder.func.dfg.value_type(value) == ty {
            true => value,
            false => self.builder.ins().bitcast(ty, MemFlagsData::new(), value),
        }
    }

    /// The word in a register.
    pub(super) fn word(&mut self, pc: usize, r: Reg) -> Value {
        let (value, _) = self.raw(pc, r);
        self.as_type(value, types::I64)
    }

    /// Whether a register holds a word.
    pub(super) fn is_word(&mut self, pc: usize, r: Reg, word: u64) -> Value {
        let (value, key) = match self.kept(pc, r) {
            (int, Form::Int, _) if is_int(word) => (int, word << SHIFT),
            _ => (self.word(pc, r), word),
        };
        self.builder
            .ins()
            .icmp_imm_s(IntCC::Equal, value, key as i64)
    }

    /// The float in a register.
    pub(super) fn float(&mut self, pc: usize, r: Reg) -> Value {
        if let Some(word) = self.constant(r) {
            return self.builder.ins().f64const(f64::from_bits(word));
        }
        let (value, _) = self.raw(pc, r);
        self.as_type(value, types::F64)
    }

    /// The integer in a register, at the top of a word; the instruction is left to the machine where none fits.
    pub(super) fn int(&mut self, pc: usize, r: Reg) -> Value {
        match (self.constant(r), self.kept(pc, r)) {
            (Some(word), _) if is_int(word) => {
                let shifted = (word << SHIFT) as i64;
                self.builder.ins().iconst(types::I64, shifted)
            }
            (_, (int, Form::Int, _)) => int,
            _ => {
                let word = self.word(pc, r);
                let exit = self.exit(pc);
                self.int_of_any(word, exit)
            }
        }
    }

    /// The same of a word that may be anything; goes elsewhere where it is no integer.
    pub(super) fn int_of_any(&mut self, word: Value, otherwise: Block) -> Value {
        let tag = self.builder.ins().ushr_imm_s(word, ABOVE);
        let tags = (INT >> ABOVE) as i64;
        let fits = self.builder.ins().icmp_imm_s(IntCC::Equal, tag, tags);
        self.or_else(fits, otherwise);
        self.builder.ins().ishl_imm_s(word, SHIFT)
    }

    /// The word of an integer at the top of one.
    fn int_word(&mut self, shifted: Value) -> Value {
        let payload = self.builder.ins().ushr_imm_s(shifted, SHIFT);
        self.builder.ins().bor_imm_s(payload, INT as i64)
    }

    /// What an operand gives away, counted if it is needed again. In the type that it is kept in.
    pub(super) fn take(&mut self, pc: usize, operand: Operand) -> Value {
        let r = operand.register() as Reg;
        let (value, is_number) = self.raw(pc, r);
        if operand.flag() && !is_number && self.constant(r).is_none() {
            let word = self.as_type(value, types::I64);
            self.dup(word);
        }
        value
    }

    /// Gives a register what another one has.
    pub(super) fn copy(&mut self, pc: usize, to: Reg, from: Operand) {
        match self.webs.behind(pc, to) {
            Some((web, kind)) if kind.form() == Form::Int => {
                let value = self.int(pc, from.register() as Reg);
                self.set_int(web, kind, value);
            }
            _ => {
                let value = self.take(pc, from);
                self.define(pc, to, value);
            }
        }
    }

    /// Gives a register the word that an instruction makes.
    pub(super) fn define(&mut self, pc: usize, r: Reg, value: Value) {
        if let Some((web, kind)) = self.defined(pc, r) {
            self.set(web, kind, value);
        }
    }

    /// The same with an integer at the top of a word.
    pub(super) fn define_int(&mut self, pc: usize, r: Reg, value: Value) {
        if let Some((web, kind)) = self.defined(pc, r) {
            self.set_int(web, kind, value);
        }
    }

    /// The web that a register is of behind an instruction that defines it, if anybody reads it.
    fn defined(&mut self, pc: usize, r: Reg) -> Option<(Web, Kind)> {
        match r {
            NOWHERE => None,
            r => self.webs.behind(pc, r),
        }
    }

    /// Gives a web a word. It is none of integers: those are given their values by [`Lower::set_int`].
    pub(super) fn set(&mut self, web: Web, kind: Kind, value: Value) {
        debug_assert_ne!(kind.form(), Form::Int, "a word is not what is kept");
        let (variable, ty) = self.variable(web, kind);
        let value = self.as_type(value, ty);
        self.builder.def_var(variable, value);
    }

    /// Gives a web an integer that is at the top of a word.
    pub(super) fn set_int(&mut self, web: Web, kind: Kind, value: Value) {
        if kind.form() == Form::Int {
            let (variable, _) = self.variable(web, kind);
            self.builder.def_var(variable, value);
        } else {
            let word = self.int_word(value);
            self.set(web, kind, word);
        }
    }
}
