//! The subcommands, one file each.

pub mod check;
pub mod completions;
pub mod explain;
pub mod fmt;

use std::io;

use crate::Outcome;
use crate::args::{Args, Command};

/// Does what the arguments say.
pub fn run(args: Args) -> io::Result<Outcome> {
    let color = args.color;
    match args.command {
        Command::Check(args) => check::run(&args, color),
        Command::Fmt(args) => fmt::run(&args, color),
        Command::Explain(args) => explain::run(&args),
        Command::Completions(args) => completions::run(&args),
    }
}
