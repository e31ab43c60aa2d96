//! Checks again whenever a file changes.

use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use frank_workspace::watch::{Report, Watch};

use crate::Outcome;
use crate::output::complain;
use crate::project::Project;

/// What is not watched, or not yet, is looked through at least this often.
const AT_LEAST: Duration = Duration::from_secs(2);

/// Clears the screen and goes to its top.
const CLEAR: &str = "\x1b[2J\x1b[H";

/// Does something with a project now, and again after each change, until the process is ended.
pub fn run(
    project: &mut Project,
    mut act: impl FnMut(&Project) -> io::Result<()>,
) -> io::Result<Outcome> {
    let (sender, changes) = mpsc::channel();
    let watch = Watch::start(move |report| {
        if let Report::Changed(_) = report {
            let _ = sender.send(());
        }
    })?;
    loop {
        watch.watch(project.watched());
        if io::stdout().is_terminal() {
            io::stdout().write_all(CLEAR.as_bytes())?;
        }
        act(project)?;
        complain(format_args!("waiting for changes"));
        io::stdout().flush()?;
        loop {
            if changes.recv_timeout(AT_LEAST) == Err(RecvTimeoutError::Disconnected) {
                return Ok(Outcome::Unusable);
            }
            let before = project.problems.clone();
            let changed = project.refresh();
            if !changed.is_empty() || project.problems != before {
                break;
            }
        }
    }
}
