//! The texts that the client has open.

use std::ops::Range;
use std::sync::Arc;

use frank_analysis::db::SourceFile;
use frank_syntax::notebook::notebook_of;
use tower_lsp::ls_types as lsp;

use super::reading::Age;
use super::{GlobalState, REMEMBERED_EDITS};
use crate::documents::Document;
use crate::text::{Edit, RopeText, replace};
use crate::uri::{is_on_disk, key_of, uri_of};

/// With more changes than this in one message the items are compared instead of edited.
const MANY_CHANGES: usize = 64;

impl GlobalState {
    pub(super) fn opened(&mut self, item: lsp::TextDocumentItem) {
        let key = key_of(&item.uri);
        if let Some(file) = self.library.get(&key) {
            if let Some(document) = Arc::make_mut(&mut self.documents).get_mut(file) {
                document.version = Some(item.version);
                document.uri = item.uri;
            }
            return;
        }
        if let Some(notebook) = notebook_of(&key) {
            // What is on disk of it would be a second program with the same definitions.
            self.due.forget.insert(notebook.into());
        }
        let file = self.put(&key, &item.text);
        if let Some(document) = Arc::make_mut(&mut self.documents).get_mut(file) {
            document.version = Some(item.version);
            document.uri = item.uri;
        }
        self.adopt(&key);
        self.load_includes(&[file], Age::FromNowOn);
        self.publishing.touched(&key);
        self.changed_something();
    }

    pub(super) fn changed(&mut self, params: lsp::DidChangeTextDocumentParams) {
        let key = key_of(&params.text_document.uri);
        if self.library.get(&key).is_some() {
            return;
        }
        let open = self
            .files
            .file(&key)
            .filter(|_| self.document(&key).is_some_and(Document::is_open));
        let Some(file) = open else {
            tracing::warn!("a change of {key}, which is not open");
            return;
        };
        let outline = file.outline(self.files.db()).as_ptr();
        let mut typed = None;
        if params.content_changes.len() > MANY_CHANGES {
            self.change_text(file, params.content_changes);
        } else {
            let is_single = params.content_changes.len() == 1;
            for change in params.content_changes {
                // Who sends whole texts does not say what was typed.
                let is_part = change.range.is_some();
                let edit = self.change(file, change);
                typed = edit.filter(|_| is_single && is_part);
            }
        }
        self.typed(file, typed.as_ref());
        if let Some(document) = Arc::make_mut(&mut self.documents).get_mut(file) {
            document.version = Some(params.text_document.version);
        }
        // The list of items is replaced only if it changes, and only then can an include have come.
        if file.outline(self.files.db()).as_ptr() != outline {
            self.load_includes(&[file], Age::Any);
        }
        self.publishing.touched(&key);
        self.changed_something();
    }

    pub(super) fn saved(&mut self, uri: &lsp::Uri) {
        self.stop_typing();
        // What it includes may have been saved before it, unnoticed if nobody watches files.
        if let Some(file) = self.files.file(&key_of(uri)) {
            self.load_includes(&[file], Age::FromNowOn);
        }
    }

    pub(super) fn closed(&mut self, uri: &lsp::Uri) {
        let key = key_of(uri);
        let Some(file) = self.file(&key) else { return };
        self.stop_typing();
        let library = self.library.get(&key).is_some();
        if let Some(document) = Arc::make_mut(&mut self.documents).get_mut(file) {
            document.version = None;
            if let Some(own) = uri_of(&key).filter(|_| !library) {
                document.uri = own;
            }
        }
        if library {
            return;
        }
        // From now on the text on disk counts.
        if is_on_disk(&key) {
            self.look_for(key);
        } else {
            if let Some(notebook) = notebook_of(&key).filter(|notebook| is_on_disk(notebook)) {
                self.look_for(notebook.to_owned());
            }
            self.due.forget.insert(key.into());
        }
        self.due.unneeded = true;
        self.changed_something();
    }

    /// Gives a file a text, the file perhaps being new.
    pub(super) fn put(&mut self, key: &str, text: &str) -> SourceFile {
        self.due.forget.remove(key);
        if let Some(file) = self.files.file(key) {
            let length = self
                .documents
                .get(file)
                .map(|document| document.text.len_bytes());
            if let Some(length) = length {
                self.edit(file, 0..length, text);
                return file;
            }
        }
        let file = self.files.set_text(key, text);
        let uri = uri_of(key).or_else(|| uri_of("untitled:unknown"));
        if let Some(uri) = uri {
            let document = Document::closed(key, uri, text);
            Arc::make_mut(&mut self.documents).insert(file, document);
        }
        self.revision += 1;
        file
    }

    fn change(
        &mut self,
        file: SourceFile,
        change: lsp::TextDocumentContentChangeEvent,
    ) -> Option<Edit> {
        let document = self.documents.get(file)?;
        let range = match change.range {
            Some(range) => self.documents.encoding.byte_range(&document.text, range),
            None => 0..document.text.len_bytes(),
        };
        self.edit(file, range, &change.text)
    }

    /// Puts `text` in the place of a range of a file's text. Gives the edit, if it changes something.
    fn edit(&mut self, file: SourceFile, range: Range<usize>, text: &str) -> Option<Edit> {
        let documents = Arc::make_mut(&mut self.documents);
        let document = documents.get_mut(file)?;
        let edit = replace(&mut document.text, range, text)?;
        let rope = &document.text;
        self.files
            .edit(file, &RopeText(rope), edit.old.clone(), edit.new_length);
        let first = rope.byte_to_line(edit.old.start);
        let last = rope.byte_to_line(edit.old.start + edit.new_length);
        document.has_suppressions |= (first..=last).any(|line| {
            rope.get_line(line).is_some_and(|line| {
                frank_workspace::suppress::may_suppress(&std::borrow::Cow::from(line))
            })
        });
        self.revision += 1;
        let history = self.history.entry(document.key.clone()).or_default();
        history.push_back((self.revision, edit.clone()));
        if history.len() > REMEMBERED_EDITS {
            history.pop_front();
        }
        Some(edit)
    }

    /// Makes many changes: the text follows them one by one, the items when all are made.
    fn change_text(&mut self, file: SourceFile, changes: Vec<lsp::TextDocumentContentChangeEvent>) {
        let encoding = self.documents.encoding;
        let Some(document) = self.documents.get(file) else {
            return;
        };
        let mut text = document.text.clone();
        let length = text.len_bytes();
        let mut edits = Vec::new();
        for change in changes {
            let range = match change.range {
                Some(range) => encoding.byte_range(&text, range),
                None => 0..text.len_bytes(),
            };
            edits.extend(replace(&mut text, range, &change.text));
        }
        self.edit(file, 0..length, &text.to_string());
        // The positions of requests follow each edit, since one edit over all of them would be less exact.
        let revision = self.revision;
        if let Some(document) = self.documents.get(file)
            && let Some(history) = self.history.get_mut(&document.key)
        {
            history.pop_back_if(|(made, _)| *made == revision);
            history.extend(edits.into_iter().map(|edit| (revision, edit)));
        }
    }
}
