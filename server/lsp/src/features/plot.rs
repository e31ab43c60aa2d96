//! `frank/plot`: an operator and its derivatives as a picture.

use std::collections::BTreeMap;

use frank_ide::evaluate::EvaluationError;
use frank_ide::plot::{Plot, PlotPlan, PlotQuestion};
use frank_interpreter::Limits;
use serde::Deserialize;
use serde_json::Value;
use tower_lsp::jsonrpc;
use tower_lsp::ls_types::TextDocumentIdentifier;

use crate::pictures::{self, PANEL};
use crate::plots::as_json;
use crate::request_snapshot::{Answer, RequestError, RequestSnapshot, Target};
use crate::settings::PlotTheme;

/// What is drawn. All but the file and the name may be left out.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PlotParams {
    pub text_document: TextDocumentIdentifier,
    name: String,
    /// The point, a Frank text for each argument.
    at: Option<Vec<String>>,
    /// Other numbers for variables.
    #[serde(default)]
    moved: BTreeMap<String, f64>,
    from: Option<f64>,
    to: Option<f64>,
    order: Option<u8>,
    #[serde(default)]
    over: Vec<String>,
    #[serde(default)]
    pub theme: PlotTheme,
}

/// A picture that no longer needs the files.
pub struct Prepared {
    plan: PlotPlan,
    pub limits: Limits,
}

/// Checks and lowers what is to be evaluated.
///
/// # Errors
/// The operator cannot be differentiated, or the range or the variables are none of it; with the reason.
pub fn prepare(
    snapshot: &RequestSnapshot,
    target: &Target,
    asked: &PlotParams,
) -> Answer<Prepared> {
    let moved: Vec<(String, f64)> = asked.moved.clone().into_iter().collect();
    let question = PlotQuestion {
        at: asked.at.as_deref(),
        moved: &moved,
        from: asked.from,
        to: asked.to,
        order: asked.order.unwrap_or(u8::from(asked.over.len() < 2)),
        over: &asked.over,
    };
    let plan = snapshot
        .analysis
        .plot_plan(target.file, &asked.name, &question);
    let plan = plan.map_err(|refusal| RequestError::Refused(refusal.0))?;
    let limits = match snapshot.document(target.file) {
        Some(document) => snapshot.settings.limits(&document.key),
        None => Limits::default(),
    };
    Ok(Prepared { plan, limits })
}

impl Prepared {
    /// Evaluates; `progress` is called now and then.
    pub fn run(&self, limits: &Limits, progress: impl FnMut()) -> Result<Plot, EvaluationError> {
        self.plan.draw(limits, progress)
    }
}

/// The picture's numbers, and `svg` where this server can draw.
///
/// # Errors
/// There is no picture; with the reason.
pub fn answer(found: Result<Plot, EvaluationError>, theme: PlotTheme) -> jsonrpc::Result<Value> {
    let plot = found.map_err(|failure| RequestError::Refused(failure.message))?;
    let mut answer = as_json(&plot);
    if let (Some(fields), Some(svg)) = (answer.as_object_mut(), pictures::svg(&plot, theme, PANEL))
    {
        fields.insert("svg".to_owned(), svg.into());
    }
    Ok(answer)
}
