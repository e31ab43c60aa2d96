//! Edits of files, in the protocol's words.

use std::collections::HashMap;

use frank_analysis::db::SourceFile;
use frank_ide::TextEdit;
use tower_lsp::ls_types as lsp;

use crate::request_snapshot::RequestSnapshot;

/// Edits of several files. With a client that can do so, each is of the version that was looked at.
pub fn workspace_edit(snapshot: &RequestSnapshot, edits: &[TextEdit]) -> lsp::WorkspaceEdit {
    let mut order: Vec<SourceFile> = Vec::new();
    let mut by_file: HashMap<SourceFile, Vec<lsp::TextEdit>> = HashMap::new();
    for edit in edits {
        let Some(range) = snapshot.range_in(edit.at.file, edit.at.range) else {
            continue;
        };
        let edits = by_file.entry(edit.at.file).or_insert_with(|| {
            order.push(edit.at.file);
            Vec::new()
        });
        edits.push(lsp::TextEdit {
            range,
            new_text: edit.text.clone(),
        });
    }
    let files = order
        .into_iter()
        .filter_map(|file| Some((snapshot.document(file)?, by_file.remove(&file)?)));
    if snapshot.capabilities.document_changes {
        let changes = files.map(|(document, edits)| lsp::TextDocumentEdit {
            text_document: lsp::OptionalVersionedTextDocumentIdentifier {
                uri: document.uri.clone(),
                version: document.version,
            },
            edits: edits.into_iter().map(lsp::OneOf::Left).collect(),
        });
        lsp::WorkspaceEdit {
            document_changes: Some(lsp::DocumentChanges::Edits(changes.collect())),
            ..lsp::WorkspaceEdit::default()
        }
    } else {
        let changes = files.map(|(document, edits)| (document.uri.clone(), edits));
        lsp::WorkspaceEdit {
            changes: Some(changes.collect()),
            ..lsp::WorkspaceEdit::default()
        }
    }
}
