//! Findings as SARIF 2.1.0, which code-scanning services read.

use std::collections::BTreeMap;
use std::io::{self, Write};

use frank_analysis::diagnostics::{Code, Severity, book};
use serde_json::{Value, json};

use super::Options;
use crate::baseline::fingerprint;
use crate::findings::{Finding, Findings, Fix, SourceRange};
use crate::json::visible;
use crate::project::Problem;
use crate::source::Source;

pub fn write(out: &mut dyn Write, findings: &Findings, options: &Options) -> io::Result<()> {
    let mut rules: BTreeMap<Code, usize> = BTreeMap::new();
    for finding in &findings.findings {
        rules.insert(finding.code, 0);
    }
    for (index, rule) in rules.values_mut().enumerate() {
        *rule = index;
    }
    let results: Vec<Value> = findings
        .findings
        .iter()
        .map(|finding| {
            result(
                findings,
                finding,
                rules.get(&finding.code).copied().unwrap_or(0),
                options,
            )
        })
        .collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "frank",
                "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": rules.keys().map(|code| rule(*code)).collect::<Vec<_>>(),
            } },
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": { "SRCROOT": { "description": { "text": "The root of the repository, where GitHub says which it is, else the directory that frank was run in" } } },
            "artifacts": findings.checked.iter()
                .map(|file| json!({ "location": location(options.names.in_report(file)), "sourceLanguage": "frank" }))
                .collect::<Vec<_>>(),
            "invocations": [{
                "executionSuccessful": options.problems.iter().all(|problem| !problem.serious),
                "toolExecutionNotifications": options.problems.iter()
                    .map(|problem| notification(problem, options))
                    .collect::<Vec<_>>(),
            }],
            "results": results,
        }],
    });
    writeln!(out, "{}", visible(&serde_json::to_string_pretty(&log)?))
}

fn rule(code: Code) -> Value {
    let declaration = code.declaration();
    let explanation = book::explanation(code);
    json!({
        "id": declaration.code,
        "name": format!("{code:?}"),
        "shortDescription": { "text": declaration.title },
        "help": { "text": explanation, "markdown": explanation },
        "helpUri": code.page_url(),
        "defaultConfiguration": { "level": level(declaration.severity) },
    })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "note",
    }
}

fn result(findings: &Findings, finding: &Finding, rule: usize, options: &Options) -> Value {
    let mut message = finding.message.clone();
    for help in &finding.help {
        message += &format!("\n{help}");
    }
    let related = finding
        .related
        .iter()
        .enumerate()
        .map(|(id, (place, said))| {
            let mut other = physical(findings, place, options);
            if let Some(fields) = other.as_object_mut() {
                fields.insert("id".to_owned(), json!(id));
                fields.insert("message".to_owned(), json!({ "text": said }));
            }
            other
        });
    json!({
        "ruleId": finding.code.as_str(),
        "ruleIndex": rule,
        "level": level(finding.level(options.deny_warnings)),
        "message": { "text": message },
        "locations": [physical(findings, &finding.place, options)],
        "relatedLocations": related.collect::<Vec<_>>(),
        "partialFingerprints": { "frank/v1": digest(findings, finding, options) },
        "fixes": finding.fixes.iter().map(|one| fix(findings, one, options)).collect::<Vec<_>>(),
    })
}

/// What a service recognises a finding by in the next run.
fn digest(findings: &Findings, finding: &Finding, options: &Options) -> String {
    let file = &findings.source(&finding.place).key;
    let name = options.names.in_report(file).to_owned();
    fingerprint(findings, finding, name).digest()
}

/// What kept a file from being checked.
fn notification(problem: &Problem, options: &Options) -> Value {
    let mut place = json!({ "artifactLocation": location(options.names.in_report(&problem.file)) });
    if let (Some(at), Some(fields)) = (problem.at, place.as_object_mut()) {
        let region = json!({ "startLine": at.line, "startColumn": at.column });
        fields.insert("region".to_owned(), region);
    }
    json!({
        "level": if problem.serious { "error" } else { "note" },
        "message": { "text": problem.message },
        "locations": [{ "physicalLocation": place }],
    })
}

fn physical(findings: &Findings, place: &SourceRange, options: &Options) -> Value {
    let source = findings.source(place);
    json!({ "physicalLocation": {
        "artifactLocation": location(options.names.in_report(&source.key)),
        "region": region(source, place),
    } })
}

fn region(source: &Source, place: &SourceRange) -> Value {
    let (start, end) = (source.position(place.start), source.position(place.end));
    json!({
        "startLine": start.line, "startColumn": start.column,
        "endLine": end.line, "endColumn": end.column,
    })
}

/// A fix: what to replace in which files.
fn fix(findings: &Findings, fix: &Fix, options: &Options) -> Value {
    let mut changes: BTreeMap<usize, Vec<Value>> = BTreeMap::new();
    for (place, text) in &fix.edits {
        changes.entry(place.source).or_default().push(json!({
            "deletedRegion": region(findings.source(place), place),
            "insertedContent": { "text": text },
        }));
    }
    let changes = changes.into_iter().filter_map(|(source, replacements)| {
        let source = findings.sources.get(source)?;
        let location = location(options.names.in_report(&source.key));
        Some(json!({ "artifactLocation": location, "replacements": replacements }))
    });
    json!({ "description": { "text": fix.title }, "artifactChanges": changes.collect::<Vec<_>>() })
}

/// A file: relative to `SRCROOT`, if it is below that.
fn location(path: &str) -> Value {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'/' | b'-' | b'_' | b'.' | b'~' => uri.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => uri.push(char::from(byte)),
            _ => uri += &format!("%{byte:02X}"),
        }
    }
    match path.strip_prefix(frank_analysis::files::LIBRARY_DIR) {
        Some(name) => json!({ "uri": format!("frank-library:{name}") }),
        None if path.starts_with('/') => json!({ "uri": format!("file://{uri}") }),
        None => json!({ "uri": uri, "uriBaseId": "SRCROOT" }),
    }
}
