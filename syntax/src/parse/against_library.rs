//! Trees against those of the library of tree-sitter, which reads the same table with another lexer.

use std::path::{Path, PathBuf};

use proptest::prelude::*;
use tree_sitter::Parser;

use super::tests::text;
use crate::cst::{NodeIndex, Tree};
use crate::language::{Kind, language};
use crate::lexer::{self, blanks};
use crate::outline::split;
use crate::token::{Cutter, TokenKind};

/// What stands where, in the order of a walk.
type Shape = Vec<(Kind, usize, usize, usize)>;

fn shape(tree: &Tree, node: Option<NodeIndex>, depth: usize, found: &mut Shape) {
    let mut next = node;
    while let Some(node) = next {
        let range = tree.range(node);
        found.push((
            tree.kind(node),
            depth,
            range.start().into(),
            range.end().into(),
        ));
        shape(tree, tree.first_child(node), depth + 1, found);
        next = tree.next_sibling(node);
    }
}

/// The same of the tree that the library makes of `text`, behind a marker of one byte.
fn expected(node: tree_sitter::Node<'_>, text: &str, depth: usize, found: &mut Shape) {
    for child in node.children(&mut node.walk()) {
        let kind = Kind::of_symbol(child.kind_id());
        if kind == Kind::Other {
            continue;
        }
        let (mut start, end) = (child.start_byte() - 1, child.end_byte() - 1);
        // What a clause begins with is empty, and may stand in front of blanks.
        if kind == Kind::Clause {
            start += blanks(text.get(start..).expect("a place in the text"));
        }
        found.push((kind, depth, start, end));
        expected(child, text, depth + 1, found);
    }
}

fn assert_as_expected(text: &str) {
    // They stand for something else in what the library is given, or are no text for it.
    if text.contains(['\0', '\u{1}', '\u{2}', '\u{3}', '\u{feff}']) {
        return;
    }
    // The scanner has no table of letters, and takes all beyond ASCII for the name of a file.
    let is_unknown =
        |(kind, _): (lexer::Kind, std::ops::Range<usize>)| kind == lexer::Kind::Unknown;
    if text.contains("include") && lexer::lex(text).any(is_unknown) {
        return;
    }
    let mut parser = Parser::new();
    parser.set_language(&language()).expect("the right version");
    for (marker, entry) in [
        ('\u{1}', TokenKind::ItemMarker),
        ('\u{2}', TokenKind::TermMarker),
    ] {
        let mut cutter = Cutter::new(text, entry == TokenKind::ItemMarker);
        let tree = Tree::parse(entry, &mut cutter).map(|tree| {
            let mut found = Shape::new();
            shape(&tree, tree.first(), 0, &mut found);
            found
        });
        let library = parser
            .parse(format!("{marker}{text}"), None)
            .expect("a tree");
        let root = library.root_node();
        let expected = (!root.has_error()).then(|| {
            let mut found = Shape::new();
            expected(root, text, 0, &mut found);
            found
        });
        assert_eq!(tree, expected, "{text:?}\n{}", root.to_sexp());
    }
}

fn programs(directory: &Path, all: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("a file").path();
        if path.is_dir() {
            programs(&path, all);
        } else if path.extension().is_some_and(|extension| extension == "fk") {
            all.push(path);
        }
    }
}

#[test]
fn programs_have_the_trees_of_the_library() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = Vec::new();
    for directory in [
        "tests/programs",
        "../server/library",
        "../docs/examples",
        "../tests/conformance",
    ] {
        programs(&root.join(directory), &mut all);
    }
    assert!(!all.is_empty());
    for path in all {
        let bytes = std::fs::read(&path).expect("a file");
        let text = String::from_utf8_lossy(&bytes);
        for item in split(&text) {
            assert_as_expected(item.text(&text));
        }
    }
}

/// A file may have the name of a word that is reserved elsewhere.
#[test]
fn every_word_names_a_file() {
    for word in ["data", "interface", "let", "in", "Int", "include", "Char-x"] {
        let text = format!("include {word}");
        assert_as_expected(&text);
        let mut cutter = Cutter::new(&text, true);
        assert!(Tree::parse(TokenKind::ItemMarker, &mut cutter).is_some());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_pieces_have_the_tree_of_the_library(text in text()) {
        assert_as_expected(&text);
    }
}
