//! Checks a project, reports what was found, and says how the command ends.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use frank_analysis::diagnostics::Severity;
use frank_workspace::paths::key;

use crate::Outcome;
use crate::args::{CheckArgs, Color, Format, Warnings};
use crate::baseline::Baseline;
use crate::findings::{self, Findings};
use crate::output::{colored, complain, count, visible_path};
use crate::parallel::Progress;
use crate::project::{self, Problem, Project};
use crate::report;

/// Checks a project and writes what was found to `out`, which is standard output.
///
/// # Errors
/// Nobody reads what is written to `out`.
pub fn check(
    project: &Project,
    args: &CheckArgs,
    color: Color,
    out: &mut dyn Write,
) -> io::Result<Outcome> {
    let mut progress = Progress::new(args.format == Format::Human || args.verbose, "checking");
    let with_goals = match args.format {
        Format::Human => args.verbose,
        Format::Json => true,
        Format::Github | Format::Sarif | Format::Junit => false,
    };
    let mut found = findings::check_with(project, &project.all(), with_goals, &mut progress);
    drop(progress);
    if args.verbose {
        for file in &found.checked {
            complain(format_args!("checked {}", project.names.visible(file)));
        }
    }
    if args.verbose && project.left_out > 0 {
        let ignored = count(project.left_out, "file");
        complain(format_args!(
            "left out {ignored} by `.gitignore` or `.ignore`; `--no-ignore` checks all"
        ));
    }
    if found.checked.is_empty() && project.problems.is_empty() {
        let why = match project.left_out {
            0 => "",
            _ => " that `.gitignore` and `.ignore` do not leave out: `--no-ignore` checks all",
        };
        complain(format_args!("there is no `*.fk` file here to check{why}"));
    }
    let mut problems = project.problems.clone();
    let notes = match &args.baseline {
        Some(path) => use_baseline(&mut found, path, args, &mut problems),
        None => Vec::new(),
    };
    let unusable = project::report(&problems, &project.names);
    for note in notes {
        complain(format_args!("{note}"));
    }
    let deny_warnings = args.warnings == Warnings::Deny;
    let options = report::Options {
        format: args.format,
        colored: colored(color, &io::stdout()),
        deny_warnings,
        names: &project.names,
        problems: &problems,
        left_out: project.left_out,
    };
    let mut out = BufWriter::new(out);
    let written = report::write(&mut out, &found, &options).and_then(|()| out.flush());
    let lost = match written {
        Ok(()) => false,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Err(error),
        // What was found counts, whether or not there is room to write it down.
        Err(error) => {
            complain(format_args!(
                "the report is not whole: it cannot be written to standard output: {error}"
            ));
            true
        }
    };
    Ok(outcome(&found, deny_warnings, unusable || lost))
}

/// How a check of the project ends, for commands that do not write its findings. Reports what is wrong
/// with the files as such, and writes no baseline.
pub fn verdict(project: &Project, args: &CheckArgs, mut found: Findings) -> Outcome {
    let mut problems = project.problems.clone();
    if let Some(path) = &args.baseline {
        match Baseline::read(path) {
            Ok(Some(baseline)) => {
                baseline.apply(&mut found);
            }
            Ok(None) => {}
            Err(error) => problems.push(Problem::new(key(path), error)),
        }
    }
    let unusable = project::report(&problems, &project.names);
    outcome(&found, args.warnings == Warnings::Deny, unusable)
}

/// What findings and trouble with files mean for the exit code.
fn outcome(found: &Findings, deny_warnings: bool, unusable: bool) -> Outcome {
    let mut levels = found.findings.iter().map(|one| one.level(deny_warnings));
    let fails = levels.any(|level| level == Severity::Error);
    match (fails, unusable) {
        (true, _) => Outcome::Findings,
        (false, true) => Outcome::Unusable,
        (false, false) => Outcome::Success,
    }
}

/// Reads or writes the baseline, and takes away what it accepts. A baseline that cannot be used is one
/// of the problems. Gives what else people should know about it, a line each.
fn use_baseline(
    found: &mut Findings,
    path: &Path,
    args: &CheckArgs,
    problems: &mut Vec<Problem>,
) -> Vec<String> {
    let mut notes = Vec::new();
    let shown = visible_path(path);
    let is_empty =
        fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.len() == 0);
    let old = match Baseline::read(path) {
        _ if args.update_baseline && is_empty => None,
        Ok(old) => old,
        Err(error) => {
            problems.push(Problem::new(key(path), error));
            return notes;
        }
    };
    let baseline = match old {
        Some(old) if !args.update_baseline => old,
        old => {
            let mut baseline = Baseline::of(found, path);
            if let Some(old) = old {
                baseline.keep_unchecked(old, found);
            }
            if let Err(error) = baseline.write(path) {
                problems.push(Problem::new(key(path), error));
                return notes;
            }
            let accepted = count(baseline.len(), "finding");
            notes.push(format!("{shown}: written; it accepts {accepted}"));
            baseline
        }
    };
    let gone = baseline.apply(found);
    if gone > 0 {
        let accepted = count(gone, "accepted finding");
        notes.push(format!(
            "{shown}: {accepted} gone; `--update-baseline` forgets what is mended"
        ));
    }
    notes
}
