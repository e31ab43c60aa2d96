//! Findings for programs: an object for each, one a line. The form is stable.

use std::io::{self, Write};

use serde::Serialize;

use crate::findings::{Findings, SourceRange};
use crate::json::visible;
use crate::source::Position;

#[derive(Serialize)]
struct Object<'f> {
    code: &'f str,
    severity: &'f str,
    message: &'f str,
    file: &'f str,
    range: Range,
    related: Vec<Related<'f>>,
    help: &'f [String],
}

#[derive(Serialize)]
struct Related<'f> {
    message: &'f str,
    file: &'f str,
    range: Range,
}

/// `end` is the first position behind the range.
#[derive(Serialize)]
struct Range {
    start: Position,
    end: Position,
}

pub fn write(out: &mut dyn Write, findings: &Findings) -> io::Result<()> {
    let range = |place: &SourceRange| {
        let source = findings.source(place);
        Range {
            start: source.position(place.start),
            end: source.position(place.end),
        }
    };
    for finding in &findings.findings {
        let related = finding.related.iter().map(|(place, message)| Related {
            message,
            file: &findings.source(place).name,
            range: range(place),
        });
        let object = Object {
            code: finding.code.as_str(),
            severity: finding.severity.word(),
            message: &finding.message,
            file: &findings.source(&finding.place).name,
            range: range(&finding.place),
            related: related.collect(),
            help: &finding.help,
        };
        writeln!(out, "{}", visible(&serde_json::to_string(&object)?))?;
    }
    Ok(())
}
