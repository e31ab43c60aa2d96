//! What the functions of floats cost that the interpreter takes from `libm`, beside those of the
//! system's C library, and how many of their values differ.
//!
//! ```text
//! cargo bench -p frank-tests --bench functions
//! ```

#![allow(
    clippy::disallowed_methods,
    reason = "the system's functions are what is compared with"
)]

use std::hint::black_box;
use std::time::Instant;

/// Points of each function; the whole is computed so often, and the best time counts.
const POINTS: usize = 100_000;
const ROUNDS: usize = 20;

/// A function in both libraries, and between which numbers it is tried.
struct Compared {
    name: &'static str,
    system: fn(f64) -> f64,
    libm: fn(f64) -> f64,
    from: f64,
    to: f64,
}

fn main() {
    let functions = [
        compared("sin", f64::sin, libm::sin, -10.0, 10.0),
        compared("cos", f64::cos, libm::cos, -10.0, 10.0),
        compared("tan", f64::tan, libm::tan, -10.0, 10.0),
        compared("asin", f64::asin, libm::asin, -1.0, 1.0),
        compared("acos", f64::acos, libm::acos, -1.0, 1.0),
        compared("atan", f64::atan, libm::atan, -10.0, 10.0),
        compared("sinh", f64::sinh, libm::sinh, -10.0, 10.0),
        compared("cosh", f64::cosh, libm::cosh, -10.0, 10.0),
        compared("tanh", f64::tanh, libm::tanh, -10.0, 10.0),
        compared("exp", f64::exp, libm::exp, -10.0, 10.0),
        compared("log", f64::ln, libm::log, 0.001, 10.0),
        compared("pow", |x| x.powf(1.7), |x| libm::pow(x, 1.7), 0.001, 10.0),
    ];
    println!(
        "{:<5} {:>9} {:>9} {:>7} {:>9}",
        "", "system", "libm", "", "differ"
    );
    for function in functions {
        let points: Vec<f64> = (0..POINTS)
            .map(|i| {
                let part = i as f64 / POINTS as f64;
                function.from + (function.to - function.from) * part
            })
            .collect();
        let (system, libm) = (time(function.system, &points), time(function.libm, &points));
        let differ = points
            .iter()
            .filter(|x| (function.system)(**x).to_bits() != (function.libm)(**x).to_bits())
            .count();
        println!(
            "{:<5} {system:>6.1} ns {libm:>6.1} ns {:>6.2}x {:>7.2} %",
            function.name,
            libm / system,
            100.0 * differ as f64 / POINTS as f64
        );
    }
}

fn compared(
    name: &'static str,
    system: fn(f64) -> f64,
    libm: fn(f64) -> f64,
    from: f64,
    to: f64,
) -> Compared {
    Compared {
        name,
        system,
        libm,
        from,
        to,
    }
}

/// The nanoseconds that a value takes.
fn time(function: fn(f64) -> f64, points: &[f64]) -> f64 {
    let function = black_box(function);
    (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            let sum: f64 = points.iter().map(|x| function(*x)).sum();
            black_box(sum);
            start.elapsed().as_nanos() as f64 / points.len() as f64
        })
        .fold(f64::INFINITY, f64::min)
}
