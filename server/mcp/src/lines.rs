//! Messages as lines: which of the client's are handed on, and what is answered to the others.
//!
//! The crate `rmcp` says nothing of a line that it cannot read, and a client that waits for an answer waits for ever. So
//! such lines are answered here, as JSON-RPC says, and the server never sees them. Answers of both go to standard output
//! through one queue, whole lines at a time.

use std::collections::VecDeque;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// Longer lines are not read: that is what `rmcp` reads, too.
const LONGEST: usize = 16 << 20;
/// So much is read at a time.
const AT_ONCE: usize = 64 << 10;

/// JSON-RPC's numbers for what is no JSON, and for JSON that is no message.
const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;

/// What the server reads from and writes to, for streams of a client; and the lines that are to be written, for
/// [`write_lines`].
pub fn lines<R>(input: R) -> (Incoming<R>, Outgoing, UnboundedReceiver<Vec<u8>>) {
    let (queue, lines) = unbounded_channel();
    let incoming = Incoming {
        stream: input,
        line: Vec::new(),
        is_too_long: false,
        has_ended: false,
        read: vec![0; AT_ONCE],
        ready: VecDeque::new(),
        answers: queue.clone(),
    };
    let outgoing = Outgoing {
        line: Vec::new(),
        queue,
    };
    (incoming, outgoing, lines)
}

/// Writes lines until nobody can make any more.
///
/// # Errors
/// Nobody reads them.
pub async fn write_lines(
    mut lines: UnboundedReceiver<Vec<u8>>,
    mut output: impl AsyncWrite + Unpin,
) -> io::Result<()> {
    while let Some(line) = lines.recv().await {
        output.write_all(&line).await?;
        output.flush().await?;
    }
    Ok(())
}

/// A stream of which the lines that are JSON objects can be read.
pub struct Incoming<R> {
    stream: R,
    /// The line that has begun.
    line: Vec<u8>,
    /// It has been answered already, and is passed over to its end.
    is_too_long: bool,
    has_ended: bool,
    /// For what is read from the stream at a time.
    read: Vec<u8>,
    /// What can be read.
    ready: VecDeque<u8>,
    answers: UnboundedSender<Vec<u8>>,
}

impl<R> Incoming<R> {
    fn take(&mut self, bytes: &[u8]) {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            let is_end = part.ends_with(b"\n");
            if !self.is_too_long {
                self.line.extend_from_slice(part);
                if self.line.len() > LONGEST {
                    self.line = Vec::new();
                    self.is_too_long = true;
                    let longest = LONGEST >> 20;
                    self.answer(PARSE_ERROR, &format!("a line has more than {longest} MiB"));
                }
            }
            if is_end {
                self.end_line();
            }
        }
    }

    /// Hands the line on, or answers it.
    fn end_line(&mut self) {
        let mut line = std::mem::take(&mut self.line);
        if std::mem::take(&mut self.is_too_long) || line.trim_ascii().is_empty() {
            return;
        }
        let text = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&line);
        match serde_json::from_slice::<Value>(text.trim_ascii_end()) {
            Ok(Value::Object(_)) => {
                // The last one may lack its end.
                if !line.ends_with(b"\n") {
                    line.push(b'\n');
                }
                self.ready.extend(line);
            }
            Ok(other) => {
                let found = match other {
                    Value::Array(_) => "an array",
                    Value::String(_) => "a string",
                    Value::Number(_) => "a number",
                    Value::Bool(_) | Value::Null | Value::Object(_) => "a constant",
                };
                let message = format!("a message is a JSON object on a line, and this is {found}");
                self.answer(INVALID_REQUEST, &message);
            }
            Err(error) => {
                let message =
                    format!("a message is a JSON object on a line, and this is no JSON: {error}");
                self.answer(PARSE_ERROR, &message);
            }
        }
    }

    fn answer(&self, code: i32, message: &str) {
        let answer = json!({
            "jsonrpc": "2.0",
            "id": null,
            "error": { "code": code, "message": message },
        });
        // Whoever no longer writes needs no answer.
        let _ = self.answers.send(format!("{answer}\n").into_bytes());
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Incoming<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let own = &mut *self;
        while own.ready.is_empty() && !own.has_ended {
            let mut part = ReadBuf::new(&mut own.read);
            match Pin::new(&mut own.stream).poll_read(context, &mut part) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
                Poll::Ready(Ok(())) => {}
            }
            let count = part.filled().len();
            if count == 0 {
                own.has_ended = true;
                own.end_line();
            } else {
                let read = std::mem::take(&mut own.read);
                own.take(read.get(..count).unwrap_or_default());
                own.read = read;
            }
        }
        let (first, _) = own.ready.as_slices();
        let count = first.len().min(buffer.remaining());
        buffer.put_slice(first.get(..count).unwrap_or_default());
        own.ready.drain(..count);
        Poll::Ready(Ok(()))
    }
}

/// What the server writes to: whole lines are handed on.
pub struct Outgoing {
    line: Vec<u8>,
    queue: UnboundedSender<Vec<u8>>,
}

impl AsyncWrite for Outgoing {
    fn poll_write(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") {
                let line = std::mem::take(&mut self.line);
                if self.queue.send(line).is_err() {
                    return Poll::Ready(Err(io::ErrorKind::BrokenPipe.into()));
                }
            }
        }
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
