//! The book in `docs`: its programs do what it says, its links lead somewhere, and the pages that are
//! made from sources are up to date.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests fail by panicking"
)]

mod examples;
mod library;
mod links;
mod programs;
