//! What a run consists of at one moment.
//!
//! A [`State`] is a focus, the frames that wait for what it comes to, and what the cells hold. It owns next to
//! nothing: what it is made of lies in a [`Store`], where nothing ever changes or goes away. So a state is copied in
//! constant time, and every state that there was stays what it was.

use std::num::NonZeroU64;

use frank_core::{CommandId, ConstructorId, Local, OperatorId, TermId};
use frank_interpreter::picture::Tally;
use la_arena::{Arena, Idx};
use rpds::Vector;

pub type EnvId = Idx<Binding>;
pub type StackId = Idx<Below>;
pub type DataId = Idx<Data>;
pub type ThunkId = Idx<Thunk>;
pub type ArgsId = Idx<Args>;
pub type FrozenId = Idx<Frozen>;
pub type PausedId = Idx<Paused>;
pub type OutputId = Idx<Output>;

/// A moment of a run.
#[derive(Debug, Clone)]
pub struct State {
    pub focus: Focus,
    /// The frames around the focus, the innermost first.
    pub stack: Option<StackId>,
    /// What the cells hold that `new` has made, in the order of their making.
    pub cells: Vector<Value>,
    /// How many characters of the input were read.
    pub read: usize,
    /// What was printed, the last character first.
    pub printed: Option<OutputId>,
    /// How many runs of derivatives were begun.
    pub runs: i64,
    /// The pictures that were asked for, which nobody draws.
    pub pictures: Tally,
}

/// What happens next.
#[derive(Debug, Clone, Copy)]
pub enum Focus {
    /// A term that is to be evaluated.
    Term(TermId, Option<EnvId>),
    /// A value for the innermost frame.
    Value(Value),
    /// A call whose arguments are all there.
    Call(Call),
    /// A command on its way to its handler.
    Command(Performed),
    /// The run's value.
    Done(Value),
}

/// A head with its arguments.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Call {
    pub head: Value,
    pub args: Option<ArgsId>,
    /// The term that it was written as.
    pub term: TermId,
    /// The variables where it was written; no rule asks for them, but who looks at a run does.
    pub env: Option<EnvId>,
}

/// A command that is being performed.
#[derive(Debug, Clone, Copy)]
pub struct Performed {
    pub command: CommandId,
    pub args: Option<ArgsId>,
    /// Which instance is meant where the command has come to, counted from the right.
    pub index: u32,
    /// The frames that it has left behind, which become its continuation.
    pub frozen: Option<FrozenId>,
    /// The call that stands for it, such as `c 1` for `ap0 (constE 1)`.
    pub written: Call,
    /// Whether the program handles it. If not, it is for the host.
    pub taken: bool,
}

/// What a term can come to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    Int(i64),
    Float(f64),
    Char(char),
    Data(DataId),
    Thunk(ThunkId),
    Operator(OperatorId),
    Command(CommandId),
    /// The rest of an argument, to be resumed with the result of its command: the `k` of `<c -> k>`.
    Continuation(PausedId),
    /// A paused argument, which performs its command once more: the `m` of `<m>`.
    Paused(PausedId),
    /// A finished argument: the `m` of `<m>`, too.
    Finished(DataId),
    /// A cell, by its position among all.
    Ref(usize),
    /// An array: its items are the arguments of no constructor.
    Array(DataId),
}

impl Value {
    /// Whether it had been made at a moment; nothing for what the run does not make, such as numbers.
    pub fn is_among(self, made: Made) -> Option<bool> {
        let raw = |index: la_arena::RawIdx| index.into_u32();
        match self {
            Value::Data(id) | Value::Finished(id) | Value::Array(id) => {
                Some(raw(id.into_raw()) < made.data)
            }
            Value::Thunk(id) => Some(raw(id.into_raw()) < made.thunks),
            Value::Paused(id) | Value::Continuation(id) => Some(raw(id.into_raw()) < made.paused),
            _ => None,
        }
    }
}

/// A constructor with its arguments; for a finished argument its value alone, for an array its items.
#[derive(Debug, Clone)]
pub struct Data {
    /// `None` for a finished argument and for an array.
    pub constructor: Option<ConstructorId>,
    pub args: Vec<Value>,
}

/// A suspended computation with the variables that it may use.
#[derive(Debug, Clone, Copy)]
pub struct Thunk {
    pub term: TermId,
    pub env: Option<EnvId>,
}

/// A variable with its value, and the variables around it.
#[derive(Debug, Clone, Copy)]
pub struct Binding {
    pub local: Local,
    pub value: Value,
    pub rest: Option<EnvId>,
}

/// An argument that is done: finished or paused.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Arg {
    Value(Value),
    Paused(PausedId),
}

/// Arguments that are done, the last first.
#[derive(Debug, Clone, Copy)]
pub struct Args {
    pub last: Arg,
    pub before: Option<ArgsId>,
    /// How many there are with the last one.
    pub count: usize,
}

/// A frame with those further out.
#[derive(Debug, Clone, Copy)]
pub struct Below {
    pub frame: Frame,
    pub rest: Option<StackId>,
}

/// A term with a hole `□`, where a value is awaited.
#[derive(Debug, Clone, Copy)]
pub enum Frame {
    /// `□ t…`
    Head { term: TermId, env: Option<EnvId> },
    /// `f a… □ t…`; a handler, if the port of `f` at that place adds an instance.
    Argument {
        term: TermId,
        env: Option<EnvId>,
        head: Value,
        done: Option<ArgsId>,
    },
    /// `c a… □ t…` of a constructor, or an element of a list.
    Part {
        term: TermId,
        env: Option<EnvId>,
        done: Option<ArgsId>,
    },
    /// `<R> □`
    Adaptors { term: TermId, env: Option<EnvId> },
    /// `let x = □ in t`
    Let { term: TermId, env: Option<EnvId> },
    /// `□; t`
    Sequence { term: TermId, env: Option<EnvId> },
    /// `□ + t`, and what compares
    Left { term: TermId, env: Option<EnvId> },
    /// `v + □`
    Right {
        term: TermId,
        env: Option<EnvId>,
        left: Value,
    },
    /// `- □`
    Negate { term: TermId, env: Option<EnvId> },
}

impl Frame {
    /// The term with the hole.
    pub fn term(&self) -> TermId {
        match self {
            Frame::Head { term, .. }
            | Frame::Argument { term, .. }
            | Frame::Part { term, .. }
            | Frame::Adaptors { term, .. }
            | Frame::Let { term, .. }
            | Frame::Sequence { term, .. }
            | Frame::Left { term, .. }
            | Frame::Right { term, .. }
            | Frame::Negate { term, .. } => *term,
        }
    }

    /// The variables around the hole.
    pub fn env(&self) -> Option<EnvId> {
        match self {
            Frame::Head { env, .. }
            | Frame::Argument { env, .. }
            | Frame::Part { env, .. }
            | Frame::Adaptors { env, .. }
            | Frame::Let { env, .. }
            | Frame::Sequence { env, .. }
            | Frame::Left { env, .. }
            | Frame::Right { env, .. }
            | Frame::Negate { env, .. } => *env,
        }
    }

    /// Whether a value under it is a redex together with it.
    pub fn reduces(&self) -> bool {
        matches!(
            self,
            Frame::Adaptors { .. }
                | Frame::Let { .. }
                | Frame::Sequence { .. }
                | Frame::Right { .. }
                | Frame::Negate { .. }
        )
    }
}

/// Frames that a command has left behind, the outermost first.
#[derive(Debug, Clone, Copy)]
pub struct Frozen {
    pub frame: Frame,
    pub inner: Option<FrozenId>,
}

/// An argument that was left at a command of its port.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Paused {
    pub command: CommandId,
    pub args: Option<ArgsId>,
    pub frozen: Option<FrozenId>,
    /// Which of the instances that the port adds takes the command, from the right.
    pub slot: u32,
    /// Which instance was meant above the port.
    pub index: u32,
    pub written: Call,
    /// How many rules had been applied when its continuation was resumed for the first time.
    pub resumed: Option<NonZeroU64>,
}

/// A printed character, and what was printed before.
#[derive(Debug, Clone, Copy)]
pub struct Output {
    pub char: char,
    pub before: Option<OutputId>,
    /// How many characters there are with this one.
    pub count: usize,
}

/// What states are made of. It only grows, but for what [`collect`](Store::collect) drops.
#[derive(Debug, Default)]
pub struct Store {
    pub bindings: Arena<Binding>,
    pub stacks: Arena<Below>,
    pub data: Arena<Data>,
    pub thunks: Arena<Thunk>,
    pub args: Arena<Args>,
    pub frozen: Arena<Frozen>,
    pub paused: Arena<Paused>,
    pub output: Arena<Output>,
    /// The local of the `let` under which each cell is made, if there is one.
    pub births: Vec<Option<(TermId, Local)>>,
}

/// How much a run has made at one moment: what is made later has a higher number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Made {
    data: u32,
    thunks: u32,
    paused: u32,
}

impl Store {
    /// How much has been made.
    pub fn made(&self) -> Made {
        fn count<T>(arena: &Arena<T>) -> u32 {
            // Indices have as many bits.
            arena.len() as u32
        }
        Made {
            data: count(&self.data),
            thunks: count(&self.thunks),
            paused: count(&self.paused),
        }
    }

    /// How many bytes it takes, roughly.
    pub fn bytes(&self) -> usize {
        fn of<T>(arena: &Arena<T>) -> usize {
            arena.len() * size_of::<T>()
        }
        // A constructor has its arguments in an allocation of their own.
        let args = self.data.len() * 3 * size_of::<Value>();
        of(&self.bindings)
            + of(&self.stacks)
            + of(&self.data)
            + args
            + of(&self.thunks)
            + of(&self.args)
            + of(&self.frozen)
            + of(&self.paused)
            + of(&self.output)
    }

    /// The value of a variable.
    pub fn lookup(&self, env: Option<EnvId>, local: Local) -> Option<Value> {
        let mut next = env;
        while let Some(id) = next {
            let binding = self.bindings[id];
            if binding.local == local {
                return Some(binding.value);
            }
            next = binding.rest;
        }
        None
    }

    /// Adds a variable.
    pub fn bind(&mut self, rest: Option<EnvId>, local: Local, value: Value) -> Option<EnvId> {
        Some(self.bindings.alloc(Binding { local, value, rest }))
    }

    /// Puts a frame on a stack.
    pub fn push(&mut self, rest: Option<StackId>, frame: Frame) -> Option<StackId> {
        Some(self.stacks.alloc(Below { frame, rest }))
    }

    /// Adds an argument.
    pub fn append(&mut self, before: Option<ArgsId>, last: Arg) -> Option<ArgsId> {
        let count = self.count(before) + 1;
        Some(self.args.alloc(Args {
            last,
            before,
            count,
        }))
    }

    /// How many arguments there are.
    pub fn count(&self, args: Option<ArgsId>) -> usize {
        args.map_or(0, |id| self.args[id].count)
    }

    /// The arguments from the first to the last.
    pub fn list(&self, args: Option<ArgsId>) -> Vec<Arg> {
        let mut all = Vec::with_capacity(self.count(args));
        let mut next = args;
        while let Some(id) = next {
            let Args { last, before, .. } = self.args[id];
            all.push(last);
            next = before;
        }
        all.reverse();
        all
    }

    /// The arguments of a call that handles nothing.
    pub fn values(&self, args: Option<ArgsId>) -> Vec<Value> {
        let all = self.list(args).into_iter();
        all.map(|arg| match arg {
            Arg::Value(value) => value,
            Arg::Paused(id) => Value::Paused(id),
        })
        .collect()
    }

    /// Frames from the outermost to the innermost.
    pub fn frames(&self, frozen: Option<FrozenId>) -> Vec<Frame> {
        let mut all = Vec::new();
        let mut next = frozen;
        while let Some(id) = next {
            let Frozen { frame, inner } = self.frozen[id];
            all.push(frame);
            next = inner;
        }
        all
    }

    /// What was printed, in order.
    pub fn text(&self, printed: Option<OutputId>) -> String {
        let mut all = Vec::new();
        let mut next = printed;
        while let Some(id) = next {
            let Output { char, before, .. } = self.output[id];
            all.push(char);
            next = before;
        }
        all.iter().rev().collect()
    }
}
