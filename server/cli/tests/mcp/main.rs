//! Drives `frank mcp`, with the protocol's own client and with lines by hand.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests fail by panicking"
)]

mod book;
mod client;
#[cfg(target_os = "linux")]
mod ends;
mod limits;
mod places;
mod protocol;
#[path = "../it/support.rs"]
#[allow(dead_code, reason = "the tests of the other commands use the rest")]
mod support;
mod tools;
