//! Integers and floats.
//!
//! An integer stays in its word. What no word holds, and what fails, is left to the machine.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, Value, types};
use frank_core::{Arithmetic, Builtin};
use frank_interpreter::backend::{Instr, Operand, Reg, Test, Value as Word};

use super::Lower;
use crate::runtime;

/// The bits by which a word says that it is an integer, and the first word above all such.
const INT: u64 = Word::INT_BITS;
const ABOVE_INT: u64 = INT + (1 << 48);
/// By how many bits an integer lies above the bottom when its word is shifted to the top.
const SHIFT: i64 = 16;

/// Whether a built-in operator is computed here.
pub fn computes(builtin: Builtin) -> bool {
    matches!(
        builtin,
        Builtin::Sqrt
            | Builtin::Abs
            | Builtin::Pow
            | Builtin::IsNaN
            | Builtin::EqualChars
            | Builtin::ToFloat
            | Builtin::CharToInt
    ) || runtime::address_of(builtin).is_some()
}

impl Lower<'_, '_, '_> {
    /// An integer at the top of a word; the instruction is left to the machine where none fits.
    fn int(&mut self, pc: usize, r: Reg) -> Value {
        if let Some(word) = self.constant(r) {
            let shifted = (word << SHIFT) as i64;
            return self.builder.ins().iconst(types::I64, shifted);
        }
        let word = self.word(pc, r);
        let above = ABOVE_INT as i64;
        let fits = self
            .builder
            .ins()
            .icmp_imm_s(IntCC::UnsignedLessThan, word, above);
        self.unless(fits, pc);
        self.builder.ins().ishl_imm_s(word, SHIFT)
    }

    fn int_operand(&mut self, pc: usize, operand: Operand) -> Value {
        self.int(pc, operand.register() as Reg)
    }

    /// The word of an integer at the top of one.
    fn int_word(&mut self, shifted: Value) -> Value {
        let payload = self.builder.ins().ushr_imm_s(shifted, SHIFT);
        self.builder.ins().bor_imm_s(payload, INT as i64)
    }

    fn truth(&mut self, holds: Value) -> Value {
        let words = self.parts.words;
        let yes = self.builder.ins().iconst(types::I64, words.true_.0 as i64);
        let no = self.builder.ins().iconst(types::I64, words.false_.0 as i64);
        self.builder.ins().select(holds, yes, no)
    }

    /// The test of a comparison.
    pub(super) fn test(&mut self, pc: usize, instr: Instr) -> Option<Value> {
        match instr {
            Instr::BranchInt { test, a, b, .. } | Instr::CompareInt { test, a, b, .. } => {
                let (a, b) = (self.int_operand(pc, a), self.int_operand(pc, b));
                let test = match test {
                    Test::Less => IntCC::SignedLessThan,
                    Test::LessEqual => IntCC::SignedLessThanOrEqual,
                    Test::Equal => IntCC::Equal,
                    Test::NotEqual => IntCC::NotEqual,
                };
                Some(self.builder.ins().icmp(test, a, b))
            }
            Instr::BranchFloat { test, a, b, .. } | Instr::CompareFloat { test, a, b, .. } => {
                let (a, b) = (self.float(pc, a), self.float(pc, b));
                let test = match test {
                    Test::Less => FloatCC::LessThan,
                    Test::LessEqual => FloatCC::LessThanOrEqual,
                    Test::Equal => FloatCC::Equal,
                    Test::NotEqual => FloatCC::NotEqual,
                };
                Some(self.builder.ins().fcmp(test, a, b))
            }
            _ => None,
        }
    }

    /// An instruction that computes a number, or a truth value of numbers.
    pub(super) fn number(&mut self, pc: usize, instr: Instr) {
        let (to, value) = match instr {
            Instr::AddInt { to, a, b } => (to, self.arithmetic(pc, Arithmetic::Add, a, b)),
            Instr::SubtractInt { to, a, b } => {
                (to, self.arithmetic(pc, Arithmetic::Subtract, a, b))
            }
            Instr::IntArithmetic { operator, to, a, b } => {
                (to, self.arithmetic(pc, operator, a, b))
            }
            Instr::NegateInt { to, a } => {
                let a = self.int_operand(pc, a);
                let zero = self.builder.ins().iconst(types::I64, 0);
                let (result, overflows) = self.builder.ins().ssub_overflow(zero, a);
                self.exit_if(overflows, pc);
                (to, self.int_word(result))
            }
            Instr::AddFloat { to, a, b } => {
                let (a, b) = (self.float(pc, a), self.float(pc, b));
                (to, self.builder.ins().fadd(a, b))
            }
            Instr::SubtractFloat { to, a, b } => {
                let (a, b) = (self.float(pc, a), self.float(pc, b));
                (to, self.builder.ins().fsub(a, b))
            }
            Instr::MultiplyFloat { to, a, b } => {
                let (a, b) = (self.float(pc, a), self.float(pc, b));
                (to, self.builder.ins().fmul(a, b))
            }
            Instr::DivideFloat { to, a, b } => {
                let (a, b) = (self.float(pc, a), self.float(pc, b));
                (to, self.builder.ins().fdiv(a, b))
            }
            Instr::NegateFloat { to, a } => {
                let a = self.float(pc, a);
                (to, self.builder.ins().fneg(a))
            }
            Instr::CompareInt { to, .. } | Instr::CompareFloat { to, .. } => {
                match self.test(pc, instr) {
                    Some(holds) => (to, self.truth(holds)),
                    None => return,
                }
            }
            Instr::Builtin { builtin, to, args } => {
                let [a, b, ..] = args;
                match self.builtin(pc, builtin, a.register() as Reg, b.register() as Reg) {
                    Some(value) => (to, value),
                    None => return,
                }
            }
            _ => return,
        };
        self.define(pc, to, value);
    }

    fn arithmetic(&mut self, pc: usize, operator: Arithmetic, a: Operand, b: Operand) -> Value {
        let (a, b) = (self.int_operand(pc, a), self.int_operand(pc, b));
        match operator {
            Arithmetic::Add => {
                let (sum, overflows) = self.builder.ins().sadd_overflow(a, b);
                self.exit_if(overflows, pc);
                self.int_word(sum)
            }
            Arithmetic::Subtract => {
                let (difference, overflows) = self.builder.ins().ssub_overflow(a, b);
                self.exit_if(overflows, pc);
                self.int_word(difference)
            }
            Arithmetic::Multiply => {
                let a = self.builder.ins().sshr_imm_s(a, SHIFT);
                let (product, overflows) = self.builder.ins().smul_overflow(a, b);
                self.exit_if(overflows, pc);
                self.int_word(product)
            }
            Arithmetic::Divide => {
                let a = self.builder.ins().sshr_imm_s(a, SHIFT);
                let b = self.builder.ins().sshr_imm_s(b, SHIFT);
                self.unless(b, pc);
                let quotient = self.builder.ins().sdiv(a, b);
                let shifted = self.builder.ins().ishl_imm_s(quotient, SHIFT);
                let back = self.builder.ins().sshr_imm_s(shifted, SHIFT);
                let fits = self.builder.ins().icmp(IntCC::Equal, back, quotient);
                self.unless(fits, pc);
                self.int_word(shifted)
            }
        }
    }

    fn builtin(&mut self, pc: usize, builtin: Builtin, a: Reg, b: Reg) -> Option<Value> {
        Some(match builtin {
            Builtin::Sqrt => {
                let a = self.float(pc, a);
                let root = self.builder.ins().sqrt(a);
                self.one_nan(root)
            }
            Builtin::Abs => {
                let a = self.float(pc, a);
                let absolute = self.builder.ins().fabs(a);
                self.one_nan(absolute)
            }
            Builtin::Pow => {
                let (a, b) = (self.float(pc, a), self.float(pc, b));
                let call = self.builder.ins().call(self.callees.pow, &[a, b]);
                self.builder.inst_results(call).first().copied()?
            }
            Builtin::IsNaN => {
                let a = self.float(pc, a);
                let holds = self.builder.ins().fcmp(FloatCC::Unordered, a, a);
                self.truth(holds)
            }
            Builtin::EqualChars => {
                let (a, b) = (self.word(pc, a), self.word(pc, b));
                let holds = self.builder.ins().icmp(IntCC::Equal, a, b);
                self.truth(holds)
            }
            Builtin::ToFloat => {
                let a = self.int(pc, a);
                let a = self.builder.ins().sshr_imm_s(a, SHIFT);
                self.builder.ins().fcvt_from_sint(types::F64, a)
            }
            Builtin::CharToInt => {
                let a = self.word(pc, a);
                let a = self.builder.ins().band_imm_s(a, 0xFFFF_FFFF);
                self.builder.ins().bor_imm_s(a, INT as i64)
            }
            other => {
                let address = runtime::address_of(other)?;
                let a = self.float(pc, a);
                let address = self.builder.ins().iconst(types::I64, address as i64);
                let call = self
                    .builder
                    .ins()
                    .call_indirect(self.callees.float, address, &[a]);
                self.builder.inst_results(call).first().copied()?
            }
        })
    }

    /// All NaNs of functions are one.
    fn one_nan(&mut self, x: Value) -> Value {
        let nan = self.builder.ins().f64const(f64::NAN);
        let holds = self.builder.ins().fcmp(FloatCC::Unordered, x, x);
        self.builder.ins().select(holds, nan, x)
    }
}
