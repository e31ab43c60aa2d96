//! What became of the commands of a program when it was compiled.

/// A command in the code of some function, by what it belongs to.
#[derive(Clone, Debug)]
pub(crate) struct Performed {
    pub command: String,
    pub debug: u32,
    pub how: How,
}

/// How a command is performed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum How {
    /// The clauses of this handler stand in its place.
    Direct(String),
    /// The clauses of this handler stand there, too, and drop what performed: a jump to the handler's call.
    Dropped(String),
    /// Some of this handler's clauses stand in its place; for others it is performed.
    Partly(String, Why),
    /// The machine looks for its handler.
    Performed(Why),
}

/// Why a command is performed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// Nothing is known of the handlers around it, or they do more with their continuations than to put them back under
    /// themselves or drop them, or take any command.
    Unknown,
    /// It stands in more handlers and adaptors than are followed.
    Depth(usize),
    /// The operator is called under more lists of handlers than it is compiled for.
    Versions(String, usize),
    /// All operators together are called under more lists of handlers than they are compiled for.
    AllVersions(usize),
    /// No handler of the program takes it, but the machine.
    Host,
    /// The handler has arguments before the one that it handles, and code that runs above other handlers than are
    /// around it does not know where they are; or one of them may be paused.
    State(String),
    /// The handler's clause drops what performs, and code that runs above other handlers than are around it does not
    /// know where the handler is.
    Place(String),
    /// The handler's clause captures, or calls before it resumes.
    Clause(String),
    /// A catch-all takes it.
    CatchAll,
    /// No clause may match.
    Fails,
    /// There is too much code already.
    Size,
}

impl std::fmt::Display for Why {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Why::Unknown => f.write_str("the handlers around it are not known, or not deep"),
            Why::Depth(most) => {
                write!(f, "it is under more than {most} handlers and adaptors")
            }
            Why::Versions(operator, most) => write!(
                f,
                "`{operator}` is called under more than {most} lists of handlers"
            ),
            Why::AllVersions(most) => write!(
                f,
                "operators are called under more than {most} further lists of handlers"
            ),
            Why::Host => f.write_str("no handler of the program takes it"),
            Why::State(handler) => {
                write!(f, "where `{handler}` has its other arguments is not known")
            }
            Why::Place(handler) => write!(f, "where `{handler}` was called is not known"),
            Why::Clause(handler) => write!(f, "the clause of `{handler}` captures or calls"),
            Why::CatchAll => f.write_str("a clause for any command takes it"),
            Why::Fails => f.write_str("there may be no clause for its arguments"),
            Why::Size => f.write_str("there would be too much code"),
        }
    }
}
