//! Runs plans. Nothing here knows a snapshot, so a run may take as long as its limits allow.

use frank_core::Program;
use frank_interpreter::{Answers, Code, Limits, Script, Stats};
use web_time::Instant;

use super::difference::{self, Difference};
use super::execute::{compiled, run_entry};
use super::granting::Granting;
use super::plan::{Entry, Plan, Point, Printed, RunPlan};
use super::point::{self, Numeral, Tree};
use super::result::{Checks, Derivative, DerivativeResult, EvaluationError, RunResult};
use super::shape::Shape;
use super::template::{self, Step};

/// Runs the terms of a plan, one after the other.
pub(super) struct Runner<'a> {
    plan: &'a Plan,
    /// The plan's program, whose bindings change.
    pub(super) program: Program,
    limits: &'a Limits,
    /// When the time of all runs together is over.
    until: Option<Instant>,
    /// What is said of a run for which no time was left.
    late: Option<EvaluationError>,
    progress: &'a mut dyn FnMut(usize, usize),
    done: usize,
    total: usize,
    /// The numbers of the point.
    pub(super) point: Vec<Numeral>,
}

/// Where a variable is among the bindings of a term with `n` variables.
pub(super) mod binding {
    /// What chooses the variable of the first derivative.
    pub fn chooses(n: usize, variable: usize) -> usize {
        n + variable
    }

    /// What chooses the variable of an inner derivative.
    pub fn chooses_inside(n: usize, variable: usize) -> usize {
        2 * n + variable
    }

    /// The number at which there is differentiated.
    pub fn point(n: usize, second: bool) -> usize {
        if second { 3 * n } else { 2 * n }
    }

    /// What selects the number at which an inner derivative is taken.
    pub fn start(n: usize) -> usize {
        3 * n + 1
    }

    /// What selects the number of the result.
    pub fn result(n: usize, second: bool) -> usize {
        match (n, second) {
            (1, _) => 1,
            (_, false) => 2 * n + 1,
            (_, true) => 3 * n + 2,
        }
    }
}

/// A number of the result: the way to it, and the type that the way begins in.
pub(super) struct Selected {
    path: Vec<Step>,
    ty: frank_core::Type,
}

impl<'a> Runner<'a> {
    /// Nothing is run yet, and the point is not known.
    pub(super) fn new(
        plan: &'a Plan,
        limits: &'a Limits,
        progress: &'a mut dyn FnMut(usize, usize),
    ) -> Runner<'a> {
        Runner {
            plan,
            program: plan.program.clone(),
            limits,
            until: limits.time.map(|time| Instant::now() + time),
            late: None,
            progress,
            done: 0,
            total: 0,
            point: Vec::new(),
        }
    }
}

impl Runner<'_> {
    /// Runs an entry as its bindings are now.
    fn run(&mut self, entry: usize) -> Result<String, EvaluationError> {
        let only = self.program.entries.get(entry).cloned();
        self.run_each(only.into_iter().collect())
            .pop()
            .unwrap_or_else(|| Err(unlike()))
    }

    /// Runs entries that are made of the program's terms, and gives what comes of each. They are compiled together.
    pub(super) fn run_each(
        &mut self,
        entries: Vec<frank_core::Entry>,
    ) -> Vec<Result<String, EvaluationError>> {
        let all = std::mem::replace(&mut self.program.entries, entries);
        let entries = 0..self.program.entries.len();
        let ended = match compiled(&self.program) {
            Ok(code) => entries.map(|entry| self.run_one(&code, entry)).collect(),
            Err(failure) => entries.map(|_| Err(failure.clone())).collect(),
        };
        self.program.entries = all;
        ended
    }

    fn run_one(&mut self, code: &Code, entry: usize) -> Result<String, EvaluationError> {
        if let Some(late) = &self.late {
            return Err(late.clone());
        }
        // Nobody knows how many neighbouring points there will be.
        self.total = self.total.max(self.done + 1);
        let (done, total) = (self.done, self.total);
        (self.progress)(done, total);
        let left = |until: Instant| until.saturating_duration_since(Instant::now());
        let limits = Limits {
            time: self.until.map(left),
            ..self.limits.clone()
        };
        let progress = &mut self.progress;
        let mut pause = || progress(done, total);
        let mut host = Script::default();
        let ended = run_entry(&self.program, code, entry, limits, &mut host, &mut pause).value;
        self.done += 1;
        let is_late = self.until.is_some_and(|until| Instant::now() >= until);
        self.late = ended.as_ref().err().filter(|_| is_late).cloned();
        ended
    }

    /// What a term without bindings gives.
    fn plain(&mut self, entry: &Entry) -> Result<String, EvaluationError> {
        let entry = ready(entry)?;
        self.run(entry)
    }

    /// Puts numbers into the bindings of a point.
    pub(super) fn place(&mut self, entry: usize, point: &[Numeral]) -> Result<(), EvaluationError> {
        for (i, number) in point.iter().enumerate() {
            template::put(&mut self.program, entry, i, *number).ok_or_else(unlike)?;
        }
        Ok(())
    }

    /// The function's value at a point.
    pub(super) fn value(
        &mut self,
        entry: &Entry,
        point: &[Numeral],
    ) -> Result<String, EvaluationError> {
        let entry = ready(entry)?;
        self.place(entry, point)?;
        self.run(entry)
    }

    pub(super) fn read(&self, value: &str) -> Option<Tree<String>> {
        let Printed { shape, lifted } = &self.plan.printed;
        if !lifted {
            return point::value_of(value, shape, false);
        }
        let listed = Shape::List(Box::new(shape.clone()));
        match point::value_of(value, &listed, true)? {
            Tree::List(mut inner) => inner.pop(),
            _ => None,
        }
    }

    /// The numbers of the result.
    pub(super) fn results(&self, value: &Tree<String>) -> Vec<Selected> {
        // What cannot be run has no parts that could be selected.
        let unknown = frank_core::Type::Unknown;
        let entry = ready(&self.plan.value).ok();
        let entry = entry.and_then(|entry| self.program.entries.get(entry));
        let ty = entry.map_or(&unknown, |entry| &entry.ty);
        let ty = match ty {
            frank_core::Type::Data(_, args) if self.plan.printed.lifted => {
                args.first().unwrap_or(&unknown)
            }
            ty => ty,
        };
        let paths = template::paths(value).into_iter();
        paths
            .map(|path| Selected {
                path,
                ty: ty.clone(),
            })
            .collect()
    }

    fn select(
        &mut self,
        entry: usize,
        second: bool,
        result: &Selected,
    ) -> Result<(), EvaluationError> {
        if result.path.is_empty() {
            return Ok(());
        }
        let n = binding::result(self.point.len(), second);
        template::select(&mut self.program, entry, n, &result.ty, &result.path).ok_or_else(unlike)
    }

    /// The derivative of a number of the result in a variable, at a point.
    fn first(
        &mut self,
        entry: usize,
        point: &[Numeral],
        place: (&Selected, usize),
    ) -> Result<String, EvaluationError> {
        self.prepare_first(entry, point, place)?;
        self.run(entry)
    }

    /// Makes an entry ask for the derivative of a number of the result in a variable, at a point.
    pub(super) fn prepare_first(
        &mut self,
        entry: usize,
        point: &[Numeral],
        (result, variable): (&Selected, usize),
    ) -> Result<(), EvaluationError> {
        self.place(entry, point)?;
        self.select(entry, false, result)?;
        let n = point.len();
        if n > 1 {
            for i in 0..n {
                let at = binding::chooses(n, i);
                template::choose(&mut self.program, entry, at, i == variable).ok_or_else(unlike)?;
            }
            self.start(entry, false, point, variable)?;
        }
        Ok(())
    }

    /// Puts the number of a variable where there is differentiated.
    fn start(
        &mut self,
        entry: usize,
        second: bool,
        point: &[Numeral],
        variable: usize,
    ) -> Result<(), EvaluationError> {
        let number = point.get(variable).copied().ok_or_else(unlike)?;
        let at = binding::point(point.len(), second);
        template::put(&mut self.program, entry, at, number).ok_or_else(unlike)
    }

    /// The second derivative of a number of the result in two variables.
    fn second(
        &mut self,
        entry: usize,
        result: &Selected,
        places: (usize, usize),
    ) -> Result<String, EvaluationError> {
        self.prepare_second(entry, result, places)?;
        self.run(entry)
    }

    /// Makes an entry ask for the second derivative of a number of the result in two variables.
    pub(super) fn prepare_second(
        &mut self,
        entry: usize,
        result: &Selected,
        (outer, inner): (usize, usize),
    ) -> Result<(), EvaluationError> {
        let point = self.point.clone();
        self.place(entry, &point)?;
        self.select(entry, true, result)?;
        let n = point.len();
        if n > 1 {
            for i in 0..n {
                for (at, own) in [
                    (binding::chooses(n, i), i == outer),
                    (binding::chooses_inside(n, i), i == inner),
                ] {
                    template::choose(&mut self.program, entry, at, own).ok_or_else(unlike)?;
                }
            }
            self.start(entry, true, &point, outer)?;
            let list = Selected {
                path: vec![Step::Element(inner)],
                ty: self.list_of_numbers(),
            };
            let at = binding::start(n);
            template::select(&mut self.program, entry, at, &list.ty, &list.path)
                .ok_or_else(unlike)?;
        }
        Ok(())
    }

    fn list_of_numbers(&self) -> frank_core::Type {
        match self.program.known.list {
            Some(list) => frank_core::Type::Data(list, vec![frank_core::Type::Unknown]),
            None => frank_core::Type::Unknown,
        }
    }

    /// Differences of the function's values: for each result a derivative in each variable.
    fn check_first(
        &mut self,
        entry: &Entry,
        results: &[Selected],
        middle: &[f64],
    ) -> Result<Vec<Difference>, EvaluationError> {
        let mut columns = Vec::new();
        for variable in 0..self.point.len() {
            columns.push(self.differences(variable, middle, |runner, point| {
                let value = runner.value(entry, point)?;
                let tree = runner.read(&value);
                Ok(tree.map_or_else(Vec::new, |tree| numbers(&tree)))
            })?);
        }
        Ok((0..results.len())
            .flat_map(|result| columns.iter().filter_map(move |column| column.get(result)))
            .cloned()
            .collect())
    }

    /// Differences of first derivatives: for each result a row for each variable, with a second
    /// derivative in each variable.
    fn check_second(
        &mut self,
        entry: usize,
        results: &[Selected],
        firsts: &[f64],
    ) -> Result<Vec<Difference>, EvaluationError> {
        let n = self.point.len();
        let mut columns = Vec::new();
        for outer in 0..n {
            columns.push(self.differences(outer, firsts, |runner, point| {
                let mut found = Vec::new();
                for result in results {
                    for inner in 0..n {
                        let text = runner.first(entry, point, (result, inner))?;
                        found.push(text.parse().unwrap_or(f64::NAN));
                    }
                }
                Ok(found)
            })?);
        }
        let places = (0..results.len())
            .flat_map(|r| (0..n).flat_map(move |o| (0..n).map(move |i| (r, o, i))));
        Ok(places
            .filter_map(|(result, outer, inner)| {
                columns.get(outer)?.get(result * n + inner).cloned()
            })
            .collect())
    }

    /// Differences in one variable of what `of` gives at a point. A place where that has no value
    /// is none that says something; only who does not want to wait ends it all.
    fn differences(
        &mut self,
        variable: usize,
        middle: &[f64],
        mut of: impl FnMut(&mut Self, &[Numeral]) -> Result<Vec<f64>, EvaluationError>,
    ) -> Result<Vec<Difference>, EvaluationError> {
        let own = self.point.get(variable).copied().ok_or_else(unlike)?;
        let whole = matches!(own, Numeral::Int(_));
        difference::differences(own.as_float(), middle, whole, |x| {
            let mut point = self.point.clone();
            if let Some(number) = point.get_mut(variable) {
                *number = number.another(x);
            }
            match of(self, &point) {
                Ok(values) if values.len() == middle.len() => Ok(Some(values)),
                Ok(_) => Ok(None),
                Err(failure) if failure.limit => Err(failure),
                Err(_) => Ok(None),
            }
        })
    }
}

pub(super) fn ready(entry: &Entry) -> Result<usize, EvaluationError> {
    match entry {
        Entry::Ready(index) => Ok(*index),
        Entry::Refused(reason) => Err(EvaluationError::said(reason)),
    }
}

/// A term that was lowered to something else than was expected of what was written.
pub(super) fn unlike() -> EvaluationError {
    EvaluationError::said("the term for it could not be made")
}

pub(super) fn numbers(tree: &Tree<String>) -> Vec<f64> {
    let leaves = tree.leaves().into_iter();
    leaves
        .map(|text| text.parse().unwrap_or(f64::NAN))
        .collect()
}

impl Plan {
    /// Evaluates the function and its derivatives, each under the limits; the time is that of all together. `progress` hears how
    /// many of how many terms are done, and is called now and then meanwhile.
    pub fn run(&self, limits: &Limits, mut progress: impl FnMut(usize, usize)) -> DerivativeResult {
        let n = self.variables.len();
        let seconds = self.seconds.as_ref().map_or(0, Vec::len);
        let each = self.derivatives.len() * n + seconds * n * n;
        let mut runner = Runner::new(self, limits, &mut progress);
        runner.total = 1 + each;
        let (at, tree, trouble) = match &self.at {
            Point::Known(at) => (point::shown(at), at.clone(), None),
            Point::Computed(entry, text, number) => {
                let value = runner.plain(entry).and_then(|value| {
                    let numeral = Numeral::new(&value, *number);
                    let numeral = numeral.map_err(|refusal| EvaluationError::said(&refusal.0))?;
                    Ok((value, numeral))
                });
                match value {
                    Ok((value, number)) => (vec![value], vec![Tree::Leaf(number)], None),
                    Err(failure) => (vec![text.clone()], vec![], Some(failure)),
                }
            }
        };
        let point = tree.iter().flat_map(Tree::leaves).copied();
        runner.point = point.collect();
        let point = runner.point.clone();
        let value = match trouble {
            Some(failure) => Err(failure),
            None => runner.value(&self.value, &point),
        };
        let mut result = DerivativeResult {
            name: self.name.clone(),
            at,
            variables: self.variables.clone(),
            point: tree.iter().map(Tree::shape).collect(),
            result: None,
            value,
            derivatives: Vec::new(),
            seconds: None,
            checks: None,
            note: self.note.clone(),
            stamp: self.stamp,
        };
        self.derive(&mut runner, &mut result);
        result
    }

    fn derive(&self, runner: &mut Runner<'_>, result: &mut DerivativeResult) {
        let point = runner.point.clone();
        let n = point.len();
        let value = result.value.clone();
        let read = value.as_ref().ok().and_then(|text| runner.read(text));
        // Without a value nobody knows how many numbers it has.
        let scalar = read.is_none() && self.printed.shape == Shape::Number;
        let tree = match scalar {
            true => Some(Tree::Leaf(String::new())),
            false => read,
        };
        if let (Ok(text), Some(tree)) = (&mut result.value, &tree)
            && self.printed.lifted
        {
            *text = tree.text(false, &mut |number, _| number.clone());
        }
        let results = tree
            .as_ref()
            .map_or_else(Vec::new, |tree| runner.results(tree));
        runner.total += (results.len().max(1) - 1) * (runner.total - 1);
        // What takes too long for its value takes longer for its derivative. Nor is there one of
        // something whose shape is not known.
        let too_much = match &value {
            Err(failure) if failure.limit || !scalar || n == 0 => Some(failure.clone()),
            _ if tree.is_none() => Some(EvaluationError::said(
                "its value has no numbers that could be read",
            )),
            _ => None,
        };
        for (by, entry) in &self.derivatives {
            let values = match (&too_much, ready(entry)) {
                (Some(failure), _) => Err(failure.clone()),
                (None, Err(failure)) => Err(failure),
                (None, Ok(entry)) => all(results.iter(), n)
                    .map(|(result, variable)| runner.first(entry, &point, (result, variable)))
                    .collect(),
            };
            result.derivatives.push(Derivative {
                by: by.clone(),
                values,
            });
        }
        result.seconds = self.seconds.as_ref().map(|seconds| {
            let mut found = Vec::new();
            for (by, entry) in seconds {
                let values = match (&too_much, ready(entry)) {
                    (Some(failure), _) => Err(failure.clone()),
                    (None, Err(failure)) => Err(failure),
                    (None, Ok(entry)) => all(results.iter(), n)
                        .flat_map(|(result, outer)| (0..n).map(move |i| (result, (outer, i))))
                        .map(|(result, places)| runner.second(entry, result, places))
                        .collect(),
                };
                found.push(Derivative {
                    by: by.clone(),
                    values,
                });
            }
            found
        });
        let middle = tree.as_ref().map_or_else(Vec::new, numbers);
        if let (Some(entry), None) = (&self.check, &too_much) {
            result.checks = Some(self.checked(runner, entry, (&results, &middle), result));
        }
        result.result = tree.map(|tree| tree.shape());
    }

    fn checked(
        &self,
        runner: &mut Runner<'_>,
        entry: &Entry,
        (results, middle): (&[Selected], &[f64]),
        found: &DerivativeResult,
    ) -> Checks {
        let first = runner.check_first(entry, results, middle);
        let second = found.seconds.as_ref().map(|_| {
            let entries = self
                .derivatives
                .iter()
                .map(|(by, entry)| (by, ready(entry)));
            for ((by, entry), own) in entries.zip(&found.derivatives) {
                let (Ok(entry), Ok(values)) = (entry, &own.values) else {
                    continue;
                };
                let firsts: Vec<f64> = values
                    .iter()
                    .map(|text| text.parse().unwrap_or(f64::NAN))
                    .collect();
                let differences = runner.check_second(entry, results, &firsts)?;
                return Ok((by.clone(), differences));
            }
            Err(EvaluationError::said(
                "there are no first derivatives to take differences of",
            ))
        });
        Checks { first, second }
    }
}

/// Every result with every variable.
fn all<'a, T>(
    results: impl Iterator<Item = &'a T> + Clone,
    variables: usize,
) -> impl Iterator<Item = (&'a T, usize)>
where
    T: 'a,
{
    results.flat_map(move |result| (0..variables).map(move |variable| (result, variable)))
}

impl RunPlan {
    /// Runs the entry under limits, with nothing to read; what it prints is kept.
    pub fn run(&self, limits: &Limits, progress: impl FnMut()) -> RunResult {
        self.run_granted(limits, None, progress)
    }

    /// The same with what `answers` grants.
    pub fn run_granted(
        &self,
        limits: &Limits,
        answers: Option<&dyn Answers>,
        mut progress: impl FnMut(),
    ) -> RunResult {
        let script = Script::default();
        let mut host = Granting { script, answers };
        let (value, stats) = match compiled(&self.program) {
            Ok(code) => {
                let limits = limits.clone();
                let ended = run_entry(&self.program, &code, 0, limits, &mut host, &mut || {
                    progress()
                });
                (ended.value, ended.stats)
            }
            Err(failure) => (Err(failure), Stats::default()),
        };
        RunResult {
            name: self.name.clone(),
            value,
            output: host.script.output,
            pictures: host.script.pictures,
            steps: stats.steps,
            millis: stats.millis,
            stamp: self.stamp,
        }
    }
}
