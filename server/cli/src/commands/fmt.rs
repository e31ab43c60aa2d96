//! `frank fmt`: programs in the one style.

use std::fmt;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use frank_syntax::format::FormatOptions;
use frank_syntax::lines::unified;
use frank_syntax::notebook;
use frank_syntax::visible::visible_lines;
use frank_workspace::discover::{Links, ProblemKind, Program, discover};
use frank_workspace::disk::{Disk, System};
use frank_workspace::read::{read_file, read_text};
use frank_workspace::write::{remove_drafts, replace};

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
    Changed {
        old: String,
        new: String,
    },
    /// Why it was not read or not written, in words that follow its name.
    Failed(String),
}

/// Formats files, or says what formatting would change.
pub fn run(args: &FmtArgs, color: Color) -> io::Result<Outcome> {
    format_all(&System, args, color, &complain)
}

fn format_all(
    disk: &dyn Disk,
    args: &FmtArgs,
    color: Color,
    complain: &dyn Fn(fmt::Arguments),
) -> io::Result<Outcome> {
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
                let new = formatted(STDIN, &old).unwrap_or_else(|| old.clone());
                unformatted += usize::from(new != old);
                if args.check || args.diff {
                    show(args, STDIN, &old, &new, color)?;
                } else if io::stdout().is_terminal() {
                    output::stdout().write_all(visible_lines(&new).as_bytes())?;
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
    let paths = paths.iter().map(PathBuf::as_path);
    let found = discover(
        paths.filter(|path| !is_stdin(path)),
        args.search.search(Links::InDirectory),
    );
    for problem in found.problems {
        let message: &dyn fmt::Display = match &problem.what {
            ProblemKind::Unreadable(error) => {
                trouble = true;
                error
            }
            ProblemKind::LeadsOut => &"not formatted: the link leads out of what was named",
            ProblemKind::LinkLoop => continue,
        };
        complain(format_args!(
            "{}: {message}",
            visible_name(&shown(&problem.path))
        ));
    }
    let only_look = args.check || args.diff;
    if !only_look {
        remove_drafts(disk, &found.drafts);
    }
    let mut progress = Progress::new(!args.diff, "formatting");
    let results = parallel::map(&(), &found.files, &mut progress, |(), program| {
        format_file(disk, program, only_look)
    });
    drop(progress);
    let mut changed = 0;
    for (Program { path, .. }, result) in found.files.iter().zip(results) {
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

/// The formatted text of a file of some name; `None` if it is formatted already.
fn formatted(name: &str, text: &str) -> Option<String> {
    let read = unified(text);
    let formatted = notebook::format_file(name, &read, &FormatOptions::default());
    match formatted.is_unchanged() {
        false => Some(formatted.apply(&read)),
        true => (read != text).then(|| read.into_owned()),
    }
}

fn format_file(disk: &dyn Disk, program: &Program, only_look: bool) -> Formatted {
    let old = match read_file(disk, &program.path, program.named) {
        Ok(old) => old,
        Err(error) => return Formatted::Failed(error.to_string()),
    };
    match formatted(&shown(&program.path), &old).filter(|new| *new != old) {
        None => Formatted::Unchanged,
        Some(new) => {
            if !only_look && let Err(error) = replace(disk, &program.path, &old, &new) {
                return Formatted::Failed(error.to_string());
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::SearchArgs;
    use std::fs::{self, File, OpenOptions};
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tempfile::{Builder, NamedTempFile, TempPath};

    /// A disk on which an operation fails: that one alone, or all from there on, as after a kill.
    struct Failing {
        /// How many operations there were.
        done: AtomicUsize,
        fails: usize,
        killed: bool,
    }

    impl Failing {
        fn step(&self) -> io::Result<()> {
            let number = self.done.fetch_add(1, Ordering::SeqCst);
            match number == self.fails || self.killed && number > self.fails {
                true => Err(io::Error::from(io::ErrorKind::StorageFull)),
                false => Ok(()),
            }
        }
    }

    impl Disk for Failing {
        fn open(&self, path: &Path, options: &OpenOptions) -> io::Result<File> {
            self.step()?;
            System.open(path, options)
        }

        fn read(&self, file: &mut File, bytes: &mut [u8]) -> io::Result<usize> {
            self.step()?;
            System.read(file, bytes)
        }

        fn create(&self, directory: &Path, file: &Builder) -> io::Result<NamedTempFile> {
            self.step()?;
            let mut draft = System.create(directory, file)?;
            // Who is killed cleans nothing up.
            draft.disable_cleanup(self.killed);
            Ok(draft)
        }

        fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<usize> {
            // A full disk takes a part.
            if let Err(error) = self.step() {
                System.write(file, bytes.split_at(bytes.len() / 2).0)?;
                return Err(error);
            }
            System.write(file, bytes)
        }

        fn sync(&self, _: &File) -> io::Result<()> {
            self.step()
        }

        fn sync_directory(&self, _: &Path) {}

        fn rename(&self, draft: TempPath, path: &Path) -> io::Result<()> {
            self.step()?;
            System.rename(draft, path)
        }

        fn remove(&self, path: &Path) -> io::Result<()> {
            self.step()?;
            System.remove(path)
        }
    }

    /// How many files are formatted; `.ci/long` says more.
    fn files() -> usize {
        let said = std::env::var("FRANK_FAULT_FILES").ok();
        said.and_then(|number| number.parse().ok()).unwrap_or(6)
    }

    #[test]
    fn files_are_whole_whatever_fails() {
        let dir = tempfile::tempdir().expect("a directory");
        let args = FmtArgs {
            paths: vec![dir.path().to_owned()],
            check: false,
            diff: false,
            search: SearchArgs::default(),
        };
        let path = |number: usize| dir.path().join(format!("{number}.fk"));
        let old = |number: usize| format!("f{number}   :   Int -> Int\nf{number} x   =  x\n");
        let new = |number: usize| format!("f{number} : Int -> Int\nf{number} x = x\n");
        let run = |fails: usize, killed: bool| {
            let disk = Failing {
                done: AtomicUsize::new(0),
                fails,
                killed,
            };
            let outcome = format_all(&disk, &args, Color::Never, &|_| {}).expect("an outcome");
            (outcome, disk.done.into_inner())
        };
        let names = || {
            let entries = fs::read_dir(dir.path()).expect("a directory").flatten();
            let mut names: Vec<_> = entries.map(|entry| entry.file_name()).collect();
            names.sort();
            names
        };
        let reset = || {
            (0..files()).for_each(|number| fs::write(path(number), old(number)).expect("a file"))
        };
        reset();
        let all = names();
        let (outcome, operations) = run(usize::MAX, false);
        assert_eq!(outcome, Outcome::Success);
        assert!(operations > 8 * files(), "{operations} operations");
        for fails in 0..operations {
            for killed in [false, true] {
                reset();
                let (outcome, _) = run(fails, killed);
                assert_eq!(outcome, Outcome::Unusable, "operation {fails}");
                let text = |number| fs::read_to_string(path(number)).expect("a file");
                let is_new: Vec<bool> = (0..files())
                    .map(|number| text(number) == new(number))
                    .collect();
                for number in (0..files()).filter(|number| !is_new[*number]) {
                    assert_eq!(text(number), old(number), "operation {fails}");
                }
                if killed {
                    // The next run tidies up.
                    assert_eq!(run(usize::MAX, false).0, Outcome::Success);
                } else {
                    let left = is_new.iter().filter(|new| !**new).count();
                    assert!(
                        left <= 1,
                        "operation {fails}: {left} files are as they were"
                    );
                }
                assert_eq!(names(), all, "operation {fails}");
            }
        }
    }
}
