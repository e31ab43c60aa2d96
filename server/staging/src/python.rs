//! Python 3, with helpers where its own operations raise an exception instead of what IEEE says.

use std::io::{self, Write};

use crate::graph::{Binary, Line, Unary};
use crate::straight::{Dialect, Helper, Part, Written, helpers, is_power, is1, is2, meanings};
use crate::unit::Unit;
use crate::{names, numbers};

pub(crate) struct Python;

/// Words that no name can be, and what the code uses.
const TAKEN: &[&str] = &[
    "False",
    "None",
    "True",
    "and",
    "as",
    "assert",
    "async",
    "await",
    "break",
    "class",
    "continue",
    "def",
    "del",
    "elif",
    "else",
    "except",
    "finally",
    "for",
    "from",
    "global",
    "if",
    "import",
    "in",
    "is",
    "lambda",
    "nonlocal",
    "not",
    "or",
    "pass",
    "raise",
    "return",
    "try",
    "while",
    "with",
    "yield",
    "math",
    "_",
    "ValueError",
    "OverflowError",
    "ZeroDivisionError",
    "abs",
    "_divide",
    "_exp",
    "_log",
    "_sqrt",
    "_partial",
    "_sinh",
    "_cosh",
    "_pow",
    "_sigmoid",
    "_log_one_plus",
    "_softplus",
    "_relu",
    "_sign",
    "_step",
    "_positive",
    "_min",
    "_max",
    "_above",
    "_scale",
];

/// Functions that raise an exception outside of their domain.
const PARTIAL: [Unary; 5] = [Unary::Sin, Unary::Cos, Unary::Tan, Unary::Asin, Unary::Acos];

fn needs_exp(line: &Line) -> bool {
    is1(line, &[Unary::Exp, Unary::Sigmoid, Unary::Softplus])
}

const HELPERS: &[Helper] = &[
    (
        |line| is2(line, Binary::Divide) || is1(line, &[Unary::Recip]),
        "def _divide(x, y):\n    try:\n        return x / y\n    except ZeroDivisionError:\n        \
         if x == 0.0 or x != x:\n            return math.nan\n        \
         return math.copysign(math.inf, x) * math.copysign(1.0, y)\n\n",
    ),
    (
        needs_exp,
        "def _exp(x):\n    try:\n        return math.exp(x)\n    except OverflowError:\n        \
         return math.inf\n\n",
    ),
    (
        |line| is1(line, &[Unary::Log]),
        "def _log(x):\n    return math.log(x) if x > 0.0 else -math.inf if x == 0.0 else math.nan\n\n",
    ),
    (
        |line| is1(line, &[Unary::Sqrt]),
        "def _sqrt(x):\n    return math.nan if x < 0.0 else math.sqrt(x)\n\n",
    ),
    (
        |line| is1(line, &PARTIAL),
        "def _partial(f, x):\n    try:\n        return f(x)\n    except ValueError:\n        \
         return math.nan\n\n",
    ),
    (
        |line| is1(line, &[Unary::Sinh]),
        "def _sinh(x):\n    try:\n        return math.sinh(x)\n    except OverflowError:\n        \
         return math.copysign(math.inf, x)\n\n",
    ),
    (
        |line| is1(line, &[Unary::Cosh]),
        "def _cosh(x):\n    try:\n        return math.cosh(x)\n    except OverflowError:\n        \
         return math.inf\n\n",
    ),
    (
        is_power,
        "def _pow(x, y):\n    odd = y == math.trunc(y) and y % 2.0 == 1.0 if math.isfinite(y) else False\n    \
         try:\n        return math.pow(x, y)\n    except OverflowError:\n        \
         return -math.inf if x < 0.0 and odd else math.inf\n    except ValueError:\n        \
         if x != 0.0:\n            return math.nan\n        \
         return math.copysign(math.inf, x) if odd else math.inf\n\n",
    ),
    (
        |line| is1(line, &[Unary::Sigmoid]),
        "def _sigmoid(x):\n    if x >= 0.0:\n        return 1.0 / (1.0 + _exp(-x))\n    \
         e = _exp(x)\n    return e / (1.0 + e)\n\n",
    ),
    (
        |line| is1(line, &[Unary::Softplus]),
        "def _log_one_plus(x):\n    y = 1.0 + x\n    \
         return x if y == 1.0 else math.log(y) * (x / (y - 1.0))\n\n\
         def _softplus(x):\n    \
         return x + _log_one_plus(_exp(-x)) if x > 0.0 else _log_one_plus(_exp(x))\n\n",
    ),
    (
        |line| is1(line, &[Unary::Relu]),
        "def _relu(x):\n    return 0.0 if x <= 0.0 else x\n\n",
    ),
    (
        |line| is1(line, &[Unary::Sign]),
        "def _sign(x):\n    return 1.0 if x > 0.0 else -1.0 if x < 0.0 else x\n\n",
    ),
    (
        |line| is1(line, &[Unary::Step]),
        "def _step(x):\n    return 1.0 if x > 0.0 else 0.0 if x <= 0.0 else x\n\n",
    ),
    (
        |line| is1(line, &[Unary::Positive]),
        "def _positive(x):\n    return 1.0 if x == 0.0 else x\n\n",
    ),
    (
        |line| is2(line, Binary::Min),
        "def _min(x, y):\n    return x if x < y else y if x >= y else x + y\n\n",
    ),
    (
        |line| is2(line, Binary::Max),
        "def _max(x, y):\n    return x if x > y else y if x <= y else x + y\n\n",
    ),
    (
        |line| is2(line, Binary::Above),
        "def _above(x, y):\n    \
         return 1.0 if x > y else 0.0 if x < y else 0.5 if x == y else x + y\n\n",
    ),
    (
        |line| is2(line, Binary::Scale),
        "def _scale(x, y):\n    return 0.0 if x == 0.0 else x * y\n\n",
    ),
];

impl Python {
    /// The result and what earlier parts have left, at the beginning of a function.
    fn room(&self, of: &Written<'_>, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "    y = [0.0] * {}", of.graph().results().len())
    }
}

impl Dialect for Python {
    fn name(&self, unit: &str, suffix: &str) -> String {
        names::unless_taken(format!("{}{suffix}", names::ascii(unit)), TAKEN)
    }

    fn head(&self, unit: &Unit, all: &[Written<'_>], out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "# {}, staged by frank.", unit.name)?;
        writeln!(out, "import math\n\n")?;
        helpers(HELPERS, all, out)
    }

    fn open(&self, unit: &Unit, part: &Part<'_>, out: &mut dyn Write) -> io::Result<()> {
        let of = part.of;
        if of.is_whole() {
            writeln!(out, "def {}(x):", of.name)?;
            comment(unit, of, out)?;
            return self.room(of, out);
        }
        writeln!(out, "def _{}_part{}(x, y, w):", of.name, part.number + 1)
    }

    fn close(&self, part: &Part<'_>, out: &mut dyn Write) -> io::Result<()> {
        match part.of.is_whole() {
            true => writeln!(out, "    return y\n\n"),
            false => writeln!(out, "    return\n\n"),
        }
    }

    fn joined(&self, unit: &Unit, of: &Written<'_>, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "def {}(x):", of.name)?;
        comment(unit, of, out)?;
        self.room(of, out)?;
        writeln!(out, "    w = [0.0] * {}", of.cut.size)?;
        for number in 1..=of.cut.parts.len() {
            writeln!(out, "    _{}_part{number}(x, y, w)", of.name)?;
        }
        writeln!(out, "    return y\n\n")
    }

    fn tail(&self, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    fn float(&self, number: f64) -> String {
        numbers::in_parentheses(number, "math.inf", "math.nan")
    }

    fn input(&self, place: usize) -> String {
        format!("x[{place}]")
    }

    fn local(&self, line: usize) -> String {
        format!("v{line}")
    }

    fn slot(&self, slot: u32) -> String {
        format!("w[{slot}]")
    }

    fn one(&self, unary: Unary, x: &str) -> String {
        match unary {
            Unary::Negate => format!("-{x}"),
            Unary::Recip => format!("_divide(1.0, {x})"),
            Unary::PowInt(i) => format!("_pow({x}, {})", self.float(i as f64)),
            Unary::PowReal(y) => format!("_pow({x}, {})", self.float(y)),
            Unary::Abs => format!("abs({x})"),
            Unary::Atan | Unary::Tanh => format!("math.{}({x})", unary.name()),
            Unary::Sin | Unary::Cos | Unary::Tan | Unary::Asin | Unary::Acos => {
                format!("_partial(math.{}, {x})", unary.name())
            }
            Unary::Exp
            | Unary::Log
            | Unary::Sqrt
            | Unary::Sinh
            | Unary::Cosh
            | Unary::Sigmoid
            | Unary::Softplus
            | Unary::Relu
            | Unary::Sign
            | Unary::Step
            | Unary::Positive => format!("_{}({x})", unary.name()),
        }
    }

    fn two(&self, binary: Binary, x: &str, y: &str) -> String {
        match binary {
            Binary::Plus => format!("{x} + {y}"),
            Binary::Minus => format!("{x} - {y}"),
            Binary::Times => format!("{x} * {y}"),
            Binary::Divide
            | Binary::Pow
            | Binary::Min
            | Binary::Max
            | Binary::Above
            | Binary::Scale => {
                format!("_{}({x}, {y})", binary.name())
            }
        }
    }

    fn set_local(&self, line: usize, value: &str) -> String {
        format!("    v{line} = {value}")
    }

    fn set_slot(&self, slot: u32, value: &str) -> String {
        format!("    w[{slot}] = {value}")
    }

    fn set_result(&self, place: usize, value: &str) -> String {
        format!("    y[{place}] = {value}")
    }
}

fn comment(unit: &Unit, of: &Written<'_>, out: &mut dyn Write) -> io::Result<()> {
    for line in meanings(unit, of.function) {
        writeln!(out, "    # {line}")?;
    }
    Ok(())
}
