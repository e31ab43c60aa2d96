//! `frank step`: a run state by state.

use std::cell::Cell;
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Read, Write};
use std::path::Path;
use std::time::Instant;

use frank_analysis::check::{inference, term_inference};
use frank_analysis::db::{ItemSource, SourceFile};
use frank_analysis::link::{EntryPoint, link};
use frank_analysis::program::Definition;
use frank_analysis::snapshot::Snapshot;
use frank_core::Program;
use frank_interpreter::picture::not_shown;
use frank_interpreter::{RunError, RunErrorKind, Script, compile};
use frank_semantics::Semantics;
use frank_semantics::paths::Paths;
use frank_semantics::trace::{self, Ended, Limit, Trace, trace};
use frank_syntax::visible::visible;

use crate::Outcome;
use crate::args::{Color, OnlyStates, StepArgs, StepFormat};
use crate::commands::run::{Choosing, by_option, entry, open};
use crate::execute::{self, Sources, limits};
use crate::findings::Findings;
use crate::output::{self, colored, complain, is_capable, visible_path};
use crate::project::Project;
use crate::states::{States, html, json, text};
use crate::stepper::Stepper;

/// Among so many states those are looked for that were asked for, where not all are.
const MOST_SEARCHED: usize = 1_000_000;

/// Checks a file, then writes the states of a run.
pub fn run(args: &StepArgs, color: Color) -> io::Result<Outcome> {
    let Some((mut project, scope)) = open(&args.file, &args.project) else {
        return Ok(Outcome::Unusable);
    };
    if args.despite_errors {
        // What the run reaches is looked at when it is linked.
        project.report_problems();
    } else if let Err(outcome) = execute::check(&project, color)? {
        return Ok(outcome);
    }
    let input = match args.input.as_deref().map(read).transpose() {
        Ok(input) => input.unwrap_or_default(),
        Err(reason) => {
            complain(format_args!("{reason}"));
            return Ok(Outcome::Unusable);
        }
    };
    let term = args.term.as_ref();
    let term = term.map(|text| project.files.term(scope, text));
    let snapshot = project.files.snapshot();
    let program = match program(args, color, &project, &snapshot, scope, term)? {
        Ok(program) => program,
        Err(outcome) => return Ok(outcome),
    };
    let mut semantics = Semantics::new(&program, &input);
    let Some(first) = semantics.start(0) else {
        return Ok(Outcome::Unusable);
    };
    let limits = trace_limits(args, &project);
    let mut run = trace(&mut semantics, first, limits);
    let mut sources = Sources {
        texts: &project,
        term: args.term.as_deref(),
        sources: Vec::new(),
    };
    if is_interactive(args) {
        let stepper = Stepper::new(&semantics, &run, args.term.as_ref().unwrap_or(&args.entry));
        let colored = colored(color, &io::stdout());
        stepper.run(&mut sources, args.from, colored)?;
        say_pictures(&run);
        return Ok(Outcome::Success);
    }
    let written = match write(args, color, &semantics, &run, limits.until, &mut sources) {
        // Nobody reads on.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(Outcome::Success),
        written => written?,
    };
    if args.from > 1 && written == Written::Nothing {
        complain(format_args!(
            "there is no state {}: those that are asked for end before it",
            args.from
        ));
    }
    if written == Written::Late {
        run.ended = Ended::Cut(Limit::Time);
    }
    if run.ended == Ended::Cut(Limit::States) && args.only.is_some() {
        complain(format_args!(
            "only the first {MOST_SEARCHED} states of the run were looked through"
        ));
    } else if written == Written::Part {
        complain(format_args!(
            "there are more states; `--from NUMBER` begins later, `--states COUNT` writes more of them"
        ));
    }
    say_pictures(&run);
    let Some(error) = failure(&run, &semantics) else {
        return Ok(Outcome::Success);
    };
    let error = match run.ended {
        Ended::Stuck(_) => in_full(args, &project, &program, &input, error),
        _ => error,
    };
    let colored = colored(color, &io::stderr());
    sources.write_error(&mut output::stderr(), &program, &error, colored)?;
    Ok(match error.kind {
        RunErrorKind::Cancelled => Outcome::Interrupted,
        _ => Outcome::RunFailed,
    })
}

/// Says how many pictures the states ask for, which nobody draws.
fn say_pictures(run: &Trace) {
    let drawn = run.moments.last();
    let drawn = drawn.map_or(0, |last| last.state.pictures.pictures);
    if let Some(sentence) = not_shown(drawn) {
        complain(format_args!("{sentence}"));
    }
}

/// Why a run has no value, if that is not for want of states that were asked for.
fn failure(run: &Trace, semantics: &Semantics<'_>) -> Option<RunError> {
    let (kind, message, place) = match &run.ended {
        Ended::Value(_) | Ended::Cut(Limit::States) => return None,
        Ended::Stuck(stuck) => (stuck.kind, stuck.message.clone(), stuck.place),
        Ended::Cut(limit) => {
            let (kind, name) = match limit {
                Limit::Memory => (RunErrorKind::Memory, "memory"),
                Limit::Time => (RunErrorKind::Time, "time"),
                Limit::Steps | Limit::States => (RunErrorKind::Steps, "step"),
            };
            let last = run.moments.last();
            let place = last.and_then(|moment| semantics.place(&moment.state));
            (kind, format!("the {name} limit is reached"), place)
        }
    };
    Some(RunError::new(kind, message, place))
}

/// The same failure with its values and its stack: the machine that `frank run` uses knows these.
fn in_full(
    args: &StepArgs,
    project: &Project,
    program: &Program,
    input: &str,
    error: RunError,
) -> RunError {
    let Ok(code) = compile(program) else {
        return error;
    };
    let limits = limits(&args.limits, &project.config.config.limits);
    let mut host = Script::new(input);
    let ended = frank_interpreter::run(program, &code, 0, limits, &mut host, 0, || ());
    match ended.value {
        Err(full) if full.kind == error.kind && full.message == error.message => *full,
        _ => error,
    }
}

/// Whether a person goes through the run by keys.
fn is_interactive(args: &StepArgs) -> bool {
    args.format.is_none()
        && args.only.is_none()
        && io::stdin().is_terminal()
        && is_capable(&io::stdout())
}

/// The input of a run.
fn read(path: &Path) -> Result<String, String> {
    let mut bytes = Vec::new();
    let read = match path.as_os_str() == "-" {
        true => io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes),
        false => std::fs::read(path),
    };
    // What is no UTF-8 a program reads as U+FFFD, as with `frank run`.
    let text = read.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    text.map_err(|error| format!("{}: {error}", visible_path(path)))
}

/// The program of the entry or the term that was named; what is wrong with it is said.
fn program(
    args: &StepArgs,
    color: Color,
    project: &Project,
    snapshot: &Snapshot,
    scope: SourceFile,
    term: Option<ItemSource>,
) -> io::Result<Result<Program, Outcome>> {
    let point = match term {
        Some(source) => {
            let errors = execute::term_errors(snapshot, scope, source);
            if !errors.is_empty() {
                let found = Findings::of(snapshot, &project.names, errors);
                execute::refuse(&found, color)?;
                return Ok(Err(Outcome::Findings));
            }
            execute::warn_about_unhandled(
                snapshot,
                "the term",
                term_inference(snapshot.db(), scope, source),
            );
            EntryPoint::Term { scope, source }
        }
        None => match entry(snapshot, scope, &args.entry, &CHOOSING) {
            Ok(operator) => {
                let Definition { scope, name } = operator.0;
                if let Some(inference) = inference(snapshot.db(), scope, name) {
                    let what = format!("`{}`", visible(&args.entry));
                    execute::warn_about_unhandled(snapshot, &what, inference);
                }
                EntryPoint::Operator(operator)
            }
            Err(reason) => {
                complain(format_args!("{reason}"));
                return Ok(Err(Outcome::Unusable));
            }
        },
    };
    Ok(link(snapshot.db(), &[point]).map_err(|error| {
        complain(format_args!("{error}"));
        Outcome::Findings
    }))
}

fn trace_limits(args: &StepArgs, project: &Project) -> trace::Limits {
    let run = limits(&args.limits, &project.config.config.limits);
    let states = (args.from - 1).saturating_add(args.states);
    let usual = trace::Limits::default();
    trace::Limits {
        states: match args.only {
            None => usize::try_from(states).unwrap_or(usize::MAX),
            Some(_) => MOST_SEARCHED,
        },
        steps: run.steps.unwrap_or(usual.steps),
        memory: run.memory,
        until: run.time.and_then(|time| Instant::now().checked_add(time)),
    }
}

const CHOOSING: Choosing = Choosing {
    other: by_option,
    call: "behind the file a term can stand that calls it with some",
};

/// How much of a run has been written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Written {
    Whole,
    /// The states end before the first one that was asked for.
    Nothing,
    /// There are more states than were asked for.
    Part,
    /// The time was up.
    Late,
}

/// Writes the states, as long as there is time.
fn write(
    args: &StepArgs,
    color: Color,
    semantics: &Semantics<'_>,
    run: &Trace,
    until: Option<Instant>,
    sources: &mut Sources<'_>,
) -> io::Result<Written> {
    let from = usize::try_from(args.from).unwrap_or(usize::MAX);
    let most = usize::try_from(args.states).unwrap_or(usize::MAX);
    let paths = Paths {
        semantics,
        moments: &run.moments,
    };
    let all = 0..run.moments.len();
    let chosen = all.filter(|at| match args.only {
        Some(OnlyStates::Commands) => paths.is_command(*at),
        None => true,
    });
    let chosen: Vec<usize> = chosen.skip(from.saturating_sub(1)).collect();
    let is_nothing = chosen.is_empty();
    let is_whole = chosen.len() <= most && run.ended != Ended::Cut(Limit::States);
    let is_late = Cell::new(false);
    let in_time = |_: &usize| {
        is_late.set(until.is_some_and(|end| Instant::now() > end));
        !is_late.get()
    };
    let mut states = States {
        paths,
        sources,
        chosen: chosen.into_iter().take(most).take_while(in_time),
        from,
    };
    let mut out = BufWriter::new(io::stdout().lock());
    match args.format.unwrap_or_default() {
        StepFormat::Text => text::write(&mut out, &mut states, colored(color, &io::stdout()))?,
        StepFormat::Json => json::write(&mut out, &mut states)?,
        StepFormat::Html => {
            let what = args.term.as_ref().unwrap_or(&args.entry);
            let failure = match &run.ended {
                Ended::Stuck(stuck) => Some(stuck.message.clone()),
                Ended::Value(_) | Ended::Cut(_) => None,
            };
            html::write(&mut out, &mut states, what, !is_whole, failure)?;
        }
    }
    out.flush()?;
    Ok(match is_whole {
        _ if is_late.get() => Written::Late,
        true if is_nothing => Written::Nothing,
        true => Written::Whole,
        false => Written::Part,
    })
}
