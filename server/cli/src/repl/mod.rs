//! Sessions that take one piece of input after the other: [`input::entries`] cuts a piece into definitions and terms,
//! [`definitions::Definitions`] keeps the former, in place of older ones of the same names, and `execute::prepare_term`
//! makes programs of the latter, for any host to run. The interactive loop is one such session; what else evaluates
//! cell by cell, without having all cells at hand, is another.
//!
//! The parts of `frank repl`: what a piece of input consists of, what was defined and what is known of it,
//! how a line is edited, how it is coloured.

pub mod definitions;
pub mod input;
pub mod known;
pub mod line;
pub mod words;
