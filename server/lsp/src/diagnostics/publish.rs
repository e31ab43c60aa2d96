//! Findings that the server publishes.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use frank_analysis::db::SourceFile;
use frank_workspace::config::Mistake;
use ropey::Rope;
use tower_lsp::jsonrpc;
use tower_lsp::ls_types as lsp;

use super::apart::{Findings, closed_parts, findings_of_part};
use super::{digest, of_file};
use crate::client::{Client, Message};
use crate::client_capabilities::Refresh;
use crate::documents::Document;
use crate::request_snapshot::{RequestSnapshot, Target};
use crate::requests::Job;
use crate::text::Encoding;

/// What has been published.
#[derive(Default)]
pub struct Publisher {
    published: Mutex<HashMap<lsp::Uri, Published>>,
}

struct Published {
    digest: u64,
    version: Option<i32>,
    revision: u64,
    empty: bool,
    /// It is about a `frank.toml`.
    project: bool,
}

/// The files whose findings are published.
#[derive(Debug, Clone, Copy)]
pub struct Scope {
    pub open: Share,
    pub closed: Share,
}

/// What happens to the findings of some files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Share {
    Published,
    /// What was published stays, for now.
    Kept,
    /// What was published is taken back.
    Withdrawn,
}

impl Scope {
    fn of(self, document: &Document) -> Share {
        if document.library {
            Share::Withdrawn
        } else if document.is_open() {
            self.open
        } else {
            self.closed
        }
    }
}

impl Publisher {
    fn published(&self) -> MutexGuard<'_, HashMap<lsp::Uri, Published>> {
        self.published
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Publishes the findings of a file if they have changed.
    fn publish(
        &self,
        client: &Client,
        document: &Document,
        revision: u64,
        diagnostics: Vec<lsp::Diagnostic>,
    ) {
        let digest = digest(&diagnostics);
        let empty = diagnostics.is_empty();
        let mut published = self.published();
        match published.get(&document.uri) {
            // Another round has seen a later text.
            Some(last) if last.revision > revision => return,
            Some(last) if last.digest == digest && last.version == document.version => return,
            // Of a file that is not open, only findings matter.
            None if empty && !document.is_open() => return,
            _ => {}
        }
        let version = document.version;
        let entry = Published {
            digest,
            version,
            revision,
            empty,
            project: false,
        };
        published.insert(document.uri.clone(), entry);
        let params = lsp::PublishDiagnosticsParams::new(document.uri.clone(), diagnostics, version);
        // While the lock is held, so that the order is right.
        client.send(Message::Publish(params));
    }

    /// Whether the findings with a digest are what was published last of a file as it is.
    fn has_told(&self, document: &Document, digest: u64) -> bool {
        match self.published().get(&document.uri) {
            Some(last) => last.digest == digest && last.version == document.version,
            None => digest == super::digest(&[]),
        }
    }

    /// Takes back what was published of all other files.
    fn withdraw(&self, client: &Client, revision: u64, keep: &HashSet<&lsp::Uri>) {
        self.published().retain(|uri, last| {
            if last.project || last.revision > revision || keep.contains(uri) {
                return true;
            }
            if !last.empty {
                let params = lsp::PublishDiagnosticsParams::new(uri.clone(), Vec::new(), None);
                client.send(Message::Publish(params));
            }
            false
        });
    }

    /// Publishes what is wrong with each `frank.toml`, and takes back what was of all others.
    pub fn publish_projects<'p>(
        &self,
        client: &Client,
        projects: impl Iterator<Item = ProjectFindings<'p>>,
        encoding: Encoding,
    ) {
        let mut shown: HashMap<lsp::Uri, Vec<lsp::Diagnostic>> = HashMap::new();
        for project in projects {
            if let Some(uri) = lsp::Uri::from_file_path(project.path) {
                shown.insert(uri, project.shown(encoding));
            }
        }
        let mut published = self.published();
        let gone = published.iter().filter(|(_, last)| last.project);
        for (uri, _) in gone {
            shown.entry(uri.clone()).or_default();
        }
        for (uri, diagnostics) in shown {
            let (digest, empty) = (digest(&diagnostics), diagnostics.is_empty());
            let known = published.get(&uri);
            if known.map_or(empty, |last| last.digest == digest) {
                continue;
            }
            let entry = Published {
                digest,
                version: None,
                revision: 0,
                empty,
                project: true,
            };
            published.insert(uri.clone(), entry);
            let params = lsp::PublishDiagnosticsParams::new(uri, diagnostics, None);
            client.send(Message::Publish(params));
        }
    }
}

/// What is to be said of a `frank.toml`.
pub struct ProjectFindings<'p> {
    pub path: &'p Path,
    pub text: &'p str,
    pub errors: &'p [Mistake],
    pub warnings: Vec<Mistake>,
}

impl ProjectFindings<'_> {
    /// The findings, as the client shows them.
    fn shown(&self, encoding: Encoding) -> Vec<lsp::Diagnostic> {
        let text = Rope::from_str(self.text);
        let of = |mistakes: &[Mistake], severity| -> Vec<lsp::Diagnostic> {
            let shown = mistakes.iter().map(|mistake| lsp::Diagnostic {
                range: encoding.range(&text, mistake.range.clone()),
                severity: Some(severity),
                source: Some(super::SOURCE.to_owned()),
                message: mistake.message.clone(),
                ..lsp::Diagnostic::default()
            });
            shown.collect()
        };
        let mut shown = of(self.errors, lsp::DiagnosticSeverity::ERROR);
        shown.extend(of(&self.warnings, lsp::DiagnosticSeverity::WARNING));
        shown
    }
}

/// Computes the findings of all files and publishes what has changed.
pub struct PublishRound {
    /// The files to begin with.
    pub first: Vec<SourceFile>,
    pub scope: Scope,
    pub publisher: Arc<Publisher>,
    pub client: Client,
    /// The state of the results when the client was last asked to show them.
    pub shown: Arc<AtomicU64>,
    pub pause: Arc<Pause>,
}

impl PublishRound {
    /// Publishes the findings of files that are not done. True if the round pauses.
    fn publish_some(
        &self,
        snapshot: &RequestSnapshot,
        files: &[(SourceFile, &Document)],
        done: &mut HashSet<SourceFile>,
    ) -> bool {
        for (file, document) in files {
            if !done.insert(*file) {
                continue;
            }
            let found = of_file(snapshot, *file, document);
            self.publisher
                .publish(&self.client, document, snapshot.revision, found);
            if snapshot.db().has_many_items() {
                return true;
            }
        }
        false
    }

    /// Publishes the findings of a part of the closed programs.
    fn publish_apart(&self, snapshot: &RequestSnapshot, part: &[SourceFile]) {
        snapshot.check();
        let is_told = |document: &Document, digest| self.publisher.has_told(document, digest);
        for (file, found) in findings_of_part(snapshot, part, is_told) {
            if let (Findings::Found(found), Some(document)) = (found, snapshot.document(file)) {
                self.publisher
                    .publish(&self.client, document, snapshot.revision, found);
            }
        }
    }
}

/// The revision of a round that has paused, and the files that it is done with. A round pauses when it has
/// parsed many items, so that those can be forgotten that it does not need any more: the next ones
/// take their place.
pub type Pause = Mutex<Option<(u64, HashSet<SourceFile>)>>;

impl Job for PublishRound {
    fn run(&mut self, snapshot: &RequestSnapshot, _: Option<&Target>) {
        let mut files: Vec<(SourceFile, &Document)> = snapshot
            .documents
            .iter()
            .filter(|(_, document)| self.scope.of(document) == Share::Published)
            .collect();
        let rank = |file: &SourceFile| self.first.iter().position(|first| first == file);
        files.sort_by_key(|(file, document)| {
            (
                rank(file).unwrap_or(usize::MAX),
                !document.is_open(),
                document.key.clone(),
            )
        });
        let pause = || self.pause.lock().unwrap_or_else(PoisonError::into_inner);
        let done = pause().take();
        let done = done.filter(|(revision, _)| *revision == snapshot.revision);
        // What is open, and so the order of the files, can be another one by now.
        let mut done = done.map(|(_, files)| files).unwrap_or_default();
        let (open, mut closed): (Vec<_>, Vec<_>) = files
            .into_iter()
            .partition(|(_, document)| document.is_open());
        let mut paused = self.publish_some(snapshot, &open, &mut done);
        let parts = match paused || closed.is_empty() {
            true => Vec::new(),
            false => closed_parts(snapshot),
        };
        let apart: HashSet<SourceFile> = parts.iter().flatten().copied().collect();
        closed.retain(|(file, _)| !apart.contains(file));
        paused = paused || self.publish_some(snapshot, &closed, &mut done);
        if paused {
            *pause() = Some((snapshot.revision, done));
            return;
        }
        for part in &parts {
            self.publish_apart(snapshot, part);
        }
        let documents = snapshot.documents.iter().map(|(_, document)| document);
        let keep = documents.filter(|document| self.scope.of(document) != Share::Withdrawn);
        let keep = keep.map(|document| &document.uri).collect();
        self.publisher
            .withdraw(&self.client, snapshot.revision, &keep);
        // An edit of one file can make a result in another out of date.
        let state = snapshot.results.state(&snapshot.analysis);
        if self.shown.swap(state, Ordering::Relaxed) != state {
            let kinds = [
                Refresh::CodeLenses,
                Refresh::InlayHints,
                Refresh::Diagnostics,
            ];
            for kind in kinds {
                if snapshot.capabilities.refreshes(kind) {
                    self.client.send(Message::Refresh(kind));
                }
            }
        }
    }

    fn fail(&mut self, error: jsonrpc::Error) {
        tracing::error!("findings are not published: {}", error.message);
    }

    fn is_abandoned(&self) -> bool {
        false
    }
}
