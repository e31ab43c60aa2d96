//! `frank mcp`: the tools for programs with language models.
//!
//! A program built without the feature `mcp` says so.

use std::io;

use crate::Outcome;
use crate::args::McpArgs;
use crate::output::complain;
#[cfg(feature = "mcp")]
use crate::output::visible_path;

/// Serves until the client leaves.
#[cfg(feature = "mcp")]
pub fn run(args: McpArgs) -> io::Result<Outcome> {
    use frank_mcp::{Ended, Limits, Options, serve};
    let McpArgs {
        directory,
        allow_write,
        steps,
        timeout,
        memory,
    } = args;
    let shown = visible_path(&directory);
    let served = serve(Options {
        directory,
        program: std::env::current_exe()?,
        limits: Limits {
            time: timeout,
            steps,
            memory,
        },
        allow_write,
    });
    match served {
        Ok(Ended::Left) => Ok(Outcome::Success),
        Ok(Ended::Interrupted) => Ok(Outcome::Interrupted),
        Err(error) => {
            complain(format_args!("{shown} cannot be served: {error}"));
            Ok(Outcome::Unusable)
        }
    }
}

/// Says that nothing can be served.
#[cfg(not(feature = "mcp"))]
pub fn run(_: McpArgs) -> io::Result<Outcome> {
    complain(format_args!(
        "this `frank` was built without the tools for language models: build it with `--features mcp`"
    ));
    Ok(Outcome::Unusable)
}
