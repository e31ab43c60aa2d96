//! Tests, one file for each feature, all by a `check` of its own.

#![allow(
    clippy::indexing_slicing,
    reason = "a test that indexes wrongly fails, as it should"
)]

mod by_type;
mod calls;
mod completion;
mod evaluate;
mod filled_again;
mod fixture;
mod goto;
mod hole_offers;
mod hole_terms;
mod hole_wrong;
mod holes;
mod hover;
mod info;
mod inlay_hints;
mod lenses;
mod quick_fixes;
mod refactor;
mod rename;
mod signature_help;
mod staged;
mod structure;
