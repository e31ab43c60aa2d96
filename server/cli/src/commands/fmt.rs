//! `frank fmt`: programs in the one style.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use frank_syntax::format::{FormatOptions, format};
use frank_syntax::lines::unified;
use frank_workspace::discover::{ProblemKind, discover};
use frank_workspace::read::{ReadError, read_source, read_text};

use crate::Outcome;
use crate::args::{Color, FmtArgs};
use crate::diff;
use crate::names::STDIN;
use crate::output::{self, complain, count, visible_name};
use crate::parallel::{self, Progress};
use crate::project::is_stdin;

/// What became of a file.
enum Formatted {
    Unchanged,
    Changed { old: String, new: String },
    Failed(ReadError),
}

/// Formats files, or says what formatting would change.
pub fn run(args: &FmtArgs, color: Color) -> io::Result<Outcome> {
    let here = [PathBuf::from(".")];
    let paths = if args.paths.is_empty() {
        &here[..]
    } else {
        &args.paths
    };
    let mut trouble = false;
    let mut unformatted = 0;
    if paths.iter().any(|path| is_stdin(path)) {
        match read_text(io::stdin().lock(), 0) {
            Ok(old) => {
                let new = formatted(&old).unwrap_or_else(|| old.clone());
                unformatted += usize::from(new != old);
                if args.check || args.diff {
                    show(args, STDIN, &old, &new, color)?;
                } else {
                    output::stdout().write_all(new.as_bytes())?;
                }
            }
            Err(error) => {
                complain(format_args!("{STDIN}: {error}"));
                trouble = true;
            }
        }
    }
    let found = discover(
        paths
            .iter()
            .map(PathBuf::as_path)
            .filter(|path| !is_stdin(path)),
    );
    for problem in found.problems {
        if let ProblemKind::Unreadable(error) = problem.what {
            complain(format_args!(
                "{}: {error}",
                visible_name(&shown(&problem.path))
            ));
            trouble = true;
        }
    }
    let only_look = args.check || args.diff;
    let mut progress = Progress::new(!args.diff, "formatting");
    let results = parallel::map(&(), &found.files, &mut progress, |(), path| {
        format_file(path, only_look)
    });
    drop(progress);
    let mut changed = 0;
    for (path, result) in found.files.iter().zip(results) {
        match result {
            Formatted::Unchanged => {}
            Formatted::Changed { old, new } if only_look => {
                unformatted += 1;
                show(args, &shown(path), &old, &new, color)?;
            }
            Formatted::Changed { .. } => changed += 1,
            Formatted::Failed(error) => {
                complain(format_args!("{}: {error}", visible_name(&shown(path))));
                trouble = true;
            }
        }
    }
    if changed > 0 {
        complain(format_args!("formatted {}", count(changed, "file")));
    }
    Ok(match (args.check && unformatted > 0, trouble) {
        (true, _) => Outcome::Findings,
        (false, true) => Outcome::Unusable,
        (false, false) => Outcome::Success,
    })
}

/// The formatted text; `None` if it is formatted already.
fn formatted(text: &str) -> Option<String> {
    let read = unified(text);
    let formatted = format(&read, &FormatOptions::default());
    match formatted.is_unchanged() {
        false => Some(formatted.apply(&read)),
        true => (read != text).then(|| read.into_owned()),
    }
}

fn format_file(path: &Path, only_look: bool) -> Formatted {
    let old = match read_source(path) {
        Ok(old) => old,
        Err(error) => return Formatted::Failed(error),
    };
    match formatted(&old).filter(|new| *new != old) {
        None => Formatted::Unchanged,
        Some(new) => {
            if !only_look && let Err(error) = fs::write(path, &new) {
                return Formatted::Failed(error.into());
            }
            Formatted::Changed { old, new }
        }
    }
}

/// A path as the user wrote it, without the `./` of the current directory.
fn shown(path: &Path) -> String {
    path.strip_prefix(".").unwrap_or(path).display().to_string()
}

fn show(args: &FmtArgs, name: &str, old: &str, new: &str, color: Color) -> io::Result<()> {
    let mut out = BufWriter::new(output::stdout());
    if args.diff {
        diff::write(&mut out, name, old, new, diff::Reader::of_stdout(color))?;
    } else if new != old {
        writeln!(out, "{}", visible_name(name))?;
    }
    out.flush()
}
