//! Formulas that people read, as text and for LaTeX.

use std::io::{self, Write};

use crate::algebra::{Atom, Atoms, Product, Sum};
use crate::graph::{Graph, Line, Operand};
use crate::unit::Unit;

/// A graph with more operations is no formula that anybody would read.
const LARGEST: usize = 200;
/// Of a larger one so many operations are shown.
const FIRST: usize = 20;

/// How formulas are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    Text,
    Latex,
}

struct Writer<'a> {
    style: Style,
    inputs: &'a [String],
    atoms: &'a Atoms,
}

/// A number, as a whole one if it is one.
fn number(x: f64) -> String {
    match x.fract() == 0.0 && x.abs() < 1e15 {
        true => format!("{x:.0}"),
        false => format!("{x:?}"),
    }
}

fn superscript(text: &str) -> Option<String> {
    let small = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digit = |c: char| c.to_digit(10).and_then(|d| small.get(d as usize).copied());
    text.chars().map(digit).collect()
}

impl Writer<'_> {
    fn latex(&self) -> bool {
        self.style == Style::Latex
    }

    fn input(&self, i: usize) -> String {
        let name = self.inputs.get(i).map_or("x", String::as_str);
        match self.latex() {
            true => variable(name),
            false => name.to_owned(),
        }
    }

    fn bracketed(&self, text: &str) -> String {
        match self.latex() {
            true => format!("\\left({text}\\right)"),
            false => format!("({text})"),
        }
    }

    fn sum(&self, sum: &Sum) -> String {
        let mut text = String::new();
        for product in &sum.0 {
            let sign = product.factor < 0.0;
            text += match (text.is_empty(), sign) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            };
            text += &self.product(product);
        }
        match text.is_empty() {
            true => "0".to_owned(),
            false => text,
        }
    }

    /// A product without its sign.
    fn product(&self, product: &Product) -> String {
        let side = |wanted: f64| {
            let powers = product.powers.iter();
            let powers = powers.filter(move |(_, exponent)| exponent.signum() == wanted);
            powers.map(|(id, exponent)| self.power(*id, exponent.abs()))
        };
        let mut above: Vec<String> = side(1.0).collect();
        let below: Vec<String> = side(-1.0).collect();
        let factor = product.factor.abs();
        if factor != 1.0 || above.is_empty() {
            above.insert(0, number(factor));
        }
        let dot = if self.latex() { " " } else { "·" };
        // Between digits there has to be a dot.
        let joined = |parts: &[String]| {
            let mut text = String::new();
            for part in parts {
                if !text.is_empty() {
                    let digits = part.starts_with(|c: char| c.is_ascii_digit());
                    text += if digits && self.latex() {
                        " \\cdot "
                    } else {
                        dot
                    };
                }
                text += part;
            }
            text
        };
        match (below.is_empty(), self.latex()) {
            (true, _) => joined(&above),
            (false, true) => format!("\\frac{{{}}}{{{}}}", joined(&above), joined(&below)),
            (false, false) if below.len() == 1 => {
                format!("{}/{}", joined(&above), joined(&below))
            }
            (false, false) => format!("{}/({})", joined(&above), joined(&below)),
        }
    }

    fn power(&self, id: usize, exponent: f64) -> String {
        let Some(atom) = self.atoms.get(id) else {
            return String::new();
        };
        let inner = match atom {
            Atom::Group(sum) => self.sum(sum),
            other => self.atom(other),
        };
        let base = match atom {
            Atom::Group(_) => self.bracketed(&inner),
            Atom::Power(..) if exponent != 1.0 => self.bracketed(&inner),
            _ => inner.clone(),
        };
        let exponent_text = number(exponent);
        match (exponent == 1.0, exponent == 0.5, self.latex()) {
            (true, ..) => base,
            (_, true, true) => format!("\\sqrt{{{inner}}}"),
            (_, true, false) if matches!(atom, Atom::Power(..)) => format!("√({inner})"),
            (_, true, false) => format!("√{base}"),
            (_, _, true) => format!("{base}^{{{exponent_text}}}"),
            (_, _, false) => match superscript(&exponent_text) {
                Some(small) => format!("{base}{small}"),
                None => format!("{base}^{exponent_text}"),
            },
        }
    }

    fn atom(&self, atom: &Atom) -> String {
        match atom {
            Atom::Input(i) => self.input(*i),
            Atom::Group(sum) => self.bracketed(&self.sum(sum)),
            Atom::Power(x, y) => {
                let base = match &x.0[..] {
                    [only] if only.factor == 1.0 && only.powers.len() == 1 => self.sum(x),
                    _ => self.bracketed(&self.sum(x)),
                };
                match self.latex() {
                    true => format!("{{{base}}}^{{{}}}", self.sum(y)),
                    false => format!("{base}^({})", self.sum(y)),
                }
            }
            Atom::Function(name, arguments) => {
                let arguments: Vec<String> = arguments.iter().map(|x| self.sum(x)).collect();
                let inner = arguments.join(", ");
                match (*name, self.latex()) {
                    ("exp", true) => format!("e^{{{inner}}}"),
                    ("abs", true) => format!("\\left|{inner}\\right|"),
                    ("abs", false) => format!("|{inner}|"),
                    ("above", _) => {
                        let greater = arguments.join(" > ");
                        match self.latex() {
                            true => format!("\\left[{greater}\\right]"),
                            false => format!("[{greater}]"),
                        }
                    }
                    (
                        "sin" | "cos" | "tan" | "sinh" | "cosh" | "tanh" | "log" | "min" | "max",
                        true,
                    ) => format!("\\{name}{}", self.bracketed(&inner)),
                    ("asin", true) => format!("\\arcsin{}", self.bracketed(&inner)),
                    ("acos", true) => format!("\\arccos{}", self.bracketed(&inner)),
                    ("atan", true) => format!("\\arctan{}", self.bracketed(&inner)),
                    (name, true) => {
                        format!("\\operatorname{{{name}}}{}", self.bracketed(&inner))
                    }
                    (name, false) => format!("{name}({inner})"),
                }
            }
        }
    }
}

/// A name for LaTeX: `xs.1` as `xs` with an index.
fn variable(name: &str) -> String {
    let mut parts = name.split('.');
    let first = parts.next().unwrap_or_default();
    let rest: Vec<&str> = parts.collect();
    // What has a meaning of its own there.
    let escaped: String = first
        .chars()
        .map(|letter| match letter {
            '_' => "\\_".to_owned(),
            '#' => "\\#".to_owned(),
            other => other.to_string(),
        })
        .collect();
    let long = first.chars().filter(|letter| *letter != '\'').count() > 1;
    let own = match long {
        true => format!("\\mathit{{{escaped}}}"),
        false => escaped,
    };
    match rest.is_empty() {
        true => own,
        false => format!("{own}_{{{}}}", rest.join(",")),
    }
}

/// The results of a graph as formulas, or `None` if it has more than [`LARGEST`] operations.
pub(crate) fn formulas(graph: &Graph, inputs: &[String], style: Style) -> Option<Vec<String>> {
    if graph.lines().len() > LARGEST {
        return None;
    }
    let mut atoms = Atoms::default();
    let results = atoms.results(graph);
    let writer = Writer {
        style,
        inputs,
        atoms: &atoms,
    };
    Some(results.iter().map(|sum| writer.sum(sum)).collect())
}

/// What a result is, as LaTeX writes it: of `∂f/∂x` a fraction.
fn meaning(text: &str) -> String {
    let Some((above, below)) = text.split_once('/') else {
        return variable(text);
    };
    let part = |text: &str| {
        let parts = text.split('∂').filter(|part| !part.is_empty());
        let parts: Vec<String> = parts
            .map(|part| match part.strip_prefix('²') {
                Some(rest) => format!("\\partial^2 {}", variable(rest)),
                None => format!("\\partial {}", variable(part)),
            })
            .collect();
        parts.join(" ")
    };
    format!("\\frac{{{}}}{{{}}}", part(above), part(below))
}

/// Writes the last function of a unit, which has all the results, for LaTeX with `amsmath`.
pub(crate) fn write(unit: &Unit, out: &mut dyn Write) -> io::Result<()> {
    let Some(function) = unit.functions.last() else {
        return Ok(());
    };
    let graph = &function.graph;
    let Some(formulas) = formulas(graph, &unit.inputs, Style::Latex) else {
        return first_lines(unit, graph, out);
    };
    writeln!(out, "\\begin{{align*}}")?;
    for (what, formula) in function.results.iter().zip(&formulas) {
        writeln!(out, "  {} &= {formula} \\\\", meaning(what))?;
    }
    writeln!(out, "\\end{{align*}}")
}

/// How a graph begins that is too large for formulas.
fn first_lines(unit: &Unit, graph: &Graph, out: &mut dyn Write) -> io::Result<()> {
    let count = graph.lines().len();
    writeln!(
        out,
        "% {} is too large for a formula: {count} operations. These are the first {FIRST}.",
        unit.name
    )?;
    writeln!(out, "\\begin{{align*}}")?;
    let operand = |operand: Operand| match operand {
        Operand::Input(i) => variable(unit.inputs.get(i).map_or("x", String::as_str)),
        Operand::Line(i) => format!("v_{{{i}}}"),
        Operand::Number(x) => number(x),
    };
    for (i, line) in graph.lines().iter().take(FIRST).enumerate() {
        let names: Vec<String> = line.operands().map(operand).collect();
        // Each line alone is a graph whose inputs are the names of its operands.
        let alone = match *line {
            Line::One(unary, _) => Line::One(unary, Operand::Input(0)),
            Line::Two(binary, ..) => Line::Two(binary, Operand::Input(0), Operand::Input(1)),
        };
        let mut atoms = Atoms::default();
        let results = Graph::new(2, 1, vec![alone], vec![Operand::Line(0)]);
        let sums = results
            .map(|graph| atoms.results(&graph))
            .unwrap_or_default();
        let writer = Writer {
            style: Style::Text,
            inputs: &names,
            atoms: &atoms,
        };
        // The names are LaTeX already.
        let text = sums.first().map(|sum| writer.sum(sum)).unwrap_or_default();
        writeln!(out, "  v_{{{i}}} &= {} \\\\", text.replace('·', " \\cdot "))?;
    }
    writeln!(out, "  &\\;\\;\\vdots\n\\end{{align*}}")
}

/// A line for each result, as text: `∂cube/∂x = 3·x²`; of what is too large a line that says so.
pub(crate) fn lines(unit: &Unit) -> Vec<String> {
    let Some(function) = unit.functions.last() else {
        return Vec::new();
    };
    match formulas(&function.graph, &unit.inputs, Style::Text) {
        Some(formulas) => {
            let all = function.results.iter().zip(formulas);
            all.map(|(what, formula)| format!("{what} = {formula}"))
                .collect()
        }
        None => vec![format!(
            "too large for a formula: {} operations",
            function.graph.lines().len()
        )],
    }
}
