//! A function and its derivatives at many points that differ in one or two variables.
//!
//! The terms of a plan are compiled once for many points: each is an entry of its own, and they differ in the numbers
//! in front.

use frank_core::Entry;
use frank_interpreter::Limits;

use super::plan::{Plan, Point};
use super::point::{Numeral, Tree};
use super::result::EvaluationError;
use super::run::{Runner, Selected, binding, numbers, ready, unlike};
use super::shape::Shape;
use super::template;

/// What is asked for at each point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    Value,
    First,
    Second,
}

/// A plan that is run at many points. The time of its limits is that of all its runs together.
pub(crate) struct Sampler<'a> {
    plan: &'a Plan,
    runner: Runner<'a>,
    /// The numbers of the result, as they are where the sampler began.
    results: Vec<Selected>,
    /// What to call them.
    names: Vec<String>,
}

impl<'a> Sampler<'a> {
    /// Evaluates the function at the plan's own point, to know which numbers its result has. `progress` is called now
    /// and then while something runs.
    ///
    /// # Errors
    /// The function's value has no numbers, or its evaluation ended at a limit.
    pub fn new(
        plan: &'a Plan,
        limits: &'a Limits,
        progress: &'a mut dyn FnMut(usize, usize),
    ) -> Result<Sampler<'a>, EvaluationError> {
        let mut runner = Runner::new(plan, limits, progress);
        let Point::Known(at) = &plan.at else {
            return Err(unlike());
        };
        runner.point = at.iter().flat_map(Tree::leaves).copied().collect();
        let own = runner.point.clone();
        let tree = match runner.value(&plan.value, &own) {
            Ok(value) => runner.read(&value),
            // There may be no value here and others elsewhere.
            Err(failure) if failure.limit || plan.printed.shape != Shape::Number => {
                return Err(failure);
            }
            Err(_) => Some(Tree::Leaf(String::new())),
        };
        let tree = tree.ok_or_else(unlike)?;
        Ok(Sampler {
            plan,
            results: runner.results(&tree),
            names: template::paths(&tree)
                .iter()
                .map(|path| template::named(path))
                .collect(),
            runner,
        })
    }

    /// The names of the result's numbers; an empty one if there is but one.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The numbers of the plan's own point.
    pub fn point(&self) -> Vec<f64> {
        let all = self.runner.point.iter();
        all.map(|number| number.as_float()).collect()
    }

    /// Gives a variable another number; of a whole one the nearest.
    pub fn set(&mut self, variable: usize, value: f64) {
        if let Some(number) = self.runner.point.get_mut(variable) {
            *number = number.another(value);
        }
    }

    /// Whether the function computes with whole numbers.
    pub fn is_whole(&self) -> bool {
        let mut all = self.runner.point.iter();
        all.any(|number| matches!(number, Numeral::Int(_)))
    }

    /// The names of the derivative operators that can be asked for derivatives of an order, in the order of the
    /// program.
    pub fn operators(&self, order: Order) -> Vec<&'a str> {
        let all = match order {
            Order::Value => return Vec::new(),
            Order::First => Some(&self.plan.derivatives),
            Order::Second => self.plan.seconds.as_ref(),
        };
        let sound = all.into_iter().flatten();
        let sound = sound.filter(|(_, entry)| ready(entry).is_ok());
        sound.map(|(by, _)| by.as_str()).collect()
    }

    /// One number of the result, or its derivative by an operator in the varied variable, where that has each of these
    /// values.
    pub fn at(
        &mut self,
        (order, by): (Order, &str),
        result: usize,
        variable: usize,
        values: &[f64],
    ) -> Vec<Result<f64, EvaluationError>> {
        let entries = self.entries((order, by), result, variable, values);
        self.ended(order, result, entries, values.len())
    }

    /// One number of the result, where two variables have each of these pairs of values.
    pub fn at_both(
        &mut self,
        result: usize,
        (one, other): (usize, usize),
        values: &[(f64, f64)],
    ) -> Vec<Result<f64, EvaluationError>> {
        let entries = self.entries_of_both((one, other), values);
        self.ended(Order::Value, result, entries, values.len())
    }

    fn entries_of_both(
        &mut self,
        (one, other): (usize, usize),
        values: &[(f64, f64)],
    ) -> Result<Vec<Entry>, EvaluationError> {
        let entry = ready(&self.plan.value)?;
        let point = self.runner.point.clone();
        self.runner.place(entry, &point)?;
        let number = |at: usize, value| {
            let own = point.get(at).ok_or_else(unlike)?;
            Ok((at, own.another(value)))
        };
        let program = &mut self.runner.program;
        let each = values.iter().map(|(x, y)| {
            let numbers = [number(one, *x)?, number(other, *y)?];
            template::with_numbers(program, entry, &numbers).ok_or_else(unlike)
        });
        each.collect()
    }

    fn entries(
        &mut self,
        (order, by): (Order, &str),
        result: usize,
        variable: usize,
        values: &[f64],
    ) -> Result<Vec<Entry>, EvaluationError> {
        let point = self.runner.point.clone();
        let n = point.len();
        let selected = self.results.get(result).ok_or_else(unlike)?;
        let named = |all: &'a [(String, super::plan::Entry)]| {
            let mut all = all.iter();
            let found = all.find(|(name, _)| name == by).ok_or_else(unlike)?;
            ready(&found.1)
        };
        let (entry, started) = match order {
            Order::Value => {
                let entry = ready(&self.plan.value)?;
                self.runner.place(entry, &point)?;
                (entry, None)
            }
            Order::First => {
                let entry = named(&self.plan.derivatives)?;
                let places = (selected, variable);
                self.runner.prepare_first(entry, &point, places)?;
                (entry, Some(binding::point(n, false)))
            }
            Order::Second => {
                let entry = named(self.plan.seconds.as_deref().unwrap_or_default())?;
                let places = (variable, variable);
                self.runner.prepare_second(entry, selected, places)?;
                (entry, Some(binding::point(n, true)))
            }
        };
        // Of one variable the number itself is where there is differentiated.
        let started = started.filter(|_| n > 1);
        let changed: Vec<usize> = std::iter::once(variable).chain(started).collect();
        let number = point.get(variable).ok_or_else(unlike)?;
        let program = &mut self.runner.program;
        let each = values.iter().map(|value| {
            let number = number.another(*value);
            let numbers: Vec<(usize, Numeral)> = changed.iter().map(|at| (*at, number)).collect();
            template::with_numbers(program, entry, &numbers).ok_or_else(unlike)
        });
        each.collect()
    }

    fn ended(
        &mut self,
        order: Order,
        result: usize,
        entries: Result<Vec<Entry>, EvaluationError>,
        count: usize,
    ) -> Vec<Result<f64, EvaluationError>> {
        let ended = match entries {
            Ok(entries) => self.runner.run_each(entries),
            Err(failure) => vec![Err(failure); count],
        };
        let read = |text: String| match order {
            Order::Value => {
                let tree = self.runner.read(&text).ok_or_else(unlike)?;
                numbers(&tree).get(result).copied().ok_or_else(unlike)
            }
            _ => text.parse().map_err(|_| unlike()),
        };
        ended.into_iter().map(|text| text.and_then(read)).collect()
    }
}
