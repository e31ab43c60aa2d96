//! Drives the real binary.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests fail by panicking"
)]

mod baselines;
#[cfg(unix)]
mod book;
mod check;
#[cfg(unix)]
mod ci;
mod derive;
mod eval;
mod examples;
mod explain;
mod files;
mod fixes;
mod fmt;
mod formats;
mod lsp;
mod repl;
mod run;
mod schema;
mod scripts;
mod support;
mod suppression;
mod unheard;
mod watch;
