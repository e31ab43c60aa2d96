//! The server as a program: its options, its runtime, and how it ends.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use frank_interpreter::Answers;

use crate::gate::Token;
use crate::transport::Ending;
use crate::{listener, log, stdio, transport};

/// How the server is to run.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Listens here instead of on standard input and output. Only addresses of this machine are
    /// allowed.
    pub tcp: Option<SocketAddr>,
    /// The file with the token that clients have to show there; without one, a token is made and
    /// written to standard error.
    pub token_file: Option<PathBuf>,
    /// Appends what the server notices to this file.
    pub log: Option<PathBuf>,
    /// What an operator that somebody runs is granted beside the terminal. Clients over TCP are granted nothing.
    pub answers: Option<Arc<dyn Answers>>,
    /// Also answers requests that only tests make: to panic, to take long, to give a text.
    pub self_test: bool,
}

/// Why a server could not run, or did not end as it should.
#[derive(Debug)]
pub enum Error {
    Io(io::Error),
    /// The address to listen on is not one of this machine alone.
    NotLoopback(SocketAddr),
    /// The log file cannot be written; its path.
    Log(PathBuf, io::Error),
    /// There is no token in the file that names it; its path.
    Token(PathBuf, io::Error),
    /// The client said `exit` without `shutdown`, for which the protocol wants an error.
    NoShutdown,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Io(error) => error.fmt(f),
            Error::NotLoopback(address) => {
                write!(
                    f,
                    "{address} can be reached from elsewhere; listen on 127.0.0.1 or [::1]"
                )
            }
            Error::Log(path, error) => write!(f, "cannot write to {}: {error}", path.display()),
            Error::Token(path, error) => write!(f, "no token in {}: {error}", path.display()),
            Error::NoShutdown => f.write_str("the client left without shutting the server down"),
        }
    }
}

impl std::error::Error for Error {}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Error {
        Error::Io(error)
    }
}

/// Serves until the client leaves, or is gone. Over TCP, clients are served until the process is ended;
/// the address that is listened on is written to standard error, and the token if no file names it.
///
/// # Errors
/// Options that cannot be used, a client that leaves without a word, or the system's errors.
pub fn run(options: &Options) -> Result<(), Error> {
    if let Some(address) = options.tcp.filter(|address| !address.ip().is_loopback()) {
        return Err(Error::NotLoopback(address));
    }
    if let Some(path) = &options.log {
        log::to_file(path).map_err(|error| Error::Log(path.clone(), error))?;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .thread_name("frank-protocol")
        .enable_io()
        .enable_time()
        .build()?;
    let ending = match options.tcp {
        None => runtime.block_on(transport::serve(
            stdio::connection(),
            options.answers.clone(),
            options.self_test,
        )),
        Some(address) => {
            let token = match &options.token_file {
                None => Token::random()?,
                Some(path) => {
                    Token::read(path).map_err(|error| Error::Token(path.clone(), error))?
                }
            };
            let shown = options.token_file.is_none();
            runtime.block_on(listener::listen(address, &token, shown, options.self_test))
        }
    };
    // Standard input may never end, so its reader cannot be waited for.
    runtime.shutdown_background();
    match ending? {
        Ending::Exit | Ending::Lost => Ok(()),
        Ending::ExitWithoutShutdown => Err(Error::NoShutdown),
    }
}
