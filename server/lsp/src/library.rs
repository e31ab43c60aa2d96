//! The built-in library as files that every client can open.
//!
//! Editors open files, not texts of servers. So the library is written to a directory of the
//! user's cache, read-only, under a name that depends on its contents; it is never read from there.

use std::collections::HashMap;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use frank_analysis::db::SourceFile;
use frank_analysis::files::Files;
use frank_workspace::disk::System;
use frank_workspace::paths::key;
use frank_workspace::write::write_read_only;
use ropey::Rope;

use crate::disk::Storage;
use crate::documents::{Document, Documents};
use crate::uri::uri_of;

/// How long writing the library may take; a tenth of a second is much.
const PATIENCE: Duration = Duration::from_secs(2);

/// The library's files by the keys that they have on disk.
#[derive(Debug, Default)]
pub struct Library {
    by_key: HashMap<String, SourceFile>,
}

impl Library {
    /// Makes documents of the library's files. If files are on the disk, so are these afterwards; else the client knows
    /// their names alone.
    pub fn new(files: &Files, documents: &mut Documents, storage: &Storage) -> Library {
        let snapshot = files.snapshot();
        let texts: Vec<(String, SourceFile, String)> = snapshot
            .library_files()
            .map(|file| {
                let path = file.path(snapshot.db());
                let name = path.rsplit('/').next().unwrap_or(path).to_owned();
                (name, file, snapshot.text(file))
            })
            .collect();
        let contents = texts
            .iter()
            .map(|(name, _, text)| (name.clone(), text.clone()));
        let dir = match storage {
            Storage::Disk => directory(&contents.collect()),
            Storage::Held(_) => None,
        };
        if let Some(dir) = &dir {
            tracing::info!("the library is in {}", dir.display());
        }
        let mut library = Library::default();
        for (name, file, text) in texts {
            let place = dir.as_ref().map(|dir| key(&dir.join(&name)));
            // Without a directory the client can at least show the name.
            let place = place.unwrap_or_else(|| format!("frank-library:/{name}"));
            let Some(uri) = uri_of(&place) else { continue };
            let document = Document {
                text: Rope::from_str(&text),
                library: true,
                ..Document::closed(&place, uri, "")
            };
            documents.insert(file, document);
            library.by_key.insert(place, file);
        }
        library
    }

    /// The library's file at a place on disk.
    pub fn get(&self, key: &str) -> Option<SourceFile> {
        self.by_key.get(key).copied()
    }
}

/// The library's files: names and texts.
type Contents = Arc<[(String, String)]>;

/// A directory that holds these files: one of the cache, else one for temporary files.
fn directory(files: &Contents) -> Option<PathBuf> {
    let mut hasher = DefaultHasher::new();
    files.hash(&mut hasher);
    let name = format!("library-{:016x}", hasher.finish());
    [cache_dir(), Some(std::env::temp_dir())]
        .into_iter()
        .flatten()
        .find_map(|base| {
            let dir = base.join("frank").join(&name);
            match written_in_time(&dir, files) {
                Ok(()) => Some(dir),
                Err(error) => {
                    tracing::warn!("{}: {error}", dir.display());
                    None
                }
            }
        })
}

/// Has the files written by a thread of its own: a home directory may be on a server that is gone, and
/// the main loop waits for no disk.
fn written_in_time(dir: &Path, files: &Contents) -> io::Result<()> {
    let (sender, answer) = mpsc::channel();
    let (target, files) = (dir.to_owned(), files.clone());
    let thread = std::thread::Builder::new().name("frank-library".to_owned());
    thread.spawn(move || {
        // Whoever waits may have given up.
        let _ = sender.send(write(&target, &files));
    })?;
    answer.recv_timeout(PATIENCE).map_err(io::Error::other)?
}

fn cache_dir() -> Option<PathBuf> {
    let absolute = |name: &str| {
        let path = PathBuf::from(std::env::var_os(name)?);
        path.is_absolute().then_some(path)
    };
    if cfg!(windows) {
        return absolute("LOCALAPPDATA");
    }
    absolute("XDG_CACHE_HOME").or_else(|| {
        let home = absolute("HOME")?;
        Some(home.join(if cfg!(target_os = "macos") {
            "Library/Caches"
        } else {
            ".cache"
        }))
    })
}

fn write(dir: &Path, files: &[(String, String)]) -> io::Result<()> {
    fs::create_dir_all(dir)?;
    for (name, text) in files {
        let path = dir.join(name);
        if fs::read(&path).is_ok_and(|there| there == text.as_bytes()) {
            continue;
        }
        // Other servers may write the same file now: nobody sees half of it.
        write_read_only(&System, &path, text.as_bytes()).map_err(io::Error::other)?;
    }
    Ok(())
}
