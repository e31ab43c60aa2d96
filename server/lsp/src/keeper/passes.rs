//! When findings are published.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use super::Keeper;
use crate::diagnostics::{Pass, Scope};
use crate::questions::QuestionId;

/// Whether findings need to be computed again, and which first.
#[derive(Default)]
pub(super) struct Passes {
    needed: bool,
    running: Option<QuestionId>,
    /// The files that were edited last, the last one last.
    touched: Vec<String>,
    /// The client asks for the findings of open files itself.
    client_pulls: bool,
    /// It does for those of the others.
    client_pulls_workspace: bool,
    /// What the client has been asked to draw of results.
    shown: Arc<AtomicU64>,
}

impl Passes {
    pub(super) fn needed(&mut self) {
        self.needed = true;
    }

    pub(super) fn touched(&mut self, key: &str) {
        self.touched.retain(|other| other != key);
        self.touched.push(key.to_owned());
        if self.touched.len() > 8 {
            self.touched.remove(0);
        }
    }

    pub(super) fn pulling(&mut self, pulls: bool) {
        self.client_pulls = pulls;
    }
}

impl Keeper {
    /// Starts to publish findings if they may have changed; false if there is nothing to do.
    pub(super) fn start_pass(&mut self) -> bool {
        if !self.passes.needed || self.passes.running.is_some() {
            return false;
        }
        self.passes.needed = false;
        let scope = Scope {
            // Until all files are known, those that are not open would seem to lack something.
            closed: self.searches.is_empty() && !self.passes.client_pulls_workspace,
            open: !self.passes.client_pulls,
        };
        let first = self
            .passes
            .touched
            .iter()
            .rev()
            .filter_map(|key| self.files.file(key));
        let pass = Pass {
            first: first.collect(),
            scope,
            publisher: Arc::clone(&self.publisher),
            outbox: self.outbox.clone(),
            shown: Arc::clone(&self.passes.shown),
        };
        let id = self.events.new_id();
        self.passes.running = Some(id);
        self.start(id, Box::new(pass));
        true
    }

    /// Takes notice of the end of a pass; false if it was something else that ended.
    pub(super) fn pass_finished(&mut self, id: QuestionId, interrupted: bool) -> bool {
        if self.passes.running != Some(id) {
            return false;
        }
        self.passes.running = None;
        self.passes.needed |= interrupted;
        true
    }

    /// The client asks for the findings of files that it does not have open.
    pub(super) fn workspace_pulled(&mut self) {
        if !self.passes.client_pulls_workspace {
            self.passes.client_pulls_workspace = true;
            self.passes.needed();
        }
    }
}
