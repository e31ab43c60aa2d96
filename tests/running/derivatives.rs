//! Random smooth functions: every mode of differentiation, alone and nested, gives what the rules
//! of calculus give.

#![allow(
    clippy::disallowed_methods,
    reason = "what is expected comes from elsewhere, and is compared within a tolerance"
)]

use std::fmt::Write;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::value;

/// A smooth function of one variable.
#[derive(Debug, Clone)]
enum Function {
    Variable,
    Constant(f64),
    One(One, Box<Function>),
    Two(Two, Box<Function>, Box<Function>),
}

/// Functions of one operand that are smooth everywhere, and stay small.
#[derive(Debug, Clone, Copy)]
enum One {
    Negate,
    Sin,
    Cos,
    Tanh,
    Atan,
    Sigmoid,
    Softplus,
    /// 1 / (1 + x²)
    Bell,
    /// exp (sin x)
    ExpSin,
    /// log (1 + x²)
    LogSquare,
    /// sqrt (1 + x²)
    Hypot,
    Cube,
}

#[derive(Debug, Clone, Copy)]
enum Two {
    Plus,
    Minus,
    Times,
}

const ONES: [One; 12] = [
    One::Negate,
    One::Sin,
    One::Cos,
    One::Tanh,
    One::Atan,
    One::Sigmoid,
    One::Softplus,
    One::Bell,
    One::ExpSin,
    One::LogSquare,
    One::Hypot,
    One::Cube,
];
const TWOS: [Two; 3] = [Two::Plus, Two::Minus, Two::Times];

/// The value of a function with its first two derivatives, by the rules of calculus.
type Jet = [f64; 3];

fn chain([_, du, ddu]: Jet, [y, dy, ddy]: Jet) -> Jet {
    [y, dy * du, ddy * du * du + dy * ddu]
}

fn times([x, dx, ddx]: Jet, [y, dy, ddy]: Jet) -> Jet {
    [x * y, dx * y + x * dy, ddx * y + 2.0 * dx * dy + x * ddy]
}

impl One {
    /// The function and its derivatives at a point.
    fn at(self, x: f64) -> Jet {
        match self {
            One::Negate => [-x, -1.0, 0.0],
            One::Sin => [x.sin(), x.cos(), -x.sin()],
            One::Cos => [x.cos(), -x.sin(), -x.cos()],
            One::Tanh => {
                let y = x.tanh();
                [y, 1.0 - y * y, -2.0 * y * (1.0 - y * y)]
            }
            One::Atan => {
                let s = 1.0 + x * x;
                [x.atan(), 1.0 / s, -2.0 * x / (s * s)]
            }
            One::Sigmoid => {
                let y = 1.0 / (1.0 + (-x).exp());
                [y, y * (1.0 - y), y * (1.0 - y) * (1.0 - 2.0 * y)]
            }
            One::Softplus => {
                let y = 1.0 / (1.0 + (-x).exp());
                [(1.0 + x.exp()).ln(), y, y * (1.0 - y)]
            }
            One::Bell => {
                let s = 1.0 + x * x;
                [
                    1.0 / s,
                    -2.0 * x / (s * s),
                    (6.0 * x * x - 2.0) / (s * s * s),
                ]
            }
            One::ExpSin => {
                let y = x.sin().exp();
                [y, y * x.cos(), y * (x.cos() * x.cos() - x.sin())]
            }
            One::LogSquare => {
                let s = 1.0 + x * x;
                [s.ln(), 2.0 * x / s, 2.0 * (1.0 - x * x) / (s * s)]
            }
            One::Hypot => {
                let y = (1.0 + x * x).sqrt();
                [y, x / y, 1.0 / (y * y * y)]
            }
            One::Cube => [x * x * x, 3.0 * x * x, 6.0 * x],
        }
    }

    /// The function in Frank, of a term in parentheses.
    fn term(self, x: &str) -> String {
        let above_one = format!("(p (c 1) (square {x}))");
        match self {
            One::Negate => format!("n {x}"),
            One::Sin => format!("sinS {x}"),
            One::Cos => format!("cosS {x}"),
            One::Tanh => format!("tanhS {x}"),
            One::Atan => format!("atanS {x}"),
            One::Sigmoid => format!("sigmoid {x}"),
            One::Softplus => format!("softplus {x}"),
            One::Bell => format!("recip {above_one}"),
            One::ExpSin => format!("expS (sinS {x})"),
            One::LogSquare => format!("logS {above_one}"),
            One::Hypot => format!("sqrtS {above_one}"),
            One::Cube => format!("powi {x} 3"),
        }
    }
}

impl Function {
    fn random(rng: &mut StdRng, depth: u32) -> Function {
        if depth == 0 || rng.random_range(0..12) == 0 {
            return match rng.random_range(0..4) {
                0 => Function::Constant(f64::from(rng.random_range(-8..=8)) / 4.0),
                _ => Function::Variable,
            };
        }
        let mut next = || Box::new(Function::random(rng, depth - 1));
        let (x, y) = (next(), next());
        match rng.random_bool(0.5) {
            true => Function::One(ONES[rng.random_range(0..ONES.len())], x),
            false => Function::Two(TWOS[rng.random_range(0..TWOS.len())], x, y),
        }
    }

    fn at(&self, x: f64) -> Jet {
        match self {
            Function::Variable => [x, 1.0, 0.0],
            Function::Constant(value) => [*value, 0.0, 0.0],
            Function::One(one, inner) => {
                let inner = inner.at(x);
                chain(inner, one.at(inner[0]))
            }
            Function::Two(two, left, right) => {
                let (left, right) = (left.at(x), right.at(x));
                match two {
                    Two::Times => times(left, right),
                    Two::Plus => std::array::from_fn(|i| left[i] + right[i]),
                    Two::Minus => std::array::from_fn(|i| left[i] - right[i]),
                }
            }
        }
    }

    fn term(&self) -> String {
        match self {
            Function::Variable => "x".to_owned(),
            Function::Constant(value) if *value < 0.0 => format!("(n (c {:?}))", -value),
            Function::Constant(value) => format!("(c {value:?})"),
            Function::One(one, inner) => format!("({})", one.term(&inner.term())),
            Function::Two(two, left, right) => {
                let name = match two {
                    Two::Plus => "p",
                    Two::Minus => "minus",
                    Two::Times => "t",
                };
                format!("({name} {} {})", left.term(), right.term())
            }
        }
    }
}

/// Terms for the first derivative of `f` at `a`, and for the second.
const FIRST: [&str; 4] = [
    "d f a",
    "grad f a",
    "gradc f a",
    "gradc {x -> checkpoint {f x}} a",
];
const SECOND: [&str; 8] = [
    "d {x -> d f x} a",
    "d2 f a",
    "d {x -> grad f x} a",
    "grad {x -> d f x} a",
    "grad {x -> grad f x} a",
    "gradc {x -> d f x} a",
    "gradc {x -> grad f x} a",
    "d {x -> gradc f x} a",
];

/// Far larger than rounding makes it, and far smaller than a wrong rule.
fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-8 * (1.0 + a.abs().max(b.abs()))
}

fn check(seed: u64) {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut text = "include ad\n".to_owned();
    let mut entries = Vec::new();
    let mut expected: Vec<(String, f64)> = Vec::new();
    while entries.len() < 12 {
        let function = Function::random(&mut rng, 5);
        let point = f64::from(rng.random_range(-12..=12)) / 8.0;
        let jet = function.at(point);
        // Where numbers grow, rounding does, too.
        if jet.iter().any(|number| number.abs() > 1e4) {
            continue;
        }
        let name = format!("f{}", entries.len());
        let _ = write!(
            text,
            "{name} : X -> [Smooth X]X\n{name} x = {}\n",
            function.term()
        );
        let place = if point < 0.0 {
            format!("(n (c {:?}))", -point)
        } else {
            format!("(c {point:?})")
        };
        let mut terms = Vec::new();
        let values = std::iter::once(("f a", jet[0]))
            .chain(FIRST.map(|term| (term, jet[1])))
            .chain(SECOND.map(|term| (term, jet[2])));
        for (term, value) in values {
            let term = term
                .replace("f ", &format!("{name} "))
                .replace(" a", &format!(" {place}"));
            expected.push((term.clone(), value));
            terms.push(format!("evaluate ({term})"));
        }
        entries.push(format!("[{}]", terms.join(", ")));
    }
    let _ = write!(
        text,
        "main : [RefState](List (List Float))\nmain! = [{}]\n",
        entries.join(",\n  ")
    );
    let found = value(&text);
    let numbers = found
        .split([',', '[', ']', ' '])
        .filter(|number| !number.is_empty());
    let numbers: Vec<f64> = numbers.map(|number| number.parse().unwrap()).collect();
    assert_eq!(numbers.len(), expected.len(), "{found}");
    for ((term, value), number) in expected.iter().zip(numbers) {
        assert!(
            close(*value, number),
            "seed {seed}: {term} is {number}, and should be {value}, in\n{text}"
        );
    }
}

#[test]
fn all_modes_agree_with_the_rules_of_calculus() {
    for seed in 0..25 {
        check(seed);
    }
}
