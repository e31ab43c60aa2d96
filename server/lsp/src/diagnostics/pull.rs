//! Findings that the client asks for.

use std::collections::{HashMap, HashSet};

use frank_analysis::db::SourceFile;
use tower_lsp::ls_types as lsp;

use super::apart::{Findings, closed_parts, findings_of_part};
use super::{digest, of_file};
use crate::documents::Document;
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
    let mut report = |document: &Document, found: Findings| {
        let version = document.version.map(i64::from);
        let digest = found.digest();
        let id = format!("{digest:016x}");
        let before = known.get(&document.uri);
        match found {
            Findings::Found(found) if before != Some(&id.as_str()) => {
                if before.is_some() || !found.is_empty() {
                    items.push(full(document.uri.clone(), version, Some(id), found));
                }
            }
            _ if before.is_none() => {}
            _ => items.push(unchanged(document.uri.clone(), version, id)),
        }
    };
    let parts = closed_parts(snapshot);
    let apart: HashSet<SourceFile> = parts.iter().flatten().copied().collect();
    for (file, document) in snapshot
        .documents
        .iter()
        .filter(|(_, document)| !document.library)
    {
        present.push(&document.uri);
        if !apart.contains(&file) {
            let found = of_file(snapshot, file, document);
            report(document, Findings::Found(found));
        }
    }
    let is_told = |document: &Document, digest: u64| match known.get(&document.uri) {
        Some(known) => *known == format!("{digest:016x}"),
        None => digest == super::digest(&[]),
    };
    for part in &parts {
        snapshot.check();
        for (file, found) in findings_of_part(snapshot, part, is_told) {
            if let Some(document) = snapshot.document(file) {
                report(document, found);
            }
        }
    }
    // Of files that are gone, what the client knows is not true any more.
    for uri in known.into_keys().filter(|uri| !present.contains(uri)) {
        items.push(full(uri.clone(), None, None, Vec::new()));
    }
    Ok(lsp::WorkspaceDiagnosticReportResult::Report(
        lsp::WorkspaceDiagnosticReport { items },
    ))
}

fn unchanged(
    uri: lsp::Uri,
    version: Option<i64>,
    result_id: String,
) -> lsp::WorkspaceDocumentDiagnosticReport {
    lsp::WorkspaceUnchangedDocumentDiagnosticReport {
        uri,
        version,
        unchanged_document_diagnostic_report: lsp::UnchangedDocumentDiagnosticReport { result_id },
    }
    .into()
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
