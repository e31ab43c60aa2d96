//! What the operations compute, as `value1` and `value2` of the library's `ad` say.

use crate::graph::{Binary, Unary};

/// The value of an operation of one operand.
pub fn value1(unary: Unary, x: f64) -> f64 {
    match unary {
        Unary::Negate => -x,
        Unary::Recip => 1.0 / x,
        Unary::PowInt(i) => libm::pow(x, i as f64),
        Unary::PowReal(y) => libm::pow(x, y),
        Unary::Exp => libm::exp(x),
        Unary::Log => libm::log(x),
        Unary::Sqrt => x.sqrt(),
        Unary::Sin => libm::sin(x),
        Unary::Cos => libm::cos(x),
        Unary::Tan => libm::tan(x),
        Unary::Asin => libm::asin(x),
        Unary::Acos => libm::acos(x),
        Unary::Atan => libm::atan(x),
        Unary::Sinh => libm::sinh(x),
        Unary::Cosh => libm::cosh(x),
        Unary::Tanh => libm::tanh(x),
        Unary::Sigmoid if x >= 0.0 => 1.0 / (1.0 + libm::exp(-x)),
        Unary::Sigmoid => {
            let e = libm::exp(x);
            e / (1.0 + e)
        }
        Unary::Softplus if x > 0.0 => x + log_one_plus(libm::exp(-x)),
        Unary::Softplus => log_one_plus(libm::exp(x)),
        Unary::Relu if x <= 0.0 => 0.0,
        Unary::Relu => x,
        Unary::Abs => x.abs(),
        Unary::Sign if x > 0.0 => 1.0,
        Unary::Sign if x < 0.0 => -1.0,
        Unary::Sign => x,
        Unary::Step if x > 0.0 => 1.0,
        Unary::Step if x <= 0.0 => 0.0,
        Unary::Step => x,
        Unary::Positive if x == 0.0 => 1.0,
        Unary::Positive => x,
    }
}

/// The value of an operation of two operands.
pub fn value2(binary: Binary, x: f64, y: f64) -> f64 {
    match binary {
        Binary::Plus => x + y,
        Binary::Minus => x - y,
        Binary::Times => x * y,
        Binary::Divide => x / y,
        Binary::Pow => libm::pow(x, y),
        Binary::Min if x < y => x,
        Binary::Min if x >= y => y,
        Binary::Max if x > y => x,
        Binary::Max if x <= y => y,
        Binary::Above if x > y => 1.0,
        Binary::Above if x < y => 0.0,
        Binary::Above if x == y => 0.5,
        // One of them is no number.
        Binary::Min | Binary::Max | Binary::Above => x + y,
        Binary::Scale if x == 0.0 => 0.0,
        Binary::Scale => x * y,
    }
}

/// The logarithm of 1 + x, as the library computes it.
fn log_one_plus(x: f64) -> f64 {
    let y = 1.0 + x;
    match y == 1.0 {
        true => x,
        false => libm::log(y) * (x / (y - 1.0)),
    }
}
