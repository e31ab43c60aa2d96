//! How costs grow: what a whole file, or a definition, costs at several sizes, with the exponent of
//! the growth. 1 is linear; what is told of as growing like a square has 2.
//!
//! `cargo bench -p frank-tests --bench growth` prints a table; `-- swapped lenses` chooses the rows
//! whose name has one of the words.

mod edits;
mod texts;

use std::time::{Duration, Instant};

use frank_analysis::diagnostics::Diagnostic;
use frank_analysis::file_findings::file_diagnostics;
use frank_analysis::files::Files;
use frank_ide::apply_safe_fixes;
use frank_syntax::format::{FormatOptions, format};
use frank_tests::generate::program;

/// What costs something, at sizes that grow.
struct Row {
    name: &'static str,
    sizes: [usize; 3],
    cost: fn(usize) -> Duration,
}

const ROWS: &[Row] = &[
    Row {
        name: "check an operator of n clauses",
        sizes: [5_000, 10_000, 20_000],
        cost: |n| check(&texts::clauses(n)),
    },
    Row {
        name: "a key in an operator of n clauses",
        sizes: [5_000, 10_000, 20_000],
        cost: |n| edits::key(&texts::clauses(n), " = ", 3),
    },
    Row {
        name: "check a definition that is there n times",
        sizes: [5_000, 10_000, 20_000],
        cost: |n| check(&texts::repeated(n)),
    },
    Row {
        name: "check n clauses of two ports",
        sizes: [1_000, 2_000, 4_000],
        cost: |n| check(&texts::pairs(n)),
    },
    Row {
        name: "check n unknown names in one definition",
        sizes: [2_000, 4_000, 8_000],
        cost: |n| check(&texts::unknown(n)),
    },
    Row {
        name: "check a chain of n operators without signatures",
        sizes: [4_000, 8_000, 16_000],
        cost: |n| check(&texts::unsigned(n)),
    },
    Row {
        name: "check n misspelt names",
        sizes: [2_000, 4_000, 8_000],
        cost: |n| check(&texts::misspelt(n)),
    },
    Row {
        name: "check two types that double n times",
        sizes: [20, 40, 80],
        cost: |n| check(&texts::doubling(n)),
    },
    Row {
        name: "check a sum of n terms",
        sizes: [160_000, 320_000, 640_000],
        cost: |n| check(&texts::sum(n)),
    },
    Row {
        name: "check n files of 1,000 lines",
        sizes: [25, 50, 100],
        cost: check_files,
    },
    Row {
        name: "fix n swapped calls in one definition",
        sizes: [25, 50, 100],
        cost: |n| fix(&texts::swapped(n)),
    },
    Row {
        name: "fix habits inside of others in n operators",
        sizes: [25, 50, 100],
        cost: |n| fix(&texts::habits(n)),
    },
    Row {
        name: "check n definitions that do not parse",
        sizes: [5_000, 10_000, 20_000],
        cost: |n| check(&texts::cut_off(n)),
    },
    Row {
        name: "format n adaptors inside of each other",
        sizes: [1_000, 2_000, 4_000],
        cost: |n| {
            let text = texts::adaptors(n);
            time(|| format(&text, &FormatOptions::default()))
        },
    },
    Row {
        name: "another name in n lines",
        sizes: [25_000, 50_000, 100_000],
        cost: |n| edits::name(n),
    },
    Row {
        name: "another declaration in n lines",
        sizes: [25_000, 50_000, 100_000],
        cost: |n| edits::declaration(n),
    },
    Row {
        name: "lenses of n lines after a key",
        sizes: [25_000, 50_000, 100_000],
        cost: |n| edits::lenses(n),
    },
    Row {
        name: "symbols of n lines after a key",
        sizes: [25_000, 50_000, 100_000],
        cost: |n| edits::symbols(n),
    },
];

fn main() {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with("--"))
        .collect();
    println!("{:44} {:>38}  exponent", "", "ms at each n");
    for row in ROWS {
        let chosen = words.iter().any(|word| row.name.contains(word.as_str()));
        if !words.is_empty() && !chosen {
            continue;
        }
        let times = row.sizes.map(row.cost);
        let cells: String = row
            .sizes
            .iter()
            .zip(times)
            .map(|(n, time)| format!("{n:>7}: {:>8.2}", time.as_secs_f64() * 1e3))
            .collect();
        println!("{:44} {cells}  {:.2}", row.name, exponent(row.sizes, times));
    }
}

/// By what power of the size the cost grows from the first size to the last.
fn exponent(sizes: [usize; 3], times: [Duration; 3]) -> f64 {
    let ratio = |last: f64, first: f64| libm::log(last / first);
    let [small, _, large] = times.map(|time| time.as_secs_f64());
    let [few, _, many] = sizes.map(|size| size as f64);
    ratio(large, small) / ratio(many, few)
}

fn time<T>(work: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    std::hint::black_box(work());
    start.elapsed()
}

/// From nothing to all findings.
fn check(text: &str) -> Duration {
    let mut files = Files::new(None);
    time(|| {
        let file = files.set_text("main.fk", text);
        file_diagnostics(files.db(), file)
    })
}

/// The same for files that include nothing of each other, together.
fn check_files(count: usize) -> Duration {
    let text = program(1_000);
    let texts: Vec<(String, &str)> = (0..count)
        .map(|number| (format!("{number}.fk"), text.as_str()))
        .collect();
    let mut files = Files::new(None);
    time(|| {
        let added = files.add(&texts);
        let findings = added.iter().map(|file| file_diagnostics(files.db(), *file));
        findings.map(|found| found.len()).sum::<usize>()
    })
}

/// All safe fixes of a file, after which it has no error.
fn fix(text: &str) -> Duration {
    let mut files = Files::new(None);
    let file = files.set_text("main.fk", text);
    let findings = |files: &Files| file_diagnostics(files.db(), file);
    let time = time(|| apply_safe_fixes(&mut files, findings, |_| true));
    let left = findings(&files);
    assert!(!left.iter().any(Diagnostic::is_error), "all is fixed");
    time
}
