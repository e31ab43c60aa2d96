//! `frank completions`: what a shell needs to complete commands.

use std::io::{self, Write};

use clap_complete::Shell;
use clap_complete::env::Shells;

use crate::Outcome;
use crate::args::CompletionsArgs;
use crate::output::complain;

/// The variable by which a shell says that it asks what can be written next.
const ASKED: &str = "COMPLETE";

/// A function that zsh loads at the first Tab has to answer that one, too.
const LOADED_BY_ZSH: &[u8] =
    b"if [ \"$funcstack[1]\" = \"_frank\" ]; then _clap_dynamic_completer_frank \"$@\"; fi\n";

/// Writes the script by which a shell asks this program for completions.
pub fn run(args: &CompletionsArgs) -> io::Result<Outcome> {
    let shell = args.shell.to_string();
    let shells = Shells::builtins();
    let Some(completer) = shells.completer(&shell) else {
        complain(format_args!("there are no completions for {shell}"));
        return Ok(Outcome::Unusable);
    };
    let mut script = Vec::new();
    completer.write_registration(ASKED, "frank", "frank", "frank", &mut script)?;
    if args.shell == Shell::Zsh {
        script.extend_from_slice(LOADED_BY_ZSH);
    }
    io::stdout().lock().write_all(&script)?;
    Ok(Outcome::Success)
}
