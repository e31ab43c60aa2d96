//! The commands that a client can have executed (`workspace/executeCommand`), and their arguments.
//!
//! - `frank.run [uri, name]` runs an operator without ports:
//!   `{"value", "output", "steps", "millis", "text"}`.
//! - `frank.derivative [uri, name, {"at": [arguments]}]` evaluates a smooth operator and its
//!   derivatives: `{"at", "variables", "value", "derivatives": [{"by", "values"}], "agree", "text"}`.
//!   Arguments are numbers, or strings such as `"2"`, `"[1, 2]"` and `"pair 1 2"`, and are answered as
//!   strings, as Frank prints them. Without a point the server chooses one. With `"order": 2` there
//!   is `"second"`, as `"derivatives"`; with `"check": true` there are finite differences beside
//!   each of both, `"differences": [{"says", "estimate", "error"}]`, and `"checked"` says whether
//!   none of them disagrees. `"points": [[arguments]]` for `"at"` means several points, and the
//!   answer to the first has the others in `"more"`. `{"closed": n}` for a point means the
//!   application of a derivative operator that has n others before it in the clauses of the
//!   operator `name`.
//! - `frank.check [uri, line]` evaluates the example in a comment whose term begins on a line, counted
//!   from 0, or tries the law that begins there: `{"right", "value", "expected", "error", "output", "text"}`. `right` is
//!   `false` if there is no value, with the reason in `error`, or not the expected one, or if the law does not hold: then
//!   `error` has the values.
//! - `frank.writeValue [uri, line]` does the same, and has the client write the value below the term, or
//!   in the place of the one that is there.
//! - `frank.select [uri, range]` selects a place in an editor: the gap that a fix has left.
//! - `frank.showReferences [uri, position, locations]` shows the places, one of them in an editor.
//!
//! `text` is what the lens says.

use std::sync::Arc;

use serde_json::{Value, json};
use tower_lsp::jsonrpc;
use tower_lsp::ls_types as lsp;

use crate::results::{EvaluationKind, Subject};

pub const RUN: &str = "frank.run";
pub const DERIVATIVE: &str = "frank.derivative";
pub const CHECK: &str = "frank.check";
pub const WRITE_VALUE: &str = "frank.writeValue";
pub const SELECT: &str = "frank.select";
pub const SHOW_REFERENCES: &str = "frank.showReferences";

/// A command of the client's own: it shows a run state by state.
pub const STEP: &str = "frank.step";

/// A command of the client's own: it starts the debugger.
pub const DEBUG: &str = "frank.debug";

/// A command of the client's own: it draws an operator and its derivatives.
pub const PLOT: &str = "frank.plot";

/// A command of the client's own: it lets one choose a term for a hole.
pub const FILL: &str = "frank.fill";

/// All commands.
pub const ALL: &[&str] = &[RUN, DERIVATIVE, CHECK, WRITE_VALUE, SELECT, SHOW_REFERENCES];

/// An evaluation that the client asks for.
#[derive(Debug, Clone)]
pub struct Evaluation {
    pub uri: lsp::Uri,
    pub name: String,
    pub kind: EvaluationKind,
    /// The points; none lets the server choose one.
    pub points: Vec<Vec<String>>,
    pub second: bool,
    pub check: bool,
}

/// An example that the client wants to be evaluated.
#[derive(Debug, Clone)]
pub struct ExampleAt {
    pub uri: lsp::Uri,
    /// The line on which its term begins.
    pub line: usize,
}

/// The example that the arguments of [`CHECK`] or [`WRITE_VALUE`] name.
pub fn example(command: &str, arguments: &[Value]) -> jsonrpc::Result<ExampleAt> {
    let read = || {
        Some(ExampleAt {
            uri: arguments.first()?.as_str()?.parse().ok()?,
            line: usize::try_from(arguments.get(1)?.as_u64()?).ok()?,
        })
    };
    read().ok_or_else(|| invalid(format!("`{command}` takes [uri, the line of an example]")))
}

/// The arguments of [`CHECK`] or [`WRITE_VALUE`].
pub fn example_arguments(uri: &lsp::Uri, line: usize) -> Vec<Value> {
    vec![json!(uri.as_str()), json!(line)]
}

/// The place that the arguments of [`SELECT`] name.
pub fn place(arguments: &[Value]) -> jsonrpc::Result<lsp::Location> {
    let read = || {
        Some(lsp::Location {
            uri: arguments.first()?.as_str()?.parse().ok()?,
            range: serde_json::from_value(arguments.get(1)?.clone()).ok()?,
        })
    };
    read().ok_or_else(|| invalid(format!("`{SELECT}` takes [uri, range]")))
}

/// The arguments of [`SELECT`].
pub fn place_arguments(place: &lsp::Location) -> Vec<Value> {
    vec![json!(place.uri.as_str()), json!(place.range)]
}

/// The error for invalid arguments.
pub fn invalid(message: String) -> jsonrpc::Error {
    jsonrpc::Error::invalid_params(message)
}

fn file_and_name(arguments: &[Value]) -> Option<(lsp::Uri, String)> {
    let uri = arguments.first()?.as_str()?.parse().ok()?;
    Some((uri, arguments.get(1)?.as_str()?.to_owned()))
}

/// The evaluation that the arguments of [`RUN`] ask for.
pub fn run(arguments: &[Value]) -> jsonrpc::Result<Evaluation> {
    let (uri, name) = file_and_name(arguments)
        .ok_or_else(|| invalid(format!("`{RUN}` takes [uri, the name of an operator]")))?;
    Ok(Evaluation {
        uri,
        name,
        kind: EvaluationKind::Run,
        points: Vec::new(),
        second: false,
        check: false,
    })
}

/// The evaluation that the arguments of [`DERIVATIVE`] ask for.
pub fn derivative(arguments: &[Value]) -> jsonrpc::Result<Evaluation> {
    let wrong = || {
        invalid(format!(
            "`{DERIVATIVE}` takes [uri, the name of an operator, {{\"at\": [arguments], \"points\": \
             [[arguments]], \"order\": 1 or 2, \"check\": true or false}}]"
        ))
    };
    let (uri, name) = file_and_name(arguments).ok_or_else(wrong)?;
    let options = match arguments.get(2) {
        None | Some(Value::Null) => None,
        Some(Value::Object(options)) => Some(options),
        Some(_) => return Err(wrong()),
    };
    let known = ["at", "points", "order", "check", "closed"];
    let mut names = options.into_iter().flat_map(|options| options.keys());
    if let Some(unknown) = names.find(|name| !known.contains(&name.as_str())) {
        return Err(invalid(format!(
            "`{DERIVATIVE}` has no option `{unknown}`; there are `at`, `points`, `order`, `check`"
        )));
    }
    let option = |name: &str| options?.get(name).filter(|value| !value.is_null());
    let kind = match option("closed") {
        None => EvaluationKind::Derivative,
        Some(number) => {
            let number = number.as_u64().and_then(|n| usize::try_from(n).ok());
            EvaluationKind::Closed(number.ok_or_else(wrong)?)
        }
    };
    let mut points = match option("points") {
        None => Vec::new(),
        Some(Value::Array(points)) => {
            let points = points.iter().map(point).collect::<Option<_>>();
            points.ok_or_else(wrong)?
        }
        Some(_) => return Err(wrong()),
    };
    if let Some(at) = option("at") {
        points.insert(0, point(at).ok_or_else(wrong)?);
    }
    // Editors send an empty list where nothing was typed.
    points.retain(|point| !point.is_empty());
    let second = match option("order").map(Value::as_u64) {
        None | Some(Some(1)) => false,
        Some(Some(2)) => true,
        Some(_) => return Err(wrong()),
    };
    let check = option("check").map_or(Some(false), Value::as_bool);
    Ok(Evaluation {
        uri,
        name,
        kind,
        points,
        second,
        check: check.ok_or_else(wrong)?,
    })
}

/// The arguments of a point: a list, or the only one.
fn point(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::Array(arguments) => arguments.iter().map(argument).collect(),
        single => Some(vec![argument(single)?]),
    }
}

fn argument(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// The arguments of [`RUN`] or [`DERIVATIVE`] for a subject.
pub fn arguments(uri: &lsp::Uri, name: &str, kind: EvaluationKind) -> Vec<Value> {
    let mut arguments = vec![json!(uri.as_str()), json!(name)];
    if let EvaluationKind::Closed(index) = kind {
        arguments.push(json!({ "closed": index }));
    }
    arguments
}

/// What the results for an operator in a document are known by.
pub fn subject(key: &Arc<str>, name: &str, kind: EvaluationKind) -> Subject {
    Subject {
        key: key.clone(),
        name: name.to_owned(),
        kind,
    }
}
