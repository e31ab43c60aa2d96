//! Findings that the server tells of its own accord.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use frank_analysis::db::SourceFile;
use frank_workspace::config::Mistake;
use ropey::Rope;
use tower_lsp::jsonrpc;
use tower_lsp::ls_types as lsp;

use super::of_file;
use crate::documents::Document;
use crate::outbox::{Message, Outbox};
use crate::questions::Job;
use crate::support::Refresh;
use crate::text::Encoding;
use crate::world::{Target, World};

/// What the client has been told.
#[derive(Default)]
pub struct Publisher {
    told: Mutex<HashMap<lsp::Uri, Told>>,
}

struct Told {
    digest: u64,
    version: Option<i32>,
    revision: u64,
    empty: bool,
    /// It is about a `frank.toml`.
    project: bool,
}

/// The files whose findings are to be told.
#[derive(Debug, Clone, Copy)]
pub struct Scope {
    pub open: bool,
    pub closed: bool,
}

impl Scope {
    fn has(self, document: &Document) -> bool {
        !document.library
            && if document.is_open() {
                self.open
            } else {
                self.closed
            }
    }
}

impl Publisher {
    fn told(&self) -> MutexGuard<'_, HashMap<lsp::Uri, Told>> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells the findings of a file if that is news.
    fn tell(
        &self,
        outbox: &Outbox,
        document: &Document,
        revision: u64,
        diagnostics: Vec<lsp::Diagnostic>,
    ) {
        let digest = digest(&diagnostics);
        let empty = diagnostics.is_empty();
        let mut told = self.told();
        match told.get(&document.uri) {
            // Another pass has seen a later text.
            Some(last) if last.revision > revision => return,
            Some(last) if last.digest == digest && last.version == document.version => return,
            // Of a file that is not open, only findings matter.
            None if empty && !document.is_open() => return,
            _ => {}
        }
        let version = document.version;
        let entry = Told {
            digest,
            version,
            revision,
            empty,
            project: false,
        };
        told.insert(document.uri.clone(), entry);
        let params = lsp::PublishDiagnosticsParams::new(document.uri.clone(), diagnostics, version);
        // While the lock is held, so that the order is right.
        outbox.send(Message::Publish(params));
    }

    /// Takes back what was told of all other files.
    fn withdraw(&self, outbox: &Outbox, revision: u64, keep: &HashSet<&lsp::Uri>) {
        self.told().retain(|uri, told| {
            if told.project || told.revision > revision || keep.contains(uri) {
                return true;
            }
            if !told.empty {
                let params = lsp::PublishDiagnosticsParams::new(uri.clone(), Vec::new(), None);
                outbox.send(Message::Publish(params));
            }
            false
        });
    }

    /// Tells the mistakes in a `frank.toml`.
    pub fn publish_project(
        &self,
        outbox: &Outbox,
        path: &Path,
        text: &str,
        mistakes: &[Mistake],
        encoding: Encoding,
    ) {
        let Some(uri) = lsp::Uri::from_file_path(path) else {
            return;
        };
        let text = Rope::from_str(text);
        let shown: Vec<lsp::Diagnostic> = mistakes
            .iter()
            .map(|mistake| lsp::Diagnostic {
                range: encoding.range(&text, mistake.range.clone()),
                severity: Some(lsp::DiagnosticSeverity::ERROR),
                source: Some(super::SOURCE.to_owned()),
                message: mistake.message.clone(),
                ..lsp::Diagnostic::default()
            })
            .collect();
        let empty = shown.is_empty();
        let mut told = self.told();
        if empty && told.get(&uri).is_none_or(|last| last.empty) {
            return;
        }
        let entry = Told {
            digest: 0,
            version: None,
            revision: 0,
            empty,
            project: true,
        };
        told.insert(uri.clone(), entry);
        outbox.send(Message::Publish(lsp::PublishDiagnosticsParams::new(
            uri, shown, None,
        )));
    }

    /// Takes back the mistakes in all `frank.toml`.
    pub fn withdraw_projects(&self, outbox: &Outbox) {
        self.told().retain(|uri, told| {
            if told.project && !told.empty {
                let params = lsp::PublishDiagnosticsParams::new(uri.clone(), Vec::new(), None);
                outbox.send(Message::Publish(params));
            }
            !told.project
        });
    }
}

/// A number that differs where findings differ.
pub fn digest(diagnostics: &[lsp::Diagnostic]) -> u64 {
    let mut hasher = DefaultHasher::new();
    // What is not in the message follows from what is.
    for problem in diagnostics {
        let range = problem.range;
        (
            range.start.line,
            range.start.character,
            range.end.line,
            range.end.character,
        )
            .hash(&mut hasher);
        problem.message.hash(&mut hasher);
        format!("{:?}{:?}", problem.severity, problem.code).hash(&mut hasher);
        for related in problem.related_information.iter().flatten() {
            let range = related.location.range;
            related.location.uri.as_str().hash(&mut hasher);
            (
                range.start.line,
                range.start.character,
                range.end.line,
                range.end.character,
            )
                .hash(&mut hasher);
            related.message.hash(&mut hasher);
        }
    }
    hasher.finish()
}

/// Computes the findings of all files and tells what is news.
pub struct Pass {
    /// The files to begin with.
    pub first: Vec<SourceFile>,
    pub scope: Scope,
    pub publisher: Arc<Publisher>,
    pub outbox: Outbox,
    /// The state of the results that the client was last asked to draw.
    pub shown: Arc<AtomicU64>,
}

impl Job for Pass {
    fn run(&mut self, world: &World, _: Option<&Target>) {
        let mut files: Vec<(SourceFile, &Document)> = world
            .documents
            .iter()
            .filter(|(_, document)| self.scope.has(document))
            .collect();
        let rank = |file: &SourceFile| self.first.iter().position(|first| first == file);
        files.sort_by_key(|(file, document)| {
            (
                rank(file).unwrap_or(usize::MAX),
                !document.is_open(),
                document.key.clone(),
            )
        });
        for (file, document) in &files {
            let diagnostics = of_file(world, *file, document);
            self.publisher
                .tell(&self.outbox, document, world.revision, diagnostics);
        }
        let keep = files.iter().map(|(_, document)| &document.uri).collect();
        self.publisher.withdraw(&self.outbox, world.revision, &keep);
        // An edit of one file can make a result in another out of date.
        let state = world.results.state(&world.analysis);
        if self.shown.swap(state, Ordering::Relaxed) != state {
            let kinds = [
                Refresh::CodeLenses,
                Refresh::InlayHints,
                Refresh::Diagnostics,
            ];
            for kind in kinds {
                if world.support.refreshes(kind) {
                    self.outbox.send(Message::Refresh(kind));
                }
            }
        }
    }

    fn fail(&mut self, error: jsonrpc::Error) {
        tracing::error!("findings are not told: {}", error.message);
    }

    fn is_abandoned(&self) -> bool {
        false
    }
}
