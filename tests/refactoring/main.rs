//! Every refactoring that is offered anywhere in the library, the examples and the conformance
//! chapters leaves the program as right as it was: checked again it has no finding that it did not
//! have, and run again it gives the same value and prints the same.

#![allow(
    clippy::indexing_slicing,
    reason = "a test that indexes wrongly fails, as it should"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use frank_analysis::db::{Origin, SourceFile, parsed};
use frank_analysis::diagnostics::Code;
use frank_analysis::file_findings::file_diagnostics;
use frank_analysis::files::Files;
use frank_ide::{Analysis, FileRange, Refactor, TextEdit};
use frank_interpreter::Limits;
use frank_library::LIBRARY;
use frank_syntax::format::{FormatOptions, format};
use frank_tests::run::run_main;
use frank_tests::{blocks, files_under, project_root};
use rayon::prelude::*;
use text_size::{TextRange, TextSize};

/// A program: the names and texts of its files, the root last, and what it reads when it runs.
struct Program {
    name: String,
    files: Vec<(String, String)>,
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn programs() -> Vec<Program> {
    let root = project_root();
    let mut programs = Vec::new();
    for (name, text) in LIBRARY {
        programs.push(Program {
            name: format!("library {name}"),
            // Under its own name it would be the library's as long as nothing is changed.
            files: vec![(format!("like-{name}.fk"), (*text).to_owned())],
        });
    }
    for path in files_under(&root.join("docs/examples"), "fk") {
        let name = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        programs.push(Program {
            name: format!("example {name}"),
            files: vec![(name, read(&path))],
        });
    }
    for path in files_under(&root.join("tests/conformance"), "md") {
        let chapter = path
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        for block in blocks(&read(&path)) {
            programs.push(Program {
                name: format!("{chapter}:{}", block.line),
                files: block.files,
            });
        }
    }
    programs
}

fn load(texts: &[(String, String)]) -> (Files, Vec<SourceFile>) {
    let mut files = Files::new(None);
    let texts: Vec<(String, &str)> = texts
        .iter()
        .map(|(path, text)| (path.clone(), text.as_str()))
        .collect();
    let sources = files.add(&texts);
    (files, sources)
}

/// The places of a file that a user may point at or select: all terms, all names, all patterns.
fn places(files: &Files, file: SourceFile) -> BTreeSet<(u32, u32)> {
    let snapshot = files.snapshot();
    let mut places = BTreeSet::new();
    for (entry, place) in snapshot.items(file) {
        let parsed = parsed(files.db(), entry.item);
        let start = place.range.start as u32;
        let map = &parsed.source_map;
        for (_, term) in parsed.item.terms.iter() {
            let range = map.range(term.id);
            places.insert((start + u32::from(range.start()), u32::from(range.len())));
        }
        for (_, range) in map.iter() {
            places.insert((start + u32::from(range.start()), 0));
        }
    }
    places
}

fn findings(files: &Files, sources: &[SourceFile]) -> BTreeSet<String> {
    sources
        .iter()
        .flat_map(|file| file_diagnostics(files.db(), *file))
        .map(|problem| match problem.code {
            // It names examples, which change with the clauses.
            Code::MissingPatterns => problem.code.as_str().to_owned(),
            code => format!("{} {}", code.as_str(), problem.message),
        })
        .collect()
}

fn apply(texts: &[(String, String)], files: &Files, edits: &[TextEdit]) -> Vec<(String, String)> {
    let mut texts = texts.to_vec();
    for edit in edits.iter().rev() {
        assert_eq!(edit.at.file.origin(files.db()), Origin::Workspace);
        let path = edit.at.file.path(files.db());
        let (_, text) = texts
            .iter_mut()
            .find(|(name, _)| name == path)
            .expect("a file");
        text.replace_range(std::ops::Range::<usize>::from(edit.at.range), &edit.text);
    }
    texts
}

/// The value or the mere fact that there is none, and what was printed.
fn outcome(files: &Files, root: SourceFile) -> (String, Option<String>) {
    let limits = Limits {
        steps: Some(3_000_000),
        ..Limits::default()
    };
    let outcome = run_main(files, root, "input", limits);
    (outcome.output, outcome.value.ok())
}

fn has_main(text: &str) -> bool {
    text.lines().any(|line| line.starts_with("main!"))
}

/// What became of the refactorings of one kind.
#[derive(Default)]
struct Tally {
    offered: usize,
    refused: usize,
}

/// How many places of a file each refactoring is tried at, evenly spread, since programs have many
/// places that are alike. `PLACES=1000 cargo test …` tries nearly all of them.
const PLACES: usize = 2;
/// How many places of a file are looked at for what they offer.
const LOOKS: usize = 90;

/// What became of the refactorings of a program, by their names, and where they went wrong.
fn try_program(program: &Program) -> (BTreeMap<&'static str, Tally>, String) {
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    let mut failures = String::new();
    let (files, sources) = load(&program.files);
    let before = findings(&files, &sources);
    let wrong = sources
        .iter()
        .flat_map(|file| file_diagnostics(files.db(), *file))
        .any(|problem| problem.is_error());
    let (_, root_text) = program.files.last().expect("a file");
    let root = *sources.last().expect("a file");
    let runs = !wrong && has_main(root_text);
    let expected = runs.then(|| outcome(&files, root));
    let analysis = Analysis::new(files.snapshot());
    let places_asked = std::env::var("PLACES")
        .ok()
        .and_then(|most| most.parse().ok());
    let most = places_asked.unwrap_or(PLACES);
    for file in &sources {
        let mut offered: BTreeMap<&str, Vec<(FileRange, Refactor)>> = BTreeMap::new();
        let places = places(&files, *file);
        let step = places.len().div_ceil(LOOKS * most / PLACES).max(1);
        for (start, length) in places.into_iter().step_by(step) {
            let at = FileRange {
                file: *file,
                range: TextRange::at(TextSize::new(start), TextSize::new(length)),
            };
            for refactoring in analysis.refactorings(at) {
                let name = refactoring.refactor.name();
                offered
                    .entry(name)
                    .or_default()
                    .push((at, refactoring.refactor));
            }
        }
        for (name, all) in offered {
            let tally = tallies.entry(name).or_default();
            let step = all.len().div_ceil(most).max(1);
            for (at, refactor) in all.into_iter().step_by(step) {
                tally.offered += 1;
                let edits = match analysis.refactor(at, refactor) {
                    Ok(edits) => edits,
                    Err(_) => {
                        tally.refused += 1;
                        continue;
                    }
                };
                let texts = apply(&program.files, &files, &edits);
                if let Err(why) = compare(program, &texts, &before, expected.as_ref()) {
                    let path = file.path(files.db());
                    let _ = writeln!(
                        failures,
                        "== {} {path} {name} at {:?}: {why}\n{}",
                        program.name,
                        at.range,
                        difference(&program.files, &texts)
                    );
                }
            }
        }
    }
    (tallies, failures)
}

fn compare(
    program: &Program,
    texts: &[(String, String)],
    before: &BTreeSet<String>,
    expected: Option<&(String, Option<String>)>,
) -> Result<(), String> {
    let (files, sources) = load(texts);
    if texts == program.files {
        return Err("nothing changed".to_owned());
    }
    let after = findings(&files, &sources);
    if let Some(new) = after.difference(before).next() {
        return Err(format!("a new finding: {new}"));
    }
    for ((_, old), (path, new)) in program.files.iter().zip(texts) {
        let options = FormatOptions::default();
        if format(old, &options).is_unchanged() && !format(new, &options).is_unchanged() {
            return Err(format!("{path} is no longer in the formatter's style"));
        }
    }
    let root = *sources.last().expect("a file");
    if let Some(expected) = expected {
        let found = outcome(&files, root);
        // How a program fails can name what has changed.
        if &found != expected {
            return Err(format!("{expected:?} has become {found:?}"));
        }
    }
    Ok(())
}

/// The lines that differ.
fn difference(old: &[(String, String)], new: &[(String, String)]) -> String {
    let mut out = String::new();
    for ((_, old), (_, new)) in old.iter().zip(new) {
        let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
        let start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
        let most = old.len().min(new.len()) - start;
        let end = old.iter().rev().zip(new.iter().rev()).take(most);
        let end = end.take_while(|(a, b)| a == b).count();
        for line in &old[start..old.len() - end] {
            let _ = writeln!(out, "- {line}");
        }
        for line in &new[start..new.len() - end] {
            let _ = writeln!(out, "+ {line}");
        }
    }
    out
}

#[test]
fn programs_mean_what_they_meant() {
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    let mut failures = String::new();
    let programs = programs();
    let tried = programs.par_iter().with_max_len(1).map(try_program);
    for (of_one, wrong) in tried.collect::<Vec<_>>() {
        failures.push_str(&wrong);
        for (name, tally) in of_one {
            let all = tallies.entry(name).or_default();
            all.offered += tally.offered;
            all.refused += tally.refused;
        }
    }
    assert!(failures.is_empty(), "{failures}");
    for refactor in Refactor::ALL {
        let done = tallies
            .get(refactor.name())
            .map_or(0, |tally| tally.offered - tally.refused);
        assert!(done > 0, "{} was never done", refactor.name());
    }
}
