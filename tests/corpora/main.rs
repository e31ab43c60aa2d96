//! The fuzzing corpora and random changes of real programs, against what holds of every text.
//!
//! `FRANK_FUZZ_ROUNDS=n` makes n random changes of each program instead of a few.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::collections::BTreeSet;

use frank_analysis::diagnostics::Code;
use frank_analysis::file_findings::file_diagnostics;
use frank_analysis::files::Files;
use frank_interpreter::Limits;
use frank_library::LIBRARY;
use frank_tests::book::pages;
use frank_tests::corpora::corpus;
use frank_tests::effort::setting;
use frank_tests::mutate::change_tokens;
use frank_tests::properties::{
    checks, configures, does_not_go_wrong, follows_edits, formats, frames, parses,
};
use frank_tests::run::run_main;
use frank_tests::{blocks, files_under, project_root};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

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

/// Tries a property on every input that the fuzzers keep for a target.
fn on_corpus(target: &str, property: impl Fn(&str) + Sync) {
    let inputs = corpus(target).unwrap();
    assert!(inputs.len() >= 40, "the inputs of {target} are gone");
    inputs.par_iter().for_each(|input| property(input));
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
fn the_corpus_parses() {
    on_corpus("parse", parses);
}

#[test]
fn the_corpus_formats() {
    on_corpus("format", formats);
}

#[test]
fn the_corpus_checks() {
    on_corpus("check", checks);
}

#[test]
fn the_corpus_does_not_go_wrong() {
    on_corpus("run", does_not_go_wrong);
}

#[test]
fn the_corpus_follows_edits() {
    on_corpus("edit", |text| {
        follows_edits(text, &mut StdRng::seed_from_u64(text.len() as u64), 20);
    });
}

#[test]
fn the_corpus_is_read_from_a_client() {
    on_corpus("frames", frames);
}

#[test]
fn the_corpus_configures() {
    on_corpus("configure", configures);
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

/// What is said of a program, and what comes of running it. Not how it is said: a message may name
/// what there is in the library; nor in which order.
fn findings_and_run(files: &mut Files, program: &str) -> (Vec<String>, Option<String>) {
    let file = files.set_text("main.fk", program);
    let found = file_diagnostics(files.db(), file);
    let findings = found.iter().map(|finding| {
        let range = files.range(finding.location);
        format!("{range:?} {:?}", finding.code)
    });
    let mut findings: Vec<String> = findings.collect();
    findings.sort();
    if found.iter().any(|finding| finding.is_error()) {
        return (findings, None);
    }
    let limits = Limits {
        steps: Some(1_000_000),
        ..Limits::default()
    };
    let outcome = run_main(files, file, "", limits);
    (
        findings,
        Some(format!("{:?} {:?}", outcome.output, outcome.value)),
    )
}

/// All programs in one file that include the prelude or `ad`, and so may go on to include the other
/// libraries.
fn programs_on_the_library() -> Vec<String> {
    let mut all = programs();
    all.extend(corpus("run").unwrap());
    all.extend(corpus("check").unwrap());
    for page in pages().unwrap() {
        for (_, block) in page.programs().unwrap() {
            if let [(_, text)] = &block.files[..] {
                all.push(text.clone());
            }
        }
    }
    for example in files_under(&project_root().join("docs/examples"), "fk") {
        all.push(std::fs::read_to_string(example).unwrap());
    }
    let on_the_library = |program: &String| {
        let mut includes = program.lines().filter_map(|l| l.strip_prefix("include "));
        let mut known = includes.clone().map(str::trim_end);
        known.any(|name| name == "prelude" || name == "ad")
            && includes.all(|name| name.trim_end() != "ad-paper")
    };
    all.retain(on_the_library);
    all
}

/// Whether a program lacks a name that the other libraries have, as a broken one may.
fn lacks_what_they_have(files: &mut Files, program: &str, names: &BTreeSet<String>) -> bool {
    let file = files.set_text("main.fk", program);
    let found = file_diagnostics(files.db(), file);
    found.iter().any(|finding| {
        let range = std::ops::Range::<usize>::from(files.range(finding.location));
        let unknown = [Code::UnknownName, Code::UnknownInterface, Code::UnknownType];
        unknown.contains(&finding.code)
            && program.get(range).is_some_and(|name| names.contains(name))
    })
}

/// A name of a library takes the place of a variable if it is a constructor or a command; so those
/// have names that programs do not use for variables.
#[test]
fn other_libraries_change_no_program() {
    let mut includes = String::new();
    let mut names = BTreeSet::new();
    for (name, text) in LIBRARY {
        if !["prelude", "ad", "ad-paper"].contains(name) {
            includes += &format!("\ninclude {name}");
            let signatures = text.lines().filter_map(|line| line.split_once(" : "));
            names.extend(signatures.map(|(name, _)| name.to_owned()));
            let types = text.lines().filter_map(|line| {
                let mut words = line.split_whitespace();
                let is_type = matches!(words.next(), Some("interface" | "data"));
                words.next().filter(|_| is_type)
            });
            names.extend(types.map(str::to_owned));
        }
    }
    let mut files = Files::new(None);
    let programs = programs_on_the_library();
    assert!(programs.len() > 100, "the programs are gone");
    let mut changed = Vec::new();
    for program in programs {
        if lacks_what_they_have(&mut files, &format!("{program}\ninclude ad\n"), &names) {
            continue;
        }
        let alone = findings_and_run(&mut files, &format!("{program}\ninclude ad\n"));
        let all = format!("{program}\ninclude ad{includes}\n");
        let beside = findings_and_run(&mut files, &all);
        if alone != beside {
            changed.push(format!("{program}\n{alone:?}\n{beside:?}"));
        }
    }
    assert!(changed.is_empty(), "{}", changed.join("\n---\n"));
}
