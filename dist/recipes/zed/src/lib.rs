//! Starts `frank lsp` for Zed: the program that the settings name, or the one in PATH.

use zed_extension_api::settings::LspSettings;
use zed_extension_api::{self as zed, Command, LanguageServerId, Result, Worktree};

struct Frank;

impl zed::Extension for Frank {
    fn new() -> Self {
        Frank
    }

    fn language_server_command(
        &mut self,
        server: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Command> {
        let settings = LspSettings::for_worktree(server.as_ref(), worktree)?;
        let binary = settings.binary;
        let named = binary.as_ref().and_then(|binary| binary.path.clone());
        let command = named.or_else(|| worktree.which("frank")).ok_or(
            "there is no `frank` in PATH: `pip install frank-tools` installs it, \
             or name the program in the settings, as lsp.frank.binary.path",
        )?;
        let arguments = binary.and_then(|binary| binary.arguments);
        Ok(Command {
            command,
            args: arguments.unwrap_or_else(|| vec!["lsp".to_owned()]),
            env: worktree.shell_env(),
        })
    }
}

zed::register_extension!(Frank);
