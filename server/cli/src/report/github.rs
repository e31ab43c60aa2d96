//! Findings as GitHub's workflow commands, which a workflow run shows beside the lines.

use std::io::{self, Write};

use frank_analysis::diagnostics::Severity;
use frank_syntax::visible::{visible, visible_lines};

use super::Options;
use crate::findings::Findings;

pub fn write(out: &mut dyn Write, findings: &Findings, options: &Options) -> io::Result<()> {
    for problem in options.problems {
        let command = if problem.serious { "error" } else { "notice" };
        let file = property(options.names.in_report(&problem.file));
        write!(out, "::{command} file={file},")?;
        if let Some(at) = problem.at {
            write!(out, "line={},col={},", at.line, at.column)?;
        }
        writeln!(out, "title=frank::{}", data(&visible(&problem.message)))?;
    }
    for finding in &findings.findings {
        let command = match finding.level(options.deny_warnings) {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Hint => "notice",
        };
        let source = findings.source(&finding.place);
        let (start, end) = (
            source.position(finding.place.start),
            source.position(finding.place.end),
        );
        let mut message = finding.message.clone();
        for (place, said) in &finding.related {
            let other = findings.source(place);
            let at = other.position(place.start);
            message += &format!("\n{}:{}:{}: {said}", other.shown(), at.line, at.column);
        }
        for help in &finding.help {
            message += &format!("\nhelp: {help}");
        }
        write!(
            out,
            "::{command} file={},line={},endLine={},col={},endColumn={},title={}::",
            property(options.names.in_report(&source.key)),
            start.line,
            end.line,
            start.column,
            end.column,
            finding.code.as_str(),
        )?;
        writeln!(out, "{}", data(&message))?;
    }
    Ok(())
}

/// A command's text, in which line breaks and `%` have a meaning.
fn data(text: &str) -> String {
    visible_lines(text).replace('%', "%25").replace('\n', "%0A")
}

/// The value of a command's property, in which `:` and `,` have one, too.
fn property(text: &str) -> String {
    data(&visible(text)).replace(':', "%3A").replace(',', "%2C")
}
