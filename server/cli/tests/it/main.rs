//! Drives the real binary.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests fail by panicking"
)]

#[cfg(unix)]
mod book;
mod check;
mod derive;
