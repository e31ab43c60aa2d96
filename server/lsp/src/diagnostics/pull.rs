//! Findings that the client asks for.

use std::collections::HashMap;

use tower_lsp::ls_types as lsp;

use super::of_file;
use super::publish::digest;
use crate::request_snapshot::{Answer, RequestSnapshot, Target};

/// The findings of a document, or that they are what the client knows.
pub fn document(
    snapshot: &RequestSnapshot,
    target: &Target,
    known: Option<&str>,
) -> Answer<lsp::DocumentDiagnosticReportResult> {
    let items = match snapshot.document(target.file) {
        Some(document) => of_file(snapshot, target.file, document),
        None => Vec::new(),
    };
    let id = format!("{:016x}", digest(&items));
    let report = if known == Some(id.as_str()) {
        lsp::DocumentDiagnosticReport::Unchanged(lsp::RelatedUnchangedDocumentDiagnosticReport {
            related_documents: None,
            unchanged_document_diagnostic_report: lsp::UnchangedDocumentDiagnosticReport {
                result_id: id,
            },
        })
    } else {
        lsp::DocumentDiagnosticReport::Full(lsp::RelatedFullDocumentDiagnosticReport {
            related_documents: None,
            full_document_diagnostic_report: lsp::FullDocumentDiagnosticReport {
                result_id: Some(id),
                items,
            },
        })
    };
    Ok(lsp::DocumentDiagnosticReportResult::Report(report))
}

/// The findings of all files, as far as they are not what the client knows.
pub fn workspace(
    snapshot: &RequestSnapshot,
    known: &[lsp::PreviousResultId],
) -> Answer<lsp::WorkspaceDiagnosticReportResult> {
    let known: HashMap<&lsp::Uri, &str> = known
        .iter()
        .map(|known| (&known.uri, known.value.as_str()))
        .collect();
    let mut items = Vec::new();
    let mut present = Vec::new();
    for (file, document) in snapshot
        .documents
        .iter()
        .filter(|(_, document)| !document.library)
    {
        present.push(&document.uri);
        let version = document.version.map(i64::from);
        let problems = of_file(snapshot, file, document);
        let before = known.get(&document.uri);
        if problems.is_empty() && before.is_none() {
            continue;
        }
        let id = format!("{:016x}", digest(&problems));
        items.push(if before == Some(&id.as_str()) {
            lsp::WorkspaceUnchangedDocumentDiagnosticReport {
                uri: document.uri.clone(),
                version,
                unchanged_document_diagnostic_report: lsp::UnchangedDocumentDiagnosticReport {
                    result_id: id,
                },
            }
            .into()
        } else {
            full(document.uri.clone(), version, Some(id), problems)
        });
    }
    // Of files that are gone, what the client knows is not true any more.
    for uri in known.into_keys().filter(|uri| !present.contains(uri)) {
        items.push(full(uri.clone(), None, None, Vec::new()));
    }
    Ok(lsp::WorkspaceDiagnosticReportResult::Report(
        lsp::WorkspaceDiagnosticReport { items },
    ))
}

fn full(
    uri: lsp::Uri,
    version: Option<i64>,
    result_id: Option<String>,
    items: Vec<lsp::Diagnostic>,
) -> lsp::WorkspaceDocumentDiagnosticReport {
    lsp::WorkspaceFullDocumentDiagnosticReport {
        uri,
        version,
        full_document_diagnostic_report: lsp::FullDocumentDiagnosticReport { result_id, items },
    }
    .into()
}
