//! The parts of `frank repl`: what was defined, how a line is edited, how it is coloured.

pub mod definitions;
pub mod line;
pub mod words;
