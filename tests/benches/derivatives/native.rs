//! The baselines: derivatives in Rust, written by hand.

use std::cell::RefCell;
use std::ops::{Add, Mul};

/// Numbers that the smooth programs compute with.
pub trait Number: Copy + Add<Output = Self> + Mul<Output = Self> {
    /// A constant in the same computation.
    fn constant(self, c: f64) -> Self;
    fn sine(self) -> Self;
    fn cosine(self) -> Self;
    fn reciprocal(self) -> Self;
}

impl Number for f64 {
    fn constant(self, c: f64) -> f64 {
        c
    }

    fn sine(self) -> f64 {
        libm::sin(self)
    }

    fn cosine(self) -> f64 {
        libm::cos(self)
    }

    fn reciprocal(self) -> f64 {
        1.0 / self
    }
}

/// A value with its derivative.
#[derive(Clone, Copy, Debug)]
pub struct Dual<T>(pub T, pub T);

impl<T: Number> Add for Dual<T> {
    type Output = Dual<T>;

    fn add(self, other: Dual<T>) -> Dual<T> {
        Dual(self.0 + other.0, self.1 + other.1)
    }
}

impl<T: Number> Mul for Dual<T> {
    type Output = Dual<T>;

    fn mul(self, other: Dual<T>) -> Dual<T> {
        Dual(self.0 * other.0, other.0 * self.1 + self.0 * other.1)
    }
}

impl<T: Number> Number for Dual<T> {
    fn constant(self, c: f64) -> Dual<T> {
        Dual(self.0.constant(c), self.0.constant(0.0))
    }

    fn sine(self) -> Dual<T> {
        Dual(self.0.sine(), self.0.cosine() * self.1)
    }

    fn cosine(self) -> Dual<T> {
        let minus = self.0.constant(-1.0);
        Dual(self.0.cosine(), minus * self.0.sine() * self.1)
    }

    fn reciprocal(self) -> Dual<T> {
        let (minus, value) = (self.0.constant(-1.0), self.0.reciprocal());
        Dual(value, minus * (value * value) * self.1)
    }
}

/// An operation on the tape: where its operands stand and its derivatives in them.
#[derive(Clone, Copy, Default)]
struct Entry {
    operands: [u32; 2],
    partials: [f64; 2],
}

/// The operations of a program, in their order.
#[derive(Default)]
struct Tape {
    entries: RefCell<Vec<Entry>>,
}

/// A number whose operations are recorded.
#[derive(Clone, Copy)]
pub struct Recorded<'a> {
    tape: &'a Tape,
    value: f64,
    index: u32,
}

impl<'a> Recorded<'a> {
    fn record(self, value: f64, operands: [u32; 2], partials: [f64; 2]) -> Recorded<'a> {
        let mut entries = self.tape.entries.borrow_mut();
        entries.push(Entry { operands, partials });
        Recorded {
            tape: self.tape,
            value,
            index: entries.len() as u32 - 1,
        }
    }
}

impl<'a> Add for Recorded<'a> {
    type Output = Recorded<'a>;

    fn add(self, other: Recorded<'a>) -> Recorded<'a> {
        self.record(
            self.value + other.value,
            [self.index, other.index],
            [1.0, 1.0],
        )
    }
}

impl<'a> Mul for Recorded<'a> {
    type Output = Recorded<'a>;

    fn mul(self, other: Recorded<'a>) -> Recorded<'a> {
        let partials = [other.value, self.value];
        self.record(
            self.value * other.value,
            [self.index, other.index],
            partials,
        )
    }
}

impl Number for Recorded<'_> {
    fn constant(self, c: f64) -> Self {
        self.record(c, [0, 0], [0.0, 0.0])
    }

    fn sine(self) -> Self {
        self.record(
            libm::sin(self.value),
            [self.index, 0],
            [libm::cos(self.value), 0.0],
        )
    }

    fn cosine(self) -> Self {
        self.record(
            libm::cos(self.value),
            [self.index, 0],
            [-libm::sin(self.value), 0.0],
        )
    }

    fn reciprocal(self) -> Self {
        let value = 1.0 / self.value;
        self.record(value, [self.index, 0], [-(value * value), 0.0])
    }
}

/// The derivative of a program at `x`, by a tape.
pub fn gradient(x: f64, program: impl FnOnce(Recorded<'_>) -> Recorded<'_>) -> f64 {
    gradient_of(x, 1.0, program)
}

/// The same, multiplied by a seed.
fn gradient_of(x: f64, seed: f64, program: impl FnOnce(Recorded<'_>) -> Recorded<'_>) -> f64 {
    let tape = Tape::default();
    tape.entries.borrow_mut().push(Entry::default());
    let last = program(Recorded {
        tape: &tape,
        value: x,
        index: 0,
    });
    let last = last.index as usize;
    let entries = tape.entries.borrow();
    let mut adjoints = vec![0.0; entries.len()];
    adjoints[last] = seed;
    for i in (1..entries.len()).rev() {
        let (entry, adjoint) = (entries[i], adjoints[i]);
        adjoints[entry.operands[0] as usize] += entry.partials[0] * adjoint;
        adjoints[entry.operands[1] as usize] += entry.partials[1] * adjoint;
    }
    adjoints[0]
}

/// The program of `loop.fk`.
pub fn repeat<T: Number>(rounds: u64, mut x: T) -> T {
    for _ in 0..rounds {
        x = (x.constant(1.3) + x.constant(-0.8) * x).reciprocal();
    }
    x
}

/// Its derivative, a stretch at a time.
pub fn checkpointed(stretches: u64, each: u64, mut x: f64) -> f64 {
    let mut starts = Vec::new();
    for _ in 0..stretches {
        starts.push(x);
        x = repeat(each, x);
    }
    let mut adjoint = 1.0;
    while let Some(start) = starts.pop() {
        adjoint = gradient_of(start, adjoint, |x| repeat(each, x));
    }
    adjoint
}
