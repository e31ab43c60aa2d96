//! `frank derive`: evaluates a smooth operator and its derivatives.

use std::io::{self, Write};
use std::sync::atomic::Ordering;

use frank_ide::Analysis;
use frank_ide::evaluate::{DerivativeResult, Failure};
use frank_interpreter::Limits;
use serde_json::{Value, json};

use crate::Outcome;
use crate::args::{Color, DeriveArgs};
use crate::commands::run::open;
use crate::execute::{self, Interrupt, limits};
use crate::output::{self, complain};
use crate::project::Project;

/// Checks a file, then evaluates one of its operators and its derivatives at a point, with every
/// derivative operator in scope.
pub fn run(args: &DeriveArgs, color: Color) -> io::Result<Outcome> {
    let Some((project, scope)) = open(&args.file, &args.project) else {
        return Ok(Outcome::Unusable);
    };
    if let Err(outcome) = execute::check(&project, color)? {
        return Ok(outcome);
    }
    let analysis = Analysis::new(project.files.snapshot());
    let at = (!args.at.is_empty()).then_some(&args.at[..]);
    let plan = match analysis.derivative_plan(scope, &args.name, at, None) {
        Ok(plan) => plan,
        Err(refusal) => {
            complain(format_args!("{}: {refusal}", args.file.display()));
            return Ok(Outcome::Unusable);
        }
    };
    let interrupt = Interrupt::listen();
    let limits = Limits {
        cancelled: Some(interrupt.flag()),
        ..limits(&args.limits, &project.config.config.limits)
    };
    let result = plan.run(&limits, |_, _| {});
    let mut out = output::stdout();
    if args.json {
        writeln!(out, "{}", as_json(&result))?;
    } else {
        out.write_all(as_text(&result).as_bytes())?;
    }
    for (what, failure) in failures(&result) {
        let place = place(&project, failure);
        complain(format_args!("error: {what}: {}{place}", failure.message));
    }
    if interrupt.flag().load(Ordering::Relaxed) {
        return Ok(Outcome::Interrupted);
    }
    if failures(&result).next().is_some() {
        return Ok(Outcome::RunFailed);
    }
    if result.disagrees() {
        complain(format_args!("error: the derivative operators disagree"));
        return Ok(Outcome::Findings);
    }
    Ok(Outcome::Success)
}

/// The value on one line, then a line for each different derivative with the operators that found
/// it.
fn as_text(result: &DerivativeResult) -> String {
    let call = format!("{} {}", result.name, result.at.join(" "));
    let mut text = String::new();
    if let Ok(value) = &result.value {
        text += &format!("{call} = {value}\n");
    }
    let found = result.derivatives.iter();
    let found = found.filter_map(|one| Some((one.by.as_str(), one.values.as_ref().ok()?)));
    let mut groups: Vec<(&Vec<String>, Vec<&str>)> = Vec::new();
    let agree = !result.disagrees();
    for (by, values) in found {
        // Of numbers that differ by rounding alone the first is shown.
        match groups.iter_mut().find(|(own, _)| agree || *own == values) {
            Some((_, names)) => names.push(by),
            None => groups.push((values, vec![by])),
        }
    }
    for (values, names) in groups {
        let shown = match &values[..] {
            [one] => one.clone(),
            several => format!("[{}]", several.join(", ")),
        };
        text += &format!("∂ {call} = {shown}  ({})\n", names.join(", "));
    }
    text
}

fn as_json(result: &DerivativeResult) -> Value {
    let derivatives = result.derivatives.iter().map(|one| match &one.values {
        Ok(values) => json!({ "by": one.by, "values": values }),
        Err(failure) => json!({ "by": one.by, "error": failure.message }),
    });
    json!({
        "name": result.name,
        "at": result.at,
        "value": result.value.as_ref().ok(),
        "derivatives": derivatives.collect::<Vec<Value>>(),
        "agree": !result.disagrees(),
    })
}

/// What has no value, and why. What stopped at a limit already for its value has one reason only.
fn failures(result: &DerivativeResult) -> impl Iterator<Item = (&str, &Failure)> {
    let value = result.value.as_ref().err();
    let own = value.map(|failure| (result.name.as_str(), failure));
    let derivatives = result.derivatives.iter();
    let others = derivatives.filter_map(|one| Some((one.by.as_str(), one.values.as_ref().err()?)));
    own.into_iter()
        .chain(others.filter(move |(_, failure)| value != Some(*failure)))
}

/// Where an evaluation stopped, as the end of a message.
fn place(project: &Project, failure: &Failure) -> String {
    let Some((path, range)) = &failure.place else {
        return String::new();
    };
    let files = &project.files;
    let file = files.file(path).or_else(|| files.library_file(path));
    let text = file.map(|file| files.text(file)).unwrap_or_default();
    let before = text.get(..range.start as usize).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    format!(", at {}:{line}", project.names.show(path))
}
