//! Requests that only the server's own tests make.

use std::time::{Duration, Instant};

use serde_json::Value;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::Uri;

use super::Backend;
use crate::events::Event;
use crate::world::{Answer, World};

/// The method of these requests.
pub const METHOD: &str = "frank/selfTest";

impl Backend {
    /// `{"do": "panic"}` panics, `{"do": "panicKeeper"}` where everything is owned;
    /// `{"do": "work", "millis": n}` works for a time; `{"do": "text", "uri": u}` tells a text.
    pub async fn self_test(&self, wish: Value) -> Result<Value> {
        let events = &self.events;
        match wish.get("do").and_then(Value::as_str) {
            Some("panic") => events.ask(crate::questions::Urgency::Now, panic).await,
            Some("panicKeeper") => {
                events.send(Event::Panic);
                Ok(Value::Null)
            }
            Some("work") => {
                let millis = wish.get("millis").and_then(Value::as_u64).unwrap_or(0);
                let urgency = match wish.get("urgent").and_then(Value::as_bool) {
                    Some(true) => crate::questions::Urgency::Now,
                    _ => crate::questions::Urgency::Soon,
                };
                events.ask(urgency, move |world| work(world, millis)).await
            }
            _ => {
                let uri = wish.get("uri").and_then(Value::as_str).unwrap_or_default();
                let uri: Uri = uri
                    .parse()
                    .map_err(|_| tower_lsp::jsonrpc::Error::invalid_params("no URI"))?;
                events
                    .ask_about(
                        crate::questions::Urgency::Now,
                        uri,
                        Vec::new(),
                        |world, target| {
                            let document = world.document(target.file);
                            let analysis = world.analysis.snapshot().text(target.file);
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

fn panic(_: &World) -> Answer<Value> {
    panic!("asked to panic")
}

/// Works as a long question does, which asks now and then whether to go on.
fn work(world: &World, millis: u64) -> Answer<Value> {
    let start = Instant::now();
    while start.elapsed() < Duration::from_millis(millis) {
        world.check();
        std::hint::spin_loop();
    }
    Ok(Value::from(millis))
}
