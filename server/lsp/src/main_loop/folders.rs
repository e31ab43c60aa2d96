//! The folders of the workspace, and the search for programs in them.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use frank_workspace::paths::key;
use frank_workspace::watch::{Report, Watch, Watched};
use tower_lsp::ls_types as lsp;

use super::GlobalState;
use crate::disk::Storage;
use crate::documents::Document;
use crate::events::Event;
use crate::progress::Shown;
use crate::search::{self, Found};
use crate::uri::{disk_path, key_of, uri_of};

/// A folder of the workspace.
#[derive(Debug, Clone)]
pub(super) struct Folder {
    pub(super) path: PathBuf,
    key: String,
}

impl GlobalState {
    pub(super) fn add_folders(&mut self, uris: &[lsp::Uri]) {
        for uri in uris {
            let Some(path) = disk_path(uri) else { continue };
            let folder = Folder {
                key: key(&path),
                path,
            };
            if self.folders.iter().any(|known| known.key == folder.key) {
                continue;
            }
            self.ask_project(&folder.path);
            if self.watch.is_none() {
                self.search(&folder.path);
            }
            self.folders.push(folder);
        }
        self.watch_folders();
    }

    /// Takes that folders are watched: what is found in them from now on does not change unnoticed.
    pub(super) fn look_at(&mut self, watched: &BTreeSet<PathBuf>) {
        self.ask_projects();
        for folder in watched {
            self.search(folder);
        }
    }

    pub(super) fn change_folders(&mut self, change: &lsp::WorkspaceFoldersChangeEvent) {
        let removed: Vec<String> = change
            .removed
            .iter()
            .map(|folder| key_of(&folder.uri))
            .collect();
        self.folders.retain(|folder| !removed.contains(&folder.key));
        self.searches.retain(|_, folder| !removed.contains(folder));
        let added: Vec<lsp::Uri> = change
            .added
            .iter()
            .map(|folder| folder.uri.clone())
            .collect();
        self.add_folders(&added);
        self.ask_projects();
        self.due.unneeded = true;
        self.due.refresh = true;
    }

    /// Whether a file is in a folder of the workspace.
    pub(super) fn is_in_a_folder(&self, key: &str) -> bool {
        self.folder_around(key).is_some()
    }

    /// Whether a search of a folder finds a file, as far as that is known.
    pub(super) fn is_found(&self, key: &str) -> bool {
        self.is_in_a_folder(key) && !self.left_out.contains(key)
    }

    /// The folder of the workspace that a file is in.
    pub(super) fn folder_around(&self, key: &str) -> Option<&Folder> {
        let mut folders = self.folders.iter();
        folders.find(|folder| is_below(key, &folder.key))
    }

    /// Watches folders where the client cannot.
    pub(super) fn start_watching(&mut self) {
        let events = self.events.clone();
        let report = move |report| match report {
            Report::Changed(paths) => {
                let uris = paths.iter().filter_map(lsp::Uri::from_file_path);
                events.send(Event::Touched(uris.collect()));
            }
            Report::Watching(directories) => events.send(Event::Watching(directories)),
            Report::NotWatched(directory, error) => {
                tracing::warn!("{} is not watched: {error}", directory.display());
            }
        };
        match Watch::start(report) {
            Ok(watch) => self.watch = Some(watch),
            Err(error) => tracing::warn!("changes on disk are not noticed: {error}"),
        }
    }

    /// Has the folders watched, if that is up to the server.
    fn watch_folders(&self) {
        if let Some(watch) = &self.watch {
            let folders = self.folders.iter().map(|folder| folder.path.clone());
            watch.watch(Watched {
                directories: folders.collect(),
                ..Watched::default()
            });
        }
    }

    pub(super) fn search(&mut self, folder: &Path) {
        let number = self.next_search;
        self.next_search += 1;
        let events = self.events.clone();
        let report = move |found| events.send(Event::Found(found));
        let started = match &self.storage {
            Storage::Disk => search::search(folder.to_owned(), number, report),
            Storage::Held(held) => {
                search::search_held(held, folder, number, report);
                Ok(())
            }
        };
        match started {
            Ok(()) => {
                self.searches.insert(number, key(folder));
            }
            Err(error) => tracing::error!("{} is not searched: {error}", folder.display()),
        }
    }

    pub(super) fn found(&mut self, found: Found) {
        let Some(folder) = self.searches.get(&found.search).cloned() else {
            return;
        };
        self.is_there(found.files.iter().map(|(key, _)| key.as_str()));
        let mut new: Vec<(String, &str)> = Vec::new();
        for (key, text) in &found.files {
            // The editor has a notebook's cells, and they are what counts.
            if self.files.has_cells(key) {
                continue;
            }
            match self.files.file(key) {
                None => new.push((key.clone(), text)),
                Some(file) => {
                    if !self.documents.get(file).is_some_and(Document::is_open) {
                        self.put(key, text);
                    }
                }
            }
        }
        let added = self.files.add(&new);
        let documents = Arc::make_mut(&mut self.documents);
        for (file, (key, text)) in added.iter().zip(&new) {
            if let Some(uri) = uri_of(key) {
                documents.insert(*file, Document::closed(key, uri, text));
            }
        }
        match found.complete {
            None => {
                if self.search_progress.is_none() && self.capabilities.work_done_progress {
                    let title = "Frank: reading files";
                    let (progress, _) = self.client.show_progress(title, false, Shown::AtOnce);
                    self.search_progress = Some(progress);
                }
                if let Some(progress) = &self.search_progress {
                    progress.report(format!("{} files", self.documents.iter().count()), None);
                }
                self.revision += 1;
            }
            Some(keys) => {
                let keys: HashSet<String> = keys.into_iter().collect();
                let mut others = self.closed_below(&folder);
                // They may be gone, be files no more, or be left out.
                others.retain(|key| !keys.contains(&**key));
                self.left_out.retain(|key| !keys.contains(key));
                for key in others {
                    self.look_for(key.to_string());
                }
                self.searches.remove(&found.search);
                if self.searches.is_empty() {
                    self.search_progress = None;
                    // What was found may be older than that.
                    let again: Vec<lsp::Uri> = self.touched_meanwhile.drain().collect();
                    self.touched(&again);
                }
                self.due.includes = true;
                self.due.refresh = true;
            }
        }
    }

    /// The keys of files in a directory that are not open.
    pub(super) fn closed_below(&self, dir: &str) -> Vec<Arc<str>> {
        let closed = self
            .documents
            .iter()
            .filter(|(_, document)| !document.library && !document.is_open());
        let keys = closed.map(|(_, document)| &document.key);
        keys.filter(|key| is_below(key, dir)).cloned().collect()
    }
}

fn is_below(key: &str, dir: &str) -> bool {
    let dir = if dir == "/" { "" } else { dir };
    key.strip_prefix(dir)
        .is_some_and(|rest| rest.starts_with('/'))
}
