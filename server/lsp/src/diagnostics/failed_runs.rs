//! Marks where the last run of an operator failed, until its program changes. They are no findings: the program
//! is right as far as anybody can say before it runs.

use std::ops::Range;

use frank_analysis::db::SourceFile;
use frank_ide::evaluate::{EvaluationError, RunResult};
use frank_syntax::visible::visible;
use tower_lsp::ls_types as lsp;

use crate::documents::Document;
use crate::request_snapshot::{RequestSnapshot, text_range};
use crate::results::{EvaluationKind, Outcome, Subject, is_stale};

/// The source of these marks, as the client shows it.
pub const SOURCE: &str = "frank run";

/// So many lines at most of what the run printed are shown, the last ones.
const MOST_LINES: usize = 5;

/// A run that failed in a file.
pub struct FailedRun<'a> {
    pub subject: &'a Subject,
    result: &'a RunResult,
    error: &'a EvaluationError,
    range: lsp::Range,
}

/// The runs that failed last in a file, whichever file their operator is in.
pub fn in_file<'a>(
    snapshot: &'a RequestSnapshot,
    file: SourceFile,
    document: &Document,
) -> Vec<FailedRun<'a>> {
    let analysis = &snapshot.analysis;
    let own: &str = file.path(snapshot.db());
    let failed = snapshot.results.all().filter_map(|(subject, outcome)| {
        let Outcome::Run(result) = outcome else {
            return None;
        };
        let error = result.value.as_ref().err()?;
        let (path, bytes) = error.place.as_ref()?;
        let asked = analysis.snapshot().file(&subject.key)?;
        let is_here = path.as_str() == own && subject.kind == EvaluationKind::Run;
        if !is_here || error.limit || is_stale(analysis, asked, subject, outcome) {
            return None;
        }
        let place = text_range(bytes, document)?;
        Some(FailedRun {
            subject,
            result,
            error,
            range: snapshot.range(document, place),
        })
    });
    let mut failed: Vec<FailedRun<'a>> = failed.collect();
    failed.sort_by_key(|one| one.subject);
    failed
}

/// A mark as the client shows it: the message, what was printed, and the stack as related places.
pub fn mark(snapshot: &RequestSnapshot, failed: &FailedRun<'_>) -> lsp::Diagnostic {
    let FailedRun {
        result,
        error,
        range,
        ..
    } = failed;
    let mut message = format!(
        "the last run of `{}` failed here: {}",
        result.name, error.message
    );
    let printed: Vec<&str> = result.output.lines().collect();
    if !printed.is_empty() {
        let first = printed.len().saturating_sub(MOST_LINES);
        message.push_str("\nit had printed:");
        if first > 0 {
            message.push_str("\n…");
        }
        for line in printed.iter().skip(first) {
            message.push('\n');
            message.push_str(&visible(line));
        }
    }
    let related = error.related.iter();
    let related = related.map(|(place, what)| (place, (*what).to_owned()));
    let stack = error
        .stack
        .iter()
        .map(|(place, what)| (place, what.clone()));
    let related = related.chain(stack).filter_map(|(place, message)| {
        let location = snapshot.location_of(place)?;
        Some(lsp::DiagnosticRelatedInformation { location, message })
    });
    let related = snapshot
        .capabilities
        .related_information
        .then(|| related.collect());
    lsp::Diagnostic {
        range: *range,
        severity: Some(lsp::DiagnosticSeverity::INFORMATION),
        source: Some(SOURCE.to_owned()),
        message,
        related_information: related,
        ..lsp::Diagnostic::default()
    }
}

impl FailedRun<'_> {
    /// Whether the place touches bytes that are asked about.
    pub fn touches(&self, asked: &Range<usize>) -> bool {
        let place = self.error.place.as_ref();
        place.is_some_and(|(_, bytes)| {
            bytes.start as usize <= asked.end && asked.start <= bytes.end as usize
        })
    }
}
