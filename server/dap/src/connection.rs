//! The two ends of the connection: requests come in on a thread of their own, so that a run can be interrupted.

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};

use frank_framing::{Frame, Headers, frame, mend_surrogates};
use serde::Serialize;
use serde_json::Value;

use crate::messages::{Event, Request, Response};

/// What comes in.
#[derive(Debug)]
pub enum Incoming {
    Request(Request),
    /// Something that is no request; why.
    Unreadable(String),
}

/// What comes from the client.
pub struct Requests {
    pub incoming: Receiver<Incoming>,
    /// Set when the client has asked for the end, before that is its turn: whatever takes long ends early.
    pub is_last: Arc<AtomicBool>,
}

/// Reads requests until the input ends; then the channel is closed.
pub fn listen(mut input: impl Read + Send + 'static) -> Requests {
    let (sender, incoming) = channel();
    let is_last = Arc::new(AtomicBool::new(false));
    let requests = Requests {
        incoming,
        is_last: is_last.clone(),
    };
    std::thread::spawn(move || {
        let mut bytes: Vec<u8> = Vec::new();
        let mut chunk = [0; 16 << 10];
        loop {
            loop {
                let end = match frame(&bytes, Headers::Any) {
                    Frame::Partial => break,
                    Frame::Foreign => return,
                    Frame::Garbage { length } => {
                        let reason = "a header without `Content-Length`".to_owned();
                        if sender.send(Incoming::Unreadable(reason)).is_err() {
                            return;
                        }
                        length
                    }
                    Frame::Message { start, end } => {
                        let body = bytes.get_mut(start..end).unwrap_or_default();
                        mend_surrogates(body);
                        let understood = (!body.is_empty()).then(|| understood(body));
                        if let Some(Incoming::Request(request)) = &understood
                            && matches!(request.command.as_str(), "disconnect" | "terminate")
                        {
                            is_last.store(true, Ordering::Relaxed);
                        }
                        if understood.is_some_and(|incoming| sender.send(incoming).is_err()) {
                            return;
                        }
                        end
                    }
                };
                bytes.drain(..end.min(bytes.len()));
            }
            match input.read(&mut chunk) {
                Ok(0) | Err(_) => {
                    is_last.store(true, Ordering::Relaxed);
                    return;
                }
                Ok(count) => bytes.extend_from_slice(chunk.get(..count).unwrap_or_default()),
            }
        }
    });
    requests
}

fn understood(body: &[u8]) -> Incoming {
    match serde_json::from_slice::<Request>(body) {
        Ok(request) if request.kind == "request" => Incoming::Request(request),
        Ok(other) => Incoming::Unreadable(format!("a message of the type “{}”", other.kind)),
        Err(error) => Incoming::Unreadable(error.to_string()),
    }
}

/// Writes answers and events.
pub struct Client<W> {
    output: W,
    seq: i64,
}

impl<W: Write> Client<W> {
    pub fn new(output: W) -> Client<W> {
        Client { output, seq: 0 }
    }

    fn send(&mut self, message: &impl Serialize) -> io::Result<()> {
        let body = serde_json::to_vec(message)?;
        write!(self.output, "Content-Length: {}\r\n\r\n", body.len())?;
        self.output.write_all(&body)?;
        self.output.flush()
    }

    fn next(&mut self) -> i64 {
        self.seq += 1;
        self.seq
    }

    /// Answers a request: with a body, or with what went wrong.
    pub fn answer(&mut self, request: &Request, answer: Result<Value, String>) -> io::Result<()> {
        let seq = self.next();
        let success = answer.is_ok();
        let (body, message) = match answer {
            Ok(body) => (body, None),
            Err(reason) => {
                // In the format braces would be variables.
                let error = serde_json::json!({
                    "id": 1, "format": "{reason}", "variables": { "reason": reason }, "showUser": true,
                });
                (serde_json::json!({ "error": error }), Some(reason))
            }
        };
        self.send(&Response {
            seq,
            kind: "response",
            request_seq: request.seq,
            success,
            command: &request.command,
            message,
            body,
        })
    }

    pub fn event(&mut self, event: &str, body: Value) -> io::Result<()> {
        let seq = self.next();
        self.send(&Event {
            seq,
            kind: "event",
            event,
            body,
        })
    }

    /// Shows a text: `stdout` is what the program prints, `console` what the debugger says, `important` what must be
    /// seen.
    pub fn output(&mut self, category: &str, text: &str) -> io::Result<()> {
        self.event(
            "output",
            serde_json::json!({ "category": category, "output": text }),
        )
    }
}
