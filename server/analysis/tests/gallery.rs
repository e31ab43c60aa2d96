//! The gallery of broken programs: each with the whole text of its findings.
//!
//! The chapters under `tests/conformance/gallery` are Markdown: a program in a block fenced as
//! `frank,broken`, its findings in a block fenced as `text` after it. `UPDATE_EXPECT=1` writes the
//! findings.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test may panic"
)]

mod support;
mod variants;

use frank_analysis::diagnostics::{Code, Severity};
use support::{Program, apply, expect_file, findings, project_root, render};

/// A chapter's parts: text, and programs with what was found in them.
enum Part {
    Prose(String),
    Program { program: Program, title: String },
}

fn parts(chapter: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut prose = String::new();
    let mut title = String::new();
    let mut lines = chapter.lines().peekable();
    while let Some(line) = lines.next() {
        if line == "```frank,broken" {
            parts.push(Part::Prose(std::mem::take(&mut prose)));
            let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            let program = Program::parse(&(body.join("\n") + "\n"));
            parts.push(Part::Program {
                program,
                title: title.clone(),
            });
        } else if line == "```text" {
            lines
                .by_ref()
                .take_while(|line| *line != "```")
                .for_each(drop);
            // The blank line between a program and its findings is written again.
            if prose.trim().is_empty() {
                prose.clear();
            }
        } else {
            if let Some(heading) = line.strip_prefix("## ") {
                title = heading.to_owned();
            }
            prose.push_str(line);
            prose.push('\n');
        }
    }
    parts.push(Part::Prose(prose));
    parts
}

/// The chapter of programs that are made from those of the other chapters.
const GENERATED: &str = "generated.md";

fn chapters() -> Vec<(std::path::PathBuf, String)> {
    let dir = project_root().join("tests/conformance/gallery");
    let mut paths: Vec<_> = std::fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .filter(|path| {
            let name = path.file_name().unwrap_or_default();
            name != "README.md" && name != GENERATED
        })
        .collect();
    paths.sort();
    paths
        .into_iter()
        .map(|path| (path.clone(), std::fs::read_to_string(path).unwrap()))
        .collect()
}

fn programs() -> Vec<(String, Program)> {
    let mut programs = Vec::new();
    for (path, chapter) in chapters() {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        for part in parts(&chapter) {
            if let Part::Program { program, title } = part {
                programs.push((format!("{name}: {title}"), program));
            }
        }
    }
    programs
}

#[test]
fn the_gallery_says_what_it_should() {
    let mut failures = Vec::new();
    for (path, chapter) in chapters() {
        let mut wanted = String::new();
        for part in parts(&chapter) {
            match part {
                Part::Prose(text) => wanted.push_str(&text),
                Part::Program { program, .. } => {
                    wanted.push_str(&format!(
                        "```frank,broken\n{}```\n\n```text\n{}```\n",
                        program.text(),
                        render(&program)
                    ));
                }
            }
        }
        expect_file(&path, &wanted, &mut failures);
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// A fix takes its finding away, and does not bring more errors than it takes away. What it leaves to
/// be written, a hole, does not count.
#[test]
fn fixes_cure() {
    let mut failures = Vec::new();
    for (name, program) in programs() {
        let files = program.load();
        let before = findings(&files, &program);
        let errors = |found: &[frank_analysis::diagnostics::Diagnostic]| {
            let counts = |problem: &&frank_analysis::diagnostics::Diagnostic| {
                problem.is_error() && problem.code != Code::Hole
            };
            found.iter().filter(counts).count()
        };
        // A hint may go on to the next place that it concerns.
        let loud = before
            .iter()
            .filter(|problem| problem.severity != Severity::Hint);
        for problem in loud {
            for fix in &problem.fixes {
                let fixed = apply(&files, &program, fix);
                let after = fixed.findings();
                // The same mistake may have been made further on, too.
                let is_same = |other: &&frank_analysis::diagnostics::Diagnostic| {
                    other.message == problem.message
                };
                let first =
                    |program: &Program, found: &[frank_analysis::diagnostics::Diagnostic]| {
                        let files = program.load();
                        let same = found.iter().filter(is_same);
                        same.map(|problem| files.range(problem.location).start())
                            .min()
                    };
                let gone = after.len() < before.len()
                    || first(&fixed, &after)
                        .is_none_or(|next| Some(next) > first(&program, &before));
                let better = gone && errors(&after) <= errors(&before);
                if !better {
                    let why = render(&fixed);
                    failures.push(format!("{name}: {}\n{}\n{why}", fix.title, fixed.text()));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// A fix that is applied unasked, or that an editor prefers, is not the reason for a later failure: what it
/// makes has fewer errors, and no finding that was not there before but those of the errors that are left. What
/// is of no use in a program comes to light once it checks.
#[test]
fn fixes_lead_to_no_failure() {
    let mut failures = Vec::new();
    for (name, program) in programs() {
        let files = program.load();
        let before = findings(&files, &program);
        let is_old = |new: &frank_analysis::diagnostics::Diagnostic| {
            let brought = new.severity == Severity::Hint
                || matches!(
                    new.code,
                    Code::UnusedVariable
                        | Code::UnusedOperator
                        | Code::IdleHandler
                        | Code::UnhandledEntry
                        | Code::Hole
                );
            brought
                || before
                    .iter()
                    .any(|old| (old.code, &old.message) == (new.code, &new.message))
        };
        for problem in before
            .iter()
            .filter(|problem| problem.severity != Severity::Hint)
        {
            for (number, fix) in problem.fixes.iter().enumerate() {
                if !fix.safe && (number > 0 || problem.undecided) {
                    continue;
                }
                let fixed = apply(&files, &program, fix);
                let after = fixed.findings();
                let errors = |found: &[frank_analysis::diagnostics::Diagnostic]| {
                    found.iter().filter(|problem| problem.is_error()).count()
                };
                let fewer = errors(&after) < errors(&before);
                // What does not parse is not checked, so its fix may bring to light what was there.
                let was_hidden =
                    problem.code.declaration().marks.unparsed && errors(&after) <= errors(&before);
                if !after
                    .iter()
                    .all(|new| was_hidden || is_old(new) || (fewer && new.is_error()))
                {
                    let why = render(&fixed);
                    failures.push(format!("{name}: {}\n{}\n{why}", fix.title, fixed.text()));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// What is written as in another language is one mistake, and its fix leaves none.
#[test]
fn habits_are_one_mistake() {
    let mut failures = Vec::new();
    let errors = |program: &Program| {
        program
            .findings()
            .iter()
            .filter(|found| found.is_error())
            .count()
    };
    for (name, program) in programs() {
        if !name.starts_with("foreign: ") {
            continue;
        }
        if errors(&program) != 1 {
            failures.push(format!("{name}\n{}", render(&program)));
        }
        let files = program.load();
        let found = findings(&files, &program);
        let fixes = found.iter().filter(|found| found.is_error());
        for fix in fixes.filter_map(|error| error.fixes.first()) {
            let fixed = apply(&files, &program, fix);
            if errors(&fixed) > 0 {
                failures.push(format!("{name}: {}\n{}", fix.title, render(&fixed)));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// The programs of the chapters under other names, nested deeper, and in two files: the findings
/// are the same, and what they say is in a chapter of its own.
#[test]
fn variants_say_what_they_should() {
    let mut failures = Vec::new();
    let mut text = String::from(
        "# Variants\n\nPrograms of the other chapters under other names, nested deeper, or spread over two \
         files. This chapter is\nmade by a test.\n",
    );
    let codes = |program: &Program| {
        let mut codes: Vec<_> = program
            .findings()
            .iter()
            .filter(|problem| problem.is_error())
            // What is declared nowhere is told once in each file.
            .filter(|problem| {
                let is_type = matches!(problem.code, Code::UnknownType | Code::UnknownInterface);
                !is_type && problem.cause.is_none_or(|cause| cause.file.is_none())
            })
            .map(|problem| problem.code.as_str())
            .collect();
        codes.sort_unstable();
        codes
    };
    let mut shown = 0;
    for (index, (title, program)) in programs().into_iter().enumerate() {
        let [(_, source)] = &program.files[..] else {
            continue;
        };
        for (kind, variant) in variants::all(source) {
            if codes(&variant) != codes(&program) {
                failures.push(format!(
                    "{title}, {kind}\n{}\n{}\n{}",
                    variant.text(),
                    render(&program),
                    render(&variant)
                ));
            }
            // Each program is shown in one of the ways, so that all are shown often.
            if kind == variants::KINDS[index % variants::KINDS.len()] && index % 2 == 0 {
                shown += 1;
                text.push_str(&format!(
                    "\n## {title}, {kind}\n\n```frank,broken\n{}```\n\n```text\n{}```\n",
                    variant.text(),
                    render(&variant)
                ));
            }
        }
    }
    assert!(shown > 60, "{shown} variants");
    let path = project_root()
        .join("tests/conformance/gallery")
        .join(GENERATED);
    expect_file(&path, &text, &mut failures);
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// Kinds of findings without a program in the gallery, and why.
const ELSEWHERE: [(Code, &str); 3] = [
    (Code::NestedTooDeeply, "a thousand brackets: syntax/tests"),
    (Code::UnusedSuppression, "comments are not for the checker"),
    (Code::DerivativesDisagree, "only an evaluation finds it"),
];

#[test]
fn every_kind_of_finding_is_in_the_gallery() {
    let chapters: String = chapters().into_iter().map(|(_, text)| text).collect();
    for code in Code::ALL {
        let elsewhere = ELSEWHERE.iter().any(|(other, _)| other == code);
        assert_eq!(
            chapters.contains(code.as_str()),
            !elsewhere,
            "{}: write a program that has it, in a block of tests/conformance/gallery",
            code.as_str()
        );
    }
}

/// What is told of a program, and in which order, is the same each time: no hash decides it.
#[test]
fn findings_are_the_same_each_time() {
    let text = "interface A = a : Int -> Int\ninterface B = b : Int -> Int\n\nid : Int -> Int\nid x = x\n\n\
                h : <A>Int -> [A, B]Int\nh x = <B(s x y -> s y x)> (id x)\n\
                h <a 0 -> k> = id (<A(s x y -> s y x)> (id 3))\n\
                h <a i -> k> = (<A(s x y -> s y x)> (id 2)) + id (<A(s x y -> s y x)> (id i)) + <A(s x y -> s y x)> (id 4)\n";
    let program = Program {
        files: vec![("main.fk".to_owned(), text.to_owned())],
    };
    let first = render(&program);
    assert!(first.contains("error"), "{first}");
    for _ in 0..12 {
        assert_eq!(render(&program), first);
    }
}
