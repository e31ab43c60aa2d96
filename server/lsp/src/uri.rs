//! URIs and the paths under which analysis knows files.
//!
//! A `file:` URI is known by its path; any other document (`untitled:Untitled-1`, a file inside of
//! an archive) by its whole URI.

use std::path::{Component, Path, PathBuf};
use std::str::FromStr;

use frank_syntax::notebook::notebook_of;
use tower_lsp::ls_types::Uri;

/// The path under which a document is known, with `/` between its parts.
pub fn key_of(uri: &Uri) -> String {
    if let Some(key) = key_of_cell(uri) {
        return key;
    }
    match disk_path(uri) {
        Some(path) => frank_workspace::paths::key(&path),
        None => uri.as_str().to_owned(),
    }
}

/// The scheme under which VS Code opens the cells of a notebook, each as a document of its own.
const CELL_SCHEME: &str = "vscode-notebook-cell";

/// The key of a cell of a notebook on disk: that of the notebook, `#`, and the cell's own name, so that
/// cells of one notebook can be told from others.
fn key_of_cell(uri: &Uri) -> Option<String> {
    let rest = uri.as_str().strip_prefix(CELL_SCHEME)?;
    let (notebook, cell) = rest.split_once('#')?;
    let notebook = Uri::from_str(&format!("file{notebook}")).ok()?;
    Some(format!("{}#{cell}", key_of(&notebook)))
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
        of_path(key)
    } else {
        Uri::from_str(key).ok()
    }
}

#[cfg(not(target_family = "wasm"))]
fn of_path(path: &str) -> Option<Uri> {
    Uri::from_file_path(path)
}

/// There no path counts as absolute, so that `from_file_path` would ask the disk about it.
#[cfg(target_family = "wasm")]
fn of_path(path: &str) -> Option<Uri> {
    use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

    const KEPT: &AsciiSet = &NON_ALPHANUMERIC
        .remove(b'/')
        .remove(b'-')
        .remove(b'_')
        .remove(b'.')
        .remove(b'~');
    Uri::from_str(&format!("file://{}", utf8_percent_encode(path, KEPT))).ok()
}

/// True if what is known by a key is a file on disk, or could be. The cells of a notebook are not.
pub fn is_on_disk(key: &str) -> bool {
    let path = Path::new(key);
    // In WebAssembly no path counts as absolute.
    let absolute = path.is_absolute() || cfg!(target_family = "wasm") && path.has_root();
    absolute && notebook_of(key).is_none()
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
    fn cells_belong_to_their_notebook() {
        let uri = "vscode-notebook-cell:/a%20b/c.fk.md#W0sZmlsZQ%3D%3D";
        let key = key_of(&Uri::from_str(uri).unwrap());
        assert_eq!(key, "/a b/c.fk.md#W0sZmlsZQ%3D%3D");
        assert!(!is_on_disk(&key));
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
