//! How a line is edited: completion, colours, and when it is whole.

use std::borrow::Cow;

use frank_syntax::lexer::{Kind, lex};
use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::Hinter;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Context, Helper};

use super::words::{KEYWORDS, is_incomplete};

/// The commands of the loop, with what they do.
pub const COMMANDS: &[(&str, &str)] = &[
    (
        ":type TERM",
        "show a term's type and the ability that it needs",
    ),
    (
        ":info NAME",
        "show what a name stands for, and where it is defined",
    ),
    (
        ":browse [FILE]",
        "show what the loaded file defines, or one that it includes, such as `prelude`",
    ),
    (
        ":derive NAME [POINT]…",
        "evaluate an operator and its derivatives",
    ),
    (
        ":plot NAME [FROM TO]",
        "draw an operator and its derivative",
    ),
    (
        ":load [FILE]",
        "start again with the definitions of a file, or of the loaded one",
    ),
    (":reload", "read the files again"),
    (":list", "show what was defined here"),
    (
        ":edit [FILE]",
        "open a file, or the loaded one, in $VISUAL or $EDITOR, and load it",
    ),
    (":help", "show this"),
    (":quit", "leave; so does Ctrl-D"),
];

const KEYWORD: &str = "\x1b[35m";
const LITERAL: &str = "\x1b[32m";
const NUMBER: &str = "\x1b[36m";
const COMMENT: &str = "\x1b[2m";
const COMMAND: &str = "\x1b[1;34m";
const PLAIN: &str = "\x1b[0m";

/// Helps to edit a line.
pub struct LineHelper {
    /// All names that a term may use.
    pub names: Vec<String>,
    pub colored: bool,
    /// What is read is a program's input, and not Frank.
    pub reads_input: bool,
    /// Somebody types.
    interactive: bool,
    files: FilenameCompleter,
}

impl LineHelper {
    pub fn new(colored: bool, interactive: bool) -> LineHelper {
        LineHelper {
            names: Vec::new(),
            colored,
            reads_input: false,
            interactive,
            files: FilenameCompleter::new(),
        }
    }
}

impl LineHelper {
    /// Whether no more has to come.
    fn is_whole(&self, input: &str) -> bool {
        // An empty line says so, whatever is still open.
        let ended = self.interactive && input.ends_with('\n');
        self.reads_input || input.trim_start().starts_with(':') || ended || !is_incomplete(input)
    }
}

impl Helper for LineHelper {}

impl Hinter for LineHelper {
    type Hint = String;
}

impl Validator for LineHelper {
    fn validate(&self, context: &mut ValidationContext) -> rustyline::Result<ValidationResult> {
        Ok(if self.is_whole(context.input()) {
            ValidationResult::Valid(None)
        } else {
            ValidationResult::Incomplete
        })
    }
}

impl Completer for LineHelper {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        position: usize,
        context: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        if self.reads_input {
            return Ok((position, Vec::new()));
        }
        let before = line.get(..position).unwrap_or_default();
        let takes_file = [":load ", ":edit "];
        if takes_file
            .iter()
            .any(|command| before.trim_start().starts_with(command))
        {
            return self.files.complete(line, position, context);
        }
        let in_name = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
        let mut start = before.rfind(|c| !in_name(c)).map_or(0, |at| {
            at + before
                .get(at..)
                .and_then(|rest| rest.chars().next())
                .map_or(1, char::len_utf8)
        });
        if before.trim_start().starts_with(':') && !before.trim().contains(' ') {
            start = before.len() - before.trim_start().len();
        }
        let word = before.get(start..).unwrap_or_default();
        let commands = COMMANDS
            .iter()
            .filter_map(|(command, _)| command.split(' ').next());
        let known: Vec<&str> = if word.starts_with(':') {
            commands.collect()
        } else if word.is_empty() {
            Vec::new()
        } else {
            self.names
                .iter()
                .map(String::as_str)
                .chain(KEYWORDS.iter().copied())
                .collect()
        };
        let mut fitting: Vec<&str> = known
            .into_iter()
            .filter(|known| known.starts_with(word))
            .collect();
        fitting.sort_unstable();
        fitting.dedup();
        let pair = |text: &str| Pair {
            display: text.to_owned(),
            replacement: text.to_owned(),
        };
        Ok((start, fitting.into_iter().map(pair).collect()))
    }
}

impl Highlighter for LineHelper {
    fn highlight<'l>(&self, line: &'l str, _: usize) -> Cow<'l, str> {
        if self.colored && !self.reads_input {
            Cow::Owned(paint(line))
        } else {
            Cow::Borrowed(line)
        }
    }

    fn highlight_char(&self, _: &str, _: usize, _: CmdKind) -> bool {
        self.colored
    }
}

/// A line with colours.
pub fn paint(line: &str) -> String {
    let mut painted = String::with_capacity(line.len() * 2);
    let mut rest = line;
    if let Some(command) = line.trim_start().strip_prefix(':') {
        let end = command.find(' ').unwrap_or(command.len());
        let (command, behind) = line.split_at(line.len() - command.len() + end);
        painted += &format!("{COMMAND}{command}{PLAIN}");
        rest = behind;
    }
    let mut done = 0;
    for (kind, range) in lex(rest) {
        let word = rest.get(range.clone()).unwrap_or_default();
        let color = match kind {
            Kind::Keyword | Kind::BuiltinType => KEYWORD,
            Kind::Name if word == "include" => KEYWORD,
            Kind::Natural | Kind::Float => NUMBER,
            Kind::String(_) | Kind::Character(_) => LITERAL,
            Kind::LineComment | Kind::BlockComment { .. } => COMMENT,
            _ => continue,
        };
        painted += rest.get(done..range.start).unwrap_or_default();
        painted += color;
        painted += word;
        painted += PLAIN;
        done = range.end;
    }
    painted + rest.get(done..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustyline::history::DefaultHistory;

    fn completions(line: &str) -> (usize, Vec<String>) {
        let mut helper = LineHelper::new(false, true);
        helper.names = ["map", "mapM", "filter", "ma'am"]
            .map(str::to_owned)
            .to_vec();
        let history = DefaultHistory::new();
        let found = helper
            .complete(line, line.len(), &Context::new(&history))
            .expect("no I/O");
        (
            found.0,
            found.1.into_iter().map(|pair| pair.replacement).collect(),
        )
    }

    #[test]
    fn names_and_commands_are_completed() {
        assert_eq!(
            completions("filter (ma"),
            (8, ["ma'am", "map", "mapM"].map(str::to_owned).to_vec())
        );
        assert_eq!(completions("→le"), (3, vec!["let".to_owned()]));
        assert_eq!(completions(":t"), (0, vec![":type".to_owned()]));
        assert_eq!(completions(":type fil"), (6, vec!["filter".to_owned()]));
        assert_eq!(completions("x "), (2, Vec::new()));
    }

    #[test]
    fn an_empty_line_ends_what_is_open() {
        let is_whole = |input: &str| {
            let helper = LineHelper::new(false, true);
            helper.is_whole(input)
        };
        assert!(!is_whole("map {x ->"));
        assert!(!is_whole("map {x ->\n  x + (1"));
        assert!(is_whole("map {x ->\n  x}"));
        assert!(is_whole("{{{\n"));
    }

    #[test]
    fn lines_are_painted() {
        assert_eq!(
            paint("let x = 1"),
            "\x1b[35mlet\x1b[0m x = \x1b[36m1\x1b[0m"
        );
        assert_eq!(
            paint("\"a\\\n \\ -- b\" -- c"),
            "\x1b[32m\"a\\\n \\ -- b\"\x1b[0m \x1b[2m-- c\x1b[0m"
        );
        assert_eq!(paint(":type x"), "\x1b[1;34m:type\x1b[0m x");
    }
}
