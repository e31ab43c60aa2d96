//! What derivatives and handlers cost, beside hand-written Rust and other systems.
//!
//! ```text
//! cargo bench -p frank-tests --bench derivatives                 everything of our own
//! cargo bench -p frank-tests --bench derivatives -- --peers      and the peers, installed first
//! cargo bench -p frank-tests --bench derivatives -- reverse      rows whose name has the word
//! cargo bench -p frank-tests --bench derivatives -- gradbench --peers   GradBench beside autograd
//! cargo bench -p frank-tests --bench derivatives -- --long       and 10⁷ operations
//! cargo bench -p frank-tests --bench derivatives -- --once       for a profiler: each row once
//! ```
//!
//! Each figure is the processor time of the best of several runs, and the value is checked. Quote
//! ratios of one run, not times of two.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a benchmark that is wrong ends"
)]

mod classical;
mod gradbench;
mod graph;
mod native;
mod peers;
mod realistic;
mod workloads;

use std::time::{Duration, Instant};

use classical::Classical;
use frank_tests::gradbench::shown_numbers;
use peers::Row;
use realistic::Realistic;
use workloads::{Mode, Shape, Workload};

/// How long a workload is repeated for its best time.
const PATIENCE: Duration = Duration::from_millis(1500);
/// How often, at most and at least.
const MOST: usize = 30;
const LEAST: usize = 3;

/// The shortest time that a piece of work takes.
fn best<T>(once: bool, mut work: impl FnMut() -> (T, Duration)) -> (T, Duration) {
    let start = Instant::now();
    let (mut last, mut best) = work();
    let mut done = 1;
    while !once && (done < LEAST || (done < MOST && start.elapsed() < PATIENCE)) {
        let (result, took) = work();
        last = result;
        best = best.min(took);
        done += 1;
    }
    (last, best)
}

/// Which rows are wanted.
struct Wanted {
    words: Vec<String>,
    /// And 10⁷ operations.
    long: bool,
    /// Each of them once.
    once: bool,
}

impl Wanted {
    fn has(&self, name: &str) -> bool {
        self.words.is_empty() || self.words.iter().any(|word| name.contains(word.as_str()))
    }
}

fn main() {
    let mut words = Vec::new();
    let (mut long, mut once, mut with_peers) = (false, false, false);
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--bench" => {}
            "--long" => long = true,
            "--once" => once = true,
            "--peers" => with_peers = true,
            word => words.push(word.to_owned()),
        }
    }
    let wanted = Wanted { words, long, once };
    let mut results = peers::Results::default();
    derivatives(&wanted, &mut results);
    integers(&wanted, &mut results);
    classical(&wanted, &mut results);
    realistic(&wanted);
    if with_peers && let Err(error) = peers::install() {
        println!("install.sh did not run: {error}");
    }
    gradbench::measure(&wanted, with_peers);
    if with_peers {
        peers::compare(&results);
    }
}

/// The differentiated loop and graph, in nanoseconds an operation.
fn derivatives(wanted: &Wanted, results: &mut peers::Results) {
    println!("derivatives: nanoseconds an operation of the differentiated program");
    println!(
        "{:<30} {:>10} {:>9} {:>9} {:>8} {:>10} {:>9} {:>9}",
        "workload", "operations", "ns/op", "Rust", "ratio", "bytes/op", "cells", "captures"
    );
    let mut sizes = vec![1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000];
    if wanted.long {
        sizes.push(10_000_000);
    }
    for mode in Mode::ALL {
        for shape in Shape::ALL {
            for &size in &sizes {
                let Some(workload) = Workload::new(mode, shape, size) else {
                    continue;
                };
                if !wanted.has(&workload.name()) {
                    continue;
                }
                derivative(&workload, wanted.once, results);
            }
        }
    }
    println!();
}

fn derivative(workload: &Workload, once: bool, results: &mut peers::Results) {
    let operations = workload.operations() as f64;
    let prepared = workloads::prepare(&workload.text());
    let ((value, stats), time) = best(once, || prepared.run());
    let (expected, native) = best(once, || workload.native());
    let value: f64 = value.parse().unwrap();
    assert!(
        (value - expected).abs() <= 1e-9 * expected.abs(),
        "{}: {value} where {expected} is right",
        workload.name()
    );
    let nanos = time.as_secs_f64() * 1e9 / operations;
    let rust = native.as_secs_f64() * 1e9 / operations;
    println!(
        "{:<30} {:>10} {:>9.1} {:>9.2} {:>7.0}x {:>10.1} {:>9} {:>9}",
        workload.name(),
        operations,
        nanos,
        rust,
        nanos / rust,
        stats.peak_bytes as f64 / operations,
        stats.peak_cells,
        stats.captures,
    );
    if workload.is_tail() {
        let name = workload.name().replace(" tail recursion", "");
        results.add(Row {
            name,
            nanos,
            rounds: 1,
            rust,
            value: expected,
        });
    }
}

/// A loop over integers without effects, in nanoseconds an iteration.
fn integers(wanted: &Wanted, results: &mut peers::Results) {
    if !wanted.has("integers") {
        return;
    }
    let n = 3_000_000_u64;
    let text = workloads::integers(n);
    let prepared = workloads::prepare(&text);
    let ((value, _), time) = best(wanted.once, || prepared.run());
    let (expected, rust) = best(wanted.once, || native::integers(n));
    assert_eq!(value, expected.to_string());
    let nanos = time.as_secs_f64() * 1e9 / n as f64;
    let row = Row {
        name: "integers".to_owned(),
        nanos,
        rounds: 1,
        rust: rust.as_secs_f64() * 1e9 / n as f64,
        value: expected as f64,
    };
    let rust = row.shown(row.rust);
    println!(
        "integers without effects: {nanos:.1} ns an iteration, Rust and how many times ours: {rust}\n"
    );
    results.add(row);
}

/// The classical benchmarks of handlers, in milliseconds.
fn classical(wanted: &Wanted, results: &mut peers::Results) {
    println!(
        "handlers: milliseconds a run, nanoseconds in Rust by hand, and how many times ours that is"
    );
    println!(
        "{:<30} {:>10} {:>9} {:>22} {:>12} {:>9} {:>9}",
        "program", "size", "ms", "Rust", "steps", "captures", "MiB"
    );
    for program in Classical::ALL {
        if !wanted.has(program.name()) {
            continue;
        }
        let size = program.size();
        let prepared = workloads::prepare(&program.text(size));
        let ((value, stats), time) = best(wanted.once, || prepared.run());
        let (by_hand, rust) = best(wanted.once, || program.by_hand(size));
        let expected = program.expected(size);
        assert_eq!(value, expected.to_string(), "{}", program.name());
        assert_eq!(by_hand, expected, "{} in Rust", program.name());
        let row = Row {
            name: program.name().to_owned(),
            nanos: time.as_secs_f64() * 1e9,
            rounds: program.rounds(size),
            rust: rust.as_secs_f64() * 1e9,
            value: expected as f64,
        };
        println!(
            "{:<30} {size:>10} {:>9.2} {} {:>12} {:>9} {:>9.1}",
            program.name(),
            row.nanos / 1e6,
            row.shown(row.rust),
            stats.steps,
            stats.captures,
            stats.peak_bytes as f64 / f64::from(1 << 20),
        );
        results.add(row);
    }
    println!();
}

/// Derivatives of programs as people write them, in microseconds.
fn realistic(wanted: &Wanted) {
    println!("programs: microseconds a run");
    println!(
        "{:<30} {:>10} {:>10} {:>9} {:>12} {:>9} {:>9}",
        "program", "us", "Rust", "ratio", "steps", "captures", "MiB"
    );
    for program in Realistic::ALL {
        if !wanted.has(program.name()) {
            continue;
        }
        let prepared = workloads::prepare(&program.text());
        let ((value, stats), time) = best(wanted.once, || prepared.run());
        let (expected, rust) = best(wanted.once, || program.by_hand());
        let values = shown_numbers(&value).unwrap();
        let close = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-9 * b.abs().max(1e-3);
        assert!(
            values.len() == expected.len() && values.iter().zip(&expected).all(close),
            "{}: {values:?} where {expected:?} is right",
            program.name()
        );
        println!(
            "{:<30} {:>10.1} {:>10.1} {:>8.1}x {:>12} {:>9} {:>9.1}",
            program.name(),
            time.as_secs_f64() * 1e6,
            rust.as_secs_f64() * 1e6,
            time.as_secs_f64() / rust.as_secs_f64(),
            stats.steps,
            stats.captures,
            stats.peak_bytes as f64 / f64::from(1 << 20),
        );
    }
    println!();
}
