//! A Frank program in a row over the library `ad`: it can be differentiated again.

use std::io::{self, Write};

use crate::graph::{Binary, Line, Operand, Unary};
use crate::numbers;
use crate::unit::Unit;

/// A name that no variable of the code has, and that Frank knows.
fn name(unit: &str, suffix: &str) -> String {
    format!("{unit}Staged{}", camel(suffix))
}

/// `_derivatives` as `Derivatives`.
fn camel(suffix: &str) -> String {
    let words = suffix.split('_').filter(|word| !word.is_empty());
    words
        .map(|word| {
            let mut letters = word.chars();
            let first = letters.next().map(|first| first.to_ascii_uppercase());
            first.into_iter().chain(letters).collect::<String>()
        })
        .collect()
}

/// A float as an argument.
fn float(number: f64) -> String {
    match number {
        number if number.is_nan() => "(0.0 / 0.0)".to_owned(),
        number if number.is_infinite() && number > 0.0 => "(1.0 / 0.0)".to_owned(),
        number if number.is_infinite() => "(-(1.0 / 0.0))".to_owned(),
        number => numbers::in_parentheses(number, "", ""),
    }
}

fn operand(operand: Operand) -> String {
    match operand {
        Operand::Input(i) => format!("x{i}"),
        Operand::Line(i) => format!("v{i}"),
        Operand::Number(number) => format!("(ap0 (constE {}))", float(number)),
    }
}

fn value(line: &Line) -> String {
    match *line {
        Line::One(unary, x) => {
            let operation = match unary {
                Unary::PowInt(i) if i < 0 => format!("(powIntE (-{}))", i.unsigned_abs()),
                Unary::PowInt(i) => format!("(powIntE {i})"),
                Unary::PowReal(y) => format!("(powRealE {})", float(y)),
                other => other.constructor().to_owned(),
            };
            format!("ap1 {operation} {}", operand(x))
        }
        Line::Two(binary, x, y) => match binary {
            Binary::Plus => format!("p {} {}", operand(x), operand(y)),
            Binary::Times => format!("t {} {}", operand(x), operand(y)),
            other => format!("ap2 {} {} {}", other.constructor(), operand(x), operand(y)),
        },
    }
}

/// Writes each function as an operator from the list of its variables to the list of its results.
pub(crate) fn write(unit: &Unit, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "include ad")?;
    for function in &unit.functions {
        let graph = &function.graph;
        let name = name(&unit.name, &function.suffix);
        let (mut inputs, mut rest) = (Vec::new(), Vec::new());
        for (i, input) in unit.inputs.iter().enumerate() {
            inputs.push(format!("x{i}"));
            rest.push(format!("-- x{i} = {input}"));
        }
        writeln!(
            out,
            "\n-- The results of `{}`: {}.",
            unit.name,
            function.results.join(", ")
        )?;
        writeln!(out, "{}", rest.join("\n"))?;
        writeln!(out, "{name} : List X -> [Smooth X] (List X)")?;
        writeln!(out, "{name} [{}] =", inputs.join(", "))?;
        for (i, line) in graph.lines().iter().enumerate() {
            writeln!(out, "  let v{i} = {} in", value(line))?;
        }
        let results: Vec<String> = graph.results().iter().map(|r| operand(*r)).collect();
        writeln!(out, "  [{}]", results.join(", "))?;
        writeln!(
            out,
            "{name} _ = fail \"`{name}`: its list has {} numbers\"",
            graph.inputs()
        )?;
    }
    Ok(())
}
