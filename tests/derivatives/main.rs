//! Derivatives of random programs, in all modes and nestings, against an oracle that knows no
//! handlers.
//!
//! `FRANK_FUZZ_ROUNDS=n` tries n times as many programs, and `FRANK_FUZZ_SEED=n` others.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests fail by panicking"
)]
#![allow(
    clippy::disallowed_methods,
    reason = "the oracle shares nothing with the interpreter, not even its functions; last digits do not count"
)]

mod generate;
mod judge;
mod numbers;
mod oracle;
mod program;
mod render;
mod shrink;
mod tables;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use frank_tests::effort::{rounds, seed};
use frank_tests::project_root;
use generate::Generator;
use judge::{Expected, Judge, Judgement, LIBRARIES, expected, program, rounding_shows};
use oracle::{Oracle, Skip, Way, by_differences};
use program::{Case, Shape, Term};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use shrink::shrink;
use tables::JUDGED;

/// Cases of a program text.
const BATCH: usize = 100;
/// Terms that are judged of a case.
const TERMS: usize = 3;
/// Wrong cases that are shown.
const SHOWN: usize = 3;

/// A case, and what some terms of it should give.
struct Prepared {
    case: Case,
    judgements: Vec<Judgement>,
    expected: Vec<Expected>,
}

/// What came of some cases.
#[derive(Debug, Default)]
struct Tally {
    right: usize,
    /// Cases that differ by what rounding makes of them.
    rounded: usize,
    wrong: Vec<(Case, Judgement)>,
    skipped: BTreeMap<Skip, usize>,
    /// How often each of the terms in the table was judged.
    judged: BTreeMap<Judgement, usize>,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.right += other.right;
        self.rounded += other.rounded;
        self.wrong.extend(other.wrong);
        for (skip, count) in other.skipped {
            *self.skipped.entry(skip).or_default() += count;
        }
        for (judgement, count) in other.judged {
            *self.judged.entry(judgement).or_default() += count;
        }
    }
}

/// The terms that can be judged of a case.
fn judged_of(case: &Case) -> Vec<Judgement> {
    let judged = JUDGED.iter().enumerate();
    let judged = judged
        .filter(|(_, judged)| judged.shape == case.shape && judged.of.contains(&case.ability));
    judged.map(|(index, _)| index).collect()
}

fn prepare(case: Case, rng: &mut StdRng) -> Result<Prepared, Skip> {
    let mut judged = judged_of(&case);
    let mut judgements = Vec::new();
    while judgements.len() < TERMS && !judged.is_empty() {
        judgements.push(judged.swap_remove(rng.random_range(0..judged.len())));
    }
    let expected = judgements
        .iter()
        .map(|judgement| expected(&case, *judgement));
    Ok(Prepared {
        expected: expected.collect::<Result<_, Skip>>()?,
        case,
        judgements,
    })
}

/// Judges so many cases as one program.
fn judge_batch(size: usize, seed: u64, judge: &mut Judge) -> Tally {
    let mut generator = Generator::new(seed);
    let mut rng = StdRng::seed_from_u64(seed);
    let mut tally = Tally::default();
    let mut batch = Vec::new();
    while batch.len() < size {
        match prepare(generator.case(), &mut rng) {
            Ok(prepared) => batch.push(prepared),
            Err(skip) => *tally.skipped.entry(skip).or_default() += 1,
        }
    }
    for judgement in batch.iter().flat_map(|of| &of.judgements) {
        *tally.judged.entry(*judgement).or_default() += 1;
    }
    let cases: Vec<_> = batch
        .iter()
        .map(|of| (&of.case, of.judgements.as_slice()))
        .collect();
    let together = judge.run(&program(&cases)).ok();
    let mut together = together.into_iter().flatten();
    for of in batch {
        let terms = of.judgements.iter().zip(&of.expected);
        let wrong: Vec<Judgement> = terms
            .filter(|(judgement, expected)| {
                // One term that does not run is enough for none to give anything.
                let found = together.next();
                let found = found.map_or_else(|| judge.run_one(&of.case, **judgement), Ok);
                !found.is_ok_and(|found| expected.agrees(&found))
            })
            .map(|(judgement, _)| *judgement)
            .collect();
        let true_ones = |judgement: &&Judgement| !rounding_shows(&of.case, **judgement);
        match wrong.iter().find(true_ones) {
            None if !wrong.is_empty() => tally.rounded += 1,
            None => tally.right += 1,
            Some(judgement) => tally.wrong.push((of.case, *judgement)),
        }
    }
    tally
}

/// Judges so many batches, or until enough cases are wrong, on all processors.
fn judge_many(batches: usize, seed: u64) -> Tally {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut judge = Judge::new(Vec::new());
        let mut tally = Tally::default();
        while tally.wrong.len() < SHOWN {
            let batch = next.fetch_add(1, Ordering::Relaxed);
            if batch >= batches {
                break;
            }
            tally.add(judge_batch(BATCH, (seed << 32) + batch as u64, &mut judge));
            if (batch + 1).is_multiple_of(1000) {
                println!("{} programs", (batch + 1) * BATCH);
            }
        }
        tally
    };
    std::thread::scope(|scope| {
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let mut all = Tally::default();
        for worker in workers {
            match worker.join() {
                Ok(tally) => all.add(tally),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        all
    })
}

/// How a term of a case differs from what it should be, if it does.
fn difference(
    case: &Case,
    judgement: Judgement,
    judge: &mut Judge,
) -> Option<(Expected, Result<Vec<f64>, String>)> {
    let expected = expected(case, judgement).ok()?;
    let found = judge.run_one(case, judgement);
    let agrees = found.as_ref().is_ok_and(|found| expected.agrees(found));
    (!agrees && !rounding_shows(case, judgement)).then_some((expected, found))
}

/// A failing term of a case, after both were made as small as they can be.
fn describe(case: &Case, judgement: Judgement, judge: &mut Judge) -> String {
    // A number that is wrong must not become a program that is.
    let runs = difference(case, judgement, judge).is_some_and(|(_, found)| found.is_ok());
    let mut fails = |case: &Case, judgement: Judgement| {
        difference(case, judgement, judge).is_some_and(|(_, found)| found.is_ok() == runs)
    };
    let mut shorter = judged_of(case);
    shorter.retain(|other| JUDGED[*other].call.len() < JUDGED[judgement].call.len());
    shorter.sort_by_key(|other| JUDGED[*other].call.len());
    let judgement = shorter
        .into_iter()
        .find(|other| fails(case, *other))
        .unwrap_or(judgement);
    let small = shrink(case, |case| fails(case, judgement));
    let Some((expected, found)) = difference(&small, judgement, judge) else {
        return format!(
            "wrong only now and then:\n{}",
            program(&[(case, &[judgement])])
        );
    };
    format!(
        "{}\nis         {}\nshould be  {:?}",
        program(&[(&small, &[judgement])]),
        found.map_or_else(|error| error, |found| format!("{found:?}")),
        expected.numbers
    )
}

#[test]
fn derivatives_are_those_of_calculus() {
    let count = rounds(100);
    let tally = judge_many(count, seed(1));
    let mut judge = Judge::new(Vec::new());
    let shown = tally.wrong.iter().take(SHOWN);
    let shown: Vec<String> = shown
        .map(|(case, judgement)| describe(case, *judgement, &mut judge))
        .collect();
    assert!(
        shown.is_empty(),
        "derivatives are wrong:\n\n{}",
        shown.join("\n\n")
    );

    let skipped: usize = tally.skipped.values().sum();
    println!(
        "{} programs are right, {} but for rounding, {skipped} are skipped: {:?}",
        tally.right, tally.rounded, tally.skipped
    );
    assert_eq!(tally.right + tally.rounded, count * BATCH);
    assert!(
        tally.rounded * 10_000 <= tally.right,
        "{} differ by rounding",
        tally.rounded
    );
    assert!(
        skipped * 8 < tally.right,
        "too much is skipped: {:?}",
        tally.skipped
    );
    for (index, judged) in JUDGED.iter().enumerate() {
        let times = tally.judged.get(&index).copied().unwrap_or_default();
        assert!(
            times * 2 > count,
            "`{}` is judged only {times} times",
            judged.call
        );
    }
}

#[test]
fn marks_change_no_number() {
    let mut judge = Judge::with_marks();
    let mut right = 0;
    for batch in 0..rounds(5) {
        let tally = judge_batch(BATCH, (seed(3) << 32) + batch as u64, &mut judge);
        if let Some((case, judgement)) = tally.wrong.first() {
            panic!("{}", describe(case, *judgement, &mut judge));
        }
        right += tally.right + tally.rounded;
    }
    assert_eq!(right, rounds(5) * BATCH);
}

/// Mistakes that a library could have: lines, and what stands there instead.
const MISTAKES: [(&str, &str); 9] = [
    (
        "der1 sinE         x = cosS x",
        "der1 sinE         x = sinS x",
    ),
    (
        "der1 tanhE        x = minus (c 1) (square (tanhS x))",
        "der1 tanhE        x = c 1",
    ),
    ("der2R minusE  x y = c (-1)", "der2R minusE  x y = c 1"),
    // Numbers of the surrounding computation depend on the inner variable.
    (
        "lift x = inactive x (<Smooth> (c 0))",
        "lift x = dual x (<Smooth> (c 1))",
    ),
    ("liftm x = propm x 0", "liftm x = propm x 1"),
    // The derivative of a checkpoint's result takes the place of what was there.
    ("w = write dx (<Smooth> (p (read dx) w))", "w = write dx w"),
    ("(just (maybe w {y -> p y w} x))", "(just w)"),
    // The backward pass of a checkpoint comes too early.
    ("  reversec (k unit);\n  m!", "  m!;\n  reversec (k unit)"),
    // The second run of a backward pass finds what the first one left.
    (
        "takeCell r = let x = read r in write r (c 0); x",
        "takeCell r = read r",
    ),
];

#[test]
fn a_wrong_library_is_noticed() {
    let folder = project_root().join("server/library");
    let text = |name: &str| std::fs::read_to_string(folder.join(format!("{name}.fk"))).unwrap();
    for (line, mistake) in MISTAKES {
        assert!(
            text("ad").contains(line),
            "there is no `{line}` in the library"
        );
        // All of them, since those beside `ad` would go on with the right one.
        let libraries = LIBRARIES.iter().map(|name| {
            let text = text(name).replacen(line, mistake, 1);
            (format!("{name}.fk"), text)
        });
        let mut judge = Judge::new(libraries.collect());
        let found = (0..40).find_map(|seed| judge_batch(25, seed, &mut judge).wrong.pop());
        let (case, judgement) = found.unwrap_or_else(|| panic!("`{mistake}` is not noticed"));
        assert!(
            judge.run_one(&case, judgement).is_ok(),
            "it does not run with `{mistake}`"
        );
        let shown = describe(&case, judgement, &mut judge);
        println!("{mistake}\n\n{shown}\n");
        assert!(
            shown.lines().count() < 16 && shown.len() < 700,
            "this is not small:\n{shown}"
        );
    }
}

#[test]
fn the_oracle_agrees_with_differences() {
    let mut generator = Generator::new(seed(2));
    let (mut compared, mut nested) = (0, 0);
    for _ in 0..rounds(10_000) {
        let case = generator.case();
        if case.shape != Shape::One {
            continue;
        }
        let mut oracle = Oracle::new(&case, Way::Perturbations);
        let Ok(results) = oracle.results(&[&[1.0]]) else {
            continue;
        };
        // Where functions are steep, differences go beyond a kink, or are not exact enough.
        if oracle.largest > 20.0 {
            continue;
        }
        let Ok(differences) = by_differences(&case) else {
            continue;
        };
        let slope = results[0].coefficient(1);
        assert!(
            (slope - differences).abs() < 1e-4 * (1.0 + oracle.largest),
            "the derivative is {slope}, and by differences {differences}:\n{}",
            program(&[(&case, &[])])
        );
        compared += 1;
        let mut is_derivative = |term: &Term| matches!(term, Term::Derivative { .. });
        nested += usize::from(case.results[0].any(&mut is_derivative));
    }
    println!("{compared} compared, {nested} nested");
    assert!(
        compared > 3000 && nested > 500,
        "only {compared} are compared, {nested} nested"
    );
}
