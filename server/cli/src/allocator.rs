//! Where memory comes from, and how it goes back.

use libmimalloc_sys::{mi_option_get, mi_option_set, mi_option_t};

/// Checking and running make many small things, on several threads: a cold check of a large file
/// takes a fifth less of the processor than with the system's allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// `mi_option_arena_max_object_size`, which the crate has no name for, and what it is at first, both
/// in KiB.
const LARGEST_POOLED: mi_option_t = 45;
const AT_FIRST: std::ffi::c_long = 2 << 20;

/// What is larger than this, in KiB, goes back to the system when it is dropped.
const POOLED: std::ffi::c_long = 16 << 10;

/// Has large blocks, such as the heap of a run, come from the system and go back to it at once.
/// Otherwise they are kept for later, which may be never.
#[allow(
    unsafe_code,
    reason = "the allocator's options are C functions, which take any number"
)]
pub fn configure() {
    // SAFETY: reading and writing an option is a look into a table with checked indices.
    unsafe {
        // Another version of the allocator may count its options differently.
        if mi_option_get(LARGEST_POOLED) == AT_FIRST {
            mi_option_set(LARGEST_POOLED, POOLED);
        }
    }
}

/// Gives back what threads that have ended kept for later.
#[allow(unsafe_code, reason = "a C function without arguments that matter")]
pub fn give_back() {
    // SAFETY: the function may be called at any time, from any thread.
    unsafe { libmimalloc_sys::mi_collect(true) }
}
