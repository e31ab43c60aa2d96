//! Loading what files include: beside them, then along the include paths (language reference,
//! section 7). What is in neither place may be in the library, which analysis has.

use std::collections::{BTreeMap, HashSet};

use frank_analysis::db::{Db, SourceFile, Workspace};
use frank_analysis::diagnostics::{Code, Diagnostic};
use frank_analysis::files::Files;
use frank_syntax::ast::Symbol;
use frank_syntax::outline::OutlineKind;

use crate::read::ReadError;

/// Files that some file includes, that exist and could not be read, with the reasons.
pub type Unreadable = BTreeMap<String, ReadError>;

/// What following includes has brought.
#[derive(Debug, Default)]
pub struct Loaded {
    /// The files that are known now and were not before.
    pub files: Vec<SourceFile>,
    /// Files that exist and could not be read.
    pub unreadable: Unreadable,
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
    let mut next = from.to_vec();
    while !next.is_empty() {
        let mut texts: Vec<(String, String)> = Vec::new();
        let mut reading: HashSet<String> = HashSet::new();
        for include in next.iter().flat_map(|file| places(files, *file)) {
            for path in include {
                if files.file(&path).is_some()
                    || reading.contains(&path)
                    || loaded.unreadable.contains_key(&path)
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
                        loaded.unreadable.insert(path, error);
                        break;
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

/// For each include of a file the places where the included file can be, in the order in which it is
/// looked for.
pub fn places(files: &Files, file: SourceFile) -> Vec<Vec<String>> {
    let db = files.db();
    let dirs = Workspace::get(db).include_dirs(db);
    let includes = file.outline(db).iter();
    let includes = includes.filter(|entry| entry.kind == OutlineKind::Include);
    let names = includes.filter_map(|entry| entry.name);
    names
        .map(|name| candidates(file.path(db), dirs, name).collect())
        .collect()
}

/// Where a file that another one includes can be, in the order in which it is looked for.
fn candidates<'p>(
    file: &'p str,
    include_dirs: &'p [String],
    name: Symbol,
) -> impl Iterator<Item = String> + 'p {
    let own = file.rsplit_once('/').map_or("", |(dir, _)| dir);
    let dirs = std::iter::once(own).chain(include_dirs.iter().map(String::as_str));
    dirs.map(move |dir| format!("{dir}/{name}.fk"))
}

/// Says of includes in a file that lead nowhere why that is so, where the included file is there and
/// cannot be read.
pub(crate) fn explain_unreadable(
    db: &dyn Db,
    file: SourceFile,
    unreadable: &Unreadable,
    problems: &mut [Diagnostic],
) {
    if unreadable.is_empty() {
        return;
    }
    let dirs = Workspace::get(db).include_dirs(db);
    for problem in problems {
        if problem.code != Code::UnknownInclude {
            continue;
        }
        let mut entries = file.outline(db).iter();
        let entry = entries.find(|entry| entry.item == problem.location.item);
        let Some(name) = entry.and_then(|entry| entry.name) else {
            continue;
        };
        let mut paths = candidates(file.path(db), dirs, name);
        if let Some(error) = paths.find_map(|path| unreadable.get(&path)) {
            problem.message = format!("`{name}.fk` cannot be included: {error}");
            problem.help.clear();
            problem.fixes.clear();
        }
    }
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
            BTreeMap::from([("/p/bad.fk".to_owned(), ReadError::Binary(0))])
        );
        assert!(loaded.absent.contains("/p/b.fk") && loaded.absent.contains("/lib/prelude.fk"));
        let count = asked.len();
        asked.sort();
        asked.dedup();
        assert_eq!(count, asked.len());
    }
}
