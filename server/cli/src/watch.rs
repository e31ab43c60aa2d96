//! Checks again whenever a file changes.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use notify::{Config, EventKind, PollWatcher, RecommendedWatcher, RecursiveMode, Watcher};

use crate::output::complain;
use crate::project::Project;

/// Changes that come closer together than this are one: editors write files in several steps.
const QUIET: Duration = Duration::from_millis(40);
/// After so many steps a change is looked at though it may go on.
const MOST_STEPS: usize = 100;
/// How often directories are looked through where the system does not tell about changes.
const POLL: Duration = Duration::from_millis(500);
/// Trees in which the system does not tell about changes are looked through at least this often.
const AT_LEAST: Duration = Duration::from_secs(2);

/// Clears the screen and goes to its top.
const CLEAR: &str = "\x1b[2J\x1b[H";

/// Does something with a project now, and again after each change, until the process is ended.
pub fn run(
    project: &mut Project,
    mut act: impl FnMut(&Project) -> io::Result<()>,
) -> io::Result<crate::Outcome> {
    let (sender, events) = mpsc::channel();
    let tell = move |event: notify::Result<notify::Event>| {
        // Reading a file is an event, too, and would never let us rest.
        if event.map_or(true, |event| !matches!(event.kind, EventKind::Access(_))) {
            let _ = sender.send(());
        }
    };
    let mut watcher: Box<dyn Watcher> =
        match RecommendedWatcher::new(tell.clone(), Config::default()) {
            Ok(watcher) => Box::new(watcher),
            Err(_) => {
                let config = Config::default().with_poll_interval(POLL);
                Box::new(PollWatcher::new(tell, config).map_err(io::Error::other)?)
            }
        };
    let mut watched = BTreeSet::new();
    loop {
        watch(&mut *watcher, project, &mut watched);
        let terminal = io::stdout().is_terminal();
        if terminal {
            io::stdout().write_all(CLEAR.as_bytes())?;
        }
        act(project)?;
        complain(format_args!("waiting for changes"));
        io::stdout().flush()?;
        loop {
            match events.recv_timeout(AT_LEAST) {
                Ok(()) => {
                    let settled = |_: &usize| events.recv_timeout(QUIET).is_err();
                    (0..MOST_STEPS).find(settled);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(crate::Outcome::Unusable),
            }
            let before = project.problems.clone();
            let changed = project.refresh();
            if !changed.is_empty() || project.problems != before {
                break;
            }
        }
    }
}

/// Watches the directories that matter now.
fn watch(watcher: &mut dyn Watcher, project: &Project, watched: &mut BTreeSet<PathBuf>) {
    for directory in project.directories() {
        if watched.contains(&directory) {
            continue;
        }
        // What cannot be watched is still looked through now and then.
        let _ = watcher.watch(&directory, RecursiveMode::Recursive);
        watched.insert(directory);
    }
}
