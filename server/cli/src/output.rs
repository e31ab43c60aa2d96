//! What goes to the terminal beside the results.

use std::fmt;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::Path;

use annotate_snippets::renderer::DEFAULT_TERM_WIDTH;
use frank_syntax::visible::{visible, visible_lines};

use crate::args::Color;

/// Whether what is written to `stream` has colours.
pub fn colored(color: Color, stream: &impl IsTerminal) -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto if set("NO_COLOR") => false,
        Color::Auto if set("CLICOLOR_FORCE") => true,
        Color::Auto => is_capable(stream),
    }
}

/// Whether a stream is a terminal that does more than print line after line.
pub fn is_capable(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// So many lines most terminals have.
const USUAL_ROWS: usize = 24;

/// The terminal's width; where there is none, what most have room for.
pub fn width() -> usize {
    size().0.clamp(40, DEFAULT_TERM_WIDTH)
}

/// The terminal's width and height in letters; where there is none, usual ones.
pub fn size() -> (usize, usize) {
    let terminal = terminal_size::terminal_size_of(io::stdout());
    terminal.map_or((DEFAULT_TERM_WIDTH, USUAL_ROWS), |(columns, rows)| {
        (usize::from(columns.0), usize::from(rows.0))
    })
}

/// A stream whose reader may leave before the end, as `head` does. What is written after that is
/// dropped, so that the exit code of a command does not depend on who reads the reasons for it.
pub struct IgnoreBrokenPipe<W> {
    stream: W,
    left: bool,
}

impl<W: Write> IgnoreBrokenPipe<W> {
    fn unless_left<T>(
        &mut self,
        dropped: T,
        act: impl FnOnce(&mut W) -> io::Result<T>,
    ) -> io::Result<T> {
        if self.left {
            return Ok(dropped);
        }
        match act(&mut self.stream) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.left = true;
                Ok(dropped)
            }
            result => result,
        }
    }
}

impl<W: Write> Write for IgnoreBrokenPipe<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.unless_left(bytes.len(), |stream| stream.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.unless_left((), W::flush)
    }
}

/// Standard output, for the reasons of a verdict.
pub fn stdout() -> IgnoreBrokenPipe<io::StdoutLock<'static>> {
    IgnoreBrokenPipe {
        stream: io::stdout().lock(),
        left: false,
    }
}

/// Standard error, for the reasons of a verdict.
pub fn stderr() -> IgnoreBrokenPipe<io::StderrLock<'static>> {
    IgnoreBrokenPipe {
        stream: io::stderr().lock(),
        left: false,
    }
}

/// The name of a file as it can be shown to people, also at the start of a line: there `::` would be
/// a command to the services that read a log.
pub fn visible_name(name: &str) -> String {
    let shown = visible(name);
    if shown.trim_start().starts_with("::") {
        format!("./{shown}")
    } else {
        shown.into_owned()
    }
}

/// A path as it can be shown to people.
pub fn visible_path(path: &Path) -> String {
    visible_name(&path.to_string_lossy())
}

/// Writes a line about the command's own trouble to standard error. If even that is closed, there
/// is nobody who would see it.
pub fn complain(message: fmt::Arguments) {
    let message = message.to_string();
    let _ = writeln!(
        std::io::stderr().lock(),
        "frank: {}",
        visible_lines(&message)
    );
}

/// `one thing`, `2 things`: a number with its noun.
pub fn count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// A number of bytes as `--memory` takes it.
pub fn bytes(bytes: u64) -> String {
    let units = [("GiB", 30), ("MiB", 20), ("KiB", 10)];
    let fits = |shift: u32| bytes != 0 && bytes.trailing_zeros() >= shift;
    match units.into_iter().find(|(_, shift)| fits(*shift)) {
        Some((unit, shift)) => format!("{}{unit}", bytes >> shift),
        None => format!("{bytes}B"),
    }
}
