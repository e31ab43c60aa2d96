//! `frank repl`: definitions and terms, one after the other.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process;

use frank_syntax::visible::visible;
use rustyline::error::ReadlineError;
use rustyline::history::DefaultHistory;
use rustyline::{CompletionType, Config, Editor};

use crate::Outcome;
use crate::args::{Color, ReplArgs};
use crate::console::Lines;
use crate::execute::{self, Interrupt, Session};
use crate::findings;
use crate::front::Streams;
use crate::gallery::Gallery;
use crate::output::{self, colored, complain, visible_path};
use crate::parallel::Progress;
use crate::repl::answerer::{Answerer, help, listed, show_defined, show_taken_back};
use crate::repl::commands::Command;
use crate::repl::definitions::Definitions;
use crate::repl::input::{Asked, Entry, entries, goes_on};
use crate::repl::line::LineHelper;

const PROMPT: &str = "frank> ";
/// The terminals that only print, by their names.
const ONLY_PRINT: &[&str] = &["dumb", "cons25", "emacs"];

/// Reads and answers until the input ends.
pub fn run(args: &ReplArgs, color: Color) -> io::Result<Outcome> {
    let definitions = match Definitions::new(args.file.as_deref(), &args.project) {
        Ok(definitions) => definitions,
        Err(message) => {
            complain(format_args!("{message}"));
            return Ok(Outcome::Unusable);
        }
    };
    let gallery = match Gallery::new(&args.pictures, color) {
        Ok(gallery) => gallery,
        Err(reason) => {
            complain(format_args!("{reason}"));
            return Ok(Outcome::Unusable);
        }
    };
    let mut answerer = Loop {
        session: Answerer {
            definitions,
            refused: String::new(),
            limits: args.limits.clone(),
            interrupt: Interrupt::listen(),
        },
        gallery,
        args,
        front: Streams(color),
    };
    let terminal = io::stdin().is_terminal();
    if terminal {
        writeln!(
            output::stdout(),
            "Frank {}; `:help` shows what can be done",
            env!("CARGO_PKG_VERSION")
        )?;
    }
    answerer.show_errors()?;
    let config = Config::builder()
        .completion_type(CompletionType::List)
        .max_history_size(10_000);
    let config = config.map_err(io::Error::other)?.build();
    let mut editor: Editor<LineHelper, DefaultHistory> =
        Editor::with_config(config).map_err(io::Error::other)?;
    editor.set_helper(Some(LineHelper::new(
        colored(color, &io::stdout()),
        terminal,
    )));
    let history = terminal.then(history_file).flatten();
    if let Some(history) = &history {
        // There is none in the beginning.
        let _ = editor.load_history(history);
    }
    // A terminal that can only print would show it to a pipe, too.
    let prompt = if terminal { PROMPT } else { "" };
    loop {
        if let Some(helper) = editor.helper_mut().filter(|_| terminal) {
            helper.names = answerer.session.definitions.names();
        }
        let line = match editor.readline(prompt) {
            Ok(line) => line,
            Err(ReadlineError::Interrupted) => continue,
            Err(ReadlineError::Eof) => break,
            // A terminal that can only print is written to first, and nobody may read there any more.
            Err(ReadlineError::Io(error)) if error.kind() == ErrorKind::BrokenPipe => break,
            // The line is gone, and what was defined stays.
            Err(ReadlineError::Io(error)) if error.kind() == ErrorKind::InvalidData => {
                complain(format_args!(
                    "standard input: a line that is not UTF-8 is passed over"
                ));
                continue;
            }
            Err(error) => return Err(io::Error::other(error)),
        };
        if line.trim().is_empty() {
            continue;
        }
        if terminal {
            // Without its history a line is still a line.
            let _ = editor.add_history_entry(&line);
        }
        let mut typed = Typed {
            editor: &mut editor,
            pasted: VecDeque::new(),
        };
        if !answerer.answer(&line, &mut typed)? {
            break;
        }
    }
    if let Some(history) = &history
        && let Err(error) = editor.save_history(history)
    {
        complain(format_args!("{}: {error}", visible_path(history)));
    }
    Ok(Outcome::Success)
}

/// Where the history is kept, in a directory that exists.
fn history_file() -> Option<PathBuf> {
    if let Some(file) = std::env::var_os("FRANK_HISTORY") {
        return Some(PathBuf::from(file)).filter(|file| !file.as_os_str().is_empty());
    }
    let set = |name: &str| {
        std::env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let state = set("XDG_STATE_HOME").or_else(|| Some(set("HOME")?.join(".local/state")))?;
    let directory = state.join("frank");
    std::fs::create_dir_all(&directory).ok()?;
    Some(directory.join("history"))
}

/// What is typed behind a term that is evaluated is its input.
struct Typed<'e> {
    editor: &'e mut Editor<LineHelper, DefaultHistory>,
    /// The lines of a paste behind the term.
    pasted: VecDeque<String>,
}

impl Lines for Typed<'_> {
    fn line(&mut self, before: &str) -> io::Result<Option<String>> {
        if let Some(line) = self.pasted.pop_front() {
            // It stands there as if it was typed.
            writeln!(output::stdout(), "{before}{}", visible(&line))?;
            return Ok(Some(line));
        }
        // A terminal that can only print has it already.
        let only_prints = std::env::var("TERM").is_ok_and(|name| ONLY_PRINT.contains(&&*name));
        let prompt = if only_prints { "" } else { before };
        let reads_input = |editor: &mut Editor<LineHelper, _>, reads: bool| {
            if let Some(helper) = editor.helper_mut() {
                helper.reads_input = reads;
            }
        };
        reads_input(self.editor, true);
        let line = self.editor.readline(prompt);
        reads_input(self.editor, false);
        match line {
            Ok(line) => Ok(Some(line)),
            Err(ReadlineError::Eof) => Ok(None),
            Err(ReadlineError::Interrupted) => Err(ErrorKind::Interrupted.into()),
            Err(ReadlineError::Io(error)) => Err(error),
            Err(error) => Err(io::Error::other(error)),
        }
    }
}

/// A file as it is written, with the home directory in place of `~`: no shell has done that here.
fn at_home(written: &str) -> PathBuf {
    let home = std::env::home_dir().filter(|home| home.is_absolute());
    match (written.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => PathBuf::from(written),
    }
}

/// What has become of a text.
enum Answered {
    All,
    Quit,
    /// What is left of it behind the lines that a term has read.
    Until(String),
}

/// The interactive loop.
struct Loop<'a> {
    session: Answerer,
    args: &'a ReplArgs,
    front: Streams,
    gallery: Gallery,
}

impl Loop<'_> {
    /// Does what a line or a paste says. Gives whether to go on.
    fn answer(&mut self, text: &str, typed: &mut Typed<'_>) -> io::Result<bool> {
        let mut left = text.to_owned();
        loop {
            match self.answer_until_read(&left, typed)? {
                Answered::All => return Ok(true),
                Answered::Quit => return Ok(false),
                Answered::Until(rest) => left = rest,
            }
        }
    }

    /// Does what a line or a paste says, up to a term that reads some of the lines behind it.
    fn answer_until_read(&mut self, text: &str, typed: &mut Typed<'_>) -> io::Result<Answered> {
        // The first line of a file that is piped in may begin with a byte order mark.
        let text = text.trim_start_matches('\u{feff}').trim_end();
        let goes_on = goes_on(text);
        if goes_on && let Some(defined) = self.session.definitions.go_on(text) {
            show_defined(&defined, &mut self.front)?;
            return Ok(Answered::All);
        }
        if goes_on && !self.session.refused.is_empty() {
            self.session.refused.push_str(&format!("  {text}\n"));
        }
        for Asked { entry, lines, .. } in entries(text) {
            if !matches!(entry, Entry::Definitions(_)) && !goes_on {
                self.session.definitions.end_definitions();
                self.session.refused.clear();
            }
            match entry {
                Entry::Definitions(text) => {
                    self.session.interrupt.forget();
                    self.session.define(&text, None, &mut self.front)?;
                }
                Entry::Term(term) => {
                    typed.pasted = text.lines().skip(lines).map(str::to_owned).collect();
                    let behind = typed.pasted.len();
                    self.evaluate(&term, typed)?;
                    let left = std::mem::take(&mut typed.pasted);
                    if left.len() < behind {
                        return Ok(Answered::Until(Vec::from(left).join("\n")));
                    }
                }
                Entry::Command(command) => {
                    let (command, rest) = command.split_once(' ').unwrap_or((&command, ""));
                    if !self.command(command, rest.trim())? {
                        return Ok(Answered::Quit);
                    }
                }
            }
        }
        Ok(Answered::All)
    }

    /// Does what a command says. Gives whether to go on.
    fn command(&mut self, word: &str, rest: &str) -> io::Result<bool> {
        let (session, front) = (&mut self.session, &mut self.front);
        let Some(command) = session.command(word, rest, front)? else {
            return Ok(true);
        };
        let file = (!rest.is_empty()).then(|| at_home(rest));
        let file = file.as_deref();
        match command {
            Command::Quit => return Ok(false),
            Command::Type => {
                session.show_type(rest, None, front)?;
            }
            Command::Info => {
                session.info(rest, front)?;
            }
            Command::Browse => {
                session.browse(rest, front)?;
            }
            Command::Derive => {
                session.derive(rest, front)?;
            }
            Command::Plot => {
                session.plot(rest, front)?;
            }
            Command::List => session.list(front)?,
            Command::Help => help(front, &[])?,
            Command::Load => self.load(file)?,
            Command::Edit => self.edit(file)?,
            Command::Reload => match session.definitions.reload() {
                Ok(taken_back) => {
                    show_taken_back(&taken_back, front)?;
                    self.show_errors()?;
                }
                Err(message) => complain(format_args!("{message}")),
            },
        }
        output::stdout().flush()?;
        Ok(true)
    }

    /// Starts again with a file, or the loaded one.
    fn load(&mut self, file: Option<&Path>) -> io::Result<()> {
        let Some(file) = file
            .or(self.session.definitions.loaded())
            .map(Path::to_owned)
        else {
            complain(format_args!("no file is loaded: `:load FILE` loads one"));
            return Ok(());
        };
        match Definitions::new(Some(&file), &self.args.project) {
            Ok(definitions) => {
                let forgotten = listed(&self.session.definitions.own_names());
                self.session.definitions = definitions;
                self.show_errors()?;
                if !forgotten.is_empty() {
                    complain(format_args!(
                        "what was defined here is forgotten: {forgotten}"
                    ));
                }
            }
            Err(message) => complain(format_args!("{message}")),
        }
        Ok(())
    }

    /// Opens a file, or the loaded one, in the user's editor, and loads it afterwards.
    fn edit(&mut self, file: Option<&Path>) -> io::Result<()> {
        let Some(file) = file
            .or(self.session.definitions.loaded())
            .map(Path::to_owned)
        else {
            complain(format_args!(
                "no file is loaded: `:edit FILE` opens one, and makes it if there is none"
            ));
            return Ok(());
        };
        let editor = ["VISUAL", "EDITOR"].into_iter().find_map(std::env::var_os);
        let Some(editor) = editor.filter(|editor| !editor.is_empty()) else {
            complain(format_args!(
                "no editor is known: set the environment variable VISUAL or EDITOR to one"
            ));
            return Ok(());
        };
        // It may be named with arguments, as in `code --wait`.
        let editor = editor.to_string_lossy();
        let mut words = editor.split_whitespace();
        let status = process::Command::new(words.next().unwrap_or_default())
            .args(words)
            .arg(&file)
            .status();
        match status {
            Ok(status) if status.success() => self.load(Some(&file)),
            Ok(status) => {
                complain(format_args!("`{}` ended with {status}", visible(&editor)));
                Ok(())
            }
            Err(error) => {
                complain(format_args!("`{}`: {error}", visible(&editor)));
                Ok(())
            }
        }
    }

    /// Shows the errors of the files, the session's own included.
    fn show_errors(&self) -> io::Result<()> {
        let project = &self.session.definitions.project;
        project.report_problems();
        let mut progress = Progress::new(true, "checking");
        let found = findings::check(project, &project.all(), &mut progress).errors();
        drop(progress);
        execute::refuse(&found, self.front.0)?;
        if let Some(file) = self
            .session
            .definitions
            .loaded()
            .filter(|_| found.findings.is_empty())
        {
            complain(format_args!("loaded {}", visible_path(file)));
        }
        Ok(())
    }

    fn evaluate(&mut self, text: &str, typed: &mut Typed<'_>) -> io::Result<()> {
        let term = self.session.term(text, None);
        let scope = self.session.definitions.scope();
        let project = &self.session.definitions.project;
        let snapshot = project.files.snapshot();
        let session = Session {
            texts: project,
            interrupt: &self.session.interrupt,
            limits: self.session.limits(),
            gallery: &self.gallery,
            granted: None,
            stats: self.args.stats,
            color: self.front.0,
        };
        session
            .run_term(&project.names, &snapshot, scope, term, Some(typed))
            .map(|_| ())
    }
}
