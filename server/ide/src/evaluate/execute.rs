//! One entry of a program, run under limits.

use frank_core::{Place, Program};
use frank_interpreter::{
    Code, FrameKind, Host, Limits, Machine, RunError, RunErrorKind, Script, Specialise, Stats,
    compile_with,
};

use super::result::{EvaluationError, InFile, MOST_FRAMES};
use crate::laws::Kind;

/// The longest value that is shown whole, in bytes.
const LONGEST_VALUE: usize = 1 << 20;

/// How one entry ended.
pub(super) struct Ended {
    pub value: Result<String, EvaluationError>,
    pub stats: Stats,
}

/// A place as the program's files have it. Generated terms have none.
fn in_file(program: &Program, place: &Place) -> Option<InFile> {
    let path = &program.files[place.file].path;
    (path != frank_analysis::link::TERM_PATH).then(|| (path.clone(), place.start..place.end))
}

fn failure(program: &Program, error: &RunError, stats: Stats) -> EvaluationError {
    let limit = matches!(
        error.kind,
        RunErrorKind::Steps
            | RunErrorKind::Time
            | RunErrorKind::Memory
            | RunErrorKind::Output
            | RunErrorKind::Cancelled
    );
    let in_file = |place: &Place| in_file(program, place);
    let mut message = error.message.clone();
    if limit {
        let mut frames = error.trace.iter();
        let inside = frames.find(|frame| frame.place.as_ref().and_then(in_file).is_some());
        message.push_str(&format!(" after {} steps", stats.steps));
        if let Some(inside) = inside {
            message.push_str(&format!(", in `{}`", inside.name));
        }
    }
    let frames = error.trace.iter().filter_map(|frame| frame.place);
    let own = error.caller.into_iter().chain(error.place);
    let place = own.chain(frames).find_map(|place| in_file(&place));
    let related = error.related.iter();
    let related = related.filter_map(|one| Some((in_file(&one.place)?, one.what)));
    let around = error.trace.iter().filter_map(|frame| {
        let place = frame.place.as_ref().and_then(in_file)?;
        let what = match frame.what {
            FrameKind::Call => format!("in `{}`", frame.name),
            FrameKind::Handler => format!("under the handler `{}`", frame.name),
            FrameKind::Adaptors => "under these adaptors".to_owned(),
        };
        Some((place, what))
    });
    EvaluationError {
        message,
        place,
        related: related.collect(),
        stack: around.take(MOST_FRAMES).collect(),
        limit,
        hole: error.kind == RunErrorKind::Hole,
    }
}

pub(super) fn run_entry(
    program: &Program,
    code: &Code,
    entry: usize,
    limits: Limits,
    host: &mut dyn Host,
    pause: &mut dyn FnMut(),
) -> Ended {
    let ended = frank_interpreter::run(program, code, entry, limits, host, LONGEST_VALUE, pause);
    let stats = ended.stats;
    let value = ended.value.map_err(|error| failure(program, &error, stats));
    Ended { value, stats }
}

/// How an entry that should give `true` ends otherwise, if it does, and with which error, if that is one.
pub(super) fn run_for_truth(
    program: &Program,
    code: &Code,
    entry: usize,
    limits: Limits,
    pause: &mut dyn FnMut(),
) -> Option<(Kind, Option<EvaluationError>)> {
    let mut host = Script::default();
    let ended = frank_interpreter::run(
        program,
        code,
        entry,
        limits,
        &mut host,
        LONGEST_VALUE,
        pause,
    );
    let (kind, error) = Kind::of_run(ended.value)?;
    let error = error.map(|error| failure(program, &error, ended.stats));
    Some((kind, error))
}

/// A graph as it was printed, all of it, and where each of its lines stands in the program, if that is asked for.
pub(super) type Printed = (String, Vec<Option<InFile>>);

/// Runs an entry whose value is a graph.
pub(super) fn run_for_graph(
    program: &Program,
    code: &Code,
    (entry, origins): (usize, bool),
    limits: Limits,
    pause: &mut dyn FnMut(),
) -> Result<Printed, EvaluationError> {
    let mut host = Script::default();
    let mut machine = Machine::new(code, entry, limits, &mut host);
    if origins {
        machine.keep_origins();
    }
    let ended = frank_interpreter::finish(machine, program, entry, usize::MAX, pause);
    let origins = ended.origins.iter();
    let origins = origins.map(|place| place.as_ref().and_then(|place| in_file(program, place)));
    match ended.value {
        Ok(printed) => Ok((printed, origins.collect())),
        Err(error) => Err(failure(program, &error, ended.stats)),
    }
}

/// A compiled program, or why it could not be compiled. What an editor evaluates is short, and
/// nobody should wait until it is specialised.
pub(super) fn compiled(program: &Program) -> Result<Code, EvaluationError> {
    compile_with(program, Specialise::No).map_err(|error| EvaluationError::said(&error.to_string()))
}

/// Runs a small term at once, for its value.
pub(super) fn probe(program: &Program, steps: u64) -> Option<String> {
    let code = compiled(program).ok()?;
    let limits = Limits {
        steps: Some(steps),
        memory: 64 << 20,
        ..Limits::default()
    };
    let mut host = Script::default();
    run_entry(program, &code, 0, limits, &mut host, &mut || {})
        .value
        .ok()
}
