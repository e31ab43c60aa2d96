//! A run state by state, for a panel beside the text.

use std::time::Duration;

use frank_core::FileId;
use frank_interpreter::Limits;
use frank_semantics::Semantics;
use frank_semantics::page::{Page, Source};
use frank_semantics::paths::Paths;
use frank_semantics::trace::{self, Ended, trace};
use web_time::Instant;

use super::plan::RunPlan;

/// More states than a person goes through; the page says that there are more.
const MOST_STATES: usize = 10_000;

/// More bytes of terms than an editor has room for.
const MOST_TEXT: usize = 32 << 20;

/// How long the states of a run are made, if its limits allow as much, and then how long they are written.
const PATIENCE: Duration = Duration::from_secs(5);

/// Bytes that the states of a run take at most, if its limits allow as much.
const MOST_BYTES: usize = 512 << 20;

impl RunPlan {
    /// The paths of the files that the run may lead through.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.program.files.values().map(|file| file.path.as_str())
    }

    /// The states of the run, which reads nothing. `source` gives the text of a file by its path.
    pub fn steps(&self, limits: &Limits, source: impl Fn(&str) -> Option<Source>) -> Page {
        let mut semantics = Semantics::new(&self.program, "");
        let program = &self.program;
        let mut source = |file: FileId| source(&program.files[file].path);
        let most = trace::Limits {
            states: MOST_STATES,
            steps: limits.steps.unwrap_or(trace::Limits::default().steps),
            memory: limits.memory.min(MOST_BYTES),
            until: Instant::now().checked_add(limits.time.unwrap_or(PATIENCE).min(PATIENCE)),
        };
        let run = semantics
            .start(0)
            .map(|first| trace(&mut semantics, first, most));
        let paths = Paths {
            semantics: &semantics,
            moments: run.as_ref().map_or(&[], |run| &run.moments),
        };
        let count = paths.moments.len();
        let until = Instant::now().checked_add(PATIENCE);
        let in_time = |_: &usize| until.is_none_or(|until| Instant::now() <= until);
        let all = (0..count).take_while(in_time);
        let mut page = Page::new(paths, &self.name, all, MOST_TEXT, &mut source);
        let ended = run.map(|run| run.ended);
        page.cut = page.states.len() < count || matches!(ended, Some(Ended::Cut(_)));
        if page.cut {
            return page;
        }
        if let Some(Ended::Stuck(stuck)) = ended {
            page.failure = Some(stuck.message);
        }
        page
    }
}
