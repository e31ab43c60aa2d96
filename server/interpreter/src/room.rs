//! Room for arrays that may become as large as the memory limit allows.

use std::collections::TryReserveError;
use std::mem::MaybeUninit;

/// An array of more bytes is not copied to grow.
const SMALL: usize = 1 << 20;

/// What is to become of memory that nothing was written to yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fresh {
    /// The heap may grow into it, from its beginning on.
    Reserved,
    /// It is written to now.
    Next,
}

/// Is told of fresh memory, so that the system may be asked for it in larger pieces than one page at a time.
pub type Prepare = fn(&mut [MaybeUninit<u64>], Fresh);

/// Whether an array of so many items may be moved to grow.
pub(crate) fn is_small<T>(items: usize) -> bool {
    items <= SMALL / size_of::<T>().max(1)
}

/// Gives an array room for `length` items; it will never have more than `most`.
///
/// An array that moves is there twice for a while, so the first time that it is no longer small it
/// gets room for all that it may ever have. What of that is not written to costs addresses, and no
/// memory.
pub(crate) fn reserve<T>(
    array: &mut Vec<T>,
    length: usize,
    most: usize,
) -> Result<(), TryReserveError> {
    if length <= array.capacity() {
        return Ok(());
    }
    let mut room = most;
    while !is_small::<T>(length) && room > length {
        if array.try_reserve_exact(room - array.len()).is_ok() {
            return Ok(());
        }
        // There are not so many addresses.
        room /= 2;
    }
    array.try_reserve(length - array.len())
}
