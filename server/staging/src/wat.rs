//! WebAssembly as text. Point and results stand in the module's memory, as the callers's two addresses say; what
//! WebAssembly has no instruction for is imported from `math`, under the names of JavaScript's `Math`.

use std::io::{self, Write};

use crate::graph::{Binary, Line, Unary};
use crate::straight::{Dialect, Helper, Part, Written, helpers, is_power, is1, is2, meanings};
use crate::unit::Unit;
use crate::{names, numbers};

pub(crate) struct Wat;

/// What is imported, and by which operations it is needed.
const IMPORTS: &[(Unary, &[Unary])] = &[
    (Unary::Exp, &[Unary::Exp, Unary::Sigmoid, Unary::Softplus]),
    (Unary::Log, &[Unary::Log, Unary::Softplus]),
    (Unary::Sin, &[Unary::Sin]),
    (Unary::Cos, &[Unary::Cos]),
    (Unary::Tan, &[Unary::Tan]),
    (Unary::Asin, &[Unary::Asin]),
    (Unary::Acos, &[Unary::Acos]),
    (Unary::Atan, &[Unary::Atan]),
    (Unary::Sinh, &[Unary::Sinh]),
    (Unary::Cosh, &[Unary::Cosh]),
    (Unary::Tanh, &[Unary::Tanh]),
];

const HELPERS: &[Helper] = &[
    (
        // JavaScript says `nan` of 1 to a power that is infinite or no number, where IEEE says 1.
        is_power,
        "  (func $power (param $x f64) (param $y f64) (result f64)\n    \
         (if (result f64) (f64.eq (local.get $x) (f64.const 1))\n      (then (f64.const 1))\n      \
         (else (if (result f64) (i32.and (f64.eq (local.get $x) (f64.const -1))\n          \
         (f64.eq (f64.abs (local.get $y)) (f64.const inf)))\n        (then (f64.const 1))\n        \
         (else (call $pow (local.get $x) (local.get $y)))))))\n",
    ),
    (
        |line| is1(line, &[Unary::Sigmoid]),
        "  (func $sigmoid (param $x f64) (result f64) (local $e f64)\n    \
         (if (result f64) (f64.ge (local.get $x) (f64.const 0))\n      \
         (then (f64.div (f64.const 1) (f64.add (f64.const 1) (call $exp (f64.neg (local.get $x))))))\n      \
         (else\n        (local.set $e (call $exp (local.get $x)))\n        \
         (f64.div (local.get $e) (f64.add (f64.const 1) (local.get $e))))))\n",
    ),
    (
        |line| is1(line, &[Unary::Softplus]),
        "  (func $log_one_plus (param $x f64) (result f64) (local $y f64)\n    \
         (local.set $y (f64.add (f64.const 1) (local.get $x)))\n    \
         (if (result f64) (f64.eq (local.get $y) (f64.const 1))\n      (then (local.get $x))\n      \
         (else (f64.mul (call $log (local.get $y))\n        \
         (f64.div (local.get $x) (f64.sub (local.get $y) (f64.const 1)))))))\n  \
         (func $softplus (param $x f64) (result f64)\n    \
         (if (result f64) (f64.gt (local.get $x) (f64.const 0))\n      \
         (then (f64.add (local.get $x) (call $log_one_plus (call $exp (f64.neg (local.get $x))))))\n      \
         (else (call $log_one_plus (call $exp (local.get $x))))))\n",
    ),
    (
        |line| is1(line, &[Unary::Relu]),
        "  (func $relu (param $x f64) (result f64)\n    \
         (select (f64.const 0) (local.get $x) (f64.le (local.get $x) (f64.const 0))))\n",
    ),
    (
        |line| is1(line, &[Unary::Sign]),
        "  (func $sign (param $x f64) (result f64)\n    \
         (select (f64.const 1)\n      \
         (select (f64.const -1) (local.get $x) (f64.lt (local.get $x) (f64.const 0)))\n      \
         (f64.gt (local.get $x) (f64.const 0))))\n",
    ),
    (
        |line| is1(line, &[Unary::Step]),
        "  (func $step (param $x f64) (result f64)\n    \
         (select (f64.const 1)\n      \
         (select (f64.const 0) (local.get $x) (f64.le (local.get $x) (f64.const 0)))\n      \
         (f64.gt (local.get $x) (f64.const 0))))\n",
    ),
    (
        |line| is1(line, &[Unary::Positive]),
        "  (func $positive (param $x f64) (result f64)\n    \
         (select (f64.const 1) (local.get $x) (f64.eq (local.get $x) (f64.const 0))))\n",
    ),
    (
        |line| is2(line, Binary::Min),
        "  (func $min (param $x f64) (param $y f64) (result f64)\n    \
         (select (local.get $x)\n      \
         (select (local.get $y) (f64.add (local.get $x) (local.get $y)) (f64.ge (local.get $x) (local.get $y)))\n      \
         (f64.lt (local.get $x) (local.get $y))))\n",
    ),
    (
        |line| is2(line, Binary::Max),
        "  (func $max (param $x f64) (param $y f64) (result f64)\n    \
         (select (local.get $x)\n      \
         (select (local.get $y) (f64.add (local.get $x) (local.get $y)) (f64.le (local.get $x) (local.get $y)))\n      \
         (f64.gt (local.get $x) (local.get $y))))\n",
    ),
    (
        |line| is2(line, Binary::Above),
        "  (func $above (param $x f64) (param $y f64) (result f64)\n    \
         (select (f64.const 1)\n      \
         (select (f64.const 0)\n        \
         (select (f64.const 0.5) (f64.add (local.get $x) (local.get $y)) (f64.eq (local.get $x) (local.get $y)))\n        \
         (f64.lt (local.get $x) (local.get $y)))\n      \
         (f64.gt (local.get $x) (local.get $y))))\n",
    ),
    (
        |line| is2(line, Binary::Scale),
        "  (func $scale (param $x f64) (param $y f64) (result f64)\n    \
         (select (f64.const 0) (f64.mul (local.get $x) (local.get $y)) (f64.eq (local.get $x) (f64.const 0))))\n",
    ),
];

/// Bytes of a page of memory, and of a float.
const PAGE: usize = 65_536;
const FLOAT: usize = 8;

fn uses(all: &[Written<'_>], is: impl Fn(&Line) -> bool) -> bool {
    all.iter().any(|of| of.has(&is))
}

impl Dialect for Wat {
    fn name(&self, unit: &str, suffix: &str) -> String {
        format!("{}{suffix}", names::ascii(unit))
    }

    fn head(&self, unit: &Unit, all: &[Written<'_>], out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, ";; {}, staged by frank.", unit.name)?;
        writeln!(
            out,
            ";; Each function takes two addresses: of its point x, and of its results y. From `free` on, the memory is\n\
             ;; the caller's, and there is a page of it at least.\n(module"
        )?;
        for (import, by) in IMPORTS {
            if uses(all, |line| is1(line, by)) {
                let name = import.name();
                writeln!(
                    out,
                    "  (import \"math\" \"{name}\" (func ${name} (param f64) (result f64)))"
                )?;
            }
        }
        if uses(all, is_power) {
            writeln!(
                out,
                "  (import \"math\" \"pow\" (func $pow (param f64 f64) (result f64)))"
            )?;
        }
        let of_one = |of: &Written<'_>| {
            let graph = of.graph();
            (graph.inputs() + graph.results().len()) * FLOAT
        };
        let work = all.iter().map(|of| of.cut.size * FLOAT).max().unwrap_or(0);
        let callers = all.iter().map(of_one).max().unwrap_or(0);
        let pages = (work + callers).div_ceil(PAGE) + 1;
        writeln!(out, "  (memory (export \"memory\") {pages})")?;
        writeln!(out, "  (global (export \"free\") i32 (i32.const {work}))\n")?;
        helpers(HELPERS, all, out)
    }

    fn open(&self, unit: &Unit, part: &Part<'_>, out: &mut dyn Write) -> io::Result<()> {
        let of = part.of;
        let number = of.number;
        if of.is_whole() {
            comment(unit, of, out)?;
            writeln!(
                out,
                "  (func (export \"{}\") (param $x i32) (param $y i32)",
                of.name
            )?;
        } else {
            writeln!(
                out,
                "  (func $f{number}_part{} (param $x i32) (param $y i32)",
                part.number + 1
            )?;
        }
        for line in part.lines.clone() {
            writeln!(out, "    (local $v{line} f64)")?;
        }
        Ok(())
    }

    fn close(&self, _: &Part<'_>, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "  )")
    }

    fn joined(&self, unit: &Unit, of: &Written<'_>, out: &mut dyn Write) -> io::Result<()> {
        comment(unit, of, out)?;
        writeln!(
            out,
            "  (func (export \"{}\") (param $x i32) (param $y i32)",
            of.name
        )?;
        for number in 1..=of.cut.parts.len() {
            writeln!(
                out,
                "    (call $f{}_part{number} (local.get $x) (local.get $y))",
                of.number
            )?;
        }
        writeln!(out, "  )")
    }

    fn tail(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, ")")
    }

    fn float(&self, number: f64) -> String {
        format!("(f64.const {})", numbers::plain(number, "inf", "nan"))
    }

    fn input(&self, place: usize) -> String {
        format!("(f64.load offset={} (local.get $x))", place * FLOAT)
    }

    fn local(&self, line: usize) -> String {
        format!("(local.get $v{line})")
    }

    fn slot(&self, slot: u32) -> String {
        format!("(f64.load offset={} (i32.const 0))", slot as usize * FLOAT)
    }

    fn one(&self, unary: Unary, x: &str) -> String {
        match unary {
            Unary::Negate => format!("(f64.neg {x})"),
            Unary::Abs => format!("(f64.abs {x})"),
            Unary::Sqrt => format!("(f64.sqrt {x})"),
            Unary::Recip => format!("(f64.div (f64.const 1) {x})"),
            Unary::PowInt(i) => format!("(call $power {x} {})", self.float(i as f64)),
            Unary::PowReal(y) => format!("(call $power {x} {})", self.float(y)),
            _ => format!("(call ${} {x})", unary.name()),
        }
    }

    fn two(&self, binary: Binary, x: &str, y: &str) -> String {
        match binary {
            Binary::Plus => format!("(f64.add {x} {y})"),
            Binary::Minus => format!("(f64.sub {x} {y})"),
            Binary::Times => format!("(f64.mul {x} {y})"),
            Binary::Divide => format!("(f64.div {x} {y})"),
            Binary::Pow => format!("(call $power {x} {y})"),
            _ => format!("(call ${} {x} {y})", binary.name()),
        }
    }

    fn set_local(&self, line: usize, value: &str) -> String {
        format!("    (local.set $v{line} {value})")
    }

    fn set_slot(&self, slot: u32, value: &str) -> String {
        format!(
            "    (f64.store offset={} (i32.const 0) {value})",
            slot as usize * FLOAT
        )
    }

    fn set_result(&self, place: usize, value: &str) -> String {
        format!(
            "    (f64.store offset={} (local.get $y) {value})",
            place * FLOAT
        )
    }
}

fn comment(unit: &Unit, of: &Written<'_>, out: &mut dyn Write) -> io::Result<()> {
    for line in meanings(unit, of.function) {
        writeln!(out, "  ;; {line}")?;
    }
    Ok(())
}
