//! A server that listens on an address of this machine, for any number of clients.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::AbortHandle;

use crate::framing::Headers;
use crate::gate::{Token, admit};
use crate::transport::{self, Connection, Ending};

/// How long nobody is let in after somebody could not be, for want of sockets, say.
const PAUSE: Duration = Duration::from_millis(100);

/// So many clients may be about to show their token at one time. One more, and who has taken longest is cut off: others
/// must not keep out who knows it.
const MOST_WAITING: usize = 64;

/// Serves every client that knows the token, each with a state of its own, until the process is ended.
/// Writes the address to standard error, and the token if `shown` says so.
pub async fn listen(
    address: SocketAddr,
    token: &Token,
    shown: bool,
    self_test: bool,
) -> std::io::Result<Ending> {
    let listener = TcpListener::bind(address).await?;
    eprintln!("listening on {}", listener.local_addr()?);
    if shown {
        eprintln!("token {}", token.as_str());
    }
    let mut waiting: VecDeque<AbortHandle> = VecDeque::new();
    loop {
        match listener.accept().await {
            Ok((stream, from)) => {
                waiting.retain(|admission| !admission.is_finished());
                if waiting.len() >= MOST_WAITING
                    && let Some(longest) = waiting.pop_front()
                {
                    tracing::warn!(
                        "a client is cut off: it says nothing, and others want to connect"
                    );
                    longest.abort();
                }
                let token = token.clone();
                let admission = tokio::spawn(async move {
                    let told = move |error: std::io::Error| {
                        tracing::warn!("the connection from {from}: {error}")
                    };
                    match admitted(stream, &token).await {
                        Ok(Some(connection)) => {
                            // From here on it is no longer one of those that wait.
                            tokio::spawn(async move {
                                transport::serve(connection, None, self_test)
                                    .await
                                    .map_or_else(told, drop);
                            });
                        }
                        Ok(None) => {}
                        Err(error) => told(error),
                    }
                });
                waiting.push_back(admission.abort_handle());
            }
            Err(error) => {
                tracing::warn!("a client cannot connect: {error}");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

/// The connection to a client that has shown the token; `None` if it has not.
async fn admitted(
    stream: TcpStream,
    token: &Token,
) -> std::io::Result<Option<Connection<OwnedReadHalf, OwnedWriteHalf>>> {
    stream.set_nodelay(true)?;
    let (mut input, mut output) = stream.into_split();
    let read = admit(&mut input, &mut output, token).await?;
    Ok(read.map(|read| Connection {
        input,
        output,
        headers: Headers::Own,
        read: read.into(),
        lost: Box::pin(std::future::pending()),
    }))
}
