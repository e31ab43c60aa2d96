//! Typed core to values.
//!
//! This crate runs what analysis has checked and lowered: [`compile`] a [`frank_core::Program`]
//! to [`Code`], make a [`Machine`] for one of its entries, run it to the end or a step at a time.
//! It knows no files, no terminal and no editor; a [`Host`] answers `Console`, and that is all a
//! program can reach.

mod code;
mod compile;
mod error;
mod heap;
mod host;
mod machine;
mod numbers;
mod print;
mod value;

pub use code::Code;
pub use compile::{CompileError, compile};
pub use error::{Frame, FrameKind, RunError, RunErrorKind};
pub use host::{Host, Input, Limits, Script, Stats};
pub use machine::{HandlerInfo, Machine, Progress, ResultValue};
pub use numbers::show_float;
