//! Texts that nobody writes by hand: deep, long, and both.
//!
//! Every test works on tens of thousands of something. Anything quadratic would take minutes.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::time::{Duration, Instant};

use frank_syntax::ast::{ItemKind, TermKind};
use frank_syntax::error::SyntaxErrorKind;
use frank_syntax::parse::{ParsedItem, parse_item, parse_term};

const MANY: usize = 30_000;

/// Parses an item in reasonable time, on a small stack.
#[track_caller]
fn parse(text: String) -> ParsedItem {
    let start = Instant::now();
    let parsed = std::thread::Builder::new()
        .stack_size(256 * 1024)
        .spawn(move || parse_item(&text))
        .unwrap()
        .join()
        .unwrap();
    let elapsed = start.elapsed();
    assert!(elapsed < Duration::from_secs(20), "took {elapsed:?}");
    parsed
}

#[track_caller]
fn parses(text: String) -> ParsedItem {
    let parsed = parse(text);
    assert_eq!(parsed.errors, []);
    parsed
}

#[track_caller]
fn fails(text: String) -> SyntaxErrorKind {
    let parsed = parse(text);
    assert!(
        matches!(parsed.item.kind, ItemKind::Clause { .. }),
        "{:?}",
        parsed.item.kind
    );
    parsed.errors.first().expect("an error").kind
}

fn chain(part: &str, end: &str) -> String {
    format!("f x = {}{end}", part.repeat(MANY))
}

#[test]
fn chains() {
    for (part, end) in [
        ("a; ", "b"),
        ("a :: ", "b"),
        ("let a = b in ", "c"),
        ("- ", "a"),
        ("a + ", "b"),
        ("a * b + ", "b"),
        ("g ", "b"),
        ("let a = {b} in ", "c"),
        ("c (d e) {g}; ", "b"),
    ] {
        parses(chain(part, end));
    }
}

#[test]
fn broken_chains() {
    for (part, end) in [
        ("a; ", ""),
        ("a :: ", ""),
        ("let a = b in ", ""),
        ("let a = b ", "c"),
        ("- ", ""),
        ("a + ", ""),
        ("a + + ", ""),
        ("a = ", ""),
        ("g )", ""),
        ("let a = {b in ", "c"),
        ("{x -> ", ""),
        ("\"a\\q\" ", ""),
        ("'", ""),
        ("{-- ", ""),
        ("#", ""),
        ("# ", "a"),
        ("(a] ", ""),
        ("<get -> k> ", ""),
        ("<I(s a -> s)> ", ""),
        ("<", ""),
        ("!", ""),
        ("| ", ""),
        ("in ", ""),
        ("\u{3}", ""),
        ("{x ", ""),
    ] {
        fails(chain(part, end));
        parse(format!("f {}= {end}", part.repeat(MANY)));
    }
}

#[test]
fn nesting() {
    for (open, inside, close) in [
        ("(", "a", ")"),
        ("[", "a", "]"),
        ("{", "a", "}"),
        ("g (", "a", ")"),
        ("{x -> ", "a", "}"),
    ] {
        let nested = |depth: usize| {
            format!(
                "f x = {}{inside}{}",
                open.repeat(depth),
                close.repeat(depth)
            )
        };
        parses(nested(1_000));
        assert_eq!(fails(nested(1_001)), SyntaxErrorKind::NestedTooDeeply);
        assert_eq!(fails(nested(MANY)), SyntaxErrorKind::NestedTooDeeply);
        fails(format!("f x = {}", open.repeat(900)));
        fails(format!("f x = {}", close.repeat(MANY)));
    }
    for (open, close) in [
        ("{", "}"),
        ("(", ")"),
        ("List (", ")"),
        ("{A -> ", "}"),
        ("[E|]{", "}"),
        ("<I {", "}>B -> C"),
    ] {
        let nested =
            |depth: usize| format!("f : A -> {}B{}", open.repeat(depth), close.repeat(depth));
        if open != "<I {" {
            parses(nested(1_000));
        }
        assert_eq!(
            parse(nested(MANY)).errors[0].kind,
            SyntaxErrorKind::NestedTooDeeply
        );
    }
    for (open, close) in [("(c ", ")"), ("[", "]"), ("(a :: ", ")")] {
        let nested = |depth: usize| format!("f {}x{} = x", open.repeat(depth), close.repeat(depth));
        parses(nested(1_000));
        assert_eq!(fails(nested(MANY)), SyntaxErrorKind::NestedTooDeeply);
    }
}

#[test]
fn long_lists() {
    let parsed = parses(format!("f x = [{}b]", "a, ".repeat(MANY)));
    assert!(
        parsed.item.terms.iter().any(
            |(_, term)| matches!(&term.kind, TermKind::List(terms) if terms.len() == MANY + 1)
        )
    );
    parses(format!("f [{}b] = x", "a, ".repeat(MANY)));
    parses(format!("f x = {{{}b}}", "a -> b | ".repeat(MANY)));
    parses(format!(
        "f x = {{{}b}}",
        "<get a -> k> -> b | ".repeat(MANY)
    ));
    parses(format!("f x = {{[{}b] -> b}}", "1, ".repeat(MANY)));
    parses(format!("f x = <{}I> g", "I(s a -> s), ".repeat(MANY)));
    parses(format!("f : {}B", "A -> ".repeat(MANY)));
    parses(format!("f : A -> [{}I]B", "I X, ".repeat(MANY)));
    parses(format!("f : A -> B{}", " C".repeat(MANY)));
    parses(format!("data X = {}b", "a X (List X) | ".repeat(MANY)));
    parses(format!("data X {}= b", "Y [E] ".repeat(MANY)));
    parses(format!(
        "interface I = {}b : X",
        "a : X -> Y | ".repeat(MANY)
    ));
    parses(format!("f x = \"{}\"", "\\n".repeat(MANY * 10)));
    parses(format!(
        "{}f x = {} b",
        "-- a comment\n".repeat(MANY),
        "{-- c --} ".repeat(MANY)
    ));
    parses(format!(
        "f x = b {}{}",
        "{-- ".repeat(MANY),
        " --}".repeat(MANY)
    ));
}

#[test]
fn a_long_line() {
    let call = "g (h x) {y -> y + 1} [1, 2, 3] \"text\"; ";
    let line = |end: &str| format!("f x = {}{end}", call.repeat(1_000_000 / call.len()));
    parses(line("x"));
    fails(line(""));
    fails(line("= x"));
    let with_mistakes = line("x").replace("[1, 2", "[1 2,,");
    fails(with_mistakes);
}

#[test]
fn terms_may_be_long_too() {
    let parsed = parse_term(&"a; ".repeat(MANY));
    assert!(matches!(parsed.item.kind, ItemKind::Term(_)));
    assert_eq!(parsed.errors.len(), 1);
}

#[test]
fn an_item_that_would_take_all_memory_is_refused() {
    let terms = |count: usize| format!("f x = {}", vec!["x"; count].join("+"));
    let parsed = parse(terms(1_000_000));
    assert_eq!(parsed.errors[0].kind, SyntaxErrorKind::TooLong);
    assert!(matches!(
        parsed.item.kind,
        frank_syntax::ast::ItemKind::Clause { .. }
    ));
    // Long texts are not the matter.
    parses(format!("f x = \"{}\"", "x".repeat(3_000_000)));
}

#[test]
fn a_byte_order_mark_is_no_text() {
    for text in [
        "include prelude",
        "data D = d",
        "f : {Int}",
        "f! = 1",
        "{-- a --} f! = 1",
    ] {
        let (plain, marked) = (parse(text.to_owned()), parse(format!("\u{feff}{text}")));
        assert_eq!(marked.errors, [], "{text}");
        assert_eq!(marked.item, plain.item, "{text}");
    }
}
