//! What a picture of a staged program has: nodes for inputs, operations and results, and lines between them. A graph
//! that nobody could look at is folded: the operations of a kind are one node.

use std::collections::BTreeMap;

use frank_staging::{Flat, Function, Graph, Line, Operand, Unit, show_float};

use crate::counts::grouped;
use crate::origins::{Counted, Origins};

/// A picture with more nodes is folded.
pub const MOST_NODES: usize = 2000;

/// What a node is, in the order of the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Input,
    /// An operation of the initial program.
    Initial,
    /// An operation of the secondary program.
    Secondary,
    Result,
}

#[derive(Debug, Clone)]
pub struct Node {
    pub kind: Kind,
    pub label: String,
    /// Its value at the point, as text.
    pub value: String,
    /// What is told of it where the pointer rests.
    pub title: String,
    /// The number of the place in the program that it comes of.
    pub place: Option<usize>,
}

/// Where a line ends at its node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Middle,
    Left,
    Right,
}

/// A line from a node to one that needs it.
#[derive(Debug, Clone, Copy)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    pub side: Side,
    /// How many there are in its place.
    pub count: usize,
}

#[derive(Debug, Clone)]
pub struct Picture {
    pub title: String,
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    /// How many operations the initial and the secondary program have.
    pub operations: (usize, usize),
    /// Whether nodes stand for many operations.
    pub folded: bool,
}

impl Picture {
    /// The picture of the last function of a unit, which has all results, at a point, with where its lines stand in the
    /// program. Gives nothing for a unit without functions.
    pub fn of(unit: &Unit, point: &[f64], origins: &Origins) -> Option<Picture> {
        let function = unit.functions.last()?;
        let graph = &function.graph;
        let values = Values::new(graph, point);
        let at: Vec<String> = point.iter().map(|x| short(*x)).collect();
        let all = graph.inputs() + graph.lines().len() + graph.results().len();
        let folded = all > MOST_NODES;
        let (nodes, edges) = match folded {
            false => whole(unit, function, &values, origins),
            true => by_operation(graph, origins),
        };
        let at = match at.len() {
            0..=8 => at.join(", "),
            _ => format!("{}, …", at.get(..8).unwrap_or_default().join(", ")),
        };
        Some(Picture {
            title: format!("{} at {at}", unit.name),
            nodes,
            edges,
            operations: (graph.initial(), graph.lines().len() - graph.initial()),
            folded,
        })
    }
}

/// The values of a graph at a point; nothing of one that is too large to be run.
struct Values(Option<Flat>, Vec<f64>);

impl Values {
    fn new(graph: &Graph, point: &[f64]) -> Values {
        let mut flat = Flat::new(graph);
        if let Some(flat) = &mut flat {
            for (i, x) in point.iter().enumerate() {
                flat.set(i, *x);
            }
            flat.compute();
        }
        Values(flat, point.to_vec())
    }

    fn input(&self, i: usize) -> Option<f64> {
        self.1.get(i).copied()
    }

    fn line(&self, i: usize) -> Option<f64> {
        self.0.as_ref()?.lines().get(i).copied()
    }

    fn operand(&self, operand: Operand) -> Option<f64> {
        match operand {
            Operand::Input(i) => self.input(i),
            Operand::Line(i) => self.line(i),
            Operand::Number(x) => Some(x),
        }
    }
}

/// A number that fits into a node.
fn short(x: f64) -> String {
    if !x.is_finite() {
        return show_float(x);
    }
    let plain = format!("{x}");
    if plain.len() <= 7 {
        return plain;
    }
    let size = x.abs();
    let text = match (1e-3..1e6).contains(&size) {
        true => format!("{x:.4}"),
        false => format!("{x:.3e}"),
    };
    match text.split_once('.') {
        Some(_) if !text.contains('e') => {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        _ => text,
    }
}

fn shown(value: Option<f64>) -> String {
    value.map(short).unwrap_or_default()
}

fn full(value: Option<f64>) -> String {
    let text = |x: f64| format!(" = {}", show_float(x));
    value.map(text).unwrap_or_default()
}

/// What stands in the node of an operation: a number that it has stands there, too.
fn label(line: &Line) -> String {
    let symbol = line.symbol();
    match *line {
        Line::Two(_, Operand::Number(x), _) => format!("{} {symbol} ·", short(x)),
        Line::Two(_, _, Operand::Number(y)) => format!("· {symbol} {}", short(y)),
        _ => symbol,
    }
}

fn half(graph: &Graph, line: usize) -> Kind {
    match line < graph.initial() {
        true => Kind::Initial,
        false => Kind::Secondary,
    }
}

/// A node for each input, operation and result.
fn whole(
    unit: &Unit,
    function: &Function,
    values: &Values,
    origins: &Origins,
) -> (Vec<Node>, Vec<Edge>) {
    let graph = &function.graph;
    let inputs = graph.inputs();
    let input = |i: usize| unit.inputs.get(i).cloned().unwrap_or_default();
    let said = |operand: Operand| match operand {
        Operand::Input(i) => input(i),
        Operand::Line(i) => format!("v{i}"),
        Operand::Number(x) => short(x),
    };
    let place = |operand: Operand| match operand {
        Operand::Input(i) => Some(i),
        Operand::Line(i) => Some(inputs + i),
        Operand::Number(_) => None,
    };
    let mut nodes: Vec<Node> = (0..inputs)
        .map(|i| Node {
            kind: Kind::Input,
            label: input(i),
            value: shown(values.input(i)),
            title: format!("{}{}", input(i), full(values.input(i))),
            place: None,
        })
        .collect();
    let mut edges = Vec::new();
    for (i, line) in graph.lines().iter().enumerate() {
        let operands: Vec<Operand> = line.operands().collect();
        let names: Vec<String> = operands.iter().map(|operand| said(*operand)).collect();
        let kind = half(graph, i);
        let place_of = origins.of(i);
        let program = match kind {
            Kind::Initial => "initial program",
            _ => "secondary program",
        };
        let stands = place_of.map(|place| match kind {
            Kind::Initial => format!(", {}", origins.name(place)),
            _ => format!(", back from {}", origins.name(place)),
        });
        let operation = match &names[..] {
            [x, y] => format!("{x} {} {y}", line.symbol()),
            _ => format!("{} of {}", line.symbol(), names.join(", ")),
        };
        let value = values.line(i);
        nodes.push(Node {
            kind,
            label: label(line),
            value: shown(value),
            title: format!(
                "v{i}: {operation}{}\n{program}{}",
                full(value),
                stands.unwrap_or_default()
            ),
            place: place_of,
        });
        let two = operands.len() > 1 && operands.iter().all(|operand| place(*operand).is_some());
        for (side, operand) in operands.iter().enumerate() {
            let side = match (two, side) {
                (false, _) => Side::Middle,
                (true, 0) => Side::Left,
                (true, _) => Side::Right,
            };
            if let Some(from) = place(*operand) {
                edges.push(Edge {
                    from,
                    to: inputs + i,
                    side,
                    count: 1,
                });
            }
        }
    }
    for (result, what) in graph.results().iter().zip(&function.results) {
        let value = values.operand(*result);
        if let Some(from) = place(*result) {
            edges.push(Edge {
                from,
                to: nodes.len(),
                side: Side::Middle,
                count: 1,
            });
        }
        nodes.push(Node {
            kind: Kind::Result,
            label: what.clone(),
            value: shown(value),
            title: format!("{what}{}", full(value)),
            place: None,
        });
    }
    (nodes, edges)
}

/// What becomes one node: the operations of a half with one symbol, all inputs, all results.
type Folded = (Kind, String);

/// A node for each operation of a half, all inputs and all results, with how many there are.
fn by_operation(graph: &Graph, origins: &Origins) -> (Vec<Node>, Vec<Edge>) {
    let key = |i: usize| {
        let line = graph.lines().get(i);
        (half(graph, i), line.map(Line::symbol).unwrap_or_default())
    };
    let place = |operand: Operand| match operand {
        Operand::Input(_) => Some((Kind::Input, String::new())),
        Operand::Line(i) => Some(key(i)),
        Operand::Number(_) => None,
    };
    let result = (Kind::Result, String::new());
    let mut counts: BTreeMap<Folded, usize> = BTreeMap::new();
    let mut lines: BTreeMap<(Folded, Folded), usize> = BTreeMap::new();
    let mut places: BTreeMap<Folded, Counted> = BTreeMap::new();
    counts.insert((Kind::Input, String::new()), graph.inputs());
    counts.insert(result.clone(), graph.results().len());
    for (i, line) in graph.lines().iter().enumerate() {
        let to = key(i);
        *counts.entry(to.clone()).or_default() += 1;
        places.entry(to.clone()).or_default().add(origins.of(i));
        for from in line.operands().filter_map(place) {
            *lines.entry((from, to.clone())).or_default() += 1;
        }
    }
    for from in graph.results().iter().copied().filter_map(place) {
        *lines.entry((from, result.clone())).or_default() += 1;
    }
    let number = |wanted: &Folded| counts.keys().position(|key| key == wanted);
    let edges = lines.iter().filter(|((from, to), _)| from != to);
    let edges = edges.filter_map(|((from, to), count)| {
        Some(Edge {
            from: number(from)?,
            to: number(to)?,
            side: Side::Middle,
            count: *count,
        })
    });
    let edges = edges.collect();
    let nodes = counts.iter().map(|((kind, symbol), count)| {
        let own = lines.get(&((*kind, symbol.clone()), (*kind, symbol.clone())));
        let (label, what) = match kind {
            Kind::Input => ("inputs".to_owned(), String::new()),
            Kind::Result => ("results".to_owned(), String::new()),
            Kind::Initial => (symbol.clone(), " in the initial program".to_owned()),
            Kind::Secondary => (symbol.clone(), " in the secondary program".to_owned()),
        };
        let own = own.map(|own| format!("\n{own} operands are such operations themselves"));
        let places = places.get(&(*kind, symbol.clone()));
        let listed = places.map(|places| places.listed(origins));
        Node {
            kind: *kind,
            value: grouped(*count),
            title: format!(
                "{} {label}{what}{}{}",
                grouped(*count),
                own.unwrap_or_default(),
                listed.unwrap_or_default()
            ),
            place: places.and_then(Counted::first),
            label,
        }
    });
    (nodes.collect(), edges)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn unit(printed: &str, results: &[&str]) -> Unit {
        let graph = Graph::read(printed).unwrap();
        Unit {
            name: "f".to_owned(),
            inputs: vec!["x".to_owned(), "y".to_owned()],
            functions: vec![Function {
                suffix: String::new(),
                results: results.iter().map(|result| (*result).to_owned()).collect(),
                graph,
            }],
        }
    }

    #[test]
    fn nodes_have_values_and_halves() {
        let unit = unit(
            "graphOf 2 1 [line2 timesE (inputOf 0) (inputOf 1), line2 plusE (lineOf 0) (numberOf 0.5)] [lineOf 1]",
            &["f"],
        );
        let picture = Picture::of(&unit, &[3.0, 4.0], &Origins::default()).unwrap();
        let shown = picture
            .nodes
            .iter()
            .map(|node| (node.kind, &*node.label, &*node.value));
        let expected = [
            (Kind::Input, "x", "3"),
            (Kind::Input, "y", "4"),
            (Kind::Initial, "×", "12"),
            (Kind::Secondary, "· + 0.5", "12.5"),
            (Kind::Result, "f", "12.5"),
        ];
        assert_eq!(shown.collect::<Vec<_>>(), expected);
        let edges = picture.edges.iter().map(|edge| (edge.from, edge.to));
        assert_eq!(edges.collect::<Vec<_>>(), [(0, 2), (1, 2), (2, 3), (3, 4)]);
        assert_eq!(picture.operations, (1, 1));
        assert!(!picture.folded);
    }

    #[test]
    fn what_is_large_is_folded() {
        let mut lines = vec!["line2 timesE (inputOf 0) (inputOf 1)".to_owned()];
        lines.extend((0..3000).map(|i| format!("line1 sinE (lineOf {i})")));
        let printed = format!("graphOf 2 1001 [{}] [lineOf 3000]", lines.join(", "));
        let picture =
            Picture::of(&unit(&printed, &["f"]), &[1.0, 2.0], &Origins::default()).unwrap();
        assert!(picture.folded);
        let shown = picture
            .nodes
            .iter()
            .map(|node| (&*node.label, &*node.value));
        let expected = [
            ("inputs", "2"),
            ("sin", "1,000"),
            ("×", "1"),
            ("sin", "2,000"),
            ("results", "1"),
        ];
        assert_eq!(shown.collect::<Vec<_>>(), expected);
    }
}
