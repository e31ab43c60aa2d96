//! `textDocument/codeAction`: quick fixes and refactorings.

use frank_analysis::snapshot::Snapshot;
use tower_lsp::ls_types as lsp;

use crate::diagnostics::{convert, findings, findings_if};
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
    }
    super::refactorings::offer(
        snapshot,
        target,
        document,
        |kind| wanted(only, kind),
        &mut actions,
    );
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
    for problem in findings(snapshot, target.file, document) {
        let range = snapshot.analysis.snapshot().range(problem.location);
        let touches =
            usize::from(range.start()) <= asked.end && asked.start <= usize::from(range.end());
        if !touches {
            continue;
        }
        let problem = &snapshot.analysis.with_quick_fixes(problem);
        for (number, fix) in problem.fixes.iter().enumerate() {
            actions.push(lsp::CodeAction {
                title: titled(&fix.title),
                kind: Some(lsp::CodeActionKind::QUICKFIX),
                diagnostics: Some(vec![convert(snapshot, document, problem)]),
                edit: Some(workspace_edit(snapshot, &snapshot.analysis.edits_of(fix))),
                // The surest comes first, where one is.
                is_preferred: (number == 0
                    && !problem.undecided
                    && snapshot.analysis.is_sound(problem, fix))
                .then_some(true),
                ..lsp::CodeAction::default()
            });
        }
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
