//! Lists and strings as the machine handles them.
#![allow(clippy::indexing_slicing)] // Every index is one that the compile phase made.

use super::Machine;
use crate::heap::OutOfMemory;
use crate::value::{Value, View};

impl Machine<'_> {
    /// A list back to front; the list itself is looked at only.
    pub(super) fn reverse(&mut self, list: Value) -> Result<Value, OutOfMemory> {
        let words = self.code.words;
        let mut reversed = words.nil;
        let mut rest = list;
        while rest.is_constructed() {
            let item = self.heap.dup(self.heap.get(rest.handle(), 0));
            let cell = self.heap.object(&[item, reversed], words.cons)?;
            reversed = Value::constructed(words.cons_tag, cell);
            rest = self.heap.get(rest.handle(), 1);
        }
        Ok(reversed)
    }

    /// Whether a list of characters is a string.
    pub(super) fn is_string(&self, list: Value, string: &[char]) -> bool {
        let mut rest = list;
        for c in string {
            if !rest.is_constructed() || self.heap.get(rest.handle(), 0) != Value::char(*c) {
                return false;
            }
            rest = self.heap.get(rest.handle(), 1);
        }
        !rest.is_constructed()
    }

    /// The constructor of a value of a data type.
    pub(super) fn constructor_of(&self, value: Value) -> u32 {
        match value.view() {
            View::Constructed(handle) => self.heap.info(handle),
            View::Nullary(constructor) => constructor,
            _ => u32::MAX,
        }
    }
}
