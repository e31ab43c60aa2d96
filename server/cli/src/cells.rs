//! The cells of a notebook: as what is typed into `frank repl`, but that values, pictures and errors are a page's.

use std::cell;
use std::fmt;
use std::io::{self, Write};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use frank_analysis::check::term_inference;
use frank_analysis::interrupt::{Interrupted, until};
use frank_ide::plot::Plot;
use frank_interpreter::picture::MOST_OF_CELL;
use frank_interpreter::{Limits, RunErrorKind};
use frank_kernel::{Cells, Completions, Failure, Shown, Whole};
use frank_syntax::lexer::{Kind, lex};
use frank_syntax::visible::visible_lines;

use crate::console::{Lines, Terminal};
use crate::drawn;
use crate::execute::{self, Sources, Unprepared, prepare_term};
use crate::findings::Findings;
use crate::front::Front;
use crate::gallery::{self, Gallery};
use crate::markdown;
use crate::origins::{Cell, InCell};
use crate::output;
use crate::repl::answerer::{Answerer, help, show_taken_back};
use crate::repl::commands::Command;
use crate::repl::input::{Asked, Entry, aligned_lines, entries};
use crate::repl::known;
use crate::repl::words::{complete, in_name, is_incomplete};
use crate::report::human;

/// Letters a line, where a page shows letters alone.
const WIDTH: usize = 80;
/// A longer value is shown in part, so that a page stays one that can be opened.
const LONGEST_SHOWN: usize = 1 << 20;
/// What only makes sense in a terminal.
const OF_TERMINALS: &[Command] = &[Command::Load, Command::Edit, Command::Quit];

/// A notebook: the definitions of the cells that have run.
pub struct Notebook {
    session: Answerer,
    /// What is wrong with the settings, until somebody was told.
    untold: Vec<String>,
    /// So many bytes more the pictures of the cell may have.
    room: Rc<cell::Cell<usize>>,
    /// So many were not shown since somebody was told.
    too_many: Rc<cell::Cell<usize>>,
}

impl Cells for Notebook {
    fn execute(&mut self, code: &str, shown: &Shown) -> Result<(), Failure> {
        for sentence in self.untold.drain(..) {
            shown.noted(&format!("{sentence}\n"));
        }
        self.session.definitions.end_definitions();
        self.room.set(MOST_OF_CELL);
        self.session.refused.clear();
        let cell = Arc::new(Cell::new(shown.name(), code, aligned_lines(code)));
        for Asked { entry, at, .. } in entries(code) {
            if self.session.interrupt.is_set() {
                return Err(interrupted());
            }
            let mut page = Page::new(shown);
            let cell = cell.clone();
            let origin = InCell { cell, at };
            let done = match entry {
                Entry::Definitions(text) => self.session.define(&text, Some(origin), &mut page),
                Entry::Term(term) => {
                    shown.value(&self.value(&term, origin, shown)?);
                    continue;
                }
                Entry::Command(command) => self.command(&command, &origin, &mut page),
            };
            match done {
                Ok(true) => page.note(),
                Ok(false) if self.session.interrupt.is_set() => return Err(interrupted()),
                Ok(false) => return Err(page.failure()),
                // A page takes everything.
                Err(error) => return Err(failure("Error", &error.to_string(), String::new())),
            }
        }
        Ok(())
    }

    fn evaluate(&mut self, term: &str, shown: &Shown) -> Result<String, Failure> {
        let name = "<expression>".to_owned();
        let cell = Arc::new(Cell::new(name, term, aligned_lines(term)));
        let mut asked = entries(term).into_iter();
        match (asked.next(), asked.next()) {
            (
                Some(Asked {
                    entry: Entry::Term(term),
                    at,
                    ..
                }),
                None,
            ) => self.value(&term, InCell { cell, at }, shown),
            _ => Err(failure(
                "Refused",
                "a user expression is one term; this is none, or there is more: ask for each term under a name of its own",
                String::new(),
            )),
        }
    }

    fn complete(&mut self, code: &str, at: usize) -> Completions {
        let before = code.get(..at).unwrap_or_default();
        let (start, mut words) = complete(before, &self.session.definitions.names());
        let of_terminals = |word: &str| {
            let command = word.strip_prefix(':').and_then(Command::of);
            command.is_some_and(|command| OF_TERMINALS.contains(&command))
        };
        words.retain(|word| !of_terminals(word));
        // The rest of the word goes, too.
        let behind = code.get(at..).unwrap_or_default();
        let rest = behind.trim_start_matches(in_name);
        Completions {
            replaced: start..code.len() - rest.len(),
            words,
        }
    }

    fn inspect(&mut self, code: &str, at: usize) -> Option<(String, String)> {
        let mut tokens = lex(code);
        let (_, name) = tokens
            .find(|(kind, range)| *kind == Kind::Name && range.start <= at && at <= range.end)?;
        let text = known::info(&self.session.definitions, code.get(name)?)?;
        let plain = in_letters(&text);
        Some((text, plain))
    }

    fn is_whole(&self, code: &str) -> Whole {
        match is_incomplete(code) {
            true => Whole::No("  "),
            false => Whole::Yes,
        }
    }
}

impl Notebook {
    pub fn new(session: Answerer) -> Notebook {
        let project = &session.definitions.project;
        let untold = project.problems.iter();
        let untold = untold.map(|problem| problem.text(&project.names)).collect();
        Notebook {
            session,
            untold,
            room: Rc::default(),
            too_many: Rc::default(),
        }
    }

    /// What shows a program's pictures, as long as there is room for them.
    fn drawing_on(&self, page: Shown) -> gallery::Page {
        let (room, too_many) = (self.room.clone(), self.too_many.clone());
        Box::new(
            move |svg, letters| match room.get().checked_sub(svg.len()) {
                Some(left) => {
                    room.set(left);
                    page.picture(svg, letters);
                }
                None => too_many.set(too_many.get() + 1),
            },
        )
    }

    /// Does what a command says, which begins at an origin. Gives whether that could be done.
    fn command(&mut self, command: &str, origin: &InCell, page: &mut Page<'_>) -> io::Result<bool> {
        let (word, behind) = command.split_once(' ').unwrap_or((command, ""));
        let rest = behind.trim();
        let origin = origin.behind(command.len() - behind.trim_start().len());
        let session = &mut self.session;
        let Some(command) = session.command(word, rest, page)? else {
            return Ok(false);
        };
        match command {
            Command::Type => session.show_type(rest, Some(origin), page),
            Command::Info => session.info(rest, page),
            Command::Browse => session.browse(rest, page),
            Command::Derive => session.derive(rest, page),
            Command::Plot => session.plot(rest, page),
            Command::List => session.list(page).map(|()| true),
            Command::Help => help(page, OF_TERMINALS).map(|()| true),
            Command::Reload => match session.definitions.reload() {
                Ok(taken_back) => {
                    show_taken_back(&taken_back, page)?;
                    let project = &session.definitions.project;
                    for problem in &project.problems {
                        page.complain(format_args!("{}", problem.text(&project.names)))?;
                    }
                    let wrong = execute::errors(project).at_origins(&project.origins);
                    page.findings(&wrong)?;
                    Ok(wrong.findings.is_empty() && project.problems.is_empty())
                }
                Err(message) => page.complain(format_args!("{message}")).map(|()| false),
            },
            Command::Load | Command::Edit | Command::Quit => {
                page.complain(format_args!(
                    "`:{}` is for the terminal; a cell takes a file's definitions by `include NAME`",
                    command.name()
                ))?;
                Ok(false)
            }
        }
    }

    /// The value of a term that begins at an origin. What it prints is shown.
    fn value(&mut self, text: &str, origin: InCell, shown: &Shown) -> Result<String, Failure> {
        let limits = self.session.limits();
        let term = self.session.term(text, Some(origin));
        let scope = self.session.definitions.scope();
        let project = &self.session.definitions.project;
        let snapshot = project.files.snapshot();
        let flag = self.session.interrupt.flag();
        let prepared = until(&flag, || {
            prepare_term(&project.names, &snapshot, scope, term)
        });
        let prepared = match prepared {
            Err(Interrupted) => return Err(interrupted()),
            Ok(Ok(prepared)) => prepared,
            Ok(Err(Unprepared::Wrong(found))) => {
                return Err(of_findings(&found.at_origins(&project.origins)));
            }
            Ok(Err(Unprepared::Refused(message))) => {
                // What is wrong with what it uses was told once, perhaps many cells ago.
                let wrong = execute::errors(project).at_origins(&project.origins);
                let wrong = of_findings(&wrong).lines.join("\n");
                return Err(failure("Refused", &message, format!("{message}\n{wrong}")));
            }
        };
        let inference = term_inference(snapshot.db(), scope, term);
        if let Some(warning) = execute::unhandled(&snapshot, "the term", inference) {
            shown.noted(&format!("{warning}\n"));
        }
        let until = limits.time.map(|time| Instant::now() + time);
        let mut typed = Typed { shown, until };
        let printed = Box::new(Printed(shown.clone()));
        let gallery = Gallery::on_page(self.drawing_on(shown.clone()));
        let mut console =
            Terminal::on_page(&gallery, printed, flag.clone(), limits.time, &mut typed);
        let limits = Limits {
            cancelled: Some(flag),
            ..limits
        };
        let longest = execute::longest_value(&limits).min(LONGEST_SHOWN);
        let ended = execute::run_on(&mut console, &prepared, 0, limits, longest);
        // The page takes everything.
        let _ = console.output.flush();
        if let Some(sentence) = gallery.not_shown() {
            shown.noted(&format!("{sentence}\n"));
        }
        let too_many = self.too_many.take();
        if too_many > 0 {
            shown.noted(&format!(
                "{} not shown: a cell's have {} together at most\n",
                output::count(too_many, "picture"),
                output::bytes(MOST_OF_CELL as u64)
            ));
        }
        match ended.value {
            Ok(value) => {
                // No whole value ends so.
                if value.ends_with('…') {
                    shown.noted(&format!(
                        "the value is longer than {}, and the rest is not shown: ask for a part of it\n",
                        output::bytes(longest as u64)
                    ));
                }
                Ok(value)
            }
            Err(error) => {
                let mut sources = Sources {
                    texts: project,
                    term: Some(text),
                    sources: Vec::new(),
                };
                let mut lines = Vec::new();
                // Memory takes everything.
                let _ = sources.write_error(&mut lines, prepared.program(), &error, true);
                let name = match error.kind {
                    RunErrorKind::Cancelled => "Interrupted",
                    _ => "RunFailed",
                };
                let lines = String::from_utf8_lossy(&lines).into_owned();
                Err(failure(name, &error.message, lines))
            }
        }
    }
}

/// Collects what is said beside answers: it is a note where all goes well, and else the error.
struct Page<'s> {
    shown: &'s Shown,
    said: String,
    /// The kind and the message of the first error.
    first: Option<(String, String)>,
}

impl<'s> Page<'s> {
    fn new(shown: &'s Shown) -> Page<'s> {
        Page {
            shown,
            said: String::new(),
            first: None,
        }
    }

    fn say(&mut self, kind: &str, sentence: fmt::Arguments<'_>) {
        let sentence = visible_lines(&sentence.to_string()).into_owned();
        self.said.push_str(&format!("{sentence}\n"));
        self.first
            .get_or_insert_with(|| (kind.to_owned(), sentence));
    }

    fn note(&self) {
        if !self.said.is_empty() {
            self.shown.noted(&self.said);
        }
    }

    fn failure(self) -> Failure {
        let (name, message) = self.first.unwrap_or_default();
        failure(&name, &message, self.said)
    }
}

impl Front for Page<'_> {
    fn answer(&mut self, lines: &str) -> io::Result<()> {
        self.shown.printed(lines);
        Ok(())
    }

    fn complain(&mut self, sentence: fmt::Arguments<'_>) -> io::Result<()> {
        self.say("Refused", sentence);
        Ok(())
    }

    fn fail(&mut self, sentence: fmt::Arguments<'_>) -> io::Result<()> {
        self.say("RunFailed", sentence);
        Ok(())
    }

    fn fresh_start(&self) -> &'static str {
        "the kernel is started again"
    }

    fn findings(&mut self, found: &Findings) -> io::Result<()> {
        if found.findings.is_empty() {
            return Ok(());
        }
        let Failure {
            name,
            message,
            lines,
        } = of_findings(found);
        self.said.push_str(&(lines.join("\n") + "\n"));
        self.first.get_or_insert((name, message));
        Ok(())
    }

    fn page(&mut self, text: &str) -> io::Result<()> {
        self.shown.page(text, &in_letters(text));
        Ok(())
    }

    fn plot(&mut self, plot: &Plot) -> io::Result<()> {
        match drawn::for_page(plot) {
            Ok((svg, letters)) => self.shown.picture(&svg, &letters),
            Err(reason) => self.complain(format_args!("{reason}"))?,
        }
        Ok(())
    }
}

fn in_letters(markdown: &str) -> String {
    markdown::render(markdown, WIDTH, false)
}

fn interrupted() -> Failure {
    failure("Interrupted", "the cell was interrupted", String::new())
}

/// Findings as the reason why a cell was not run.
fn of_findings(found: &Findings) -> Failure {
    let mut lines = Vec::new();
    // Memory takes everything.
    let _ = human::write(&mut lines, found, true);
    let first = found.findings.first();
    let name = first.map_or_else(String::new, |first| first.code.as_str().to_owned());
    let message = first.map_or_else(String::new, |first| first.message.clone());
    let lines = String::from_utf8_lossy(&lines).into_owned();
    failure(&name, &message, lines)
}

/// A failure; without lines, its sentence is all that is to be said.
fn failure(name: &str, message: &str, lines: String) -> Failure {
    let message = visible_lines(message).into_owned();
    let mut lines: Vec<String> = lines.trim_end().lines().map(str::to_owned).collect();
    if lines.is_empty() {
        lines.push(message.clone());
    }
    Failure {
        name: name.to_owned(),
        message,
        lines,
    }
}

/// What a program prints goes to the page.
struct Printed(Shown);

impl Write for Printed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.printed(&String::from_utf8_lossy(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What a program reads is asked for on the page.
struct Typed<'s> {
    shown: &'s Shown,
    until: Option<Instant>,
}

impl Lines for Typed<'_> {
    fn line(&mut self, _: &str) -> io::Result<Option<String>> {
        self.shown.line(self.until)
    }
}
