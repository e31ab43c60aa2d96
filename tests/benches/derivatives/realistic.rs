//! Programs as people differentiate them (`tests/benches/programs/realistic.fk`), and the same in Rust by hand.

use std::hint::black_box;
use std::time::Duration;

use cpu_time::ThreadTime;

use crate::native::{Dual, Number, gradient, gradients};

/// A derivative of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Realistic {
    /// The gradient of a network's error in its nine weights.
    Network,
    /// A pendulum's angle in the one that it was let go at, by the method of Runge and Kutta.
    PendulumForward,
    PendulumReverse,
    /// The Hessian of Rosenbrock's valley: forward mode of reverse mode.
    Hessian,
    /// Of a fold over data.
    Fold,
}

const WEIGHTS: [f64; 9] = [0.1, 0.8, -0.6, -0.2, -0.7, 0.9, 0.1, 0.6, 0.5];
const SAMPLES: u64 = 200;
const STEPS: u64 = 500;
const ANGLE: f64 = 1.0;
const IN_THE_VALLEY: [f64; 6] = [1.0, 1.5, 0.5, 0.3, -0.7, 1.1];
const WAITS: u64 = 3_000;
const RATE: f64 = 0.7;

impl Realistic {
    pub const ALL: [Realistic; 5] = [
        Realistic::Network,
        Realistic::PendulumForward,
        Realistic::PendulumReverse,
        Realistic::Hessian,
        Realistic::Fold,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Realistic::Network => "network, gradient",
            Realistic::PendulumForward => "pendulum, forward",
            Realistic::PendulumReverse => "pendulum, reverse",
            Realistic::Hessian => "valley, Hessian",
            Realistic::Fold => "fold over data, forward",
        }
    }

    pub fn text(self) -> String {
        let program = include_str!("../programs/realistic.fk");
        let result = match self {
            Realistic::Network => format!(
                "let ss = samples {SAMPLES} in evaluate (gradList {{ws -> loss ss ws}} weights!)"
            ),
            Realistic::PendulumForward => {
                format!("[evaluate (d {{x -> angleAfter {STEPS} x}} {ANGLE:?})]")
            }
            Realistic::PendulumReverse => {
                format!("[evaluate (grad {{x -> angleAfter {STEPS} x}} {ANGLE:?})]")
            }
            Realistic::Hessian => format!(
                "foldl {{all row -> append all row}} [] (evaluate (hessian {{xs -> valley xs}} {IN_THE_VALLEY:?}))"
            ),
            Realistic::Fold => format!(
                "let ts = waits {WAITS} in [evaluate (d {{x -> likelihood ts x}} {RATE:?})]"
            ),
        };
        format!("{program}\nmain : {{[RefState] (List Float)}}\nmain! = {result}\n")
    }

    /// What the program gives in Rust, and how long that takes.
    pub fn by_hand(self) -> (Vec<f64>, Duration) {
        // Otherwise the compiler computes what does not change.
        let (angle, rate) = (black_box(ANGLE), black_box(RATE));
        let (weights, place) = (black_box(WEIGHTS), black_box(IN_THE_VALLEY));
        let start = ThreadTime::now();
        let values = match self {
            Realistic::Network => {
                let samples: Vec<Sample> = (1..=SAMPLES).map(sample).collect();
                gradients(&weights, 1.0, |ws| loss(&samples, ws))
            }
            Realistic::PendulumForward => vec![angle_after(STEPS, Dual(angle, 1.0)).1],
            Realistic::PendulumReverse => vec![gradient(angle, |x| angle_after(STEPS, x))],
            Realistic::Hessian => hessian(&place),
            Realistic::Fold => {
                let waits: Vec<f64> = (1..=WAITS).map(|i| 1.0 + libm::sin(i as f64)).collect();
                vec![likelihood(&waits, Dual(rate, 1.0)).1]
            }
        };
        (black_box(values), start.elapsed())
    }
}

/// Two inputs of the network and what it should say.
struct Sample([f64; 3]);

fn sample(i: u64) -> Sample {
    let (x, y) = (libm::sin(i as f64), libm::sin(i as f64 * 1.7));
    Sample([x, y, x * y])
}

fn loss<T: Number>(samples: &[Sample], ws: &[T]) -> T {
    let neuron = |weights: &[T], x: T, y: T| {
        (weights[0] + (weights[1] * x + weights[2] * y)).hyperbolic_tangent()
    };
    let error = |sample: &Sample| {
        let [x, y, z] = sample.0.map(|number| ws[0].constant(number));
        let (left, right) = (neuron(&ws[..3], x, y), neuron(&ws[3..6], x, y));
        let error = neuron(&ws[6..], left, right) - z;
        error * error
    };
    let errors = samples.iter().map(error);
    errors.reduce(|sum, error| sum + error).unwrap()
}

fn angle_after<T: Number>(steps: u64, angle: T) -> T {
    const H: f64 = 0.01;
    let slopes = |[angle, speed]: [T; 2]| [speed, -angle.sine()];
    let along = |h: f64, y: [T; 2], dy: [T; 2]| [0, 1].map(|i| y[i] + angle.constant(h) * dy[i]);
    let mut y = [angle, angle.constant(0.0)];
    for _ in 0..steps {
        let k1 = slopes(y);
        let k2 = slopes(along(H / 2.0, y, k1));
        let k3 = slopes(along(H / 2.0, y, k2));
        let k4 = slopes(along(H, y, k3));
        let two = || angle.constant(2.0);
        let mean = [0, 1].map(|i| k1[i] + (two() * (k2[i] + k3[i]) + k4[i]));
        y = along(H / 6.0, y, mean);
    }
    y[0]
}

fn valley<T: Number>(xs: &[T]) -> T {
    let mut sum = xs[0].constant(0.0);
    for pair in xs.windows(2) {
        let (slope, bend) = (pair[0].constant(1.0) - pair[0], pair[1] - pair[0] * pair[0]);
        sum = sum + (slope * slope + pair[0].constant(100.0) * (bend * bend));
    }
    sum
}

/// Row after row.
fn hessian(place: &[f64]) -> Vec<f64> {
    let row = |i: usize| {
        let along = place.iter().enumerate();
        let along = along.map(|(j, x)| Dual(*x, if i == j { 1.0 } else { 0.0 }));
        let along: Vec<Dual<f64>> = along.collect();
        let row = gradients(&along, Dual(1.0, 0.0), |xs| valley(xs));
        row.into_iter().map(|entry| entry.1)
    };
    (0..place.len()).flat_map(row).collect()
}

fn likelihood<T: Number>(waits: &[f64], rate: T) -> T {
    let zero = rate.constant(0.0);
    waits.iter().fold(zero, |sum, wait| {
        sum + (rate.logarithm() - rate * rate.constant(*wait))
    })
}
