//! Integers and floats.
//!
//! Integers are computed at the top of a word, where what no word of the machine holds overflows. That, and what
//! fails, is left to the machine.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, Value, types};
use frank_core::{Arithmetic, Builtin};
use frank_interpreter::backend::{Instr, Operand, Reg, Test};

use super::Lower;
use super::registers::SHIFT;
use crate::runtime;

impl Lower<'_, '_, '_> {
    fn int_operand(&mut self, pc: usize, operand: Operand) -> Value {
        self.int(pc, operand.register() as Reg)
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
            Instr::AddInt { to, a, b } => return self.arithmetic(pc, Arithmetic::Add, to, a, b),
            Instr::SubtractInt { to, a, b } => {
                return self.arithmetic(pc, Arithmetic::Subtract, to, a, b);
            }
            Instr::IntArithmetic { operator, to, a, b } => {
                return self.arithmetic(pc, operator, to, a, b);
            }
            Instr::NegateInt { to, a } => {
                let a = self.int_operand(pc, a);
                let zero = self.builder.ins().iconst(types::I64, 0);
                let (result, overflows) = self.builder.ins().ssub_overflow(zero, a);
                self.exit_if(overflows, pc);
                return self.define_int(pc, to, result);
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
            Instr::Builtin {
                builtin: Builtin::CharToInt,
                to,
                args: [a, ..],
            } => {
                let a = self.word(pc, a.register() as Reg);
                let a = self.builder.ins().band_imm_s(a, 0xFFFF_FFFF);
                let a = self.builder.ins().ishl_imm_s(a, SHIFT);
                return self.define_int(pc, to, a);
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

    fn arithmetic(&mut self, pc: usize, operator: Arithmetic, to: Reg, a: Operand, b: Operand) {
        let (a, b) = (self.int_operand(pc, a), self.int_operand(pc, b));
        let result = match operator {
            Arithmetic::Add => {
                let (sum, overflows) = self.builder.ins().sadd_overflow(a, b);
                self.exit_if(overflows, pc);
                sum
            }
            Arithmetic::Subtract => {
                let (difference, overflows) = self.builder.ins().ssub_overflow(a, b);
                self.exit_if(overflows, pc);
                difference
            }
            Arithmetic::Multiply => {
                let a = self.builder.ins().sshr_imm_s(a, SHIFT);
                let (product, overflows) = self.builder.ins().smul_overflow(a, b);
                self.exit_if(overflows, pc);
                product
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
                shifted
            }
        };
        self.define_int(pc, to, result);
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
