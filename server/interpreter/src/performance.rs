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
    Inlined(String),
    /// The clauses of this handler stand there, too, and drop what performed: a jump to the handler's call.
    Dropped(String),
    /// Some of this handler's clauses stand in its place; for others it is performed.
    Partly(String, Why),
    /// It calls the clauses of this handler, and they do not stand in its place.
    Direct(String, Why),
    /// The machine does it with one instruction: a command of references.
    Instruction,
    /// The machine looks for its handler.
    Performed(Why),
}

/// Why a command is not inlined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// Nothing is known of the handlers around it.
    Unknown,
    /// It stands under this handler, which does more with continuations than to put them back under itself or drop
    /// them, or takes any command.
    NotDeep(String),
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
    /// A catch-all of the handler takes it.
    CatchAll(String),
    /// No clause may match.
    Fails,
    /// There is too much code already.
    Size,
}

impl std::fmt::Display for Why {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Why::Unknown => f.write_str("it is not known which handlers are around it"),
            Why::NotDeep(handler) => write!(
                f,
                "it is under `{handler}`, which is not deep: a clause keeps its continuation, runs it elsewhere, or takes \
                 any command"
            ),
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
            Why::State(handler) => write!(
                f,
                "other handlers may be between it and `{handler}`, whose clause needs the other arguments of `{handler}`"
            ),
            Why::Place(handler) => write!(
                f,
                "other handlers may be between it and `{handler}`, to whose call its clause jumps"
            ),
            Why::Clause(handler) => write!(
                f,
                "the clause of `{handler}` needs the continuation as a value, or calls something before it resumes"
            ),
            Why::CatchAll(handler) => {
                write!(
                    f,
                    "the clause of `{handler}` that takes it takes any command"
                )
            }
            Why::Fails => f.write_str("its arguments may match no clause"),
            Why::Size => {
                f.write_str("with the clause in its place the function would be too large")
            }
        }
    }
}
