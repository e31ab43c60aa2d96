//! Whole terms for a hole (request `frank/fill`): the search of [`frank_analysis::holes`], whose terms are checked
//! in their clause, and run on the examples in the operator's comment.

use std::collections::HashSet;
use std::time::Duration;

use frank_analysis::db::item;
use frank_analysis::holes::{Bounds, Found, Probe};
use frank_syntax::ast::{Item, TermKind};
use frank_syntax::parse::parse_term;
use web_time::Instant;

use super::HoleAt;
use super::bench::{Bench, Said, Wanted};
use super::fits::Known;
use super::trial::Trial;
use crate::examples::{What, examples_in};
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
    /// Whether examples are run, and what is warned of comes later.
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
    /// How many examples the operator has that could be run.
    pub examples: usize,
    /// Of each of the others why not, a sentence.
    pub unusable: Vec<String>,
    /// With how many terms an example needed more time, steps or memory than a run of it may.
    pub unended: usize,
    /// How many terms were run on them; `None` if all that were found.
    pub run: Option<usize>,
    pub elapsed: Duration,
}

/// A term that fits a hole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilledTerm {
    pub text: String,
    pub size: u32,
    /// Whether the examples hold with it, but for those that end in another hole; `None` if that says nothing, or
    /// not within its limits.
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
/// So many are put into the clause however late it is: whoever waited for the search wants to see something of it.
const LEAST_TRIED: usize = 6;
/// So many are run on the examples.
const MOST_RUN: usize = 1_000;

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
        let mut wanted = match filling.with_examples {
            true => self.wanted(hole),
            false => Vec::new(),
        };
        let mut bench = match filling.with_examples {
            true => Bench::new(self, hole),
            false => None,
        };
        let unusable = match &bench {
            Some(bench) => bench.take_unusable(&mut wanted),
            None => Vec::new(),
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
        let all_kept = searched.count == searched.found.len();
        let end = End {
            late: &late,
            cancelled,
        };
        let best = self.best(hole, searched.found, &wanted, bench.as_mut(), &end);
        let all_run = best.all_tried && all_kept;
        Filled {
            terms: best.terms,
            run: (!all_run).then_some(best.tried),
            tried: searched.tried,
            found: searched.count,
            complete_to: searched.complete_to,
            examples: wanted.len(),
            unusable,
            unended: best.unended,
            elapsed: begin.elapsed(),
        }
    }

    /// The best of the terms that were found, the likeliest first, checked in their clause.
    fn best(
        &self,
        hole: &HoleAt<'_>,
        found: Vec<Found>,
        wanted: &[Wanted],
        bench: Option<&mut Bench>,
        end: &End<'_>,
    ) -> Best {
        let late = end.late;
        let trial = Trial::new(hole);
        // Many may be refused one after the other.
        let shortest = match wanted.is_empty() {
            true => SHORTEST,
            false => SHORTEST_RUN,
        };
        let mut candidates = with_short_ones(found, shortest).into_iter();
        let mut begun = 0;
        let in_time = candidates.by_ref().take_while(|_| {
            begun += 1;
            !late() || begun <= LEAST_TRIED && !(end.cancelled)()
        });
        let fitting = in_time.filter(|(_, one)| trial.accepts(&one.text));
        let term = |one: Found, examples_hold| FilledTerm {
            text: one.text,
            size: one.size,
            examples_hold,
        };
        let Some(bench) = bench else {
            let terms = fitting.map(|(_, one)| term(one, None));
            return Best {
                terms: terms.take(MOST_GIVEN).collect(),
                tried: 0,
                all_tried: false,
                unended: 0,
            };
        };
        let (mut right, mut open, mut wrong) = (Vec::new(), Vec::new(), Vec::new());
        let mut unended = Vec::new();
        let mut tried = 0;
        let most = match wanted.is_empty() {
            true => MOST_GIVEN,
            false => MOST_RUN,
        };
        for (place, one) in fitting.take(most) {
            tried += 1;
            let said = match wanted.is_empty() || late() {
                true => Said::Open,
                false => bench.said(&trial.with(&one.text), wanted),
            };
            let (kind, holds) = match said {
                Said::Hold => (&mut right, Some(true)),
                Said::Open => (&mut open, None),
                Said::TooLong => (&mut unended, None),
                Said::Differ => (&mut wrong, Some(false)),
            };
            kind.push((place, term(one, holds)));
            // The short ones take nobody's place.
            if right.len() == MOST_GIVEN + SHORTEST_RUN {
                break;
            }
        }
        let all_tried = tried < most && !late() && candidates.next().is_none();
        let count_unended = unended.len();
        let mut terms = Vec::new();
        for mut kind in [right, open, unended, wrong] {
            // They were run in another order than that of how likely they are; without examples the short ones are last.
            if !wanted.is_empty() {
                kind.sort_by_key(|(place, _)| *place);
            }
            kind.truncate(MOST_GIVEN - terms.len());
            let mut kind: Vec<FilledTerm> = kind.into_iter().map(|(_, term)| term).collect();
            bench.warned_last(&mut kind, late, |term| trial.with(&term.text));
            terms.extend(kind);
        }
        Best {
            terms,
            tried,
            all_tried,
            unended: count_unended,
        }
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

/// When a search has to end.
struct End<'a> {
    /// Its time is over.
    late: &'a dyn Fn() -> bool,
    /// Nobody waits for it.
    cancelled: &'a dyn Fn() -> bool,
}

/// The best of some terms.
struct Best {
    terms: Vec<FilledTerm>,
    /// How many were put into the clause and fit.
    tried: usize,
    /// Whether those were all that fit.
    all_tried: bool,
    /// With how many of them an example needed too much.
    unended: usize,
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

#[cfg(test)]
mod tests {
    use frank_analysis::files::Files;

    use super::*;

    /// What is told of a search at whose end the time is over.
    fn told_late(is_cancelled: bool) -> usize {
        let text = "f : Int -> Int -> Int\nf x y = _\n";
        let mut files = Files::new(None);
        let file = files.set_text("main.fk", text);
        let analysis = Analysis::new(files.snapshot());
        let hole = text.find('_').expect("a hole");
        let hole = analysis
            .hole_at(FilePosition::new(file, hole))
            .expect("a hole");
        let mut known = Known::of(&analysis, &hole).expect("a goal");
        let bounds = Bounds {
            size: 4,
            most: MOST_KEPT,
            tries: 1_000,
        };
        let Known { probe, goal, place } = &mut known;
        let found = probe.search(goal, *place, bounds, &|| false).found;
        assert!(found.len() > LEAST_TRIED);
        let end = End {
            late: &|| true,
            cancelled: &|| is_cancelled,
        };
        analysis.best(&hole, found, &[], None, &end).terms.len()
    }

    #[test]
    fn something_is_told_however_late_it_is() {
        assert!((1..=LEAST_TRIED).contains(&told_late(false)));
        assert_eq!(told_late(true), 0, "nobody waits");
    }
}
