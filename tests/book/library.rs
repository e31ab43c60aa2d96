//! The pages about the library, made from its sources. `UPDATE_EXPECT=1` writes them.

use std::collections::BTreeSet;
use std::fmt::Write;

use expect_test::expect_file;
use frank_library::LIBRARY;
use frank_syntax::law;
use frank_syntax::outline::{OutlineItem, OutlineKind, doc_comment, split};
use frank_tests::book::Anchors;
use frank_tests::project_root;

/// A heading or an entry of a page.
enum Part {
    /// A title among the comments.
    Section(String),
    /// An item that has no comment of its own goes on with the one above.
    Entry {
        names: Vec<String>,
        code: String,
        doc: String,
    },
}

/// A library file as a page.
fn page(name: &str) -> String {
    let path = project_root().join(format!("server/library/{name}.fk"));
    let text = std::fs::read_to_string(&path).unwrap();
    let items = split(&text);
    let (heading, parts) = (header(&text, &items), parts(&text, &items));
    let title = match name {
        "builtin" => "Built in".to_owned(),
        _ => format!("`{name}`"),
    };
    let mut page = format!("# {title}\n\n");
    if name != "builtin" {
        let _infallible = write!(page, "```frank,fragment\ninclude {name}\n```\n\n");
    }
    page += &prose(&heading);
    contents(&mut page, &title, &parts);
    for part in &parts {
        match part {
            Part::Section(title) => {
                let _infallible = write!(page, "\n## {title}\n");
            }
            Part::Entry { names, code, doc } => entry(&mut page, names, code, doc),
        }
    }
    page
}

/// What a file says about itself: the comments at its top, down to the first blank line.
fn header(text: &str, items: &[OutlineItem]) -> String {
    let comments = &text[..items[0].token_start()];
    let paragraph = comments.split("\n\n").next().unwrap();
    doc_comment(&format!("{paragraph}\nx")).unwrap()
}

fn parts(text: &str, items: &[OutlineItem]) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for item in items {
        let whole = item.text(text);
        let (comments, code) = whole.split_at(item.token_offset);
        if let Some(title) = section(comments) {
            parts.push(Part::Section(title));
        }
        let code = code.trim_end().to_owned();
        if !matches!(
            item.kind,
            OutlineKind::Data | OutlineKind::Interface | OutlineKind::Signature
        ) {
            continue;
        }
        let name = item.name.unwrap().as_str().to_owned();
        let doc = doc_comment(whole);
        match (parts.last_mut(), doc) {
            (_, Some(doc)) => parts.push(Part::Entry {
                names: vec![name],
                code,
                doc,
            }),
            (
                Some(Part::Entry {
                    names, code: above, ..
                }),
                None,
            ) if !comments.contains("\n\n") => {
                names.push(name);
                *above += &format!("\n{code}");
            }
            (_, None) => panic!("{name} has no comment"),
        }
    }
    parts
}

/// The title between two lines of dashes.
fn section(comments: &str) -> Option<String> {
    let mut lines = comments
        .lines()
        .skip_while(|line| !line.starts_with("-- ---"));
    lines.next()?;
    Some(lines.next()?.strip_prefix("-- ")?.to_owned())
}

/// Comments as text: lines that stand apart by their indentation are a block.
fn prose(doc: &str) -> String {
    let mut text = String::new();
    let mut indented = false;
    for line in doc.lines() {
        let block = line.starts_with("  ");
        if block != indented {
            text += if block { "\n```text\n" } else { "```\n\n" };
            indented = block;
        }
        text += line.strip_prefix("  ").unwrap_or(line);
        text.push('\n');
    }
    if indented {
        text += "```\n";
    }
    text
}

/// A list of the names in each section, given the page's own title.
fn contents(page: &mut String, title: &str, parts: &[Part]) {
    let mut anchors = Anchors::default();
    anchors.of(title);
    let mut line = String::new();
    for part in parts {
        match part {
            Part::Section(title) => {
                if !line.is_empty() {
                    let _infallible = write!(page, "\n{line}\n");
                }
                line = format!("**[{title}](#{})**", anchors.of(title));
            }
            Part::Entry { names, .. } => {
                let anchor = anchors.of(&heading(names));
                for name in names {
                    let space = if line.is_empty() { "" } else { " · " };
                    line += &format!("{space}[`{name}`](#{anchor})");
                }
            }
        }
    }
    let _infallible = write!(page, "\n{line}\n");
}

fn heading(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

fn entry(page: &mut String, names: &[String], code: &str, doc: &str) {
    let is_example =
        |line: &&str| line.starts_with('>') || line.starts_with('=') || law::begins(line);
    let mut text = Vec::new();
    let mut examples: Vec<&str> = Vec::new();
    for line in doc.lines() {
        if is_example(&line) || (!examples.is_empty() && line.starts_with("  ")) {
            examples.push(line);
        } else if !line.is_empty() || examples.is_empty() {
            text.push(line);
        }
    }
    let _infallible = write!(
        page,
        "\n### {}\n\n```frank,fragment\n{code}\n```\n\n{}",
        heading(names),
        prose(text.join("\n").trim_end())
    );
    if !examples.is_empty() {
        let _infallible = write!(page, "\n```frank,examples\n{}\n```\n", examples.join("\n"));
    }
}

#[test]
fn every_file_has_its_page() {
    let included = LIBRARY.iter().map(|(name, _)| *name);
    for name in included.chain(["builtin"]) {
        let path = project_root().join(format!("docs/library/{name}.md"));
        expect_file![path].assert_eq(&page(name));
    }
}

/// What a file of the library declares: operators, types, interfaces, constructors and commands.
fn declared(name: &str) -> BTreeSet<String> {
    let path = project_root().join(format!("server/library/{name}.fk"));
    let text = std::fs::read_to_string(&path).unwrap();
    let mut all = BTreeSet::new();
    for part in parts(&text, &split(&text)) {
        let Part::Entry { names, code, .. } = part else {
            continue;
        };
        all.extend(names);
        let alternatives = code.split(['=', '|']).skip(1);
        all.extend(alternatives.filter_map(|one| Some(one.split_whitespace().next()?.to_owned())));
    }
    all
}

/// What stands between marks of code in a cell.
fn in_marks(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

#[test]
fn what_is_compared_is_there() {
    let page = std::fs::read_to_string(project_root().join("docs/library/compared.md")).unwrap();
    let mut count = 0;
    for row in page.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.split(" | ").collect();
        let known: BTreeSet<String> = in_marks(cells[1]).flat_map(declared).collect();
        for name in in_marks(cells[0]) {
            assert!(known.contains(name), "`{name}` is not in {}", cells[1]);
            count += 1;
        }
        assert_eq!(cells.len(), 5, "{row}");
    }
    assert!(count > 100, "{count}");
}
