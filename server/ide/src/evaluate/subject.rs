//! The function that is asked about: what it is, what evaluates it, and at which point.

use frank_analysis::check::operator_diagnostics;
use frank_analysis::db::{Database, Db, SourceFile};
use frank_analysis::declarations::sound_signature;
use frank_analysis::diagnostics::similar_name;
use frank_analysis::program::{InterfaceDef, OperatorDef, scope_index};
use frank_syntax::ast::{PatternId, Symbol};
use frank_syntax::outline::doc_comment;

use super::plan::Question;
use super::point::{self, Numeral, Tree, shown};
use super::roles::{self, Number, tools};
use super::shape::{self, SmoothFunction, smooth_function};
use super::stamp;
use super::terms::listed;
use crate::Analysis;
use crate::names::scope_of;
use crate::rename::Refusal;
use crate::symbols::{on_one_line, signature_text};

pub(super) fn operator_of(
    analysis: &Analysis,
    scope: SourceFile,
    name: &str,
) -> Result<OperatorDef, Refusal> {
    let db = analysis.db();
    stamp::known_as(db, scope, Symbol::new(name)).ok_or_else(|| {
        let operators = scope_index(db, scope).operators().map(|(name, _)| name);
        let advice = match similar_name(name, operators.map(|operator| operator.as_str())) {
            Some(similar) => format!(": did you mean `{similar}`?"),
            None => String::new(),
        };
        Refusal(format!("there is no operator `{name}`{advice}"))
    })
}

/// The errors of an operator that is asked about itself.
pub(super) fn own_errors(db: &Database, operator: OperatorDef) -> Result<(), Refusal> {
    let problems = operator_diagnostics(db, operator.0.scope, operator.0.name);
    let broken = operator
        .items(db)
        .signatures
        .iter()
        .chain(&operator.items(db).clauses)
        .any(|source| frank_analysis::db::has_syntax_errors(db, *source));
    match problems.iter().find(|problem| problem.keeps_from_running()) {
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
    if name == "_" {
        return Err(Refusal(
            "an operator called `_` cannot be evaluated: in a term `_` is a hole. Give it another name"
                .to_owned(),
        ));
    }
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
pub(super) fn point_of(
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

/// The names of the numbers of a point.
pub(super) fn variables_of(
    db: &Database,
    operator: OperatorDef,
    at: &[Tree<Numeral>],
) -> Vec<String> {
    let mut found = Vec::new();
    visit_named(db, operator, at, &mut |name, tree| {
        if let Tree::Leaf(_) = tree {
            found.push(name.to_owned());
        }
    });
    found
}

/// What a point says beside its numbers: what is held fixed, and how long lists are, in words.
pub(super) fn choices_of(
    db: &Database,
    operator: OperatorDef,
    at: &[Tree<Numeral>],
) -> Vec<String> {
    let mut found = Vec::new();
    visit_named(db, operator, at, &mut |name, tree| match tree {
        Tree::Fixed(text) => found.push(format!("`{name}` = {text}")),
        Tree::List(inner) => found.push(format!("`{name}` of length {}", inner.len())),
        _ => {}
    });
    found
}

/// Visits the parts of a point, with their names.
fn visit_named(
    db: &Database,
    operator: OperatorDef,
    at: &[Tree<Numeral>],
    visit: &mut dyn FnMut(&str, &Tree<Numeral>),
) {
    fn go(
        names: &shape::Names,
        pattern: Option<PatternId>,
        name: String,
        tree: &Tree<Numeral>,
        visit: &mut dyn FnMut(&str, &Tree<Numeral>),
    ) {
        visit(&name, tree);
        match tree {
            Tree::Leaf(_) | Tree::Fixed(_) => {}
            Tree::List(inner) => {
                for (i, tree) in inner.iter().enumerate() {
                    go(names, None, format!("{name}.{}", i + 1), tree, visit);
                }
            }
            Tree::Record(_, inner) => {
                for (i, tree) in inner.iter().enumerate() {
                    let pattern = names.field(pattern, i);
                    let own = names.bound(pattern);
                    let own = own.unwrap_or_else(|| format!("{name}.{}", i + 1));
                    go(names, pattern, own, tree, visit);
                }
            }
        }
    }
    let names = shape::names_of(db, operator);
    for (i, tree) in at.iter().enumerate() {
        let pattern = names.pattern(i);
        let name = names
            .bound(pattern)
            .unwrap_or_else(|| format!("#{}", i + 1));
        go(&names, pattern, name, tree, visit);
    }
}

/// The point in an operator's doc comment: the arguments on a line that begins with `at`.
///
/// # Errors
/// No line says one, and one that is marked, as `| at [1` is, begins like one; with the reason.
pub(super) fn said_point(
    db: &dyn Db,
    operator: OperatorDef,
    function: &SmoothFunction,
    number: Number,
) -> Result<Option<Vec<String>>, String> {
    let name = operator.0.name.as_str();
    let read = |rest: &str| {
        let points = point::points(name, &function.parameters, &[rest.to_owned()], number)?;
        Ok(points.into_iter().next().map(|point| shown(&point)))
    };
    let items = operator.items(db);
    let mut wrong = None;
    for source in items.signatures.iter().chain(&items.clauses) {
        let text = source.text(db);
        let doc = doc_comment(text).unwrap_or_default();
        for line in doc.lines().map(str::trim) {
            let Some(rest) = line.strip_prefix("at ") else {
                continue;
            };
            let marked = |own: &str| {
                let own = own.trim_end();
                let own = own.strip_suffix("--}").unwrap_or(own).trim_end();
                own.ends_with(&format!("| {line}"))
            };
            let refusal: Refusal = match read(rest) {
                Ok(point) => return Ok(point),
                Err(refusal) => refusal,
            };
            if wrong.is_none() && text.lines().any(marked) {
                wrong = Some(format!("`| {line}` says no point: {refusal}"));
            }
        }
    }
    wrong.map_or(Ok(None), Err)
}
