//! The graph itself. Operations are those of the library `ad`, by its names.

use std::fmt;

use crate::numbers;

/// What a line computes with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Operand {
    /// An input, counted from 0.
    Input(usize),
    /// The result of an earlier line, counted from 0.
    Line(usize),
    Number(f64),
}

/// An operation of one operand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Unary {
    Negate,
    Recip,
    PowInt(i64),
    PowReal(f64),
    Exp,
    Log,
    Sqrt,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Sigmoid,
    Softplus,
    Relu,
    Abs,
    Sign,
    Step,
    Positive,
}

/// An operation of two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binary {
    Plus,
    Minus,
    Times,
    Divide,
    Pow,
    Min,
    Max,
    Above,
    Scale,
}

impl Unary {
    /// The name of its constructor in `ad`.
    pub fn constructor(self) -> &'static str {
        match self {
            Unary::Negate => "negateE",
            Unary::Recip => "recipE",
            Unary::PowInt(_) => "powIntE",
            Unary::PowReal(_) => "powRealE",
            Unary::Exp => "expE",
            Unary::Log => "logE",
            Unary::Sqrt => "sqrtE",
            Unary::Sin => "sinE",
            Unary::Cos => "cosE",
            Unary::Tan => "tanE",
            Unary::Asin => "asinE",
            Unary::Acos => "acosE",
            Unary::Atan => "atanE",
            Unary::Sinh => "sinhE",
            Unary::Cosh => "coshE",
            Unary::Tanh => "tanhE",
            Unary::Sigmoid => "sigmoidE",
            Unary::Softplus => "softplusE",
            Unary::Relu => "reluE",
            Unary::Abs => "absE",
            Unary::Sign => "signE",
            Unary::Step => "stepE",
            Unary::Positive => "positiveE",
        }
    }

    /// The operations without an exponent.
    pub const PLAIN: [Unary; 21] = [
        Unary::Negate,
        Unary::Recip,
        Unary::Exp,
        Unary::Log,
        Unary::Sqrt,
        Unary::Sin,
        Unary::Cos,
        Unary::Tan,
        Unary::Asin,
        Unary::Acos,
        Unary::Atan,
        Unary::Sinh,
        Unary::Cosh,
        Unary::Tanh,
        Unary::Sigmoid,
        Unary::Softplus,
        Unary::Relu,
        Unary::Abs,
        Unary::Sign,
        Unary::Step,
        Unary::Positive,
    ];

    /// The operation without an exponent that a constructor of `ad` stands for.
    pub fn plain(constructor: &str) -> Option<Unary> {
        let mut plain = Unary::PLAIN.into_iter();
        plain.find(|unary| unary.constructor() == constructor)
    }

    /// The name of the operation without the mark of constructors: `sin`.
    pub fn name(self) -> &'static str {
        let name = self.constructor();
        name.strip_suffix('E').unwrap_or(name)
    }
}

impl Binary {
    pub const ALL: [Binary; 9] = [
        Binary::Plus,
        Binary::Minus,
        Binary::Times,
        Binary::Divide,
        Binary::Pow,
        Binary::Min,
        Binary::Max,
        Binary::Above,
        Binary::Scale,
    ];

    /// The name of its constructor in `ad`.
    pub fn constructor(self) -> &'static str {
        match self {
            Binary::Plus => "plusE",
            Binary::Minus => "minusE",
            Binary::Times => "timesE",
            Binary::Divide => "divideE",
            Binary::Pow => "powE",
            Binary::Min => "minE",
            Binary::Max => "maxE",
            Binary::Above => "aboveE",
            Binary::Scale => "scaleE",
        }
    }

    /// The operation that a constructor of `ad` stands for.
    pub fn named(constructor: &str) -> Option<Binary> {
        let mut all = Binary::ALL.into_iter();
        all.find(|binary| binary.constructor() == constructor)
    }

    /// The name of the operation without the mark of constructors: `plus`.
    pub fn name(self) -> &'static str {
        let name = self.constructor();
        name.strip_suffix('E').unwrap_or(name)
    }
}

/// An operation with its operands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Line {
    One(Unary, Operand),
    Two(Binary, Operand, Operand),
}

impl Line {
    /// What stands for its operation in a picture: `×`, `sin`, `·^3`.
    pub fn symbol(&self) -> String {
        match *self {
            Line::One(Unary::Negate, _) => "−".to_owned(),
            Line::One(Unary::Recip, _) => "1/·".to_owned(),
            Line::One(Unary::PowInt(i), _) => format!("·^{i}"),
            Line::One(Unary::PowReal(y), _) => format!("·^{}", numbers::short(y)),
            Line::One(unary, _) => unary.name().to_owned(),
            Line::Two(binary, ..) => match binary {
                Binary::Plus => "+".to_owned(),
                Binary::Minus => "−".to_owned(),
                Binary::Times => "×".to_owned(),
                Binary::Divide => "÷".to_owned(),
                other => other.name().to_owned(),
            },
        }
    }

    /// What it computes with.
    pub fn operands(&self) -> impl Iterator<Item = Operand> {
        let (first, second) = match *self {
            Line::One(_, x) => (x, None),
            Line::Two(_, x, y) => (x, Some(y)),
        };
        std::iter::once(first).chain(second)
    }
}

/// Why numbers and operations are no graph. Lines and inputs are counted from 0, as in `lineOf 0`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unsound {
    /// A line, or a result if it is `None`, needs an input that there is not.
    NoInput {
        line: Option<usize>,
        input: usize,
        inputs: usize,
    },
    /// A line needs one that is not before it.
    NoEarlierLine { line: usize, needs: usize },
    /// A result is a line that there is not.
    NoLine { needs: usize, lines: usize },
    /// There are fewer lines than those of the initial program.
    Initial { initial: usize, lines: usize },
}

impl fmt::Display for Unsound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let these = |count: usize, what: &str| match count {
            0 => format!("there is no {what}"),
            1 => format!("there is one {what}, number 0"),
            _ => format!("there are {what}s 0 to {}", count - 1),
        };
        match *self {
            Unsound::NoInput {
                line,
                input,
                inputs,
            } => {
                let who = match line {
                    Some(line) => format!("line {line} needs"),
                    None => "a result is".to_owned(),
                };
                write!(f, "{who} input {input}, and {}", these(inputs, "input"))
            }
            Unsound::NoEarlierLine { line, needs } => write!(
                f,
                "line {line} needs line {needs}, and a line can need earlier ones alone"
            ),
            Unsound::NoLine { needs, lines } => {
                write!(f, "a result is line {needs}, and {}", these(lines, "line"))
            }
            Unsound::Initial { initial, lines } => write!(
                f,
                "{initial} lines are said to be of the initial program, and the graph has {lines}"
            ),
        }
    }
}

impl std::error::Error for Unsound {}

/// Operations in an order in which each needs earlier ones alone. [`Graph::new`] sees to that.
#[derive(Debug, Clone, PartialEq)]
pub struct Graph {
    inputs: usize,
    initial: usize,
    lines: Vec<Line>,
    results: Vec<Operand>,
}

impl Graph {
    /// A graph. The first `initial` lines are those of the initial program, and the others of the secondary one.
    ///
    /// # Errors
    /// An operand is none of the inputs and none of the lines before, or there are not so many lines.
    pub fn new(
        inputs: usize,
        initial: usize,
        lines: Vec<Line>,
        results: Vec<Operand>,
    ) -> Result<Graph, Unsound> {
        let is_input = |line: Option<usize>, operand: Operand| match operand {
            Operand::Input(input) if input >= inputs => Err(Unsound::NoInput {
                line,
                input,
                inputs,
            }),
            _ => Ok(()),
        };
        for (i, line) in lines.iter().enumerate() {
            for operand in line.operands() {
                is_input(Some(i), operand)?;
                if let Operand::Line(needs) = operand
                    && needs >= i
                {
                    return Err(Unsound::NoEarlierLine { line: i, needs });
                }
            }
        }
        for result in &results {
            is_input(None, *result)?;
            if let Operand::Line(needs) = *result
                && needs >= lines.len()
            {
                let lines = lines.len();
                return Err(Unsound::NoLine { needs, lines });
            }
        }
        if initial > lines.len() {
            let lines = lines.len();
            return Err(Unsound::Initial { initial, lines });
        }
        Ok(Graph {
            inputs,
            initial,
            lines,
            results,
        })
    }

    /// How many inputs it has.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// How many of its lines are of the initial program; they come first.
    pub fn initial(&self) -> usize {
        self.initial
    }

    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    pub fn results(&self) -> &[Operand] {
        &self.results
    }

    /// How often each line is an operand or a result.
    pub fn uses(&self) -> Vec<u32> {
        let mut uses = vec![0u32; self.lines.len()];
        let operands = self.lines.iter().flat_map(Line::operands);
        for operand in operands.chain(self.results.iter().copied()) {
            if let Operand::Line(i) = operand
                && let Some(uses) = uses.get_mut(i)
            {
                *uses = uses.saturating_add(1);
            }
        }
        uses
    }
}

impl Graph {
    /// The graph for some of the results, without what only the others need.
    pub fn only(&self, results: std::ops::Range<usize>) -> Graph {
        let results = self.results.get(results).unwrap_or_default();
        let mut needed = vec![false; self.lines.len()];
        let mark = |needed: &mut [bool], operand: Operand| {
            if let Operand::Line(i) = operand
                && let Some(needed) = needed.get_mut(i)
            {
                *needed = true;
            }
        };
        results.iter().for_each(|result| mark(&mut needed, *result));
        for (i, line) in self.lines.iter().enumerate().rev() {
            if needed.get(i) == Some(&true) {
                line.operands()
                    .for_each(|operand| mark(&mut needed, operand));
            }
        }
        let mut places = Vec::with_capacity(self.lines.len());
        let mut count = 0;
        for needed in &needed {
            places.push(count);
            count += usize::from(*needed);
        }
        let moved = |operand: Operand| match operand {
            Operand::Line(i) => Operand::Line(places.get(i).copied().unwrap_or_default()),
            other => other,
        };
        let kept = self.lines.iter().zip(&needed);
        let kept = kept.filter(|(_, needed)| **needed).map(|(line, _)| line);
        let lines = kept.map(|line| match *line {
            Line::One(unary, x) => Line::One(unary, moved(x)),
            Line::Two(binary, x, y) => Line::Two(binary, moved(x), moved(y)),
        });
        Graph {
            inputs: self.inputs,
            initial: places.get(self.initial).copied().unwrap_or(count),
            lines: lines.collect(),
            results: results.iter().map(|result| moved(*result)).collect(),
        }
    }
}
