//! `textDocument/codeAction`: quick fixes and refactorings.

use frank_analysis::diagnostics::{Code, Diagnostic, Fix};
use frank_analysis::snapshot::Snapshot;
use text_size::{TextRange, TextSize};
use tower_lsp::ls_types as lsp;

use super::gaps::to_gap;
use crate::commands::{self, RUN};
use crate::diagnostics::{convert, failed_runs_in, findings, findings_if, mark_of_failed_run};
use crate::documents::Document;
use crate::edits::workspace_edit;
use crate::request_snapshot::{Answer, RequestSnapshot, Target};

/// All safe fixes of a file at once, also when it is saved.
pub const FIX_ALL: lsp::CodeActionKind = lsp::CodeActionKind::new("source.fixAll.frank");

pub fn actions(
    snapshot: &RequestSnapshot,
    target: &Target,
    only: Option<&[lsp::CodeActionKind]>,
) -> Answer<Option<lsp::CodeActionResponse>> {
    let document = snapshot
        .document(target.file)
        .filter(|document| !document.library);
    let Some(document) = document.filter(|_| snapshot.capabilities.code_action_literals) else {
        return Ok(None);
    };
    let mut actions = Vec::new();
    if wanted(only, &lsp::CodeActionKind::QUICKFIX) {
        quick_fixes(snapshot, target, document, &mut actions);
        super::holes::offer(snapshot, target, document, &mut actions);
        run_again(snapshot, target, document, &mut actions);
    }
    super::refactorings::offer(
        snapshot,
        target,
        document,
        |kind| wanted(only, kind),
        &mut actions,
    );
    if wanted(only, &lsp::CodeActionKind::REFACTOR_REWRITE) {
        super::examples::offer(snapshot, target, document, &mut actions);
    }
    // Whoever asks for nothing in particular wants no changes elsewhere.
    if only.is_some() && wanted(only, &FIX_ALL) {
        actions.extend(fix_all(snapshot, target));
    }
    let actions = actions
        .into_iter()
        .map(lsp::CodeActionOrCommand::CodeAction);
    Ok(Some(actions.collect()))
}

/// Whether a client wants actions of a kind: kinds are parts of those that are shorter.
fn wanted(only: Option<&[lsp::CodeActionKind]>, kind: &lsp::CodeActionKind) -> bool {
    only.is_none_or(|only| {
        only.iter().any(|wanted| {
            let rest = kind.as_str().strip_prefix(wanted.as_str());
            rest.is_some_and(|rest| {
                rest.is_empty() || rest.starts_with('.') || wanted.as_str().is_empty()
            })
        })
    })
}

fn quick_fixes(
    snapshot: &RequestSnapshot,
    target: &Target,
    document: &Document,
    actions: &mut Vec<lsp::CodeAction>,
) {
    let asked = target.range();
    let touches = |range: &TextRange| {
        usize::from(range.start()) <= asked.end && asked.start <= usize::from(range.end())
    };
    let all = findings(snapshot, target.file, document).into_iter();
    let touched: Vec<(Diagnostic, TextSize, bool)> = all
        .filter_map(|problem| {
            let places = snapshot.analysis.offered_at(&problem);
            let touched = places.iter().filter(|range| touches(range));
            let is_own = places.first().is_some_and(touches);
            Some((problem, touched.map(|range| range.len()).min()?, is_own))
        })
        .collect();
    // Of clauses around clauses, those that the place is in first of all are meant.
    let clauses = touched
        .iter()
        .filter(|(problem, ..)| problem.code == Code::MissingPatterns);
    let innermost = clauses.map(|(_, length, _)| *length).min();
    for (problem, length, is_own) in touched {
        if problem.code == Code::MissingPatterns && !is_own && Some(length) > innermost {
            continue;
        }
        let problem = &snapshot.analysis.with_quick_fixes(problem);
        for (number, fix) in problem.fixes.iter().enumerate() {
            actions.push(lsp::CodeAction {
                diagnostics: Some(vec![convert(snapshot, document, problem)]),
                // The surest comes first, where one is.
                is_preferred: (number == 0
                    && !problem.undecided
                    && snapshot.analysis.is_sound(problem, fix))
                .then_some(true),
                ..action_of(snapshot, target, document, fix)
            });
        }
    }
    // What does not parse has no finding about its holes.
    let place = target.position();
    let of_hole = snapshot.analysis.fixes_of_hole_in_broken_item(place);
    let of_hole = of_hole.iter();
    actions.extend(of_hole.map(|fix| action_of(snapshot, target, document, fix)));
}

/// A fix as an action, of whatever finding.
fn action_of(
    snapshot: &RequestSnapshot,
    target: &Target,
    document: &Document,
    fix: &Fix,
) -> lsp::CodeAction {
    let edits = snapshot.analysis.edits_of(fix);
    lsp::CodeAction {
        title: titled(&fix.title),
        kind: Some(lsp::CodeActionKind::QUICKFIX),
        command: to_gap(snapshot, document, target, &edits),
        edit: Some(workspace_edit(snapshot, &edits)),
        ..lsp::CodeAction::default()
    }
}

/// The actions that run once more what failed at a place.
fn run_again(
    snapshot: &RequestSnapshot,
    target: &Target,
    document: &Document,
    actions: &mut Vec<lsp::CodeAction>,
) {
    for failed in failed_runs_in(snapshot, target.file, document) {
        let subject = failed.subject;
        let asked = snapshot.analysis.snapshot().file(&subject.key);
        let Some(from) = asked.and_then(|file| snapshot.document(file)) else {
            continue;
        };
        if !failed.touches(&target.range()) {
            continue;
        }
        let arguments = commands::arguments(&from.uri, &subject.name, subject.kind);
        let title = format!("Run `{}` again", subject.name);
        actions.push(lsp::CodeAction {
            title: title.clone(),
            kind: Some(lsp::CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![mark_of_failed_run(snapshot, &failed)]),
            command: Some(lsp::Command {
                title,
                command: RUN.to_owned(),
                arguments: Some(arguments),
            }),
            ..lsp::CodeAction::default()
        });
    }
}

/// A title as editors show it, with a capital letter. Elsewhere it continues "help: …".
fn titled(title: &str) -> String {
    let mut rest = title.chars();
    let first = rest.next().map(|first| first.to_uppercase());
    first.into_iter().flatten().chain(rest).collect()
}

/// The action that applies all safe fixes in the file.
fn fix_all(snapshot: &RequestSnapshot, target: &Target) -> Option<lsp::CodeAction> {
    let check = |files: &Snapshot, file| findings_if(snapshot, files, file);
    let edits = snapshot.analysis.safe_edits(target.file, check);
    (!edits.is_empty()).then(|| lsp::CodeAction {
        title: "Apply all safe fixes".to_owned(),
        kind: Some(FIX_ALL),
        edit: Some(workspace_edit(snapshot, &edits)),
        ..lsp::CodeAction::default()
    })
}
