//! Which files a client may name: those of the directory that is served, wherever links in it lead.

use std::io;
use std::path::{Component, Path, PathBuf};

use frank_syntax::visible::visible;

/// The directory that is served.
#[derive(Debug)]
pub struct Root {
    /// Where it really is.
    real: PathBuf,
}

/// A file or a directory in the directory that is served.
#[derive(Debug, PartialEq, Eq)]
pub struct Place {
    /// Its path from the directory on, as an argument: it has no links, and is taken for no option.
    pub word: String,
    pub is_directory: bool,
}

impl Root {
    /// The directory at a path.
    ///
    /// # Errors
    /// There is none, or it may not be read.
    pub fn open(path: &Path) -> io::Result<Root> {
        let real = path.canonicalize()?;
        match real.is_dir() {
            true => Ok(Root { real }),
            false => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    /// Where it really is.
    pub fn real(&self) -> &Path {
        &self.real
    }

    /// What a client names, by a path from the directory on or a whole one. Otherwise a sentence for the client, which
    /// tells nothing of what lies outside.
    pub fn find(&self, asked: &str) -> Result<Place, String> {
        let shown = visible(asked);
        let outside =
            || format!("`{shown}` is outside of the directory that is served; name a file in it");
        if asked.is_empty() || asked.contains('\0') {
            return Err("`path` has to name a file or a directory".to_owned());
        }
        let path = Path::new(asked);
        if path.components().any(|part| part == Component::ParentDir) {
            return Err(format!(
                "`{shown}` has a `..`: name the file from the directory on that is served, without"
            ));
        }
        let path = self.real.join(path);
        let real = match path.canonicalize() {
            Ok(real) => real,
            Err(_) if !path.starts_with(&self.real) => return Err(outside()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(format!("there is no file or directory `{shown}`"));
            }
            Err(error) => return Err(format!("`{shown}` cannot be read: {error}")),
        };
        let Ok(inside) = real.strip_prefix(&self.real) else {
            return Err(outside());
        };
        let is_directory = real.is_dir();
        if !is_directory && !real.is_file() {
            return Err(format!("`{shown}` is neither a file nor a directory"));
        }
        let word = match inside.to_str() {
            Some("") => ".".to_owned(),
            Some(name) if name.starts_with('-') => format!("./{name}"),
            Some(name) => name.to_owned(),
            None => return Err(format!("`{shown}` leads to a name that is not UTF-8")),
        };
        Ok(Place { word, is_directory })
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    /// A directory of one's own, which goes at the end.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new() -> Scratch {
            let path = std::env::temp_dir().join(format!("frank-mcp-{}", std::process::id()));
            fs::create_dir_all(path.join("served/sub")).expect("a directory");
            Scratch(path.canonicalize().expect("it is there"))
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn only_what_lies_inside_is_found() {
        let scratch = Scratch::new();
        let at = |path: &str| scratch.0.join(path);
        for path in ["secret.fk", "served/a.fk", "served/-", "served/sub/b.fk"] {
            fs::write(at(path), "").expect("a file");
        }
        fs::create_dir(at("served-too")).expect("a directory");
        fs::write(at("served-too/c.fk"), "").expect("a file");
        symlink("../secret.fk", at("served/out.fk")).expect("a link");
        symlink("..", at("served/up")).expect("a link");
        symlink("sub/b.fk", at("served/in.fk")).expect("a link");
        symlink("loop.fk", at("served/loop.fk")).expect("a link");
        symlink("served", at("alias")).expect("a link");
        let root = Root::open(&at("alias")).expect("a directory");
        let word = |path: &str| root.find(path).map(|place| place.word);
        let whole = |path: &str| word(at(path).to_str().expect("UTF-8"));
        assert_eq!(word("a.fk").as_deref(), Ok("a.fk"));
        assert_eq!(word("./sub/./b.fk").as_deref(), Ok("sub/b.fk"));
        assert_eq!(
            word("in.fk").as_deref(),
            Ok("sub/b.fk"),
            "a link that stays"
        );
        assert_eq!(word("-").as_deref(), Ok("./-"), "not standard input");
        assert_eq!(word(".").as_deref(), Ok("."));
        assert_eq!(root.find("sub").map(|place| place.is_directory), Ok(true));
        assert_eq!(whole("served/a.fk").as_deref(), Ok("a.fk"));
        assert_eq!(
            whole("alias/a.fk").as_deref(),
            Ok("a.fk"),
            "by another name"
        );
        for (path, says) in [
            ("", "has to name"),
            ("a\0.fk", "has to name"),
            ("../secret.fk", "has a `..`"),
            ("sub/../a.fk", "has a `..`"),
            ("out.fk", "is outside"),
            ("up/secret.fk", "is outside"),
            ("up", "is outside"),
            ("gone.fk", "there is no file"),
            ("a.fk/b.fk", "cannot be read"),
            ("loop.fk", "cannot be read"),
        ] {
            let refused = root.find(path).expect_err(path);
            assert!(refused.contains(says), "{path}: {refused}");
        }
        // Whether there is a file elsewhere is not told.
        for path in ["secret.fk", "gone.fk", "served-too/c.fk"] {
            let refused = whole(path).expect_err(path);
            assert!(refused.contains("is outside"), "{path}: {refused}");
        }
        assert!(Root::open(&at("secret.fk")).is_err());
    }

    #[test]
    fn what_is_no_file_is_not_waited_for() {
        let root = Root::open(Path::new("/dev")).expect("a directory");
        let refused = root.find("null").expect_err("a device");
        assert!(refused.contains("neither"), "{refused}");
    }
}
