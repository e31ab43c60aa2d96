//! Coverage is exact: compared with trying all values, and fast on large matches.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test may panic"
)]

mod support;

use std::fmt::Write;

use frank_analysis::diagnostics::Code;
use proptest::prelude::*;
use support::Program;

fn codes(text: &str) -> Vec<&'static str> {
    Program::single(text)
        .findings()
        .iter()
        .map(|problem| problem.code.as_str())
        .collect()
}

fn count(text: &str, code: Code) -> usize {
    Program::single(text)
        .findings()
        .iter()
        .filter(|problem| problem.code == code)
        .count()
}

#[test]
fn a_thousand_clauses_of_constructors() {
    let mut text = String::from("data Big = c0");
    for i in 1..1000 {
        write!(text, " | c{i} Int Bool").unwrap();
    }
    text.push_str("\n\nf : Big -> Big -> Int\n");
    text.push_str("f c0 c0 = 0\n");
    for i in 1..1000 {
        writeln!(text, "f (c{i} _ true) _ = {i}").unwrap();
    }
    let found = Program::single(&text).findings();
    assert_eq!(found.len(), 1, "{found:#?}");
}

#[test]
fn ten_thousand_literals() {
    let mut text = String::from("f : Int -> Int -> Int\n");
    for i in 0..10_000 {
        writeln!(text, "f {i} {} = {i}", i * 7).unwrap();
    }
    assert_eq!(codes(&text), ["FK0401"]);
    text.push_str("f _ _ = 0\nf 5 35 = 1\n");
    assert_eq!(codes(&text), ["FK0402"]);
}

#[test]
fn clauses_that_alternate_between_columns() {
    let mut text = String::from("f : Int -> Int -> Int\n");
    for i in 0..1500 {
        writeln!(text, "f {i} _ = {i}\nf _ {i} = {i}").unwrap();
    }
    assert_eq!(codes(&text), ["FK0401"]);
}

#[test]
fn long_lists_and_strings() {
    let zeros = vec!["0"; 3000].join(", ");
    let letters = "a".repeat(3000);
    let text = format!(
        "f : List Int -> Int\nf [{zeros}] = 1\nf _ = 0\n\ng : String -> Int\ng \"{letters}\" = 1\n\
         g _ = 0\n"
    );
    assert_eq!(codes(&text), Vec::<&str>::new());
}

/// The clauses of an operator with three ports, one of them handled, which match everything
/// between them, and each something of its own.
fn all_clauses() -> Vec<String> {
    let colours = ["red", "green", "blue"];
    let mut pairs = Vec::new();
    for left in colours {
        for right in colours {
            pairs.push(format!("(pair {left} (just {right}))"));
        }
    }
    pairs.push("(pair _ nothing)".to_owned());
    let asked = [
        "true",
        "false",
        "<ask -> k>",
        "<tell true -> k>",
        "<tell false -> k>",
    ];
    let lists = [
        "[]",
        "(red :: [])",
        "(green :: [])",
        "(blue :: [])",
        "(_ :: (_ :: _))",
    ];
    let mut clauses = Vec::new();
    for pair in &pairs {
        for answer in asked {
            for list in lists {
                clauses.push(format!("f {pair} {answer} {list}"));
            }
        }
    }
    clauses
}

fn with_clauses(clauses: &[String]) -> String {
    let mut text = String::from(
        "data Colour = red | green | blue\ndata Maybe X = nothing | just X\ndata Pair X Y = pair X Y\n\
         interface Ask = ask : Bool | tell : Bool -> Unit\n\n\
         f : Pair Colour (Maybe Colour) -> <Ask>Bool -> List Colour -> Int\n",
    );
    for clause in clauses {
        let body = if clause.contains("-> k>") {
            "case k {_ -> 1}"
        } else {
            "1"
        };
        writeln!(text, "{clause} = {body}").unwrap();
    }
    text
}

/// Of 250 clauses one is left out: that one is named, and nothing else. One that is there twice
/// cannot be reached.
#[test]
fn one_of_many_nested_clauses() {
    let clauses = all_clauses();
    assert_eq!(clauses.len(), 250);
    assert_eq!(codes(&with_clauses(&clauses)), Vec::<&str>::new());
    for missing in (0..clauses.len()).step_by(17) {
        let mut fewer = clauses.clone();
        let gone = fewer.remove(missing);
        let found = Program::single(&with_clauses(&fewer)).findings();
        let [problem] = &found[..] else {
            panic!("{gone}: {found:#?}");
        };
        assert_eq!(problem.code, Code::MissingPatterns);
        // What is left out is named in full, where `_` stood by one of the cases.
        let named = problem.message.split('`').rev().nth(1).unwrap();
        let words = |text: &str| -> Vec<String> {
            let bare = text.replace(['(', ')'], "");
            bare.split_whitespace().map(str::to_owned).collect()
        };
        let (named, gone) = (words(named), words(&gone));
        let same = |(a, b): (&String, &String)| a == b || b == "_";
        assert!(
            named.len() == gone.len() && named.iter().zip(&gone).all(same),
            "{gone:?}: {}",
            problem.message
        );

        let mut more = clauses.clone();
        let last = missing / 2;
        more.push(clauses[last].clone());
        assert_eq!(codes(&with_clauses(&more)), ["FK0402"], "{}", clauses[last]);
    }
}

/// A match that no method decides quickly ends all the same.
#[test]
fn hard_matches_end() {
    let mut text = String::from("f :");
    for _ in 0..24 {
        text.push_str(" Bool ->");
    }
    text.push_str(" Int\n");
    for i in 0..24 {
        for (a, b) in [("true", "false"), ("false", "true")] {
            text.push('f');
            for j in 0..24 {
                let pattern = if j == i {
                    a
                } else if j == (i * 7 + 5) % 24 {
                    b
                } else {
                    "_"
                };
                write!(text, " {pattern}").unwrap();
            }
            text.push_str(" = 1\n");
        }
    }
    let found = codes(&text);
    assert!(found.contains(&"FK0401"), "{found:?}");
}

#[test]
fn ordinary_code_costs_nothing_much() {
    let mut text = String::from("data Tree X = leaf | node (Tree X) X (Tree X)\n");
    for i in 0..2000 {
        write!(
            text,
            "size{i} : Tree X -> Int\nsize{i} leaf = 0\nsize{i} (node l _ r) = size{i} l + 1 + size{i} r\n"
        )
        .unwrap();
    }
    assert_eq!(count(&text, Code::MissingPatterns), 0);
}

/// A pattern for pairs of `data T = a | b T | c Bool`, as text.
fn pattern(depth: u32) -> BoxedStrategy<String> {
    if depth == 0 {
        return Just("_".to_owned()).boxed();
    }
    prop_oneof![
        2 => Just("_".to_owned()),
        1 => Just("a".to_owned()),
        1 => pattern(depth - 1).prop_map(|inner| format!("(b {inner})")),
        1 => prop_oneof![Just("(c true)"), Just("(c false)"), Just("(c _)")].prop_map(str::to_owned),
    ]
    .boxed()
}

/// All values of `T` up to a depth; deeper ones match as the deepest do.
fn values(depth: u32) -> Vec<String> {
    let mut all = vec![
        "a".to_owned(),
        "(c true)".to_owned(),
        "(c false)".to_owned(),
    ];
    if depth > 0 {
        all.extend(values(depth - 1).iter().map(|inner| format!("(b {inner})")));
    }
    all
}

/// Whether a pattern matches a value, both as text.
fn matches(pattern: &str, value: &str) -> bool {
    if pattern == "_" {
        return true;
    }
    match (pattern.strip_prefix("(b "), value.strip_prefix("(b ")) {
        (Some(pattern), Some(value)) => {
            matches(&pattern[..pattern.len() - 1], &value[..value.len() - 1])
        }
        (Some(_), None) | (None, Some(_)) => false,
        (None, None) if pattern == "(c _)" => value.starts_with("(c "),
        (None, None) => pattern == value,
    }
}

/// How many clauses are told to match nothing, alone and "this clause and 2 more".
fn unreachable_clauses(text: &str) -> usize {
    let below = "this clause leaves nothing to the ";
    let told = |message: &str| match message.strip_prefix("this clause and ") {
        None if message.starts_with(below) => {
            let rest = message.trim_start_matches(below);
            rest.split_whitespace().next().unwrap().parse().unwrap()
        }
        None => 1,
        Some(rest) => match rest.split_whitespace().next() {
            Some("one") => 2,
            Some(more) => 1 + more.parse::<usize>().unwrap(),
            None => panic!("{message}"),
        },
    };
    let all = Program::single(text).findings();
    let unreachable = all.iter().filter(|one| one.code == Code::UnreachableClause);
    unreachable.map(|one| told(&one.message)).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn coverage_agrees_with_trying_all_values(
        clauses in prop::collection::vec((pattern(3), pattern(2)), 1..7),
    ) {
        let mut text = String::from("data T = a | b T | c Bool\n\nf : T -> T -> Int\n");
        for (left, right) in &clauses {
            writeln!(text, "f {left} {right} = 0").unwrap();
        }
        let all: Vec<(String, String)> = values(4)
            .into_iter()
            .flat_map(|left| values(4).into_iter().map(move |right| (left.clone(), right)))
            .collect();
        let first = |value: &(String, String)| {
            clauses.iter().position(|(l, r)| matches(l, &value.0) && matches(r, &value.1))
        };
        let exhaustive = all.iter().all(|value| first(value).is_some());
        let useful: std::collections::BTreeSet<usize> = all.iter().filter_map(first).collect();
        prop_assert_eq!(count(&text, Code::MissingPatterns) == 0, exhaustive, "{}", text);
        prop_assert_eq!(unreachable_clauses(&text), clauses.len() - useful.len(), "{}", text);
    }
}
