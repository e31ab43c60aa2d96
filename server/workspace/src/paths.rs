//! The names of files as analysis knows them: absolute, with `/`, and each file under one name.

use std::path::{Component, Path, PathBuf};

/// A path made absolute, without `.` and `..`. The file need not exist. `..` behind a symbolic
/// link leads to where the link's target is, as it does for the system.
pub fn absolute(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut result = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                if let Ok(real) = result.canonicalize() {
                    result = real;
                }
                result.pop();
            }
            other => result.push(other),
        }
    }
    result
}

/// The name under which analysis knows the file at a path.
pub fn key(path: &Path) -> String {
    with_slashes(&absolute(path))
}

/// Whether a file has a name of its own for analysis. Names that are not UTF-8 do not: what they differ
/// in is lost.
pub fn has_key(path: &Path) -> bool {
    absolute(path).to_str().is_some()
}

/// A path with `/` between its parts, on every system.
pub fn with_slashes(path: &Path) -> String {
    let text = path.to_string_lossy();
    if std::path::MAIN_SEPARATOR == '/' {
        text.into_owned()
    } else {
        text.replace('\\', "/")
    }
}

/// Whether a file's name says that it is a Frank program.
pub fn is_frank(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "fk")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_go() {
        assert_eq!(key(Path::new("/nowhere/./a/../b.fk")), "/nowhere/b.fk");
        assert_eq!(key(Path::new("/../a.fk")), "/a.fk");
        let here = key(Path::new("."));
        assert_eq!(key(Path::new("x/y.fk")), format!("{here}/x/y.fk"));
    }
}
