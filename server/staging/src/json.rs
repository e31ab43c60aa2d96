//! The graph as JSON: operands are `["input", 0]`, `["line", 0]` or a number; one that JSON lacks is a string.

use std::io::{self, Write};

use crate::graph::{Line, Operand, Unary};
use crate::numbers;
use crate::unit::Unit;

fn number(number: f64) -> String {
    match number.is_finite() {
        true => numbers::plain(number, "", ""),
        false => format!("\"{}\"", numbers::plain(number, "inf", "nan")),
    }
}

fn operand(operand: Operand) -> String {
    match operand {
        Operand::Input(i) => format!("[\"input\",{i}]"),
        Operand::Line(i) => format!("[\"line\",{i}]"),
        Operand::Number(value) => number(value),
    }
}

fn line(line: &Line) -> String {
    match *line {
        Line::One(unary, x) => {
            let exponent = match unary {
                Unary::PowInt(i) => format!(",\"exponent\":{i}"),
                Unary::PowReal(y) => format!(",\"exponent\":{}", number(y)),
                _ => String::new(),
            };
            format!(
                "{{\"operation\":\"{}\"{exponent},\"operands\":[{}]}}",
                unary.name(),
                operand(x)
            )
        }
        Line::Two(binary, x, y) => format!(
            "{{\"operation\":\"{}\",\"operands\":[{},{}]}}",
            binary.name(),
            operand(x),
            operand(y)
        ),
    }
}

/// Items with commas between them, a line each.
fn list<T>(
    items: impl Iterator<Item = T>,
    text: impl Fn(T) -> String,
    out: &mut dyn Write,
) -> io::Result<()> {
    for (i, item) in items.enumerate() {
        let comma = if i == 0 { "" } else { "," };
        write!(out, "{comma}\n{}", text(item))?;
    }
    Ok(())
}

pub(crate) fn write(unit: &Unit, out: &mut dyn Write) -> io::Result<()> {
    let string = |text: &String| serde_json::Value::from(text.as_str()).to_string();
    write!(out, "{{\"name\":{},\"inputs\":[", string(&unit.name))?;
    list(unit.inputs.iter(), string, out)?;
    write!(out, "],\"functions\":[")?;
    for (i, function) in unit.functions.iter().enumerate() {
        let graph = &function.graph;
        let comma = if i == 0 { "" } else { "," };
        let name = string(&format!("{}{}", unit.name, function.suffix));
        write!(
            out,
            "{comma}\n{{\"name\":{name},\"initial\":{},\"lines\":[",
            graph.initial()
        )?;
        list(graph.lines().iter(), line, out)?;
        write!(out, "],\"results\":[")?;
        list(graph.results().iter(), |result| operand(*result), out)?;
        write!(out, "],\"meanings\":[")?;
        list(function.results.iter(), string, out)?;
        write!(out, "]}}")?;
    }
    writeln!(out, "]}}")
}
