//! Reading the disk, on threads of their own: a disk may be slow or hang, and nobody waits for it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender};
use frank_workspace::config::{self, Found};
use frank_workspace::discover::finds;
use frank_workspace::read::{ReadError, read_source};
use serde_json::Value;

use crate::held::{Held, Kind};
use crate::pool::panic_message;
use crate::search::SEARCH;
use crate::settings::{self, Editor};

/// How many threads read. One that a disk never answers is lost; that many can be.
pub const MOST_THREADS: usize = 16;

/// Something about the disk that somebody wants to know.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Question {
    /// The text of the file with this key.
    Text(String),
    /// Whether a search of a folder finds the file with this key, if it is there.
    Found(PathBuf, String),
    /// What there is at the path with this key.
    Kind(String),
    /// The `frank.toml` in a directory or around it.
    Project(PathBuf),
    /// What the editor's settings say, with paths relative to a directory.
    Settings(Value, Option<PathBuf>),
    /// What has no answer, as if the disk hung: for tests.
    Never(usize),
}

/// What the disk says.
#[derive(Debug)]
pub enum Answer {
    Text(Result<String, ReadError>),
    Found(bool),
    Kind(Kind),
    /// The file that was found; an error has its path.
    Project(Result<Box<Found>, (PathBuf, ReadError)>),
    /// The settings, and what is wrong with them.
    Settings(Box<Editor>, Vec<String>),
    /// Looking has ended in a panic.
    Panic,
}

/// Where the files are that nobody has open.
#[derive(Clone)]
pub enum Storage {
    Disk,
    /// The client sends them.
    Held(Held),
}

/// The threads that read. They end when this is dropped, or never if the disk does not answer.
pub struct Readers {
    storage: Storage,
    questions: Sender<Question>,
    incoming: Receiver<Question>,
    threads: usize,
    report: Arc<dyn Fn(Question, Answer) + Send + Sync>,
}

impl Readers {
    /// Readers that call `report` with each answer. Threads are started when there are questions.
    pub fn new(
        storage: Storage,
        report: impl Fn(Question, Answer) + Send + Sync + 'static,
    ) -> Readers {
        let (questions, incoming) = crossbeam_channel::unbounded();
        Readers {
            storage,
            questions,
            incoming,
            threads: 0,
            report: Arc::new(report),
        }
    }

    /// Has a question answered; `others` are without an answer yet.
    pub fn ask(&mut self, question: Question, others: usize) {
        if let Storage::Held(held) = &self.storage {
            let answer = look_at_held(held, &question);
            return (self.report)(question, answer);
        }
        if others >= self.threads && self.threads < MOST_THREADS {
            let (incoming, report) = (self.incoming.clone(), self.report.clone());
            let started = std::thread::Builder::new()
                .name(format!("frank-reader-{}", self.threads + 1))
                .spawn(move || {
                    while let Ok(question) = incoming.recv() {
                        let answer = look(&question);
                        report(question, answer);
                    }
                });
            match started {
                Ok(_) => self.threads += 1,
                Err(error) => tracing::error!("no thread to read with: {error}"),
            }
        }
        // The other end is in `self`.
        let _ = self.questions.send(question);
    }
}

fn look_at_held(held: &Held, question: &Question) -> Answer {
    match question {
        Question::Text(key) => Answer::Text(held.text(key)),
        Question::Found(_, key) => Answer::Found(held.kind(key) == Kind::File),
        Question::Kind(key) => Answer::Kind(held.kind(key)),
        Question::Project(dir) => Answer::Project(Ok(Box::new(held.project(dir)))),
        Question::Settings(section, dir) => settings_of(section, dir.as_deref()),
        Question::Never(_) => Answer::Panic,
    }
}

fn settings_of(section: &Value, dir: Option<&Path>) -> Answer {
    let (editor, mistakes) = settings::read(section, dir);
    Answer::Settings(Box::new(editor), mistakes)
}

fn look(question: &Question) -> Answer {
    let answer = catch_unwind(AssertUnwindSafe(|| match question {
        Question::Text(key) => Answer::Text(text(Path::new(key))),
        Question::Found(folder, key) => Answer::Found(finds(folder, Path::new(key), SEARCH)),
        Question::Kind(key) => Answer::Kind(kind(Path::new(key))),
        Question::Project(dir) => Answer::Project(config::find(dir).map(Box::new)),
        Question::Settings(section, dir) => settings_of(section, dir.as_deref()),
        Question::Never(_) => loop {
            std::thread::park();
        },
    }));
    answer.unwrap_or_else(|payload| {
        let message = panic_message(&*payload);
        tracing::error!("{question:?} panicked: {message}");
        Answer::Panic
    })
}

fn text(path: &Path) -> Result<String, ReadError> {
    // Some systems do not say of a directory that it is one when it is opened.
    read_source(path).map_err(|error| match kind(path) {
        Kind::Directory => ReadError::Directory,
        Kind::Nothing | Kind::File => error,
    })
}

fn kind(path: &Path) -> Kind {
    match path.metadata() {
        Ok(found) if found.is_dir() => Kind::Directory,
        Ok(_) => Kind::File,
        Err(_) => Kind::Nothing,
    }
}
