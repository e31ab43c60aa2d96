//! Findings as JUnit's XML: a suite for each file, a failed case for each finding that counts. A file
//! that cannot be read has a case with an error.

use std::collections::HashMap;
use std::io::{self, Write};

use frank_analysis::diagnostics::Severity;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use frank_syntax::visible::{visible, visible_lines};

use super::Options;
use crate::findings::{Finding, Findings};

pub fn write(out: &mut dyn Write, findings: &Findings, options: &Options) -> io::Result<()> {
    let mut report = Report::new("frank check");
    let mut by_file: HashMap<&str, Vec<&Finding>> = HashMap::new();
    for finding in &findings.findings {
        by_file
            .entry(&findings.source(&finding.place).key)
            .or_default()
            .push(finding);
    }
    for file in &findings.checked {
        let name = options.names.visible(file);
        let mut suite = TestSuite::new(&name);
        let here = by_file.remove(file.as_str()).unwrap_or_default();
        suite.add_test_cases(
            here.into_iter()
                .map(|finding| case(findings, finding, &name, options)),
        );
        if suite.test_cases.is_empty() {
            let mut case = TestCase::new("no findings", TestCaseStatus::success());
            case.set_classname(&name);
            suite.add_test_case(case);
        }
        report.add_test_suite(suite);
    }
    for problem in options.problems.iter().filter(|problem| problem.serious) {
        let name = options.names.visible(&problem.file);
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_message(visible(&problem.message));
        status.set_description(problem.text(options.names));
        let mut suite = TestSuite::new(&name);
        let mut case = TestCase::new(format!("{name}: can be used"), status);
        case.set_classname(&name);
        suite.add_test_case(case);
        report.add_test_suite(suite);
    }
    // In two steps: an error of the writer would lose what the system says.
    let text = report.to_string().map_err(io::Error::other)?;
    out.write_all(text.as_bytes())
}

fn case(findings: &Findings, finding: &Finding, name: &str, options: &Options) -> TestCase {
    let at = findings
        .source(&finding.place)
        .position(finding.place.start);
    let counts = finding.level(options.deny_warnings) == Severity::Error;
    let mut text = format!("{name}:{}:{}: {}", at.line, at.column, finding.message);
    for (place, said) in &finding.related {
        let other = findings.source(place);
        let at = other.position(place.start);
        text += &format!("\n{}:{}:{}: {said}", other.shown(), at.line, at.column);
    }
    for help in &finding.help {
        text += &format!("\nhelp: {help}");
    }
    let text = visible_lines(&text);
    let mut status = TestCaseStatus::success();
    if counts {
        status = TestCaseStatus::non_success(NonSuccessKind::Failure);
        status.set_type(finding.code.as_str());
        status.set_message(visible_lines(&finding.message));
        status.set_description(&*text);
    }
    let title = format!(
        "{}:{}:{}: {}",
        name,
        at.line,
        at.column,
        finding.code.as_str()
    );
    let mut case = TestCase::new(title, status);
    case.set_classname(name);
    if !counts {
        case.set_system_out(text);
    }
    case
}
