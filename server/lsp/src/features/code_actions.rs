//! `textDocument/codeAction`: quick fixes and refactorings.

use std::ops::Range;

use frank_analysis::snapshot::Snapshot;
use frank_ide::TextEdit;
use frank_syntax::lexer::lex;
use ropey::Rope;
use text_size::TextRange;
use tower_lsp::ls_types as lsp;

use crate::commands::{SELECT, place_arguments};
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
    for problem in findings(snapshot, target.file, document) {
        let touches = |range: &TextRange| {
            usize::from(range.start()) <= asked.end && asked.start <= usize::from(range.end())
        };
        if !snapshot.analysis.offered_at(&problem).iter().any(touches) {
            continue;
        }
        let problem = &snapshot.analysis.with_quick_fixes(problem);
        for (number, fix) in problem.fixes.iter().enumerate() {
            let edits = snapshot.analysis.edits_of(fix);
            actions.push(lsp::CodeAction {
                title: titled(&fix.title),
                kind: Some(lsp::CodeActionKind::QUICKFIX),
                diagnostics: Some(vec![convert(snapshot, document, problem)]),
                command: to_gap(snapshot, document, target, &edits),
                edit: Some(workspace_edit(snapshot, &edits)),
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

/// Selects, once a fix is applied, the first gap that it leaves to be filled in the file.
fn to_gap(
    snapshot: &RequestSnapshot,
    document: &Document,
    target: &Target,
    edits: &[TextEdit],
) -> Option<lsp::Command> {
    if !snapshot.capabilities.shows_documents {
        return None;
    }
    let own = edits.iter().filter(|edit| edit.at.file == target.file);
    let mut own: Vec<&TextEdit> = own.collect();
    own.sort_by_key(|edit| edit.at.range.start());
    let gap = first_gap(&own)?;
    let mut text = document.text.to_string();
    for edit in own.iter().rev() {
        text.replace_range(Range::<usize>::from(edit.at.range), &edit.text);
    }
    let place = lsp::Location {
        uri: document.uri.clone(),
        range: snapshot
            .documents
            .encoding
            .range(&Rope::from_str(&text), gap),
    };
    Some(lsp::Command {
        title: "Select what is to be filled in".to_owned(),
        command: SELECT.to_owned(),
        arguments: Some(place_arguments(&place)),
    })
}

/// Where the first gap is, in the text that the edits make, which are in the order of their places.
fn first_gap(edits: &[&TextEdit]) -> Option<Range<usize>> {
    let mut grown = 0;
    let mut shrunk = 0;
    for edit in edits {
        let start = usize::from(edit.at.range.start()) + grown - shrunk;
        if let Some(gap) = gap_in(edit) {
            return Some(start + gap.start..start + gap.end);
        }
        grown += edit.text.len();
        shrunk += usize::from(edit.at.range.len());
    }
    None
}

/// The gap that an edit writes: the body of a clause, or an argument. Other `_` are patterns.
fn gap_in(edit: &TextEdit) -> Option<Range<usize>> {
    let tokens = lex(&edit.text).filter(|(kind, _)| !kind.is_trivia());
    let words: Vec<Range<usize>> = tokens.map(|(_, range)| range).collect();
    let word = |range: &Range<usize>| edit.text.get(range.clone()).unwrap_or_default();
    let is_gap = |range: &Range<usize>| word(range) == "_";
    let bodies = words.windows(2).find_map(|pair| match pair {
        [before, gap] if matches!(word(before), "=" | "->") && is_gap(gap) => Some(gap.clone()),
        _ => None,
    });
    let arguments = || {
        let only_gaps = edit.at.range.is_empty() && words.iter().all(is_gap);
        words.first().cloned().filter(|_| only_gaps)
    };
    bodies.or_else(arguments)
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
