//! Operators of the library whose bodies are taken out: how many of them are found again.
//!
//! The figures stand in the book (docs/holes.md).

use std::fmt::Write;
use std::time::Duration;

use expect_test::expect;
use frank_analysis::db::item;
use frank_analysis::files::Files;
use frank_library::LIBRARY;
use frank_syntax::ast::{Item, ItemKind, TermId, TermKind};
use frank_syntax::lexer::lex;
use frank_syntax::outline::OutlineKind;

use crate::{Analysis, FilePosition, Filling};

/// So many operators of each library file are taken, of those that have so many.
const OF_A_FILE: usize = 12;
/// Of bodies up to so large at least half must be found.
const SMALL: usize = 4;
/// Larger bodies are not taken.
const LARGEST: usize = 8;

/// A body that was taken out.
struct TakenOut {
    text: String,
    body: String,
    hole: usize,
    nodes: usize,
}

/// How many names, literals and operations a term has.
fn nodes(item: &Item, term: TermId) -> usize {
    let mut count = 0;
    let mut queue = vec![term];
    while let Some(term) = queue.pop() {
        let data = &item.terms[term];
        count += usize::from(!matches!(
            data.kind,
            TermKind::Apply { .. } | TermKind::Thunk { .. }
        ));
        let parts = data.kind.parts();
        queue.extend(parts.direct());
        queue.extend(parts.clauses.iter().map(|clause| clause.body));
    }
    count
}

/// The last clauses of some operators of a library, each taken out of its file.
fn taken_out(text: &str) -> Vec<TakenOut> {
    let mut files = Files::new(None);
    let file = files.set_text("main.fk", text);
    let analysis = Analysis::new(files.snapshot());
    let items: Vec<_> = analysis.snapshot().items(file).collect();
    let mut found = Vec::new();
    for (index, (entry, _)) in items.iter().enumerate() {
        let next = items.get(index + 1).map(|(next, _)| (next.kind, next.name));
        let is_last = next != Some((OutlineKind::Clause, entry.name));
        let item = item(files.db(), entry.item);
        let ItemKind::Clause { clause, .. } = &item.kind else {
            continue;
        };
        let nodes = nodes(item, clause.body);
        if !is_last || nodes > LARGEST {
            continue;
        }
        let view = analysis.view_of(entry.item);
        let range = view.file_range(item.terms[clause.body].id).range;
        let range = std::ops::Range::<usize>::from(range);
        let body = text[range.clone()].to_owned();
        let hole = range.start;
        let mut text = text.to_owned();
        text.replace_range(range, "_");
        found.push(TakenOut {
            text,
            body,
            hole,
            nodes,
        });
    }
    found.truncate(OF_A_FILE);
    found
}

/// A term without blanks and parentheses, its own variables numbered.
fn normal(text: &str) -> String {
    let words: Vec<&str> = lex(text)
        .filter(|(kind, _)| !kind.is_trivia())
        .map(|(_, range)| &text[range])
        .filter(|word| !matches!(*word, "(" | ")"))
        .map(|word| match word {
            "nil" => "[]",
            "cons" => "::",
            word => word,
        })
        .collect();
    let mut bound: Vec<&str> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        if matches!(*word, "{" | "|") {
            let rest = &words[at + 1..];
            let arrow = rest.iter().position(|word| *word == "->").unwrap_or(0);
            bound.extend(&rest[..arrow]);
        }
    }
    let numbered = words
        .iter()
        .map(|word| match bound.iter().position(|own| own == word) {
            Some(number) => format!("v{number}"),
            None => (*word).to_owned(),
        });
    numbered.collect::<Vec<_>>().join(" ")
}

#[test]
fn operators_of_the_library_are_found_again() {
    let mut out = String::new();
    let (mut small, mut small_found) = (0, [0, 0]);
    let (mut large, mut large_found) = (0, [0, 0]);
    for (name, text) in LIBRARY {
        for taken in taken_out(text) {
            let mut files = Files::new(None);
            let file = files.set_text("main.fk", &taken.text);
            let analysis = Analysis::new(files.snapshot());
            let at = FilePosition::new(file, taken.hole);
            let mut found = [false, false];
            for (found, with_examples) in found.iter_mut().zip([false, true]) {
                let filling = Filling {
                    time: Duration::from_secs(60),
                    size: 8,
                    tries: 100_000,
                    with_examples,
                };
                let filled = analysis.fill(at, filling, &|| false);
                let terms = filled.map(|filled| filled.terms).unwrap_or_default();
                *found = terms
                    .iter()
                    .any(|term| normal(&term.text) == normal(&taken.body));
                if !*found && with_examples {
                    let first = terms.first().map_or("", |term| &*term.text);
                    let body = taken.body.split_whitespace().collect::<Vec<_>>().join(" ");
                    let _ = writeln!(out, "{name}: not {body} but {first}");
                }
            }
            let (of, found_of) = match taken.nodes <= SMALL {
                true => (&mut small, &mut small_found),
                false => (&mut large, &mut large_found),
            };
            *of += 1;
            for (found, count) in found.iter().zip(found_of) {
                *count += usize::from(*found);
            }
        }
    }
    let shown = |[without, with]: [usize; 2], of| {
        format!("{without} of {of} without examples, {with} with them")
    };
    let _ = writeln!(out, "up to {SMALL}: {}", shown(small_found, small));
    let _ = writeln!(
        out,
        "from there to {LARGEST}: {}",
        shown(large_found, large)
    );
    expect![[r#"
        f x :: each f xs None
        each {_ -> f x} xs None
        each f xs None
        [f x] None
    "#]]
    .assert_eq(&out);
    assert!(small_found[0] * 2 >= small, "{small_found:?} of {small}");
}
