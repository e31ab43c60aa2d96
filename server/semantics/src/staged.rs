//! Graphs of staged programs, read from values and run.

use frank_staging::{Binary, Graph, Line, Operand, Unary, WrongPoint};

use crate::rules::Semantics;
use crate::state::Value;

/// What is told of a graph that there cannot be.
type Reason = String;

impl Semantics<'_> {
    /// The results of a graph for a list of numbers, or why it has none; `None` if these are other values.
    pub(crate) fn run_staged(&self, graph: Value, xs: Value) -> Option<Result<Vec<f64>, Reason>> {
        let (_, [Value::Int(inputs), Value::Int(initial), lines, results]) =
            self.taken_apart(graph)?
        else {
            return None;
        };
        let lines: Option<Result<Vec<Line>, Reason>> = self
            .items(*lines)
            .into_iter()
            .map(|line| self.line(line))
            .collect();
        let results: Option<Result<Vec<Operand>, Reason>> = self
            .items(*results)
            .into_iter()
            .map(|one| self.operand(one))
            .collect();
        let xs = self.items(xs).into_iter().map(|x| match x {
            Value::Float(x) => Some(x),
            _ => None,
        });
        let xs: Vec<f64> = xs.collect::<Option<_>>()?;
        let (lines, results) = (lines?, results?);
        Some(run((*inputs, *initial), lines, results, &xs))
    }

    pub(crate) fn taken_apart(&self, value: Value) -> Option<(&str, &[Value])> {
        let Value::Data(id) = value else {
            return None;
        };
        let data = &self.store.data[id];
        let constructor = &self.program.constructors[data.constructor?];
        Some((&constructor.name, &data.args))
    }

    pub(crate) fn items(&self, list: Value) -> Vec<Value> {
        let mut items = Vec::new();
        let mut rest = list;
        while let Some((first, others)) = self.uncons(rest) {
            items.push(first);
            rest = others;
        }
        items
    }

    fn line(&self, line: Value) -> Option<Result<Line, Reason>> {
        Some(match self.taken_apart(line)?.1 {
            [unary, x] => {
                let unary = self.unary(*unary)?;
                self.operand(*x)?.map(|x| Line::One(unary, x))
            }
            [binary, x, y] => {
                let binary = Binary::named(self.taken_apart(*binary)?.0)?;
                let (x, y) = (self.operand(*x)?, self.operand(*y)?);
                x.and_then(|x| Ok(Line::Two(binary, x, y?)))
            }
            _ => return None,
        })
    }

    pub(crate) fn unary(&self, unary: Value) -> Option<Unary> {
        match self.taken_apart(unary)? {
            (_, [Value::Int(exponent)]) => Some(Unary::PowInt(*exponent)),
            (_, [Value::Float(exponent)]) => Some(Unary::PowReal(*exponent)),
            (name, _) => Unary::plain(name),
        }
    }

    fn operand(&self, operand: Value) -> Option<Result<Operand, Reason>> {
        let place = |what: &str, place: i64| {
            usize::try_from(place).map_err(|_| format!("there is no {what} {place}"))
        };
        match self.taken_apart(operand)? {
            ("inputOf", [Value::Int(i)]) => Some(place("input", *i).map(Operand::Input)),
            ("lineOf", [Value::Int(i)]) => Some(place("line", *i).map(Operand::Line)),
            (_, [Value::Float(number)]) => Some(Ok(Operand::Number(*number))),
            _ => None,
        }
    }
}

fn run(
    (inputs, initial): (i64, i64),
    lines: Result<Vec<Line>, Reason>,
    results: Result<Vec<Operand>, Reason>,
    xs: &[f64],
) -> Result<Vec<f64>, Reason> {
    let size = |number: i64, what: &str| {
        usize::try_from(number).map_err(|_| format!("a graph has no {number} {what}"))
    };
    let initial = size(initial, "lines of the initial program")?;
    let inputs = size(inputs, "inputs")?;
    let graph = Graph::new(inputs, initial, lines?, results?);
    let graph = graph.map_err(|reason| reason.to_string())?;
    let numbers = xs.len();
    match numbers == inputs {
        true => Ok(graph.run(xs)),
        false => Err(WrongPoint { numbers, inputs }.to_string()),
    }
}
