//! Tests, one file for each feature, all by a `check` of its own.

mod calls;
mod fixture;
mod goto;
mod hover;
mod rename;
mod signature_help;
mod structure;
