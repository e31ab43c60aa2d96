//! Laws: `for all x : Int. term` in comments, tried with values at random.
//!
//! A law is checked and linked as a term on its own, a computation that takes its variables. To try it, values are made up
//! for them by their types, as terms of the core, and the computation is applied to them. Who runs those programs, and
//! within which limits, is the caller's business. When one of them does not give `true`, smaller values are tried in the
//! place of its own until none of them fails in the same way.
//!
//! The last fifth of the tries has extreme numbers among its values. A law is about values where both of its sides have
//! one: what does not fit into an `Int` there, or counts up to such a number, says nothing about it.

mod generate;
mod shrink;
mod types;
mod value;

use frank_core::{Entry, Operator, OperatorBody, OperatorId, Program, Term, Type};
use frank_interpreter::{RunError, RunErrorKind};

use generate::Generator;
use types::Types;
use value::Value;

/// So many programs with smaller values at most are run.
const MOST_SMALLER: usize = 2000;
/// So many are compiled together.
const TOGETHER: usize = 16;
/// One of so many tries has extreme numbers.
const ONE_EXTREME_OF: u32 = 5;
/// What takes more steps with extreme numbers counts up to one of them.
const MOST_STEPS_WITH_EXTREMES: u64 = 100_000;

/// A law that is ready to be tried. Holds no part of a snapshot.
#[derive(Debug)]
pub struct Law {
    /// The law is an operator of it. It has no entries.
    program: Program,
    operator: OperatorId,
    variables: Vec<(String, Type)>,
    types: Types,
}

/// How a law is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tries {
    /// The same seed makes the same values.
    pub seed: u64,
    /// With how many values.
    pub most: u32,
}

impl Default for Tries {
    fn default() -> Tries {
        Tries { seed: 0, most: 100 }
    }
}

/// In which way a law does not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// It is false.
    False,
    /// It has a number that does not fit into its type: an overflow.
    OutOfRange,
    /// Its run ends with another error.
    Error,
    /// Its run comes to the end of a limit of steps or of memory.
    TooLarge,
    /// Its run comes to the end of another limit.
    Limit,
}

impl Kind {
    /// How a run failed that should have given `true`, and with which error, if it ended with one; nothing of one that
    /// gave it.
    pub fn of_run(value: Result<String, Box<RunError>>) -> Option<(Kind, Option<Box<RunError>>)> {
        match value {
            Ok(value) if value == "true" => None,
            Ok(_) => Some((Kind::False, None)),
            Err(error) => Some((Kind::of(error.kind), Some(error))),
        }
    }

    fn of(error: RunErrorKind) -> Kind {
        match error {
            RunErrorKind::Overflow | RunErrorKind::Conversion => Kind::OutOfRange,
            RunErrorKind::Steps | RunErrorKind::Memory => Kind::TooLarge,
            RunErrorKind::Time | RunErrorKind::Output | RunErrorKind::Cancelled => Kind::Limit,
            _ => Kind::Error,
        }
    }

    fn is_limit(self) -> bool {
        matches!(self, Kind::TooLarge | Kind::Limit)
    }

    /// Whether it says anything about a law that there are values for which it fails so.
    fn counts(self, numbers: Numbers) -> bool {
        numbers == Numbers::Usual || !matches!(self, Kind::OutOfRange | Kind::TooLarge)
    }
}

/// Which numbers are among the values of a try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Numbers {
    Usual,
    /// Those at the ends of `Int` and `Float`, too.
    Extreme,
}

impl Numbers {
    /// So many steps at most are wanted of a run.
    fn steps(self) -> Option<u64> {
        match self {
            Numbers::Usual => None,
            Numbers::Extreme => Some(MOST_STEPS_WITH_EXTREMES),
        }
    }
}

/// A run that did not give `true`.
#[derive(Debug)]
pub struct Failure<F> {
    pub kind: Kind,
    /// What whoever runs programs wants to remember of it.
    pub what: F,
}

/// What came of a law.
#[derive(Debug)]
pub enum Verdict<F> {
    Holds,
    Fails(Box<Counterexample<F>>),
}

/// Values for which a law does not hold.
#[derive(Debug)]
pub struct Counterexample<F> {
    pub failure: Failure<F>,
    /// The variables with their values as text, as a program would have them.
    pub values: Vec<(String, String)>,
    /// The number of the try that found it, from 1.
    pub number: u32,
    /// The values are smaller than those that were found.
    pub smaller: bool,
}

impl<F> Counterexample<F> {
    /// `is false for x = 0, y = (-1)`.
    pub fn said(&self) -> String {
        let fails = match self.failure.kind {
            Kind::False => "is false",
            Kind::OutOfRange | Kind::Error => "fails",
            Kind::TooLarge | Kind::Limit => "comes to the end of a limit",
        };
        format!("{fails} for {}", self.text())
    }

    /// `x = 0, y = (-1)`; empty for a law without variables.
    pub fn text(&self) -> String {
        let all = self.values.iter();
        let all: Vec<String> = all
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        all.join(", ")
    }
}

/// Runs programs.
pub trait Runs {
    /// What is remembered of a run that failed.
    type What;

    /// Runs the entries of a program in order, to the first one that does not give `true` in one of the ways that count.
    /// Gives its number. None takes more steps than are given, if some are.
    ///
    /// # Errors
    /// The program cannot be run at all; with a sentence.
    fn run(
        &mut self,
        program: Program,
        steps: Option<u64>,
        counts: &dyn Fn(Kind) -> bool,
    ) -> Result<Failed<Self::What>, String>;
}

/// The number of the first entry that failed, and how it did.
pub type Failed<F> = Option<(usize, Failure<F>)>;

/// Values, and how the law fails for them, if those are others than there were.
type Smallest<F> = (Vec<Value>, Option<Failure<F>>);

impl Law {
    /// The law that is the only entry of a program.
    ///
    /// # Errors
    /// Values of a variable's type cannot be made up, or the entry is no law; with a sentence.
    pub fn new(mut program: Program) -> Result<Law, String> {
        let no_law = || "this is no law".to_owned();
        let entry = program.entries.pop().ok_or_else(no_law)?;
        let variables = program.written.variables.pop().unwrap_or_default();
        let Term::Thunk(handler) = &program.terms[entry.term] else {
            return Err(no_law());
        };
        let types = Types::of(&program, &variables)?;
        let mut handler = handler.clone();
        handler.locals = entry.locals;
        let place = program.places.get(entry.term).copied();
        let operator = program.operators.alloc(Operator {
            name: "the law".to_owned(),
            place: place.ok_or_else(no_law)?,
            body: OperatorBody::Handler(handler),
        });
        let locals = program.written.entries.pop().unwrap_or_default();
        program.written.operators.insert(operator, locals);
        Ok(Law {
            program,
            operator,
            variables,
            types,
        })
    }

    /// Tries the law.
    ///
    /// # Errors
    /// It cannot be run; with a sentence.
    pub fn check<R: Runs>(&self, tries: Tries, runs: &mut R) -> Result<Verdict<R::What>, String> {
        let mut generator = Generator::new(&self.program, &self.types, tries.seed);
        let usual = tries.most - tries.most / ONE_EXTREME_OF;
        let all = [
            (Numbers::Usual, 0..usual),
            (Numbers::Extreme, usual..tries.most),
        ];
        for (numbers, part) in all {
            let before = part.start;
            let extreme = numbers == Numbers::Extreme;
            let all: Vec<Vec<Value>> = part
                .map(|number| generator.values(&self.variables, number, extreme))
                .collect();
            let failed = self.first_of(&all, runs, numbers, &|kind| kind.counts(numbers))?;
            if let Some((position, failure)) = failed {
                let found = all.into_iter().nth(position).unwrap_or_default();
                let number = before + u32::try_from(position).unwrap_or_default() + 1;
                let example = self.counterexample(found, failure, (number, numbers), runs)?;
                return Ok(Verdict::Fails(Box::new(example)));
            }
        }
        Ok(Verdict::Holds)
    }

    /// What there is to say of values for which the law fails.
    fn counterexample<R: Runs>(
        &self,
        found: Vec<Value>,
        failure: Failure<R::What>,
        (number, numbers): (u32, Numbers),
        runs: &mut R,
    ) -> Result<Counterexample<R::What>, String> {
        let (smallest, last) = match failure.kind {
            // Whoever waits for the end of a limit does not want to wait again and again.
            kind if kind.is_limit() => (found.clone(), None),
            kind => self.shrunk(found.clone(), kind, numbers, runs)?,
        };
        let is_same = smallest
            .iter()
            .zip(&found)
            .all(|(one, other)| one.is(other));
        let values = self.variables.iter().zip(&smallest);
        let values = values.map(|((name, _), value)| {
            let text = value.text(&self.program, false);
            (name.clone(), text)
        });
        Ok(Counterexample {
            failure: last.unwrap_or(failure),
            values: values.collect(),
            number,
            smaller: !is_same,
        })
    }

    /// The first of some values for which the law does not hold.
    fn first_of<R: Runs>(
        &self,
        all: &[Vec<Value>],
        runs: &mut R,
        numbers: Numbers,
        counts: &dyn Fn(Kind) -> bool,
    ) -> Result<Failed<R::What>, String> {
        for (number, together) in all.chunks(TOGETHER).enumerate() {
            let failed = runs.run(self.applied(together), numbers.steps(), counts)?;
            if let Some((position, failure)) = failed {
                return Ok(Some((number * TOGETHER + position, failure)));
            }
        }
        Ok(None)
    }

    /// Values as small as can be for which the law fails as it does for some.
    fn shrunk<R: Runs>(
        &self,
        mut values: Vec<Value>,
        kind: Kind,
        numbers: Numbers,
        runs: &mut R,
    ) -> Result<Smallest<R::What>, String> {
        let mut last = None;
        let mut left = MOST_SMALLER;
        loop {
            let mut others = self.smaller(&values);
            others.truncate(left);
            left -= others.len();
            let failed = self.first_of(&others, runs, numbers, &|own| own == kind)?;
            let Some((position, failure)) = failed else {
                return Ok((values, last));
            };
            left += others.len() - position - 1;
            last = Some(failure);
            values = others.swap_remove(position);
        }
    }

    /// The values with another one for one of the variables.
    fn smaller(&self, values: &[Value]) -> Vec<Vec<Value>> {
        let mut found = Vec::new();
        for (position, ((_, ty), value)) in self.variables.iter().zip(values).enumerate() {
            for other in shrink::smaller(&self.program, &self.types, ty, value) {
                let mut others = values.to_vec();
                if let Some(place) = others.get_mut(position) {
                    *place = other;
                }
                found.push(others);
            }
        }
        found
    }

    /// A program with an entry for each of some values.
    fn applied(&self, all: &[Vec<Value>]) -> Program {
        let mut program = self.program.clone();
        let place = program.operators[self.operator].place;
        for values in all {
            let args = values
                .iter()
                .map(|value| value.term(&mut program))
                .collect();
            let head = program.terms.alloc(Term::Operator(self.operator));
            let term = program.terms.alloc(Term::Apply { head, args });
            program.places.insert(head, place);
            program.places.insert(term, place);
            program.entries.push(Entry {
                name: "law".to_owned(),
                term,
                ty: Type::Unknown,
                locals: 0,
            });
        }
        program
    }
}
