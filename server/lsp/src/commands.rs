//! What a client can have done (`workspace/executeCommand`).
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
//! - `frank.showReferences [uri, position, locations]` shows the places, one of them in an editor.
//!
//! `text` is what the lens says.

use std::sync::Arc;

use frank_ide::evaluate::{DerivativeResult, EvaluationError, InFile, Plan, Question, RunPlan};
use frank_interpreter::Limits;
use serde_json::{Value, json};
use tower_lsp::jsonrpc;
use tower_lsp::ls_types as lsp;

use crate::backend::Backend;
use crate::derivatives;
use crate::events::{Event, Urgency};
use crate::outbox::{Message, brief};
use crate::progress::{Progress, Shown};
use crate::results::{Outcome, Sort, Subject};
use crate::world::{self, Answer, Target, World};

pub const RUN: &str = "frank.run";
pub const DERIVATIVE: &str = "frank.derivative";
pub const SHOW_REFERENCES: &str = "frank.showReferences";

/// All commands.
pub const ALL: &[&str] = &[RUN, DERIVATIVE, SHOW_REFERENCES];

/// What is to be evaluated.
#[derive(Debug, Clone)]
struct Wish {
    uri: lsp::Uri,
    name: String,
    sort: Sort,
    /// The points; none lets the server choose one.
    points: Vec<Vec<String>>,
    second: bool,
    check: bool,
}

/// A wish that can be fulfilled without the files.
enum Planned {
    Run(Box<RunPlan>),
    /// One for each point.
    Derivative(Vec<Plan>),
}

/// What is to be evaluated, and how.
struct Prepared {
    planned: Planned,
    subject: Subject,
    limits: Limits,
    /// The client can show the progress of what the server began.
    shows_progress: bool,
}

impl Backend {
    /// Does what the client wants.
    ///
    /// # Errors
    /// The command does not exist, its arguments make no sense, it is refused (with the reason), it
    /// ended without a value (with the place), or it was cancelled.
    pub async fn execute(
        &self,
        params: lsp::ExecuteCommandParams,
    ) -> jsonrpc::Result<Option<Value>> {
        let token = params.work_done_progress_params.work_done_token;
        match params.command.as_str() {
            RUN => {
                let wish = run_wish(&params.arguments)?;
                self.evaluate(wish, token).await.map(Some)
            }
            DERIVATIVE => {
                let wish = derivative_wish(&params.arguments)?;
                self.evaluate(wish, token).await.map(Some)
            }
            SHOW_REFERENCES => self.show_references(params.arguments).await,
            other => {
                let known = ALL.join("`, `");
                Err(invalid(format!(
                    "there is no command `{other}`; there are `{known}`"
                )))
            }
        }
    }

    async fn evaluate(
        &self,
        wish: Wish,
        token: Option<lsp::ProgressToken>,
    ) -> jsonrpc::Result<Value> {
        let uri = wish.uri.clone();
        let prepare = move |world: &World, target: &Target| prepare(world, target, &wish);
        let prepared = self
            .events()
            .ask_about(Urgency::Now, uri, Vec::new(), prepare)
            .await?;
        let Prepared {
            planned,
            subject,
            limits,
            shows_progress,
        } = prepared;
        let title = match &planned {
            Planned::Run(_) => format!("Frank: running {}", subject.name),
            Planned::Derivative(plans) => {
                let name = plans.first().map_or(&subject.name, |plan| &plan.name);
                format!("Frank: differentiating {name}")
            }
        };
        let shown = match token {
            Some(token) => Some(Shown::Under(token)),
            None => shows_progress.then_some(Shown::IfLong),
        };
        let progress = shown.map(|shown| Progress::new(self.outbox(), &title, true, shown));
        let evaluation = self
            .evaluator()
            .evaluate(limits, progress, move |limits, tell| match planned {
                Planned::Run(plan) => Outcome::Run(plan.run(limits, || tell(0, 1))),
                Planned::Derivative(plans) => {
                    let results = plans.iter().map(|plan| plan.run(limits, &mut *tell));
                    Outcome::Derivative(results.collect())
                }
            });
        let outcome = evaluation.result().await?;
        self.events()
            .send(Event::Evaluated(subject, Box::new(outcome.clone())));
        self.answer(outcome).await
    }

    async fn answer(&self, outcome: Outcome) -> jsonrpc::Result<Value> {
        let text = outcome.label(false);
        match outcome {
            Outcome::Run(result) => {
                let answer = json!({
                    "output": result.output,
                    "steps": result.steps,
                    "millis": result.millis,
                    "text": text,
                });
                match &result.value {
                    Ok(value) => Ok(with(answer, "value", json!(value))),
                    Err(failure) => {
                        let mut error = self.failed(&result.name, failure).await;
                        error.data = Some(answer);
                        Err(error)
                    }
                }
            }
            Outcome::Derivative(results) => {
                let answers = results.iter().map(derivative_answer);
                let mut answers = answers.collect::<Vec<Value>>().into_iter();
                let (Some(first), Some(answer)) = (results.first(), answers.next()) else {
                    return Ok(Value::Null);
                };
                if let Err(failure) = &first.value
                    && first.derivatives.iter().all(|d| d.values.is_err())
                {
                    return Err(self.failed(&first.name, failure).await);
                }
                let answer = with(answer, "text", json!(text));
                let more: Vec<Value> = answers.collect();
                Ok(match more.is_empty() {
                    true => answer,
                    false => with(answer, "more", json!(more)),
                })
            }
        }
    }

    /// The error for an evaluation without a value, with the line where it stopped.
    async fn failed(&self, name: &str, failure: &EvaluationError) -> jsonrpc::Error {
        let mut message = format!("`{name}`: {}", failure.message);
        if let Some(place) = self.line_of(failure.place.as_ref()).await {
            message.push_str(&format!(" ({place})"));
        }
        for (place, what) in &failure.related {
            if let Some(place) = self.line_of(Some(place)).await {
                message.push_str(&format!("\n{place}: {what}"));
            }
        }
        world::Failure::Refused(message).into()
    }

    /// The name of a file with the line of a place in it.
    async fn line_of(&self, place: Option<&InFile>) -> Option<String> {
        let (path, range) = place.cloned()?;
        let line = self.events().ask(Urgency::Now, move |world| {
            let file = world.analysis.snapshot().file(&path);
            let document = file.and_then(|file| world.document(file));
            Ok(document.map(|document| {
                let name = document.key.rsplit('/').next().unwrap_or_default();
                let start = (range.start as usize).min(document.text.len_bytes());
                format!("{name}:{}", document.text.byte_to_line(start) + 1)
            }))
        });
        line.await.ok().flatten()
    }

    async fn show_references(&self, arguments: Vec<Value>) -> jsonrpc::Result<Option<Value>> {
        let wrong = || {
            invalid(format!(
                "`{SHOW_REFERENCES}` takes [uri, position, locations]"
            ))
        };
        let places = arguments.into_iter().nth(2).ok_or_else(wrong)?;
        let places: Vec<lsp::Location> = serde_json::from_value(places).map_err(|_| wrong())?;
        let shows = self
            .events()
            .ask(Urgency::Now, |world| Ok(world.support.shows_documents));
        if shows.await? && !places.is_empty() {
            self.outbox().send(Message::ShowPlaces(places));
            return Ok(None);
        }
        let listed: Vec<String> = places.iter().map(brief).collect();
        let text = match listed.is_empty() {
            true => "There are none.".to_owned(),
            false => listed.join("\n"),
        };
        self.outbox().show(lsp::MessageType::INFO, text);
        Ok(None)
    }
}

/// What a client is told of a derivative.
fn derivative_answer(result: &DerivativeResult) -> Value {
    let answer = derivatives::as_json(result);
    match &result.value {
        Ok(_) => answer,
        Err(failure) => with(answer, "error", json!(failure.message)),
    }
}

/// An object with one thing more in it.
fn with(mut object: Value, key: &str, value: Value) -> Value {
    if let Some(fields) = object.as_object_mut() {
        fields.insert(key.to_owned(), value);
    }
    object
}

fn invalid(message: String) -> jsonrpc::Error {
    jsonrpc::Error::invalid_params(message)
}

fn file_and_name(arguments: &[Value]) -> Option<(lsp::Uri, String)> {
    let uri = arguments.first()?.as_str()?.parse().ok()?;
    Some((uri, arguments.get(1)?.as_str()?.to_owned()))
}

fn run_wish(arguments: &[Value]) -> jsonrpc::Result<Wish> {
    let (uri, name) = file_and_name(arguments)
        .ok_or_else(|| invalid(format!("`{RUN}` takes [uri, the name of an operator]")))?;
    Ok(Wish {
        uri,
        name,
        sort: Sort::Run,
        points: Vec::new(),
        second: false,
        check: false,
    })
}

fn derivative_wish(arguments: &[Value]) -> jsonrpc::Result<Wish> {
    let wrong = || {
        invalid(format!(
            "`{DERIVATIVE}` takes [uri, the name of an operator, {{\"at\": [arguments], \"points\": \
             [[arguments]], \"order\": 1 or 2, \"check\": true or false}}]"
        ))
    };
    let (uri, name) = file_and_name(arguments).ok_or_else(wrong)?;
    let options = arguments.get(2).unwrap_or(&Value::Null);
    let option = |name: &str| options.get(name).filter(|value| !value.is_null());
    let sort = match option("closed") {
        None => Sort::Derivative,
        Some(number) => {
            let number = number.as_u64().and_then(|n| usize::try_from(n).ok());
            Sort::Closed(number.ok_or_else(wrong)?)
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
    Ok(Wish {
        uri,
        name,
        sort,
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

fn prepare(world: &World, target: &Target, wish: &Wish) -> Answer<Prepared> {
    let Some(document) = world.document(target.file) else {
        return Err(world::Failure::Refused("the file is gone".to_owned()));
    };
    let (file, name) = (target.file, wish.name.as_str());
    let subject = subject(&document.key, name, wish.sort);
    let analysis = &world.analysis;
    let planned = match wish.sort {
        Sort::Run => {
            let plan = analysis.run_plan(file, name);
            plan.map(|plan| Planned::Run(Box::new(plan)))
        }
        Sort::Derivative => {
            let question = Question {
                at: None,
                last: world.results.last_point(&subject),
                second: wish.second,
                check: wish.check,
            };
            let plan = |at| analysis.derivative_plan(file, name, &Question { at, ..question });
            let plans = match wish.points.is_empty() {
                true => plan(None).map(|plan| vec![plan]),
                false => wish.points.iter().map(|point| plan(Some(point))).collect(),
            };
            plans.map(Planned::Derivative)
        }
        Sort::Closed(index) => {
            let mut all = analysis.closed_derivatives(file).into_iter();
            let Some(closed) = all.find(|c| c.inside == name && c.index == index) else {
                let reason =
                    format!("`{name}` does not apply a derivative operator there any more");
                return Err(world::Failure::Refused(reason));
            };
            let question = Question {
                second: wish.second,
                check: wish.check,
                ..Question::default()
            };
            let plan = analysis.closed_plan(&closed, &question);
            plan.map(|plan| Planned::Derivative(vec![plan]))
        }
    };
    Ok(Prepared {
        planned: planned.map_err(|refusal| world::Failure::Refused(refusal.0))?,
        limits: world.settings.limits(&document.key),
        subject,
        shows_progress: world.support.work_done_progress,
    })
}

/// The arguments of [`RUN`] or [`DERIVATIVE`] for a subject.
pub fn arguments(uri: &lsp::Uri, name: &str, sort: Sort) -> Vec<Value> {
    let mut arguments = vec![json!(uri.as_str()), json!(name)];
    if let Sort::Closed(index) = sort {
        arguments.push(json!({ "closed": index }));
    }
    arguments
}

/// What the results for an operator in a document are known by.
pub fn subject(key: &Arc<str>, name: &str, sort: Sort) -> Subject {
    Subject {
        key: key.clone(),
        name: name.to_owned(),
        sort,
    }
}
