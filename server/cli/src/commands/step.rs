//! `frank step`: a run state by state.

use std::io::{self, Read, Write};
use std::path::Path;
use std::time::Instant;

use frank_analysis::db::{ItemSource, SourceFile};
use frank_analysis::link::{EntryPoint, link};
use frank_analysis::snapshot::Snapshot;
use frank_core::Program;
use frank_interpreter::RunErrorKind;
use frank_semantics::show::{self, Shower, Text};
use frank_semantics::state::Focus;
use frank_semantics::trace::{self, Ended, Moment, Trace, trace};
use frank_semantics::{Rule, Semantics};
use frank_syntax::visible::visible;
use serde::Serialize;

use crate::Outcome;
use crate::args::{Color, OnlyStates, StepArgs, StepFormat};
use crate::commands::run::{entry, open};
use crate::execute::{self, Sources, limits};
use crate::findings::Findings;
use crate::json;
use crate::output::{self, colored, complain, visible_path};
use crate::project::Project;
use crate::source::Position;

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
    let written = write(args, color, &semantics, &run, &mut sources)?;
    if !written {
        complain(format_args!(
            "there are more states; `--from NUMBER` begins later, `--states COUNT` writes more of them"
        ));
    }
    Ok(match &run.ended {
        Ended::Value(_) => Outcome::Success,
        Ended::Cut(reason) => {
            complain(format_args!("{reason}"));
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
        None => match entry(snapshot, scope, &args.entry) {
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
        // Of all states some may be left out, but only those that are counted are kept.
        states: match args.only {
            None => usize::try_from(states).unwrap_or(usize::MAX),
            Some(_) => usual.states,
        },
        steps: run.steps.unwrap_or(usual.steps),
        memory: run.memory,
        until: run.time.and_then(|time| Instant::now().checked_add(time)),
    }
}

/// Whether a state is among those that were asked for.
fn is_chosen(only: Option<OnlyStates>, moments: &[Moment], index: usize) -> bool {
    let Some(OnlyStates::Commands) = only else {
        return true;
    };
    let focus = moments.get(index).map(|moment| moment.state.focus);
    let next = moments.get(index + 1).and_then(|moment| moment.rule);
    match focus {
        Some(Focus::Command(performed)) => performed.frozen.is_none(),
        _ => next == Some(Rule::Host),
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
    let mut out = output::stdout();
    let width = match args.format {
        StepFormat::Text => show::Limits::default().width,
        StepFormat::Json => usize::from(u16::MAX),
    };
    let limits = show::Limits {
        width,
        ..show::Limits::default()
    };
    let mut shower = Shower::new(semantics, limits);
    let styled = colored(color, &io::stdout());
    let from = usize::try_from(args.from).unwrap_or(usize::MAX);
    let states = usize::try_from(args.states).unwrap_or(usize::MAX);
    let chosen = (0..run.moments.len()).filter(|index| is_chosen(args.only, &run.moments, *index));
    let mut chosen = chosen.skip(from.saturating_sub(1)).enumerate();
    for (count, index) in chosen.by_ref() {
        if count == states {
            return Ok(false);
        }
        let Some(moment) = run.moments.get(index) else {
            break;
        };
        let shown = shower.state(&moment.state);
        let rule = moment.rule.map_or("start", Rule::name);
        match args.format {
            StepFormat::Text => write_text(&mut out, from + count, rule, &shown, styled)?,
            StepFormat::Json => {
                let place = semantics.place(&moment.state);
                let place = place.map(|place| sources.place(semantics.program, place));
                let place = place.and_then(|place| {
                    let source = sources.sources.get(place.source)?;
                    let range = Range {
                        start: source.position(place.start),
                        end: source.position(place.end),
                    };
                    let file = source.name.clone();
                    Some(Place { file, range })
                });
                let object = Object {
                    rule,
                    term: &shown.text,
                    focus: [shown.focus.start, shown.focus.end],
                    frozen: shown
                        .frozen
                        .iter()
                        .map(|part| [part.start, part.end])
                        .collect(),
                    place,
                };
                let object = serde_json::to_string(&object)?;
                writeln!(out, "{}", json::visible(&object))?;
            }
        }
    }
    Ok(true)
}

/// A state in JSON; `focus` and `frozen` count the characters of `term` from 0, ends exclusive.
#[derive(Serialize)]
struct Object<'a> {
    rule: &'a str,
    term: &'a str,
    focus: [usize; 2],
    frozen: Vec<[usize; 2]>,
    place: Option<Place>,
}

/// As in `check --format json`.
#[derive(Serialize)]
struct Place {
    file: String,
    range: Range,
}

#[derive(Serialize)]
struct Range {
    start: Position,
    end: Position,
}

const BOLD: &str = "\x1b[1m";
const DIM: &str = "\x1b[2m";
const UNDERLINE: &str = "\x1b[4m";
const HIGHLIGHT: &str = "\x1b[7m";
const PLAIN: &str = "\x1b[0m";

/// A state as lines: the focus is underlined, frozen frames are highlighted. Without styles, signs below a line say so:
/// `^` for the focus, `~` for what is frozen, `=` for what is both.
fn write_text(
    out: &mut impl Write,
    number: usize,
    rule: &str,
    shown: &Text,
    styled: bool,
) -> io::Result<()> {
    match styled {
        true => writeln!(out, "{BOLD}{number}{PLAIN} {DIM}{rule}{PLAIN}")?,
        false => writeln!(out, "{number} {rule}")?,
    }
    let mut start = 0;
    for line in shown.text.split('\n') {
        let length = line.chars().count();
        let marks: Vec<Option<char>> = (start..start + length)
            .map(|at| {
                let is_frozen = shown.frozen.iter().any(|part| part.contains(&at));
                match (shown.focus.contains(&at), is_frozen) {
                    (true, true) => Some('='),
                    (true, false) => Some('^'),
                    (false, true) => Some('~'),
                    (false, false) => None,
                }
            })
            .collect();
        let blanks = line.chars().take_while(|c| *c == ' ').count();
        match styled {
            true => writeln!(out, "  {}", styled_line(line, start, shown))?,
            false => {
                writeln!(out, "  {}", visible(line))?;
                let signs = marks.iter().enumerate().map(|(at, mark)| match mark {
                    Some(mark) if at >= blanks => *mark,
                    _ => ' ',
                });
                let signs: String = signs.collect();
                if !signs.trim().is_empty() {
                    writeln!(out, "  {}", signs.trim_end())?;
                }
            }
        }
        start += length + 1;
    }
    Ok(())
}

/// A line with its styles, which change where marks begin or end.
fn styled_line(line: &str, start: usize, shown: &Text) -> String {
    let mut text = String::new();
    let mut current = (false, false);
    for (at, c) in (start..).zip(line.chars()) {
        let is_frozen = shown.frozen.iter().any(|part| part.contains(&at));
        let wanted = (shown.focus.contains(&at), is_frozen);
        if wanted != current {
            text += PLAIN;
            if wanted.1 {
                text += HIGHLIGHT;
            }
            if wanted.0 {
                text += UNDERLINE;
            }
            current = wanted;
        }
        let mut bytes = [0; 4];
        text += &visible(c.encode_utf8(&mut bytes));
    }
    if current != (false, false) {
        text += PLAIN;
    }
    text
}
