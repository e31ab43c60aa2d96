//! What surrounds a run: who answers the console, how much a run may use, what it used.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use frank_core::Outside;

use crate::picture::Picture;

/// Answers the commands of `Console` and of `Picture`, and those of the libraries for files, arguments and clocks. It is
/// the only way out of a program: the interpreter itself knows no files, no network, no clock and no terminal.
pub trait Host {
    /// The next character of the input. May wait for it.
    fn inch(&mut self) -> Input;

    /// Prints a character. The error is the run's last message.
    fn ouch(&mut self, c: char) -> Result<(), String>;

    /// Prints an integer in decimal.
    fn ouint(&mut self, i: i64) -> Result<(), String> {
        i.to_string().chars().try_for_each(|c| self.ouch(c))
    }

    /// Shows a picture, or leaves it. The error is the run's last message.
    fn picture(&mut self, picture: Picture) -> Result<(), String>;

    /// Answers what a program asks of files, of whoever started it, and of clocks. A text may have `most` bytes. Who does
    /// not say otherwise grants nothing.
    ///
    /// # Errors
    /// The run's last message, for what is not granted or cannot be done.
    fn answer(&mut self, request: &Request, most: usize) -> Result<Reply, String> {
        let _ = most;
        Err(request.asked.not_granted())
    }
}

/// Answers what a program asks of its surroundings, for hosts that leave that to others. Runs share one.
pub trait Answers: std::fmt::Debug + Send + Sync {
    /// Answers a request. A text may have `most` bytes.
    ///
    /// # Errors
    /// A sentence about what is not granted, or cannot be done.
    fn answer(&self, request: &Request, most: usize) -> Result<Reply, String>;
}

/// What a program asks of its surroundings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    pub asked: Outside,
    /// What the command was given: a path, and a text to write. Empty where it takes less.
    pub path: String,
    pub text: String,
}

/// What the surroundings answer. It has to be what the command gives.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    Unit,
    Truth(bool),
    Number(f64),
    Text(String),
    Texts(Vec<String>),
    /// A text that is longer than it may be.
    TooLong,
}

/// What [`Host::inch`] found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    Char(char),
    /// There is no more input.
    End,
    /// The user gave up waiting.
    Cancelled,
    /// It cannot be read: the run's last message.
    Failed(String),
}

/// A host with the input given beforehand that collects the output and the pictures.
#[derive(Debug, Clone, Default)]
pub struct Script {
    input: std::collections::VecDeque<char>,
    /// What was printed so far.
    pub output: String,
    /// What was drawn so far, each with the length of the output before it.
    pub pictures: Vec<(usize, Picture)>,
}

impl Script {
    /// A host whose input is a text.
    pub fn new(input: &str) -> Script {
        Script {
            input: input.chars().collect(),
            ..Script::default()
        }
    }
}

impl Host for Script {
    fn inch(&mut self) -> Input {
        self.input.pop_front().map_or(Input::End, Input::Char)
    }

    fn ouch(&mut self, c: char) -> Result<(), String> {
        self.output.push(c);
        Ok(())
    }

    fn picture(&mut self, picture: Picture) -> Result<(), String> {
        self.pictures.push((self.output.len(), picture));
        Ok(())
    }
}

/// How much a run may use. Each limit ends a run within a tenth of a second of being reached.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Calls, commands and resumptions.
    pub steps: Option<u64>,
    pub time: Option<Duration>,
    /// Bytes of heap and stack together.
    pub memory: usize,
    /// Bytes of output, in UTF-8.
    pub output: Option<u64>,
    /// Set by someone else to end the run.
    pub cancelled: Option<Arc<AtomicBool>>,
}

impl Default for Limits {
    /// Two GiB of memory and nothing else.
    fn default() -> Limits {
        Limits {
            steps: None,
            time: None,
            memory: 2 << 30,
            output: None,
            cancelled: None,
        }
    }
}

/// What a run used so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stats {
    /// Calls, commands and resumptions.
    pub steps: u64,
    /// How often a continuation was captured. Clauses that resume in place capture nothing.
    pub captures: u64,
    /// The most cells made by `new` that were live at a time.
    pub peak_cells: u64,
    /// The most objects that were live at a time: cells, constructors, thunks, frames of the
    /// stack, continuations.
    pub peak_objects: u64,
    /// Bytes that heap and stack took from the system at most.
    pub peak_bytes: u64,
    /// Wall time in milliseconds.
    pub millis: u64,
}
