//! The connection of a server that its client has started: standard input and output.

use std::future::Future;
use std::pin::Pin;

use bytes::Bytes;
use tokio::io::{Stdin, Stdout};

use crate::framing::Headers;
use crate::transport::Connection;

/// Standard input and output.
pub fn connection() -> Connection<Stdin, Stdout> {
    Connection {
        input: tokio::io::stdin(),
        output: tokio::io::stdout(),
        headers: Headers::Any,
        read: Bytes::new(),
        lost: output_closed(),
    }
}

type Lost = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Ends when nobody is left to read standard output, even if nothing is written there.
#[cfg(unix)]
fn output_closed() -> Lost {
    use rustix::event::{PollFd, PollFlags, poll};

    let (sender, closed) = tokio::sync::oneshot::channel();
    let watch = move || {
        let output = std::io::stdout();
        // Errors and the end are reported without being asked for.
        let mut polled = [PollFd::new(&output, PollFlags::empty())];
        while let Err(rustix::io::Errno::INTR) = poll(&mut polled, None) {}
        let [polled] = polled;
        if polled.revents().intersects(PollFlags::ERR | PollFlags::HUP) {
            // The server may have ended.
            let _ = sender.send(());
        }
    };
    let thread = std::thread::Builder::new().name("frank-output".to_owned());
    if let Err(error) = thread.spawn(watch) {
        tracing::warn!("standard output is not watched: {error}");
        return Box::pin(std::future::pending());
    }
    Box::pin(async {
        if closed.await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}

#[cfg(not(unix))]
fn output_closed() -> Lost {
    Box::pin(std::future::pending())
}
