//! Requests for what a run shows: its states, formulas and pictures of operators.

use std::time::Duration;

use serde_json::Value;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types as lsp;

use super::Backend;
use crate::features::code_lens::{self, Later};
use crate::features::portrait::{self, Found, Portrait};
use crate::features::resolve::ResolveData;
use crate::features::{graph, hover, plot, steps};
use crate::request_snapshot::RequestSnapshot;
use crate::requests::{Urgency, point};
use crate::tasks;

/// A hover waits no longer for what evaluations find.
const PATIENCE: Duration = Duration::from_millis(800);

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

    /// A picture of what an operator and its derivatives compute.
    pub async fn graph(&self, params: graph::GraphParams) -> Result<Value> {
        let (uri, theme) = (params.text_document.uri.clone(), params.theme);
        let prepared = self
            .events
            .request_about(
                Urgency::Now,
                uri.clone(),
                Vec::new(),
                move |snapshot, target| graph::prepare(snapshot, target, &params),
            )
            .await?;
        let limits = prepared.limits.clone();
        let evaluation = self
            .evaluator
            .evaluate(limits, None, move |limits, report| {
                prepared.run(limits, || report(0, 1))
            });
        let found = evaluation.result().await?;
        let answer =
            self.events
                .request_about(Urgency::Now, uri, Vec::new(), move |snapshot, _| {
                    Ok(match &found {
                        Ok(graph) => Ok(graph::answer(snapshot, graph, theme)),
                        Err(failure) => Err(graph::refusal(snapshot, failure)),
                    })
                });
        answer.await?
    }

    /// What is known at a place, with formulas and a picture of a smooth operator there.
    pub(super) async fn hover_at(
        &self,
        place: lsp::TextDocumentPositionParams,
    ) -> Result<Option<lsp::Hover>> {
        let memory = self.portraits.clone();
        let uri = place.text_document.uri.clone();
        let answer = self.at(place, move |snapshot, target| {
            let Some(said) = hover::hover(snapshot, target)? else {
                return Ok(None);
            };
            Ok(Some((said, portrait::at_place(snapshot, target, &memory))))
        });
        let Some((said, found)) = answer.await? else {
            return Ok(None);
        };
        let portrait = self.portrait(found).await;
        let place = portrait.as_ref().and_then(Portrait::place).cloned();
        let place = match place {
            None => None,
            Some(place) => {
                let name = move |snapshot: &RequestSnapshot, _: &_| Ok(snapshot.place_name(&place));
                let asked = self
                    .events
                    .request_about(Urgency::Now, uri, Vec::new(), name);
                asked.await?
            }
        };
        Ok(Some(said.with(portrait.as_ref(), place.as_deref())))
    }

    /// The command of a lens that was not found before.
    pub(super) async fn lens_command(
        &self,
        data: ResolveData<Later>,
        at: lsp::Position,
    ) -> Result<Option<lsp::Command>> {
        let (uri, ranges) = (data.uri.clone(), vec![point(at)]);
        let Later::Plot { name } = data.item else {
            let compute =
                move |snapshot: &_, target: &_| code_lens::resolve(snapshot, target, &data);
            let answer = self
                .events
                .request_about(Urgency::Soon, uri, ranges, compute);
            return answer.await;
        };
        let (memory, about) = (self.portraits.clone(), name.clone());
        let answer = self.events.request_about(
            Urgency::Soon,
            uri.clone(),
            ranges,
            move |snapshot, target| Ok(portrait::for_lens(snapshot, target, &about, &memory)),
        );
        let portrait = self.portrait(answer.await?).await;
        let title = portrait.and_then(|portrait| portrait.title());
        Ok(Some(code_lens::plot_command(&uri, &name, title)))
    }

    /// What is to be found of an operator, unless that takes longer than anybody waits; then it is there the next time.
    async fn portrait(&self, found: Option<Found>) -> Option<Portrait> {
        let mut waiting = match found? {
            Found::Known(waiting) => waiting,
            Found::ToFind(prepared) => prepared.find(&self.portraits, |prepared, found| {
                let limits = prepared.limits.clone();
                let evaluation = self.asides.evaluate(limits, None, move |limits, report| {
                    prepared.run(limits, || report(0, 1))
                });
                // It goes on, whoever has asked: others may wait for it.
                tasks::spawn(async move {
                    if let Ok(portrait) = evaluation.result().await {
                        // Nobody may be left.
                        let _ = found.send(Some(portrait));
                    }
                });
            }),
        };
        let portrait = waiting.wait_for(Option::is_some);
        let portrait = tasks::within(PATIENCE, portrait).await.ok()?;
        portrait.ok()?.clone()
    }
}
