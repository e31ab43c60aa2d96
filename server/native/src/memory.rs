//! Fresh memory in large pieces.
//!
//! A system gives memory to a process page by page, when it is first written to, and each page interrupts the program. That
//! takes longer than what machine code does with the page.

use std::mem::MaybeUninit;

use frank_interpreter::backend::Fresh;

/// In less room there are no large pages to be had, or the room is left soon for more.
#[cfg(target_os = "linux")]
const LARGE: usize = 1 << 22;

/// Asks Linux for large pages in what the heap may grow into, and for all pages at once of what it writes to next. What it
/// does not give comes page by page, as on other systems.
#[cfg(target_os = "linux")]
pub fn prepare(room: &mut [MaybeUninit<u64>], fresh: Fresh) {
    let advice = match fresh {
        // Memory that is advised in two ways would be copied when it moves.
        Fresh::Reserved if size_of_val(room) < LARGE => return,
        Fresh::Reserved => libc::MADV_HUGEPAGE,
        Fresh::Next => libc::MADV_POPULATE_WRITE,
    };
    // SAFETY: it reads a number of the system.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    let Ok(page) = usize::try_from(page) else {
        return;
    };
    let bytes = room.as_mut_ptr().cast::<u8>();
    let before = bytes.align_offset(page);
    let whole = size_of_val(room).saturating_sub(before) / page * page;
    if whole > 0 {
        // SAFETY: the pages lie within what is borrowed here, and what they hold stays as it is with both advices.
        unsafe { libc::madvise(bytes.add(before).cast(), whole, advice) };
    }
}

/// Other systems are not asked.
#[cfg(not(target_os = "linux"))]
pub fn prepare(_: &mut [MaybeUninit<u64>], _: Fresh) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_memory_holds_stays() {
        for (length, room) in [(0, 0), (1, 3), (700, 1 << 10), (5_000, 1 << 20)] {
            let mut words: Vec<u64> = Vec::with_capacity(room);
            words.extend(0..length);
            let spare = words.spare_capacity_mut();
            for word in spare.iter_mut() {
                word.write(7);
            }
            prepare(spare, Fresh::Reserved);
            let next = spare.len().min(9_000);
            if let Some(next) = spare.get_mut(..next) {
                prepare(next, Fresh::Next);
            }
            // SAFETY: all of it was written to above.
            let same = spare.iter().all(|word| unsafe { word.assume_init() } == 7);
            assert!(same && words.iter().copied().eq(0..length), "{length}");
        }
    }
}
