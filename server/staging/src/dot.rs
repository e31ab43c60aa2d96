//! The graph for Graphviz: `frank derive … --emit dot | dot -Tsvg`.

use std::io::{self, Write};

use crate::graph::{Graph, Operand};
use crate::numbers;
use crate::unit::Unit;

/// A text in quotes.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Writes the last function of a unit, which has all the results.
pub(crate) fn write(unit: &Unit, out: &mut dyn Write) -> io::Result<()> {
    let Some(function) = unit.functions.last() else {
        return Ok(());
    };
    let graph = &function.graph;
    writeln!(out, "digraph {} {{", quoted(&unit.name))?;
    writeln!(out, "  node [shape=box, fontname=\"sans-serif\"]")?;
    for (i, name) in unit.inputs.iter().enumerate() {
        writeln!(out, "  x{i} [label={}, shape=ellipse]", quoted(name))?;
    }
    for (i, line) in graph.lines().iter().enumerate() {
        let colour = match i < graph.initial() {
            true => "#dbe9ff",
            false => "#ffe3d0",
        };
        let label = quoted(&line.symbol());
        writeln!(
            out,
            "  v{i} [label={label}, style=filled, fillcolor=\"{colour}\"]"
        )?;
        let two = line.operands().count() > 1;
        for (side, operand) in line.operands().enumerate() {
            let side = match (two, side) {
                (false, _) => String::new(),
                (true, side) => format!(" [label=\"{}\", fontsize=8]", side + 1),
            };
            edge(graph, operand, (&format!("v{i}"), &side), out)?;
        }
    }
    for (i, (result, what)) in graph.results().iter().zip(&function.results).enumerate() {
        writeln!(out, "  y{i} [label={}, shape=ellipse]", quoted(what))?;
        edge(graph, *result, (&format!("y{i}"), ""), out)?;
    }
    writeln!(out, "}}")
}

/// An edge from an operand; a number is a node of its own there.
fn edge(
    _: &Graph,
    operand: Operand,
    (to, attributes): (&str, &str),
    out: &mut dyn Write,
) -> io::Result<()> {
    match operand {
        Operand::Input(i) => writeln!(out, "  x{i} -> {to}{attributes}"),
        Operand::Line(i) => writeln!(out, "  v{i} -> {to}{attributes}"),
        Operand::Number(number) => {
            let text = numbers::plain(number, "inf", "nan");
            let side = attributes.contains("\"2\"");
            let own = format!("c_{to}_{}", u8::from(side));
            writeln!(out, "  {own} [label={}, shape=plaintext]", quoted(&text))?;
            writeln!(out, "  {own} -> {to}{attributes}")
        }
    }
}
