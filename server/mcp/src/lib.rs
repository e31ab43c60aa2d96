//! The tools of Frank for programs that work with language models, over the Model Context Protocol (revisions 2025-11-25
//! and 2026-07-28, and the older ones that the crate `rmcp` knows), on standard input and output.
//!
//! A call of a tool starts the program `frank` once more, with the subcommand that does what is asked for, and gives
//! what that writes as JSON. So a call is bounded by what bounds a process: it ends at a limit, it is killed when it is
//! cancelled or when the client goes away, and whatever becomes of it, the server goes on. The server itself knows
//! neither programs nor types.
//!
//! What comes from the client is data: arguments are compared with a tool's schema, paths have to lie in the directory
//! that is served, and nothing is written unless whoever starts the server allows it.
//!
//! Without the feature `serve` there is nothing here.

#[cfg(feature = "serve")]
mod arguments;
#[cfg(feature = "serve")]
mod child;
#[cfg(feature = "serve")]
mod input;
#[cfg(feature = "serve")]
mod lines;
#[cfg(feature = "serve")]
mod place;
#[cfg(feature = "serve")]
mod resources;
#[cfg(feature = "serve")]
mod schema;
#[cfg(feature = "serve")]
mod server;
#[cfg(feature = "serve")]
mod tools;

#[cfg(feature = "serve")]
pub use child::Limits;
#[cfg(feature = "serve")]
pub use server::{Ended, Options, serve};
