//! The graph itself. Operations are those of the library `ad`, by its names.

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
    /// What it computes with.
    pub fn operands(&self) -> impl Iterator<Item = Operand> {
        let (first, second) = match *self {
            Line::One(_, x) => (x, None),
            Line::Two(_, x, y) => (x, Some(y)),
        };
        std::iter::once(first).chain(second)
    }
}

/// Operations in an order in which each needs earlier ones alone. [`Graph::new`] sees to that.
#[derive(Debug, Clone, PartialEq)]
pub struct Graph {
    inputs: usize,
    initial: usize,
    lines: Vec<Line>,
    results: Vec<Operand>,
}

impl Graph {
    /// A graph, unless an operand is none of its inputs and none of the lines before. The first `initial`
    /// lines are those of the initial program, and the others of the secondary one.
    pub fn new(
        inputs: usize,
        initial: usize,
        lines: Vec<Line>,
        results: Vec<Operand>,
    ) -> Option<Graph> {
        let fits = |operand: Operand, lines: usize| match operand {
            Operand::Input(i) => i < inputs,
            Operand::Line(i) => i < lines,
            Operand::Number(_) => true,
        };
        let mut all = lines.iter().enumerate();
        let sound = all.all(|(i, line)| line.operands().all(|operand| fits(operand, i)))
            && results.iter().all(|result| fits(*result, lines.len()))
            && initial <= lines.len();
        sound.then_some(Graph {
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
