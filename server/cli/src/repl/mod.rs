//! Sessions that take one piece of input after the other: [`input::entries`] cuts a piece into definitions and terms,
//! [`definitions::Definitions`] keeps the former, in place of older ones of the same names, and `execute::prepare_term`
//! makes programs of the latter, for any host to run. The interactive loop is one such session, the kernel
//! of a notebook, which does not have all cells at hand, another.
//!
//! [`answerer::Answerer`] is what both have in common. The other parts: what a piece of input consists of, what was
//! defined and what is known of it, and, for `frank repl`, how a line is edited and coloured.

pub mod answerer;
pub mod commands;
pub mod definitions;
pub mod input;
pub mod known;
pub mod line;
pub mod words;
