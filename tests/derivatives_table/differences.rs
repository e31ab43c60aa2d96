//! How derivatives of `ad` differ from JAX's, and why. `docs/derivatives.md` has the same list.

use crate::{Difference, Order};

/// Differences that have one reason.
pub struct Class {
    pub primitive: &'static str,
    pub at: &'static str,
    /// Which columns, and by which modes if not by all.
    pub what: &'static str,
    pub ours: &'static str,
    pub jax: &'static str,
    pub reason: &'static str,
    /// Whether a difference is one of these.
    pub has: fn(&Difference) -> bool,
}

/// All of them. The first class that has a difference is the one that explains it.
pub const DIFFERENCES: &[Class] = &[
    Class {
        primitive: "any",
        at: "where the derivative is 0",
        what: "derivatives",
        ours: "0 of either sign",
        jax: "0 of the other sign",
        reason: "the sign of a zero depends on what is added in which order, and reverse mode adds to cells \
                 that hold 0",
        has: |d| d.order != Order::Value && d.ours == 0.0 && d.jax == 0.0,
    },
    Class {
        primitive: "any",
        at: "where an operand, the value or the derivative is subnormal",
        what: "all",
        ours: "by the arithmetic of IEEE 754",
        jax: "as at 0, or 0",
        reason: "JAX's code for processors takes subnormal numbers for 0",
        has: |d| {
            let power =
                d.primitive == "pow" && libm::pow(d.operands[0], d.operands[1]).is_subnormal();
            let result = power || d.ours.is_subnormal();
            d.operands.iter().any(|x| x.is_subnormal()) || result && d.jax == 0.0
        },
    },
    Class {
        primitive: "asin",
        at: "±2.2250738585072014e-308",
        what: "value",
        ours: "the operand",
        jax: "0",
        reason: "the same: a step of JAX's computation is subnormal",
        has: |d| {
            d.primitive == "asin"
                && d.order == Order::Value
                && d.operands[0].abs() == f64::MIN_POSITIVE
                && d.ours == d.operands[0]
        },
    },
    Class {
        primitive: "any",
        at: "where an operand, the value or a derivative is infinite or nan, or overflows",
        what: "second derivatives by reverse mode outside: `grad∘d`, `grad∘grad`",
        ours: "nan",
        jax: "a number",
        reason: "a cell to which nobody has written holds 0, and is multiplied by the infinite derivative; JAX \
                 knows that nobody has. `d∘d` and `d∘grad` give the number",
        has: |d| d.order == Order::Second && d.mode.starts_with("grad∘") && d.ours.is_nan(),
    },
    Class {
        primitive: "abs",
        at: "0, -0",
        what: "d/dx",
        ours: "0",
        jax: "1",
        reason: "the derivative at the kink is the middle of those beside it",
        has: |d| d.primitive == "abs" && d.order == Order::First && d.operands[0] == 0.0,
    },
    Class {
        primitive: "relu, abs, min, max",
        at: "an operand is nan",
        what: "first derivatives",
        ours: "nan",
        jax: "0, 1 or -1",
        reason: "what is computed from nan is nan, so that it is noticed",
        has: |d| {
            let name = d.primitive.split(' ').next().unwrap_or_default();
            ["relu", "abs", "min", "max"].contains(&name)
                && d.order == Order::First
                && d.operands.iter().any(|x| x.is_nan())
        },
    },
    Class {
        primitive: "min, max",
        at: "0 and -0",
        what: "value",
        ours: "the right operand",
        jax: "-0 is less than 0",
        reason: "comparisons find the two zeros equal",
        has: |d| {
            ["min", "max", "max x -x"].contains(&d.primitive.as_str())
                && d.order == Order::Value
                && d.operands.iter().all(|x| *x == 0.0)
        },
    },
    Class {
        primitive: "powr x 0, powr x 1, pow x 0, pow x 1",
        at: "x is 0 or nan; for the second derivative of powr x 0 anywhere near 0",
        what: "derivatives in x",
        ours: "0",
        jax: "nan",
        reason: "these powers are 1 and x, whose derivatives are numbers; JAX multiplies 0 by a power that is \
                 infinite or nan",
        has: |d| {
            let exponent = match d.primitive.as_str() {
                "powr 0.0" => 0.0,
                "powr 1.0" => 1.0,
                "pow" => d.operands[1],
                _ => return false,
            };
            let order = match d.column {
                "d/dx" => 0.0,
                "d²/dx²" => 1.0,
                _ => return false,
            };
            // The derivative of a power that is at most this is 0.
            exponent <= order && d.ours == 0.0 && d.jax.is_nan()
        },
    },
    Class {
        primitive: "pow x x",
        at: "0, -0",
        what: "d/dx",
        ours: "0",
        jax: "nan",
        reason: "the sum of the derivatives in base and exponent at 0, which are 0 by the conventions above; \
                 the limit from the right is -inf",
        has: |d| d.primitive == "pow x x" && d.order == Order::First && d.operands[0] == 0.0,
    },
    Class {
        primitive: "divide",
        at: "y² or y³ overflows, or rounds to 0",
        what: "derivatives in y",
        ours: "x/y/y with its sign, and what follows from it",
        jax: "nan, 0 or infinite",
        reason: "JAX divides by powers of y",
        has: |d| {
            let [x, y] = d.operands[..] else { return false };
            let right = match d.column {
                "d/dy" => -(x / y / y),
                "d²/dy²" => 2.0 * (x / y / y / y),
                _ => return false,
            };
            let extreme = y.abs() >= 1e154 || y.abs() <= 1e-154;
            d.primitive == "divide" && extreme && (d.ours == right || crate::same(d.ours, right))
        },
    },
    Class {
        primitive: "divide x x",
        at: "where x/x/x is not exact, or x·x overflows or rounds to 0",
        what: "derivatives",
        ours: "0, within rounding",
        jax: "0 within larger rounding, or infinite",
        reason: "the two derivatives cancel, the same formula as above",
        has: |d| {
            d.primitive == "divide x x" && (d.ours * d.operands[0] * d.operands[0]).abs() <= 1e-15
        },
    },
    Class {
        primitive: "sigmoid, softplus",
        at: "20 and above",
        what: "derivatives but the first of softplus",
        ours: "e⁻ˣ to all digits, with its sign",
        jax: "fewer digits, 0 from 40 on",
        reason: "JAX computes s·(1 - s), where s is near 1; `ad` multiplies by the sigmoid of -x",
        has: |d| {
            let right = libm::exp(-d.operands[0]);
            ["sigmoid", "softplus"].contains(&d.primitive.as_str())
                && d.operands[0] >= 20.0
                && (d.ours.abs() - right).abs() <= 1e-8 * right
        },
    },
    Class {
        primitive: "tanh",
        at: "near 0",
        what: "d²/dx²",
        ours: "-2·x to all digits",
        jax: "8 digits at 1e-8, 0 below 1e-16",
        reason: "JAX's first derivative is (1 - tanh x)·(1 + tanh x), whose two derivatives cancel",
        has: |d| {
            d.primitive == "tanh"
                && d.order == Order::Second
                && d.operands[0].abs() <= 1e-8
                && crate::same(d.ours, -2.0 * d.operands[0])
        },
    },
    Class {
        primitive: "asin, acos",
        at: "near 0",
        what: "d²/dx²",
        ours: "x and -x within 10⁻¹⁶",
        jax: "x and -x to all digits",
        reason: "the first derivative has (1 - x)·(1 + x) under its root, which keeps its digits near 1; the two \
                 derivatives of the product cancel near 0",
        has: |d| {
            ["asin", "acos"].contains(&d.primitive.as_str())
                && d.order == Order::Second
                && d.operands[0].abs() <= 1e-8
                && (d.ours - d.jax).abs() <= 1e-16
        },
    },
    Class {
        primitive: "atan",
        at: "±1.7976931348623157e308",
        what: "d²/dx²",
        ours: "0",
        jax: "nan",
        reason: "JAX divides an infinite number by another",
        has: |d| {
            d.primitive == "atan"
                && d.order == Order::Second
                && d.operands[0].abs() == f64::MAX
                && d.ours == 0.0
        },
    },
];
