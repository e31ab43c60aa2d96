//! How texts are cut into tokens, on its own and against the scanner of the grammar.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::path::{Path, PathBuf};

use frank_syntax::lexer::{Ending, Kind, lex};
use frank_syntax::outline::split;
use proptest::prelude::*;
use tree_sitter::{Node, Parser};

fn cut(text: &str) -> Vec<(Kind, &str)> {
    lex(text)
        .filter(|(kind, _)| *kind != Kind::Blank)
        .map(|(kind, range)| (kind, &text[range]))
        .collect()
}

fn spelled(text: &str) -> Vec<&str> {
    cut(text).into_iter().map(|(_, token)| token).collect()
}

const STRING: Kind = Kind::String(Ending::Closed);
const CHARACTER: Kind = Kind::Character(Ending::Closed);

#[test]
fn tokens_are_the_longest_that_fit() {
    assert_eq!(
        spelled("f' x -> 2>-1 -- end\n"),
        ["f'", "x", "->", "2", ">", "-", "1", "-- end"]
    );
    assert_eq!(
        spelled("a<=b>=c==d!=e::f"),
        ["a", "<=", "b", ">=", "c", "==", "d", "!=", "e", "::", "f"]
    );
    use Kind::*;
    assert_eq!(
        cut("0x1fz 0x 0o78 1.5e-3.x 1e5 2.e5 3e+"),
        [
            (Natural, "0x1f"),
            (Name, "z"),
            (Natural, "0"),
            (Name, "x"),
            (Natural, "0o7"),
            (Natural, "8"),
            (Float, "1.5e-3"),
            (Symbol, "."),
            (Name, "x"),
            (Float, "1e5"),
            (Natural, "2"),
            (Symbol, "."),
            (Name, "e5"),
            (Natural, "3"),
            (Name, "e"),
            (Symbol, "+"),
        ]
    );
    assert_eq!(
        cut("\u{feff}data λ' = include | Int # ²'a'"),
        [
            (Keyword, "data"),
            (Name, "λ'"),
            (Symbol, "="),
            (Name, "include"),
            (Symbol, "|"),
            (BuiltinType, "Int"),
            (Unknown, "#"),
            (Unknown, "²"),
            (CHARACTER, "'a'"),
        ]
    );
}

#[test]
fn block_comments_nest() {
    let closed = Kind::BlockComment { closed: true };
    let open = Kind::BlockComment { closed: false };
    assert_eq!(
        cut("{-- a {-- b --} --}0"),
        [(closed, "{-- a {-- b --} --}"), (Kind::Natural, "0")]
    );
    assert_eq!(
        cut("{----}{-- a ---}x"),
        [
            (closed, "{----}"),
            (closed, "{-- a ---}"),
            (Kind::Name, "x")
        ]
    );
    assert_eq!(cut("{--} x\ny"), [(open, "{--} x\ny")]);
    assert_eq!(cut("{---} x"), [(open, "{---} x")]);
}

#[test]
fn strings_go_on_behind_gaps() {
    assert_eq!(
        cut("\"a\\\n  \\ -- b\" c"),
        [(STRING, "\"a\\\n  \\ -- b\""), (Kind::Name, "c")]
    );
    assert_eq!(
        cut("\"a\\ \\b\"\"\\\"\""),
        [(STRING, "\"a\\ \\b\""), (STRING, "\"\\\"\"")]
    );
}

#[test]
fn the_backslash_of_a_control_escape_escapes_nothing() {
    assert_eq!(
        cut(r#""\^\" -- a"#),
        [(STRING, r#""\^\""#), (Kind::LineComment, "-- a")]
    );
    assert_eq!(
        cut(r"'\^\' '\'' '\\'"),
        [
            (CHARACTER, r"'\^\'"),
            (CHARACTER, r"'\''"),
            (CHARACTER, r"'\\'")
        ]
    );
}

#[test]
fn literals_end_with_their_lines() {
    let open = Kind::String(Ending::Open);
    let gap = Kind::String(Ending::Gap);
    assert_eq!(cut("\"a\nb"), [(open, "\"a"), (Kind::Name, "b")]);
    assert_eq!(cut("\"a\\\n b"), [(open, "\"a\\"), (Kind::Name, "b")]);
    assert_eq!(
        cut("'a\\\n\\b'"),
        [
            (Kind::Character(Ending::Open), "'a\\"),
            (Kind::Unknown, "\\"),
            (Kind::Name, "b'"),
        ]
    );
    assert_eq!(cut("\"a\\"), [(gap, "\"a\\")]);
    assert_eq!(cut("\"a\\ \n "), [(gap, "\"a\\ ")]);
    assert_eq!(cut("\"a\\\\"), [(open, "\"a\\\\")]);
    assert_eq!(cut("'\\"), [(Kind::Character(Ending::Open), "'\\")]);
}

/// Every byte of a text is in one token, in order.
fn assert_lossless(text: &str) {
    let mut end = 0;
    for (kind, range) in lex(text) {
        assert_eq!(range.start, end, "{kind:?} in {text:?}");
        assert!(range.end > range.start, "{kind:?} in {text:?}");
        assert!(text.get(range.clone()).is_some(), "{kind:?} in {text:?}");
        end = range.end;
    }
    assert_eq!(end, text.len(), "{text:?}");
}

/// The kind of node that the grammar makes of a comment, string or character.
fn node_kind(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::LineComment => Some("line_comment"),
        Kind::BlockComment { .. } => Some("block_comment"),
        Kind::String(_) => Some("string"),
        Kind::Character(_) => Some("character"),
        _ => None,
    }
}

/// The comments, strings and characters that the grammar finds below a node.
fn found_by_grammar<'t>(root: Node<'t>, offset: usize) -> Vec<(&'t str, usize, usize)> {
    let mut found = Vec::new();
    let mut cursor = root.walk();
    let mut up = false;
    loop {
        let node = cursor.node();
        if !up
            && matches!(
                node.kind(),
                "line_comment" | "block_comment" | "string" | "character"
            )
        {
            found.push((
                node.kind(),
                node.start_byte() - offset,
                node.end_byte() - offset,
            ));
        }
        if !up && cursor.goto_first_child() {
            continue;
        }
        up = !cursor.goto_next_sibling();
        if up && !cursor.goto_parent() {
            return found;
        }
    }
}

/// Comments and literals are where the grammar has them, item by item.
fn assert_as_scanned(text: &str) {
    let mut parser = Parser::new();
    parser.set_language(&frank_syntax::language()).unwrap();
    for item in split(text) {
        let text = item.text(text);
        // They stand for something else in what the parser is given.
        if text.contains(['\0', '\u{1}', '\u{2}', '\u{3}']) {
            continue;
        }
        let found: Vec<_> = lex(text)
            .filter_map(|(kind, range)| Some((node_kind(kind)?, range.start, range.end)))
            .collect();
        let tree = parser.parse(format!("\u{1}{text}"), None).unwrap();
        assert_eq!(
            found,
            found_by_grammar(tree.root_node(), 1),
            "{text:?}\n{}",
            tree.root_node().to_sexp()
        );
    }
}

/// The files below a directory, programs or not.
fn files(directory: &Path, all: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, all);
        } else {
            all.push(path);
        }
    }
}

#[test]
fn programs_are_cut_as_the_grammar_does() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = Vec::new();
    for directory in [
        "tests/programs",
        "../server/library",
        "../docs/examples",
        "../tests/conformance",
        "../tests/fuzz/corpus",
        "../tests/fuzz/failed",
        "../tests/fuzz/packed",
    ] {
        let before = all.len();
        files(&root.join(directory), &mut all);
        assert!(all.len() > before, "nothing in {directory}");
    }
    for path in all {
        let bytes = std::fs::read(&path).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        // The packed inputs of the fuzzers are JSON strings, one a line.
        let texts: Vec<String> = if path.extension().is_some_and(|it| it == "jsonl") {
            text.lines()
                .map(|line| serde_json::from_str(line).unwrap())
                .collect()
        } else {
            vec![text.into_owned()]
        };
        for text in &texts {
            assert_lossless(text);
            assert_as_scanned(text);
        }
    }
}

const PIECES: &[&str] = &[
    "f x = ", "\"", "'", "\\", "^", "\\^\\", "\\\n \\", "\n", " ", "--", "{--", "--}", "{", "}",
    "-", "-- c\n", "x", "1", "0x", "1.", "e5", "²", "λ", "\"s\"", "'a'", "\u{feff}", "\r\n", "(",
    "]", "::", "->", "!=", "#",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_cut(text in any::<String>()) {
        assert_lossless(&text);
    }

    #[test]
    fn any_pieces_are_cut_as_the_grammar_does(
        pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..20)
    ) {
        let text = pieces.concat();
        assert_lossless(&text);
        assert_as_scanned(&text);
    }
}
