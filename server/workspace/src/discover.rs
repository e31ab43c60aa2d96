//! Finding the Frank programs below directories.
//!
//! Every directory is visited once, however many ways lead there: links to directories around them,
//! or criss-cross between directories, cost nothing. What real directories hold is found first, so
//! that a file's own name wins over a link's. Links that lead out of the project are not followed.
//! Files and directories whose names begin with a dot are left out, and so is what `.gitignore` and
//! `.ignore` say, if they are to count.

use std::collections::{HashSet, VecDeque};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::ignored::{Rules, Unread};
use crate::paths::{absolute, has_key, is_frank};
use crate::read::{Named, ReadError};
use crate::writable::project_of;
use crate::write::is_draft;

/// How directories are searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Search {
    /// Where links may lead.
    pub links: Links,
    /// Whether `.gitignore` and `.ignore` count.
    pub ignore_files: bool,
    /// Whether programs that these leave out are counted, which means to look for them.
    pub count: bool,
}

/// Which links are followed in a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Links {
    /// Those that stay in the project around the directory that is searched.
    InProject,
    /// Those that stay in the directory that is searched.
    InDirectory,
}

/// What there is below some paths.
#[derive(Debug, Default)]
pub struct Discovery {
    /// The files to read: those named, and those found in directories in the order of their names.
    pub files: Vec<Program>,
    pub problems: Vec<Problem>,
    /// How many programs `.gitignore` and `.ignore` have left out.
    pub left_out: usize,
    /// Unfinished files of this program, perhaps of a process that was killed.
    pub drafts: Vec<PathBuf>,
}

/// A file that is a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    pub path: PathBuf,
    pub named: Named,
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
    /// A symbolic link that leads out of the project, which was not followed.
    LeadsOut,
}

impl Problem {
    pub fn unreadable(path: impl Into<PathBuf>, error: ReadError) -> Problem {
        Problem {
            path: path.into(),
            what: ProblemKind::Unreadable(error),
        }
    }
}

struct Searching {
    how: Search,
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
pub fn discover<'p>(paths: impl IntoIterator<Item = &'p Path>, how: Search) -> Discovery {
    let mut search = Searching {
        how,
        found: Discovery::default(),
        directories: HashSet::new(),
        files: HashSet::new(),
        links: VecDeque::new(),
    };
    for path in paths {
        match (fs::metadata(path), path.canonicalize()) {
            (Err(error), _) => search.problem(path, error.into()),
            (Ok(found), real) if !found.is_dir() => {
                // A pipe that a shell hands over has a name, and no path.
                let real = real.unwrap_or_else(|_| absolute(path));
                search.file(path.to_owned(), real, Named::ByUser);
            }
            (Ok(_), Ok(real)) => search.directory(path, real),
            (Ok(_), Err(error)) => search.problem(path, error.into()),
        }
    }
    search.found
}

/// Whether a search of a directory finds a file, of which it is known that it is there.
pub fn finds(directory: &Path, path: &Path, how: Search) -> bool {
    let Some(below) = path.strip_prefix(directory).ok().filter(|_| is_frank(path)) else {
        return false;
    };
    let mut parts = below.components().map(|part| part.as_os_str());
    if parts.any(|part| part.as_encoded_bytes().starts_with(b".")) {
        return false;
    }
    if !how.ignore_files {
        return true;
    }
    let project = project_of(directory);
    let root = project.as_deref().unwrap_or(directory);
    let mut around = path.ancestors().take_while(|around| *around != directory);
    !around.any(|part| {
        let rules = part
            .parent()
            .map(|parent| Rules::of(root, parent, &mut Vec::new()));
        rules.is_some_and(|rules| rules.leave_out(part, part != path))
    })
}

impl Searching {
    fn problem(&mut self, path: &Path, error: ReadError) {
        self.found.problems.push(Problem::unreadable(path, error));
    }

    fn file(&mut self, path: PathBuf, real: PathBuf, named: Named) {
        if !self.files.insert(real) {
            return;
        }
        if has_key(&path) {
            self.found.files.push(Program { path, named });
        } else {
            self.problem(&path, ReadError::Name);
        }
    }

    /// Searches a directory: first all that is really in it, then what links in it lead to.
    fn directory(&mut self, path: &Path, real: PathBuf) {
        let project = project_of(path).and_then(|root| root.canonicalize().ok());
        let mut places = vec![real.clone()];
        if self.how.links == Links::InProject {
            places.extend(project.clone());
        }
        let root = project.unwrap_or_else(|| real.clone());
        self.tree(path.to_owned(), real, &root);
        while let Some((path, target)) = self.links.pop_front() {
            let around = path.parent().and_then(|dir| dir.canonicalize().ok());
            let leads_out = !places.iter().any(|place| target.starts_with(place));
            if around.is_some_and(|around| target.is_dir() && around.starts_with(&target)) {
                let what = ProblemKind::LinkLoop;
                self.found.problems.push(Problem { path, what });
            } else if leads_out {
                let what = ProblemKind::LeadsOut;
                self.found.problems.push(Problem { path, what });
            } else if target.is_dir() {
                self.tree(path, target, &root);
            } else {
                self.file(path, target, Named::ByOthers);
            }
        }
    }

    /// Visits the real directories from one on, in order. What they may say of their files, the
    /// directories around them may, up to `root`.
    fn tree(&mut self, path: PathBuf, real: PathBuf, root: &Path) {
        let rules = match self.how.ignore_files {
            true => self.rules(|unread| Rules::of(root, &real, unread)),
            false => Rc::default(),
        };
        let mut stack = vec![(path, real, rules)];
        while let Some((path, real, rules)) = stack.pop() {
            if !self.directories.insert(real.clone()) {
                continue;
            }
            let mut below = Vec::new();
            for entry in self.entries(&path) {
                let (name, entry_path) = (entry.file_name(), entry.path());
                let kind = match entry.file_type() {
                    Ok(kind) => kind,
                    Err(error) => {
                        self.problem(&entry_path, error.into());
                        continue;
                    }
                };
                if name.as_encoded_bytes().starts_with(b".") {
                    if kind.is_file() && is_draft(&name) {
                        self.found.drafts.push(entry_path);
                    }
                    continue;
                }
                let entry_real = real.join(&name);
                if rules.leave_out(&entry_real, kind.is_dir()) {
                    self.count(entry_path, kind);
                } else if kind.is_dir() {
                    let rules = match self.how.ignore_files {
                        true => self.rules(|unread| rules.clone().inside(&entry_real, unread)),
                        false => rules.clone(),
                    };
                    below.push((entry_path, entry_real, rules));
                } else if kind.is_symlink() {
                    self.link(entry_path);
                } else if is_frank(&entry_path) {
                    if kind.is_file() {
                        self.file(entry_path, entry_real, Named::ByOthers);
                    } else {
                        self.problem(&entry_path, ReadError::Special);
                    }
                }
            }
            stack.extend(below.into_iter().rev());
        }
    }

    /// Rules, after what cannot be read of them has become a problem: what it would leave out is not known.
    fn rules(&mut self, read: impl FnOnce(&mut Vec<Unread>) -> Rc<Rules>) -> Rc<Rules> {
        let mut unread = Vec::new();
        let rules = read(&mut unread);
        for (path, error) in unread {
            let problem = Problem::unreadable(path, error);
            if !self.found.problems.contains(&problem) {
                self.found.problems.push(problem);
            }
        }
        rules
    }

    /// What is in a directory, by name.
    fn entries(&mut self, directory: &Path) -> Vec<fs::DirEntry> {
        let (mut entries, error) = match fs::read_dir(directory) {
            Ok(entries) => listed(entries),
            Err(error) => (Vec::new(), Some(error)),
        };
        if let Some(error) = error {
            self.problem(directory, error.into());
        }
        entries.sort_by_key(fs::DirEntry::file_name);
        entries
    }

    /// Counts the programs of what is left out.
    fn count(&mut self, path: PathBuf, kind: fs::FileType) {
        let mut left = vec![(path, kind)];
        while let Some((path, kind)) = left.pop() {
            if !kind.is_dir() {
                self.found.left_out += usize::from(is_frank(&path));
            } else if self.how.count
                && let Ok(entries) = fs::read_dir(&path)
            {
                let shown = entries.flatten().filter(|entry| {
                    let name = entry.file_name();
                    !name.as_encoded_bytes().starts_with(b".")
                });
                left.extend(
                    shown.filter_map(|entry| Some((entry.path(), entry.file_type().ok()?))),
                );
            }
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

/// What a listing gives, and why it broke off or left something out.
fn listed<T>(listing: impl Iterator<Item = io::Result<T>>) -> (Vec<T>, Option<io::Error>) {
    let mut entries = Vec::new();
    for entry in listing {
        match entry {
            Ok(entry) => entries.push(entry),
            Err(error) => return (entries, Some(error)),
        }
    }
    (entries, None)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    const ALL: Search = Search {
        links: Links::InProject,
        ignore_files: false,
        count: false,
    };

    fn scratch(name: &str) -> PathBuf {
        let dir =
            std::env::temp_dir().join(format!("frank-discover-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir_all(&dir).expect("a directory");
        dir
    }

    fn names(dir: &Path, found: &Discovery) -> Vec<String> {
        let relative = |file: &Program| {
            let below = file.path.strip_prefix(dir).expect("below");
            below.display().to_string()
        };
        found.files.iter().map(relative).collect()
    }

    /// A disk that fails in the middle of a listing has not given all of it.
    #[test]
    fn a_listing_that_breaks_off_says_so() {
        let fails = || Err(io::Error::other("EIO"));
        let (entries, error) = listed([Ok(1), Ok(2), fails(), Ok(3)].into_iter());
        assert_eq!(entries, [1, 2]);
        assert!(error.is_some());
        let (entries, error) = listed([Ok(1)].into_iter());
        assert_eq!((entries, error.is_none()), (vec![1], true));
    }

    #[test]
    fn finds_programs_in_order() {
        let dir = scratch("order");
        for name in [
            "b.fk",
            "a.fk",
            "c.txt",
            "sub/d.fk",
            ".git/e.fk",
            ".#f.fk",
            "._g.fk",
            ".h.fk",
        ] {
            let path = dir.join(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
            fs::write(path, "").expect("a file");
        }
        let paths = [
            dir.as_path(),
            &dir.join("a.fk"),
            &dir.join("c.txt"),
            &dir.join("g.fk"),
            &dir.join(".h.fk"),
        ];
        let found = discover(paths, ALL);
        assert_eq!(
            names(&dir, &found),
            ["a.fk", "b.fk", "sub/d.fk", "c.txt", ".h.fk"]
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
        let found = discover([dir.as_path()], ALL);
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

    /// A directory with files, and links from one path to another.
    fn tree(name: &str, files: &[(&str, &str)], links: &[(&str, &str)]) -> PathBuf {
        let dir = scratch(name);
        for (file, text) in files {
            let path = dir.join(file);
            fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
            fs::write(path, text).expect("a file");
        }
        for (link, target) in links {
            symlink(target, dir.join(link)).expect("a link");
        }
        dir
    }

    #[test]
    fn links_do_not_lead_out() {
        let dir = tree(
            "out",
            &[
                ("p/frank.toml", ""),
                ("p/src/a.fk", ""),
                ("p/lib/b.fk", ""),
                ("other/c.fk", ""),
                ("secret.txt", ""),
            ],
            &[
                ("p/src/lib", "../lib"),
                ("p/src/other", "../../other"),
                ("p/src/l.fk", "../../secret.txt"),
                ("p/src/pty.fk", "/dev/ptmx"),
            ],
        );
        let src = dir.join("p/src");
        let outside = |found: &Discovery| {
            let out = found.problems.iter();
            let out = out.filter(|problem| problem.what == ProblemKind::LeadsOut);
            out.count()
        };
        let found = discover([src.as_path()], ALL);
        assert_eq!(names(&src, &found), ["a.fk", "lib/b.fk"]);
        assert_eq!(outside(&found), 3);
        let found = discover(
            [src.as_path()],
            Search {
                links: Links::InDirectory,
                ..ALL
            },
        );
        assert_eq!(names(&src, &found), ["a.fk"]);
        assert_eq!(outside(&found), 4);
        // What is named is searched wherever it leads, and so are links in it that stay there.
        let found = discover([src.join("other").as_path(), &src.join("l.fk")], ALL);
        assert_eq!(names(&src, &found), ["other/c.fk", "l.fk"]);
        fs::remove_dir_all(dir).expect("gone");
    }

    #[test]
    fn rules_leave_out() {
        let dir = tree(
            "rules",
            &[
                (".gitignore", "above.fk\n"),
                ("p/frank.toml", ""),
                ("p/.gitignore", "\u{feff}gen/\n*.out.fk\n/src/only.fk\n"),
                ("p/.ignore", "!kept.out.fk\n"),
                ("p/gen/a.fk", ""),
                ("p/gen/deep/b.fk", ""),
                ("p/src/above.fk", ""),
                ("p/src/c.out.fk", ""),
                ("p/src/kept.out.fk", ""),
                ("p/src/only.fk", ""),
                ("p/src/sub/only.fk", ""),
                ("p/src/sub/.gitignore", "d.fk\n"),
                ("p/src/sub/d.fk", ""),
                ("p/src/sub/e.fk", ""),
            ],
            &[],
        );
        let rules = Search {
            ignore_files: true,
            count: true,
            ..ALL
        };
        let p = dir.join("p");
        let below = [
            "src/above.fk",
            "src/kept.out.fk",
            "src/sub/e.fk",
            "src/sub/only.fk",
        ];
        let found = discover([p.as_path()], rules);
        assert_eq!(
            (names(&p, &found), found.left_out),
            (below.map(str::to_owned).to_vec(), 5)
        );
        // What a search finds is found as well when it comes later.
        for path in [
            "src/c.out.fk",
            "src/kept.out.fk",
            "gen/deep/b.fk",
            "src/sub/.#e.fk",
        ] {
            let found = below.contains(&path);
            assert_eq!(finds(&p, &p.join(path), rules), found, "{path}");
        }
        // The rules of the project hold in a part of it, too.
        let found = discover([p.join("src").as_path()], rules);
        assert_eq!(
            (names(&p, &found), found.left_out),
            (below.map(str::to_owned).to_vec(), 3)
        );
        // What is named counts.
        let found = discover([p.join("gen").as_path(), &p.join("src/only.fk")], rules);
        assert_eq!(
            names(&p, &found),
            ["gen/a.fk", "gen/deep/b.fk", "src/only.fk"]
        );
        assert_eq!(discover([p.as_path()], ALL).files.len(), 9);
        // Rules that cannot be read are told, once; all others hold.
        fs::write(p.join("src/sub/.gitignore"), b"\xffd.fk\n").expect("a file");
        let found = discover([p.as_path()], rules);
        assert_eq!(
            names(&p, &found),
            [&below[..2], &["src/sub/d.fk"], &below[2..]].concat()
        );
        let unread = p.join("src/sub/.gitignore");
        assert_eq!(
            found.problems,
            [Problem::unreadable(unread, ReadError::NotUtf8(0))]
        );
        fs::remove_dir_all(dir).expect("gone");
    }
}
