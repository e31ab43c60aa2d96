//! The commands of a session: what they are called, and what they do.

/// What begins with a colon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    Type,
    Info,
    Browse,
    Derive,
    Plot,
    Load,
    Reload,
    List,
    Edit,
    Help,
    Quit,
}

/// The commands as they are written, with what they do. Where a shortened one could be two, it is the first.
pub const COMMANDS: &[(Command, &str, &str)] = &[
    (
        Command::Type,
        ":type TERM",
        "show a term's type and the ability that it needs",
    ),
    (
        Command::Info,
        ":info NAME",
        "show what a name stands for, and where it is defined",
    ),
    (
        Command::Browse,
        ":browse [FILE]",
        "show what the loaded file defines, or one that it includes, such as `prelude`",
    ),
    (
        Command::Derive,
        ":derive NAME [POINT]…",
        "evaluate an operator and its derivatives",
    ),
    (
        Command::Plot,
        ":plot NAME [FROM TO]",
        "draw an operator and its derivative",
    ),
    (
        Command::Load,
        ":load [FILE]",
        "start again with the definitions of a file, or of the loaded one",
    ),
    (Command::Reload, ":reload", "read the files again"),
    (Command::List, ":list", "show what was defined here"),
    (
        Command::Edit,
        ":edit [FILE]",
        "open a file, or the loaded one, in $VISUAL or $EDITOR, and load it",
    ),
    (Command::Help, ":help", "show this"),
    (Command::Quit, ":quit", "leave; so does Ctrl-D"),
];

impl Command {
    /// The command that a word behind the colon names or begins.
    pub fn of(word: &str) -> Option<Command> {
        let mut all = COMMANDS.iter().map(|(command, _, _)| *command);
        all.find(|command| !word.is_empty() && command.name().starts_with(word))
    }

    /// Its whole name, without the colon.
    pub fn name(self) -> &'static str {
        let written = COMMANDS.iter().find(|(command, _, _)| *command == self);
        let name = written.and_then(|(_, written, _)| written.split(' ').next());
        name.unwrap_or_default().trim_start_matches(':')
    }

    /// Whether nothing may stand behind it.
    pub fn takes_nothing(self) -> bool {
        matches!(
            self,
            Command::Quit | Command::Reload | Command::List | Command::Help
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_can_be_shortened() {
        assert_eq!(Command::of("t"), Some(Command::Type));
        assert_eq!(Command::of("l"), Some(Command::Load));
        assert_eq!(Command::of("li"), Some(Command::List));
        assert_eq!(Command::of("reload"), Some(Command::Reload));
        assert_eq!(Command::of("quitt"), None);
        assert_eq!(Command::of(""), None);
    }
}
