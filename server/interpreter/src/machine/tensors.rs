//! Whole operations on arrays of floats, within the limits.

use frank_core::Builtin;
use frank_staging::Binary;

use super::Machine;
use super::arrays::room;
use super::staged::unknown;
use crate::arrays::Items;
use crate::error::{RunErrorKind, Stop};
use crate::tensors::{Kernel, Operation};
use crate::value::Value;

/// So many numbers that are computed count as one step.
const NUMBERS: usize = 16;

impl Machine<'_> {
    /// An operator of `ad-tensor`. Its arguments are looked at only.
    pub(super) fn tensor(
        &mut self,
        builtin: Builtin,
        args: [Value; Builtin::MOST_ARGUMENTS],
    ) -> Result<Value, Box<Stop>> {
        let kernel = self.kernel(builtin, args)?;
        let (size, cost) = (kernel.size(), kernel.cost());
        self.begin_array(size)?;
        self.owed += (cost / NUMBERS) as u64;
        let mut out: Vec<f64> = room(size)?;
        out.resize(size, 0.0);
        let mut stopped = None;
        // Looked at once more: to make room may have taken objects apart.
        let ended = self.kernel(builtin, args)?.run(&mut out, &mut || {
            stopped = self.check_limits().err();
            stopped.is_none()
        });
        match (ended, stopped) {
            (true, _) => Ok(self.heap.array(Items::Floats(out))?),
            (false, Some(stop)) => Err(stop),
            (false, None) => {
                let message = "a product that is no matrix";
                Err(Stop::new(RunErrorKind::Internal, message))
            }
        }
    }

    fn kernel(
        &self,
        builtin: Builtin,
        [a, b, c]: [Value; Builtin::MOST_ARGUMENTS],
    ) -> Result<Kernel<'_>, Box<Stop>> {
        let (operation, xs) = match builtin {
            Builtin::MapFloats => (Operation::Map(self.unary(a)?), b),
            Builtin::ZipFloats => {
                let binary = Binary::named(self.name_of(a)).ok_or_else(unknown)?;
                (Operation::Zip(binary, self.floats(c)), b)
            }
            Builtin::ProductFloats => {
                let inner = self.heap.as_int(a);
                (Operation::Product(inner, self.floats(c)), b)
            }
            Builtin::StretchFloats => (Operation::Stretch(self.ints(a), self.ints(b)), c),
            Builtin::SumFloats => (Operation::Sum(self.ints(a), self.ints(b)), c),
            Builtin::PermuteFloats => (Operation::Permute(self.ints(a), self.ints(b)), c),
            Builtin::GatherFloats => {
                let width = self.heap.as_int(a);
                (Operation::Gather(width, self.positions(b)), c)
            }
            _ => {
                let size = self.heap.as_int(a);
                (Operation::Scatter(size, self.positions(b)), c)
            }
        };
        let wrong = |what| {
            let message = format!("`{}`: {what}", builtin.name());
            Stop::new(RunErrorKind::Failed, message)
        };
        Kernel::new(operation, self.floats(xs)).map_err(wrong)
    }

    /// The numbers of an array of floats.
    fn floats(&self, array: Value) -> &[f64] {
        match self.heap.items(array) {
            Items::Floats(items) => items,
            Items::Ints(_) | Items::Values(_) => &[],
        }
    }

    fn positions(&self, array: Value) -> &[i64] {
        match self.heap.items(array) {
            Items::Ints(items) => items,
            Items::Floats(_) | Items::Values(_) => &[],
        }
    }

    fn ints(&self, list: Value) -> Vec<i64> {
        self.items(list)
            .map(|item| self.heap.as_int(item))
            .collect()
    }
}
