//! The heap: objects of counted words in one growing array.
//!
//! An object is a header word and a number of values. The header counts the references to the
//! object (32 bits), gives the class of its size (8 bits) and what its owner wants to know about
//! it (24 bits: the constructor, the function of a closure, where a frame returns to). Freed
//! objects wait in a list for each size. Nothing here recurses: an object whose count falls to
//! zero is put in a list, linked through the headers, and a bounded part of that list is taken
//! apart at a time, so that dropping even the largest structure neither overflows the native
//! stack nor stalls the machine.
//!
//! Handles are indices, all accesses are checked, and a mistake elsewhere can lose memory or end
//! in a panic but never touch memory that is not the heap's.
#![allow(clippy::indexing_slicing)] // Handles are made here only, and the array never shrinks.

use crate::arrays::{Arrays, Items};
use crate::room::{Fresh, Prepare, is_small, reserve};
use crate::value::Value;

/// The number of bits of a header that are the owner's.
pub const INFO_BITS: u32 = 24;
/// Sizes up to this have a class of their own, larger ones are rounded up to multiples of it.
const EXACT: usize = 127;
const STEP: usize = 128;
/// The most words an object can have.
pub(crate) const MAX_WORDS: usize = (ARRAY - 1 - EXACT) * STEP;
/// The class of arrays, whose one word says where their items are.
const ARRAY: usize = 255;
/// How many dead objects are taken apart at a time, and how many items of a dead array.
const BATCH: u32 = 4096;
/// By how many words the array grows, a fraction of its length apart.
const GROWTH: usize = 1 << 13;

/// Memory was asked for beyond the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutOfMemory;

/// Where in a [`Heap`] lies what machine code changes, in bytes.
#[derive(Debug, Clone, Copy)]
pub struct HeapLayout {
    pub free: usize,
    pub top: usize,
    pub end: usize,
    pub dying: usize,
    pub objects: usize,
    pub peak_objects: usize,
    pub references: usize,
    pub peak_references: usize,
}

/// How many words of what is written to next are told of twice: a page may lie across the border.
const OVERLAP: usize = 512;

/// The objects of a run.
#[derive(Debug)]
pub struct Heap {
    /// At least as long as what objects are made in; what follows is of a run that is over.
    words: Vec<u64>,
    /// The first word that was never part of an object.
    top: usize,
    /// So many words were taken for objects.
    end: usize,
    /// The most words that the array may have.
    limit: usize,
    /// The most bytes that the words and the items of arrays may take.
    most: usize,
    arrays: Arrays,
    /// For each class the first of its freed objects, 0 for none.
    free: [u32; 256],
    /// The first of the objects that died and are not yet taken apart, 0 for none.
    dying: u32,
    objects: u64,
    peak_objects: u64,
    references: u64,
    peak_references: u64,
    prepare: Option<Prepare>,
}

#[inline(always)]
fn class_of(words: usize) -> usize {
    if words <= EXACT {
        words
    } else {
        EXACT + words.div_ceil(STEP)
    }
}

#[inline(always)]
fn words_of(class: usize) -> usize {
    if class <= EXACT {
        class
    } else if class == ARRAY {
        1
    } else {
        (class - EXACT) * STEP
    }
}

const ONE: u64 = 1 << 32;

/// The header of an object that died: its class, and the next in its list.
#[inline(always)]
fn dead_header(header: u64, next: u32) -> u64 {
    ((header << 32) & (0xFF << INFO_BITS << 32)) | next as u64
}

/// The header of an object that is free: its class, which whoever inspects the heap can read, and the next in its list.
#[inline(always)]
fn free_header(class: usize, next: u32) -> u64 {
    ((class as u64) << INFO_BITS << 32) | next as u64
}

/// Frees frames that take so many words with their headers, lie side by side, as a recursion makes them, and own nothing
/// but the frame below: where the next one is need not be read in the one before. Gives the first that is not of that kind,
/// and how many may be taken apart still; one always stays.
#[inline(always)]
fn free_frames<const SIZE: usize>(
    words: &mut [u64],
    free: &mut u32,
    handle: usize,
    left: u32,
) -> (usize, u32) {
    let below = handle.wrapping_sub(SIZE);
    if words[handle + 1] != Value::frame(below as u32).0 {
        return (handle, left);
    }
    let last = free_row::<SIZE>(&mut words[..handle + SIZE], free, left as usize);
    (last, left - ((handle - last) / SIZE) as u32)
}

/// The same of a row of at most so many frames, of which the one at its end is taken apart first. Gives where the last one
/// is, which stays.
#[inline(never)]
fn free_row<const SIZE: usize>(words: &mut [u64], free: &mut u32, most: usize) -> usize {
    // The header of an object that nobody else has.
    let unique = ONE >> INFO_BITS | (SIZE - 1) as u64;
    let mut word = Value::frame((words.len() - SIZE) as u32).0;
    let mut header = free_header(SIZE - 1, *free);
    let (_, row) = words.as_rchunks_mut::<SIZE>();
    let row = row.split_at_mut(row.len().saturating_sub(most)).1;
    if let Some((mut frame, others)) = row.split_last_mut() {
        for next in others.iter_mut().rev() {
            let below = word - SIZE as u64;
            if frame[1] != below
                || next[0] >> INFO_BITS != unique
                || frame[2..].iter().any(|word| Value(*word).is_pointer())
            {
                break;
            }
            frame[0] = header;
            header = free_header(SIZE - 1, word as u32);
            word = below;
            frame = next;
        }
    }
    *free = header as u32;
    Value(word).handle() as usize
}

impl Heap {
    /// For back ends; see [`crate::backend`].
    pub const LAYOUT: HeapLayout = HeapLayout {
        free: std::mem::offset_of!(Heap, free),
        top: std::mem::offset_of!(Heap, top),
        end: std::mem::offset_of!(Heap, end),
        dying: std::mem::offset_of!(Heap, dying),
        objects: std::mem::offset_of!(Heap, objects),
        peak_objects: std::mem::offset_of!(Heap, peak_objects),
        references: std::mem::offset_of!(Heap, references),
        peak_references: std::mem::offset_of!(Heap, peak_references),
    };

    /// The first word of the array, which moves when it grows: handles count from it.
    pub fn base(&mut self) -> *mut u64 {
        self.words.as_mut_ptr()
    }

    /// A heap of at most so many bytes.
    pub fn new(limit: usize) -> Heap {
        Heap {
            words: Vec::new(),
            top: 1,
            end: 0,
            // Handles have 32 bits.
            limit: (limit / 8).min(u32::MAX as usize),
            most: limit,
            arrays: Arrays::default(),
            free: [0; 256],
            dying: 0,
            objects: 0,
            peak_objects: 0,
            references: 0,
            peak_references: 0,
            prepare: None,
        }
    }

    /// Tells somebody of fresh memory from now on.
    pub fn set_prepare(&mut self, prepare: Prepare) {
        self.prepare = Some(prepare);
    }

    /// Makes objects in memory of another heap that is gone, as far as it goes. What it holds does not matter. For a heap
    /// without objects.
    pub fn set_memory(&mut self, words: Vec<u64>) {
        debug_assert!(self.top == 1 && self.end == 0);
        self.words = words;
    }

    /// The memory of all objects, which are gone.
    pub fn into_memory(self) -> Vec<u64> {
        self.words
    }

    /// Bytes taken for objects and for items of arrays.
    pub fn bytes(&self) -> usize {
        self.end * 8 + self.arrays.bytes()
    }

    /// No less than the most bytes that were taken at once.
    pub fn peak_bytes(&self) -> usize {
        self.end * 8 + self.arrays.peak()
    }

    /// Leaves so many bytes to objects and items of arrays.
    pub fn set_limit(&mut self, bytes: usize) {
        self.most = bytes;
        self.share();
    }

    /// Leaves to objects what the items of arrays do not take.
    fn share(&mut self) {
        let bytes = self.most.saturating_sub(self.arrays.bytes());
        self.limit = (bytes / 8).min(u32::MAX as usize);
    }

    /// Whether the limit leaves so many bytes to the items of one more array: asked before they are made.
    pub fn claim(&mut self, bytes: usize) -> Result<(), OutOfMemory> {
        while self.bytes().saturating_add(bytes) > self.most {
            if self.dying == 0 {
                return Err(OutOfMemory);
            }
            self.reap(BATCH);
        }
        Ok(())
    }

    /// An array of items, which owns what they point to.
    pub(crate) fn array(&mut self, items: Items) -> Result<Value, OutOfMemory> {
        let handle = self.find(ARRAY, 0)?;
        let place = self.arrays.add(items);
        self.set(handle, 0, Value::small_int(place as u64));
        self.share();
        Ok(Value::array(handle))
    }

    fn place_of(&self, array: Value) -> usize {
        self.get(array.handle(), 0).as_small_int() as usize
    }

    /// The items of an array.
    pub(crate) fn items(&self, array: Value) -> &Items {
        self.arrays.get(self.place_of(array))
    }

    /// The items of an array, to be changed; as many as there are stay.
    pub(crate) fn items_mut(&mut self, array: Value) -> &mut Items {
        self.arrays.get_mut(self.place_of(array))
    }

    pub fn objects(&self) -> u64 {
        self.objects
    }

    pub fn peak_objects(&self) -> u64 {
        self.peak_objects
    }

    pub fn references(&self) -> u64 {
        self.references
    }

    pub fn peak_references(&self) -> u64 {
        self.peak_references
    }

    /// A new object with one reference. The caller fills all its words.
    #[inline(always)]
    pub fn alloc(&mut self, words: usize, info: u32) -> Result<u32, OutOfMemory> {
        if words <= EXACT {
            if let Some(handle) = self.take(words, info) {
                return Ok(handle);
            }
            // What is dying is used before what was never used.
            if self.dying == 0 && self.top + words < self.end {
                return Ok(self.bump(words, words, info));
            }
        }
        self.alloc_slow(words, info)
    }

    /// A freed object of a class.
    #[inline(always)]
    fn take(&mut self, class: usize, info: u32) -> Option<u32> {
        let handle = self.free[class & 255];
        if handle == 0 {
            return None;
        }
        let header = &mut self.words[handle as usize];
        self.free[class & 255] = *header as u32;
        *header = ONE | ((class as u64) << INFO_BITS) | info as u64;
        self.count_object();
        Some(handle)
    }

    #[inline(always)]
    fn count_object(&mut self) {
        self.objects += 1;
        if self.objects > self.peak_objects {
            self.peak_objects = self.objects;
        }
    }

    #[cold]
    #[inline(never)]
    fn alloc_slow(&mut self, words: usize, info: u32) -> Result<u32, OutOfMemory> {
        let class = class_of(words);
        if class >= ARRAY {
            return Err(OutOfMemory);
        }
        let handle = self.find(class, info)?;
        if class > EXACT {
            // The words beyond those that were asked for must be harmless to look at.
            let start = handle as usize + 1;
            for word in &mut self.words[start..start + words_of(class)] {
                *word = 0;
            }
        }
        Ok(handle)
    }

    /// An object of a class: a freed one, one that is dying, or a new one.
    fn find(&mut self, class: usize, info: u32) -> Result<u32, OutOfMemory> {
        // Large objects come here first.
        if let Some(handle) = self.take(class, info) {
            return Ok(handle);
        }
        if self.dying != 0 {
            self.reap(BATCH);
            if let Some(handle) = self.take(class, info) {
                return Ok(handle);
            }
        }
        let size = words_of(class) + 1;
        if self.top + size > self.end {
            let more = GROWTH.max(self.end / 64).max(size);
            let length = (self.top + more).min(self.limit);
            if self.top + size > length {
                // At the limit every object that died counts.
                while self.dying != 0 {
                    self.reap(BATCH);
                    if let Some(handle) = self.take(class, info) {
                        return Ok(handle);
                    }
                }
                return self.split(class, info);
            }
            self.grow(length)?;
        }
        Ok(self.bump(size - 1, class, info))
    }

    /// Makes room for so many words.
    fn grow(&mut self, length: usize) -> Result<(), OutOfMemory> {
        if length <= self.words.len() {
            self.end = length;
            return Ok(());
        }
        let before = self.words.capacity();
        reserve(&mut self.words, length, self.most / 8).map_err(|_| OutOfMemory)?;
        if let Some(prepare) = self.prepare
            && !is_small::<u64>(self.words.capacity())
        {
            let moved = self.words.capacity() != before;
            let next = length - self.words.len() + OVERLAP;
            let room = self.words.spare_capacity_mut();
            if moved {
                prepare(room, Fresh::Reserved);
            }
            let next = next.min(room.len());
            prepare(&mut room[..next], Fresh::Next);
        }
        self.words.resize(length, 0);
        self.end = length;
        Ok(())
    }

    /// An object of words that were never part of one.
    #[inline(always)]
    fn bump(&mut self, words: usize, class: usize, info: u32) -> u32 {
        let handle = self.top as u32;
        self.top += words + 1;
        self.words[handle as usize] = ONE | ((class as u64) << INFO_BITS) | info as u64;
        self.count_object();
        handle
    }

    /// When the limit is reached: a part of a freed object of another size.
    fn split(&mut self, class: usize, info: u32) -> Result<u32, OutOfMemory> {
        let size = words_of(class) + 1;
        let next = if class == ARRAY { 2 } else { class + 1 };
        for larger in next..ARRAY {
            let handle = self.free[larger];
            let rest = words_of(larger) + 1 - size.min(words_of(larger) + 1);
            // The rest has to be an object of a size that has a class.
            if handle == 0 || rest == 0 || words_of(class_of(rest - 1)) + 1 != rest {
                continue;
            }
            self.free[larger] = self.words[handle as usize] as u32;
            let rest_class = class_of(rest - 1);
            let rest_handle = handle + size as u32;
            self.words[rest_handle as usize] = free_header(rest_class, self.free[rest_class]);
            self.free[rest_class] = rest_handle;
            self.words[handle as usize] = ONE | ((class as u64) << INFO_BITS) | info as u64;
            self.count_object();
            return Ok(handle);
        }
        Err(OutOfMemory)
    }

    /// A new object with these words, as much of them as is asked for; for objects made rarely.
    pub fn object(&mut self, words: &[Value], info: u32) -> Result<u32, OutOfMemory> {
        let handle = self.alloc(words.len(), info)?;
        for (i, word) in words.iter().enumerate() {
            self.words[handle as usize + 1 + i] = word.0;
        }
        Ok(handle)
    }

    #[inline(always)]
    pub fn get(&self, handle: u32, index: usize) -> Value {
        Value(self.words[handle as usize + 1 + index])
    }

    #[inline(always)]
    pub fn set(&mut self, handle: u32, index: usize, value: Value) {
        self.words[handle as usize + 1 + index] = value.0;
    }

    /// The words of an object, those that pad it included.
    pub fn words(&self, handle: u32) -> &[u64] {
        let size = words_of(self.class(handle));
        &self.words[handle as usize + 1..handle as usize + 1 + size]
    }

    /// So many words of an object from its first on.
    #[inline(always)]
    pub fn slice(&self, handle: u32, count: usize) -> &[u64] {
        let start = handle as usize + 1;
        &self.words[start..start + count]
    }

    #[inline(always)]
    pub fn slice_mut(&mut self, handle: u32, count: usize) -> &mut [u64] {
        let start = handle as usize + 1;
        &mut self.words[start..start + count]
    }

    #[inline(always)]
    pub fn info(&self, handle: u32) -> u32 {
        self.words[handle as usize] as u32 & ((1 << INFO_BITS) - 1)
    }

    fn class(&self, handle: u32) -> usize {
        (self.words[handle as usize] >> INFO_BITS) as usize & 0xFF
    }

    #[inline(always)]
    pub fn is_unique(&self, handle: u32) -> bool {
        self.words[handle as usize] >> 32 == 1
    }

    /// One more reference to what a value points to.
    #[inline(always)]
    pub fn dup(&mut self, value: Value) -> Value {
        if value.is_pointer() {
            self.words[value.handle() as usize] += ONE;
        }
        value
    }

    /// One reference less. Frees what nothing refers to any more, a bounded part of it now.
    #[inline(always)]
    pub fn drop(&mut self, value: Value) {
        if value.is_pointer() {
            let header = &mut self.words[value.handle() as usize];
            if *header >> 32 == 1 {
                self.die(value);
                self.reap(BATCH);
            } else {
                *header -= ONE;
            }
        }
    }

    /// One reference less to an object that has others.
    #[inline(always)]
    pub fn release_shared(&mut self, handle: u32) {
        debug_assert!(!self.is_unique(handle));
        self.words[handle as usize] -= ONE;
    }

    /// Gives an object back whose words were all moved out.
    #[inline(always)]
    pub fn free_shell(&mut self, handle: u32) {
        let class = self.class(handle);
        self.put_back(handle, class);
    }

    #[inline(always)]
    fn put_back(&mut self, handle: u32, class: usize) {
        debug_assert!(self.is_unique(handle));
        self.words[handle as usize] = free_header(class, self.free[class & 255]);
        self.free[class & 255] = handle;
        self.objects -= 1;
    }

    /// One reference less to a frame of which only what stands below it is wanted, which is returned.
    pub fn leave_frame(&mut self, frame: Value) -> Value {
        let handle = frame.handle();
        let below = self.get(handle, 0);
        if self.is_unique(handle) {
            for i in 1..words_of(self.class(handle)) {
                self.drop(self.get(handle, i));
            }
            self.free_shell(handle);
            below
        } else {
            self.release_shared(handle);
            self.dup(below)
        }
    }

    /// What a reference cell holds, for the last who reads it: there is one reference less to the cell.
    #[inline(always)]
    pub fn read_last(&mut self, cell: Value) -> Value {
        let handle = cell.handle();
        let value = self.get(handle, 0);
        if self.is_unique(handle) {
            self.free_cell(handle);
            value
        } else {
            self.release_shared(handle);
            self.dup(value)
        }
    }

    /// One reference less to a reference cell.
    #[inline(always)]
    pub fn drop_cell(&mut self, cell: Value) {
        let handle = cell.handle();
        if self.is_unique(handle) {
            let value = self.get(handle, 0);
            self.free_cell(handle);
            self.drop(value);
        } else {
            self.release_shared(handle);
        }
    }

    /// Gives a reference cell back whose value was moved out.
    #[inline(always)]
    fn free_cell(&mut self, handle: u32) {
        self.put_back(handle, 1);
        self.references -= 1;
    }

    /// A new reference cell counts on its own.
    pub fn count_reference(&mut self) {
        self.references += 1;
        self.peak_references = self.peak_references.max(self.references);
    }

    #[inline(always)]
    fn die(&mut self, value: Value) {
        let header = &mut self.words[value.handle() as usize];
        *header = dead_header(*header, self.dying);
        self.dying = value.handle();
        self.references -= u64::from(value.is_reference());
    }

    /// Takes apart at most so many of the objects that died.
    #[inline(never)]
    fn reap(&mut self, most: u32) {
        let words = self.words.as_mut_slice();
        let mut dying = self.dying;
        let mut left = most;
        let mut references = 0;
        // Arrays of which a part is taken apart.
        let mut unfinished = 0;
        let mut died = 0;
        while dying != 0 && left > 0 {
            let mut handle = dying as usize;
            let mut class = (words[handle] >> INFO_BITS >> 32) as usize & 0xFF;
            dying = words[handle] as u32;
            // Frames and lists are chains: what dies first with an object is taken apart next.
            while handle != 0 {
                let free = &mut self.free[class];
                (handle, left) = match class {
                    1 => free_frames::<2>(words, free, handle, left),
                    2 => free_frames::<3>(words, free, handle, left),
                    3 => free_frames::<4>(words, free, handle, left),
                    _ => (handle, left),
                };
                let mut next = 0;
                if class == ARRAY {
                    let place = Value(words[handle + 1]).as_small_int() as usize;
                    let (owned, all) = self.arrays.take_apart(place, BATCH as usize);
                    for item in owned {
                        let child = &mut words[item.handle() as usize];
                        if *child >> 32 != 1 {
                            *child -= ONE;
                            continue;
                        }
                        references += u64::from(item.is_reference());
                        *child = dead_header(*child, dying);
                        dying = item.handle();
                    }
                    if !all {
                        words[handle] = free_header(ARRAY, dying);
                        dying = handle as u32;
                        unfinished += 1;
                        left -= 1;
                        break;
                    }
                    died += 1;
                }
                for i in handle + 1..handle + 1 + words_of(class) {
                    let word = Value(words[i]);
                    if !word.is_pointer() {
                        continue;
                    }
                    let child = &mut words[word.handle() as usize];
                    if *child >> 32 != 1 {
                        *child -= ONE;
                        continue;
                    }
                    references += u64::from(word.is_reference());
                    if next == 0 && left > 1 {
                        next = word.handle() as usize;
                    } else {
                        *child = dead_header(*child, dying);
                        dying = word.handle();
                    }
                }
                words[handle] = free_header(class, self.free[class]);
                self.free[class] = handle as u32;
                left -= 1;
                handle = next;
                class = (words[handle] >> INFO_BITS) as usize & 0xFF;
            }
        }
        self.objects -= u64::from(most - left - unfinished);
        self.references -= references;
        self.dying = dying;
        if died > 0 {
            self.share();
        }
    }

    /// An integer, in the word if it fits, else in an object of two halves.
    #[inline(always)]
    pub fn int(&mut self, i: i64) -> Result<Value, OutOfMemory> {
        match Value::int(i) {
            Some(value) => Ok(value),
            None => self.wide_int(i),
        }
    }

    #[cold]
    #[inline(never)]
    fn wide_int(&mut self, i: i64) -> Result<Value, OutOfMemory> {
        let halves = [
            Value::small_int((i as u64) >> 32),
            Value::small_int(i as u64 & 0xFFFF_FFFF),
        ];
        Ok(Value::wide(self.object(&halves, 0)?))
    }

    /// The integer that a value is.
    #[inline(always)]
    pub fn as_int(&self, value: Value) -> i64 {
        if value.fits() {
            value.as_small_int()
        } else {
            self.as_wide_int(value)
        }
    }

    #[cold]
    #[inline(never)]
    fn as_wide_int(&self, value: Value) -> i64 {
        let high = self.get(value.handle(), 0).as_small_int() as u64;
        let low = self.get(value.handle(), 1).as_small_int() as u64;
        ((high << 32) | low) as i64
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use std::mem::MaybeUninit;

    use super::*;

    #[test]
    fn freed_objects_are_used_again() {
        let mut heap = Heap::new(1 << 20);
        let a = heap
            .object(&[Value::char('a'), Value::char('b')], 5)
            .unwrap();
        assert_eq!(heap.info(a), 5);
        heap.drop(Value::closure(a));
        let b = heap
            .object(&[Value::char('c'), Value::char('d')], 6)
            .unwrap();
        assert_eq!(a, b);
        assert_eq!(heap.get(b, 1), Value::char('d'));
        assert_eq!((heap.objects(), heap.peak_objects()), (1, 1));
    }

    #[test]
    fn a_deep_structure_is_dropped_without_recursion() {
        let mut heap = Heap::new(1 << 30);
        let mut list = Value::BOTTOM;
        for _ in 0..1_000_000 {
            list = Value::constructed(1, heap.object(&[list], 0).unwrap());
        }
        heap.drop(list);
        // Only a part is taken apart at once, the rest when memory is asked for.
        assert!(heap.objects() > 0);
        let bytes = heap.bytes();
        for _ in 0..1_000_000 {
            heap.object(&[Value::BOTTOM], 0).unwrap();
        }
        assert_eq!(heap.bytes(), bytes);
    }

    #[test]
    fn a_row_of_frames_is_freed_and_used_again() {
        for kept in 0..3 {
            let mut heap = Heap::new(1 << 20);
            let frame = |heap: &mut Heap, below: Value, last: Value| {
                let mut words = vec![below];
                words.resize(1 + kept, Value::char('x'));
                words.push(last);
                Value::frame(heap.object(&words, 0).unwrap())
            };
            let number = Value::small_int(1);
            let owned = Value::closure(heap.object(&[number], 0).unwrap());
            // The row begins above a frame that others have, and one of its frames owns more than the frame below.
            let shared = frame(&mut heap, Value::BOTTOM, number);
            let mut top = heap.dup(shared);
            for i in 0..100 {
                let last = if i == 50 { owned } else { number };
                top = frame(&mut heap, top, last);
            }
            assert_eq!((heap.objects(), heap.peak_objects()), (102, 102));
            heap.drop(top);
            assert_eq!((heap.objects(), heap.peak_objects()), (1, 102));
            assert!(heap.is_unique(shared.handle()));
            let bytes = heap.bytes();
            let mut again = shared;
            for _ in 0..100 {
                again = frame(&mut heap, again, number);
            }
            assert_eq!((heap.bytes(), heap.objects()), (bytes, 101));
            heap.drop(again);
            assert_eq!(heap.objects(), 0);
        }
    }

    #[test]
    fn a_call_is_left_with_its_arguments() {
        let mut heap = Heap::new(1 << 16);
        let below = Value::frame(heap.object(&[Value::BOTTOM], 0).unwrap());
        let argument = Value::closure(heap.object(&[Value::char('a')], 0).unwrap());
        let call = Value::frame(heap.object(&[below, argument], 0).unwrap());
        heap.dup(call);
        assert_eq!(heap.leave_frame(call), below);
        assert!(!heap.is_unique(below.handle()));
        assert_eq!(heap.leave_frame(call), below);
        assert_eq!(heap.objects(), 1);
        heap.drop(below);
        heap.drop(below);
        assert_eq!(heap.objects(), 0);
    }

    #[test]
    fn the_limit_holds() {
        let mut heap = Heap::new(1 << 16);
        let mut made = Vec::new();
        while let Ok(handle) = heap.object(&[Value::BOTTOM; 10], 0) {
            made.push(handle);
        }
        assert!(heap.bytes() <= 1 << 16);
        assert!(made.len() > 700);
        // Freed objects of one size serve for smaller ones when nothing else is left.
        for handle in made {
            heap.drop(Value::closure(handle));
        }
        assert!(heap.object(&[Value::BOTTOM; 3], 0).is_ok());
    }

    #[test]
    fn a_cell_gives_its_value_to_its_last_reader() {
        let mut heap = Heap::new(1 << 16);
        let value = Value::closure(heap.object(&[Value::char('a')], 0).unwrap());
        let cell = Value::reference(heap.object(&[value], 0).unwrap());
        heap.count_reference();
        heap.dup(cell);
        // Somebody else has the cell, so the value is there twice.
        assert_eq!(heap.read_last(cell), value);
        assert!(!heap.is_unique(value.handle()));
        assert_eq!(heap.read_last(cell), value);
        assert_eq!((heap.objects(), heap.references()), (1, 0));
        heap.drop(value);
        heap.drop(value);
        assert_eq!(heap.objects(), 0);
    }

    #[test]
    fn a_cell_that_dies_drops_its_value() {
        let mut heap = Heap::new(1 << 16);
        let value = Value::closure(heap.object(&[Value::char('a')], 0).unwrap());
        let cell = Value::reference(heap.object(&[value], 0).unwrap());
        heap.count_reference();
        heap.dup(cell);
        heap.drop_cell(cell);
        assert_eq!((heap.objects(), heap.references()), (2, 1));
        heap.drop_cell(cell);
        assert_eq!((heap.objects(), heap.references()), (0, 0));
    }

    #[test]
    fn fresh_memory_is_told_of_before_it_is_used() {
        // Writes over all of it: nothing there may matter any more, and nothing in use be touched.
        fn fill(room: &mut [MaybeUninit<u64>], _: Fresh) {
            room.iter_mut().take(OVERLAP).for_each(|word| {
                word.write(u64::MAX);
            });
        }
        let mut heap = Heap::new(1 << 26);
        heap.set_prepare(fill);
        let mut list = Value::BOTTOM;
        for i in 0..400_000 {
            let head = Value::small_int(i);
            list = Value::constructed(1, heap.object(&[head, list], 0).unwrap());
        }
        for i in (0..400_000).rev() {
            assert_eq!(heap.get(list.handle(), 0).as_small_int() as u64, i);
            list = heap.get(list.handle(), 1);
        }
    }

    #[test]
    fn memory_of_a_heap_serves_the_next_one() {
        let run = |memory: Vec<u64>, objects: u64| {
            let kept = memory.as_ptr();
            let mut heap = Heap::new(1 << 20);
            heap.set_memory(memory);
            let mut list = Value::BOTTOM;
            for i in 0..objects {
                let words = [Value::small_int(i), list];
                let Ok(handle) = heap.object(&words, 0) else {
                    break;
                };
                list = Value::constructed(1, handle);
            }
            let used = (heap.bytes(), heap.objects(), heap.peak_objects());
            heap.drop(list);
            let memory = heap.into_memory();
            (used, memory.as_ptr() == kept, memory)
        };
        // What a run is told that it took, and where it meets the limit, does not depend on what the one before took.
        let (small, _, memory) = run(Vec::new(), 10_000);
        let (full, _, memory) = run(memory, u64::MAX);
        let (again, same, memory) = run(memory, 10_000);
        assert!(same && again == small, "{again:?} {small:?}");
        let (again, same, _) = run(memory, u64::MAX);
        assert!(same && again == full, "{again:?} {full:?}");
        assert!(full.0 > 1_000_000 && full.0 <= 1 << 20);
    }

    #[test]
    fn wide_integers_round_trip() {
        let mut heap = Heap::new(1 << 16);
        for i in [
            0,
            -1,
            i64::MAX,
            i64::MIN,
            1 << 47,
            -(1 << 47) - 1,
            0x1234_5678_9ABC_DEF0,
        ] {
            let value = heap.int(i).unwrap();
            assert_eq!(heap.as_int(value), i);
            heap.drop(value);
        }
        assert_eq!(heap.objects(), 0);
    }

    #[test]
    fn large_objects_are_padded_with_harmless_words() {
        let mut heap = Heap::new(1 << 20);
        let words = vec![Value::char('x'); 300];
        let handle = heap.object(&words, 0).unwrap();
        heap.drop(Value::closure(handle));
        let handle = heap.object(&words[..290], 0).unwrap();
        assert_eq!(heap.words(handle).len(), 384);
        heap.drop(Value::closure(handle));
        assert_eq!(heap.objects(), 0);
    }
}
