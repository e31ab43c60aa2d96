//! How a line is edited: completion, colours, and when it is whole.

use std::borrow::Cow;

use frank_syntax::lexer::{Kind, lex};
use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::Hinter;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Context, Helper};

use super::words::{complete, is_incomplete};

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
        let (start, fitting) = complete(before, &self.names);
        let pair = |text: &str| Pair {
            display: text.to_owned(),
            replacement: text.to_owned(),
        };
        Ok((start, fitting.iter().map(|word| pair(word)).collect()))
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
