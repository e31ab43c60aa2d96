//! The operational semantics of the language, one rule at a time.
//!
//! It is written to be read beside the rules in `docs/language/running.md`: a [`State`] has a focus and a stack of
//! frames, and [`Semantics::step`] gives the next one with the name of the rule that led there. States share what
//! they are made of and never change, so all that a run went through can be kept, looked at and gone back to.
//!
//! It is slow, and it shares nothing with the machine of `frank-interpreter` but what is no part of the semantics:
//! kinds of errors, numbers in print, and what is looked at in pictures. So each is a test of the other.
//!
//! | What | Where |
//! |---|---|
//! | states, and what they are made of | [`state`] |
//! | the rules | [`step`](Semantics::step), `rules.rs` |
//! | several rules at once, where nobody looks | [`advance_far`](Semantics::advance_far), `stretch.rs` |
//! | which clause matches | `matching.rs` |
//! | numbers, characters, and the operators that are not written in Frank | `primitive.rs` |
//! | what no state needs any more | `collect.rs` |
//! | a state as Frank source, with the focus and the frozen frames marked | [`show`] |
//! | which states a reader wants to see | [`trace`] |
//! | ways through the states of a run | [`paths`] |
//! | a run as data, and as a page | [`page`] |

mod arrays;
mod collect;
mod matching;
mod owners;
pub mod page;
pub mod paths;
mod pictures;
mod primitive;
mod rules;
pub mod show;
mod staged;
pub mod state;
mod stretch;
mod tensors;
pub mod trace;

pub use collect::Held;
pub use owners::Owner;
pub use rules::{Last, Rule, Semantics, Stuck};
pub use state::State;
pub use stretch::Simple;
