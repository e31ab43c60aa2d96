//! The second stage, in a flat loop: all numbers of a graph in one array, and where each operation finds its own.

use std::fmt;

use crate::graph::{Binary, Graph, Line, Operand, Unary};
use crate::run::{value1, value2};

/// An operation, with the places of its operands.
#[derive(Debug, Clone, Copy)]
pub enum Step {
    One(Unary, u32),
    Two(Binary, u32, u32),
}

/// A point has more or fewer numbers than a graph has inputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrongPoint {
    pub numbers: usize,
    pub inputs: usize,
}

impl fmt::Display for WrongPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inputs = match self.inputs {
            1 => "one input".to_owned(),
            inputs => format!("{inputs} inputs"),
        };
        let numbers = match self.numbers {
            0 => "no number is".to_owned(),
            1 => "one number is".to_owned(),
            numbers => format!("{numbers} numbers are"),
        };
        write!(f, "the graph has {inputs}, and {numbers} given")
    }
}

impl std::error::Error for WrongPoint {}

/// A graph made ready to be run often.
///
/// Its array holds the inputs, then the results of lines, then the numbers that stand in the graph. It stays between
/// runs, so a run allocates nothing.
#[derive(Debug, Clone)]
pub struct Flat {
    inputs: usize,
    steps: Vec<Step>,
    results: Vec<u32>,
    numbers: Vec<f64>,
}

impl Flat {
    /// Makes a graph ready; `None` if it has more operands than 32 bits count.
    pub fn new(graph: &Graph) -> Option<Flat> {
        let (inputs, lines) = (graph.inputs(), graph.lines().len());
        // At most two operands of each line are numbers of their own.
        let most = lines.checked_mul(3)?.checked_add(inputs)?;
        u32::try_from(most.checked_add(graph.results().len())?).ok()?;
        let mut numbers = vec![0.0; inputs + lines];
        let mut place = |operand: Operand| match operand {
            Operand::Input(i) => i as u32,
            Operand::Line(i) => (inputs + i) as u32,
            Operand::Number(number) => {
                numbers.push(number);
                (numbers.len() - 1) as u32
            }
        };
        let steps = graph.lines().iter().map(|line| match *line {
            // What `value1` makes of an exponent, once.
            Line::One(Unary::PowInt(i), x) => {
                Step::Two(Binary::Pow, place(x), place(Operand::Number(i as f64)))
            }
            Line::One(Unary::PowReal(y), x) => {
                Step::Two(Binary::Pow, place(x), place(Operand::Number(y)))
            }
            Line::One(unary, x) => Step::One(unary, place(x)),
            Line::Two(binary, x, y) => Step::Two(binary, place(x), place(y)),
        });
        let steps = steps.collect();
        let results = graph.results().iter().map(|result| place(*result));
        let results = results.collect();
        Some(Flat {
            inputs,
            steps,
            results,
            numbers,
        })
    }

    /// How many inputs it has.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// How many operations a run computes.
    pub fn operations(&self) -> usize {
        self.steps.len()
    }

    /// How many results it has.
    pub fn results(&self) -> usize {
        self.results.len()
    }

    /// How many numbers its array has.
    pub fn size(&self) -> usize {
        self.numbers.len()
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> usize {
        Flat::bytes_for(self.steps.len(), self.numbers.len(), self.results.len())
    }

    /// How many bytes a graph takes in the end, given how many lines, numbers and results it has.
    pub fn bytes_for(lines: usize, numbers: usize, results: usize) -> usize {
        let steps = lines.saturating_mul(size_of::<Step>());
        let numbers = numbers.saturating_mul(size_of::<f64>());
        let results = results.saturating_mul(size_of::<u32>());
        steps.saturating_add(numbers).saturating_add(results)
    }

    /// Sets an input; one that the graph has not is left out.
    pub fn set(&mut self, input: usize, value: f64) {
        let inputs = self.inputs;
        let mut places = self.numbers.iter_mut().take(inputs);
        if let Some(place) = places.nth(input) {
            *place = value;
        }
    }

    /// The operations, in the order in which they are computed. Exponents that are no operands are made some.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The array: the inputs, then the result of each operation, then numbers that stand in the graph.
    pub fn numbers(&mut self) -> &mut [f64] {
        &mut self.numbers
    }

    /// Computes all operations with the inputs that are set.
    pub fn compute(&mut self) {
        self.compute_from(0);
    }

    /// Computes the operations from one on; those before it are computed already.
    pub fn compute_from(&mut self, first: usize) {
        let of = |numbers: &[f64], place: u32| {
            let number = numbers.get(place as usize);
            number.copied().unwrap_or(f64::NAN)
        };
        let steps = self.steps.get(first..).unwrap_or_default();
        for (place, step) in (self.inputs + first..).zip(steps) {
            let value = match *step {
                Step::One(unary, x) => value1(unary, of(&self.numbers, x)),
                Step::Two(binary, x, y) => {
                    value2(binary, of(&self.numbers, x), of(&self.numbers, y))
                }
            };
            if let Some(number) = self.numbers.get_mut(place) {
                *number = value;
            }
        }
    }

    /// A result, once computed; `nan` for one that the graph has not.
    pub fn result(&self, i: usize) -> f64 {
        let place = self.results.get(i).map(|place| *place as usize);
        let number = place.and_then(|place| self.numbers.get(place));
        number.copied().unwrap_or(f64::NAN)
    }

    /// The values of all lines, once computed.
    pub fn lines(&self) -> &[f64] {
        let lines = self.inputs..self.inputs + self.steps.len();
        self.numbers.get(lines).unwrap_or_default()
    }
}

impl Graph {
    /// The results at a point, to the last bit those of the interpreter; what the point lacks is 0. To run a graph more
    /// than once, make it [`Flat`].
    pub fn run(&self, point: &[f64]) -> Vec<f64> {
        let Some(mut flat) = Flat::new(self) else {
            return vec![f64::NAN; self.results().len()];
        };
        for (i, x) in point.iter().enumerate() {
            flat.set(i, *x);
        }
        flat.compute();
        (0..flat.results()).map(|i| flat.result(i)).collect()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn flat(text: &str) -> Flat {
        Flat::new(&Graph::read(text).unwrap()).unwrap()
    }

    #[test]
    fn a_graph_is_run_more_than_once() {
        let mut square = flat(
            "graphOf 2 1 [line2 timesE (inputOf 0) (inputOf 1), line1 (powIntE 3) (lineOf 0), \
             line2 plusE (lineOf 1) (numberOf 0.5)] [lineOf 2, inputOf 1, numberOf 7.0, lineOf 0]",
        );
        for (x, y) in [(2.0, 1.0), (-1.0, 3.0)] {
            square.set(0, x);
            square.set(1, y);
            square.set(2, 99.0);
            square.compute();
            let results: Vec<f64> = (0..square.results()).map(|i| square.result(i)).collect();
            assert_eq!(results, [(x * y) * (x * y) * (x * y) + 0.5, y, 7.0, x * y]);
        }
        assert!(square.result(4).is_nan());
    }

    #[test]
    fn what_has_no_lines_gives_its_inputs_and_numbers() {
        let mut none = flat("graphOf 1 0 [] [inputOf 0, numberOf -0.0]");
        none.set(0, f64::INFINITY);
        none.compute();
        assert_eq!(none.result(0), f64::INFINITY);
        assert!(none.result(1).is_sign_negative());
        assert_eq!(none.lines(), [0.0; 0]);
    }
}
