//! Machine code for the functions that a run spends its time in.
//!
//! A run begins on the abstract machine of [`frank_interpreter`]. The machine says now and then where it stands;
//! a function in which it stands often is compiled, by Cranelift, from the machine's own instructions. The border
//! between the two is the machine's state, see [`frank_interpreter::backend`]: frames, objects and their counts are
//! the same on both sides, so either goes on where the other stops, and nothing but the time tells them apart.
//!
//! All `unsafe` of the project is in this crate. What it rests on: machine code is made of instructions that the
//! compile phase wrote, or that an executable of `frank build` has kept, whose registers, sites and constants exist: whoever
//! forges such a file could write any program in its place; it runs while the machine waits, with the only
//! references to its registers and its heap, and when it has called the machine it looks up again where those are; and the memory that it is in is never both written to and run.
//!
//! Without the feature `jit` there is nothing here.

#[cfg(feature = "jit")]
mod compile;
#[cfg(feature = "jit")]
mod effects;
#[cfg(feature = "jit")]
mod foreign;
#[cfg(feature = "jit")]
mod graphs;
#[cfg(feature = "jit")]
mod hot;
#[cfg(feature = "jit")]
mod lower;
#[cfg(feature = "jit")]
mod memory;
#[cfg(feature = "jit")]
mod operands;
#[cfg(feature = "jit")]
mod runtime;
#[cfg(feature = "jit")]
mod target;
#[cfg(feature = "jit")]
mod webs;

#[cfg(feature = "jit")]
pub use compile::{Eagerness, Native};
