//! Measures the splitter and the formatter on 100,000 lines made of the files named as arguments:
//!
//! ```text
//! cargo run --release -p frank-syntax --example speed -- server/library/*.fk docs/examples/*.fk
//! ```

use std::time::Instant;

use frank_syntax::format::{FormatOptions, format};
use frank_syntax::outline::{Outline, split};
use frank_syntax::parse::parse_item;

fn main() {
    let files: Vec<String> = std::env::args()
        .skip(1)
        .filter_map(|path| std::fs::read_to_string(path).ok())
        .collect();
    if files.is_empty() {
        eprintln!("name files to measure with");
        return;
    }
    let mut text = String::new();
    for file in files.iter().cycle() {
        text.push_str(file);
        text.push('\n');
        if text.lines().count() >= 100_000 {
            break;
        }
    }
    let options = FormatOptions::default();
    let formatted = format(&text, &options).apply(&text);
    // Every blank between tokens is doubled, so that every line needs a change.
    let mut mangled = String::new();
    for line in formatted.lines() {
        let code = line.trim_start();
        let blanks = line.len() - code.len();
        mangled.push_str(line.get(..blanks).unwrap_or_default());
        mangled.push_str(&if code.starts_with("--") {
            code.to_owned()
        } else {
            code.replace(' ', "  ")
        });
        mangled.push('\n');
    }
    println!(
        "{} lines, {} bytes, {} items",
        text.lines().count(),
        formatted.len(),
        split(&formatted).len()
    );
    measure("split", || split(&formatted).len());
    let mut outline = Outline::new(&formatted);
    let middle = outline
        .items()
        .get(outline.items().len() / 2)
        .map_or(0, |item| item.range.end);
    let mut edited = formatted.clone();
    edited.insert(middle, '\n');
    let mut present = false;
    measure("split after an edit", || {
        present = !present;
        let change = match present {
            true => outline.edit(&edited, middle..middle, 1),
            false => outline.edit(&formatted, middle..middle + 1, 0),
        };
        change.new.len()
    });
    measure("parse", || {
        split(&formatted)
            .iter()
            .map(|item| parse_item(item.text(&formatted)).errors.len())
            .sum()
    });
    measure("format what is formatted", || {
        format(&formatted, &options).edits.len()
    });
    measure("format what is not", || {
        format(&mangled, &options).edits.len()
    });
}

/// Says how long the fastest of some runs takes, and what it gave.
fn measure(what: &str, mut run: impl FnMut() -> usize) {
    let runs = (0..6).map(|_| {
        let started = Instant::now();
        let given = run();
        (started.elapsed(), given)
    });
    if let Some((time, given)) = runs.min() {
        println!("{what}: {time:.1?} ({given})");
    }
}
