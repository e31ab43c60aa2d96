//! Whole operations on arrays of floats, as the machine computes them.

use frank_core::{Builtin, TermId};
use frank_interpreter::RunErrorKind;
use frank_interpreter::tensors::{Kernel, Operation};
use frank_staging::Binary;

use crate::arrays::MOST;
use crate::rules::{Semantics, Stuck};
use crate::state::Value;

impl Semantics<'_> {
    /// An operator of `ad-tensor`.
    pub(crate) fn tensor(
        &mut self,
        term: TermId,
        builtin: Builtin,
        args: &[Value],
    ) -> Result<Value, Stuck> {
        let computed = self.computed(builtin, args);
        match computed.ok_or_else(|| self.meaningless(term))? {
            Ok(numbers) => Ok(self.array_of(numbers.into_iter().map(Value::Float).collect())),
            Err(what) => {
                let message = format!("`{}`: {what}", builtin.name());
                Err(self.stuck(term, RunErrorKind::Failed, message))
            }
        }
    }

    /// The numbers of the result, or what is wrong; `None` if these are other values.
    fn computed(&self, builtin: Builtin, args: &[Value]) -> Option<Result<Vec<f64>, String>> {
        let (first, last) = (*args.first()?, *args.last()?);
        let second = *args.get(1)?;
        let (ys, at);
        let (operation, xs) = match builtin {
            Builtin::MapFloats => (Operation::Map(self.unary(first)?), second),
            Builtin::ZipFloats => {
                ys = self.floats(last)?;
                let binary = Binary::named(self.taken_apart(first)?.0)?;
                (Operation::Zip(binary, &ys), second)
            }
            Builtin::ProductFloats => {
                ys = self.floats(last)?;
                (Operation::Product(int(first)?, &ys), second)
            }
            Builtin::StretchFloats => (
                Operation::Stretch(self.ints(first)?, self.ints(second)?),
                last,
            ),
            Builtin::SumFloats => (Operation::Sum(self.ints(first)?, self.ints(second)?), last),
            Builtin::PermuteFloats => (
                Operation::Permute(self.ints(first)?, self.ints(second)?),
                last,
            ),
            Builtin::GatherFloats => {
                at = self.positions(second)?;
                (Operation::Gather(int(first)?, &at), last)
            }
            _ => {
                at = self.positions(second)?;
                (Operation::Scatter(int(first)?, &at), last)
            }
        };
        let xs = self.floats(xs)?;
        let kernel = match Kernel::new(operation, &xs) {
            Ok(kernel) if kernel.cost() as u64 <= MOST as u64 => kernel,
            Ok(_) => return Some(Err("more numbers than can be stepped through".to_owned())),
            Err(what) => return Some(Err(what)),
        };
        let mut out = vec![0.0; kernel.size()];
        kernel.run(&mut out, &mut || true);
        Some(Ok(out))
    }

    fn floats(&self, array: Value) -> Option<Vec<f64>> {
        let items = self.array_items(array)?.iter().map(|item| match item {
            Value::Float(x) => Some(*x),
            _ => None,
        });
        items.collect()
    }

    fn positions(&self, array: Value) -> Option<Vec<i64>> {
        self.array_items(array)?.iter().copied().map(int).collect()
    }

    fn ints(&self, list: Value) -> Option<Vec<i64>> {
        self.items(list).into_iter().map(int).collect()
    }

    fn array_items(&self, array: Value) -> Option<&[Value]> {
        match array {
            Value::Array(id) => Some(&self.store.data[id].args),
            _ => None,
        }
    }
}

fn int(value: Value) -> Option<i64> {
    match value {
        Value::Int(i) => Some(i),
        _ => None,
    }
}
