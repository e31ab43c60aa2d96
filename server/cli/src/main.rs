//! The command `frank`.

mod allocator;
mod args;
mod baseline;
mod candidates;
#[cfg(feature = "kernel")]
mod cells;
mod commands;
mod console;
mod crash;
mod diff;
mod doctor;
mod drawn;
mod environment;
mod executable;
mod execute;
mod findings;
mod fix;
mod front;
mod gallery;
mod goals;
mod granted;
mod inline;
mod json;
mod laws;
mod markdown;
mod names;
mod native;
mod origins;
mod output;
mod parallel;
mod performance;
mod places;
mod prepared;
mod project;
mod repl;
mod report;
mod source;
mod states;
mod stepper;
mod targets;
mod verdict;
mod watch;

use std::io;
use std::process::ExitCode;

use clap_complete::CompleteEnv;

/// How a command ended, as its exit code says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// Nothing is wrong.
    Success = 0,
    /// A program has errors, or findings that were asked to count as such.
    Findings = 1,
    /// Arguments or files could not be used, and nothing else is wrong.
    Unusable = 2,
    /// A run ended without a value.
    RunFailed = 3,
    /// A run was interrupted from the keyboard.
    Interrupted = 130,
}

fn main() -> ExitCode {
    crash::install();
    allocator::configure();
    outlive_large_files();
    if let Some(ended) = executable::run_built() {
        return exit_code(ended);
    }
    // A shell asks what can be written next, and is answered instead of anything else.
    CompleteEnv::with_factory(candidates::command).complete();
    let (args, command) = args::parse();
    crash::in_command(command);
    exit_code(commands::run(args))
}

/// Has a write that passes a limit on the size of files fail with an error, which then is told. By default the system ends
/// the program.
fn outlive_large_files() {
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
}

fn exit_code(ended: io::Result<Outcome>) -> ExitCode {
    match ended {
        Ok(outcome) => ExitCode::from(outcome as u8),
        // Whoever read the output has read enough. Commands that give a verdict never come here:
        // they go on without a reader.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            output::complain(format_args!("{error}"));
            ExitCode::from(Outcome::Unusable as u8)
        }
    }
}
