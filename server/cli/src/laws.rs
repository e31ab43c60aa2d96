//! Runs laws: all tries of one together within the limits.

use std::time::Instant;

use frank_analysis::check::term_inference;
use frank_analysis::db::{ItemSource, SourceFile};
use frank_analysis::link::{EntryPoint, link};
use frank_analysis::snapshot::Snapshot;
use frank_core::Program;
use frank_ide::laws::{Counterexample, Failed, Failure, Kind, Law, Runs, Tries, Verdict};
use frank_interpreter::{Limits, RunError, Script, Specialise, compile_with};

use crate::execute;
use crate::native;
use crate::prepared::Prepared;

/// How a run ended, if that was with an error.
pub type Ended = Option<Box<(Prepared, RunError)>>;

/// Tries a law that has been checked. Gives values for which it does not hold.
///
/// # Errors
/// It cannot be tried; with a sentence that says why.
pub fn check(
    snapshot: &Snapshot,
    scope: SourceFile,
    source: ItemSource,
    tries: Tries,
    limits: &Limits,
) -> Result<Option<Box<Counterexample<Ended>>>, String> {
    let db = snapshot.db();
    if let Some(needs) = execute::needs(snapshot, "the law", term_inference(db, scope, source)) {
        return Err(needs);
    }
    let program = link(db, &[EntryPoint::Term { scope, source }]);
    let law = Law::new(program.map_err(|error| error.to_string())?)?;
    let mut runner = Runner {
        limits,
        began: Instant::now(),
    };
    Ok(match law.check(tries, &mut runner)? {
        Verdict::Holds => None,
        Verdict::Fails(example) => Some(example),
    })
}

struct Runner<'l> {
    limits: &'l Limits,
    began: Instant,
}

impl Runs for Runner<'_> {
    type What = Ended;

    fn run(
        &mut self,
        program: Program,
        steps: Option<u64>,
        counts: &dyn Fn(Kind) -> bool,
    ) -> Result<Failed<Ended>, String> {
        // Each entry is run once, so it is not worth while to make it fast.
        let code = compile_with(&program, Specialise::No).map_err(|error| error.to_string())?;
        let prepared = Prepared::new(program, code);
        let longest = execute::longest_value(self.limits);
        for entry in 0..prepared.program().entries.len() {
            let time = self.limits.time;
            let limits = Limits {
                time: time.map(|time| time.saturating_sub(self.began.elapsed())),
                steps: self.limits.steps.into_iter().chain(steps).min(),
                ..self.limits.clone()
            };
            let mut host = Script::new("");
            let ended = native::run(&prepared, entry, limits, &mut host, longest, || ());
            if let Some((kind, error)) = Kind::of_run(ended.value)
                && counts(kind)
            {
                let what = error.map(|error| Box::new((prepared, *error)));
                return Ok(Some((entry, Failure { kind, what })));
            }
        }
        Ok(None)
    }
}
