//! Runs cases, and compares what comes out with what the oracle says.

use std::fmt::Write;

use frank_analysis::file_findings::file_diagnostics;
use frank_analysis::files::Files;
use frank_analysis::marked;
use frank_interpreter::Limits;
use frank_tests::run::run_main;

use crate::oracle::{Oracle, Skip, Way};
use crate::program::Case;
use crate::render::{definitions, judged};
use crate::tables::{JUDGED, Wanted};

/// A term of a case, by its place in the table of those that are judged.
pub type Judgement = usize;

/// What a term should give, and how far off it may be.
#[derive(Debug, Clone)]
pub struct Expected {
    pub numbers: Vec<f64>,
    pub tolerance: f64,
}

impl Expected {
    pub fn agrees(&self, found: &[f64]) -> bool {
        let close = |(x, y): (&f64, &f64)| (x - y).abs() <= self.tolerance;
        found.len() == self.numbers.len() && self.numbers.iter().zip(found).all(close)
    }
}

/// What a term of a case should give.
pub fn expected(case: &Case, judgement: Judgement) -> Result<Expected, Skip> {
    expected_with(case, judgement, 0.0)
}

/// Whether rounding decides what a term of a case gives, as in a loop that makes every difference
/// larger: rounding a thousand times as coarse would be seen as a hundred times the tolerance.
pub fn rounding_shows(case: &Case, judgement: Judgement) -> bool {
    let coarse = expected_with(case, judgement, 1000.0 * f64::EPSILON);
    let (Ok(fine), Ok(coarse)) = (expected(case, judgement), coarse) else {
        return true;
    };
    let fine = Expected {
        tolerance: 100.0 * fine.tolerance,
        ..fine
    };
    !fine.agrees(&coarse.numbers)
}

fn expected_with(case: &Case, judgement: Judgement, rounding: f64) -> Result<Expected, Skip> {
    let parameters = case.point.len();
    let unit = |i: usize| (0..parameters).map(move |j| if i == j { 1.0 } else { 0.0 });
    let mut derivatives = Derivatives {
        case,
        units: (0..parameters).map(|i| unit(i).collect()).collect(),
        oracle: Oracle::new(case, Way::Perturbations).rounding(rounding),
    };
    let numbers = derivatives.wanted(JUDGED[judgement].wanted)?;
    Ok(Expected {
        numbers,
        // Far larger than rounding makes it, and far smaller than a wrong rule.
        tolerance: 1e-9 * (1.0 + derivatives.oracle.largest),
    })
}

/// The derivatives of a case, by the oracle.
struct Derivatives<'a> {
    case: &'a Case,
    /// The direction of each parameter.
    units: Vec<Vec<f64>>,
    oracle: Oracle<'a>,
}

impl Derivatives<'_> {
    /// The derivative of each result in all these directions.
    fn along(&mut self, directions: &[&[f64]]) -> Result<Vec<f64>, Skip> {
        let all = (1 << directions.len()) - 1;
        let results = self.oracle.results(directions)?;
        Ok(results
            .iter()
            .map(|number| number.coefficient(all))
            .collect())
    }

    fn values(&mut self) -> Result<Vec<f64>, Skip> {
        self.along(&[])
    }

    /// The derivatives of each result, in one parameter after the other.
    fn jacobian(&mut self) -> Result<Vec<Vec<f64>>, Skip> {
        let units = self.units.clone();
        let columns = units.iter().map(|unit| self.along(&[unit]));
        let columns: Vec<Vec<f64>> = columns.collect::<Result<_, Skip>>()?;
        let row = |row: usize| columns.iter().map(|column| column[row]).collect();
        Ok((0..self.case.results.len()).map(row).collect())
    }

    /// The derivative of the weighted sum of the results in each parameter.
    fn weighted(&mut self) -> Result<Vec<f64>, Skip> {
        let rows = self.jacobian()?;
        let weighted = |i: usize| {
            let weights = self.case.weights.iter();
            rows.iter()
                .zip(weights)
                .map(|(row, weight)| weight * row[i])
                .sum()
        };
        Ok((0..self.units.len()).map(weighted).collect())
    }

    fn wanted(&mut self, wanted: Wanted) -> Result<Vec<f64>, Skip> {
        let units = self.units.clone();
        let direction = self.case.direction.as_slice();
        // As often as it says, in the first parameter.
        let order = |order: usize| -> Vec<&[f64]> { vec![units[0].as_slice(); order] };
        Ok(match wanted {
            Wanted::Order(times) => self.along(&order(times))?,
            Wanted::Orders(times) => {
                let orders = (0..=times).map(|times| self.along(&order(times)));
                orders.collect::<Result<Vec<_>, Skip>>()?.concat()
            }
            Wanted::Choices(times) => {
                let all = (1 << times) - 1;
                let ways = self.oracle.all_results(&order(times))?;
                ways.iter()
                    .flatten()
                    .map(|number| number.coefficient(all))
                    .collect()
            }
            Wanted::Weighted(weights) => {
                let slope = self.along(&order(1))?[0];
                let slopes = weights.iter().map(|weight| weight * slope);
                self.values()?.into_iter().chain(slopes).collect()
            }
            Wanted::Jacobian => self.jacobian()?.concat(),
            Wanted::ValueJacobian => [self.values()?, self.jacobian()?.concat()].concat(),
            Wanted::Directional => self.along(&[direction])?,
            Wanted::ValueDirectional => [self.values()?, self.along(&[direction])?].concat(),
            Wanted::ValueWeighted => [self.values()?, self.weighted()?].concat(),
            Wanted::ValueWeightedThrice => {
                let once = self.weighted()?;
                let tenfold = once.iter().map(|x| 10.0 * x).collect();
                [self.values()?, once.clone(), tenfold, once].concat()
            }
            Wanted::Hessian => {
                let pairs = units
                    .iter()
                    .flat_map(|row| units.iter().map(move |column| (row, column)));
                let entries = pairs.map(|(row, column)| self.along(&[row, column]));
                entries.collect::<Result<Vec<_>, Skip>>()?.concat()
            }
            Wanted::HessianVector => {
                let entries = units.iter().map(|row| self.along(&[row, direction]));
                entries.collect::<Result<Vec<_>, Skip>>()?.concat()
            }
        })
    }
}

/// The libraries that programs include.
pub const LIBRARIES: [&str; 4] = ["ad", "ad-checkpoint", "ad-modes", "ad-taylor"];

/// A program of some terms of some cases.
pub fn program(cases: &[(&Case, &[Judgement])]) -> String {
    let mut text: String = LIBRARIES.map(|name| format!("include {name}\n")).concat();
    text.push('\n');
    let mut terms = Vec::new();
    for (number, (case, judgements)) in cases.iter().enumerate() {
        text += &definitions(case, number);
        terms.extend(judgements.iter().map(|term| judged(case, number, *term)));
    }
    let terms = terms.join(",\n  ");
    let _ = write!(
        text,
        "main : [RefState] (List (List Float))\nmain! = [{terms}]\n"
    );
    text
}

/// Bytes of programs that one database is used for.
const RENEWED_AFTER: usize = 5_000_000;

pub struct Judge {
    files: Files,
    used: usize,
    /// Files beside the programs, such as a library in the place of the built-in one.
    beside: Vec<(String, String)>,
    /// Derivatives mark their numbers.
    marked: bool,
}

impl Judge {
    pub fn new(beside: Vec<(String, String)>) -> Judge {
        let mut judge = Judge {
            files: Files::new(None),
            used: 0,
            beside,
            marked: false,
        };
        judge.renew();
        judge
    }

    /// One whose derivatives mark their numbers, and refuse those of others.
    pub fn with_marks() -> Judge {
        Judge {
            marked: true,
            ..Judge::new(Vec::new())
        }
    }

    fn renew(&mut self) {
        self.files = Files::new(None);
        self.used = 0;
        for (name, text) in &self.beside {
            self.files.set_text(name, text);
        }
    }

    /// The numbers of each term of a program, or why there are none.
    pub fn run(&mut self, text: &str) -> Result<Vec<Vec<f64>>, String> {
        // What a database has interned stays, so a new one is taken now and then.
        self.used += text.len();
        if self.used > RENEWED_AFTER {
            self.renew();
        }
        let file = self.files.set_text("main.fk", text);
        let outcome = if self.marked {
            let files = marked::files(self.files.db(), file);
            let file = files.file("main.fk").unwrap();
            run_main(&files, file, "", Limits::default())
        } else {
            run_main(&self.files, file, "", Limits::default())
        };
        let value = outcome.value.map_err(|message| {
            // What runs has no errors; its warnings take longer to find than its value.
            let findings = file_diagnostics(self.files.db(), file);
            let error = findings.iter().find(|finding| finding.is_error());
            error.map_or(message, |error| {
                format!("it does not check: {}", error.message)
            })
        })?;
        let inner = value
            .strip_prefix('[')
            .and_then(|value| value.strip_suffix(']'));
        let mut terms = Vec::new();
        for list in inner.unwrap_or_default().split_inclusive(']') {
            let numbers = list
                .split([',', '[', ']', ' '])
                .filter(|number| !number.is_empty());
            terms.push(numbers.map(|number| number.parse().unwrap()).collect());
        }
        Ok(terms)
    }

    /// The numbers of one term.
    pub fn run_one(&mut self, case: &Case, judgement: Judgement) -> Result<Vec<f64>, String> {
        let terms = self.run(&program(&[(case, &[judgement])]))?;
        Ok(terms.concat())
    }
}
