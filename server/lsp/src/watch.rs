//! Watching folders for clients that cannot.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use frank_workspace::config;
use frank_workspace::paths::is_frank;
use notify::event::ModifyKind;
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use tower_lsp::ls_types::Uri;

use crate::events::{Event, Events};

/// Changes that come closer together than this are told as one: a file is written in several steps.
const QUIET: Duration = Duration::from_millis(50);
/// Changes that go on are told after this time.
const PATIENCE: Duration = Duration::from_millis(500);

enum Message {
    /// These are the folders now.
    Folders(Vec<PathBuf>),
    Changed(Vec<PathBuf>),
    End,
}

/// Tells about changes on disk until it is dropped.
pub struct Watch {
    sender: Sender<Message>,
}

impl Watch {
    /// Starts a thread that watches nothing yet and puts changes into the queue.
    pub fn start(events: Events) -> std::io::Result<Watch> {
        let (sender, incoming) = channel();
        let told = sender.clone();
        std::thread::Builder::new()
            .name("frank-watch".to_owned())
            .spawn(move || {
                // The watcher holds a sender of its own, so the queue does not end with `Watch`.
                let tell = move |event: notify::Result<notify::Event>| {
                    let paths = event.map(relevant).unwrap_or_default();
                    if !paths.is_empty() {
                        let _ = told.send(Message::Changed(paths));
                    }
                };
                match RecommendedWatcher::new(tell, notify::Config::default()) {
                    Ok(watcher) => serve(watcher, &incoming, &events),
                    Err(error) => tracing::warn!("changes on disk are not noticed: {error}"),
                }
            })?;
        Ok(Watch { sender })
    }

    /// Watches these folders from now on, and no others.
    pub fn folders(&self, folders: Vec<PathBuf>) {
        // The thread may have found that it cannot watch.
        let _ = self.sender.send(Message::Folders(folders));
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        // The thread may have found that it cannot watch.
        let _ = self.sender.send(Message::End);
    }
}

fn serve(mut watcher: RecommendedWatcher, incoming: &Receiver<Message>, events: &Events) {
    let mut watched: Vec<PathBuf> = Vec::new();
    while let Ok(message) = incoming.recv() {
        let mut changed: BTreeSet<PathBuf> = BTreeSet::new();
        let began = Instant::now();
        let mut next = Some(message);
        while let Some(message) = next {
            match message {
                Message::Folders(folders) => {
                    for gone in watched.iter().filter(|old| !folders.contains(old)) {
                        // It may be gone from the disk, too.
                        let _ = watcher.unwatch(gone);
                    }
                    for new in folders.iter().filter(|new| !watched.contains(new)) {
                        if let Err(error) = watcher.watch(new, RecursiveMode::Recursive) {
                            tracing::warn!("{} is not watched: {error}", new.display());
                        }
                    }
                    watched = folders;
                }
                Message::End => return,
                Message::Changed(paths) => changed.extend(paths),
            }
            let goes_on = began.elapsed() < PATIENCE;
            next = goes_on.then(|| incoming.recv_timeout(QUIET).ok()).flatten();
        }
        let visible = |path: &&PathBuf| {
            let inside = |folder: &PathBuf| path.strip_prefix(folder).is_ok_and(is_visible);
            watched.iter().any(inside)
        };
        let uris: Vec<Uri> = changed
            .iter()
            .filter(visible)
            .filter_map(Uri::from_file_path)
            .collect();
        if !uris.is_empty() {
            events.send(Event::Touched(uris));
        }
    }
}

/// The paths of an event that can matter: programs, settings, and directories that come and go.
fn relevant(event: notify::Event) -> Vec<PathBuf> {
    let comes_or_goes = match event.kind {
        EventKind::Access(_) => return Vec::new(),
        EventKind::Create(_) | EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_)) => {
            true
        }
        _ => false,
    };
    let matters = |path: &PathBuf| {
        is_frank(path)
            || path
                .file_name()
                .is_some_and(|name| name == config::FILE_NAME)
            || (comes_or_goes && (path.extension().is_none() || path.is_dir()))
    };
    event.paths.into_iter().filter(matters).collect()
}

/// Whether no part of a path is hidden.
fn is_visible(path: &Path) -> bool {
    let mut parts = path.components();
    !parts.any(|part| part.as_os_str().as_encoded_bytes().first() == Some(&b'.'))
}
