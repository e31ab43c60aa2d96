//! What `.gitignore` and `.ignore` say of the files of a project.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::read::read_source;

/// The names of the files with rules. What the first says counts before what the second says.
const FILES: [&str; 2] = [".ignore", ".gitignore"];

/// The rules that hold in a directory: its own, then those of the directories around it.
#[derive(Debug, Default)]
pub struct Rules {
    own: [Option<Gitignore>; FILES.len()],
    around: Option<Rc<Rules>>,
}

impl Rules {
    /// The rules in a directory of a project, whose root is `root`, or of no project.
    pub fn of(root: &Path, directory: &Path) -> Rc<Rules> {
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
        inwards.fold(outermost, |around, directory| around.inside(directory))
    }

    /// The rules in a directory that these are around.
    pub fn inside(self: Rc<Rules>, directory: &Path) -> Rc<Rules> {
        let own = FILES.map(|name| read(directory, name));
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

/// The rules in a file, if there is one. A line that is no rule says nothing.
fn read(directory: &Path, name: &str) -> Option<Gitignore> {
    let path = directory.join(name);
    let text = read_source(&path).ok()?;
    let mut rules = GitignoreBuilder::new(directory);
    for line in text.trim_start_matches('\u{feff}').lines() {
        // Whoever writes these files is told by git.
        let _ = rules.add_line(Some(path.clone()), line);
    }
    rules.build().ok().filter(|rules| !rules.is_empty())
}
