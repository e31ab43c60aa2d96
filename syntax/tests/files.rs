//! Whole files, as editors parse them, against the same files item by item, as the server does.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use frank_syntax::outline::split;
use frank_syntax::parse::{parse_item, parse_term};
use proptest::prelude::*;
use tree_sitter::{Node, ParseOptions, Parser, Tree};

fn tree(text: &str) -> Tree {
    let mut parser = Parser::new();
    parser.set_language(&frank_syntax::language()).unwrap();
    // A scanner that makes no progress would run for ever.
    let mut steps = 0usize;
    let mut limit = |_: &tree_sitter::ParseState| {
        steps += 1;
        if steps > 10_000 + text.len() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let options = ParseOptions::new().progress_callback(&mut limit);
    let mut read = |byte: usize, _| text.as_bytes().get(byte..).unwrap_or_default();
    parser
        .parse_with_options(&mut read, None, Some(options))
        .expect("the parser stops")
}

/// The items below the root: where they stand, and their shape.
fn items(root: Node<'_>, offset: isize) -> Vec<(isize, isize, String)> {
    let mut cursor = root.walk();
    root.named_children(&mut cursor)
        .filter(|node| !node.kind().ends_with("comment"))
        .map(|node| {
            (
                node.start_byte() as isize + offset,
                node.end_byte() as isize + offset,
                node.to_sexp(),
            )
        })
        .collect()
}

/// The items of a text that is cut into items first.
fn one_by_one(text: &str) -> Vec<(isize, isize, String)> {
    let mut all = Vec::new();
    for item in split(text) {
        let tree = tree(&format!("\u{1}{}", item.text(text)));
        all.extend(items(tree.root_node(), item.range.start as isize - 1));
    }
    all
}

fn programs() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut programs = Vec::new();
    for directory in ["tests/programs", "../server/library", "../docs/examples"] {
        for entry in std::fs::read_dir(root.join(directory)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "fk") {
                let text = std::fs::read_to_string(&path).unwrap();
                programs.push((path, text));
            }
        }
    }
    programs
}

#[test]
fn a_file_is_its_items() {
    for (path, text) in programs() {
        let tree = tree(&text);
        assert!(
            !tree.root_node().has_error(),
            "{}: {}",
            path.display(),
            tree.root_node().to_sexp()
        );
        assert_eq!(
            items(tree.root_node(), 0),
            one_by_one(&text),
            "{}",
            path.display()
        );
    }
}

#[test]
fn the_programs_have_no_errors() {
    for (path, text) in programs() {
        for item in split(&text) {
            assert_eq!(
                parse_item(item.text(&text)).errors,
                [],
                "{}: {}",
                path.display(),
                item.text(&text)
            );
        }
    }
}

#[test]
fn the_terms_of_the_paper_have_no_errors() {
    let text = include_str!("programs/paper-terms.txt");
    for term in text.trim_end().split("\n\n") {
        assert_eq!(parse_term(term).errors, [], "{term}");
    }
}

/// A mistake stays in its item: all others are as they were.
#[test]
fn a_mistake_stays_in_its_item() {
    let (before, after) = (
        "f : {A}\nf! = a\n\n",
        "\n-- documents\ng x = {y -> x y}\nh! = b\n",
    );
    for broken in [
        "k x = (a",
        "k x = {a -> [b",
        "k x = a +",
        "k x =",
        "k x",
        "k",
        "k : {A -> B",
        "k : ",
        "data X = a (",
        "data",
        "interface I",
        "k x = )",
        "k x = a ) ] b",
        "k x = let y = b",
        "k = a",
        "k x = \"abc",
        "k x = 'a",
        "k x = a # b",
        "k x = {-- a",
        "| a",
        "(a",
        "k x = [a,\n b",
        "k x = (\na)",
    ] {
        let whole = |item: &str| format!("{before}{item}{after}");
        let text = whole(broken);
        let tree = tree(&text);
        let found = items(tree.root_node(), 0);
        let expected = one_by_one(&text);
        for item in [
            &expected[0],
            &expected[1],
            &expected[expected.len() - 2],
            &expected[expected.len() - 1],
        ] {
            assert!(
                found.contains(item),
                "{broken}: {item:?} is not in {found:#?}"
            );
        }
    }
}

const LINES: &[&str] = &[
    "f : {A}",
    "f! = a",
    "  f x = b",
    "    a",
    "(",
    ")",
    "  ]",
    "{",
    "}",
    "  -- c",
    "-- c",
    "{-- c --}",
    "{-- a",
    "--}",
    "  {-- a\n b --} c",
    "g x = (",
    "  a)",
    "data X = a",
    "  | b",
    "=",
    "let",
    "in",
    "\"a",
    "\"a\\",
    "\\b\"",
    "{- 1}",
    "{ -1 -> a}",
    "\t",
    "",
    "λ",
    "'",
    "<I(s a -> s)> b",
    "  let x = {y -> (",
    "h x = a {-- b --}",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// The parser gets to the end of every file; where it finds no mistake, it finds the same items
    /// as the outline.
    #[test]
    fn every_file_parses(lines in proptest::collection::vec(proptest::sample::select(LINES), 0..12)) {
        let text = lines.join("\n");
        let tree = tree(&text);
        // A comment without an end is no error of the grammar's.
        let unclosed = split(&text).iter().any(|item| item.unclosed_comment);
        if !tree.root_node().has_error() && !unclosed {
            prop_assert_eq!(items(tree.root_node(), 0), one_by_one(&text));
        }
    }
}

/// Comments without an end, each of which hides the rest of its item.
#[test]
fn many_comments_without_an_end() {
    let item = |i: usize| format!("f{i} : Int\nf{i}! = {i} {{-- so be it\n");
    let text: String = (0..200).map(item).collect();
    let whole = tree(&text);
    assert_eq!(items(whole.root_node(), 0).len(), 400);
    // One that ends is still a comment that ends.
    let text = format!("{text}g : Int\ng! = {{-- the --}} 1\n");
    let names = |text: &str| items(tree(text).root_node(), 0).len();
    assert_eq!(
        names(&text),
        1 + names(&text[..text.rfind("g! =").unwrap()])
    );
}
