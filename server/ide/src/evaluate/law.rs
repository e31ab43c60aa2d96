//! Tries laws: all tries of one together within the limits.

use frank_core::Program;
use frank_interpreter::Limits;
use web_time::Instant;

use super::execute::{compiled, run_for_truth};
use super::plan::LawPlan;
use super::result::{EvaluationError, LawResult};
use crate::laws::{Failed, Failure, Kind, Runs, Tries, Verdict};

impl LawPlan {
    /// Tries the law under limits, of which the time is that of all tries together. `progress` gets how many values of how
    /// many were tried.
    pub fn run(
        &self,
        tries: Tries,
        limits: &Limits,
        progress: &mut dyn FnMut(usize, usize),
    ) -> LawResult {
        let mut runner = Runner {
            limits,
            until: limits.time.map(|time| Instant::now() + time),
            progress,
            done: 0,
            most: usize::try_from(tries.most).unwrap_or(usize::MAX),
        };
        let held = match self.law.check(tries, &mut runner) {
            Ok(Verdict::Holds) => Ok(tries.most),
            Ok(Verdict::Fails(example)) => {
                let said = example.said();
                Err(match example.failure.what {
                    Some(ended) => EvaluationError {
                        message: format!("{said}: {}", ended.message),
                        ..ended
                    },
                    None => EvaluationError::said(&said),
                })
            }
            Err(reason) => Err(EvaluationError::said(&reason)),
        };
        LawResult {
            held,
            stamp: self.stamp,
        }
    }
}

struct Runner<'a> {
    limits: &'a Limits,
    /// When the time of all tries together is over.
    until: Option<Instant>,
    progress: &'a mut dyn FnMut(usize, usize),
    done: usize,
    most: usize,
}

impl Runs for Runner<'_> {
    type What = Option<EvaluationError>;

    fn run(
        &mut self,
        program: Program,
        steps: Option<u64>,
        counts: &dyn Fn(Kind) -> bool,
    ) -> Result<Failed<Self::What>, String> {
        let code = compiled(&program).map_err(|failure| failure.message)?;
        for entry in 0..program.entries.len() {
            let left = |until: Instant| until.saturating_duration_since(Instant::now());
            let limits = Limits {
                time: self.until.map(left),
                steps: self.limits.steps.into_iter().chain(steps).min(),
                ..self.limits.clone()
            };
            // What looks for smaller values is no try.
            let (done, most) = (self.done.min(self.most), self.most);
            let mut pause = || (self.progress)(done, most);
            pause();
            let failed = run_for_truth(&program, &code, entry, limits, &mut pause);
            self.done += 1;
            if let Some((kind, what)) = failed
                && counts(kind)
            {
                return Ok(Some((entry, Failure { kind, what })));
            }
        }
        Ok(None)
    }
}
