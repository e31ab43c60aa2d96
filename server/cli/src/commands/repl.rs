//! `frank repl`: definitions and terms, one after the other.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use frank_analysis::check::term_inference;
use frank_analysis::diagnostics::similar_name;
use frank_analysis::inferred;
use frank_syntax::ast::Symbol;
use frank_syntax::visible::{visible, visible_lines};
use rustyline::error::ReadlineError;
use rustyline::history::DefaultHistory;
use rustyline::{CompletionType, Config, Editor};

use frank_ide::plot::PlotQuestion;

use crate::Outcome;
use crate::args::{Color, ReplArgs};
use crate::commands::{derive, plot};
use crate::console::Lines;
use crate::execute::{self, Interrupt, Session, limits};
use crate::findings::{self, Findings};
use crate::gallery::Gallery;
use crate::markdown;
use crate::output::{self, colored, complain, visible_path};
use crate::parallel::Progress;
use crate::repl::definitions::{Defined, Definitions};
use crate::repl::input::{Asked, Entry, entries, goes_on};
use crate::repl::known::{contents, info};
use crate::repl::line::{COMMANDS, LineHelper};
use crate::report::human;

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
    let mut answerer = Answerer {
        definitions,
        gallery,
        refused: String::new(),
        args,
        color,
        interrupt: Interrupt::listen(),
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
            helper.names = answerer.definitions.names();
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

struct Answerer<'a> {
    definitions: Definitions,
    /// Definitions that were refused since something else was last asked for: what comes behind them may be what
    /// they lack, when a file is pasted or piped in.
    refused: String,
    args: &'a ReplArgs,
    gallery: Gallery,
    color: Color,
    interrupt: Interrupt,
}

impl Answerer<'_> {
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
        if goes_on && let Some(defined) = self.definitions.go_on(text) {
            self.show_defined(&defined)?;
            return Ok(Answered::All);
        }
        if goes_on && !self.refused.is_empty() {
            self.refused.push_str(&format!("  {text}\n"));
        }
        for Asked { entry, lines } in entries(text) {
            if !matches!(entry, Entry::Definitions(_)) && !goes_on {
                self.definitions.end_definitions();
                self.refused.clear();
            }
            match entry {
                Entry::Definitions(text) => self.define(&text)?,
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

    fn command(&mut self, command: &str, rest: &str) -> io::Result<bool> {
        let is = |whole: &str| !command.is_empty() && whole.starts_with(command);
        // `:l` loads.
        let takes_nothing = ["quit", "reload", "list", "help"];
        if let Some(whole) = takes_nothing.into_iter().find(|whole| is(whole))
            && !is("load")
            && !rest.is_empty()
        {
            complain(format_args!(
                "`:{whole}` takes nothing, and `{}` stands behind it",
                visible(rest)
            ));
            return Ok(true);
        }
        let file = (!rest.is_empty()).then(|| at_home(rest));
        let file = file.as_deref();
        if is("quit") {
            return Ok(false);
        } else if is("type") {
            self.show_type(rest)?;
        } else if is("info") {
            self.show_info(rest)?;
        } else if is("browse") {
            self.browse(rest)?;
        } else if is("derive") {
            self.derive(rest)?;
        } else if is("plot") {
            self.plot(rest)?;
        } else if is("load") {
            self.load(file)?;
        } else if is("edit") {
            self.edit(file)?;
        } else if is("reload") {
            match self.definitions.reload() {
                Ok(()) => self.show_errors()?,
                Err(message) => complain(format_args!("{message}")),
            }
        } else if is("list") {
            let text = self.definitions.own_text();
            output::stdout().write_all(visible_lines(&text).as_bytes())?;
        } else if is("help") {
            let mut out = output::stdout();
            writeln!(
                out,
                "Type a term to evaluate it, or a definition to keep it. Commands can be shortened:"
            )?;
            let width = COMMANDS.iter().map(|(command, _)| command.chars().count());
            let width = width.max().unwrap_or(0);
            for (command, what) in COMMANDS {
                writeln!(out, "  {command:width$} {what}")?;
            }
        } else {
            complain(format_args!(
                "there is no command `:{}`; `:help` shows all",
                visible(command)
            ));
        }
        output::stdout().flush()?;
        Ok(true)
    }

    /// Starts again with a file, or the loaded one.
    fn load(&mut self, file: Option<&Path>) -> io::Result<()> {
        let Some(file) = file.or(self.definitions.loaded()).map(Path::to_owned) else {
            complain(format_args!("no file is loaded: `:load FILE` loads one"));
            return Ok(());
        };
        match Definitions::new(Some(&file), &self.args.project) {
            Ok(definitions) => {
                let forgotten = listed(&self.definitions.own_names());
                self.definitions = definitions;
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
        let Some(file) = file.or(self.definitions.loaded()).map(Path::to_owned) else {
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
        let status = Command::new(words.next().unwrap_or_default())
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

    fn show_info(&self, name: &str) -> io::Result<()> {
        if name.is_empty() {
            complain(format_args!("`:info` takes a name"));
            return Ok(());
        }
        match info(&self.definitions, name) {
            Some(text) => {
                let colored = colored(self.color, &io::stdout());
                let text = markdown::render(&visible_lines(&text), output::width(), colored);
                write!(output::stdout(), "{text}")
            }
            None => {
                let names = self.definitions.names();
                let similar = similar_name(name, names.iter().map(String::as_str));
                let hint = similar.map(|name| format!("; did you mean `{name}`?"));
                complain(format_args!(
                    "there is no definition `{}` in sight{}",
                    visible(name),
                    hint.unwrap_or_default()
                ));
                Ok(())
            }
        }
    }

    fn browse(&self, name: &str) -> io::Result<()> {
        let Some(file) = self.definitions.included(name) else {
            complain(format_args!(
                "no file `{}` is included; `:browse` alone shows the loaded one",
                visible(name)
            ));
            return Ok(());
        };
        for line in contents(&self.definitions, file) {
            writeln!(output::stdout(), "{}", visible(&line))?;
        }
        Ok(())
    }

    fn derive(&self, words: &str) -> io::Result<()> {
        if words.is_empty() {
            complain(format_args!(
                "`:derive` takes the name of an operator, and a point"
            ));
            return Ok(());
        }
        let (name, point) = words.split_once(' ').unwrap_or((words, ""));
        let point = Some(point.trim().to_owned()).filter(|point| !point.is_empty());
        let at: Vec<String> = point.into_iter().collect();
        let asked = derive::Asked {
            name,
            at: &at,
            second: false,
            check: false,
            json: false,
        };
        let project = &self.definitions.project;
        let limits = limits(&self.args.limits, &project.config.config.limits);
        let scope = self.definitions.scope();
        match derive::show(project, scope, &asked, &limits, &self.interrupt)? {
            Ok(_) => {}
            Err(refusal) => complain(format_args!("{refusal}")),
        }
        Ok(())
    }

    fn plot(&self, words: &str) -> io::Result<()> {
        let words: Vec<&str> = words.split_whitespace().collect();
        let number = |text: &str| text.parse::<f64>().ok();
        let (name, from, to) = match words[..] {
            [name] => (name, None, None),
            [name, from, to] if number(from).is_some() && number(to).is_some() => {
                (name, number(from), number(to))
            }
            _ => {
                complain(format_args!(
                    "`:plot` takes the name of an operator, and the first and the last value of its variable"
                ));
                return Ok(());
            }
        };
        let question = PlotQuestion {
            from,
            to,
            order: 1,
            ..PlotQuestion::default()
        };
        let project = &self.definitions.project;
        let limits = limits(&self.args.limits, &project.config.config.limits);
        let scope = self.definitions.scope();
        let asked = (name, &[][..], question);
        let found = plot::find(project, scope, asked, &limits, &self.interrupt);
        let drawn = found.and_then(|found| {
            plot::for_terminal(&found, self.color).map_err(plot::Trouble::Refused)
        });
        match drawn {
            Ok(picture) => output::stdout().write_all(&picture)?,
            Err(plot::Trouble::Refused(reason)) => complain(format_args!("{reason}")),
            Err(plot::Trouble::Failed(reason)) => complain(format_args!("error: {reason}")),
            Err(plot::Trouble::Interrupted) => {}
        }
        Ok(())
    }

    /// Shows the errors of the files, the session's own included.
    fn show_errors(&self) -> io::Result<()> {
        let project = &self.definitions.project;
        project.report_problems();
        let mut progress = Progress::new(true, "checking");
        let found = findings::check(project, &project.all(), &mut progress).errors();
        drop(progress);
        execute::refuse(&found, self.color)?;
        if let Some(file) = self
            .definitions
            .loaded()
            .filter(|_| found.findings.is_empty())
        {
            complain(format_args!("loaded {}", visible_path(file)));
        }
        Ok(())
    }

    fn define(&mut self, text: &str) -> io::Result<()> {
        if !self.refused.is_empty() {
            let together = format!("{}{text}\n", self.refused);
            if let Ok(defined) = self.definitions.define(&together) {
                self.refused.clear();
                return self.show_defined(&defined);
            }
        }
        match self.definitions.define(text) {
            Ok(defined) => self.show_defined(&defined),
            Err(errors) => {
                self.refused.push_str(&format!("{text}\n"));
                execute::refuse(&errors, self.color)
            }
        }
    }

    fn show_defined(&self, defined: &Defined) -> io::Result<()> {
        for signature in &defined.signatures {
            writeln!(output::stdout(), "{signature}")?;
        }
        if !defined.replaced.is_empty() {
            complain(format_args!(
                "until `:load`, this takes the place of what the files call {}",
                listed(&defined.replaced)
            ));
        }
        let colored = colored(self.color, &io::stderr());
        human::write(&mut output::stderr(), &defined.warnings, colored)
    }

    fn evaluate(&mut self, text: &str, typed: &mut Typed<'_>) -> io::Result<()> {
        let scope = self.definitions.scope();
        let project = &mut self.definitions.project;
        let term = project.files.term(scope, text);
        let project = &self.definitions.project;
        let snapshot = project.files.snapshot();
        let session = Session {
            texts: project,
            interrupt: &self.interrupt,
            limits: limits(&self.args.limits, &project.config.config.limits),
            gallery: &self.gallery,
            stats: self.args.stats,
            color: self.color,
        };
        session
            .run_term(&project.names, &snapshot, scope, term, Some(typed))
            .map(|_| ())
    }

    fn show_type(&mut self, text: &str) -> io::Result<()> {
        let scope = self.definitions.scope();
        let term = self.definitions.project.files.term(scope, text);
        let project = &self.definitions.project;
        let snapshot = project.files.snapshot();
        let errors = execute::term_errors(&snapshot, scope, term);
        if !errors.is_empty() {
            let found = Findings::of(&snapshot, &project.names, errors);
            return execute::refuse(&found, self.color);
        }
        let inference = term_inference(snapshot.db(), scope, term);
        let Some(ty) = inferred::shown(snapshot.db(), scope, inference) else {
            complain(format_args!("the type cannot be shown"));
            return Ok(());
        };
        // That a term needs no ability goes without saying.
        let ty = ty.strip_prefix("[]").unwrap_or(&ty);
        writeln!(output::stdout(), "{} : {ty}", visible_lines(text))
    }
}

/// Names as a list: `` `f`, `g` ``.
fn listed(names: &[Symbol]) -> String {
    let names = names.iter().map(|name| format!("`{name}`"));
    names.collect::<Vec<_>>().join(", ")
}
