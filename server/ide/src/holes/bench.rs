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
use crate::rename::Refusal;

/// What one run of an example may need.
const EXAMPLE_STEPS: u64 = 200_000;
const EXAMPLE_MEMORY: usize = 64 << 20;
const EXAMPLE_TIME: Duration = Duration::from_millis(200);

/// An example that says what comes out.
pub(super) struct Wanted {
    pub term: String,
    pub value: Expected,
}

/// What the examples say of a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Said {
    Hold,
    Differ,
    /// One ends in another hole.
    Open,
    /// One needs more than a run of it may.
    TooLong,
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

    /// Takes those examples out that cannot be run whatever stands in the place of the hole, and says why.
    pub fn take_unusable(&self, wanted: &mut Vec<Wanted>) -> Vec<String> {
        let analysis = Analysis::new(self.files.snapshot());
        let mut unusable = Vec::new();
        wanted.retain(|wanted| match analysis.term_plan(self.file, &wanted.term) {
            Ok(_) => true,
            Err(Refusal(why)) => {
                let term: Vec<&str> = wanted.term.split_whitespace().collect();
                unusable.push(format!(
                    "the example `{}` cannot be run: {why}",
                    term.join(" ")
                ));
                false
            }
        });
        unusable
    }

    /// What the examples say of another text for the clause.
    pub fn said(&mut self, clause: &str, wanted: &[Wanted]) -> Said {
        self.put(clause);
        let analysis = Analysis::new(self.files.snapshot());
        let limits = Limits {
            steps: Some(EXAMPLE_STEPS),
            memory: EXAMPLE_MEMORY,
            time: Some(EXAMPLE_TIME),
            ..Limits::default()
        };
        let mut said = Said::Hold;
        for wanted in wanted {
            let Ok(plan) = analysis.term_plan(self.file, &wanted.term) else {
                return Said::Differ;
            };
            match plan.run(&limits, || {}).value {
                Ok(value) if wanted.value.is(&value) => {}
                Err(error) if error.hole => said = Said::Open,
                // Another one may still differ.
                Err(error) if error.limit => said = Said::TooLong,
                Ok(_) | Err(_) => return Said::Differ,
            }
        }
        said
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
