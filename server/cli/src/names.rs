//! The names of files in messages: as the user wrote them, as far as possible.

use std::path::{Component, Path, PathBuf};

use frank_analysis::files::LIBRARY_DIR;
use frank_workspace::paths::{key, with_slashes};

/// The name that standard input has in messages.
pub const STDIN: &str = "<stdin>";

/// How directories are written.
#[derive(Debug, Default)]
pub struct Names {
    /// Names of directories, both with a trailing `/` or empty: as analysis knows them, as written.
    directories: Vec<(String, String)>,
    current: String,
}

impl Names {
    pub fn new() -> Names {
        Names {
            directories: Vec::new(),
            current: with_slash(key(Path::new("."))),
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
        // What is no file has a name such as `<stdin>`, in whatever directory its includes are.
        if let Some((_, name)) = file
            .rsplit_once('/')
            .filter(|(_, name)| name.starts_with('<'))
        {
            return name.to_owned();
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

    /// The name of a file from the current directory, if it is below that.
    pub fn relative<'f>(&self, file: &'f str) -> &'f str {
        if file.starts_with(LIBRARY_DIR) {
            file
        } else {
            file.strip_prefix(&self.current).unwrap_or(file)
        }
    }

    /// What analysis knows standard input as: a file in the current directory.
    pub fn stdin_key(&self) -> String {
        format!("{}{STDIN}", self.current)
    }
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
        assert_eq!(names.show(&names.stdin_key()), "<stdin>");
        assert_eq!(names.show("library:/prelude.fk"), "library:/prelude.fk");
        names.learn(Path::new("../cli/src"));
        names.learn(Path::new(&current));
        assert_eq!(
            names.show(&format!("{current}/b.fk")),
            format!("{current}/b.fk")
        );
    }
}
