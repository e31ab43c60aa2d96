//! Files on disk: what changes there, and which are forgotten.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use frank_analysis::db::SourceFile;
use frank_analysis::program::direct_includes;
use frank_workspace::config;
use frank_workspace::ignored::has_rules;
use frank_workspace::paths::{is_frank, key};
use frank_workspace::read::ReadError;
use tower_lsp::ls_types as lsp;

use super::GlobalState;
use super::reading::{Age, UnderWay};
use crate::disk::Question;
use crate::documents::Document;
use crate::held::Kind;
use crate::uri::disk_path;

impl GlobalState {
    /// Has a look at what has changed on disk.
    pub(super) fn touched(&mut self, uris: &[lsp::Uri]) {
        if !self.searches.is_empty() {
            self.touched_meanwhile.extend(uris.iter().cloned());
        }
        let mut with_other_rules = HashSet::new();
        for path in uris.iter().filter_map(disk_path) {
            let key = key(&path);
            if has_rules(&path) {
                let folder = self.folder_around(&key);
                with_other_rules.extend(folder.map(|folder| folder.path.clone()));
                continue;
            }
            if path
                .file_name()
                .is_some_and(|name| name == config::FILE_NAME)
            {
                self.ask_projects();
                continue;
            }
            let file = self.files.file(&key);
            let known = file.and_then(|file| self.documents.get(file));
            if known.is_some_and(Document::is_open) {
                // The editor has the text.
                continue;
            }
            let matters =
                known.is_some() || self.absent.contains(&key) || self.unreadable.contains_key(&key);
            let question = match self.folder_around(&key).filter(|_| is_frank(&path)) {
                _ if matters => Question::Text(key),
                Some(folder) => Question::Found(folder.path.clone(), key),
                None => Question::Kind(key),
            };
            self.reading.ask(question, None, Age::FromNowOn);
        }
        for folder in with_other_rules {
            self.search(&folder);
        }
    }

    /// Asks whether a file belongs to its folder, and for its text.
    pub(super) fn look_for(&mut self, key: String) {
        let question = match self.folder_around(&key) {
            Some(folder) => Question::Found(folder.path.clone(), key),
            None => Question::Text(key),
        };
        self.reading.ask(question, None, Age::FromNowOn);
    }

    /// Takes whether a search of its folder finds a file, if it is there.
    pub(super) fn search_finds(&mut self, key: &str, found: bool) {
        let known = self.files.file(key).is_some();
        if found {
            self.left_out.remove(key);
        } else if known && self.left_out.insert(key.to_owned()) {
            self.due.unneeded = true;
        }
        if found || known {
            let question = Question::Text(key.to_owned());
            self.reading.ask(question, None, Age::FromNowOn);
        }
    }

    /// Takes the text of a file from disk, or that there is none.
    pub(super) fn text_read(
        &mut self,
        key: &str,
        read: Result<String, ReadError>,
        under_way: &UnderWay,
    ) {
        if self.files.has_cells(key) {
            // The editor has it, cell by cell.
            return;
        }
        let known = self.files.file(key);
        let document = known.and_then(|file| self.documents.get(file));
        if document.is_some_and(Document::is_open) {
            // The editor's text counts, and who includes the file has it.
            return;
        }
        let error = read.as_ref().err();
        let awaited = self.absent.remove(key) || self.unreadable.contains_key(key);
        self.set_unreadable(key, error.filter(|e| **e != ReadError::NotFound).cloned());
        let wanted =
            known.is_some() || awaited || !under_way.includers.is_empty() || self.is_found(key);
        match read {
            Ok(text) if wanted => {
                self.is_there([key]);
                let file = self.put(key, &text);
                self.load_includes(&[file], Age::Any);
                self.due.refresh = true;
            }
            Ok(_) => {}
            Err(error) => {
                if error == ReadError::NotFound {
                    self.absent.insert(key.to_owned());
                    self.due.gone.insert(key.to_owned());
                } else if error == ReadError::Directory && under_way.includers.is_empty() {
                    self.search(Path::new(key));
                }
                if known.is_some() {
                    self.due.forget.insert(key.into());
                }
            }
        }
        let includers = under_way.includers.iter();
        let includers: Vec<SourceFile> = includers.filter_map(|key| self.files.file(key)).collect();
        self.load_includes(&includers, Age::Any);
    }

    /// Takes what there is at a path where no program was.
    pub(super) fn kind_found(&mut self, key: &str, kind: Kind) {
        match kind {
            Kind::Directory => self.search(Path::new(key)),
            Kind::Nothing => {
                self.due.gone.insert(key.to_owned());
            }
            Kind::File => return,
        }
        // With a directory its `frank.toml` comes and goes.
        self.ask_projects();
    }

    /// Notes that files are there, whatever was found before.
    pub(super) fn is_there<'k>(&mut self, keys: impl IntoIterator<Item = &'k str>) {
        // A directory that was gone can be there anew, with fewer files.
        self.forget_what_was_in_directories();
        for key in keys {
            self.due.forget.remove(key);
        }
    }

    /// Has the files forgotten that were in directories that are gone.
    pub(super) fn forget_what_was_in_directories(&mut self) {
        let gone = std::mem::take(&mut self.due.gone);
        if !gone.is_empty() {
            let files = self.in_directories(&gone);
            self.due.forget.extend(files);
        }
    }

    /// The files that are not open and were in directories that are gone.
    fn in_directories(&self, gone: &HashSet<String>) -> HashSet<Arc<str>> {
        let documents = self.documents.iter().map(|(_, document)| document);
        let closed = documents.filter(|document| !document.library && !document.is_open());
        let keys = closed.map(|document| &document.key);
        let is_gone = |key: &&Arc<str>| {
            let around = key.match_indices('/').filter_map(|(end, _)| key.get(..end));
            around.into_iter().any(|directory| gone.contains(directory))
        };
        keys.filter(is_gone).cloned().collect()
    }

    /// Forgets files, but for those that were opened meanwhile.
    pub(super) fn forget(&mut self, keys: &HashSet<Arc<str>>) {
        let closed = |key: &Arc<str>| !self.document(key).is_some_and(Document::is_open);
        let keys: HashSet<&Arc<str>> = keys.iter().filter(|key| closed(key)).collect();
        let known = keys.iter().filter_map(|key| self.files.file(key));
        let known: Vec<SourceFile> = known.collect();
        if known.is_empty() {
            return;
        }
        self.files.remove_all(keys.iter().map(|key| &***key));
        self.revision += 1;
        let documents = Arc::make_mut(&mut self.documents);
        for file in known {
            if let Some(document) = documents.remove(file) {
                self.history.remove(&document.key);
                self.gone.insert(document.key.clone(), self.revision);
            }
        }
        Arc::make_mut(&mut self.results).forget(|key| keys.contains(key));
        self.due.includes = true;
        self.due.refresh = true;
    }

    /// The files that are neither open nor in a folder, nor included by one that is.
    pub(super) fn unneeded(&self) -> HashSet<Arc<str>> {
        let db = self.files.db();
        let mut needed: HashSet<SourceFile> = HashSet::new();
        let own = self
            .documents
            .iter()
            .filter(|(_, document)| document.is_open() || self.is_found(&document.key));
        let mut next: Vec<SourceFile> = own.map(|(file, _)| file).collect();
        while let Some(file) = next.pop() {
            if needed.insert(file) {
                next.extend(direct_includes(db, file).iter().copied());
            }
        }
        self.documents
            .iter()
            .filter(|(file, document)| !document.library && !needed.contains(file))
            .map(|(_, document)| document.key.clone())
            .collect()
    }
}
