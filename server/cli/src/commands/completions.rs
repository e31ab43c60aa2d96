//! `frank completions`: what a shell needs to complete commands.

use std::io::{self, Write};

use clap::CommandFactory;

use crate::Outcome;
use crate::args::{Args, CompletionsArgs};

/// Writes the completions of a shell.
pub fn run(args: &CompletionsArgs) -> io::Result<Outcome> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "frank", &mut script);
    io::stdout().lock().write_all(&script)?;
    Ok(Outcome::Success)
}
