//! Where a command may write that changes programs by itself.

use std::path::{Path, PathBuf};

use crate::config::root_of;
use crate::paths::absolute;

/// Where files may be changed: below the roots of the projects of what the user has named, and what
/// the user has named.
#[derive(Debug, Default)]
pub struct Writable {
    /// Real paths of directories and files.
    places: Vec<PathBuf>,
    /// The real path of a directory outside of which nothing may be changed, whatever is around it.
    below: Option<PathBuf>,
}

impl Writable {
    /// What may be changed when the user has named some paths.
    pub fn around<'p>(named: impl IntoIterator<Item = &'p Path>) -> Writable {
        let mut places = Vec::new();
        for path in named {
            places.extend(project_of(path).and_then(|root| root.canonicalize().ok()));
            places.extend(path.canonicalize());
        }
        Writable {
            places,
            below: None,
        }
    }

    /// The same, and nothing outside of a directory. If that is none, nothing at all.
    pub fn only_below(self, directory: &Path) -> Writable {
        let real = directory.canonicalize();
        Writable {
            places: real.as_ref().map_or_else(|_| Vec::new(), |_| self.places),
            below: real.ok(),
        }
    }

    /// Where a file really is that must not be changed; `None` if it may be. One that is gone may be:
    /// that is found out by who writes it.
    pub fn outside(&self, path: &Path) -> Option<PathBuf> {
        let real = path.canonicalize().ok()?;
        let below = |place: &PathBuf| real.starts_with(place);
        let inside = self.places.iter().any(below) && self.below.as_ref().is_none_or(below);
        (!inside).then_some(real)
    }
}

/// The root of the project around a path: the directory of the nearest `frank.toml`, as it is written.
pub fn project_of(path: &Path) -> Option<PathBuf> {
    let path = absolute(path);
    match path.is_dir() {
        true => root_of(&path),
        false => root_of(path.parent()?),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn only_projects_and_what_is_named() {
        let dir = tempfile::tempdir().expect("a directory");
        let at = |path: &str| dir.path().join(path);
        for path in ["p/src/a.fk", "p/lib/b.fk", "other/c.fk", "q/d.fk", "q/e.fk"] {
            fs::create_dir_all(at(path).parent().expect("a parent")).expect("a directory");
            fs::write(at(path), "").expect("a file");
        }
        fs::write(at("p/frank.toml"), "").expect("a file");
        symlink("../../other", at("p/src/out")).expect("a link");
        symlink("../../other/c.fk", at("p/src/c.fk")).expect("a link");
        let may = |named: &[&str], path: &str| {
            let named: Vec<PathBuf> = named.iter().map(|path| at(path)).collect();
            let writable = Writable::around(named.iter().map(PathBuf::as_path));
            writable.outside(&at(path)).is_none()
        };
        assert!(
            may(&["p/src"], "p/lib/b.fk"),
            "the project around what is named"
        );
        assert!(!may(&["p/src"], "p/src/c.fk"), "a link that leads out");
        assert!(
            !may(&["p/src"], "p/src/out/c.fk"),
            "a directory that leads out"
        );
        assert!(!may(&["p"], "q/d.fk"));
        assert!(may(&["p/src/c.fk"], "other/c.fk"), "a link that is named");
        assert!(
            may(&["p/src/out"], "p/src/out/c.fk"),
            "a directory that is named"
        );
        assert!(
            may(&["q/d.fk"], "q/d.fk") && !may(&["q/d.fk"], "q/e.fk"),
            "a file is its own"
        );
        assert!(may(&["q"], "q/e.fk"));
        let bounded = |below: &str, path: &str| {
            let writable = Writable::around([at("p/src").as_path()]).only_below(&at(below));
            writable.outside(&at(path)).is_none()
        };
        fs::write(at("p/src/d.fk"), "").expect("a file");
        assert!(bounded("p/src", "p/src/d.fk"));
        assert!(
            !bounded("p/src", "p/lib/b.fk"),
            "of the project, but not below"
        );
        assert!(!bounded("q", "q/d.fk"), "below, but not of the project");
        assert!(
            !bounded("gone", "p/src/d.fk"),
            "below a directory that is not there"
        );
    }
}
