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

/// Bash takes what it is answered as words that need no quotes. Names of files and of operators may: told
/// that they are names of files, bash writes those that they need.
const QUOTED_BY_BASH: &[u8] = b"\
_frank() {
    local word=$2 reply
    # What is typed with backslashes, as the file is called.
    if [[ $word == *\\\\* ]]; then
        word=${word//\\\\/}
    fi
    _clap_complete_frank \"$1\" \"$word\" \"${@:3}\"
    for reply in \"${COMPREPLY[@]}\"; do
        if [[ -e $reply || $reply == *[^[:alnum:]_./=:@%+-]* ]]; then
            compopt -o filenames 2> /dev/null
            break
        fi
    done
}
";
/// The function that is called for a completion, in what is made for bash.
const ASKS_IN_BASH: &str = "-F _clap_complete_frank";

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
    match args.shell {
        Shell::Zsh => script.extend_from_slice(LOADED_BY_ZSH),
        Shell::Bash => {
            let made = String::from_utf8_lossy(&script);
            let made = made.replace(ASKS_IN_BASH, "-F _frank");
            script = [QUOTED_BY_BASH, made.as_bytes()].concat();
        }
        _ => {}
    }
    io::stdout().lock().write_all(&script)?;
    Ok(Outcome::Success)
}
