//! Rust, without dependencies.

use std::io::{self, Write};

use crate::graph::{Binary, Unary};
use crate::straight::{Dialect, Helper, Part, Written, helpers, is1, is2, meanings};
use crate::unit::Unit;
use crate::{names, numbers};

pub(crate) struct Rust;

/// Words that no name can be, and the helpers.
const TAKEN: &[&str] = &[
    "abstract",
    "as",
    "async",
    "await",
    "become",
    "box",
    "break",
    "const",
    "continue",
    "crate",
    "do",
    "dyn",
    "else",
    "enum",
    "extern",
    "f64",
    "false",
    "final",
    "fn",
    "for",
    "gen",
    "if",
    "impl",
    "in",
    "let",
    "loop",
    "macro",
    "main",
    "match",
    "mod",
    "move",
    "mut",
    "override",
    "priv",
    "pub",
    "ref",
    "return",
    "self",
    "Self",
    "static",
    "struct",
    "super",
    "trait",
    "true",
    "try",
    "type",
    "typeof",
    "unsafe",
    "unsized",
    "use",
    "virtual",
    "where",
    "while",
    "yield",
    "_",
    "sigmoid",
    "log_one_plus",
    "softplus",
    "relu",
    "sign",
    "step",
    "positive",
    "min",
    "max",
    "above",
    "scale",
];

const HELPERS: &[Helper] = &[
    (
        |line| is1(line, &[Unary::Sigmoid]),
        "fn sigmoid(x: f64) -> f64 {\n    if x >= 0.0 {\n        return 1.0 / (1.0 + (-x).exp());\n    }\n    \
         let e = x.exp();\n    e / (1.0 + e)\n}\n",
    ),
    (
        |line| is1(line, &[Unary::Softplus]),
        "fn log_one_plus(x: f64) -> f64 {\n    let y = 1.0 + x;\n    \
         if y == 1.0 { x } else { y.ln() * (x / (y - 1.0)) }\n}\n\n\
         fn softplus(x: f64) -> f64 {\n    \
         if x > 0.0 { x + log_one_plus((-x).exp()) } else { log_one_plus(x.exp()) }\n}\n",
    ),
    (
        |line| is1(line, &[Unary::Relu]),
        "fn relu(x: f64) -> f64 {\n    if x <= 0.0 { 0.0 } else { x }\n}\n",
    ),
    (
        |line| is1(line, &[Unary::Sign]),
        "fn sign(x: f64) -> f64 {\n    if x > 0.0 { 1.0 } else if x < 0.0 { -1.0 } else { x }\n}\n",
    ),
    (
        |line| is1(line, &[Unary::Step]),
        "fn step(x: f64) -> f64 {\n    if x > 0.0 { 1.0 } else if x <= 0.0 { 0.0 } else { x }\n}\n",
    ),
    (
        |line| is1(line, &[Unary::Positive]),
        "fn positive(x: f64) -> f64 {\n    if x == 0.0 { 1.0 } else { x }\n}\n",
    ),
    (
        |line| is2(line, Binary::Min),
        "fn min(x: f64, y: f64) -> f64 {\n    if x < y { x } else if x >= y { y } else { x + y }\n}\n",
    ),
    (
        |line| is2(line, Binary::Max),
        "fn max(x: f64, y: f64) -> f64 {\n    if x > y { x } else if x <= y { y } else { x + y }\n}\n",
    ),
    (
        |line| is2(line, Binary::Above),
        "fn above(x: f64, y: f64) -> f64 {\n    if x > y {\n        1.0\n    } else if x < y {\n        0.0\n    } \
         else if x == y {\n        0.5\n    } else {\n        x + y\n    }\n}\n",
    ),
    (
        |line| is2(line, Binary::Scale),
        "fn scale(x: f64, y: f64) -> f64 {\n    if x == 0.0 { 0.0 } else { x * y }\n}\n",
    ),
];

/// The parameters of a function.
fn parameters(of: &Written<'_>) -> String {
    let (inputs, results) = (of.graph().inputs(), of.graph().results().len());
    format!("x: &[f64; {inputs}], y: &mut [f64; {results}]")
}

impl Dialect for Rust {
    fn name(&self, unit: &str, suffix: &str) -> String {
        names::unless_taken(format!("{}{suffix}", names::ascii(unit)), TAKEN)
    }

    fn head(&self, unit: &Unit, all: &[Written<'_>], out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "// {}, staged by frank.\n", unit.name)?;
        helpers(HELPERS, all, out)
    }

    fn open(&self, unit: &Unit, part: &Part<'_>, out: &mut dyn Write) -> io::Result<()> {
        let of = part.of;
        if of.is_whole() {
            comment(unit, of, out)?;
            return writeln!(out, "pub fn {}({}) {{", of.name, parameters(of));
        }
        allow(out)?;
        // Put together again, they would take the compiler hours.
        writeln!(out, "#[inline(never)]")?;
        let (name, number, parameters) = (&of.name, part.number + 1, parameters(of));
        let size = of.cut.size;
        writeln!(
            out,
            "fn {name}_part{number}({parameters}, w: &mut [f64; {size}]) {{"
        )
    }

    fn close(&self, _: &Part<'_>, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "}}\n")
    }

    fn joined(&self, unit: &Unit, of: &Written<'_>, out: &mut dyn Write) -> io::Result<()> {
        comment(unit, of, out)?;
        writeln!(out, "pub fn {}({}) {{", of.name, parameters(of))?;
        let size = of.cut.size;
        // An array of this size might be more than a stack takes.
        writeln!(out, "    let mut w = vec![0.0f64; {size}];")?;
        writeln!(
            out,
            "    let w: &mut [f64; {size}] = w.as_mut_slice().try_into().unwrap();"
        )?;
        for number in 1..=of.cut.parts.len() {
            writeln!(out, "    {}_part{number}(x, y, w);", of.name)?;
        }
        writeln!(out, "}}\n")
    }

    fn tail(&self, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    fn float(&self, number: f64) -> String {
        numbers::in_parentheses(number, "f64::INFINITY", "f64::NAN")
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
            Unary::Recip => format!("1.0 / {x}"),
            Unary::PowInt(i) => self.two(Binary::Pow, x, &self.float(i as f64)),
            Unary::PowReal(y) => self.two(Binary::Pow, x, &self.float(y)),
            Unary::Log => format!("f64::ln({})", bare(x)),
            Unary::Exp
            | Unary::Sqrt
            | Unary::Sin
            | Unary::Cos
            | Unary::Tan
            | Unary::Asin
            | Unary::Acos
            | Unary::Atan
            | Unary::Sinh
            | Unary::Cosh
            | Unary::Tanh
            | Unary::Abs => format!("f64::{}({})", unary.name(), bare(x)),
            Unary::Sigmoid
            | Unary::Softplus
            | Unary::Relu
            | Unary::Sign
            | Unary::Step
            | Unary::Positive => format!("{}({})", unary.name(), bare(x)),
        }
    }

    fn two(&self, binary: Binary, x: &str, y: &str) -> String {
        match binary {
            Binary::Plus => format!("{x} + {y}"),
            Binary::Minus => format!("{x} - {y}"),
            Binary::Times => format!("{x} * {y}"),
            Binary::Divide => format!("{x} / {y}"),
            Binary::Pow => format!("f64::powf({}, {})", bare(x), bare(y)),
            Binary::Min | Binary::Max | Binary::Above | Binary::Scale => {
                format!("{}({}, {})", binary.name(), bare(x), bare(y))
            }
        }
    }

    fn set_local(&self, line: usize, value: &str) -> String {
        format!("    let v{line}: f64 = {value};")
    }

    fn set_slot(&self, slot: u32, value: &str) -> String {
        format!("    w[{slot}] = {};", bare(value))
    }

    fn set_result(&self, place: usize, value: &str) -> String {
        format!("    y[{place}] = {};", bare(value))
    }
}

/// An operand without its parentheses, of which the compiler warns where nothing stands beside it.
fn bare(operand: &str) -> &str {
    let inner = operand.strip_prefix('(');
    let inner = inner.and_then(|inner| inner.strip_suffix(')'));
    inner.unwrap_or(operand)
}

/// Parts need not use all that they are given.
fn allow(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "#[allow(unused_variables, non_snake_case)]")
}

fn comment(unit: &Unit, of: &Written<'_>, out: &mut dyn Write) -> io::Result<()> {
    for line in meanings(unit, of.function) {
        writeln!(out, "/// {line}")?;
    }
    allow(out)
}
