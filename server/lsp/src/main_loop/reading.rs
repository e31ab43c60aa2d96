//! What is asked of the disk and has no answer yet.
//!
//! The main loop never waits for the disk. It asks, goes on, and takes the answer as an event. An answer
//! that may be older than what was asked for meanwhile is not taken: it is asked again. For a short time,
//! requests and findings wait for answers, so that nobody is told of a file that is only not read yet.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use web_time::Instant;

use super::GlobalState;
use crate::disk::{Answer, MOST_THREADS, Question, Readers, Storage};
use crate::events::{Event, Events};

/// How long requests and findings wait for the disk.
const PATIENCE: Duration = Duration::from_millis(500);

/// The questions without an answer.
pub(super) struct Reading {
    readers: Readers,
    under_way: HashMap<Question, UnderWay>,
    /// Since when there has been a question without an answer at any time.
    since: Option<Instant>,
    /// Who waits has been told to go on without the answers.
    late: bool,
}

/// A question without an answer.
#[derive(Debug, Default)]
pub(super) struct UnderWay {
    /// It was asked again after a reader may have looked.
    again: bool,
    /// The files, by their keys, that include the one that is asked for.
    pub(super) includers: BTreeSet<Arc<str>>,
}

/// How new an answer has to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Age {
    /// An answer that is under way will do.
    Any,
    /// Something has changed, so that only a look from now on counts.
    FromNowOn,
}

impl Reading {
    pub(super) fn new(storage: Storage, events: Events) -> Reading {
        let report = move |question, answer| events.send(Event::Read(question, answer));
        Reading {
            readers: Readers::new(storage, report),
            under_way: HashMap::new(),
            since: None,
            late: false,
        }
    }

    /// Asks, for a file that includes the one in question if there is one.
    pub(super) fn ask(&mut self, question: Question, includer: Option<&Arc<str>>, age: Age) {
        let others = self.under_way.len();
        match self.under_way.get_mut(&question) {
            Some(under_way) => {
                under_way.again |= age == Age::FromNowOn;
                under_way.includers.extend(includer.cloned());
            }
            None => {
                self.since.get_or_insert_with(Instant::now);
                let under_way = UnderWay {
                    again: false,
                    includers: includer.cloned().into_iter().collect(),
                };
                self.under_way.insert(question.clone(), under_way);
                self.readers.ask(question, others);
            }
        }
    }

    /// Notes an answer. Gives what was known about the question if the answer counts; else the question
    /// is asked again.
    fn answered(&mut self, question: &Question) -> Option<UnderWay> {
        let under_way = self.under_way.get_mut(question)?;
        if std::mem::take(&mut under_way.again) {
            self.readers.ask(question.clone(), self.under_way.len());
            return None;
        }
        let under_way = self.under_way.remove(question);
        if self.under_way.is_empty() {
            (self.since, self.late) = (None, false);
        }
        under_way
    }

    /// Leaves no reader that answers, for a test.
    pub(super) fn stall(&mut self) {
        for number in 0..MOST_THREADS {
            self.ask(Question::Never(number), None, Age::Any);
        }
    }

    /// Whether answers are waited for no more.
    pub(super) fn is_late(&self) -> bool {
        self.late
    }

    /// Whether requests and findings wait.
    pub(super) fn is_awaited(&self) -> bool {
        self.awaited_until().is_some()
    }

    /// Until when requests and findings wait, if they do.
    pub(super) fn awaited_until(&self) -> Option<Instant> {
        let since = self.since.filter(|_| !self.late)?;
        Some(since + PATIENCE)
    }
}

impl GlobalState {
    /// Goes on without the answers that have not come in time, and says of the included files among
    /// them why they are not there.
    pub(super) fn stop_waiting_for_the_disk(&mut self) {
        let now = Instant::now();
        if self.reading.awaited_until().is_none_or(|until| until > now) {
            return;
        }
        self.reading.late = true;
        let mut unread = Vec::new();
        for (question, under_way) in &self.reading.under_way {
            tracing::warn!("the disk has no answer yet to {question:?}");
            if let Question::Text(key) = question
                && !under_way.includers.is_empty()
                && self.files.file(key).is_none()
            {
                unread.push(key.clone());
            }
        }
        self.say_unread(&unread);
    }

    /// Takes an answer of the disk's.
    pub(super) fn disk_answered(&mut self, question: &Question, answer: Answer) {
        let Some(under_way) = self.reading.answered(question) else {
            return;
        };
        match (question, answer) {
            (Question::Text(key), Answer::Text(text)) => self.text_read(key, text, &under_way),
            (Question::Found(_, key), Answer::Found(found)) => self.search_finds(key, found),
            (Question::Kind(key), Answer::Kind(kind)) => self.kind_found(key, kind),
            (Question::Project(dir), Answer::Project(found)) => self.project_read(dir, found),
            (Question::Settings(section, _), Answer::Settings(editor, mistakes)) => {
                self.settings_read(section, *editor, &mistakes);
            }
            // What panicked is in the log; all stays as it was.
            _ => {}
        }
    }
}
