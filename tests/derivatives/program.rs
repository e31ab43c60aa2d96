//! What the random programs are made of: terms whose numbers can be differentiated.

use crate::tables::{Loop, MODES, Mode};

/// A variable or a local function; no two of a case are the same.
pub type Name = usize;

#[derive(Debug, Clone)]
pub enum Term {
    Variable(Name),
    Constant(f64),
    /// The counter of the operator around, as a number.
    Counter,
    One(One, Box<Term>),
    Two(Two, Box<Term>, Box<Term>),
    Let(Name, Box<Term>, Box<Term>),
    /// Computes the first and gives the second.
    Then(Box<Term>, Box<Term>),
    If(Condition, Box<Term>, Box<Term>),
    /// Either, as the handler around decides; or both, one after the other.
    Choose(Box<Term>, Box<Term>),
    Call {
        operator: usize,
        count: Count,
        arguments: Vec<Term>,
    },
    /// A local function, which may use what is around it.
    Function {
        name: Name,
        parameters: Vec<Name>,
        body: Box<Term>,
        rest: Box<Term>,
    },
    Apply(Name, Vec<Term>),
    Fold {
        sum: Name,
        element: Name,
        body: Box<Term>,
        first: Box<Term>,
        list: Vec<Term>,
    },
    Sum(Vec<Term>),
    Dot(Vec<Term>, Vec<Term>),
    Checkpoint(Box<Term>),
    /// A checkpoint of several results.
    Remat {
        results: Vec<Term>,
        names: Vec<Name>,
        rest: Box<Term>,
    },
    /// A loop over some numbers, in so many steps.
    Steps {
        repeat: usize,
        count: usize,
        state: Vec<Name>,
        step: Vec<Term>,
        first: Vec<Term>,
        names: Vec<Name>,
        rest: Box<Term>,
    },
    /// The derivative of a function of some variables at a point, in a direction.
    Derivative {
        mode: usize,
        variables: Vec<Name>,
        body: Box<Term>,
        point: Vec<Term>,
        direction: Vec<Term>,
        /// Whether the numbers of the surrounding computation are lifted where the function
        /// begins, or where they are used.
        lifts_first: bool,
    },
    /// A term of the surrounding computation, computed where it stands and lifted.
    Below(Box<Term>),
}

#[derive(Debug, Clone, Copy)]
pub enum Condition {
    Holds(bool),
    CounterIs(i64),
    CounterAbove(i64),
}

/// What an operator is called with for its counter, if it has one.
#[derive(Debug, Clone, Copy)]
pub enum Count {
    None,
    Of(i64),
    /// One less than the counter of the operator around.
    Less,
}

/// Functions of one operand that stay small near 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum One {
    Negate,
    Square,
    Power(i64),
    Sin,
    Cos,
    Tanh,
    Atan,
    Sigmoid,
    Softplus,
    Relu,
    Abs,
    Sign,
    /// 1 / (1 + x²)
    Bell,
    /// (1 + x²)^-2
    PowerOfBell,
    /// (1 + x²)^1.5
    RealPower,
    /// log (1 + x²)
    LogSquare,
    /// sqrt (1 + x²)
    Hypot,
    /// exp (sin x)
    ExpSin,
    /// tan (sin x)
    TanSin,
    /// sinh (sin x)
    SinhSin,
    /// cosh (sin x)
    CoshSin,
    /// asin (sin x / 2)
    AsinSin,
    /// acos (sin x / 2)
    AcosSin,
}

pub const ONES: [One; 27] = [
    One::Negate,
    One::Square,
    One::Power(0),
    One::Power(1),
    One::Power(2),
    One::Power(3),
    One::Power(5),
    One::Sin,
    One::Cos,
    One::Tanh,
    One::Atan,
    One::Sigmoid,
    One::Softplus,
    One::Relu,
    One::Abs,
    One::Sign,
    One::Bell,
    One::PowerOfBell,
    One::RealPower,
    One::LogSquare,
    One::Hypot,
    One::ExpSin,
    One::TanSin,
    One::SinhSin,
    One::CoshSin,
    One::AsinSin,
    One::AcosSin,
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Two {
    Plus,
    Minus,
    Times,
    /// x / (1 + y²)
    Divide,
    /// (1 + x²) ^ sin y
    Power,
    Min,
    Max,
}

pub const TWOS: [Two; 10] = [
    Two::Plus,
    Two::Plus,
    Two::Minus,
    Two::Times,
    Two::Times,
    Two::Times,
    Two::Divide,
    Two::Power,
    Two::Min,
    Two::Max,
];

/// What an operator may perform, and at which numbers it works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ability {
    Smooth,
    /// Reverse mode can be nested inside.
    Cells,
    Choice,
    Checkpoint,
    /// All that the functions under `gradc` may do.
    All,
}

#[derive(Debug, Clone)]
pub struct Operator {
    pub ability: Ability,
    pub parameters: Vec<Name>,
    /// What it gives when its counter is 0, if it has a counter.
    pub last: Option<Term>,
    pub body: Term,
}

/// How many numbers a function takes and gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Shape {
    /// One number, for one.
    One,
    /// One number, for a list.
    Gradient,
    /// A list, for a list.
    Jacobian,
}

/// A function to differentiate, and where.
#[derive(Debug, Clone)]
pub struct Case {
    /// An operator calls those before it, and itself.
    pub operators: Vec<Operator>,
    pub ability: Ability,
    pub shape: Shape,
    pub parameters: Vec<Name>,
    pub results: Vec<Term>,
    pub point: Vec<f64>,
    /// A number for each parameter.
    pub direction: Vec<f64>,
    /// A number for each result.
    pub weights: Vec<f64>,
}

/// Where a term stands: what it may perform there.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// From the outermost computation to the one that the term belongs to.
    pub levels: Vec<Level>,
    pub cells: bool,
    pub choice: bool,
    pub counter: bool,
}

/// A computation, inside of another one that does not see its numbers as variables.
#[derive(Debug, Clone, PartialEq)]
pub struct Level {
    /// The derivative that it is under; none in the outermost.
    pub mode: Option<&'static Mode>,
    pub checkpoints: bool,
    /// Whether the computation around can be reached: not from inside of a checkpoint.
    pub below: bool,
    /// Whether this is inside of a checkpoint of this level.
    pub checkpointed: bool,
}

impl Place {
    /// Where the body of an operator of this ability stands.
    pub fn of(ability: Ability, counter: bool) -> Place {
        let outermost = Level {
            mode: None,
            checkpoints: false,
            below: false,
            checkpointed: false,
        };
        let mut levels = vec![outermost];
        let under_gradc = MODES.iter().find(|mode| mode.call == "gradc @f @p");
        if let (Ability::Checkpoint | Ability::All, Some(mode)) = (ability, under_gradc) {
            levels.push(Level {
                mode: Some(mode),
                checkpoints: true,
                below: ability == Ability::All,
                checkpointed: false,
            });
        }
        Place {
            levels,
            cells: matches!(ability, Ability::Cells | Ability::All),
            choice: ability == Ability::Choice,
            counter,
        }
    }

    /// The number of the innermost level.
    pub fn level(&self) -> usize {
        self.levels.len() - 1
    }

    fn last(&self) -> &Level {
        &self.levels[self.levels.len() - 1]
    }

    pub fn in_derivative(&self, mode: &'static Mode) -> Place {
        let mut inner = self.clone();
        inner.levels.push(Level {
            mode: Some(mode),
            checkpoints: mode.checkpoints,
            below: true,
            checkpointed: false,
        });
        inner
    }

    pub fn in_checkpoint(&self) -> Place {
        let mut inner = self.clone();
        inner.cells = false;
        if let Some(last) = inner.levels.last_mut() {
            last.below = false;
            last.checkpointed = true;
        }
        inner
    }

    pub fn below(&self) -> Place {
        let mut outer = self.clone();
        outer.levels.pop();
        outer
    }

    pub fn has_checkpoint(&self) -> bool {
        self.last().checkpoints
    }

    pub fn has_remat(&self) -> bool {
        self.has_checkpoint() && self.has_below() && self.cells
    }

    pub fn has_below(&self) -> bool {
        self.last().below
    }

    pub fn has_loop(&self, repeat: &Loop) -> bool {
        self.has_remat() || !repeat.checkpoints
    }

    pub fn has_mode(&self, mode: &Mode) -> bool {
        self.cells || !mode.cells
    }

    /// Whether an operator of that ability can be called here.
    pub fn calls(&self, ability: Ability) -> bool {
        match ability {
            Ability::Smooth => true,
            Ability::Cells => self.cells,
            Ability::Choice => self.choice,
            Ability::Checkpoint => self.has_checkpoint(),
            Ability::All => self.has_remat(),
        }
    }
}

/// The terms that a term is made of, to be read or to be changed.
macro_rules! parts {
    ($term:expr, $part:ty) => {{
        let mut parts: Vec<$part> = Vec::new();
        match $term {
            Term::Variable(_) | Term::Constant(_) | Term::Counter => {}
            Term::One(_, a) | Term::Checkpoint(a) | Term::Below(a) => parts.push(a),
            Term::Two(_, a, b)
            | Term::Let(_, a, b)
            | Term::Then(a, b)
            | Term::If(_, a, b)
            | Term::Choose(a, b)
            | Term::Function {
                body: a, rest: b, ..
            } => {
                parts.push(a);
                parts.push(b);
            }
            Term::Call { arguments, .. } | Term::Apply(_, arguments) | Term::Sum(arguments) => {
                parts.extend(arguments);
            }
            Term::Fold {
                body, first, list, ..
            } => {
                parts.push(body);
                parts.push(first);
                parts.extend(list);
            }
            Term::Dot(left, right) => {
                parts.extend(left);
                parts.extend(right);
            }
            Term::Remat { results, rest, .. } => {
                parts.extend(results);
                parts.push(rest);
            }
            Term::Steps {
                step, first, rest, ..
            } => {
                parts.extend(step);
                parts.extend(first);
                parts.push(rest);
            }
            Term::Derivative {
                body,
                point,
                direction,
                ..
            } => {
                parts.push(body);
                parts.extend(point);
                parts.extend(direction);
            }
        }
        parts
    }};
}

impl Term {
    /// The terms that this one is made of.
    pub fn parts(&self) -> Vec<&Term> {
        parts!(self, &Term)
    }

    /// The same, to change them.
    pub fn parts_mut(&mut self) -> Vec<&mut Term> {
        parts!(self, &mut Term)
    }

    /// Whether this or a part of it is so.
    pub fn any(&self, holds: &mut impl FnMut(&Term) -> bool) -> bool {
        holds(self) || self.parts().into_iter().any(|part| part.any(holds))
    }
}
