//! Who may talk to a server that listens on an address.
//!
//! Every program on this machine can connect, a browser on behalf of any page among them. So a client
//! shows in its first message a token that the server's user alone knows. Before that, a connection
//! costs a socket and what little it has sent.

use std::io;
use std::path::Path;
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use subtle::ConstantTimeEq;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use crate::framing::{Frame, Headers, frame, understand};

/// The most bytes up to the end of a client's first message.
const MOST_BYTES: usize = 1 << 20;

/// How long a client has to send it.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long a client that is refused has to read why.
const FAREWELL: Duration = Duration::from_secs(1);

/// The fewest letters of a token that somebody has chosen.
const LEAST_LETTERS: usize = 16;

/// What a client has to show.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// A token that nobody can guess.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub fn random() -> io::Result<Token> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        Ok(Token(
            bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
        ))
    }

    /// The token in a file, without blanks around it.
    ///
    /// # Errors
    /// The file cannot be read, or what is in it can be guessed.
    pub fn read(path: &Path) -> io::Result<Token> {
        let text = frank_workspace::read::read_source(path).map_err(io::Error::other)?;
        let token = text.trim();
        if token.chars().count() < LEAST_LETTERS {
            return Err(io::Error::other(format!(
                "a token has {LEAST_LETTERS} letters or more"
            )));
        }
        Ok(Token(token.to_owned()))
    }

    /// The token as the user is told it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn is(&self, shown: &str) -> bool {
        self.0.as_bytes().ct_eq(shown.as_bytes()).into()
    }
}

/// Waits for a client's first message. Gives what the client has sent so far if it may go on; else it has
/// been told why not, where it speaks the protocol.
pub async fn admit(
    input: &mut (impl AsyncRead + Unpin),
    output: &mut (impl AsyncWrite + Unpin),
    token: &Token,
) -> io::Result<Option<Vec<u8>>> {
    let Ok(read) = tokio::time::timeout(PATIENCE, first_message(input)).await else {
        tracing::warn!("a client is cut off: it says nothing");
        return Ok(None);
    };
    let Some((raw, start, end)) = read? else {
        return Ok(None);
    };
    let body = raw.get(start..end).unwrap_or_default();
    let Ok(envelope) = understand(body) else {
        tracing::warn!("a client is cut off: its first message cannot be read");
        return Ok(None);
    };
    let (Some("initialize"), Some(id)) = (envelope.method.as_deref(), envelope.id) else {
        tracing::warn!("a client is cut off: its first message is not `initialize`");
        return Ok(None);
    };
    let shown = serde_json::from_slice::<Initialize>(body)
        .ok()
        .and_then(|message| message.params.options?.token);
    let found = match shown {
        Some(shown) if token.is(&shown) => return Ok(Some(raw)),
        Some(_) => "found another one",
        None => "found none",
    };
    tracing::warn!("a client is cut off: it does not know the token");
    let message = format!(
        "expected the server's token in `initializationOptions.token`, {found}: the server has written it \
         to standard error when it started, or has read it from the file that `--token-file` names"
    );
    let error = json!({ "code": REQUEST_FAILED, "message": message });
    let answer = json!({ "jsonrpc": "2.0", "id": id, "error": error }).to_string();
    let answer = format!("Content-Length: {}\r\n\r\n{answer}", answer.len());
    output.write_all(answer.as_bytes()).await?;
    output.shutdown().await?;
    // What nobody has read when a connection is closed can take the answer along.
    let mut nowhere = tokio::io::sink();
    let _ = tokio::time::timeout(FAREWELL, tokio::io::copy(input, &mut nowhere)).await;
    Ok(None)
}

/// The protocol's code for a request that makes sense and is refused.
const REQUEST_FAILED: i32 = -32803;

/// Reads until the first message is there, and gives what was read and where the message is. `None` if no
/// message of the protocol comes.
async fn first_message(
    input: &mut (impl AsyncRead + Unpin),
) -> io::Result<Option<(Vec<u8>, usize, usize)>> {
    let mut raw = Vec::new();
    loop {
        match frame(&raw, Headers::Own) {
            Frame::Message { start, end } => return Ok(Some((raw, start, end))),
            Frame::Foreign | Frame::Garbage { .. } => {
                tracing::warn!("a client is cut off: it speaks another protocol");
                return Ok(None);
            }
            Frame::Partial if raw.len() > MOST_BYTES => {
                tracing::warn!("a client is cut off: its first message is too large");
                return Ok(None);
            }
            Frame::Partial => {}
        }
        if input.read_buf(&mut raw).await? == 0 {
            return Ok(None);
        }
    }
}

/// What of the first message is looked at.
#[derive(Deserialize)]
struct Initialize {
    params: InitializeParams,
}

#[derive(Deserialize)]
struct InitializeParams {
    #[serde(rename = "initializationOptions")]
    options: Option<InitializationOptions>,
}

#[derive(Deserialize)]
struct InitializationOptions {
    token: Option<String>,
}
