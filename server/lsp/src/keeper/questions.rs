//! The questions that wait and those that are worked on.

use std::collections::{HashMap, VecDeque};
use std::ops::Range;

use salsa::CancellationToken;
use tower_lsp::jsonrpc;

use super::Keeper;
use crate::pool::{Finished, Work};
use crate::questions::{Job, Question, QuestionId, Spots, Urgency};
use crate::uri::key_of;
use crate::world::Target;

/// How often a question is asked again after an edit before it is given up.
const MOST_TRIES: u32 = 50;

/// A question that waits.
struct Asked {
    id: QuestionId,
    urgency: Urgency,
    spots: Option<Spots>,
    job: Box<dyn Job>,
    tries: u32,
}

/// A question that a worker has.
struct Running {
    urgency: Urgency,
    spots: Option<Spots>,
    tries: u32,
    token: CancellationToken,
}

/// All questions without an answer.
#[derive(Default)]
pub(super) struct Questions {
    now: VecDeque<Asked>,
    soon: VecDeque<Asked>,
    running: HashMap<QuestionId, Running>,
}

impl Questions {
    /// Gives up a question that nobody wants an answer to.
    pub(super) fn cancel(&mut self, id: QuestionId) {
        if let Some(running) = self.running.get(&id) {
            running.token.cancel();
        } else {
            self.now.retain(|asked| asked.id != id);
            self.soon.retain(|asked| asked.id != id);
        }
    }

    fn wait(&mut self, asked: Asked, again: bool) {
        let queue = match asked.urgency {
            Urgency::Now => &mut self.now,
            Urgency::Soon => &mut self.soon,
        };
        if again {
            queue.push_front(asked)
        } else {
            queue.push_back(asked)
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

impl Keeper {
    pub(super) fn ask(&mut self, question: Question) {
        let Question {
            id,
            urgency,
            subject,
            mut job,
        } = question;
        let mut spots = None;
        if let Some(subject) = subject {
            let key = key_of(&subject.uri);
            let Some(document) = self.document(&key) else {
                let reason = format!("{} is not known", subject.uri.as_str());
                job.fail(jsonrpc::Error::invalid_params(reason));
                return;
            };
            let encoding = self.documents.encoding;
            let ranges = subject.ranges.into_iter();
            let ranges = ranges
                .map(|range| encoding.byte_range(&document.text, range))
                .collect();
            spots = Some(Spots {
                key: document.key.clone(),
                ranges,
                revision: self.revision,
            });
        }
        self.questions.wait(
            Asked {
                id,
                urgency,
                spots,
                job,
                tries: 0,
            },
            false,
        );
    }

    /// Gives questions to workers as long as there are both.
    pub(super) fn dispatch(&mut self) {
        while self.questions.running() < self.pool.size() {
            // One worker is always kept for what is urgent.
            let may_start_more = self.questions.running_soon() + 1 < self.pool.size();
            let next = match self.questions.now.pop_front() {
                Some(asked) => Some(asked),
                None if may_start_more => {
                    if self.start_pass() {
                        continue;
                    }
                    self.questions.soon.pop_front()
                }
                None => None,
            };
            let Some(mut asked) = next else { return };
            if asked.job.is_abandoned() {
                continue;
            }
            let target = match &mut asked.spots {
                None => None,
                Some(spots) => match self.locate(spots) {
                    Ok(target) => Some(target),
                    Err(error) => {
                        asked.job.fail(error);
                        continue;
                    }
                },
            };
            self.give(asked, target);
        }
    }

    /// Gives a job that is no question of the client's to a worker.
    pub(super) fn start(&mut self, id: QuestionId, job: Box<dyn Job>) {
        let asked = Asked {
            id,
            urgency: Urgency::Soon,
            spots: None,
            job,
            tries: 0,
        };
        self.give(asked, None);
    }

    fn give(&mut self, asked: Asked, target: Option<Target>) {
        let Asked {
            id,
            urgency,
            spots,
            job,
            tries,
        } = asked;
        let token = self.pool.give(Work {
            id,
            job,
            target,
            world: self.world(),
        });
        self.questions.running.insert(
            id,
            Running {
                urgency,
                spots,
                tries,
                token,
            },
        );
    }

    /// Where the ranges of a question are now.
    fn locate(&self, spots: &mut Spots) -> Result<Target, jsonrpc::Error> {
        let Some(file) = self.file(&spots.key) else {
            return Err(jsonrpc::Error::content_modified());
        };
        if self
            .gone
            .get(&spots.key)
            .is_some_and(|gone| *gone > spots.revision)
        {
            return Err(jsonrpc::Error::content_modified());
        }
        if let Some(history) = self.history.get(&spots.key) {
            let full = history.len() == super::REMEMBERED_EDITS;
            if full
                && history
                    .front()
                    .is_some_and(|(made, _)| *made > spots.revision)
            {
                return Err(jsonrpc::Error::content_modified());
            }
            let start = history.partition_point(|(made, _)| *made <= spots.revision);
            for (_, edit) in history.iter().skip(start) {
                for range in &mut spots.ranges {
                    *range = moved(range, edit);
                }
            }
        }
        spots.revision = self.revision;
        Ok(Target {
            file,
            spots: spots.ranges.clone(),
        })
    }

    pub(super) fn finished(&mut self, finished: Finished) {
        let Some(running) = self.questions.running.remove(&finished.id) else {
            return;
        };
        let Some(mut job) = finished.interrupted else {
            self.pass_finished(finished.id, false);
            return;
        };
        if self.pass_finished(finished.id, true) {
            return;
        }
        if running.tries >= MOST_TRIES {
            job.fail(jsonrpc::Error::content_modified());
            return;
        }
        let Running {
            urgency,
            spots,
            tries,
            ..
        } = running;
        let asked = Asked {
            id: finished.id,
            urgency,
            spots,
            job,
            tries: tries + 1,
        };
        self.questions.wait(asked, true);
    }

    /// Answers all questions that there will be no answer.
    pub(super) fn give_up_questions(&mut self) {
        for running in self.questions.running.values() {
            running.token.cancel();
        }
        let Questions { now, soon, .. } = std::mem::take(&mut self.questions);
        for mut asked in now.into_iter().chain(soon) {
            asked.job.fail(jsonrpc::Error::request_cancelled());
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
