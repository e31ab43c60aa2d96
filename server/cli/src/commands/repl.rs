//! `frank repl`: definitions and terms, one after the other.

use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};

use frank_analysis::check::term_inference;
use frank_analysis::inferred;
use frank_syntax::visible::{visible, visible_lines};
use rustyline::error::ReadlineError;
use rustyline::history::DefaultHistory;
use rustyline::{CompletionType, Config, Editor};

use crate::Outcome;
use crate::args::{Color, ReplArgs};
use crate::execute::{self, Interrupt, Session, limits};
use crate::findings::{self, Findings};
use crate::output::{self, colored, complain, visible_path};
use crate::parallel::Progress;
use crate::repl::definitions::{Definitions, is_definition};
use crate::repl::line::{COMMANDS, LineHelper};
use crate::report::human;

const PROMPT: &str = "frank> ";

/// Reads and answers until the input ends.
pub fn run(args: &ReplArgs, color: Color) -> io::Result<Outcome> {
    let definitions = match Definitions::new(args.file.as_deref(), &args.project) {
        Ok(definitions) => definitions,
        Err(message) => {
            complain(format_args!("{message}"));
            return Ok(Outcome::Unusable);
        }
    };
    let mut answerer = Answerer {
        definitions,
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
    editor.set_helper(Some(LineHelper::new(colored(color, &io::stdout()))));
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
            Err(error) => return Err(io::Error::other(error)),
        };
        if line.trim().is_empty() {
            continue;
        }
        if terminal {
            // Without its history a line is still a line.
            let _ = editor.add_history_entry(&line);
        }
        if !answerer.answer(&line)? {
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

struct Answerer<'a> {
    definitions: Definitions,
    args: &'a ReplArgs,
    color: Color,
    interrupt: Interrupt,
}

impl Answerer<'_> {
    /// Does what a line says. Gives whether to go on.
    fn answer(&mut self, line: &str) -> io::Result<bool> {
        // The first line of a file that is piped in may begin with a byte order mark.
        let line = line.trim_start_matches('\u{feff}').trim_end();
        if let Some(command) = line.trim_start().strip_prefix(':') {
            let (command, rest) = command.split_once(' ').unwrap_or((command, ""));
            return self.command(command, rest.trim());
        }
        if is_definition(line) {
            self.define(line)?;
        } else {
            self.evaluate(line)?;
        }
        Ok(true)
    }

    fn command(&mut self, command: &str, rest: &str) -> io::Result<bool> {
        let is = |whole: &str| !command.is_empty() && whole.starts_with(command);
        if is("quit") {
            return Ok(false);
        } else if is("type") {
            self.show_type(rest)?;
        } else if is("load") {
            let file = Some(Path::new(rest)).filter(|_| !rest.is_empty());
            match Definitions::new(file, &self.args.project) {
                Ok(definitions) => {
                    self.definitions = definitions;
                    self.show_errors()?;
                }
                Err(message) => complain(format_args!("{message}")),
            }
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
            for (command, what) in COMMANDS {
                writeln!(out, "  {command:12} {what}")?;
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
        match self.definitions.define(text) {
            Ok((warnings, signatures)) => {
                for signature in signatures {
                    writeln!(output::stdout(), "{signature}")?;
                }
                let colored = colored(self.color, &io::stderr());
                human::write(&mut output::stderr(), &warnings, colored)
            }
            Err(errors) => execute::refuse(&errors, self.color),
        }
    }

    fn evaluate(&mut self, text: &str) -> io::Result<()> {
        let scope = self.definitions.scope();
        let project = &mut self.definitions.project;
        let term = project.files.term(scope, text);
        let project = &self.definitions.project;
        let snapshot = project.files.snapshot();
        let session = Session {
            project,
            interrupt: &self.interrupt,
            limits: limits(&self.args.limits, &project.config.config.limits),
            stats: self.args.stats,
            color: self.color,
        };
        session.run_term(&snapshot, scope, term).map(|_| ())
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
