//! Loading what files include: beside them, then along the include paths (language reference,
//! section 7). What is in neither place may be in the library, which analysis has.

use std::collections::HashSet;

use frank_analysis::db::{SourceFile, Workspace};
use frank_analysis::files::Files;
use frank_syntax::outline::OutlineKind;

use crate::read::ReadError;

/// What following includes has brought.
#[derive(Debug, Default)]
pub struct Loaded {
    /// The files that are known now and were not before.
    pub files: Vec<SourceFile>,
    /// Files that exist and could not be read.
    pub unreadable: Vec<(String, ReadError)>,
    /// Where an included file could be and is not: if one comes to be, it changes a program.
    pub absent: HashSet<String>,
}

/// Adds to `files` what some of its files include, directly or not, and is not known yet.
/// `read` is asked for each path at most once; [`ReadError::NotFound`] is no problem.
pub fn load_includes(
    files: &mut Files,
    from: &[SourceFile],
    mut read: impl FnMut(&str) -> Result<String, ReadError>,
) -> Loaded {
    let mut loaded = Loaded::default();
    let mut refused: HashSet<String> = HashSet::new();
    let mut next = from.to_vec();
    while !next.is_empty() {
        let mut texts: Vec<(String, String)> = Vec::new();
        let mut reading: HashSet<String> = HashSet::new();
        let dirs = Workspace::get(files.db()).include_dirs(files.db()).clone();
        for file in &next {
            let own = file
                .path(files.db())
                .rsplit_once('/')
                .map_or("", |(dir, _)| dir);
            let outline = file.outline(files.db()).iter();
            let names = outline.filter(|entry| entry.kind == OutlineKind::Include);
            for name in names.filter_map(|entry| entry.name) {
                for dir in std::iter::once(own).chain(dirs.iter().map(String::as_str)) {
                    let path = format!("{dir}/{name}.fk");
                    if files.file(&path).is_some()
                        || reading.contains(&path)
                        || refused.contains(&path)
                    {
                        break;
                    }
                    if loaded.absent.contains(&path) {
                        continue;
                    }
                    match read(&path) {
                        Ok(text) => {
                            reading.insert(path.clone());
                            texts.push((path, text));
                            break;
                        }
                        Err(ReadError::NotFound) => {
                            loaded.absent.insert(path);
                        }
                        Err(error) => {
                            refused.insert(path.clone());
                            loaded.unreadable.push((path, error));
                            break;
                        }
                    }
                }
            }
        }
        let new: Vec<(String, &str)> = texts
            .iter()
            .map(|(path, text)| (path.clone(), text.as_str()))
            .collect();
        next = if new.is_empty() {
            Vec::new()
        } else {
            files.add(&new)
        };
        loaded.files.extend(&next);
    }
    loaded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn includes_are_followed_once() {
        let mut files = Files::new(None);
        files.set_include_dirs(vec!["/lib".to_owned()]);
        let root = files.set_text(
            "/p/main.fk",
            "include a\ninclude b\ninclude prelude\ninclude bad\n",
        );
        let mut asked = Vec::new();
        let loaded = load_includes(&mut files, &[root], |path| {
            asked.push(path.to_owned());
            match path {
                "/p/a.fk" => Ok("include b\ninclude main\n".to_owned()),
                "/lib/b.fk" => Ok("include c\n".to_owned()),
                "/lib/c.fk" => Ok("include a\n".to_owned()),
                "/p/bad.fk" => Err(ReadError::Binary(0)),
                _ => Err(ReadError::NotFound),
            }
        });
        let mut paths: Vec<&str> = loaded
            .files
            .iter()
            .map(|file| file.path(files.db()))
            .collect();
        paths.sort();
        assert_eq!(paths, ["/lib/b.fk", "/lib/c.fk", "/p/a.fk"]);
        assert_eq!(
            loaded.unreadable,
            [("/p/bad.fk".to_owned(), ReadError::Binary(0))]
        );
        assert!(loaded.absent.contains("/p/b.fk") && loaded.absent.contains("/lib/prelude.fk"));
        let count = asked.len();
        asked.sort();
        asked.dedup();
        assert_eq!(count, asked.len());
    }
}
