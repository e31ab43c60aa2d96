//! `frank kernel`: runs the cells of Jupyter's notebooks, and tells Jupyter that it does.
//!
//! A program built without the feature `kernel` says so.

use std::io;

use crate::Outcome;
use crate::args::KernelArgs;
use crate::output::complain;
#[cfg(feature = "kernel")]
use crate::output::visible_path;

/// Installs, takes that back, or serves until the notebook is closed.
#[cfg(feature = "kernel")]
pub fn run(args: KernelArgs) -> io::Result<Outcome> {
    let done = match &args.connect {
        Some(_) => serve(args),
        None => tell(&args),
    };
    done.or_else(|sentence| {
        complain(format_args!("{sentence}"));
        Ok(Outcome::Unusable)
    })
}

/// Says that nothing can be run.
#[cfg(not(feature = "kernel"))]
pub fn run(_: KernelArgs) -> io::Result<Outcome> {
    complain(format_args!(
        "this `frank` was built without the kernel of Jupyter's notebooks: build it with `--features kernel`"
    ));
    Ok(Outcome::Unusable)
}

#[cfg(feature = "kernel")]
fn serve(args: KernelArgs) -> Result<Outcome, String> {
    use crate::cells::Notebook;
    use crate::execute::Interrupt;
    use crate::repl::answerer::Answerer;
    use crate::repl::definitions::Definitions;

    let interrupt = Interrupt::listen_only();
    let options = frank_kernel::Options {
        connection: args.connect.unwrap_or_default(),
        interrupted: interrupt.flag(),
        log: |sentence| complain(format_args!("{sentence}")),
    };
    let mut notebook = Notebook::new(Answerer {
        definitions: Definitions::new(None, &args.project)?,
        refused: String::new(),
        limits: args.limits,
        interrupt,
    });
    frank_kernel::serve(&options, &mut notebook)?;
    Ok(Outcome::Success)
}

/// Writes what Jupyter has to know into its folder, or removes it from there.
#[cfg(feature = "kernel")]
fn tell(args: &KernelArgs) -> Result<Outcome, String> {
    use std::io::{ErrorKind, Write};

    use frank_workspace::disk::System;

    use crate::output::stdout;

    const NAME: &str = "frank";
    const DESCRIPTION: &str = "kernel.json";
    let folder = frank_kernel::folder(args.prefix.as_deref(), NAME)?;
    let shown = visible_path(&folder);
    let about = |error: io::Error| format!("{shown}: {error}");
    let said = if args.uninstall {
        match std::fs::remove_file(folder.join(DESCRIPTION)) {
            Ok(()) => match std::fs::remove_dir(&folder) {
                Ok(()) => format!("removed {shown}"),
                // What else is there is the user's own.
                Err(_) => {
                    format!("removed {DESCRIPTION} from {shown}, and left what else is there")
                }
            },
            Err(error) if error.kind() == ErrorKind::NotFound => {
                format!("nothing was installed in {shown}")
            }
            Err(error) => return Err(about(error)),
        }
    } else {
        if let Some(prefix) = args.prefix.as_deref().filter(|prefix| !prefix.is_dir()) {
            return Err(format!(
                "{}: there is no such directory; an environment is made by `python3 -m venv`",
                visible_path(prefix)
            ));
        }
        let program = std::env::current_exe().map_err(about)?;
        let program = program
            .to_str()
            .ok_or("the path of this program is not UTF-8, which Jupyter needs")?;
        let words = std::env::args_os().skip(1);
        let words = words.filter_map(|word| word.into_string().ok());
        let mut start = vec![program.to_owned()];
        start.extend(handed_on(words));
        start.extend(places(args)?);
        start.extend(["--connect", "{connection_file}"].map(str::to_owned));
        let text = frank_kernel::description(start);
        std::fs::create_dir_all(&folder).map_err(about)?;
        let file = folder.join(DESCRIPTION);
        frank_workspace::write::write(&System, &file, text.as_bytes())
            .map_err(|error| format!("{}: {error}", visible_path(&file)))?;
        format!("installed in {shown}: notebooks can be written in Frank")
    };
    // Nobody may read it.
    let _ = writeln!(stdout(), "{said}");
    Ok(Outcome::Success)
}

/// What is said to this program that it is to be told again when a notebook is opened, without [`places`].
#[cfg(feature = "kernel")]
fn handed_on(said: impl Iterator<Item = String>) -> Vec<String> {
    const WITH_PLACES: &[&str] = &["--prefix", "--include", "--config", "-I"];
    let mut kept = Vec::new();
    let mut is_place = false;
    for word in said {
        if std::mem::take(&mut is_place) {
            continue;
        }
        is_place = WITH_PLACES.contains(&&*word);
        // With its value in the same word.
        let has_place = WITH_PLACES.iter().any(|option| {
            let value = word.strip_prefix(option);
            value.is_some_and(|value| value.starts_with('=') || !option.starts_with("--"))
        });
        if !is_place && !has_place && word != "--install" {
            kept.push(word);
        }
    }
    kept
}

/// The files and directories that are handed on, from the root on: a notebook is opened in a directory of its own.
#[cfg(feature = "kernel")]
fn places(args: &KernelArgs) -> Result<Vec<String>, String> {
    let include = args.project.include.iter().map(|path| ("-I", path));
    let config = args.project.config.iter().map(|path| ("--config", path));
    let mut words = Vec::new();
    for (option, path) in include.chain(config) {
        let shown = visible_path(path);
        let absolute = std::path::absolute(path).map_err(|error| format!("{shown}: {error}"))?;
        let absolute = absolute
            .to_str()
            .ok_or_else(|| format!("{shown}: this path is not UTF-8, which Jupyter needs"))?;
        words.extend([option.to_owned(), absolute.to_owned()]);
    }
    Ok(words)
}
