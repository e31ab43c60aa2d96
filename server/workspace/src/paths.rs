//! The names of files as analysis knows them: absolute, with `/`, and each file under one name.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use frank_syntax::notebook::EXTENSION;

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

/// Whether a file's name says that it is a Frank program, or a notebook of one.
pub fn is_frank(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "fk") || has_notebooks_name(path)
}

fn has_notebooks_name(path: &Path) -> bool {
    let name = path.file_name().map(OsStr::as_encoded_bytes);
    name.is_some_and(|name| name.len() > EXTENSION.len() && name.ends_with(EXTENSION.as_bytes()))
}

/// The name of a program: that of its file without `.fk`, `.fk.md` or whatever it ends in.
pub fn program_name(path: &Path) -> Option<&OsStr> {
    match has_notebooks_name(path) {
        true => Path::new(path.file_stem()?).file_stem(),
        false => path.file_stem(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_known_by_their_names() {
        for (name, is_program, program) in [
            ("a/b.fk", true, "b"),
            ("a/b.fk.md", true, "b"),
            ("b.c.fk", true, "b.c"),
            ("b.md", false, "b"),
            ("b.FK.md", false, "b.FK"),
            (".fk.md", false, ".fk"),
        ] {
            assert_eq!(is_frank(Path::new(name)), is_program, "{name}");
            assert_eq!(program_name(Path::new(name)), Some(OsStr::new(program)));
        }
    }

    #[test]
    fn dots_go() {
        assert_eq!(key(Path::new("/nowhere/./a/../b.fk")), "/nowhere/b.fk");
        assert_eq!(key(Path::new("/../a.fk")), "/a.fk");
        let here = key(Path::new("."));
        assert_eq!(key(Path::new("x/y.fk")), format!("{here}/x/y.fk"));
    }
}
