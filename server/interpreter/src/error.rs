//! Why and where a run ended without a value.

use frank_core::Place;

/// A run that ended without a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunError {
    pub kind: RunErrorKind,
    /// One sentence, without the place.
    pub message: String,
    /// The term that could not go on; nothing for code that has no text.
    pub place: Option<Place>,
    /// The call in the program that led there, if that term is the library's and no limit ended
    /// the run. As with `trace`, it may be one further out where calls left no frame.
    pub caller: Option<Place>,
    /// Other places that the message speaks of.
    pub related: Vec<Related>,
    /// The values at fault, printed: the arguments that no clause matches, the operands.
    pub values: Vec<String>,
    /// Frank's own stack of calls and handlers, innermost first. Calls in tail position leave no
    /// frame, but for those of a program to the library that can come to `fail`; nor do calls of
    /// small operators, which stand in their callers.
    pub trace: Vec<Frame>,
    /// Whether the stack is deeper than the trace.
    pub trace_ends_early: bool,
}

impl RunError {
    /// An error of which the place is known, and no stack.
    pub fn new(kind: RunErrorKind, message: String, place: Option<Place>) -> RunError {
        RunError {
            kind,
            message,
            place,
            caller: None,
            related: Vec::new(),
            values: Vec::new(),
            trace: Vec::new(),
            trace_ends_early: false,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RunErrorKind {
    /// No clause matches, and nobody handles `abort`.
    NoMatch,
    Overflow,
    DivisionByZero,
    /// A number that has no counterpart in another type.
    Conversion,
    /// The program called `fail`.
    Failed,
    /// A hole: there is no term yet.
    Hole,
    /// A command that nobody handles.
    Unhandled,
    /// `inch` at the end of the input.
    EndOfInput,
    /// The host could not do what was asked.
    Host,
    /// The limits.
    Steps,
    Time,
    Memory,
    Output,
    Cancelled,
    /// A mistake of the front end or the interpreter.
    Internal,
}

/// A place that an error speaks of beside its own, with what is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Related {
    pub place: Place,
    pub what: &'static str,
}

/// A call or handler on the stack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// The operator that called, or whose handler this is.
    pub name: String,
    /// Where it called, or where the handler's operator is defined; for adaptors where they stand.
    pub place: Option<Place>,
    pub what: FrameKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FrameKind {
    Call,
    /// An argument of `name` whose port adjusts the ability.
    Handler,
    /// A term under adaptors.
    Adaptors,
}

impl std::fmt::Display for RunError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for RunError {}

/// Why the machine stops, before it says where.
#[derive(Debug, Clone)]
pub(crate) struct Stop {
    pub kind: RunErrorKind,
    pub message: String,
    /// The call in the program that is to blame, if it is another one than the innermost.
    pub caller: Option<Place>,
    pub related: Vec<Related>,
    pub values: Vec<String>,
}

impl Stop {
    #[cold]
    pub fn new(kind: RunErrorKind, message: impl Into<String>) -> Box<Stop> {
        Box::new(Stop {
            kind,
            message: message.into(),
            caller: None,
            related: Vec::new(),
            values: Vec::new(),
        })
    }

    #[cold]
    pub fn with(kind: RunErrorKind, message: impl Into<String>, values: Vec<String>) -> Box<Stop> {
        Box::new(Stop {
            kind,
            message: message.into(),
            caller: None,
            related: Vec::new(),
            values,
        })
    }
}

impl From<crate::heap::OutOfMemory> for Box<Stop> {
    fn from(_: crate::heap::OutOfMemory) -> Box<Stop> {
        Stop::new(RunErrorKind::Memory, "the memory limit is reached")
    }
}
