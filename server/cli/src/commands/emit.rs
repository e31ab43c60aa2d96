//! `frank derive … --emit`: writes an operator and its derivatives as code.

use std::io::{self, Write};
use std::sync::atomic::Ordering;

use frank_analysis::db::SourceFile;
use frank_ide::Analysis;
use frank_ide::evaluate::{Extent, StageQuestion, Staged};
use frank_interpreter::Limits;
use frank_staging::{Target, Unit};
use frank_syntax::visible::visible;
use frank_workspace::disk::System;

use crate::Outcome;
use crate::args::{DeriveArgs, EmitTarget, PictureTheme};
use crate::execute::Interrupt;
use crate::output::{self, complain, visible_path};
use crate::places::of_failure;
use crate::project::Project;
use crate::targets::refusal;

/// Stages an operator with its derivatives, and writes the graph as what is asked for. Gives why the operator or the
/// point cannot be used.
pub fn run(
    args: &DeriveArgs,
    target: EmitTarget,
    (project, scope): (&Project, SourceFile),
    limits: &Limits,
    interrupt: &Interrupt,
) -> io::Result<Result<Outcome, String>> {
    if let Some(path) = &args.output
        && let Some(reason) = refusal(project, path, "the code")
    {
        complain(format_args!("{reason}"));
        return Ok(Ok(Outcome::Unusable));
    }
    let analysis = Analysis::new(project.files.snapshot());
    let refused = |refusal: String| Ok(Err(visible(&refusal).into_owned()));
    let points = match args.at.is_empty() {
        true => Ok(Vec::new()),
        false => analysis.points(scope, &args.name, &args.at),
    };
    let points = match points {
        Ok(points) => points,
        Err(refusal) => return refused(refusal.to_string()),
    };
    if points.len() > 1 {
        return refused(format!(
            "`--emit` writes code for all points, and `--at` says how long lists are and what is held fixed: it \
             takes one point, and here are {}",
            points.len()
        ));
    }
    let asked = StageQuestion {
        at: points.first().map(Vec::as_slice),
        second: args.order == 2,
        // Formulas follow the rules of real numbers.
        fast: args.fast_math || matches!(target, EmitTarget::Latex | EmitTarget::Formula),
        origins: target == EmitTarget::Svg,
    };
    let plan = match analysis.staged_plan(scope, &args.name, &asked) {
        Ok(plan) => plan,
        Err(refusal) => return refused(refusal.to_string()),
    };
    drop(analysis);
    if let Some(note) = &plan.note {
        complain(format_args!("warning: {note}"));
    }
    if !plan.chosen.is_empty() {
        complain(format_args!(
            "{} is staged for {}: `--at`, or a line `-- | at …` above it, says it otherwise",
            args.name,
            plan.chosen.join(", ")
        ));
    }
    let limits = Limits {
        cancelled: Some(interrupt.flag()),
        ..limits.clone()
    };
    let staged = plan.run(&limits, || {});
    // What was interrupted may be the derivatives alone.
    if interrupt.flag().load(Ordering::Relaxed) {
        return Ok(Ok(Outcome::Interrupted));
    }
    let staged = match staged {
        Ok(staged) => staged,
        Err(failure) => {
            let places = of_failure(project, &failure);
            complain(format_args!(
                "error: {} cannot be staged: {}{places}",
                args.name, failure.message
            ));
            return Ok(Ok(Outcome::RunFailed));
        }
    };
    let unit = &staged.unit;
    let outcome = match &staged.missing {
        None => Outcome::Success,
        Some(failure) => {
            let lacking = match staged.extent {
                Extent::Values => "the code has its values alone, without derivatives",
                Extent::First | Extent::Second => "the code has no second derivatives",
            };
            let places = of_failure(project, failure);
            complain(format_args!(
                "{}: {lacking}: {}{places}",
                args.name, failure.message
            ));
            Outcome::RunFailed
        }
    };
    let emitted = match code(target) {
        Some(target) => Emitted::Code(target, unit),
        None => match drawn(project, &staged, &plan.point, args.theme) {
            Ok(picture) => Emitted::Picture(picture),
            Err(reason) => {
                complain(format_args!("{reason}"));
                return Ok(Ok(Outcome::Unusable));
            }
        },
    };
    let Some(path) = &args.output else {
        let mut out = io::BufWriter::new(output::stdout());
        emitted.write(&mut out)?;
        out.flush()?;
        return Ok(Ok(outcome));
    };
    let mut contents = Vec::new();
    emitted.write(&mut contents)?;
    if let Err(error) = frank_workspace::write::write(&System, path, &contents) {
        complain(format_args!("{}: {error}", visible_path(path)));
        return Ok(Ok(Outcome::Unusable));
    }
    Ok(Ok(outcome))
}

/// What is written.
enum Emitted<'a> {
    Code(Target, &'a Unit),
    Picture(String),
}

impl Emitted<'_> {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Emitted::Code(target, unit) => frank_staging::emit(*target, unit, out),
            Emitted::Picture(picture) => out.write_all(picture.as_bytes()),
        }
    }
}

/// What a target is for those that write code; nothing for a picture.
fn code(target: EmitTarget) -> Option<Target> {
    Some(match target {
        EmitTarget::C => Target::C,
        EmitTarget::Rust => Target::Rust,
        EmitTarget::Python => Target::Python,
        EmitTarget::Wat => Target::Wat,
        EmitTarget::Dot => Target::Dot,
        EmitTarget::Frank => Target::Frank,
        EmitTarget::Json => Target::Json,
        EmitTarget::Latex => Target::Latex,
        EmitTarget::Formula => Target::Formula,
        EmitTarget::Svg => return None,
    })
}

/// The picture of what was staged, at a point.
///
/// # Errors
/// This program cannot draw.
#[cfg(feature = "plot")]
fn drawn(
    project: &Project,
    staged: &Staged,
    point: &[f64],
    theme: PictureTheme,
) -> Result<String, String> {
    let mut sources = crate::places::sources(project);
    let (origins, _) = frank_plot::Origins::new(&staged.origins, |place| {
        let (line, column) = crate::places::shown(&mut sources, place);
        format!("{line}:{column}")
    });
    Ok(frank_plot::graph_svg(
        &staged.unit,
        point,
        &origins,
        theme.into(),
    ))
}

#[cfg(not(feature = "plot"))]
fn drawn(_: &Project, _: &Staged, _: &[f64], _: PictureTheme) -> Result<String, String> {
    Err(format!(
        "{}, or ask for `--emit dot`, which Graphviz draws",
        crate::drawn::CANNOT
    ))
}
