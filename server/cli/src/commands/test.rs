//! `frank test`: runs the examples in comments.
//!
//! An example stands among the comments above an item. Lines that begin with `-- >` are a term,
//! those that begin with `-- =` and follow at once the value that it should have:
//!
//! ```text
//! -- > append [1] [2, 3]
//! -- = [1, 2, 3]
//! ```
//!
//! Lines behind them that are indented go on with the term or the value. Without a value the term
//! has to be a correct one that can be evaluated.

use std::io::{self, BufWriter, Write};
use std::time::Duration;

use frank_analysis::check::term_diagnostics;
use frank_analysis::core::EntryPoint;
use frank_analysis::db::{ItemSource, SourceFile};
use frank_analysis::diagnostics::Diagnostic;
use frank_analysis::snapshot::Snapshot;
use frank_interpreter::{Limits, RunError, Script};

use crate::Outcome;
use crate::args::{Color, TestArgs};
use crate::execute::{self, Prepared, Sources, limits, prepare};
use crate::findings::Places;
use crate::output::{colored, count};
use crate::parallel::{self, Progress};
use crate::project::Project;
use crate::report::human;
use crate::source::Source;

/// How long an example may take if nobody says anything else.
const TIMEOUT: Duration = Duration::from_secs(10);
/// How much an example may print, in bytes.
const OUTPUT: u64 = 1 << 20;

/// An example of a file.
struct Example {
    file: SourceFile,
    /// Where the term begins, in bytes.
    start: usize,
    term: String,
    value: Option<String>,
}

/// What became of an example.
enum Result {
    Right,
    Differs(String),
    Broken(Vec<Diagnostic>),
    Refused(String),
    Failed(Box<Prepared>, Box<RunError>),
}

/// Runs all examples of some files, in parallel.
pub fn run(args: &TestArgs, color: Color) -> io::Result<Outcome> {
    let mut project = Project::open(&args.paths, &args.project);
    let unusable = project.report_problems();
    let files = project.asked();
    let mut examples: Vec<Example> = Vec::new();
    {
        let snapshot = project.files.snapshot();
        for file in &files {
            examples.extend(examples_in(&snapshot, *file));
        }
    }
    let work: Vec<(ItemSource, &Example)> = examples
        .iter()
        .map(|example| (project.files.term(example.file, &example.term), example))
        .collect();
    let mut limits = limits(&args.limits, &project.config.config.limits);
    limits.time = limits.time.or(Some(TIMEOUT));
    limits.output = limits.output.or(Some(OUTPUT));
    let snapshot = project.files.snapshot();
    let results = {
        let mut progress = Progress::new(true, "running");
        parallel::map(
            &snapshot,
            &work,
            &mut progress,
            |snapshot, (term, example)| evaluate(snapshot, *term, example, &limits),
        )
    };
    let stdout = io::stdout();
    let colored = colored(color, &stdout);
    let mut out = BufWriter::new(stdout.lock());
    let mut failed = 0;
    for (example, result) in examples.iter().zip(&results) {
        if !matches!(result, Result::Right) {
            failed += 1;
            tell(&mut out, &project, &snapshot, example, result, colored)?;
        }
    }
    let verdict = match failed {
        0 => "all right".to_owned(),
        _ => format!("{failed} failed"),
    };
    writeln!(
        out,
        "{} in {}: {verdict}",
        count(examples.len(), "example"),
        count(files.len(), "file")
    )?;
    out.flush()?;
    Ok(match (failed, unusable) {
        (0, false) => Outcome::Success,
        (0, true) => Outcome::Unusable,
        _ => Outcome::Findings,
    })
}

/// The examples in the comments above a file's items.
fn examples_in(snapshot: &Snapshot, file: SourceFile) -> Vec<Example> {
    let mut found = Vec::new();
    for (entry, item) in snapshot.items(file) {
        let text = entry.item.text(snapshot.db());
        let comments = text.get(..item.token_offset).unwrap_or_default();
        examples_of(comments, file, item.range.start, &mut found);
    }
    found
}

fn examples_of(comments: &str, file: SourceFile, base: usize, found: &mut Vec<Example>) {
    let mut open: Option<Example> = None;
    let mut offset = base;
    for line in comments.split_inclusive('\n') {
        let start = offset;
        offset += line.len();
        let said = line.trim().strip_prefix("--").unwrap_or_default();
        let said = said.strip_prefix(' ').unwrap_or(said);
        // Lines that are indented go on with what was begun.
        let (mark, text) = match said.split_at_checked(1) {
            Some(("=", value)) if open.is_some() => ('=', value.trim()),
            Some((">", term)) => ('>', term.trim()),
            Some((" ", rest)) if open.is_some() => (' ', rest.trim()),
            _ => ('.', ""),
        };
        match (mark, &mut open) {
            (
                '=',
                Some(Example {
                    value: value @ None,
                    ..
                }),
            ) => *value = Some(text.to_owned()),
            (
                '=' | ' ',
                Some(Example {
                    value: Some(value), ..
                }),
            ) => *value += &format!("\n{text}"),
            (
                '>' | ' ',
                Some(Example {
                    value: None, term, ..
                }),
            ) => *term += &format!("\n{text}"),
            ('>', _) => {
                found.extend(open.take());
                let start = start + line.find(text).unwrap_or(0);
                open = Some(Example {
                    file,
                    start,
                    term: text.to_owned(),
                    value: None,
                });
            }
            _ => found.extend(open.take()),
        }
    }
    found.extend(open);
}

fn evaluate(snapshot: &Snapshot, term: ItemSource, example: &Example, limits: &Limits) -> Result {
    let problems = term_diagnostics(snapshot.db(), example.file, term);
    let errors: Vec<Diagnostic> = problems
        .iter()
        .filter(|problem| problem.is_error())
        .cloned()
        .collect();
    if !errors.is_empty() {
        return Result::Broken(errors);
    }
    let prepared = match prepare(
        snapshot,
        &[EntryPoint::Term {
            scope: example.file,
            source: term,
        }],
    ) {
        Ok(prepared) => prepared,
        Err(message) => return Result::Refused(message),
    };
    let ended = execute::run(&prepared, 0, limits.clone(), &mut Script::new(""), || ());
    match (ended.value, &example.value) {
        (Ok(value), Some(wanted)) if value != *wanted => Result::Differs(value),
        (Ok(_), _) => Result::Right,
        (Err(error), _) => Result::Failed(Box::new(prepared), error),
    }
}

/// Shows why an example failed.
fn tell(
    out: &mut dyn Write,
    project: &Project,
    snapshot: &Snapshot,
    example: &Example,
    result: &Result,
    colored: bool,
) -> io::Result<()> {
    let path = example.file.path(snapshot.db());
    let source = Source::new(
        project.names.show(path),
        path.to_owned(),
        snapshot.text(example.file),
    );
    let at = source.position(example.start);
    writeln!(
        out,
        "{}:{}:{}: {}",
        source.name,
        at.line,
        at.column,
        example.term.replace('\n', " ")
    )?;
    match result {
        Result::Right => {}
        Result::Differs(value) => {
            let wanted = example.value.as_deref().unwrap_or_default();
            writeln!(out, "  should be {wanted}\n  but is    {value}")?;
        }
        Result::Refused(message) => writeln!(out, "  {message}")?,
        Result::Broken(errors) => {
            let mut places = Places::new(snapshot, &project.names);
            places.add(errors.clone());
            return human::write(out, &places.result, colored);
        }
        Result::Failed(prepared, error) => {
            let term = Some(example.term.as_str());
            let mut sources = Sources {
                project,
                term,
                sources: Vec::new(),
            };
            sources.write_error(out, prepared, error, colored)?;
        }
    }
    writeln!(out)
}
