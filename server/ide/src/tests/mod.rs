//! Tests, one file for each feature, all by a `check` of its own.

mod fixture;
mod goto;
mod hover;
mod rename;
