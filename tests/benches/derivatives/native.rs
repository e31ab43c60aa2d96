//! The baselines: derivatives in Rust, written by hand.

use std::cell::RefCell;
use std::hint::black_box;
use std::ops::{Add, Mul, Neg, Sub};
use std::time::Duration;

use cpu_time::ThreadTime;

/// Numbers that the smooth programs compute with.
pub trait Number:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Neg<Output = Self>
{
    /// A constant in the same computation.
    fn constant(self, c: f64) -> Self;
    fn sine(self) -> Self;
    fn cosine(self) -> Self;
    fn reciprocal(self) -> Self;
    fn hyperbolic_tangent(self) -> Self;
    fn logarithm(self) -> Self;
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

    fn hyperbolic_tangent(self) -> f64 {
        libm::tanh(self)
    }

    fn logarithm(self) -> f64 {
        libm::log(self)
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

impl<T: Number> Sub for Dual<T> {
    type Output = Dual<T>;

    fn sub(self, other: Dual<T>) -> Dual<T> {
        Dual(self.0 - other.0, self.1 - other.1)
    }
}

impl<T: Number> Mul for Dual<T> {
    type Output = Dual<T>;

    fn mul(self, other: Dual<T>) -> Dual<T> {
        Dual(self.0 * other.0, other.0 * self.1 + self.0 * other.1)
    }
}

impl<T: Number> Neg for Dual<T> {
    type Output = Dual<T>;

    fn neg(self) -> Dual<T> {
        Dual(-self.0, -self.1)
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
        Dual(self.0.cosine(), -self.0.sine() * self.1)
    }

    fn reciprocal(self) -> Dual<T> {
        let value = self.0.reciprocal();
        Dual(value, -(value * value) * self.1)
    }

    fn hyperbolic_tangent(self) -> Dual<T> {
        let value = self.0.hyperbolic_tangent();
        Dual(value, (value.constant(1.0) - value * value) * self.1)
    }

    fn logarithm(self) -> Dual<T> {
        Dual(self.0.logarithm(), self.0.reciprocal() * self.1)
    }
}

/// An operation on the tape: where its operands stand and its derivatives in them.
#[derive(Clone, Copy)]
struct Entry<T> {
    operands: [u32; 2],
    partials: [T; 2],
}

/// The operations of a program, in their order.
struct Tape<T> {
    entries: RefCell<Vec<Entry<T>>>,
}

/// A number whose operations are recorded.
#[derive(Clone, Copy)]
pub struct Recorded<'a, T> {
    tape: &'a Tape<T>,
    value: T,
    index: u32,
}

impl<'a, T: Number> Recorded<'a, T> {
    fn record(self, value: T, operands: [u32; 2], partials: [T; 2]) -> Recorded<'a, T> {
        let mut entries = self.tape.entries.borrow_mut();
        entries.push(Entry { operands, partials });
        Recorded {
            tape: self.tape,
            value,
            index: entries.len() as u32 - 1,
        }
    }

    /// An operation of one operand.
    fn record_one(self, value: T, partial: T) -> Recorded<'a, T> {
        self.record(value, [self.index, 0], [partial, value.constant(0.0)])
    }
}

impl<'a, T: Number> Add for Recorded<'a, T> {
    type Output = Recorded<'a, T>;

    fn add(self, other: Recorded<'a, T>) -> Recorded<'a, T> {
        let one = self.value.constant(1.0);
        self.record(
            self.value + other.value,
            [self.index, other.index],
            [one, one],
        )
    }
}

impl<'a, T: Number> Sub for Recorded<'a, T> {
    type Output = Recorded<'a, T>;

    fn sub(self, other: Recorded<'a, T>) -> Recorded<'a, T> {
        let [one, minus] = [1.0, -1.0].map(|c| self.value.constant(c));
        self.record(
            self.value - other.value,
            [self.index, other.index],
            [one, minus],
        )
    }
}

impl<'a, T: Number> Mul for Recorded<'a, T> {
    type Output = Recorded<'a, T>;

    fn mul(self, other: Recorded<'a, T>) -> Recorded<'a, T> {
        let partials = [other.value, self.value];
        self.record(
            self.value * other.value,
            [self.index, other.index],
            partials,
        )
    }
}

impl<'a, T: Number> Neg for Recorded<'a, T> {
    type Output = Recorded<'a, T>;

    fn neg(self) -> Recorded<'a, T> {
        self.record_one(-self.value, self.value.constant(-1.0))
    }
}

impl<T: Number> Number for Recorded<'_, T> {
    fn constant(self, c: f64) -> Self {
        let [c, zero] = [c, 0.0].map(|c| self.value.constant(c));
        self.record(c, [0, 0], [zero, zero])
    }

    fn sine(self) -> Self {
        self.record_one(self.value.sine(), self.value.cosine())
    }

    fn cosine(self) -> Self {
        self.record_one(self.value.cosine(), -self.value.sine())
    }

    fn reciprocal(self) -> Self {
        let value = self.value.reciprocal();
        self.record_one(value, -(value * value))
    }

    fn hyperbolic_tangent(self) -> Self {
        let value = self.value.hyperbolic_tangent();
        self.record_one(value, value.constant(1.0) - value * value)
    }

    fn logarithm(self) -> Self {
        self.record_one(self.value.logarithm(), self.value.reciprocal())
    }
}

/// The derivative of a program at `x`, by a tape.
pub fn gradient(
    x: f64,
    program: impl for<'a> FnOnce(Recorded<'a, f64>) -> Recorded<'a, f64>,
) -> f64 {
    gradients(&[x], 1.0, |xs| program(xs[0]))[0]
}

/// The gradient of a program at `xs`, which are some, multiplied by a seed.
pub fn gradients<T: Number>(
    xs: &[T],
    seed: T,
    program: impl for<'a> FnOnce(&[Recorded<'a, T>]) -> Recorded<'a, T>,
) -> Vec<T> {
    let zero = seed.constant(0.0);
    let input = Entry {
        operands: [0, 0],
        partials: [zero, zero],
    };
    let tape = Tape {
        entries: vec![input; xs.len()].into(),
    };
    let inputs: Vec<Recorded<'_, T>> = (0..)
        .zip(xs)
        .map(|(index, x)| Recorded {
            tape: &tape,
            value: *x,
            index,
        })
        .collect();
    let last = program(&inputs).index as usize;
    let entries = tape.entries.borrow();
    let mut adjoints = vec![zero; entries.len()];
    adjoints[last] = seed;
    for i in (xs.len()..entries.len()).rev() {
        let (entry, adjoint) = (entries[i], adjoints[i]);
        for (operand, partial) in entry.operands.into_iter().zip(entry.partials) {
            let operand = &mut adjoints[operand as usize];
            *operand = *operand + partial * adjoint;
        }
    }
    adjoints.truncate(xs.len());
    adjoints
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
        adjoint = gradients(&[start], adjoint, |xs| repeat(each, xs[0]))[0];
    }
    adjoint
}

/// The loop over integers of `loop.fk`, `n` rounds, and how long it takes. Integers do not overflow in silence.
pub fn integers(n: u64) -> (u64, Duration) {
    let mut left = black_box(n);
    let mut sum = 0_u64;
    let start = ThreadTime::now();
    while left != 0 {
        sum = sum.checked_add(left).expect("a sum of few numbers");
        left -= 1;
    }
    (black_box(sum), start.elapsed())
}
