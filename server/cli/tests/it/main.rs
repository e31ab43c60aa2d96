//! Drives the real binary.

mod check;
mod explain;
mod files;
mod fixes;
mod fmt;
mod formats;
mod schema;
mod support;
mod suppression;
mod watch;
