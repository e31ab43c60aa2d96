//! Reading what files include.

use std::sync::Arc;

use frank_analysis::db::{Origin, SourceFile};
use frank_workspace::includes::places;
use frank_workspace::read::ReadError;

use super::GlobalState;
use super::reading::Age;
use crate::disk::Question;
use crate::uri::is_on_disk;

impl GlobalState {
    /// Has the included files read that are not known yet, for some files; where an earlier look has
    /// found nothing, only if that does not count any more.
    pub(super) fn load_includes(&mut self, from: &[SourceFile], age: Age) {
        let mut unread = Vec::new();
        for file in from {
            let Some(document) = self.documents.get(*file) else {
                continue;
            };
            for include in places(&self.files, *file) {
                for place in include {
                    if self.files.file(&place).is_some() {
                        break;
                    }
                    if !is_on_disk(&place) {
                        continue;
                    }
                    let absent = self.absent.contains(&place);
                    let looked = absent || self.unreadable.contains_key(&place);
                    if age == Age::FromNowOn || !looked {
                        let question = Question::Text(place.clone());
                        self.reading.ask(question, Some(&document.key), age);
                        unread.push(place);
                    }
                    if !absent {
                        break;
                    }
                }
            }
        }
        if self.reading.is_late() {
            self.say_unread(&unread);
        }
    }

    /// As [`GlobalState::load_includes`], for all files.
    pub(super) fn load_includes_of_all(&mut self) {
        let db = self.files.db();
        let own = |file: &SourceFile| file.origin(db) == Origin::Workspace;
        let all: Vec<SourceFile> = self
            .documents
            .iter()
            .map(|(file, _)| file)
            .filter(own)
            .collect();
        self.load_includes(&all, Age::Any);
    }

    /// Says of included files why they are not there: they are not read yet.
    pub(super) fn say_unread(&mut self, keys: &[String]) {
        for key in keys {
            if !self.absent.contains(key) && !self.unreadable.contains_key(key) {
                let reason = "the disk has not answered yet; frank goes on waiting for it";
                self.set_unreadable(key, Some(ReadError::Other(reason.to_owned())));
            }
        }
    }

    /// Notes why a file that is there cannot be read, or that this does not hold any more.
    pub(super) fn set_unreadable(&mut self, key: &str, error: Option<ReadError>) {
        if self.unreadable.get(key) == error.as_ref() {
            return;
        }
        let unreadable = Arc::make_mut(&mut self.unreadable);
        match error {
            Some(error) => {
                tracing::warn!("{key}: {error}");
                unreadable.insert(key.to_owned(), error);
            }
            None => {
                unreadable.remove(key);
            }
        }
        self.due.refresh = true;
    }
}
