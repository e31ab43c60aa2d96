//! What the pages of the built book need to run their programs in a browser: beside each page that has programs stands
//! `PAGE.programs.json`, which `docs/theme/frank.js` and `editors/web/src/book.ts` read. A program has the files there that
//! it has in the tests.
//!
//! `{"files": [{"name", "text"}], "programs": [{"line", "files", "wrong", "terms"}]}`: the programs in the order of the
//! page. The files of a program are numbers, since many have the same; the last one is the block itself. `terms` are those
//! that the page evaluates in it.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::book::{Page, file_name, has_option, language, pages};
use crate::{Fence, fences};

/// What stands behind the page's name.
const EXTENSION: &str = "programs.json";

/// The programs of a page, if it has any.
///
/// # Errors
/// A page that this one continues cannot be read.
pub fn programs(page: &Page) -> std::io::Result<Option<Value>> {
    let found = page.programs()?;
    if found.is_empty() {
        return Ok(None);
    }
    let blocks = fences(&page.text);
    let mut known: Vec<(String, String)> = Vec::new();
    let mut programs: Vec<Value> = Vec::new();
    for (fence, block) in found {
        let numbers = block.files.into_iter().map(|file| {
            let number = known.iter().position(|one| *one == file);
            number.unwrap_or_else(|| {
                known.push(file);
                known.len() - 1
            })
        });
        programs.push(json!({
            "line": fence.line,
            "files": numbers.collect::<Vec<usize>>(),
            "wrong": has_option(&fence, "wrong"),
            "terms": terms(&fence, &blocks),
        }));
    }
    let files = known.iter();
    let files = files.map(|(name, text)| json!({ "name": name, "text": text }));
    let files: Vec<Value> = files.collect();
    Ok(Some(json!({ "files": files, "programs": programs })))
}

/// Writes the programs of all pages into the folder of the built book. Gives how many pages have some.
///
/// # Errors
/// A page cannot be read, or a file cannot be written.
pub fn write(folder: &Path) -> std::io::Result<usize> {
    let mut count = 0;
    for page in pages()? {
        if let Some(programs) = programs(&page)? {
            std::fs::write(folder.join(built(&page.name)), programs.to_string())?;
            count += 1;
        }
    }
    Ok(count)
}

/// The path of a page's programs in the built book, where a folder's `README.md` is its `index.html`.
fn built(page: &str) -> PathBuf {
    let path = Path::new(page);
    let stem = match path.file_stem().and_then(|stem| stem.to_str()) {
        Some("README") | None => "index",
        Some(stem) => stem,
    };
    path.with_file_name(format!("{stem}.{EXTENSION}"))
}

/// The terms that the page's commands evaluate in the file that a block is, as long as the file is this block.
fn terms(program: &Fence, blocks: &[Fence]) -> Vec<String> {
    let Some(name) = file_name(program) else {
        return Vec::new();
    };
    let later = blocks.iter().filter(|block| block.line > program.line);
    let own = later.take_while(|block| file_name(block) != Some(name));
    let commands = own.filter(|block| language(block) == "console");
    let lines = commands.flat_map(|block| block.body.lines());
    let mut terms = Vec::new();
    for line in lines {
        if let Some(term) = term(line, name)
            && !terms.contains(&term)
        {
            terms.push(term);
        }
    }
    terms
}

/// The term that a command evaluates in a file.
fn term(line: &str, file: &str) -> Option<String> {
    let command = line.strip_prefix("$ frank ")?;
    if let Some(asked) = command.strip_prefix("eval ") {
        let quoted = asked.strip_prefix(file)?.strip_prefix(" '")?;
        return Some(quoted.strip_suffix('\'')?.to_owned());
    }
    let options = command.strip_prefix("run ")?.strip_suffix(file)?;
    let mut words = options.split_whitespace();
    let entry = words
        .find(|word| *word == "--entry")
        .and_then(|_| words.next());
    Some(format!("{}!", entry.unwrap_or("main")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::book_root;

    fn page(name: &str, text: &str) -> Page {
        Page {
            path: book_root().join(name),
            name: name.to_owned(),
            text: text.to_owned(),
        }
    }

    fn program(line: usize, files: &[usize], wrong: bool, terms: &[&str]) -> Value {
        json!({ "line": line, "files": files, "wrong": wrong, "terms": terms })
    }

    #[test]
    fn commands_name_terms() {
        let terms = [
            "$ frank run a.fk",
            "$ frank run --stats --entry plain a.fk",
            "$ frank eval a.fk 'f (g 1)'",
            "$ frank eval 'f 1'",
            "$ frank run b.fk",
            "$ frank derive a.fk f --at 0",
            "f 1",
        ];
        let terms = terms.map(|line| term(line, "a.fk"));
        let expected =
            [Some("main!"), Some("plain!"), Some("f (g 1)")].map(|t| t.map(str::to_owned));
        assert_eq!(terms[..3], expected);
        assert_eq!(terms[3..], [None, None, None, None]);
    }

    #[test]
    fn a_program_has_the_files_above_it_and_its_own_terms() {
        let text = "```frank,file=a.fk\nx = 1\n```\n```console\n$ frank eval a.fk 'x'\n1\n```\n\
                    ```frank,file=a.fk\nx = 2\n```\n```frank,wrong,file=b.fk\ninclude a\n```\n```frank\ny = 1\n```\n\
                    ```frank,fragment\nz\n```\n";
        let found = programs(&page("tutorial/some.md", text)).unwrap();
        let file = |name: &str, text: &str| json!({ "name": name, "text": text });
        let expected = json!({
            "files": [
                file("a.fk", "x = 1\n"),
                file("a.fk", "x = 2\n"),
                file("b.fk", "include a\n"),
                file("main.fk", "y = 1\n"),
            ],
            "programs": [
                program(2, &[0], false, &["x"]),
                program(9, &[1], false, &[]),
                program(12, &[1, 2], true, &[]),
                program(15, &[3], false, &[]),
            ],
        });
        assert_eq!(found, Some(expected));
        let none = page("none.md", "```frank,fragment\nz\n```\n");
        assert_eq!(programs(&none).unwrap(), None);
    }

    #[test]
    fn programs_stand_beside_their_page() {
        let paths = ["README.md", "tutorial/README.md", "tutorial/handlers.md"];
        let expected = [
            "index.programs.json",
            "tutorial/index.programs.json",
            "tutorial/handlers.programs.json",
        ];
        assert_eq!(paths.map(built), expected.map(PathBuf::from));
    }
}
