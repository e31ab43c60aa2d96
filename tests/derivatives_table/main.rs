//! The primitives of the library `ad` at the edges of their domains, beside what JAX makes of them.
//!
//! `jax.txt` has JAX's values, first and second derivatives (`generate.py` wrote it). Each of them is
//! compared with what every mode of `ad` gives: equal, to a relative 10⁻¹² and with the same sign of
//! zero, or one of the differences that `differences.rs` lists, each with its reason. The page
//! `docs/derivatives.md` has the same list. `UPDATE_EXPECT=1` writes it there.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests fail by panicking"
)]

mod differences;
mod page;

use std::fmt::Write;

use frank_analysis::file_findings::file_diagnostics;
use frank_analysis::files::Files;
use frank_interpreter::Limits;
use frank_tests::run::run_main;

use differences::DIFFERENCES;

/// What is computed of a primitive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    Value,
    First,
    Second,
}

/// How a column of the table is computed in Frank: with `f`, the operands `x` and `y`.
struct Mode {
    /// What the book calls it.
    name: &'static str,
    term: &'static str,
}

/// A column of the table.
struct Column {
    order: Order,
    /// The derivative, as a difference names it.
    name: &'static str,
    modes: &'static [Mode],
}

const fn mode(name: &'static str, term: &'static str) -> Mode {
    Mode { name, term }
}

const ONE: [Column; 3] = [
    Column {
        order: Order::Value,
        name: "value",
        modes: &[mode("evaluate", "evaluate (f x)")],
    },
    Column {
        order: Order::First,
        name: "d/dx",
        modes: &[
            mode("d", "evaluate (d {z -> f z} x)"),
            mode("grad", "evaluate (grad {z -> f z} x)"),
            mode("gradc", "evaluate (gradc {z -> f z} x)"),
        ],
    },
    Column {
        order: Order::Second,
        name: "d²/dx²",
        modes: &[
            mode("d∘d", "evaluate (d {w -> d {z -> f z} w} x)"),
            mode("d∘grad", "evaluate (d {w -> grad {z -> f z} w} x)"),
            mode("grad∘d", "evaluate (grad {w -> d {z -> f z} w} x)"),
            mode("grad∘grad", "evaluate (grad {w -> grad {z -> f z} w} x)"),
        ],
    },
];

const TWO: [Column; 6] = [
    Column {
        order: Order::Value,
        name: "value",
        modes: &[mode("evaluate", "evaluate (f (c x) (c y))")],
    },
    Column {
        order: Order::First,
        name: "d/dx",
        modes: &[
            mode("d", "evaluate (d {z -> f z (c y)} x)"),
            mode("grad", "evaluate (grad {z -> f z (c y)} x)"),
            mode("gradc", "evaluate (gradc {z -> f z (c y)} x)"),
        ],
    },
    Column {
        order: Order::First,
        name: "d/dy",
        modes: &[
            mode("d", "evaluate (d {z -> f (c x) z} y)"),
            mode("grad", "evaluate (grad {z -> f (c x) z} y)"),
            mode("gradc", "evaluate (gradc {z -> f (c x) z} y)"),
        ],
    },
    Column {
        order: Order::Second,
        name: "d²/dx²",
        modes: &[
            mode("d∘d", "evaluate (d {w -> d {z -> f z (c y)} w} x)"),
            mode("d∘grad", "evaluate (d {w -> grad {z -> f z (c y)} w} x)"),
            mode(
                "grad∘grad",
                "evaluate (grad {w -> grad {z -> f z (c y)} w} x)",
            ),
        ],
    },
    Column {
        order: Order::Second,
        name: "d²/dx dy",
        modes: &[
            mode("d∘d", "evaluate (d {w -> d {z -> f z (lift w)} (c x)} y)"),
            mode(
                "d∘grad",
                "evaluate (d {w -> grad {z -> f z (liftr w)} (c x)} y)",
            ),
            mode(
                "grad∘grad",
                "evaluate (grad {w -> grad {z -> f z (liftr w)} (c x)} y)",
            ),
        ],
    },
    Column {
        order: Order::Second,
        name: "d²/dy²",
        modes: &[
            mode("d∘d", "evaluate (d {w -> d {z -> f (c x) z} w} y)"),
            mode("d∘grad", "evaluate (d {w -> grad {z -> f (c x) z} w} y)"),
            mode(
                "grad∘grad",
                "evaluate (grad {w -> grad {z -> f (c x) z} w} y)",
            ),
        ],
    },
];

/// The columns of a primitive with so many operands.
fn columns(operands: usize) -> &'static [Column] {
    match operands {
        1 => &ONE,
        _ => &TWO,
    }
}

/// A primitive with all its rows.
struct Table {
    primitive: String,
    operands: usize,
    rows: Vec<Row>,
}

struct Row {
    operands: Vec<f64>,
    /// JAX's numbers, one for each column.
    jax: Vec<f64>,
}

/// A number that `ad` computes otherwise than JAX.
pub struct Difference {
    pub primitive: String,
    pub operands: Vec<f64>,
    pub order: Order,
    pub column: &'static str,
    pub mode: &'static str,
    pub ours: f64,
    pub jax: f64,
}

/// The table in `jax.txt`.
fn tables() -> Vec<Table> {
    let mut tables: Vec<Table> = Vec::new();
    for line in include_str!("jax.txt").lines() {
        if line.starts_with('#') {
            continue;
        }
        let mut words = line.split('\t');
        let primitive = words.next().unwrap();
        let numbers: Vec<f64> = words.map(|word| word.parse().unwrap()).collect();
        let operands = match numbers.len() {
            4 => 1,
            8 => 2,
            other => panic!("{other} numbers in {line}"),
        };
        if tables.last().is_none_or(|last| last.primitive != primitive) {
            tables.push(Table {
                primitive: primitive.to_owned(),
                operands,
                rows: Vec::new(),
            });
        }
        tables.last_mut().unwrap().rows.push(Row {
            operands: numbers[..operands].to_vec(),
            jax: numbers[operands..].to_vec(),
        });
    }
    tables
}

/// The term for a primitive, as a function of `x`, and of `y` if it has two operands.
fn term(primitive: &str) -> String {
    let words: Vec<&str> = primitive.split(' ').collect();
    match words.as_slice() {
        // These have other names than the functions of `Float`.
        [
            name @ ("exp" | "log" | "sqrt" | "sin" | "cos" | "tan" | "asin" | "acos" | "atan"
            | "sinh" | "cosh" | "tanh" | "abs" | "sign"),
        ] => format!("{name}S x"),
        [name @ ("pow" | "min" | "max")] => format!("{name}S x y"),
        [name @ ("plus" | "minus" | "times" | "divide")] => format!("{name} x y"),
        ["max", "x", "-x"] => "maxS x (n x)".to_owned(),
        [name @ ("pow" | "max"), "x", "x"] => format!("{name}S x x"),
        ["divide", "x", "x"] => "divide x x".to_owned(),
        [name, exponent] => format!("{name} x ({exponent})"),
        _ => format!("{primitive} x"),
    }
}

/// A number as a term.
fn literal(x: f64) -> String {
    if x.is_nan() {
        "(0.0 / 0.0)".to_owned()
    } else if x.is_infinite() {
        format!("({}1.0 / 0.0)", if x < 0.0 { "-" } else { "" })
    } else {
        format!("({x:?})")
    }
}

/// A program that computes all modes of all columns at all rows of a table: a list of numbers.
fn program(table: &Table) -> String {
    let mut text = "include ad\n\n".to_owned();
    let (parameters, signature) = match table.operands {
        1 => ("x", "X -> [Smooth X] X"),
        _ => ("x y", "X -> X -> [Smooth X] X"),
    };
    let term = term(&table.primitive);
    let _infallible = write!(text, "f : {signature}\nf {parameters} = {term}\n\n");
    let modes = columns(table.operands)
        .iter()
        .flat_map(|column| column.modes);
    let modes: Vec<&str> = modes.map(|mode| mode.term).collect();
    let _infallible = write!(
        text,
        "at : List Float -> [RefState] (List Float)\nat [{}] = [{}]\nat _ = []\n\n",
        parameters.replace(' ', ", "),
        modes.join(", ")
    );
    let points = table.rows.iter().map(|row| {
        let operands: Vec<String> = row.operands.iter().map(|x| literal(*x)).collect();
        format!("[{}]", operands.join(", "))
    });
    let points: Vec<String> = points.collect();
    let _infallible = write!(
        text,
        "main : [RefState] (List Float)\nmain! = concat (map {{xs -> at xs}} [{}])\n",
        points.join(", ")
    );
    text
}

/// What the program of a table gives, one number for each mode of each column of each row.
fn run(table: &Table) -> Vec<f64> {
    let mut files = Files::new(None);
    let root = files.set_text("main.fk", &program(table));
    let diagnostics = file_diagnostics(files.db(), root);
    if let Some(problem) = diagnostics.iter().find(|problem| problem.is_error()) {
        panic!("{}: {}", table.primitive, problem.message);
    }
    let outcome = run_main(&files, root, "", Limits::default());
    let shown = outcome.value.unwrap();
    let numbers = shown.trim_start_matches('[').trim_end_matches(']');
    numbers
        .split(", ")
        .map(|word| word.parse().unwrap())
        .collect()
}

/// Whether two numbers count as the same.
fn same(ours: f64, jax: f64) -> bool {
    if ours.is_nan() || jax.is_nan() {
        return ours.is_nan() && jax.is_nan();
    }
    let signs = ours.is_sign_negative() == jax.is_sign_negative();
    signs && (ours == jax || (ours - jax).abs() <= 1e-12 * jax.abs())
}

/// All differences between the table and `ad`.
fn differences(table: &Table) -> Vec<Difference> {
    let mut ours = run(table).into_iter();
    let mut differences = Vec::new();
    for row in &table.rows {
        for (column, jax) in columns(table.operands).iter().zip(&row.jax) {
            for mode in column.modes {
                let ours = ours.next().unwrap();
                if !same(ours, *jax) {
                    differences.push(Difference {
                        primitive: table.primitive.clone(),
                        operands: row.operands.clone(),
                        order: column.order,
                        column: column.name,
                        mode: mode.name,
                        ours,
                        jax: *jax,
                    });
                }
            }
        }
    }
    assert_eq!(ours.next(), None, "{}", table.primitive);
    differences
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} at {:?}: {} by {} is {:?}, by JAX {:?}",
            self.primitive, self.operands, self.column, self.mode, self.ours, self.jax
        )
    }
}

/// Every difference is listed, and everything listed is one.
#[test]
fn derivatives_are_those_of_jax() {
    let mut used = vec![0; DIFFERENCES.len()];
    let mut failures = Vec::new();
    let mut compared = 0;
    for table in tables() {
        compared += table.rows.len();
        for difference in differences(&table) {
            match DIFFERENCES
                .iter()
                .position(|class| (class.has)(&difference))
            {
                Some(class) => used[class] += 1,
                None => failures.push(difference.to_string()),
            }
        }
    }
    assert!(compared > 4_000, "the table is gone: {compared} rows");
    let total = failures.len();
    assert!(
        failures.is_empty(),
        "{}\n{total} differences are not listed",
        failures.join("\n")
    );
    for (class, used) in DIFFERENCES.iter().zip(used) {
        assert!(
            used > 0,
            "there is no such difference any more: {} at {}",
            class.primitive,
            class.at
        );
    }
}

/// The comparison tells numbers apart that differ.
#[test]
fn what_counts_as_the_same() {
    assert!(same(1.0, 1.0 + 1e-14) && same(f64::NAN, f64::NAN) && same(-0.0, -0.0));
    assert!(same(f64::INFINITY, f64::INFINITY) && same(5e-324, 5e-324));
    for (ours, jax) in [
        (1.0, 1.0 + 1e-11),
        (0.0, -0.0),
        (f64::NAN, 0.0),
        (0.0, f64::NAN),
        (f64::INFINITY, f64::MAX),
        (f64::INFINITY, -f64::INFINITY),
        (5e-324, 0.0),
    ] {
        assert!(!same(ours, jax), "{ours:?} and {jax:?}");
    }
}
