//! The debugger: runs by the rules of `frank-semantics`, forwards and back, over the Debug Adapter Protocol.
//!
//! | What | Where |
//! |---|---|
//! | requests and answers as the protocol has them | `messages.rs`, `connection.rs` |
//! | what a session does for each request | `session.rs`, `answers.rs` |
//! | a run that stands, and what was asked about it | `stopped.rs` |
//! | a run with its history | `history.rs` |
//! | what is worth a stop | `stops.rs`; what is waited for by a step, `over.rs` |
//! | breakpoints as they are asked for | `points.rs` |
//! | where evaluation can stop in a text | `sites.rs`, `texts.rs` |
//! | the stack, and the variables | `frames.rs`, `variables.rs` |
//! | terms that are evaluated in a frame | `evaluate.rs` |
//!
//! Where programs come from it does not know: [`Programs`] gives them.

mod answers;
mod connection;
mod evaluate;
mod frames;
mod goals;
mod history;
mod messages;
mod over;
mod points;
mod programs;
mod session;
mod sites;
mod stopped;
mod stops;
mod texts;
mod variables;

pub use programs::{Launch, Loaded, Programs, Source};
pub use session::serve;
