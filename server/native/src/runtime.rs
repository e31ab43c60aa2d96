//! What machine code finds at run time: the context that it is given, and the functions that it calls.

use std::mem::offset_of;

use frank_core::Builtin;
use frank_interpreter::backend::{
    CommandEntry, Effects, Found, Heap, Node, Room, Stack, Value, Window, float_function,
};

/// Where machine code begins: for an instruction, or for the site of a frame that a value comes back to.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Begin {
    /// Null if there is none.
    pub code: *const u8,
    pub entry: u64,
}

impl Begin {
    pub const NONE: Begin = Begin {
        code: std::ptr::null(),
        entry: 0,
    };
    pub const SIZE: i32 = size_of::<Begin>() as i32;
}

/// What machine code is called with.
#[repr(C)]
pub struct Context<'m> {
    pub registers: *mut Value,
    /// The first word of the heap's array; read anew whenever the heap may have grown.
    pub base: *mut u64,
    pub heap: *mut Heap,
    pub statics: *mut Value,
    pub fuel: u64,
    pub functions: *const Begin,
    pub sites: *const Begin,
    /// For each site where its value goes.
    pub receivers: *const Receiver,
    /// For each function, what calling a closure of it takes.
    pub closures: *const Closure,
    pub stack: Stack,
    pub nodes: *mut Node,
    /// Of how many nodes there is room.
    pub room: u64,
    pub handling: *mut Found,
    pub window: *mut Window,
    pub first_of: *const u32,
    pub commands_of: *const CommandEntry,
    /// Whose all that is.
    pub machine: *mut (dyn Effects + 'm),
}

impl Context<'_> {
    /// Reads again where everything of the machine is.
    pub fn renew(&mut self, room: Room<'_>) {
        self.registers = room.registers.as_mut_ptr();
        self.base = room.heap.base();
        self.heap = room.heap;
        self.statics = room.statics.as_mut_ptr();
        self.stack = room.stack;
        self.room = room.nodes.len() as u64;
        self.nodes = room.nodes.as_mut_ptr();
        self.handling = room.handling;
        self.window = room.window;
        self.first_of = room.first_of.as_ptr();
        self.commands_of = room.commands_of.as_ptr();
    }
}

/// A function as a closure has it.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Closure {
    pub pc: u32,
    /// How many values it captured.
    pub captured: u32,
}

impl Closure {
    pub const SIZE: i32 = size_of::<Closure>() as i32;
}

/// Where the value of a site goes, and what comes then.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Receiver {
    pub pc: u32,
    /// Its register's distance from the first, in bytes; [`Receiver::NOWHERE`] if there is none.
    pub to: u32,
}

impl Receiver {
    pub const NOWHERE: u32 = u32::MAX;
    pub const SIZE: i32 = size_of::<Receiver>() as i32;
}

/// Offsets of the fields.
pub mod at {
    use super::{Context, Stack, offset_of};

    const STACK: i32 = offset_of!(Context, stack) as i32;

    pub const REGISTERS: i32 = offset_of!(Context, registers) as i32;
    pub const BASE: i32 = offset_of!(Context, base) as i32;
    pub const HEAP: i32 = offset_of!(Context, heap) as i32;
    pub const STATICS: i32 = offset_of!(Context, statics) as i32;
    pub const FUEL: i32 = offset_of!(Context, fuel) as i32;
    pub const FRAME: i32 = STACK + offset_of!(Stack, frame) as i32;
    pub const BEHIND: i32 = STACK + offset_of!(Stack, behind) as i32;
    pub const COUNT: i32 = STACK + offset_of!(Stack, count) as i32;
    pub const VISIBLE: i32 = STACK + offset_of!(Stack, visible) as i32;
    pub const CAPTURES: i32 = STACK + offset_of!(Stack, captures) as i32;
    pub const FUNCTIONS: i32 = offset_of!(Context, functions) as i32;
    pub const SITES: i32 = offset_of!(Context, sites) as i32;
    pub const RECEIVERS: i32 = offset_of!(Context, receivers) as i32;
    pub const CLOSURES: i32 = offset_of!(Context, closures) as i32;
    pub const NODES: i32 = offset_of!(Context, nodes) as i32;
    pub const ROOM: i32 = offset_of!(Context, room) as i32;
    pub const HANDLING: i32 = offset_of!(Context, handling) as i32;
    pub const WINDOW: i32 = offset_of!(Context, window) as i32;
    pub const FIRST_OF: i32 = offset_of!(Context, first_of) as i32;
    pub const COMMANDS_OF: i32 = offset_of!(Context, commands_of) as i32;
}

/// A new object with so many words; 0 if the memory limit is reached.
///
/// # Safety
/// `context` is what the machine code that calls was called with.
pub unsafe extern "C" fn allocate(context: *mut Context<'_>, words: u64, info: u64) -> u64 {
    // SAFETY: the context outlives the machine code, which runs while the machine that owns the heap waits.
    let context = unsafe { &mut *context };
    // SAFETY: as above; machine code holds no reference to the heap, only addresses that it reads anew.
    let heap = unsafe { &mut *context.heap };
    let handle = heap.alloc(words as usize, info as u32).unwrap_or(0);
    context.base = heap.base();
    u64::from(handle)
}

/// One reference less to what a word points to.
///
/// # Safety
/// As [`allocate`].
pub unsafe extern "C" fn drop_value(context: *mut Context<'_>, word: u64) {
    // SAFETY: as in `allocate`.
    let context = unsafe { &mut *context };
    // SAFETY: as in `allocate`.
    let heap = unsafe { &mut *context.heap };
    heap.drop(Value(word));
}

/// Brings what a closure captured to the registers behind so many arguments, and gives the closure back.
///
/// # Safety
/// As [`allocate`]; the word is that of a closure with so many captured values.
pub unsafe extern "C" fn open_closure(
    context: *mut Context<'_>,
    word: u64,
    after: u64,
    captured: u64,
) {
    // SAFETY: as in `allocate`.
    let context = unsafe { &mut *context };
    // SAFETY: as in `allocate`.
    let heap = unsafe { &mut *context.heap };
    let handle = Value(word).handle();
    let unique = heap.is_unique(handle);
    for i in 0..captured as usize {
        let value = heap.get(handle, i);
        if !unique {
            heap.dup(value);
        }
        // SAFETY: arguments and captured values are a function's parameters, which all have registers.
        unsafe { *context.registers.add(after as usize + i) = value };
    }
    match unique {
        true => heap.free_shell(handle),
        false => heap.release_shared(handle),
    }
}

/// Gives the frame of a handler's call back, with the arguments in it; what stands below it.
///
/// # Safety
/// As [`allocate`]; the word is that of a frame.
pub unsafe extern "C" fn leave_frame(context: *mut Context<'_>, word: u64) -> u64 {
    // SAFETY: as in `allocate`.
    let context = unsafe { &mut *context };
    // SAFETY: as in `allocate`.
    let heap = unsafe { &mut *context.heap };
    heap.leave_frame(Value(word)).0
}

/// `pow`, with one NaN for all.
pub extern "C" fn pow(a: f64, b: f64) -> f64 {
    Value::float(frank_interpreter::backend::pow(a, b)).as_float()
}

/// Functions with the calling convention of C for the machine's functions of floats.
macro_rules! functions {
    ($($builtin:ident $name:ident),*) => {
        $(
            extern "C" fn $name(x: f64) -> f64 {
                let function = float_function(Builtin::$builtin);
                Value::float(function.map_or(f64::NAN, |f| f(x))).as_float()
            }
        )*

        /// The address of a function from a float to a float.
        pub fn address_of(builtin: Builtin) -> Option<*const u8> {
            Some(match builtin {
                $(Builtin::$builtin => $name as *const u8,)*
                _ => return None,
            })
        }
    };
}

functions! {
    Sin sin, Cos cos, Tan tan, Exp exp, Log log, Tanh tanh, Asin asin, Acos acos, Atan atan, Sinh sinh, Cosh cosh
}
