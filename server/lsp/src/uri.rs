//! URIs and the paths under which analysis knows files.
//!
//! A `file:` URI is known by its path; any other document (`untitled:Untitled-1`, a file inside of
//! an archive) by its whole URI.

use std::path::{Component, Path, PathBuf};
use std::str::FromStr;

use tower_lsp::ls_types::Uri;

/// The path under which a document is known, with `/` between its parts.
pub fn key_of(uri: &Uri) -> String {
    match disk_path(uri) {
        Some(path) => frank_workspace::paths::key(&path),
        None => uri.as_str().to_owned(),
    }
}

/// The path of a URI that names a file on disk, without `.` and `..`: in a URI these are no matter of
/// the disk, which therefore is not asked.
pub fn disk_path(uri: &Uri) -> Option<PathBuf> {
    let is_file = uri.scheme().as_str().eq_ignore_ascii_case("file");
    if is_file {
        uri.to_file_path().map(|path| without_dots(&path))
    } else {
        None
    }
}

fn without_dots(path: &Path) -> PathBuf {
    let mut result = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            // The root is its own parent.
            Component::ParentDir => {
                result.pop();
            }
            other => result.push(other),
        }
    }
    result
}

/// The URI of what is known by a key.
pub fn uri_of(key: &str) -> Option<Uri> {
    if is_on_disk(key) {
        Uri::from_file_path(key)
    } else {
        Uri::from_str(key).ok()
    }
}

/// True if what is known by a key is a file on disk, or could be.
pub fn is_on_disk(key: &str) -> bool {
    Path::new(key).is_absolute()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_come_back() {
        for path in ["/a b/ünï/x.fk", "/tmp/[1]#?.fk"] {
            assert_eq!(key_of(&uri_of(path).unwrap()), path);
        }
    }

    #[test]
    fn other_schemes_are_known_by_their_uri() {
        let uri = Uri::from_str("untitled:Untitled-1").unwrap();
        assert_eq!(key_of(&uri), "untitled:Untitled-1");
        assert_eq!(uri_of("untitled:Untitled-1"), Some(uri));
    }

    #[test]
    fn spellings_of_one_path_are_one_key() {
        for uri in [
            "file:///c%3A/x.fk",
            "file:///c:/./x.fk",
            "FILE:///c:/y/../x.fk",
        ] {
            assert_eq!(key_of(&Uri::from_str(uri).unwrap()), "/c:/x.fk");
        }
    }
}
