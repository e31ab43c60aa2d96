//! Where the server writes what it notices: into a file, or nowhere. Never to standard output,
//! which belongs to the protocol.

use std::fs::OpenOptions;
use std::io;
use std::path::Path;
use std::sync::Mutex;

use tracing::Level;
use tracing_subscriber::fmt;

/// Appends what is noticed from now on, panics included, to a file.
pub fn to_file(path: &Path) -> io::Result<()> {
    let file = OpenOptions::new().create(true).append(true).open(path)?;
    let subscriber = fmt()
        .with_writer(Mutex::new(file))
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
