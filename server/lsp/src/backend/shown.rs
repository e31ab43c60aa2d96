//! Requests for what a run shows: its states, and pictures of operators.

use serde_json::Value;
use tower_lsp::jsonrpc::Result;

use super::Backend;
use crate::features::{plot, steps};
use crate::requests::Urgency;

impl Backend {
    /// The states of a run.
    pub async fn step(&self, params: steps::StepParams) -> Result<Value> {
        let (uri, html) = (params.text_document.uri.clone(), params.html);
        let prepared = self
            .events
            .request_about(Urgency::Now, uri, Vec::new(), move |snapshot, target| {
                steps::prepare(snapshot, target, &params)
            })
            .await?;
        let limits = prepared.limits.clone();
        let evaluation = self
            .evaluator
            .evaluate(limits, None, move |limits, _| prepared.run(limits));
        steps::answer(&evaluation.result().await?, html)
    }

    /// A picture of an operator and its derivatives.
    pub async fn plot(&self, params: plot::PlotParams) -> Result<Value> {
        let (uri, theme) = (params.text_document.uri.clone(), params.theme);
        let prepared = self
            .events
            .request_about(Urgency::Now, uri, Vec::new(), move |snapshot, target| {
                plot::prepare(snapshot, target, &params)
            })
            .await?;
        let limits = prepared.limits.clone();
        let evaluation = self
            .evaluator
            .evaluate(limits, None, move |limits, report| {
                prepared.run(limits, || report(0, 1))
            });
        plot::answer(evaluation.result().await?, theme)
    }
}
