//! A copy of the program in which terms are tried for a hole: whether examples hold with them, and what is warned of.

use std::time::Duration;

use frank_analysis::check::operator_diagnostics;
use frank_analysis::db::SourceFile;
use frank_analysis::files::Files;
use frank_interpreter::Limits;
use frank_syntax::ast::Symbol;

use super::HoleAt;
use crate::Analysis;
use crate::examples::Expected;

/// What one run of an example may need.
const EXAMPLE_STEPS: u64 = 200_000;
const EXAMPLE_MEMORY: usize = 64 << 20;

/// An example that says what comes out.
pub(super) struct Wanted {
    pub term: String,
    pub value: Expected,
}

/// A copy of the program in which terms are tried.
pub(super) struct Bench {
    files: Files,
    file: SourceFile,
    /// The program that the operator is looked at in, and its name.
    scope: SourceFile,
    name: Symbol,
    /// The clause in the text as it is now.
    clause: std::ops::Range<usize>,
    text: String,
}

impl Bench {
    pub fn new(analysis: &Analysis, hole: &HoleAt<'_>) -> Option<Bench> {
        let db = analysis.db();
        let source = hole.view.source;
        let own = source.file(db);
        let roots = analysis.programs_of_files([own].into_iter());
        let files = analysis.copy_of(&roots, |file| analysis.snapshot().text(file));
        let file = files.file(own.path(db))?;
        let scope = files.file(hole.view.scope.path(db))?;
        let start = usize::from(hole.view.start);
        Some(Bench {
            file,
            scope,
            name: hole.view.operator()?.0.name,
            clause: start..start + hole.view.text().len(),
            text: analysis.snapshot().text(own),
            files,
        })
    }

    /// Whether the examples hold with another text for the clause; `None` if those that do not end in another hole.
    pub fn holds(&mut self, clause: &str, wanted: &[Wanted]) -> Option<bool> {
        self.put(clause);
        let analysis = Analysis::new(self.files.snapshot());
        let limits = Limits {
            steps: Some(EXAMPLE_STEPS),
            memory: EXAMPLE_MEMORY,
            time: Some(Duration::from_millis(200)),
            ..Limits::default()
        };
        let mut is_open = false;
        for wanted in wanted {
            let plan = analysis.term_plan(self.file, &wanted.term);
            let Ok(plan) = plan else {
                return Some(false);
            };
            match plan.run(&limits, || {}).value {
                Ok(value) if wanted.value.is(&value) => {}
                Err(error) if error.hole => is_open = true,
                Ok(_) | Err(_) => return Some(false),
            }
        }
        (!is_open).then_some(true)
    }

    /// Puts what brings a warning behind the others that are as good, as far as there is time. `clause` gives what stands in
    /// the place of the clause then.
    pub fn warned_last<T>(
        &mut self,
        offers: &mut Vec<T>,
        late: &dyn Fn() -> bool,
        clause: impl Fn(&T) -> String,
    ) {
        if offers.len() < 2 {
            return;
        }
        let (mut quiet, mut warned) = (Vec::new(), Vec::new());
        for offer in offers.drain(..) {
            match !late() && self.is_warned_of(&clause(&offer)) {
                true => warned.push(offer),
                false => quiet.push(offer),
            }
        }
        offers.extend(quiet.into_iter().chain(warned));
    }

    /// Whether there is a finding about the operator, if no error, with another text for the clause.
    fn is_warned_of(&mut self, clause: &str) -> bool {
        self.put(clause);
        let snapshot = self.files.snapshot();
        let found = operator_diagnostics(snapshot.db(), self.scope, self.name);
        found.iter().any(|finding| !finding.is_error())
    }

    /// Writes another text for the clause.
    fn put(&mut self, clause: &str) {
        let old = self.clause.clone();
        self.text.replace_range(old.clone(), clause);
        self.clause = old.start..old.start + clause.len();
        self.files
            .edit(self.file, self.text.as_str(), old, clause.len());
    }
}
