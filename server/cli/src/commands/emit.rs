//! `frank derive … --emit`: writes an operator and its derivatives as code.

use std::io::{self, Write};

use frank_analysis::db::SourceFile;
use frank_ide::Analysis;
use frank_ide::evaluate::StageQuestion;
use frank_interpreter::Limits;
use frank_staging::Target;
use frank_syntax::visible::visible;
use frank_workspace::disk::System;

use crate::Outcome;
use crate::args::{DeriveArgs, EmitTarget};
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
        fast: args.fast_math,
    };
    let plan = match analysis.staged_plan(scope, &args.name, &asked) {
        Ok(plan) => plan,
        Err(refusal) => return refused(refusal.to_string()),
    };
    drop(analysis);
    let limits = Limits {
        cancelled: Some(interrupt.flag()),
        ..limits.clone()
    };
    let unit = match plan.run(&limits, || {}) {
        Ok(unit) => unit,
        Err(failure) => {
            let places = of_failure(project, &failure);
            complain(format_args!(
                "error: {} cannot be staged: {}{places}",
                args.name, failure.message
            ));
            return Ok(Ok(Outcome::RunFailed));
        }
    };
    let target = match target {
        EmitTarget::C => Target::C,
        EmitTarget::Rust => Target::Rust,
        EmitTarget::Python => Target::Python,
        EmitTarget::Wat => Target::Wat,
        EmitTarget::Dot => Target::Dot,
        EmitTarget::Frank => Target::Frank,
        EmitTarget::Json => Target::Json,
        EmitTarget::Latex => Target::Latex,
        EmitTarget::Formula => Target::Formula,
    };
    let Some(path) = &args.output else {
        let mut out = io::BufWriter::new(output::stdout());
        frank_staging::emit(target, &unit, &mut out)?;
        out.flush()?;
        return Ok(Ok(Outcome::Success));
    };
    let mut code = Vec::new();
    frank_staging::emit(target, &unit, &mut code)?;
    if let Err(error) = frank_workspace::write::write(&System, path, &code) {
        complain(format_args!("{}: {error}", visible_path(path)));
        return Ok(Ok(Outcome::Unusable));
    }
    Ok(Ok(Outcome::Success))
}
