//! Finding the Frank programs below directories.
//!
//! Symbolic links are followed, but every directory is visited once, however many ways lead there:
//! links to directories around them, or criss-cross between directories, cost nothing. What real
//! directories hold is found first, so that a file's own name wins over a link's. Directories whose
//! names begin with a dot are skipped.

use std::collections::{HashSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};

use crate::paths::{has_key, is_frank};
use crate::read::ReadError;

/// What there is below some paths.
#[derive(Debug, Default)]
pub struct Discovery {
    /// The files to read: those named, and those found in directories in the order of their names.
    pub files: Vec<PathBuf>,
    pub problems: Vec<Problem>,
}

/// A place that could not be searched or read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub path: PathBuf,
    pub what: ProblemKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProblemKind {
    Unreadable(ReadError),
    /// A symbolic link to a directory around it, which was not searched again. Nothing is lost.
    LinkLoop,
}

impl Problem {
    pub fn unreadable(path: impl Into<PathBuf>, error: ReadError) -> Problem {
        Problem {
            path: path.into(),
            what: ProblemKind::Unreadable(error),
        }
    }
}

struct Search {
    found: Discovery,
    /// The real paths of the directories that were visited or are in the queue.
    directories: HashSet<PathBuf>,
    /// The real paths of the files that were found.
    files: HashSet<PathBuf>,
    /// Links that are followed when everything else is known.
    links: VecDeque<(PathBuf, PathBuf)>,
}

/// The Frank programs that some paths stand for: a file for itself, whatever its name; a directory
/// for all `*.fk` below it. No file comes twice. What cannot be found, searched or named is a problem;
/// the files themselves are not opened.
pub fn discover<'p>(paths: impl IntoIterator<Item = &'p Path>) -> Discovery {
    let mut search = Search {
        found: Discovery::default(),
        directories: HashSet::new(),
        files: HashSet::new(),
        links: VecDeque::new(),
    };
    for path in paths {
        match fs::metadata(path).and_then(|metadata| Ok((metadata, path.canonicalize()?))) {
            Ok((metadata, real)) if metadata.is_dir() => search.directory(path, &real),
            Ok((_, real)) => search.file(path.to_owned(), real),
            Err(error) => search.problem(path, error.into()),
        }
    }
    search.found
}

impl Search {
    fn problem(&mut self, path: &Path, error: ReadError) {
        self.found.problems.push(Problem::unreadable(path, error));
    }

    fn file(&mut self, path: PathBuf, real: PathBuf) {
        if !self.files.insert(real) {
            return;
        }
        if has_key(&path) {
            self.found.files.push(path);
        } else {
            self.problem(&path, ReadError::Name);
        }
    }

    /// Searches a directory: first all that is really in it, then what links in it lead to.
    fn directory(&mut self, path: &Path, real: &Path) {
        self.tree(path.to_owned(), real.to_owned());
        while let Some((link, target)) = self.links.pop_front() {
            if !target.is_dir() {
                self.file(link, target);
            } else if link
                .parent()
                .and_then(|dir| dir.canonicalize().ok())
                .is_some_and(|dir| dir.starts_with(&target))
            {
                self.found.problems.push(Problem {
                    path: link,
                    what: ProblemKind::LinkLoop,
                });
            } else {
                self.tree(link, target);
            }
        }
    }

    /// Visits the real directories from one on, in order.
    fn tree(&mut self, path: PathBuf, real: PathBuf) {
        let mut stack = vec![(path, real)];
        while let Some((path, real)) = stack.pop() {
            if !self.directories.insert(real.clone()) {
                continue;
            }
            let mut entries: Vec<fs::DirEntry> = match fs::read_dir(&path) {
                Ok(entries) => entries.flatten().collect(),
                Err(error) => {
                    self.problem(&path, error.into());
                    continue;
                }
            };
            entries.sort_by_key(fs::DirEntry::file_name);
            let mut below = Vec::new();
            for entry in entries {
                let (name, entry_path) = (entry.file_name(), entry.path());
                let Ok(kind) = entry.file_type() else {
                    continue;
                };
                if kind.is_dir() {
                    if !name.as_encoded_bytes().starts_with(b".") {
                        below.push((entry_path, real.join(name)));
                    }
                } else if kind.is_symlink() {
                    self.link(entry_path);
                } else if is_frank(&entry_path) {
                    if kind.is_file() {
                        self.file(entry_path, real.join(name));
                    } else {
                        self.problem(&entry_path, ReadError::Special);
                    }
                }
            }
            stack.extend(below.into_iter().rev());
        }
    }

    fn link(&mut self, path: PathBuf) {
        match path.canonicalize() {
            Ok(target) if target.is_dir() || is_frank(&path) => {
                self.links.push_back((path, target))
            }
            // A link that leads nowhere matters if it looks like a program.
            Err(error) if is_frank(&path) => self.problem(&path, error.into()),
            _ => {}
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn scratch(name: &str) -> PathBuf {
        let dir =
            std::env::temp_dir().join(format!("frank-discover-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir_all(&dir).expect("a directory");
        dir
    }

    fn names(dir: &Path, found: &Discovery) -> Vec<String> {
        let relative =
            |path: &PathBuf| path.strip_prefix(dir).expect("below").display().to_string();
        found.files.iter().map(relative).collect()
    }

    #[test]
    fn finds_programs_in_order() {
        let dir = scratch("order");
        for name in ["b.fk", "a.fk", "c.txt", "sub/d.fk", ".git/e.fk", ".f.fk"] {
            let path = dir.join(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
            fs::write(path, "").expect("a file");
        }
        let found = discover([
            dir.as_path(),
            &dir.join("a.fk"),
            &dir.join("c.txt"),
            &dir.join("g.fk"),
        ]);
        assert_eq!(
            names(&dir, &found),
            [".f.fk", "a.fk", "b.fk", "sub/d.fk", "c.txt"]
        );
        assert_eq!(
            found.problems,
            [Problem::unreadable(dir.join("g.fk"), ReadError::NotFound)]
        );
        fs::remove_dir_all(dir).expect("gone");
    }

    #[test]
    fn links_cost_nothing() {
        let dir = scratch("links");
        // Thirty directories, each with links to all the others: more paths than atoms.
        for i in 0..30 {
            fs::create_dir(dir.join(i.to_string())).expect("a directory");
            fs::write(dir.join(format!("{i}/p.fk")), "").expect("a file");
            for j in 0..30 {
                symlink(format!("../{j}"), dir.join(format!("{i}/to{j}"))).expect("a link");
            }
        }
        symlink("p.fk", dir.join("0/q.fk")).expect("a link");
        symlink("self.fk", dir.join("self.fk")).expect("a link");
        symlink("nothing", dir.join("dangling.fk")).expect("a link");
        let found = discover([dir.as_path()]);
        assert_eq!(found.files.len(), 30);
        let loops = found
            .problems
            .iter()
            .filter(|p| p.what == ProblemKind::LinkLoop)
            .count();
        assert_eq!(loops, 30);
        let other: Vec<_> = found
            .problems
            .iter()
            .filter(|p| p.what != ProblemKind::LinkLoop)
            .collect();
        assert_eq!(
            other,
            [
                &Problem::unreadable(dir.join("dangling.fk"), ReadError::NotFound),
                &Problem::unreadable(dir.join("self.fk"), ReadError::Loop)
            ]
        );
        fs::remove_dir_all(dir).expect("gone");
    }
}
