//! `frank derive`: evaluates a smooth operator and its derivatives.

use std::io;
use std::sync::atomic::Ordering;
use std::time::Instant;

use frank_analysis::db::SourceFile;
use frank_ide::Analysis;
use frank_ide::evaluate::{DerivativeResult, EvaluationError, Question, Verdict};
use frank_interpreter::{Limits, show_float};
use frank_syntax::visible::visible;
use serde_json::Value;

use crate::Outcome;
use crate::args::{Color, DeriveArgs};
use crate::commands::emit;
use crate::commands::run::open;
use crate::execute::{self, Interrupt, limits};
use crate::front::{Front, Streams};
use crate::json;
use crate::output::{complain, visible_path};
use crate::places::of_failure;
use crate::project::Project;

/// So many variables have a line of their own.
const MOST_LINES: usize = 24;
/// So many second derivatives are named one by one.
const MOST_PAIRS: usize = 4;

/// Checks a file, then evaluates one of its operators and its derivatives at points, with every
/// derivative operator in scope.
pub fn run(args: &DeriveArgs, color: Color) -> io::Result<Outcome> {
    let Some((project, scope)) = open(&args.file, &args.project) else {
        return Ok(Outcome::Unusable);
    };
    if let Err(outcome) = execute::check(&project, color)? {
        return Ok(outcome);
    }
    let asked = Asked {
        name: &args.name,
        at: &args.at,
        second: args.order == 2,
        check: args.check,
        json: args.json,
    };
    let interrupt = Interrupt::listen();
    let limits = limits(&args.limits, &project.config.config.limits);
    let ended = match args.emit {
        Some(target) => emit::run(args, target, (&project, scope), &limits, &interrupt)?,
        None => {
            let front = &mut Streams(color);
            show(&project, scope, &asked, &limits, &interrupt, front)?
        }
    };
    match ended {
        Ok(outcome) => Ok(outcome),
        Err(refusal) => {
            let file = visible_path(&args.file);
            complain(format_args!("{file}: {refusal}"));
            Ok(Outcome::Unusable)
        }
    }
}

/// What is asked about an operator.
pub struct Asked<'a> {
    pub name: &'a str,
    /// The points, as `--at` takes them.
    pub at: &'a [String],
    /// Whether for second derivatives, too.
    pub second: bool,
    /// Whether to hold derivatives against finite differences.
    pub check: bool,
    /// Whether to write an object for each point instead of lines.
    pub json: bool,
}

/// Evaluates an operator and its derivatives, and writes what they are. Gives why an operator or a point
/// cannot be used.
pub fn show(
    project: &Project,
    scope: SourceFile,
    asked: &Asked<'_>,
    limits: &Limits,
    interrupt: &Interrupt,
    front: &mut dyn Front,
) -> io::Result<Result<Outcome, String>> {
    let analysis = Analysis::new(project.files.snapshot());
    let points = match asked.at.is_empty() {
        true => Ok(vec![None]),
        false => analysis
            .points(scope, asked.name, asked.at)
            .map(|points| points.into_iter().map(Some).collect()),
    };
    let plans = points.and_then(|points: Vec<Option<Vec<String>>>| {
        let plan = |point: &Option<Vec<String>>| {
            let question = Question {
                at: point.as_deref(),
                last: None,
                second: asked.second,
                check: asked.check,
            };
            analysis.derivative_plan(scope, asked.name, &question)
        };
        points.iter().map(plan).collect::<Result<Vec<_>, _>>()
    });
    let plans = match plans {
        Ok(plans) => plans,
        Err(refusal) => return Ok(Err(visible(&refusal.to_string()).into_owned())),
    };
    let until = limits.time.map(|time| Instant::now() + time);
    let (mut failed, mut wrong) = (false, false);
    for plan in plans {
        let limits = Limits {
            // The points share the time.
            time: until.map(|until| until.saturating_duration_since(Instant::now())),
            cancelled: Some(interrupt.flag()),
            ..limits.clone()
        };
        let result = plan.run(&limits, |_, _| {});
        if asked.json {
            let text = named(&result).to_string();
            front.answer(&format!("{}\n", json::visible(&text)))?;
        } else {
            front.answer(&as_text(&result))?;
        }
        if let Some(note) = &result.note {
            front.complain(format_args!(
                "warning: {note}; the point is {}",
                result.at.join(" ")
            ))?;
        }
        for (what, failure) in failures(&result) {
            let places = of_failure(project, failure);
            front.fail(format_args!("{what}: {}{places}", failure.message))?;
        }
        if interrupt.flag().load(Ordering::Relaxed) {
            return Ok(Ok(Outcome::Interrupted));
        }
        failed |= failures(&result).next().is_some();
        if result.disagrees() {
            front.fail(format_args!("the derivative operators disagree"))?;
            wrong = true;
        }
        if result.fails_check() {
            front.fail(format_args!(
                "a derivative is not what the finite differences give"
            ))?;
            wrong = true;
        }
    }
    Ok(Ok(match (failed, wrong) {
        (true, _) => Outcome::RunFailed,
        (false, true) => Outcome::Findings,
        (false, false) => Outcome::Success,
    }))
}

/// The value on one line, then a line for each different derivative with the operators that found
/// it, and below it a line for each variable, if there are several or there is more to say of it.
fn as_text(result: &DerivativeResult) -> String {
    let call = result.call();
    let mut text = String::new();
    if let Ok(value) = &result.value {
        text += &format!("{call} = {value}\n");
    }
    for group in result.groups(&result.derivatives) {
        let shown = result.gradient(group.values);
        text += &format!("∂ {call} = {shown}  ({})\n", group.by.join(", "));
        text += &lines(result, group.values, false);
    }
    for group in result.groups(result.seconds.iter().flatten()) {
        let by = pairs(&group.by);
        let is_matrix = result.variables.len() > 1 && !group.values.is_empty();
        text += &match is_matrix {
            true => format!("∂² {call}  ({by})\n{}", matrices(result, group.values)),
            false => format!("∂² {call} = {}  ({by})\n", result.hessian(group.values)),
        };
        text += &lines(result, group.values, true);
    }
    text
}

/// The names of second derivatives; of all pairs of many operators, each operator's alone.
fn pairs(by: &[&str]) -> String {
    let (mut outer, mut inner): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    for (one, other) in by.iter().filter_map(|by| by.split_once(" of ")) {
        if !outer.contains(&one) {
            outer.push(one);
        }
        if !inner.contains(&other) {
            inner.push(other);
        }
    }
    if by.len() <= MOST_PAIRS || outer.len() * inner.len() != by.len() {
        return by.join(", ");
    }
    let (outer, inner) = (outer.join(", "), inner.join(", "));
    match outer == inner {
        true => format!("each of {outer} of each of them"),
        false => format!("each of {outer} of each of {inner}"),
    }
}

/// A matrix for each number of the result, with a row and a column for each variable.
fn matrices(result: &DerivativeResult, values: &[String]) -> String {
    let variables = &result.variables;
    let n = variables.len();
    let shown = n.min(MOST_LINES);
    let rest = n - shown;
    let mut text = String::new();
    let matrices = values.chunks(n * n);
    for (of, matrix) in result.results().iter().zip(matrices) {
        let head = match of.is_empty() {
            true => String::new(),
            false => format!("∂²{of}"),
        };
        let mut rows = vec![vec![head]];
        if let Some(first) = rows.first_mut() {
            first.extend(variables.iter().take(shown).cloned());
        }
        for (variable, values) in variables.iter().zip(matrix.chunks(n)).take(shown) {
            let mut row = vec![variable.clone()];
            row.extend(values.iter().take(shown).cloned());
            rows.push(row);
        }
        let widths: Vec<usize> = (0..=shown)
            .map(|column| {
                let cells = rows.iter().filter_map(|row| row.get(column));
                cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
            })
            .collect();
        for row in &rows {
            let mut line = String::from(" ");
            for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
                line += &match column {
                    0 => format!(" {cell:<width$}"),
                    _ => format!("  {cell:>width$}"),
                };
            }
            text += line.trim_end();
            text.push('\n');
        }
        if rest > 0 {
            text += &format!("  … and {rest} more rows and columns\n");
        }
    }
    text
}

/// A line for each derivative, with what finite differences say about it.
fn lines(result: &DerivativeResult, values: &[String], second: bool) -> String {
    let differences = result.differences(second);
    if differences.is_none() && (values.len() < 2 || second) {
        return String::new();
    }
    let verdicts = result.verdicts(values, second);
    let labels = result.labels(second);
    let mut rows: Vec<[String; 3]> = Vec::new();
    for (i, (label, value)) in labels.iter().zip(values).enumerate() {
        let said = match (verdicts.get(i), differences.and_then(|all| all.get(i))) {
            (Some(Verdict::CannotTell(why)), _) => format!("differences cannot tell: {why}"),
            (Some(verdict), Some(difference)) => {
                let (estimate, error) = (difference.estimate, difference.error);
                let about = format!("{} ± {error:.0e}", show_float(estimate));
                match verdict {
                    Verdict::Agrees => format!("differences agree: {about}"),
                    _ => format!("differences DISAGREE: {about}"),
                }
            }
            _ => String::new(),
        };
        rows.push([label.clone(), value.clone(), said]);
    }
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let (first, middle) = (width(0), width(1));
    // What is wrong is shown wherever it is.
    let shown = |i: usize| i < MOST_LINES || verdicts.get(i) == Some(&Verdict::Disagrees);
    let mut text = String::new();
    let mut left_out = 0;
    for (i, [label, value, said]) in rows.iter().enumerate() {
        if !shown(i) {
            left_out += 1;
            continue;
        }
        let line = format!("  {label:<first$} = {value:<middle$}  {said}");
        text += line.trim_end();
        text.push('\n');
    }
    if left_out > 0 {
        text += &format!("  … and {left_out} more\n");
    }
    text
}

/// A result as JSON, with the name of the operator.
fn named(result: &DerivativeResult) -> Value {
    let mut object = frank_lsp::derivatives::as_json(result);
    if let Some(fields) = object.as_object_mut() {
        fields.insert("name".to_owned(), result.name.clone().into());
    }
    object
}

/// What has no value, and why. What stopped at a limit already for its value has one reason only.
fn failures(result: &DerivativeResult) -> impl Iterator<Item = (&str, &EvaluationError)> {
    let value = result.value.as_ref().err();
    let own = value.map(|failure| (result.name.as_str(), failure));
    let derivatives = result.derivatives.iter();
    let derivatives = derivatives.chain(result.seconds.iter().flatten());
    let others = derivatives.filter_map(|one| Some((one.by.as_str(), one.values.as_ref().err()?)));
    let checks = result.checks.iter();
    let checks = checks.flat_map(|checks| {
        let second = checks
            .second
            .as_ref()
            .and_then(|second| second.as_ref().err());
        checks.first.as_ref().err().into_iter().chain(second)
    });
    let checks = checks.map(|failure| ("the finite differences", failure));
    own.into_iter().chain(
        others
            .chain(checks)
            .filter(move |(_, failure)| !value.is_some_and(|value| value.is_like(failure))),
    )
}
