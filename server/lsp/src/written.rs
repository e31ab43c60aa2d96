//! Answers that whoever computes them has written.
//!
//! `tower-lsp` makes a tree of values of each answer before it writes it. For the symbols of a large file that
//! takes several times as long as all else. So an answer that can be large is written by the worker that
//! computes it; `tower-lsp` gets a note in its place, and the text takes the note's place when the message leaves.

use std::collections::HashMap;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use bytes::{Buf, BytesMut};
use frank_framing::{Frame, Headers, frame};
use serde::{Deserialize, Serialize, Serializer};
use tokio::io::AsyncWrite;
use tower_lsp::jsonrpc::{Id, Request};

use crate::request_snapshot::{Answer, RequestError};

/// A method whose answers are written by a worker.
pub struct Method {
    name: &'static str,
    /// What `tower-lsp` knows it by, which has answers of a type of its own for the name.
    pub own: &'static str,
}

/// The symbols of a document.
pub const SYMBOLS: Method = Method {
    name: "textDocument/documentSymbol",
    own: "frank/written/documentSymbol",
};

/// The lenses of a document.
pub const LENSES: Method = Method {
    name: "textDocument/codeLens",
    own: "frank/written/codeLens",
};

/// What a note begins with; no other answer does.
const NOTE: &str = "frank/written:";

/// A message with a note is no longer than this, unless its number is a long text.
const LONGEST: usize = 4 << 10;

/// A request by the name that `tower-lsp` knows its method by.
pub fn renamed(request: Request) -> Request {
    let known = [SYMBOLS, LENSES];
    let known = known.iter().find(|known| known.name == request.method());
    let Some(method) = known else {
        return request;
    };
    let (_, id, params) = request.into_parts();
    let mut renamed = Request::build(method.own);
    if let Some(id) = id {
        renamed = renamed.id(id);
    }
    if let Some(params) = params {
        renamed = renamed.params(params);
    }
    renamed.finish()
}

/// An answer as JSON.
pub fn write<R: Serialize>(answer: Answer<R>) -> Answer<String> {
    let failed = |error: serde_json::Error| RequestError::Refused(error.to_string());
    serde_json::to_string(&answer?).map_err(failed)
}

/// The answers that are written and have not left yet.
#[derive(Debug, Default)]
pub struct Texts {
    waiting: Mutex<Waiting>,
}

#[derive(Debug, Default)]
struct Waiting {
    texts: HashMap<u64, String>,
    count: u64,
}

impl Texts {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The text that a note stands for.
    fn take(&self, note: &str) -> Option<String> {
        let number = note.strip_prefix(NOTE)?.parse().ok()?;
        self.waiting().texts.remove(&number)
    }
}

/// An answer that is written. It is serialised as a note, once; the text waits from then on.
#[derive(Debug)]
pub struct Written {
    text: Mutex<Option<String>>,
    texts: Arc<Texts>,
}

impl Written {
    /// An answer with this JSON.
    pub fn new(text: String, texts: &Arc<Texts>) -> Written {
        Written {
            text: Mutex::new(Some(text)),
            texts: texts.clone(),
        }
    }
}

impl Serialize for Written {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = self
            .text
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        let Some(text) = text else {
            return serializer.serialize_none();
        };
        let mut waiting = self.texts.waiting();
        waiting.count += 1;
        let number = waiting.count;
        waiting.texts.insert(number, text);
        serializer.collect_str(&format_args!("{NOTE}{number}"))
    }
}

/// A connection on which texts take the places of their notes.
pub struct Exchange<O> {
    output: O,
    texts: Arc<Texts>,
    /// What has come and is no whole message yet.
    partial: BytesMut,
    /// Whole messages that are to be written.
    whole: BytesMut,
}

/// A message with a note.
#[derive(Deserialize)]
struct Noted<'m> {
    id: Id,
    result: &'m str,
}

impl<O> Exchange<O> {
    pub fn new(output: O, texts: Arc<Texts>) -> Exchange<O> {
        Exchange {
            output,
            texts,
            partial: BytesMut::new(),
            whole: BytesMut::new(),
        }
    }

    /// Moves the messages that are whole.
    fn exchange(&mut self) {
        while let Frame::Message { start, end } = frame(&self.partial, Headers::Any) {
            let message = self.partial.split_to(end);
            let body = message.get(start..).unwrap_or_default();
            match written(&self.texts, body) {
                Some(body) => {
                    let header = format!("Content-Length: {}\r\n\r\n", body.len());
                    self.whole.extend_from_slice(header.as_bytes());
                    self.whole.extend_from_slice(body.as_bytes());
                }
                None => self.whole.unsplit(message),
            }
        }
    }
}

/// A message with a text in the place of its note, if it has one.
pub fn written(texts: &Texts, body: &[u8]) -> Option<String> {
    if body.len() > LONGEST || !contains(body, NOTE.as_bytes()) {
        return None;
    }
    let noted: Noted = serde_json::from_slice(body).ok()?;
    let id = serde_json::to_string(&noted.id).ok()?;
    let text = texts.take(noted.result)?;
    Some(format!(r#"{{"jsonrpc":"2.0","result":{text},"id":{id}}}"#))
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

impl<O: AsyncWrite + Unpin> Exchange<O> {
    /// Writes all whole messages.
    fn poll_whole(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while self.whole.has_remaining() {
            let written = ready!(Pin::new(&mut self.output).poll_write(context, &self.whole))?;
            if written == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.whole.advance(written);
        }
        Poll::Ready(Ok(()))
    }
}

impl<O: AsyncWrite + Unpin> AsyncWrite for Exchange<O> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        ready!(self.poll_whole(context))?;
        self.partial.extend_from_slice(bytes);
        self.exchange();
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_whole(context))?;
        Pin::new(&mut self.output).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_whole(context))?;
        Pin::new(&mut self.output).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use tokio::io::AsyncWriteExt;

    use super::*;

    fn framed(message: &Value) -> String {
        let body = message.to_string();
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    }

    fn answer(id: &Value, result: &Value) -> Value {
        json!({ "jsonrpc": "2.0", "result": result, "id": id })
    }

    /// What comes out of some bytes that come in pieces of a size.
    fn sent(bytes: &[u8], piece: usize, texts: &Arc<Texts>) -> Vec<u8> {
        let runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = { runtime }.build().expect("a runtime");
        let mut exchange = Exchange::new(Vec::new(), texts.clone());
        runtime.block_on(async {
            for piece in bytes.chunks(piece) {
                exchange.write_all(piece).await.expect("written");
            }
            exchange.flush().await.expect("flushed");
        });
        exchange.output
    }

    #[test]
    fn a_text_takes_the_place_of_its_note_alone() {
        for piece in [1, 7, 10_000] {
            let texts = Arc::new(Texts::default());
            let large: Value = (0..2_000).map(|number| json!({ "n": number })).collect();
            let written = [large.to_string(), "null".to_owned()]
                .map(|text| serde_json::to_value(Written::new(text, &texts)).expect("a note"));
            assert_ne!(written[0], written[1]);
            let alike = json!("frank/written:77");
            let came = [
                answer(&json!(1), &json!("é")),
                answer(&json!(2), &written[0]),
                answer(&json!("frank/written:2"), &json!(null)),
                answer(&json!("a \" b"), &written[1]),
                answer(&json!(3), &alike),
                json!({ "jsonrpc": "2.0", "method": "m", "params": written[0] }),
            ];
            let came: String = came.iter().map(framed).collect();
            let wanted = [
                answer(&json!(1), &json!("é")),
                answer(&json!(2), &large),
                answer(&json!("frank/written:2"), &json!(null)),
                answer(&json!("a \" b"), &json!(null)),
                answer(&json!(3), &alike),
                json!({ "jsonrpc": "2.0", "method": "m", "params": written[0] }),
            ];
            let mut left = &sent(came.as_bytes(), piece, &texts)[..];
            for wanted in wanted {
                let Frame::Message { start, end } = frame(left, Headers::Any) else {
                    panic!("no message");
                };
                let body: Value = serde_json::from_slice(&left[start..end]).expect("JSON");
                assert_eq!(body, wanted);
                left = &left[end..];
            }
            assert!(left.is_empty());
            assert!(texts.waiting().texts.is_empty());
        }
    }

    #[test]
    fn an_answer_that_nobody_waits_for_leaves_nothing() {
        let texts = Arc::new(Texts::default());
        drop(Written::new("[]".to_owned(), &texts));
        assert!(texts.waiting().texts.is_empty());
    }
}
