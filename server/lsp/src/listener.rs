//! A server that listens on an address of this machine, for any number of clients.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};

use crate::framing::Headers;
use crate::gate::{Token, admit};
use crate::transport::{self, Connection, Ending};

/// How long nobody is let in after somebody could not be, for want of sockets, say.
const PAUSE: Duration = Duration::from_millis(100);

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
    loop {
        match listener.accept().await {
            Ok((stream, from)) => {
                let token = token.clone();
                tokio::spawn(async move {
                    if let Err(error) = serve(stream, &token, self_test).await {
                        tracing::warn!("the connection from {from}: {error}");
                    }
                });
            }
            Err(error) => {
                tracing::warn!("a client cannot connect: {error}");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

async fn serve(stream: TcpStream, token: &Token, self_test: bool) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let (mut input, mut output) = stream.into_split();
    let Some(read) = admit(&mut input, &mut output, token).await? else {
        return Ok(());
    };
    let connection = Connection {
        input,
        output,
        headers: Headers::Own,
        read: read.into(),
        lost: Box::pin(std::future::pending()),
    };
    transport::serve(connection, self_test).await?;
    Ok(())
}
