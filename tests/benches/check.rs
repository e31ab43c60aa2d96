//! Cold checks beside the bare parse of the same text, one-character edits, and searches by type.
//!
//! `cargo bench -p frank-tests --bench check` prints a table; quote its ratios, not its times.

use std::time::{Duration, Instant};

use frank_analysis::check::operator_diagnostics;
use frank_analysis::file_findings::file_diagnostics;
use frank_analysis::files::Files;
use frank_ide::{Analysis, Searched};
use frank_syntax::ast::Symbol;
use frank_syntax::outline::split;
use frank_syntax::parse::parse_item;
use frank_tests::generate::program;

fn time<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}

/// Resident memory in MiB.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmRSS:"))
        .unwrap_or_default();
    let kib = line
        .split_whitespace()
        .nth(1)
        .and_then(|n| n.parse::<u64>().ok())
        .unwrap_or(0);
    kib / 1024
}

fn main() {
    println!(
        "{:>8} {:>9} {:>9} {:>7} {:>9} {:>10} {:>10} {:>10} {:>6} {:>10} {:>9} {:>9}",
        "lines",
        "parse",
        "check",
        "ratio",
        "us/line",
        "edit op",
        "edit file",
        "sig edit",
        "MiB",
        "1st search",
        "search",
        "edited"
    );
    for lines in [1_000, 10_000, 100_000] {
        let text = program(lines);
        let actual = text.matches('\n').count();
        let ((), parse) = time(|| {
            for item in split(&text) {
                std::hint::black_box(parse_item(item.text(&text)));
            }
        });
        let before = resident();
        let mut files = Files::new(None);
        let (file, _) = time(|| files.set_text("main.fk", ""));
        let (errors, check) = time(|| {
            files.set_text("main.fk", &text);
            file_diagnostics(files.db(), file)
                .iter()
                .filter(|p| p.is_error())
                .count()
        });
        assert_eq!(errors, 0, "the generated program has errors");
        let memory = resident().saturating_sub(before);
        let (operator, file_edit) = edits(&mut files, &text, "let b = tick", "a * 2");
        let (_, signature) = edits(&mut files, &text, "insert", "Int -> Tree");
        let (first, search, edited) = searches(&mut files, &text);
        println!(
            "{actual:>8} {:>7.1}ms {:>7.1}ms {:>7.2} {:>9.2} {:>8.2}ms {:>8.2}ms {:>8.2}ms {memory:>6} \
             {:>8.2}ms {:>7.2}ms {:>7.2}ms",
            parse.as_secs_f64() * 1e3,
            check.as_secs_f64() * 1e3,
            check.as_secs_f64() / parse.as_secs_f64(),
            check.as_secs_f64() * 1e6 / actual as f64,
            operator.as_secs_f64() * 1e3,
            file_edit.as_secs_f64() * 1e3,
            signature.as_secs_f64() * 1e3,
            first.as_secs_f64() * 1e3,
            search.as_secs_f64() * 1e3,
            edited.as_secs_f64() * 1e3,
        );
    }
}

/// The median times from a one-character edit to the diagnostics of the edited operator, and of
/// the whole file.
fn edits(files: &mut Files, text: &str, near: &str, at: &str) -> (Duration, Duration) {
    let Some(file) = files.file("main.fk") else {
        return Default::default();
    };
    let middle = text.len() / 2;
    let position = text.get(middle..).and_then(|rest| {
        let near = rest.find(near)?;
        Some(middle + near + rest.get(near..)?.find(at)? + at.len())
    });
    let Some(position) = position else {
        return Default::default();
    };
    let name = files.item_at(file, position).and_then(|(item, _)| {
        let entry = file
            .outline(files.db())
            .iter()
            .find(|entry| entry.item == item)?;
        entry.name
    });
    let name = name.unwrap_or(Symbol::new("main"));
    let mut text = text.to_owned();
    let mut of_operator = Vec::new();
    let mut of_file = Vec::new();
    for i in 0..40 {
        let typed = i % 2 == 0;
        if typed {
            text.insert(position, '1');
            files.edit(file, text.as_str(), position..position, 1);
        } else {
            text.remove(position);
            files.edit(file, text.as_str(), position..position + 1, 0);
        }
        let start = Instant::now();
        std::hint::black_box(operator_diagnostics(files.db(), file, name));
        of_operator.push(start.elapsed());
        std::hint::black_box(file_diagnostics(files.db(), file));
        of_file.push(start.elapsed());
    }
    (median(of_operator), median(of_file))
}

/// What is looked for by its type.
const TYPES: [&str; 6] = [
    "{X -> [E|]Y} -> List X -> [E|]List Y",
    "Int -> Int",
    "<State S> X -> …",
    "[Console]Unit",
    "X -> Y",
    "Pair Int Int -> Int",
];

/// The times of the first search by type, of a median one, and of a median one after a keystroke in a signature.
fn searches(files: &mut Files, text: &str) -> (Duration, Duration, Duration) {
    let Some(file) = files.file("main.fk") else {
        return Default::default();
    };
    let search = |files: &Files, ty: &str| {
        let analysis = Analysis::new(files.snapshot());
        let searched = Searched {
            from: Some(file),
            files: vec![file],
        };
        let (found, took) = time(|| analysis.find_by_type(ty, &searched, 50));
        assert!(found.is_ok(), "{ty} is a type");
        took
    };
    let first = search(files, "Int -> List Int");
    let all = TYPES.iter().map(|ty| search(files, ty)).collect();
    let middle = text.len() / 2;
    let at = text.get(middle..).and_then(|rest| rest.find(" : "));
    let position = middle + at.map_or(0, |at| at + 3);
    let mut text = text.to_owned();
    let mut edited = Vec::new();
    for ty in TYPES {
        text.insert_str(position, "Int -> ");
        files.edit(file, text.as_str(), position..position, 7);
        edited.push(search(files, ty));
    }
    (first, median(all), median(edited))
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
