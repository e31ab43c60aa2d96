//! What `.gitignore` and `.ignore` say of the files of a project.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::read::{ReadError, read_source};

/// The names of the files with rules. What the first says counts before what the second says.
const FILES: [&str; 2] = [".ignore", ".gitignore"];

/// Whether a file has rules, by its name.
pub fn has_rules(path: &Path) -> bool {
    FILES
        .iter()
        .any(|name| path.file_name() == Some(name.as_ref()))
}

/// The rules that hold in a directory: its own, then those of the directories around it.
#[derive(Debug, Default)]
pub struct Rules {
    own: [Option<Gitignore>; FILES.len()],
    around: Option<Rc<Rules>>,
}

impl Rules {
    /// The rules in a directory of a project, whose root is `root`, or of no project. Files with rules that
    /// cannot be read say nothing, and go to `unread`.
    pub fn of(root: &Path, directory: &Path, unread: &mut Vec<Unread>) -> Rc<Rules> {
        let mut between: Vec<PathBuf> = directory
            .ancestors()
            .take_while(|around| around.starts_with(root))
            .map(Path::to_owned)
            .collect();
        if between.is_empty() {
            between.push(directory.to_owned());
        }
        let outermost = Rc::new(Rules::default());
        let inwards = between.iter().rev();
        inwards.fold(outermost, |around, directory| {
            around.inside(directory, unread)
        })
    }

    /// The rules in a directory that these are around; `unread` as above.
    pub fn inside(self: Rc<Rules>, directory: &Path, unread: &mut Vec<Unread>) -> Rc<Rules> {
        let own = FILES.map(|name| {
            let path = directory.join(name);
            match read_source(&path) {
                Ok(text) => rules(path, &text),
                Err(ReadError::NotFound | ReadError::Directory) => None,
                Err(error) => {
                    unread.push((path, error));
                    None
                }
            }
        });
        if own.iter().all(Option::is_none) {
            return self;
        }
        Rc::new(Rules {
            own,
            around: Some(self),
        })
    }

    /// Whether a file or directory is to be left out.
    pub fn leave_out(&self, path: &Path, is_directory: bool) -> bool {
        for kind in 0..FILES.len() {
            let mut next = Some(self);
            while let Some(rules) = next {
                let own = rules.own.get(kind).and_then(Option::as_ref);
                match own.map_or(Match::None, |own| own.matched(path, is_directory)) {
                    Match::None => next = rules.around.as_deref(),
                    Match::Ignore(_) => return true,
                    Match::Whitelist(_) => return false,
                }
            }
        }
        false
    }
}

/// A file with rules that cannot be read.
pub type Unread = (PathBuf, ReadError);

/// The rules that a file says. A line that is no rule says nothing.
fn rules(path: PathBuf, text: &str) -> Option<Gitignore> {
    let mut rules = GitignoreBuilder::new(path.parent()?);
    for line in text.trim_start_matches('\u{feff}').lines() {
        // Whoever writes these files is told by git.
        let _ = rules.add_line(Some(path.clone()), line);
    }
    rules.build().ok().filter(|rules| !rules.is_empty())
}
