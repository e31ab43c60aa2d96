//! What a back end that makes machine code of hot functions sees of a program and of a machine.
//!
//! The border between the two is the machine's own state: registers, the heap, the innermost frame. Machine
//! code takes over where an instruction begins, and gives back where an instruction begins, with the registers
//! that are live there in their places. So whatever a back end does not do, the machine does: a failure, a
//! number that no word holds, a command that goes by a handler found at run time, the end of the fuel. What it does
//! with handlers and continuations machine code may have it do without giving back: see [`Effects`].

use std::ops::Range;

pub use crate::code::{
    CONSTANTS, Command, CommandEntry, FailedMatch, Function, Identity, Instr, Keeper, MARK, NONE,
    NOWHERE, Operand, REGISTERS, Reg, Site, Test, WINDOW, Words,
};
pub use crate::heap::{Heap, HeapLayout, INFO_BITS};
pub use crate::nodes::{Found, Node, NodeLayout, Window};
pub use crate::room::{Fresh, Prepare};
pub use crate::value::Value;
pub use frank_staging::{Binary, Flat, Step, Unary, value1, value2};

use crate::code::{Code, NO_INTERFACE};

/// A program's code, to be read.
#[derive(Debug, Clone, Copy)]
pub struct Parts<'c> {
    pub identity: Identity,
    pub instrs: &'c [Instr],
    pub pool: &'c [u16],
    pub sites: &'c [Site],
    pub functions: &'c [Function],
    pub targets: &'c [u32],
    pub word_tables: &'c [(Vec<(u64, u32)>, u32)],
    pub constants: &'c [Value],
    pub failed_matches: &'c [FailedMatch],
    pub commands: &'c [Command],
    /// What the commands of ports do, and where those of each port's first instance begin.
    pub commands_of: &'c [CommandEntry],
    pub first_of: &'c [u32],
    pub words: Words,
    code: &'c Code,
}

impl<'c> Parts<'c> {
    /// The parts of a program's code.
    pub fn of(code: &'c Code) -> Parts<'c> {
        Parts {
            identity: code.identity,
            instrs: &code.instrs,
            pool: &code.pool,
            sites: &code.sites,
            functions: &code.functions,
            targets: &code.targets,
            word_tables: &code.word_tables,
            constants: &code.constants,
            failed_matches: &code.failed_matches,
            commands: &code.commands,
            commands_of: &code.commands_of,
            first_of: &code.first_of,
            words: code.words,
            code,
        }
    }

    /// The interface that the nodes of a port have, and the site of the frame with the arguments of its call.
    pub fn port(&self, port: u32) -> (u32, u32) {
        let known = self.code.ports.get(port as usize);
        known.map_or((NO_INTERFACE, NONE), |port| (port.interface, port.enter))
    }

    /// The tag of a constructor.
    pub fn tag(&self, constructor: u32) -> u32 {
        let known = self.code.constructors.get(constructor as usize);
        known.map_or(0, |c| c.tag)
    }
}

/// What machine code reads and writes of a machine that gives way to it. Only a machine makes one.
#[non_exhaustive]
pub struct Room<'m> {
    /// Of the program that runs.
    pub identity: Identity,
    pub registers: &'m mut [Value; REGISTERS],
    pub heap: &'m mut Heap,
    pub stack: Stack,
    /// The handlers and adaptors around, and room for more.
    pub nodes: &'m mut [Node],
    /// The command whose clauses run.
    pub handling: &'m mut Found,
    pub window: &'m mut Window,
    /// What the commands of ports do: see [`Command`].
    pub first_of: &'m [u32],
    pub commands_of: &'m [CommandEntry],
    /// Constants that are objects, empty before their first use.
    pub statics: &'m mut [Value],
}

/// The stack of a machine, which machine code has while it runs.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Stack {
    /// The innermost frame, or what stands for none.
    pub frame: Value,
    /// What follows the frames of the innermost segment.
    pub behind: Value,
    /// How many handlers and adaptors are around.
    pub count: usize,
    /// How many of them a command sees.
    pub visible: usize,
    /// How many continuations were captured.
    pub captures: u64,
}

/// A machine that gives way to machine code. What it does for that ends the run where it fails, of which the machine
/// learns when machine code gives back: then there is no result here.
pub trait Effects {
    /// What machine code reads and writes. After any of the others it may be elsewhere.
    fn room(&mut self) -> Room<'_>;

    /// Takes the stack as machine code left it.
    fn set_stack(&mut self, stack: Stack);

    /// Captures what stands above the call that handles the command whose clauses run, and ends that call.
    fn capture(&mut self, begun: bool) -> Option<Value>;

    /// The same where nobody wants the continuation.
    fn leave(&mut self, begun: bool);

    /// Drops what stands above a handler that is known, and ends its call.
    fn unwind(&mut self, depth: u16);

    /// Puts a continuation onto the stack, which is used up. What it waits for comes next.
    fn resume(&mut self, continuation: Value) -> Option<()>;

    /// Gives a value to the stack; the instruction that comes then.
    fn give(&mut self, value: Value) -> Option<usize>;
}

/// Machine code for some operations of a graph.
pub trait GraphCode {
    /// Computes them, as [`Flat::compute`] does, in the array of the graph that it was made for. Gives whether it was
    /// that: another array is left as it is.
    fn compute(&self, numbers: &mut [f64]) -> bool;
}

/// Makes machine code while a program runs, and runs it.
pub trait Backend {
    /// Whether it makes machine code of this program. A machine uses it only then.
    fn is_for(&self, code: &Code) -> bool;

    /// Told where the machine stands after each slice of a run, and the innermost handler that is seen there, so that it
    /// learns what is hot.
    fn sample(&mut self, code: &Code, pc: usize, handler: Option<Node>);

    /// After so many runs of a graph it is worth its machine code.
    fn runs_of_graph(&self) -> u64;

    /// Machine code for some operations of a graph. `None` if there is none.
    fn graph(&mut self, flat: &Flat, operations: Range<usize>) -> Option<Box<dyn GraphCode>>;

    /// What is told of fresh memory.
    fn prepare(&self) -> Prepare;

    /// Where a machine leaves the memory of its objects to the next one. Memory that the system gives anew costs as much as
    /// what machine code does with it.
    fn kept_memory(&mut self) -> &mut Vec<u64>;

    /// For each instruction whether machine code takes over there. Empty as long as there is none at all.
    fn entries(&self) -> &[bool];

    /// Takes over at an instruction, with so many steps that may be counted. Gives back the instruction with which the
    /// machine goes on; it runs that one itself. `None` if nothing was done: the program is another one, or there is no
    /// machine code for the instruction.
    fn run(&self, pc: usize, machine: &mut dyn Effects, fuel: &mut u64) -> Option<usize>;
}

/// The functions from floats to floats that the machine computes by itself, with one NaN for all; `None` for any
/// other built-in operator.
pub fn float_function(builtin: frank_core::Builtin) -> Option<fn(f64) -> f64> {
    use crate::math;
    use frank_core::Builtin;
    Some(match builtin {
        Builtin::Sin => math::sin,
        Builtin::Cos => math::cos,
        Builtin::Tan => math::tan,
        Builtin::Exp => math::exp,
        Builtin::Log => math::log,
        Builtin::Tanh => math::tanh,
        Builtin::Asin => math::asin,
        Builtin::Acos => math::acos,
        Builtin::Atan => math::atan,
        Builtin::Sinh => math::sinh,
        Builtin::Cosh => math::cosh,
        Builtin::Sqrt => f64::sqrt,
        Builtin::Abs => f64::abs,
        _ => return None,
    })
}

/// `pow`, as the machine computes it.
pub fn pow(a: f64, b: f64) -> f64 {
    crate::math::pow(a, b)
}
