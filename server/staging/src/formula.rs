//! Formulas that people read, as text and for LaTeX.

use std::io::{self, Write};

use crate::algebra::{Atom, Atoms, Product, Sum};
use crate::graph::{Graph, Line, Operand};
use crate::numbers;
use crate::unit::Unit;

/// A graph with more operations is no formula that anybody would read.
const LARGEST: usize = 200;
/// Neither are formulas with more numbers, variables and functions: what a graph has once a formula has wherever it
/// is used.
const LONGEST: usize = 1000;
/// Of a larger graph so many operations are written.
const FIRST: usize = 20;

/// How formulas are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Style {
    /// For any place that shows text: `3·x²`.
    Text,
    /// For LaTeX: `3 x^{2}`.
    Latex,
}

/// What the results of a unit are, for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Formulas {
    /// What each result is called, and its formula.
    Whole(Vec<(String, String)>),
    /// They would be too long to be read.
    TooLarge {
        /// How many operations there are.
        operations: usize,
        /// What the first of them are called, and what they compute.
        first: Vec<(String, String)>,
    },
}

/// The results of a unit's last function, which has all of them, as formulas; or its first operations, `most` of them
/// at most, if it is too large.
pub fn formulas(unit: &Unit, style: Style, most: usize) -> Formulas {
    let Some(function) = unit.functions.last() else {
        return Formulas::Whole(Vec::new());
    };
    let graph = &function.graph;
    let Some(written) = written(graph, &unit.inputs, style) else {
        return Formulas::TooLarge {
            operations: graph.lines().len(),
            first: first_lines(unit, graph, style, most),
        };
    };
    let called = function.results.iter().map(|result| match style {
        Style::Text => result.clone(),
        Style::Latex => meaning(result),
    });
    Formulas::Whole(called.zip(written).collect())
}

struct Writer<'a> {
    style: Style,
    /// What variables are called in this style.
    inputs: &'a [String],
    atoms: &'a Atoms,
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
        self.inputs.get(i).map_or("x", String::as_str).to_owned()
    }

    fn number(&self, x: f64) -> String {
        match self.style {
            Style::Text => numbers::short(x),
            Style::Latex => numbers::latex(x),
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
        // An exponent that is no number stands above the line.
        let side = |below: bool| {
            let powers = product.powers.iter();
            let powers = powers.filter(move |(_, exponent)| (*exponent < 0.0) == below);
            powers.map(|(id, exponent)| self.power(*id, exponent.abs()))
        };
        let mut above: Vec<String> = side(false).collect();
        let below: Vec<String> = side(true).collect();
        let factor = product.factor.abs();
        if factor != 1.0 || above.is_empty() {
            above.insert(0, self.number(factor));
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
        let exponent_text = self.number(exponent);
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

impl Style {
    fn variable(self, name: &str) -> String {
        match self {
            Style::Text => name.to_owned(),
            Style::Latex => variable(name),
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

/// How many numbers, variables and functions formulas have.
fn length(atoms: &Atoms, sums: &[Sum]) -> usize {
    let mut own: Vec<usize> = Vec::new();
    // The atoms in a sum come before one that has the sum.
    let of = |own: &[usize], sum: &Sum| {
        let powers = sum.0.iter().flat_map(|product| &product.powers);
        let lengths = powers.map(|(id, _)| own.get(*id).copied().unwrap_or(1));
        lengths.fold(sum.0.len(), usize::saturating_add)
    };
    for atom in atoms.all() {
        let inner = match atom {
            Atom::Input(_) => 0,
            Atom::Function(_, arguments) => arguments
                .iter()
                .fold(0, |all: usize, sum| all.saturating_add(of(&own, sum))),
            Atom::Power(x, y) => of(&own, x).saturating_add(of(&own, y)),
            Atom::Group(sum) => of(&own, sum),
        };
        own.push(inner.saturating_add(1));
    }
    sums.iter()
        .fold(0, |all, sum| all.saturating_add(of(&own, sum)))
}

/// The results of a graph as formulas, or `None` if they are too large.
fn written(graph: &Graph, inputs: &[String], style: Style) -> Option<Vec<String>> {
    if graph.lines().len() > LARGEST {
        return None;
    }
    let mut atoms = Atoms::default();
    let results = atoms.results(graph);
    let inputs: Vec<String> = inputs.iter().map(|name| style.variable(name)).collect();
    if length(&atoms, &results) > LONGEST {
        return None;
    }
    let writer = Writer {
        style,
        inputs: &inputs,
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

/// What a graph computes first, that is too large for formulas.
fn first_lines(unit: &Unit, graph: &Graph, style: Style, most: usize) -> Vec<(String, String)> {
    let line_name = |i: usize| match style {
        Style::Text => format!("v{i}"),
        Style::Latex => format!("v_{{{i}}}"),
    };
    let lines = graph.lines().iter().take(most).enumerate();
    let each = lines.map(|(i, line)| {
        // Each line alone is a graph whose inputs are the names of its operands.
        let mut names: Vec<String> = Vec::new();
        let mut alone = |operand: Operand| {
            names.push(match operand {
                Operand::Input(i) => style.variable(unit.inputs.get(i).map_or("x", String::as_str)),
                Operand::Line(i) => line_name(i),
                number @ Operand::Number(_) => return number,
            });
            Operand::Input(names.len() - 1)
        };
        let alone = match *line {
            Line::One(unary, x) => Line::One(unary, alone(x)),
            Line::Two(binary, x, y) => Line::Two(binary, alone(x), alone(y)),
        };
        let mut atoms = Atoms::default();
        let results = Graph::new(2, 1, vec![alone], vec![Operand::Line(0)]);
        let sums = results
            .map(|graph| atoms.results(&graph))
            .unwrap_or_default();
        let writer = Writer {
            style,
            inputs: &names,
            atoms: &atoms,
        };
        let text = sums.first().map(|sum| writer.sum(sum)).unwrap_or_default();
        (line_name(i), text)
    });
    each.collect()
}

/// Writes the last function of a unit for LaTeX with `amsmath`.
pub(crate) fn latex(unit: &Unit, out: &mut dyn Write) -> io::Result<()> {
    let (lines, more) = match formulas(unit, Style::Latex, FIRST) {
        Formulas::Whole(lines) => (lines, ""),
        Formulas::TooLarge { operations, first } => {
            writeln!(out, "% {} is {}", unit.name, too_large(operations, &first))?;
            (first, "  &\\;\\;\\vdots\n")
        }
    };
    writeln!(out, "\\begin{{align*}}")?;
    for (what, formula) in lines {
        writeln!(out, "  {what} &= {formula} \\\\")?;
    }
    writeln!(out, "{more}\\end{{align*}}")
}

/// Writes the last function of a unit as text: a line for each result, such as `∂cube/∂x = 3·x²`.
pub(crate) fn text(unit: &Unit, out: &mut dyn Write) -> io::Result<()> {
    let (lines, more) = match formulas(unit, Style::Text, FIRST) {
        Formulas::Whole(lines) => (lines, ""),
        Formulas::TooLarge { operations, first } => {
            writeln!(out, "{} is {}", unit.name, too_large(operations, &first))?;
            (first, "…\n")
        }
    };
    for (what, formula) in lines {
        writeln!(out, "{what} = {formula}")?;
    }
    write!(out, "{more}")
}

/// What is said of what has no formulas.
fn too_large(operations: usize, first: &[(String, String)]) -> String {
    let shown = first.len();
    let which = match shown < operations {
        true => format!("These are the first {shown}."),
        false => "These are they.".to_owned(),
    };
    format!("too large for a formula: {operations} operations. {which}")
}
