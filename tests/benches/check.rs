//! Cold checks beside the bare parse of the same text, and one-character edits.
//!
//! `cargo bench -p frank-tests --bench check` prints a table; quote its ratios, not its times.

use std::time::{Duration, Instant};

use frank_analysis::check::operator_diagnostics;
use frank_analysis::file_findings::file_diagnostics;
use frank_analysis::files::Files;
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
        "{:>8} {:>9} {:>9} {:>7} {:>9} {:>10} {:>10} {:>10} {:>6}",
        "lines", "parse", "check", "ratio", "us/line", "edit op", "edit file", "sig edit", "MiB"
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
        println!(
            "{actual:>8} {:>7.1}ms {:>7.1}ms {:>7.2} {:>9.2} {:>8.2}ms {:>8.2}ms {:>8.2}ms {memory:>6}",
            parse.as_secs_f64() * 1e3,
            check.as_secs_f64() * 1e3,
            check.as_secs_f64() / parse.as_secs_f64(),
            check.as_secs_f64() * 1e6 / actual as f64,
            operator.as_secs_f64() * 1e3,
            file_edit.as_secs_f64() * 1e3,
            signature.as_secs_f64() * 1e3,
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

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
