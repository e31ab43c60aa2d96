//! What a client can have done (`workspace/executeCommand`).
//!
//! - `frank.run [uri, name]` runs an operator without ports:
//!   `{"value", "output", "steps", "millis", "text"}`.
//! - `frank.derivative [uri, name, {"at": [numbers]}]` evaluates a smooth operator and its
//!   derivatives: `{"at", "value", "derivatives": [{"by", "values"}], "agree", "text"}`. Numbers are
//!   given as numbers or strings and answered as strings, as Frank prints them. Without a point the
//!   server chooses one. `{"closed": n}` instead means the application of a derivative operator that
//!   has n others before it in the clauses of the operator `name`.
//! - `frank.showReferences [uri, position, locations]` shows the places, one of them in an editor.
//!
//! `text` is what the lens says.

use std::sync::Arc;

use frank_ide::evaluate::{Failure, Plan, RunPlan};
use frank_interpreter::Limits;
use serde_json::{Value, json};
use tower_lsp::jsonrpc;
use tower_lsp::ls_types as lsp;

use crate::backend::Backend;
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
    at: Option<Vec<String>>,
}

/// A wish that can be fulfilled without the files.
enum Planned {
    Run(Box<RunPlan>),
    Derivative(Box<Plan>),
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
            Planned::Derivative(plan) => format!("Frank: differentiating {}", plan.name),
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
                Planned::Derivative(plan) => Outcome::Derivative(plan.run(limits, tell)),
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
            Outcome::Derivative(result) => {
                if let Err(failure) = &result.value
                    && result.derivatives.iter().all(|d| d.values.is_err())
                {
                    return Err(self.failed(&result.name, failure).await);
                }
                let derivatives = result.derivatives.iter();
                let derivatives: Vec<Value> = derivatives
                    .map(|derivative| match &derivative.values {
                        Ok(values) => json!({ "by": derivative.by, "values": values }),
                        Err(failure) => {
                            json!({ "by": derivative.by, "values": [], "error": failure.message })
                        }
                    })
                    .collect();
                let answer = json!({
                    "at": result.at,
                    "derivatives": derivatives,
                    "agree": !result.disagrees(),
                    "text": text,
                });
                Ok(match &result.value {
                    Ok(value) => with(answer, "value", json!(value)),
                    Err(failure) => with(answer, "error", json!(failure.message)),
                })
            }
        }
    }

    /// The error for an evaluation without a value, with the line where it stopped.
    async fn failed(&self, name: &str, failure: &Failure) -> jsonrpc::Error {
        let mut message = format!("`{name}`: {}", failure.message);
        if let Some((path, range)) = failure.place.clone() {
            let place = self.events().ask(Urgency::Now, move |world| {
                let file = world.analysis.snapshot().file(&path);
                let document = file.and_then(|file| world.document(file));
                Ok(document.map(|document| {
                    let name = document.key.rsplit('/').next().unwrap_or_default();
                    let start = (range.start as usize).min(document.text.len_bytes());
                    format!("{name}:{}", document.text.byte_to_line(start) + 1)
                }))
            });
            if let Ok(Some(place)) = place.await {
                message.push_str(&format!(" ({place})"));
            }
        }
        world::Failure::Refused(message).into()
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
        at: None,
    })
}

fn derivative_wish(arguments: &[Value]) -> jsonrpc::Result<Wish> {
    let wrong = || {
        invalid(format!(
            "`{DERIVATIVE}` takes [uri, the name of an operator, {{\"at\": [numbers]}}]"
        ))
    };
    let (uri, name) = file_and_name(arguments).ok_or_else(wrong)?;
    let options = arguments.get(2).unwrap_or(&Value::Null);
    let sort = match options.get("closed") {
        None | Some(Value::Null) => Sort::Derivative,
        Some(number) => {
            let number = number.as_u64().and_then(|n| usize::try_from(n).ok());
            Sort::Closed(number.ok_or_else(wrong)?)
        }
    };
    let at = match options.get("at") {
        None | Some(Value::Null) => None,
        Some(Value::Array(numbers)) => {
            let numbers = numbers.iter().map(number).collect::<Option<Vec<String>>>();
            Some(numbers.ok_or_else(wrong)?)
        }
        Some(single) => Some(vec![number(single).ok_or_else(wrong)?]),
    };
    // Editors send an empty list where nothing was typed.
    let at = at.filter(|numbers| !numbers.is_empty());
    Ok(Wish {
        uri,
        name,
        sort,
        at,
    })
}

fn number(value: &Value) -> Option<String> {
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
            let last = world.results.last_point(&subject);
            let plan = analysis.derivative_plan(file, name, wish.at.as_deref(), last);
            plan.map(|plan| Planned::Derivative(Box::new(plan)))
        }
        Sort::Closed(index) => {
            let mut all = analysis.closed_derivatives(file).into_iter();
            let Some(closed) = all.find(|c| c.inside == name && c.index == index) else {
                let reason =
                    format!("`{name}` does not apply a derivative operator there any more");
                return Err(world::Failure::Refused(reason));
            };
            let plan = analysis.closed_plan(&closed);
            plan.map(|plan| Planned::Derivative(Box::new(plan)))
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
