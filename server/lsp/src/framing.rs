//! Reads messages from a stream that may hold anything.
//!
//! `tower-lsp` gives up a connection at the first message that it cannot read, and at headers that
//! the protocol allows. So it gets clean messages only: in the place of one that nobody can read it
//! gets a request whose answer says so.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::{Buf, Bytes, BytesMut};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::io::{AsyncRead, ReadBuf};
use tokio::sync::Notify;
use tokio::sync::mpsc::UnboundedReceiver;

use frank_framing::mend_surrogates;
pub use frank_framing::{Frame, Headers, MOST_HEADERS, frame};

/// The method that stands for what cannot be read.
pub const UNREADABLE: &str = "frank/unreadable";

/// How deep lists and objects may be nested in a message. `tower-lsp` cannot read more than 126.
const MOST_NESTED: usize = 120;

/// A stream of clean messages.
pub struct Clean {
    chunks: UnboundedReceiver<Bytes>,
    headers: Headers,
    /// What has come and is not understood yet.
    raw: BytesMut,
    clean: Vec<u8>,
    /// How much of `clean` was handed out.
    given: usize,
    over: bool,
    /// Is notified when there is nothing more to read.
    ended: Arc<Notify>,
}

impl Clean {
    /// Reads what comes in `chunks`, and notifies `ended` at its end.
    pub fn new(chunks: UnboundedReceiver<Bytes>, headers: Headers, ended: Arc<Notify>) -> Clean {
        Clean {
            chunks,
            headers,
            raw: BytesMut::new(),
            clean: Vec::new(),
            given: 0,
            over: false,
            ended,
        }
    }

    /// Puts the next message into `clean`; false if it is not all there.
    fn next(&mut self) -> bool {
        loop {
            match frame(&self.raw, self.headers) {
                Frame::Partial => return false,
                Frame::Foreign => {
                    tracing::warn!("what comes is no message of the protocol");
                    self.end();
                    return false;
                }
                Frame::Garbage { length } => {
                    self.raw.advance(length);
                    self.say(&Unreadable::new("the header has no `Content-Length`").request(None));
                    return true;
                }
                Frame::Message { start, end } if start == end => self.raw.advance(end),
                Frame::Message { start, end } => {
                    let mut body = self.raw.split_to(end).split_off(start);
                    mend_surrogates(&mut body);
                    match understand(&body) {
                        Ok(_) => self.say(&body),
                        Err((id, reason)) => {
                            let (length, reason) = (body.len(), reason.reason.as_str());
                            tracing::warn!("an unreadable message of {length} bytes: {reason}");
                            self.say(&Unreadable::new(reason).request(id));
                        }
                    }
                    return true;
                }
            }
        }
    }

    fn say(&mut self, body: &[u8]) {
        self.clean.clear();
        self.given = 0;
        self.clean
            .extend_from_slice(format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes());
        self.clean.extend_from_slice(body);
    }

    fn end(&mut self) {
        self.over = true;
        self.ended.notify_one();
    }
}

/// What is handed out of an input that has come in these pieces, and of which nothing more has come.
pub fn read<'p>(pieces: impl IntoIterator<Item = &'p [u8]>, headers: Headers) -> Vec<u8> {
    let (_sender, chunks) = tokio::sync::mpsc::unbounded_channel();
    let mut clean = Clean::new(chunks, headers, Arc::new(Notify::new()));
    let mut all = Vec::new();
    for piece in pieces {
        clean.raw.extend_from_slice(piece);
        while !clean.over && clean.next() {
            all.append(&mut clean.clean);
        }
    }
    all
}

impl AsyncRead for Clean {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        loop {
            let waiting = this.clean.get(this.given..).unwrap_or_default();
            if !waiting.is_empty() {
                let count = waiting.len().min(buffer.remaining());
                buffer.put_slice(waiting.get(..count).unwrap_or_default());
                this.given += count;
                return Poll::Ready(Ok(()));
            }
            if this.over {
                return Poll::Ready(Ok(()));
            }
            if this.next() || this.over {
                continue;
            }
            if this.clean.capacity() > MOST_HEADERS {
                (this.clean, this.given) = (Vec::new(), 0);
            }
            match ready!(this.chunks.poll_recv(context)) {
                Some(chunk) => this.raw.extend_from_slice(&chunk),
                None => this.end(),
            }
        }
    }
}

/// The part of a message that decides whether it can be read.
#[derive(Deserialize)]
pub struct Envelope<'m> {
    #[serde(borrow)]
    jsonrpc: std::borrow::Cow<'m, str>,
    #[serde(default)]
    pub method: Option<std::borrow::Cow<'m, str>>,
    #[serde(default)]
    pub id: Option<Id>,
    #[serde(default)]
    #[serde(rename = "params")]
    _params: Option<IgnoredAny>,
}

/// The number or name of a request.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(untagged)]
pub enum Id {
    Number(i64),
    Text(String),
}

/// Why a message cannot be read, as [`UNREADABLE`] says it.
#[derive(Debug, Deserialize, Serialize)]
pub struct Unreadable {
    pub reason: String,
}

impl Unreadable {
    fn new(reason: impl Into<String>) -> Unreadable {
        Unreadable {
            reason: reason.into(),
        }
    }

    /// The request whose answer says it.
    fn request(&self, id: Option<Id>) -> Vec<u8> {
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": UNREADABLE, "params": self });
        request.to_string().into_bytes()
    }
}

/// What a message is; or, if nobody can read it, the id of the request that it is, and why.
pub fn understand(body: &[u8]) -> Result<Envelope<'_>, (Option<Id>, Unreadable)> {
    let unreadable = |reason: String| (None, Unreadable { reason });
    let text = std::str::from_utf8(body).map_err(|error| unreadable(error.to_string()))?;
    let envelope = serde_json::from_str::<Envelope>(text)
        .map_err(|error| unreadable(format!("it is no message of JSON-RPC: {error}")))?;
    if envelope.jsonrpc != "2.0" {
        return Err(unreadable("`jsonrpc` is not \"2.0\"".to_owned()));
    }
    if let Some(reason) = beyond_readers(body) {
        // What has no method is an answer to the server, whose ids are others.
        let id = envelope.id.filter(|_| envelope.method.is_some());
        return Err((id, Unreadable::new(reason)));
    }
    Ok(envelope)
}

/// Why readers of JSON give up at what is JSON: lists and objects that are too deep, numbers that are too large.
fn beyond_readers(json: &[u8]) -> Option<String> {
    let mut depth = 0usize;
    let mut rest = json;
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        match byte {
            b'"' => rest = behind_string(rest),
            b'[' | b'{' => {
                depth += 1;
                if depth > MOST_NESTED {
                    return Some(format!(
                        "lists and objects are nested deeper than {MOST_NESTED}"
                    ));
                }
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            b'0'..=b'9' => {
                let in_number =
                    |byte: &u8| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-');
                let length = rest.iter().take_while(|byte| in_number(byte)).count();
                let start = json.len() - rest.len() - 1;
                let number = json.get(start..=start + length).unwrap_or_default();
                let number = std::str::from_utf8(number).ok()?.parse::<f64>();
                if number.is_ok_and(f64::is_infinite) {
                    return Some("a number is larger than any that a program can hold".to_owned());
                }
                rest = rest.get(length..).unwrap_or_default();
            }
            _ => {}
        }
    }
    None
}

/// What follows a string that has begun.
fn behind_string(mut rest: &[u8]) -> &[u8] {
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        match byte {
            b'"' => break,
            b'\\' => rest = rest.get(1..).unwrap_or_default(),
            _ => {}
        }
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::AsyncReadExt;

    /// What is read of an input; an answer to what is unreadable is empty in `expected`.
    fn read(input: &str, headers: Headers) -> String {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        let (sender, chunks) = tokio::sync::mpsc::unbounded_channel();
        for byte in input.bytes() {
            sender.send(Bytes::copy_from_slice(&[byte])).unwrap();
        }
        drop(sender);
        let mut clean = Clean::new(chunks, headers, Arc::new(Notify::new()));
        let mut output = String::new();
        runtime.block_on(clean.read_to_string(&mut output)).unwrap();
        output
    }

    /// Compares what is read with messages; an empty one stands for what cannot be read.
    fn check(input: &str, expected: &[&str]) {
        let output = read(input, Headers::Any);
        let mut rest = output.as_str();
        for body in expected {
            let (header, after) = rest.split_once("\r\n\r\n").unwrap();
            let length = header.strip_prefix("Content-Length: ").unwrap();
            let (found, after) = after.split_at(length.parse().unwrap());
            match body.is_empty() {
                true => assert!(found.contains(UNREADABLE), "{found}"),
                false => assert_eq!(found, *body),
            }
            rest = after;
        }
        assert_eq!(rest, "");
    }

    const A: &str = r#"{"jsonrpc":"2.0","method":"a"}"#;

    #[test]
    fn clean_messages_pass() {
        check(
            &format!("Content-Length: 30\r\n\r\n{A}Content-Length: 30\r\n\r\n{A}"),
            &[A, A],
        );
    }

    #[test]
    fn all_headers_that_are_allowed_are_understood() {
        check(
            &format!("Content-Type: text/x\r\nX: y\r\ncontent-length:30\r\n\r\n{A}"),
            &[A],
        );
        check(
            &format!("Content-Length: 30\n\n{A}\r\nContent-Length: 30\r\n\r\n{A}\n"),
            &[A, A],
        );
    }

    #[test]
    fn what_cannot_be_read_is_skipped() {
        check(
            &format!("Content-Length: 3\r\n\r\n{{]}}Content-Length: 30\r\n\r\n{A}"),
            &["", A],
        );
        check(
            &format!("Content-Length: x\r\n\r\nContent-Length: 30\r\n\r\n{A}"),
            &["", A],
        );
        for body in [
            "[]",
            "{}",
            "null",
            r#"{"jsonrpc":"1.0"}"#,
            r#"{"jsonrpc":"2.0","id":1.5}"#,
            "\"\\u12\"",
        ] {
            let length = body.len();
            check(
                &format!("Content-Length: {length}\r\n\r\n{body}Content-Length: 30\r\n\r\n{A}"),
                &["", A],
            );
        }
    }

    #[test]
    fn what_is_cut_off_is_nothing() {
        check("Content-Length: 30\r\n\r\n{\"jsonrpc\"", &[]);
        check("Content-Le", &[]);
    }

    /// What is not too deep for one reader is not too deep for the other.
    #[test]
    fn one_depth_counts() {
        let nested = |depth: usize| {
            let (open, close) = ("[".repeat(depth - 1), "]".repeat(depth - 1));
            format!(r#"{{"jsonrpc":"2.0","id":"[{{","method":"a","params":{open}{close}}}"#)
        };
        let message = nested(MOST_NESTED);
        assert!(understand(message.as_bytes()).is_ok());
        assert!(serde_json::from_str::<tower_lsp::jsonrpc::Request>(&message).is_ok());
        for depth in [MOST_NESTED + 1, 127, 128, 100_000] {
            let Err((id, _)) = understand(nested(depth).as_bytes()) else {
                panic!("{depth} is too deep");
            };
            assert!(matches!(id, Some(Id::Text(id)) if id == "[{"));
        }
    }

    /// A number that one reader passes over may be the end of the other.
    #[test]
    fn numbers_have_an_end() {
        let message = |number: &str| {
            format!(r#"{{"jsonrpc":"2.0","id":"1e999","method":"a","params":[{number}]}}"#)
        };
        for number in ["1e308", "-1.5E-999", "123456789012345678901234567890", "0"] {
            let message = message(number);
            assert!(understand(message.as_bytes()).is_ok(), "{number}");
            assert!(serde_json::from_str::<tower_lsp::jsonrpc::Request>(&message).is_ok());
        }
        let long = "9".repeat(400);
        for number in ["1e999", "-444.4E255444", &long] {
            let message = message(number);
            let Err((id, _)) = understand(message.as_bytes()) else {
                panic!("{number} is too large");
            };
            assert!(matches!(id, Some(Id::Text(id)) if id == "1e999"));
            assert!(serde_json::from_str::<tower_lsp::jsonrpc::Request>(&message).is_err());
        }
    }

    /// Half of a character is the end of no connection: editors send what their buffers hold.
    #[test]
    fn halves_of_characters_are_read() {
        let message = r#"{"jsonrpc":"2.0","method":"a","params":["\ud83d"]}"#;
        let mended = message.replace("d83d", "fffd");
        check(
            &format!("Content-Length: {}\r\n\r\n{message}", message.len()),
            &[&mended],
        );
        assert!(serde_json::from_str::<tower_lsp::jsonrpc::Request>(&mended).is_ok());
    }

    #[test]
    fn other_protocols_are_cut_off() {
        let own = format!("content-length: 30\r\nContent-Type: x\r\n\r\n{A}\r\n");
        assert_eq!(
            read(&own, Headers::Own),
            format!("Content-Length: 30\r\n\r\n{A}")
        );
        for before in [
            "POST / HTTP/1.1\r\n",
            "Host: x\r\n",
            "\n\nx\n",
            "Content-Type: y\r\n\r\n",
        ] {
            let input = format!("{before}Content-Length: 30\r\n\r\n{A}");
            assert_eq!(read(&input, Headers::Own), "", "{before}");
            // Nor is there a second chance.
            let input = format!("{own}{before}{own}");
            assert_eq!(read(&input, Headers::Own), read(&own, Headers::Own));
        }
    }
}
