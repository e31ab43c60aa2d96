//! What the tests of several crates share.

pub mod book;
pub mod both;
pub mod chapters;
pub mod corpora;
pub mod effort;
pub mod generate;
pub mod gradbench;
pub mod living;
pub mod mutate;
pub mod properties;
pub mod run;
pub mod traces;

use std::path::{Path, PathBuf};

/// The root of the project.
pub fn project_root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_owned()
}

/// Every file under `dir` with this extension, in order of their paths.
pub fn files_under(dir: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut dirs = vec![dir.to_owned()];
    while let Some(dir) = dirs.pop() {
        let Ok(entries) = std::fs::read_dir(&dir) else {
            continue;
        };
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                dirs.push(path);
            } else if path.extension().is_some_and(|ext| ext == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// A Frank block of a chapter.
#[derive(Debug, Clone)]
pub struct Block {
    /// The line of the chapter that the block's first line is on, from 1.
    pub line: usize,
    /// Name and text of each file; the last one is the root.
    pub files: Vec<(String, String)>,
}

/// A fenced block of a page.
#[derive(Debug, Clone)]
pub struct Fence {
    /// The line of the page that the block's first line is on, from 1.
    pub line: usize,
    /// What stands behind the opening fence.
    pub info: String,
    /// The lines of the block, each with its line break.
    pub body: String,
}

/// The fenced blocks of a page. A fence is three backticks or more at the beginning of a line; one
/// of the same length, and nothing else, closes it.
pub fn fences(page: &str) -> Vec<Fence> {
    let mut fences = Vec::new();
    let mut lines = page.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let info = line.trim_start_matches('`');
        let fence = line.get(..line.len() - info.len()).unwrap_or_default();
        if fence.len() < 3 {
            continue;
        }
        let body = lines
            .by_ref()
            .map(|(_, line)| line)
            .take_while(|line| *line != fence)
            .flat_map(|line| [line, "\n"])
            .collect();
        fences.push(Fence {
            line: number + 2,
            info: info.to_owned(),
            body,
        });
    }
    fences
}

/// The blocks of a chapter that are to be checked: those whose fence says `frank` alone.
pub fn blocks(chapter: &str) -> Vec<Block> {
    let fences = fences(chapter).into_iter();
    fences
        .filter(|fence| fence.info == "frank")
        .map(|fence| block(&fence))
        .collect()
}

/// The files of a block, parted by lines such as `-- file: NAME.fk`.
pub fn block(fence: &Fence) -> Block {
    let mut files = vec![("main.fk".to_owned(), String::new())];
    for line in fence.body.lines() {
        if let Some(name) = line.strip_prefix("-- file: ") {
            if let Some((_, text)) = files.last()
                && text.trim().is_empty()
            {
                files.pop();
            }
            files.push((name.trim().to_owned(), String::new()));
        } else if let Some((_, text)) = files.last_mut() {
            text.push_str(line);
            text.push('\n');
        }
    }
    Block {
        line: fence.line,
        files,
    }
}
