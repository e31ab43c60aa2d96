//! Files and folders on disk, and what changes there.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use frank_analysis::db::{Origin, SourceFile};
use frank_analysis::program::direct_includes;
use frank_workspace::config;
use frank_workspace::includes::{Unreadable, load_includes};
use frank_workspace::paths::{is_frank, key};
use frank_workspace::read::read_source;
use tower_lsp::ls_types as lsp;

use super::{Folder, GlobalState};
use crate::disk::{self, Found};
use crate::documents::Document;
use crate::events::Event;
use crate::progress::Shown;
use crate::settings::Project;
use crate::uri::{disk_path, is_on_disk, key_of, uri_of};

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
            self.read_project(&folder.path);
            self.search(&folder.path);
            self.folders.push(folder);
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
        self.watch_folders();
        self.read_projects();
        self.forget_unneeded();
        self.everything_changed();
    }

    fn search(&mut self, folder: &Path) {
        let number = self.next_search;
        self.next_search += 1;
        let events = self.events.clone();
        let report = move |found| events.send(Event::Found(found));
        match disk::search(folder.to_owned(), number, report) {
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
        let mut new: Vec<(String, &str)> = Vec::new();
        for (key, text) in &found.files {
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
                let gone: Vec<String> = self
                    .closed_below(&folder)
                    .filter(|key| !keys.contains(*key) && !Path::new(key).exists())
                    .map(str::to_owned)
                    .collect();
                for key in gone {
                    self.forget(&key);
                }
                self.searches.remove(&found.search);
                if self.searches.is_empty() {
                    self.search_progress = None;
                }
                self.load_includes_of_all();
                self.everything_changed();
            }
        }
    }

    /// The keys of files in a directory that are not open.
    fn closed_below<'k>(&'k self, dir: &'k str) -> impl Iterator<Item = &'k str> {
        let closed = self
            .documents
            .iter()
            .filter(|(_, document)| !document.library && !document.is_open());
        closed
            .map(|(_, document)| &*document.key)
            .filter(move |key| {
                key.strip_prefix(dir)
                    .is_some_and(|rest| rest.starts_with('/'))
            })
    }

    /// Applies changes on disk.
    pub(super) fn touched(&mut self, uris: &[lsp::Uri]) {
        let mut projects_changed = false;
        let mut changed = false;
        for path in uris.iter().filter_map(disk_path) {
            let key = key(&path);
            if path
                .file_name()
                .is_some_and(|name| name == config::FILE_NAME)
            {
                projects_changed = true;
            } else if path.is_dir() {
                self.search(&path);
            } else if let Some(file) = self.files.file(&key) {
                // For an open file the editor has the text.
                if self.documents.get(file).is_some_and(Document::is_open) {
                    continue;
                }
                match disk::read(&path) {
                    Some(text) => {
                        self.put(&key, &text);
                    }
                    None => self.forget(&key),
                }
                changed = true;
            } else if self.unreadable.contains_key(&key) {
                changed = true;
            } else if path.exists() {
                let wanted = self.absent.remove(&key)
                    || (is_frank(&path) && self.folders.iter().any(|folder| folder.holds(&key)));
                if wanted && let Some(text) = disk::read(&path) {
                    self.put(&key, &text);
                    changed = true;
                }
            } else {
                let gone: Vec<String> = self.closed_below(&key).map(str::to_owned).collect();
                changed |= !gone.is_empty();
                for key in gone {
                    self.forget(&key);
                }
            }
        }
        if projects_changed {
            self.read_projects();
        }
        if changed {
            self.load_includes_of_all();
            self.everything_changed();
        }
    }

    /// Forgets a file.
    pub(super) fn forget(&mut self, key: &str) {
        if let Some(file) = self.files.file(key) {
            self.files.remove(key);
            let document = Arc::make_mut(&mut self.documents).remove(file);
            Arc::make_mut(&mut self.results).forget(key);
            self.revision += 1;
            if let Some(document) = document {
                self.history.remove(&document.key);
                self.gone.insert(document.key.clone(), self.revision);
            }
        }
    }

    /// Forgets the files that are neither open nor in a folder, nor included by one that is.
    pub(super) fn forget_unneeded(&mut self) {
        let db = self.files.db();
        let mut needed: HashSet<SourceFile> = HashSet::new();
        let mut next: Vec<SourceFile> = self
            .documents
            .iter()
            .filter(|(_, document)| {
                document.is_open()
                    || self
                        .folders
                        .iter()
                        .any(|folder| folder.holds(&document.key))
            })
            .map(|(file, _)| file)
            .collect();
        while let Some(file) = next.pop() {
            if needed.insert(file) {
                next.extend(direct_includes(db, file).iter().copied());
            }
        }
        let unneeded: Vec<Arc<str>> = self
            .documents
            .iter()
            .filter(|(file, document)| !document.library && !needed.contains(file))
            .map(|(_, document)| document.key.clone())
            .collect();
        for key in unneeded {
            self.forget(&key);
        }
    }

    /// Reads the included files that are not known yet, for some files. Gives whether files were added,
    /// or other files are unreadable now.
    pub(super) fn load_includes(&mut self, from: &[SourceFile]) -> bool {
        let mut texts: Vec<(String, String)> = Vec::new();
        let loaded = load_includes(&mut self.files, from, |key| {
            if !is_on_disk(key) {
                return Err(frank_workspace::read::ReadError::NotFound);
            }
            let text = read_source(Path::new(key))?;
            texts.push((key.to_owned(), text.clone()));
            Ok(text)
        });
        let mut unreadable = Unreadable::clone(&self.unreadable);
        let is_there = |key: &str| self.files.file(key).is_none() && !loaded.absent.contains(key);
        unreadable.retain(|key, _| is_there(key));
        unreadable.extend(loaded.unreadable);
        let explained = unreadable != *self.unreadable;
        if explained {
            for (key, error) in &unreadable {
                tracing::warn!("{key}: {error}");
            }
            self.unreadable = Arc::new(unreadable);
        }
        self.absent.extend(loaded.absent);
        let documents = Arc::make_mut(&mut self.documents);
        for (key, text) in &texts {
            if let (Some(file), Some(uri)) = (self.files.file(key), uri_of(key)) {
                documents.insert(file, Document::closed(key, uri, text));
            }
        }
        let changed = explained || !loaded.files.is_empty();
        if changed {
            self.revision += 1;
        }
        changed
    }

    /// Reads the included files that are not known yet, for all files.
    pub(super) fn load_includes_of_all(&mut self) -> bool {
        let db = self.files.db();
        let own = |file: &SourceFile| file.origin(db) == Origin::Workspace;
        let all: Vec<SourceFile> = self
            .documents
            .iter()
            .map(|(file, _)| file)
            .filter(own)
            .collect();
        self.load_includes(&all)
    }

    /// Reads the `frank.toml` in a directory or around it.
    pub(super) fn read_project(&mut self, dir: &Path) {
        match config::find(dir) {
            Ok(found) => {
                let Some(path) = found.path else { return };
                let Some(dir) = path.parent() else { return };
                self.publisher.publish_project(
                    &self.client,
                    &path,
                    &found.text,
                    &found.mistakes,
                    self.documents.encoding,
                );
                let dir = key(dir);
                let dir = if dir == "/" { String::new() } else { dir };
                let settings = Arc::make_mut(&mut self.settings);
                settings.projects.retain(|project| project.dir != dir);
                settings.projects.push(Project {
                    dir,
                    config: found.config,
                });
                self.files.set_include_dirs(self.settings.include_keys());
            }
            Err((path, error)) => tracing::warn!("{}: {error}", path.display()),
        }
    }

    /// Reads all `frank.toml` again.
    fn read_projects(&mut self) {
        Arc::make_mut(&mut self.settings).projects.clear();
        self.publisher.withdraw_projects(&self.client);
        let mut dirs: Vec<_> = self
            .folders
            .iter()
            .map(|folder| folder.path.clone())
            .collect();
        for (_, document) in self
            .documents
            .iter()
            .filter(|(_, document)| document.is_open())
        {
            let outside = !self
                .folders
                .iter()
                .any(|folder| folder.holds(&document.key));
            if outside && !document.library && is_on_disk(&document.key) {
                dirs.extend(Path::new(&*document.key).parent().map(Path::to_owned));
            }
        }
        for dir in dirs {
            self.read_project(&dir);
        }
        self.settings_changed();
    }
}
