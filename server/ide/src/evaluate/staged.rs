//! Functions that run on names instead of numbers, which leaves the graph of what they compute: the library's
//! `ad-stage` does it, in a copy of the program that includes it.

use std::sync::atomic::Ordering;

use frank_analysis::copies;
use frank_analysis::db::SourceFile;
use frank_analysis::files::LIBRARY_DIR;
use frank_analysis::program::{Definition, InterfaceDef, OperatorDef};
use frank_core::Program;
use frank_interpreter::{Code, Limits};
use frank_staging::{Formulas, Function, Graph, Style as FormulaStyle, Unit};
use frank_syntax::ast::Symbol;

use super::execute::{compiled, run_for_graph};
use super::plan::{Entry, Question};
use super::point::{Numeral, Tree};
use super::result::{EvaluationError, InFile};
use super::roles::Number;
use super::shape::{self, Shape};
use super::subject::{
    Subject, choices_of, own_errors, point_of, said_point, subject, variables_of,
};
use super::template::Names;
use super::terms::Terms;
use super::write::adaptors;
use crate::Analysis;
use crate::names::scope_of;
use crate::rename::Refusal;

/// The library that stages, and those whose interfaces it knows.
const STAGING: &str = "ad-stage";
const SMOOTH: (&str, &str) = ("ad", "Smooth");
const COMPARE: (&str, &str) = ("ad-compare", "Compare");

/// What is asked about a function that is to be staged.
#[derive(Debug, Clone, Copy, Default)]
pub struct StageQuestion<'a> {
    /// A point, which says how long lists are, and what is held fixed; as for [`Question`].
    pub at: Option<&'a [String]>,
    /// Second derivatives, too.
    pub second: bool,
    /// Simplify as if there were no infinite numbers, no `nan` and no zeros with a sign.
    pub fast: bool,
    /// Find where each operation stands in the program, which takes longer.
    pub origins: bool,
}

/// How many derivatives a graph has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// Values alone.
    Values,
    First,
    Second,
}

/// What is to be run to stage a function. Holds no part of a snapshot.
#[derive(Debug)]
pub struct StagedPlan {
    name: String,
    variables: Vec<String>,
    /// The numbers of the point.
    pub point: Vec<f64>,
    /// What was chosen for the function where nobody has said it: arguments that are held fixed, lengths of lists.
    pub chosen: Vec<String>,
    /// What is wrong with the point in the doc comment, where that would have counted.
    pub note: Option<String>,
    /// What is run, each an entry: all that was asked for first, then less.
    entries: Vec<(Extent, usize)>,
    /// Whether to find where operations stand.
    origins: bool,
    program: Program,
}

/// A function and its derivatives, staged.
#[derive(Debug)]
pub struct Staged {
    pub unit: Unit,
    /// Which derivatives the unit has.
    pub extent: Extent,
    /// Why it has not all that was asked for.
    pub missing: Option<EvaluationError>,
    /// Where each line of the last function stands in the program, if that was asked for and is known; for a line of the
    /// secondary program the operation whose derivative it carries back.
    pub origins: Vec<Option<InFile>>,
}

/// Plans how to stage an operator of a file's program with its derivatives.
pub(super) fn of_operator(
    analysis: &Analysis,
    file: SourceFile,
    name: &str,
    asked: &StageQuestion<'_>,
) -> Result<StagedPlan, Refusal> {
    let db = analysis.db();
    let scope = scope_of(db, file);
    // What is wrong is told of the program as it is.
    let plain = subject(analysis, scope, name)?;
    own_errors(db, plain.operator)?;
    supported(analysis, name, &plain)?;
    let copy = Analysis::new(copies::including(db, scope, STAGING).snapshot());
    let analysis = &copy;
    let scope = copy
        .snapshot()
        .file(scope.path(db))
        .ok_or_else(|| Refusal(format!("`{name}` is in no file that could be staged")))?;
    let subject = subject(analysis, scope, name)?;
    let question = Question {
        at: asked.at,
        ..Question::default()
    };
    let (at, note) = point_of(analysis, name, &subject, &question)?;
    let variables = variables_of(analysis.db(), subject.operator, &at);
    if variables.is_empty() {
        return Err(Refusal(format!(
            "there is no number at that point for `{name}` to be differentiated in"
        )));
    }
    if asked.second && subject.function.result != Shape::Number {
        return Err(Refusal(format!(
            "second derivatives are staged of functions whose result is one number, and that of `{name}` is more: \
             leave out `--order 2`"
        )));
    }
    let said = said_point(db, plain.operator, plain.function, plain.number);
    let chosen = match (asked.at, said) {
        (None, Ok(None) | Err(_)) => choices_of(analysis.db(), subject.operator, &at),
        _ => Vec::new(),
    };
    let extents: &[Extent] = match asked.second {
        true => &[Extent::Second, Extent::First, Extent::Values],
        false => &[Extent::First, Extent::Values],
    };
    let mut terms = Terms::new(analysis, scope);
    let mut entries = Vec::new();
    for extent in extents {
        let care = if asked.fast { "fastMath" } else { "ieee" };
        let asked = Asked {
            extent: *extent,
            care,
            origins: asked.origins,
        };
        let texts = written(analysis, scope, (name, &subject), &at, asked);
        match terms.first_of(&texts, |text| Ok(text.clone())) {
            Entry::Ready(entry) => entries.push((*extent, entry)),
            Entry::Refused(reason) if entries.is_empty() => {
                return Err(Refusal(format!("`{name}` cannot be staged: {reason}")));
            }
            Entry::Refused(_) => {}
        }
    }
    Ok(StagedPlan {
        name: name.to_owned(),
        variables,
        point: at.iter().flat_map(Tree::leaves).map(value).collect(),
        chosen,
        note,
        entries,
        origins: asked.origins,
        program: terms.program()?,
    })
}

fn value(number: &Numeral) -> f64 {
    match number {
        Numeral::Int(x) => *x as f64,
        Numeral::Float(x) => *x,
    }
}

/// Whether an interface is that of a file of the library.
fn is(analysis: &Analysis, interface: InterfaceDef, (file, name): (&str, &str)) -> bool {
    let library = analysis.snapshot().library_file(Symbol::new(file));
    Some(interface.0.scope) == library && interface.0.name.as_str() == name
}

/// Whether the library's handler knows what a function asks for.
fn supported(analysis: &Analysis, name: &str, subject: &Subject<'_>) -> Result<(), Refusal> {
    if !is(analysis, subject.interface, SMOOTH) || subject.number != Number::Float {
        return Err(Refusal(format!(
            "`{name}` cannot be staged: its operations are those of another `{}` than the library's `ad` has, which \
             is the one that is staged; a program that includes `ad` and calls its operations can be",
            subject.interface.0.name
        )));
    }
    let mut others = subject.others.iter();
    if let Some((other, _)) = others.find(|(other, _)| !is(analysis, *other, COMPARE)) {
        return Err(Refusal(format!(
            "`{name}` cannot be staged: it asks for `{}`, which nothing handles for the nodes of a graph",
            other.0.name
        )));
    }
    if let Some(numbers) = subject.function.numbers {
        let library = analysis.snapshot().library_file(Symbol::new(SMOOTH.0));
        if Some(numbers.0.scope) != library || numbers.0.name.as_str() != "Prop" {
            return Err(Refusal(format!(
                "`{name}` cannot be staged: it is a function of the numbers `{} X` of one way to differentiate; of \
                 these, those of reverse mode, `Prop X`, can be",
                numbers.0.name
            )));
        }
    }
    Ok(())
}

/// What a term is to stage.
#[derive(Clone, Copy)]
struct Asked<'a> {
    extent: Extent,
    /// How far to simplify, as in `ad-stage`.
    care: &'a str,
    /// Whether to tell where operations stand.
    origins: bool,
}

/// Numbers of reverse mode under `located` are handled there, and those outside are for the function, too.
const UNDER_LOCATED: &str = "<Checkpoint(s a b -> s b), Smooth(s a b -> s b)>";

/// The term that stages a function and its derivatives, in several ways, one of which should be right.
fn written(
    analysis: &Analysis,
    scope: SourceFile,
    (name, subject): (&str, &Subject<'_>),
    at: &[Tree<Numeral>],
    asked: Asked<'_>,
) -> Vec<String> {
    let Asked {
        extent,
        care,
        origins,
    } = asked;
    let db = analysis.db();
    let mut names = Names::new(db, scope);
    let numbers = at.iter().map(|tree| tree.leaves().len()).sum();
    let variables = names.some(numbers);
    let mut next = variables.iter();
    let arguments: Vec<String> = at
        .iter()
        .map(|tree| tree.text(true, &mut |_, _| next.next().cloned().unwrap_or_default()))
        .collect();
    let call = format!("{name} {}", arguments.join(" "));
    let compares = !subject.others.is_empty();
    let lifted = subject.function.numbers.is_some();
    let is_number = subject.function.result == Shape::Number;
    let second = extent == Extent::Second;
    let stage = match (is_number, extent, lifted) {
        (_, Extent::Values, _) => "stageValues",
        (true, Extent::Second, _) => "stageHessian",
        (true, Extent::First, lifted) if lifted || origins => "stageGradc",
        (true, Extent::First, _) => "stageGrad",
        (false, ..) => "stageJacobian",
    };
    // The others tell it themselves.
    let located = origins && stage != "stageJacobian";
    let mut around = vec![String::new()];
    if lifted {
        // The function's ability may have less than there is.
        let library = analysis.snapshot().library_file(Symbol::new(SMOOTH.0));
        let gradc = library.map(|scope| {
            let name = Symbol::new("gradc");
            OperatorDef(Definition { scope, name })
        });
        let offered = gradc.and_then(|gradc| shape::function_of(db, gradc));
        let hidden = offered
            .map(|(_, offered)| adaptors(&offered, &subject.function.needs))
            .unwrap_or_default();
        let hidden = hidden.trim_matches(['<', '>']);
        around.push("<Halves> ".to_owned());
        if !hidden.is_empty() {
            around.push(format!("<{hidden}> "));
            around.push(format!("<Halves, {hidden}> "));
        }
    }
    let pattern = variables.join(", ");
    let texts = around.iter().map(|around| {
        let call = match around.is_empty() {
            true => call.clone(),
            false => format!("{around}({call})"),
        };
        let call = match located {
            true if lifted => format!("located ({UNDER_LOCATED} ({call}))"),
            true => format!("located ({call})"),
            false => call,
        };
        let call = match compares {
            true if second => format!("compareDual (compareProp ({call}))"),
            true => format!("compareProp ({call})"),
            false => call,
        };
        let result = match is_number && extent != Extent::Values {
            true => call,
            false => flat(&subject.function.result, &call, &mut names),
        };
        let term = format!("{stage} {care} {numbers} {{[{pattern}] -> {result}}}");
        match compares {
            true => format!("refuseCompare ({term})"),
            false => term,
        }
    });
    let mut texts: Vec<String> = texts.collect();
    if origins {
        let without = Asked {
            origins: false,
            ..asked
        };
        texts.extend(written(analysis, scope, (name, subject), at, without));
    }
    texts
}

/// A term for the list of all numbers in a value.
fn flat(shape: &Shape, value: &str, names: &mut Names<'_>) -> String {
    match shape {
        Shape::Number => format!("[{value}]"),
        Shape::Fixed(_) => "[]".to_owned(),
        Shape::List(inner) if **inner == Shape::Number => value.to_owned(),
        Shape::List(inner) => {
            let element = names.fresh();
            let each = flat(inner, &element, names);
            format!("concat (map {{{element} -> {each}}} ({value}))")
        }
        Shape::Record(constructor, fields) => {
            let own = names.some(fields.len());
            let each: Vec<String> = fields
                .iter()
                .zip(&own)
                .map(|(field, own)| flat(field, own, names))
                .collect();
            let pattern = format!("({} {})", constructor.name, own.join(" "));
            format!(
                "case ({value}) {{{pattern} -> concat [{}]}}",
                each.join(", ")
            )
        }
    }
}

impl StagedPlan {
    /// Exchanges a number of the point.
    ///
    /// # Errors
    /// There is no such variable.
    pub fn set(&mut self, variable: &str, value: f64) -> Result<(), Refusal> {
        let at = self.variables.iter().position(|name| name == variable);
        match at.and_then(|at| self.point.get_mut(at)) {
            Some(number) => {
                *number = value;
                Ok(())
            }
            None => Err(Refusal(format!(
                "`{}` has no variable `{variable}`: it has `{}`",
                self.name,
                self.variables.join("`, `")
            ))),
        }
    }

    /// The function and its derivatives as formulas, or as many operations as `most` says if they are too large.
    ///
    /// # Errors
    /// As for [`StagedPlan::run`].
    pub fn formulas(
        &self,
        limits: &Limits,
        progress: impl FnMut(),
        (style, most): (FormulaStyle, usize),
    ) -> Result<Formulas, EvaluationError> {
        // Values alone would pass for all that there is.
        let staged = self.run_first(1, limits, progress)?;
        Ok(frank_staging::formulas(&staged.unit, style, most))
    }

    /// Runs the first stage under limits: the function's values, and its values with their derivatives, as graphs. Where
    /// a limit ends it, the limits hold anew for a run with fewer derivatives.
    ///
    /// # Errors
    /// A limit ends every run, the function fails, or it compares numbers that are not known yet.
    pub fn run(&self, limits: &Limits, progress: impl FnMut()) -> Result<Staged, EvaluationError> {
        self.run_first(self.entries.len(), limits, progress)
    }

    /// Runs so many of the entries at most, until one gives a graph.
    fn run_first(
        &self,
        most: usize,
        limits: &Limits,
        mut progress: impl FnMut(),
    ) -> Result<Staged, EvaluationError> {
        let code = compiled(&self.program)?;
        let is_cancelled = || {
            let flag = limits.cancelled.as_ref();
            flag.is_some_and(|flag| flag.load(Ordering::Relaxed))
        };
        let mut missing: Option<EvaluationError> = None;
        for (extent, entry) in self.entries.iter().take(most) {
            match self.graph(&code, *entry, limits, &mut progress) {
                Ok((graph, origins)) => {
                    return Ok(Staged {
                        unit: self.unit(*extent, graph),
                        extent: *extent,
                        missing,
                        origins,
                    });
                }
                Err(error) => {
                    let goes_on = error.limit && !is_cancelled();
                    // The first failure says what was asked for.
                    let first = missing.take().unwrap_or(error);
                    if !goes_on {
                        return Err(first);
                    }
                    missing = Some(first);
                }
            }
        }
        Err(missing.unwrap_or_else(|| EvaluationError::said("there is nothing to run")))
    }

    /// The graph that an entry gives, and where its lines stand.
    fn graph(
        &self,
        code: &Code,
        entry: usize,
        limits: &Limits,
        progress: &mut dyn FnMut(),
    ) -> Result<(Graph, Vec<Option<InFile>>), EvaluationError> {
        let asked = (entry, self.origins);
        let found = run_for_graph(&self.program, code, asked, limits.clone(), progress);
        // Where the library's handlers notice it says nothing about the program.
        let in_program = |(path, _): &InFile| !path.starts_with(LIBRARY_DIR);
        let (printed, origins) = found.map_err(|failure| EvaluationError {
            place: failure.place.filter(in_program),
            ..failure
        })?;
        match Graph::read(&printed) {
            Ok(graph) if graph.results().is_empty() => Err(EvaluationError::said(
                "its result has no number at that point; choose one at which it has some",
            )),
            Ok(graph) => Ok((graph, origins)),
            Err(error) => Err(EvaluationError::said(&error.to_string())),
        }
    }

    /// What the results of a graph are, and the functions that are made of it.
    fn unit(&self, extent: Extent, graph: Graph) -> Unit {
        let n = self.variables.len();
        let all = graph.results().len();
        // Of `values` numbers there are `n` derivatives each, or `n` and `n·n` of one.
        let values = match extent {
            Extent::Second => 1,
            Extent::First => all / (n + 1),
            Extent::Values => all,
        };
        let names: Vec<String> = match values {
            1 => vec![self.name.clone()],
            _ => (1..=values).map(|i| format!("{}.{i}", self.name)).collect(),
        };
        let plain = Function {
            suffix: String::new(),
            results: names.clone(),
            graph: graph.only(0..values),
        };
        let mut functions = vec![plain];
        if extent != Extent::Values {
            let firsts = names.iter().flat_map(|of| {
                let by = self.variables.iter();
                by.map(move |by| format!("∂{of}/∂{by}"))
            });
            let mut meanings: Vec<String> = names.iter().cloned().chain(firsts).collect();
            if extent == Extent::Second {
                for one in &self.variables {
                    let both = self.variables.iter();
                    meanings.extend(both.map(|other| format!("∂²{}/∂{one}∂{other}", self.name)));
                }
            }
            functions.push(Function {
                suffix: "_derivatives".to_owned(),
                results: meanings,
                graph,
            });
        }
        Unit {
            name: self.name.clone(),
            inputs: self.variables.clone(),
            functions,
        }
    }
}
