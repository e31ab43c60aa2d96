//! What a session needs to know of programs, and who gives it.

use std::path::PathBuf;

use frank_core::{OperatorId, Program};
use frank_syntax::visible::visible;
use serde::Deserialize;
use serde_json::{Map, Value as Json};

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

/// What each attribute of a configuration has to be.
const ATTRIBUTES: [(&str, &str); 10] = [
    ("program", "the path of a file, as a text"),
    ("entry", "the name of an operator, as a text"),
    ("term", "a term, as a text"),
    ("include", "a list of directories, each as a text"),
    ("input", "what the program reads, as a text"),
    ("inputFile", "the path of a file, as a text"),
    ("stopOnEntry", "`true` or `false`"),
    ("noDebug", "`true` or `false`"),
    ("steps", "a number of rules: whole, and not below 0"),
    ("memory", "a number of bytes: whole, and not below 0"),
];

/// Values that are longer are not repeated to the user.
const SHORT: usize = 60;

impl Launch {
    /// Reads the arguments of `launch`. What it does not know, such as what clients add for themselves, is passed over.
    ///
    /// # Errors
    /// An attribute is something else than it has to be: which one, what it is, and what is expected.
    pub fn read(arguments: &Json) -> Result<Launch, String> {
        // Some clients write what they do not set as null.
        let Json::Object(given) = arguments else {
            return match arguments {
                Json::Null => Ok(Launch::default()),
                _ => Err("`launch` takes an object with attributes, such as `program`".to_owned()),
            };
        };
        let given = given.iter().filter(|(_, value)| !value.is_null());
        let given: Map<String, Json> = given
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        let is_wrong = |name: &str| {
            let value = given.get(name)?;
            let alone = Map::from_iter([(name.to_owned(), value.clone())]);
            let read: Result<Launch, _> = serde_json::from_value(Json::Object(alone));
            read.is_err().then_some(value)
        };
        for (name, expected) in ATTRIBUTES {
            if let Some(value) = is_wrong(name) {
                let written = value.to_string();
                let found = match written.chars().count() > SHORT {
                    true => String::new(),
                    false => format!(", not {}", visible(&written)),
                };
                return Err(format!(
                    "the attribute `{name}` has to be {expected}{found}"
                ));
            }
        }
        let read = serde_json::from_value(Json::Object(given));
        read.map_err(|error| format!("`launch` does not say what is to be run: {error}"))
    }

    /// What the program reads; nothing if it is typed.
    ///
    /// # Errors
    /// It is said twice, or its file cannot be read.
    pub fn text_read(&self) -> Result<Option<String>, String> {
        match (&self.input, &self.input_file) {
            (Some(_), Some(_)) => Err("`input` and `inputFile` exclude each other".to_owned()),
            (Some(text), None) => Ok(Some(text.clone())),
            (None, Some(path)) => {
                // What is no UTF-8 a program reads as U+FFFD, as with `frank run`.
                let bytes = std::fs::read(path).map_err(|error| {
                    let name = path.to_string_lossy();
                    format!("the input {} cannot be read: {error}", visible(&name))
                })?;
                Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
            }
            (None, None) => Ok(None),
        }
    }
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
