//! Answer to protocol: the language server.
//!
//! This is the only crate that knows the protocol, and it decides nothing about Frank. Its parts:
//!
//! - The *service*: `tower-lsp` routes messages; handlers put events into a queue.
//! - [`transport`](crate::run): the bytes of a connection; or [`embedded`]: messages, and no thread but one.
//! - The *main loop*: a thread that owns the files, applies edits in order and hands out requests.
//! - The *readers*: threads that read the disk for the main loop, which never waits for it.
//! - The *pool*: threads that answer requests from a snapshot, interrupted by the next edit.
//! - The *evaluator*: threads that run programs, with limits and without the files.
//! - The *client*: a queue of what is sent to the client, so that nobody waits for it.

// What there are threads and connections for is part of the crate's one picture of itself, also where there are none.
#![cfg_attr(target_family = "wasm", allow(dead_code))]

mod backend;
mod client;
mod client_capabilities;
#[cfg(not(target_family = "wasm"))]
mod client_process;
mod commands;
pub mod derivatives;
mod diagnostics;
mod disk;
mod documents;
mod edits;
pub mod embedded;
mod evaluator;
mod events;
mod extension;
mod features;
pub mod framing;
#[cfg(not(target_family = "wasm"))]
mod gate;
mod held;
mod in_hand;
mod library;
#[cfg(not(target_family = "wasm"))]
mod listener;
#[cfg(not(target_family = "wasm"))]
mod log;
mod main_loop;
mod params;
mod pictures;
pub mod plots;
mod pool;
#[cfg(not(target_family = "wasm"))]
mod process;
mod progress;
mod request_snapshot;
mod requests;
mod results;
mod search;
mod service;
mod settings;
#[cfg(not(target_family = "wasm"))]
mod stdio;
mod tasks;
mod text;
mod told;
#[cfg(not(target_family = "wasm"))]
mod transport;
mod typing;
mod uri;
mod written;

#[cfg(not(target_family = "wasm"))]
pub use process::{Error, Options, run};

pub use in_hand::method as method_in_hand;
