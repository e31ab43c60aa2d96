//! What is left of a panic: a file that says where it was, for whoever mends it. Nothing of a program is in it.

use std::fmt::Write as _;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::panic::{Location, PanicHookInfo};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use frank_syntax::visible::visible;

use crate::output::{complain, visible_path};

/// Names the directory of the reports; `off` if there are to be none.
pub const VARIABLE: &str = "FRANK_CRASH_REPORTS";

/// Where reports are sent.
pub const REPORT_TO: &str = "https://github.com/frank-tools/frank/issues";

/// One process writes no more than this: a request that is asked again and again fails again and again.
const MOST_OF_A_PROCESS: usize = 5;

/// How many reports are kept; older ones go.
const MOST_KEPT: usize = 20;

/// What the process does.
static COMMAND: OnceLock<String> = OnceLock::new();

/// From now on a panic writes a report and says where it is, instead of the message of Rust's own.
pub fn install() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic
            .location()
            .map_or("an unknown place".to_owned(), place);
        match leave(&report(panic)) {
            None => complain(format_args!("internal error at {place}")),
            Some(Ok(file)) => complain(format_args!(
                "internal error at {place}: please send {} to {REPORT_TO}; there is nothing of your programs in it",
                visible_path(&file)
            )),
            Some(Err((file, error))) => complain(format_args!(
                "internal error at {place}; {} could not be written: {error}",
                visible_path(&file)
            )),
        }
    }));
}

/// Tells what the process does, for a report.
pub fn in_command(name: String) {
    // Whoever comes first is who was called.
    let _ = COMMAND.set(name);
}

/// The directory of the reports: what the variable says, else where the system has what programs keep of their
/// state. `None` if there are to be none, or nowhere to be.
pub fn directory() -> Option<PathBuf> {
    match std::env::var_os(VARIABLE) {
        Some(value) if value == "off" => None,
        Some(value) if !value.is_empty() => Some(value.into()),
        _ => {
            let state = dirs::state_dir().or_else(dirs::data_local_dir)?;
            Some(state.join("frank").join("crashes"))
        }
    }
}

/// The reports that there are, the oldest first.
pub fn reports(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let mut files: Vec<_> = entries
        .map(|entry| entry.path())
        .filter(|path| is_report(path))
        .collect();
    files.sort();
    files
}

/// Only what was written here is removed here.
fn is_report(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| name.starts_with("crash-") && name.ends_with(".txt"))
}

fn place(location: &Location) -> String {
    format!(
        "{}:{}:{}",
        location.file(),
        location.line(),
        location.column()
    )
}

/// The text of a report.
fn report(panic: &PanicHookInfo) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: &str| {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{name}: {}", visible(value));
    };
    line("version", env!("CARGO_PKG_VERSION"));
    let system = [std::env::consts::ARCH, std::env::consts::OS];
    line("system", &system.join("-"));
    line("command", COMMAND.get().map_or("none yet", String::as_str));
    line(
        "request",
        frank_lsp::method_in_hand().as_deref().unwrap_or("none"),
    );
    let thread = std::thread::current();
    line("thread", thread.name().unwrap_or("without a name"));
    line(
        "place",
        &panic.location().map_or("unknown".to_owned(), place),
    );
    line("message", message(panic));
    format!("{text}\n{}", std::backtrace::Backtrace::force_capture())
}

/// What a panic says, if it says the same of all programs: a message that was put together may quote one.
fn message<'p>(panic: &'p PanicHookInfo) -> &'p str {
    panic
        .payload()
        .downcast_ref::<&'static str>()
        .copied()
        .unwrap_or("left out, since it may quote a program")
}

/// Writes a report, for its owner alone. `None` if none is wanted or if there are enough.
fn leave(text: &str) -> Option<Result<PathBuf, (PathBuf, io::Error)>> {
    static LEFT: AtomicUsize = AtomicUsize::new(0);
    let directory = directory()?;
    let number = LEFT.fetch_add(1, Ordering::Relaxed);
    if number >= MOST_OF_A_PROCESS {
        return None;
    }
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    // All have the same length until the year 2286, so the order of the names is that of time.
    let name = format!(
        "crash-{}-{}-{number}.txt",
        since.as_secs(),
        std::process::id()
    );
    let file = directory.join(name);
    let written = write(&directory, &file, text);
    Some(
        written
            .map(|()| file.clone())
            .map_err(|error| (file, error)),
    )
}

fn write(directory: &Path, file: &Path, text: &str) -> io::Result<()> {
    fs::create_dir_all(directory)?;
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(file)?.write_all(text.as_bytes())?;
    let kept = reports(directory);
    for old in kept.iter().take(kept.len().saturating_sub(MOST_KEPT)) {
        // Another process may have done it.
        let _ = fs::remove_file(old);
    }
    Ok(())
}
