//! `frank/graph`: what an operator and its derivatives compute, as a picture of its operations.

use std::collections::BTreeMap;

use frank_ide::Refusal;
use frank_ide::evaluate::{EvaluationError, InFile, StageQuestion, Staged, StagedPlan};
use frank_interpreter::Limits;
use serde::Deserialize;
use serde_json::{Value, json};
use tower_lsp::jsonrpc;
use tower_lsp::ls_types::TextDocumentIdentifier;

use crate::pictures;
use crate::request_snapshot::{Answer, RequestError, RequestSnapshot, Target};
use crate::settings::PlotTheme;

/// What is drawn. All but the file and the name may be left out.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GraphParams {
    pub text_document: TextDocumentIdentifier,
    name: String,
    /// The point, a Frank text for each argument.
    at: Option<Vec<String>>,
    /// Other numbers for variables.
    #[serde(default)]
    moved: BTreeMap<String, f64>,
    /// Simplify as for numbers that are finite.
    #[serde(default)]
    fast_math: bool,
    #[serde(default)]
    pub theme: PlotTheme,
}

/// A graph that no longer needs the files.
pub struct Prepared {
    plan: StagedPlan,
    pub limits: Limits,
}

/// Checks and lowers what is to be staged.
///
/// # Errors
/// The operator cannot be staged; with the reason.
pub fn prepare(
    snapshot: &RequestSnapshot,
    target: &Target,
    asked: &GraphParams,
) -> Answer<Prepared> {
    let question = StageQuestion {
        at: asked.at.as_deref(),
        fast: asked.fast_math,
        origins: true,
        ..StageQuestion::default()
    };
    let plan = snapshot
        .analysis
        .staged_plan(target.file, &asked.name, &question);
    let refused = |refusal: Refusal| RequestError::Refused(refusal.0);
    let mut plan = plan.map_err(refused)?;
    for (variable, value) in &asked.moved {
        plan.set(variable, *value).map_err(refused)?;
    }
    let limits = match snapshot.document(target.file) {
        Some(document) => snapshot.settings.limits(&document.key),
        None => Limits::default(),
    };
    Ok(Prepared { plan, limits })
}

/// A picture, with the places that its nodes have numbers of.
pub struct Graph {
    staged: Staged,
    point: Vec<f64>,
}

impl Prepared {
    /// Stages; `progress` is called now and then.
    ///
    /// # Errors
    /// The first stage fails, or a limit ends it.
    pub fn run(self, limits: &Limits, progress: impl FnMut()) -> Result<Graph, EvaluationError> {
        let staged = self.plan.run(limits, progress)?;
        Ok(Graph {
            staged,
            point: self.plan.point,
        })
    }
}

/// The picture, where this server can draw, and the places of its nodes by their numbers.
pub fn answer(snapshot: &RequestSnapshot, graph: &Graph, theme: PlotTheme) -> Value {
    let name = |place: &InFile| snapshot.place_name(place).unwrap_or_default();
    let drawn = pictures::graph(&graph.staged, &graph.point, name, theme);
    let (svg, places) = drawn.unzip();
    let places = places.unwrap_or_default();
    let places = places.iter().map(|place| snapshot.location_of(place));
    let missing = graph.staged.missing.as_ref();
    let inputs = graph.staged.unit.inputs.iter().zip(&graph.point);
    let point = inputs.map(|(variable, value)| json!({ "variable": variable, "value": value }));
    json!({
        "svg": svg,
        "point": point.collect::<Value>(),
        "places": places.collect::<Vec<_>>(),
        "missing": missing.map(|failure| failure_text(snapshot, failure)),
    })
}

/// Why there is no picture.
pub fn refusal(snapshot: &RequestSnapshot, failure: &EvaluationError) -> jsonrpc::Error {
    let mut error = jsonrpc::Error::from(RequestError::Refused(failure_text(snapshot, failure)));
    let place = failure.place.as_ref();
    let place = place.and_then(|place| snapshot.location_of(place));
    error.data = place.map(|place| json!({ "place": place }));
    error
}

fn failure_text(snapshot: &RequestSnapshot, failure: &EvaluationError) -> String {
    let place = failure.place.as_ref();
    match place.and_then(|place| snapshot.place_name(place)) {
        Some(place) => format!("{}, at {place}", failure.message),
        None => failure.message.clone(),
    }
}
