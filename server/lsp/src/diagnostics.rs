//! Findings, as the client shows them.

mod publish;
mod pull;

use frank_analysis::db::SourceFile;
use frank_analysis::diagnostics::{Code, Diagnostic, Severity};
use frank_analysis::file_findings::file_diagnostics;
use frank_analysis::snapshot::Snapshot;
use frank_workspace::suppress::suppress;
use tower_lsp::ls_types as lsp;

use crate::documents::Document;
use crate::results::{Outcome, is_stale};
use crate::world::World;

pub use publish::{Pass, Publisher, Scope};
pub use pull::{document, workspace};

/// Who says so.
const SOURCE: &str = "frank";

/// Where the page about a code is.
const BOOK: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/");

/// The findings in a file as they are to be shown: adjusted, without those that comments allow, in
/// the order of their places.
pub fn of_file(world: &World, file: SourceFile, document: &Document) -> Vec<lsp::Diagnostic> {
    if document.library {
        return Vec::new();
    }
    let mut shown: Vec<lsp::Diagnostic> = findings(world, file, document)
        .into_iter()
        .map(|problem| {
            world.check();
            convert(world, document, &problem)
        })
        .collect();
    shown.extend(disagreements(world, file, document));
    shown.sort_by_key(|problem| (problem.range.start, problem.range.end));
    shown
}

/// Derivative operators that were seen to give different numbers, or others than finite differences
/// do: one of them is wrong, or what they differentiate is not smooth.
fn disagreements(world: &World, file: SourceFile, document: &Document) -> Vec<lsp::Diagnostic> {
    let results = world.results.of_file(&document.key).into_iter();
    let wrong = results.filter(|(subject, outcome)| match outcome {
        Outcome::Derivative(results) => {
            let mut results = results.iter();
            results.any(|result| result.disagrees() || result.fails_check())
                && !is_stale(world, file, &subject.name, outcome)
        }
        Outcome::Run(_) => false,
    });
    let shown = wrong.filter_map(|(subject, outcome)| {
        let (_, name) = world.analysis.operator_place(file, &subject.name)?;
        Some(lsp::Diagnostic {
            range: world.range(document, name),
            severity: Some(lsp::DiagnosticSeverity::ERROR),
            source: Some(SOURCE.to_owned()),
            message: outcome.label(false),
            ..lsp::Diagnostic::default()
        })
    });
    shown.collect()
}

/// The findings in a file: adjusted, and without those that comments allow.
pub fn findings(world: &World, file: SourceFile, document: &Document) -> Vec<Diagnostic> {
    let mut problems = file_diagnostics(world.db(), file);
    if document.has_suppressions {
        suppress(world.analysis.snapshot(), file, &mut problems);
    }
    adjusted(world, &document.key, problems)
}

/// What [`findings`] would be if the files were those of a snapshot.
pub fn findings_if(world: &World, snapshot: &Snapshot, file: SourceFile) -> Vec<Diagnostic> {
    let mut problems = file_diagnostics(snapshot.db(), file);
    suppress(snapshot, file, &mut problems);
    adjusted(world, file.path(snapshot.db()), problems)
}

fn adjusted(world: &World, key: &str, problems: Vec<Diagnostic>) -> Vec<Diagnostic> {
    problems
        .into_iter()
        .filter_map(|problem| world.settings.adjust(key, problem))
        .collect()
}

/// A finding as the client shows it.
pub fn convert(world: &World, document: &Document, problem: &Diagnostic) -> lsp::Diagnostic {
    let snapshot = world.analysis.snapshot();
    let place = world.range(document, snapshot.range(problem.location));
    let mut shown = shell(world, problem, place);
    let mut related = Vec::new();
    for other in &problem.related {
        let file = other.location.item.file(world.db());
        let range = snapshot.range(other.location);
        let Some(location) = world.location(frank_ide::FileRange { file, range }) else {
            continue;
        };
        if world.support.related_information {
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
fn shell(world: &World, problem: &Diagnostic, range: lsp::Range) -> lsp::Diagnostic {
    let code = problem.code.as_str();
    let mut message = problem.message.clone();
    for help in &problem.help {
        message.push('\n');
        message.push_str(help);
    }
    let page = || format!("{BOOK}{}", problem.code.page()).parse().ok();
    let href = if world.support.code_description {
        page()
    } else {
        None
    };
    let unnecessary = world.support.unnecessary_tag && is_unnecessary(problem.code);
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

/// Whether what a finding is about could be left out.
fn is_unnecessary(code: Code) -> bool {
    matches!(
        code,
        Code::UnreachableClause
            | Code::UnusedVariable
            | Code::UnusedOperator
            | Code::IdleAdaptor
            | Code::IdleHandler
            | Code::UnusedSuppression
    )
}
