//! The names of files in messages: as the user wrote them, as far as possible.

use std::path::{Component, Path, PathBuf};

use frank_analysis::files::LIBRARY_DIR;
use frank_workspace::paths::{key, with_slashes};

use crate::output::visible_name;

/// The name that standard input has in messages.
pub const STDIN: &str = "<stdin>";

/// How directories are written.
#[derive(Debug, Default)]
pub struct Names {
    /// Names of directories, both with a trailing `/` or empty: as analysis knows them, as written.
    directories: Vec<(String, String)>,
    current: String,
    /// Where a service looks for the files that reports name, with a trailing `/`.
    roots: Vec<String>,
}

/// Says where GitHub has put the repository. It takes the names in reports from there on.
const GITHUB_WORKSPACE: &str = "GITHUB_WORKSPACE";

impl Names {
    pub fn new() -> Names {
        Names {
            directories: Vec::new(),
            current: with_slash(key(Path::new("."))),
            roots: roots(),
        }
    }

    /// Learns how a user writes a directory, or the directory of a file.
    pub fn learn(&mut self, path: &Path) {
        let directory = if path.is_dir() {
            path
        } else {
            path.parent().unwrap_or(Path::new(""))
        };
        let known = with_slash(key(directory_or_current(directory)));
        self.directories
            .push((known, with_slash(written(directory))));
    }

    /// The name of a file, given as analysis knows it.
    pub fn show(&self, file: &str) -> String {
        if let Some(name) = name_of_no_file(file) {
            return name.to_owned();
        }
        if file.is_empty() {
            // The current directory, when it is gone.
            return ".".to_owned();
        }
        let matching = self
            .directories
            .iter()
            .filter(|(known, _)| file.starts_with(known));
        let longest = matching.max_by_key(|(known, _)| known.len());
        match longest.and_then(|(known, written)| Some((file.strip_prefix(known)?, written))) {
            Some((rest, written)) => format!("{written}{rest}"),
            None => self.relative(file).to_owned(),
        }
    }

    /// The name of a file as it can be shown to people.
    pub fn visible(&self, file: &str) -> String {
        visible_name(&self.show(file))
    }

    /// The name of a file from the current directory, if it is below that.
    pub fn relative<'f>(&self, file: &'f str) -> &'f str {
        if file.starts_with(LIBRARY_DIR) {
            file
        } else {
            file.strip_prefix(&self.current).unwrap_or(file)
        }
    }

    /// The name of a file in a report for a service: from the root of the repository on if a service
    /// says where that is, else as [`Names::relative`] has it.
    pub fn in_report<'f>(&self, file: &'f str) -> &'f str {
        if let Some(name) = name_of_no_file(file) {
            return name;
        }
        let mut roots = self.roots.iter();
        roots
            .find_map(|root| file.strip_prefix(root))
            .unwrap_or_else(|| self.relative(file))
    }

    /// What analysis knows standard input as: a file in the current directory.
    pub fn stdin_key(&self) -> String {
        format!("{}{STDIN}", self.current)
    }
}

/// The name of a file from a directory on, both as analysis knows them. What is no file has a name
/// that is the same everywhere.
pub fn from_directory(directory: &str, file: &str) -> String {
    if let Some(name) = name_of_no_file(file) {
        return name.to_owned();
    }
    if file.starts_with(LIBRARY_DIR) {
        return file.to_owned();
    }
    let mut from = directory.trim_end_matches('/').split('/').peekable();
    let mut to = file.split('/').peekable();
    if from.peek() != to.peek() {
        // Another drive.
        return file.to_owned();
    }
    while from.peek().is_some() && from.peek() == to.peek() {
        from.next();
        to.next();
    }
    let up = from.map(|_| "..");
    up.chain(to).collect::<Vec<_>>().join("/")
}

/// Whether a file that analysis knows, or a name from [`from_directory`], is none of the user's files:
/// standard input, say, or a part of the library.
pub fn is_no_file(file: &str) -> bool {
    name_of_no_file(file).is_some() || file.starts_with(LIBRARY_DIR)
}

/// The name of what is no file, such as `<stdin>`, in whatever directory its includes are.
fn name_of_no_file(file: &str) -> Option<&str> {
    let name = file.rsplit_once('/').map_or(file, |(_, name)| name);
    (name.starts_with('<') && name.ends_with('>')).then_some(name)
}

/// The names that the root of the repository can have, if a service says where it is.
fn roots() -> Vec<String> {
    let Some(root) = std::env::var_os(GITHUB_WORKSPACE).filter(|root| !root.is_empty()) else {
        return Vec::new();
    };
    let root = PathBuf::from(root);
    let real = root.canonicalize().ok();
    let mut roots = vec![with_slash(key(&root))];
    roots.extend(real.map(|real| with_slash(key(&real))));
    roots
}

fn directory_or_current(path: &Path) -> &Path {
    if path.as_os_str().is_empty() {
        Path::new(".")
    } else {
        path
    }
}

fn with_slash(directory: String) -> String {
    if directory.is_empty() || directory.ends_with('/') {
        directory
    } else {
        directory + "/"
    }
}

/// A path as it was written, without `.`.
fn written(path: &Path) -> String {
    let parts = path.components().filter(|part| *part != Component::CurDir);
    with_slashes(&parts.collect::<PathBuf>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_called_what_they_were_called() {
        let current = key(Path::new("."));
        let mut names = Names::new();
        names.learn(Path::new("src"));
        names.learn(Path::new("/usr"));
        names.learn(Path::new("./src/main.rs"));
        assert_eq!(names.show(&format!("{current}/src/a.fk")), "src/a.fk");
        assert_eq!(names.show(&format!("{current}/b.fk")), "b.fk");
        assert_eq!(names.show("/usr/x/y.fk"), "/usr/x/y.fk");
        assert_eq!(names.show("/other/y.fk"), "/other/y.fk");
        assert_eq!(names.in_report(&names.stdin_key()), "<stdin>");
        assert_eq!(names.show(&names.stdin_key()), "<stdin>");
        assert_eq!(names.show("library:/prelude.fk"), "library:/prelude.fk");
        names.learn(Path::new("../cli/src"));
        names.learn(Path::new(&current));
        assert_eq!(
            names.show(&format!("{current}/b.fk")),
            format!("{current}/b.fk")
        );
    }

    #[test]
    fn names_lead_from_one_directory_to_another() {
        for (directory, file, name) in [
            ("/a/b", "/a/b/c.fk", "c.fk"),
            ("/a/b/", "/a/c/d.fk", "../c/d.fk"),
            ("/a/b", "/a/bc/d.fk", "../bc/d.fk"),
            ("/", "/a.fk", "a.fk"),
            ("/a", "/b/<stdin>", "<stdin>"),
            ("/a", "library:/prelude.fk", "library:/prelude.fk"),
            ("C:/a", "D:/b.fk", "D:/b.fk"),
        ] {
            assert_eq!(from_directory(directory, file), name, "{directory}");
        }
    }
}
