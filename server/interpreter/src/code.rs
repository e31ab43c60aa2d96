//! The machine's own code: what the compile phase makes of a program.
//!
//! Instructions are words of sixteen bytes over a file of registers. A function's locals live in
//! the low registers, the constants of the program in a block of their own that is filled once,
//! and what runs without a frame (see [`Instr::Perform`]) in a third block, so that none of them
//! disturbs another. Lists of registers stand in one pool. Every register is named by the compile
//! phase, and no index of this module depends on a program's input.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};

use frank_core::{Arithmetic, Builtin, Outside, PictureKind, Place};
use serde::{Deserialize, Serialize};

use crate::performance::Performed;
use crate::value::Value;

/// A register: 15 bits.
pub type Reg = u16;

/// How many registers there are; an [`Operand`] has 15 bits for one.
pub const REGISTERS: usize = 1 << 15;
/// The first register that holds a constant.
pub const CONSTANTS: Reg = 24 << 10;
/// The first register of clauses that run without a frame.
pub const WINDOW: Reg = 28 << 10;
/// No register: a field nobody wants, a continuation nobody uses.
pub const NOWHERE: Reg = u16::MAX;
/// No site, no target: the call is in tail position, the clause does not exist.
pub const NONE: u32 = u32::MAX;

/// A register whose value is used up, or, with the low bit set, copied because it is needed again.
/// For arithmetic, which only looks at its operands, the low bit says that the operand dies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Operand(pub u16);

impl Operand {
    pub fn new(register: Reg, flag: bool) -> Operand {
        Operand((register << 1) | flag as u16)
    }

    #[inline(always)]
    pub fn register(self) -> usize {
        (self.0 >> 1) as usize
    }

    #[inline(always)]
    pub fn flag(self) -> bool {
        self.0 & 1 == 1
    }
}

/// A test that two numbers pass or fail; the others are these with their operands swapped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Test {
    Less,
    LessEqual,
    Equal,
    NotEqual,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub enum Instr {
    Move {
        to: Reg,
        from: Operand,
    },
    /// A constant that has no register of its own.
    Constant {
        to: Reg,
        id: u32,
    },
    /// A string, a constructor with constant arguments, a thunk without captures: made at the
    /// first use, then shared.
    Static {
        to: Reg,
        id: u32,
    },

    Construct1 {
        to: Reg,
        tag: u16,
        constructor: u32,
        a: Operand,
    },
    Construct2 {
        to: Reg,
        tag: u16,
        constructor: u32,
        a: Operand,
        b: Operand,
    },
    Construct3 {
        to: Reg,
        tag: u16,
        constructor: u32,
        a: Operand,
        b: Operand,
        c: Operand,
    },
    ConstructN {
        to: Reg,
        count: u16,
        constructor: u32,
        args: u32,
    },
    Closure {
        to: Reg,
        count: u16,
        function: u32,
        args: u32,
    },
    /// A copy of a field.
    Field {
        to: Reg,
        of: Reg,
        index: u16,
    },
    /// Takes an object apart that is not needed as a whole any more.
    Unpack1 {
        of: Reg,
        a: Reg,
    },
    Unpack2 {
        of: Reg,
        a: Reg,
        b: Reg,
    },
    Unpack3 {
        of: Reg,
        a: Reg,
        b: Reg,
        c: Reg,
    },
    UnpackN {
        of: Reg,
        count: u16,
        to: u32,
    },
    Drop {
        of: Reg,
    },
    Reverse {
        to: Reg,
        list: Reg,
    },
    /// The thunk that a catch-all binds, of an argument finished or paused.
    CatchAll {
        to: Reg,
        from: Operand,
    },
    /// A copy of an argument of the command at which an argument is paused.
    PausedArg {
        to: Reg,
        of: Reg,
        index: u16,
    },
    /// Its continuation.
    PausedContinuation {
        to: Reg,
        from: Operand,
    },

    IntArithmetic {
        operator: Arithmetic,
        to: Reg,
        a: Operand,
        b: Operand,
    },
    AddInt {
        to: Reg,
        a: Operand,
        b: Operand,
    },
    SubtractInt {
        to: Reg,
        a: Operand,
        b: Operand,
    },
    AddFloat {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    SubtractFloat {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    MultiplyFloat {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    DivideFloat {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    NegateInt {
        to: Reg,
        a: Operand,
    },
    NegateFloat {
        to: Reg,
        a: Reg,
    },
    CompareInt {
        test: Test,
        to: Reg,
        a: Operand,
        b: Operand,
    },
    CompareFloat {
        test: Test,
        to: Reg,
        a: Reg,
        b: Reg,
    },
    /// Operands are looked at only. Behind those that the operator takes stand others again.
    Builtin {
        builtin: Builtin,
        to: Reg,
        args: [Operand; Builtin::MOST_ARGUMENTS],
    },

    Jump {
        to: u32,
    },
    /// Goes on if the test holds, jumps if not.
    BranchInt {
        test: Test,
        a: Operand,
        b: Operand,
        no: u32,
    },
    BranchFloat {
        test: Test,
        a: Reg,
        b: Reg,
        no: u32,
    },
    BranchTag {
        of: Reg,
        tag: u16,
        no: u32,
    },
    /// Whether a word is that of a constant: a character or an integer.
    BranchWord {
        of: Reg,
        constant: Reg,
        no: u32,
    },
    BranchString {
        of: Reg,
        id: u32,
        no: u32,
    },
    /// Whether an argument is paused.
    BranchPaused {
        of: Reg,
        no: u32,
    },
    /// Whether an argument, known to be paused, is so at this command of the `seen`-th instance
    /// of its interface that the port adds.
    BranchCommand {
        of: Reg,
        seen: u16,
        command: u32,
        no: u32,
    },
    /// By tag; the table has `count` targets and then one for any other tag.
    SwitchTag {
        of: Reg,
        count: u16,
        table: u32,
    },
    /// By the id of the constructor, for data types with very many of them.
    SwitchConstructor {
        of: Reg,
        table: u32,
    },
    SwitchWord {
        of: Reg,
        table: u32,
    },

    Return {
        of: Reg,
    },
    /// The function's number while code is written, then where it begins.
    Call {
        count: u8,
        function: u32,
        moves: u32,
        site: u32,
    },
    TailCall {
        count: u8,
        function: u32,
        moves: u32,
    },
    /// `head args`, where the head is known at run time only. No site in tail position.
    Apply {
        head: Operand,
        count: u16,
        args: u32,
        site: u32,
    },
    /// A command of at most three arguments. If its handler's clause needs no frame, it runs in the
    /// window and its value goes to the site's register at once; nothing is saved.
    Perform {
        count: u8,
        a: Operand,
        b: Operand,
        c: Operand,
        command: u32,
        site: u32,
    },
    /// A command of any number of arguments.
    PerformMany {
        count: u8,
        command: u32,
        args: u32,
        site: u32,
    },
    /// `new`, `read` and `write` where no port of the program mentions their interface, so that
    /// they are the machine's own. Cells are looked at only.
    NewCell {
        to: Reg,
        from: Operand,
    },
    ReadCell {
        to: Reg,
        cell: Operand,
    },
    WriteCell {
        to: Reg,
        cell: Operand,
        from: Operand,
    },
    /// Begins the last argument of a call under its port's adjustments. `done` are the arguments
    /// before it. What the argument gives enters the operator.
    Handle {
        count: u8,
        port: u32,
        done: u32,
        site: u32,
    },
    /// Begins an earlier argument; its value, finished or paused, returns to the site.
    Pause {
        port: u32,
        site: u32,
    },
    /// Begins a term under adaptors.
    Adapt {
        port: u32,
        site: u32,
    },
    /// Begins an argument of a head known at run time only, if that adjusts its port.
    EnterPort {
        head: Reg,
        index: u16,
        site: u32,
    },
    LeavePort {
        head: Reg,
        index: u16,
        from: Operand,
        to: Reg,
        count: u16,
        drops: u32,
    },
    /// No clause matches. No site if the program has no `abort`.
    Fail {
        id: u32,
        site: u32,
    },
    /// Calls an operator whose last argument is paused: installs its handler and performs there.
    Reinstall {
        count: u8,
        port: u32,
        args: u32,
    },

    /// Counts a step.
    Step,
    /// A copy of a finished argument of the call that handles the command being performed.
    Done {
        to: Reg,
        index: u16,
    },
    /// An argument of the call of a handler that is known: the one that a command reaches which passes `depth` others.
    /// It is copied, or taken if it is written again before anybody looks at it.
    ReadState {
        to: Reg,
        depth: u16,
        index: u16,
        takes: bool,
    },
    WriteState {
        depth: u16,
        index: u16,
        from: Operand,
    },
    /// A handler that is known takes the command whose clauses are called next: which instance that its port adds is
    /// meant, and the index that the command comes to the port with.
    Handling {
        depth: u16,
        slot: u16,
        index: u16,
    },
    /// A clause that resumes in place is about to call: leaves a mark on the stack, and from here
    /// on the handlers are those around the call.
    Begin,
    /// Gives the handler that stays a new argument.
    SetDone {
        index: u16,
        from: Operand,
        begun: bool,
    },
    /// What follows runs under the handler that stays.
    Under,
    /// Drops what stands above a handler that is known, and ends its call: what follows is where that was.
    Unwind {
        depth: u16,
    },
    /// Takes the continuation up to the call that handles the command, which ends. Without a register it is dropped.
    Capture {
        to: Reg,
        begun: bool,
    },
    /// Puts a frame for what a clause does when its resumption is over below the clause's handler, where the handler's
    /// value returns to.
    Rest {
        keeper: Keeper,
        site: u32,
    },
    /// The clauses for catch-alls decide; the command is packed up with its continuation.
    Pack {
        count: u8,
        command: u32,
        args: u32,
    },
    /// The end of a clause in the window.
    WindowReturn {
        of: Reg,
    },
    /// This clause is not one for the window; nothing has happened yet.
    WindowLeave,
}

// Built-in operators may have six arguments before an instruction grows.
const _: () = assert!(size_of::<Instr>() == 16);

/// Where the handler stands whose clause leaves a rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Keeper {
    /// It is known: the one that a command reaches which passes so many others.
    Known(u16),
    /// It takes the command being performed.
    Found,
    /// The same, once the clause has left a mark.
    Marked,
}

/// Where a value returns to.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Site {
    pub pc: u32,
    /// The register that receives the value, or [`NOWHERE`].
    pub to: Reg,
    pub count: u16,
    /// The registers that the frame keeps.
    pub saved: u32,
    pub debug: u32,
}

/// The site of the mark that a clause leaves that resumes in place.
pub const MARK: u32 = 0;

/// A function: the clauses of an operator or thunk, one command of an operator, an entry.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Function {
    pub pc: u32,
    pub parameters: u16,
    pub captured: u16,
    /// For each parameter its port, if that adjusts the ability.
    pub ports: Vec<Option<u32>>,
    pub debug: u32,
}

/// A step of a port's adjustments or of adaptors in a term, with ids compared by number.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Step {
    Add {
        interface: u32,
        slot: u16,
    },
    Rename {
        interface: u32,
        taken: u32,
        kept: Vec<u32>,
    },
}

/// What one command of a port's instance does: numbers of functions while code is written, then
/// where they begin.
#[repr(C)]
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct CommandEntry {
    /// Its clauses, [`NONE`] if only catch-alls can match.
    pub function: u32,
    /// The same for the window, [`NONE`] if no clause can run there.
    pub window: u32,
}

/// An instance that a port adds.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Slot {
    pub interface: u32,
    /// How many instances of its interface the port adds to its right.
    pub seen: u16,
    /// Where its commands' entries begin: in the port while code is written, then in the program.
    pub entries: u32,
}

/// Which nodes can be told apart without looking at their steps.
pub const ANY_INTERFACE: u32 = NONE;
pub const NO_INTERFACE: u32 = NONE - 1;

/// A port with adjustments, or the adaptors of a term.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Port {
    /// The interface of the single instance that is added, [`ANY_INTERFACE`] if it is not so simple.
    pub interface: u32,
    pub steps: Vec<Step>,
    pub slots: Vec<Slot>,
    /// Empty when code is written: see [`Code::commands_of`].
    pub entries: Vec<CommandEntry>,
    /// The function that tries catch-alls, and `m` and the done arguments are its parameters.
    pub any: u32,
    /// Where a finished last argument enters the operator.
    pub enter: u32,
    /// How many arguments precede this one.
    pub position: u16,
    /// The operator whose port it is; [`NONE`] for adaptors.
    pub function: u32,
    pub debug: u32,
}

/// What the machine does itself for a command that no handler in the program takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Service {
    None,
    Inch,
    Ouch,
    Ouint,
    New,
    Read,
    Write,
    Picture(PictureKind),
    Outside(Outside),
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Command {
    pub interface: u32,
    /// Its position among the commands of its interface.
    pub index: u32,
    pub service: Service,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Constructor {
    /// Its name when it is printed.
    pub name: String,
    pub tag: u32,
    /// How many of its fields are printed.
    pub arity: u32,
}

/// What an operator as a value stands for.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub enum Callable {
    Function(u32),
    Builtin(Builtin),
}

/// A value made at its first use.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum StaticValue {
    String(String),
    Wide(i64),
    /// Arguments are constants, or statics before this one.
    Construct {
        constructor: u32,
        args: Vec<StaticArg>,
    },
    Closure {
        function: u32,
    },
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub enum StaticArg {
    Constant(Value),
    Static(u32),
}

/// What is to be said when no clause matches.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FailedMatch {
    /// Index of a name.
    pub operator: u32,
    /// The arguments, and whether they die here.
    pub values: Vec<Operand>,
}

/// What an instruction or site belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Debug {
    /// Index of a name.
    pub name: u32,
    pub place: Option<Place>,
    /// For what belongs to an operator that was put in place of its call: that call's. Otherwise
    /// [`NONE`].
    pub site: u32,
}

/// Where something stands, or the call that it was put in place of, or that call's own, and so on:
/// the first place that is in no file of the library.
pub(crate) fn place_in_program(
    debugs: &[Debug],
    mut debug: u32,
    library: impl Fn(frank_core::FileId) -> bool,
) -> Option<Place> {
    while let Some(here) = debugs.get(debug as usize) {
        if let Some(place) = here.place.filter(|place| !library(place.file)) {
            return Some(place);
        }
        debug = here.site;
    }
    None
}

/// Words that the machine makes of constants of the built-in library.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Words {
    pub unit: Value,
    pub true_: Value,
    pub false_: Value,
    pub nil: Value,
    /// The constructor `cons` and its tag.
    pub cons: u32,
    pub cons_tag: u32,
    pub nothing: Value,
    /// The constructor `just` and its tag.
    pub just: u32,
    pub just_tag: u32,
    /// The constructors `left` and `right` and their tags.
    pub left: u32,
    pub left_tag: u32,
    pub right: u32,
    pub right_tag: u32,
}

/// Tells programs apart: copies of a program have the same, all others another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity(u64);

impl Default for Identity {
    fn default() -> Identity {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Identity(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// A compiled program. Made by [`crate::compile()`], run by [`crate::Machine`], never changed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Code {
    #[serde(skip)]
    pub(crate) identity: Identity,
    pub(crate) instrs: Vec<Instr>,
    /// For each instruction what it belongs to.
    pub(crate) debug_of: Vec<u32>,
    pub(crate) pool: Vec<u16>,
    pub(crate) sites: Vec<Site>,
    pub(crate) functions: Vec<Function>,
    pub(crate) ports: Vec<Port>,
    /// What the commands of all ports do, and for each port where those of its first instance
    /// begin.
    pub(crate) commands_of: Vec<CommandEntry>,
    pub(crate) first_of: Vec<u32>,
    pub(crate) targets: Vec<u32>,
    /// Sorted words and their targets; the target for any other word.
    pub(crate) word_tables: Vec<(Vec<(u64, u32)>, u32)>,
    pub(crate) constants: Vec<Value>,
    pub(crate) statics: Vec<StaticValue>,
    pub(crate) strings: Vec<Vec<char>>,
    pub(crate) failed_matches: Vec<FailedMatch>,
    pub(crate) commands: Vec<Command>,
    pub(crate) command_names: Vec<String>,
    pub(crate) interfaces: Vec<String>,
    pub(crate) constructors: Vec<Constructor>,
    pub(crate) operators: Vec<Option<Callable>>,
    pub(crate) entries: Vec<u32>,
    pub(crate) debugs: Vec<Debug>,
    /// Which files are the library's.
    #[serde(skip)]
    pub(crate) library: HashSet<frank_core::FileId>,
    pub(crate) names: Vec<String>,
    pub(crate) words: Words,
    pub(crate) abort: Option<u32>,
    /// What became of the program's commands; no run needs it.
    #[serde(skip)]
    pub(crate) performed: Vec<Performed>,
}
