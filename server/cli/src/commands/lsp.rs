//! `frank lsp`: the language server.

use std::io;

use frank_lsp::{Error, Options};

use crate::Outcome;
use crate::args::LspArgs;
use crate::output::complain;

/// Serves until the client leaves.
pub fn run(args: LspArgs) -> io::Result<Outcome> {
    let LspArgs {
        tcp,
        token_file,
        log,
        self_test,
        stdio: _,
    } = args;
    match frank_lsp::run(&Options {
        tcp,
        token_file,
        log,
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
