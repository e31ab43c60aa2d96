//! The subcommands, one file each.

pub mod build;
pub mod check;
pub mod completions;
pub mod dap;
pub mod derive;
pub mod doctor;
pub mod emit;
pub mod eval;
pub mod explain;
pub mod fill;
pub mod find;
pub mod fmt;
pub mod kernel;
pub mod lsp;
pub mod man;
pub mod mcp;
pub mod plot;
pub mod repl;
pub mod run;
pub mod step;
pub mod test;

use std::io;

use crate::Outcome;
use crate::args::{Args, Command};

/// Does what the arguments say.
pub fn run(args: Args) -> io::Result<Outcome> {
    let color = args.color;
    match args.command {
        Command::Check(args) => check::run(&args, color),
        Command::Run(args) => run::run(&args, color),
        Command::Build(args) => build::run(&args, color),
        Command::Eval(args) => eval::run(&args, color),
        Command::Step(args) => step::run(&args, color),
        Command::Derive(args) => derive::run(&args, color),
        Command::Fill(args) => fill::run(&args),
        Command::Plot(args) => plot::run(&args, color),
        Command::Find(args) => find::run(&args, color),
        Command::Repl(args) => repl::run(&args, color),
        Command::Test(args) => test::run(&args, color),
        Command::Fmt(args) => fmt::run(&args, color),
        Command::Lsp(args) => lsp::run(args),
        Command::Dap(args) => dap::run(&args),
        Command::Mcp(args) => mcp::run(args),
        Command::Kernel(args) => kernel::run(args),
        Command::Doctor(args) => doctor::run(&args, color),
        Command::Explain(args) => explain::run(&args, color),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
    }
}
