//! Requests about the cells of notebooks.

use tower_lsp::jsonrpc::Result;

use super::{Backend, DocumentParams};
use crate::features::cells::{self, CellAnswer, CellStamp, CellsParams};
use crate::requests::Urgency;

impl Backend {
    /// Evaluates the terms of a cell.
    pub async fn run_cell(&self, params: DocumentParams) -> Result<CellAnswer> {
        let uri = params.text_document.uri;
        let prepared = self
            .events
            .request_about(Urgency::Now, uri, Vec::new(), cells::prepare)
            .await?;
        let limits = prepared.limits.clone();
        let evaluation = self
            .evaluator
            .evaluate(limits, None, move |limits, report| {
                prepared.run(limits, report)
            });
        let (ended, mut answer) = evaluation.result().await?;
        for ended in ended {
            let run = ended.result.as_ref().ok();
            let failure = run.and_then(|run| run.value.as_ref().err());
            let failed = match failure {
                Some(failure) => {
                    let place = self.line_of(failure.place.as_ref()).await;
                    let place = place.map(|place| format!(" ({place})")).unwrap_or_default();
                    Some(format!("{}{place}", failure.message))
                }
                None => None,
            };
            answer.results.push(cells::result(ended, failed));
        }
        Ok(answer)
    }

    /// What is known of some cells.
    pub async fn cells(&self, params: CellsParams) -> Result<Vec<CellStamp>> {
        let compute = move |snapshot: &crate::request_snapshot::RequestSnapshot| {
            cells::stamps(snapshot, &params)
        };
        self.events.request(Urgency::Soon, compute).await
    }
}
