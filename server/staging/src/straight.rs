//! Code in a row: one statement for each operation, in functions of a length that compilers take. What a language
//! writes in which way, its [`Dialect`] says.

use std::io::{self, Write};
use std::mem::discriminant;
use std::ops::Range;

use crate::cut::{Cut, LONGEST, Ready};
use crate::graph::{Binary, Graph, Line, Operand, Unary};
use crate::unit::{Function, Unit};

/// A function of a unit, about to be written.
pub(crate) struct Written<'a> {
    /// What it is called in the language.
    pub name: String,
    /// Its number in the unit.
    pub number: usize,
    pub function: &'a Function,
    pub cut: Cut,
    /// A line of each operation that it has.
    kinds: Vec<Line>,
}

impl Written<'_> {
    /// Whether some line is an operation of a kind, whatever its operands and its exponent are.
    pub fn has(&self, kind: impl Fn(&Line) -> bool) -> bool {
        self.kinds.iter().any(kind)
    }

    pub fn graph(&self) -> &Graph {
        &self.function.graph
    }

    /// Whether the function stands in one piece.
    pub fn is_whole(&self) -> bool {
        self.cut.parts.len() == 1
    }
}

/// A part of a function: its number, counted from 0, and its lines.
pub(crate) struct Part<'a> {
    pub of: &'a Written<'a>,
    pub number: usize,
    pub lines: Range<usize>,
}

/// How a language writes what a unit needs.
pub(crate) trait Dialect {
    /// What a function is called, given the unit's name and the function's suffix.
    fn name(&self, unit: &str, suffix: &str) -> String;
    /// What stands before all functions, with the helpers that they need.
    fn head(&self, unit: &Unit, all: &[Written<'_>], out: &mut dyn Write) -> io::Result<()>;
    /// Begins a part; of a function in one piece, the function itself.
    fn open(&self, unit: &Unit, part: &Part<'_>, out: &mut dyn Write) -> io::Result<()>;
    /// Ends it.
    fn close(&self, part: &Part<'_>, out: &mut dyn Write) -> io::Result<()>;
    /// The function that runs its parts one after the other.
    fn joined(&self, unit: &Unit, of: &Written<'_>, out: &mut dyn Write) -> io::Result<()>;
    /// What stands after all functions.
    fn tail(&self, out: &mut dyn Write) -> io::Result<()>;

    fn float(&self, number: f64) -> String;
    fn input(&self, place: usize) -> String;
    fn local(&self, line: usize) -> String;
    fn slot(&self, slot: u32) -> String;
    fn one(&self, unary: Unary, x: &str) -> String;
    fn two(&self, binary: Binary, x: &str, y: &str) -> String;
    fn set_local(&self, line: usize, value: &str) -> String;
    fn set_slot(&self, slot: u32, value: &str) -> String;
    fn set_result(&self, place: usize, value: &str) -> String;
}

/// Writes all functions of a unit.
pub(crate) fn write(dialect: &dyn Dialect, unit: &Unit, out: &mut dyn Write) -> io::Result<()> {
    let functions = unit.functions.iter().enumerate();
    let all: Vec<Written<'_>> = functions
        .map(|(number, function)| Written {
            name: dialect.name(&unit.name, &function.suffix),
            number,
            function,
            cut: Cut::new(&function.graph, LONGEST),
            kinds: kinds(&function.graph),
        })
        .collect();
    dialect.head(unit, &all, out)?;
    for of in &all {
        let ready = Ready::new(of.graph());
        for (number, lines) in of.cut.parts.iter().enumerate() {
            let part = Part {
                of,
                number,
                lines: lines.clone(),
            };
            dialect.open(unit, &part, out)?;
            body(dialect, &part, &ready, out)?;
            dialect.close(&part, out)?;
        }
        if !of.is_whole() {
            dialect.joined(unit, of, out)?;
        }
    }
    dialect.tail(out)
}

/// The statements of a part.
fn body(
    dialect: &dyn Dialect,
    part: &Part<'_>,
    ready: &Ready,
    out: &mut dyn Write,
) -> io::Result<()> {
    let graph = part.of.graph();
    let cut = &part.of.cut;
    let operand = |operand: Operand| match operand {
        Operand::Number(number) => dialect.float(number),
        Operand::Input(place) => dialect.input(place),
        Operand::Line(line) if part.lines.contains(&line) => dialect.local(line),
        // What an earlier part has computed is in a slot.
        Operand::Line(line) => dialect.slot(cut.slot(line).unwrap_or_default()),
    };
    let lines = graph.lines().get(part.lines.clone()).unwrap_or_default();
    for (i, line) in part.lines.clone().zip(lines) {
        let value = match *line {
            Line::One(unary, x) => dialect.one(unary, &operand(x)),
            Line::Two(binary, x, y) => dialect.two(binary, &operand(x), &operand(y)),
        };
        writeln!(out, "{}", dialect.set_local(i, &value))?;
        let local = dialect.local(i);
        if let Some(slot) = cut.slot(i) {
            writeln!(out, "{}", dialect.set_slot(slot, &local))?;
        }
        for place in ready.after(i) {
            writeln!(out, "{}", dialect.set_result(place, &local))?;
        }
    }
    if part.number + 1 == cut.parts.len() {
        for (place, result) in &ready.without {
            writeln!(out, "{}", dialect.set_result(*place, &operand(*result)))?;
        }
    }
    Ok(())
}

/// What a helper is for, and its text.
pub(crate) type Helper = (fn(&Line) -> bool, &'static str);

/// Writes the helpers that some function needs.
pub(crate) fn helpers(
    table: &[Helper],
    all: &[Written<'_>],
    out: &mut dyn Write,
) -> io::Result<()> {
    for (is_for, text) in table {
        if all.iter().any(|of| of.has(is_for)) {
            writeln!(out, "{text}")?;
        }
    }
    Ok(())
}

/// A line of each operation of a graph. Many kinds are asked for, and a long graph is in no cache: it is read once.
fn kinds(graph: &Graph) -> Vec<Line> {
    let is_same = |one: &Line, other: &Line| match (one, other) {
        (Line::One(one, _), Line::One(other, _)) => discriminant(one) == discriminant(other),
        (Line::Two(one, ..), Line::Two(other, ..)) => one == other,
        _ => false,
    };
    let mut kinds: Vec<Line> = Vec::new();
    for line in graph.lines() {
        if !kinds.iter().any(|kind| is_same(kind, line)) {
            kinds.push(*line);
        }
    }
    kinds
}

/// Whether a line is this operation of one operand.
pub(crate) fn is1(line: &Line, wanted: &[Unary]) -> bool {
    matches!(line, Line::One(unary, _) if wanted.contains(unary))
}

/// Whether a line is this operation of two operands.
pub(crate) fn is2(line: &Line, wanted: Binary) -> bool {
    matches!(line, Line::Two(binary, ..) if *binary == wanted)
}

/// Whether a line is a power.
pub(crate) fn is_power(line: &Line) -> bool {
    is2(line, Binary::Pow) || matches!(line, Line::One(Unary::PowInt(_) | Unary::PowReal(_), _))
}

/// What inputs and results are, a line each: `x[0] = a`, `y[0] = f a`.
pub(crate) fn meanings(unit: &Unit, function: &Function) -> Vec<String> {
    let inputs = unit.inputs.iter().enumerate();
    let inputs = inputs.map(|(i, name)| format!("x[{i}] = {name}"));
    let results = function.results.iter().enumerate();
    let results = results.map(|(i, what)| format!("y[{i}] = {what}"));
    let few = |all: Vec<String>| {
        let more = all.len().saturating_sub(MOST_MEANINGS);
        let rest = (more > 0).then(|| format!("… and {more} more"));
        let some: Vec<String> = all.into_iter().take(MOST_MEANINGS).chain(rest).collect();
        some
    };
    [few(inputs.collect()), few(results.collect())].concat()
}

/// So many inputs and results are named in a comment.
const MOST_MEANINGS: usize = 16;
