//! The type checker against a slow and simple one, written straight from the rules.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests fail by panicking"
)]

mod compare;
mod generate;
mod rules;
mod run;
mod shrink;

use std::collections::BTreeSet;

use compare::{Agreement, Judges};
use frank_syntax::outline::split;
use frank_syntax::parse::parse_item;
use frank_tests::effort::{rounds, seed};
use frank_tests::mutate::change_tokens;
use frank_tests::{blocks, files_under, project_root};
use generate::Generator;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use run::Runner;

#[test]
fn the_library() {
    assert_eq!(Judges::new().reference.library(), []);
}

/// The programs of the chapters and the book, each a list of names and texts.
fn programs() -> Vec<Vec<(String, String)>> {
    let root = project_root();
    let mut pages = files_under(&root.join("tests/conformance"), "md");
    pages.extend(files_under(&root.join("docs"), "md"));
    let mut programs = Vec::new();
    for page in pages {
        let text = std::fs::read_to_string(page).unwrap();
        programs.extend(blocks(&text).into_iter().map(|block| block.files));
    }
    for example in files_under(&root.join("docs/examples"), "fk") {
        let text = std::fs::read_to_string(&example).unwrap();
        // What it includes of the files beside it.
        let included = text
            .lines()
            .filter_map(|line| line.strip_prefix("include "));
        let beside = included.filter_map(|name| {
            let name = format!("{name}.fk");
            let text = std::fs::read_to_string(example.with_file_name(&name)).ok()?;
            Some((name, text))
        });
        let mut files: Vec<_> = beside.collect();
        files.push(("main.fk".to_owned(), text));
        programs.push(files);
    }
    assert!(programs.len() > 1000, "the chapters are gone");
    programs
}

/// Compares many programs. Those that do not parse do not count.
fn compare_many(count: usize, usual_seed: u64, mut next: impl FnMut(&mut StdRng) -> String) {
    let seed = seed(usual_seed);
    let mut rng = StdRng::seed_from_u64(seed);
    let mut judges = Judges::new();
    // Programs of a family often differ in the same.
    let mut differences = BTreeSet::new();
    let mut differing = 0;
    let (mut right, mut wrong, mut unread) = (0, 0, 0);
    while right + wrong < rounds(count) {
        let text = next(&mut rng);
        match judges.compare_text(&text) {
            Ok(Agreement::NoProgram) => unread += 1,
            Ok(Agreement::Right) => right += 1,
            Ok(Agreement::Wrong) => wrong += 1,
            Err(_) => {
                let small = shrink::shrink(&text, |text| judges.compare_text(text).is_err());
                differences.insert(judges.compare_text(&small).unwrap_err());
                differing += 1;
                wrong += 1;
                if differing >= 100 || differences.len() >= 10 {
                    break;
                }
            }
        }
    }
    println!("{right} programs are right, {wrong} are wrong; {unread} more do not parse");
    let all: Vec<String> = differences.into_iter().collect();
    assert!(
        all.is_empty(),
        "{differing} differ\n{}\nseed {seed}",
        all.join("\n\n")
    );
}

#[test]
fn programs_of_the_chapters() {
    let mut judges = Judges::new();
    let all = programs();
    let compared = all.iter().map(|program| judges.compare(program));
    let differences: Vec<String> = compared.filter_map(Result::err).collect();
    assert!(differences.is_empty(), "{}", differences.join("\n\n"));
}

/// How many programs are made from one, by changes of one item each. Both checkers are asked
/// about all of them in turn, so the analysis, which keeps what it knows, is fast.
const FAMILY: usize = 16;

/// A program with one of its items changed, in such a way that it still parses if that is easily
/// found.
fn change_item(rng: &mut StdRng, text: &str, other: &str) -> String {
    let items = split(text);
    let Some(item) = items.get(rng.random_range(0..items.len().max(1))) else {
        return text.to_owned();
    };
    let mut changed = String::new();
    for _ in 0..8 {
        changed = change_tokens(rng, item.text(text), other);
        if parse_item(&changed).errors.is_empty() {
            break;
        }
    }
    let mut all = text.to_owned();
    all.replace_range(item.range.clone(), &changed);
    all
}

#[test]
fn changed_programs() {
    let programs = programs();
    let texts: Vec<&str> = programs
        .iter()
        .filter(|files| files.len() == 1)
        .map(|files| files[0].1.as_str())
        .collect();
    let mut text = texts[0];
    let mut left = 0;
    compare_many(2000, 1, |rng| {
        if left == 0 {
            text = texts[rng.random_range(0..texts.len())];
            left = FAMILY;
        }
        left -= 1;
        let other = texts[rng.random_range(0..texts.len())];
        change_item(rng, text, other)
    });
}

#[test]
fn generated_programs() {
    let mut generator = Generator::new(0);
    let mut left = 0;
    compare_many(2000, 2, |rng| {
        if left == 0 {
            generator = Generator::new(rng.random());
            left = FAMILY;
            return generator.program();
        }
        left -= 1;
        generator.variant([0, 20][left % 2])
    });
}

#[test]
fn changed_generated_programs() {
    let mut text = String::new();
    let mut left = 0;
    compare_many(2000, 3, |rng| {
        if left == 0 {
            text = Generator::new(rng.random()).program();
            left = FAMILY;
        }
        left -= 1;
        change_item(rng, &text, &text)
    });
}

#[test]
fn generated_programs_do_not_go_wrong() {
    let mut rng = StdRng::seed_from_u64(seed(4));
    let mut runner = Runner::new();
    let count = rounds(1000);
    for _ in 0..count {
        let (text, ty) = Generator::that_ends(rng.random()).with_main();
        runner.run(&text, &ty);
    }
    println!("{:?}", runner.tally);
    // Most programs are right, and much of them runs to its end.
    assert!(runner.tally.wrong < count / 5, "{:?}", runner.tally);
    assert!(runner.tally.checked > count / 4, "{:?}", runner.tally);
    assert!(runner.tally.followed > count / 2, "{:?}", runner.tally);
}
