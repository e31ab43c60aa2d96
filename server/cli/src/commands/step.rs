//! `frank step`: a run state by state.

use std::io::{self, IsTerminal, Read, Write};
use std::path::Path;
use std::time::Instant;

use frank_analysis::db::{ItemSource, SourceFile};
use frank_analysis::link::{EntryPoint, link};
use frank_analysis::snapshot::Snapshot;
use frank_core::Program;
use frank_interpreter::RunErrorKind;
use frank_semantics::Semantics;
use frank_semantics::paths::Paths;
use frank_semantics::trace::{self, Ended, Limit, Trace, trace};

use crate::Outcome;
use crate::args::{Color, OnlyStates, StepArgs, StepFormat};
use crate::commands::run::{by_option, entry, open};
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
    if let Err(outcome) = execute::check(&project, color)? {
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
    let run = trace(&mut semantics, first, trace_limits(args, &project));
    let mut sources = Sources {
        project: &project,
        term: args.term.as_deref(),
        sources: Vec::new(),
    };
    if is_interactive(args) {
        let stepper = Stepper::new(&semantics, &run, args.term.as_ref().unwrap_or(&args.entry));
        let colored = colored(color, &io::stdout());
        stepper.run(&mut sources, args.from, colored)?;
        return Ok(Outcome::Success);
    }
    let is_whole = write(args, color, &semantics, &run, &mut sources)?;
    if run.ended == Ended::Cut(Limit::States) && args.only.is_some() {
        complain(format_args!(
            "only the first {MOST_SEARCHED} states of the run were looked through"
        ));
    } else if !is_whole {
        complain(format_args!(
            "there are more states; `--from NUMBER` begins later, `--states COUNT` writes more of them"
        ));
    }
    Ok(match &run.ended {
        Ended::Value(_) | Ended::Cut(Limit::States) => Outcome::Success,
        Ended::Cut(limit) => {
            let limit = match limit {
                Limit::Memory => "memory",
                Limit::Time => "time",
                Limit::Steps | Limit::States => "step",
            };
            complain(format_args!("the {limit} limit is reached"));
            Outcome::RunFailed
        }
        Ended::Stuck(stuck) => {
            let at = stuck.place.map(|place| sources.place(&program, place));
            let at = at.and_then(|place| {
                let source = sources.sources.get(place.source)?;
                let at = source.position(place.start);
                Some(format!("{}:{}:{}: ", source.shown(), at.line, at.column))
            });
            complain(format_args!("{}{}", at.unwrap_or_default(), stuck.message));
            match stuck.kind {
                RunErrorKind::Cancelled => Outcome::Interrupted,
                _ => Outcome::RunFailed,
            }
        }
    })
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
    let mut text = String::new();
    let read = match path.as_os_str() == "-" {
        true => io::stdin().lock().read_to_string(&mut text).map(|_| text),
        false => std::fs::read_to_string(path),
    };
    read.map_err(|error| format!("{}: {error}", visible_path(path)))
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
            EntryPoint::Term { scope, source }
        }
        None => match entry(snapshot, scope, &args.entry, by_option) {
            Ok(operator) => EntryPoint::Operator(operator),
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
    let states = args.from.saturating_add(args.states);
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

/// Writes the states; false if there are more than were asked for.
fn write(
    args: &StepArgs,
    color: Color,
    semantics: &Semantics<'_>,
    run: &Trace,
    sources: &mut Sources<'_>,
) -> io::Result<bool> {
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
    let is_whole = chosen.len() <= most && run.ended != Ended::Cut(Limit::States);
    let mut states = States {
        paths,
        sources,
        chosen: chosen.into_iter().take(most),
        from,
    };
    let mut out = output::stdout();
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
    Ok(is_whole)
}
