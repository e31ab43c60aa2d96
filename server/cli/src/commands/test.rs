//! `frank test`: runs the examples in comments, and tries the laws there.

use std::io::{self, BufWriter, Write};
use std::time::Duration;

use frank_analysis::db::{ItemSource, SourceFile};
use frank_analysis::diagnostics::Diagnostic;
use frank_analysis::link::EntryPoint;
use frank_analysis::snapshot::Snapshot;
use frank_ide::laws::{Counterexample, Tries};
use frank_ide::{Example, What, examples_in};
use frank_interpreter::picture::not_shown;
use frank_interpreter::{Limits, RunError, RunErrorKind, Script};
use frank_syntax::law;
use frank_syntax::visible::{visible, visible_lines};

use crate::Outcome;
use crate::allocator;
use crate::args::{Color, TestArgs};
use crate::execute::{self, Sources, limits, prepare};
use crate::findings::Findings;
use crate::laws::{self, Ended};
use crate::native;
use crate::output::{self, colored, complain, count};
use crate::parallel::{self, Progress};
use crate::prepared::Prepared;
use crate::project::Project;
use crate::report::human;
use crate::source::Source;

/// How long an example may take if nobody says anything else.
const TIMEOUT: Duration = Duration::from_secs(10);
/// How much an example may print, in bytes.
const OUTPUT: u64 = 1 << 20;

/// An example of a file.
struct InFile {
    file: SourceFile,
    example: Example,
    /// The term or the law to check and to run, if there is one.
    term: Option<ItemSource>,
}

/// An example that was evaluated.
struct Evaluated {
    result: Result,
    /// How many pictures it draws.
    pictures: usize,
}

impl From<Result> for Evaluated {
    fn from(result: Result) -> Evaluated {
        Evaluated {
            result,
            pictures: 0,
        }
    }
}

/// What became of an example.
enum Result {
    Right,
    Differs(String),
    /// A value without a term.
    Stray,
    /// A law does not hold for some values.
    Broke(Box<Counterexample<Ended>>),
    Broken(Vec<Diagnostic>),
    Refused(String),
    Failed(Box<Prepared>, Box<RunError>),
}

impl Result {
    /// How a run ended, if one did.
    fn error(&self) -> Option<&RunError> {
        match self {
            Result::Failed(_, error) => Some(error),
            Result::Broke(example) => Some(&example.failure.what.as_ref()?.1),
            _ => None,
        }
    }

    fn is_unfinished(&self) -> bool {
        self.error()
            .is_some_and(|error| error.kind == RunErrorKind::Hole)
    }

    fn is_out_of_memory(&self) -> bool {
        self.error()
            .is_some_and(|error| error.kind == RunErrorKind::Memory)
    }
}

/// Runs all examples of some files, in parallel.
pub fn run(args: &TestArgs, color: Color) -> io::Result<Outcome> {
    let mut project = Project::open(&args.paths, &args.project);
    let unusable = project.report_problems();
    let files = project.asked();
    let found = {
        let snapshot = project.files.snapshot();
        let of_file = |file: &SourceFile| examples_in(&snapshot, *file);
        files.iter().map(of_file).collect::<Vec<_>>()
    };
    let mut examples: Vec<InFile> = Vec::new();
    for (file, found) in files.iter().zip(found) {
        examples.extend(found.into_iter().map(|example| InFile {
            file: *file,
            term: match &example.what {
                What::Evaluate { term, .. } => Some(project.files.term(*file, term)),
                What::Law(text) => Some(project.files.snapshot().law(*file, text)),
                What::StrayValue(_) => None,
            },
            example,
        }));
    }
    let mut limits = limits(&args.limits, &project.config.config.limits);
    limits.time = limits.time.or(Some(TIMEOUT));
    limits.output = limits.output.or(Some(OUTPUT));
    let snapshot = project.files.snapshot();
    let tries = Tries {
        seed: args.seed,
        most: args.tries,
    };
    let results = evaluate_all(&snapshot, &examples, tries, &limits);
    let colored = colored(color, &io::stdout());
    let mut out = BufWriter::new(output::stdout());
    let (mut failed, mut unfinished) = (0, 0);
    for (example, Evaluated { result, .. }) in examples.iter().zip(&results) {
        if !matches!(result, Result::Right) {
            failed += 1;
            unfinished += usize::from(result.is_unfinished());
            report(
                &mut out,
                &project,
                &snapshot,
                (example, tries),
                result,
                colored,
            )?;
        }
    }
    let verdict = match failed {
        0 => "all right".to_owned(),
        _ => format!("{failed} failed"),
    };
    writeln!(
        out,
        "{} in {}: {verdict}",
        counted(&examples),
        count(files.len(), "file")
    )?;
    out.flush()?;
    if let Some(sentence) = not_shown(results.iter().map(|one| one.pictures).sum()) {
        complain(format_args!("{sentence}"));
    }
    Ok(match (failed, unusable) {
        (0, false) => Outcome::Success,
        (0, true) => Outcome::Unusable,
        // Nothing that is written is wrong.
        (_, false) if failed == unfinished => Outcome::RunFailed,
        _ => Outcome::Findings,
    })
}

/// `2 examples and 1 law`, those of which there are some.
fn counted(examples: &[InFile]) -> String {
    let is_law = |example: &&InFile| matches!(example.example.what, What::Law(_));
    let laws = examples.iter().filter(is_law).count();
    let (others, laws) = (examples.len() - laws, count(laws, "law"));
    match (others, others == examples.len()) {
        (_, true) => count(others, "example"),
        (0, _) => laws,
        _ => format!("{} and {laws}", count(others, "example")),
    }
}

/// What becomes of each example. Those that run at a time share the memory; what needs more than its
/// share has all of it afterwards, alone, so that it does not matter how many run at a time.
fn evaluate_all(
    snapshot: &Snapshot,
    examples: &[InFile],
    tries: Tries,
    limits: &Limits,
) -> Vec<Evaluated> {
    let share = Limits {
        memory: limits.memory / parallel::threads(examples.len()),
        ..limits.clone()
    };
    let mut results = {
        let mut progress = Progress::new(true, "running");
        parallel::map(snapshot, examples, &mut progress, |snapshot, example| {
            evaluate(snapshot, example, tries, &share)
        })
    };
    if share.memory < limits.memory {
        // Each of these may take all of the memory, beside nothing that is left of the others.
        allocator::give_back();
        for (example, result) in examples.iter().zip(&mut results) {
            if result.result.is_out_of_memory() {
                *result = evaluate(snapshot, example, tries, limits);
            }
        }
    }
    results
}

fn evaluate(snapshot: &Snapshot, example: &InFile, tries: Tries, limits: &Limits) -> Evaluated {
    let (term, value) = match (&example.example.what, example.term) {
        (What::Evaluate { value, .. }, Some(term)) => (term, value.as_ref()),
        (What::Law(text), Some(law)) => {
            return match law::read(text) {
                Ok(_) => try_law(snapshot, example.file, law, tries, limits),
                Err(mistake) => Result::Refused(mistake),
            }
            .into();
        }
        (_, None) | (What::StrayValue(_), _) => return Result::Stray.into(),
    };
    let errors = execute::term_errors(snapshot, example.file, term);
    if !errors.is_empty() {
        return Result::Broken(errors).into();
    }
    let prepared = match prepare(
        snapshot,
        &[EntryPoint::Term {
            scope: example.file,
            source: term,
        }],
    ) {
        Ok(prepared) => prepared,
        Err(message) => return Result::Refused(message).into(),
    };
    let mut host = Script::new("");
    let longest = execute::longest_value(limits);
    let ended = native::run(&prepared, 0, limits.clone(), &mut host, longest, || ());
    let result = match (ended.value, value) {
        (Ok(value), Some(wanted)) if !wanted.is(&value) => Result::Differs(value),
        (Ok(_), _) => Result::Right,
        (Err(error), _) => Result::Failed(Box::new(prepared), error),
    };
    Evaluated {
        result,
        pictures: host.pictures.len(),
    }
}

fn try_law(
    snapshot: &Snapshot,
    scope: SourceFile,
    law: ItemSource,
    tries: Tries,
    limits: &Limits,
) -> Result {
    let errors = execute::term_errors(snapshot, scope, law);
    if !errors.is_empty() {
        return Result::Broken(errors);
    }
    match laws::check(snapshot, scope, law, tries, limits) {
        Ok(None) => Result::Right,
        Ok(Some(example)) => Result::Broke(example),
        Err(message) => Result::Refused(message),
    }
}

/// Shows why an example failed.
fn report(
    out: &mut dyn Write,
    project: &Project,
    snapshot: &Snapshot,
    (InFile { file, example, .. }, tries): (&InFile, Tries),
    result: &Result,
    colored: bool,
) -> io::Result<()> {
    let path = file.path(snapshot.db());
    let source = Source::new(
        project.names.show(path),
        path.to_owned(),
        snapshot.text(*file),
    );
    let at = source.position(example.at.start);
    let (mark, term, wanted) = match &example.what {
        What::Evaluate { term, value } => (
            "",
            term.as_str(),
            value.as_ref().map(|value| value.text.as_str()),
        ),
        What::Law(law) => ("", law.as_str(), None),
        What::StrayValue(value) => ("= ", value.as_str(), None),
    };
    writeln!(
        out,
        "{}:{}:{}: {mark}{}",
        source.shown(),
        at.line,
        at.column,
        visible(&term.replace('\n', " "))
    )?;
    match result {
        Result::Right => {}
        Result::Differs(value) => {
            let wanted = wanted.unwrap_or_default();
            writeln!(
                out,
                "  should be {}\n  but is    {value}",
                visible_lines(wanted)
            )?;
        }
        Result::Stray => writeln!(
            out,
            "  this value belongs to no example: `-- = …` stands directly below the term, `-- > …`"
        )?,
        Result::Refused(message) => writeln!(out, "  {message}")?,
        Result::Broken(errors) => {
            let found = Findings::of(snapshot, &project.names, errors.clone());
            return human::write(out, &found, colored);
        }
        Result::Broke(found) => {
            let smaller = match found.smaller {
                true => ", then made smaller",
                false => "",
            };
            let (number, Tries { seed, most }) = (found.number, tries);
            writeln!(out, "  {}", found.said())?;
            writeln!(
                out,
                "  found by try {number} of {most} with seed {seed}{smaller}"
            )?;
            if let Some(ended) = &found.failure.what {
                let (prepared, error) = &**ended;
                let mut sources = Sources {
                    texts: project,
                    term: Some(term),
                    sources: Vec::new(),
                };
                sources.write_error(out, prepared.program(), error, colored)?;
            }
        }
        Result::Failed(prepared, error) => {
            let mut sources = Sources {
                texts: project,
                term: Some(term),
                sources: Vec::new(),
            };
            sources.write_error(out, prepared.program(), error, colored)?;
        }
    }
    writeln!(out)
}
