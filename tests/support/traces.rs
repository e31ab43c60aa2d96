//! The runs that pages of the book show state by state.
//!
//! `<!-- trace: FILE.fk -->` on a line of a page stands for the run of `main` of a file that the page has by then, and
//! `<!-- trace: FILE.fk TERM -->` for that of a term. In the book a page of `frank step --format html` stands there.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::book::{Page, book_root, keep};
use crate::fences;

/// The most states of a run: what a reader goes through, and what a page of the book has room for.
const STATES: &str = "1000";

/// A run that is to be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    /// The line of the page, from 1.
    pub line: usize,
    pub file: String,
    /// What is run instead of `main`.
    pub term: Option<String>,
}

/// The runs that a page shows.
pub fn traces(page: &str) -> Vec<Trace> {
    let blocks = fences(page);
    let is_code = |line: usize| {
        blocks.iter().any(|block| {
            let last = block.line + block.body.lines().count();
            (block.line..last).contains(&line)
        })
    };
    let lines = page.lines().enumerate().map(|(at, line)| (at + 1, line));
    let traces = lines.filter_map(|(line, text)| {
        let asked = text.strip_prefix("<!-- trace: ")?.strip_suffix(" -->")?;
        let (file, term) = match asked.split_once(' ') {
            Some((file, term)) => (file, Some(term.to_owned())),
            None => (asked, None),
        };
        let file = file.to_owned();
        Some(Trace { line, file, term })
    });
    traces.filter(|trace| !is_code(trace.line)).collect()
}

/// The page that shows a run, made by the program `frank`; the files of the page are written into a directory.
///
/// # Errors
/// The page has no such file, or `frank` does not show the run: the reason, with the place in the book.
pub fn html(page: &Page, trace: &Trace, frank: &Path, directory: &Path) -> Result<String, String> {
    let at = |why: String| format!("docs/{}:{}: {why}", page.name, trace.line);
    let mut files = page.inherited().map_err(|error| at(error.to_string()))?;
    for fence in fences(&page.text) {
        if fence.line <= trace.line {
            keep(&mut files, &fence);
        }
    }
    if !files.iter().any(|(name, _)| *name == trace.file) {
        return Err(at(format!("no block above is the file `{}`", trace.file)));
    }
    for (name, text) in &files {
        let written = std::fs::write(directory.join(name), text);
        written.map_err(|error| at(format!("{name}: {error}")))?;
    }
    let mut command = Command::new(frank);
    command.current_dir(directory).args(["step", &trace.file]);
    command.args(trace.term.as_deref());
    command.args(["--format", "html", "--states", STATES]);
    let run = command
        .output()
        .map_err(|error| at(format!("{}: {error}", frank.display())))?;
    match run.status.success() {
        true => String::from_utf8(run.stdout).map_err(|error| at(error.to_string())),
        false => Err(at(String::from_utf8_lossy(&run.stderr).into_owned())),
    }
}

/// A page of the book with its runs in it, each in a frame of its own.
///
/// # Errors
/// As those of [`html`].
pub fn embed(page: &Page, frank: &Path, directory: &Path) -> Result<String, String> {
    let asked = traces(&page.text);
    let mut text = String::new();
    for (at, line) in page.text.lines().enumerate() {
        match asked.iter().find(|trace| trace.line == at + 1) {
            Some(trace) => {
                let run = html(page, trace, frank, directory)?;
                let what = trace.term.as_deref().unwrap_or("main");
                let title = format!("{what} of {}, state by state", trace.file);
                text += &format!(
                    "<iframe class=\"trace\" loading=\"lazy\" title=\"{}\" srcdoc=\"{}\"></iframe>",
                    attribute(&title),
                    attribute(&run)
                );
            }
            None => text += line,
        }
        text.push('\n');
    }
    Ok(text)
}

/// Text as the value of an attribute, on one line: an empty one would end the element in Markdown.
fn attribute(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '&' => escaped += "&amp;",
            '"' => escaped += "&quot;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '\n' => escaped += "&#10;",
            c => escaped.push(c),
        }
    }
    escaped
}

/// What mdbook sends to a preprocessor, a pair of its settings and the book, to the book that it gets back.
///
/// # Errors
/// As those of [`html`]; or the text is no such pair.
pub fn preprocess(sent: &str, frank: &Path, directory: &Path) -> Result<String, String> {
    let pair: Value = serde_json::from_str(sent).map_err(|error| error.to_string())?;
    let mut book = match pair {
        Value::Array(pair) => match <[Value; 2]>::try_from(pair) {
            Ok([_, book]) => book,
            Err(_) => return Err("mdbook sends a pair of settings and a book".to_owned()),
        },
        _ => return Err("mdbook sends a pair of settings and a book".to_owned()),
    };
    // Chapters stand in chapters; the versions of mdbook call the lists by several names.
    let mut waiting = vec![&mut book];
    while let Some(value) = waiting.pop() {
        match value {
            Value::Array(items) => waiting.extend(items),
            Value::Object(fields) => {
                if let Some(name) = fields.get("path").and_then(Value::as_str)
                    && let Some(Value::String(text)) = fields.get("content")
                    && !traces(text).is_empty()
                {
                    let page = Page {
                        path: book_root().join(name),
                        name: name.to_owned(),
                        text: text.clone(),
                    };
                    let text = embed(&page, frank, directory)?;
                    fields.insert("content".to_owned(), Value::String(text));
                }
                waiting.extend(fields.values_mut());
            }
            _ => {}
        }
    }
    Ok(book.to_string())
}

/// A directory below the system's temporary one that nobody else has.
///
/// # Errors
/// It cannot be made.
pub fn scratch() -> std::io::Result<PathBuf> {
    let directory = std::env::temp_dir().join(format!("frank-book-{}", std::process::id()));
    std::fs::create_dir_all(&directory)?;
    Ok(directory)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_page_asks_for() {
        let page = "<!-- trace: a.fk -->\n```text\n<!-- trace: b.fk -->\n```\n<!-- trace: c.fk f (g 1) -->\n";
        let found = traces(page);
        let found: Vec<(usize, &str, Option<&str>)> = found
            .iter()
            .map(|trace| (trace.line, &*trace.file, trace.term.as_deref()))
            .collect();
        assert_eq!(found, [(1, "a.fk", None), (5, "c.fk", Some("f (g 1)"))]);
    }

    #[test]
    fn an_attribute_ends_nothing() {
        assert_eq!(attribute("a\n\n\"<&"), "a&#10;&#10;&quot;&lt;&amp;");
    }
}
