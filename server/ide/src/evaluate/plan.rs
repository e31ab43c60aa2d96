//! The terms to run: written as Frank text in the program's scope, checked and lowered like any
//! term.

use frank_analysis::builtin::console;
use frank_analysis::check::{operator_diagnostics, term_diagnostics, term_inference};
use frank_analysis::core::{EntryPoint, LinkError, link, unanswered_in};
use frank_analysis::db::{Database, SourceFile};
use frank_analysis::infer::table::Table;
use frank_analysis::program::{InterfaceDef, OperatorDef, resolve_term};
use frank_analysis::report::words::{are, count};
use frank_analysis::types::Computation;
use frank_core::Program;
use frank_syntax::ast::Symbol;

use super::closed::ClosedDerivative;
use super::roles::{Number, SmoothRole, Tools, smooth_role, tools};
use super::run::probe;
use super::stamp;
use crate::Analysis;
use crate::names::scope_of;
use crate::rename::Refusal;

/// A term of a plan: its number among the program's entries, or why it cannot run.
#[derive(Debug, Clone)]
pub(super) enum Entry {
    Ready(usize),
    Refused(String),
}

/// Where a function is evaluated.
#[derive(Debug, Clone)]
pub(super) enum Point {
    Known(Vec<String>),
    /// The point is a term itself, whose value is asked for; with its text.
    Computed(Entry, String),
}

/// What is to be run to get a value and its derivatives. Holds no part of a snapshot.
#[derive(Debug)]
pub struct Plan {
    /// The function, as it is written.
    pub name: String,
    pub(super) at: Point,
    pub(super) value: Entry,
    /// For every derivative operator a term for each variable.
    pub(super) derivatives: Vec<(String, Vec<Entry>)>,
    pub(super) program: Program,
    /// See [`Analysis::derivative_stamp`].
    pub stamp: u64,
}

/// An entry that is to be run. Holds no part of a snapshot.
#[derive(Debug)]
pub struct RunPlan {
    pub name: String,
    pub(super) program: Program,
    /// See [`Analysis::run_stamp`].
    pub stamp: u64,
}

/// So many steps show whether an operator makes constants.
const PROBE_STEPS: u64 = 100_000;
/// So many operators are tried for constants.
const MOST_PROBES: usize = 4;

/// Checks terms and gathers those that can run.
struct Terms<'a> {
    analysis: &'a Analysis,
    scope: SourceFile,
    entries: Vec<EntryPoint>,
}

impl<'a> Terms<'a> {
    fn new(analysis: &'a Analysis, scope: SourceFile) -> Terms<'a> {
        Terms {
            analysis,
            scope,
            entries: Vec::new(),
        }
    }

    fn add(&mut self, text: &str) -> Entry {
        let db = self.analysis.db();
        let source = self.analysis.snapshot().term(self.scope, text);
        let problems = term_diagnostics(db, self.scope, source);
        if let Some(problem) = problems.iter().find(|problem| problem.is_error()) {
            return Entry::Refused(problem.message.clone());
        }
        let inference = term_inference(db, self.scope, source);
        if let Some(computation) = &inference.computation
            && let Some(reason) = forbidden(db, &inference.table, computation)
        {
            return Entry::Refused(reason);
        }
        let entry = EntryPoint::Term {
            scope: self.scope,
            source,
        };
        // One that cannot be lowered must not keep the others from running.
        if let Err(error) = link(db, &[entry]) {
            return Entry::Refused(broken(&error));
        }
        self.entries.push(entry);
        Entry::Ready(self.entries.len() - 1)
    }

    fn program(&self) -> Result<Program, Refusal> {
        link(self.analysis.db(), &self.entries).map_err(|error| Refusal(broken(&error)))
    }
}

fn broken(error: &LinkError) -> String {
    match error {
        LinkError::Broken(name) => format!("`{name}`, which it needs, has errors"),
        other => other.to_string(),
    }
}

/// Why a term must not be evaluated for the sake of a number.
fn forbidden(db: &Database, table: &Table, computation: &Computation) -> Option<String> {
    let row = table.row(computation.ability);
    let terminal = console(db);
    if row
        .instances
        .iter()
        .any(|instance| instance.interface == terminal)
    {
        return Some("it uses the `Console`".to_owned());
    }
    let missing = unanswered_in(db, table, computation);
    (!missing.is_empty()).then(|| format!("it needs {}, which nobody handles", listed(&missing)))
}

fn listed(interfaces: &[InterfaceDef]) -> String {
    let mut names: Vec<String> = interfaces
        .iter()
        .map(|i| format!("`{}`", i.0.name))
        .collect();
    names.dedup();
    names.join(", ")
}

/// A number as a term that can be an argument.
fn literal(text: &str, number: Number) -> Result<String, Refusal> {
    let no_number = || Refusal(format!("`{text}` is no number"));
    let value: f64 = text.trim().parse().map_err(|_| no_number())?;
    let written = match number {
        Number::Int => match text.trim().parse::<i64>() {
            Ok(value) => value.to_string(),
            Err(_) if value.fract() == 0.0 && value.abs() < 9e15 => format!("{value:.0}"),
            Err(_) => {
                return Err(Refusal(format!(
                    "the derivative is computed on `Int`, and `{text}` is no integer"
                )));
            }
        },
        Number::Float if !value.is_finite() => return Err(no_number()),
        Number::Float => frank_interpreter::show_float(value),
    };
    Ok(match written.starts_with('-') {
        true => format!("({written})"),
        false => written,
    })
}

/// A name for a variable that means nothing else in the program.
fn fresh(db: &Database, scope: SourceFile) -> String {
    let names = ["x", "y", "z"].map(str::to_owned).into_iter();
    let mut names = names.chain((1..).map(|n| format!("x{n}")));
    names
        .find(|name| resolve_term(db, scope, Symbol::new(name)).is_none())
        .unwrap_or_default()
}

/// The errors of an operator that is asked about itself.
fn own_errors(db: &Database, operator: OperatorDef) -> Result<(), Refusal> {
    let problems = operator_diagnostics(db, operator.0.scope, operator.0.name);
    let broken = operator
        .items(db)
        .signatures
        .iter()
        .chain(&operator.items(db).clauses)
        .any(|source| frank_analysis::db::has_syntax_errors(db, *source));
    match problems.iter().find(|problem| problem.is_error()) {
        Some(problem) => Err(Refusal(format!(
            "`{}` has errors: {}",
            operator.0.name, problem.message
        ))),
        None if broken => Err(Refusal(format!("`{}` has errors", operator.0.name))),
        None if operator.items(db).clauses.is_empty() => {
            Err(Refusal(format!("`{}` has no clauses", operator.0.name)))
        }
        None => Ok(()),
    }
}

fn operator_of(analysis: &Analysis, scope: SourceFile, name: &str) -> Result<OperatorDef, Refusal> {
    stamp::known_as(analysis.db(), scope, Symbol::new(name))
        .ok_or_else(|| Refusal(format!("there is no operator `{name}`")))
}

pub(super) fn of_operator(
    analysis: &Analysis,
    file: SourceFile,
    name: &str,
    at: Option<&[String]>,
    last: Option<&[String]>,
) -> Result<Plan, Refusal> {
    let db = analysis.db();
    let scope = scope_of(db, file);
    let operator = operator_of(analysis, scope, name)?;
    let SmoothRole::Smooth { interfaces, arity } =
        smooth_role(db, operator.0.scope, operator.0.name)
    else {
        return Err(Refusal(format!(
            "`{name}` has no derivative: its type is not `X -> … -> [Smooth X]X` for some such \
             interface"
        )));
    };
    own_errors(db, operator)?;
    let tools = tools(db, scope);
    let evaluator = interfaces
        .iter()
        .find_map(|wanted| tools.evaluators.iter().find(|(_, own, _)| own == wanted));
    let Some((evaluator, interface, number)) = evaluator else {
        let names = listed(interfaces);
        return Err(Refusal(format!(
            "nothing in scope evaluates {names}: a handler such as `evaluate : <Smooth Float>X -> X` would"
        )));
    };
    let derivatives: Vec<OperatorDef> = tools
        .derivatives
        .iter()
        .filter(|(_, own)| own == interface)
        .map(|(d, _)| *d)
        .collect();
    if derivatives.is_empty() {
        let names = listed(&[*interface]);
        return Err(Refusal(format!(
            "there is no derivative operator for {names} in scope; `include ad` has some"
        )));
    }
    let known = analysis
        .smooth_operator(file, name)
        .and_then(|operator| operator.point);
    let ones = vec!["1".to_owned(); *arity];
    let fitting = |point: &&[String]| point.len() == *arity;
    let point = at
        .or(known.as_deref())
        .or(last.filter(fitting))
        .unwrap_or(&ones);
    if point.len() != *arity {
        let (wanted, given) = (*arity, point.len());
        return Err(Refusal(format!(
            "`{name}` takes {}, and {} given",
            count(wanted, "numbers"),
            are(given)
        )));
    }
    let numbers: Vec<String> = point
        .iter()
        .map(|text| literal(text, *number))
        .collect::<Result<_, _>>()?;
    let mut terms = Terms::new(analysis, scope);
    let evaluator = evaluator.0.name;
    let value = terms.add(&format!("{evaluator} ({name} {})", numbers.join(" ")));
    if let Entry::Refused(reason) = value {
        return Err(Refusal(format!("`{name}` cannot be evaluated: {reason}")));
    }
    let constant = match arity {
        1 => None,
        _ => constant_maker(analysis, scope, tools, evaluator, (*interface, *number)),
    };
    let variable = fresh(db, scope);
    let mut found = Vec::new();
    for derivative in derivatives {
        let by = derivative.0.name;
        let mut partial = Vec::new();
        for (position, number) in numbers.iter().enumerate() {
            let args = numbers
                .iter()
                .enumerate()
                .map(|(i, other)| match &constant {
                    _ if i == position => Some(variable.clone()),
                    Some(maker) => Some(format!("({maker} {other})")),
                    None => None,
                });
            partial.push(match args.collect::<Option<Vec<String>>>() {
                Some(args) => terms.add(&format!(
                    "{evaluator} ({by} {{{variable} -> {name} {}}} {number})",
                    args.join(" ")
                )),
                None => Entry::Refused(
                    "it has several variables, and nothing in scope makes constants".to_owned(),
                ),
            });
        }
        found.push((by.to_string(), partial));
    }
    let shown = numbers
        .iter()
        .map(|n| n.trim_matches(['(', ')']).to_owned())
        .collect();
    Ok(Plan {
        name: name.to_owned(),
        at: Point::Known(shown),
        value,
        derivatives: found,
        program: terms.program()?,
        stamp: stamp::derivative_stamp(db, scope, operator.0.name),
    })
}

/// The name of an operator that makes constants: of those whose type fits the first that does.
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
                let mut terms = Terms::new(analysis, scope);
                let entry = terms.add(&format!("{evaluator} ({name} {number})"));
                let value = match (entry, terms.program()) {
                    (Entry::Ready(_), Ok(program)) => probe(&program, PROBE_STEPS),
                    _ => None,
                };
                value.and_then(|value| value.parse::<f64>().ok()) == Some(f64::from(*number))
            })
        })
}

pub(super) fn of_closed(analysis: &Analysis, closed: &ClosedDerivative) -> Result<Plan, Refusal> {
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
    let (Some(interface), Some((evaluator, ..))) = (interface, evaluator) else {
        return Err(Refusal(format!(
            "nothing in scope evaluates `{}`",
            closed.operator
        )));
    };
    let evaluator = evaluator.0.name;
    let ClosedDerivative {
        function, point, ..
    } = closed;
    let mut terms = Terms::new(analysis, scope);
    let at = terms.add(&format!("{evaluator} {point}"));
    let value = match closed.in_braces {
        true => terms.add(&format!("{evaluator} (case {point} {function})")),
        false => terms.add(&format!("{evaluator} ({function} {point})")),
    };
    let mut derivatives = Vec::new();
    for (derivative, _) in tools
        .derivatives
        .iter()
        .filter(|(_, own)| *own == interface)
    {
        let by = derivative.0.name;
        let entry = terms.add(&format!("{evaluator} ({by} {function} {point})"));
        // What was written must run; that others can do it as well is more than can be asked.
        if matches!(entry, Entry::Ready(_)) || *derivative == own {
            derivatives.push((by.to_string(), vec![entry]));
        }
    }
    Ok(Plan {
        name: crate::text::excerpt(function),
        at: Point::Computed(at, point.trim_matches(['(', ')']).to_owned()),
        value,
        derivatives,
        program: terms.program()?,
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
    let missing = unanswered_in(db, &inference.table, computation);
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
