//! Refactorings among the code actions, and `codeAction/resolve`, which makes their edits.

use std::ops::Range;

use frank_ide::{FileRange, Refactor, RefactorKind};
use serde::{Deserialize, Serialize};
use text_size::{TextRange, TextSize};
use tower_lsp::ls_types as lsp;

use super::code_actions::wanted;
use crate::documents::Document;
use crate::edits::workspace_edit;
use crate::world::{Answer, Failure, Target, World};

/// What a code action must remember to be resolved.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Origin {
    pub uri: lsp::Uri,
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
    world: &World,
    target: &Target,
    document: &Document,
    only: Option<&[lsp::CodeActionKind]>,
    actions: &mut Vec<lsp::CodeAction>,
) {
    let Some(at) = file_range(target) else {
        return;
    };
    for offered in world.analysis.refactorings(at) {
        world.check();
        let kind = kind(offered.refactor);
        if !wanted(only, &kind) {
            continue;
        }
        let mut action = lsp::CodeAction {
            title: offered.title,
            kind: Some(kind),
            ..lsp::CodeAction::default()
        };
        if world.support.code_action_edits_lazily {
            let origin = Origin {
                uri: document.uri.clone(),
                version: document.version,
                range: world.range(document, at.range),
                refactor: offered.refactor.name().to_owned(),
            };
            action.data = serde_json::to_value(origin).ok();
        } else {
            match world.analysis.refactor(at, offered.refactor) {
                Ok(edits) => action.edit = Some(workspace_edit(world, &edits)),
                Err(_) => continue,
            }
        }
        actions.push(action);
    }
}

/// The edits of a refactoring that was offered.
pub fn resolve(world: &World, target: &Target, origin: &Origin) -> Answer<lsp::WorkspaceEdit> {
    let (Some(document), Some(refactor), Some(at)) = (
        world.document(target.file),
        Refactor::parse(&origin.refactor),
        file_range(target),
    ) else {
        return Err(Failure::Invalid("there is no such code action".to_owned()));
    };
    if document.version != origin.version {
        return Err(Failure::Refused(
            "the text has changed since this was offered".to_owned(),
        ));
    }
    match world.analysis.refactor(at, refactor) {
        Ok(edits) => Ok(workspace_edit(world, &edits)),
        Err(refusal) => Err(Failure::Refused(refusal.to_string())),
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
