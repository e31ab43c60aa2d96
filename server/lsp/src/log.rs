//! Where the server writes what it notices: into a file, or nowhere. Never to standard output,
//! which belongs to the protocol.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Mutex;

use frank_syntax::visible::visible_lines;
use tracing::Level;
use tracing_subscriber::fmt;

/// Appends what is noticed from now on, panics included, to a file.
pub fn to_file(path: &Path) -> io::Result<()> {
    let file = OpenOptions::new().create(true).append(true).open(path)?;
    let subscriber = fmt()
        .with_writer(Mutex::new(Visible(file)))
        .with_ansi(false)
        .with_max_level(Level::INFO);
    // A second server in one process writes to the first one's file.
    let _ = subscriber.try_init();
    let earlier = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        tracing::error!("{panic}\n{}", std::backtrace::Backtrace::capture());
        earlier(panic);
    }));
    Ok(())
}

/// Writes what people read: texts of clients and files may have anything in them. Each entry is
/// written at once.
struct Visible<W>(W);

impl<W: Write> Write for Visible<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        self.0.write_all(visible_lines(&text).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_logged_can_be_read() {
        let mut log = Visible(Vec::new());
        writeln!(log, "no `\u{1b}]0;x\u{7}`").expect("a vector takes everything");
        assert_eq!(log.0, b"no `\\u{1b}]0;x\\u{7}`\n");
    }
}
