//! Makes the plan for a question: which terms are written for which derivative operators.

use frank_analysis::check::term_inference;
use frank_analysis::db::{Database, ItemSource, SourceFile};
use frank_analysis::file_findings::term_diagnostics;
use frank_analysis::link::{EntryPoint, link, unanswered};
use frank_analysis::program::{DataDef, InterfaceDef, OperatorDef};
use frank_syntax::ast::Symbol;
use frank_syntax::law;
use frank_syntax::notebook::notebook_of;

use super::checkpoints::distrust;
use super::closed::ClosedDerivative;
use super::plan::{Entry, LawPlan, Plan, Point, Printed, Question, RunPlan};
use super::point;
use super::roles::{Number, Tools, tools};
use super::shape::{self, Shape};
use super::subject::{Subject, operator_of, own_errors, point_of, subject, variables_of};
use super::terms::{Terms, broken, listed, probed};
use super::write::{Around, NO_CONSTANTS, Writer, adaptors};
use super::{stamp, template};
use crate::Analysis;
use crate::laws::Law;
use crate::names::scope_of;
use crate::rename::Refusal;

pub(super) fn of_operator(
    analysis: &Analysis,
    file: SourceFile,
    name: &str,
    question: &Question<'_>,
) -> Result<Plan, Refusal> {
    let db = analysis.db();
    let scope = scope_of(db, file);
    let subject = subject(analysis, scope, name)?;
    own_errors(db, subject.operator)?;
    let tools = tools(db, scope);
    let interface = subject.interface;
    let derivatives: Vec<OperatorDef> = tools
        .derivatives
        .iter()
        .filter(|(_, own)| *own == interface)
        .map(|(d, _)| *d)
        .collect();
    if derivatives.is_empty() {
        let names = listed(&[interface]);
        let smooth = interface.0.name;
        return Err(Refusal(format!(
            "there is no derivative operator for {names} in scope: one has a type such as \
             `{{D X -> [{smooth} X, {smooth} (D X)] (D X)}} -> X -> [{smooth} X] X`"
        )));
    }
    // Only operators over the same numbers can take the function itself.
    let fitting: Vec<OperatorDef> = match subject.function.numbers {
        None => derivatives.clone(),
        Some(numbers) => {
            let has = |one: &&OperatorDef| {
                shape::function_of(db, **one).is_some_and(|(own, _)| own == numbers)
            };
            derivatives.iter().filter(has).copied().collect()
        }
    };
    let (at, note) = point_of(analysis, name, &subject, question)?;
    let variables = variables_of(db, subject.operator, &at);
    if variables.is_empty() {
        return Err(Refusal(format!(
            "there is no number at that point for `{name}` to be differentiated in"
        )));
    }
    let kind = (interface, subject.number);
    let constant = match variables.len() {
        1 => None,
        _ => constant_maker(analysis, scope, tools, subject.evaluator, kind),
    };
    let mut terms = Terms::new(analysis, scope);
    let mut names = template::Names::new(db, scope);
    let numbers = names.some(variables.len());
    let mut writer = Writer {
        at: &at,
        function: name,
        result: &subject.function.result,
        evaluator: subject.evaluator,
        handlers: subject.others.iter().map(|(_, handler)| *handler).collect(),
        number: subject.number,
        constant,
        names,
        numbers,
    };
    let lifted = subject.function.numbers.is_some();
    let items = &subject.operator.items(db).clauses;
    let around = |derivative: OperatorDef| {
        let needs = &subject.function.needs[..];
        let own = subject.operator.0.scope;
        match distrust(db, own, derivative, interface, (items, needs)) {
            Some(reason) => Err(reason),
            None => around(db, tools, &subject, derivative),
        }
    };
    let value = match lifted {
        false => terms.add(&writer.value()),
        true => {
            let mut value = None;
            for derivative in &fitting {
                value = match around(*derivative) {
                    Ok(all) => Some(terms.first_of(&all, |around| {
                        let text = writer.lifted_value(derivative.0.name, around);
                        text.ok_or_else(|| NO_CONSTANTS.to_owned())
                    })),
                    Err(reason) => Some(Entry::Refused(reason)),
                };
                if matches!(value, Some(Entry::Ready(_))) {
                    break;
                }
            }
            value.unwrap_or_else(|| {
                let numbers = subject.function.numbers.map(|numbers| numbers.0.name);
                let numbers = numbers.map(|name| name.to_string()).unwrap_or_default();
                Entry::Refused(format!(
                    "no derivative operator in scope computes with numbers `{numbers} X`"
                ))
            })
        }
    };
    if let Entry::Refused(reason) = value {
        return Err(Refusal(format!("`{name}` cannot be evaluated: {reason}")));
    }
    let mut found = Vec::new();
    for derivative in &fitting {
        let by = derivative.0.name;
        let entry = match around(*derivative) {
            Err(reason) => Entry::Refused(reason),
            Ok(all) => terms.first_of(&all, |around| writer.first(by, around)),
        };
        found.push((by.to_string(), entry));
    }
    if lifted {
        found = usable(found);
    }
    let seconds = question.second.then(|| {
        let mut found = Vec::new();
        for inner in &fitting {
            let lift = match variables.len() {
                1 => None,
                _ => lift_maker(analysis, scope, *inner, &subject),
            };
            for outer in &derivatives {
                let by = (outer.0.name, inner.0.name);
                let entry = match (around(*inner), around(*outer)) {
                    _ if subject.function.within.is_some() => Entry::Refused(format!(
                        "`{name}` is a function of the numbers of first derivatives alone: write a \
                         variable such as `X` for `{:?}` in its type",
                        subject.number
                    )),
                    (Err(reason), _) | (_, Err(reason)) => Entry::Refused(reason),
                    (Ok(inside), Ok(outside)) => {
                        let outside = outside.into_iter().next().unwrap_or_default();
                        terms.first_of(&inside, |inside| {
                            writer.second((by.0, &outside), (by.1, inside), lift)
                        })
                    }
                };
                found.push((format!("{} of {}", by.0, by.1), entry));
            }
        }
        usable(found)
    });
    Ok(Plan {
        name: name.to_owned(),
        variables,
        check: question.check.then(|| value.clone()),
        value,
        printed: Printed {
            shape: subject.function.result.clone(),
            lifted,
        },
        derivatives: found,
        seconds,
        program: terms.program()?,
        note,
        stamp: stamp::derivative_stamp(db, scope, subject.operator.0.name),
        at: Point::Known(at),
    })
}

pub(super) fn of_closed(
    analysis: &Analysis,
    closed: &ClosedDerivative,
    question: &Question<'_>,
) -> Result<Plan, Refusal> {
    let db = analysis.db();
    let scope = scope_of(db, closed.file);
    let own = operator_of(analysis, scope, &closed.operator)?;
    let tools = tools(db, scope);
    let interface = tools
        .derivatives
        .iter()
        .find(|(d, _)| *d == own)
        .map(|(_, i)| *i);
    let evaluator = tools
        .evaluators
        .iter()
        .find(|(_, i, _)| Some(*i) == interface);
    let (Some(interface), Some((evaluator, _, number))) = (interface, evaluator) else {
        return Err(Refusal(format!(
            "nothing in scope evaluates `{}`",
            closed.operator
        )));
    };
    let evaluator = evaluator.0.name;
    let ClosedDerivative {
        function, point, ..
    } = closed;
    let source = analysis.snapshot().term(scope, function);
    let wrong = |derivative| distrust(db, scope, derivative, interface, (&[source], &[]));
    if let Some(reason) = wrong(own) {
        return Err(Refusal(format!("`{}`: {reason}", closed.operator)));
    }
    let mut names = template::Names::new(db, scope);
    let (variable, at_number) = (names.fresh(), names.fresh());
    let binding = template::number(&at_number, *number);
    let mut terms = Terms::new(analysis, scope);
    let at = terms.add(&format!("{evaluator} {point}"));
    let call = |argument: &str| match closed.in_braces {
        true => format!("case {argument} {function}"),
        false => format!("{function} {argument}"),
    };
    let mut value = terms.add(&format!("{binding}{evaluator} ({})", call(&at_number)));
    let mut lifted = false;
    if matches!(value, Entry::Refused(_)) {
        // A function of the operator's own numbers, whose value is there on the way alone.
        let cell = names.fresh();
        let kept = terms.add(&format!(
            "{binding}let {cell} = new [] in {evaluator} ({} {{{variable} -> write {cell} [{}]; \
             {variable}}} {at_number}); read {cell}",
            closed.operator,
            call(&variable)
        ));
        if matches!(kept, Entry::Ready(_)) {
            (value, lifted) = (kept, true);
        }
    }
    let all: Vec<OperatorDef> = tools
        .derivatives
        .iter()
        .filter(|(derivative, i)| *i == interface && wrong(*derivative).is_none())
        .map(|(derivative, _)| *derivative)
        .collect();
    let mut derivatives = Vec::new();
    for derivative in &all {
        let by = derivative.0.name;
        let entry = terms.add(&format!(
            "{binding}{evaluator} ({by} {function} {at_number})"
        ));
        // The operator that was written must run; others need not.
        if matches!(entry, Entry::Ready(_)) || *derivative == own {
            derivatives.push((by.to_string(), entry));
        }
    }
    let seconds = question.second.then(|| {
        let mut found = Vec::new();
        for (inner, outer) in all.iter().flat_map(|inner| all.iter().map(move |o| (inner, o))) {
            let (inner, outer) = (inner.0.name, outer.0.name);
            let entry = terms.add(&format!(
                "{binding}{evaluator} ({outer} {{{variable} -> {inner} {function} {variable}}} {at_number})"
            ));
            found.push((format!("{outer} of {inner}"), entry));
        }
        usable(found)
    });
    let check = question.check.then(|| value.clone());
    Ok(Plan {
        name: crate::text::excerpt(function),
        at: Point::Computed(at, point.trim_matches(['(', ')']).to_owned(), *number),
        variables: vec!["x".to_owned()],
        value,
        printed: Printed {
            shape: Shape::Number,
            lifted,
        },
        derivatives,
        seconds,
        check,
        program: terms.program()?,
        note: None,
        stamp: stamp::derivative_stamp(db, scope, Symbol::new(&closed.inside)),
    })
}

pub(super) fn of_run(
    analysis: &Analysis,
    file: SourceFile,
    name: &str,
) -> Result<RunPlan, Refusal> {
    let db = analysis.db();
    let scope = scope_of(db, file);
    let operator = operator_of(analysis, scope, name)?;
    own_errors(db, operator)?;
    let inference = frank_analysis::check::inference(db, operator.0.scope, operator.0.name);
    let computation = inference
        .as_ref()
        .and_then(|i| Some((i, i.computation.as_ref()?)));
    let Some((inference, computation)) = computation else {
        return Err(Refusal(format!("`{name}` has errors")));
    };
    if !computation.ports.is_empty() {
        return Err(Refusal(format!(
            "`{name}` takes arguments, so it cannot run by itself"
        )));
    }
    let missing = unanswered(db, &inference.table.row(computation.ability));
    if !missing.is_empty() {
        return Err(Refusal(format!(
            "`{name}` needs {}, which nobody handles",
            listed(&missing)
        )));
    }
    let program =
        link(db, &[EntryPoint::Operator(operator)]).map_err(|error| Refusal(broken(&error)))?;
    Ok(RunPlan {
        name: name.to_owned(),
        program,
        stamp: stamp::run_stamp(db, scope, operator.0.name),
    })
}

/// The terms that can run; if there are none, the first that cannot.
fn usable(found: Vec<(String, Entry)>) -> Vec<(String, Entry)> {
    let ready = |(_, entry): &&(String, Entry)| matches!(entry, Entry::Ready(_));
    let some = found.iter().any(|one| ready(&one));
    let mut all = found.into_iter();
    match some {
        true => all.filter(|one| ready(&one)).collect(),
        false => all.next().into_iter().collect(),
    }
}

/// What has to stand around a function within a derivative operator: without adaptors, and with
/// them where the function's ability has fewer instances than the operator offers.
fn around(
    db: &Database,
    tools: &Tools,
    subject: &Subject<'_>,
    derivative: OperatorDef,
) -> Result<Vec<Around>, String> {
    let Some((numbers, offered)) = shape::function_of(db, derivative) else {
        return Ok(vec![Around::default()]);
    };
    let mut handlers = Vec::new();
    for (other, _) in &subject.others {
        let fits =
            |(_, of, own): &&(OperatorDef, InterfaceDef, DataDef)| of == other && *own == numbers;
        let Some((handler, ..)) = tools.handlers.iter().find(fits) else {
            let (other, numbers) = (other.0.name, numbers.0.name);
            return Err(format!(
                "nothing in scope handles `{other}` for its numbers: an operator such as \
                 `<{other} ({numbers} X)> Y -> [{other} X] Y` would"
            ));
        };
        handlers.push(handler.0.name);
    }
    let mut all = vec![Around {
        adaptors: String::new(),
        handlers: handlers.clone(),
    }];
    if subject.function.numbers.is_some() {
        let adaptors = adaptors(&offered, &subject.function.needs);
        if !adaptors.is_empty() {
            all.push(Around { adaptors, handlers });
        }
    }
    Ok(all)
}

/// How many operators are tried for constants.
const MOST_PROBES: usize = 4;

/// The name of an operator that makes constants: the first with a fitting type that really does.
fn constant_maker(
    analysis: &Analysis,
    scope: SourceFile,
    tools: &Tools,
    evaluator: Symbol,
    kind: (InterfaceDef, Number),
) -> Option<Symbol> {
    let fitting = tools.constants.iter().filter(|(_, i, n)| (*i, *n) == kind);
    fitting
        .take(MOST_PROBES)
        .map(|(operator, ..)| operator.0.name)
        .find(|name| {
            [3, 17].iter().all(|number| {
                let value = probed(analysis, scope, &format!("{evaluator} ({name} {number})"));
                value.and_then(|value| value.parse::<f64>().ok()) == Some(f64::from(*number))
            })
        })
}

/// The name of an operator that makes a number from around a derivative operator one that does not
/// depend on the operator's variable: the first with a fitting type that really does.
fn lift_maker(
    analysis: &Analysis,
    scope: SourceFile,
    derivative: OperatorDef,
    subject: &Subject<'_>,
) -> Option<Symbol> {
    let db = analysis.db();
    let (data, _) = shape::function_of(db, derivative)?;
    let fitting = shape::lifts(db, scope);
    let (by, evaluator) = (derivative.0.name, subject.evaluator);
    let mut names = template::Names::new(db, scope);
    let (variable, cell) = (names.fresh(), names.fresh());
    fitting
        .iter()
        .filter(|(_, own)| *own == data)
        .take(MOST_PROBES)
        .map(|(operator, _)| operator.0.name)
        .find(|name| {
            let slope = format!("{evaluator} ({by} {{{variable} -> {name} 3}} 17)");
            let kept = format!(
                "let {cell} = new [] in {evaluator} ({by} {{{variable} -> write {cell} [{name} 3]; \
                 {variable}}} 17); read {cell}"
            );
            let number = |text: Option<String>| text?.parse::<f64>().ok();
            let first = |text: Option<String>| {
                let shape = Shape::List(Box::new(Shape::Number));
                let tree = point::value_of(&text?, &shape, true)?;
                tree.leaves().first()?.parse::<f64>().ok()
            };
            number(probed(analysis, scope, &slope)) == Some(0.0)
                && first(probed(analysis, scope, &kept)) == Some(3.0)
        })
}

/// A term on its own in the scope of a file, such as an example in a comment, checked and lowered.
pub(super) fn of_term(
    analysis: &Analysis,
    file: SourceFile,
    text: &str,
) -> Result<RunPlan, Refusal> {
    let scope = scope_of_terms(analysis.db(), file);
    let source = analysis.snapshot().term(scope, text);
    of_source(analysis, scope, source, text)
}

/// A law in a comment of a file, checked and lowered.
pub(super) fn of_law(
    analysis: &Analysis,
    file: SourceFile,
    text: &str,
) -> Result<LawPlan, Refusal> {
    law::read(text).map_err(Refusal)?;
    let db = analysis.db();
    let scope = scope_of_terms(db, file);
    let source = analysis.snapshot().law(scope, text);
    let RunPlan { program, .. } = of_source(analysis, scope, source, text)?;
    let inference = term_inference(db, scope, source);
    let row = inference.computation.as_ref();
    let row = row.map(|computation| inference.table.row(computation.ability));
    let missing = row.map_or_else(Vec::new, |row| unanswered(db, &row));
    if !missing.is_empty() {
        let missing = listed(&missing);
        return Err(Refusal(format!(
            "the law needs {missing}, which nobody handles"
        )));
    }
    let law = Law::new(program).map_err(Refusal)?;
    let stamp = stamp::law_stamp(db, scope, source);
    Ok(LawPlan { law, stamp })
}

/// A term that has been read, under a name.
pub(super) fn of_source(
    analysis: &Analysis,
    scope: SourceFile,
    source: ItemSource,
    name: &str,
) -> Result<RunPlan, Refusal> {
    let db = analysis.db();
    let problems = term_diagnostics(db, scope, source);
    if let Some(problem) = problems.iter().find(|problem| problem.keeps_from_running()) {
        return Err(Refusal(problem.message.clone()));
    }
    let entry = EntryPoint::Term { scope, source };
    let program = link(db, &[entry]).map_err(|error| Refusal(broken(&error)))?;
    Ok(RunPlan {
        name: name.to_owned(),
        program,
        stamp: stamp::term_stamp(db, scope, source),
    })
}

/// The scope in which a term of a file is evaluated: a file sees what it includes, and a cell all of its
/// notebook.
pub(super) fn scope_of_terms(db: &Database, file: SourceFile) -> SourceFile {
    match notebook_of(file.path(db)) {
        Some(_) => scope_of(db, file),
        None => file,
    }
}
