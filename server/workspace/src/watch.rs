//! Notices changes on disk.
//!
//! A file is often written in several steps, so changes are reported when nothing has changed for a
//! short time, or when changes have gone on for long.

use std::collections::{BTreeSet, HashMap};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant, SystemTime};

use notify::event::ModifyKind;
use notify::{Config, Event, EventKind, PollWatcher, RecommendedWatcher, RecursiveMode, Watcher};

use crate::config;
use crate::ignored::has_rules;
use crate::paths::is_frank;

/// Changes are reported when there is none for this time.
const QUIET: Duration = Duration::from_millis(50);
/// Changes that go on are reported after this time.
const PATIENCE: Duration = Duration::from_millis(500);
/// How often it is looked whether a directory that is watched is still the one that it was.
const FOLLOW: Duration = Duration::from_secs(1);
/// How often directories are looked through where the system does not report changes.
const POLL: Duration = Duration::from_millis(500);

/// What is reported.
#[derive(Debug)]
pub enum Report {
    /// These files and directories came, went or changed, or something in them did.
    Changed(BTreeSet<PathBuf>),
    /// What changes in these directories is reported from now on, or cannot be: whoever looks at them now
    /// misses nothing.
    Watching(BTreeSet<PathBuf>),
    /// A directory cannot be watched; the reason.
    NotWatched(PathBuf, String),
}

/// What is watched.
#[derive(Debug, Default)]
pub struct Watched {
    /// Of what is in them, programs and `frank.toml` files matter, and directories that come and go.
    /// What is in hidden directories does not.
    pub directories: BTreeSet<PathBuf>,
    /// Files in them that matter whatever they are called.
    pub files: BTreeSet<PathBuf>,
}

enum Message {
    Watch(Watched),
    Noticed(notify::Result<Event>),
    End,
}

/// Watches until it is dropped.
pub struct Watch {
    sender: Sender<Message>,
}

impl Watch {
    /// Starts a thread that watches nothing yet and calls `report`.
    ///
    /// # Errors
    /// There can be no more threads, or the system has no means to watch.
    pub fn start(report: impl FnMut(Report) + Send + 'static) -> io::Result<Watch> {
        let (sender, incoming) = channel();
        // The watcher has a sender of its own, so the queue does not end with `Watch`.
        let noticed = sender.clone();
        let watcher = watcher(move |event| {
            let _ = noticed.send(Message::Noticed(event));
        })?;
        let serving = Serving {
            watcher,
            watched: Watched::default(),
            identities: HashMap::new(),
            report,
        };
        std::thread::Builder::new()
            .name("frank-watch".to_owned())
            .spawn(move || serving.run(&incoming))?;
        Ok(Watch { sender })
    }

    /// Watches this from now on, and nothing else.
    pub fn watch(&self, watched: Watched) {
        // The thread ends with `self`.
        let _ = self.sender.send(Message::Watch(watched));
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.sender.send(Message::End);
    }
}

/// The system's watcher; where it has none, one that looks again and again.
fn watcher(
    noticed: impl Fn(notify::Result<Event>) + Clone + Send + 'static,
) -> io::Result<Box<dyn Watcher + Send>> {
    if let Ok(watcher) = RecommendedWatcher::new(noticed.clone(), Config::default()) {
        return Ok(Box::new(watcher));
    }
    let polling = Config::default().with_poll_interval(POLL);
    let watcher = PollWatcher::new(noticed, polling).map_err(io::Error::other)?;
    Ok(Box::new(watcher))
}

/// The thread that watches.
struct Serving<R> {
    watcher: Box<dyn Watcher + Send>,
    watched: Watched,
    /// Which directories they are that have the watched names.
    identities: HashMap<PathBuf, Option<Identity>>,
    report: R,
}

impl<R: FnMut(Report)> Serving<R> {
    fn run(mut self, incoming: &Receiver<Message>) {
        let mut changed: BTreeSet<PathBuf> = BTreeSet::new();
        // When `changed` is reported, and the latest time for that.
        let mut due: Option<(Instant, Instant)> = None;
        let mut follow = Instant::now();
        loop {
            let next = due.map_or(follow, |(at, _)| at.min(follow));
            let patience = next.saturating_duration_since(Instant::now());
            let message = incoming.recv_timeout(patience);
            match message {
                Ok(Message::End) | Err(RecvTimeoutError::Disconnected) => return,
                Ok(Message::Watch(watched)) => self.watch(watched),
                Ok(Message::Noticed(event)) => {
                    let paths = self.relevant(event);
                    if !paths.is_empty() {
                        let now = Instant::now();
                        let latest = due.map_or(now + PATIENCE, |(_, latest)| latest);
                        due = Some((latest.min(now + QUIET), latest));
                        changed.extend(paths);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            if due.is_some_and(|(at, _)| at <= Instant::now()) {
                due = None;
                (self.report)(Report::Changed(std::mem::take(&mut changed)));
            }
            if follow <= Instant::now() {
                let others = self.follow();
                if !others.is_empty() {
                    (self.report)(Report::Changed(others));
                }
                follow = Instant::now() + FOLLOW;
            }
        }
    }

    /// Watches what has come in the place of directories that were watched, which systems do not: they
    /// watch a directory, not a name. Gives the names.
    fn follow(&mut self) -> BTreeSet<PathBuf> {
        let mut others = BTreeSet::new();
        for (directory, known) in &mut self.identities {
            let now = identity(directory);
            if *known == now {
                continue;
            }
            *known = now;
            // It is gone from the disk.
            let _ = self.watcher.unwatch(directory);
            if known.is_some()
                && let Err(error) = self.watcher.watch(directory, RecursiveMode::Recursive)
            {
                (self.report)(Report::NotWatched(directory.clone(), error.to_string()));
            }
            others.insert(directory.clone());
        }
        others
    }

    fn watch(&mut self, watched: Watched) {
        let old = std::mem::replace(&mut self.watched, watched);
        for gone in old.directories.difference(&self.watched.directories) {
            // It may be gone from the disk, too.
            let _ = self.watcher.unwatch(gone);
            self.identities.remove(gone);
        }
        let new = self.watched.directories.difference(&old.directories);
        let new: BTreeSet<PathBuf> = new.cloned().collect();
        for directory in &new {
            self.identities
                .insert(directory.clone(), identity(directory));
            if let Err(error) = self.watcher.watch(directory, RecursiveMode::Recursive) {
                (self.report)(Report::NotWatched(directory.clone(), error.to_string()));
            }
        }
        if !new.is_empty() {
            (self.report)(Report::Watching(new));
        }
    }

    /// The paths of an event that matter.
    fn relevant(&self, event: notify::Result<Event>) -> Vec<PathBuf> {
        let event = match event {
            Ok(event) if !event.need_rescan() => event,
            // Something was missed, so anything may have changed.
            _ => return self.watched.directories.iter().cloned().collect(),
        };
        let comes_or_goes = match event.kind {
            // Reading a file is an event, too.
            EventKind::Access(_) => return Vec::new(),
            EventKind::Create(_) | EventKind::Remove(_) => true,
            EventKind::Modify(kind) => matches!(kind, ModifyKind::Name(_)),
            _ => false,
        };
        let matters = |path: &PathBuf| {
            let has_name = is_frank(path)
                || has_rules(path)
                || path.file_name() == Some(config::FILE_NAME.as_ref());
            let may_be_directory = || path.extension().is_none() || path.is_dir();
            self.watched.files.contains(path)
                || ((has_name || comes_or_goes && may_be_directory()) && self.is_visible(path))
        };
        event.paths.into_iter().filter(matters).collect()
    }

    /// Whether there is no hidden directory between a path and a directory that is watched.
    fn is_visible(&self, path: &Path) -> bool {
        let mut directories = self.watched.directories.iter();
        directories.any(|directory| {
            let inside = path.strip_prefix(directory).ok().and_then(Path::parent);
            inside.is_some_and(|inside| {
                let mut parts = inside.components();
                !parts.any(|part| part.as_os_str().as_encoded_bytes().starts_with(b"."))
            })
        })
    }
}

/// What tells a directory from another one of its name: its device, its number there, which may be given
/// again, and when it was made.
type Identity = (u64, u64, Option<SystemTime>);

fn identity(directory: &Path) -> Option<Identity> {
    let found = directory.metadata().ok()?;
    #[cfg(unix)]
    let (device, number) = {
        use std::os::unix::fs::MetadataExt;
        (found.dev(), found.ino())
    };
    #[cfg(not(unix))]
    let (device, number) = (0, 0);
    Some((device, number, found.created().ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a path in a watched directory comes to that something happens to.
    fn noticed(path: &str, kind: EventKind) -> bool {
        let serving = Serving {
            watcher: watcher(|_| {}).expect("a watcher"),
            watched: Watched {
                directories: BTreeSet::from([PathBuf::from("/p"), PathBuf::from("/p/.own")]),
                files: BTreeSet::from([PathBuf::from("/p/.x/named.txt")]),
            },
            identities: HashMap::new(),
            report: |_| {},
        };
        let event = Event::new(kind).add_path(PathBuf::from(path));
        !serving.relevant(Ok(event)).is_empty()
    }

    #[test]
    fn what_matters_is_noticed() {
        let written = EventKind::Modify(ModifyKind::Any);
        let created = EventKind::Create(notify::event::CreateKind::Any);
        for path in [
            "a.fk",
            "sub/.a.fk",
            "frank.toml",
            "sub/.gitignore",
            ".own/a.fk",
            ".x/named.txt",
        ] {
            assert!(noticed(&format!("/p/{path}"), written), "{path}");
        }
        for path in ["a.txt", ".git/a.fk", ".git/frank.toml", "sub", "../q/a.fk"] {
            assert!(!noticed(&format!("/p/{path}"), written), "{path}");
        }
        assert!(noticed("/p/sub", created) && !noticed("/p/a.txt", created));
        let read = EventKind::Access(notify::event::AccessKind::Any);
        assert!(!noticed("/p/a.fk", read));
    }
}
