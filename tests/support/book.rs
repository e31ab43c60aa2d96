//! The pages of the book, and what they promise about their blocks.
//!
//! | fence | what is checked |
//! |---|---|
//! | `frank` | a program, with the marks of the conformance chapters |
//! | `frank,file=NAME.fk` | the same; later blocks of the page can include it, and commands can name it |
//! | `frank,wrong` | a program that has findings; also `frank,wrong,file=NAME.fk` |
//! | `frank,layout` | a program, which need not be formatted |
//! | `frank,fragment` | a piece of a program: items, a term or a type, which need only be readable |
//! | `frank,examples` | nothing here: examples of the library, which `frank test` runs |
//! | any other with `,file=NAME` | nothing; commands of the page can name the file |
//! | `console` | lines that begin with `$ ` are run, and must print what follows them |
//!
//! A page that begins where others end says so in a comment, `<!-- continues: other.md -->`, and has
//! their files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::{Block, Fence, block, fences, files_under, project_root};

/// A page of the book.
#[derive(Debug, Clone)]
pub struct Page {
    pub path: PathBuf,
    /// The path from the book's directory on, with slashes.
    pub name: String,
    pub text: String,
}

/// The book's directory.
pub fn book_root() -> PathBuf {
    project_root().join("docs")
}

/// All pages, in the order of their paths.
pub fn pages() -> std::io::Result<Vec<Page>> {
    let root = book_root();
    let pages = files_under(&root, "md").into_iter().map(|path| {
        let name = path.strip_prefix(&root).unwrap_or(&path);
        let name = name.to_string_lossy().replace('\\', "/");
        let text = std::fs::read_to_string(&path)?;
        Ok(Page { path, name, text })
    });
    pages.collect()
}

impl Page {
    /// The files that a page has before its first block: those of the pages that it continues.
    pub fn inherited(&self) -> std::io::Result<Vec<(String, String)>> {
        let mut files = Vec::new();
        for line in self.text.lines() {
            let Some(other) = line
                .strip_prefix("<!-- continues: ")
                .and_then(|rest| rest.strip_suffix(" -->"))
            else {
                continue;
            };
            let path = self.path.parent().unwrap_or(Path::new("")).join(other);
            let text = std::fs::read_to_string(&path)?;
            let page = Page {
                name: other.to_owned(),
                path,
                text,
            };
            files.extend(page.inherited()?);
            for fence in fences(&page.text) {
                keep(&mut files, &fence);
            }
        }
        Ok(files)
    }

    /// The programs of the page that are to be checked, with the fences that they come from.
    pub fn programs(&self) -> std::io::Result<Vec<(Fence, Block)>> {
        let mut files = self.inherited()?;
        let mut programs = Vec::new();
        for fence in fences(&self.text) {
            keep(&mut files, &fence);
            if language(&fence) != "frank"
                || has_option(&fence, "fragment")
                || has_option(&fence, "examples")
            {
                continue;
            }
            let program = match file_name(&fence) {
                None => block(&fence),
                Some(_) => Block {
                    line: fence.line,
                    files: files
                        .iter()
                        .filter(|(name, _)| name.ends_with(".fk"))
                        .cloned()
                        .collect(),
                },
            };
            programs.push((fence, program));
        }
        Ok(programs)
    }
}

/// What a fence says first: its language.
pub fn language(fence: &Fence) -> &str {
    fence.info.split(',').next().unwrap_or_default()
}

/// What a fence says behind its language.
pub fn options(fence: &Fence) -> impl Iterator<Item = &str> {
    fence.info.split(',').skip(1)
}

/// Whether a fence has an option.
pub fn has_option(fence: &Fence, wanted: &str) -> bool {
    options(fence).any(|option| option == wanted)
}

/// The name of the file that a block is.
pub fn file_name(fence: &Fence) -> Option<&str> {
    options(fence).find_map(|option| option.strip_prefix("file="))
}

/// Adds the file that a block is; it takes the place of an older one, and comes last.
pub fn keep(files: &mut Vec<(String, String)>, fence: &Fence) {
    if let Some(name) = file_name(fence) {
        files.retain(|(known, _)| known != name);
        files.push((name.to_owned(), fence.body.clone()));
    }
}

/// The anchors of a page, as mdbook and GitHub make them of its headings.
#[derive(Debug, Default)]
pub struct Anchors {
    pub given: BTreeSet<String>,
}

impl Anchors {
    /// The anchor of the next heading. A number parts it from an equal one above.
    pub fn of(&mut self, title: &str) -> String {
        let title = title.trim().to_lowercase();
        let kept = title.chars().filter_map(|c| match c {
            ' ' => Some('-'),
            c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
            _ => None,
        });
        let plain: String = kept.collect();
        let mut anchor = plain.clone();
        let mut number = 0;
        while !self.given.insert(anchor.clone()) {
            number += 1;
            anchor = format!("{plain}-{number}");
        }
        anchor
    }
}
