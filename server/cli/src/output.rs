//! What goes to the terminal beside the results.

use std::fmt;
use std::io::{self, IsTerminal, Write};

use annotate_snippets::renderer::DEFAULT_TERM_WIDTH;

use crate::args::Color;

/// Whether what is written to `stream` has colours.
pub fn colored(color: Color, stream: &impl IsTerminal) -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto if set("NO_COLOR") => false,
        Color::Auto if set("CLICOLOR_FORCE") => true,
        Color::Auto => {
            stream.is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
        }
    }
}

/// The terminal's width; where there is none, what most have room for.
pub fn width() -> usize {
    let terminal = terminal_size::terminal_size_of(io::stdout());
    terminal
        .map_or(DEFAULT_TERM_WIDTH, |(columns, _)| usize::from(columns.0))
        .clamp(40, DEFAULT_TERM_WIDTH)
}

/// Writes a line about the command's own trouble to standard error. If even that is closed, there
/// is nobody to tell.
pub fn complain(message: fmt::Arguments) {
    let _ = writeln!(std::io::stderr().lock(), "frank: {message}");
}

/// `one thing`, `2 things`: a number with its noun.
pub fn count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}
