//! The requests that wait and those that are worked on.

use std::collections::{HashMap, VecDeque};
use std::ops::Range;

use salsa::CancellationToken;
use tower_lsp::jsonrpc;

use super::GlobalState;
use crate::pool::{Finished, Work};
use crate::request_snapshot::Target;
use crate::requests::{DocumentRanges, Job, Request, RequestId, Urgency};
use crate::uri::key_of;

/// How often an edit may interrupt a request before it is given up.
const MOST_TRIES: u32 = 50;

/// A request that waits.
struct Waiting {
    id: RequestId,
    urgency: Urgency,
    ranges: Option<DocumentRanges>,
    job: Box<dyn Job>,
    tries: u32,
}

/// A request that a worker has.
struct Running {
    urgency: Urgency,
    ranges: Option<DocumentRanges>,
    tries: u32,
    token: CancellationToken,
}

/// The requests that have no answer yet.
#[derive(Default)]
pub(super) struct Requests {
    now: VecDeque<Waiting>,
    soon: VecDeque<Waiting>,
    running: HashMap<RequestId, Running>,
}

impl Requests {
    /// Interrupts a cancelled request. One that waits is dropped when its turn comes: looking for it
    /// among the others would cost more.
    pub(super) fn cancel(&mut self, id: RequestId) {
        if let Some(running) = self.running.get(&id) {
            running.token.cancel();
        }
    }

    fn wait(&mut self, waiting: Waiting, again: bool) {
        let queue = match waiting.urgency {
            Urgency::Now => &mut self.now,
            Urgency::Soon => &mut self.soon,
        };
        if again {
            queue.push_front(waiting)
        } else {
            queue.push_back(waiting)
        }
    }

    /// How many workers have something to do that is not urgent.
    pub(super) fn running_soon(&self) -> usize {
        self.running
            .values()
            .filter(|running| running.urgency == Urgency::Soon)
            .count()
    }

    /// How many workers have something to do.
    pub(super) fn running(&self) -> usize {
        self.running.len()
    }
}

impl GlobalState {
    pub(super) fn take_request(&mut self, request: Request) {
        let Request {
            id,
            urgency,
            about,
            mut job,
        } = request;
        if job.is_abandoned() {
            return;
        }
        let mut ranges = None;
        if let Some(about) = about {
            let key = key_of(&about.uri);
            let Some(document) = self.document(&key) else {
                let reason = format!("{} is not known", about.uri.as_str());
                job.fail(jsonrpc::Error::invalid_params(reason));
                return;
            };
            let encoding = self.documents.encoding;
            let bytes = |range| encoding.byte_range(&document.text, range);
            ranges = Some(DocumentRanges {
                key: document.key.clone(),
                ranges: about.ranges.into_iter().map(bytes).collect(),
                revision: self.revision,
            });
        }
        self.requests.wait(
            Waiting {
                id,
                urgency,
                ranges,
                job,
                tries: 0,
            },
            false,
        );
    }

    /// Gives waiting requests to free workers.
    pub(super) fn dispatch(&mut self) {
        while self.requests.running() < self.pool.size() {
            // One worker is always kept for what is urgent.
            let may_start_more = self.requests.running_soon() + 1 < self.pool.size();
            let next = match self.requests.now.pop_front() {
                Some(waiting) => Some(waiting),
                None if may_start_more => {
                    if self.start_publish_round() {
                        continue;
                    }
                    self.requests.soon.pop_front()
                }
                None => None,
            };
            let Some(mut waiting) = next else { return };
            if waiting.job.is_abandoned() {
                continue;
            }
            let target = match &mut waiting.ranges {
                None => None,
                Some(ranges) => match self.locate(ranges) {
                    Ok(target) => Some(target),
                    Err(error) => {
                        waiting.job.fail(error);
                        continue;
                    }
                },
            };
            self.give(waiting, target);
        }
    }

    /// Gives a worker a job that does not come from the client.
    pub(super) fn start(&mut self, id: RequestId, job: Box<dyn Job>) {
        let waiting = Waiting {
            id,
            urgency: Urgency::Soon,
            ranges: None,
            job,
            tries: 0,
        };
        self.give(waiting, None);
    }

    fn give(&mut self, waiting: Waiting, target: Option<Target>) {
        let Waiting {
            id,
            urgency,
            ranges,
            job,
            tries,
        } = waiting;
        let token = self.pool.give(Work {
            id,
            job,
            target,
            snapshot: self.request_snapshot(),
        });
        self.requests.running.insert(
            id,
            Running {
                urgency,
                ranges,
                tries,
                token,
            },
        );
    }

    /// Where the ranges of a request are now.
    fn locate(&self, ranges: &mut DocumentRanges) -> Result<Target, jsonrpc::Error> {
        let Some(file) = self.file(&ranges.key) else {
            return Err(jsonrpc::Error::content_modified());
        };
        if self
            .gone
            .get(&ranges.key)
            .is_some_and(|gone| *gone > ranges.revision)
        {
            return Err(jsonrpc::Error::content_modified());
        }
        if let Some(history) = self.history.get(&ranges.key) {
            let full = history.len() == super::REMEMBERED_EDITS;
            if full
                && history
                    .front()
                    .is_some_and(|(made, _)| *made > ranges.revision)
            {
                return Err(jsonrpc::Error::content_modified());
            }
            let start = history.partition_point(|(made, _)| *made <= ranges.revision);
            for (_, edit) in history.iter().skip(start) {
                for range in &mut ranges.ranges {
                    *range = moved(range, edit);
                }
            }
        }
        ranges.revision = self.revision;
        Ok(Target {
            file,
            ranges: ranges.ranges.clone(),
        })
    }

    pub(super) fn finished(&mut self, finished: Finished) {
        let Some(running) = self.requests.running.remove(&finished.id) else {
            return;
        };
        // That would interrupt those who are at work.
        if self.requests.running.is_empty() {
            self.files.forget_items();
        }
        let Some(mut job) = finished.interrupted else {
            self.publish_round_finished(finished.id, false);
            return;
        };
        if self.publish_round_finished(finished.id, true) {
            return;
        }
        if running.tries >= MOST_TRIES {
            job.fail(jsonrpc::Error::content_modified());
            return;
        }
        let Running {
            urgency,
            ranges,
            tries,
            ..
        } = running;
        let waiting = Waiting {
            id: finished.id,
            urgency,
            ranges,
            job,
            tries: tries + 1,
        };
        self.requests.wait(waiting, true);
    }

    /// Answers all requests with an error.
    pub(super) fn give_up_requests(&mut self) {
        for running in self.requests.running.values() {
            running.token.cancel();
        }
        let Requests { now, soon, .. } = std::mem::take(&mut self.requests);
        for mut waiting in now.into_iter().chain(soon) {
            waiting.job.fail(jsonrpc::Error::request_cancelled());
        }
    }
}

fn moved(range: &Range<usize>, edit: &crate::text::Edit) -> Range<usize> {
    let start = edit.moved(range.start);
    if range.is_empty() {
        start..start
    } else {
        start..edit.moved(range.end).max(start)
    }
}
