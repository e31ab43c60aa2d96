//! Graphs of staged programs: some operations of one as machine code, without a branch.

use std::collections::HashMap;
use std::ops::Range;

use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{AbiParam, InstBuilder, MemFlagsData, Signature, Value, types};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::JITModule;
use cranelift_module::{FuncId, Linkage, Module};
use frank_interpreter::backend::{Binary, Flat, GraphCode, Step, Unary, value1, value2};

use crate::target::{self, OwnModule};

/// To compile an operation takes about as long as to compute it so often.
pub const WORTH: u64 = 500;

/// Operations of a graph as machine code.
pub struct Part {
    /// Whose code it is.
    _module: OwnModule,
    code: unsafe extern "C" fn(*mut f64),
    /// How many numbers the array has.
    numbers: usize,
}

impl GraphCode for Part {
    fn compute(&self, numbers: &mut [f64]) -> bool {
        if numbers.len() != self.numbers {
            return false;
        }
        // SAFETY: the code was made for an array with so many numbers, and reads and writes those alone.
        unsafe { (self.code)(numbers.as_mut_ptr()) };
        true
    }
}

impl Part {
    /// Compiles some operations. `None` where there is no machine code for this processor, or no memory for it.
    pub fn new(flat: &Flat, operations: Range<usize>) -> Option<Part> {
        let mut jit = target::jit()?;
        for (unary, function) in FUNCTIONS {
            jit.symbol(unary.constructor(), *function as *const u8);
        }
        jit.symbol("pow", pow as *const u8);
        let mut module = OwnModule::new(jit);
        let function = write(&mut module, flat, operations)?;
        module.finalize_definitions().ok()?;
        let address = module.get_finalized_function(function);
        // SAFETY: the address is that of the function just written, whose signature is this one.
        let code =
            unsafe { std::mem::transmute::<*const u8, unsafe extern "C" fn(*mut f64)>(address) };
        Some(Part {
            _module: module,
            code,
            numbers: flat.size(),
        })
    }
}

fn write(module: &mut JITModule, flat: &Flat, operations: Range<usize>) -> Option<FuncId> {
    let mut signature = module.make_signature();
    signature.params.push(AbiParam::new(types::I64));
    let function = module.declare_anonymous_function(&signature).ok()?;
    let mut codegen = module.make_context();
    codegen.func.signature = signature;
    let mut context = FunctionBuilderContext::new();
    let mut builder = FunctionBuilder::new(&mut codegen.func, &mut context);
    let block = builder.create_block();
    builder.append_block_params_for_function_params(block);
    builder.switch_to_block(block);
    let array = *builder.block_params(block).first()?;
    let mut writer = Writer {
        builder,
        module,
        array,
        known: HashMap::new(),
        functions: HashMap::new(),
    };
    let first = flat.inputs() + operations.start;
    let steps = flat.steps().get(operations)?;
    for (place, step) in (first..).zip(steps) {
        let value = writer.step(*step)?;
        writer.store(place, value)?;
    }
    let mut builder = writer.builder;
    builder.ins().return_(&[]);
    builder.seal_all_blocks();
    builder.finalize(module.target_config());
    module.define_function(function, &mut codegen).ok()?;
    module.clear_context(&mut codegen);
    Some(function)
}

struct Writer<'f, 'm> {
    builder: FunctionBuilder<'f>,
    module: &'m mut JITModule,
    array: Value,
    /// Numbers of the array that were read or computed.
    known: HashMap<usize, Value>,
    /// The functions that are called.
    functions: HashMap<&'static str, cranelift_codegen::ir::FuncRef>,
}

impl Writer<'_, '_> {
    /// Where a number is, from the beginning of the array.
    fn offset(place: usize) -> Option<i32> {
        i32::try_from(place.checked_mul(size_of::<f64>())?).ok()
    }

    fn load(&mut self, place: u32) -> Option<Value> {
        let place = place as usize;
        if let Some(value) = self.known.get(&place) {
            return Some(*value);
        }
        let (array, offset) = (self.array, Self::offset(place)?);
        let flags = MemFlagsData::trusted();
        let value = self.builder.ins().load(types::F64, flags, array, offset);
        self.known.insert(place, value);
        Some(value)
    }

    fn store(&mut self, place: usize, value: Value) -> Option<()> {
        let (array, offset) = (self.array, Self::offset(place)?);
        let flags = MemFlagsData::trusted();
        self.builder.ins().store(flags, value, array, offset);
        self.known.insert(place, value);
        Some(())
    }

    fn number(&mut self, number: f64) -> Value {
        self.builder.ins().f64const(number)
    }

    /// One of two values, by a comparison that does not hold of what is no number.
    fn choose(
        &mut self,
        code: FloatCC,
        (x, y): (Value, Value),
        (yes, no): (Value, Value),
    ) -> Value {
        let holds = self.builder.ins().fcmp(code, x, y);
        self.builder.ins().select(holds, yes, no)
    }

    /// As [`value1`] and [`value2`] have it.
    fn step(&mut self, step: Step) -> Option<Value> {
        match step {
            Step::One(unary, x) => {
                let x = self.load(x)?;
                self.one(unary, x)
            }
            Step::Two(binary, x, y) => {
                let (x, y) = (self.load(x)?, self.load(y)?);
                self.two(binary, x, y)
            }
        }
    }

    fn one(&mut self, unary: Unary, x: Value) -> Option<Value> {
        let zero = self.number(0.0);
        Some(match unary {
            Unary::Negate => self.builder.ins().fneg(x),
            Unary::Recip => {
                let one = self.number(1.0);
                self.builder.ins().fdiv(one, x)
            }
            Unary::Sqrt => self.builder.ins().sqrt(x),
            Unary::Abs => self.builder.ins().fabs(x),
            Unary::Relu => self.choose(FloatCC::LessThanOrEqual, (x, zero), (zero, x)),
            Unary::Sign => {
                let (one, less) = (self.number(1.0), self.number(-1.0));
                let below = self.choose(FloatCC::LessThan, (x, zero), (less, x));
                self.choose(FloatCC::GreaterThan, (x, zero), (one, below))
            }
            Unary::Step => {
                let one = self.number(1.0);
                let below = self.choose(FloatCC::LessThanOrEqual, (x, zero), (zero, x));
                self.choose(FloatCC::GreaterThan, (x, zero), (one, below))
            }
            Unary::Positive => {
                let one = self.number(1.0);
                self.choose(FloatCC::Equal, (x, zero), (one, x))
            }
            // They are operations of two operands here.
            Unary::PowInt(_) | Unary::PowReal(_) => return None,
            _ => {
                let (known, _) = FUNCTIONS.iter().find(|(known, _)| *known == unary)?;
                self.call(known.constructor(), &[x])?
            }
        })
    }

    fn two(&mut self, binary: Binary, x: Value, y: Value) -> Option<Value> {
        Some(match binary {
            Binary::Plus => self.builder.ins().fadd(x, y),
            Binary::Minus => self.builder.ins().fsub(x, y),
            Binary::Times => self.builder.ins().fmul(x, y),
            Binary::Divide => self.builder.ins().fdiv(x, y),
            Binary::Pow => self.call("pow", &[x, y])?,
            Binary::Min => {
                let none = self.builder.ins().fadd(x, y);
                let other = self.choose(FloatCC::GreaterThanOrEqual, (x, y), (y, none));
                self.choose(FloatCC::LessThan, (x, y), (x, other))
            }
            Binary::Max => {
                let none = self.builder.ins().fadd(x, y);
                let other = self.choose(FloatCC::LessThanOrEqual, (x, y), (y, none));
                self.choose(FloatCC::GreaterThan, (x, y), (x, other))
            }
            Binary::Above => {
                let none = self.builder.ins().fadd(x, y);
                let (zero, half, one) = (self.number(0.0), self.number(0.5), self.number(1.0));
                let equal = self.choose(FloatCC::Equal, (x, y), (half, none));
                let below = self.choose(FloatCC::LessThan, (x, y), (zero, equal));
                self.choose(FloatCC::GreaterThan, (x, y), (one, below))
            }
            Binary::Scale => {
                let zero = self.number(0.0);
                let scaled = self.builder.ins().fmul(x, y);
                self.choose(FloatCC::Equal, (x, zero), (zero, scaled))
            }
        })
    }

    fn call(&mut self, name: &'static str, arguments: &[Value]) -> Option<Value> {
        let function = match self.functions.get(name) {
            Some(function) => *function,
            None => {
                let signature = self.of_floats(arguments.len());
                let declared = self
                    .module
                    .declare_function(name, Linkage::Import, &signature);
                let function = declared.ok()?;
                let function = self
                    .module
                    .declare_func_in_func(function, self.builder.func);
                self.functions.insert(name, function);
                function
            }
        };
        let call = self.builder.ins().call(function, arguments);
        self.builder.inst_results(call).first().copied()
    }

    fn of_floats(&self, arguments: usize) -> Signature {
        let mut signature = self.module.make_signature();
        let arguments = std::iter::repeat_n(AbiParam::new(types::F64), arguments);
        signature.params.extend(arguments);
        signature.returns.push(AbiParam::new(types::F64));
        signature
    }
}

extern "C" fn pow(x: f64, y: f64) -> f64 {
    value2(Binary::Pow, x, y)
}

/// Functions with the calling convention of C for operations of one operand.
macro_rules! functions {
    ($($unary:ident $name:ident),*) => {
        $(
            extern "C" fn $name(x: f64) -> f64 {
                value1(Unary::$unary, x)
            }
        )*

        const FUNCTIONS: &[(Unary, extern "C" fn(f64) -> f64)] = &[$((Unary::$unary, $name)),*];
    };
}

functions! {
    Exp exp, Log log, Sin sin, Cos cos, Tan tan, Asin asin, Acos acos, Atan atan, Sinh sinh, Cosh cosh, Tanh tanh,
    Sigmoid sigmoid, Softplus softplus
}

#[cfg(test)]
mod tests {
    use super::*;
    use frank_staging::{Graph, Line, Operand};

    const NUMBERS: [f64; 15] = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        -2.5,
        3.0,
        1e-310,
        -1e300,
        1e300,
        f64::MAX,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        std::f64::consts::PI,
    ];

    /// All operations of a graph with two inputs that has each of them.
    fn all() -> Flat {
        let (x, y) = (Operand::Input(0), Operand::Input(1));
        let ones = [Unary::PowInt(3), Unary::PowReal(0.5)].into_iter();
        let ones = ones.chain(Unary::PLAIN);
        let ones = ones.map(|one| Line::One(one, x));
        let twos = Binary::ALL.into_iter().map(|two| Line::Two(two, x, y));
        let mut lines: Vec<Line> = ones.chain(twos).collect();
        // Each needs another one, and a number.
        for i in 0..lines.len() {
            lines.push(Line::Two(
                Binary::Times,
                Operand::Line(i),
                Operand::Number(0.25),
            ));
        }
        let results = (0..lines.len()).map(Operand::Line).collect();
        let graph = Graph::new(2, 0, lines, results).expect("a graph");
        Flat::new(&graph).expect("it is small")
    }

    /// What is no number is one thing, whatever its bits.
    fn bits(numbers: &[f64]) -> Vec<u64> {
        let bits = |x: &f64| if x.is_nan() { u64::MAX } else { x.to_bits() };
        numbers.iter().map(bits).collect()
    }

    #[test]
    fn machine_code_computes_what_the_loop_does() {
        let mut flat = all();
        let count = flat.operations();
        for size in [count, 7, 1] {
            let starts = (0..count).step_by(size);
            let part = |start| Part::new(&flat, start..count.min(start + size)).expect("code");
            let parts: Vec<Part> = starts.map(part).collect();
            for x in NUMBERS {
                for y in NUMBERS {
                    flat.set(0, x);
                    flat.set(1, y);
                    flat.numbers()[2..2 + count].fill(7.0);
                    assert!(parts.iter().all(|part| part.compute(flat.numbers())));
                    let found = bits(flat.lines());
                    flat.compute();
                    assert_eq!(found, bits(flat.lines()), "{x:?} {y:?} by {size}");
                }
            }
        }
    }

    #[test]
    fn another_array_is_left_as_it_is() {
        let flat = all();
        let part = Part::new(&flat, 0..3).expect("code");
        let mut other = [1.0; 4];
        assert!(!part.compute(&mut other));
        assert_eq!(other, [1.0; 4]);
    }
}
