//! Findings, as the client shows them.

mod apart;
mod failed_runs;
mod publish;
mod pull;

use std::hash::{DefaultHasher, Hash, Hasher};

use frank_analysis::db::SourceFile;
use frank_analysis::diagnostics::{Diagnostic, Severity};
use frank_analysis::snapshot::Snapshot;
use frank_workspace::Settings;
use frank_workspace::config::Holes;
use tower_lsp::ls_types as lsp;

use crate::documents::Document;
use crate::request_snapshot::RequestSnapshot;
use crate::results::Outcome;

pub use failed_runs::{in_file as failed_runs_in, mark as mark_of_failed_run};
pub use publish::{Pause, ProjectFindings, PublishRound, Publisher, Scope, Share};
pub use pull::{document, workspace};

/// The source of all findings, as the client shows it.
const SOURCE: &str = "frank";

/// Who writes a program knows of the holes in it.
const HOLES: Holes = Holes::Allow;

/// The findings in a file as the client shows them now, in the order of their places. Those that may
/// only say that the line that is typed is unfinished are not among them.
pub fn of_file(
    snapshot: &RequestSnapshot,
    file: SourceFile,
    document: &Document,
) -> Vec<lsp::Diagnostic> {
    let found = findings(snapshot, file, document).into_iter();
    let is_held = |problem: &Diagnostic| {
        let range = || snapshot.analysis.snapshot().range(problem.location).into();
        let typed = snapshot.typed.as_ref();
        typed.is_some_and(|typed| typed.holds(file, problem, range()))
    };
    let shown = found.filter(|problem| !is_held(problem)).map(|problem| {
        snapshot.check();
        convert(snapshot, document, &problem)
    });
    let failed = failed_runs::in_file(snapshot, file, document);
    let marks = failed
        .iter()
        .map(|failed| failed_runs::mark(snapshot, failed));
    shown.chain(marks).collect()
}

/// The findings in a file that count, those of evaluations among them.
pub fn findings(
    snapshot: &RequestSnapshot,
    file: SourceFile,
    document: &Document,
) -> Vec<Diagnostic> {
    if document.library {
        return Vec::new();
    }
    let results = snapshot.results.of_file(&document.key).into_iter();
    let evaluated = results.filter_map(|(subject, outcome)| match outcome {
        Outcome::Derivative(results) => {
            let analysis = &snapshot.analysis;
            analysis.disagreement(file, &subject.name, results)
        }
        Outcome::Run(_) | Outcome::Law(_) => None,
    });
    let settings = Settings {
        configs: &snapshot.settings.configs(&document.key),
        holes: HOLES,
        unreadable: &snapshot.unreadable,
        may_suppress: document.has_suppressions,
    };
    let files = snapshot.analysis.snapshot();
    frank_workspace::findings(files, file, evaluated.collect(), &settings)
}

/// As [`findings`], for edited copies of the files.
pub fn findings_if(
    snapshot: &RequestSnapshot,
    files: &Snapshot,
    file: SourceFile,
) -> Vec<Diagnostic> {
    let settings = Settings {
        configs: &snapshot.settings.configs(file.path(files.db())),
        holes: HOLES,
        unreadable: &snapshot.unreadable,
        may_suppress: true,
    };
    frank_workspace::findings(files, file, Vec::new(), &settings)
}

/// A finding as the client shows it.
pub fn convert(
    snapshot: &RequestSnapshot,
    document: &Document,
    problem: &Diagnostic,
) -> lsp::Diagnostic {
    let files = snapshot.analysis.snapshot();
    let place = snapshot.range(document, files.range(problem.location));
    let mut shown = shell(snapshot, problem, place);
    let mut related = Vec::new();
    for other in &problem.related {
        let file = other.location.item.file(snapshot.db());
        let range = files.range(other.location);
        let Some(location) = snapshot.location(frank_ide::FileRange { file, range }) else {
            continue;
        };
        if snapshot.capabilities.related_information {
            let message = other.message.clone();
            related.push(lsp::DiagnosticRelatedInformation { location, message });
        } else {
            let line = location.range.start.line + 1;
            shown
                .message
                .push_str(&format!("\n{} (line {line})", other.message));
        }
    }
    if !related.is_empty() {
        shown.related_information = Some(related);
    }
    shown
}

/// What is shown of a finding apart from other places.
fn shell(snapshot: &RequestSnapshot, problem: &Diagnostic, range: lsp::Range) -> lsp::Diagnostic {
    let code = problem.code.as_str();
    let mut message = problem.message.clone();
    for help in &problem.help {
        message.push('\n');
        message.push_str(help);
    }
    let page = || problem.code.page_url().parse().ok();
    let href = if snapshot.capabilities.code_description {
        page()
    } else {
        None
    };
    let unnecessary = snapshot.capabilities.unnecessary_tag && problem.code.marks().unnecessary;
    lsp::Diagnostic {
        range,
        severity: Some(match problem.severity {
            Severity::Error => lsp::DiagnosticSeverity::ERROR,
            Severity::Warning => lsp::DiagnosticSeverity::WARNING,
            Severity::Hint => lsp::DiagnosticSeverity::HINT,
        }),
        code: Some(lsp::NumberOrString::String(code.to_owned())),
        code_description: href.map(|href| lsp::CodeDescription { href }),
        source: Some(SOURCE.to_owned()),
        message,
        related_information: None,
        tags: unnecessary.then(|| vec![lsp::DiagnosticTag::UNNECESSARY]),
        data: None,
    }
}

/// A number that differs where findings differ.
fn digest(diagnostics: &[lsp::Diagnostic]) -> u64 {
    let mut hasher = DefaultHasher::new();
    // What is not in the message follows from what is.
    for problem in diagnostics {
        let range = problem.range;
        (
            range.start.line,
            range.start.character,
            range.end.line,
            range.end.character,
        )
            .hash(&mut hasher);
        problem.message.hash(&mut hasher);
        format!("{:?}{:?}", problem.severity, problem.code).hash(&mut hasher);
        for related in problem.related_information.iter().flatten() {
            let range = related.location.range;
            related.location.uri.as_str().hash(&mut hasher);
            (
                range.start.line,
                range.start.character,
                range.end.line,
                range.end.character,
            )
                .hash(&mut hasher);
            related.message.hash(&mut hasher);
        }
    }
    hasher.finish()
}
