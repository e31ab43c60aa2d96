//! The interpreter: it runs what analysis has checked and lowered.
//!
//! [`compile()`] turns a [`frank_core::Program`] into [`Code`]. A [`Machine`] runs one entry of the
//! code, to the end or a number of steps at a time, under [`Limits`]. A [`Host`] answers the
//! commands of `Console` and of `Picture`; that is all a program can reach. The interpreter knows no files, no
//! terminal and no editor. A run ends with a value or with a [`RunError`], which says why and
//! where.
//!
//! # Example
//!
//! ```
//! use frank_core::{Arithmetic, Entry, Number, Program, Term, Type};
//! use frank_interpreter::{Limits, Machine, Progress, Script, compile};
//!
//! // The term `1 + 2`; usually analysis makes the program.
//! let mut program = Program::default();
//! let left = program.terms.alloc(Term::Int(1));
//! let right = program.terms.alloc(Term::Int(2));
//! let sum = Term::Arithmetic { operator: Arithmetic::Add, number: Number::Int, left, right };
//! let term = program.terms.alloc(sum);
//! program.entries.push(Entry { name: "sum".to_owned(), term, ty: Type::Int, locals: 0 });
//!
//! let code = compile(&program)?;
//! let mut host = Script::default();
//! let mut machine = Machine::new(&code, 0, Limits::default(), &mut host);
//! let value = loop {
//!     match machine.run_for(1000)? {
//!         Progress::Running => continue,
//!         Progress::Done(value) => break value,
//!     }
//! };
//! assert_eq!(machine.show(&program, &Type::Int, value, 100)?, "3");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The rules
//!
//! A state is a term or value at the focus, a stack, and how many nodes of the stack a command
//! sees. The stack is a list of segments with a node between two of them; `F, G` are the frames
//! of a segment, `h a… □` is a node whose call has the arguments `a…` done and computes the last
//! one above it.
//!
//! ```text
//! call      F · f a…                        =>  the first clause of f that matches a…, on F
//! enter     F · h a… t                      =>  F | h a… □ | · t        (the port of t adds or renames)
//! finish    F | h a… □ | · v                =>  F · h a… v
//! adapt     F · <R> t                       =>  F | R | · t
//! adapted   F | R | · v                     =>  F · v
//! perform   F | h a… □ | G… · c v…          =>  F · body of the clause, k = G…   (capture)
//! catch     F | h a… □ | G… · c v…          =>  F · body, m = G… with c v…       (a catch-all)
//! pause     an argument that is not the last: the call goes on, with G… and c v… for a value
//! resume    F · k v                         =>  F G… · v
//! again     F · m!                          =>  F G… · c v…, its handler sought from F
//! fail      F · no clause matches           =>  F · abort!, if that is handled here, or an error
//! host      c v… that no node takes         =>  Console, RefState and Picture, one instance of each
//! ```
//!
//! Who takes a command: from the innermost node that is seen outwards, a port is read from right
//! to left; an added instance of the command's interface takes index 0 and lowers any other, an
//! adaptor replaces the index by what it stands for around it. Frames are never looked at.
//!
//! In place: when a clause ends in `h b… (k v)`, nothing is captured. The program stays above the
//! node, a mark is left where `v` will return, the clause runs seeing only what is below the node,
//! `b…` replace the done arguments, and `v` is given to the program. Where `h b… (k v)` is not the end of a clause, but
//! surely evaluated once, all that is left of the clause is put as a frame below the node, where the value of `h` returns
//! to, and `v` is given to the program in the same way. A continuation captured
//! meanwhile takes the mark along: marks and nodes know each other by distance, not by position.
//! A clause of that kind which calls nothing does not even need the mark: it runs in registers of
//! its own, and performing its command costs what a few basic operations cost. `new`, `read` and
//! `write` are instructions where no port of the program mentions `RefState`: nobody but the host
//! could take them.
//!
//! Handing on: a call `h t` is `g (<R> t)` if `h <m> = g (<R> m!)` is all of `h`, and a command that passes `h` passes
//! `<R>` and `g` to the same handler.
//!
//! Known handlers: an operator is compiled once for each list of handlers that may be known to be
//! around its calls, from an entry inwards. A handler can be known if it is deep: its clauses put `k`
//! back under it, where they stand, or drop it. Where a command's handler is known, its clause resumes
//! as above and calls nothing before it does, the clause stands in the place of the command; what it performs is
//! decided in the same way, seen from outside of the node. The arguments `a…` that a clause reads and
//! replaces are in the node's frame, and need be right there only when something else runs; loops have
//! them in registers. It counts the step that performing would. Nodes stay where they are, for code
//! that does not know them, but for adaptors around what calls nothing. A clause that does not want
//! its continuation stands there, too:
//!
//! ```text
//! unwind    F | h a… □ | G… · c v…          =>  F · body of the clause   (`h` is so many nodes away)
//! ```
//!
//! Capturing and resuming move one word a segment crossed. A continuation that others hold, too, is
//! copied node by node, and its frames are shared until a value returns to them.

pub mod arrays;
pub mod backend;
mod code;
mod commands;
mod compile;
mod error;
mod heap;
mod host;
mod image;
mod machine;
mod math;
mod nodes;
mod numbers;
mod performance;
pub mod picture;
mod print;
mod room;
mod run;
pub mod tensors;
mod text;
mod value;

pub use code::Code;
pub use commands::CommandReport;
pub use compile::{CompileError, Specialise, compile, compile_with};
pub use error::{Frame, FrameKind, Related, RunError, RunErrorKind};
pub use frank_staging::show_float;
pub use host::{Answers, Host, Input, Limits, Reply, Request, Script, Stats};
pub use image::{BadImage, read_image, write_image};
pub use machine::{HandlerInfo, Machine, Progress, ResultValue};
pub use numbers::bits;
pub use performance::{How, Why};
pub use print::{escape, failure};
pub use run::{Ended, finish, run};
pub use text::{parse_float, show_float_to};
