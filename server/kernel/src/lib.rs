//! A kernel of Jupyter's notebooks (messages of version 5.3 of the protocol, over ZeroMQ): `serve` opens the sockets
//! that a connection file names, and answers one request after the other. What becomes of a cell is the affair of
//! `Cells`; what it shows goes through `Shown`.
//!
//! Requests are answered on the thread that calls `serve`. Interrupts, the end, and the pulse that clients feel are on
//! other threads, so that they are there while a cell runs.
//!
//! Without the feature `serve` there is nothing here.

#[cfg(feature = "serve")]
mod cells;
#[cfg(feature = "serve")]
mod messages;
#[cfg(feature = "serve")]
mod places;
#[cfg(feature = "serve")]
mod received;
#[cfg(feature = "serve")]
mod server;
#[cfg(feature = "serve")]
mod sockets;
#[cfg(feature = "serve")]
mod spec;

#[cfg(feature = "serve")]
pub use cells::{Cells, Completions, Failure, Shown, Whole};
#[cfg(feature = "serve")]
pub use server::{Options, serve};
#[cfg(feature = "serve")]
pub use spec::{description, folder};
