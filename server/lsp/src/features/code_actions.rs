//! `textDocument/codeAction`: what cures findings, and refactorings.

use frank_analysis::diagnostics::Diagnostic;
use tower_lsp::ls_types as lsp;

use crate::diagnostics::{convert, findings};
use crate::documents::Document;
use crate::edits::workspace_edit;
use crate::world::{Answer, Target, World};

/// All certain cures of a file at once, also when it is saved.
pub const FIX_ALL: lsp::CodeActionKind = lsp::CodeActionKind::new("source.fixAll.frank");

pub fn actions(
    world: &World,
    target: &Target,
    only: Option<&[lsp::CodeActionKind]>,
) -> Answer<Option<lsp::CodeActionResponse>> {
    let document = world
        .document(target.file)
        .filter(|document| !document.library);
    let Some(document) = document.filter(|_| world.support.code_action_literals) else {
        return Ok(None);
    };
    let mut actions = Vec::new();
    let problems = findings(world, target.file, document);
    if wanted(only, &lsp::CodeActionKind::QUICKFIX) {
        quick_fixes(world, target, document, &problems, &mut actions);
    }
    super::refactorings::offer(world, target, document, only, &mut actions);
    // Whoever asks for nothing in particular wants no changes elsewhere.
    if only.is_some() && wanted(only, &FIX_ALL) {
        actions.extend(fix_all(world, &problems));
    }
    let actions = actions
        .into_iter()
        .map(lsp::CodeActionOrCommand::CodeAction);
    Ok(Some(actions.collect()))
}

/// Whether a client wants actions of a kind: kinds are parts of those that are shorter.
pub fn wanted(only: Option<&[lsp::CodeActionKind]>, kind: &lsp::CodeActionKind) -> bool {
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
    world: &World,
    target: &Target,
    document: &Document,
    problems: &[Diagnostic],
    actions: &mut Vec<lsp::CodeAction>,
) {
    let asked = target.range();
    for problem in problems {
        let range = world.analysis.snapshot().range(problem.location);
        let touches =
            usize::from(range.start()) <= asked.end && asked.start <= usize::from(range.end());
        if !touches {
            continue;
        }
        let problem = &world.analysis.cured(problem.clone());
        for (number, fix) in problem.fixes.iter().enumerate() {
            actions.push(lsp::CodeAction {
                title: fix.title.clone(),
                kind: Some(lsp::CodeActionKind::QUICKFIX),
                diagnostics: Some(vec![convert(world, document, problem)]),
                edit: Some(workspace_edit(world, &world.analysis.edits_of(fix))),
                // The surest comes first.
                is_preferred: (number == 0).then_some(true),
                ..lsp::CodeAction::default()
            });
        }
    }
}

/// The certain cures of all findings, as far as they do not touch one another.
fn fix_all(world: &World, problems: &[Diagnostic]) -> Option<lsp::CodeAction> {
    let edits = world.analysis.certain_edits(problems);
    (!edits.is_empty()).then(|| lsp::CodeAction {
        title: "Fix everything with a certain cure".to_owned(),
        kind: Some(FIX_ALL),
        edit: Some(workspace_edit(world, &edits)),
        ..lsp::CodeAction::default()
    })
}
