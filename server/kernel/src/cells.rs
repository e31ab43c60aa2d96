//! What a kernel has to know of a language, and how that shows something.

use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use jupyter_protocol::{
    DisplayData, ExecuteResult, ExecutionCount, InputRequest, JupyterMessage,
    JupyterMessageContent, Media, MediaType, StreamContent, Transient,
};
use tokio::sync::mpsc::Sender;

/// How often somebody who waits for an input looks whether to go on waiting.
const TICK: Duration = Duration::from_millis(30);

/// What becomes of cells. Texts are as they were typed; places in them are counted in bytes.
pub trait Cells {
    /// Runs a cell. Gives why it did not come to its end.
    fn execute(&mut self, code: &str, shown: &Shown) -> Result<(), Failure>;
    /// The value of a term that is asked for beside a cell, when that has run.
    fn evaluate(&mut self, term: &str, shown: &Shown) -> Result<String, Failure>;
    /// What can stand at a place.
    fn complete(&mut self, code: &str, at: usize) -> Completions;
    /// What is known of the name at a place, in Markdown, and the same in letters.
    fn inspect(&mut self, code: &str, at: usize) -> Option<(String, String)>;
    /// Whether more has to come.
    fn is_whole(&self, code: &str) -> Whole;
}

/// Why a cell did not come to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Its kind, a word.
    pub name: String,
    /// A sentence.
    pub message: String,
    /// All that is to be said, line by line; escape sequences for colours are shown as such.
    pub lines: Vec<String>,
}

/// What can stand at a place: words in place of what is there.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Completions {
    pub replaced: Range<usize>,
    pub words: Vec<String>,
}

/// Whether a text is whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whole {
    Yes,
    /// More has to come, in a line that begins with these blanks.
    No(&'static str),
}

/// Shows what a cell gives, while it runs.
#[derive(Clone)]
pub struct Shown {
    pub(crate) parent: Arc<JupyterMessage>,
    pub(crate) count: ExecutionCount,
    /// Nothing is shown.
    pub(crate) silent: bool,
    /// The cell has its number for itself.
    pub(crate) numbered: bool,
    pub(crate) published: Sender<JupyterMessage>,
    pub(crate) input: Option<Arc<Input>>,
}

/// How a cell reads.
pub(crate) struct Input {
    pub asked: Sender<JupyterMessage>,
    pub answers: std::sync::Mutex<Receiver<String>>,
    pub interrupted: Arc<AtomicBool>,
}

impl Shown {
    /// The name of the cell in messages.
    pub fn name(&self) -> String {
        match self.numbered {
            true => format!("<cell {}>", self.count.value()),
            false => "<cell>".to_owned(),
        }
    }

    /// What a program prints.
    pub fn printed(&self, text: &str) {
        if text.is_empty() {
            return;
        }
        self.publish(StreamContent::stdout(text));
    }

    /// What is said beside the results.
    pub fn noted(&self, text: &str) {
        self.publish(StreamContent::stderr(text));
    }

    /// A value.
    pub fn value(&self, text: &str) {
        self.publish(ExecuteResult {
            execution_count: self.count,
            data: Media::new(vec![MediaType::Plain(text.to_owned())]),
            metadata: serde_json::Map::new(),
            // The protocol knows an object here, and no `null`.
            transient: Some(Transient::default()),
        });
    }

    /// A text in Markdown, with the same for those that show letters alone.
    pub fn page(&self, markdown: &str, plain: &str) {
        self.publish(DisplayData::new(both(markdown, plain)));
    }

    /// A picture, with something for those that show letters alone.
    pub fn picture(&self, svg: &str, plain: &str) {
        let media = vec![
            MediaType::Svg(svg.to_owned()),
            MediaType::Plain(plain.to_owned()),
        ];
        self.publish(DisplayData::new(Media::new(media)));
    }

    /// Asks for a line. `None` if there is none: not every client gives some.
    ///
    /// # Errors
    /// [`io::ErrorKind::Interrupted`] if the cell is to end, [`io::ErrorKind::TimedOut`] if nothing came in time.
    pub fn line(&self, until: Option<Instant>) -> io::Result<Option<String>> {
        let Some(input) = &self.input else {
            return Ok(None);
        };
        let Ok(answers) = input.answers.lock() else {
            return Ok(None);
        };
        // What was answered to a cell that ended meanwhile is no answer to this one.
        while answers.try_recv().is_ok() {}
        let request = InputRequest {
            // What stands before the answer was printed.
            prompt: String::new(),
            password: false,
        };
        if input
            .asked
            .blocking_send(request.as_child_of(&self.parent))
            .is_err()
        {
            return Ok(None);
        }
        loop {
            match answers.recv_timeout(TICK) {
                Ok(line) => return Ok(Some(line)),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) if input.interrupted.load(Ordering::Relaxed) => {
                    return Err(io::ErrorKind::Interrupted.into());
                }
                Err(RecvTimeoutError::Timeout)
                    if until.is_some_and(|until| Instant::now() >= until) =>
                {
                    return Err(io::ErrorKind::TimedOut.into());
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    fn publish(&self, content: impl Into<JupyterMessageContent>) {
        if !self.silent {
            let message = JupyterMessage::new(content, Some(&*self.parent));
            // Whoever would see it is gone.
            let _ = self.published.blocking_send(message);
        }
    }
}

/// The same in Markdown and in letters.
pub(crate) fn both(markdown: &str, plain: &str) -> Media {
    Media::new(vec![
        MediaType::Markdown(markdown.to_owned()),
        MediaType::Plain(plain.to_owned()),
    ])
}
