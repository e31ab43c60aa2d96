//! `frank/info`: all that is known at a place, for a view beside the text. The request takes what
//! `textDocument/hover` takes, and its answer is an [`Info`], or `null` where nothing is known.

use std::fmt::Write;

use frank_ide::Adaptation;
use serde::Serialize;
use tower_lsp::ls_types as lsp;

use super::abilities::{Ability, ability};
use super::holes::{Goal, shown};
use crate::client::brief;
use crate::diagnostics;
use crate::documents::Document;
use crate::request_snapshot::{Answer, RequestSnapshot, Target};
use crate::results::{EvaluationKind, is_stale};

/// What is known at a place.
#[derive(Debug, Serialize)]
pub struct Info {
    /// What it is about.
    range: Option<lsp::Range>,
    /// Frank text: the definition, and the type here.
    types: Vec<String>,
    ability: Option<Ability>,
    adaptor: Option<Adaptor>,
    /// What is known of the hole there.
    goal: Option<Goal>,
    /// Those on the line.
    findings: Vec<lsp::Diagnostic>,
    /// What the operator around the place gave when it was last run or differentiated.
    results: Vec<LastResult>,
    /// All of it as plain text.
    text: String,
}

/// An adaptor, and the abilities on both of its sides.
#[derive(Debug, Serialize)]
struct Adaptor {
    adaptor: String,
    around: String,
    under: String,
}

#[derive(Debug, Serialize)]
struct LastResult {
    text: String,
    stale: bool,
}

pub fn info(snapshot: &RequestSnapshot, target: &Target) -> Answer<Option<Info>> {
    let Some(document) = snapshot.document(target.file) else {
        return Ok(None);
    };
    let findings = on_line(snapshot, target, document);
    let known = snapshot
        .analysis
        .info(target.position())
        .unwrap_or_default();
    let mut info = Info {
        range: known.range.map(|range| snapshot.range(document, range)),
        types: known.types,
        ability: known.ability.map(|stack| ability(snapshot, stack)),
        adaptor: known.adaptor.map(adaptor),
        goal: known.goal.map(|goal| shown(snapshot, document, goal)),
        findings,
        results: known
            .inside
            .map(|name| results(snapshot, target, document, &name))
            .unwrap_or_default(),
        text: String::new(),
    };
    info.text = plain(&info, document);
    Ok((!info.text.is_empty()).then_some(info))
}

fn adaptor(found: Adaptation) -> Adaptor {
    Adaptor {
        adaptor: found.shown,
        around: found.around,
        under: found.under,
    }
}

/// The findings on the line of a place.
fn on_line(
    snapshot: &RequestSnapshot,
    target: &Target,
    document: &Document,
) -> Vec<lsp::Diagnostic> {
    let at = target.range().start.min(document.text.len_bytes());
    let line = document.text.byte_to_line(at);
    let number = u32::try_from(line).unwrap_or(u32::MAX);
    let mut found = diagnostics::of_file(snapshot, target.file, document);
    found.retain(|finding| {
        let range = finding.range;
        range.start.line <= number && number <= range.end.line
    });
    found
}

fn results(
    snapshot: &RequestSnapshot,
    target: &Target,
    document: &Document,
    name: &str,
) -> Vec<LastResult> {
    let all = snapshot.results.of_file(&document.key).into_iter();
    let own =
        all.filter(|(subject, _)| subject.name == name && subject.kind != EvaluationKind::Example);
    own.map(|(subject, outcome)| {
        let stale = is_stale(&snapshot.analysis, target.file, subject, outcome);
        LastResult {
            text: outcome.label(stale),
            stale,
        }
    })
    .collect()
}

/// A block of lines under a heading.
struct Block {
    heading: String,
    lines: Vec<String>,
}

/// All of it as plain text, blocks with a blank line between them.
fn plain(info: &Info, document: &Document) -> String {
    let mut blocks = Vec::new();
    if !info.types.is_empty() {
        blocks.push(Block {
            heading: info.types.join("\n"),
            lines: Vec::new(),
        });
    }
    if let Some(ability) = &info.ability {
        let mut lines = Vec::new();
        for instance in &ability.instances {
            let active = if instance.active { "  (active)" } else { "" };
            lines.push(format!("{}{active}", instance.instance));
            lines.extend(instance.by.iter().map(|by| match &by.location {
                Some(location) => format!("  {}  {}", by.text, place(location, document)),
                None => format!("  {}", by.text),
            }));
        }
        lines.extend(ability.rest.clone());
        blocks.push(Block {
            heading: "Ability".to_owned(),
            lines,
        });
    }
    if let Some(adaptor) = &info.adaptor {
        blocks.push(Block {
            heading: format!("Adaptor {}", adaptor.adaptor),
            lines: vec![
                format!("around it: {}", adaptor.around),
                format!("under it:  {}", adaptor.under),
            ],
        });
    }
    let known = info.goal.as_ref().map(Goal::lines);
    if let Some(lines) = known.filter(|lines| !lines.is_empty()) {
        blocks.push(Block {
            heading: "Hole".to_owned(),
            lines,
        });
    }
    for finding in &info.findings {
        let related = finding.related_information.iter().flatten();
        blocks.push(Block {
            heading: heading(finding),
            lines: finding
                .message
                .lines()
                .map(str::to_owned)
                .chain(related.map(|other| {
                    format!("{}: {}", place(&other.location, document), other.message)
                }))
                .collect(),
        });
    }
    if !info.results.is_empty() {
        blocks.push(Block {
            heading: "Last result".to_owned(),
            lines: info.results.iter().map(|one| one.text.clone()).collect(),
        });
    }
    let mut out = String::new();
    for Block { heading, lines } in blocks {
        let gap = if out.is_empty() { "" } else { "\n" };
        let _infallible = writeln!(out, "{gap}{heading}");
        for line in lines {
            let _infallible = writeln!(out, "  {line}");
        }
    }
    out
}

/// `Error FK0202`.
fn heading(finding: &lsp::Diagnostic) -> String {
    let severity = match finding.severity {
        Some(lsp::DiagnosticSeverity::ERROR) | None => "Error",
        Some(lsp::DiagnosticSeverity::WARNING) => "Warning",
        Some(_) => "Hint",
    };
    match &finding.code {
        Some(lsp::NumberOrString::String(code)) => format!("{severity} {code}"),
        _ => severity.to_owned(),
    }
}

/// `12:5` in the same file, `main.fk:12:5` in another.
fn place(location: &lsp::Location, document: &Document) -> String {
    let start = location.range.start;
    match location.uri == document.uri {
        true => format!("{}:{}", start.line + 1, start.character + 1),
        false => brief(location),
    }
}
