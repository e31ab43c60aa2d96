//! The terms to run: written as Frank text in the program's scope, checked and lowered like any
//! term.

use frank_analysis::builtin::console;
use frank_analysis::check::{operator_diagnostics, term_diagnostics, term_inference};
use frank_analysis::link::{EntryPoint, LinkError, link, unanswered_in};
use frank_analysis::db::{Database, ItemSource, SourceFile};
use frank_analysis::declarations::sound_signature;
use frank_analysis::infer::table::Table;
use frank_analysis::program::{DataDef, InterfaceDef, OperatorDef};
use frank_analysis::types::Computation;
use frank_core::Program;
use frank_syntax::ast::{PatternId, Symbol};

use super::closed::ClosedDerivative;
use super::point::{self, Numeral, Tree};
use super::roles::{self, Number, Tools, tools};
use super::run::probe;
use super::shape::{self, Shape, SmoothFunction, smooth_function};
use super::{checkpoints, said_point, stamp, template};
use crate::Analysis;
use crate::names::scope_of;
use crate::rename::Refusal;
use crate::symbols::{on_one_line, signature_text};

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
    /// What is wrong with the point in the doc comment, where that would have counted.
    pub(super) note: Option<String>,
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

    /// The first of several ways to write a term that can run; else why the first cannot.
    fn first_of<T>(
        &mut self,
        ways: &[T],
        mut text: impl FnMut(&T) -> Result<String, String>,
    ) -> Entry {
        let mut refused: Option<Entry> = None;
        for way in ways {
            let entry = match text(way) {
                Ok(text) => self.add(&text),
                Err(reason) => Entry::Refused(reason),
            };
            if matches!(entry, Entry::Ready(_)) {
                return entry;
            }
            refused = refused.or(Some(entry));
        }
        refused.unwrap_or_else(|| Entry::Refused("there is no way to write it".to_owned()))
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
    /// Other interfaces of the numbers, such as `Compare`, with what handles each for plain ones.
    pub others: Vec<(InterfaceDef, Symbol)>,
}

/// Why an operator is no function that could be differentiated.
fn not_smooth(db: &Database, operator: OperatorDef) -> Refusal {
    let name = operator.0.name;
    let signature = sound_signature(db, operator.0.scope, name).as_ref();
    let (Some(signature), Some(text)) = (signature, signature_text(db, operator)) else {
        let why = "the types of its arguments are not known without a signature";
        return Refusal(format!("`{name}` has no derivative: {why}"));
    };
    let types = &signature.types;
    let computation = &signature.computation;
    let row = types.row(computation.ability);
    let mut subjects = row.instances.iter().filter_map(roles::subject);
    let plain = subjects.clone().find_map(|ty| roles::number(types, ty));
    let why = match (&computation.ports[..], plain) {
        ([], _) => "it takes no argument to be differentiated in".to_owned(),
        (ports, _) if ports.iter().any(|port| !port.adjustments.is_empty()) => {
            "it handles the commands of an argument".to_owned()
        }
        (_, Some(number)) => {
            let number = match number {
                Number::Int => "Int",
                Number::Float => "Float",
            };
            format!(
                "its numbers are `{number}`, and a derivative operator gives it numbers of its own: \
                 write a variable such as `X` for them"
            )
        }
        _ if subjects.next().is_none() => {
            "it asks for no smooth operations on its numbers, as `X -> [Smooth X] X` does"
                .to_owned()
        }
        _ => "its arguments and its result have to be numbers of one type, such as the `X` of \
              `[Smooth X]`, or lists of them, or data with one constructor"
            .to_owned(),
    };
    let text = on_one_line(&text);
    Refusal(format!("`{name}` has no derivative: {why}; it is `{text}`"))
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
        own_errors(db, operator)?;
        return Err(not_smooth(db, operator));
    };
    let tools = tools(db, scope);
    let Some((evaluator, interface, number)) = tools.evaluator(&function.interfaces) else {
        own_errors(db, operator)?;
        let names = listed(&function.interfaces);
        return Err(Refusal(format!(
            "nothing in scope evaluates {names}: a handler such as `evaluate : <Smooth Float>X -> X` would"
        )));
    };
    if let Some(within) = function.within.filter(|within| within != number) {
        let evaluator = evaluator.0.name;
        return Err(Refusal(format!(
            "`{name}` has no derivative: its numbers hold {within:?}s, and `{evaluator}` computes \
             with {number:?}s"
        )));
    }
    let own = function.interfaces.iter().filter(|own| *own != interface);
    let others = own.map(|own| {
        let mut all = tools.evaluators.iter();
        match all.find(|(_, of, kind)| of == own && kind == number) {
            Some((handler, ..)) => Ok((*own, handler.0.name)),
            None => Err(Refusal(format!(
                "`{name}` cannot be evaluated: it needs `{0}`, which nothing in scope handles: an \
                 operator such as `<{0} {number:?}> Y -> Y` would, with \
                 `<{0} (D X)> Y -> [{0} X] Y` for the numbers `D X` of a derivative operator",
                own.0.name
            ))),
        }
    });
    Ok(Subject {
        others: others.collect::<Result<_, _>>()?,
        operator,
        function,
        evaluator: evaluator.0.name,
        interface: *interface,
        number: *number,
    })
}

/// The point of a question, and what is wrong with the one in the doc comment if that would count.
fn point_of(
    analysis: &Analysis,
    name: &str,
    subject: &Subject<'_>,
    question: &Question<'_>,
) -> Result<(Vec<Tree<Numeral>>, Option<String>), Refusal> {
    let parameters = &subject.function.parameters;
    let read = |texts: &[String]| point::points(name, parameters, texts, subject.number);
    if let Some(at) = question.at {
        let mut points = read(at)?;
        let many = points.len();
        return match points.pop() {
            Some(point) if many == 1 => Ok((point, None)),
            _ => Err(point::wrong_number(
                name,
                parameters,
                many * parameters.len(),
            )),
        };
    }
    let said = said_point(
        analysis.db(),
        subject.operator,
        subject.function,
        subject.number,
    );
    let (known, wrong) = match said {
        Ok(known) => (known, None),
        Err(wrong) => (None, Some(wrong)),
    };
    let candidates = [known.as_deref(), question.last];
    for texts in candidates.into_iter().flatten() {
        if let Ok(mut points) = read(texts)
            && let (1, Some(point)) = (points.len(), points.pop())
        {
            return Ok((point, wrong));
        }
    }
    let usual = parameters
        .iter()
        .map(|shape| point::usual(shape, subject.number));
    match (usual.collect::<Option<_>>(), wrong) {
        (Some(point), wrong) => Ok((point, wrong)),
        (None, Some(wrong)) => Err(Refusal(wrong)),
        (None, None) => Err(Refusal(format!(
            "`{name}` takes arguments that only you can choose: say at which point, as in \
             `-- | at 2 \"text\"` above it"
        ))),
    }
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
    /// What handles the other interfaces of plain numbers.
    handlers: Vec<Symbol>,
    number: Number,
    constant: Option<Symbol>,
    names: template::Names<'n>,
    /// For each variable its number; then what chooses it.
    numbers: Vec<String>,
}

const NO_CONSTANTS: &str = "it has several variables, and nothing in scope makes constants";

/// What stands around a function within a derivative operator.
#[derive(Debug, Clone, Default)]
struct Around {
    /// Adaptors that leave it the instances that it knows.
    adaptors: String,
    /// What handles the other interfaces of the operator's numbers.
    handlers: Vec<Symbol>,
}

fn handled(handlers: &[Symbol], term: String) -> String {
    handlers
        .iter()
        .fold(term, |term, handler| format!("{handler} ({term})"))
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

/// Adaptors from an ability to one with fewer instances: `<RefState, Smooth(s a b -> s b)>`.
fn adaptors(offered: &[InterfaceDef], wanted: &[InterfaceDef]) -> String {
    let mut seen = Vec::new();
    let mut found = Vec::new();
    let count = |of: InterfaceDef, all: &[InterfaceDef]| all.iter().filter(|i| **i == of).count();
    for interface in offered {
        if seen.contains(interface) {
            continue;
        }
        seen.push(*interface);
        let (have, keep) = (count(*interface, offered), count(*interface, wanted));
        if have <= keep {
            continue;
        }
        let names: Vec<String> = (1..=have).map(|i| format!(" a{i}")).collect();
        let kept = names.get(have - keep..).unwrap_or_default();
        let name = interface.0.name;
        found.push(format!("{name}(s{} -> s{})", names.concat(), kept.concat()));
    }
    match found.is_empty() {
        true => String::new(),
        false => format!("<{}>", found.join(", ")),
    }
}

impl Writer<'_, '_> {
    /// The number that a term of plain numbers gives.
    fn evaluated(&self, term: String) -> String {
        format!("{} ({})", self.evaluator, handled(&self.handlers, term))
    }

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

    /// The call within a derivative operator, given the terms for its numbers.
    fn within(&mut self, around: &Around, numbers: &[String]) -> String {
        let call = match around.adaptors.is_empty() {
            true => self.call(|i| numbers.get(i).cloned().unwrap_or_default()),
            false => {
                // The numbers are made outside, where there is more to make them with.
                let names = self.names.some(numbers.len());
                let pairs = names.iter().zip(numbers);
                let bound: String = pairs
                    .map(|(name, number)| format!("let {name} = {number} in "))
                    .collect();
                let call = self.call(|i| names.get(i).cloned().unwrap_or_default());
                format!("{bound}{} ({call})", around.adaptors)
            }
        };
        handled(&around.handlers, call)
    }

    /// The value of a function of plain numbers.
    fn value(&self) -> String {
        let numbers = &self.numbers;
        let call = self.call(|i| numbers.get(i).cloned().unwrap_or_default());
        format!("{}{}", self.bind_numbers(numbers), self.evaluated(call))
    }

    /// The value of a function whose numbers are those of a way of differentiation: what comes of
    /// it on the way, in a list.
    fn lifted_value(&mut self, by: Symbol, around: &Around) -> Option<String> {
        let (variable, cell) = (self.names.fresh(), self.names.fresh());
        let numbers = self.numbers.clone();
        let first = numbers.first()?;
        let constant = self.constant;
        let mut each = vec![variable.clone()];
        for number in numbers.iter().skip(1) {
            each.push(format!("({} {number})", constant?));
        }
        let call = self.within(around, &each);
        let term = format!("{by} {{{variable} -> write {cell} [{call}]; {variable}}} {first}");
        Some(format!(
            "{}let {cell} = new [] in {}; read {cell}",
            self.bind_numbers(&numbers),
            self.evaluated(term)
        ))
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
    fn first(&mut self, by: Symbol, around: &Around) -> Result<String, String> {
        let numbers = self.numbers.clone();
        let variable = self.names.fresh();
        let bindings = self.bind_numbers(&numbers);
        if let [only] = &numbers[..] {
            let call = self.within(around, std::slice::from_ref(&variable));
            let (selection, call) = self.selected(&call);
            let term = self.evaluated(format!("{by} {{{variable} -> {call}}} {only}"));
            return Ok(format!("{bindings}{selection}{term}"));
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
        let call = self.within(around, &each);
        let (selection, call) = self.selected(&call);
        let term = self.evaluated(format!("{by} {{{variable} -> {call}}} {point}"));
        Ok(format!("{}{selection}{term}", bindings.concat()))
    }

    /// The second derivative of one number of the result in two variables. `lift` makes numbers of
    /// the outer derivative constants of the inner one.
    fn second(
        &mut self,
        (outer, outside): (Symbol, &Around),
        (inner, inside): (Symbol, &Around),
        lift: Option<Symbol>,
    ) -> Result<String, String> {
        let numbers = self.numbers.clone();
        let (x, y) = (self.names.fresh(), self.names.fresh());
        let bindings = self.bind_numbers(&numbers);
        if let [only] = &numbers[..] {
            let call = self.within(inside, std::slice::from_ref(&y));
            let (selection, call) = self.selected(&call);
            // Only the handlers are for another derivative operator.
            let own = handled(&outside.handlers, format!("{inner} {{{y} -> {call}}} {x}"));
            let term = self.evaluated(format!("{outer} {{{x} -> {own}}} {only}"));
            return Ok(format!("{bindings}{selection}{term}"));
        }
        let constant = self.constant.ok_or(NO_CONSTANTS)?;
        let lift = lift.ok_or_else(|| {
            format!(
                "it has several variables, and nothing in scope makes numbers from around `{inner}` \
                 constants in it"
            )
        })?;
        let choices = self.names.some(numbers.len());
        let inner_choices = self.names.some(numbers.len());
        let (point, start, own) = (self.names.fresh(), self.names.fresh(), self.names.fresh());
        let bindings = [
            bindings,
            self.bind_choices(&choices),
            self.bind_choices(&inner_choices),
            template::number(&point, self.number),
            template::selection(&start, &Shape::List(Box::new(Shape::Number)), &own),
        ];
        let outer_numbers = self.names.some(numbers.len());
        let mut given = String::new();
        for ((name, choice), number) in outer_numbers.iter().zip(&choices).zip(&numbers) {
            given += &format!("let {name} = {choice} {x} ({constant} {number}) in ");
        }
        let each: Vec<String> = inner_choices
            .iter()
            .zip(&outer_numbers)
            .map(|(choice, number)| format!("({choice} {y} ({lift} {number}))"))
            .collect();
        let call = self.within(inside, &each);
        let (selection, call) = self.selected(&call);
        let outer_numbers = outer_numbers.join(", ");
        let own = format!("{given}{inner} {{{y} -> {call}}} ({start} [{outer_numbers}])");
        let own = handled(&outside.handlers, own);
        let term = self.evaluated(format!("{outer} {{{x} -> {own}}} {point}"));
        Ok(format!("{}{selection}{term}", bindings.concat()))
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
        let smooth = interface.0.name;
        return Err(Refusal(format!(
            "there is no derivative operator for {names} in scope: one has a type such as \
             `{{D X -> [{smooth} X, {smooth} (D X)] (D X)}} -> X -> [{smooth} X] X`"
        )));
    }
    // The function itself can be given to those alone that have its numbers.
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
