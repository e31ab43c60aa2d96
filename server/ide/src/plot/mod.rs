//! Graphs of smooth operators and of their derivatives, as plain data: where the lines go. Who draws them is elsewhere.
//! So are the pictures that programs ask for themselves, of which nothing is left to be decided.

mod adaptive;
mod clip;
mod height;

use std::cell::Cell;

use frank_analysis::db::SourceFile;
pub use frank_interpreter::picture::{Drawn, Picture, Series};
use frank_interpreter::{Limits, show_float};

use crate::Analysis;
use crate::evaluate::{EvaluationError, Order, Plan, Question, Sampler};
use crate::rename::Refusal;
use adaptive::{Sampled, sample};
use height::{Seen, all, together};

/// So far to each side of the point a graph goes if nothing else is asked for.
const USUAL: f64 = 3.0;
/// A range is as wide, at least, as this part of its numbers: closer ones cannot be told apart.
const NARROWEST: f64 = 1e-9;
/// So many numbers of a result have a graph each.
const MOST_RESULTS: usize = 6;
/// So many whole numbers are looked at.
const MOST_WHOLE: f64 = 400.0;
/// Values over two variables that go so many times beyond the others are taken for those at a pole.
const FAR: f64 = 10.0;
/// Contour lines are found on a grid of so many places in each direction.
const GRID: usize = 41;

/// What is to be drawn.
#[derive(Debug, Clone, Default)]
pub struct PlotQuestion<'a> {
    /// The point to mark, at which other variables are held; as [`Question::at`].
    pub at: Option<&'a [String]>,
    /// The first and last value of the variable; by default 3 to each side of the point.
    pub from: Option<f64>,
    pub to: Option<f64>,
    /// 0 for the function alone, 1 for its first derivative, too, 2 for the second as well.
    pub order: u8,
    /// Numbers of the point that are others than `at` says, by their variables.
    pub moved: &'a [(String, f64)],
    /// The variables to vary, by name: one for graphs, two for contour lines. Without any the only one; or both, if
    /// there are two and the function has one number for them; else the first.
    pub over: &'a [String],
}

/// What is to be run to get a [`Plot`]. Holds no part of a snapshot.
#[derive(Debug)]
pub struct PlotPlan {
    plan: Plan,
    order: u8,
    from: Option<f64>,
    to: Option<f64>,
    over: Over,
    moved: Vec<(usize, f64)>,
}

/// The varied variables, by their numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Over {
    One(usize),
    Two(usize, usize),
    /// Two if the result is one number, and else the first.
    Either,
}

/// A picture of an operator, as numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Plot {
    /// The call that is shown: `f x 2.0`.
    pub call: String,
    /// All variables with the point's numbers.
    pub point: Vec<(String, f64)>,
    /// The varied variable, and between which of its values.
    pub variable: String,
    pub x: (f64, f64),
    /// What is worth seeing upwards: values of a pole lie beyond.
    pub y: (f64, f64),
    pub shown: Shown,
    /// Where the point is.
    pub at: f64,
}

/// What a picture shows.
#[derive(Debug, Clone, PartialEq)]
pub enum Shown {
    Curves(Vec<Curve>),
    /// Values over two variables.
    Surface {
        /// The second variable, which goes upwards.
        other: String,
        xs: Vec<f64>,
        ys: Vec<f64>,
        /// A row for each of `ys`; nan where there is no finite value.
        rows: Vec<Vec<f64>>,
        /// Between which values there are contour lines: without what shoots up at a pole.
        z: (f64, f64),
        /// The point's place upwards.
        at: f64,
    },
}

/// A graph.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// `f x`, `∂f/∂x`.
    pub label: String,
    /// 0 for the function, 1 and 2 for its derivatives.
    pub order: u8,
    /// Lines, from left to right, between which nothing is drawn. A line of one point is a point.
    pub pieces: Vec<Vec<(f64, f64)>>,
    /// Its value at the plot's point, if it has one.
    pub at: Option<f64>,
    /// Whether the points are all there is: a function of whole numbers.
    pub whole: bool,
}

impl Analysis {
    /// Plans the picture of a smooth operator of a file's program.
    ///
    /// # Errors
    /// The operator cannot be differentiated, has no such variable, or the range is none; with the reason.
    pub fn plot_plan(
        &self,
        file: SourceFile,
        name: &str,
        question: &PlotQuestion<'_>,
    ) -> Result<PlotPlan, Refusal> {
        let derivatives = Question {
            at: question.at,
            second: question.order > 1,
            ..Question::default()
        };
        let plan = self.derivative_plan(file, name, &derivatives)?;
        let names = plan.variables();
        let number = |wanted: &String| {
            let found = names.iter().position(|name| name == wanted);
            found.ok_or_else(|| {
                let all = names.join("`, `");
                Refusal(format!(
                    "`{name}` has no variable `{wanted}` to be drawn over: it has `{all}`"
                ))
            })
        };
        let moved = question.moved.iter();
        let moved = moved.map(|(name, value)| Ok((number(name)?, *value)));
        let moved = moved.collect::<Result<Vec<_>, Refusal>>()?;
        let over = match question.over {
            [] if names.len() == 2 && question.order == 0 => Over::Either,
            [] => Over::One(0),
            [one] => Over::One(number(one)?),
            [one, other] if one != other => Over::Two(number(one)?, number(other)?),
            _ => {
                return Err(Refusal(
                    "a picture is over one variable, or over two different ones".to_owned(),
                ));
            }
        };
        if matches!(over, Over::Two(..)) && question.order > 0 {
            return Err(Refusal(
                "over two variables values alone are drawn: ask for one variable, or for `--order 0`"
                    .to_owned(),
            ));
        }
        for end in [question.from, question.to].into_iter().flatten() {
            if !end.is_finite() {
                let end = show_float(end);
                return Err(Refusal(format!(
                    "a range has two finite ends, and {end} is none"
                )));
            }
        }
        if let (Some(from), Some(to)) = (question.from, question.to)
            && from >= to
        {
            let (from, to) = (show_float(from), show_float(to));
            return Err(Refusal(format!(
                "a range goes from a smaller to a greater number, and {from} is not smaller than {to}"
            )));
        }
        let plan = PlotPlan {
            plan,
            order: question.order,
            from: question.from,
            to: question.to,
            over,
            moved,
        };
        plan.ranges()?;
        Ok(plan)
    }
}

impl PlotPlan {
    /// Evaluates the operator and its derivatives where it is necessary, under limits that count for each run, with
    /// the time of all together. `progress` is called now and then.
    ///
    /// # Errors
    /// A limit was met; or there is nothing to draw, because no evaluation gave a finite value: with a sentence.
    pub fn draw(
        &self,
        limits: &Limits,
        mut progress: impl FnMut(),
    ) -> Result<Plot, EvaluationError> {
        let mut progress = |_, _| progress();
        let mut sampler = Sampler::new(&self.plan, limits, &mut progress)?;
        for (variable, value) in &self.moved {
            sampler.set(*variable, *value);
        }
        let point = sampler.point();
        let single = sampler.names().len() == 1;
        match self.over {
            Over::One(variable) => self.curves(&mut sampler, &point, variable),
            Over::Either if !single || sampler.is_whole() => self.curves(&mut sampler, &point, 0),
            Over::Either => self.surface(&mut sampler, &point, (0, 1)),
            Over::Two(one, other) => self.surface(&mut sampler, &point, (one, other)),
        }
    }

    /// Looks whether there is something between the ends of the values of all variables that are varied, as far as the
    /// point is known before something runs.
    fn ranges(&self) -> Result<(), Refusal> {
        let mut point = self.plan.point();
        for (variable, value) in &self.moved {
            if let Some(number) = point.get_mut(*variable) {
                *number = *value;
            }
        }
        let (one, other) = match self.over {
            Over::One(one) => (one, None),
            Over::Either => (0, None),
            Over::Two(one, other) => (one, Some(other)),
        };
        let varied = std::iter::once(one).chain(other);
        for number in varied.filter_map(|variable| point.get(variable)) {
            if let Err(failure) = self.range(*number) {
                return Err(Refusal(failure.message));
            }
        }
        Ok(())
    }

    /// The ends of a variable's values.
    fn range(&self, point: f64) -> Result<(f64, f64), EvaluationError> {
        let middle = if point.is_finite() { point } else { 0.0 };
        let from = self
            .from
            .unwrap_or_else(|| middle.min(self.to.unwrap_or(middle)) - USUAL);
        let to = self.to.unwrap_or_else(|| middle.max(from) + USUAL);
        let size = from.abs().max(to.abs());
        let is_wide = to / 2.0 - from / 2.0 > NARROWEST * size && to - from > f64::MIN_POSITIVE;
        match is_wide && from.is_finite() && to.is_finite() {
            true => Ok((from, to)),
            false => Err(EvaluationError::said(&format!(
                "between {} and {} there are too few numbers to draw: ask for a wider range, or for a point \
                 nearer to 0",
                show_float(from),
                show_float(to)
            ))),
        }
    }

    /// The call, with the point's numbers for all variables but those that are varied.
    fn call(&self, name: &str, point: &[f64], varied: &[usize]) -> String {
        let named = self.named(point).into_iter().enumerate();
        let held: Vec<String> = named
            .filter(|(i, _)| !varied.contains(i))
            .map(|(_, (name, value))| format!("{name} = {}", show_float(value)))
            .collect();
        match held.is_empty() {
            true => name.to_owned(),
            false => format!("{name} ({})", held.join(", ")),
        }
    }

    /// The variables with their numbers.
    fn named(&self, point: &[f64]) -> Vec<(String, f64)> {
        let names = self.plan.variables().iter().cloned();
        names.zip(point.iter().copied()).collect()
    }

    fn curves(
        &self,
        sampler: &mut Sampler<'_>,
        point: &[f64],
        variable: usize,
    ) -> Result<Plot, EvaluationError> {
        let at = point.get(variable).copied().unwrap_or_default();
        let range = self.range(at)?;
        let whole = sampler.is_whole();
        if whole && range.1 - range.0 > MOST_WHOLE {
            return Err(EvaluationError::said(&format!(
                "`{}` computes with whole numbers, and there are more than {MOST_WHOLE} of them between {} and {}: ask \
                 for a smaller range",
                self.plan.name,
                show_float(range.0),
                show_float(range.1)
            )));
        }
        let variables = self.plan.variables();
        let own = variables.get(variable).cloned().unwrap_or_default();
        let results = sampler.names().to_vec();
        let first_failure = Cell::new(None);
        let mut graphs = Vec::new();
        let orders = [Order::Value, Order::First, Order::Second];
        for (order, kind) in orders
            .into_iter()
            .enumerate()
            .take(usize::from(self.order) + 1)
        {
            let by = match kind {
                Order::Value => Some(""),
                _ => sampler.operators(kind).first().copied(),
            };
            let Some(by) = by else {
                continue;
            };
            for (result, part) in results.iter().enumerate().take(MOST_RESULTS) {
                let mut values = |places: &[f64]| {
                    let mut found = sampler.at((kind, by), result, variable, places);
                    if kind != Order::Value {
                        // There is no derivative where there is no value.
                        let own = sampler.at((Order::Value, ""), result, variable, places);
                        for (derivative, value) in found.iter_mut().zip(own) {
                            match value {
                                Ok(value) if value.is_finite() => {}
                                Ok(_) => *derivative = Ok(f64::NAN),
                                Err(failure) => *derivative = Err(failure),
                            }
                        }
                    }
                    let one = |value: Result<f64, EvaluationError>| match value {
                        Ok(value) => Ok(value),
                        Err(failure) if failure.limit => Err(failure),
                        Err(failure) => {
                            let earlier = first_failure.take();
                            first_failure.set(earlier.or(Some(failure)));
                            Ok(f64::NAN)
                        }
                    };
                    found.into_iter().map(one).collect::<Result<Vec<f64>, _>>()
                };
                let name = format!("{}{part}", self.plan.name);
                let label = match order {
                    0 if variables.len() == 1 => format!("{name} {own}"),
                    0 => name,
                    1 => format!("∂{name}/∂{own}"),
                    _ => format!("∂²{name}/∂{own}²"),
                };
                let value = values(&[at])?.pop().filter(|y| y.is_finite());
                let graph = match whole {
                    true => Sampled::at_whole(range, values)?,
                    false => sample(range, values)?,
                };
                graphs.push((label, order as u8, graph, value));
            }
        }
        let heights = |own: fn(u8) -> bool| {
            let graphs = graphs.iter().filter(move |(_, order, _, _)| own(*order));
            all(graphs.filter_map(|(_, _, graph, _)| graph.height()))
        };
        let function = heights(|order| order == 0);
        let y = function.and_then(|_| together(function, heights(|order| order > 0)));
        let Some(y) = y else {
            if results.is_empty() {
                return Err(EvaluationError::said(&format!(
                    "there is nothing to draw: the result of `{}` has no number at that point; choose one at which it \
                     has some",
                    self.plan.name
                )));
            }
            return Err(self.nothing(range, first_failure.take()));
        };
        let mut name = self.plan.name.clone();
        if results.len() > MOST_RESULTS {
            name += &format!(", {MOST_RESULTS} of {} numbers", results.len());
        }
        let curves = graphs.into_iter().map(|(label, order, graph, at)| Curve {
            label,
            order,
            whole,
            pieces: graph.pieces(y),
            at,
        });
        Ok(Plot {
            call: self.call(&name, point, &[variable]),
            point: self.named(point),
            variable: own,
            x: range,
            y,
            shown: Shown::Curves(curves.collect()),
            at,
        })
    }

    fn surface(
        &self,
        sampler: &mut Sampler<'_>,
        point: &[f64],
        (one, other): (usize, usize),
    ) -> Result<Plot, EvaluationError> {
        let number = |i: usize| point.get(i).copied().unwrap_or_default();
        let (x, y) = (self.range(number(one))?, self.range(number(other))?);
        let places = |(from, to): (f64, f64)| {
            let part = |i: usize| i as f64 / (GRID - 1) as f64;
            let all = (0..GRID).map(|i| from * (1.0 - part(i)) + to * part(i));
            all.collect::<Vec<f64>>()
        };
        let (xs, ys) = (places(x), places(y));
        let mut rows = Vec::new();
        let mut first_failure = None;
        for y in &ys {
            let pairs: Vec<(f64, f64)> = xs.iter().map(|x| (*x, *y)).collect();
            let mut row = Vec::new();
            for value in sampler.at_both(0, (one, other), &pairs) {
                row.push(match value {
                    Ok(value) if value.is_finite() => value,
                    Ok(_) => f64::NAN,
                    Err(failure) if failure.limit => return Err(failure),
                    Err(failure) => {
                        first_failure.get_or_insert(failure);
                        f64::NAN
                    }
                });
            }
            rows.push(row);
        }
        let Some(seen) = Seen::of(&rows.concat()) else {
            return Err(self.nothing(x, first_failure));
        };
        let (low, high) = seen.usual;
        let is_far = seen.greatest - seen.least > FAR * (high - low);
        let z = if is_far {
            seen.usual
        } else {
            (seen.least, seen.greatest)
        };
        // One surface is enough for a picture.
        let part = sampler.names().first().cloned().unwrap_or_default();
        let shown = format!("{}{part}", self.plan.name);
        let name = |i: usize| self.plan.variables().get(i).cloned().unwrap_or_default();
        Ok(Plot {
            call: self.call(&shown, point, &[one, other]),
            point: self.named(point),
            variable: name(one),
            x,
            y,
            shown: Shown::Surface {
                other: name(other),
                xs,
                ys,
                rows,
                z,
                at: number(other),
            },
            at: number(one),
        })
    }

    /// Why there is no picture.
    fn nothing(&self, (from, to): (f64, f64), failure: Option<EvaluationError>) -> EvaluationError {
        let (name, from, to) = (&self.plan.name, show_float(from), show_float(to));
        let head = format!("there is nothing to draw: between {from} and {to} `{name}`");
        match failure {
            Some(failure) => EvaluationError {
                message: format!("{head} has no value, but fails: {}", failure.message),
                ..failure
            },
            None => EvaluationError::said(&format!(
                "{head} has no finite value wherever it was looked at: ask for another range, or another point"
            )),
        }
    }
}
