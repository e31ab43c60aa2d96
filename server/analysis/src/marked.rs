//! Programs whose derivatives mark their numbers, and refuse those of another derivative.
//!
//! Types tell a derivative from one inside of it, but not from one that comes before it. Where a
//! function to differentiate comes as a parameter, nothing in its text shows that its numbers go
//! somewhere else, so a derivative that is asked for is computed with a library that looks at every
//! number. It costs time, so programs that run have the plain one.

use std::collections::HashSet;
use std::sync::OnceLock;

use frank_library::{LIBRARY, MARKED};
use frank_syntax::ast::Symbol;
use frank_syntax::outline::Outline;

use crate::copies::copy;
use crate::db::{Db, SourceFile};
use crate::derivatives::roles::role_of;
use crate::files::Files;
use crate::program::{Definition, OperatorDef};

/// The files of a program, at their paths, with a library whose derivatives mark their numbers.
pub fn files(db: &dyn Db, root: SourceFile) -> Files {
    static TEXTS: OnceLock<Vec<(&str, String)>> = OnceLock::new();
    let library = TEXTS.get_or_init(|| {
        let all = LIBRARY.iter().map(|(name, text)| {
            let marked = MARKED.iter().find(|(own, _)| own == name);
            let text = marked.map_or_else(|| (*text).to_owned(), |(_, by)| replaced(text, by));
            (*name, text)
        });
        all.collect()
    });
    let texts = library.iter().map(|(name, text)| (*name, text.as_str()));
    copy(db, root, texts, str::to_owned)
}

/// Whether an operator of the library differentiates: numbers of its own come into being.
pub fn differentiates(db: &dyn Db, file: SourceFile, name: &str) -> bool {
    let name = Symbol::new(name);
    role_of(db, OperatorDef(Definition { scope: file, name })).is_some()
}

/// A library's text with other definitions for some of its names, and more names.
fn replaced(text: &str, by: &str) -> String {
    let names: HashSet<Symbol> = Outline::new(by)
        .items()
        .iter()
        .filter_map(|item| item.name)
        .collect();
    let outline = Outline::new(text);
    let kept = outline.items().iter();
    let kept = kept.filter(|item| item.name.is_none_or(|name| !names.contains(&name)));
    let kept: String = kept
        .filter_map(|item| text.get(item.range.clone()))
        .collect();
    format!("{kept}\n{by}")
}
