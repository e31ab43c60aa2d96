//! Measures how long parsing takes, item by item.
//!
//! `cargo run --release -p frank-syntax --example parse_time -- FILE…` repeats the files until there
//! are 100,000 lines, and prints the best of five runs.

use std::time::{Duration, Instant};

use frank_syntax::outline::split;
use frank_syntax::parse::parse_item;

fn main() {
    let mut lines = String::new();
    let texts: Vec<String> = std::env::args()
        .skip(1)
        .filter_map(|path| std::fs::read_to_string(path).ok())
        .collect();
    while !texts.is_empty() && lines.lines().count() < 100_000 {
        for text in &texts {
            lines.push_str(text);
            lines.push('\n');
        }
    }
    let mut best = (Duration::MAX, Duration::MAX);
    let mut items = 0;
    let mut errors = 0;
    for _ in 0..5 {
        let start = Instant::now();
        let outline = split(&lines);
        let splitting = start.elapsed();
        let start = Instant::now();
        errors = outline
            .iter()
            .map(|item| parse_item(item.text(&lines)).errors.len())
            .sum();
        best = best.min((start.elapsed(), splitting));
        items = outline.len();
    }
    println!(
        "{} lines, {} bytes, {items} items, {errors} errors: split {:?}, parse {:?}",
        lines.lines().count(),
        lines.len(),
        best.1,
        best.0
    );
}
