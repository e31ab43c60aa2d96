//! Recursion as deep as the text is nested.

/// How much stack one step of a recursion may need.
const RED_ZONE: usize = 64 * 1024;

/// How much stack is taken when there is less.
const PIECE: usize = 4 * 1024 * 1024;

/// Runs a step of a recursion on a stack that is large enough for it; a new piece is allocated
/// where the current one is nearly full. What the step returns comes out.
#[inline]
pub fn ensure_sufficient_stack<R>(step: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(RED_ZONE, PIECE, step)
}
