//! The parts of `frank repl`: what a piece of input consists of, what was defined and what is known of it,
//! how a line is edited, how it is coloured.

pub mod definitions;
pub mod input;
pub mod known;
pub mod line;
pub mod words;
