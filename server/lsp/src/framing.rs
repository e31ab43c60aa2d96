//! Reads messages from a stream that may hold anything.
//!
//! `tower-lsp` gives up a connection at the first message that it cannot read, and at headers that
//! the protocol allows. So it gets clean messages only: in the place of one that nobody can read it
//! gets a request whose answer says so.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use serde::Deserialize;
use serde::de::IgnoredAny;
use tokio::io::{AsyncRead, ReadBuf};
use tokio::sync::Notify;

/// The method that stands for what cannot be read.
pub const UNREADABLE: &str = "frank/unreadable";

/// How many bytes are read at a time.
const CHUNK: usize = 64 << 10;

/// More bytes than this in one message are no message.
const MOST: usize = 1 << 30;

/// A stream of clean messages.
pub struct Clean<I> {
    input: I,
    chunk: Box<[u8]>,
    raw: Vec<u8>,
    /// How much of `raw` is done with.
    done: usize,
    clean: Vec<u8>,
    /// How much of `clean` was handed out.
    given: usize,
    over: bool,
    /// Is notified when there is nothing more to read.
    ended: Arc<Notify>,
}

impl<I> Clean<I> {
    /// Reads from `input`, and notifies `ended` at its end.
    pub fn new(input: I, ended: Arc<Notify>) -> Clean<I> {
        Clean {
            input,
            chunk: vec![0; CHUNK].into(),
            raw: Vec::new(),
            done: 0,
            clean: Vec::new(),
            given: 0,
            over: false,
            ended,
        }
    }

    /// Puts the next message into `clean`; false if it is not all there.
    fn next(&mut self) -> bool {
        loop {
            let rest = self.raw.get(self.done..).unwrap_or_default();
            match frame(rest) {
                Frame::Partial => return false,
                Frame::Garbage { length } => {
                    self.done += length;
                    self.say(&unreadable());
                    return true;
                }
                Frame::Message { start, end } if start == end => self.done += end,
                Frame::Message { start, end } => {
                    let body = rest.get(start..end).unwrap_or_default().to_vec();
                    self.done += end;
                    if is_readable(&body) {
                        self.say(&body);
                    } else {
                        tracing::warn!("an unreadable message of {} bytes", body.len());
                        self.say(&unreadable());
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
}

impl<I: AsyncRead + Unpin> AsyncRead for Clean<I> {
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
            if this.next() {
                continue;
            }
            this.raw.drain(..this.done);
            this.done = 0;
            if this.clean.capacity() > CHUNK {
                (this.clean, this.given) = (Vec::new(), 0);
            }
            let mut chunk = ReadBuf::new(&mut this.chunk);
            let read = ready!(Pin::new(&mut this.input).poll_read(context, &mut chunk));
            if read.is_err() || chunk.filled().is_empty() {
                this.over = true;
                this.ended.notify_one();
            }
            this.raw.extend_from_slice(chunk.filled());
        }
    }
}

/// What some bytes begin with.
#[derive(Debug, PartialEq, Eq)]
enum Frame {
    /// Not all of it is there.
    Partial,
    /// No message begins before this many bytes.
    Garbage { length: usize },
    /// Where the message is.
    Message { start: usize, end: usize },
}

fn frame(bytes: &[u8]) -> Frame {
    let Some((header, start)) = header(bytes) else {
        // Nobody has that many headers.
        return match bytes.len() > CHUNK {
            true => Frame::Garbage {
                length: bytes.len(),
            },
            false => Frame::Partial,
        };
    };
    let length = header.split(|byte| *byte == b'\n').find_map(|line| {
        let line = std::str::from_utf8(line).ok()?;
        let (name, value) = line.split_once(':')?;
        let is_length = name.trim().eq_ignore_ascii_case("Content-Length");
        is_length.then(|| {
            value
                .trim()
                .parse::<usize>()
                .ok()
                .filter(|length| *length <= MOST)
        })?
    });
    match length {
        Some(length) if bytes.len() < start + length => Frame::Partial,
        Some(length) => Frame::Message {
            start,
            end: start + length,
        },
        None => Frame::Garbage { length: start },
    }
}

/// The lines before the first empty one, and where what follows it starts.
fn header(bytes: &[u8]) -> Option<(&[u8], usize)> {
    let (mut first, mut start) = (0, 0);
    loop {
        let end = start + bytes.get(start..)?.iter().position(|byte| *byte == b'\n')?;
        let blank = bytes.get(start..end)?.iter().all(u8::is_ascii_whitespace);
        if blank && start > first {
            return Some((bytes.get(first..start)?, end + 1));
        }
        start = end + 1;
        if blank {
            // Line breaks behind a message are not worth a complaint.
            first = start;
        }
    }
}

/// The part of a message that decides whether it can be read.
#[derive(Deserialize)]
struct Envelope<'m> {
    #[serde(borrow)]
    jsonrpc: std::borrow::Cow<'m, str>,
    #[serde(default)]
    #[serde(rename = "method")]
    _method: Option<std::borrow::Cow<'m, str>>,
    #[serde(default)]
    #[serde(rename = "id")]
    _id: Option<Id>,
    #[serde(default)]
    #[serde(rename = "params")]
    _params: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Id {
    Number(#[allow(dead_code, reason = "only its type matters")] i64),
    Text(#[allow(dead_code, reason = "only its type matters")] String),
}

fn is_readable(body: &[u8]) -> bool {
    std::str::from_utf8(body)
        .ok()
        .and_then(|text| serde_json::from_str::<Envelope>(text).ok())
        .is_some_and(|envelope| envelope.jsonrpc == "2.0")
}

fn unreadable() -> Vec<u8> {
    format!(r#"{{"jsonrpc":"2.0","id":null,"method":"{UNREADABLE}"}}"#).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::AsyncReadExt;

    fn check(input: &str, expected: &[&str]) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        let ended = Arc::new(Notify::new());
        let mut clean = Clean::new(input.as_bytes(), ended);
        let mut output = String::new();
        runtime.block_on(clean.read_to_string(&mut output)).unwrap();
        let unreadable = String::from_utf8(unreadable()).unwrap();
        let expected: Vec<String> = expected
            .iter()
            .map(|body| {
                if body.is_empty() {
                    unreadable.as_str()
                } else {
                    body
                }
            })
            .map(|body| format!("Content-Length: {}\r\n\r\n{body}", body.len()))
            .collect();
        assert_eq!(output, expected.concat());
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
}
