//! What the machine does with arrays.
#![allow(clippy::indexing_slicing)] // Positions are compared with sizes first.

use std::ops::Range;

use super::Machine;
use crate::arrays::{ITEM_BYTES, Items, Kind, no_item, no_part, no_size, part};
use crate::code::Instr;
use crate::error::{RunErrorKind, Stop};
use crate::heap::OutOfMemory;
use crate::value::Value;

/// So many items that an operation goes over count as one step.
const ITEMS: usize = 16;

/// An array without items, with room for so many.
pub(super) fn room<T>(size: usize) -> Result<Vec<T>, OutOfMemory> {
    let mut items = Vec::new();
    items.try_reserve_exact(size).map_err(|_| OutOfMemory)?;
    Ok(items)
}

impl Machine<'_> {
    /// An array of the items of a list, which is looked at only.
    pub(super) fn array_of(&mut self, list: Value) -> Result<Value, Box<Stop>> {
        let size = self.length(list);
        self.begin_array(size)?;
        let kind = match list.is_constructed() {
            true => Kind::of(self.heap.get(list.handle(), 0)),
            false => Kind::Value,
        };
        let (mut floats, mut ints, mut values) = (Vec::new(), Vec::new(), Vec::new());
        match kind {
            Kind::Float => floats = room(size)?,
            Kind::Int => ints = room(size)?,
            Kind::Value => values = room(size)?,
        }
        let mut rest = list;
        while rest.is_constructed() {
            let item = self.heap.get(rest.handle(), 0);
            match kind {
                Kind::Float => floats.push(item.as_float()),
                Kind::Int => ints.push(self.heap.as_int(item)),
                Kind::Value => values.push(self.heap.dup(item)),
            }
            rest = self.heap.get(rest.handle(), 1);
        }
        Ok(self.heap.array(match kind {
            Kind::Float => Items::Floats(floats),
            Kind::Int => Items::Ints(ints),
            Kind::Value => Items::Values(values),
        })?)
    }

    /// The items of an array as a list.
    pub(super) fn list_of(&mut self, array: Value) -> Result<Value, Box<Stop>> {
        let words = self.code.words;
        let size = self.heap.items(array).len();
        self.owed += (size / ITEMS) as u64;
        let mut list = words.nil;
        for i in (0..size).rev() {
            let item = self.item(array, i)?;
            let cell = self.heap.object(&[item, list], words.cons)?;
            list = Value::constructed(words.cons_tag, cell);
        }
        Ok(list)
    }

    /// The item at a position that there is.
    fn item(&mut self, array: Value, position: usize) -> Result<Value, OutOfMemory> {
        match self.heap.items(array) {
            Items::Floats(items) => Ok(Value::float(items[position])),
            Items::Ints(items) => {
                let item = items[position];
                self.heap.int(item)
            }
            Items::Values(items) => {
                let item = items[position];
                Ok(self.heap.dup(item))
            }
        }
    }

    fn position(&self, operator: &str, index: Value, array: Value) -> Result<usize, Box<Stop>> {
        let index = self.heap.as_int(index);
        let size = self.heap.items(array).len();
        match usize::try_from(index).ok().filter(|i| *i < size) {
            Some(position) => Ok(position),
            None => {
                let message = no_item(operator, index, size);
                Err(Stop::with(
                    RunErrorKind::Failed,
                    message,
                    vec![index.to_string()],
                ))
            }
        }
    }

    pub(super) fn item_at(&mut self, index: Value, array: Value) -> Result<Value, Box<Stop>> {
        let position = self.position("at", index, array)?;
        Ok(self.item(array, position)?)
    }

    /// An array with another item at a position: the array itself where it is dropped behind this and nobody else has it.
    pub(super) fn with_item(
        &mut self,
        index: Value,
        item: Value,
        array: Value,
    ) -> Result<Value, Box<Stop>> {
        let position = self.position("set", index, array)?;
        let array = match self.is_last_use(2) && self.heap.is_unique(array.handle()) {
            true => self.heap.dup(array),
            false => self.copied(array)?,
        };
        let int = match Kind::of(item) {
            Kind::Int => self.heap.as_int(item),
            Kind::Float | Kind::Value => 0,
        };
        self.heap.dup(item);
        let old = match self.heap.items_mut(array) {
            Items::Floats(items) => {
                items[position] = item.as_float();
                Value::BOTTOM
            }
            Items::Ints(items) => {
                items[position] = int;
                item
            }
            Items::Values(items) => std::mem::replace(&mut items[position], item),
        };
        self.heap.drop(old);
        Ok(array)
    }

    /// Whether the built-in that runs is the last to use an argument, which is then dropped behind it.
    fn is_last_use(&self, argument: usize) -> bool {
        match self.code.instrs.get(self.pc) {
            Some(Instr::Builtin { args, .. }) => args[argument].flag(),
            _ => false,
        }
    }

    fn copied(&mut self, array: Value) -> Result<Value, Box<Stop>> {
        let size = self.heap.items(array).len();
        self.copied_part(array, 0..size)
    }

    fn copied_part(&mut self, array: Value, range: Range<usize>) -> Result<Value, Box<Stop>> {
        self.begin_array(range.len())?;
        let part = self.heap.items(array).part(range);
        if let Items::Values(items) = &part {
            items.iter().for_each(|item| {
                self.heap.dup(*item);
            });
        }
        Ok(self.heap.array(part)?)
    }

    /// An array of so many times an item.
    pub(super) fn filled(&mut self, size: Value, item: Value) -> Result<Value, Box<Stop>> {
        let wanted = self.heap.as_int(size);
        let Ok(size) = usize::try_from(wanted) else {
            return Err(Stop::new(RunErrorKind::Failed, no_size(wanted)));
        };
        self.begin_array(size)?;
        let items = match Kind::of(item) {
            Kind::Float => {
                let mut items = room(size)?;
                items.resize(size, item.as_float());
                Items::Floats(items)
            }
            Kind::Int => {
                let mut items = room(size)?;
                items.resize(size, self.heap.as_int(item));
                Items::Ints(items)
            }
            Kind::Value => {
                let mut items = room(size)?;
                items.resize(size, item);
                for _ in 0..size {
                    self.heap.dup(item);
                }
                Items::Values(items)
            }
        };
        Ok(self.heap.array(items)?)
    }

    /// So many items of an array from a position on.
    pub(super) fn part_of(
        &mut self,
        from: Value,
        count: Value,
        array: Value,
    ) -> Result<Value, Box<Stop>> {
        let (from, count) = (self.heap.as_int(from), self.heap.as_int(count));
        let size = self.heap.items(array).len();
        match part(from, count, size) {
            Some(range) => self.copied_part(array, range),
            None => Err(Stop::new(RunErrorKind::Failed, no_part(from, count, size))),
        }
    }

    /// Counts an array of a size to the limits before it is made.
    pub(super) fn begin_array(&mut self, size: usize) -> Result<(), Box<Stop>> {
        self.heap.claim(size.saturating_mul(ITEM_BYTES))?;
        self.owed += (size / ITEMS) as u64;
        Ok(())
    }
}
