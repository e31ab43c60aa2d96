//! Executes commands (`workspace/executeCommand`).

use std::sync::Arc;

use frank_ide::evaluate::{
    DerivativeResult, EvaluationError, InFile, LawPlan, Plan, Question, RunPlan,
};
use frank_ide::laws::Tries;
use frank_ide::{Example, Expected, excerpt};
use frank_interpreter::{Answers, Limits};
use frank_syntax::notebook::notebook_of;
use serde_json::{Value, json};
use tower_lsp::jsonrpc;
use tower_lsp::ls_types as lsp;

use super::Backend;
use crate::client::{Message, brief};
use crate::commands::{
    self, ALL, CHECK, DERIVATIVE, Evaluation, ExampleAt, RUN, SELECT, SHOW_REFERENCES, WRITE_VALUE,
    invalid,
};
use crate::derivatives;
use crate::events::Event;
use crate::features::examples;
use crate::progress::Shown;
use crate::request_snapshot::{Answer, RequestError, RequestSnapshot, Target};
use crate::requests::Urgency;
use crate::results::{EvaluationKind, Outcome, Subject};

/// An evaluation that no longer needs the files.
enum Planned {
    Run(Box<RunPlan>),
    /// One for each point.
    Derivative(Vec<Plan>),
    Law(Box<LawPlan>),
}

/// What is to be evaluated, and how.
struct Prepared {
    planned: Planned,
    subject: Subject,
    limits: Limits,
    /// The client can show the progress of work that the server began.
    shows_progress: bool,
}

impl Backend {
    /// Executes a command.
    ///
    /// # Errors
    /// The command does not exist, its arguments are invalid, it is refused (with the reason), it
    /// ended without a value (with the place), or it was cancelled.
    pub async fn execute(
        &self,
        params: lsp::ExecuteCommandParams,
    ) -> jsonrpc::Result<Option<Value>> {
        let token = params.work_done_progress_params.work_done_token;
        match params.command.as_str() {
            RUN => {
                let evaluation = commands::run(&params.arguments)?;
                self.evaluate(evaluation, token).await.map(Some)
            }
            DERIVATIVE => {
                let evaluation = commands::derivative(&params.arguments)?;
                self.evaluate(evaluation, token).await.map(Some)
            }
            CHECK => {
                let example = commands::example(CHECK, &params.arguments)?;
                let checked = self.check(&example, token).await?;
                Ok(Some(checked.answer()))
            }
            WRITE_VALUE => {
                let example = commands::example(WRITE_VALUE, &params.arguments)?;
                self.write_value(&example, token).await.map(Some)
            }
            SELECT => {
                let place = commands::place(&params.arguments)?;
                self.client.send(Message::ShowPlaces(vec![place]));
                Ok(None)
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
        asked: Evaluation,
        token: Option<lsp::ProgressToken>,
    ) -> jsonrpc::Result<Value> {
        let uri = asked.uri.clone();
        let prepare =
            move |snapshot: &RequestSnapshot, target: &Target| prepare(snapshot, target, &asked);
        let prepared = self
            .events
            .request_about(Urgency::Now, uri, Vec::new(), prepare)
            .await?;
        let outcome = self.outcome(prepared, token, self.answers.clone()).await?;
        self.answer(outcome).await
    }

    /// Evaluates what is prepared, and has the result shown. What runs is granted what `answers` grants, what is
    /// differentiated nothing.
    async fn outcome(
        &self,
        prepared: Prepared,
        token: Option<lsp::ProgressToken>,
        answers: Option<Arc<dyn Answers>>,
    ) -> jsonrpc::Result<Outcome> {
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
            Planned::Law(_) => format!("Frank: trying {}", excerpt(&subject.name)),
        };
        let shown = match token {
            Some(token) => Some(Shown::Under(token)),
            None => shows_progress.then_some(Shown::IfLong),
        };
        let progress = shown.map(|shown| self.client.show_progress(&title, true, shown));
        let evaluation = self
            .evaluator
            .evaluate(limits, progress, move |limits, report| match planned {
                Planned::Run(plan) => {
                    let answers = answers.as_deref();
                    Outcome::Run(plan.run_granted(limits, answers, || report(0, 1)))
                }
                Planned::Derivative(plans) => {
                    let results = plans.iter().map(|plan| plan.run(limits, &mut *report));
                    Outcome::Derivative(results.collect())
                }
                Planned::Law(plan) => Outcome::Law(plan.run(Tries::default(), limits, report)),
            });
        let outcome = evaluation.result().await?;
        self.events
            .send(Event::Evaluated(subject, Box::new(outcome.clone())));
        Ok(outcome)
    }

    /// Evaluates an example and compares, or tries a law.
    async fn check(
        &self,
        example: &ExampleAt,
        token: Option<lsp::ProgressToken>,
    ) -> jsonrpc::Result<Checked> {
        let (uri, line) = (example.uri.clone(), example.line);
        let prepare = move |snapshot: &RequestSnapshot, target: &Target| {
            prepare_example(snapshot, target, line)
        };
        let (example, prepared) = self
            .events
            .request_about(Urgency::Now, uri, Vec::new(), prepare)
            .await?;
        let outcome = match prepared {
            Ok(prepared) => Ok(self.outcome(prepared, token, None).await?),
            Err(reason) => Err(reason),
        };
        Ok(Checked {
            expected: example.expected().cloned(),
            outcome,
        })
    }

    /// Evaluates an example, and has the client write its value.
    async fn write_value(
        &self,
        example: &ExampleAt,
        token: Option<lsp::ProgressToken>,
    ) -> jsonrpc::Result<Value> {
        let checked = self.check(example, token).await?;
        let answer = checked.answer();
        let refused = |reason: &str| RequestError::Refused(reason.to_owned());
        let value = checked
            .value()
            .map_err(refused)?
            .unwrap_or_default()
            .to_owned();
        let (uri, line) = (example.uri.clone(), example.line);
        let write = move |snapshot: &RequestSnapshot, target: &Target| {
            examples::write(snapshot, target, line, &value)
        };
        let edit = self
            .events
            .request_about(Urgency::Now, uri, Vec::new(), write)
            .await?;
        if let Some(edit) = edit {
            self.client.send(Message::Edit(edit));
        }
        Ok(answer)
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
            Outcome::Law(_) => Ok(json!({ "text": text })),
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
        RequestError::Refused(message).into()
    }

    /// The name of a file with the line of a place in it.
    pub(super) async fn line_of(&self, place: Option<&InFile>) -> Option<String> {
        let (path, range) = place.cloned()?;
        let line = self.events.request(Urgency::Now, move |snapshot| {
            let file = snapshot.analysis.snapshot().file(&path);
            let document = file.and_then(|file| snapshot.document(file));
            Ok(document.map(|document| {
                let name = document.key.rsplit('/').next().unwrap_or_default();
                // Cells have names that nobody has seen.
                let name = notebook_of(name).map_or(name, |_| "cell");
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
        let shows = self.events.request(Urgency::Now, |snapshot| {
            Ok(snapshot.capabilities.shows_documents)
        });
        if shows.await? && !places.is_empty() {
            self.client.send(Message::ShowPlaces(places));
            return Ok(None);
        }
        let listed: Vec<String> = places.iter().map(brief).collect();
        let text = match listed.is_empty() {
            true => "There are none.".to_owned(),
            false => listed.join("\n"),
        };
        self.client.show(lsp::MessageType::INFO, text);
        Ok(None)
    }
}

/// What came of an example or a law.
struct Checked {
    expected: Option<Expected>,
    /// How it ended, or why it cannot be evaluated.
    outcome: Result<Outcome, String>,
}

impl Checked {
    /// The value of an example, if it is one, or what is wrong.
    fn value(&self) -> Result<Option<&str>, &str> {
        match self.outcome.as_ref().map_err(String::as_str)? {
            Outcome::Run(result) => match &result.value {
                Ok(value) => Ok(Some(value)),
                Err(failure) => Err(&failure.message),
            },
            Outcome::Law(result) => match &result.held {
                Ok(_) => Ok(None),
                Err(failure) => Err(&failure.message),
            },
            Outcome::Derivative(_) => Err("this is no example"),
        }
    }

    /// As JSON.
    fn answer(&self) -> Value {
        let value = self.value();
        let wanted = self.expected.as_ref();
        let is_wanted = |value: &str| wanted.is_none_or(|wanted| wanted.is(value));
        let text = match &self.outcome {
            Ok(outcome) => examples::label(wanted, outcome),
            Err(reason) => format!("✗ {reason}"),
        };
        json!({
            "right": value.is_ok_and(|value| value.is_none_or(is_wanted)),
            "value": value.ok().flatten(),
            "expected": wanted.map(|wanted| &wanted.text),
            "error": value.err(),
            "output": match &self.outcome {
                Ok(Outcome::Run(result)) => result.output.as_str(),
                _ => "",
            },
            "text": text,
        })
    }
}

/// The result of a derivative, as JSON.
fn derivative_answer(result: &DerivativeResult) -> Value {
    let answer = derivatives::as_json(result);
    match &result.value {
        Ok(_) => answer,
        Err(failure) => with(answer, "error", json!(failure.message)),
    }
}

/// A JSON object with one more field.
fn with(mut object: Value, key: &str, value: Value) -> Value {
    if let Some(fields) = object.as_object_mut() {
        fields.insert(key.to_owned(), value);
    }
    object
}

/// The example or law that begins on a line, prepared; or why it cannot be evaluated.
fn prepare_example(
    snapshot: &RequestSnapshot,
    target: &Target,
    line: usize,
) -> Answer<(Example, Result<Prepared, String>)> {
    let Some(document) = snapshot.document(target.file) else {
        return Err(RequestError::Refused("the file is gone".to_owned()));
    };
    let example = examples::on_line(snapshot, target, document, line)?;
    let asked = Evaluation {
        uri: document.uri.clone(),
        name: example.text().unwrap_or_default().to_owned(),
        kind: examples::kind(&example),
        points: Vec::new(),
        second: false,
        check: false,
    };
    let prepared = match prepare(snapshot, target, &asked) {
        Ok(prepared) => Ok(prepared),
        Err(RequestError::Refused(reason)) => Err(reason),
        Err(error) => return Err(error),
    };
    Ok((example, prepared))
}

fn prepare(snapshot: &RequestSnapshot, target: &Target, asked: &Evaluation) -> Answer<Prepared> {
    let Some(document) = snapshot.document(target.file) else {
        return Err(RequestError::Refused("the file is gone".to_owned()));
    };
    let (file, name) = (target.file, asked.name.as_str());
    let subject = commands::subject(&document.key, name, asked.kind);
    let analysis = &snapshot.analysis;
    let planned = match asked.kind {
        EvaluationKind::Run => {
            let plan = analysis.run_plan(file, name);
            plan.map(|plan| Planned::Run(Box::new(plan)))
        }
        EvaluationKind::Example => {
            let plan = analysis.term_plan(file, name);
            plan.map(|plan| Planned::Run(Box::new(plan)))
        }
        EvaluationKind::Law => {
            let plan = analysis.law_plan(file, name);
            plan.map(|plan| Planned::Law(Box::new(plan)))
        }
        EvaluationKind::Derivative => {
            let question = Question {
                at: None,
                last: snapshot.results.last_point(&subject),
                second: asked.second,
                check: asked.check,
            };
            let plan = |at| analysis.derivative_plan(file, name, &Question { at, ..question });
            let plans = match asked.points.is_empty() {
                true => plan(None).map(|plan| vec![plan]),
                false => asked.points.iter().map(|point| plan(Some(point))).collect(),
            };
            plans.map(Planned::Derivative)
        }
        EvaluationKind::Closed(index) => {
            let mut all = analysis.closed_derivatives(file).into_iter();
            let Some(closed) = all.find(|c| c.inside == name && c.index == index) else {
                let reason =
                    format!("`{name}` does not apply a derivative operator there any more");
                return Err(RequestError::Refused(reason));
            };
            let question = Question {
                second: asked.second,
                check: asked.check,
                ..Question::default()
            };
            let plan = analysis.closed_plan(&closed, &question);
            plan.map(|plan| Planned::Derivative(vec![plan]))
        }
    };
    Ok(Prepared {
        planned: planned.map_err(|refusal| RequestError::Refused(refusal.0))?,
        limits: snapshot.settings.limits(&document.key),
        subject,
        shows_progress: snapshot.capabilities.work_done_progress,
    })
}
