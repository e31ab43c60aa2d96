//! Whole terms for a hole (request `frank/fill`): the search of [`frank_analysis::holes`], whose terms are checked
//! in their clause, and run on the examples in the operator's comment.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use frank_analysis::db::{SourceFile, item};
use frank_analysis::files::Files;
use frank_analysis::holes::{Bounds, Found, Probe};
use frank_interpreter::Limits;
use frank_syntax::ast::{Item, TermKind};
use frank_syntax::parse::parse_term;

use super::HoleAt;
use super::fits::Known;
use super::trial::Trial;
use crate::examples::{Expected, What, examples_in};
use crate::{Analysis, FilePosition};

/// How long to look for terms.
#[derive(Debug, Clone, Copy)]
pub struct Filling {
    pub time: Duration,
    /// The largest terms: how many names, literals and cases they have. A call that can give a value of any type
    /// counts as three.
    pub size: u32,
    /// So many beginnings of terms are tried at most.
    pub tries: u64,
    /// Whether examples are run.
    pub with_examples: bool,
}

impl Filling {
    /// What is looked for when somebody asks for it and waits.
    pub fn on_request() -> Filling {
        Filling {
            time: Duration::from_secs(2),
            size: 8,
            tries: u64::MAX,
            with_examples: true,
        }
    }

    /// What is looked for beside the names that fit, unasked. No program is run for that.
    pub fn as_you_type() -> Filling {
        Filling {
            time: Duration::from_millis(50),
            with_examples: false,
            ..Filling::on_request()
        }
    }
}

/// What was found, and how far the search came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filled {
    /// The best first. With each of them in the place of the hole the clause checks.
    pub terms: Vec<FilledTerm>,
    /// How many beginnings of terms were tried, and how many whole terms were found.
    pub tried: u64,
    pub found: usize,
    /// All terms up to this size were looked at.
    pub complete_to: u32,
    /// How many examples the operator has.
    pub examples: usize,
    pub elapsed: Duration,
}

/// A term that fits a hole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilledTerm {
    pub text: String,
    pub size: u32,
    /// Whether the examples hold with it, but for those that end in another hole; `None` if that says nothing.
    pub examples_hold: Option<bool>,
}

/// So many terms are looked at, the likeliest of those that fit.
const MOST_KEPT: usize = 20_000;
/// So many are given.
const MOST_GIVEN: usize = 13;
/// So many of the shortest are looked at before all but the very likeliest: short terms leave much unused, which makes
/// them unlikely, but are soon read, and tried.
const SHORTEST: usize = 3;
const SHORTEST_RUN: usize = 20;
/// And so many of the likeliest are still before them.
const FIRST: usize = MOST_GIVEN - SHORTEST;
/// So many are run on the examples.
const MOST_RUN: usize = 1_000;
/// What one run of an example may need.
const EXAMPLE_STEPS: u64 = 200_000;
const EXAMPLE_MEMORY: usize = 64 << 20;

/// An example that says what comes out.
struct Wanted {
    term: String,
    value: Expected,
}

impl Analysis {
    /// Terms for the hole at a place; `None` where there is no hole. `cancelled` is asked now and then, and ends the
    /// search.
    pub fn fill(
        &self,
        at: FilePosition,
        filling: Filling,
        cancelled: &dyn Fn() -> bool,
    ) -> Option<Filled> {
        let begin = Instant::now();
        let hole = self.hole_at(at)?;
        let mut known = Known::of(self, &hole)?;
        Some(self.fill_known(&hole, &mut known, filling, begin, cancelled))
    }

    /// As [`Analysis::fill`], where the hole is known already. The time counts from `begin`.
    pub(crate) fn fill_known(
        &self,
        hole: &HoleAt<'_>,
        known: &mut Known<'_>,
        filling: Filling,
        begin: Instant,
        cancelled: &dyn Fn() -> bool,
    ) -> Filled {
        let wanted = match filling.with_examples {
            true => self.wanted(hole),
            false => Vec::new(),
        };
        // Examples take what is left of the time.
        let searching = match wanted.is_empty() {
            true => filling.time * 9 / 10,
            false => filling.time / 2,
        };
        let stop = || begin.elapsed() >= searching || cancelled();
        let bounds = Bounds {
            size: filling.size,
            most: MOST_KEPT,
            tries: filling.tries,
        };
        let Known { probe, goal, place } = known;
        self.admit_numbers(hole, &wanted, probe);
        let searched = probe.search(goal, *place, bounds, &stop);
        let late = || begin.elapsed() >= filling.time || cancelled();
        let terms = self.best(hole, searched.found, &wanted, &late);
        Filled {
            terms,
            tried: searched.tried,
            found: searched.count,
            complete_to: searched.complete_to,
            examples: wanted.len(),
            elapsed: begin.elapsed(),
        }
    }

    /// The best of the terms that were found, the likeliest first, checked in their clause.
    fn best(
        &self,
        hole: &HoleAt<'_>,
        found: Vec<Found>,
        wanted: &[Wanted],
        late: &dyn Fn() -> bool,
    ) -> Vec<FilledTerm> {
        let trial = Trial::new(hole);
        // Many may be refused one after the other.
        let shortest = match wanted.is_empty() {
            true => SHORTEST,
            false => SHORTEST_RUN,
        };
        let in_time = with_short_ones(found, shortest).into_iter();
        let in_time = in_time.take_while(|_| !late());
        let fitting = in_time.filter(|(_, one)| trial.accepts(&one.text));
        let term = |one: Found, examples_hold| FilledTerm {
            text: one.text,
            size: one.size,
            examples_hold,
        };
        let bench = match wanted.is_empty() {
            true => None,
            false => Bench::new(self, hole),
        };
        let Some(mut bench) = bench else {
            let terms = fitting.map(|(_, one)| term(one, None));
            return terms.take(MOST_GIVEN).collect();
        };
        let (mut right, mut open, mut wrong) = (Vec::new(), Vec::new(), Vec::new());
        for (place, one) in fitting.take(MOST_RUN) {
            // The short ones take nobody's place.
            if right.len() == MOST_GIVEN + SHORTEST_RUN {
                break;
            }
            let holds = bench.holds(&trial.with(&one.text), wanted);
            let kind = match holds {
                Some(true) => &mut right,
                None => &mut open,
                Some(false) => &mut wrong,
            };
            kind.push((place, term(one, holds)));
        }
        // They were run in another order than that of how likely they are.
        let kinds = [right, open, wrong].into_iter();
        let best = kinds.flat_map(|mut kind| {
            kind.sort_by_key(|(place, _)| *place);
            kind.into_iter().map(|(_, term)| term)
        });
        best.take(MOST_GIVEN).collect()
    }

    /// Lets terms have the numbers of the operator and of its examples, and those that lead from an argument of an example to
    /// its value by an addition or a multiplication.
    fn admit_numbers(&self, hole: &HoleAt<'_>, wanted: &[Wanted], probe: &mut Probe<'_>) {
        for example in wanted {
            let (term, value) = (parse_term(&example.term), parse_term(&example.value.text));
            let naturals = |item: &Item| -> Vec<u64> {
                let terms = item.terms.iter();
                let naturals = terms.filter_map(|(_, term)| match term.kind {
                    TermKind::Natural(number) => number,
                    _ => None,
                });
                naturals.collect()
            };
            let values = naturals(&value.item);
            for argument in naturals(&term.item) {
                for value in values.iter().filter(|value| **value > argument) {
                    // The value itself would say nothing of other arguments.
                    let divides = argument > 1 && value % argument == 0;
                    let quotient = divides.then(|| value / argument);
                    let difference = (argument > 0).then(|| value - argument);
                    let steps = [difference, quotient].into_iter().flatten();
                    steps.for_each(|step| probe.admit_natural(step));
                }
            }
        }
        if let Some(operator) = hole.view.operator() {
            for clause in &operator.items(self.db()).clauses {
                probe.admit_numbers_of(item(self.db(), *clause));
            }
        }
        for example in wanted {
            probe.admit_numbers_of(&parse_term(&example.term).item);
        }
    }

    /// The examples with values in the comments of the hole's operator.
    fn wanted(&self, hole: &HoleAt<'_>) -> Vec<Wanted> {
        let Some(operator) = hole.view.operator() else {
            return Vec::new();
        };
        let db = self.db();
        let items = operator.items(db);
        let own: Vec<_> = items.signatures.iter().chain(&items.clauses).collect();
        let file = hole.view.source.file(db);
        let places: Vec<_> = own
            .into_iter()
            .filter_map(|source| self.snapshot().place(*source))
            .collect();
        let examples = examples_in(self.snapshot(), file).into_iter();
        let examples = examples.filter(|example| {
            let mut places = places.iter();
            places.any(|place| {
                place.range.start <= example.at.start && example.at.start < place.range.end
            })
        });
        examples
            .filter_map(|example| match example.what {
                What::Evaluate {
                    term,
                    value: Some(value),
                } => Some(Wanted { term, value }),
                _ => None,
            })
            .collect()
    }
}

/// Terms, the likeliest first, each with its place in that order; the shortest of them come to stand near the front.
fn with_short_ones(found: Vec<Found>, count: usize) -> Vec<(usize, Found)> {
    let mut found: Vec<(usize, Found)> = found.into_iter().enumerate().collect();
    let behind = found.split_off(FIRST.min(found.len()));
    let mut shortest: Vec<(u32, usize)> = behind
        .iter()
        .map(|(place, one)| (one.size, *place))
        .collect();
    shortest.sort_unstable();
    shortest.truncate(count);
    let is_short: HashSet<usize> = shortest.into_iter().map(|(_, place)| place).collect();
    let behind = behind.into_iter();
    let (mut short, others): (Vec<_>, Vec<_>) =
        behind.partition(|(place, _)| is_short.contains(place));
    short.sort_by_key(|(_, one)| one.size);
    found.extend(short.into_iter().chain(others));
    found
}

/// A copy of the program in which terms are tried.
struct Bench {
    files: Files,
    file: SourceFile,
    /// The clause in the text as it is now.
    clause: std::ops::Range<usize>,
    text: String,
}

impl Bench {
    fn new(analysis: &Analysis, hole: &HoleAt<'_>) -> Option<Bench> {
        let db = analysis.db();
        let source = hole.view.source;
        let own = source.file(db);
        let roots = analysis.programs_of_files([own].into_iter());
        let files = analysis.copy_of(&roots, |file| analysis.snapshot().text(file));
        let file = files.file(own.path(db))?;
        let start = usize::from(hole.view.start);
        Some(Bench {
            file,
            clause: start..start + hole.view.text().len(),
            text: analysis.snapshot().text(own),
            files,
        })
    }

    /// Whether the examples hold with another text for the clause; `None` if those that do not end in another hole.
    fn holds(&mut self, clause: &str, wanted: &[Wanted]) -> Option<bool> {
        let old = self.clause.clone();
        self.text.replace_range(old.clone(), clause);
        self.clause = old.start..old.start + clause.len();
        self.files
            .edit(self.file, self.text.as_str(), old, clause.len());
        let analysis = Analysis::new(self.files.snapshot());
        let limits = Limits {
            steps: Some(EXAMPLE_STEPS),
            memory: EXAMPLE_MEMORY,
            time: Some(Duration::from_millis(200)),
            ..Limits::default()
        };
        let mut is_open = false;
        for wanted in wanted {
            let plan = analysis.term_plan(self.file, &wanted.term);
            let Ok(plan) = plan else {
                return Some(false);
            };
            match plan.run(&limits, || {}).value {
                Ok(value) if wanted.value.is(&value) => {}
                Err(error) if error.hole => is_open = true,
                Ok(_) | Err(_) => return Some(false),
            }
        }
        (!is_open).then_some(true)
    }
}
