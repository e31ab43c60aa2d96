//! The items of arrays, which lie beside the heap: eight bytes each.
//!
//! An array is an object of the heap that says where its items are. Numbers lie there as they are; values of other types
//! lie there as words that own what they point to. What kind it is follows from the first item.
#![allow(clippy::indexing_slicing)] // An array's object is made here, and says a place that there is.

use std::ops::Range;

use crate::value::{Value, View};

/// What one item takes.
pub(crate) const ITEM_BYTES: usize = 8;

/// The items of an array, all of one type.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Items {
    Floats(Vec<f64>),
    Ints(Vec<i64>),
    /// Items of other types, and none at all.
    Values(Vec<Value>),
}

impl Items {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Items::Floats(items) => items.len(),
            Items::Ints(items) => items.len(),
            Items::Values(items) => items.len(),
        }
    }

    /// Those in a range, which lies within them. Values are not counted once more.
    pub fn part(&self, range: Range<usize>) -> Items {
        match self {
            Items::Floats(items) => Items::Floats(items[range].to_vec()),
            Items::Ints(items) => Items::Ints(items[range].to_vec()),
            Items::Values(items) => Items::Values(items[range].to_vec()),
        }
    }

    fn bytes(&self) -> usize {
        let room = match self {
            Items::Floats(items) => items.capacity(),
            Items::Ints(items) => items.capacity(),
            Items::Values(items) => items.capacity(),
        };
        room * ITEM_BYTES
    }
}

/// The items of all arrays of a heap, by places.
#[derive(Debug, Default)]
pub(crate) struct Arrays {
    items: Vec<Items>,
    free: Vec<usize>,
    bytes: usize,
    peak: usize,
}

impl Arrays {
    /// The bytes that they take.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The most that they have taken.
    pub fn peak(&self) -> usize {
        self.peak
    }

    pub fn get(&self, place: usize) -> &Items {
        &self.items[place]
    }

    pub fn get_mut(&mut self, place: usize) -> &mut Items {
        &mut self.items[place]
    }

    /// Keeps items; gives their place.
    pub fn add(&mut self, items: Items) -> usize {
        self.bytes += items.bytes();
        self.peak = self.peak.max(self.bytes);
        match self.free.pop() {
            Some(place) => {
                self.items[place] = items;
                place
            }
            None => {
                self.items.push(items);
                self.items.len() - 1
            }
        }
    }

    /// Gives at most so many of the words that an array which died owned. When no more of them are left its memory is
    /// given back, and `true` beside them.
    pub fn take_apart(&mut self, place: usize, most: usize) -> (Vec<Value>, bool) {
        let mut owned = Vec::new();
        if let Items::Values(items) = &mut self.items[place] {
            let rest = items.len().saturating_sub(most);
            owned.extend(items.drain(rest..).filter(|item| item.is_pointer()));
            if rest > 0 {
                return (owned, false);
            }
        }
        self.bytes -= self.items[place].bytes();
        self.items[place] = Items::Values(Vec::new());
        self.free.push(place);
        (owned, true)
    }
}

/// Which kind of items an array of a value has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Float,
    Int,
    Value,
}

impl Kind {
    pub fn of(value: Value) -> Kind {
        match value.view() {
            View::Float => Kind::Float,
            View::Int | View::Wide(_) => Kind::Int,
            _ => Kind::Value,
        }
    }
}

/// What is said of a position that an array does not have.
pub fn no_item(operator: &str, index: i64, size: usize) -> String {
    match size {
        0 => format!("`{operator}` of item {index}, and the array has none"),
        1 => format!("`{operator}` of item {index}, and the array has 1 item, number 0"),
        _ => {
            let last = size - 1;
            format!("`{operator}` of item {index}, and the array has {size} items, 0 to {last}")
        }
    }
}

/// What is said of a part that does not lie within an array.
pub fn no_part(from: i64, count: i64, size: usize) -> String {
    let s = if size == 1 { "" } else { "s" };
    format!("`slice` of {count} from item {from} on, and the array has {size} item{s}")
}

/// What is said of a size that no array has.
pub fn no_size(size: i64) -> String {
    format!("`fill` of {size} items: an array has 0 or more")
}

/// The positions of a part of an array of a size, if it lies within.
pub fn part(from: i64, count: i64, size: usize) -> Option<Range<usize>> {
    let from = usize::try_from(from).ok()?;
    let end = from.checked_add(usize::try_from(count).ok()?)?;
    (end <= size).then_some(from..end)
}
