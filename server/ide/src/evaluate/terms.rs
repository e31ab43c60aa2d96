//! Terms that are made up for a question: written as Frank text in the program's scope, checked and
//! lowered like any term.

use frank_analysis::builtin::{console, picture};
use frank_analysis::check::term_inference;
use frank_analysis::db::{Database, SourceFile};
use frank_analysis::file_findings::term_diagnostics;
use frank_analysis::infer::table::Table;
use frank_analysis::link::{EntryPoint, LinkError, link, unanswered};
use frank_analysis::program::InterfaceDef;
use frank_analysis::types::Computation;
use frank_core::Program;

use super::execute::probe;
use super::plan::Entry;
use crate::Analysis;
use crate::rename::Refusal;

/// Checks terms and gathers those that can run.
pub(super) struct Terms<'a> {
    analysis: &'a Analysis,
    scope: SourceFile,
    entries: Vec<EntryPoint>,
}

impl<'a> Terms<'a> {
    pub fn new(analysis: &'a Analysis, scope: SourceFile) -> Terms<'a> {
        Terms {
            analysis,
            scope,
            entries: Vec::new(),
        }
    }

    pub fn add(&mut self, text: &str) -> Entry {
        let db = self.analysis.db();
        let source = self.analysis.snapshot().term(self.scope, text);
        let problems = term_diagnostics(db, self.scope, source);
        if let Some(problem) = problems.iter().find(|problem| problem.keeps_from_running()) {
            return Entry::Refused(problem.message.clone());
        }
        let inference = term_inference(db, self.scope, source);
        if let Some(computation) = &inference.computation
            && let Some(reason) = forbidden(db, &inference.table, computation)
        {
            return Entry::Refused(reason);
        }
        let entry = EntryPoint::Term {
            scope: self.scope,
            source,
        };
        // One that cannot be lowered must not keep the others from running.
        if let Err(error) = link(db, &[entry]) {
            return Entry::Refused(broken(&error));
        }
        self.entries.push(entry);
        Entry::Ready(self.entries.len() - 1)
    }

    /// The first of several ways to write a term that can run; else why the first cannot.
    pub fn first_of<T>(
        &mut self,
        ways: &[T],
        mut text: impl FnMut(&T) -> Result<String, String>,
    ) -> Entry {
        let mut refused: Option<Entry> = None;
        for way in ways {
            let entry = match text(way) {
                Ok(text) => self.add(&text),
                Err(reason) => Entry::Refused(reason),
            };
            if matches!(entry, Entry::Ready(_)) {
                return entry;
            }
            refused = refused.or(Some(entry));
        }
        refused.unwrap_or_else(|| Entry::Refused("there is no way to write it".to_owned()))
    }

    pub fn program(&self) -> Result<Program, Refusal> {
        link(self.analysis.db(), &self.entries).map_err(|error| Refusal(broken(&error)))
    }
}

pub(super) fn broken(error: &LinkError) -> String {
    match error {
        LinkError::Broken(name) => format!("`{name}`, which it needs, has errors"),
        other => other.to_string(),
    }
}

/// Why a term must not be evaluated only to get a number.
fn forbidden(db: &Database, table: &Table, computation: &Computation) -> Option<String> {
    let row = table.row(computation.ability);
    let mut used = row.instances.iter().map(|instance| instance.interface);
    let (terminal, picture) = (console(db), picture(db));
    if let Some(shown) = used.find(|one| *one == terminal || Some(*one) == picture) {
        return Some(format!("it uses the `{}`", shown.0.name));
    }
    let missing = unanswered(db, &table.row(computation.ability));
    (!missing.is_empty()).then(|| format!("it needs {}, which nobody handles", listed(&missing)))
}

pub(super) fn listed(interfaces: &[InterfaceDef]) -> String {
    let mut names: Vec<String> = interfaces
        .iter()
        .map(|i| format!("`{}`", i.0.name))
        .collect();
    names.dedup();
    names.join(", ")
}

/// How many steps a test of an operator may take.
const PROBE_STEPS: u64 = 100_000;

/// The value of a small term; `None` if it takes too many steps.
pub(super) fn probed(analysis: &Analysis, scope: SourceFile, text: &str) -> Option<String> {
    let mut terms = Terms::new(analysis, scope);
    match (terms.add(text), terms.program()) {
        (Entry::Ready(_), Ok(program)) => probe(&program, PROBE_STEPS),
        _ => None,
    }
}
