//! C, from C11 on: for what is kept from part to part it needs memory of each thread.

use std::io::{self, Write};

use crate::graph::{Binary, Unary};
use crate::straight::{Dialect, Helper, Part, Written, helpers, is1, is2, meanings};
use crate::unit::Unit;
use crate::{names, numbers};

pub(crate) struct C;

const HELPERS: &[Helper] = &[
    (
        |line| is1(line, &[Unary::Sigmoid]),
        "static double op_sigmoid(double x) {\n  if (x >= 0) return 1.0 / (1.0 + exp(-x));\n  \
         double e = exp(x);\n  return e / (1.0 + e);\n}\n",
    ),
    (
        |line| is1(line, &[Unary::Softplus]),
        "static double op_log_one_plus(double x) {\n  double y = 1.0 + x;\n  \
         return y == 1.0 ? x : log(y) * (x / (y - 1.0));\n}\n\n\
         static double op_softplus(double x) {\n  \
         return x > 0 ? x + op_log_one_plus(exp(-x)) : op_log_one_plus(exp(x));\n}\n",
    ),
    (
        |line| is1(line, &[Unary::Relu]),
        "static double op_relu(double x) { return x <= 0 ? 0.0 : x; }\n",
    ),
    (
        |line| is1(line, &[Unary::Sign]),
        "static double op_sign(double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : x; }\n",
    ),
    (
        |line| is1(line, &[Unary::Step]),
        "static double op_step(double x) { return x > 0 ? 1.0 : x <= 0 ? 0.0 : x; }\n",
    ),
    (
        |line| is1(line, &[Unary::Positive]),
        "static double op_positive(double x) { return x == 0 ? 1.0 : x; }\n",
    ),
    (
        |line| is2(line, Binary::Min),
        "static double op_min(double x, double y) { return x < y ? x : x >= y ? y : x + y; }\n",
    ),
    (
        |line| is2(line, Binary::Max),
        "static double op_max(double x, double y) { return x > y ? x : x <= y ? y : x + y; }\n",
    ),
    (
        |line| is2(line, Binary::Above),
        "static double op_above(double x, double y) {\n  \
         return x > y ? 1.0 : x < y ? 0.0 : x == y ? 0.5 : x + y;\n}\n",
    ),
    (
        |line| is2(line, Binary::Scale),
        "static double op_scale(double x, double y) { return x == 0 ? 0.0 : x * y; }\n",
    ),
];

/// The parameters of a function.
fn parameters(of: &Written<'_>) -> String {
    // An array of nothing is none in C.
    let (inputs, results) = (
        of.graph().inputs().max(1),
        of.graph().results().len().max(1),
    );
    format!("const double x[{inputs}], double y[{results}]")
}

/// What keeps values for later parts.
fn work(of: &Written<'_>) -> String {
    format!("{}_work", of.name)
}

impl Dialect for C {
    fn name(&self, unit: &str, suffix: &str) -> String {
        // With a beginning of its own, no name is one of the C library.
        format!("frank_{}{suffix}", names::ascii(unit))
    }

    fn head(&self, unit: &Unit, all: &[Written<'_>], out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "/* {}, staged by frank.", unit.name)?;
        writeln!(
            out,
            "   To compute what Frank computes, compile it with -ffp-contract=off and without -ffast-math. */"
        )?;
        writeln!(out, "#include <math.h>\n")?;
        writeln!(
            out,
            "#ifdef __FAST_MATH__\n#error \"-ffast-math changes what is computed\"\n#endif\n"
        )?;
        if all.iter().any(|of| !of.is_whole()) {
            // Put together again, they would take compilers hours.
            writeln!(
                out,
                "#ifdef __GNUC__\n#define FRANK_PART static __attribute__((noinline)) void\n#else\n\
                 #define FRANK_PART static void\n#endif\n"
            )?;
        }
        helpers(HELPERS, all, out)
    }

    fn open(&self, unit: &Unit, part: &Part<'_>, out: &mut dyn Write) -> io::Result<()> {
        let of = part.of;
        let name = &of.name;
        match (of.is_whole(), part.number) {
            (true, _) => {
                comment(unit, of, out)?;
                return writeln!(out, "void {name}({}) {{", parameters(of));
            }
            (false, 0) => writeln!(
                out,
                "static _Thread_local double {}[{}];\n",
                work(of),
                of.cut.size.max(1)
            )?,
            _ => {}
        }
        let (number, parameters) = (part.number + 1, parameters(of));
        writeln!(
            out,
            "FRANK_PART {name}_part{number}({parameters}, double *w) {{"
        )
    }

    fn close(&self, _: &Part<'_>, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "  (void)x, (void)y;\n}}\n")
    }

    fn joined(&self, unit: &Unit, of: &Written<'_>, out: &mut dyn Write) -> io::Result<()> {
        comment(unit, of, out)?;
        writeln!(out, "void {}({}) {{", of.name, parameters(of))?;
        for number in 1..=of.cut.parts.len() {
            writeln!(out, "  {}_part{number}(x, y, {});", of.name, work(of))?;
        }
        writeln!(out, "}}\n")
    }

    fn tail(&self, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    fn float(&self, number: f64) -> String {
        numbers::in_parentheses(number, "INFINITY", "NAN")
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
            Unary::PowInt(i) => format!("pow({x}, {})", self.float(i as f64)),
            Unary::PowReal(y) => format!("pow({x}, {})", self.float(y)),
            Unary::Abs => format!("fabs({x})"),
            Unary::Exp
            | Unary::Log
            | Unary::Sqrt
            | Unary::Sin
            | Unary::Cos
            | Unary::Tan
            | Unary::Asin
            | Unary::Acos
            | Unary::Atan
            | Unary::Sinh
            | Unary::Cosh
            | Unary::Tanh => format!("{}({x})", unary.name()),
            Unary::Sigmoid
            | Unary::Softplus
            | Unary::Relu
            | Unary::Sign
            | Unary::Step
            | Unary::Positive => format!("op_{}({x})", unary.name()),
        }
    }

    fn two(&self, binary: Binary, x: &str, y: &str) -> String {
        match binary {
            Binary::Plus => format!("{x} + {y}"),
            Binary::Minus => format!("{x} - {y}"),
            Binary::Times => format!("{x} * {y}"),
            Binary::Divide => format!("{x} / {y}"),
            Binary::Pow => format!("pow({x}, {y})"),
            Binary::Min | Binary::Max | Binary::Above | Binary::Scale => {
                format!("op_{}({x}, {y})", binary.name())
            }
        }
    }

    fn set_local(&self, line: usize, value: &str) -> String {
        format!("  const double v{line} = {value};")
    }

    fn set_slot(&self, slot: u32, value: &str) -> String {
        format!("  w[{slot}] = {value};")
    }

    fn set_result(&self, place: usize, value: &str) -> String {
        format!("  y[{place}] = {value};")
    }
}

fn comment(unit: &Unit, of: &Written<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "/* {} */", meanings(unit, of.function).join("\n   "))
}
