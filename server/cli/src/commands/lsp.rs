//! `frank lsp`: the language server.

use std::io;
use std::sync::Arc;

use frank_interpreter::{Answers, Reply, Request};
use frank_lsp::{Error, Options};

use crate::Outcome;
use crate::args::LspArgs;
use crate::granted::Granted;
use crate::output::complain;

/// The files that a server is granted for what its user runs. Words and clocks are for runs of their own.
#[derive(Debug)]
struct Files(Granted);

impl Answers for Files {
    fn answer(&self, request: &Request, most: usize) -> Result<Reply, String> {
        match request.asked.home() {
            ("file", _) => self.0.answer(request, most),
            _ => Err(request.asked.not_granted()),
        }
    }
}

/// Serves until the client leaves.
pub fn run(args: LspArgs) -> io::Result<Outcome> {
    let LspArgs {
        tcp,
        token_file,
        log,
        read,
        write,
        self_test,
        stdio: _,
    } = args;
    let any = !(read.is_empty() && write.is_empty());
    let answers =
        any.then(|| Arc::new(Files(Granted::new(&read, &write, &[]))) as Arc<dyn Answers>);
    match frank_lsp::run(&Options {
        tcp,
        token_file,
        log,
        answers,
        self_test,
    }) {
        Ok(()) => Ok(Outcome::Success),
        Err(error) => {
            complain(format_args!("{error}"));
            // The protocol wants 1 from a server whose client did not take leave.
            let rude = matches!(error, Error::NoShutdown);
            Ok(if rude {
                Outcome::Findings
            } else {
                Outcome::Unusable
            })
        }
    }
}
