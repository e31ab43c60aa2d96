//! Requests that only the server's own tests make.

use std::time::Duration;

use serde_json::Value;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::Uri;
use web_time::Instant;

use super::Backend;
use crate::events::Event;
use crate::request_snapshot::{Answer, RequestSnapshot};

/// The method of these requests.
pub const METHOD: &str = "frank/selfTest";

impl Backend {
    /// `{"do": "panic"}` panics, `{"do": "panicMainLoop"}` in the main loop, which
    /// hangs from `{"do": "hangMainLoop"}` on; from `{"do": "stallDisk"}` on
    /// no reader has an answer any more;
    /// `{"do": "work", "millis": n}` works for a time; `{"do": "text", "uri": u}` gives a text.
    pub async fn self_test(&self, params: Value) -> Result<Value> {
        let events = &self.events;
        match params.get("do").and_then(Value::as_str) {
            Some("panic") => events.request(crate::requests::Urgency::Now, panic).await,
            Some("panicMainLoop") => {
                events.send(Event::Panic);
                Ok(Value::Null)
            }
            Some("stallDisk") => {
                events.send(Event::StallDisk);
                Ok(Value::Null)
            }
            Some("hangMainLoop") => {
                events.send(Event::Hang);
                Ok(Value::Null)
            }
            Some("work") => {
                let millis = params.get("millis").and_then(Value::as_u64).unwrap_or(0);
                let urgency = match params.get("urgent").and_then(Value::as_bool) {
                    Some(true) => crate::requests::Urgency::Now,
                    _ => crate::requests::Urgency::Soon,
                };
                events
                    .request(urgency, move |snapshot| work(snapshot, millis))
                    .await
            }
            _ => {
                let uri = params
                    .get("uri")
                    .and_then(Value::as_str)
                    .unwrap_or_default();
                let uri: Uri = uri
                    .parse()
                    .map_err(|_| tower_lsp::jsonrpc::Error::invalid_params("no URI"))?;
                events
                    .request_about(
                        crate::requests::Urgency::Now,
                        uri,
                        Vec::new(),
                        |snapshot, target| {
                            let document = snapshot.document(target.file);
                            let analysis = snapshot.analysis.snapshot().text(target.file);
                            Ok(serde_json::json!({
                                "document": document.map(|document| document.text.to_string()),
                                "version": document.and_then(|document| document.version),
                                "analysis": analysis,
                            }))
                        },
                    )
                    .await
            }
        }
    }
}

fn panic(_: &RequestSnapshot) -> Answer<Value> {
    panic!("asked to panic")
}

/// Takes as long as a long request does: it looks now and then whether to go on. It leaves the processor to
/// what is measured beside it.
fn work(snapshot: &RequestSnapshot, millis: u64) -> Answer<Value> {
    let start = Instant::now();
    while start.elapsed() < Duration::from_millis(millis) {
        snapshot.check();
        std::thread::sleep(Duration::from_millis(1));
    }
    Ok(Value::from(millis))
}
