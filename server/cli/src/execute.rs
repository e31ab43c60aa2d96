//! Runs what was checked.

use std::io::{self, Write};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use frank_analysis::check::term_inference;
use frank_analysis::db::{ItemSource, SourceFile};
use frank_analysis::diagnostics::{Diagnostic, Severity};
use frank_analysis::infer::Inference;
use frank_analysis::link::{EntryPoint, TERM_PATH, link, unanswered};
use frank_analysis::snapshot::Snapshot;
use frank_core::{Place, Program};
use frank_interpreter::{
    Ended, Frame, FrameKind, Limits, RunError, RunErrorKind, Specialise, compile_with,
};
use frank_workspace::config;

use crate::Outcome;
use crate::args::{Color, LimitArgs};
use crate::console::{Lines, Terminal};
use crate::environment;
use crate::findings::{self, Findings, SourceRange, TERM};
use crate::gallery::Gallery;
use crate::granted::Granted;
use crate::names::Names;
use crate::native;
use crate::output::{self, colored, complain};
use crate::parallel;
use crate::prepared::Prepared;
use crate::project::Project;
use crate::report::human::{self, Mark, Message};
use crate::source::{Source, Texts};

/// The longest value that is shown whole, in bytes, and as a part of the memory that a run may take.
const LONGEST_VALUE: usize = 64 << 20;
const VALUE_OF_MEMORY: usize = 32;

/// The limits that the command line sets, else the configuration, else the interpreter.
pub fn limits(args: &LimitArgs, config: &config::Limits) -> Limits {
    let memory = args
        .memory
        .or(config.memory)
        .map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX));
    Limits {
        steps: args.steps.or(config.steps),
        time: args.timeout.or(config.timeout),
        memory: memory.unwrap_or(Limits::default().memory),
        output: config.output,
        cancelled: None,
    }
}

/// The errors in a project that keep it from running.
pub fn errors(project: &Project) -> Findings {
    findings(project).that_keep_from_running()
}

/// The errors in a project, and its holes.
pub fn errors_and_holes(project: &Project) -> Findings {
    findings(project).errors_and_holes()
}

fn findings(project: &Project) -> Findings {
    let mut progress = parallel::Progress::new(false, "checking");
    findings::check(project, &project.all(), &mut progress)
}

/// Whether a project can be run. Otherwise says why not.
pub fn check(project: &Project, color: Color) -> io::Result<Result<(), Outcome>> {
    let errors = errors(project);
    check_for(project, &errors, color)
}

/// Whether what is asked for can be done with a project that has these errors. Otherwise says why not.
pub fn check_for(
    project: &Project,
    errors: &Findings,
    color: Color,
) -> io::Result<Result<(), Outcome>> {
    let unusable = project.report_problems();
    if !errors.findings.is_empty() {
        refuse(errors, color)?;
        return Ok(Err(Outcome::Findings));
    }
    Ok(if unusable {
        Err(Outcome::Unusable)
    } else {
        Ok(())
    })
}

/// Shows the errors of a program that is not run.
pub fn refuse(found: &Findings, color: Color) -> io::Result<()> {
    let colored = colored(color, &io::stderr());
    human::write(&mut output::stderr(), found, colored)
}

/// The errors of a term on its own.
pub fn term_errors(snapshot: &Snapshot, scope: SourceFile, term: ItemSource) -> Vec<Diagnostic> {
    let problems =
        frank_analysis::file_findings::term_diagnostics(snapshot.db(), scope, term).iter();
    let errors = problems.filter(|problem| problem.keeps_from_running());
    errors.cloned().collect()
}

/// Warns about what nothing will handle.
pub fn warn_about_unhandled(snapshot: &Snapshot, what: &str, inference: &Inference) {
    if let Some(warning) = unhandled(snapshot, what, inference) {
        complain(format_args!("{warning}"));
    }
}

/// A warning of what nothing will handle, if there is something.
pub fn unhandled(snapshot: &Snapshot, what: &str, inference: &Inference) -> Option<String> {
    let needs = needs(snapshot, what, inference)?;
    Some(format!("warning: {needs}"))
}

/// A sentence about what nothing will handle, if there is something.
pub fn needs(snapshot: &Snapshot, what: &str, inference: &Inference) -> Option<String> {
    let computation = inference.computation.as_ref()?;
    let missing = unanswered(snapshot.db(), &inference.table.row(computation.ability));
    let names: Vec<String> = missing
        .iter()
        .map(|interface| format!("`{}`", interface.0.name))
        .collect();
    let names = names.join(", ");
    (!names.is_empty()).then(|| format!("{what} needs {names}, which nobody handles here"))
}

/// Why a term cannot be run.
pub enum Unprepared {
    /// What is wrong with it.
    Wrong(Findings),
    /// A sentence.
    Refused(String),
}

/// Checks a term on its own, and makes a program of it.
pub fn prepare_term(
    names: &Names,
    snapshot: &Snapshot,
    scope: SourceFile,
    term: ItemSource,
) -> Result<Prepared, Unprepared> {
    let errors = term_errors(snapshot, scope, term);
    if !errors.is_empty() {
        return Err(Unprepared::Wrong(Findings::of(snapshot, names, errors)));
    }
    let entry = EntryPoint::Term {
        scope,
        source: term,
    };
    prepare(snapshot, &[entry]).map_err(Unprepared::Refused)
}

/// Makes a program of some entries.
pub fn prepare(snapshot: &Snapshot, entries: &[EntryPoint]) -> Result<Prepared, String> {
    prepare_with(snapshot, entries, environment::specialise(false))
}

/// The same, specialised or not.
pub fn prepare_with(
    snapshot: &Snapshot,
    entries: &[EntryPoint],
    specialise: Specialise,
) -> Result<Prepared, String> {
    let program = link(snapshot.db(), entries).map_err(|error| error.to_string())?;
    let code = compile_with(&program, specialise).map_err(|error| error.to_string())?;
    Ok(Prepared::new(program, code))
}

/// So many bytes of a value are shown within some limits, where nothing else says how many.
pub fn longest_value(limits: &Limits) -> usize {
    limits
        .output
        .and_then(|most| usize::try_from(most).ok())
        .unwrap_or(LONGEST_VALUE.min(limits.memory / VALUE_OF_MEMORY))
}

/// Runs an entry on a console. Of its value so many bytes are shown at most. What is printed gets there now and then. The
/// end of a line that was begun, and what was printed last, are left to the caller.
pub fn run_on(
    console: &mut Terminal<'_, '_>,
    prepared: &Prepared,
    entry: usize,
    limits: Limits,
    longest: usize,
) -> Ended {
    let printed = console.output.clone();
    let pause = || {
        // If this fails, so does the program's next output, which says so.
        let _ = printed.flush();
    };
    let mut ended = native::run(prepared, entry, limits, console, longest, pause);
    if console.timed_out
        && let Err(error) = &mut ended.value
    {
        error.kind = RunErrorKind::Time;
        error.message = "the time limit is reached".to_owned();
    }
    ended
}

/// Set when the user presses Ctrl-C.
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Begins to listen. Pressed a second time before a run has ended, Ctrl-C ends the process.
    pub fn listen() -> Interrupt {
        Interrupt::listen_and(|| std::process::exit(Outcome::Interrupted as i32))
    }

    /// Listens, too, and leaves the end of the process to others: whoever starts a kernel may send it what its own
    /// terminal says.
    #[cfg(feature = "kernel")]
    pub fn listen_only() -> Interrupt {
        Interrupt::listen_and(|| ())
    }

    /// Listens, and does something when Ctrl-C is pressed again.
    fn listen_and(again: impl Fn() + Send + 'static) -> Interrupt {
        let flag = Arc::new(AtomicBool::new(false));
        let seen = flag.clone();
        // Without it Ctrl-C ends the process at once, which is not bad either.
        let _ = ctrlc::set_handler(move || {
            if seen.swap(true, Ordering::Relaxed) {
                again();
            }
        });
        Interrupt(flag)
    }

    /// What was pressed before no longer counts.
    pub fn forget(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    #[cfg(feature = "kernel")]
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// True once the user has pressed Ctrl-C.
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.0.clone()
    }
}

/// A run on the terminal.
pub struct Session<'s> {
    /// What messages quote.
    pub texts: &'s dyn Texts,
    pub interrupt: &'s Interrupt,
    pub limits: Limits,
    /// Where the program's pictures go.
    pub gallery: &'s Gallery,
    /// What it may touch beside the terminal.
    pub granted: Option<&'s Granted>,
    /// Report what the run used.
    pub stats: bool,
    pub color: Color,
}

impl Session<'_> {
    /// Checks a term on its own, then runs it. It reads `lines`, or standard input.
    pub fn run_term(
        &self,
        names: &Names,
        snapshot: &Snapshot,
        scope: SourceFile,
        term: ItemSource,
        lines: Option<&mut dyn Lines>,
    ) -> io::Result<Outcome> {
        let db = snapshot.db();
        match prepare_term(names, snapshot, scope, term) {
            Ok(prepared) => {
                warn_about_unhandled(snapshot, "the term", term_inference(db, scope, term));
                self.run(&prepared, 0, Some(term.text(db)), lines)
            }
            Err(Unprepared::Wrong(found)) => {
                refuse(&found, self.color)?;
                Ok(Outcome::Findings)
            }
            Err(Unprepared::Refused(message)) => {
                complain(format_args!("{message}"));
                Ok(Outcome::Findings)
            }
        }
    }

    /// Runs an entry: prints what it prints, then its value on a line of its own, or why there is
    /// none. `term` is the entry's text if it is a term on its own. It reads `lines`, or standard input.
    pub fn run(
        &self,
        prepared: &Prepared,
        entry: usize,
        term: Option<&str>,
        lines: Option<&mut dyn Lines>,
    ) -> io::Result<Outcome> {
        self.interrupt.forget();
        let mut host = Terminal::new(
            self.gallery,
            self.interrupt.0.clone(),
            self.limits.time,
            lines,
        );
        host.granted = self.granted;
        let printed = host.output.clone();
        let limits = Limits {
            cancelled: Some(self.interrupt.0.clone()),
            ..self.limits.clone()
        };
        let longest = longest_value(&limits);
        let ended = run_on(&mut host, prepared, entry, limits, longest);
        let finished = printed.finish();
        if host.output_closed {
            // The program was ended because nobody reads what it prints. Nothing is wrong with it.
            return Ok(Outcome::Success);
        }
        if !printed.is_closed() {
            finished?;
        }
        self.gallery.finish();
        let outcome = match &ended.value {
            Ok(value) => {
                writeln!(output::stdout(), "{value}")?;
                Outcome::Success
            }
            Err(error) => {
                let mut sources = Sources {
                    texts: self.texts,
                    term,
                    sources: Vec::new(),
                };
                let colored = colored(self.color, &io::stderr());
                sources.write_error(&mut output::stderr(), prepared.program(), error, colored)?;
                match error.kind {
                    RunErrorKind::Cancelled => Outcome::Interrupted,
                    _ => Outcome::RunFailed,
                }
            }
        };
        if self.stats {
            let used = &ended.stats;
            complain(format_args!(
                "{} steps, {} captures, {} peak cells, {} peak objects, {:.1} MiB, {} ms",
                used.steps,
                used.captures,
                used.peak_cells,
                used.peak_objects,
                used.peak_bytes as f64 / f64::from(1 << 20),
                used.millis
            ));
        }
        Ok(outcome)
    }
}

/// The texts that places of the core are in.
pub struct Sources<'s> {
    pub texts: &'s dyn Texts,
    /// The text of the term on its own that is run.
    pub term: Option<&'s str>,
    pub sources: Vec<Source>,
}

impl Sources<'_> {
    /// Where a place of the core is, if its text is known.
    pub fn place(&mut self, program: &Program, place: Place) -> SourceRange {
        let path = &program.files[place.file].path;
        self.range(path, place.start as usize..place.end as usize)
    }

    /// Where a range of a file is, given as the core has it, if its text is known.
    pub fn range(&mut self, path: &str, range: Range<usize>) -> SourceRange {
        let origins = self.texts.origins();
        if let Some((cell, range)) = origins.and_then(|origins| origins.of(path, &range)) {
            return SourceRange {
                source: Source::of_cell(&mut self.sources, cell),
                start: range.start,
                end: range.end,
            };
        }
        let known = self.sources.iter().position(|source| source.key == path);
        let source = known.unwrap_or_else(|| {
            let source = match self.term {
                Some(term) if path == TERM_PATH => Some(Source::new(
                    TERM.to_owned(),
                    path.to_owned(),
                    term.to_owned(),
                )),
                _ => self.texts.source(path),
            };
            let unknown = || Source::new(path.to_owned(), path.to_owned(), String::new());
            self.sources.push(source.unwrap_or_else(unknown));
            self.sources.len() - 1
        });
        SourceRange {
            source,
            start: range.start,
            end: range.end,
        }
    }

    /// Draws why a run ended without a value: the place, the values, the stack.
    pub fn write_error(
        &mut self,
        out: &mut dyn Write,
        program: &Program,
        error: &RunError,
        colored: bool,
    ) -> io::Result<()> {
        let mut place = |place: Place| self.place(program, place);
        let (caller, at) = (error.caller.map(&mut place), error.place.map(&mut place));
        let related = error.related.iter();
        let related: Vec<_> = related.map(|one| (place(one.place), one.what)).collect();
        let mut notes = Vec::new();
        if !error.values.is_empty() {
            notes.push(format!("with {}", error.values.join(", ")));
        }
        if !error.trace.is_empty() {
            notes.push(self.stack(program, error));
        }
        let message = Message {
            severity: Severity::Error,
            text: &error.message,
            code: None,
            marks: caller
                .iter()
                .chain(&at)
                .map(|place| Mark { place, label: None })
                .chain(related.iter().map(|(place, what)| Mark {
                    place,
                    label: Some(*what),
                }))
                .collect(),
            notes: notes.iter().map(String::as_str).collect(),
            help: Vec::new(),
        };
        message.write(out, &self.sources, colored)
    }

    /// The calls and handlers, a line each; equal neighbours are counted.
    fn stack(&mut self, program: &Program, error: &RunError) -> String {
        let mut lines: Vec<(String, usize)> = Vec::new();
        for frame in &error.trace {
            let line = self.frame(program, frame);
            match lines.last_mut() {
                Some((last, count)) if *last == line => *count += 1,
                _ => lines.push((line, 1)),
            }
        }
        let mut text = "the stack, from the inside:".to_owned();
        let mut rest = &lines[..];
        while !rest.is_empty() {
            let (group, rounds) = repeated(rest);
            let (lines, further) = rest.split_at(group * rounds);
            for (line, count) in lines.iter().take(group) {
                text += &format!("\n{line}");
                if *count > 1 {
                    text += &format!(", {count} times");
                }
            }
            if rounds > 1 {
                text += &format!("\nthese {group}, {rounds} times");
            }
            rest = further;
        }
        if error.trace_ends_early {
            text += "\n…";
        }
        text
    }

    fn frame(&mut self, program: &Program, frame: &Frame) -> String {
        let what = match frame.what {
            FrameKind::Call => "in",
            FrameKind::Handler => "handled by",
            FrameKind::Adaptors => "under adaptors in",
        };
        let in_term = |place: Place| program.files[place.file].path == TERM_PATH;
        if frame.what == FrameKind::Call && frame.place.is_some_and(in_term) {
            return "in the term".to_owned();
        }
        let Some(place) = frame.place else {
            return format!("{what} `{}`", frame.name);
        };
        let place = self.place(program, place);
        let Some(source) = self.sources.get(place.source) else {
            return String::new();
        };
        let at = source.position(place.start);
        format!(
            "{what} `{}`, {}:{}:{}",
            frame.name,
            source.shown(),
            at.line,
            at.column
        )
    }
}

/// How many lines of a stack, such as those of operators that call each other, stand at its beginning several times in a
/// row, and how often; one line that stands once, if none do.
fn repeated(lines: &[(String, usize)]) -> (usize, usize) {
    const MOST_LINES: usize = 8;
    const LEAST_ROUNDS: usize = 3;
    (2..=MOST_LINES)
        .filter_map(|group| {
            let first = lines.get(..group)?;
            let rounds = lines.chunks(group).take_while(|round| *round == first);
            Some((group, rounds.count()))
        })
        .find(|(_, rounds)| *rounds >= LEAST_ROUNDS)
        .unwrap_or((1, 1))
}
