//! What a session needs to know of programs, and who gives it.

use std::path::PathBuf;

use frank_core::{OperatorId, Program};
use serde::Deserialize;

/// What is to be run, as `launch.json` says it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Launch {
    /// The file.
    pub program: PathBuf,
    /// The operator without arguments that is run; `main` if there is neither this nor a term.
    pub entry: Option<String>,
    /// A term in the scope of the file, to be evaluated instead of an operator.
    pub term: Option<String>,
    /// Directories in which `include` looks for files, too.
    pub include: Vec<PathBuf>,
    /// What the program reads.
    pub input: Option<String>,
    /// A file that it reads.
    pub input_file: Option<PathBuf>,
    /// Stop before the first rule.
    pub stop_on_entry: bool,
    /// Run without stops.
    pub no_debug: bool,
    /// The most rules that are applied.
    pub steps: Option<u64>,
    /// The most memory, with the history, in bytes.
    pub memory: Option<usize>,
}

/// A program that was checked.
pub struct Loaded {
    /// Its first entry is what is run.
    pub program: Program,
    /// A source for each file of the program, in order.
    pub sources: Vec<Source>,
    /// What the program needs and nobody answers, or anything else worth a line.
    pub warnings: Vec<String>,
}

/// A text of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    pub name: String,
    /// Where it is on the disk; the library's texts are nowhere.
    pub path: Option<PathBuf>,
    pub text: String,
}

/// Gives programs to a session.
pub trait Programs {
    /// The program that is to be run.
    ///
    /// # Errors
    /// It cannot be read, has errors, or has no such entry: a text of a few lines for the user.
    fn load(&mut self, launch: &Launch) -> Result<Loaded, String>;

    /// The same program with a term in the scope of its file as its second entry. Everything that the program had
    /// keeps its number.
    ///
    /// # Errors
    /// The term has errors: what is wrong with it, in a line.
    fn extended(&mut self, term: &str) -> Result<Program, String>;

    /// The types of the locals of an operator, by their numbers; `None` means those of the first entry.
    fn types(&mut self, operator: Option<OperatorId>) -> Vec<String>;
}
