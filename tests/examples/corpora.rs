//! The inputs of the fuzzers, from the repository to where a fuzzer reads and writes them, and back:
//!
//! ```sh
//! cargo run --release -p frank-tests --example corpora unpack
//! cargo run --release -p frank-tests --example corpora pack
//! ```
//!
//! `unpack` writes every input of every target as a file into `tests/fuzz/all`. `pack` takes what is
//! there: of inputs that are alike it keeps the smallest in `tests/fuzz/corpus`, and it packs the
//! others. What has failed, in `tests/fuzz/failed`, stays as it is.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;

use frank_analysis::file_findings::file_diagnostics;
use frank_analysis::files::Files;
use frank_syntax::outline::split;
use frank_syntax::parse::parse_item;
use frank_tests::corpora::{TARGETS, corpus, files, fuzz_root, pack, packed_path, said};
use frank_tests::properties::{Ran, run};

fn main() -> ExitCode {
    let command = std::env::args().nth(1);
    let done = TARGETS
        .iter()
        .try_for_each(|target| match command.as_deref() {
            Some("unpack") => unpack_target(target),
            Some("pack") => pack_target(target),
            _ => Err("say `unpack` or `pack`".to_owned()),
        });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("corpora: {message}");
            ExitCode::FAILURE
        }
    }
}

fn unpack_target(target: &str) -> Result<(), String> {
    let directory = fuzz_root().join("all").join(target);
    std::fs::create_dir_all(&directory).map_err(said(&directory))?;
    for (number, text) in corpus(target)?.iter().enumerate() {
        write(&directory.join(format!("{number:05}")), text)?;
    }
    Ok(())
}

fn pack_target(target: &str) -> Result<(), String> {
    let mut inputs = files(&fuzz_root().join("all").join(target))?;
    inputs.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    inputs.dedup();
    let directory = fuzz_root().join("corpus").join(target);
    if directory.exists() {
        std::fs::remove_dir_all(&directory).map_err(said(&directory))?;
    }
    std::fs::create_dir_all(&directory).map_err(said(&directory))?;
    let mut seen = BTreeSet::new();
    let mut rest = Vec::new();
    for input in &inputs {
        let new: Vec<String> = traits(target, input).difference(&seen).cloned().collect();
        match new.first() {
            Some(name) => write(&directory.join(name), input)?,
            None => rest.push(input),
        }
        seen.extend(new);
    }
    rest.sort();
    let path = packed_path(target);
    println!(
        "{target}: {} files, {} packed",
        inputs.len() - rest.len(),
        rest.len()
    );
    write(&path, &pack(rest))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(said(path))
}

/// What an input has that others of its target may not have: kinds of syntax; for targets that check, kinds of
/// findings; for the one that runs, what comes of it. Each can be the name of a file. Inputs that are no programs
/// have none.
fn traits(target: &str, input: &str) -> BTreeSet<String> {
    let mut traits = BTreeSet::new();
    if ["frames", "configure"].contains(&target) {
        return traits;
    }
    for item in split(input) {
        let parsed = parse_item(item.text(input));
        traits.extend(words(&format!("{:?}", parsed.item)));
        traits.extend(
            parsed
                .errors
                .iter()
                .map(|error| format!("{:?}", error.kind)),
        );
    }
    if ["parse", "format"].contains(&target) {
        return traits;
    }
    let mut files = Files::new(None);
    let file = files.set_text("main.fk", input);
    let found = file_diagnostics(files.db(), file);
    let codes = found
        .iter()
        .map(|finding| finding.code.declaration().code.to_owned());
    traits.extend(codes);
    if target == "run" {
        match run(&files, file, 200_000) {
            Ran::Not => {}
            Ran::Value(_) => {
                traits = traits.into_iter().map(|of| format!("runs-{of}")).collect();
            }
            Ran::Stopped(kind) => {
                traits.insert(format!("stops-{kind:?}"));
            }
        }
    }
    traits
}

/// The names of variants in the debug form of a tree; names of programs are quoted there.
fn words(tree: &str) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    let mut quoted = None;
    let mut word = String::new();
    let mut signs = tree.chars().chain([' ']);
    while let Some(sign) = signs.next() {
        match (quoted, sign) {
            (Some(_), '\\') => {
                signs.next();
            }
            (Some(quote), _) if sign == quote => quoted = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quoted = Some(sign),
            (None, _) if sign.is_alphanumeric() => word.push(sign),
            (None, _) => {
                if word.starts_with(|first: char| first.is_ascii_uppercase()) {
                    words.insert(std::mem::take(&mut word));
                }
                word.clear();
            }
        }
    }
    words
}
