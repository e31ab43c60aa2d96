//! The terms to run: written as Frank text in the program's scope, checked and lowered like any
//! term.

use frank_analysis::builtin::console;
use frank_analysis::check::{operator_diagnostics, term_diagnostics, term_inference};
use frank_analysis::core::{EntryPoint, LinkError, link, unanswered_in};
use frank_analysis::db::{Database, ItemSource, SourceFile};
use frank_analysis::infer::table::Table;
use frank_analysis::program::{InterfaceDef, OperatorDef};
use frank_analysis::types::Computation;
use frank_core::Program;
use frank_syntax::ast::{PatternId, Symbol};

use super::closed::ClosedDerivative;
use super::point::{self, Numeral, Tree};
use super::roles::{Number, Tools, tools};
use super::run::probe;
use super::shape::{self, Shape, SmoothFunction, smooth_function};
use super::{checkpoints, stamp, template};
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
    /// An argument for each parameter.
    Known(Vec<Tree<Numeral>>),
    /// The point is a term itself, whose value is asked for; with its text, and with what computes.
    Computed(Entry, String, Number),
}

/// What a value is read as.
#[derive(Debug, Clone)]
pub(super) struct Printed {
    pub shape: Shape,
    /// The numbers are those of a way of differentiation, and stand in a list of one.
    pub lifted: bool,
}

/// What is to be run to get a value and its derivatives. Holds no part of a snapshot.
///
/// Its terms begin with bindings of numbers, which are exchanged for those of the point, of its
/// neighbours, and of the variable that is asked about: see [`super::template`].
#[derive(Debug)]
pub struct Plan {
    /// The function, as it is written.
    pub name: String,
    pub(super) at: Point,
    /// The names of the variables.
    pub(super) variables: Vec<String>,
    pub(super) value: Entry,
    pub(super) printed: Printed,
    /// A term for every derivative operator.
    pub(super) derivatives: Vec<(String, Entry)>,
    /// Likewise for every pair of them, where second derivatives are asked for.
    pub(super) seconds: Option<Vec<(String, Entry)>>,
    /// The function's value, to be compared with at other points.
    pub(super) check: Option<Entry>,
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

/// What is asked about a function.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Question<'a> {
    /// The point; without one that in the doc comment counts, then `last`, then 1.
    pub at: Option<&'a [String]>,
    pub last: Option<&'a [String]>,
    /// Second derivatives, too.
    pub second: bool,
    /// Finite differences beside the derivatives.
    pub check: bool,
}

/// A smooth function with the tools for it.
pub(super) struct Subject<'a> {
    pub operator: OperatorDef,
    pub function: &'a SmoothFunction,
    pub evaluator: Symbol,
    pub interface: InterfaceDef,
    pub number: Number,
}

/// Finds an operator and what evaluates it.
///
/// # Errors
/// There is no such operator, it is not smooth, or nothing evaluates it.
pub(super) fn subject<'a>(
    analysis: &'a Analysis,
    scope: SourceFile,
    name: &str,
) -> Result<Subject<'a>, Refusal> {
    let db = analysis.db();
    let operator = operator_of(analysis, scope, name)?;
    let function = smooth_function(db, scope, operator.0.scope, operator.0.name);
    let Some(function) = function else {
        return Err(Refusal(format!(
            "`{name}` has no derivative: its type is not `X -> … -> [Smooth X]X` for some such \
             interface"
        )));
    };
    let tools = tools(db, scope);
    let evaluator = function
        .interfaces
        .iter()
        .find_map(|wanted| tools.evaluators.iter().find(|(_, own, _)| own == wanted));
    let Some((evaluator, interface, number)) = evaluator else {
        own_errors(db, operator)?;
        let names = listed(&function.interfaces);
        return Err(Refusal(format!(
            "nothing in scope evaluates {names}: a handler such as `evaluate : <Smooth Float>X -> X` would"
        )));
    };
    Ok(Subject {
        operator,
        function,
        evaluator: evaluator.0.name,
        interface: *interface,
        number: *number,
    })
}

/// The point of a question.
fn point_of(
    analysis: &Analysis,
    file: SourceFile,
    name: &str,
    subject: &Subject<'_>,
    question: &Question<'_>,
) -> Result<Vec<Tree<Numeral>>, Refusal> {
    let parameters = &subject.function.parameters;
    let read = |texts: &[String]| point::points(name, parameters, texts, subject.number);
    if let Some(at) = question.at {
        let mut points = read(at)?;
        let many = points.len();
        return match points.pop() {
            Some(point) if many == 1 => Ok(point),
            _ => Err(point::wrong_number(
                name,
                parameters,
                many * parameters.len(),
            )),
        };
    }
    let known = analysis
        .smooth_operator(file, name)
        .and_then(|own| own.point);
    let candidates = [known.as_deref(), question.last];
    for texts in candidates.into_iter().flatten() {
        if let Ok(mut points) = read(texts)
            && let (1, Some(point)) = (points.len(), points.pop())
        {
            return Ok(point);
        }
    }
    let usual = parameters
        .iter()
        .map(|shape| point::usual(shape, subject.number));
    usual.collect::<Option<_>>().ok_or_else(|| {
        Refusal(format!(
            "`{name}` takes arguments that only you can choose: say at which point, as in \
             `-- | at 2 \"text\"` above it"
        ))
    })
}

/// The names of the numbers of a point.
fn variables_of(db: &Database, operator: OperatorDef, at: &[Tree<Numeral>]) -> Vec<String> {
    fn go(
        names: &shape::Names,
        pattern: Option<PatternId>,
        name: String,
        tree: &Tree<Numeral>,
        found: &mut Vec<String>,
    ) {
        match tree {
            Tree::Leaf(_) => found.push(name),
            Tree::Fixed(_) => {}
            Tree::List(inner) => {
                for (i, tree) in inner.iter().enumerate() {
                    go(names, None, format!("{name}.{}", i + 1), tree, found);
                }
            }
            Tree::Record(_, inner) => {
                for (i, tree) in inner.iter().enumerate() {
                    let pattern = names.field(pattern, i);
                    let own = names.bound(pattern);
                    let own = own.unwrap_or_else(|| format!("{name}.{}", i + 1));
                    go(names, pattern, own, tree, found);
                }
            }
        }
    }
    let names = shape::names_of(db, operator);
    let mut found = Vec::new();
    for (i, tree) in at.iter().enumerate() {
        let pattern = names.pattern(i);
        let name = names
            .bound(pattern)
            .unwrap_or_else(|| format!("#{}", i + 1));
        go(&names, pattern, name, tree, &mut found);
    }
    found
}

/// The arguments of a call, given the text for each number.
fn arguments(at: &[Tree<Numeral>], mut leaf: impl FnMut(usize) -> String) -> String {
    let mut next = 0;
    let texts: Vec<String> = at
        .iter()
        .map(|tree| {
            tree.text(true, &mut |_, _| {
                next += 1;
                leaf(next - 1)
            })
        })
        .collect();
    texts.join(" ")
}

/// The reason why a derivative operator must not be used.
fn distrust(
    db: &Database,
    scope: SourceFile,
    derivative: OperatorDef,
    interface: InterfaceDef,
    (items, needs): (&[ItemSource], &[InterfaceDef]),
) -> Option<String> {
    let offered = checkpoints::offered(db, derivative, interface);
    if offered.is_empty() || checkpoints::is_trusted(db, derivative) {
        return None;
    }
    let sets = needs.iter().any(|own| offered.contains(own))
        || checkpoints::performs(db, scope, items, &offered);
    sets.then(|| {
        "code with checkpoints is differentiated by the `gradc` of `include ad` alone, since the \
         paper's is wrong for most of it: see \"Where the paper's checkpoints fail\""
            .to_owned()
    })
}

/// What is needed to write the terms about one function.
struct Writer<'a, 'n> {
    at: &'a [Tree<Numeral>],
    /// The name, or the text of a function.
    function: &'a str,
    result: &'a Shape,
    evaluator: Symbol,
    number: Number,
    constant: Option<Symbol>,
    names: template::Names<'n>,
    /// For each variable its number; then what chooses it.
    numbers: Vec<String>,
}

const NO_CONSTANTS: &str = "it has several variables, and nothing in scope makes constants";

impl Writer<'_, '_> {
    fn bind_numbers(&self, names: &[String]) -> String {
        let all = names.iter().map(|name| template::number(name, self.number));
        all.collect()
    }

    fn bind_choices(&mut self, names: &[String]) -> String {
        let (own, other) = (self.names.fresh(), self.names.fresh());
        let all = names
            .iter()
            .map(|name| template::choice(name, (&own, &other)));
        all.collect()
    }

    fn call(&self, leaf: impl FnMut(usize) -> String) -> String {
        format!("{} {}", self.function, arguments(self.at, leaf))
    }

    /// The value of a function of plain numbers.
    fn value(&self) -> String {
        let numbers = &self.numbers;
        let call = self.call(|i| numbers.get(i).cloned().unwrap_or_default());
        format!("{}{} ({call})", self.bind_numbers(numbers), self.evaluator)
    }

    /// The value of a function whose numbers are those of a way of differentiation: what comes of
    /// it on the way, in a list.
    fn lifted_value(&mut self, by: Symbol) -> Option<String> {
        let (variable, cell) = (self.names.fresh(), self.names.fresh());
        let numbers = self.numbers.clone();
        let first = numbers.first()?;
        let constant = self.constant;
        let mut possible = true;
        let call = self.call(|i| match (i, constant, numbers.get(i)) {
            (0, ..) => variable.clone(),
            (_, Some(constant), Some(number)) => format!("({constant} {number})"),
            _ => {
                possible = false;
                String::new()
            }
        });
        possible.then(|| {
            format!(
                "{}let {cell} = new [] in {} ({by} {{{variable} -> write {cell} [{call}]; \
                 {variable}}} {first}); read {cell}",
                self.bind_numbers(&numbers),
                self.evaluator
            )
        })
    }

    /// A binding that selects a number of the result, and the call of it; nothing where the result
    /// is a number.
    fn selected(&mut self, call: &str) -> (String, String) {
        match self.result {
            Shape::Number => (String::new(), call.to_owned()),
            shape => {
                let (name, own) = (self.names.fresh(), self.names.fresh());
                let binding = template::selection(&name, shape, &own);
                (binding, format!("{name} ({call})"))
            }
        }
    }

    /// The derivative of one number of the result in one variable.
    fn first(&mut self, by: Symbol) -> Result<String, String> {
        let numbers = self.numbers.clone();
        let variable = self.names.fresh();
        let evaluator = self.evaluator;
        let bindings = self.bind_numbers(&numbers);
        if let [only] = &numbers[..] {
            let call = self.call(|_| variable.clone());
            let (selection, call) = self.selected(&call);
            return Ok(format!(
                "{bindings}{selection}{evaluator} ({by} {{{variable} -> {call}}} {only})"
            ));
        }
        let constant = self.constant.ok_or(NO_CONSTANTS)?;
        let choices = self.names.some(numbers.len());
        let point = self.names.fresh();
        let bindings = [
            bindings,
            self.bind_choices(&choices),
            template::number(&point, self.number),
        ];
        let each: Vec<String> = choices
            .iter()
            .zip(&numbers)
            .map(|(choice, number)| format!("({choice} {variable} ({constant} {number}))"))
            .collect();
        let call = self.call(|i| each.get(i).cloned().unwrap_or_default());
        let (selection, call) = self.selected(&call);
        Ok(format!(
            "{}{selection}{evaluator} ({by} {{{variable} -> {call}}} {point})",
            bindings.concat()
        ))
    }

    /// The second derivative of one number of the result in two variables. `lift` makes numbers of
    /// the outer derivative constants of the inner one.
    fn second(
        &mut self,
        (outer, inner): (Symbol, Symbol),
        lift: Option<Symbol>,
    ) -> Result<String, String> {
        let numbers = self.numbers.clone();
        let (x, y) = (self.names.fresh(), self.names.fresh());
        let evaluator = self.evaluator;
        let bindings = self.bind_numbers(&numbers);
        if let [only] = &numbers[..] {
            let call = self.call(|_| y.clone());
            let (selection, call) = self.selected(&call);
            return Ok(format!(
                "{bindings}{selection}{evaluator} ({outer} {{{x} -> {inner} {{{y} -> {call}}} {x}}} {only})"
            ));
        }
        let constant = self.constant.ok_or(NO_CONSTANTS)?;
        let lift = lift.ok_or_else(|| {
            format!(
                "it has several variables, and nothing in scope makes numbers from around `{inner}` \
                 constants in it"
            )
        })?;
        let outside = self.names.some(numbers.len());
        let inside = self.names.some(numbers.len());
        let (point, start, own) = (self.names.fresh(), self.names.fresh(), self.names.fresh());
        let bindings = [
            bindings,
            self.bind_choices(&outside),
            self.bind_choices(&inside),
            template::number(&point, self.number),
            template::selection(&start, &Shape::List(Box::new(Shape::Number)), &own),
        ];
        let around = self.names.some(numbers.len());
        let mut given = String::new();
        for ((name, choice), number) in around.iter().zip(&outside).zip(&numbers) {
            given += &format!("let {name} = {choice} {x} ({constant} {number}) in ");
        }
        let each: Vec<String> = inside
            .iter()
            .zip(&around)
            .map(|(choice, around)| format!("({choice} {y} ({lift} {around}))"))
            .collect();
        let call = self.call(|i| each.get(i).cloned().unwrap_or_default());
        let (selection, call) = self.selected(&call);
        Ok(format!(
            "{}{selection}{evaluator} ({outer} {{{x} -> {given}{inner} {{{y} -> {call}}} ({start} [{}])}} {point})",
            bindings.concat(),
            around.join(", ")
        ))
    }
}

/// Those that can run. Where there are none, the first of those that cannot.
fn usable(found: Vec<(String, Entry)>) -> Vec<(String, Entry)> {
    let ready = |(_, entry): &&(String, Entry)| matches!(entry, Entry::Ready(_));
    let some = found.iter().any(|one| ready(&one));
    let mut all = found.into_iter();
    match some {
        true => all.filter(|one| ready(&one)).collect(),
        false => all.next().into_iter().collect(),
    }
}

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
        return Err(Refusal(format!(
            "there is no derivative operator for {names} in scope; `include ad` has some"
        )));
    }
    let at = point_of(analysis, file, name, &subject, question)?;
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
        number: subject.number,
        constant,
        names,
        numbers,
    };
    let lifted = subject.function.numbers.is_some();
    let items = &subject.operator.items(db).clauses;
    let wrong = |derivative: OperatorDef| {
        let needs = &subject.function.needs[..];
        distrust(
            db,
            subject.operator.0.scope,
            derivative,
            interface,
            (items, needs),
        )
    };
    let value = match lifted {
        false => terms.add(&writer.value()),
        true => {
            let mut value = Entry::Refused(NO_CONSTANTS.to_owned());
            for derivative in derivatives.iter().filter(|one| wrong(**one).is_none()) {
                if let Some(text) = writer.lifted_value(derivative.0.name) {
                    value = terms.add(&text);
                }
                if matches!(value, Entry::Ready(_)) {
                    break;
                }
            }
            let mut reasons = derivatives.iter().filter_map(|one| wrong(*one));
            match (value, reasons.next()) {
                (Entry::Refused(_), Some(reason)) => Entry::Refused(reason),
                (value, _) => value,
            }
        }
    };
    if let Entry::Refused(reason) = value {
        return Err(Refusal(format!("`{name}` cannot be evaluated: {reason}")));
    }
    let mut found = Vec::new();
    for derivative in &derivatives {
        let by = derivative.0.name;
        let entry = match wrong(*derivative) {
            Some(reason) => Entry::Refused(reason),
            None => match writer.first(by) {
                Ok(text) => terms.add(&text),
                Err(reason) => Entry::Refused(reason),
            },
        };
        found.push((by.to_string(), entry));
    }
    if lifted {
        found = usable(found);
    }
    let seconds = question.second.then(|| {
        let mut found = Vec::new();
        for inner in &derivatives {
            let lift = match variables.len() {
                1 => None,
                _ => lift_maker(analysis, scope, *inner, &subject),
            };
            for outer in &derivatives {
                let by = (outer.0.name, inner.0.name);
                let entry = match wrong(*inner).or_else(|| wrong(*outer)) {
                    Some(reason) => Entry::Refused(reason),
                    None => match writer.second(by, lift) {
                        Ok(text) => terms.add(&text),
                        Err(reason) => Entry::Refused(reason),
                    },
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
        stamp: stamp::derivative_stamp(db, scope, subject.operator.0.name),
        at: Point::Known(at),
    })
}

/// The points that texts say, each with an argument for every parameter.
pub(super) fn points(
    analysis: &Analysis,
    file: SourceFile,
    name: &str,
    texts: &[String],
) -> Result<Vec<Vec<String>>, Refusal> {
    let scope = scope_of(analysis.db(), file);
    let subject = subject(analysis, scope, name)?;
    let parameters = &subject.function.parameters;
    let points = point::points(name, parameters, texts, subject.number)?;
    Ok(points.iter().map(|point| shown(point)).collect())
}

/// A point's arguments as Frank prints them.
pub(super) fn shown(at: &[Tree<Numeral>]) -> Vec<String> {
    let texts = at
        .iter()
        .map(|tree| tree.text(true, &mut |number, _| number.shown()));
    texts.collect()
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
                let value = probed(analysis, scope, &format!("{evaluator} ({name} {number})"));
                value.and_then(|value| value.parse::<f64>().ok()) == Some(f64::from(*number))
            })
        })
}

/// What a small term gives, if it does soon.
fn probed(analysis: &Analysis, scope: SourceFile, text: &str) -> Option<String> {
    let mut terms = Terms::new(analysis, scope);
    match (terms.add(text), terms.program()) {
        (Entry::Ready(_), Ok(program)) => probe(&program, PROBE_STEPS),
        _ => None,
    }
}

/// The name of an operator that makes a number from around a derivative operator one that does not
/// depend on the operator's variable: of those whose type fits the first that does.
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
        // What was written must run; that others can do it as well is more than can be asked.
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
