//! Refactorings among the code actions, and `codeAction/resolve`, which makes their edits.

use std::ops::Range;

use frank_ide::{FileRange, Refactor, RefactorKind, TextEdit};
use serde::{Deserialize, Serialize};
use text_size::{TextRange, TextSize};
use tower_lsp::ls_types as lsp;

use super::gaps::to_port;
use super::resolve::ResolveData;
use crate::documents::Document;
use crate::edits::workspace_edit;
use crate::request_snapshot::{Answer, RequestError, RequestSnapshot, Target};

/// A refactoring whose edits are made later.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Offered {
    /// The version of the document that the action was offered for.
    version: Option<i32>,
    pub range: lsp::Range,
    refactor: String,
}

pub fn kind(refactor: Refactor) -> lsp::CodeActionKind {
    match refactor.kind() {
        RefactorKind::Extract => lsp::CodeActionKind::REFACTOR_EXTRACT,
        RefactorKind::Inline => lsp::CodeActionKind::REFACTOR_INLINE,
        RefactorKind::Rewrite => lsp::CodeActionKind::REFACTOR_REWRITE,
    }
}

/// The refactorings at a range, without their edits if the client asks for those later.
pub fn offer(
    snapshot: &RequestSnapshot,
    target: &Target,
    document: &Document,
    wanted: impl Fn(&lsp::CodeActionKind) -> bool,
    actions: &mut Vec<lsp::CodeAction>,
) {
    let Some(at) = file_range(target) else {
        return;
    };
    for offered in snapshot.analysis.refactorings(at) {
        snapshot.check();
        let kind = kind(offered.refactor);
        if !wanted(&kind) {
            continue;
        }
        let mut action = lsp::CodeAction {
            title: offered.title,
            kind: Some(kind),
            ..lsp::CodeAction::default()
        };
        if snapshot.capabilities.code_action_edits_lazily {
            let later = Offered {
                version: document.version,
                range: snapshot.range(document, at.range),
                refactor: offered.refactor.name().to_owned(),
            };
            action.data = ResolveData::write(&document.uri, later);
        } else {
            match snapshot.analysis.refactor(at, offered.refactor) {
                Ok(edits) => {
                    let made = made(snapshot, document, target, offered.refactor, &edits);
                    (action.edit, action.command) = (Some(made.edit), made.command);
                }
                Err(_) => continue,
            }
        }
        actions.push(action);
    }
}

/// A refactoring's edits, and what follows them.
pub struct Made {
    pub edit: lsp::WorkspaceEdit,
    pub command: Option<lsp::Command>,
}

fn made(
    snapshot: &RequestSnapshot,
    document: &Document,
    target: &Target,
    refactor: Refactor,
    edits: &[TextEdit],
) -> Made {
    Made {
        edit: workspace_edit(snapshot, edits),
        command: match refactor {
            Refactor::AddPort => to_port(snapshot, document, target, edits),
            _ => None,
        },
    }
}

/// The edits of a refactoring that was offered.
pub fn resolve(
    snapshot: &RequestSnapshot,
    target: &Target,
    data: &ResolveData<Offered>,
) -> Answer<Made> {
    let (Some(document), Some(refactor), Some(at)) = (
        snapshot.document(target.file),
        Refactor::parse(&data.item.refactor),
        file_range(target),
    ) else {
        return Err(RequestError::Invalid(
            "there is no such code action".to_owned(),
        ));
    };
    if document.version != data.item.version {
        return Err(RequestError::Refused(
            "the text has changed since this was offered".to_owned(),
        ));
    }
    match snapshot.analysis.refactor(at, refactor) {
        Ok(edits) => Ok(made(snapshot, document, target, refactor, &edits)),
        Err(refusal) => Err(RequestError::Refused(refusal.to_string())),
    }
}

fn file_range(target: &Target) -> Option<FileRange> {
    let Range { start, end } = target.range();
    let size = |bytes: usize| u32::try_from(bytes).ok().map(TextSize::new);
    Some(FileRange {
        file: target.file,
        range: TextRange::new(size(start)?, size(end.max(start))?),
    })
}
