//! The program that a call is about: a file, or a text that is given in its place.

use crate::arguments::Arguments;
use crate::child::Input;
use crate::place::Root;

/// What stands for standard input among a command's arguments.
const STDIN: &str = "-";

/// The program of a call, as a process gets it.
#[derive(Debug)]
pub struct Source {
    /// What names it among the arguments.
    pub word: String,
    /// What the process reads.
    pub input: Input,
    pub is_directory: bool,
}

impl Source {
    /// The program that the arguments `path` and `text` give; `None` if there is neither.
    pub fn of(arguments: &mut Arguments, root: &Root) -> Result<Option<Source>, String> {
        let (path, text) = (arguments.word("path")?, arguments.text("text")?);
        match (path, text) {
            (Some(_), Some(_)) => Err("give `path` or `text`, not both of them".to_owned()),
            (None, None) => Ok(None),
            (Some(path), None) => root.find(&path).map(|place| {
                Some(Source {
                    word: place.word,
                    input: Input::Nothing,
                    is_directory: place.is_directory,
                })
            }),
            (None, Some(text)) => Ok(Some(Source {
                word: STDIN.to_owned(),
                input: Input::Text(text),
                is_directory: false,
            })),
        }
    }

    /// The same, and there has to be one, which may be a directory.
    pub fn of_some(arguments: &mut Arguments, root: &Root) -> Result<Source, String> {
        let source = Source::of(arguments, root)?;
        source.ok_or_else(|| {
            "give `path`, a file or a directory (`.` is all of it), or `text`, a program".to_owned()
        })
    }

    /// The same; all that is served if there is neither.
    pub fn of_all(arguments: &mut Arguments, root: &Root) -> Result<Source, String> {
        let all = || Source {
            word: ".".to_owned(),
            input: Input::Nothing,
            is_directory: true,
        };
        Ok(Source::of(arguments, root)?.unwrap_or_else(all))
    }

    /// The same, and there has to be one, which is no directory.
    pub fn of_file(arguments: &mut Arguments, root: &Root) -> Result<Source, String> {
        match Source::of(arguments, root)? {
            None => Err("give `path`, a file, or `text`, a program".to_owned()),
            Some(source) if source.is_directory => {
                Err("`path` is a directory: name a file in it".to_owned())
            }
            Some(source) => Ok(source),
        }
    }

    /// Whether the program is a file or a directory.
    pub fn is_on_disk(&self) -> bool {
        self.word != STDIN
    }

    /// Has the program read what the argument `input` gives. Gives whether there is something to read.
    pub fn read_input(&mut self, arguments: &mut Arguments) -> Result<bool, String> {
        let Some(input) = arguments.text("input")? else {
            return Ok(false);
        };
        if !self.is_on_disk() {
            return Err(
                "`input` needs a `path`: a program that is given as `text` can read nothing"
                    .to_owned(),
            );
        }
        self.input = Input::Text(input);
        Ok(true)
    }
}
