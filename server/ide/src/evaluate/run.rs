//! Runs plans. Nothing here knows a snapshot, so a run may take as long as its limits allow.

use frank_core::{Place, Program};
use frank_interpreter::{
    Code, Host, Limits, Machine, Progress, RunError, RunErrorKind, Script, Stats, compile,
};

use super::plan::{Entry, Plan, RunPlan};
use super::result::{Derivative, DerivativeResult, Failure, RunResult};

/// How many steps run before `pause` is called.
const SLICE: u64 = 1 << 18;
/// The longest value that is shown whole, in bytes.
const LONGEST_VALUE: usize = 1 << 20;

/// How one entry ended.
struct Ended {
    value: Result<String, Failure>,
    stats: Stats,
}

fn failure(program: &Program, error: &RunError, stats: Stats) -> Failure {
    let limit = matches!(
        error.kind,
        RunErrorKind::Steps
            | RunErrorKind::Time
            | RunErrorKind::Memory
            | RunErrorKind::Output
            | RunErrorKind::Cancelled
    );
    // Terms that were made up are nowhere.
    let in_file = |place: &Place| {
        let path = &program.files[place.file].path;
        (path != frank_analysis::core::TERM_PATH).then(|| (path.clone(), place.start..place.end))
    };
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
    Failure {
        message,
        place,
        limit,
    }
}

fn run_entry(
    program: &Program,
    code: &Code,
    entry: usize,
    limits: Limits,
    host: &mut dyn Host,
    pause: &mut dyn FnMut(),
) -> Ended {
    let mut machine = Machine::new(code, entry, limits, host);
    let value = loop {
        match machine.run_for(SLICE) {
            Ok(Progress::Running) => pause(),
            Ok(Progress::Done(value)) => break Ok(value),
            Err(error) => break Err(error),
        }
    };
    let stats = machine.stats();
    let value = match value {
        Ok(value) => {
            let unknown = frank_core::Type::Unknown;
            let ty = program
                .entries
                .get(entry)
                .map_or(&unknown, |entry| &entry.ty);
            Ok(machine.show(program, ty, value, LONGEST_VALUE))
        }
        Err(error) => Err(failure(program, &error, stats)),
    };
    Ended { value, stats }
}

fn refused(message: &str) -> Failure {
    Failure {
        message: message.to_owned(),
        place: None,
        limit: false,
    }
}

/// A program made ready, or why it could not be.
fn compiled(program: &Program) -> Result<Code, Failure> {
    compile(program).map_err(|error| refused(&error.to_string()))
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

impl Plan {
    /// Evaluates the function and its derivatives, each under the limits. `progress` hears how
    /// many of how many terms are done, and is called now and then meanwhile.
    pub fn run(&self, limits: &Limits, mut progress: impl FnMut(usize, usize)) -> DerivativeResult {
        let total = 1 + self
            .derivatives
            .iter()
            .map(|(_, terms)| terms.len())
            .sum::<usize>();
        let code = compiled(&self.program);
        let mut done = 0;
        let mut evaluate = |entry: &Entry| -> Result<String, Failure> {
            progress(done, total);
            let index = match entry {
                Entry::Ready(index) => *index,
                Entry::Refused(reason) => return Err(refused(reason)),
            };
            let code = code.as_ref().map_err(Clone::clone)?;
            let mut host = Script::default();
            let mut pause = || progress(done, total);
            let ended = run_entry(
                &self.program,
                code,
                index,
                limits.clone(),
                &mut host,
                &mut pause,
            );
            done += 1;
            ended.value
        };
        let at = match &self.at {
            super::plan::Point::Known(at) => at.clone(),
            super::plan::Point::Computed(entry, text) => {
                vec![evaluate(entry).unwrap_or_else(|_| text.clone())]
            }
        };
        let value = evaluate(&self.value);
        // What takes too long for its value takes longer for its derivative.
        let too_much = value.as_ref().err().filter(|failure| failure.limit);
        let derivatives = self.derivatives.iter().map(|(by, terms)| Derivative {
            by: by.clone(),
            values: match too_much {
                Some(failure) => Err(failure.clone()),
                None => terms.iter().map(&mut evaluate).collect(),
            },
        });
        let derivatives = derivatives.collect();
        DerivativeResult {
            name: self.name.clone(),
            at,
            value,
            derivatives,
            stamp: self.stamp,
        }
    }
}

impl RunPlan {
    /// Runs the entry under limits, with nothing to read; what it prints is kept.
    pub fn run(&self, limits: &Limits, mut progress: impl FnMut()) -> RunResult {
        let mut host = Script::default();
        let (value, stats) = match compiled(&self.program) {
            Ok(code) => {
                let limits = limits.clone();
                let ended = run_entry(&self.program, &code, 0, limits, &mut host, &mut || {
                    progress()
                });
                (ended.value, ended.stats)
            }
            Err(failure) => (Err(failure), Stats::default()),
        };
        RunResult {
            name: self.name.clone(),
            value,
            output: host.output,
            steps: stats.steps,
            millis: stats.millis,
            stamp: self.stamp,
        }
    }
}
