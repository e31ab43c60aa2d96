use proptest::prelude::*;

use super::*;

/// Pieces of programs, right and wrong ones.
const PIECES: &[&str] = &[
    "f",
    "x",
    "Int",
    "data ",
    "interface ",
    "include ",
    "let ",
    " in ",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    " -> ",
    " = ",
    " : ",
    "::",
    ";",
    "!",
    "|",
    ",",
    ".",
    "+",
    "-",
    "*",
    "/",
    "==",
    "!=",
    ">=",
    "0",
    "1.5",
    "'a'",
    "'",
    "\"s\"",
    "\"",
    "\\",
    "#",
    "{-- c --}",
    "{--",
    "-- c\n",
    "\n  ",
    " ",
    "\u{3}",
    "λ",
    "∀",
    "f x = ",
    "f : ",
    "{x -> ",
    "<get -> k>",
    "<m>",
    "<I> ",
    "<I(s a -> s b)> ",
    "[E|I X]",
    "(c x)",
    "(x :: xs)",
    "let y = 1 in ",
    "data D X [E] = a | b ",
    "interface I = c : ",
];

/// Texts of such pieces.
pub(super) fn text() -> impl Strategy<Value = String> {
    let piece = proptest::sample::select(PIECES);
    prop_oneof![
        proptest::collection::vec(piece.clone(), 0..30).prop_map(|pieces| pieces.concat()),
        proptest::collection::vec(piece, 0..12)
            .prop_map(|pieces| format!("f x = {}", pieces.concat())),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Parsing gives ranges inside the text, for every text; and what the repair makes of one that
    /// is wrong is right.
    #[test]
    fn every_text_parses(text in text()) {
        for entry in [Entry::Item, Entry::Term] {
            let parsed = parse(&text, entry);
            for (_, range) in parsed.source_map.iter() {
                prop_assert!(text.get(std::ops::Range::<usize>::from(range)).is_some(), "{range:?}");
            }
            for error in &parsed.errors {
                prop_assert!(text.get(std::ops::Range::<usize>::from(error.range)).is_some(), "{error:?}");
                prop_assert_ne!(&error.message, "this cannot be parsed");
            }
            let repaired = diagnose::diagnose(&text, entry == Entry::Item).repaired;
            let mut cutter = Cutter::new(&repaired.text, entry == Entry::Item).with_holes(HOLE);
            let tree = Tree::parse(entry.marker(), &mut cutter);
            prop_assert!(tree.is_some(), "repaired: {:?}", repaired.text);
        }
    }
}

#[test]
fn a_control_character_in_a_string_is_shown_with_its_escape() {
    let text = "f! = \"a\u{3}b\"";
    let errors = parse_item(text).errors;
    let [error] = &errors[..] else {
        panic!("{errors:?}");
    };
    assert_eq!(error.kind, SyntaxErrorKind::BadCharacter);
    assert_eq!(usize::from(error.range.start()), 7);
    assert_eq!(error.help.as_deref(), Some("write `\\3`"));
}
