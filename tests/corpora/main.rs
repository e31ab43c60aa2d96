//! The fuzzing corpora and random changes of real programs, against what holds of every text.
//!
//! `FRANK_FUZZ_ROUNDS=n` makes n random changes of each program instead of a few.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use frank_tests::effort::setting;
use frank_tests::mutate::change_tokens;
use frank_tests::properties::{checks, does_not_go_wrong, follows_edits, formats, parses};
use frank_tests::{blocks, files_under, project_root};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

fn corpus(target: &str) -> Vec<String> {
    let dir = project_root().join("tests/fuzz/corpus").join(target);
    let mut texts: Vec<String> = std::fs::read_dir(&dir)
        .unwrap()
        .map(|entry| std::fs::read(entry.unwrap().path()).unwrap())
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .collect();
    texts.sort();
    assert!(!texts.is_empty(), "{} is empty", dir.display());
    texts
}

/// The programs of the chapters that are one file.
fn programs() -> Vec<String> {
    let chapters = files_under(&project_root().join("tests/conformance"), "md");
    let mut programs = Vec::new();
    for chapter in chapters {
        for block in blocks(&std::fs::read_to_string(chapter).unwrap()) {
            if let [(_, text)] = &block.files[..] {
                programs.push(text.clone());
            }
        }
    }
    programs
}

/// Tries a property on random changes of every program.
fn on_changed_programs(seed: u64, usual: usize, property: impl Fn(&str)) {
    let mut rng = StdRng::seed_from_u64(seed);
    let programs = programs();
    for program in &programs {
        for _ in 0..setting("FRANK_FUZZ_ROUNDS").unwrap_or(usual) {
            let other = &programs[rng.random_range(0..programs.len())];
            property(&change_tokens(&mut rng, program, other));
        }
    }
}

#[test]
fn the_corpora() {
    for text in corpus("parse") {
        parses(&text);
    }
    for text in corpus("format") {
        formats(&text);
    }
    for text in corpus("check") {
        checks(&text);
    }
    for text in corpus("run") {
        does_not_go_wrong(&text);
    }
    for text in corpus("edit") {
        follows_edits(&text, &mut StdRng::seed_from_u64(text.len() as u64), 20);
    }
}

#[test]
fn changed_programs_parse() {
    on_changed_programs(1, 3, parses);
}

#[test]
fn changed_programs_format() {
    on_changed_programs(2, 3, formats);
}

#[test]
fn changed_programs_check() {
    on_changed_programs(3, 3, checks);
}

#[test]
fn changed_programs_do_not_go_wrong() {
    on_changed_programs(4, 3, does_not_go_wrong);
}
