//! `frank check`: what is wrong with programs.

use std::io::{self, BufWriter, Write};

use frank_analysis::diagnostics::Severity;

use crate::Outcome;
use crate::args::{CheckArgs, Color, Format, Warnings};
use crate::baseline::Baseline;
use crate::findings::{self, Findings};
use crate::output::{colored, complain, count};
use crate::parallel::Progress;
use crate::project::{Project, is_stdin};
use crate::report;

/// Checks what the arguments name, once or again and again.
pub fn run(args: &CheckArgs, color: Color) -> io::Result<Outcome> {
    if args.paths.iter().any(|path| is_stdin(path)) && (args.watch || args.fix && !args.diff) {
        let done = if args.watch { "watched" } else { "fixed" };
        complain(format_args!("standard input cannot be {done}"));
        return Ok(Outcome::Unusable);
    }
    let mut project = Project::open(&args.paths, &args.project);
    project.files.set_verbose(args.verbose);
    if args.watch {
        return crate::watch::run(&mut project, |project| {
            check(project, args, color).map(|_| ())
        });
    }
    if args.fix || args.diff {
        return crate::fix::run(&mut project, args, color);
    }
    check(&project, args, color)
}

/// Checks a project and writes what was found.
pub fn check(project: &Project, args: &CheckArgs, color: Color) -> io::Result<Outcome> {
    let mut progress = Progress::new(args.format == Format::Human || args.verbose, "checking");
    let mut found = findings::check(project, &project.all(), &mut progress);
    drop(progress);
    if args.verbose {
        for file in &found.checked {
            complain(format_args!("checked {}", project.names.show(file)));
        }
    }
    if found.checked.is_empty() && project.problems.is_empty() {
        complain(format_args!("there is no `*.fk` file here to check"));
    }
    let unusable = project.report_problems() | !use_baseline(&mut found, project, args);
    let deny_warnings = args.warnings == Warnings::Deny;
    let stdout = io::stdout();
    let options = report::Options {
        format: args.format,
        colored: colored(color, &stdout),
        deny_warnings,
        names: &project.names,
        problems: &project.problems,
    };
    let mut out = BufWriter::new(stdout.lock());
    report::write(&mut out, &found, &options)?;
    out.flush()?;
    Ok(outcome(&found, deny_warnings, unusable))
}

/// What findings and trouble with files mean for the exit code.
pub fn outcome(found: &Findings, deny_warnings: bool, unusable: bool) -> Outcome {
    let failures = found.count(Severity::Error)
        + if deny_warnings {
            found.count(Severity::Warning)
        } else {
            0
        };
    match (failures, unusable) {
        (0, false) => Outcome::Success,
        (0, true) => Outcome::Unusable,
        _ => Outcome::Findings,
    }
}

/// Reads or writes the baseline, and takes away what it accepts. Gives whether that was possible.
fn use_baseline(found: &mut Findings, project: &Project, args: &CheckArgs) -> bool {
    let Some(path) = &args.baseline else {
        return true;
    };
    let shown = path.display();
    let known = if args.update_baseline {
        Ok(None)
    } else {
        Baseline::read(path)
    };
    let baseline = match known {
        Ok(Some(baseline)) => baseline,
        Ok(None) => {
            let baseline = Baseline::of(found, &project.names);
            if let Err(error) = baseline.write(path) {
                complain(format_args!("{shown}: {error}"));
                return false;
            }
            let accepted = count(baseline.len(), "finding");
            complain(format_args!("{shown}: written; it accepts {accepted}"));
            baseline
        }
        Err(error) => {
            complain(format_args!("{shown}: {error}"));
            return false;
        }
    };
    let gone = baseline.apply(found, &project.names);
    if gone > 0 {
        let accepted = count(gone, "accepted finding");
        complain(format_args!(
            "{shown}: {accepted} gone; `--update-baseline` forgets what is mended"
        ));
    }
    true
}
