//! Copies of programs that differ from them in what they include.

use frank_library::LIBRARY;
use frank_syntax::notebook::{is_notebook, with_cell};
use frank_syntax::outline::split;

use crate::db::{Db, SourceFile, Workspace};
use crate::files::Files;
use crate::program::scope_files;
use crate::snapshot::text;

/// The files of a program, at their paths, whose root includes a file of the library, too. What the root has
/// stands where it stood.
pub fn including(db: &dyn Db, root: SourceFile, name: &str) -> Files {
    copy(db, root, LIBRARY.iter().copied(), |text| {
        if is_notebook(root.path(db)) {
            return with_cell(text, &format!("include {name}"));
        }
        let first = split(text).first().map_or(0, |item| item.token_start());
        let before = text.get(..first).unwrap_or_default();
        // An item begins in the column of the first one.
        let column = before.rsplit('\n').next().unwrap_or_default();
        format!(
            "{text}\n{}include {name}\n",
            " ".repeat(column.chars().count())
        )
    })
}

/// The files of a program, at their paths, with this library, and with another text of the root.
pub(crate) fn copy<'a>(
    db: &dyn Db,
    root: SourceFile,
    library: impl Iterator<Item = (&'a str, &'a str)>,
    root_text: impl Fn(&str) -> String,
) -> Files {
    let mut files = Files::with_library(None, library);
    let dirs = Workspace::get(db).include_dirs(db);
    files.set_include_dirs(dirs.to_vec());
    let own: Vec<(String, String)> = scope_files(db, root)
        .0
        .iter()
        .map(|file| {
            let text = text(db, *file);
            let text = match *file == root {
                true => root_text(&text),
                false => text,
            };
            (file.path(db).to_owned(), text)
        })
        .collect();
    let own: Vec<(String, &str)> = own
        .iter()
        .map(|(path, text)| (path.clone(), text.as_str()))
        .collect();
    files.add(&own);
    files
}
