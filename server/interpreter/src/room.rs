//! Room for arrays that may become as large as the memory limit allows.

use std::collections::TryReserveError;

/// An array of more bytes is not copied to grow.
const SMALL: usize = 1 << 20;

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
    while length > SMALL / size_of::<T>().max(1) && room > length {
        if array.try_reserve_exact(room - array.len()).is_ok() {
            return Ok(());
        }
        // There are not so many addresses.
        room /= 2;
    }
    array.try_reserve(length - array.len())
}
