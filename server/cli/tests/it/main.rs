//! Drives the real binary.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests fail by panicking"
)]

#[cfg(unix)]
mod action;
mod baselines;
#[cfg(unix)]
mod book;
mod broken_pipe;
#[cfg(target_os = "linux")]
mod build;
mod check;
mod crash;
mod dap;
mod derive;
mod doctor;
mod emit;
mod eval;
mod examples;
mod explain;
mod files;
mod fill;
mod find;
mod fixes;
mod fmt;
mod formats;
mod holes;
#[cfg(unix)]
mod hostile;
mod kernel;
#[cfg(unix)]
mod laws;
mod lines;
mod lsp;
mod memory;
mod notebooks;
mod outside;
mod pictures;
mod plot;
mod repl;
mod run;
mod schema;
#[cfg(unix)]
mod screen;
mod scripts;
mod shells;
mod step;
#[cfg(unix)]
mod stepper;
mod support;
mod suppression;
mod watch;
#[cfg(unix)]
mod writing;
