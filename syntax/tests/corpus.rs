//! The corpus of `test/corpus`, which `tree-sitter test` reads as well.
//!
//! With `UPDATE_EXPECT` set, writes what the parser gives.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::fmt::Write;
use std::path::{Path, PathBuf};

use tree_sitter::{Node, Parser, TreeCursor};

struct Example {
    name: String,
    text: String,
    expected: String,
}

fn read(file: &str) -> Vec<Example> {
    let bar = "=".repeat(18);
    let mut examples = Vec::new();
    let mut rest = file;
    while let Some(header) = rest.strip_prefix(bar.as_str()) {
        let (name, body) = header
            .trim_start()
            .split_once(bar.as_str())
            .expect("a name between two bars");
        let end = body
            .find(&format!("\n{bar}\n"))
            .map_or(body.len(), |end| end + 1);
        let (text, expected) = body[..end]
            .split_once("\n---\n")
            .expect("a tree behind the text");
        examples.push(Example {
            name: name.trim().to_owned(),
            text: text.strip_prefix("\n\n").unwrap_or(text).to_owned(),
            expected: expected.trim().to_owned(),
        });
        rest = &body[end..];
    }
    assert!(rest.is_empty(), "{rest:?}");
    examples
}

/// The tree of named nodes with their fields, one node a line.
fn shape(node: Node<'_>) -> String {
    let mut shown = String::new();
    show(&mut node.walk(), 0, &mut shown);
    shown
}

fn show(cursor: &mut TreeCursor<'_>, depth: usize, shown: &mut String) {
    let field = cursor
        .field_name()
        .map(|field| format!("{field}: "))
        .unwrap_or_default();
    if depth > 0 {
        writeln!(shown).unwrap();
    }
    write!(
        shown,
        "{}{field}({}",
        "  ".repeat(depth),
        cursor.node().kind()
    )
    .unwrap();
    if cursor.goto_first_child() {
        loop {
            if cursor.node().is_named() {
                show(cursor, depth + 1, shown);
            }
            if !cursor.goto_next_sibling() {
                break;
            }
        }
        cursor.goto_parent();
    }
    shown.push(')');
}

#[test]
fn the_corpus_parses_as_it_says() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("test/corpus");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    assert!(!paths.is_empty());
    let mut parser = Parser::new();
    parser.set_language(&frank_syntax::language()).unwrap();
    for path in paths {
        let file = std::fs::read_to_string(&path).unwrap();
        let mut updated = String::new();
        for example in read(&file) {
            let tree = parser.parse(&example.text, None).unwrap();
            let found = shape(tree.root_node());
            let bar = "=".repeat(18);
            write!(
                updated,
                "{bar}\n{}\n{bar}\n\n{}\n---\n\n{found}\n\n",
                example.name, example.text
            )
            .unwrap();
            if std::env::var_os("UPDATE_EXPECT").is_none() {
                assert_eq!(
                    found,
                    example.expected,
                    "{}: {}",
                    path.display(),
                    example.name
                );
            }
        }
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&path, updated).unwrap();
        }
    }
}
