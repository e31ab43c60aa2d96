//! When findings are published.

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, PoisonError};

use super::GlobalState;
use crate::diagnostics::{Pause, PublishRound, Scope, Share};
use crate::requests::RequestId;

/// Whether findings need to be computed again, and which first.
#[derive(Default)]
pub(super) struct Publishing {
    needed: bool,
    running: Option<RequestId>,
    /// The files that were edited last, the last one last.
    touched: Vec<String>,
    /// The client asks for the findings of open files itself.
    client_pulls: bool,
    /// It does for those of the others.
    client_pulls_workspace: bool,
    /// The results that the client was last asked to show.
    shown: Arc<AtomicU64>,
    pause: Arc<Pause>,
}

impl Publishing {
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

impl GlobalState {
    /// Starts to publish findings if they may have changed; false if there is nothing to do.
    pub(super) fn start_publish_round(&mut self) -> bool {
        if !self.publishing.needed || self.publishing.running.is_some() {
            return false;
        }
        self.publishing.needed = false;
        let scope = Scope {
            closed: match self.publishing.client_pulls_workspace {
                true => Share::Withdrawn,
                // Until all files are known, names would seem to be missing.
                false if !self.searches.is_empty() => Share::Kept,
                false => Share::Published,
            },
            open: match self.publishing.client_pulls {
                true => Share::Withdrawn,
                false => Share::Published,
            },
        };
        let first = self
            .publishing
            .touched
            .iter()
            .rev()
            .filter_map(|key| self.files.file(key));
        let round = PublishRound {
            first: first.collect(),
            scope,
            publisher: Arc::clone(&self.publisher),
            client: self.client.clone(),
            shown: Arc::clone(&self.publishing.shown),
            pause: Arc::clone(&self.publishing.pause),
        };
        let id = self.events.new_id();
        self.publishing.running = Some(id);
        self.start(id, Box::new(round));
        true
    }

    /// Notes the end of a job; false if it was no publish round.
    pub(super) fn publish_round_finished(&mut self, id: RequestId, interrupted: bool) -> bool {
        if self.publishing.running != Some(id) {
            return false;
        }
        self.publishing.running = None;
        let pause = self.publishing.pause.lock();
        let paused = pause.unwrap_or_else(PoisonError::into_inner).is_some();
        self.publishing.needed |= interrupted || paused;
        true
    }

    /// The client asks for the findings of files that it does not have open.
    pub(super) fn workspace_pulled(&mut self) {
        if !self.publishing.client_pulls_workspace {
            self.publishing.client_pulls_workspace = true;
            self.publishing.needed();
        }
    }
}
