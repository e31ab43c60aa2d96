//! `frank man`: the manual pages.

use std::io;

use clap::{Command, CommandFactory};
use clap_mangen::Man;
use frank_workspace::disk::System;
use frank_workspace::obstacle::no_directory;
use frank_workspace::write::write;

use crate::Outcome;
use crate::args::{Args, ManArgs};
use crate::output::{complain, visible_path};

/// Writes a page for `frank` and for each of its commands into a directory.
pub fn run(args: &ManArgs) -> io::Result<Outcome> {
    let directory = &args.directory;
    if let Some((way, obstacle)) = no_directory(directory) {
        complain(format_args!(
            "{}: {obstacle}; name a directory for the pages",
            visible_path(&way)
        ));
        return Ok(Outcome::Unusable);
    }
    if let Err(error) = std::fs::create_dir_all(directory) {
        complain(format_args!("{}: {error}", visible_path(directory)));
        return Ok(Outcome::Unusable);
    }
    let mut outcome = Outcome::Success;
    for (name, page) in pages()? {
        let path = directory.join(name);
        if let Err(error) = write(&System, &path, &page) {
            complain(format_args!("{}: {error}", visible_path(&path)));
            outcome = Outcome::Unusable;
        }
    }
    Ok(outcome)
}

/// The files' names and texts.
fn pages() -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut whole = Args::command().disable_help_subcommand(true);
    whole.build();
    let commands = whole.get_subcommands().filter(|one| !one.is_hide_set());
    let commands: Vec<Command> = commands.cloned().chain([whole.clone()]).collect();
    let page = |command: Command| {
        let man = Man::new(command);
        let mut text = Vec::new();
        man.render(&mut text)?;
        Ok((man.get_filename(), text))
    };
    commands.into_iter().map(page).collect()
}
