//! The derivatives of a case, computed from its terms by the rules of calculus: without handlers,
//! cells, or anything else that the language or its library has.

use crate::numbers::{Number, Series};
use crate::program::{Case, Condition, Count, Name, One, Term, Two};
use crate::tables::MODES;

/// Why a case is not judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Skip {
    /// Numbers so large that rounding shows.
    Huge,
    /// Next to a kink, where rounding decides between two derivatives.
    Kink,
    /// Too many operations.
    Long,
    /// Derivatives of too high an order.
    Deep,
}

const LARGEST: f64 = 1e4;
/// The square of its exponential is still a number.
const LARGEST_OPERAND: f64 = 300.0;
const OPERATIONS: usize = 1200;
const ORDER: usize = 5;

/// How derivatives inside of functions are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    Perturbations,
    /// From values alone: the way to test the other one.
    Differences,
}

#[derive(Debug, Clone)]
enum Value<'a> {
    Number(Number),
    Function(&'a [Name], &'a Term),
}

/// The variables of an operator that runs, and its counter.
#[derive(Debug, Default)]
struct Frame<'a> {
    variables: Vec<(Name, Value<'a>)>,
    counter: i64,
}

impl Frame<'_> {
    fn new(parameters: &[Name], values: Vec<Number>, counter: i64) -> Self {
        let values = values.into_iter().map(Value::Number);
        Frame {
            variables: parameters.iter().copied().zip(values).collect(),
            counter,
        }
    }
}

impl<'a> Frame<'a> {
    fn get(&self, name: Name) -> &Value<'a> {
        let found = self
            .variables
            .iter()
            .rev()
            .find(|(other, _)| *other == name);
        &found.expect("the variable is in scope").1
    }
}

#[derive(Debug)]
pub struct Oracle<'a> {
    case: &'a Case,
    way: Way,
    /// Generators in use.
    generators: usize,
    operations: usize,
    /// The largest coefficient that there was: numbers are as exact as it lets them be.
    pub largest: f64,
    /// Each number is made larger by so much of itself, as coarse rounding might make it.
    rounding: f64,
    /// What choices give, from the first on; those beyond are true.
    choices: Vec<bool>,
    chosen: usize,
}

impl<'a> Oracle<'a> {
    pub fn new(case: &'a Case, way: Way) -> Oracle<'a> {
        Oracle {
            case,
            way,
            generators: 0,
            operations: 0,
            largest: 0.0,
            rounding: 0.0,
            choices: Vec::new(),
            chosen: 0,
        }
    }

    /// The same oracle with coarse rounding: each number is made larger by so much of itself.
    pub fn rounding(self, rounding: f64) -> Oracle<'a> {
        Oracle { rounding, ..self }
    }

    /// The results of the case's function, with the point moved along directions, each by a
    /// generator of its own.
    pub fn results(&mut self, directions: &[&[f64]]) -> Result<Vec<Number>, Skip> {
        self.generators = directions.len();
        self.chosen = 0;
        let moved = |(place, value): (usize, &f64)| {
            let start = Number::new(*value);
            let directions = directions.iter().enumerate();
            directions.fold(start, |number, (generator, direction)| {
                number.perturbed(generator, &Number::new(direction[place]))
            })
        };
        let point = self.case.point.iter().enumerate().map(moved).collect();
        let mut frame = Frame::new(&self.case.parameters, point, 0);
        let results = self.case.results.iter();
        results.map(|term| self.eval(term, &mut frame)).collect()
    }

    /// The same of every way to choose, those first that choose true where others choose false.
    pub fn all_results(&mut self, directions: &[&[f64]]) -> Result<Vec<Vec<Number>>, Skip> {
        let mut all = Vec::new();
        self.choices.clear();
        loop {
            all.push(self.results(directions)?);
            self.choices.resize(self.chosen, true);
            while self.choices.last() == Some(&false) {
                self.choices.pop();
            }
            match self.choices.last_mut() {
                Some(last) => *last = false,
                None => return Ok(all),
            }
        }
    }

    fn eval(&mut self, term: &'a Term, frame: &mut Frame<'a>) -> Result<Number, Skip> {
        self.operations += 1;
        if self.operations > OPERATIONS {
            return Err(Skip::Long);
        }
        let mut number = self.eval_unbounded(term, frame)?;
        for coefficient in &mut number.0 {
            *coefficient *= 1.0 + self.rounding;
            if coefficient.is_nan() || coefficient.abs() > LARGEST {
                return Err(Skip::Huge);
            }
            self.largest = self.largest.max(coefficient.abs());
        }
        Ok(number)
    }

    fn eval_all(&mut self, terms: &'a [Term], frame: &mut Frame<'a>) -> Result<Vec<Number>, Skip> {
        terms.iter().map(|term| self.eval(term, frame)).collect()
    }

    /// A term where some more variables are known.
    fn eval_with(
        &mut self,
        term: &'a Term,
        frame: &mut Frame<'a>,
        variables: impl IntoIterator<Item = (Name, Value<'a>)>,
    ) -> Result<Number, Skip> {
        let before = frame.variables.len();
        frame.variables.extend(variables);
        let result = self.eval(term, frame);
        frame.variables.truncate(before);
        result
    }

    fn eval_unbounded(&mut self, term: &'a Term, frame: &mut Frame<'a>) -> Result<Number, Skip> {
        Ok(match term {
            Term::Variable(name) => match frame.get(*name) {
                Value::Number(number) => number.clone(),
                Value::Function(..) => unreachable!("a function is no number"),
            },
            Term::Constant(value) => Number::new(*value),
            Term::Counter => Number::new(frame.counter as f64),
            Term::One(one, a) => {
                let a = self.eval(a, frame)?;
                self.one(*one, &a)?
            }
            Term::Two(two, a, b) => {
                let (a, b) = (self.eval(a, frame)?, self.eval(b, frame)?);
                self.two(*two, &a, &b)?
            }
            Term::Let(name, a, b) => {
                let a = Value::Number(self.eval(a, frame)?);
                self.eval_with(b, frame, [(*name, a)])?
            }
            Term::Then(a, b) => {
                self.eval(a, frame)?;
                self.eval(b, frame)?
            }
            Term::If(condition, a, b) => {
                let holds = match condition {
                    Condition::Holds(holds) => *holds,
                    Condition::CounterIs(number) => frame.counter == *number,
                    Condition::CounterAbove(number) => frame.counter > *number,
                };
                self.eval(if holds { a } else { b }, frame)?
            }
            Term::Choose(a, b) => {
                let choice = self.choices.get(self.chosen).copied().unwrap_or(true);
                self.chosen += 1;
                self.eval(if choice { a } else { b }, frame)?
            }
            Term::Call {
                operator,
                count,
                arguments,
            } => {
                let arguments = self.eval_all(arguments, frame)?;
                let counter = match count {
                    Count::None => 0,
                    Count::Of(count) => *count,
                    Count::Less => frame.counter - 1,
                };
                let operator = &self.case.operators[*operator];
                let mut inner = Frame::new(&operator.parameters, arguments, counter);
                match &operator.last {
                    Some(last) if counter == 0 => self.eval(last, &mut inner)?,
                    _ => self.eval(&operator.body, &mut inner)?,
                }
            }
            Term::Function {
                name,
                parameters,
                body,
                rest,
            } => self.eval_with(rest, frame, [(*name, Value::Function(parameters, body))])?,
            Term::Apply(name, arguments) => {
                let arguments = self.eval_all(arguments, frame)?;
                let Value::Function(parameters, body) = *frame.get(*name) else {
                    unreachable!("a number is no function")
                };
                let arguments = arguments.into_iter().map(Value::Number);
                self.eval_with(body, frame, parameters.iter().copied().zip(arguments))?
            }
            Term::Fold {
                sum,
                element,
                body,
                first,
                list,
            } => {
                let first = self.eval(first, frame)?;
                let list = self.eval_all(list, frame)?;
                list.into_iter().try_fold(first, |total, next| {
                    let known = [(*sum, total), (*element, next)];
                    let known = known.map(|(name, number)| (name, Value::Number(number)));
                    self.eval_with(body, frame, known)
                })?
            }
            Term::Sum(list) => {
                let list = self.eval_all(list, frame)?;
                let start = Number::new(0.0);
                list.iter().fold(start, |sum, number| sum.plus(number))
            }
            Term::Dot(left, right) => {
                let left = self.eval_all(left, frame)?;
                let right = self.eval_all(right, frame)?;
                let products = left.iter().zip(&right).map(|(x, y)| x.times(y));
                products.fold(Number::new(0.0), |sum, number| sum.plus(&number))
            }
            Term::Checkpoint(a) | Term::Below(a) => self.eval(a, frame)?,
            Term::Remat {
                results,
                names,
                rest,
            } => {
                let results = self.eval_all(results, frame)?;
                let results = results.into_iter().map(Value::Number);
                self.eval_with(rest, frame, names.iter().copied().zip(results))?
            }
            Term::Steps {
                count,
                state,
                step,
                first,
                names,
                rest,
                ..
            } => {
                let mut numbers = self.eval_all(first, frame)?;
                let before = frame.variables.len();
                for _ in 0..*count {
                    let known = numbers.into_iter().map(Value::Number);
                    frame.variables.extend(state.iter().copied().zip(known));
                    let next = self.eval_all(step, frame);
                    frame.variables.truncate(before);
                    numbers = next?;
                }
                let numbers = numbers.into_iter().map(Value::Number);
                self.eval_with(rest, frame, names.iter().copied().zip(numbers))?
            }
            Term::Derivative {
                mode,
                variables,
                body,
                point,
                direction,
                ..
            } => {
                // Choices are made in the order in which they are written.
                let direction_first = MODES[*mode].direction_first();
                let mut point_first = None;
                if !direction_first {
                    point_first = Some(self.eval_all(point, frame)?);
                }
                let direction = match direction.is_empty() {
                    true => vec![Number::new(1.0)],
                    false => self.eval_all(direction, frame)?,
                };
                let point = match point_first {
                    Some(point) => point,
                    None => self.eval_all(point, frame)?,
                };
                self.derivative(variables, body, &point, &direction, frame)?
            }
        })
    }

    /// The derivative of a term in some variables, at a point and in a direction.
    fn derivative(
        &mut self,
        variables: &[Name],
        body: &'a Term,
        point: &[Number],
        direction: &[Number],
        frame: &mut Frame<'a>,
    ) -> Result<Number, Skip> {
        let places = point.iter().zip(direction);
        if self.way == Way::Differences {
            let mut slope = |step: f64| -> Result<f64, Skip> {
                let mut at = |by: f64| -> Result<f64, Skip> {
                    let moved = |(x, dx): (&Number, &Number)| x.value() + by * dx.value();
                    let values = places.clone().map(moved).map(Number::new);
                    let values = values.map(Value::Number);
                    let known = variables.iter().copied().zip(values);
                    Ok(self.eval_with(body, frame, known)?.value())
                };
                Ok((at(step)? - at(-step)?) / (2.0 * step))
            };
            return Ok(Number::new(extrapolated(&mut slope)?));
        }
        let generator = self.generators;
        if generator == ORDER {
            return Err(Skip::Deep);
        }
        self.generators += 1;
        let values = places.map(|(x, dx)| Value::Number(x.perturbed(generator, dx)));
        let result = self.eval_with(body, frame, variables.iter().copied().zip(values));
        self.generators -= 1;
        Ok(result?.along(generator))
    }

    /// Near 0, but not there, the side is a matter of rounding.
    fn kink(&self, x: f64) -> Result<f64, Skip> {
        let near = match self.way {
            Way::Perturbations => x != 0.0 && x.abs() < 1e-7,
            Way::Differences => x.abs() < 0.2,
        };
        if near { Err(Skip::Kink) } else { Ok(x) }
    }

    fn one(&self, one: One, a: &Number) -> Result<Number, Skip> {
        if a.value().abs() > LARGEST_OPERAND {
            return Err(Skip::Huge);
        }
        if matches!(one, One::Relu | One::Abs | One::Sign) {
            let x = self.kink(a.value())?;
            // At 0 each has the derivative 0.
            let (above, below) = match one {
                One::Relu => (1.0, 0.0),
                One::Abs => (1.0, -1.0),
                _ => return Ok(Number::new(if x == 0.0 { 0.0 } else { x.signum() })),
            };
            let slope = match x {
                x if x > 0.0 => above,
                x if x < 0.0 => below,
                _ => 0.0,
            };
            return Ok(a.times(&Number::new(slope)));
        }
        Ok(match self.way {
            Way::Perturbations => a.apply(|x| series(one, x)),
            Way::Differences => Number::new(value(one, a.value())),
        })
    }

    fn two(&self, two: Two, a: &Number, b: &Number) -> Result<Number, Skip> {
        Ok(match two {
            Two::Plus => a.plus(b),
            Two::Minus => a.minus(b),
            Two::Times => a.times(b),
            Two::Divide => a.times(&self.one(One::Bell, b)?),
            Two::Power => {
                let log = self.one(One::LogSquare, a)?;
                let exponent = b.apply(|x| x.sin_cos().0);
                log.times(&exponent).apply(Series::exp)
            }
            Two::Min | Two::Max => {
                let above = self.kink(a.value() - b.value())?;
                let above = if two == Two::Max { above } else { -above };
                match above {
                    above if above > 0.0 => a.clone(),
                    above if above < 0.0 => b.clone(),
                    // Each has one half.
                    _ => a.combine(b, |x, y| 0.5 * x + 0.5 * y),
                }
            }
        })
    }
}

/// What a slope tends to as the step gets smaller (Richardson's extrapolation).
fn extrapolated(slope: &mut impl FnMut(f64) -> Result<f64, Skip>) -> Result<f64, Skip> {
    let mut row: Vec<f64> = Vec::new();
    let mut step = 0.04;
    for _ in 0..4 {
        let mut next = vec![slope(step)?];
        for (k, before) in row.iter().enumerate() {
            let factor = 4_f64.powi(k as i32 + 1);
            next.push((factor * next[k] - before) / (factor - 1.0));
        }
        // Between points on two sides of a kink there is no limit to come near to.
        if let (Some(before), Some(now)) = (row.last(), next.last())
            && step < 0.01
            && (before - now).abs() > 1e-5 * (1.0 + now.abs())
        {
            return Err(Skip::Kink);
        }
        row = next;
        step /= 2.0;
    }
    Ok(row[3])
}

/// The derivative of the case's function of one variable, by differences.
pub fn by_differences(case: &Case) -> Result<f64, Skip> {
    let mut slope = |step: f64| -> Result<f64, Skip> {
        let at = |x: f64| -> Result<f64, Skip> {
            let mut moved = case.clone();
            moved.point = vec![x];
            let results = Oracle::new(&moved, Way::Differences).results(&[])?;
            Ok(results[0].value())
        };
        Ok((at(case.point[0] + step)? - at(case.point[0] - step)?) / (2.0 * step))
    };
    extrapolated(&mut slope)
}

fn series(one: One, x: &Series) -> Series {
    let above_one = || x.times(x).shifted(1.0);
    let sin = || x.sin_cos().0;
    let exp_sin = |sign: f64| sin().scaled(sign).exp();
    match one {
        One::Negate => x.scaled(-1.0),
        One::Square => x.times(x),
        One::Power(power) => {
            let start = Series::constant(1.0, x.order());
            (0..power).fold(start, |product, _| product.times(x))
        }
        One::Sin => sin(),
        One::Cos => x.sin_cos().1,
        One::Tanh => {
            let square = x.scaled(2.0).exp();
            square.shifted(-1.0).over(&square.shifted(1.0))
        }
        One::Atan => x.atan(),
        One::Sigmoid => x.scaled(-1.0).exp().shifted(1.0).power(-1.0),
        One::Softplus => x.exp().shifted(1.0).log(),
        One::Bell => above_one().power(-1.0),
        One::PowerOfBell => above_one().power(-2.0),
        One::RealPower => above_one().power(1.5),
        One::LogSquare => above_one().log(),
        One::Hypot => above_one().power(0.5),
        One::ExpSin => exp_sin(1.0),
        One::TanSin => {
            let (sin, cos) = sin().sin_cos();
            sin.over(&cos)
        }
        One::SinhSin => exp_sin(1.0).plus(&exp_sin(-1.0).scaled(-1.0)).scaled(0.5),
        One::CoshSin => exp_sin(1.0).plus(&exp_sin(-1.0)).scaled(0.5),
        One::AsinSin => sin().scaled(0.5).asin(),
        One::AcosSin => {
            let right_angle = std::f64::consts::FRAC_PI_2;
            sin().scaled(0.5).asin().scaled(-1.0).shifted(right_angle)
        }
        One::Relu | One::Abs | One::Sign => unreachable!("has no series at its kink"),
    }
}

fn value(one: One, x: f64) -> f64 {
    let above_one = 1.0 + x * x;
    match one {
        One::Negate => -x,
        One::Square => x * x,
        One::Power(power) => x.powi(power as i32),
        One::Sin => x.sin(),
        One::Cos => x.cos(),
        One::Tanh => x.tanh(),
        One::Atan => x.atan(),
        One::Sigmoid => 1.0 / (1.0 + (-x).exp()),
        One::Softplus => x.exp().ln_1p(),
        One::Bell => 1.0 / above_one,
        One::PowerOfBell => 1.0 / (above_one * above_one),
        One::RealPower => above_one.powf(1.5),
        One::LogSquare => above_one.ln(),
        One::Hypot => above_one.sqrt(),
        One::ExpSin => x.sin().exp(),
        One::TanSin => x.sin().tan(),
        One::SinhSin => x.sin().sinh(),
        One::CoshSin => x.sin().cosh(),
        One::AsinSin => (0.5 * x.sin()).asin(),
        One::AcosSin => (0.5 * x.sin()).acos(),
        One::Relu => x.max(0.0),
        One::Abs => x.abs(),
        One::Sign => x.signum(),
    }
}
