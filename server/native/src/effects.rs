//! What machine code has the machine do, about handlers and continuations. Where the run ends with it, the machine knows,
//! and the result here is [`ENDED`].

use frank_interpreter::backend::{Effects, Value};

use crate::runtime::Context;

/// The result of what has ended the run: no word, no instruction.
pub const ENDED: u64 = u64::MAX;
const DONE: u64 = 0;

/// Lets the machine do something, which may move all that machine code looks at.
///
/// # Safety
/// `context` is what the machine code that calls was called with.
unsafe fn machine<T>(context: *mut Context<'_>, act: impl FnOnce(&mut dyn Effects) -> T) -> T {
    // SAFETY: the context outlives the machine code.
    let context = unsafe { &mut *context };
    // SAFETY: the machine is borrowed for as long as its machine code runs, which holds no reference into it, only
    // addresses, and all of them are read anew below.
    let machine = unsafe { &mut *context.machine };
    machine.set_stack(context.stack);
    let result = act(machine);
    context.renew(machine.room());
    result
}

/// The continuation of the command whose clauses run.
///
/// # Safety
/// As [`machine`].
pub unsafe extern "C" fn capture(context: *mut Context<'_>, begun: u64) -> u64 {
    // SAFETY: as the caller promises.
    let captured = unsafe { machine(context, |machine| machine.capture(begun != 0)) };
    captured.map_or(ENDED, |word| word.0)
}

/// The same where nobody wants it.
///
/// # Safety
/// As [`machine`].
pub unsafe extern "C" fn leave(context: *mut Context<'_>, begun: u64) {
    // SAFETY: as the caller promises.
    unsafe { machine(context, |machine| machine.leave(begun != 0)) }
}

/// Drops what stands above a handler, and ends its call.
///
/// # Safety
/// As [`machine`].
pub unsafe extern "C" fn unwind(context: *mut Context<'_>, depth: u64) {
    // SAFETY: as the caller promises.
    unsafe { machine(context, |machine| machine.unwind(depth as u16)) }
}

/// Puts a continuation onto the stack.
///
/// # Safety
/// As [`machine`]; the word is that of a continuation.
pub unsafe extern "C" fn resume(context: *mut Context<'_>, word: u64) -> u64 {
    // SAFETY: as the caller promises.
    let resumed = unsafe { machine(context, |machine| machine.resume(Value(word))) };
    resumed.map_or(ENDED, |()| DONE)
}

/// Gives a value to the stack; the instruction that comes then.
///
/// # Safety
/// As [`machine`].
pub unsafe extern "C" fn give(context: *mut Context<'_>, word: u64) -> u64 {
    // SAFETY: as the caller promises.
    let next = unsafe { machine(context, |machine| machine.give(Value(word))) };
    next.map_or(ENDED, |pc| pc as u64)
}
